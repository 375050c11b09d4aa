//! What is to stay: text of the input that every candidate must hold.
//!
//! That is what stands in a [region](dwindle_read::regions), with its marks, and what a pattern matches.
//!
//! A [`Pattern`] is a regular expression. Whatever it matches in the input, extended to whole words where
//! it begins or ends within one, stays: a candidate that does not hold all of these strings, byte for byte,
//! in the order of the input and without overlap, is refused without a test. A word is found again as a
//! word only, so `a` is not kept by an `ab`. What stands between the strings may go and change.
//!
//! This is a rule about bytes, so it holds for every search and every pass, whether they delete, rename or
//! merge; and what it says of a candidate depends on nothing else.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use memchr::memmem::Finder;
use regex::bytes::{Regex, RegexBuilder};

use crate::shown::shown;

/// A regular expression of the crate `regex`, in which `^` and `$` are the ends of lines.
#[derive(Clone, Debug)]
pub struct Pattern(Regex);

impl FromStr for Pattern {
    type Err = regex::Error;

    fn from_str(text: &str) -> Result<Self, regex::Error> {
        RegexBuilder::new(text).multi_line(true).crlf(true).build().map(Self)
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str())
    }
}

/// A pattern that keeps nothing.
#[derive(Debug, thiserror::Error)]
#[error(
    "there is nothing in {} that the pattern {pattern:?} of --keep matches{}",
    shown(path),
    literally(literal)
)]
pub struct NothingToKeep {
    /// The input.
    pub path: PathBuf,
    /// The pattern.
    pub pattern: String,
    /// The pattern that matches what it says letter by letter, if that is there.
    pub literal: Option<String>,
}

fn literally(literal: &Option<String>) -> String {
    let hint =
        |literal| format!("; signs that mean something in a regular expression want a backslash: {literal}");
    literal.as_ref().map(hint).unwrap_or_default()
}

/// The strings that stay.
#[derive(Clone, Debug, Default)]
pub struct Keep {
    strings: Vec<Finder<'static>>,
}

impl Keep {
    /// What `patterns` match in `input`, which is the file at `path`, and these `regions` of it.
    pub fn new(
        patterns: &[Pattern],
        regions: Vec<Range<usize>>,
        input: &[u8],
        path: &Path,
    ) -> Result<Self, NothingToKeep> {
        let mut spans = regions;
        for Pattern(regex) in patterns {
            let before = spans.len();
            let matches = regex.find_iter(input).filter(|found| !found.is_empty());
            spans.extend(matches.map(|found| whole_words(input, found.range())));
            if spans.len() == before {
                let pattern = regex.as_str().to_owned();
                let is_there = Finder::new(&pattern).find(input).is_some();
                let literal = Some(regex::escape(&pattern)).filter(|literal| is_there && *literal != pattern);
                return Err(NothingToKeep { path: path.to_owned(), pattern, literal });
            }
        }
        spans.sort_by_key(|span| span.start);
        let mut apart: Vec<Range<usize>> = Vec::new();
        for span in spans {
            match apart.last_mut() {
                Some(last) if span.start < last.end => last.end = last.end.max(span.end),
                _ => apart.push(span),
            }
        }
        Ok(Self { strings: apart.into_iter().map(|span| Finder::new(&input[span]).into_owned()).collect() })
    }

    /// Whether all that stays is in `candidate`. Each string is taken where it is found first: where all
    /// of them can be found at all, they can be found so.
    pub fn admits(&self, candidate: &[u8]) -> bool {
        let mut rest = 0;
        self.strings.iter().all(|string| match find(string, candidate, rest) {
            Some(end) => {
                rest = end;
                true
            }
            None => false,
        })
    }
}

/// Where the first occurrence of `string` ends that begins at `from` or later and at whose ends no word
/// goes on.
fn find(string: &Finder<'_>, candidate: &[u8], mut from: usize) -> Option<usize> {
    loop {
        let start = from + string.find(&candidate[from..])?;
        let end = start + string.needle().len();
        if !is_within_word(candidate, start) && !is_within_word(candidate, end) {
            return Some(end);
        }
        from = start + 1;
    }
}

/// Whether a word goes on at this place. Bytes beyond ASCII are letters, as for [`lexer`](dwindle_read::lexer).
fn is_within_word(bytes: &[u8], at: usize) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    let word = |at: usize| bytes.get(at).is_some_and(is_word);
    at > 0 && word(at - 1) && word(at)
}

fn whole_words(bytes: &[u8], mut span: Range<usize>) -> Range<usize> {
    while is_within_word(bytes, span.start) {
        span.start -= 1;
    }
    while is_within_word(bytes, span.end) {
        span.end += 1;
    }
    span
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keep(patterns: &[&str], input: &str) -> Result<Keep, NothingToKeep> {
        let patterns: Vec<Pattern> = patterns.iter().map(|pattern| pattern.parse().unwrap()).collect();
        Keep::new(&patterns, Vec::new(), input.as_bytes(), Path::new("a.c"))
    }

    #[track_caller]
    fn check(patterns: &[&str], input: &str, candidate: &str, admitted: bool) {
        let keep = keep(patterns, input).unwrap();
        assert!(keep.admits(input.as_bytes()), "the input holds what is matched in it");
        assert_eq!(keep.admits(candidate.as_bytes()), admitted, "{patterns:?} {candidate:?}");
    }

    #[test]
    fn what_is_matched_stays_in_its_order() {
        check(&[], "anything", "", true);
        check(&["int f"], "int f(int a);\nint g;\n", "int f(){}", true);
        check(&["int f"], "int f(int a);\nint g;\n", "int  f(){}", false);
        check(&["one", "two"], "one two three", "one+two", true);
        check(&["one", "two"], "one two three", "two one", false);
        check(&["two", "one"], "one two three", "one two", true);
    }

    #[test]
    fn every_match_stays() {
        check(&["x"], "x = x + x;", "x x x", true);
        check(&["x"], "x = x + x;", "x x", false);
    }

    #[test]
    fn lines_have_ends() {
        check(&["^int.*$"], "a int x;\r\nint y;\r\nint z;", "int y;int z;", true);
        check(&["^int.*$"], "a int x;\r\nint y;\r\nint z;", "int y;", false);
    }

    #[test]
    fn words_stay_whole_and_are_found_as_words() {
        check(&["ee"], "see needle bees", "see needle bees", true);
        check(&["ee"], "see needle bees", "ee ee ee", false);
        check(&["a"], "a b", "ab", false);
        check(&["a"], "a b", "ba", false);
        check(&["a-a"], "a-a", "ba-a-a", true);
        check(&["é"], "café!", "café", true);
        check(&["é"], "café!", "é", false);
    }

    #[test]
    fn matches_that_overlap_are_one() {
        check(&["one two", "two three"], "one two three", "one two three", true);
        check(&["one two", "two three"], "one two three", "one two two three", false);
    }

    #[test]
    fn regions_stay_beside_what_is_matched() {
        let input = "a [b  c] d (e)";
        let patterns = ["c] d".parse().unwrap(), "a".parse().unwrap()];
        let keep = Keep::new(&patterns, vec![2..8, 11..14], input.as_bytes(), Path::new("a")).unwrap();
        assert!(keep.admits(input.as_bytes()) && keep.admits(b"a[b  c] d(e)"));
        assert!(!keep.admits(b"a [b c] d (e)") && !keep.admits(b"a [b  c] (e)"));
        assert!(!keep.admits(b"a [b  c] d"));
    }

    #[test]
    fn bytes_that_are_no_text_can_be_kept() {
        let pattern: Pattern = "(?-u)\\xff+".parse().unwrap();
        let keep = Keep::new(&[pattern], Vec::new(), b"a (\xff\xff) b", Path::new("a")).unwrap();
        assert!(keep.admits(b"\xff\xff") && !keep.admits(b"\xff"));
    }

    #[test]
    fn a_pattern_that_matches_nothing_is_an_error_that_says_how_to_write_it() {
        let said = |pattern| keep(&[pattern], "int f(int a);").unwrap_err().to_string();
        assert_eq!(said("none"), "there is nothing in a.c that the pattern \"none\" of --keep matches");
        for nothing in ["z*", ""] {
            assert!(said(nothing).ends_with("matches"), "nothing is not something");
        }
        assert!(said("f(int a)").ends_with("want a backslash: f\\(int a\\)"), "{}", said("f(int a)"));
    }
}
