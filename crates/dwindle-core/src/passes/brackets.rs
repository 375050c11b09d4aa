//! Brackets: a pair of them goes together with what is between them, or with the token before it, so
//! that a call becomes its argument, or alone; or all of it becomes a name.

use alloc::vec::Vec;

use super::choice::Choice;
use super::lexical::Lexical;
use crate::{Change, Edit};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let most_mentioned = lexical.names().iter().max_by_key(|name| name.mentions.len());
    let name = most_mentioned.map(|name| name.string());
    let pairs = lexical.pairs().map(|(open, close)| {
        let close_alone = close..close + 1;
        let mut alternatives = alloc::vec![Change::new([Edit::cut(open..close + 1)])];
        if close > open + 1 {
            if open > 0 {
                alternatives.push(Change::cut([open - 1..open + 1, close_alone.clone()]));
            }
            alternatives.push(Change::cut([open..open + 1, close_alone]));
        }
        alternatives.extend(name.clone().map(|name| Change::replacement(open..close + 1, name)));
        Choice { alternatives }
    });
    pairs.collect()
}
