//! Splice: of an element of a list only what is inside of it stays, the elements of a list below it or
//! what stands between brackets, with or without these: a block's statements without the block, a
//! declaration without the namespace around it. Of one that gives a value to a name which nothing else
//! mentions, also the value: `int a = f();` becomes `f();`.

use alloc::vec::Vec;
use core::ops::Range;

use super::choice::Choice;
use super::indentation;
use super::lexical::{Lexical, is_word};
use crate::lexicon::is_one_of;

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let tree = lexical.tree;
    let elements = (1..tree.nodes().len()).filter(|&node| tree.is_element(node));
    let mut choices = Vec::new();
    for element in elements {
        let all = tree.tokens(element);
        let value = value(lexical, element);
        let insides = insides(lexical, element).into_iter().filter(|inside| value.as_ref() != Some(inside));
        let insides = value.iter().cloned().chain(insides).take(lexical.tuning.splice_insides);
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

/// The value that a statement gives to names which nothing else mentions, with what ends the statement. One token alone does
/// nothing, so that the whole statement would go.
fn value(lexical: &Lexical<'_>, element: usize) -> Option<Range<usize>> {
    let tree = lexical.tree;
    let piece = |token: usize| lexical.text.piece(token);
    if !lexical.is_statement(element) {
        return None;
    }
    let all = tree.tokens(element);
    let outside_of_brackets = core::iter::successors(Some(all.start), |&token| {
        Some(lexical.partner(token).unwrap_or(token) + 1).filter(|&next| next < all.end)
    });
    let is_sign = |&token: &usize| {
        let signs = tree.signs(token);
        is_one_of(piece(token), signs.assigns.iter().chain(signs.unpacks)) && !is_word(piece(token), signs)
    };
    let sign = outside_of_brackets.into_iter().find(is_sign)?;
    let is_own = lexical.around(sign).find(|&node| lexical.is_statement(node)) == Some(element);
    let named = all.start..sign;
    let mut names = named.clone().filter_map(|token| lexical.introduced_by(token)).peekable();
    let is_unused = names.peek().is_some()
        && names.all(|name| name.mentions.iter().all(|mention| named.contains(mention)));
    let terminator = tree.signs(sign).terminator.map(str::as_bytes);
    let end = all.end - usize::from(terminator == Some(piece(all.end - 1)));
    (is_own && is_unused && end > sign + 2).then_some(sign + 1..all.end)
}
