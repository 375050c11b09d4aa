//! Hoist: of a node only a node below it stays that may stand in its place, however deep it lies; where
//! the grammar does not tell what may, one of the same kind.

use alloc::vec::Vec;

use super::choice::Choice;
use super::indentation;
use super::lexical::Lexical;

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let tree = lexical.tree;
    let nodes = tree.nodes();
    let mut choices = Vec::new();
    for outer in (1..nodes.len()).filter(|&node| !tree.is_group(node)) {
        let fits = |&inner: &usize| tree.can_replace(inner, outer);
        let all = tree.tokens(outer);
        let mut below: Vec<_> =
            (outer + 1..nodes[outer].end()).filter(fits).map(|inner| tree.tokens(inner)).collect();
        below.retain(|tokens| *tokens != all);
        below.sort_by_key(|tokens| (tokens.len(), tokens.start));
        below.dedup();
        below.truncate(lexical.tuning.hoists);
        let kept = below.into_iter().map(|inner| indentation::kept(lexical, all.clone(), inner));
        choices.extend(Choice::between(kept.collect()));
    }
    choices
}
