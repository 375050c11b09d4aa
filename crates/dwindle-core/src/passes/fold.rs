//! Fold: an operation on two numbers becomes its value.

use alloc::format;
use alloc::vec::Vec;

use super::choice::Choice;
use super::lexical::Lexical;
use crate::{Change, StandIn};

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
    choices
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
