//! Questions about one base, which can be asked side by side: each is asked alone, then those that succeeded
//! together, and if that fails half of them.

use alloc::collections::VecDeque;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;

use super::item::{Question, WorkItem};
use crate::edit::{self, Change};
use crate::{Outcome, Tree, Variant};

/// A work item and its question.
#[derive(Clone, Debug)]
pub(super) struct Asking {
    pub(super) item: WorkItem,
    pub(super) question: Arc<Question>,
    /// Whether it is asked since something was learned.
    pub(super) repaired: bool,
}

/// One that has its outcome.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) asking: Asking,
    pub(super) outcome: Outcome,
    /// Names that the test complained of.
    pub(super) heard: Vec<u32>,
    /// Whether the change became part of the base.
    pub(super) accepted: bool,
}

impl Asked {
    pub(super) fn succeeded(&self) -> bool {
        self.outcome.is_interesting()
    }

    fn change(&self) -> &Change {
        &self.asking.question.change
    }
}

/// The machine.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    asked: Vec<Asked>,
    phase: Phase,
}

#[derive(Clone, Debug)]
enum Phase {
    /// The first of these is asked alone.
    Alone(VecDeque<Asking>),
    /// These of what was asked are asked together.
    Together(Vec<usize>, Arc<Variant>),
    /// All is known, and the next base, if there is another.
    Over(Option<Arc<Variant>>),
}

impl Batch {
    /// These questions; nothing where there are none.
    pub(super) fn of(asking: Vec<Asking>) -> Option<Self> {
        (!asking.is_empty()).then(|| Self { asked: Vec::new(), phase: Phase::Alone(asking.into()) })
    }

    /// Whether nothing has been asked yet.
    pub(super) fn is_new(&self) -> bool {
        self.asked.is_empty()
    }

    /// What is asked.
    pub(super) fn question(&self) -> Option<&Variant> {
        match &self.phase {
            Phase::Alone(asking) => asking.front().map(|asking| &asking.question.variant),
            Phase::Together(_, variant) => Some(variant),
            Phase::Over(_) => None,
        }
    }

    /// What is asked alone.
    pub(super) fn alone(&self) -> Option<&Asking> {
        if let Phase::Alone(asking) = &self.phase { asking.front() } else { None }
    }

    /// Takes the outcome, and the names that the test complained of.
    pub(super) fn tell(&mut self, tree: &Tree, base: &Variant, outcome: Outcome, heard: Vec<u32>) {
        match mem::replace(&mut self.phase, Phase::Over(None)) {
            Phase::Alone(mut asking) => {
                let first = asking.pop_front();
                self.asked.extend(first.map(|asking| Asked { asking, outcome, heard, accepted: false }));
                self.phase = if asking.is_empty() { self.together(tree, base) } else { Phase::Alone(asking) };
            }
            Phase::Together(all, variant) if outcome.is_interesting() => self.accept(&all, variant),
            // Half of three is one, which is known.
            Phase::Together(all, _) if all.len() <= 3 => {
                let variant = self.asked[all[0]].asking.question.variant.clone();
                self.accept(&all[..1], variant.into());
            }
            Phase::Together(mut all, _) => {
                all.truncate(all.len() / 2);
                self.phase = self.merged(tree, base, all);
            }
            Phase::Over(_) => {}
        }
    }

    /// What follows when all were asked alone.
    fn together(&mut self, tree: &Tree, base: &Variant) -> Phase {
        let mut all: Vec<usize> =
            (0..self.asked.len()).filter(|&index| self.asked[index].succeeded()).collect();
        // Those that leave least come first.
        all.sort_by_key(|&index| {
            let variant = &self.asked[index].asking.question.variant;
            variant.kept.len() + variant.insertions.len()
        });
        match all[..] {
            [] => Phase::Over(None),
            [only] => {
                self.asked[only].accepted = true;
                Phase::Over(Some(self.asked[only].asking.question.variant.clone().into()))
            }
            _ => self.merged(tree, base, all),
        }
    }

    fn merged(&self, tree: &Tree, base: &Variant, all: Vec<usize>) -> Phase {
        let changes: Vec<&Change> = all.iter().map(|&index| self.asked[index].change()).collect();
        let variant = edit::apply(tree, base, &changes);
        Phase::Together(all, Arc::new(variant))
    }

    fn accept(&mut self, accepted: &[usize], variant: Arc<Variant>) {
        accepted.iter().for_each(|&index| self.asked[index].accepted = true);
        self.phase = Phase::Over(Some(variant));
    }

    /// When all is over: what was asked, and the next base, if there is another.
    pub(super) fn end(self) -> Result<(Vec<Asked>, Option<Variant>), Self> {
        match self.phase {
            Phase::Over(base) => Ok((self.asked, base.map(Arc::unwrap_or_clone))),
            _ => Err(self),
        }
    }
}
