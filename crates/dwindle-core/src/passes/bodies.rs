//! Bodies: what has a name and a body keeps of this body only what returns from it, with nothing or the
//! least of values, or keeps none: `int f(int a) { g(); return h(a); }` becomes `int f(int a) { return a; }`,
//! and `struct S<T> { }` becomes `struct S<T>;`.

use alloc::vec::Vec;
use core::ops::Range;

use super::choice::Choice;
use super::lexical::{Lexical, Name};
use crate::{Change, Edit, StandIn};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    lexical.tree.scopes().filter_map(|scope| of_scope(lexical, scope)).collect()
}

fn of_scope(lexical: &Lexical<'_>, scope: usize) -> Option<Choice> {
    let all = lexical.tree.tokens(scope);
    empty(lexical, &all).or_else(|| shorter(lexical, scope, all))
}

/// An empty body in brackets becomes no body.
fn empty(lexical: &Lexical<'_>, all: &Range<usize>) -> Option<Choice> {
    let open = all.end.checked_sub(2).filter(|&open| open > all.start)?;
    let is_empty = lexical.text.piece(open) == b"{" && lexical.partner(open) == Some(open + 1);
    no_body(lexical, open..all.end).filter(|_| is_empty).map(Choice::one)
}

/// What ends a statement in the place of a body.
fn no_body(lexical: &Lexical<'_>, body: Range<usize>) -> Option<Change> {
    let nothing = lexical.tree.signs(body.start).terminator.map(StandIn::token)?;
    Some(Change::replacement(body, nothing))
}

fn shorter(lexical: &Lexical<'_>, scope: usize, all: Range<usize>) -> Option<Choice> {
    let tree = lexical.tree;
    let near = tree.children(scope).flat_map(|child| core::iter::once(child).chain(tree.children(child)));
    let body = core::iter::once(scope).chain(near).filter_map(|node| lexical.body(node));
    let body = body.max_by_key(|body| body.len()).filter(|body| body.start > all.start)?;
    let mut alternatives = Vec::new();
    // A body in brackets may be no body.
    if lexical.partner(body.start - 1) == Some(body.end) && body.end + 1 == all.end {
        alternatives.extend(no_body(lexical, body.start - 1..body.end + 1));
    }
    let mut introduced = (all.start..body.start).filter_map(|token| lexical.introduced_by(token));
    let parameter = introduced.nth(1).map(Name::string);
    let least = tree.signs(body.start).least.map(StandIn::token);
    let mut last = tree.subtree(scope).rev().take(lexical.tuning.return_search);
    if let Some((last, value)) = last.find_map(|node| Some((tree.tokens(node), lexical.returned(node)?))) {
        let outside = [Edit::cut(body.start..last.start), Edit::cut(last.end..body.end)];
        let with = |edit: Edit| Change::new(outside.iter().cloned().chain([edit]));
        alternatives.push(with(Edit::cut(value.clone())));
        let strings = [least, parameter].into_iter().flatten().filter(|_| !value.is_empty());
        alternatives.extend(strings.map(|string| with(Edit::replacement(value.clone(), string))));
        alternatives.push(Change::new(outside.clone()));
    }
    Choice::between(alternatives)
}
