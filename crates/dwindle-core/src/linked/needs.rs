//! What statements need: those around them, the declarations of the names in them, and what these need.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::graph::Graph;
use super::statements::Statements;
use crate::names::How;
use crate::tree::Tree;
use crate::{Subset, Variant};

/// How much of a needed statement is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// Its own tokens.
    Heads,
    /// Everything inside of it, unless it is needed only because it is around a needed one.
    All,
}

pub(super) struct Needs<'a> {
    tree: &'a Tree,
    graph: &'a Graph,
    statements: &'a Statements,
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

impl<'a> Needs<'a> {
    /// Nothing but what is known to be needed in `base`.
    pub(super) fn new(
        tree: &'a Tree,
        graph: &'a Graph,
        statements: &'a Statements,
        base: &'a Variant,
        needed: Subset,
    ) -> Self {
        Self {
            tree,
            graph,
            statements,
            base,
            needed,
            seen: Subset::empty(statements.len()),
            around: Subset::empty(statements.len()),
            queue: Vec::new(),
            unresolved: BTreeSet::new(),
            followed: BTreeSet::new(),
        }
    }

    /// All that is needed once these statements and tokens are.
    pub(super) fn with(
        mut self,
        statements: Vec<u32>,
        tokens: impl IntoIterator<Item = usize>,
        depth: Depth,
    ) -> Subset {
        self.queue = statements;
        tokens.into_iter().for_each(|token| self.follow(token));
        self.spread(depth);
        self.needed
    }

    fn spread(&mut self, depth: Depth) {
        let Self { tree, statements, .. } = *self;
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
                if let Some(around) = statements.around[index] {
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
        let Self { tree, graph, statements, .. } = *self;
        let mentions = tree.names().mentions();
        for index in graph.mentions_in(token..token + 1) {
            let name = mentions[index].name;
            match mentions[index].how {
                How::Weak => {}
                // What is introduced in several places may need all of them.
                How::Introduces => self.unresolved.extend(graph.any(name)),
                How::Uses => {
                    let Some(symbol) = graph.symbol_of(index) else { continue };
                    if graph.symbols()[symbol].scope.is_none() {
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
                    self.queue.extend(intros.into_iter().filter_map(|intro| statements.of_token[intro]));
                }
            }
        }
    }

    /// The tokens of those mentions that introduce something and stand.
    fn introducing(&self, mentions: &[u32]) -> Vec<usize> {
        let all = self.tree.names().mentions();
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
        let Self { graph, statements, .. } = *self;
        let is_needed = |statement: Option<u32>| {
            statement.is_none_or(|statement| self.needed.contains(statement as usize))
        };
        let mut lonely = None;
        for &symbol in &self.unresolved {
            let intros = self.introducing(&graph.symbols()[symbol].intros).into_iter();
            let (known, others): (Vec<Option<u32>>, Vec<Option<u32>>) =
                intros.map(|token| statements.of_token[token]).partition(|&statement| is_needed(statement));
            let others: Vec<u32> = others.into_iter().flatten().collect();
            let is_member = |statement: &&u32| is_needed(statements.around[**statement as usize]);
            let members = others.iter().filter(is_member);
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
