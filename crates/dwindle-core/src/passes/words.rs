//! Words: a word that is no name becomes another such word of the text. `VALUES (1)` becomes
//! `SELECT (1)`, which needs no brackets.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::choice::{Change, Choice};
use super::lexical::{Lexical, is_word};
use crate::StandIn;

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let is_keyword = |&token: &usize| {
        !lexical.is_name(token) && is_word(lexical.text.piece(token)) && !lexical.is_string(token)
    };
    let keywords: Vec<usize> = (0..lexical.text.len()).filter(is_keyword).collect();
    let words: BTreeSet<(usize, &[u8])> =
        keywords.iter().map(|&token| lexical.text.piece(token)).map(|word| (word.len(), word)).collect();
    let choices = keywords.iter().map(|&token| {
        let piece = lexical.text.piece(token);
        let smaller = words.range(..(piece.len(), piece));
        let becoming =
            |word: &[u8]| Change::replacement(token..token + 1, StandIn { bytes: word.to_vec(), tokens: 1 });
        Choice { alternatives: smaller.map(|(_, word)| becoming(word)).collect() }
    });
    choices.filter(|choice| !choice.alternatives.is_empty()).collect()
}
