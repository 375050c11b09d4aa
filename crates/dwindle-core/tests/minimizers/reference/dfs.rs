//! Perses' depth-first deletion, as the recursion that its stack stands for.

use super::list::{Test, without};

pub(crate) fn dfs(list: Vec<usize>, test: Test<'_>) -> Vec<usize> {
    let mut best = list.clone();
    keep(&list, &mut best, test);
    best
}

/// `list` as a whole must stay: its halves are tried, the second one first.
fn keep(list: &[usize], best: &mut Vec<usize>, test: Test<'_>) {
    if list.len() < 2 {
        return;
    }
    let (first, second) = list.split_at(list.len().div_ceil(2));
    for half in [second, first] {
        let candidate = without(best, half);
        if test(&candidate) {
            *best = candidate;
        } else {
            keep(half, best, test);
        }
    }
}
