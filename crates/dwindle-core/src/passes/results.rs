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
    let tokens = |node: usize| tree.nodes()[node].tokens();
    let can_go = |node: &usize| tree.nodes()[*node].role == Role::Deletable;
    let body = tree.children(scope).last()?;
    let parameters =
        lexical.pairs_in(tokens(scope).start..tokens(body).start).map(|(_, close)| close).max()?;
    let between = |node: &usize| tokens(*node).start > parameters && tokens(*node).end <= tokens(body).start;
    let types: Vec<usize> = tree.children(scope).filter(can_go).filter(between).collect();
    if types.is_empty() {
        return None;
    }
    let end =
        tokens(body).end - usize::from(lexical.partner(tokens(body).start) == Some(tokens(body).end - 1));
    let at_end = |node: &usize| tokens(*node).end == end && tokens(*node).start > tokens(body).start;
    let ends = tree.subtree(body).filter(can_go).filter(at_end);
    let ends: Vec<usize> = ends.take(lexical.tuning.function_ends).collect();
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
