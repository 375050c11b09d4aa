//! Isolation: what makes the difference between a list that passes and one that fails.
//!
//! A minimiser looks for a small list that fails. An [`Isolator`] has two lists, one within the other: one passes,
//! one fails, and it moves them towards each other until hardly anything lies between them. Its questions have three
//! outcomes: [`Interesting`](Outcome::Interesting) fails as the larger list does,
//! [`Uninteresting`](Outcome::Uninteresting) passes as the smaller one does, and with
//! [`Unresolved`](Outcome::Unresolved) the test can say neither.

mod dd;
mod guided;
mod search;

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::{Outcome, Subset};

pub use dd::Dd;
pub use guided::Guided;
pub use search::{Delta, Differences, IsolateSearch, Level};

/// A search for two near subsets of `0..n`, one that passes and one that fails, as a cloneable ask/tell machine.
///
/// The empty list is taken to pass and the full list to fail. Every candidate lies between [`passing`](Self::passing)
/// and [`failing`](Self::failing). It may repeat an earlier one; a driver answers it from a cache.
pub trait Isolator: Clone {
    /// The candidate to test next, `None` when the search is over. Pure: it may be called twice.
    fn ask(&self) -> Option<Subset>;

    /// Takes the outcome of the candidate that [`ask`](Self::ask) returns.
    fn tell(&mut self, outcome: Outcome);

    /// The largest subset so far that passes: the empty one, or a candidate that was told to.
    fn passing(&self) -> &Subset;

    /// The smallest subset so far that fails: the full one, or a candidate that was told to.
    fn failing(&self) -> &Subset;
}

/// Which isolator it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// [`Dd`], as published.
    Dd,
    /// [`Guided`], by a model of which differences can stand alone.
    #[default]
    Guided,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Dd, Self::Guided];

    /// The name by which people choose it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dd => "dd",
            Self::Guided => "guided",
        }
    }

    /// A search over `0..len`.
    pub fn start(self, len: usize) -> AnyIsolator {
        match self {
            Self::Dd => AnyIsolator::Dd(Dd::new(len)),
            Self::Guided => AnyIsolator::Guided(Guided::new(len)),
        }
    }
}

/// Any of the isolators.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "each variant is the isolator of its name")]
pub enum AnyIsolator {
    Dd(Dd),
    Guided(Guided),
}

impl Isolator for AnyIsolator {
    fn ask(&self) -> Option<Subset> {
        match self {
            Self::Dd(machine) => machine.ask(),
            Self::Guided(machine) => machine.ask(),
        }
    }

    fn tell(&mut self, outcome: Outcome) {
        match self {
            Self::Dd(machine) => machine.tell(outcome),
            Self::Guided(machine) => machine.tell(outcome),
        }
    }

    fn passing(&self) -> &Subset {
        match self {
            Self::Dd(machine) => machine.passing(),
            Self::Guided(machine) => machine.passing(),
        }
    }

    fn failing(&self) -> &Subset {
        match self {
            Self::Dd(machine) => machine.failing(),
            Self::Guided(machine) => machine.failing(),
        }
    }
}

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
