//! How the tokens that are kept become bytes again, by the rules that [`text`](super) has.

use alloc::vec::Vec;
use core::ops::Range;

use super::{Gaps, Insertion, Pieces, Quotes, Text, Tokens, is_blank};
use crate::Subset;
use crate::names::is_of_word;

impl Text {
    /// Appends the bytes of the `kept` pieces to `out`, with stand-ins (of tokens that are not kept)
    /// at `places`, which are in order.
    pub fn render_into(&self, kept: &Subset, places: &[Insertion], gaps: Gaps, out: &mut Vec<u8>) {
        assert_eq!(kept.universe(), self.len());
        match &*self.pieces {
            Pieces::Bytes => kept.runs().for_each(|run| out.extend_from_slice(&self.bytes[run])),
            Pieces::Starts(starts) => {
                let offset = |i: usize| starts.get(i).map_or(self.bytes.len(), |&start| start as usize);
                for run in kept.runs() {
                    out.extend_from_slice(&self.bytes[offset(run.start)..offset(run.end)]);
                }
            }
            Pieces::Tokens(tokens) => {
                let mut renderer = Renderer::new(&self.bytes, tokens, gaps, out);
                let mut places = places.iter().peekable();
                for run in kept.runs() {
                    while let Some(place) = places.next_if(|place| (place.at as usize) < run.start) {
                        renderer.stand_in(place);
                    }
                    renderer.run(run);
                }
                places.for_each(|place| renderer.stand_in(place));
                renderer.finish();
            }
        }
    }
}

/// One rendering of tokens.
struct Renderer<'a> {
    bytes: &'a [u8],
    tokens: &'a Tokens,
    gaps: Gaps,
    out: &'a mut Vec<u8>,
    /// The last token that is out, or in whose place something is.
    last: Option<usize>,
    /// The lone quotes on the current line of the output, and whether tokens between them and its
    /// end went: from then on the line is no longer what the lexer saw in the input.
    open: Vec<u8>,
    changed: bool,
}

impl<'a> Renderer<'a> {
    fn new(bytes: &'a [u8], tokens: &'a Tokens, gaps: Gaps, out: &'a mut Vec<u8>) -> Self {
        Self { bytes, tokens, gaps, out, last: None, open: Vec::new(), changed: false }
    }

    fn run(&mut self, run: Range<usize>) {
        let mut start = run.start;
        if self.gaps == Gaps::Bare {
            let commented = &self.tokens.commented;
            let inside = commented.partition_point(|&token| token as usize <= start);
            for &token in commented[inside..].iter().take_while(|&&token| (token as usize) < run.end) {
                self.unbroken(start..token as usize);
                start = token as usize;
            }
        }
        self.unbroken(start..run.end);
    }

    /// Copies tokens together with the gaps between them.
    fn unbroken(&mut self, run: Range<usize>) {
        self.joint(run.start, self.bytes[self.tokens.start(run.start)]);
        self.last = Some(run.end - 1);
        let quotes = &self.tokens.lone_quotes;
        let next_quote = quotes.get(quotes.partition_point(|&quote| (quote as usize) < run.start));
        if self.open.is_empty() && next_quote.is_none_or(|&quote| quote as usize >= run.end) {
            let (from, to) = (self.tokens.start(run.start), self.tokens.end(run.end - 1));
            self.out.extend_from_slice(&self.bytes[from..to]);
        } else {
            self.run_with_quotes(run);
        }
    }

    fn stand_in(&mut self, place: &Insertion) {
        let string = &place.string.bytes;
        let Some(&first) = string.first() else { return };
        self.joint(place.at as usize, first);
        self.out.extend_from_slice(string);
        self.last = Some(place.at as usize);
    }

    fn finish(self) {
        if self.last.is_some() || self.tokens.spans.is_empty() {
            let end = self.tokens.spans.last().map_or(0, |span| span.end as usize);
            self.out.extend_from_slice(match self.gaps {
                Gaps::Bare if !is_blank(&self.bytes[end..]) => {
                    match self.tokens.quotes(self.tokens.spans.len()) {
                        Quotes::KnownInLines => b"",
                        Quotes::KnownInGaps => &self.bytes[end..],
                        _ => last_line(&self.bytes[end..]).0,
                    }
                }
                _ => &self.bytes[end..],
            });
        }
    }

    /// The gap before token `i`, as it is to be written.
    fn gap(&self, i: usize) -> &'a [u8] {
        let gap = &self.bytes[self.tokens.gap_start(i)..self.tokens.start(i)];
        if self.gaps == Gaps::Original || is_blank(gap) {
            return gap;
        }
        match self.tokens.quotes(i) {
            _ if i > 0 && self.tokens.quotes(i - 1) == Quotes::OwnLine => return b"\n",
            Quotes::KnownInLines => return b" ",
            Quotes::KnownInGaps => return gap,
            _ => {}
        }
        let (newline, indentation) = last_line(gap);
        match newline.len() + indentation.len() {
            _ if newline.is_empty() => b" ",
            // What is behind the last newline is a comment, or else the end of the gap.
            _ if indentation.is_empty() => newline,
            length => &gap[gap.len() - length..],
        }
    }

    /// Puts what comes before `next`, which begins with `start`.
    fn joint(&mut self, next: usize, start: u8) {
        let tokens = self.tokens;
        let first = tokens.line_starts[tokens.lines[next] as usize] as usize;
        let line_gap = &self.bytes[tokens.gap_start(first)..tokens.start(first)];
        let quotes = tokens.quotes(next);
        let Some(last) = self.last else {
            // Nothing is before: the newlines are of no use, the indentation may be.
            let whole = next == 0 && self.gaps == Gaps::Original;
            self.out.extend_from_slice(match (whole, quotes) {
                (true, _) => line_gap,
                (false, Quotes::KnownInGaps) => b"",
                (false, _) => last_line(line_gap).1,
            });
            return;
        };
        let apart = tokens.quotes(last) == Quotes::OwnLine;
        if tokens.lines[last] != tokens.lines[next] && (quotes.may_put_newline() || apart) {
            if first == next {
                self.out.extend_from_slice(self.gap(next));
            } else if apart {
                self.out.push(b'\n');
                if quotes != Quotes::KnownInGaps {
                    self.out.extend_from_slice(last_line(line_gap).1);
                }
            } else {
                let (newline, indentation) = last_line(line_gap);
                self.out.extend_from_slice(newline);
                self.out.extend_from_slice(indentation);
            }
            self.open.clear();
            return;
        }
        self.changed = true;
        let gap = self.gap(next);
        self.out.extend_from_slice(gap);
        let bracket = |byte: u8| b"()[]{}".contains(&byte);
        let all = quotes == Quotes::InNames && !bracket(start);
        let could_join = |end: u8| could_join(end, start) || all && !bracket(end);
        let may_part = gap.is_empty() && quotes != Quotes::KnownInGaps;
        // A quote and what stood right beside it stay side by side: a blank would be a part of the string.
        let is_quote = |token: usize, byte: u8| {
            matches!(byte, b'"' | b'\'') && self.bytes[tokens.start(token)..tokens.end(token)] == [byte]
        };
        let quoted = |end: u8| is_quote(last, end) || is_quote(next, start);
        let (end_before, start_before) = (self.bytes[tokens.end(last) - 1], self.bytes[tokens.start(next)]);
        let alike = |end: u8| are_alike(end, end_before) && are_alike(start, start_before);
        let were_adjacent = |end: u8| last + 1 == next && (quoted(end) || alike(end));
        if may_part && self.out.last().is_some_and(|&end| could_join(end) && !were_adjacent(end)) {
            self.out.push(b' ');
        }
    }

    fn run_with_quotes(&mut self, run: Range<usize>) {
        for i in run.clone() {
            if i > run.start {
                self.out.extend_from_slice(&self.bytes[self.tokens.gap_start(i)..self.tokens.start(i)]);
                if self.tokens.lines[i] != self.tokens.lines[i - 1] {
                    self.open.clear();
                }
            }
            let token = &self.bytes[self.tokens.start(i)..self.tokens.end(i)];
            if self.changed && self.open.iter().any(|quote| token.contains(quote)) {
                self.out.push(b'\n');
                self.open.clear();
            }
            if let [quote @ (b'"' | b'\'')] = *token {
                if self.open.is_empty() {
                    self.changed = false;
                }
                self.open.push(quote);
            }
            self.out.extend_from_slice(token);
        }
    }
}

/// The last newline of `gap` and the indentation behind it, where nothing but white space is.
fn last_line(gap: &[u8]) -> (&[u8], &[u8]) {
    let start = gap.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let newline = if gap[..start].ends_with(b"\r\n") { start - 2 } else { start.saturating_sub(1) };
    let behind = &gap[start..];
    (&gap[newline..start], if is_blank(behind) { behind } else { &[] })
}

/// Whether these bytes are the same for a lexer, as far as one sees it without knowing the language.
fn are_alike(one: u8, other: u8) -> bool {
    let letter = |byte: u8| is_of_word(byte) && !byte.is_ascii_digit();
    one == other || letter(one) && letter(other) || one.is_ascii_digit() && other.is_ascii_digit()
}

/// Whether two tokens, one ending and one starting with these bytes, could be read as one in some
/// language.
fn could_join(end: u8, start: u8) -> bool {
    let word = |byte: u8| is_of_word(byte) || byte == b'.';
    let quote = |byte: u8| matches!(byte, b'"' | b'\'');
    let operator = |byte: u8| byte.is_ascii_punctuation() && !b"()[]{},;\"'".contains(&byte);
    let wordlike = |byte: u8| word(byte) || quote(byte);
    // Between tags a blank would be text.
    let tags = (end, start) == (b'>', b'<');
    (wordlike(end) && wordlike(start)) || (operator(end) && operator(start) && !tags)
}
