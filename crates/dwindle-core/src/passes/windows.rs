//! Windows: some tokens one behind the other go, whatever the syntax says (Vulcan's local exhaustion). First
//! those within which brackets match, where a pair and all that is between counts as one token; then all.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::ops::Range;

use super::choice::Choice;
use super::lexical::Lexical;
use crate::Change;

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let tokens = lexical.text.len();
    let mut windows: Vec<(usize, Range<usize>)> = Vec::new();
    for start in 0..tokens {
        let balanced = (1..).zip(balanced_ends(lexical, start)).map(|(size, end)| (size, start..end));
        windows.extend(balanced.filter(|(_, window)| window.len() > 1));
    }
    windows.sort_by_key(|(size, window)| (*size, window.start));
    let known: BTreeSet<_> = windows.iter().map(|(_, window)| (window.start, window.end)).collect();
    for size in 2..=lexical.tuning.window.min(tokens) {
        let all = (0..=tokens - size).map(|start| start..start + size);
        windows.extend(
            all.filter(|window| !known.contains(&(window.start, window.end))).map(|window| (size, window)),
        );
    }
    windows.into_iter().map(|(_, window)| Choice::one(Change::cut([window]))).collect()
}

/// Where windows end that begin at a token and hold one token or pair more each, up to a bracket that closes
/// a pair from before.
fn balanced_ends(lexical: &Lexical<'_>, start: usize) -> Vec<usize> {
    let closes = |token: usize| matches!(lexical.text.piece(token), b")" | b"]" | b"}");
    let next = |&end: &usize| {
        (end < lexical.text.len() && !closes(end)).then(|| lexical.partner(end).unwrap_or(end) + 1)
    };
    core::iter::successors(Some(start), next).skip(1).take(lexical.tuning.window).collect()
}
