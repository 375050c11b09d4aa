//! Results: a function has no result any more. The type of it goes with what ends the body, or with the values of
//! all that returns from it: `fn f() -> T { g(); x }` becomes `fn f() { g(); }`. Or what is returned is a statement:
//! `func f() int { return g() }` becomes `func f() { g() }`, and `fn f() -> T { g() }` becomes `fn f() { g(); }`.

use alloc::vec::Vec;
use core::ops::Range;

use super::choice::Choice;
use super::lexical::Lexical;
use crate::tree::Role;
use crate::{Change, Edit, StandIn};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    lexical.tree.scopes().filter_map(|scope| of_scope(lexical, scope)).collect()
}

fn of_scope(lexical: &Lexical<'_>, scope: usize) -> Option<Choice> {
    let tree = lexical.tree;
    let can_go = |node: &usize| tree.role(*node) == Role::Deletable;
    let body = tree.children(scope).last()?;
    let head = tree.tokens(scope).start..tree.tokens(body).start;
    let parameters = parameters(lexical, scope, head.clone())?;
    let between = |node: &usize| tree.tokens(*node).start > parameters && tree.tokens(*node).end <= head.end;
    let types: Vec<usize> = tree.children(scope).filter(can_go).filter(between).collect();
    if types.is_empty() {
        return None;
    }
    let end = tree.tokens(body).end
        - usize::from(lexical.partner(tree.tokens(body).start) == Some(tree.tokens(body).end - 1));
    let at_end =
        |node: &usize| tree.tokens(*node).end == end && tree.tokens(*node).start > tree.tokens(body).start;
    let ends = tree.subtree(body).filter(can_go).filter(at_end);
    let ends: Vec<usize> = ends.take(lexical.tuning.few).collect();
    let returning = tree.subtree(body).filter_map(|node| {
        let value = lexical.returned_anywhere(node)?;
        (!value.is_empty()).then(|| (tree.tokens(node).start, value))
    });
    let values: Vec<_> = returning.collect();
    // What goes with the value at the end is one of the `ends`.
    let is_end = matches!(&values[..], [(_, value)] if ends.iter().any(|&node| tree.tokens(node) == *value));
    let cut: Vec<Edit> = values.iter().map(|(_, value)| Edit::cut(value.clone())).collect();
    // One token alone does nothing.
    let does = |value: &Range<usize>| value.len() > 1;
    let kept = values.iter().map(|(start, value)| match does(value) {
        true => Edit::cut(*start..value.start),
        false => Edit::cut(value.clone()),
    });
    let kept: Vec<Edit> = kept.collect();
    let closing = ends.iter().find_map(|&node| closed(lexical, tree.tokens(node)));
    let mut alternatives = Vec::new();
    for kind in types {
        let without = |edits: Vec<Edit>| Change::new(edits.into_iter().chain([Edit::Delete(kind as u32)]));
        alternatives.extend(ends.iter().map(|&node| without(alloc::vec![Edit::Delete(node as u32)])));
        if !values.is_empty() && !is_end {
            alternatives.push(without(cut.clone()));
        }
        if values.iter().any(|(_, value)| does(value)) {
            alternatives.push(without(kept.clone()));
        } else if values.is_empty() {
            alternatives.extend(closing.clone().map(|closing| without(alloc::vec![closing])));
        }
    }
    Choice::between(alternatives)
}

/// What ends a statement behind the last token of a value, if the value has several tokens.
fn closed(lexical: &Lexical<'_>, value: Range<usize>) -> Option<Edit> {
    let last = value.end - 1;
    let terminator = lexical.tree.signs(last).terminator?.as_bytes();
    let piece = lexical.text.piece(last);
    let string = StandIn { bytes: [piece, terminator].concat(), tokens: lexical.text.weight(last) + 1 };
    (value.len() > 1 && piece != terminator).then(|| Edit::put(last, string))
}

/// Where the brackets around the parameters in a head close: the last ones, or the last but one where those are a type in
/// brackets, as in `func f(a int) (int, error)`.
fn parameters(lexical: &Lexical<'_>, scope: usize, head: Range<usize>) -> Option<usize> {
    let tree = lexical.tree;
    let (open, close) = lexical.last_pair(head.clone())?;
    let mut children = tree.children(scope).filter(|&child| tree.role(child) == Role::Deletable);
    let is_type = children.any(|child| tree.tokens(child) == (open..close + 1));
    let before = lexical.last_pair(head.start..open).filter(|_| is_type);
    Some(before.map_or(close, |(_, close)| close))
}
