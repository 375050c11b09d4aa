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
use super::needs::{Depth, Needs};
use super::statements::Statements;
use crate::edit::Change;
use crate::sums::sums;
use crate::tree::Tree;
use crate::tuning::SweepTuning;
use crate::{Outcome, Subset, Variant};

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
                (0..of_token.len()).filter(|&token| of_token[token].is_none() && !in_attribute(token));
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
            self.statements.around[statement as usize].is_none()
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
        self.sums = sums(open.iter().map(|&statement| self.own_size(base, statement))).collect();
        self.open = open;
    }

    /// How many own tokens of a statement are left.
    fn own_size(&self, base: &Variant, statement: u32) -> u32 {
        self.statements.own_tokens(statement).filter(|&token| base.kept.contains(token)).count() as u32
    }

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
            return tied.deletion(nodes);
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
        let residual = tied.residual();
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
        // What wants results may also want no import that nothing uses.
        let depth = if tied.may_diverge(0) { ClosureDepth::Unused } else { ClosureDepth::Alone };
        tied.change(&nodes, depth)
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
        let around = core::iter::successors(Some(last), |&inner| self.statements.around[inner as usize]);
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
        let needed = (*self.needed).clone();
        Needs::new(&self.tree, &self.graph, &self.statements, base, needed).with(statements, tokens, depth)
    }
}
