//! What all searches of a tree begin with: the tree is read, and the comments are tried to be deleted at once.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::mem;

use crate::memory::Memory;
use crate::{Answer, Ask, Evidence, Gaps, ListQuestion, Search, Shape, Subset, Tree, Variant};

/// A search of a tree, which knows nothing of comments.
pub trait TreeMachine: Search {
    /// Finds the first question; in all of them, what is between the tokens is as `gaps` says.
    fn begin(&mut self, gaps: Gaps);

    /// The same search of another tree, of something that was reduced before, with what is known to be refused there.
    /// It has not begun.
    fn again(&self, tree: Arc<Tree>, memory: Option<Memory>) -> Self;
}

/// A search of a tree, behind the question whether its comments are needed.
#[derive(Clone, Debug)]
pub struct WithComments<M> {
    machine: M,
    phase: Phase,
}

#[derive(Clone, Debug)]
enum Phase {
    /// This variant is read, to be searched, with what is known to be refused in it.
    Reading(Variant, Option<Box<Memory>>),
    /// The whole tree is tried without its comments.
    Comments,
    Searching,
    /// This variant cannot be read.
    Done(Variant),
}

impl<M: TreeMachine> WithComments<M> {
    /// Puts that question before `machine`, which has not begun.
    pub(crate) fn before(machine: M) -> Self {
        let mut search = Self { machine, phase: Phase::Comments };
        if !search.machine.best().text.has_comments() {
            search.begin(Gaps::Original);
        }
        search
    }

    /// The machine, if it searches; before and after that there is something else to ask, or nothing.
    pub(crate) fn searching(&self) -> Option<&M> {
        matches!(self.phase, Phase::Searching).then_some(&self.machine)
    }

    pub(crate) fn machine(&self) -> &M {
        &self.machine
    }

    pub(crate) fn machine_mut(&mut self) -> &mut M {
        &mut self.machine
    }

    fn begin(&mut self, gaps: Gaps) {
        self.machine.begin(gaps);
        self.phase = Phase::Searching;
    }

    /// Begins again with `best`, which will be read first, with what is known to be refused in it.
    pub(crate) fn restart(&mut self, best: Variant, memory: Option<Memory>) {
        self.phase = Phase::Reading(best, memory.map(Box::new));
    }
}

impl<M: TreeMachine> Search for WithComments<M> {
    fn ask(&self) -> Ask {
        match &self.phase {
            Phase::Reading(best, _) => Ask::Parse(best.clone(), Shape::Tree),
            Phase::Comments => Ask::Test(Variant { gaps: Gaps::Bare, ..self.machine.best().clone() }),
            Phase::Searching => self.machine.ask(),
            Phase::Done(_) => Ask::Done,
        }
    }

    fn tell(&mut self, answer: Answer) {
        match (mem::replace(&mut self.phase, Phase::Searching), answer) {
            (Phase::Reading(best, mut memory), Answer::Tree(tree)) => {
                memory.iter_mut().for_each(|memory| memory.read(&best, &tree));
                *self = Self::before(self.machine.again(tree, memory.map(|memory| *memory)));
            }
            (Phase::Reading(best, _), Answer::Unreadable(_)) => self.phase = Phase::Done(best),
            (Phase::Comments, Answer::Outcome(outcome)) => {
                self.begin(if outcome.is_interesting() { Gaps::Bare } else { Gaps::Original });
            }
            (Phase::Searching, answer) => self.machine.tell(answer),
            (phase, answer) => panic!("{answer:?} does not answer {phase:?}"),
        }
    }

    fn best(&self) -> &Variant {
        match &self.phase {
            Phase::Reading(best, _) | Phase::Done(best) => best,
            Phase::Comments | Phase::Searching => self.machine.best(),
        }
    }

    fn label(&self) -> &'static str {
        match self.phase {
            Phase::Reading(..) | Phase::Done(_) => "reading",
            Phase::Comments => "comments",
            Phase::Searching => self.machine.label(),
        }
    }

    fn learns_from(&self, evidence: &Evidence) -> bool {
        self.searching().is_some_and(|machine| machine.learns_from(evidence))
    }

    fn list(&self) -> Option<ListQuestion> {
        self.searching()?.list()
    }

    fn with_elements(&self, kept: &Subset) -> Option<Variant> {
        self.searching()?.with_elements(kept)
    }
}
