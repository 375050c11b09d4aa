//! Lists of anything, without a driver.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::any::Algorithm;
use super::isolator::Isolator;
use crate::{Outcome, Subset};

/// Two lists of which one passes and the other, which has all of its items and a few more, fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Isolated<'a, T> {
    /// The items of the list that passes.
    pub passing: Vec<&'a T>,
    /// The items of the list that fails.
    pub failing: Vec<&'a T>,
    /// What only the second one has.
    pub difference: Vec<&'a T>,
}

/// Two lists of some of the `items`, in their order, with a minimal difference.
///
/// All items together are taken to fail and none of them to pass; neither is tested. The difference is 1-minimal:
/// where it is more than one item, no single item of it can be added to the list that passes, or taken from the one
/// that fails, with a test that says what that does.
///
/// ```
/// use dwindle_core::Outcome;
///
/// let changes = ["new parser", "new printer", "renamed parser", "faster"];
/// let isolated = dwindle_core::isolate(&changes, |chosen| {
///     let has = |change| chosen.contains(&&change);
///     match (has("new parser"), has("renamed parser"), has("new printer")) {
///         (false, true, _) => Outcome::Unresolved,
///         (_, _, true) => Outcome::Interesting,
///         _ => Outcome::Uninteresting,
///     }
/// });
/// assert_eq!(isolated.difference, [&"new printer"]);
/// ```
pub fn isolate<'a, T>(items: &'a [T], test: impl FnMut(&[&'a T]) -> Outcome) -> Isolated<'a, T> {
    isolate_with(Algorithm::default(), items, test)
}

/// The same by either algorithm.
///
/// ```
/// use dwindle_core::isolate::{Algorithm, isolate_with};
/// use dwindle_core::Outcome;
///
/// let commits: Vec<u32> = (1..=100).collect();
/// let isolated = isolate_with(Algorithm::Dd, &commits, |chosen| match chosen.contains(&&42) {
///     true => Outcome::Interesting,
///     false => Outcome::Uninteresting,
/// });
/// assert_eq!(isolated.difference, [&42]);
/// ```
pub fn isolate_with<'a, T>(
    algorithm: Algorithm,
    items: &'a [T],
    mut test: impl FnMut(&[&'a T]) -> Outcome,
) -> Isolated<'a, T> {
    let chosen = |subset: &Subset| -> Vec<&'a T> { subset.iter().map(|index| &items[index]).collect() };
    let mut search = algorithm.start(items.len());
    let mut known: BTreeMap<Vec<u8>, Outcome> = BTreeMap::new();
    while let Some(candidate) = search.ask() {
        let mut key = Vec::new();
        candidate.identify(&mut key);
        search.tell(*known.entry(key).or_insert_with(|| test(&chosen(&candidate))));
    }
    Isolated {
        passing: chosen(search.passing()),
        failing: chosen(search.failing()),
        difference: chosen(&search.failing().without(search.passing())),
    }
}
