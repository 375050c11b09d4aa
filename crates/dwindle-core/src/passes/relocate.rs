//! Relocate: a node that can go comes in the place of another mention of a name in it, so that
//! `a < 0; a++` becomes `a++ < 0;`.

use alloc::vec::Vec;

use super::choice::{Change, Choice, Edit};
use super::delete::removed_with;
use super::lexical::Lexical;
use crate::tree::Role;

/// The longest node that is moved, in tokens, and the most mentions of each name in it that are tried. Each
/// mention is a question, and a success saves little more than the one mention, however long the node.
const LONGEST: usize = 8;
const MOST_PLACES: usize = 16;

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let nodes = lexical.tree.nodes();
    let movable = |&node: &usize| {
        nodes[node].role == Role::Deletable && (2..=LONGEST).contains(&nodes[node].tokens().len())
    };
    let moved = |node: usize| {
        let tokens = nodes[node].tokens();
        let gone = removed_with(lexical.tree, node);
        let free = |token: usize| !gone.iter().any(|range| range.contains(&token));
        let mut alternatives = Vec::new();
        for name in tokens.clone().filter_map(|token| lexical.name(token)) {
            let places = name.mentions.iter().filter(|&&mention| free(mention)).take(MOST_PLACES);
            alternatives.extend(places.map(|&place| {
                let comes = Edit::replacement(place..place + 1, lexical.string(tokens.clone()));
                Change::new(gone.iter().cloned().map(Edit::removal).chain([comes]).collect())
            }));
        }
        (!alternatives.is_empty()).then_some(Choice { alternatives })
    };
    (1..nodes.len()).filter(movable).filter_map(moved).collect()
}
