//! Literals: numbers become 0, 1 or decimal without a suffix; strings become empty, or the least of values where they are
//! several tokens.

use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

use super::choice::Choice;
use super::lexical::{Lexical, outermost, quote_of};
use crate::edit::weight_of;
use crate::{Change, StandIn};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let of_token = |token: usize| {
        let piece = lexical.text.piece(token);
        let strings = if lexical.is_number(token) {
            shorter_numbers(piece)
        } else {
            emptied(piece).into_iter().collect()
        };
        let smaller = strings.into_iter().filter(|string| (string.len(), &string[..]) < (piece.len(), piece));
        let replaced = |bytes: Vec<u8>| {
            let tokens = weight_of(&bytes, lexical.text.weight(token));
            Change::replacement(token..token + 1, StandIn { bytes, tokens })
        };
        Choice::between(smaller.map(replaced).collect())
    };
    (0..lexical.text.len()).filter_map(of_token).chain(strings(lexical)).collect()
}

/// Each string of several tokens becomes the least of values.
fn strings<'a>(lexical: &'a Lexical<'_>) -> impl Iterator<Item = Choice> + 'a {
    let tree = lexical.tree;
    let is_quoted = |tokens: &Range<usize>| {
        let quote = |byte: Option<&u8>| byte.copied().filter(|byte| b"\"'`".contains(byte));
        let end_of = |token: usize| lexical.text.piece(token).last();
        let begin = end_of(tokens.start);
        // No sum of two strings. All of one may be a single token.
        let behind = tokens.start + 1..tokens.end;
        let is_one =
            behind.is_empty() || behind.clone().find(|&token| end_of(token) == begin) == behind.last();
        quote(begin).is_some() && is_one
    };
    let all = tree.nodes().iter().enumerate().skip(1).filter(|&(node, _)| tree.slot(node).is_some());
    let strings = all.map(|(_, node)| node.tokens()).filter(|tokens| !tokens.is_empty());
    let strings = outermost(strings.filter(move |tokens| is_quoted(tokens)));
    let long = strings.into_iter().filter(|tokens| lexical.weight(tokens.clone()) > 1);
    long.filter_map(move |tokens| {
        let least = StandIn::token(tree.signs(tokens.start).least?);
        Some(Choice::one(Change::replacement(tokens, least)))
    })
}

/// The least of numbers, and the number without a suffix or in decimal. Other digits go by `shorten`.
fn shorter_numbers(piece: &[u8]) -> Vec<Vec<u8>> {
    let digits = piece.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let value = |digits, radix| u128::from_str_radix(core::str::from_utf8(digits).ok()?, radix).ok();
    let value = match piece {
        [b'0', b'x' | b'X', rest @ ..] => value(rest, 16),
        _ => value(&piece[..digits], 10).filter(|&value| value > 0),
    };
    let plain = value.map(|value| format!("{value}").into_bytes());
    [b"0".to_vec(), b"1".to_vec()].into_iter().chain(plain).collect()
}

/// The quotes of a string alone.
fn emptied(piece: &[u8]) -> Option<Vec<u8>> {
    let quote = quote_of(piece, false)?;
    Some([&piece[..quote], &piece[piece.len() - quote..]].concat())
}
