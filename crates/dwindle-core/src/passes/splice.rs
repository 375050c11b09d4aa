//! Splice: of an element of a list only what is inside of it stays, the elements of a list below it or
//! what stands between brackets, with or without these: a block's statements without the block, a
//! declaration without the namespace around it.

use alloc::vec::Vec;
use core::ops::Range;

use super::choice::Choice;
use super::indentation;
use super::lexical::Lexical;

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let tree = lexical.tree;
    let elements = (1..tree.nodes().len()).filter(|&node| tree.is_element(node));
    let mut choices = Vec::new();
    for element in elements {
        let all = tree.tokens(element);
        let insides = insides(lexical, element).into_iter().take(lexical.tuning.splice_insides);
        choices.extend(Choice::between(
            insides.map(|inside| indentation::kept(lexical, all.clone(), inside)).collect(),
        ));
    }
    choices
}

/// What is inside of an element, largest first.
pub(super) fn insides(lexical: &Lexical<'_>, element: usize) -> Vec<Range<usize>> {
    let tree = lexical.tree;
    let all = tree.tokens(element);
    let mut insides = Vec::new();
    for node in tree.subtree(element) {
        let lists = tree.lists(node);
        let lists = lists.iter().filter_map(|(_, elements)| tree.span(elements));
        // All lists together, too: the statements of a body may be in several, by their kinds.
        insides.extend(lists.clone().reduce(|all, list| all.start.min(list.start)..all.end.max(list.end)));
        insides.extend(lists);
    }
    let pairs = lexical.pairs_in(all.clone());
    insides.extend(pairs.flat_map(|(open, close)| [open + 1..close, open..close + 1]));
    insides.retain(|inside| *inside != all && !inside.is_empty());
    insides.sort_by_key(|inside| (core::cmp::Reverse(inside.len()), inside.start));
    insides.dedup();
    insides
}
