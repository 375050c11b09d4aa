//! Runs a minimiser, or a reference, against an oracle behind a cache, and notes what it asks.

use std::collections::HashMap;

use dwindle_core::{Minimizer, Outcome, Subset};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) kept: Subset,
    pub(crate) interesting: bool,
    /// Whether the same candidate came up before; such questions are not executed.
    pub(crate) cached: bool,
}

/// An oracle over subsets of `0..n` with a full cache.
pub(crate) struct Tester<'a> {
    n: usize,
    interesting: &'a dyn Fn(&Subset) -> bool,
    known: HashMap<Subset, bool>,
    pub(crate) questions: Vec<Question>,
}

impl<'a> Tester<'a> {
    pub(crate) fn new(n: usize, interesting: &'a dyn Fn(&Subset) -> bool) -> Self {
        Self { n, interesting, known: HashMap::new(), questions: Vec::new() }
    }

    pub(crate) fn test(&mut self, kept: Subset) -> bool {
        let known = self.known.get(&kept).copied();
        let interesting = known.unwrap_or_else(|| (self.interesting)(&kept));
        self.known.insert(kept.clone(), interesting);
        self.questions.push(Question { kept, interesting, cached: known.is_some() });
        interesting
    }

    pub(crate) fn test_list(&mut self, kept: &[usize]) -> bool {
        assert!(kept.is_sorted(), "{kept:?} is not in the order of the input");
        self.test(subset(self.n, kept.iter().copied()))
    }

    pub(crate) fn executed(&self) -> Vec<Question> {
        self.questions.iter().filter(|question| !question.cached).cloned().collect()
    }
}

/// Runs `minimizer` to its end. Checks what holds for every minimiser and every oracle: each
/// candidate is a proper subset of the best, and becomes it if it is told to be interesting.
pub(crate) fn run<M: Minimizer>(mut minimizer: M, tester: &mut Tester<'_>) -> Subset {
    let mut best = Subset::full(tester.n);
    assert_eq!(minimizer.best(), &best);
    let n = tester.n + 10;
    while let Some(candidate) = minimizer.ask() {
        assert!(candidate.len() < best.len() && is_subset(&candidate, &best));
        assert!(tester.questions.len() < 10 * n * n, "the search does not end");
        let interesting = tester.test(candidate.clone());
        minimizer.tell(outcome(interesting));
        if interesting {
            best = candidate;
        }
        assert_eq!(minimizer.best(), &best);
    }
    best
}

pub(crate) fn outcome(interesting: bool) -> Outcome {
    if interesting { Outcome::Interesting } else { Outcome::Uninteresting }
}

pub(crate) fn subset(n: usize, positions: impl IntoIterator<Item = usize>) -> Subset {
    let mut subset = Subset::empty(n);
    positions.into_iter().for_each(|position| subset.insert(position));
    subset
}

pub(crate) fn is_subset(part: &Subset, whole: &Subset) -> bool {
    part.iter().all(|position| whole.contains(position))
}

/// The members of `whole` that `part` lacks.
pub(crate) fn removed(whole: &Subset, part: &Subset) -> Vec<usize> {
    whole.iter().filter(|&position| !part.contains(position)).collect()
}
