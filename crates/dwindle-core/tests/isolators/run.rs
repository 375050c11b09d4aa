//! Runs an isolator, or the reference, against an oracle behind a cache, and notes what it asks.

use std::collections::HashMap;

use dwindle_core::isolate::Isolator;
use dwindle_core::{Outcome, Subset};

/// An oracle over subsets of `0..n` with a full cache.
pub(crate) struct Tester<'a> {
    n: usize,
    oracle: &'a dyn Fn(&Subset) -> Outcome,
    known: HashMap<Subset, Outcome>,
    /// What was executed, in this order.
    pub(crate) questions: Vec<(Subset, Outcome)>,
}

impl<'a> Tester<'a> {
    pub(crate) fn new(n: usize, oracle: &'a dyn Fn(&Subset) -> Outcome) -> Self {
        Self { n, oracle, known: HashMap::new(), questions: Vec::new() }
    }

    pub(crate) fn test(&mut self, applied: &Subset) -> Outcome {
        if let Some(outcome) = self.known.get(applied) {
            return *outcome;
        }
        let outcome = (self.oracle)(applied);
        self.known.insert(applied.clone(), outcome);
        self.questions.push((applied.clone(), outcome));
        outcome
    }
}

/// Runs `isolator` to its end. Checks what holds for every one and every oracle: each candidate lies between the two
/// ends, which only come nearer to each other, and are what was told to pass and to fail.
pub(crate) fn run<I: Isolator>(mut isolator: I, tester: &mut Tester<'_>) -> (Subset, Subset) {
    let n = tester.n;
    let (mut passing, mut failing) = (Subset::empty(n), Subset::full(n));
    let mut asked = 0;
    loop {
        assert!(is_subset(&passing, isolator.passing()) && is_subset(isolator.failing(), &failing));
        assert!(is_subset(isolator.passing(), isolator.failing()));
        (passing, failing) = (isolator.passing().clone(), isolator.failing().clone());
        for (end, outcome) in [(&passing, Outcome::Uninteresting), (&failing, Outcome::Interesting)] {
            let is_given = end.is_empty() && outcome == Outcome::Uninteresting
                || end.len() == n && outcome == Outcome::Interesting;
            assert!(is_given || tester.known.get(end) == Some(&outcome), "{end:?} was not seen");
        }
        let Some(candidate) = isolator.ask() else { return (passing, failing) };
        assert_eq!(isolator.ask().as_ref(), Some(&candidate), "asking twice is asking once");
        assert!(is_subset(&passing, &candidate) && is_subset(&candidate, &failing));
        assert!(candidate != passing && candidate != failing);
        asked += 1;
        assert!(asked < 100 * (n + 10) * (n + 10), "the search does not end");
        isolator.tell(tester.test(&candidate));
    }
}

pub(crate) fn subset(n: usize, positions: impl IntoIterator<Item = usize>) -> Subset {
    let mut subset = Subset::empty(n);
    positions.into_iter().for_each(|position| subset.insert(position));
    subset
}

pub(crate) fn is_subset(part: &Subset, whole: &Subset) -> bool {
    part.iter().all(|position| whole.contains(position))
}
