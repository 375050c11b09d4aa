//! One thing that is being looked at: the edits of a node, or a list.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use crate::standing::{Edit, Element};
use crate::tree::Tree;
use crate::{AnyMinimizer, Minimizer, Place, Variant, WithEmpty};

use super::closure::Reach;

/// One thing that is being looked at.
#[derive(Clone, Debug)]
pub(super) enum Lane {
    /// One of the edits at a node, the next of which is tried.
    Edits { node: u32, edits: Arc<[Edit]>, next: usize, reach: Reach },
    /// A list.
    List { what: Elements, elements: Arc<[Element]>, search: Box<WithEmpty<AnyMinimizer>>, reach: Reach },
}

/// What the elements of a list are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Elements {
    Nodes,
    /// Of the nest at this node.
    Shells(u32),
}

/// What a candidate changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Change {
    /// The nodes that go, in the order of the text.
    pub(super) nodes: Vec<u32>,
    /// Tokens that go.
    pub(super) ranges: Vec<Range<u32>>,
    /// What stands in for some of them.
    pub(super) place: Option<Place>,
}

impl Change {
    /// The tokens that go.
    pub(super) fn token_ranges<'a>(&'a self, tree: &'a Tree) -> impl Iterator<Item = Range<u32>> + 'a {
        self.nodes.iter().map(|&node| tokens(tree, node)).chain(self.ranges.iter().cloned())
    }

    /// `base` with all of `changes`.
    pub(super) fn apply<'a>(
        changes: impl Iterator<Item = &'a Self> + Clone,
        tree: &Tree,
        base: &Variant,
    ) -> Variant {
        let mut variant = base.clone();
        for change in changes.clone() {
            change.nodes.iter().for_each(|&node| variant.clear(tokens(tree, node)));
            change.ranges.iter().for_each(|range| variant.clear(range.clone()));
        }
        for (i, change) in changes.clone().enumerate() {
            let Some(place) = change.place else { continue };
            let elsewhere = |(j, other): (usize, &Self)| {
                let around = |range: &Range<u32>| range.contains(&place.at);
                j != i
                    && (other.ranges.iter().any(around)
                        || other.nodes.iter().any(|&node| around(&tokens(tree, node))))
            };
            if !changes.clone().enumerate().any(elsewhere) {
                let at = variant.places.partition_point(|other| other.at < place.at);
                variant.places.insert(at, place);
            }
        }
        let mut nodes: Vec<u32> = changes.flat_map(|change| change.nodes.iter().copied()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        tree.settle_separators(&nodes, &mut variant);
        variant
    }
}

/// The tokens of `node`.
pub(super) fn tokens(tree: &Tree, node: u32) -> Range<u32> {
    let tokens = tree.nodes()[node as usize].tokens();
    tokens.start as u32..tokens.end as u32
}

impl Lane {
    /// The one that deletes `node`.
    pub(super) fn deleting(node: usize, reach: Reach) -> Self {
        Self::Edits { node: node as u32, edits: Arc::new([Edit::Delete]), next: 0, reach }
    }

    /// The elements that would go.
    pub(super) fn gone(elements: &[Element], search: &WithEmpty<AnyMinimizer>) -> Vec<Element> {
        let Some(candidate) = search.ask() else { return Vec::new() };
        search.best().without(&candidate).iter().map(|i| elements[i].clone()).collect()
    }
}
