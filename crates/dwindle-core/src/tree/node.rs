//! The nodes of a tree, and what the syntax says of them.

use alloc::vec::Vec;
use core::ops::Range;

use crate::StandIn;
use crate::buckets::Buckets;

/// No node, or nothing else that has a number.
pub(crate) const NONE: u32 = u32::MAX;

/// A node, with the positions of its relatives in the vector of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its kind; [`Tree::kind_name`](crate::Tree::kind_name) has the name.
    pub kind: u32,
    /// What may become of it.
    pub role: Role,
    pub(super) parent: u32,
    /// Whether separators stand between its children.
    pub(super) separated: bool,
    /// Whether it is a separator behind the last element of a list.
    pub(super) trailing: bool,
    /// Whether names that are introduced below it are known below it only.
    pub(super) scope: bool,
    pub(super) slot: u32,
    pub(super) list: u32,
    /// Behind its last descendant.
    pub(super) end: u32,
    pub(super) first_token: u32,
    pub(super) end_token: u32,
}

/// What may become of a node, as far as the syntax says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It stays as long as its parent does.
    Fixed,
    /// It can go without a trace.
    Deletable,
    /// It cannot go, but this string can stand in for it, by its number in the tree.
    StandIn(u32),
    /// It stands between two elements of a list: it goes with the one before it, or with the one
    /// behind it when that was the last.
    Separator,
}

/// What the syntax says of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Syntax {
    /// What may become of it.
    pub role: Role,
    /// The kinds that may stand in its place, by their number.
    pub slot: Option<u32>,
    /// The list that it is an element or a separator of.
    pub list: Option<List>,
    /// Whether it is a separator that may stand behind the last element, and does. Its role says
    /// what may become of it alone; it goes with the last element in any case.
    pub trailing: bool,
}

impl From<Role> for Syntax {
    fn from(role: Role) -> Self {
        Self { role, slot: None, list: None, trailing: false }
    }
}

/// A list: siblings any of which can go, apart from the last of those that need one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct List {
    /// Which list, below 2^31. No other list in a tree has the same number.
    pub id: u32,
    /// Whether one element has to stay.
    pub some: bool,
}

/// What may stand in a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slot {
    /// The kinds, in ascending order.
    pub kinds: Vec<u32>,
    /// The shortest text that may, as far as the grammar knows. The input may have a better one.
    pub minimal: Option<StandIn>,
}

impl Node {
    pub(crate) fn parent(&self) -> Option<usize> {
        some(self.parent)
    }

    pub(crate) fn end(&self) -> usize {
        self.end as usize
    }

    pub(crate) fn slot(&self) -> Option<usize> {
        some(self.slot)
    }

    /// Whether it has no children, `index` being its own position.
    pub(crate) fn is_leaf(&self, index: usize) -> bool {
        self.end() == index + 1
    }

    /// The number of the list that it is an element of, if that needs one.
    pub(crate) fn needed_element(&self) -> Option<u32> {
        let element = self.role == Role::Deletable && !self.trailing;
        (element && self.list != NONE && self.list & 1 != 0).then_some(self.list)
    }

    /// The tokens below it.
    pub fn tokens(&self) -> Range<usize> {
        self.first_token as usize..self.end_token as usize
    }
}

/// The children of `node` in the vector of nodes, first to last.
pub(crate) fn children(nodes: &[Node], node: usize) -> impl Iterator<Item = usize> + '_ {
    let end = nodes[node].end();
    let child = move |at: usize| (at < end).then_some(at);
    core::iter::successors(child(node + 1), move |&last| child(nodes[last].end()))
}

/// The nodes of each depth, in preorder.
pub(super) fn levels(nodes: &[Node]) -> Buckets {
    let depths = depths(nodes);
    let levels = depths.iter().max().map_or(0, |&deepest| deepest as usize + 1);
    Buckets::new(levels, depths.iter().copied().map(Some))
}

/// The depth of each node; that of the root is 0.
pub(super) fn depths(nodes: &[Node]) -> Vec<u32> {
    let mut depths: Vec<u32> = Vec::with_capacity(nodes.len());
    for node in nodes {
        depths.push(node.parent().map_or(0, |parent| depths[parent] + 1));
    }
    depths
}

/// What has a number, if there is one.
pub(crate) fn some(number: u32) -> Option<usize> {
    (number != NONE).then_some(number as usize)
}
