//! What every isolator is: a cloneable ask/tell machine with two ends.

use crate::{Outcome, Subset};

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
