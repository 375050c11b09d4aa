//! WProbDD with a table of probabilities that is sorted and scanned as a whole for each question.

use num_bigint::BigUint;

use super::fixed::{decimal, one, times};
use super::list::{Test, without};
use super::probdd::refuse;

/// An element counts as needed from the probability `theta` on.
pub(crate) fn wprobdd(list: Vec<usize>, weights: &[u32], p0: f64, theta: f64, test: Test<'_>) -> Vec<usize> {
    let theta = decimal(theta);
    let weight = |element: usize| weights[element].max(1);
    let mut p = vec![decimal(p0); list.len()];
    let mut best = list;
    loop {
        let mut undecided: Vec<usize> = best.iter().copied().filter(|&element| p[element] < theta).collect();
        let key = |element: usize| (one() - &p[element]) * weight(element);
        undecided.sort_by(|&a, &b| key(b).cmp(&key(a)).then(p[a].cmp(&p[b])).then(a.cmp(&b)));
        let (mut sum, mut pass) = (0u64, one());
        let (mut count, mut best_gain) = (0, BigUint::ZERO);
        for (i, &element) in undecided.iter().enumerate() {
            sum += u64::from(weight(element));
            pass = times(&pass, &(one() - &p[element]));
            let gain = &pass * sum;
            // More than what rounding makes.
            if gain > &best_gain + (&best_gain >> 200u32) {
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
