//! Syntax trees by tree-sitter, within bounds.

use std::cell::Cell;
use std::iter;
use std::ops::{ControlFlow, Range};

use tree_sitter::{self as ts, ParseOptions, Parser};

use super::refusal::Refusal;
use crate::cancellation;

/// The syntax tree of `bytes` without `hidden`.
pub(super) fn parse_around(
    bytes: &[u8],
    language: &ts::Language,
    hidden: &[Range<usize>],
) -> Result<ts::Tree, Refusal> {
    let mut parser = Parser::new();
    parser.set_language(language).expect("the grammars are of a version that the parser knows");
    if !hidden.is_empty() {
        parser.set_included_ranges(&beside(bytes, hidden)).expect("they are in the order of the text");
    }
    let cancellation = cancellation::current();
    let (looked, most) = (Cell::new(0), looks(bytes.len()));
    let ends = || looked.get() > most || cancellation.is_cancelled();
    let (mut called, mut furthest) = (0, 0);
    let mut progress = |state: &ts::ParseState| {
        called += 1;
        furthest = furthest.max(state.current_byte_offset());
        if called > calls(furthest) || ends() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let mut text = |at: usize, _| {
        let bit = bytes.get(at..bytes.len().min(at + BIT)).unwrap_or(&[]);
        looked.set(looked.get() + bit.len());
        if ends() { &[] } else { bit }
    };
    let tree = parser.parse_with_options(&mut text, None, Some(options));
    // Not in a callback: nothing may unwind through the parser.
    cancellation.check();
    tree.filter(|_| looked.get() <= most).ok_or(Refusal::TooManySteps)
}

/// What is beside `hidden`.
fn beside(bytes: &[u8], hidden: &[Range<usize>]) -> Vec<ts::Range> {
    let ends = hidden.iter().map(|range| range.start).chain([bytes.len()]);
    let starts = iter::once(0).chain(hidden.iter().map(|range| range.end));
    let (mut row, mut line, mut seen) = (0, 0, 0);
    let mut point = |at: usize| {
        for (newline, _) in bytes[seen..at].iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
            (row, line) = (row + 1, seen + newline + 1);
        }
        seen = at;
        ts::Point { row, column: at - line }
    };
    let range = |(start, end)| ts::Range {
        start_byte: start,
        end_byte: end,
        start_point: point(start),
        end_point: point(end),
    };
    starts.zip(ends).filter(|(start, end)| start < end).map(range).collect()
}

/// The number of `ERROR` and `MISSING` nodes.
pub(super) fn errors_in(tree: &ts::Tree) -> u64 {
    let (mut cursor, mut errors) = (tree.walk(), 0);
    let cancellation = cancellation::current();
    loop {
        cancellation.check();
        let node = cursor.node();
        errors += u64::from(node.is_error() || node.is_missing());
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return errors;
            }
        }
    }
}

/// Bounds on the work of a parser, the same on every machine. It calls back every hundred steps, and asks for the
/// text bit by bit. By how far it has come in so many bytes it may have called back so often: a parser that is
/// stuck between too many readings of a few bytes is given up there. The programs of our corpus take at most 14 calls
/// a thousand bytes, mutations of them 32, texts of nothing but brackets 70, of calls of calls 133.
fn calls(bytes: usize) -> usize {
    1_000 + bytes / 4
}

/// So many bytes of the text it may look at in all: a step may look ahead to the end of the text. The programs of our
/// corpus are looked at 2 times, small ones 7 times, a text in another language up to 34 times. A second is enough for
/// 100 MB.
fn looks(bytes: usize) -> usize {
    10_000_000 + 500 * bytes
}

/// How much of the text a parser gets at a time, in bytes: so much the looks are counted too coarsely.
const BIT: usize = 64;
