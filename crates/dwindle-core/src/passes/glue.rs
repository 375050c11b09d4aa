//! Glue: the blank between a number and the word behind it goes where a tree has one kind for both, so that
//! it takes them for one token then, while what the test runs may still see two: `(f 0 a)` becomes `(f 0a)`.

use alloc::vec::Vec;

use super::choice::{Change, Choice};
use super::lexical::{Lexical, is_word};
use crate::StandIn;

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let text = lexical.text;
    let glued = |number: usize| {
        let word = number + 1;
        let fits = lexical.is_number(number)
            && is_word(text.piece(word))
            && text.span(number).end < text.span(word).start
            && lexical.kind(number) == lexical.kind(word);
        let bytes = [text.piece(number), text.piece(word)].concat();
        let one = StandIn { bytes, tokens: lexical.weight(number..word + 1) - 1 };
        fits.then(|| Choice::one(Change::replacement(number..word + 1, one)))
    };
    (0..text.len().saturating_sub(1)).filter_map(glued).collect()
}
