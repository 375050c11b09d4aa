//! The lossless tree: the tokens of a [`Text`] and, over them, the nodes of its syntax.
//!
//! Nodes lie in one flat vector in preorder, so a subtree is a range of nodes and a range of tokens,
//! and nothing here recurses, however deep the input is nested.
//!
//! Beyond its [`Role`], a grammar tells of a node the [`List`] that it is an element or a separator of,
//! and its *slot*, the set of kinds that may replace it. Siblings that can only be deleted together,
//! such as `= 1` in `int x = 1;`, are below a node of their own, a *group*.

pub(crate) mod builder;
mod graft;
mod node;
mod parts;
pub(crate) mod transform;
mod units;

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use crate::buckets::Buckets;
use crate::lexicon::{Kind, Signs};
use crate::{Names, StandIn, Text, Variant};

pub use node::{List, Node, Role, Slot, Syntax};
pub(crate) use node::{NONE, children, some};
use parts::Part;

/// A syntax tree over the tokens of a text.
#[derive(Clone, Debug)]
pub struct Tree {
    text: Arc<Text>,
    names: Arc<Names>,
    nodes: Vec<Node>,
    kinds: Vec<Kind>,
    /// The number of the kind of groups.
    group: u32,
    /// The languages of its parts, each from a token on. The first part begins with the first token.
    parts: Vec<Part>,
    slots: Vec<Slot>,
    /// The strings that can stand in for nodes.
    stand_ins: Arc<[Arc<StandIn>]>,
    /// The number of the string for each slot.
    minimal: Vec<Option<u32>>,
    /// The nodes of each depth, in preorder.
    levels: Buckets,
    /// How many syntax errors the parser saw, if it counts them.
    errors: Option<u64>,
}

impl Tree {
    /// The tokens.
    pub fn text(&self) -> &Arc<Text> {
        &self.text
    }

    /// The same tree, of a text in which the parser saw so many syntax errors.
    pub fn with_errors(self, errors: u64) -> Self {
        Self { errors: Some(errors), ..self }
    }

    /// How many syntax errors the parser saw. None if it does not count them.
    pub fn errors(&self) -> Option<u64> {
        self.errors
    }

    /// The names that its tokens mention.
    pub fn names(&self) -> &Arc<Names> {
        &self.names
    }

    /// Whether names that are introduced below `node` are known below it only.
    pub fn is_scope(&self, node: usize) -> bool {
        self.nodes[node].scope
    }

    /// All nodes in preorder; the root is the first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The nodes of the subtree of `node`, itself included.
    pub fn subtree(&self, node: usize) -> Range<usize> {
        node..self.nodes[node].end as usize
    }

    /// Those of `nodes` that are inside of no other of them, in preorder.
    pub(crate) fn outermost(&self, mut nodes: Vec<u32>) -> Vec<u32> {
        nodes.sort_unstable();
        let mut end = 0;
        nodes.retain(|&node| {
            let outside = node >= end;
            if outside {
                end = self.nodes[node as usize].end;
            }
            outside
        });
        nodes
    }

    /// The parent of `node`; the root has none.
    pub fn parent(&self, node: usize) -> Option<usize> {
        some(self.nodes[node].parent)
    }

    /// `node` and the nodes that it lies in, innermost first.
    pub fn around(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        core::iter::successors(Some(node), |&node| self.parent(node))
    }

    /// Whether `node` can be deleted or replaced, or must stay.
    pub fn role(&self, node: usize) -> Role {
        self.nodes[node].role
    }

    /// The tokens below `node`.
    pub fn tokens(&self, node: usize) -> Range<usize> {
        self.nodes[node].tokens()
    }

    /// The nodes that the syntax allows to be deleted, without the root.
    pub(crate) fn deletable(&self) -> impl Iterator<Item = usize> + '_ {
        (1..self.nodes.len()).filter(|&node| self.role(node) == Role::Deletable)
    }

    /// The children of `node`, first to last.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        // Here, since whatever goes through a whole tree comes by.
        self.text.cancellation().check();
        children(&self.nodes, node)
    }

    /// What the kind of `node` means.
    pub(crate) fn kind(&self, node: usize) -> &Kind {
        &self.kinds[self.nodes[node].kind as usize]
    }

    /// Whether a leaf of this kind is the value that stands for no object.
    pub(crate) fn is_nothing(&self, kind: u32) -> bool {
        self.kinds.get(kind as usize).is_some_and(|kind| kind.nothing)
    }

    /// The signs of the language in which a token is.
    pub(crate) fn signs(&self, token: usize) -> &Signs {
        let part = self.parts.partition_point(|part| part.first_token as usize <= token);
        &self.parts[part.saturating_sub(1)].signs
    }

    /// Whether two tokens are of one part, as they are in one file.
    pub(crate) fn are_together(&self, one: usize, other: usize) -> bool {
        let part = |token: usize| self.parts.partition_point(|part| part.first_token as usize <= token);
        part(one) == part(other)
    }

    /// Whether there is a language in which something may stand in the place of any value.
    pub(crate) fn has_any_value(&self) -> bool {
        self.parts.iter().any(|part| part.signs.any_value.is_some())
    }

    /// Whether declarations of names are only guessed.
    pub fn guesses_names(&self) -> bool {
        self.parts.iter().all(|part| part.guesses_names)
    }

    /// The name of the kind of `node`.
    pub fn kind_name(&self, node: usize) -> &'static str {
        self.kind(node).name
    }

    /// Whether `node` is a group: siblings that go together.
    pub fn is_group(&self, node: usize) -> bool {
        self.nodes[node].kind == self.group
    }

    /// The list that `node` is an element of, or a separator of, which its role tells; or a last
    /// separator, see [`Tree::is_trailing`].
    pub fn list(&self, node: usize) -> Option<List> {
        let list = self.nodes[node].list;
        (list != NONE).then_some(List { id: list >> 1, some: list & 1 != 0 })
    }

    /// Whether `node` is a separator behind the last element of its list.
    pub fn is_trailing(&self, node: usize) -> bool {
        self.nodes[node].trailing
    }

    /// Whether `node` stands between elements of a list, or behind the last one.
    pub(crate) fn is_separator(&self, node: usize) -> bool {
        self.role(node) == Role::Separator || self.is_trailing(node)
    }

    /// Whether `node` can go and is an element of a list.
    pub(crate) fn is_element(&self, node: usize) -> bool {
        self.nodes[node].role == Role::Deletable && self.is_listed(node)
    }

    /// Whether `node` is an element of a list, also the only one of a list that wants one.
    pub(crate) fn is_listed(&self, node: usize) -> bool {
        self.list(node).is_some() && !self.is_separator(node) && !self.is_trailing(node)
    }

    /// Whether `node` is an element of a list without separators, as statements are.
    pub(crate) fn is_statement(&self, node: usize) -> bool {
        self.is_element(node) && !self.has_separators(node)
    }

    /// Whether separators stand between `node` and its siblings.
    pub(crate) fn has_separators(&self, node: usize) -> bool {
        self.parent(node).is_some_and(|parent| self.is_separated(parent))
    }

    /// Whether separators stand between the children of `node`.
    pub(crate) fn is_separated(&self, node: usize) -> bool {
        self.nodes[node].separated
    }

    /// The scopes below the root.
    pub(crate) fn scopes(&self) -> impl Iterator<Item = usize> + '_ {
        (1..self.nodes.len()).filter(|&node| self.is_scope(node))
    }

    /// The tokens from the first of some nodes to the last.
    pub(crate) fn span(&self, nodes: &[usize]) -> Option<Range<usize>> {
        Some(self.tokens(*nodes.first()?).start..self.tokens(*nodes.last()?).end)
    }

    /// The lists among the children of `node` with their elements, first to last.
    pub fn lists(&self, node: usize) -> Vec<(List, Vec<usize>)> {
        let mut lists: Vec<(List, Vec<usize>)> = Vec::new();
        for child in self.children(node) {
            let Some(list) = self.list(child).filter(|_| !self.is_separator(child)) else { continue };
            // They are one behind the other, apart from what may stand anywhere.
            match lists.last_mut() {
                Some((last, elements)) if *last == list => elements.push(child),
                _ => lists.push((list, alloc::vec![child])),
            }
        }
        lists
    }

    /// The slot of `node`: what may stand in its place. Unknown for groups and where the grammar
    /// does not tell.
    pub fn slot(&self, node: usize) -> Option<u32> {
        some(self.nodes[node].slot).map(|slot| slot as u32)
    }

    /// Whether a node of this kind fits a slot.
    pub fn fits(&self, slot: u32, kind: u32) -> bool {
        self.slots[slot as usize].kinds.binary_search(&kind).is_ok()
    }

    /// Whether `inner` may replace `outer`: by the grammar, or where that does not tell, by its kind.
    pub(crate) fn can_replace(&self, inner: usize, outer: usize) -> bool {
        let kind = self.nodes[inner].kind;
        let fits = self.slot(outer).map_or(kind == self.nodes[outer].kind, |slot| self.fits(slot, kind));
        fits && !self.is_group(inner)
    }

    /// The slot of the largest node around `leaf` that has at most so many tokens, of those that have one.
    pub(crate) fn slot_of(&self, leaf: usize, tokens: usize) -> Option<u32> {
        let alone = self.around(leaf).take_while(|&node| self.tokens(node).len() <= tokens);
        alone.filter_map(|node| self.slot(node)).last()
    }

    /// The kinds that fit a slot, in ascending order.
    pub fn slot_kinds(&self, slot: u32) -> &[u32] {
        &self.slots[slot as usize].kinds
    }

    /// The shortest text that is known to fit a slot, by its number.
    pub fn minimal(&self, slot: u32) -> Option<u32> {
        self.minimal.get(slot as usize).copied().flatten()
    }

    /// The string of this number, which can stand in for nodes.
    pub fn stand_in(&self, number: u32) -> &Arc<StandIn> {
        &self.stand_ins[number as usize]
    }

    /// The number of nodes with children, and of those whose children the grammar's productions
    /// derive, so that it knows their slots. Groups are part of the node that they are in; nodes
    /// that hold errors do not count.
    pub fn derived(&self) -> (usize, usize) {
        let mut of_node = alloc::vec![(false, false); self.nodes.len()];
        for child in 1..self.nodes.len() {
            let Some(parent) = self.around(child).skip(1).find(|&node| !self.is_group(node)) else {
                continue;
            };
            if self.kind(parent).error || self.kind(child).error {
                continue;
            }
            let known = of_node[parent].1 || self.slot(child).is_some();
            of_node[parent] = (true, known);
        }
        let count = |is: fn(&(bool, bool)) -> bool| of_node.iter().filter(|node| is(node)).count();
        (count(|node| node.0), count(|node| node.1))
    }

    /// The name of a kind.
    pub fn name_of_kind(&self, kind: u32) -> &'static str {
        self.kinds[kind as usize].name
    }

    /// The number of depths.
    pub fn depth(&self) -> usize {
        self.levels.len()
    }

    /// The nodes of a depth, first to last; the root is at depth 0.
    pub fn level(&self, depth: usize) -> &[u32] {
        self.levels.of(depth)
    }

    /// Where they are among all nodes, level by level.
    pub(crate) fn positions(&self, depth: usize) -> Range<usize> {
        self.levels.range(depth)
    }

    /// All nodes, level by level.
    pub fn breadth_first(&self) -> &[u32] {
        self.levels.all()
    }

    /// The sibling before `node`.
    pub(crate) fn previous(&self, node: usize) -> Option<usize> {
        let parent = self.parent(node)?;
        // What stands right before is its parent, or the last node of the sibling.
        self.around(node - 1).take_while(|&other| other > parent).last()
    }

    /// The sibling behind `node`.
    pub(crate) fn next(&self, node: usize) -> Option<usize> {
        let next = self.nodes[node].end;
        let parent = self.parent(node)?;
        (next < self.nodes[parent].end).then_some(next as usize)
    }

    /// Takes the separators of the `removed` nodes out of `variant`, siblings in order: the one
    /// behind an element goes with it; the last element takes the one before it.
    pub(crate) fn settle_separators(&self, removed: &[u32], variant: &mut Variant) {
        for node in removed.iter().map(|&node| node as usize) {
            if !self.has_separators(node) || variant.has(self.tokens(node)) {
                continue;
            }
            let stands = |node: &usize| variant.has(self.tokens(*node));
            // What may stand anywhere, such as an error, may also stand beside an element.
            let in_list = |other: &usize| self.nodes[*other].list == self.nodes[node].list;
            let ahead = core::iter::successors(self.next(node), |&node| self.next(node));
            let behind =
                ahead.into_iter().find(in_list).filter(|&next| self.is_separator(next)).filter(stands);
            let before = || {
                let back = core::iter::successors(self.previous(node), |&node| self.previous(node));
                back.filter(in_list).take_while(|node| self.is_separator(*node) || !stands(node)).find(stands)
            };
            if let Some(separator) = behind.or_else(before) {
                variant.kept.remove_range(self.tokens(separator));
            }
        }
    }
}
