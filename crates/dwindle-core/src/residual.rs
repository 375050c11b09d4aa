//! The residual tree: what a variant leaves of a tree, and what may replace its nodes.
//!
//! A node *stands* if any of its tokens is left. A node that has lost a part which its kind cannot do without is *broken*: the
//! only child that is left stands in its place.

use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::ops::Range;

use crate::edit::Change;
use crate::range::{narrow, widen};
use crate::tree::{List, Role, Tree};
use crate::tuning::WalkTuning;
use crate::{Subset, Variant};

/// A tree, and the variant of its text that tells what is left of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResidualTree<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) variant: &'a Variant,
}

/// What may be tried at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Alternative {
    /// The node is deleted.
    Delete,
    /// Only these of its tokens are kept.
    Keep(Range<u32>),
    /// This string replaces it.
    StandIn(u32),
    /// Its siblings in its list are deleted.
    Alone,
}

/// An entry of the work list. The largest in order is taken first: that with most tokens, then the last in the text. This is
/// Perses' order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Item {
    pub(crate) tokens: u32,
    /// The node; for a list, its first element.
    pub(crate) node: u32,
    pub(crate) is_list: bool,
}

/// An element of a list that is searched: up to two ranges of tokens that are deleted together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Element {
    /// The element itself, or the node whose wrapper it is.
    pub(crate) node: u32,
    pub(crate) tokens: [Range<u32>; 2],
}

/// Where the next node of a chain is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recursion {
    /// Below the first or the last child.
    AtEnds,
    /// Below the largest child.
    Anywhere,
}

impl ResidualTree<'_> {
    pub(crate) fn stands(&self, node: usize) -> bool {
        self.variant.has(self.tree.tokens(node))
    }

    /// How many tokens are left in `range`, with those of inserted strings.
    pub(crate) fn size(&self, range: Range<usize>) -> u32 {
        let places = &self.variant.insertions;
        let first = places.partition_point(|place| (place.at as usize) < range.start);
        let inside = places[first..].iter().take_while(|place| (place.at as usize) < range.end);
        let in_places: u32 = inside.map(|place| place.string.tokens).sum();
        self.variant.kept.count(range) as u32 + in_places
    }

    pub(crate) fn size_of(&self, node: usize) -> u32 {
        self.size(self.tree.tokens(node))
    }

    /// How many tokens the deletion of `element` would delete.
    pub(crate) fn size_of_element(&self, element: &Element) -> u32 {
        element.tokens.iter().map(|range| self.size(widen(range))).sum()
    }

    /// The entry of the work list for `node`, or for the list whose first element it is.
    pub(crate) fn item(&self, node: usize, is_list: bool) -> Item {
        let tokens = match self.tree.list(node) {
            Some(list) if is_list => {
                self.list_of(node, list).iter().map(|&element| self.size_of(element)).sum()
            }
            _ => self.size_of(node),
        };
        Item { tokens, node: node as u32, is_list }
    }

    /// The entries of the work list for the lists and parts below `node`.
    pub(crate) fn items_below(&self, node: usize) -> Vec<Item> {
        let content = self.content(node);
        let lists = self.lists(content);
        let first = |(_, elements): &(List, Vec<usize>)| self.item(elements[0], true);
        let parts = self.parts(content).map(|part| self.item(part, false));
        lists.iter().map(first).chain(parts).collect()
    }

    fn remaining_children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.tree.children(node).filter(|&child| self.stands(child))
    }

    /// Whether `node` has lost a child that its kind cannot do without.
    fn is_broken(&self, node: usize) -> bool {
        let required = |child| matches!(self.tree.role(child), Role::Fixed | Role::StandIn(_));
        self.tree.children(node).any(|child| required(child) && !self.stands(child))
    }

    /// The node that stands in the place of `node`: itself or one below it.
    pub(crate) fn content(&self, mut node: usize) -> usize {
        while self.is_broken(node) {
            let mut children = self.remaining_children(node);
            match (children.next(), children.next()) {
                (Some(only), None) => node = only,
                _ => break,
            }
        }
        node
    }

    /// The lists below `content`, with the elements that are left.
    pub(crate) fn lists(&self, content: usize) -> Vec<(List, Vec<usize>)> {
        let mut lists = self.tree.lists(content);
        lists.iter_mut().for_each(|(_, elements)| elements.retain(|&element| self.stands(element)));
        lists.retain(|(_, elements)| !elements.is_empty());
        lists
    }

    /// The elements that are left of the list of `node`.
    pub(crate) fn list_of(&self, node: usize, list: List) -> Vec<usize> {
        let element = |&other: &usize| self.tree.list(other) == Some(list) && !self.tree.is_separator(other);
        let siblings = self.tree.parent(node).into_iter().flat_map(|parent| self.remaining_children(parent));
        siblings.filter(element).collect()
    }

    /// The children of `content` that are in no list.
    pub(crate) fn parts(&self, content: usize) -> impl Iterator<Item = usize> + '_ {
        self.remaining_children(content)
            .filter(|&child| self.tree.list(child).is_none() || self.tree.is_trailing(child))
            .filter(|&child| self.tree.role(child) != Role::Separator)
    }

    /// Whether the text stays valid without `node`, as far as the grammar tells.
    pub(crate) fn can_go(&self, mut node: usize) -> bool {
        loop {
            let parent = self.tree.parent(node);
            let is_only = |parent: usize| !self.remaining_children(parent).any(|other| other != node);
            if let Some(parent) = parent.filter(|&parent| self.is_broken(parent) && is_only(parent)) {
                // It stands in the place of its parent.
                node = parent;
                continue;
            }
            if self.tree.role(node) != Role::Deletable {
                return false;
            }
            let Some(parent) = parent else { return true };
            let list = self.tree.list(node).filter(|_| !self.tree.is_trailing(node));
            if let Some(list) = list.filter(|list| list.some)
                && self.list_of(node, list).len() < 2
            {
                return false;
            }
            if !is_only(parent) || self.tree.parent(parent).is_none() {
                return true;
            }
            node = parent;
        }
    }

    /// Whether all elements of a list can be deleted.
    pub(crate) fn can_be_empty(&self, list: List, elements: &[usize]) -> bool {
        let Some(parent) = elements.first().and_then(|&element| self.tree.parent(element)) else {
            return false;
        };
        let in_list = |child| self.tree.list(child) == Some(list);
        !list.some
            && (self.tree.parent(parent).is_none()
                || self.remaining_children(parent).any(|child| !in_list(child))
                || self.can_go(parent))
    }

    /// What may replace `node`, that first which leaves least: parts of it and, with `strings` where it cannot be deleted,
    /// the minimal string of its place. Equal ones are in the order in which they are found.
    pub(crate) fn replacements(&self, node: usize, strings: bool, tuning: WalkTuning) -> Vec<Alternative> {
        let Some(slot) = self.tree.slot(node) else { return Vec::new() };
        let size = self.size_of(node);
        let is_wanted = |&string: &u32| strings && !self.can_go(node) && self.is_shorter(string, node);
        let string = self.tree.minimal(slot).filter(is_wanted);
        let string = string.map(|string| (self.tree.stand_in(string).tokens, Alternative::StandIn(string)));
        let parts = self.fitting(node, slot, tuning).into_iter();
        let parts = parts.map(|part| (self.size(part.clone()), Alternative::Keep(narrow(part))));
        let parts = parts.filter(|(tokens, _)| (1..size).contains(tokens));
        let mut all: Vec<(u32, Alternative)> = string.into_iter().chain(parts).collect();
        all.sort_by_key(|(tokens, _)| *tokens);
        all.into_iter().map(|(_, alternative)| alternative).collect()
    }

    /// Whether a string has fewer tokens than what is left of `node`, or both are one token and that of the string is
    /// shorter.
    fn is_shorter(&self, string: u32, node: usize) -> bool {
        let string = self.tree.stand_in(string);
        let size = self.size_of(node);
        let token = self.variant.kept.next_from(self.tree.tokens(node).start);
        let is_longer = |token: usize| self.tree.text().piece(token).len() > string.bytes.len();
        string.tokens < size || (size, string.tokens) == (1, 1) && token.is_some_and(is_longer)
    }

    /// The tokens of the lists and nodes below `node` that fit `slot`. Lists come before nodes, however deep they lie, as
    /// in Perses.
    fn fitting(&self, node: usize, slot: u32, tuning: WalkTuning) -> Vec<Range<usize>> {
        let (mut lists, mut nodes) = (Vec::new(), Vec::new());
        // Several statements may replace one.
        let mut below = VecDeque::from([(self.content(node), 0, self.tree.is_statement(node))]);
        while let Some((parent, depth, spliced)) = below.pop_front() {
            let list = (spliced && depth < tuning.list_depth).then(|| self.spliced(parent, slot)).flatten();
            let on = spliced && list.is_none();
            lists.extend(list);
            if depth == tuning.depth {
                continue;
            }
            let crowded = self.crowded_list(parent);
            for child in self.remaining_children(parent) {
                if crowded.is_some() && self.tree.list(child) == crowded {
                    continue;
                }
                let child = self.content(child);
                if self.tree.fits(slot, self.tree.nodes()[child].kind) && !self.tree.is_group(child) {
                    nodes.push(self.tree.tokens(child));
                }
                below.push_back((child, depth + 1, on));
            }
        }
        lists.append(&mut nodes);
        lists
    }

    /// The first list below `content` that has several elements and no separators. None of these elements replaces a node
    /// around it by itself: the search of the list finds what can be deleted beside it.
    fn crowded_list(&self, content: usize) -> Option<List> {
        if self.tree.is_separated(content) {
            return None;
        }
        self.lists(content).into_iter().find(|(_, elements)| elements.len() > 1).map(|(list, _)| list)
    }

    /// The tokens of the first list below `content` whose elements all fit `slot`.
    fn spliced(&self, content: usize, slot: u32) -> Option<Range<usize>> {
        if self.tree.is_separated(content) {
            return None;
        }
        let fits = |&element: &usize| self.tree.fits(slot, self.tree.nodes()[self.content(element)].kind);
        let (_, elements) =
            self.lists(content).into_iter().find(|(_, elements)| elements.iter().all(fits))?;
        self.tree.span(&elements)
    }

    /// The nodes of the chain that begins in the place of `node`, outermost first: nodes of one kind, each at most `steps`
    /// levels below the one before. Only the outermost is returned if it is `known` to be in a chain already.
    pub(crate) fn chain_at(
        &self,
        node: usize,
        recursion: Recursion,
        steps: usize,
        known: &Subset,
    ) -> Vec<usize> {
        let mut chain = alloc::vec![self.content(node)];
        if known.contains(chain[0]) || self.tree.slot(chain[0]).is_none() {
            return chain;
        }
        while let Some(inner) = chain.last().and_then(|&outer| self.next_in_chain(outer, recursion, steps)) {
            chain.push(inner);
        }
        chain
    }

    fn next_in_chain(&self, outer: usize, recursion: Recursion, steps: usize) -> Option<usize> {
        let kind = self.tree.nodes()[outer].kind;
        let fits = |node: usize| {
            self.tree.nodes()[node].kind == kind
                && self.tree.slot(node).is_some_and(|slot| self.tree.fits(slot, kind))
        };
        let down = |choose: &dyn Fn(usize) -> Option<usize>| {
            let path = core::iter::successors(choose(outer), |&node| choose(node));
            path.take(steps).find(|&node| fits(node))
        };
        // The first child, the last, and the one with most tokens.
        let first = |node| self.remaining_children(node).next();
        let last = |node| self.remaining_children(node).last();
        let heaviest = |node| {
            self.remaining_children(node)
                .map(|child| self.content(child))
                .max_by_key(|&child| (self.tree.tokens(child).len(), core::cmp::Reverse(child)))
        };
        match recursion {
            Recursion::AtEnds => down(&first).or_else(|| down(&last)),
            Recursion::Anywhere => down(&heaviest),
        }
    }

    /// The wrappers of a chain. The wrapper of a node is what it has outside of the next node of the chain.
    pub(crate) fn wrappers(&self, chain: &[usize]) -> Vec<Element> {
        let wrapper = |pair: &[usize]| {
            let (outer, inner) = (narrow(self.tree.tokens(pair[0])), narrow(self.tree.tokens(pair[1])));
            Element { node: pair[0] as u32, tokens: [outer.start..inner.start, inner.end..outer.end] }
        };
        chain.windows(2).map(wrapper).collect()
    }

    pub(crate) fn elements(&self, nodes: &[usize]) -> Vec<Element> {
        let element = |&node: &usize| {
            let tokens = narrow(self.tree.tokens(node));
            Element { node: node as u32, tokens: [tokens.clone(), tokens.end..tokens.end] }
        };
        nodes.iter().map(element).collect()
    }

    /// The change that `alternative` makes at `node`.
    pub(crate) fn change(&self, node: usize, alternative: &Alternative) -> Change {
        match alternative {
            Alternative::Delete => Change::deletion([node as u32]),
            Alternative::Alone => {
                let list = self.tree.list(node).map(|list| self.list_of(node, list)).unwrap_or_default();
                let others = list.into_iter().filter(|&other| other != node);
                Change::deletion(others.map(|other| other as u32))
            }
            Alternative::Keep(range) => Change::keep(self.tree.tokens(node), widen(range)),
            Alternative::StandIn(string) => {
                Change::replacement(self.tree.tokens(node), self.tree.stand_in(*string).clone())
            }
        }
    }
}
