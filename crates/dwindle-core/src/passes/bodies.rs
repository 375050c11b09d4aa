//! Bodies: what has a name and a body keeps of this body only what returns from it, with nothing or the
//! least of values, or keeps none: `int f(int a) { g(); return h(a); }` becomes `int f(int a) { return a; }`.

use alloc::vec::Vec;

use super::choice::Choice;
use super::lexical::{Lexical, Name};
use crate::{Change, Edit, StandIn};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let scopes = (1..lexical.tree.nodes().len()).filter(|&node| lexical.tree.is_scope(node));
    scopes.filter_map(|scope| of_scope(lexical, scope)).collect()
}

fn of_scope(lexical: &Lexical<'_>, scope: usize) -> Option<Choice> {
    let tree = lexical.tree;
    let tokens = |node: usize| tree.nodes()[node].tokens();
    let all = tokens(scope);
    let near = tree.children(scope).flat_map(|child| core::iter::once(child).chain(tree.children(child)));
    let body = core::iter::once(scope).chain(near).filter_map(|node| {
        let lists = tree.lists(node);
        let (_, elements) = lists.first().filter(|_| !tree.is_separated(node))?;
        Some(tokens(*elements.first()?).start..tokens(*elements.last()?).end)
    });
    let body = body.max_by_key(|body| body.len()).filter(|body| body.start > all.start)?;
    let (mut alternatives, terminator) = (Vec::new(), tree.signs().terminator);
    // A body in brackets may be no body.
    if lexical.partner(body.start - 1) == Some(body.end) && body.end + 1 == all.end {
        let nothing = terminator.map(StandIn::token);
        alternatives
            .extend(nothing.map(|nothing| Change::replacement(body.start - 1..body.end + 1, nothing)));
    }
    let mut introduced = (all.start..body.start).filter_map(|token| lexical.introduced_by(token));
    let parameter = introduced.nth(1).map(Name::string);
    let least = tree.signs().least.map(StandIn::token);
    let is_return = |node: usize| tree.kind(node).returns && lexical.is_statement(node);
    if let Some(last) =
        tree.subtree(scope).rev().take(lexical.tuning.return_search).find(|&node| is_return(node))
    {
        let last = tokens(last);
        let end = last.end
            - usize::from(lexical.text.piece(last.end - 1) == terminator.unwrap_or_default().as_bytes());
        let outside = [Edit::cut(body.start..last.start), Edit::cut(last.end..body.end)];
        let with = |edit: Edit| Change::new(outside.iter().cloned().chain([edit]));
        let value = last.start + 1..end;
        alternatives.push(with(Edit::cut(value.clone())));
        let strings = [least, parameter].into_iter().flatten().filter(|_| !value.is_empty());
        alternatives.extend(strings.map(|string| with(Edit::replacement(value.clone(), string))));
        alternatives.push(Change::new(outside.clone()));
    }
    Choice::between(alternatives)
}
