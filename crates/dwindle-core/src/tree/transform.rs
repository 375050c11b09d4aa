//! Other trees over the same text: picireny's preparations of a tree, and a node in the place of one
//! above it.
//!
//! Squeezing leaves the texts that deletions can reach as they are. Flattening adds texts, which are as
//! valid as the input: without a group, the node around it has given way to the one inside of it, which
//! is of its kind.

use alloc::vec::Vec;
use core::ops::Range;

use super::Tree;
use super::node::{NONE, Node, Role, depths, levels};
use crate::named::named;

named! {
    /// What is done to a tree before or while it is searched.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Transform {
        /// A node and its only child become one where the same may become of both.
        Squeeze = "squeeze",
        /// A chain of nodes of one kind, each the first or the last child of the one above, becomes one
        /// node: the innermost, and beside it what is around it at each step, as a group that can go.
        Flatten = "flatten",
        /// Nodes are not asked about that stay whatever is said.
        Skip = "skip",
        /// A node is replaced by one below it that fits its place.
        Hoist = "hoist",
    }
}

/// A set of transformations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transforms([bool; Transform::ALL.len()]);

impl Transforms {
    /// Whether it is one of them.
    pub fn has(self, transform: Transform) -> bool {
        self.0[transform as usize]
    }

    /// All of them, in order.
    pub fn iter(self) -> impl Iterator<Item = Transform> {
        Transform::ALL.into_iter().filter(move |&transform| self.has(transform))
    }
}

impl FromIterator<Transform> for Transforms {
    fn from_iter<I: IntoIterator<Item = Transform>>(all: I) -> Self {
        let mut set = Self([false; Transform::ALL.len()]);
        all.into_iter().for_each(|transform| set.0[transform as usize] = true);
        set
    }
}

/// Skipping alone, which takes nothing but needless questions.
impl Default for Transforms {
    fn default() -> Self {
        [Transform::Skip].into_iter().collect()
    }
}

/// At which end of a node its kind recurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// A node with its depth below the root, of a tree that is written in preorder.
type Entry = (Node, usize);

impl Tree {
    /// The tree with every chain of nodes with one child each made into one node, as far as the same
    /// may become of them.
    pub fn squeezed(&self) -> Self {
        let mut outline: Vec<Entry> = Vec::with_capacity(self.nodes.len());
        // The depth of what each node has become, or has become part of.
        let mut depths: Vec<usize> = Vec::with_capacity(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            let parent = node.parent();
            let is_only =
                |&parent: &usize| parent > 0 && parent + 1 == index && self.nodes[parent].end == node.end;
            // What was written last is what its parent has become.
            let above = parent.filter(is_only).and_then(|_| outline.last_mut());
            match above.and_then(|above| Some((self.united(&above.0, node)?, above))) {
                Some((one, above)) => above.0 = one,
                None => outline.push((*node, parent.map_or(0, |parent| depths[parent] + 1))),
            }
            depths.extend(outline.last().map(|&(_, depth)| depth));
        }
        self.regrown(outline)
    }

    /// A node and its only child as one.
    fn united(&self, outer: &Node, inner: &Node) -> Option<Node> {
        let told = match (outer.role, inner.role) {
            (Role::Separator, _) | (_, Role::Separator) => return None,
            _ if outer.trailing || inner.trailing => return None,
            (Role::Fixed, _) => inner,
            (_, Role::Fixed) => outer,
            (one, other) if one == other => outer,
            _ => return None,
        };
        let group = self.group as usize;
        Some(Node {
            kind: if inner.kind as usize == group { outer.kind } else { inner.kind },
            slot: if outer.slot == NONE { inner.slot } else { outer.slot },
            scope: outer.scope || inner.scope,
            ..*told
        })
    }

    /// The tree with the chains of nodes that recur at an end made flat.
    pub fn flattened(&self) -> Self {
        let links: Vec<Option<(End, usize)>> =
            (0..self.nodes.len()).map(|node| self.recursion(node)).collect();
        let link_to =
            |node: usize| self.parent(node).and_then(|parent| links[parent]).filter(|link| link.1 == node);
        // Neither the first nor the last of a chain.
        let within =
            |node: usize| link_to(node).zip(links[node]).is_some_and(|(above, below)| above.0 == below.0);
        // Without the groups the innermost stands where the outermost stood; what stands in for it in its
        // own place need not fit there, only its own kind does.
        let told = |node: usize| {
            let Some(parent) = link_to(node).and_then(|_| self.parent(node)) else { return self.nodes[node] };
            let above =
                core::iter::successors(Some(parent), |&node| within(node).then(|| self.parent(node))?);
            let outermost = above.last().map_or(NONE, |outermost| self.nodes[outermost].slot);
            match self.nodes[node] {
                inner if inner.slot == outermost => inner,
                inner => Node { role: Role::Fixed, slot: NONE, ..inner },
            }
        };
        let group = |tokens: Range<u32>| Node {
            kind: self.group,
            role: Role::Deletable,
            trailing: false,
            scope: false,
            slot: NONE,
            list: NONE,
            first_token: tokens.start,
            end_token: tokens.end,
            ..self.nodes[0]
        };
        let mut outline: Vec<Entry> = Vec::with_capacity(self.nodes.len());
        let mut open: Vec<usize> = Vec::new();
        let mut depth = 0;
        for index in 0..=self.nodes.len() {
            while let Some(node) = open.pop_if(|node| self.nodes[*node].end() <= index) {
                depth -=
                    usize::from(matches!(links[node], Some((End::First, _)))) + usize::from(!within(node));
                if let (Some((End::First, _)), Some(parent)) = (link_to(node), self.parent(node)) {
                    outline.push((group(self.nodes[node].end_token..self.nodes[parent].end_token), depth));
                    depth += 1;
                }
            }
            let Some(node) = self.nodes.get(index) else { break };
            depth -= usize::from(matches!(link_to(index), Some((End::Last, _))));
            if !within(index) {
                outline.push((told(index), depth));
                depth += 1;
            }
            if let Some((End::Last, child)) = links[index] {
                outline.push((group(node.first_token..self.nodes[child].first_token), depth));
                depth += 1;
            }
            open.push(index);
        }
        self.regrown(outline)
    }

    /// The child of `node` that is of its kind and could stand in its place, if it is the first or the
    /// last of several.
    fn recursion(&self, node: usize) -> Option<(End, usize)> {
        let kind = self.nodes[node].kind;
        let recurs = |child: usize| {
            let is = &self.nodes[child];
            let wanted = matches!(is.role, Role::Fixed | Role::StandIn(_));
            wanted && is.kind == kind && self.slot(child).is_some_and(|slot| self.fits(slot, kind))
        };
        let mut children = self.children(node);
        let first = children.next()?;
        let last = children.last()?;
        recurs(first).then_some((End::First, first)).or_else(|| recurs(last).then_some((End::Last, last)))
    }

    /// The tree with `inner`, a node below `place`, in the place of that. The nodes before `place` are
    /// where they were; those between it and `inner`, and those behind `inner` in it, are gone.
    pub(crate) fn hoisted(&self, place: usize, inner: usize) -> Self {
        let depths = depths(&self.nodes);
        let raised = depths[inner] - depths[place];
        let outer = self.nodes[place];
        let there = Node {
            role: outer.role,
            trailing: outer.trailing,
            slot: outer.slot,
            list: outer.list,
            ..self.nodes[inner]
        };
        let entry = |node: usize| (self.nodes[node], depths[node] as usize);
        let below =
            self.subtree(inner).skip(1).map(|node| (self.nodes[node], (depths[node] - raised) as usize));
        let behind = self.nodes[place].end()..self.nodes.len();
        let outline = (0..place)
            .map(entry)
            .chain([(there, depths[place] as usize)])
            .chain(below)
            .chain(behind.map(entry));
        self.regrown(outline)
    }

    /// A tree of these nodes over the same text.
    fn regrown(&self, outline: impl IntoIterator<Item = Entry>) -> Self {
        let mut nodes: Vec<Node> = Vec::new();
        // The nodes that are open.
        let mut open: Vec<u32> = Vec::new();
        let close = |nodes: &mut Vec<Node>, node: u32| nodes[node as usize].end = nodes.len() as u32;
        for (node, depth) in outline {
            open.drain(depth..).for_each(|node| close(&mut nodes, node));
            let index = nodes.len() as u32;
            let parent = open.last().copied().unwrap_or(NONE);
            if (node.role == Role::Separator || node.trailing) && parent != NONE {
                nodes[parent as usize].separated = true;
            }
            nodes.push(Node { parent, separated: false, ..node });
            open.push(index);
        }
        open.into_iter().for_each(|node| close(&mut nodes, node));
        Self { levels: levels(&nodes), nodes, ..self.clone() }
    }
}
