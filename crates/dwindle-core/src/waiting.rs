//! A search in which what parses worse waits.
//!
//! A text with more syntax errors than its base is rarely interesting. Whoever runs a search that
//! [lets such wait](crate::Search::lets_wait) need not ask about one: it is told as [`Answer::Worse`] and
//! counts as refused. When nothing is left to ask, the result is read anew and searched once more, now
//! without waiting. What was refused of that very result is known by then, so this asks what has waited,
//! and the guarantees of the search hold for all that can go.

use alloc::boxed::Box;

use crate::{Answer, AnySearch, Ask, Evidence, Outcome, Search, Shape, Variant};

/// A search in which what parses worse than its base waits until nothing else is left to ask.
#[derive(Clone, Debug)]
pub struct WaitingSearch {
    search: Box<AnySearch>,
    /// The front end that reads results anew.
    reader: &'static str,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// What parses worse waits; whether anything does.
    Waiting(bool),
    /// The result is read anew.
    Reading,
    /// All is asked.
    Proof,
}

impl WaitingSearch {
    /// The same as `search`, of a tree that the front end `reader` has read.
    pub fn new(search: AnySearch, reader: &'static str) -> Self {
        Self { search: Box::new(search), reader, phase: Phase::Waiting(false) }
    }

    /// The same search of another tree, from its beginning.
    pub(crate) fn again(&self, tree: alloc::sync::Arc<crate::Tree>) -> Option<Self> {
        Some(Self::new(self.search.again(tree)?, self.reader))
    }
}

impl Search for WaitingSearch {
    fn ask(&self) -> Ask {
        match self.phase {
            Phase::Reading => Ask::Parse(self.best().clone(), Shape::Tree(self.reader)),
            Phase::Waiting(_) | Phase::Proof => self.search.ask(),
        }
    }

    fn tell(&mut self, answer: Answer) {
        match (self.phase, answer) {
            (Phase::Reading, Answer::Tree(tree)) => {
                self.phase = Phase::Proof;
                if let Some(search) = self.search.again(tree) {
                    *self.search = search;
                }
            }
            (Phase::Waiting(_), Answer::Worse) => {
                self.phase = Phase::Waiting(true);
                self.search.tell(Answer::Outcome(Outcome::Uninteresting));
            }
            (_, answer) => self.search.tell(answer),
        }
        if self.phase == Phase::Waiting(true) && matches!(self.search.ask(), Ask::Done) {
            self.phase = Phase::Reading;
        }
    }

    fn best(&self) -> &Variant {
        self.search.best()
    }

    fn label(&self) -> &'static str {
        match self.phase {
            Phase::Reading => "reading",
            Phase::Waiting(_) | Phase::Proof => self.search.label(),
        }
    }

    fn learns_from(&self, evidence: &Evidence) -> bool {
        self.search.learns_from(evidence)
    }

    fn lets_wait(&self) -> bool {
        matches!(self.phase, Phase::Waiting(_)) && self.search.follows_syntax()
    }
}
