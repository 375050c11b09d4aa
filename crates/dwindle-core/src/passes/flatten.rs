//! Flatten: what is inside of something that has a name comes in its place, and where the name was
//! before what it qualifies it goes: `namespace n { int a; } int b = n::a;` becomes `int a; int b = a;`.

use alloc::vec::Vec;
use core::ops::Range;

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
    let qualifiers: Vec<usize> =
        name.mentions.iter().copied().filter(|&token| qualifies(lexical, token)).collect();
    // What nothing but its openings mentions may be opened several times, as a namespace is.
    let is_only_opened = name.introduced.len() > 1 && name.introduced == name.mentions;
    if name.introduced.is_empty() || qualifiers.is_empty() && !is_only_opened {
        return None;
    }
    let is_leading = |token: &usize| token.checked_sub(2).is_none_or(|before| !qualifies(lexical, before));
    let leading: Vec<usize> = qualifiers.iter().copied().filter(is_leading).collect();
    let blocks: Vec<Block> = name.introduced.iter().filter_map(|&token| Block::of(lexical, token)).collect();
    let mut alternatives = Vec::new();
    for which in 0..lexical.tuning.flatten_insides {
        let first = blocks.first().and_then(|block| block.without_head(which));
        if let Some(first) = first.filter(|_| !qualifiers.is_empty()) {
            alternatives.extend(without(&qualifiers, core::slice::from_ref(&first)));
            if leading.len() < qualifiers.len() {
                alternatives.extend(without(&leading, &[first]));
            }
        }
        // It may be opened several times.
        let all: Option<Vec<_>> = blocks.iter().map(|block| block.without_head(which)).collect();
        alternatives.extend(all.filter(|all| all.len() > 1).and_then(|all| without(&qualifiers, &all)));
    }
    // All of it may be within the heads of others: `namespace a::b { }`.
    if name.introduced.iter().all(|&token| qualifies(lexical, token)) {
        alternatives.extend(without(&qualifiers, &[]));
    }
    Choice::between(alternatives)
}

/// Something with a name.
struct Block {
    all: Range<usize>,
    /// What may come in its place.
    insides: Vec<Range<usize>>,
}

impl Block {
    fn of(lexical: &Lexical<'_>, introduced: usize) -> Option<Self> {
        let node = lexical.around(introduced).find(|&node| lexical.is_statement(node))?;
        let is_open = |inside: &Range<usize>| lexical.partner(inside.start) == Some(inside.end - 1);
        let insides = insides(lexical, node).into_iter();
        let behind = insides.filter(|inside| inside.start > introduced && !is_open(inside));
        let insides = behind.take(lexical.tuning.flatten_insides).collect();
        Some(Self { all: lexical.tree.tokens(node), insides })
    }

    /// What goes where one of its insides comes in its place, or all of it if it has none.
    fn without_head(&self, which: usize) -> Option<[Range<usize>; 2]> {
        let nothing = (which == 0 && self.insides.is_empty()).then_some(self.all.end..self.all.end);
        let inside = self.insides.get(which).cloned().or(nothing)?;
        Some([self.all.start..inside.start, inside.end..self.all.end])
    }
}

/// These qualifiers go, with the heads and ends of blocks.
fn without(qualifiers: &[usize], heads: &[[Range<usize>; 2]]) -> Option<Change> {
    let heads = heads.iter().flatten();
    let is_left = |token: &&usize| !heads.clone().any(|head| head.contains(token));
    let gone: Vec<_> = qualifiers.iter().filter(is_left).map(|&token| token..token + 2).collect();
    let gone: Vec<_> = gone.into_iter().chain(heads.cloned()).filter(|range| !range.is_empty()).collect();
    (!gone.is_empty()).then(|| Change::cut(gone))
}

/// Whether a name stands before a sign and another name.
fn qualifies(lexical: &Lexical<'_>, token: usize) -> bool {
    token + 2 < lexical.text.len()
        && is_one_of(lexical.text.piece(token + 1), lexical.tree.signs(token).qualifies)
        && lexical.is_name(token + 2)
}
