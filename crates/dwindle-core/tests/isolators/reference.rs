//! dd as its paper prints it: blocking, on sets, rule by rule.

use std::collections::BTreeSet;

use dwindle_core::Outcome;

pub(crate) type Set = BTreeSet<usize>;

pub(crate) fn dd(mut passing: Set, mut failing: Set, test: &mut dyn FnMut(&Set) -> Outcome) -> (Set, Set) {
    let mut n = 2;
    loop {
        let difference: Vec<usize> = failing.difference(&passing).copied().collect();
        if difference.len() < 2 {
            return (passing, failing);
        }
        n = n.min(difference.len());
        let cut = |i: usize| difference.len() * i / n;
        let chunks: Vec<Set> =
            (0..n).map(|i| difference[cut(i)..cut(i + 1)].iter().copied().collect()).collect();
        let added: Vec<Set> = chunks.iter().map(|chunk| &passing | chunk).collect();
        let taken: Vec<Set> = chunks.iter().map(|chunk| &failing - chunk).collect();
        let mut first = |sets: &[Set], outcome| sets.iter().find(|set| test(set) == outcome).cloned();
        if let Some(set) = first(&added, Outcome::Interesting) {
            failing = set;
            n = 2;
        } else if let Some(set) = first(&taken, Outcome::Uninteresting) {
            passing = set;
            n = 2;
        } else if let Some(set) = first(&added, Outcome::Uninteresting) {
            passing = set;
            n = (n - 1).max(2);
        } else if let Some(set) = first(&taken, Outcome::Interesting) {
            failing = set;
            n = (n - 1).max(2);
        } else if n < difference.len() {
            n = (2 * n).min(difference.len());
        } else {
            return (passing, failing);
        }
    }
}
