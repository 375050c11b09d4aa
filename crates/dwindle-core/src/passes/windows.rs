//! Windows: some tokens one behind the other go, whatever the syntax says (Vulcan's local exhaustion);
//! first those within which brackets match, then all.

use alloc::vec::Vec;
use core::ops::Range;

use super::choice::{Change, Choice};
use super::lexical::Lexical;

/// How many tokens.
const SIZES: Range<usize> = 2..17;

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let tokens = lexical.text.len();
    let windows =
        SIZES.flat_map(|size| (0..(tokens + 1).saturating_sub(size)).map(move |start| start..start + size));
    let (balanced, others): (Vec<_>, Vec<_>) =
        windows.partition(|window| lexical.is_balanced(window.clone()));
    balanced.into_iter().chain(others).map(|window| Choice::one(Change::without(window))).collect()
}
