//! Relocate: a node that can be deleted replaces another mention of a name in it, so that `a < 0; a++` becomes
//! `a++ < 0;`. An element of a list fills empty brackets: `f() { int a, b;` becomes `f(b) { int a;`. A name alone in
//! brackets goes behind another name of the same list element, without the brackets: `a(b) AS SELECT c` becomes `a AS
//! SELECT c b`.

use alloc::vec::Vec;

use super::choice::Choice;
use super::lexical::Lexical;
use crate::StandIn;
use crate::edit::{Change, Edit};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let tree = lexical.tree;
    let empty: Vec<_> = lexical.pairs().filter(|(open, close)| open + 1 == *close).collect();
    let mut choices = Vec::new();
    for node in tree.deletable() {
        let tokens = tree.tokens(node);
        let moved = |place: core::ops::Range<usize>, string: StandIn| {
            Change::new([Edit::Delete(node as u32), Edit::replacement(place, string)])
        };
        let free = |token: usize| !tokens.contains(&token);
        let mut alternatives = Vec::new();
        if (2..=lexical.tuning.relocated_tokens).contains(&tokens.len()) {
            for name in tokens.clone().filter_map(|token| lexical.name(token)) {
                let places = name.mentions.iter().filter(|&&mention| free(mention)).take(lexical.tuning.few);
                alternatives
                    .extend(places.map(|&place| moved(place..place + 1, lexical.string(tokens.clone()))));
            }
        }
        if tree.has_separators(node) {
            for &(open, close) in empty.iter().filter(|(open, _)| free(*open)).take(lexical.tuning.few) {
                let inside = lexical.string(tokens.clone());
                let around = |token: usize| lexical.text.piece(token);
                let bytes = [around(open), &inside.bytes, around(close)].concat();
                alternatives.push(moved(open..close + 1, StandIn { bytes, tokens: inside.tokens + 2 }));
            }
        }
        alternatives.truncate(lexical.tuning.few);
        choices.extend(Choice::between(alternatives));
    }
    choices.extend(lexical.pairs().filter_map(|(open, close)| unbracketed(lexical, open, close)));
    choices
}

/// Moves the name between two brackets behind each other name of the list element around them, and deletes the brackets.
fn unbracketed(lexical: &Lexical<'_>, open: usize, close: usize) -> Option<Choice> {
    let name = lexical.name(open + 1).filter(|_| open + 2 == close)?;
    let tree = lexical.tree;
    let holds = |&node: &usize| {
        tree.list(node).is_some() && tree.tokens(node).start < open && tree.tokens(node).end > close
    };
    let element = tree.tokens(lexical.around(open).find(holds)?);
    let other = |&token: &usize| lexical.is_name(token) && !(open..close).contains(&token);
    let moved = |token: usize| {
        let bytes = [lexical.text.piece(token), b" ", name.spelling].concat();
        let behind = Edit::put(token, StandIn { bytes, tokens: lexical.text.weight(token) + 1 });
        Change::new([Edit::cut(open..close + 1), behind])
    };
    Choice::between(element.filter(other).map(moved).collect())
}
