//! WProbDD with a table of probabilities that is sorted and scanned as a whole for each question.

use super::list::{Test, without};
use super::probdd::refuse;

pub(crate) fn wprobdd(list: Vec<usize>, weights: &[u32], p0: f64, test: Test<'_>) -> Vec<usize> {
    let weight = |element: usize| f64::from(weights[element].max(1));
    let mut p = vec![p0; list.len()];
    let mut best = list;
    loop {
        let mut undecided: Vec<usize> = best.iter().copied().filter(|&element| p[element] < 1.0).collect();
        let key = |element: usize| weight(element) * (1.0 - p[element]);
        undecided.sort_by(|&a, &b| key(b).total_cmp(&key(a)).then(p[a].total_cmp(&p[b])).then(a.cmp(&b)));
        let (mut sum, mut log_pass) = (0.0, 0.0);
        let (mut count, mut best_gain) = (0, f64::NEG_INFINITY);
        for (i, &element) in undecided.iter().enumerate() {
            sum += weight(element);
            log_pass += libm::log1p(-p[element]);
            let gain = libm::log(sum) + log_pass;
            if gain > best_gain + 1e-12 {
                (count, best_gain) = (i + 1, gain);
            }
        }
        undecided.truncate(count);
        if undecided.is_empty() {
            return best;
        }
        let candidate = without(&best, &undecided);
        if test(&candidate) {
            best = candidate;
        } else {
            refuse(&mut p, &undecided);
        }
    }
}
