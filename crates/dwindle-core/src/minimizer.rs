//! What every list minimiser is: a cloneable ask/tell machine over subsets of `0..n`.

use crate::Subset;

/// What a test said of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The behaviour is still there.
    Interesting,
    /// It is not.
    Uninteresting,
    /// The test gave no answer (it ran out of time); searches treat it as uninteresting.
    Unresolved,
}

impl Outcome {
    /// Whether the candidate may become the new best.
    pub fn is_interesting(self) -> bool {
        self == Self::Interesting
    }
}

/// A search for a small interesting subset of `0..n`, without I/O: whoever drives it tests what
/// [`ask`](Self::ask) returns and tells the outcome.
///
/// The full list is taken to be interesting. Every candidate is a proper subset of
/// [`best`](Self::best). A candidate may repeat an earlier one; a driver answers it from a cache.
///
/// A machine may ask several questions about one best list before it draws a conclusion, so an
/// interesting candidate need not become the best list, and the best list may change on an
/// uninteresting outcome, the last of a round. Whoever wants to know compares before and after
/// [`tell`](Self::tell). Questions of a round are the same whatever the outcomes of the earlier ones:
/// that is how a driver that looks ahead on clones finds out that it can test them at the same time.
pub trait Minimizer: Clone {
    /// The candidate to test next, `None` when the search is over. Pure: it may be called twice.
    fn ask(&self) -> Option<Subset>;

    /// Takes the outcome of the candidate that [`ask`](Self::ask) returns.
    fn tell(&mut self, outcome: Outcome);

    /// The list that the questions are about: the full list, or a candidate that was told to be
    /// interesting. It only ever shrinks.
    fn best(&self) -> &Subset;
}
