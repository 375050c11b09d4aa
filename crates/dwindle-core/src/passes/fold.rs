//! Fold: an operation on two numbers becomes its value, two strings in a row become one.

use alloc::format;
use alloc::vec::Vec;

use super::choice::Choice;
use super::lexical::Lexical;
use crate::lexicon::is_one_of;
use crate::{Change, Edit, Operation, StandIn};

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
        let operation = lexical.tree.signs(left).operation(lexical.text.piece(left + 1));
        let folded = (|| fold(value(left)?, operation?, value(right)?))();
        choices.extend(folded.map(|value| {
            let string = StandIn { bytes: format!("{value}").into_bytes(), tokens: 1 + u32::from(value < 0) };
            Choice::one(Change::replacement(tokens.clone(), string))
        }));
    }
    choices.dedup();
    choices.extend((1..lexical.text.len()).filter_map(|right| joined(lexical, right)));
    choices
}

/// The string that begins at `right` and the one before it as one.
fn joined(lexical: &Lexical<'_>, right: usize) -> Option<Choice> {
    let piece = |token: usize| lexical.text.piece(token);
    let &quote = piece(right).first().filter(|byte| b"\"'`".contains(byte))?;
    let joins = lexical.tree.signs(right).joins;
    let is_joined = is_one_of(piece(right - 1), joins) && !lexical.is_string(right - 1);
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
fn fold(left: i64, operation: Operation, right: i64) -> Option<i64> {
    match operation {
        Operation::Add => left.checked_add(right),
        Operation::Subtract => left.checked_sub(right),
        Operation::Multiply => left.checked_mul(right),
        Operation::Divide => left.checked_div(right),
        Operation::Remainder => left.checked_rem(right),
        Operation::And => Some(left & right),
        Operation::Or => Some(left | right),
        Operation::ExclusiveOr => Some(left ^ right),
        Operation::ShiftLeft => u32::try_from(right).ok().and_then(|right| left.checked_shl(right)),
        Operation::ShiftRight => u32::try_from(right).ok().and_then(|right| left.checked_shr(right)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_have_the_values_of_arithmetic_or_none() {
        for (left, operation, right, expect) in [
            (15, Operation::Subtract, 50, Some(-35)),
            (7, Operation::Divide, 2, Some(3)),
            (7, Operation::Divide, 0, None),
            (i64::MAX, Operation::Add, 1, None),
            (1, Operation::ShiftLeft, 70, None),
        ] {
            assert_eq!(fold(left, operation, right), expect, "{left} {operation:?} {right}");
        }
    }
}
