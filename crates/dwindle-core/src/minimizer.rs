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
/// [`best`](Self::best), and becomes it when it is told to be interesting. A candidate may repeat an
/// earlier one; a driver answers it from a cache.
pub trait Minimizer: Clone {
    /// Whether a caller may refuse a set without asking, where it is too large to be likely to go. That is so if
    /// the minimiser comes to each part of a set that was refused, and draws no other conclusion from the refusal.
    fn may_skip_sets(&self) -> bool {
        false
    }

    /// The candidate to test next, `None` when the search is over. Pure: it may be called twice.
    fn ask(&self) -> Option<Subset>;

    /// Takes the outcome of the candidate that [`ask`](Self::ask) returns.
    fn tell(&mut self, outcome: Outcome);

    /// The list that the questions are about: the full list, or the last candidate that was told to be
    /// interesting.
    fn best(&self) -> &Subset;
}
