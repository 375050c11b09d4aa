//! The lossless tree: the tokens of a [`Text`] and, over them, the nodes of its syntax.
//!
//! Nodes lie in one flat vector in preorder, so a subtree is a range of nodes and a range of tokens,
//! and nothing here recurses, however deep the input is nested.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use crate::{Pieces, Quotes, StandIn, Text, Tokens, Variant, stand_in};

/// No node.
const NONE: u32 = u32::MAX;

/// A syntax tree over the tokens of a text.
#[derive(Clone, Debug)]
pub struct Tree {
    text: Arc<Text>,
    nodes: Vec<Node>,
    /// The names of kinds.
    kinds: Vec<&'static str>,
    /// Nodes by depth, in preorder within one depth.
    by_depth: Vec<u32>,
    /// Where each depth starts in `by_depth`; one more than there are depths.
    depths: Vec<u32>,
}

/// A node, with the positions of its relatives in the vector of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its kind; [`Tree::kind_name`] has the name.
    pub kind: u32,
    /// What may become of it.
    pub role: Role,
    parent: u32,
    /// The sibling before it.
    previous: u32,
    /// Whether separators stand between its children.
    separated: bool,
    /// Behind its last descendant.
    end: u32,
    first_token: u32,
    end_token: u32,
}

/// What may become of a node, as far as the syntax says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It stays as long as its parent does.
    Fixed,
    /// It can go without a trace.
    Deletable,
    /// It cannot go, but this string of the text can stand in for it.
    StandIn(u32),
    /// It stands between two elements of a list: it goes with the one before it, or with the one
    /// behind it when that was the last.
    Separator,
}

impl Node {
    /// The position of its parent.
    pub(crate) fn parent(&self) -> Option<usize> {
        some(self.parent)
    }

    /// Behind its last descendant.
    pub(crate) fn end(&self) -> usize {
        self.end as usize
    }

    /// Whether it has no children, `index` being its own position.
    pub(crate) fn is_leaf(&self, index: usize) -> bool {
        self.end() == index + 1
    }

    /// The tokens below it.
    pub fn tokens(&self) -> Range<usize> {
        self.first_token as usize..self.end_token as usize
    }
}

impl Tree {
    /// The tokens.
    pub fn text(&self) -> &Arc<Text> {
        &self.text
    }

    /// All nodes in preorder; the root is the first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The nodes of the subtree of `node`, itself included.
    pub fn subtree(&self, node: usize) -> Range<usize> {
        node..self.nodes[node].end as usize
    }

    /// The parent of `node`; the root has none.
    pub fn parent(&self, node: usize) -> Option<usize> {
        some(self.nodes[node].parent)
    }

    /// The children of `node`, first to last.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[node].end as usize;
        let first = (node + 1 < end).then_some(node + 1);
        core::iter::successors(first, move |&child| {
            let next = self.nodes[child].end as usize;
            (next < end).then_some(next)
        })
    }

    /// The name of the kind of `node`.
    pub fn kind_name(&self, node: usize) -> &'static str {
        self.kinds[self.nodes[node].kind as usize]
    }

    /// The number of depths.
    pub fn depth(&self) -> usize {
        self.depths.len() - 1
    }

    /// The nodes of a depth, first to last; the root is at depth 0.
    pub fn level(&self, depth: usize) -> &[u32] {
        &self.by_depth[self.depths[depth] as usize..self.depths[depth + 1] as usize]
    }

    /// All nodes, level by level.
    pub fn breadth_first(&self) -> &[u32] {
        &self.by_depth
    }

    /// The sibling before `node`.
    fn previous(&self, node: usize) -> Option<usize> {
        some(self.nodes[node].previous)
    }

    /// The sibling behind `node`.
    fn next(&self, node: usize) -> Option<usize> {
        let next = self.nodes[node].end;
        let parent = self.parent(node)?;
        (next < self.nodes[parent].end).then_some(next as usize)
    }

    /// Takes the separators of the `removed` nodes out of `variant`, siblings in order: the one
    /// behind an element goes with it; the last element takes the one before it.
    pub(crate) fn settle_separators(&self, removed: &[u32], variant: &mut Variant) {
        let separator = |node: usize| self.nodes[node].role == Role::Separator;
        let separated =
            |node: &&u32| self.parent(**node as usize).is_some_and(|parent| self.nodes[parent].separated);
        for &node in removed.iter().filter(separated) {
            let node = node as usize;
            if variant.has(self.nodes[node].tokens()) {
                continue;
            }
            let stands = |node: &usize| variant.has(self.nodes[*node].tokens());
            let behind = self.next(node).filter(|&next| separator(next)).filter(stands);
            let before = || {
                let back = core::iter::successors(self.previous(node), |&node| self.previous(node));
                back.take_while(|node| separator(*node) || !stands(node)).find(stands)
            };
            if let Some(separator) = behind.or_else(before) {
                variant.kept.remove_range(self.nodes[separator].tokens());
            }
        }
    }
}

fn some(node: u32) -> Option<usize> {
    (node != NONE).then_some(node as usize)
}

/// Builds a [`Tree`] from what a parser sees, in the order of the text.
#[derive(Debug)]
pub struct TreeBuilder {
    bytes: Vec<u8>,
    nodes: Vec<Node>,
    kinds: Vec<&'static str>,
    spans: Vec<Range<u32>>,
    weights: Vec<u32>,
    /// The nodes that are open, outermost first, and the last child of each so far.
    open: Vec<(u32, u32)>,
}

impl TreeBuilder {
    /// Nothing yet, over `bytes`; `kinds` are the names of the kinds.
    pub fn new(bytes: Vec<u8>, kinds: Vec<&'static str>) -> Self {
        Self { bytes, nodes: Vec::new(), kinds, spans: Vec::new(), weights: Vec::new(), open: Vec::new() }
    }

    /// Opens a node; what comes until it is closed lies below it.
    pub fn open(&mut self, kind: u32, role: Role) {
        let index = self.nodes.len() as u32;
        let (parent, previous) = match self.open.last_mut() {
            Some((parent, last_child)) => (*parent, mem::replace(last_child, index)),
            None => (NONE, NONE),
        };
        if role == Role::Separator && parent != NONE {
            self.nodes[parent as usize].separated = true;
        }
        let first_token = self.spans.len() as u32;
        self.nodes.push(Node {
            kind,
            role,
            parent,
            previous,
            separated: false,
            end: index + 1,
            first_token,
            end_token: first_token,
        });
        self.open.push((index, NONE));
    }

    /// Closes the innermost node; one without tokens vanishes.
    pub fn close(&mut self) {
        let (index, _) = self.open.pop().expect("every close has its open");
        let (end, end_token) = (self.nodes.len() as u32, self.spans.len() as u32);
        let node = &mut self.nodes[index as usize];
        (node.end, node.end_token) = (end, end_token);
        if node.first_token == end_token
            && let Some((_, last_child)) = self.open.last_mut()
        {
            *last_child = node.previous;
            self.nodes.truncate(index as usize);
        }
    }

    /// Adds a leaf: the token at `span`, which lies behind all tokens so far. It counts as `weight`
    /// tokens.
    pub fn token(&mut self, span: Range<u32>, weight: u32, kind: u32, role: Role) {
        self.open(kind, role);
        self.spans.push(span);
        self.weights.push(weight);
        self.close();
    }

    /// The tree, all nodes being closed. Nodes that the syntax wants have [`Role::StandIn`] of one
    /// of the `slots`, each the kinds that may stand in such a place; the minimal strings are taken
    /// from the input itself.
    pub fn finish(mut self, quotes: Quotes, slots: &[Vec<u32>]) -> Tree {
        let text = self.text(quotes);
        let stand_ins = stand_in::resolve(&mut self.nodes, &text, &self.weights, slots);
        self.tree(text, stand_ins)
    }

    /// The tree, all nodes being closed, with the minimal strings of a grammar.
    pub fn finish_with(mut self, quotes: Quotes, stand_ins: Vec<StandIn>) -> Tree {
        let text = self.text(quotes);
        self.tree(text, stand_ins)
    }

    fn text(&mut self, quotes: Quotes) -> Text {
        assert!(self.open.is_empty() && !self.nodes.is_empty(), "one root, closed");
        let tokens = Tokens::new(&self.bytes, mem::take(&mut self.spans), quotes);
        Text::new(mem::take(&mut self.bytes), Pieces::Tokens(tokens))
    }

    fn tree(self, text: Text, stand_ins: Vec<StandIn>) -> Tree {
        let text = Arc::new(text.with_weights(&self.weights).with_stand_ins(stand_ins));
        let mut tree =
            Tree { text, nodes: self.nodes, kinds: self.kinds, by_depth: Vec::new(), depths: Vec::new() };
        tree.sort_by_depth();
        tree
    }
}

impl Tree {
    fn sort_by_depth(&mut self) {
        let mut depth = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            depth.push(some(node.parent).map_or(0, |parent| depth[parent] + 1));
        }
        let deepest = depth.iter().max().copied().unwrap_or(0);
        self.depths = alloc::vec![0; deepest + 2];
        depth.iter().for_each(|&depth| self.depths[depth + 1] += 1);
        (1..self.depths.len()).for_each(|i| self.depths[i] += self.depths[i - 1]);
        let mut next = self.depths.clone();
        self.by_depth = alloc::vec![0; self.nodes.len()];
        for (node, &depth) in (0..).zip(&depth) {
            self.by_depth[next[depth] as usize] = node;
            next[depth] += 1;
        }
    }
}
