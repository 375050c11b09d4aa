//! The backwards sweep: how a large text is searched before its lists are.
//!
//! Most statements of a large text have nothing to do with the behaviour, and the few that matter are spread over it. So
//! the statements of all levels are taken as one sequence, in the order of the text:
//!
//! 1. The last statement that matters is found by bisection: as many statements as possible are deleted from the end.
//!    Most languages want names declared before they are used, so the beginning of a text is a valid text.
//! 2. What this statement needs follows from the tree and the names: the statements around it, the declarations of the
//!    names in it, and what these need. One question asks whether that is enough, another whether it is with the
//!    statements beside it. If so, everything else is deleted.
//! 3. If not, the last statement that matters before it is looked for, in steps that grow.
//!
//! A statement stands for its *own* tokens, those that are in no statement inside of it. So of a needed function the head
//! is kept, and of a needed class the members that are mentioned.
//!
//! First of all, each statement that is a large part of the text is tried by itself, with what uses it. The sweep ends
//! when a stretch of questions has deleted little. Lists find the rest.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;

use super::closure::{ClosureDepth, Tied};
use super::graph::Graph;
use crate::buckets::Buckets;
use crate::edit::Change;
use crate::names::How;
use crate::residual::ResidualTree;
use crate::tree::{NONE, Tree};
use crate::tuning::SweepTuning;
use crate::{Outcome, Subset, Variant};

/// The statements of a tree, in preorder, by their number.
#[derive(Debug)]
struct Statements {
    nodes: Vec<u32>,
    /// The statement around each.
    around: Vec<u32>,
    /// The innermost statement around each token.
    of_token: Vec<u32>,
    /// The own tokens of each.
    own: Buckets,
}

impl Statements {
    fn of(tree: &Tree, graph: &Graph, small: usize) -> Self {
        let (mut nodes, mut arounds) = (Vec::new(), Vec::new());
        let on_lines = on_lines(tree, graph, small);
        let mut number_of: Vec<u32> = Vec::with_capacity(tree.nodes().len());
        for node in 0..tree.nodes().len() {
            let parent = tree.parent(node);
            let around = parent.map_or(NONE, |parent| number_of[parent]);
            let kind = parent.map(|parent| tree.nodes()[parent].kind);
            if is_statement(tree, graph, small, node) && kind.is_some_and(|kind| on_lines.contains(&kind)) {
                number_of.push(nodes.len() as u32);
                nodes.push(node as u32);
                arounds.push(around);
            } else {
                number_of.push(around);
            }
        }
        let of_token: Vec<u32> = (0..tree.text().len()).map(|token| number_of[graph.leaf(token)]).collect();
        let owners = of_token.iter().map(|&statement| (statement != NONE).then_some(statement));
        Self { own: Buckets::new(nodes.len(), owners), nodes, around: arounds, of_token }
    }

    fn own_tokens(&self, statement: u32) -> impl Iterator<Item = usize> + '_ {
        self.own.of(statement as usize).iter().map(|&token| token as usize)
    }

    fn len(&self) -> usize {
        self.nodes.len()
    }

    fn node(&self, statement: u32) -> usize {
        self.nodes[statement as usize] as usize
    }

    /// The number of the first statement behind one and all that are inside of it.
    fn end(&self, tree: &Tree, statement: u32) -> u32 {
        let end = tree.subtree(self.node(statement)).end;
        self.nodes.partition_point(|&node| (node as usize) < end) as u32
    }

    /// The statements right inside of one.
    fn inside<'a>(&'a self, tree: &'a Tree, statement: u32) -> impl Iterator<Item = u32> + 'a {
        let end = self.end(tree, statement);
        let next = move |inside: u32| Some(inside).filter(|&inside| inside < end);
        core::iter::successors(next(statement + 1), move |&inside| next(self.end(tree, inside)))
    }
}

/// Whether `node` is a statement: an element with a name in it or more than `small` tokens.
fn is_statement(tree: &Tree, graph: &Graph, small: usize, node: usize) -> bool {
    let tokens = tree.tokens(node);
    graph.statement(node) == Some(node)
        && !graph.is_attribute(node)
        && tokens.len() > 1
        && (tokens.len() > small || graph.mentions_in(tokens).next().is_some())
}

/// The kinds of nodes below which at least half of the statements begin a line; all kinds if there is none.
fn on_lines(tree: &Tree, graph: &Graph, small: usize) -> BTreeSet<u32> {
    let statements = (1..tree.nodes().len()).filter(|&node| is_statement(tree, graph, small, node));
    let mut counts = tree.counts_on_lines(statements);
    let all = !counts.values().any(|[within, begin]| begin >= within && *begin > 1);
    counts.retain(|_, [within, begin]| all || begin >= within);
    counts.into_keys().collect()
}

/// The search of a tree from its end.
#[derive(Clone, Debug)]
pub(super) struct Sweep {
    tuning: SweepTuning,
    tree: Arc<Tree>,
    graph: Arc<Graph>,
    statements: Arc<Statements>,
    /// The statements that matter and what they need.
    needed: Arc<Subset>,
    /// The statements that may be deleted, in the order of the text.
    open: Arc<[u32]>,
    /// Their own tokens, as sums over all up to each.
    sums: Arc<[u32]>,
    /// To keep this many of them was not enough, so bisection goes on above. `None` while no such number is known, and
    /// steps from the end look for one.
    low: Option<usize>,
    /// How many tokens the next of these steps deletes.
    step: u32,
    /// Large statements that are still to be tried by themselves, the next one last.
    large: Vec<u32>,
    /// Sets of statements that may be enough, the next one to be tried last.
    tries: Vec<Arc<Subset>>,
    /// How many statements that matter have been found.
    found: u32,
    /// After how many of these sets are tried again.
    next_try: u32,
    asked: usize,
    /// How many tokens there were when this stretch of questions began.
    began: usize,
    done: bool,
}

impl Sweep {
    /// The sweep of `tree`, all of which stands in `base`.
    pub(super) fn new(tree: Arc<Tree>, graph: Arc<Graph>, base: &Variant, tuning: SweepTuning) -> Self {
        let statements = Arc::new(Statements::of(&tree, &graph, tuning.small));
        let mut sweep = Self {
            tuning,
            needed: Arc::new(Subset::empty(statements.len())),
            open: Arc::default(),
            sums: Arc::default(),
            low: Some(0),
            step: 0,
            large: Vec::new(),
            tries: Vec::new(),
            found: 0,
            next_try: 1,
            asked: 0,
            began: base.kept.len(),
            done: statements.len() < tuning.fewest,
            tree,
            graph,
            statements,
        };
        if !sweep.done {
            let of_token = &sweep.statements.of_token;
            let in_attribute = |token: usize| {
                let statement = sweep.graph.statement(sweep.graph.leaf(token));
                statement.is_some_and(|statement| sweep.graph.is_attribute(statement))
            };
            let outside =
                (0..of_token.len()).filter(|&token| of_token[token] == NONE && !in_attribute(token));
            sweep.needed = Arc::new(sweep.with_needs(base, Vec::new(), outside, Depth::Heads));
            sweep.open(base, sweep.statements.len());
            sweep.large = sweep.large_statements(base);
            sweep.settle(base);
        }
        sweep
    }

    /// The outermost statements of an eighth of the text and more, the largest last.
    fn large_statements(&self, base: &Variant) -> Vec<u32> {
        let size = |statement: u32| self.tree.tokens(self.statements.node(statement)).len();
        let is_large = |&statement: &u32| {
            self.statements.around[statement as usize] == NONE
                && size(statement) * self.tuning.large >= base.kept.len()
        };
        let mut large: Vec<u32> = self.open.iter().copied().filter(is_large).collect();
        large.sort_by_key(|&statement| size(statement));
        large
    }

    pub(super) fn is_done(&self) -> bool {
        self.done
    }

    /// Whether a statement stands: statements go as a whole.
    fn stands(&self, base: &Variant, statement: u32) -> bool {
        match self.statements.own_tokens(statement).next() {
            Some(token) => base.kept.contains(token),
            None => base.has(self.tree.tokens(self.statements.node(statement))),
        }
    }

    /// Of the statements before number `end`, those that still stand and are not needed may be deleted.
    fn open(&mut self, base: &Variant, end: usize) {
        let is_open =
            |&statement: &u32| !self.needed.contains(statement as usize) && self.stands(base, statement);
        let open: Arc<[u32]> = (0..end as u32).filter(is_open).collect();
        let mut sum = 0;
        let sums = open.iter().map(|&statement| {
            sum += self.own_size(base, statement);
            sum
        });
        self.sums = core::iter::once(0).chain(sums).collect();
        self.open = open;
    }

    /// How many own tokens of a statement are left.
    fn own_size(&self, base: &Variant, statement: u32) -> u32 {
        self.statements.own_tokens(statement).filter(|&token| base.kept.contains(token)).count() as u32
    }

    /// How many tokens the open statements have.
    fn open_tokens(&self) -> u32 {
        self.sums.last().copied().unwrap_or(0)
    }

    /// How many of the open statements the next question keeps.
    fn keeps(&self) -> usize {
        let all = self.open.len();
        match self.low {
            Some(low) => {
                let half = (self.sums[low] + self.sums[all]) / 2;
                self.sums.partition_point(|&sum| sum <= half).clamp(low + 1, all - 1)
            }
            None => {
                let rest = self.open_tokens().saturating_sub(self.step);
                self.sums.partition_point(|&sum| sum <= rest).saturating_sub(1).min(all - 1)
            }
        }
    }

    /// What the next question changes.
    pub(super) fn change(&self, tied: Tied<'_>) -> Change {
        if let Some(&statement) = self.large.last() {
            let nodes = tied.closure(&[self.statements.nodes[statement as usize]], ClosureDepth::Full);
            return Change::deletion(nodes);
        }
        let base = tied.variant;
        let gone: Vec<u32> = match self.tries.last() {
            Some(set) => {
                let goes =
                    |&statement: &u32| !set.contains(statement as usize) && self.stands(base, statement);
                (0..self.statements.len() as u32).filter(goes).collect()
            }
            None => self.open[self.keeps()..].to_vec(),
        };
        let nodes = gone.into_iter().flat_map(|statement| {
            let node = self.statements.node(statement);
            self.graph.attributes(&self.tree, node).map(|node| node as u32).chain([node as u32])
        });
        let nodes = nodes.collect();
        let mut nodes = self.tree.outermost(nodes);
        // A list that needs an element keeps its last.
        let gone: BTreeSet<u32> = nodes.iter().copied().collect();
        let residual = ResidualTree { tree: &self.tree, variant: base };
        let mut needed: BTreeMap<u32, Option<usize>> = BTreeMap::new();
        nodes.retain(|&node| {
            let node = node as usize;
            let Some(list) = self.tree.list(node).filter(|list| list.some) else { return true };
            let needed = needed.entry(list.id).or_insert_with(|| {
                let elements = residual.list_of(node, list);
                let all_go = elements.iter().all(|&element| gone.contains(&(element as u32)));
                elements.last().copied().filter(|_| all_go)
            });
            *needed != Some(node)
        });
        Change::deletion(nodes)
    }

    /// Takes the outcome of the question; `base` has changed if it was interesting.
    pub(super) fn tell(&mut self, outcome: Outcome, base: &Variant) {
        self.asked += 1;
        let stretch = self.tuning.stretch * self.statements.len().ilog2() as usize;
        if self.asked.is_multiple_of(stretch) {
            let began = mem::replace(&mut self.began, base.kept.len());
            if base.kept.len() * 100 > began * self.tuning.goes_on {
                self.done = true;
                return;
            }
        }
        let interesting = outcome.is_interesting();
        if self.large.pop().is_some() {
            if interesting {
                let large = mem::take(&mut self.large);
                self.large = large.into_iter().filter(|&statement| self.stands(base, statement)).collect();
                self.open(base, self.statements.len());
            }
        } else if self.tries.pop().is_some() {
            if interesting {
                self.tries.clear();
                self.open(base, self.statements.len());
                self.step = (self.open_tokens() / self.tuning.next_step).max(1);
            }
        } else {
            let keeps = self.keeps();
            if interesting {
                self.open(base, self.open[keeps] as usize);
                self.step = self.step.saturating_mul(self.tuning.growth);
            } else {
                self.low = Some(keeps);
            }
        }
        self.settle(base);
    }

    /// If bisection has found the last statement that matters, goes on with the statements before it.
    fn settle(&mut self, base: &Variant) {
        if self.open.is_empty() {
            self.done = true;
        }
        let Some(low) = self
            .low
            .filter(|low| self.large.is_empty() && self.tries.is_empty() && low + 1 >= self.open.len())
        else {
            return;
        };
        let Some(&last) = self.open.get(low) else {
            self.done = true;
            return;
        };
        let distance = self.open_tokens() - self.sums[low];
        self.found += 1;
        self.needed = Arc::new(self.with_needs(base, alloc::vec![last], [], Depth::Heads));
        self.open(base, last as usize);
        if self.open.is_empty() {
            self.done = true;
            return;
        }
        self.low = None;
        self.step = distance.min(self.open_tokens() / self.tuning.first_step).max(1);
        if self.found >= self.next_try {
            self.next_try = self.found + 1 + self.found / 2;
            self.propose(last, base);
        }
    }

    /// Proposes sets that may be enough, now that `last` is known to matter: what is needed; that with everything
    /// inside of it; and that with the statements beside `last`, or beside one around it.
    fn propose(&mut self, last: u32, base: &Variant) {
        let mut tries = alloc::vec![self.needed.clone()];
        let mut largest = 0;
        let mut add = |set: Subset, least: u32| {
            let added = self.open.iter().filter(|&&statement| set.contains(statement as usize));
            let size: u32 = added.map(|&statement| self.own_size(base, statement)).sum();
            if size >= largest * 2 + least && size <= self.open_tokens() / 4 * 3 {
                largest = size;
                tries.push(Arc::new(set));
            }
        };
        add(self.with_needs(base, alloc::vec![last], [], Depth::All), 1);
        let around = core::iter::successors(Some(last), |&inner| {
            Some(self.statements.around[inner as usize]).filter(|&around| around != NONE)
        });
        let mut size = 0;
        for around in around.skip(1) {
            let tokens = self.tree.tokens(self.statements.node(around)).len();
            if tokens < size * 2 {
                continue;
            }
            size = tokens;
            let inside = around + 1..self.statements.end(&self.tree, around);
            let beside = self.open.iter().copied().filter(|statement| inside.contains(statement));
            add(self.with_needs(base, beside.collect(), [], Depth::Heads), 8);
        }
        tries.reverse();
        self.tries = tries;
    }

    /// All that is needed once these statements and tokens are.
    fn with_needs(
        &self,
        base: &Variant,
        statements: Vec<u32>,
        tokens: impl IntoIterator<Item = usize>,
        depth: Depth,
    ) -> Subset {
        let mut needs = Needs {
            sweep: self,
            base,
            needed: (*self.needed).clone(),
            seen: Subset::empty(self.statements.len()),
            around: Subset::empty(self.statements.len()),
            queue: statements,
            unresolved: BTreeSet::new(),
            followed: BTreeSet::new(),
        };
        tokens.into_iter().for_each(|token| needs.follow(token));
        needs.spread(depth);
        needs.needed
    }
}

/// How much of a needed statement is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// Its own tokens.
    Heads,
    /// Everything inside of it, unless it is needed only because it is around a needed one.
    All,
}

/// Collects what statements need.
struct Needs<'a> {
    sweep: &'a Sweep,
    base: &'a Variant,
    needed: Subset,
    /// The statements that have been looked at.
    seen: Subset,
    /// The statements around these.
    around: Subset,
    queue: Vec<u32>,
    /// The symbols of names that no scope explains.
    unresolved: BTreeSet<usize>,
    /// Those with many introductions, which are queued once.
    followed: BTreeSet<usize>,
}

/// Introductions of a name in one scope that are queued for each use, at most. Real names have a handful; where a name has
/// thousands and as many uses, this bounds the time.
const INTRODUCTIONS: usize = 64;

impl Needs<'_> {
    fn spread(&mut self, depth: Depth) {
        let Sweep { tree, statements, .. } = self.sweep;
        loop {
            while let Some(statement) = self.queue.pop() {
                let index = statement as usize;
                let known = match depth {
                    Depth::Heads => self.needed.contains(index),
                    Depth::All => self.seen.contains(index),
                };
                if known {
                    continue;
                }
                self.needed.insert(index);
                self.seen.insert(index);
                if depth == Depth::All && !self.around.contains(index) {
                    self.queue.extend(statements.inside(tree, statement));
                }
                let around = statements.around[index];
                if around != NONE {
                    self.around.insert(around as usize);
                    self.queue.push(around);
                }
                for token in statements.own_tokens(statement) {
                    if self.base.kept.contains(token) {
                        self.follow(token);
                    }
                }
            }
            if !self.find_members() {
                return;
            }
        }
    }

    /// Queues what introduces the names that `token` mentions.
    fn follow(&mut self, token: usize) {
        let Sweep { tree, graph, .. } = self.sweep;
        let mentions = tree.names().mentions();
        for index in graph.mentions_in(token..token + 1) {
            let name = mentions[index].name;
            match mentions[index].how {
                How::Weak => {}
                // What is introduced in several places may need all of them.
                How::Introduces => self.unresolved.extend(graph.any(name)),
                How::Uses => {
                    let Some(symbol) = graph.symbol_of(index) else { continue };
                    if graph.symbols()[symbol].scope == NONE {
                        self.unresolved.insert(symbol);
                        continue;
                    }
                    let intros = &graph.symbols()[symbol].intros;
                    if intros.len() > INTRODUCTIONS && !self.followed.insert(symbol) {
                        continue;
                    }
                    let mut intros = self.introducing(intros);
                    let late = intros.iter().all(|&intro| intro > token);
                    if late {
                        let earlier = self.introducing(graph.mentions_by_name(name));
                        intros.extend(earlier.into_iter().rfind(|&intro| intro < token));
                    }
                    let around = intros.into_iter().map(|intro| self.sweep.statements.of_token[intro]);
                    self.queue.extend(around.filter(|&statement| statement != NONE));
                }
            }
        }
    }

    /// The tokens of those mentions that introduce something and stand.
    fn introducing(&self, mentions: &[u32]) -> Vec<usize> {
        let all = self.sweep.tree.names().mentions();
        let mentions = mentions.iter().map(|&index| all[index as usize]);
        mentions
            .filter(|mention| mention.how == How::Introduces)
            .map(|mention| mention.token as usize)
            .filter(|&token| self.base.kept.contains(token))
            .collect()
    }

    /// Queues the declarations of unresolved names that are right inside of something needed. If there are none, queues
    /// the first declaration of one of these names. Whether anything was queued.
    fn find_members(&mut self) -> bool {
        let Sweep { graph, statements, .. } = self.sweep;
        let is_needed =
            |needed: &Subset, statement: u32| statement == NONE || needed.contains(statement as usize);
        let mut lonely = None;
        for &symbol in &self.unresolved {
            let intros = self.introducing(&graph.symbols()[symbol].intros);
            let intros: Vec<u32> = intros.into_iter().map(|token| statements.of_token[token]).collect();
            let (known, others): (Vec<u32>, Vec<u32>) =
                intros.into_iter().partition(|&statement| is_needed(&self.needed, statement));
            let members = others
                .iter()
                .copied()
                .filter(|&statement| is_needed(&self.needed, statements.around[statement as usize]));
            let before = self.queue.len();
            self.queue.extend(members);
            if known.is_empty() && self.queue.len() == before && lonely.is_none() {
                lonely = others.first().copied();
            }
        }
        if self.queue.is_empty() {
            self.queue.extend(lonely);
        }
        !self.queue.is_empty()
    }
}
