//! Flatten: what is inside of something that has a name comes in its place, and where the name was
//! before what it qualifies it goes: `namespace n { int a; } int b = n::a;` becomes `int a; int b = a;`.

use alloc::vec::Vec;

use super::choice::Choice;
use super::lexical::{Lexical, Name};
use super::splice::insides;
use crate::Change;
use crate::lexicon::is_one_of;

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let of_name = |name| flattened(lexical, name);
    lexical.names().iter().filter_map(of_name).collect()
}

fn flattened(lexical: &Lexical<'_>, name: &Name<'_>) -> Option<Choice> {
    let mut alternatives = Vec::new();
    let is_qualifier = name.mentions.iter().any(|&token| qualifies(lexical, token));
    let introduced = name.introduced.first().copied().filter(|_| is_qualifier);
    let wrapper = introduced.and_then(|token| lexical.around(token).find(|&node| lexical.is_statement(node)));
    if let (Some(introduced), Some(wrapper)) = (introduced, wrapper) {
        let all = lexical.tree.tokens(wrapper);
        let behind = insides(lexical, wrapper).into_iter().filter(|inside| inside.start > introduced);
        for inside in behind.take(lexical.tuning.flatten_insides) {
            let is_left = |token: &usize| !all.contains(token) || inside.contains(token);
            let qualifiers =
                name.mentions.iter().copied().filter(is_left).filter(|&token| qualifies(lexical, token));
            let mut gone: Vec<_> = qualifiers.map(|token| token..token + 2).collect();
            if !gone.is_empty() {
                gone.extend([all.start..inside.start, inside.end..all.end]);
                alternatives.push(Change::cut(gone));
            }
        }
    }
    Choice::between(alternatives)
}

/// Whether a name stands before a sign and another name.
fn qualifies(lexical: &Lexical<'_>, token: usize) -> bool {
    token + 2 < lexical.text.len()
        && is_one_of(lexical.text.piece(token + 1), lexical.tree.signs(token).qualifies)
        && lexical.is_name(token + 2)
}
