//! Layout: blank lines, blanks at the end of lines and comments go, of several blanks one stays. What is before
//! the first token goes, or only its lines do; of what is behind the last one a line end stays.
//!
//! What is between tokens is one choice, but for long gaps, and so are both ends: all go at once as a rule.

use alloc::vec::Vec;

use super::choice::Choice;
use super::lexical::Lexical;
use crate::{Change, Edit};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let (text, tokens) = (lexical.text, lexical.text.len());
    if tokens == 0 {
        return Vec::new();
    }
    let mut choices = Vec::new();
    let mut short = Vec::new();
    for token in 1..tokens {
        let gap = text.gap(token);
        let edit = Some(squeezed(gap)).filter(|less| less != gap).map(|less| Edit::gap(token, &less));
        match edit {
            Some(edit) if gap.len() > lexical.tuning.long => choices.push(Choice::one(Change::new([edit]))),
            edit => short.extend(edit),
        }
    }
    if !short.is_empty() {
        choices.push(Choice::one(Change::new(short)));
    }
    for (end, smaller) in [(0, starts(text.gap(0))), (tokens, ends(text.gap(tokens)))] {
        let becoming = |gap: &[u8]| Change::new([Edit::gap(end, gap)]);
        let smaller = smaller.into_iter().filter(|gap| gap.len() < text.gap(end).len());
        choices.extend(Choice::between(smaller.map(becoming).collect()));
    }
    choices
}

/// What stays between two tokens: the last line end with the indentation behind it, or a blank.
fn squeezed(gap: &[u8]) -> Vec<u8> {
    match gap.iter().rposition(|&byte| byte == b'\n') {
        Some(newline) => [b"\n", indentation(&gap[newline + 1..])].concat(),
        None if gap.is_empty() => Vec::new(),
        None => b" ".to_vec(),
    }
}

/// What may stay before the first token: nothing, or its indentation.
fn starts(gap: &[u8]) -> Vec<&[u8]> {
    let line = gap.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let mut starts = alloc::vec![&[][..], indentation(&gap[line..])];
    starts.dedup();
    starts
}

/// What stays behind the last token: a line end, where there is one.
fn ends(gap: &[u8]) -> Vec<&[u8]> {
    let end: &[u8] = match gap.iter().position(|&byte| byte == b'\n') {
        Some(newline) if gap[..newline].ends_with(b"\r") => b"\r\n",
        Some(_) => b"\n",
        None => b"",
    };
    alloc::vec![end]
}

/// The white space that begins a line.
fn indentation(line: &[u8]) -> &[u8] {
    &line[..line.len() - line.trim_ascii_start().len()]
}
