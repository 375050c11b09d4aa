//! How a tree is built from what a parser sees.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use super::Tree;
use super::node::{NONE, Node, Role, Slot, Syntax, levels};
use super::parts::{Grafted, Part};
use crate::lexicon::{Kind, Lexicon};
use crate::{Cancellation, How, Mention, Names, Pieces, Quotes, StandIn, Text, Tokens, stand_in};

/// Builds a [`Tree`] from what a parser sees, in the order of the text.
#[derive(Debug)]
pub struct TreeBuilder {
    bytes: Vec<u8>,
    pub(super) cancellation: Cancellation,
    pub(super) nodes: Vec<Node>,
    pub(super) lexicon: Lexicon,
    /// The number of the kind of groups.
    pub(super) group: u32,
    pub(super) spans: Vec<Range<u32>>,
    pub(super) weights: Vec<u32>,
    pub(super) names: Names,
    pub(super) grafted: Grafted,
    /// The nodes that are open, outermost first.
    pub(super) open: Vec<u32>,
}

impl TreeBuilder {
    /// Nothing yet, over `bytes`, with the kinds of nodes and what is known of the language.
    pub fn new(bytes: Vec<u8>, lexicon: impl Into<Lexicon>) -> Self {
        Self::cancelled_by(Cancellation::default(), bytes, lexicon)
    }

    /// The same of a tree that is wanted until `cancellation` says that it is not.
    pub fn cancelled_by(cancellation: Cancellation, bytes: Vec<u8>, lexicon: impl Into<Lexicon>) -> Self {
        let mut lexicon = lexicon.into();
        let group = lexicon.kinds.len() as u32;
        lexicon.kinds.push(Kind::from("group"));
        Self {
            bytes,
            cancellation,
            nodes: Vec::new(),
            lexicon,
            group,
            grafted: Grafted::default(),
            spans: Vec::new(),
            weights: Vec::new(),
            names: Names::default(),
            open: Vec::new(),
        }
    }

    /// Opens a node; what comes until it is closed lies below it.
    pub fn open(&mut self, kind: u32, syntax: impl Into<Syntax>) {
        self.cancellation.check();
        let Syntax { role, slot, list, trailing } = syntax.into();
        let index = self.nodes.len() as u32;
        let parent = self.open.last().copied().unwrap_or(NONE);
        if (role == Role::Separator || trailing) && parent != NONE {
            self.nodes[parent as usize].separated = true;
        }
        let first_token = self.spans.len() as u32;
        self.nodes.push(Node {
            kind,
            role,
            parent,
            separated: false,
            trailing,
            scope: false,
            slot: slot.unwrap_or(NONE),
            list: list.map_or(NONE, |list| list.id << 1 | u32::from(list.some)),
            end: index + 1,
            first_token,
            end_token: first_token,
        });
        self.open.push(index);
    }

    /// Opens a node for siblings that go together.
    pub fn open_group(&mut self, syntax: impl Into<Syntax>) {
        self.open(self.group, syntax);
    }

    /// Closes the innermost node; one without tokens vanishes.
    pub fn close(&mut self) {
        let index = self.open.pop().expect("every close has its open");
        let (end, end_token) = (self.nodes.len() as u32, self.spans.len() as u32);
        let node = &mut self.nodes[index as usize];
        (node.end, node.end_token) = (end, end_token);
        if node.first_token == end_token && !self.open.is_empty() {
            self.nodes.truncate(index as usize);
        }
    }

    /// Adds a leaf: the token at `span`, which lies behind all tokens so far. It counts as `weight`
    /// tokens.
    pub fn token(&mut self, span: Range<u32>, weight: u32, kind: u32, syntax: impl Into<Syntax>) {
        self.open(kind, syntax);
        self.spans.push(span);
        self.weights.push(weight);
        self.close();
    }

    /// The innermost node that is open is a scope: names that are introduced below it are known below
    /// it only.
    pub fn scope(&mut self) {
        if let Some(&node) = self.open.last() {
            self.nodes[node as usize].scope = true;
        }
    }

    /// The token that was added last mentions a name.
    pub fn name(&mut self, spelling: &[u8], how: How) {
        if let Some(token) = self.spans.len().checked_sub(1) {
            self.names.add(token as u32, spelling, how);
        }
    }

    /// These are all mentions of names, in the order of the tokens; names are numbers of different `spellings`.
    pub fn names(&mut self, spellings: &[Arc<[u8]>], mentions: Vec<Mention>) {
        self.names = Names::of(spellings, mentions);
    }

    /// For texts without productions: the children of a node that can go are a list, and `slot` has
    /// the slots of the kinds.
    pub fn guess(&mut self, slot: impl Fn(u32) -> Option<u32>) {
        for index in 0..self.nodes.len() {
            let node = self.nodes[index];
            let goes = matches!(node.role, Role::Deletable | Role::Separator);
            if goes && let Some(parent) = node.parent() {
                self.nodes[index].list = (parent as u32) << 1;
            }
            if node.role == Role::Deletable || !node.is_leaf(index) {
                self.nodes[index].slot = slot(node.kind).unwrap_or(NONE);
            }
        }
    }

    /// The tree, all nodes being closed. Nodes that the syntax wants have [`Role::StandIn`] of one
    /// of the `slots`; the minimal strings are those of the grammar or, where they are as short, from
    /// the input itself.
    pub fn finish(mut self, quotes: Quotes, slots: &[Slot]) -> Tree {
        let (text, parts) = self.text(quotes);
        self.nodes.shrink_to_fit();
        let (stand_ins, minimal) = stand_in::resolve(&mut self.nodes, &text, &self.weights, slots);
        let stand_ins = stand_ins.into_iter().map(Arc::new).collect();
        Tree { slots: slots.to_vec(), minimal, ..self.tree(text, parts, stand_ins) }
    }

    /// The tree, all nodes being closed, with the minimal strings of a grammar.
    pub fn finish_with(mut self, quotes: Quotes, stand_ins: Vec<StandIn>) -> Tree {
        let (text, parts) = self.text(quotes);
        self.tree(text, parts, stand_ins.into_iter().map(Arc::new).collect())
    }

    /// The text, and its only part, which is what is not grafted.
    fn text(&mut self, quotes: Quotes) -> (Text, Vec<Part>) {
        let Lexicon { signs, guesses_names, .. } = self.lexicon;
        let parts = alloc::vec![Part { first_token: 0, quotes, signs, guesses_names }];
        (self.text_in(&parts), parts)
    }

    pub(super) fn text_in(&mut self, parts: &[Part]) -> Text {
        assert!(self.open.is_empty() && !self.nodes.is_empty(), "one root, closed");
        self.spans.shrink_to_fit();
        let quotes = parts.iter().map(|part| (part.first_token, part.quotes)).collect();
        let tokens = Tokens::in_parts(&self.bytes, mem::take(&mut self.spans), quotes);
        Text::new(mem::take(&mut self.bytes), Pieces::Tokens(tokens)).cancelled_by(self.cancellation.clone())
    }

    pub(super) fn tree(self, text: Text, parts: Vec<Part>, stand_ins: Arc<[Arc<StandIn>]>) -> Tree {
        Tree {
            text: Arc::new(text.with_weights(&self.weights)),
            levels: levels(&self.nodes),
            stand_ins,
            names: Arc::new(self.names),
            nodes: self.nodes,
            kinds: self.lexicon.kinds,
            group: self.group,
            parts,
            slots: Vec::new(),
            minimal: Vec::new(),
            errors: None,
        }
    }
}
