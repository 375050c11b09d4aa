//! What takes the place of a use whose declaration goes, so that what it is in can stay.
//!
//! In text where each value has a name, as in intermediate representations, a value is used by the next one, that by
//! the next, and so on to what matters: statements that use each other can only go from the last to the first, and the
//! last one stays. With stand-ins any of them can go.

use alloc::vec::Vec;

use super::closure::Tied;
use super::graph::Symbol;
use crate::names::is_of_word;
use crate::{StandIn, Tree, Variant};

impl Tied<'_> {
    /// What takes the place of a token that uses a name which nothing introduces any more, in what is `left`: for the
    /// name of a place, that of another place; for others what stands in such a place, or any value.
    pub(super) fn instead_of(self, token: usize, left: &Variant) -> Option<StandIn> {
        let mut mentions = self.graph.mentions_in(token..token + 1);
        let symbol = &self.graph.symbols()[mentions.find_map(|mention| self.graph.symbol_of(mention))?];
        match self.place_of(symbol) {
            Some(place) => {
                let name = self.tree.text().piece(self.other_place(place, left)?);
                Some(StandIn::token(marked_as(self.tree.text().piece(token), name)))
            }
            None => self.value_at(token),
        }
    }

    /// The token that introduces a symbol, if that is a statement by itself, as a label is.
    fn place_of(self, symbol: &Symbol) -> Option<usize> {
        let introduced = self.tree.names().token(*symbol.intros.last()? as usize);
        self.tree.is_statement(self.graph.leaf(introduced)).then_some(introduced)
    }

    /// The next such place that is left in its list, or the one before.
    fn other_place(self, place: usize, left: &Variant) -> Option<usize> {
        let kind = |token: usize| self.tree.nodes()[self.graph.leaf(token)].kind;
        let parent = |token: usize| self.tree.parent(self.graph.leaf(token));
        let is_like = |&other: &usize| {
            left.kept.contains(other) && kind(other) == kind(place) && parent(other) == parent(place)
        };
        let list = self.tree.tokens(parent(place)?);
        (place..list.end).find(is_like).or_else(|| (list.start..place).rev().find(is_like))
    }

    /// The shortest text that stands in such a place as `token`, if that is no value, as a type is none; else a value.
    fn value_at(self, token: usize) -> Option<StandIn> {
        let tree = self.tree;
        let slot = tree.slot_of(self.graph.leaf(token), 1);
        let in_place = slot.and_then(|slot| tree.minimal(slot)).map(|string| tree.stand_in(string));
        match in_place {
            Some(string) if !is_value(tree, string) => Some((**string).clone()),
            _ => tree.signs(token).any_value.map(StandIn::token),
        }
    }
}

/// Whether a text is a name, or begins with no letter.
fn is_value(tree: &Tree, string: &StandIn) -> bool {
    !string.bytes.first().is_some_and(u8::is_ascii_alphabetic) || tree.names().find(&string.bytes).is_some()
}

/// `name` with the marks of another mention: `%x` and `y:` make `%y`.
fn marked_as(mention: &[u8], name: &[u8]) -> Vec<u8> {
    let letters = |word: &[u8]| {
        let start = word.iter().position(|&byte| is_of_word(byte)).unwrap_or(0);
        start..word.iter().rposition(|&byte| is_of_word(byte)).map_or(word.len(), |end| end + 1)
    };
    let (old, new) = (letters(mention), letters(name));
    [&mention[..old.start], &name[new], &mention[old.end..]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_marked_as_what_it_stands_in_for() {
        for (mention, name, expect) in
            [("%x", "y:", "%y"), ("x", "y", "y"), ("$a", "$bc", "$bc"), ("x:", "%1", "1:")]
        {
            assert_eq!(marked_as(mention.as_bytes(), name.as_bytes()), expect.as_bytes());
        }
    }
}
