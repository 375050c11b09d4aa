//! Delete: a node that can go goes, with the separator that goes with it; those with most tokens first.
//!
//! The first deletion knows how to find what can go among much that can. This finds what can go since
//! something near it changed.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::ops::Range;

use super::choice::{Change, Choice};
use super::lexical::Lexical;
use crate::tree::Role;
use crate::{Subset, Tree, Variant};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let tree = lexical.tree;
    let nodes = (1..tree.nodes().len()).filter(|&node| tree.nodes()[node].role == Role::Deletable);
    let mut removals: Vec<Vec<Range<usize>>> = nodes.map(|node| removed_with(tree, node)).collect();
    removals.sort_by_key(|ranges| core::cmp::Reverse(ranges.iter().map(Range::len).sum::<usize>()));
    let mut known = BTreeSet::new();
    removals.retain(|ranges| {
        known.insert(ranges.iter().map(|range| (range.start, range.end)).collect::<Vec<_>>())
    });
    removals.into_iter().map(|ranges| Choice::one(Change::removal(ranges))).collect()
}

/// The tokens of a node and of the separator that goes with it.
pub(super) fn removed_with(tree: &Tree, node: usize) -> Vec<Range<usize>> {
    let tokens = |node: usize| tree.nodes()[node].tokens();
    let separates = |node: &usize| tree.nodes()[*node].role == Role::Separator || tree.is_trailing(*node);
    let mut removed = alloc::vec![tokens(node)];
    if tree.parent(node).is_some_and(|parent| tree.is_separated(parent)) {
        let separator = tree.next(node).filter(separates).or_else(|| tree.previous(node).filter(separates));
        removed.extend(separator.map(tokens));
    }
    removed
}

/// The tokens of `nodes`, in the order of the text, and of the separators that go with them.
pub(super) fn removed_together(tree: &Tree, nodes: &[u32]) -> Vec<Range<usize>> {
    let mut left = Variant::whole(tree.text().clone());
    for &node in nodes {
        left.kept.remove_range(tree.nodes()[node as usize].tokens());
    }
    tree.settle_separators(nodes, &mut left);
    Subset::full(tree.text().len()).without(&left.kept).runs().collect()
}

/// Each token.
pub(super) fn tokens(lexical: &Lexical<'_>) -> Vec<Choice> {
    (0..lexical.text.len()).map(|token| Choice::one(Change::without(token..token + 1))).collect()
}
