//! Splice: of an element of a list only what is inside of it stays, the elements of a list below it or
//! what stands between brackets, with or without these: a block's statements without the block, a
//! declaration without the namespace around it. Of one that gives a value to a name which nothing else
//! mentions, also the value: `int a = f();` becomes `f();`. Of one that a word begins, also what it does where no
//! brackets tell that, or a call: `if (a < f(b)) g();` becomes `g();` or `f(b);`.

use alloc::vec::Vec;
use core::ops::Range;

use super::calls::call_around;
use super::choice::Choice;
use super::indentation;
use super::lexical::{Lexical, is_word};
use crate::lexicon::is_one_of;
use crate::{Change, StandIn};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let tree = lexical.tree;
    let elements = (1..tree.nodes().len()).filter(|&node| tree.is_listed(node));
    let mut choices = Vec::new();
    let ends = |token: usize| is_one_of(lexical.text.piece(token), &tree.signs(token).terminator);
    let are_ended = (0..lexical.text.len()).any(ends);
    for element in elements {
        let all = tree.tokens(element);
        let value = value(lexical, element);
        let insides = insides(lexical, element).into_iter().filter(|inside| value.as_ref() != Some(inside));
        let insides = value.iter().cloned().chain(controlled(lexical, element)).chain(insides);
        let kept = |inside| indentation::kept(lexical, all.clone(), inside);
        let insides = insides.take(lexical.tuning.splice_insides).map(kept);
        choices.extend(Choice::between(insides.chain(calls(lexical, element, are_ended)).collect()));
    }
    choices
}

fn is_keyword(lexical: &Lexical<'_>, token: usize) -> bool {
    lexical.is_word(token) && !lexical.is_name(token)
}

/// Whether a node is a statement that a keyword begins.
fn is_led(lexical: &Lexical<'_>, node: usize) -> bool {
    lexical.is_statement(node) && is_keyword(lexical, lexical.tree.tokens(node).start)
}

/// What a statement does that a keyword begins, if that is a statement or stands between keywords; then what that does.
fn controlled(lexical: &Lexical<'_>, element: usize) -> Vec<Range<usize>> {
    let tree = lexical.tree;
    let inside = |node: usize| {
        let all = tree.tokens(node);
        let is_between = |tokens: &Range<usize>| {
            tokens.end < all.end && is_keyword(lexical, tokens.start - 1) && is_keyword(lexical, tokens.end)
        };
        let is_done = |&child: &usize| {
            let tokens = tree.tokens(child);
            tokens.start > all.start
                && tokens.len() > 1
                && (tree.can_replace(child, node) || is_between(&tokens))
        };
        is_keyword(lexical, all.start).then(|| tree.children(node).filter(is_done).last()).flatten()
    };
    let first = is_led(lexical, element).then(|| inside(element)).flatten();
    core::iter::successors(first, |&node| inside(node)).map(|node| tree.tokens(node)).collect()
}

/// The calls inside of a statement that a keyword begins, each in its place, unless there are many or something else mentions
/// what the statement introduces.
fn calls(lexical: &Lexical<'_>, element: usize, are_ended: bool) -> Vec<Change> {
    let tree = lexical.tree;
    let all = tree.tokens(element);
    let mut introduced = all.clone().filter_map(|token| lexical.introduced_by(token));
    let mut is_own = || introduced.all(|name| name.mentions.iter().all(|mention| all.contains(mention)));
    if !is_led(lexical, element) || !is_own() {
        return Vec::new();
    }
    let mut calls: Vec<Range<usize>> = Vec::new();
    for (open, close) in lexical.pairs_in(all.clone()) {
        let is_inside = calls.last().is_some_and(|call| open < call.end);
        let call = call_around(lexical, open, close).map(|call| tree.tokens(call));
        let call = call.filter(|call| call.start > all.start && !is_keyword(lexical, call.start));
        calls.extend(call.filter(|_| !is_inside));
    }
    if calls.len() > lexical.tuning.few {
        return Vec::new();
    }
    let end = tree.signs(all.start).terminator.filter(|_| are_ended).map(StandIn::token);
    let alone = |call: Range<usize>| {
        let mut string = lexical.string(call);
        if let Some(end) = &end {
            string.bytes.extend(&end.bytes);
            string.tokens += end.tokens;
        }
        Change::replacement(all.clone(), string)
    };
    calls.into_iter().map(alone).collect()
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
