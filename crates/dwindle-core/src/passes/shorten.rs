//! Shorten: characters go out of strings and numbers, in which nothing shorter is a token of its own (T-Rec,
//! section 3), out of other long tokens, such as prose or what the grammar cannot read, and out of names: there
//! the same ones wherever the name is mentioned. Numbers and names keep their first character; an escape is one
//! character. Each is a choice: which go together is up to the list minimiser.
//!
//! Of a long token, and of one with several words, the choices are pieces of it, on the ends of lines or words where there are any; those that
//! have to stay are cut into [finer](finer) ones, down to single characters. So what can go of any token goes by
//! few questions, and there are never many choices before much was refused.
//!
//! Comments that stay lose lines and words in the same way, but never what may make them comments: the language is not
//! known here.

use alloc::vec::Vec;
use core::iter;
use core::ops::Range;

use super::choice::Choice;
use super::lexical::{Lexical, Name, quote_of};
use crate::Text;
use crate::edit::{Change, Edit};
use crate::names::is_of_word;
use crate::range::widen;
use crate::tuning::PassTuning;

/// Characters of strings, numbers and other long tokens, words of others, and lines and words of comments.
pub(super) fn literals(lexical: &Lexical<'_>) -> Vec<Choice> {
    let of_token = |token: usize| {
        let piece = lexical.text.piece(token);
        let is_short = piece.len() <= lexical.tuning.long;
        let bytes = match quote_of(piece, lexical.is_string(token)) {
            _ if lexical.is_number(token) => 1..piece.len(),
            Some(quote) => quote..piece.len() - quote,
            None if is_short => return words(lexical, token),
            None => 0..piece.len(),
        };
        cuts(lexical, &[token], bytes)
    };
    let tokens = (0..lexical.text.len()).filter(|&token| !lexical.is_name(token)).flat_map(of_token);
    tokens.chain((0..=lexical.text.len()).flat_map(|gap| comments(lexical, gap))).collect()
}

/// Lines or words of a short token that has several.
fn words(lexical: &Lexical<'_>, token: usize) -> Vec<Choice> {
    let piece = lexical.text.piece(token);
    if !piece.iter().any(u8::is_ascii_whitespace) {
        return Vec::new();
    }
    let pieces = pieces(piece, 0..piece.len(), lexical.tuning.pieces);
    pieces.into_iter().map(|cut| Choice::one(Change::new([Edit::trim(token, cut)]))).collect()
}

/// Lines of the comments in a gap, and words of lines that have to stay.
fn comments(lexical: &Lexical<'_>, token: usize) -> Vec<Choice> {
    let gap = lexical.text.gap(token);
    let pieces = pieces_of_comments(gap, 0..gap.len(), &lexical.tuning);
    pieces.into_iter().map(|cut| Choice::one(Change::new([Edit::trim_gap(token, cut)]))).collect()
}

pub(super) fn names(lexical: &Lexical<'_>) -> Vec<Choice> {
    of_names(lexical, 0)
}

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
/// nothing. Short words of comments and words of short tokens are not cut.
pub(super) fn finer(text: &Text, choice: &Choice, tuning: &PassTuning) -> Vec<Choice> {
    let [change] = &choice.alternatives[..] else { return Vec::new() };
    let pieces = match change.edits().first() {
        Some(Edit::Trim(token, cut)) => {
            let (piece, cut) = (text.piece(*token as usize), widen(cut));
            let is_word = !piece[cut.clone()].trim_ascii_end().iter().any(u8::is_ascii_whitespace);
            match piece.len() <= tuning.long && is_word {
                true => Vec::new(),
                false => pieces(piece, cut, tuning.pieces),
            }
        }
        Some(Edit::TrimGap(token, cut)) => pieces_of_comments(text.gap(*token as usize), widen(cut), tuning),
        _ => Vec::new(),
    };
    let with = |edit: &Edit, piece: Range<usize>| match edit {
        Edit::TrimGap(token, _) => Edit::trim_gap(*token as usize, piece),
        Edit::Trim(token, _) => Edit::trim(*token as usize, piece),
        other => other.clone(),
    };
    let cut = |piece: Range<usize>| {
        Choice::one(Change::new(change.edits().iter().map(|edit| with(edit, piece.clone()))))
    };
    pieces.into_iter().map(cut).collect()
}

/// The parts of a range of a gap that can go while what is left of its comments stays comments: lines, or what is in
/// a line, or words of that.
///
/// What a line begins and ends with stays where it is no word, since it may begin or end a comment. A whole line goes
/// where it is like a line beside it, or begins with a word and others follow. What stands before the first line end
/// and behind the last one parts tokens and is never taken whole.
fn pieces_of_comments(gap: &[u8], bytes: Range<usize>, tuning: &PassTuning) -> Vec<Range<usize>> {
    let lines: Vec<Range<usize>> = units(gap, 0..gap.len(), line_end).collect();
    let filled = |line: &&Range<usize>| !gap[(*line).clone()].trim_ascii().is_empty();
    let begin = |line: &Range<usize>| {
        let line = gap[line.clone()].trim_ascii();
        &line[..line
            .iter()
            .position(|&byte| is_of_word(byte) || byte.is_ascii_whitespace())
            .unwrap_or(line.len())]
    };
    let filled: Vec<&Range<usize>> = lines.iter().filter(filled).collect();
    let goes = |at: usize| {
        let line = filled[at];
        let beside = [at.checked_sub(1), Some(at + 1)];
        let mut beside = beside.into_iter().flatten().filter_map(|at| filled.get(at));
        let is_like_another = beside.any(|other| begin(other) == begin(line));
        let goes_on = begin(line).is_empty() && at + 1 < filled.len();
        line.start > 0
            && gap[line.end - 1] == b'\n'
            && (goes_on || !begin(line).is_empty() && is_like_another)
    };
    let inside = |line: &Range<usize>| {
        let text = &gap[line.clone()];
        let begin = text.len() - text.trim_ascii_start().len() + begin(line).len();
        let start = begin + text[begin..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let end = text.iter().rposition(|&byte| is_of_word(byte)).map_or(0, |last| last + 1);
        line.start + start..line.start + end.max(start)
    };
    let here = |at: &usize| bytes.start <= filled[*at].start && filled[*at].end <= bytes.end;
    let here: Vec<usize> = (0..filled.len()).filter(here).collect();
    let parts = match here[..] {
        [only] if *filled[only] == bytes => alloc::vec![inside(filled[only])],
        [] => {
            let one = units(gap, bytes.clone(), word_end).nth(1).is_none();
            let end: UnitEnd = if one && bytes.len() > tuning.long { character_end } else { word_end };
            grouped(units(gap, bytes.clone(), end), tuning.pieces)
        }
        _ => {
            let part = |at: usize| if goes(at) { filled[at].clone() } else { inside(filled[at]) };
            grouped(here.into_iter().map(part).filter(|part| !part.is_empty()), tuning.pieces)
        }
    };
    parts.into_iter().filter(|part| !part.is_empty() && *part != bytes).collect()
}

/// So many at most, where they touch each other: several of them are one then.
fn grouped(parts: impl Iterator<Item = Range<usize>>, most: usize) -> Vec<Range<usize>> {
    let parts: Vec<Range<usize>> = parts.collect();
    let together = parts.len().div_ceil(most);
    let mut groups: Vec<(Range<usize>, usize)> = Vec::new();
    for part in parts {
        match groups.last_mut() {
            Some((group, count)) if group.end == part.start && *count < together => {
                (group.end, *count) = (part.end, *count + 1);
            }
            _ => groups.push((part, 1)),
        }
    }
    groups.into_iter().map(|(group, _)| group).collect()
}

/// The lines of a range of bytes, or the words of a line, or the characters of a word: several of them together
/// where there are many.
fn pieces(piece: &[u8], bytes: Range<usize>, most: usize) -> Vec<Range<usize>> {
    let sorts: [UnitEnd; 3] = [line_end, word_end, character_end];
    let count = |end| units(piece, bytes.clone(), end).count();
    let several = sorts.into_iter().find(|&end| count(end) > 1);
    several.map(|end| grouped(units(piece, bytes, end), most)).unwrap_or_default()
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
    use crate::Tuning;

    const TUNING: PassTuning = Tuning::DEFAULT.passes;

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
    fn what_makes_a_comment_one_is_never_cut() {
        let check = |gap: &str, expect: &[&str]| {
            check(pieces_of_comments(gap.as_bytes(), 0..gap.len(), &TUNING), gap, expect)
        };
        check("\n  # a b\n  # c\n\n", &["  # a b\n", "  # c\n"]);
        check(" # a b\n  # c\n", &["a b", "  # c\n"]);
        check("\n/* a\n b\n\n c */ ", &["a", " b\n", "c"]);
        check("\n/**\n * a\n * b\n */\n", &[" * a\n", " * b\n"]);
        check(" /* a b. */ ", &["a b"]);
        check("\n\t\n", &[]);
        check("\n//\n", &[]);
    }

    #[test]
    fn lines_of_comments_are_cut_into_words() {
        let gap = "\n# a b c!\n# d\n";
        let check = |bytes: &str, expect: &[&str]| {
            let start = gap.find(bytes).unwrap();
            check(pieces_of_comments(gap.as_bytes(), start..start + bytes.len(), &TUNING), gap, expect)
        };
        check("# a b c!\n# d\n", &["# a b c!\n", "# d\n"]);
        check("# a b c!\n", &["a b c"]);
        check("a b c", &["a ", "b ", "c"]);
        check("a ", &[]);
        let long = ["\n", &"# a\n".repeat(10)].concat();
        let few = PassTuning { pieces: 4, ..TUNING };
        let pieces = pieces_of_comments(long.as_bytes(), 0..long.len(), &few);
        assert_eq!(pieces, [1..13, 13..25, 25..37, 37..41]);
    }

    #[test]
    fn no_more_pieces_are_made_at_once_than_are_allowed() {
        let piece = [b'a'; 101];
        let pieces = pieces(&piece, 0..piece.len(), 10);
        assert!(pieces.len() <= 10 && pieces.iter().all(|range| range.len() <= 11));
        assert_eq!(pieces.iter().map(Range::len).sum::<usize>(), piece.len());
    }
}
