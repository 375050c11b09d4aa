//! A search in which what parses worse waits.
//!
//! What has more syntax errors than its base counts as refused, without a question. When nothing is left to
//! ask, the result is read anew and searched once more, now without waiting. What was refused of that very
//! result is known by then, so this asks what has waited, and the guarantees of the search hold for all that
//! can go.

use alloc::boxed::Box;

use crate::screen::Screen;
use crate::{Answer, AnySearch, Ask, Evidence, Outcome, Search, Shape, Variant};

/// A search in which what parses worse than its base waits until nothing else is left to ask.
#[derive(Clone, Debug)]
pub struct WaitingSearch {
    search: Box<AnySearch>,
    /// The front end that reads results anew.
    reader: &'static str,
    phase: Phase,
    screen: Screen,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// What parses worse waits.
    Waiting,
    /// The result is read anew.
    Reading,
    /// All is asked.
    Proof,
}

impl WaitingSearch {
    /// The same as `search`, of a tree that the front end `reader` has read.
    pub fn new(search: AnySearch, reader: &'static str) -> Self {
        Self { search: Box::new(search), reader, phase: Phase::Waiting, screen: Screen::new(reader) }
    }

    /// The same search of another tree, from its beginning.
    pub(crate) fn again(&self, tree: alloc::sync::Arc<crate::Tree>) -> Option<Self> {
        Some(Self::new(self.search.again(tree)?, self.reader))
    }
}

impl Search for WaitingSearch {
    fn ask(&self) -> Ask {
        let ask = match self.phase {
            Phase::Reading => return Ask::Parse(self.best().clone(), Shape::Tree(self.reader)),
            Phase::Waiting | Phase::Proof => self.search.ask(),
        };
        match &ask {
            Ask::Test(candidate) if self.phase == Phase::Waiting && self.search.follows_syntax() => {
                self.screen.ask(self.best(), candidate).unwrap_or(ask)
            }
            _ => ask,
        }
    }

    fn tell(&mut self, answer: Answer) {
        let answer = match (self.phase, answer) {
            (Phase::Reading, Answer::Tree(tree)) => {
                self.phase = Phase::Proof;
                if let Some(search) = self.search.again(tree) {
                    *self.search = search;
                }
                return;
            }
            (Phase::Waiting, Answer::Errors(errors)) => match self.screen.tell(errors, self.search.best()) {
                true => Answer::Outcome(Outcome::Uninteresting),
                false => return,
            },
            (_, answer) => answer,
        };
        self.screen.advance();
        self.search.tell(answer);
        if self.phase == Phase::Waiting
            && self.screen.held_back() > 0
            && matches!(self.search.ask(), Ask::Done)
        {
            self.phase = Phase::Reading;
        }
    }

    fn best(&self) -> &Variant {
        self.search.best()
    }

    fn label(&self) -> &'static str {
        match self.phase {
            Phase::Reading => "reading",
            Phase::Waiting | Phase::Proof => self.search.label(),
        }
    }

    fn learns_from(&self, evidence: &Evidence) -> bool {
        self.search.learns_from(evidence)
    }

    fn held_back(&self) -> u64 {
        self.screen.held_back()
    }
}
