//! Results: a function has no result any more. The type of it goes with what ends the body, or with the values of
//! all that returns from it: `fn f() -> T { g(); x }` becomes `fn f() { g(); }`.

use alloc::vec::Vec;

use super::choice::Choice;
use super::lexical::Lexical;
use crate::tree::Role;
use crate::{Change, Edit};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    lexical.tree.scopes().filter_map(|scope| of_scope(lexical, scope)).collect()
}

fn of_scope(lexical: &Lexical<'_>, scope: usize) -> Option<Choice> {
    let tree = lexical.tree;
    let can_go = |node: &usize| tree.role(*node) == Role::Deletable;
    let body = tree.children(scope).last()?;
    let parameters =
        lexical.pairs_in(tree.tokens(scope).start..tree.tokens(body).start).map(|(_, close)| close).max()?;
    let between = |node: &usize| {
        tree.tokens(*node).start > parameters && tree.tokens(*node).end <= tree.tokens(body).start
    };
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
    let values =
        tree.subtree(body).filter_map(|node| lexical.returned(node)).filter(|value| !value.is_empty());
    let values: Vec<Edit> = values.map(Edit::cut).collect();
    let mut alternatives = Vec::new();
    for kind in types {
        let without = |edits: Vec<Edit>| Change::new(edits.into_iter().chain([Edit::Delete(kind as u32)]));
        alternatives.extend(ends.iter().map(|&node| without(alloc::vec![Edit::Delete(node as u32)])));
        if !values.is_empty() {
            alternatives.push(without(values.clone()));
        }
    }
    Choice::between(alternatives)
}
