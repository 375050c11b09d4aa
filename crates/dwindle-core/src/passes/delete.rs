//! Delete: a node that can go goes, with the separator that goes with it; those with most tokens first.
//!
//! The first deletion knows how to find what can go among much that can. This finds what can go since
//! something near it changed.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;

use super::choice::Choice;
use super::lexical::Lexical;
use crate::lexicon::is_one_of;
use crate::tree::Role;
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

/// Each token, and each element of a list with the separator beside it: neither of the two goes alone. So does what stands before
/// the first element, in `integer, intent(in) :: n`.
pub(super) fn tokens(lexical: &Lexical<'_>) -> Vec<Choice> {
    let tree = lexical.tree;
    let cuts = (0..lexical.text.len()).map(|token| Change::new([Edit::cut(token..token + 1)]));
    let elements = (1..tree.nodes().len()).filter(|&node| tree.is_element(node) && tree.has_separators(node));
    let deletions = elements.map(|node| Change::deletion([node as u32]));
    let first = (0..lexical.text.len()).filter_map(|token| before_separator(lexical, token));
    cuts.chain(deletions).chain(first.map(|range| Change::cut([range]))).map(Choice::one).collect()
}

/// A separator with the node before it, if that is no element of a list.
fn before_separator(lexical: &Lexical<'_>, token: usize) -> Option<Range<usize>> {
    let tree = lexical.tree;
    if !is_one_of(lexical.text.piece(token), &tree.signs(token).separator) {
        return None;
    }
    let ends = |&node: &usize| tree.tokens(node).end == token;
    let before = lexical.around(token.checked_sub(1)?).take_while(ends).last()?;
    matches!(tree.role(before), Role::Fixed | Role::StandIn(_)).then(|| tree.tokens(before).start..token + 1)
}
