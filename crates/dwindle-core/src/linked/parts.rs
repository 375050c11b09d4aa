//! Parts of a node in its place, and strings in its stead: which of them are worth a question.
//!
//! There are many of them, and few succeed: 5 to 8 of a hundred. They are asked when nothing else is left
//! to ask, so that what is known by then can answer for them.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use super::budget::SuccessBudget;
use crate::{Subset, Tuning};

/// What is known of parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    tuning: Tuning,
    /// The tokens of the statements that have to stay.
    statements: Arc<[Range<u32>]>,
    /// What was refused.
    refused: Vec<Refused>,
    budgets: BTreeMap<Sort, SuccessBudget>,
}

/// A part that was refused in the place of a node.
#[derive(Clone, Debug)]
struct Refused {
    /// The tokens of the node that went.
    gone: Vec<u32>,
    /// The tokens of the part.
    part: Vec<u32>,
}

/// What is asked, as far as success budgets go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    /// A part of a node in a place of this slot.
    Part(u32),
    /// A string in the place of one token.
    Token,
    /// A string in the place of several tokens.
    String,
}

impl Parts {
    pub(super) fn new(tuning: Tuning) -> Self {
        Self { tuning, ..Self::default() }
    }

    /// Begins anew with these statements, which have to stay.
    pub(super) fn begin(&mut self, statements: Arc<[Range<u32>]>) {
        self.statements = statements;
        self.refused.clear();
    }

    pub(super) fn is_worth(&self, sort: Sort) -> bool {
        let patience = match sort {
            Sort::Part(_) => self.tuning.parts,
            Sort::Token | Sort::String => self.tuning.strings,
        };
        self.budgets.get(&sort).copied().unwrap_or_default().is_worth(patience)
    }

    pub(super) fn note(&mut self, sort: Sort, worked: bool) {
        self.budgets.entry(sort).or_default().note(worked);
    }

    /// Whether it is known to fail to delete `ranges`, which leaves `left` of `base`: a statement that has to stay lies in
    /// one of them, or less than that was refused. A part that goes as well says nothing: that `!a` cannot become `a` does
    /// not tell whether it is needed.
    pub(super) fn is_known_to_fail(&self, ranges: &[Range<u32>], base: &Subset, left: &Subset) -> bool {
        let inside = |statement: &Range<u32>| {
            ranges.iter().any(|range| range.start <= statement.start && statement.end <= range.end)
        };
        let stays = |&token: &u32| left.contains(token as usize);
        let stands = |&token: &u32| base.contains(token as usize);
        self.statements.iter().any(inside)
            || self.refused.iter().any(|Refused { gone, part }| {
                gone.iter().any(stands) && !gone.iter().any(stays) && part.iter().any(stays)
            })
    }

    /// To go from `base` to `left`, where a part stands in the place of `node`, was refused.
    pub(super) fn refuse(&mut self, node: Range<u32>, base: &Subset, left: &Subset) {
        let gone = base.without(left);
        if gone.len() <= self.tuning.remembered {
            let part = node.filter(|&token| left.contains(token as usize)).collect();
            self.refused.push(Refused { gone: gone.to_vec(), part });
        }
    }
}
