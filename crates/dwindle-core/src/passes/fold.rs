//! Fold: an operation on two numbers becomes its value, two strings in a row become one.

use alloc::format;
use alloc::vec::Vec;

use super::choice::Choice;
use super::lexical::Lexical;
use crate::{Change, Edit, StandIn};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let nodes = lexical.tree.nodes();
    let mut choices: Vec<Choice> = Vec::new();
    for node in nodes {
        let tokens = node.tokens();
        let (left, right) = (tokens.start, tokens.start + 2);
        if tokens.len() != 3 || !lexical.is_number(left) || !lexical.is_number(right) {
            continue;
        }
        let value = |token: usize| core::str::from_utf8(lexical.text.piece(token)).ok()?.parse::<i64>().ok();
        let folded = (|| fold(value(left)?, lexical.text.piece(left + 1), value(right)?))();
        choices.extend(folded.map(|value| {
            let string = StandIn { bytes: format!("{value}").into_bytes(), tokens: 1 + u32::from(value < 0) };
            Choice::one(Change::replacement(tokens.clone(), string))
        }));
    }
    choices.dedup();
    choices.extend((1..lexical.text.len()).filter_map(|right| joined(lexical, right)));
    choices
}

/// Signs between two strings that are one.
const JOINS: [&[u8]; 9] = [b"+", b".", b"..", b"||", b"++", b"<>", b"&", b"^", b"~"];

/// The string that begins at `right` and the one before it as one.
fn joined(lexical: &Lexical<'_>, right: usize) -> Option<Choice> {
    let piece = |token: usize| lexical.text.piece(token);
    let &quote = piece(right).first().filter(|byte| b"\"'`".contains(byte))?;
    let is_joined = JOINS.contains(&piece(right - 1)) && !lexical.is_string(right - 1);
    let left = right.checked_sub(if is_joined { 2 } else { 1 })?;
    let ends = piece(left).last() == Some(&quote);
    let whole = |token: usize| piece(token).len() > 1;
    let change = match (whole(left), whole(right)) {
        (true, true) if ends => {
            let bytes = [&piece(left)[..piece(left).len() - 1], &piece(right)[1..]].concat();
            let tokens = lexical.text.weight(left) + lexical.text.weight(right);
            Change::replacement(left..right + 1, StandIn { bytes, tokens: tokens - 1 })
        }
        (false, false) if ends && is_joined => Change::new([Edit::cut(left..right + 1)]),
        _ => return None,
    };
    Some(Choice::one(change))
}

/// The value, where it is one of 64 bits.
fn fold(left: i64, operator: &[u8], right: i64) -> Option<i64> {
    match operator {
        b"+" => left.checked_add(right),
        b"-" => left.checked_sub(right),
        b"*" => left.checked_mul(right),
        b"/" => left.checked_div(right),
        b"%" => left.checked_rem(right),
        b"&" => Some(left & right),
        b"|" => Some(left | right),
        b"^" => Some(left ^ right),
        b"<<" => u32::try_from(right).ok().and_then(|right| left.checked_shl(right)),
        b">>" => u32::try_from(right).ok().and_then(|right| left.checked_shr(right)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_have_the_values_of_arithmetic_or_none() {
        for (left, operator, right, expect) in [
            (15, "-", 50, Some(-35)),
            (7, "/", 2, Some(3)),
            (7, "/", 0, None),
            (i64::MAX, "+", 1, None),
            (1, "<<", 70, None),
            (6, "=", 6, None),
        ] {
            assert_eq!(fold(left, operator.as_bytes(), right), expect, "{left} {operator} {right}");
        }
    }
}
