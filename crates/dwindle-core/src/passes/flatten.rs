//! Flatten: what is inside of something that has a name comes in its place, and where the name was
//! before what it qualifies it goes: `namespace n { int a; } int b = n::a;` becomes `int a; int b = a;`.

use alloc::vec::Vec;

use super::choice::{Change, Choice, Edit};
use super::lexical::Lexical;
use super::splice::insides;

/// The most insides that are tried, the largest.
const MOST: usize = 4;

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    lexical
        .names()
        .iter()
        .filter_map(|name| {
            let introduced = *name.introduced.first()?;
            let tree = lexical.tree;
            let wrapper = lexical.around(introduced).find(|&node| lexical.is_statement(node))?;
            let all = tree.nodes()[wrapper].tokens();
            let mut alternatives = Vec::new();
            for inside in
                insides(lexical, wrapper).into_iter().filter(|inside| inside.start > introduced).take(MOST)
            {
                let is_left = |token: &&usize| !all.contains(token) || inside.contains(token);
                let mut edits =
                    alloc::vec![Edit::removal(all.start..inside.start), Edit::removal(inside.end..all.end),];
                let before = edits.len();
                edits.extend(
                    name.mentions.iter().filter(is_left).filter_map(|&token| {
                        qualifies(lexical, token).then(|| Edit::removal(token..token + 2))
                    }),
                );
                if edits.len() > before {
                    alternatives.push(Change::new(edits));
                }
            }
            (!alternatives.is_empty()).then_some(Choice { alternatives })
        })
        .collect()
}

/// Whether a name stands before a sign and another name.
fn qualifies(lexical: &Lexical<'_>, token: usize) -> bool {
    token + 2 < lexical.text.len()
        && matches!(lexical.text.piece(token + 1), b"::" | b"." | b"->" | b"\\" | b":")
        && lexical.is_name(token + 2)
}
