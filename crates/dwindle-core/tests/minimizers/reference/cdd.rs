//! CDD round by round.

use super::list::{Test, without};

pub(crate) fn cdd(list: Vec<usize>, p0: f64, test: Test<'_>) -> Vec<usize> {
    let mut best = list;
    for size in cdd_sizes(p0) {
        for chunk in best.clone().chunks(size) {
            let candidate = without(&best, chunk);
            if test(&candidate) {
                best = candidate;
            }
        }
    }
    best
}

/// The sizes of the rounds: the largest `s` that maximises `s·(1 − p)^s`, with `p` growing by
/// `1 / (1 − 1/e)` from round to round.
pub(crate) fn cdd_sizes(p0: f64) -> Vec<usize> {
    let mut p = p0;
    let mut sizes = Vec::new();
    while sizes.last() != Some(&1) {
        // Adding the s-th element does not lower the gain as long as s·p ≤ 1.
        let size = (1..).take_while(|&size| size as f64 * p <= 1.0 + 1e-9).last().unwrap_or(1);
        sizes.push(size);
        p /= 1.0 - (-1.0f64).exp();
    }
    sizes
}
