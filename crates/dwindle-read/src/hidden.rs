//! Text that a grammar does not know, such as extensions of compilers and calls of macros where it wants a declaration.
//!
//! Such a text makes the grammar misread what is around it, so that nothing there has a name or can be deleted as a whole.
//! A word with brackets behind it that is in many errors may be their reason: the text is parsed again without it, and
//! that counts if half as many errors go as it is in. The word without which fewest errors are left is hidden first. No
//! such word has to be known before.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use tree_sitter as ts;

use super::lexer;
use super::parser::{errors_in, parse_around};
use super::refusal::Refusal;
use crate::cancellation;

/// Words that are tried, at most: each takes a parse.
const WORDS: usize = 3;

/// A word is tried if it is in one of so many errors. An error makes others behind it.
const PART: usize = 16;

/// Errors that have to go with a word, at least. Around a few errors the text is read well, and what is hidden is in the
/// passes' way: `gcc-convert-move-stressng` took 27 questions more.
const FEWEST: u64 = 4;

/// Tokens of a word with its brackets, at most. It bounds the time in deep nests.
const TOKENS: usize = 64;

/// A syntax tree and what its parser has not seen.
pub(super) struct Readable {
    pub(super) tree: ts::Tree,
    pub(super) errors: u64,
    /// In the order of the text; each begins and ends with a token.
    pub(super) hidden: Vec<Range<usize>>,
    /// Where the leaves begin that the tree of the whole text has, if something is hidden: so many tokens it is.
    pub(super) leaves: Vec<usize>,
}

/// Parses `bytes` without what makes the grammar misread them.
pub(super) fn readable(bytes: &[u8], language: &ts::Language) -> Result<Readable, Refusal> {
    let whole = parse_around(bytes, language, &[])?;
    let errors = errors_in(&whole);
    let plain = |tree, errors| Readable { tree, errors, hidden: Vec::new(), leaves: Vec::new() };
    if errors < FEWEST {
        return Ok(plain(whole, errors));
    }
    let (wrong, extras) = errors_and_extras(&whole);
    let mut found = Vec::new();
    for (count, calls) in suspects(bytes, &wrong, &extras) {
        let tree = parse_around(bytes, language, &calls)?;
        let left = errors_in(&tree);
        if left + FEWEST.max(count / 2) <= errors {
            found.push(Readable { hidden: calls, ..plain(tree, left) });
        }
    }
    found.sort_by_key(|readable| readable.errors);
    let mut found = found.into_iter();
    let Some(mut best) = found.next() else { return Ok(plain(whole, errors)) };
    for Readable { hidden: calls, .. } in found {
        let new = calls.into_iter().filter(|call| !overlaps(&best.hidden, call));
        let mut hidden: Vec<Range<usize>> = new.chain(best.hidden.iter().cloned()).collect();
        hidden.sort_by_key(|range| range.start);
        let tree = parse_around(bytes, language, &hidden)?;
        let errors = errors_in(&tree);
        if errors + FEWEST <= best.errors {
            best = Readable { hidden, ..plain(tree, errors) };
        }
    }
    best.leaves = leaves(bytes, &whole);
    Ok(best)
}

/// Where the leaves with text begin.
fn leaves(bytes: &[u8], tree: &ts::Tree) -> Vec<usize> {
    let (mut cursor, mut leaves) = (tree.walk(), Vec::new());
    let cancellation = cancellation::current();
    loop {
        cancellation.check();
        let span = cursor.node().byte_range();
        if cursor.goto_first_child() {
            continue;
        }
        if !bytes[span.clone()].trim_ascii().is_empty() {
            leaves.push(span.start);
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return leaves;
            }
        }
    }
}

/// The calls of words that are in a good part of the errors, word by word, those in most errors first, of these the
/// shortest: wherever they stand behind the same token as in an error.
fn suspects(bytes: &[u8], errors: &[Range<usize>], extras: &[Range<usize>]) -> Vec<(u64, Vec<Range<usize>>)> {
    let mut words: BTreeMap<&[u8], Vec<Call<'_>>> = BTreeMap::new();
    for call in calls(bytes).filter(|call| !overlaps(extras, &call.span) && is_apart(bytes, &call.span)) {
        words.entry(call.word).or_default().push(call);
    }
    let mut suspects = Vec::new();
    for calls in words.into_values() {
        let error = |call: &Call<'_>| errors.partition_point(|error| error.end <= call.span.start);
        let wrong: Vec<&Call<'_>> = calls.iter().filter(|call| overlaps(errors, &call.span)).collect();
        let behind: BTreeSet<&[u8]> = wrong.iter().map(|call| call.before).collect();
        let count = wrong.into_iter().map(error).collect::<BTreeSet<usize>>().len();
        if count * PART < errors.len() || count == 0 {
            continue;
        }
        let mut spans: Vec<Range<usize>> = Vec::new();
        for call in calls.into_iter().filter(|call| behind.contains(call.before)) {
            if spans.last().is_none_or(|last| last.end <= call.span.start) {
                spans.push(call.span);
            }
        }
        let length: usize = spans.iter().map(Range::len).sum();
        suspects.push((Reverse(count), length, spans));
    }
    suspects.sort_by_key(|(count, length, _)| (*count, *length));
    suspects.into_iter().map(|(Reverse(count), _, spans)| (count as u64, spans)).take(WORDS).collect()
}

/// The outermost errors of a tree, and what may stand anywhere, such as comments.
fn errors_and_extras(tree: &ts::Tree) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let (mut errors, mut extras) = (Vec::new(), Vec::new());
    let mut cursor = tree.walk();
    let cancellation = cancellation::current();
    loop {
        cancellation.check();
        let node = cursor.node();
        match () {
            () if node.is_error() => errors.push(node.byte_range()),
            () if node.is_extra() => extras.push(node.byte_range()),
            () => {}
        }
        if !node.is_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return (errors, extras);
            }
        }
    }
}

/// A word with brackets behind it, to their end.
struct Call<'a> {
    word: &'a [u8],
    /// The token before it.
    before: &'a [u8],
    span: Range<usize>,
}

fn calls(bytes: &[u8]) -> impl Iterator<Item = Call<'_>> {
    let mut last = [0..0, 0..0];
    let text = |token: &Range<u32>| &bytes[token.start as usize..token.end as usize];
    lexer::tokens(bytes).filter_map(move |token| {
        let [before, word] = last.clone();
        last = [word.clone(), token.clone()];
        let is_word = matches!(text(&word).first(), Some(b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80..));
        let end =
            if is_word && text(&token) == b"(" { end_of_brackets(bytes, token.start as usize) } else { None };
        Some(Call { word: text(&word), before: text(&before), span: word.start as usize..end? })
    })
}

/// Where the bracket is closed that is opened at `at`.
fn end_of_brackets(bytes: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0;
    let mut tokens = lexer::tokens(&bytes[at..]).take(TOKENS);
    tokens.find_map(|token| {
        match bytes[at + token.start as usize] {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at + token.end as usize)
    })
}

fn overlaps(ranges: &[Range<usize>], range: &Range<usize>) -> bool {
    let after = ranges.partition_point(|other| other.end <= range.start);
    ranges.get(after).is_some_and(|other| other.start < range.end)
}

/// Whether what is before a range and behind it does not become one token without it.
fn is_apart(bytes: &[u8], range: &Range<usize>) -> bool {
    let is_blank = |byte: Option<&u8>| byte.is_none_or(|byte| byte.is_ascii_whitespace());
    let before = range.start.checked_sub(1).and_then(|at| bytes.get(at));
    let is_bracket = |byte: Option<&u8>| byte.is_some_and(|byte| b"()[]{};,".contains(byte));
    let behind = bytes.get(range.end);
    is_blank(before) || is_blank(behind) || is_bracket(before) || is_bracket(behind)
}
