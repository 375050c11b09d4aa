//! When the empty subset is tested: list minimisers differ in whether they ask for it at all, and
//! lists in whether it makes sense.

use crate::{Minimizer, Outcome, Subset};

/// What becomes of the empty candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptyPolicy {
    /// It is tested before anything else (lists that may well go as a whole).
    TestFirst,
    /// It is tested when one element is left, and refused unasked before (picireny's `EmptyDD`).
    TestLast,
    /// It is refused unasked (lists that must keep an element).
    Never,
    /// It is tested when the minimiser asks for it, as any other candidate is.
    AsAsked,
}

/// A minimiser whose list is emptied as the policy says.
#[derive(Clone, Debug)]
pub struct WithEmpty<M> {
    minimizer: M,
    policy: EmptyPolicy,
    empty: Empty,
    /// What is asked for.
    candidate: Option<Subset>,
    nothing: Subset,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Empty {
    Untested,
    Refused,
    Accepted,
}

impl<M: Minimizer> WithEmpty<M> {
    /// Puts `policy` around `minimizer`, which has not been asked anything yet.
    pub fn new(minimizer: M, policy: EmptyPolicy) -> Self {
        let nothing = Subset::empty(minimizer.best().universe());
        let empty = if policy == EmptyPolicy::Never { Empty::Refused } else { Empty::Untested };
        let mut with_empty = Self { minimizer, policy, empty, candidate: None, nothing };
        with_empty.settle();
        with_empty
    }

    /// Finds the next candidate whose outcome the policy does not know.
    fn settle(&mut self) {
        let left = self.minimizer.best().len();
        let test_now = self.empty == Empty::Untested
            && match self.policy {
                EmptyPolicy::TestFirst => left > 0,
                EmptyPolicy::TestLast => left == 1,
                EmptyPolicy::Never | EmptyPolicy::AsAsked => false,
            };
        self.candidate = self.minimizer.ask();
        if self.policy == EmptyPolicy::AsAsked {
            return;
        }
        match &self.candidate {
            _ if self.empty == Empty::Accepted => self.candidate = None,
            _ if test_now && self.policy == EmptyPolicy::TestFirst => {
                self.candidate = Some(self.nothing.clone())
            }
            None if test_now => self.candidate = Some(self.nothing.clone()),
            Some(candidate) if candidate.is_empty() && !test_now => {
                self.minimizer.tell(Outcome::Uninteresting);
                self.settle();
            }
            _ => {}
        }
    }
}

impl<M: Minimizer> Minimizer for WithEmpty<M> {
    fn may_skip_sets(&self) -> bool {
        self.minimizer.may_skip_sets()
    }

    fn ask(&self) -> Option<Subset> {
        self.candidate.clone()
    }

    fn tell(&mut self, outcome: Outcome) {
        match self.candidate.take() {
            Some(candidate) if candidate.is_empty() && self.policy != EmptyPolicy::AsAsked => {
                self.empty = if outcome.is_interesting() { Empty::Accepted } else { Empty::Refused };
            }
            _ => self.minimizer.tell(outcome),
        }
        self.settle();
    }

    fn best(&self) -> &Subset {
        if self.empty == Empty::Accepted { &self.nothing } else { self.minimizer.best() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minimizers::{Cdd, Dfs};
    use alloc::vec::Vec;

    fn sizes<M: Minimizer>(
        minimizer: M,
        policy: EmptyPolicy,
        interesting: impl Fn(&Subset) -> bool,
    ) -> Vec<usize> {
        let mut search = WithEmpty::new(minimizer, policy);
        let mut sizes = Vec::new();
        while let Some(candidate) = search.ask() {
            sizes.push(candidate.len());
            let outcome = if interesting(&candidate) { Outcome::Interesting } else { Outcome::Uninteresting };
            search.tell(outcome);
        }
        sizes.push(search.best().len());
        sizes
    }

    #[test]
    fn test_first_asks_for_nothing_before_anything_else() {
        assert_eq!(sizes(Dfs::new(4), EmptyPolicy::TestFirst, |_| true), [0, 0]);
        assert_eq!(sizes(Dfs::new(2), EmptyPolicy::TestFirst, |c| !c.is_empty()), [0, 1, 1]);
    }

    #[test]
    fn test_last_asks_for_nothing_when_one_element_is_left() {
        assert_eq!(sizes(Dfs::new(4), EmptyPolicy::TestLast, |_| true), [2, 1, 0, 0]);
        assert_eq!(sizes(Dfs::new(1), EmptyPolicy::TestLast, |_| true), [0, 0]);
        assert_eq!(sizes(Dfs::new(0), EmptyPolicy::TestLast, |_| true), [0]);
    }

    #[test]
    fn never_keeps_an_element() {
        assert_eq!(sizes(Dfs::new(4), EmptyPolicy::Never, |_| true), [2, 1, 1]);
        // The first chunk of CDD is the whole list: refused without a question.
        assert_eq!(sizes(Cdd::new(4, 0.1), EmptyPolicy::Never, |_| true)[0], 1);
    }
}
