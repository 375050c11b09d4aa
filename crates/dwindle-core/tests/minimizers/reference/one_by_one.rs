//! Deletion one by one, twice as many after two successes in a row.

use super::list::{Test, without};

pub(crate) fn one_by_one(list: Vec<usize>, test: Test<'_>) -> Vec<usize> {
    let mut best = list.clone();
    let (mut rest, mut together, mut row) = (&list[..], 1, 0);
    while !rest.is_empty() {
        let (tried, behind) = rest.split_at(together.min(rest.len()));
        let candidate = without(&best, tried);
        if test(&candidate) {
            (best, rest, row) = (candidate, behind, row + 1);
            together *= if row >= 2 { 2 } else { 1 };
        } else {
            row = 0;
            if tried.len() == 1 {
                (rest, together) = (behind, 1);
            } else {
                together = tried.len() / 2;
            }
        }
    }
    best
}
