//! The statistics of the papers: means, Wilcoxon's signed-rank test, effect sizes, bootstrap intervals, Spearman's ρ.

use crate::random::Random;

/// A paired comparison: what was, and what is instead.
pub(crate) type Pair = (f64, f64);

/// The arithmetic mean; `None` of nothing.
pub(crate) fn mean(figures: &[f64]) -> Option<f64> {
    (!figures.is_empty()).then(|| figures.iter().sum::<f64>() / figures.len() as f64)
}

/// The quantile `q` (0 to 1), between neighbours in proportion; `None` of nothing.
pub(crate) fn quantile(figures: &[f64], q: f64) -> Option<f64> {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let place = q * last as f64;
    let (low, part) = (place as usize, place - libm::floor(place));
    Some(sorted[low] + part * (sorted[(low + 1).min(last)] - sorted[low]))
}

/// Ranks from 1; equal figures share the mean of theirs. With them the sum of `t³ - t` over groups of `t` equals.
fn ranks(figures: &[f64]) -> (Vec<f64>, f64) {
    let mut order: Vec<usize> = (0..figures.len()).collect();
    order.sort_by(|&a, &b| figures[a].total_cmp(&figures[b]));
    let (mut ranks, mut ties, mut before) = (vec![0.0; figures.len()], 0.0, 0);
    for equal in order.chunk_by(|&a, &b| figures[a] == figures[b]) {
        let count = equal.len();
        equal.iter().for_each(|&at| ranks[at] = before as f64 + (count as f64 + 1.0) / 2.0);
        ties += (count * count * count - count) as f64;
        before += count;
    }
    (ranks, ties)
}

/// What Wilcoxon's signed-rank test says of pairs, two-sided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wilcoxon {
    /// Pairs that differ.
    pub(crate) pairs: usize,
    /// The probability of a difference like this where there is none.
    pub(crate) p: f64,
    /// The matched-pairs rank-biserial correlation: 1 where the second is always larger, -1 where it is always smaller.
    pub(crate) effect: f64,
}

/// The most pairs for which the distribution is counted out.
const EXACT: usize = 25;

/// Wilcoxon's signed-rank test. Equal pairs are left out. The distribution is exact for at most 25 pairs without ties,
/// else normal with corrections for ties and continuity. `None` where no pair differs.
pub(crate) fn wilcoxon(pairs: &[Pair]) -> Option<Wilcoxon> {
    let differences: Vec<f64> = pairs.iter().map(|(was, is)| is - was).filter(|&d| d != 0.0).collect();
    let n = differences.len();
    if n == 0 {
        return None;
    }
    let (ranks, ties) = ranks(&differences.iter().map(|d| d.abs()).collect::<Vec<_>>());
    let more: f64 = ranks.iter().zip(&differences).filter(|(_, d)| **d > 0.0).map(|(rank, _)| rank).sum();
    let all = (n * (n + 1)) as f64 / 2.0;
    let least = more.min(all - more);
    let p = if n <= EXACT && ties == 0.0 {
        // How many of the 2^n choices of signs have each sum.
        let mut choices = vec![0.0; all as usize + 1];
        choices[0] = 1.0;
        for rank in 1..=n {
            (rank..choices.len()).rev().for_each(|sum| choices[sum] += choices[sum - rank]);
        }
        2.0 * choices[..=least as usize].iter().sum::<f64>() / libm::pow(2.0, n as f64)
    } else {
        let variance = (n * (n + 1) * (2 * n + 1)) as f64 / 24.0 - ties / 48.0;
        let z = (all / 2.0 - least - 0.5).max(0.0) / libm::sqrt(variance);
        libm::erfc(z / core::f64::consts::SQRT_2)
    };
    Some(Wilcoxon { pairs: n, p: p.min(1.0), effect: (2.0 * more - all) / all })
}

/// Cliff's delta: how much more often one of the `second` is larger than one of the `first` than the other way round.
pub(crate) fn cliffs_delta(first: &[f64], second: &[f64]) -> Option<f64> {
    let signs =
        first.iter().flat_map(|a| second.iter().map(move |b| f64::from(i8::from(b > a) - i8::from(b < a))));
    mean(&signs.collect::<Vec<_>>())
}

/// How often figures are drawn again for an interval: enough for its ends to stay within a percent of its width.
const DRAWS: usize = 2000;

/// The 95 % bootstrap interval of `statistic`, by percentiles; the same for the same seed. `None` of nothing.
pub(crate) fn interval<T: Copy>(
    figures: &[T],
    seed: u64,
    statistic: impl Fn(&[T]) -> Option<f64>,
) -> Option<(f64, f64)> {
    let mut random = Random::new(seed);
    let mut draw = || figures[random.below(figures.len())];
    if figures.is_empty() {
        return None;
    }
    let drawn: Vec<f64> =
        (0..DRAWS).filter_map(|_| statistic(&figures.iter().map(|_| draw()).collect::<Vec<_>>())).collect();
    Some((quantile(&drawn, 0.025)?, quantile(&drawn, 0.975)?))
}

/// Spearman's ρ; `None` where one side does not vary.
pub(crate) fn spearman(pairs: &[Pair]) -> Option<f64> {
    let side = |side: fn(&Pair) -> f64| ranks(&pairs.iter().map(side).collect::<Vec<_>>()).0;
    let (x, y) = (side(|pair| pair.0), side(|pair| pair.1));
    let centre = (pairs.len() as f64 + 1.0) / 2.0;
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - centre) * (y - centre)).sum::<f64>();
    let spread = libm::sqrt(dot(&x, &x) * dot(&y, &y));
    (spread > 0.0).then(|| dot(&x, &y) / spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(is: Option<f64>, expected: f64) {
        assert!(is.is_some_and(|is| (is - expected).abs() < 5e-5), "{is:?} is not {expected}");
    }

    #[test]
    fn wilcoxon_has_its_check_values() {
        let differences = [1.0, 2.0, 3.0, 4.0, 5.0, -6.0, 7.0, 8.0, 9.0, 10.0];
        let pairs: Vec<Pair> = differences.iter().map(|&d| (100.0, 100.0 + d)).collect();
        let found = wilcoxon(&pairs).unwrap();
        assert_eq!((found.pairs, found.p), (10, 28.0 / 1024.0));
        close(Some(found.effect), 43.0 / 55.0);
        let turned: Vec<Pair> = pairs.iter().map(|&(a, b)| (b, a)).collect();
        assert_eq!(wilcoxon(&turned).unwrap().p, found.p);
        assert_eq!(wilcoxon(&turned).unwrap().effect, -found.effect);
        assert_eq!(wilcoxon(&[(1.0, 1.0)]), None);
        // With ties: the negative ones have the ranks 1.5, 3.5 and 6.
        let tied: Vec<Pair> =
            [1.0, -2.0, 2.0, 3.0, -4.0, 5.0, 6.0, 7.0, -1.0, 8.0].iter().map(|&d| (0.0, d)).collect();
        let found = wilcoxon(&tied).unwrap();
        let least = 1.5 + 3.5 + 6.0;
        let z = (27.5 - least - 0.5) / libm::sqrt(385.0 / 4.0 - 12.0 / 48.0);
        close(Some(found.p), libm::erfc(z / core::f64::consts::SQRT_2));
        // By normal approximation where there are many: 40 differences of one sign.
        let many: Vec<Pair> = (1..=40).map(|d| (0.0, f64::from(d))).collect();
        assert!(wilcoxon(&many).unwrap().p < 1e-7);
    }

    #[test]
    fn spearman_has_its_check_value_and_none_where_nothing_varies() {
        let pairs = |y: [f64; 5]| (1..).zip(y).map(|(x, y)| (f64::from(x), y)).collect::<Vec<Pair>>();
        close(spearman(&pairs([5.0, 6.0, 7.0, 8.0, 7.0])), 0.8208);
        close(spearman(&pairs([5.0, 4.0, 3.0, 2.0, 1.0])), -1.0);
        assert_eq!(spearman(&pairs([3.0; 5])), None);
    }

    #[test]
    fn effects_quantiles_and_intervals() {
        close(cliffs_delta(&[1.0, 2.0], &[3.0, 4.0]), 1.0);
        close(cliffs_delta(&[1.0, 3.0], &[2.0, 2.0]), 0.0);
        close(quantile(&[4.0, 1.0, 3.0, 2.0], 0.5), 2.5);
        let figures: Vec<f64> = (0..100).map(f64::from).collect();
        let (low, high) = interval(&figures, 1, mean).unwrap();
        // The standard error of the mean is 2.9.
        assert!((42.0..46.0).contains(&low) && (53.0..57.0).contains(&high), "{low} {high}");
        assert_eq!(interval(&figures, 1, mean), Some((low, high)));
    }
}
