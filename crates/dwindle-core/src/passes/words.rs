//! Words: a word that is no name becomes another such word of the text: `VALUES (1)` becomes `SELECT (1)`,
//! which needs no brackets. Operators: one becomes a shorter one of the text, or one of its own characters.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use super::choice::Choice;
use super::lexical::Lexical;
use crate::{Change, StandIn};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    becoming_others(
        lexical,
        |token| lexical.is_word(token),
        |piece, words| words.range(..(piece.len(), piece)).map(|(_, word)| *word).collect(),
    )
}

pub(super) fn operators(lexical: &Lexical<'_>) -> Vec<Choice> {
    becoming_others(
        lexical,
        |token| is_operator(lexical.text.piece(token)),
        |piece, operators| {
            let mut shorter: Vec<&[u8]> =
                operators.range(..(piece.len(), &[][..])).map(|(_, operator)| *operator).collect();
            let own = piece.chunks(1).filter(|own| piece.len() > 1 && !shorter.contains(own));
            let own: BTreeSet<&[u8]> = own.collect();
            shorter.extend(own);
            shorter
        },
    )
}

/// What all tokens of a sort that are no names may become, by what they are and which others there are, by
/// length, then alphabet.
fn becoming_others(
    lexical: &Lexical<'_>,
    is: impl Fn(usize) -> bool,
    others: impl for<'a> Fn(&'a [u8], &BTreeSet<(usize, &'a [u8])>) -> Vec<&'a [u8]>,
) -> Vec<Choice> {
    let piece = |token: usize| lexical.text.piece(token);
    let wanted = |token: &usize| !lexical.is_name(*token) && !lexical.is_string(*token) && is(*token);
    let tokens: Vec<usize> = (0..lexical.text.len()).filter(wanted).collect();
    let known: BTreeSet<(usize, &[u8])> =
        tokens.iter().map(|&token| (piece(token).len(), piece(token))).collect();
    let weights: BTreeMap<&[u8], u32> =
        tokens.iter().map(|&token| (piece(token), lexical.text.weight(token))).collect();
    let choice = |token: usize| {
        let becoming = |string: &[u8]| {
            let tokens = weights.get(string).copied().unwrap_or(1);
            Change::replacement(token..token + 1, StandIn { bytes: string.into(), tokens })
        };
        Choice::between(others(piece(token), &known).into_iter().map(becoming).collect())
    };
    tokens.into_iter().filter_map(choice).collect()
}

/// Whether it is signs that are neither brackets nor quotes, and end nothing.
fn is_operator(piece: &[u8]) -> bool {
    piece.iter().all(|byte| byte.is_ascii_punctuation() && !b"()[]{}\"'`,;".contains(byte))
}
