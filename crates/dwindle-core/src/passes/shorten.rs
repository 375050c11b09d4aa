//! Shorten: characters go out of strings and numbers, in which nothing shorter is a token of its own (T-Rec,
//! section 3), out of other long tokens, such as prose or what the grammar cannot read, and out of names: there
//! the same ones wherever the name is mentioned. Numbers and names keep their first character; an escape is one
//! character. Each is a choice: which go together is up to the list minimiser.
//!
//! Of a long token the choices are pieces of it, on the ends of lines or words where there are any; those that
//! have to stay are cut into [finer](finer) ones, down to single characters. So what can go of any token goes by
//! few questions, and there are never many choices before much was refused.

use alloc::vec::Vec;
use core::iter;
use core::ops::Range;

use super::choice::Choice;
use super::lexical::{Lexical, Name, quote_of};
use crate::Text;
use crate::edit::{Change, Edit, widen};

/// Characters of strings, numbers and other long tokens.
pub(super) fn literals(lexical: &Lexical<'_>) -> Vec<Choice> {
    let of_token = |token: usize| {
        let piece = lexical.text.piece(token);
        let bytes = match quote_of(piece, lexical.is_string(token)) {
            _ if lexical.is_number(token) => 1..piece.len(),
            Some(quote) => quote..piece.len() - quote,
            None if piece.len() > lexical.tuning.long => 0..piece.len(),
            None => 0..0,
        };
        cuts(lexical, &[token], bytes)
    };
    (0..lexical.text.len()).filter(|&token| !lexical.is_name(token)).flat_map(of_token).collect()
}

/// Characters of names.
pub(super) fn names(lexical: &Lexical<'_>) -> Vec<Choice> {
    of_names(lexical, 0)
}

/// Characters of long names.
pub(super) fn long_names(lexical: &Lexical<'_>) -> Vec<Choice> {
    of_names(lexical, lexical.tuning.long)
}

/// Characters of names that are longer than so many bytes.
fn of_names(lexical: &Lexical<'_>, longer: usize) -> Vec<Choice> {
    let alike = |name: &Name<'_>| {
        let mut pieces = name.mentions.iter().map(|&token| lexical.text.piece(token));
        pieces.all(|piece| piece.eq_ignore_ascii_case(name.spelling))
    };
    let names = lexical.spellings().into_iter();
    let names = names.filter(|name| name.spelling.len() > longer && alike(name));
    names.flat_map(|name| cuts(lexical, &name.mentions, 1..name.spelling.len())).collect()
}

/// Each character of a range of bytes goes, at each of these tokens, or each piece where there are many.
fn cuts(lexical: &Lexical<'_>, tokens: &[usize], bytes: Range<usize>) -> Vec<Choice> {
    let piece = lexical.text.piece(tokens[0]);
    let are_few = units(piece, bytes.clone(), character_end).nth(lexical.tuning.pieces).is_none();
    let cut = |cut: Range<usize>| {
        Choice::one(Change::new(tokens.iter().map(|&token| Edit::trim(token, cut.clone()))))
    };
    match are_few {
        true => units(piece, bytes, character_end).map(cut).collect(),
        false => pieces(piece, bytes, lexical.tuning.pieces).into_iter().map(cut).collect(),
    }
}

/// The choices that stand for parts of one that was refused; none where that is a single character, or cuts
/// nothing.
pub(super) fn finer(text: &Text, choice: &Choice, most: usize) -> Vec<Choice> {
    let [change] = &choice.alternatives[..] else { return Vec::new() };
    let Some(Edit::Trim(token, cut)) = change.edits().first() else { return Vec::new() };
    let pieces = pieces(text.piece(*token as usize), widen(cut), most);
    if pieces.len() < 2 {
        return Vec::new();
    }
    let cut = |piece: Range<usize>| {
        let token = |edit: &Edit| if let Edit::Trim(token, _) = edit { Some(*token as usize) } else { None };
        let tokens = change.edits().iter().filter_map(token);
        Choice::one(Change::new(tokens.map(|token| Edit::trim(token, piece.clone()))))
    };
    pieces.into_iter().map(cut).collect()
}

/// The lines of a range of bytes, or the words of a line, or the characters of a word: several of them together
/// where there are many.
fn pieces(piece: &[u8], bytes: Range<usize>, most: usize) -> Vec<Range<usize>> {
    let sorts: [UnitEnd; 3] = [line_end, word_end, character_end];
    let count = |end| units(piece, bytes.clone(), end).count();
    let several = sorts.into_iter().map(|end| (end, count(end))).find(|(_, count)| *count > 1);
    let Some((end, count)) = several else { return Vec::new() };
    let mut units = units(piece, bytes, end);
    let together = count.div_ceil(most);
    let group = || {
        let first = units.next()?;
        let last = units.by_ref().take(together - 1).last();
        Some(first.start..last.map_or(first.end, |last| last.end))
    };
    iter::from_fn(group).collect()
}

/// Where the unit ends that begins these bytes.
type UnitEnd = fn(&[u8]) -> usize;

/// The units of a range of bytes, by where they end.
fn units(piece: &[u8], bytes: Range<usize>, end: UnitEnd) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = bytes.start;
    iter::from_fn(move || {
        let start = at;
        at += if at < bytes.end { end(&piece[at..bytes.end]) } else { 0 };
        (at > start).then_some(start..at)
    })
}

fn line_end(bytes: &[u8]) -> usize {
    bytes.iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |newline| newline + 1)
}

/// Behind a word and the white space behind it.
fn word_end(bytes: &[u8]) -> usize {
    let word = bytes.iter().position(u8::is_ascii_whitespace).unwrap_or(bytes.len());
    let blanks = bytes[word..].iter().position(|byte| !byte.is_ascii_whitespace());
    blanks.map_or(bytes.len(), |blanks| word + blanks)
}

/// Behind a character, by UTF-8 as far as it is, with what a backslash escapes.
fn character_end(bytes: &[u8]) -> usize {
    let mut end = if bytes[0] == b'\\' { 2 } else { 1 };
    if end == 2 && matches!(bytes.get(1), Some(b'x' | b'u' | b'U' | b'0'..=b'7')) {
        end += bytes[end..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    }
    let rest = &bytes[end.min(bytes.len())..];
    end += rest.iter().take_while(|&&byte| byte & 0xc0 == 0x80).count();
    end.min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(found: Vec<Range<usize>>, piece: &str, expect: &[&str]) {
        let strings: Vec<&str> = found.into_iter().map(|range| &piece[range]).collect();
        assert_eq!(strings, expect, "{piece}");
    }

    #[test]
    fn an_escape_is_one_character() {
        let check = |piece: &str, expect: &[&str]| {
            check(units(piece.as_bytes(), 0..piece.len(), character_end).collect(), piece, expect);
        };
        check("abc", &["a", "b", "c"]);
        check("a\\n\\x1Fz", &["a", "\\n", "\\x1F", "z"]);
        check("\\u00e4é\\", &["\\u00e4", "é", "\\"]);
    }

    #[test]
    fn lines_are_cut_into_words_and_words_into_characters() {
        let check = |piece: &str, expect: &[&str]| {
            check(pieces(piece.as_bytes(), 0..piece.len(), 256), piece, expect)
        };
        check("a b\n\nc", &["a b\n", "\n", "c"]);
        check("ab  c d\n", &["ab  ", "c ", "d\n"]);
        check("ab\n", &["a", "b", "\n"]);
        check("a", &[]);
    }

    #[test]
    fn no_more_pieces_are_made_at_once_than_are_allowed() {
        let piece = [b'a'; 101];
        let pieces = pieces(&piece, 0..piece.len(), 10);
        assert!(pieces.len() <= 10 && pieces.iter().all(|range| range.len() <= 11));
        assert_eq!(pieces.iter().map(Range::len).sum::<usize>(), piece.len());
    }
}
