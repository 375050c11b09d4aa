//! Brackets: a pair of them goes together with what is between them, or with the token before it, so
//! that a call becomes its argument, or alone.

use alloc::vec::Vec;

use super::choice::{Change, Choice};
use super::lexical::Lexical;

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let pairs = lexical.pairs().map(|(open, close)| {
        let close_alone = close..close + 1;
        let mut alternatives = alloc::vec![Change::removal([open..close + 1])];
        if close > open + 1 {
            if open > 0 {
                alternatives.push(Change::removal([open - 1..open + 1, close_alone.clone()]));
            }
            alternatives.push(Change::removal([open..open + 1, close_alone]));
        }
        Choice { alternatives }
    });
    pairs.collect()
}
