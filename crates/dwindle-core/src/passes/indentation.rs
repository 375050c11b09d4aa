//! Indentation: what comes in the place of more gets the indentation of that, since in some languages it tells to what a
//! statement belongs.

use core::ops::Range;

use super::lexical::Lexical;
use crate::{Change, Edit, Text};

/// Of the tokens of `outer` only those of `inner` stay. Where no bracket opens before them, they are indented as what
/// they replace was.
pub(super) fn kept(lexical: &Lexical<'_>, outer: Range<usize>, inner: Range<usize>) -> Change {
    let text = lexical.text;
    let Change(mut edits) = Change::keep(outer.clone(), inner.clone());
    let is_bracket = |token: usize| matches!(text.piece(token), b"(" | b"[" | b"{");
    let is_in_brackets = inner.start > outer.start && is_bracket(inner.start - 1);
    if let (Some(to), Some(from)) = (of(text, outer.start), of(text, inner.start))
        && !is_in_brackets
        && from != to
    {
        edits.extend(inner.filter_map(|token| {
            let rest = of(text, token)?.strip_prefix(from)?;
            let gap = text.gap(token);
            let line = gap.len() - from.len() - rest.len();
            Some(Edit::gap(token, &[&gap[..line], to, rest].concat()))
        }));
    }
    Change(edits)
}

/// The indentation of a token, if it is the first on its line.
fn of(text: &Text, token: usize) -> Option<&[u8]> {
    let gap = text.gap(token);
    let line = match gap.iter().rposition(|&byte| byte == b'\n') {
        Some(newline) => newline + 1,
        None if token == 0 => 0,
        None => return None,
    };
    Some(&gap[line..])
}
