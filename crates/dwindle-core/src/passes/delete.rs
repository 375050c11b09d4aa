//! Delete: a node that can go goes, with the separator that goes with it; those with most tokens first.
//!
//! The first deletion knows how to find what can go among much that can. This finds what can go since
//! something near it changed.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::choice::Choice;
use super::lexical::Lexical;
use crate::{Change, Edit};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let tree = lexical.tree;
    let mut nodes: Vec<usize> = tree.deletable().collect();
    nodes.sort_by_key(|&node| Reverse(tree.tokens(node).len()));
    let mut known = BTreeSet::new();
    nodes.retain(|&node| {
        known.insert((tree.tokens(node).start, tree.tokens(node).end, tree.has_separators(node)))
    });
    nodes.into_iter().map(|node| Choice::one(Change::deletion([node as u32]))).collect()
}

/// Each token, and each element of a list with the separator beside it: neither of the two goes alone.
pub(super) fn tokens(lexical: &Lexical<'_>) -> Vec<Choice> {
    let tree = lexical.tree;
    let cuts = (0..lexical.text.len()).map(|token| Change::new([Edit::cut(token..token + 1)]));
    let elements = (1..tree.nodes().len()).filter(|&node| tree.is_element(node) && tree.has_separators(node));
    let deletions = elements.map(|node| Change::deletion([node as u32]));
    cuts.chain(deletions).map(Choice::one).collect()
}
