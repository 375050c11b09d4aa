//! The statements of all levels of a tree as one sequence.
//!
//! A statement stands for its *own* tokens, those that are in no statement inside of it.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::graph::Graph;
use crate::buckets::Buckets;
use crate::tree::Tree;

/// The statements of a tree, in preorder, by their number.
#[derive(Debug)]
pub(super) struct Statements {
    pub(super) nodes: Vec<u32>,
    /// The statement around each.
    pub(super) around: Vec<Option<u32>>,
    /// The innermost statement around each token.
    pub(super) of_token: Vec<Option<u32>>,
    /// The own tokens of each.
    own: Buckets,
}

impl Statements {
    pub(super) fn of(tree: &Tree, graph: &Graph, small: usize) -> Self {
        let (mut nodes, mut arounds) = (Vec::new(), Vec::new());
        let on_lines = on_lines(tree, graph, small);
        let mut number_of: Vec<Option<u32>> = Vec::with_capacity(tree.nodes().len());
        for node in 0..tree.nodes().len() {
            let parent = tree.parent(node);
            let around = parent.and_then(|parent| number_of[parent]);
            let kind = parent.map(|parent| tree.nodes()[parent].kind);
            if is_statement(tree, graph, small, node) && kind.is_some_and(|kind| on_lines.contains(&kind)) {
                number_of.push(Some(nodes.len() as u32));
                nodes.push(node as u32);
                arounds.push(around);
            } else {
                number_of.push(around);
            }
        }
        let of_token = (0..tree.text().len()).map(|token| number_of[graph.leaf(token)]);
        let own = Buckets::new(nodes.len(), of_token.clone());
        Self { own, nodes, around: arounds, of_token: of_token.collect() }
    }

    pub(super) fn own_tokens(&self, statement: u32) -> impl Iterator<Item = usize> + '_ {
        self.own.of(statement as usize).iter().map(|&token| token as usize)
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, statement: u32) -> usize {
        self.nodes[statement as usize] as usize
    }

    /// The number of the first statement behind one and all that are inside of it.
    pub(super) fn end(&self, tree: &Tree, statement: u32) -> u32 {
        let end = tree.subtree(self.node(statement)).end;
        self.nodes.partition_point(|&node| (node as usize) < end) as u32
    }

    /// The statements right inside of one.
    pub(super) fn inside<'a>(&'a self, tree: &'a Tree, statement: u32) -> impl Iterator<Item = u32> + 'a {
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
