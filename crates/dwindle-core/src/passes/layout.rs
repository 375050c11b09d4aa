//! Layout: blank lines, blanks at the end of lines and comments go, of several blanks one stays.

use alloc::vec::Vec;

use super::choice::{Change, Choice};
use super::lexical::Lexical;
use crate::StandIn;

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let (text, tokens) = (lexical.text, lexical.text.len());
    if tokens == 0 {
        return Vec::new();
    }
    let mut bytes = text.piece(0).to_vec();
    for token in 1..tokens {
        let gap = &text.bytes()[text.span(token - 1).end..text.span(token).start];
        match gap.iter().rposition(|&byte| byte == b'\n') {
            Some(newline) => {
                let behind = &gap[newline + 1..];
                bytes.push(b'\n');
                bytes.extend(behind.iter().take_while(|byte| byte.is_ascii_whitespace()));
            }
            None if gap.is_empty() => {}
            None => bytes.push(b' '),
        }
        bytes.extend(text.piece(token));
    }
    let whole = StandIn { bytes, tokens: lexical.weight(0..tokens) };
    alloc::vec![Choice::one(Change::replacement(0..tokens, whole))]
}
