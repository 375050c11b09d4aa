//! ProbDD with a table of probabilities that is sorted anew for each question.

use num_bigint::BigUint;

use super::fixed::{PLACES, decimal, one, pass, rounding, times};
use super::list::{Test, without};
use crate::run::{Question, removed};

/// An element counts as needed from the probability `theta` on.
pub(crate) fn probdd(list: Vec<usize>, sigma: f64, theta: f64, test: Test<'_>) -> Vec<usize> {
    let theta = decimal(theta);
    let mut p = vec![decimal(sigma); list.len()];
    let mut best = list;
    loop {
        let mut undecided: Vec<usize> = best.iter().copied().filter(|&element| p[element] < theta).collect();
        undecided.sort_by(|&a, &b| p[a].cmp(&p[b]).then(a.cmp(&b)));
        let sorted: Vec<&BigUint> = undecided.iter().map(|&element| &p[element]).collect();
        undecided.truncate(selection(&sorted));
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

/// The length of the prefix of the ascending probabilities at which the expected gain
/// `j·Π(1 − p)` begins to decrease.
fn selection(p: &[&BigUint]) -> usize {
    let mut pass = one();
    let mut last = BigUint::ZERO;
    for (j, p) in p.iter().enumerate() {
        pass = times(&pass, &(one() - *p));
        let gain = &pass * (j + 1);
        if &gain + rounding() < last {
            return j;
        }
        last = gain;
    }
    p.len()
}

/// Bayes' rule after the removal of these elements was refused.
pub(super) fn refuse(p: &mut [BigUint], removal: &[usize]) {
    let refused = one() - pass(removal.iter().map(|&element| &p[element]));
    for &element in removal {
        p[element] = match removal.len() {
            1 => one(),
            _ => ((&p[element] << PLACES) / &refused).min(one() - 1u8),
        };
    }
}

/// Whether each of `questions` is a selection that ProbDD may make if it orders elements of equal
/// probability at random, and whether they end where it ends.
pub(crate) fn check_selections(n: usize, sigma: f64, questions: &[Question]) {
    let mut p = vec![decimal(sigma); n];
    let mut best = dwindle_core::Subset::full(n);
    let undecided = |best: &dwindle_core::Subset, p: &[BigUint]| {
        let mut undecided: Vec<BigUint> =
            best.iter().map(|element| p[element].clone()).filter(|p| *p < one()).collect();
        undecided.sort();
        undecided
    };
    for question in questions {
        let mut removal = removed(&best, &question.kept);
        removal.sort_by(|&a, &b| p[a].cmp(&p[b]));
        let chosen: Vec<&BigUint> = removal.iter().map(|&element| &p[element]).collect();
        let all = undecided(&best, &p);
        let all: Vec<&BigUint> = all.iter().collect();
        assert_eq!(chosen, all[..selection(&all)]);
        if question.interesting {
            best = question.kept.clone();
        } else {
            refuse(&mut p, &removal);
        }
    }
    assert!(undecided(&best, &p).is_empty(), "elements are left undecided");
}
