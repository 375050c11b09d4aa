//! What is known of the base, and which questions about it are worth asking.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use super::batch::{Asked, Asking};
use super::budget::{BatchSize, SuccessBudget};
use super::census::Census;
use super::closure::{ClosureDepth, Tied};
use super::graph::Graph;
use super::item::{Question, WorkItem};
use super::parts::{Parts, Sort};
use crate::edit::{Change, Edit};
use crate::memory::{Key, Memory};
use crate::range::{narrow, widen};
use crate::residual::{Alternative, ResidualTree};
use crate::tree::Tree;
use crate::walk::{Elements, Work};
use crate::{Evidence, Minimizer, Outcome, Tuning, Variant};

/// What a walk over the tree asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The bodies of functions, as one list.
    Bodies,
    /// All that there is a reason to ask.
    Search,
    /// Parts of nodes in their place, and strings in their stead.
    Parts,
    /// Each node that can go, alone: the check for 1-minimality.
    Check,
}

/// The base, its names, and what came of the questions so far.
#[derive(Clone, Debug)]
pub(super) struct Knowledge {
    pub(super) tuning: Tuning,
    /// The closure that is tried first.
    pub(super) first_depth: ClosureDepth,
    pub(super) tree: Arc<Tree>,
    pub(super) graph: Arc<Graph>,
    census: Arc<Census>,
    /// What the questions are about.
    pub(super) base: Variant,
    pub(super) stage: Stage,
    pub(super) memory: Memory,
    /// Names that refused tests printed when tokens with them had been deleted.
    learned: Arc<BTreeSet<u32>>,
    /// How questions have fared that were asked again with a name that was learned.
    repairs: SuccessBudget,
    /// How questions with weaker closures have fared, for each kind of node.
    weaker: BTreeMap<u32, SuccessBudget>,
    /// The same for stand-ins.
    stand_ins: SuccessBudget,
    batch_size: BatchSize,
    parts: Parts,
    /// The same for questions that leave dangling references.
    dangling: SuccessBudget,
    /// These by the kind of node that introduced the name: a C compiler does not want every function declared.
    dangling_of: BTreeMap<u32, SuccessBudget>,
    /// The same for questions that delete the body of a function which stays declared and used.
    bodiless: SuccessBudget,
    /// The same for wide deletions, which take much along.
    wide: SuccessBudget,
    /// Whether wide deletions are asked about even if they have failed.
    asks_wide: bool,
}

impl Knowledge {
    pub(super) fn new(tree: Arc<Tree>, first_depth: ClosureDepth, tuning: Tuning) -> Self {
        let base = Variant::whole(tree.text().clone());
        let graph = Arc::new(Graph::new(&tree));
        Self {
            tuning,
            first_depth,
            census: Arc::new(Census::of(&graph, &tree, &base)),
            graph,
            base,
            stage: Stage::Search,
            memory: Memory::new(&tree),
            learned: Arc::default(),
            repairs: SuccessBudget::default(),
            weaker: BTreeMap::new(),
            stand_ins: SuccessBudget::default(),
            batch_size: BatchSize::even(tuning.batch),
            parts: Parts::new(tuning),
            dangling: SuccessBudget::default(),
            dangling_of: BTreeMap::new(),
            bodiless: SuccessBudget::default(),
            wide: SuccessBudget::default(),
            asks_wide: false,
            tree,
        }
    }

    /// The base was read as `tree`.
    pub(super) fn read(&mut self, tree: Arc<Tree>) {
        self.memory.read(&self.base, &tree);
        let names = self.tree.names();
        let again = |&name: &u32| tree.names().find(names.spelling(name));
        self.learned = Arc::new(self.learned.iter().filter_map(again).collect());
        self.base = Variant::whole(tree.text().clone());
        self.graph = Arc::new(Graph::new(&tree));
        self.census = Arc::new(Census::of(&self.graph, &tree, &self.base));
        self.tree = tree;
    }

    /// `variant` becomes the base.
    pub(super) fn take(&mut self, variant: Variant) {
        let gone = self.graph.gone(&self.base, &variant);
        self.memory.accept(&gone, &variant);
        Arc::make_mut(&mut self.census).take(&self.graph, &self.tree, &gone);
        self.base = variant;
    }

    pub(super) fn residual(&self) -> ResidualTree<'_> {
        ResidualTree { tree: &self.tree, variant: &self.base }
    }

    pub(super) fn tied(&self) -> Tied<'_> {
        let Self { tree, base: variant, graph, census, learned, .. } = self;
        let is_large = variant.kept.len() >= self.tuning.small;
        let wants_bodies = is_large && !self.bodiless.is_worth(self.tuning.bodiless);
        Tied { tree, variant, graph, census, learned, wants_bodies, tuning: self.tuning.closure }
    }

    /// The closure that is tried first in this stage.
    pub(super) fn depth(&self) -> ClosureDepth {
        match self.stage {
            Stage::Bodies => ClosureDepth::Unused,
            Stage::Search | Stage::Parts => self.first_depth,
            Stage::Check => ClosureDepth::Alone,
        }
    }

    /// Begins the stage in which parts replace nodes, at these nodes.
    pub(super) fn begin_parts(&mut self, nodes: &[usize]) {
        let statements = nodes.iter().filter(|&&node| self.tree.is_statement(node));
        let needed = statements.filter(|&&node| self.is_known_to_stay(node));
        let tokens = |&node: &usize| narrow(self.tree.tokens(node));
        let needed = needed.map(tokens).collect();
        self.parts.begin(needed);
    }

    /// The parts of `node` that can replace it, the largest first, and its minimal string.
    pub(super) fn parts_at(&self, node: usize) -> Vec<Alternative> {
        let mut parts = self.residual().replacements(node, true, self.tuning.walk);
        parts.reverse();
        if self.residual().size_of(node) == 1 && !self.is_last_use(node) {
            parts.retain(|part| !matches!(part, Alternative::StandIn(_)));
        }
        parts
    }

    /// Whether the deletion of `node` was refused, and there is no reason to ask again.
    pub(super) fn is_known_to_stay(&self, node: usize) -> bool {
        let is_refused = |depth| {
            let item = WorkItem::deleting(node, depth);
            let change = self.change(&item);
            self.memory.key(&self.tree, &change).is_some_and(|key| self.is_pointless(&item, key))
        };
        is_refused(self.first_depth)
            && (!self.wants_stand_ins(&[node as u32]) || is_refused(ClosureDepth::StandIns))
    }

    /// Whether the only token left of `node` is the last use of a name that is introduced.
    fn is_last_use(&self, node: usize) -> bool {
        let Some(token) = self.base.kept.next_from(self.tree.tokens(node).start) else {
            return false;
        };
        let mut symbols =
            self.graph.mentions_in(token..token + 1).filter_map(|mention| self.graph.symbol_of(mention));
        symbols.any(|symbol| self.census.is_used_once(symbol))
    }

    /// The question of `item`, or its outcome where that is known.
    pub(super) fn question(&self, item: &WorkItem) -> Result<Question, Outcome> {
        let change = self.change(item);
        let variant = change.apply(&self.tree, &self.base);
        if variant == self.base {
            return Err(Outcome::Interesting);
        }
        let key = self.memory.key(&self.tree, &change);
        let is_refused = match self.stage {
            Stage::Search => {
                self.is_too_much(item) || self.waits(item, &variant) || self.fails_by_dangling(&variant)
            }
            Stage::Parts => self.part(item).is_some_and(|sort| {
                let takes_part = matches!(sort, Sort::Part(_));
                let gone: Vec<Range<u32>> = change.tokens(&self.tree).collect();
                !self.parts.is_worth(sort)
                    || self.fails_by_dangling_of_any(&variant)
                    || takes_part && self.parts.is_known_to_fail(&gone, &self.base.kept, &variant.kept)
            }),
            Stage::Bodies | Stage::Check => false,
        };
        let is_known = |key| match self.stage {
            Stage::Bodies | Stage::Search | Stage::Parts => self.is_pointless(item, key),
            Stage::Check => self.memory.is_proved(key),
        };
        if is_refused || key.is_some_and(is_known) {
            return Err(Outcome::Uninteresting);
        }
        Ok(Question { change, variant, key })
    }

    /// The same for the sweep. Where dangling references have failed, nothing that leaves one is asked about.
    pub(super) fn sweep_question(&self, change: Change) -> Result<Question, Outcome> {
        if change.0.is_empty() {
            return Err(Outcome::Interesting);
        }
        let variant = change.apply(&self.tree, &self.base);
        if !self.dangling.is_worth(self.tuning.dangling_in_sweep) && self.tied().leaves_dangling(&variant) {
            return Err(Outcome::Uninteresting);
        }
        let key = self.memory.key(&self.tree, &change);
        Ok(Question { change, variant, key })
    }

    /// Whether `variant` leaves dangling references, and such variants have failed too often: in large texts, those for
    /// names that the same kinds of nodes introduce. The 1-minimality check does not ask this.
    fn fails_by_dangling(&self, variant: &Variant) -> bool {
        if self.base.kept.len() < self.tuning.small {
            return self.fails_by_dangling_of_any(variant);
        }
        let is_worth = |budget: &SuccessBudget| budget.is_worth(self.tuning.dangling_in_large);
        !self.dangling_of.values().all(is_worth)
            && self.lost(variant).iter().any(|kind| !self.dangling_of.get(kind).is_none_or(is_worth))
    }

    fn fails_by_dangling_of_any(&self, variant: &Variant) -> bool {
        !self.dangling.is_worth(self.tuning.dangling) && self.tied().leaves_dangling(variant)
    }

    /// The kinds of nodes that introduced the names of the dangling references in `variant`.
    fn lost(&self, variant: &Variant) -> BTreeSet<u32> {
        let kind = |symbol: usize| {
            let intro = *self.graph.symbols()[symbol].intros.first()?;
            let leaf = self.graph.leaf(self.tree.names().mentions()[intro as usize].token as usize);
            Some(self.tree.nodes()[self.tree.parent(leaf)?].kind)
        };
        self.tied().lost(variant).into_iter().filter_map(kind).collect()
    }

    /// Whether a question about `item` waits until nothing else can be deleted, because wide deletions have failed.
    fn waits(&self, item: &WorkItem, variant: &Variant) -> bool {
        !self.asks_wide && !self.wide.is_worth(self.tuning.wide) && self.is_wide(item, variant)
    }

    /// Whether a question takes much of a large text along, beyond what it is about.
    fn is_wide(&self, item: &WorkItem, variant: &Variant) -> bool {
        let kept = &self.base.kept;
        let own: usize = self.regions(item).into_iter().map(|tokens| kept.count(tokens)).sum();
        let along = kept.len().saturating_sub(variant.kept.len() + own);
        kept.len() >= self.tuning.large && along * self.tuning.much > kept.len()
    }

    /// From now on asks about wide deletions, too. Whether any may have waited.
    pub(super) fn ask_wide(&mut self) -> bool {
        let waits = !self.wide.is_worth(self.tuning.wide);
        waits && !mem::replace(&mut self.asks_wide, true)
    }

    /// Whether `item` deletes more elements together than are likely to go together.
    fn is_too_much(&self, item: &WorkItem) -> bool {
        let Work::List { what: Elements::Nodes, list } = &item.work else { return false };
        list.search.may_skip_sets() && item.work.gone().len() > self.batch_size.together(list.elements.len())
    }

    /// What sort of question the item has in the stage of parts.
    fn part(&self, item: &WorkItem) -> Option<Sort> {
        let (node, alternative) = item.work.alternative()?;
        match alternative {
            Alternative::Keep(_) => Some(Sort::Part(self.tree.slot(node)?)),
            Alternative::StandIn(_) if self.residual().size_of(node) == 1 => Some(Sort::Token),
            Alternative::StandIn(_) => Some(Sort::String),
            Alternative::Delete | Alternative::Alone => None,
        }
    }

    /// Whether the item's question was refused, and there is no reason to ask again.
    fn is_pointless(&self, item: &WorkItem, key: Key) -> bool {
        let mentions = self.tree.names().mentions();
        let regions = self.regions(item);
        let names = regions.iter().flat_map(|tokens| {
            self.graph
                .mentions_in(tokens.clone())
                .filter(|&index| self.base.kept.contains(mentions[index].token as usize))
                .map(|index| mentions[index].name)
        });
        self.memory.is_pointless(key, None, &regions, names)
    }

    /// The tokens that the question is about, without what goes along.
    fn regions(&self, item: &WorkItem) -> Vec<Range<usize>> {
        match &item.work {
            Work::Node { node, .. } => alloc::vec![self.tree.tokens(*node as usize)],
            Work::List { .. } => {
                item.work.gone().iter().flat_map(|element| &element.tokens).map(widen).collect()
            }
        }
    }

    fn standing(&self, nodes: &[u32]) -> Vec<u32> {
        nodes.iter().copied().filter(|&node| self.residual().stands(node as usize)).collect()
    }

    /// The change that the item asks about, with all that it takes along.
    pub(super) fn change(&self, item: &WorkItem) -> Change {
        match item.deleted() {
            Some(bodies) if self.stage == Stage::Bodies => {
                let parts = bodies.iter().flat_map(|&body| self.tied().parts(body as usize));
                self.tied().change(&parts.collect::<Vec<u32>>(), item.depth)
            }
            Some(nodes) => self.tied().change(&self.standing(&nodes), item.depth),
            None => item.work.change(self.residual()),
        }
    }

    /// The next weaker closure that would be another question.
    pub(super) fn weaker(&self, item: &WorkItem) -> Option<ClosureDepth> {
        let nodes = item.deleted()?;
        if matches!(self.stage, Stage::Bodies | Stage::Check) {
            return None;
        }
        let is_large = self.base.kept.len() >= self.tuning.large;
        let patience = if is_large { self.tuning.weaker_in_large } else { self.tuning.weaker };
        let budget = self.weaker.get(&self.sort_of(&nodes)).copied().unwrap_or_default();
        let weaker: &[ClosureDepth] = if nodes.len() > 1 {
            &[ClosureDepth::StandIns, ClosureDepth::Alone]
        } else {
            &[ClosureDepth::StandIns, ClosureDepth::Narrow, ClosureDepth::Alone]
        };
        let standing = self.standing(&nodes);
        let change = |depth| self.tied().change(&standing, depth);
        let now = budget.is_worth(patience).then(|| change(item.depth));
        let differs = |depth| match depth {
            ClosureDepth::StandIns => self.wants_stand_ins(&standing),
            _ => now.as_ref().is_some_and(|now| change(depth) != *now),
        };
        weaker.iter().copied().find(|&weaker| weaker > item.depth && differs(weaker))
    }

    /// Whether it is worth a question to delete `nodes` with stand-ins in the place of uses.
    fn wants_stand_ins(&self, nodes: &[u32]) -> bool {
        let change = || self.tied().change(nodes, ClosureDepth::StandIns);
        self.tree.has_any_value()
            && self.stand_ins.is_worth(self.tuning.stand_ins)
            && change().edits().iter().any(Edit::is_replacement)
    }

    /// A number for single nodes of a kind, and another for sets of them.
    fn sort_of(&self, nodes: &[u32]) -> u32 {
        let kind = nodes.first().map_or(0, |&node| self.tree.nodes()[node as usize].kind);
        kind << 1 | u32::from(nodes.len() > 1)
    }

    /// Remembers whether a weaker closure worked, whether or not it had to be asked about.
    pub(super) fn note_weaker(&mut self, item: &WorkItem, worked: bool) {
        if let Some(nodes) = item.deleted()
            && item.depth > self.first_depth
            && item.depth != ClosureDepth::StandIns
            && self.stage == Stage::Search
        {
            self.weaker.entry(self.sort_of(&nodes)).or_default().note(worked);
        }
    }

    /// Remembers the outcome of a question of the sweep.
    pub(super) fn note_sweep(&mut self, question: &Question, worked: bool) {
        // It takes out whole stretches: nothing tells which declarations were missed.
        if self.tied().leaves_dangling(&question.variant) {
            self.dangling.note(worked);
        }
        self.note_refusal(question, worked);
    }

    fn note_refusal(&mut self, question: &Question, worked: bool) {
        if let Some(key) = question.key.filter(|_| !worked) {
            self.memory.refuse(key, &self.tree, &self.base.kept, &question.change);
        }
    }

    fn note_dangling(&mut self, variant: &Variant, worked: bool) {
        let with_bodies = Tied { wants_bodies: true, ..self.tied() };
        let leaves_bodiless = !self.tied().leaves_dangling(variant) && with_bodies.leaves_dangling(variant);
        if leaves_bodiless {
            self.bodiless.note(worked);
        }
        let kinds = self.lost(variant);
        if !kinds.is_empty() {
            self.dangling.note(worked);
        }
        // Where several have lost their declarations, nothing tells which of them was to blame.
        if worked || kinds.len() == 1 {
            kinds.into_iter().for_each(|kind| self.dangling_of.entry(kind).or_default().note(worked));
        }
    }

    /// Remembers the outcome of a question about this base.
    pub(super) fn note(&mut self, asked: &Asked) {
        let (Asking { item, question, repaired }, worked) = (&asked.asking, asked.succeeded());
        if *repaired {
            self.repairs.note(worked);
        }
        if item.depth == ClosureDepth::StandIns {
            self.stand_ins.note(worked);
        }
        self.note_refusal(question, worked);
        if self.stage == Stage::Bodies || self.stage == Stage::Check && !worked {
            return;
        }
        self.note_dangling(&question.variant, worked);
        match self.stage {
            Stage::Search => {
                let Some(nodes) = item.deleted() else { return };
                if self.is_wide(item, &question.variant) {
                    self.wide.note(worked);
                }
                if worked {
                    self.batch_size.went(nodes.len());
                } else if nodes.len() == 1 && self.weaker(item).is_none() {
                    self.batch_size.stayed();
                }
            }
            Stage::Parts => {
                let Some(sort) = self.part(item) else { return };
                self.parts.note(sort, worked);
                if !worked
                    && matches!(sort, Sort::Part(_))
                    && let Some((node, _)) = item.work.alternative()
                {
                    let tokens = narrow(self.tree.tokens(node));
                    self.parts.refuse(tokens, &self.base.kept, &question.variant.kept);
                }
            }
            Stage::Bodies | Stage::Check => {}
        }
    }

    /// Learns the names that tests complained of. For each item: whether it asks something else now.
    pub(super) fn learn(&mut self, asked: &[Asked]) -> Vec<bool> {
        let changes = |knowledge: &Self| -> Vec<Option<Change>> {
            let change =
                |asked: &Asked| (!asked.heard.is_empty()).then(|| knowledge.change(&asked.asking.item));
            asked.iter().map(change).collect()
        };
        if !self.learns() {
            self.learned = Arc::default();
        } else if asked.iter().any(|asked| !asked.heard.is_empty()) {
            let before = changes(self);
            Arc::make_mut(&mut self.learned).extend(asked.iter().flat_map(|asked| &asked.heard));
            return before.into_iter().zip(changes(self)).map(|(before, after)| before != after).collect();
        }
        alloc::vec![false; asked.len()]
    }

    /// Whether names in the output of tests are used. Once asking again with them has failed too often, they are not.
    fn learns(&self) -> bool {
        self.repairs.is_worth(self.tuning.repairs)
    }

    /// The names in `evidence` that are new and occur in what the question deletes.
    pub(super) fn news(&self, item: &WorkItem, question: &Question, evidence: &Evidence) -> Vec<u32> {
        if matches!(self.stage, Stage::Bodies | Stage::Check) || !self.learns() || item.deleted().is_none() {
            return Vec::new();
        }
        let mentions = self.tree.names().mentions();
        let went = |&name: &u32| {
            let all = self.graph.mentions_by_name(name).iter();
            let mut tokens = all.map(|&index| mentions[index as usize].token as usize);
            let goes = |token| self.base.kept.contains(token) && !question.variant.kept.contains(token);
            !self.learned.contains(&name) && tokens.any(goes)
        };
        evidence.names(self.tree.names()).filter(went).collect()
    }
}
