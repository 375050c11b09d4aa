//! Literals: numbers become 0, 1, or half of what they are; strings become empty, or half as long.

use alloc::format;
use alloc::vec::Vec;

use super::choice::{Change, Choice, weight_of};
use super::lexical::{Lexical, quote_of};
use crate::StandIn;

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let of_token = |token: usize| {
        let piece = lexical.text.piece(token);
        let strings = if lexical.is_number(token) {
            shorter_numbers(piece)
        } else {
            shorter_strings(piece, lexical.is_string(token))
        };
        let smaller = strings.into_iter().filter(|string| (string.len(), &string[..]) < (piece.len(), piece));
        let replaced = |bytes: Vec<u8>| {
            let tokens = weight_of(&bytes, lexical.text.weight(token));
            Change::replacement(token..token + 1, StandIn { bytes, tokens })
        };
        let alternatives: Vec<Change> = smaller.map(replaced).collect();
        (!alternatives.is_empty()).then_some(Choice { alternatives })
    };
    (0..lexical.text.len()).filter_map(of_token).collect()
}

fn shorter_numbers(piece: &[u8]) -> Vec<Vec<u8>> {
    let mut shorter = alloc::vec![b"0".to_vec(), b"1".to_vec()];
    let digits = piece.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let value = core::str::from_utf8(&piece[..digits]).ok().and_then(|digits| digits.parse::<u128>().ok());
    if let Some(value) = value.filter(|&value| value > 0) {
        for bytes in [format!("{value}"), format!("{}", value / 2), format!("{}", value - 1)] {
            shorter.push(bytes.clone().into_bytes());
            // With what is behind the digits, such as a suffix or a fraction.
            shorter.push([bytes.as_bytes(), &piece[digits..]].concat());
        }
    }
    // Of hexadecimal numbers, half of the digits.
    if let [b'0', b'x' | b'X', rest @ ..] = piece
        && rest.len() > 1
    {
        shorter.push([&piece[..2], &rest[..rest.len() / 2]].concat());
        shorter.push(piece[..piece.len() - 1].to_vec());
    }
    shorter
}

/// Without what is between the quotes, or without half of it.
fn shorter_strings(piece: &[u8], is_string: bool) -> Vec<Vec<u8>> {
    let Some(quote) = quote_of(piece, is_string) else { return Vec::new() };
    let inside = &piece[quote..piece.len() - quote];
    let (first, second) = inside.split_at(inside.len() / 2);
    let insides = [&[][..], first, second, &inside[..inside.len() - 1], &inside[1..]];
    let quoted = |inside: &[u8]| [&piece[..quote], inside, &piece[piece.len() - quote..]].concat();
    insides.into_iter().filter(|inside| quote > 0 || !inside.is_empty()).map(quoted).collect()
}
