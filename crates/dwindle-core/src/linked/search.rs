//! The machine: the sweep, then passes over the tree in batches, and the text is read anew after each pass in which
//! something was deleted.
//!
//! What is known of the base, and whether a question is worth asking, is in [`Knowledge`].

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;
use core::num::NonZeroUsize;

use super::batch::{Asked, Asking, Batch};
use super::closure::ClosureDepth;
use super::item::{Question, WorkItem};
use super::knowledge::{Knowledge, Stage};
use super::sweep::Sweep;
use crate::comments::{TreeMachine, WithComments};
use crate::memory::Memory;
use crate::residual::{Item, Recursion};
use crate::tree::Tree;
use crate::walk::{Elements, Replacements, Rules, Walk, Work};
use crate::{
    Answer, Ask, EmptyPolicy, Evidence, Gaps, Minimizer, MinimizerConfig, Outcome, Search, Shape, Tuning,
    Variant,
};

/// The search; see the [module](super).
pub type LinkedSearch = WithComments<Machine>;

impl LinkedSearch {
    /// The most questions about one base, unless another number is chosen. So many tests can run at once without
    /// predicting outcomes. Eight cases took 0.97 of the questions that they took one by one
    /// (`docs/decisions/batches.md`).
    pub const DEFAULT_BATCH_WIDTH: NonZeroUsize = NonZeroUsize::new(64).unwrap();

    /// A search of `tree`; at most `batch_width` questions are asked
    /// about one base.
    pub fn new(tree: Arc<Tree>, minimizer: MinimizerConfig, batch_width: NonZeroUsize) -> Self {
        Self::tuned(tree, minimizer, batch_width, Tuning::DEFAULT)
    }

    /// The same with other constants, for experiments.
    pub fn tuned(
        tree: Arc<Tree>,
        minimizer: MinimizerConfig,
        batch_width: NonZeroUsize,
        tuning: Tuning,
    ) -> Self {
        Self::before(Machine::new(tree, minimizer, batch_width, tuning))
    }

    /// Whether all that was found out is in the base.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.searching().is_none_or(|machine| match &machine.phase {
            Phase::Sweep(..) | Phase::Reading | Phase::Done => true,
            Phase::Batch(batch) => batch.is_new(),
        })
    }

    /// Whether there is nothing more to ask; nothing where it does not search, because it has not begun or cannot read.
    pub(crate) fn is_over(&self) -> Option<bool> {
        self.searching().map(|machine| matches!(machine.phase, Phase::Done))
    }

    pub(crate) fn tuning(&self) -> &Tuning {
        &self.machine().known.tuning
    }

    pub(crate) fn tree(&self) -> &Arc<Tree> {
        &self.machine().known.tree
    }

    /// The same, but what it learns of a large text is forgotten when that has become small.
    pub(crate) fn forgetting(mut self) -> Self {
        self.machine_mut().learn_anew();
        self
    }

    /// How many pieces there were when it began to learn; nothing where it does not search, or forgets nothing.
    pub(crate) fn learns_since(&self) -> Option<usize> {
        self.searching().and_then(|machine| machine.learns_since)
    }

    pub(crate) fn memory(&self) -> &Memory {
        &self.machine().known.memory
    }
}

/// The search of a tree without comments.
#[derive(Clone, Debug)]
pub struct Machine {
    minimizer: MinimizerConfig,
    /// The most questions that are asked about one base.
    batch_width: NonZeroUsize,
    known: Knowledge,
    walk: Walk,
    /// What the next batch asks.
    next: Vec<Asking>,
    /// Whether anything was deleted since the text was read.
    changed: bool,
    /// How many pieces there were when the pass began, and how many questions have been asked since.
    began: usize,
    asked: usize,
    /// How many pieces there were when it began to learn, if it ever forgets.
    learns_since: Option<usize>,
    /// Whether the text has not been searched before, so that the sweep comes first.
    sweeps: bool,
    phase: Phase,
}

#[derive(Clone, Debug)]
enum Phase {
    /// A large text is searched from its end; with what is asked.
    Sweep(Box<Sweep>, Arc<Question>),
    /// A pass over the tree.
    Batch(Batch),
    /// The base is read anew.
    Reading,
    Done,
}

impl Machine {
    fn new(tree: Arc<Tree>, minimizer: MinimizerConfig, batch_width: NonZeroUsize, tuning: Tuning) -> Self {
        let known = Knowledge::new(tree.clone(), ClosureDepth::first(&tree), tuning);
        Self {
            minimizer,
            batch_width,
            learns_since: None,
            known,
            walk: Walk::new(rules(minimizer, tuning), 0),
            next: Vec::new(),
            changed: false,
            began: 0,
            asked: 0,
            sweeps: true,
            phase: Phase::Done,
        }
    }

    /// Passes over questions whose outcome is known, and goes on with the lists after the last one.
    fn go_on_sweeping(&mut self, mut sweep: Box<Sweep>) {
        while !sweep.is_done() {
            match self.known.sweep_question(sweep.change(self.known.tied())) {
                Ok(question) => {
                    self.phase = Phase::Sweep(sweep, Arc::new(question));
                    return;
                }
                Err(outcome) => sweep.tell(outcome, &self.known.base),
            }
        }
        if self.changed {
            self.phase = Phase::Reading;
        } else {
            self.begin_batch();
        }
    }

    /// Searches the bodies of functions as one list, if there are any.
    fn begin_bodies(&mut self) {
        self.begin_stage(Stage::Bodies);
        let bodies = self.known.tied().bodies();
        if bodies.len() >= self.known.tuning.sweep.bodies {
            let residual = self.known.residual();
            let elements = residual.elements(&bodies);
            let work = self.walk.search_list(residual, Elements::Nodes, elements, EmptyPolicy::TestFirst);
            self.start(WorkItem { work, depth: self.known.depth() }, false);
        }
        self.begin_batch();
    }

    /// Searches the tree, from its end if that has not been done.
    fn begin_search(&mut self) {
        self.begin_stage(Stage::Search);
        if mem::take(&mut self.sweeps) {
            let Knowledge { tree, graph, base, tuning, .. } = &self.known;
            let sweep = Sweep::new(tree.clone(), graph.clone(), base, tuning.sweep);
            self.go_on_sweeping(Box::new(sweep));
        } else {
            self.begin_batch();
        }
    }

    /// Whether a text of so many pieces, which is read anew, is searched as if nothing were known of it.
    fn forgets(&self, pieces: usize) -> bool {
        let has_shrunk = |since| pieces.saturating_mul(self.known.tuning.turns.forgets) <= since;
        pieces >= self.known.tuning.large && self.learns_since.is_some_and(has_shrunk)
    }

    /// What it learns from here on will be forgotten.
    fn learn_anew(&mut self) {
        self.learns_since = Some(self.known.base.kept.len());
    }

    fn begin_stage(&mut self, stage: Stage) {
        self.known.stage = stage;
        self.changed = false;
        self.began = self.known.base.kept.len();
        self.asked = 0;
        self.next.clear();
        let nodes = self.known.tree.nodes().len();
        self.walk = Walk::new(rules(self.minimizer, self.known.tuning), nodes);
        let residual = self.known.residual();
        let mut places: Vec<usize> = match stage {
            Stage::Bodies => Vec::new(),
            Stage::Search => alloc::vec![0],
            Stage::Parts | Stage::Check => (1..nodes).filter(|&node| residual.stands(node)).collect(),
        };
        if stage == Stage::Check {
            places.retain(|&node| residual.can_go(node));
        }
        if stage == Stage::Parts {
            self.known.begin_parts(&places);
        }
        let residual = self.known.residual();
        places.into_iter().for_each(|node| self.walk.push(residual, node));
    }

    /// Begins with the next batch; reads anew, goes on with another pass or ends where there is none.
    fn begin_batch(&mut self) {
        let shrunk = self.known.base.kept.len() * self.known.tuning.shrunk <= self.began;
        if self.known.stage == Stage::Search && shrunk && self.asked >= self.known.tuning.long_pass {
            self.phase = Phase::Reading;
            return;
        }
        while self.walk.peek().is_some() {
            self.fill_batch();
            if !self.next.is_empty() {
                break;
            }
        }
        if let Some(batch) = Batch::of(mem::take(&mut self.next)) {
            self.phase = Phase::Batch(batch);
            return;
        }
        match (self.changed, self.known.stage) {
            (true, _) => self.phase = Phase::Reading,
            (false, Stage::Bodies) => self.begin_search(),
            (false, Stage::Search) if self.known.ask_wide() => self.go_on_with(Stage::Search),
            (false, Stage::Search) => self.go_on_with(Stage::Parts),
            (false, Stage::Parts) => self.go_on_with(Stage::Check),
            (false, Stage::Check) => self.phase = Phase::Done,
        }
    }

    fn go_on_with(&mut self, stage: Stage) {
        self.begin_stage(stage);
        self.begin_batch();
    }

    /// Begins to look at what is not much lighter than what is being looked at.
    fn fill_batch(&mut self) {
        let mut heaviest = self.next.iter().map(|asking| self.weight(&asking.item)).max().unwrap_or(0);
        while self.next.len() < self.batch_width.get()
            && let Some(item) = self.walk.peek()
            && item.tokens.saturating_mul(self.known.tuning.spread) >= heaviest
        {
            heaviest = heaviest.max(item.tokens);
            self.walk.pop();
            self.look_at(item);
        }
    }

    fn weight(&self, item: &WorkItem) -> u32 {
        let residual = self.known.residual();
        match &item.work {
            Work::Node { node, .. } => residual.size_of(*node as usize),
            Work::List { list, .. } => list
                .search
                .best()
                .iter()
                .map(|position| residual.size_of_element(&list.elements[position]))
                .sum(),
        }
    }

    fn look_at(&mut self, item: Item) {
        let Self { known, walk, .. } = self;
        let (residual, node) = (known.residual(), item.node as usize);
        let depth = known.depth();
        let work = match known.stage {
            Stage::Search => walk.look_at(residual, item, |node| known.is_known_to_stay(node)),
            Stage::Parts if residual.stands(node) => Some(Work::at(node, known.parts_at(node))),
            Stage::Check if residual.stands(node) && residual.can_go(node) => {
                Some(WorkItem::deleting(node, depth).work)
            }
            Stage::Bodies | Stage::Parts | Stage::Check => None,
        };
        if let Some(work) = work {
            self.start(WorkItem { work, depth }, false);
        }
    }

    /// Adds an item to the batch, unless all it would ask is known; then what comes after it.
    fn start(&mut self, mut item: WorkItem, repaired: bool) {
        loop {
            while !item.work.is_over() {
                match self.known.question(&item) {
                    Ok(question) => {
                        self.next.push(Asking { item, question: Arc::new(question), repaired });
                        return;
                    }
                    Err(outcome) => self.advance(&mut item, outcome),
                }
            }
            let is_list = matches!(item.work, Work::List { .. });
            if !is_list && self.known.stage != Stage::Search {
                return;
            }
            let Self { known, walk, .. } = self;
            match walk.finish(known.residual(), item.work, |node| known.is_known_to_stay(node)) {
                Some(work) => item = WorkItem { work, depth: known.depth() },
                None => return,
            }
        }
    }

    /// Takes the outcome of an item's question: a weaker closure is next, or what comes after it.
    fn advance(&mut self, item: &mut WorkItem, outcome: Outcome) {
        self.known.note_weaker(item, outcome.is_interesting());
        let weaker = if outcome.is_interesting() { None } else { self.known.weaker(item) };
        item.depth = weaker.unwrap_or(self.known.depth());
        if weaker.is_none() {
            self.walk.tell(self.known.residual(), &mut item.work, outcome);
        }
    }

    /// Goes on with the batch, or with what follows from it.
    fn go_on_with_batch(&mut self, batch: Batch) {
        let (asked, base) = match batch.end() {
            Ok(end) => end,
            Err(batch) => {
                self.phase = Phase::Batch(batch);
                return;
            }
        };
        self.asked += asked.len();
        asked.iter().for_each(|asked| self.known.note(asked));
        if let Some(base) = base {
            self.take(base);
        }
        let asks_more = self.known.learn(&asked);
        for (Asked { asking, outcome, accepted, .. }, repaired) in asked.into_iter().zip(asks_more) {
            let mut item = asking.item;
            // What succeeded, but not together with others, is asked again.
            if !repaired && (accepted || !outcome.is_interesting()) {
                self.advance(&mut item, outcome);
            }
            self.start(item, repaired);
        }
        self.begin_batch();
    }

    fn take(&mut self, variant: Variant) {
        self.known.take(variant);
        self.changed = true;
    }

    /// What a refused test says that is new.
    fn news(&self, evidence: &Evidence) -> Vec<u32> {
        let Phase::Batch(batch) = &self.phase else { return Vec::new() };
        batch.alone().map_or(Vec::new(), |asking| self.known.news(&asking.item, &asking.question, evidence))
    }

    fn tell_batch(&mut self, mut batch: Batch, outcome: Outcome, heard: Vec<u32>) {
        batch.tell(&self.known.tree, &self.known.base, outcome, heard);
        self.go_on_with_batch(batch);
    }
}

/// How the tree is walked.
fn rules(minimizer: MinimizerConfig, tuning: Tuning) -> Rules {
    let recursion = Recursion::Anywhere;
    let tuning = tuning.walk;
    Rules {
        minimizer,
        tuning,
        recursion,
        replacements: Replacements::None,
        only_element_waits: false,
        crowds: true,
    }
}

impl TreeMachine for Machine {
    fn begin(&mut self, gaps: Gaps) {
        self.known.base.gaps = gaps;
        if self.sweeps { self.begin_bodies() } else { self.begin_search() }
    }

    fn again(&self, tree: Arc<Tree>, memory: Option<Memory>) -> Self {
        let mut again = Self::new(tree, self.minimizer, self.batch_width, self.known.tuning);
        again.known.memory = memory.unwrap_or(again.known.memory);
        Self { sweeps: self.sweeps, learns_since: self.learns_since, ..again }
    }
}

impl Search for Machine {
    fn ask(&self) -> Ask {
        match &self.phase {
            Phase::Sweep(_, question) => Ask::Test(question.variant.clone()),
            Phase::Batch(batch) => batch.question().map_or(Ask::Done, |variant| Ask::Test(variant.clone())),
            Phase::Reading => Ask::Parse(self.known.base.clone(), Shape::Tree),
            Phase::Done => Ask::Done,
        }
    }

    fn tell(&mut self, answer: Answer) {
        let news = if let Answer::Refused(evidence) = &answer { self.news(evidence) } else { Vec::new() };
        match (mem::replace(&mut self.phase, Phase::Done), answer) {
            (Phase::Sweep(mut sweep, question), Answer::Outcome(outcome)) => {
                self.known.note_sweep(&question, outcome.is_interesting());
                if outcome.is_interesting() {
                    self.take(question.variant.clone());
                }
                sweep.tell(outcome, &self.known.base);
                self.go_on_sweeping(sweep);
            }
            (Phase::Batch(batch), Answer::Outcome(outcome)) => self.tell_batch(batch, outcome, news),
            (Phase::Batch(batch), Answer::Refused(_)) => self.tell_batch(batch, Outcome::Uninteresting, news),
            (Phase::Reading, Answer::Tree(tree)) if self.forgets(tree.text().len()) => {
                *self = Self::new(tree, self.minimizer, self.batch_width, self.known.tuning);
                self.learn_anew();
                self.begin(self.known.base.gaps);
            }
            (Phase::Reading, Answer::Tree(tree)) => {
                self.known.read(tree);
                self.begin_search();
            }
            (Phase::Reading, Answer::Unreadable(_)) => self.phase = Phase::Done,
            (phase, answer) => panic!("{answer:?} does not answer {phase:?}"),
        }
    }

    fn best(&self) -> &Variant {
        &self.known.base
    }

    fn learns_from(&self, evidence: &Evidence) -> bool {
        !self.news(evidence).is_empty()
    }

    fn label(&self) -> &'static str {
        match (&self.phase, self.known.stage) {
            (Phase::Sweep(..), _) => "backwards sweep",
            (Phase::Batch(_), Stage::Bodies) => "bodies of functions",
            (Phase::Batch(_), Stage::Search) => "declarations and uses",
            (Phase::Batch(_), Stage::Parts) => "parts",
            (Phase::Batch(_), Stage::Check) => "1-minimality check",
            (Phase::Reading | Phase::Done, _) => "reading",
        }
    }
}
