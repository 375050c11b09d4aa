//! The machine: rounds of questions about one base, and what is done with those that succeeded.
//!
//! What is known of the base, and whether a question is worth asking, is in [`Knowledge`].

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;
use core::num::NonZeroUsize;

use super::closure::Reach;
use super::item::{Question, WorkItem};
use super::knowledge::Knowledge;
use super::sweep::Sweep;
use crate::edit::{self, Change};
use crate::standing::{Item, Recursion};
use crate::tree::Tree;
use crate::walk::{Rules, Walk, Work};
use crate::{
    Answer, Ask, Evidence, Gaps, Minimizer, MinimizerConfig, Outcome, Search, Shape, Tuning, Variant,
};

/// The search; see the [module](super).
#[derive(Clone, Debug)]
pub struct LinkedSearch {
    minimizer: MinimizerConfig,
    /// The most questions that are asked about one base.
    batch_width: NonZeroUsize,
    /// The front end that reads results anew.
    reader: &'static str,
    known: Knowledge,
    walk: Walk,
    /// What is asked about this base.
    batch: Vec<Asking>,
    /// Names that refused tests complained of in this round, each with the place of the question in the batch.
    heard: Vec<(usize, u32)>,
    /// Whether anything went since the text was read.
    changed: bool,
    /// How many pieces there were when the pass began, and how many questions have been asked since.
    began: usize,
    asked: usize,
    /// Whether the text has not been searched before, so that the sweep comes first.
    sweeps: bool,
    phase: Phase,
}

/// A work item and its question, which stands as long as the round lasts.
#[derive(Clone, Debug)]
struct Asking {
    item: WorkItem,
    question: Arc<Question>,
    /// Whether it is asked since something was learned.
    repaired: bool,
    /// What came of it in this round.
    outcome: Option<Outcome>,
}

/// What a walk over the tree asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// All that there is a reason to ask.
    Search,
    /// Parts of nodes in their place, and strings in their stead.
    Parts,
    /// Each node that can go, alone: the check for 1-minimality.
    Check,
}

#[derive(Clone, Debug)]
enum Phase {
    /// The base without its comments.
    Comments,
    /// A large text from its end, and what is asked.
    Sweep(Box<Sweep>, Arc<Question>),
    /// The question at this place of the batch.
    Round(usize),
    /// Several of the batch succeeded: the first `count` of them together, those that take most first.
    Merge {
        order: Vec<usize>,
        count: usize,
        variant: Arc<Variant>,
    },
    /// The base is read anew.
    Reading,
    Done,
}

impl LinkedSearch {
    /// How many questions are asked about one base, at most, unless another number is chosen: that many tests
    /// can run at once without looking ahead. Eight cases took 0.97 of the questions that they took one by
    /// one (`docs/decisions/defaults.md`).
    pub const DEFAULT_BATCH_WIDTH: NonZeroUsize = NonZeroUsize::new(64).unwrap();

    /// A search of `tree`, which the front end `reader` has read; at most `batch_width` questions are asked
    /// about one base.
    pub fn new(
        tree: Arc<Tree>,
        reader: &'static str,
        minimizer: MinimizerConfig,
        batch_width: NonZeroUsize,
    ) -> Self {
        Self::tuned(tree, reader, minimizer, batch_width, Tuning::DEFAULT)
    }

    /// The same with other constants, for experiments.
    pub fn tuned(
        tree: Arc<Tree>,
        reader: &'static str,
        minimizer: MinimizerConfig,
        batch_width: NonZeroUsize,
        tuning: Tuning,
    ) -> Self {
        Self::begun(tree, reader, minimizer, batch_width, tuning, true)
    }

    fn begun(
        tree: Arc<Tree>,
        reader: &'static str,
        minimizer: MinimizerConfig,
        batch_width: NonZeroUsize,
        tuning: Tuning,
        sweeps: bool,
    ) -> Self {
        let reach = Reach::first(&tree);
        let mut search = Self {
            minimizer,
            batch_width,
            reader,
            known: Knowledge::new(tree, reach, minimizer, tuning),
            walk: Walk::new(rules(minimizer, tuning), 0),
            batch: Vec::new(),
            heard: Vec::new(),
            changed: false,
            began: 0,
            asked: 0,
            sweeps,
            phase: Phase::Comments,
        };
        search.begin_pass(Pass::Search);
        if !search.known.base.text.has_comments() {
            search.begin();
        }
        search
    }

    /// The same search of another tree, of what it has found before.
    pub(crate) fn again(&self, tree: Arc<Tree>) -> Self {
        Self::begun(tree, self.reader, self.minimizer, self.batch_width, self.known.tuning, false)
    }

    fn begin(&mut self) {
        if !self.sweeps {
            self.begin_round();
            return;
        }
        let Knowledge { tree, graph, base, tuning, .. } = &self.known;
        let sweep = Sweep::new(tree.clone(), graph.clone(), base, tuning.sweep);
        self.go_on_sweeping(Box::new(sweep));
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
            self.begin_round();
        }
    }

    fn begin_pass(&mut self, pass: Pass) {
        self.known.pass = pass;
        self.changed = false;
        self.began = self.known.base.kept.len();
        self.asked = 0;
        self.batch.clear();
        let nodes = self.known.tree.nodes().len();
        self.walk = Walk::new(rules(self.minimizer, self.known.tuning), nodes);
        let standing = self.known.standing();
        let mut places: Vec<usize> = match pass {
            Pass::Search => alloc::vec![0],
            Pass::Parts | Pass::Check => (1..nodes).filter(|&node| standing.stands(node)).collect(),
        };
        if pass == Pass::Check {
            places.retain(|&node| standing.can_go(node));
        }
        if pass == Pass::Parts {
            self.known.begin_parts(&places);
        }
        let standing = self.known.standing();
        places.into_iter().for_each(|node| self.walk.push(standing, node));
    }

    /// Fills the batch and begins to ask what is in it; reads anew or ends where there is nothing.
    fn begin_round(&mut self) {
        self.phase = Phase::Round(0);
        let shrunk = self.known.base.kept.len() * self.known.tuning.shrunk <= self.began;
        if self.known.pass == Pass::Search && shrunk && self.asked >= self.known.tuning.long_pass {
            self.phase = Phase::Reading;
            return;
        }
        while self.walk.peek().is_some() {
            self.fill_batch();
            if !self.batch.is_empty() {
                break;
            }
        }
        if !self.batch.is_empty() {
            return;
        }
        match (self.changed, self.known.pass) {
            (true, _) => self.phase = Phase::Reading,
            (false, Pass::Search) => self.go_on_with(Pass::Parts),
            (false, Pass::Parts) => self.go_on_with(Pass::Check),
            (false, Pass::Check) => self.phase = Phase::Done,
        }
    }

    fn go_on_with(&mut self, pass: Pass) {
        self.begin_pass(pass);
        self.begin_round();
    }

    /// Begins to look at what is not much lighter than what is being looked at.
    fn fill_batch(&mut self) {
        let mut heaviest = self.batch.iter().map(|asking| self.weight(&asking.item)).max().unwrap_or(0);
        while self.batch.len() < self.batch_width.get()
            && let Some(item) = self.walk.peek()
            && item.tokens.saturating_mul(self.known.tuning.spread) >= heaviest
        {
            heaviest = heaviest.max(item.tokens);
            self.walk.pop();
            self.look_at(item);
        }
    }

    fn weight(&self, item: &WorkItem) -> u32 {
        let standing = self.known.standing();
        match &item.work {
            Work::Node { node, .. } => standing.size_of(*node as usize),
            Work::List { elements, search, .. } => {
                search.best().iter().map(|element| standing.size_of_element(&elements[element])).sum()
            }
        }
    }

    fn look_at(&mut self, item: Item) {
        let Self { known, walk, .. } = self;
        let (standing, node) = (known.standing(), item.node as usize);
        let reach = if known.pass == Pass::Check { Reach::Alone } else { known.first_reach };
        let work = match known.pass {
            Pass::Search => walk.look_at(standing, item, |node| known.is_known_to_stay(node)),
            Pass::Parts if standing.stands(node) => Some(Work::at(node, known.parts_at(node))),
            Pass::Check if standing.stands(node) && standing.can_go(node) => {
                Some(WorkItem::deleting(node, reach).work)
            }
            Pass::Parts | Pass::Check => None,
        };
        if let Some(work) = work {
            self.start(WorkItem { work, reach }, false);
        }
    }

    /// Adds an item to the batch, unless all it would ask is known; then what comes after it.
    fn start(&mut self, mut item: WorkItem, repaired: bool) {
        loop {
            while !item.work.is_over() {
                match self.known.question(&item) {
                    Ok(question) => {
                        let question = Arc::new(question);
                        self.batch.push(Asking { item, question, repaired, outcome: None });
                        return;
                    }
                    Err(outcome) => self.advance(&mut item, outcome),
                }
            }
            let is_list = matches!(item.work, Work::List { .. });
            if !is_list && self.known.pass != Pass::Search {
                return;
            }
            let Self { known, walk, .. } = self;
            match walk.finish(known.standing(), item.work, |node| known.is_known_to_stay(node)) {
                Some(work) => item = WorkItem { work, reach: known.first_reach },
                None => return,
            }
        }
    }

    /// Takes the outcome of an item's question: a weaker closure is next, or what comes after it.
    fn advance(&mut self, item: &mut WorkItem, outcome: Outcome) {
        self.known.note_weaker(item, outcome.is_interesting());
        let weaker = if outcome.is_interesting() { None } else { self.known.weaker(item) };
        item.reach = weaker.unwrap_or(self.known.first_reach);
        if weaker.is_none() {
            self.walk.tell(self.known.standing(), &mut item.work, outcome);
        }
    }

    /// All questions of the batch have their outcomes: what can be done with those that succeeded?
    fn end_round(&mut self) {
        let worked = |&index: &usize| self.batch[index].outcome.is_some_and(Outcome::is_interesting);
        let mut order: Vec<usize> = (0..self.batch.len()).filter(worked).collect();
        if order.len() < 2 {
            self.accept(&order, None);
            return;
        }
        let size = |&index: &usize| {
            let variant = &self.batch[index].question.variant;
            (variant.kept.len() + variant.places.len(), index)
        };
        order.sort_by_key(size);
        let count = order.len();
        self.merge(order, count);
    }

    /// Asks about the first `count` of those in `order` together.
    fn merge(&mut self, order: Vec<usize>, count: usize) {
        let changes: Vec<&Change> =
            order[..count].iter().map(|&index| &self.batch[index].question.change).collect();
        let variant = Arc::new(edit::apply(&self.known.tree, &self.known.base, &changes));
        self.phase = Phase::Merge { order, count, variant };
    }

    /// The changes of these become part of the base, which is `merged` if there are several; the others that
    /// succeeded ask again.
    fn accept(&mut self, accepted: &[usize], merged: Option<&Variant>) {
        let batch = mem::take(&mut self.batch);
        let worked = |asking: &Asking| asking.outcome.is_some_and(Outcome::is_interesting);
        for asking in &batch {
            self.known.note(&asking.item, &asking.question, asking.repaired, worked(asking));
        }
        let only = accepted.first().map(|&index| &batch[index].question.variant);
        if let Some(variant) = merged.or(only) {
            self.take(variant.clone());
        }
        let repaired = self.learn(&batch);
        for (index, asking) in batch.into_iter().enumerate() {
            let postponed = worked(&asking) && !accepted.contains(&index);
            let repaired = repaired.contains(&index);
            let Asking { mut item, outcome, .. } = asking;
            if let Some(outcome) = outcome
                && !postponed
                && !repaired
            {
                self.advance(&mut item, outcome);
            }
            self.start(item, repaired);
        }
        self.begin_round();
    }

    /// Learns what was heard. The places in the batch of those that ask something else with that.
    fn learn(&mut self, batch: &[Asking]) -> BTreeSet<usize> {
        let items: Vec<&WorkItem> = batch.iter().map(|asking| &asking.item).collect();
        self.known.learn(&mem::take(&mut self.heard), &items)
    }

    fn take(&mut self, variant: Variant) {
        self.known.take(variant);
        self.changed = true;
    }

    /// Takes the outcome of the question at a place of the batch.
    fn tell_of(&mut self, index: usize, outcome: Outcome) {
        self.batch[index].outcome = Some(outcome);
        self.asked += 1;
        self.phase = Phase::Round(index + 1);
        if index + 1 == self.batch.len() {
            self.end_round();
        }
    }

    /// What a refused test says that is new.
    fn news(&self, evidence: &Evidence) -> Vec<u32> {
        let Phase::Round(index) = self.phase else { return Vec::new() };
        let Asking { item, question, .. } = &self.batch[index];
        self.known.news(item, question, evidence)
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
        strings: true,
        parts: false,
        only_element_waits: false,
        crowds: true,
    }
}

impl Search for LinkedSearch {
    fn ask(&self) -> Ask {
        match &self.phase {
            Phase::Comments => Ask::Test(Variant { gaps: Gaps::Bare, ..self.known.base.clone() }),
            Phase::Sweep(_, question) => Ask::Test(question.variant.clone()),
            Phase::Round(index) => Ask::Test(self.batch[*index].question.variant.clone()),
            Phase::Merge { variant, .. } => Ask::Test((**variant).clone()),
            Phase::Reading => Ask::Parse(self.known.base.clone(), Shape::Tree(self.reader)),
            Phase::Done => Ask::Done,
        }
    }

    fn tell(&mut self, answer: Answer) {
        let news = if let Answer::Refused(evidence) = &answer { self.news(evidence) } else { Vec::new() };
        match (mem::replace(&mut self.phase, Phase::Done), answer) {
            (Phase::Comments, Answer::Outcome(outcome)) => {
                if outcome.is_interesting() {
                    self.known.base.gaps = Gaps::Bare;
                }
                self.begin();
            }
            (Phase::Sweep(mut sweep, question), Answer::Outcome(outcome)) => {
                self.known.note_sweep(&question, outcome.is_interesting());
                if outcome.is_interesting() {
                    self.take(question.variant.clone());
                }
                sweep.tell(outcome, &self.known.base);
                self.go_on_sweeping(sweep);
            }
            (Phase::Round(index), Answer::Outcome(outcome)) => self.tell_of(index, outcome),
            (Phase::Round(index), Answer::Refused(_)) => {
                self.heard.extend(news.into_iter().map(|name| (index, name)));
                self.tell_of(index, Outcome::Uninteresting);
            }
            (Phase::Merge { order, count, variant }, Answer::Outcome(outcome)) => {
                if outcome.is_interesting() {
                    self.accept(&order[..count], Some(&variant));
                } else if count <= 3 {
                    self.accept(&order[..1], None);
                } else {
                    self.merge(order, count / 2);
                }
            }
            (Phase::Reading, Answer::Tree(tree)) => {
                self.known.read(tree);
                self.begin_pass(Pass::Search);
                self.begin_round();
            }
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
        match (&self.phase, self.known.pass) {
            (Phase::Comments, _) => "comments",
            (Phase::Sweep(..), _) => "backwards sweep",
            (Phase::Round(_) | Phase::Merge { .. }, Pass::Search) => "declarations and uses",
            (Phase::Round(_) | Phase::Merge { .. }, Pass::Parts) => "parts",
            (Phase::Round(_) | Phase::Merge { .. }, Pass::Check) => "1-minimality check",
            (Phase::Reading | Phase::Done, _) => "reading",
        }
    }
}
