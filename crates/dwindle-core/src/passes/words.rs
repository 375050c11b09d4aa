//! Words: a word that is no name becomes another such word of the text, and an operator a shorter one, or
//! one of its own characters. `VALUES (1)` becomes `SELECT (1)`, which needs no brackets.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::choice::{Change, Choice};
use super::lexical::{Lexical, is_word};
use crate::StandIn;

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let piece = |token: usize| lexical.text.piece(token);
    let pieces = |is: fn(&[u8]) -> bool| -> Vec<usize> {
        let is_fixed = |&token: &usize| !lexical.is_name(token) && !lexical.is_string(token);
        (0..lexical.text.len()).filter(is_fixed).filter(|&token| is(piece(token))).collect()
    };
    let becoming = |token: usize, string: &[u8]| {
        Change::replacement(token..token + 1, StandIn { bytes: string.to_vec(), tokens: 1 })
    };
    let (keywords, operators) = (pieces(is_word), pieces(is_operator));
    let sorted = |tokens: &[usize]| -> BTreeSet<(usize, &[u8])> {
        tokens.iter().map(|&token| (piece(token).len(), piece(token))).collect()
    };
    let words = sorted(&keywords);
    let of_keyword = keywords.iter().map(|&token| {
        let smaller = words.range(..(piece(token).len(), piece(token)));
        smaller.map(|(_, word)| becoming(token, word)).collect()
    });
    let others = sorted(&operators);
    let of_operator = operators.iter().map(|&token| {
        let mut shorter: BTreeSet<&[u8]> =
            others.range(..(piece(token).len(), &[][..])).map(|other| other.1).collect();
        if piece(token).len() > 1 {
            shorter.extend(piece(token).chunks(1));
        }
        shorter.into_iter().map(|other| becoming(token, other)).collect()
    });
    let choices = of_keyword.chain(of_operator).map(|alternatives: Vec<Change>| Choice { alternatives });
    choices.filter(|choice| !choice.alternatives.is_empty()).collect()
}

/// Whether it is signs that are neither brackets nor quotes, and end nothing.
fn is_operator(piece: &[u8]) -> bool {
    piece.iter().all(|byte| byte.is_ascii_punctuation() && !b"()[]{}\"'`,;".contains(byte))
}
