//! Parts of a node in its place, and strings in its stead: which of them are worth a question.
//!
//! There are many of them, and few succeed: 5 to 8 of a hundred. They are asked when nothing else is left
//! to ask, so that what is known by then can answer for them.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use super::habits::Habit;
use crate::Subset;

/// What is known of parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    /// The tokens of the statements that have to stay.
    statements: Arc<[Range<u32>]>,
    /// What was taken out of nodes in vain.
    refused: Vec<Vec<u32>>,
    habits: BTreeMap<Sort, Habit>,
}

/// What is asked, as far as habits go.
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
    /// Begins anew with these statements, which have to stay.
    pub(super) fn begin(&mut self, statements: Arc<[Range<u32>]>) {
        self.statements = statements;
        self.refused.clear();
    }

    pub(super) fn is_worth(&self, sort: Sort) -> bool {
        let patience = match sort {
            Sort::Part(_) => 12,
            Sort::Token | Sort::String => 4,
        };
        self.habits.get(&sort).copied().unwrap_or_default().is_worth(patience)
    }

    pub(super) fn note(&mut self, sort: Sort, worked: bool) {
        self.habits.entry(sort).or_default().note(worked);
    }

    /// Whether to go from `base` to `left` by taking out `ranges` is known to be in vain: a statement that
    /// has to stay lies in one of these, or less than that was refused.
    pub(super) fn is_in_vain(&self, ranges: &[Range<u32>], base: &Subset, left: &Subset) -> bool {
        let inside = |statement: &Range<u32>| {
            ranges.iter().any(|range| range.start <= statement.start && statement.end <= range.end)
        };
        let goes = |&token: &u32| !left.contains(token as usize);
        let stands = |&token: &u32| base.contains(token as usize);
        self.statements.iter().any(inside)
            || self.refused.iter().any(|tokens| tokens.iter().all(goes) && tokens.iter().any(stands))
    }

    /// To go from `base` to `left` was refused.
    pub(super) fn refuse(&mut self, base: &Subset, left: &Subset) {
        let gone = base.without(left);
        if gone.len() <= MOST {
            self.refused.push(gone.to_vec());
        }
    }
}

/// How many tokens that were refused are worth remembering.
const MOST: usize = 64;
