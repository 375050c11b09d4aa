//! The machine: one place of the walk after the other, each question about the best variant so far.

use alloc::sync::Arc;
use core::mem;

use crate::comments::{TreeMachine, WithComments};
use crate::memory::Memory;
use crate::named::named;
use crate::residual::{Recursion, ResidualTree};
use crate::tree::Tree;
use crate::walk::{Elements, Replacements, Rules, Walk, Work};
use crate::{Answer, Ask, Gaps, ListQuestion, MinimizerConfig, Search, Shape, Subset, Tuning, Variant};

named! {
    /// Which of the family; see the [module](super).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[expect(missing_docs, reason = "the table of the module documents them")]
    #[non_exhaustive]
    pub enum PersesReducer {
        Perses = "perses",
        PersesPlus = "perses+",
    }
}

impl PersesReducer {
    fn rules(self, minimizer: MinimizerConfig) -> Rules {
        let (recursion, replacements) = match self {
            Self::Perses => (Recursion::AtEnds, Replacements::Parts),
            Self::PersesPlus => (Recursion::Anywhere, Replacements::PartsAndStrings),
        };
        Rules {
            minimizer,
            tuning: Tuning::DEFAULT.walk,
            recursion,
            replacements,
            only_element_waits: true,
            crowds: false,
        }
    }
}

/// The search; see the [module](super).
pub type PersesSearch = WithComments<Machine>;

/// The search of a tree without comments.
#[derive(Clone, Debug)]
pub struct Machine {
    reducer: PersesReducer,
    minimizer: MinimizerConfig,
    tree: Arc<Tree>,
    best: Variant,
    walk: Walk,
    /// Whether anything went in this round.
    changed: bool,
    phase: Phase,
}

#[derive(Clone, Debug)]
enum Phase {
    /// A place of the walk, and the variant that it asks about.
    Asking(Work, Variant),
    /// The best variant is read anew.
    Reading,
    Done,
}

impl PersesSearch {
    /// A search of `tree`.
    pub fn new(tree: Arc<Tree>, reducer: PersesReducer, minimizer: MinimizerConfig) -> Self {
        Self::before(Machine::new(tree, reducer, minimizer))
    }
}

impl Machine {
    fn new(tree: Arc<Tree>, reducer: PersesReducer, minimizer: MinimizerConfig) -> Self {
        let best = Variant::whole(tree.text().clone());
        let walk = Walk::new(reducer.rules(minimizer), 0);
        Self { reducer, minimizer, tree, best, walk, changed: false, phase: Phase::Done }
    }

    fn begin_round(&mut self) {
        self.changed = false;
        let walk = Walk::new(self.reducer.rules(self.minimizer), self.tree.nodes().len());
        self.walk = walk.behind(&self.walk);
        self.walk.push(ResidualTree { tree: &self.tree, variant: &self.best }, 0);
        self.go_on(None);
    }

    /// Looks for the next question, at first in `work`.
    fn go_on(&mut self, mut work: Option<Work>) {
        let residual = ResidualTree { tree: &self.tree, variant: &self.best };
        loop {
            work = match work {
                Some(work) if !work.is_over() => {
                    let variant = work.change(residual).apply(&self.tree, &self.best);
                    self.phase = Phase::Asking(work, variant);
                    return;
                }
                Some(work) => self.walk.finish(residual, work, |_| false),
                None => match self.walk.pop() {
                    Some(item) => self.walk.look_at(residual, item, |_| false),
                    None => {
                        self.phase = if self.changed { Phase::Reading } else { Phase::Done };
                        return;
                    }
                },
            };
        }
    }
}

impl TreeMachine for Machine {
    fn begin(&mut self, gaps: Gaps) {
        self.best.gaps = gaps;
        self.begin_round();
    }

    fn again(&self, tree: Arc<Tree>, _: Option<Memory>) -> Self {
        let search = Self::new(tree, self.reducer, self.minimizer);
        Self { walk: search.walk.behind(&self.walk), ..search }
    }
}

impl Search for Machine {
    fn ask(&self) -> Ask {
        match &self.phase {
            Phase::Asking(_, variant) => Ask::Test(variant.clone()),
            Phase::Reading => Ask::Parse(self.best.clone(), Shape::Tree),
            Phase::Done => Ask::Done,
        }
    }

    fn tell(&mut self, answer: Answer) {
        match (mem::replace(&mut self.phase, Phase::Done), answer) {
            (Phase::Asking(mut work, variant), Answer::Outcome(outcome)) => {
                if outcome.is_interesting() {
                    self.best = variant;
                    self.changed = true;
                }
                let residual = ResidualTree { tree: &self.tree, variant: &self.best };
                self.walk.tell(residual, &mut work, outcome);
                self.go_on(Some(work));
            }
            (Phase::Reading, Answer::Tree(tree)) => {
                self.best = Variant::whole(tree.text().clone());
                self.tree = tree;
                self.begin_round();
            }
            (Phase::Reading, Answer::Unreadable(_)) => self.phase = Phase::Done,
            (phase, answer) => panic!("{answer:?} does not answer {phase:?}"),
        }
    }

    fn best(&self) -> &Variant {
        &self.best
    }

    fn list(&self) -> Option<ListQuestion> {
        if let Phase::Asking(work, _) = &self.phase { work.list() } else { None }
    }

    fn with_elements(&self, kept: &Subset) -> Option<Variant> {
        let Phase::Asking(work, _) = &self.phase else { return None };
        Some(work.change_to(kept)?.apply(&self.tree, &self.best))
    }

    fn label(&self) -> &'static str {
        match &self.phase {
            Phase::Asking(Work::Node { .. }, _) => "nodes",
            Phase::Asking(Work::List { what: Elements::Nodes, .. }, _) => "lists",
            Phase::Asking(Work::List { what: Elements::Wrappers(_), .. }, _) => "chains",
            Phase::Reading | Phase::Done => "reading",
        }
    }
}
