//! ProbDD with a table of probabilities that is sorted anew for each question.

use super::list::{Test, without};
use crate::run::{Question, removed};

pub(crate) fn probdd(list: Vec<usize>, sigma: f64, test: Test<'_>) -> Vec<usize> {
    let mut p = vec![sigma; list.len()];
    let mut best = list;
    loop {
        let mut undecided: Vec<usize> = best.iter().copied().filter(|&element| p[element] < 1.0).collect();
        undecided.sort_by(|&a, &b| p[a].total_cmp(&p[b]).then(a.cmp(&b)));
        let sorted: Vec<f64> = undecided.iter().map(|&element| p[element]).collect();
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
fn selection(p: &[f64]) -> usize {
    let mut pass = 1.0;
    let mut last = 0.0;
    for (j, p) in p.iter().enumerate() {
        pass *= 1.0 - p;
        let gain = (j + 1) as f64 * pass;
        if gain < last * (1.0 - 1e-9) {
            return j;
        }
        last = gain;
    }
    p.len()
}

/// Bayes' rule after the removal of these elements was refused.
pub(super) fn refuse(p: &mut [f64], removal: &[usize]) {
    // By logarithms and with the machines' own functions, so that elements which a rounding error
    // could bring into another order are in the same order here and there.
    let log_pass: f64 = removal.iter().map(|&element| libm::log1p(-p[element])).sum();
    for &element in removal {
        let posterior = p[element] / -libm::expm1(log_pass);
        p[element] = if removal.len() == 1 { 1.0 } else { posterior.min(1.0 - f64::EPSILON / 2.0) };
    }
}

/// Whether each of `questions` is a selection that ProbDD may make if it orders elements of equal
/// probability at random, and whether they end where it ends.
pub(crate) fn check_selections(n: usize, sigma: f64, questions: &[Question]) {
    let mut p = vec![sigma; n];
    let mut best = dwindle_core::Subset::full(n);
    let undecided = |best: &dwindle_core::Subset, p: &[f64]| {
        let mut undecided: Vec<f64> = best.iter().map(|element| p[element]).filter(|&p| p < 1.0).collect();
        undecided.sort_by(f64::total_cmp);
        undecided
    };
    for question in questions {
        let mut removal = removed(&best, &question.kept);
        removal.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
        let chosen: Vec<f64> = removal.iter().map(|&element| p[element]).collect();
        let all = undecided(&best, &p);
        assert_eq!(chosen, all[..selection(&all)]);
        if question.interesting {
            best = question.kept.clone();
        } else {
            refuse(&mut p, &removal);
        }
    }
    assert!(undecided(&best, &p).is_empty(), "elements are left undecided");
}
