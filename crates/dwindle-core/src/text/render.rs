//! The rules by which the pieces that are kept become bytes again.
//!
//! All pieces together give back the input, byte for byte. Lines, characters and bytes are simply put one behind the
//! other. A token owns the gap (white space) before it. When tokens are deleted, gaps are treated so that the generic
//! lexer sees exactly the kept tokens:
//!
//! - a gap is deleted with its token; if it held a newline, one newline stays, with the indentation of the line that is
//!   continued;
//! - a blank is put between two tokens that could join, unless tokens like them had none between them;
//! - a newline is put before a token that would close the string that a lone quote before it on the line could open.

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
        let Pieces::Tokens(tokens) = &*self.pieces else {
            return kept.runs().for_each(|run| out.extend_from_slice(self.stretch(run)));
        };
        let mut renderer =
            Renderer { text: self, tokens, gaps, out, last: None, open: Vec::new(), changed: false };
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

    /// The bytes of some pieces, with the gaps between them.
    fn stretch(&self, run: Range<usize>) -> &[u8] {
        &self.bytes[self.span(run.start).start..self.span(run.end - 1).end]
    }
}

struct Renderer<'a> {
    text: &'a Text,
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
        self.joint(run.start, self.first_byte(run.start));
        self.last = Some(run.end - 1);
        let quotes = &self.tokens.lone_quotes;
        let next_quote = quotes.get(quotes.partition_point(|&quote| (quote as usize) < run.start));
        if self.open.is_empty() && next_quote.is_none_or(|&quote| quote as usize >= run.end) {
            self.out.extend_from_slice(self.text.stretch(run));
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
        let tokens = self.text.len();
        if self.last.is_none() && tokens > 0 {
            return;
        }
        let gap = self.text.gap(tokens);
        let quotes = (self.gaps == Gaps::Bare && !is_blank(gap)).then(|| self.tokens.quotes(tokens));
        self.out.extend_from_slice(match quotes {
            None | Some(Quotes::KnownInGaps) => gap,
            Some(Quotes::KnownInLines) => b"",
            Some(_) => last_line(gap).0,
        });
    }

    /// The gap before token `i`, as it is to be written.
    fn gap(&self, i: usize) -> &'a [u8] {
        let gap = self.text.gap(i);
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
        let Some(last) = self.last else { return self.begin(next) };
        let lines = &self.tokens.lines;
        let is_apart = self.tokens.quotes(last) == Quotes::OwnLine;
        if lines[last] != lines[next] && (is_apart || self.tokens.quotes(next).may_put_newline()) {
            return self.new_line(next, is_apart);
        }
        self.changed = true;
        let gap = self.gap(next);
        self.out.extend_from_slice(gap);
        if gap.is_empty() && self.out.last().is_some_and(|&end| self.could_join(last, end, next, start)) {
            self.out.push(b' ');
        }
    }

    fn first_byte(&self, i: usize) -> u8 {
        self.text.bytes[self.text.span(i).start]
    }

    fn last_byte(&self, i: usize) -> u8 {
        self.text.bytes[self.text.span(i).end - 1]
    }

    /// The first token of the line in which token `i` is.
    fn line_start(&self, i: usize) -> usize {
        self.tokens.line_starts[self.tokens.lines[i] as usize] as usize
    }

    /// Puts what comes before `next`, before which nothing is: its newlines are of no use, the indentation may be.
    fn begin(&mut self, next: usize) {
        let gap = self.text.gap(self.line_start(next));
        self.out.extend_from_slice(match self.tokens.quotes(next) {
            _ if next == 0 && self.gaps == Gaps::Original => gap,
            Quotes::KnownInGaps => b"",
            _ => last_line(gap).1,
        });
    }

    /// Begins the line in which `next` is; what is before it may be `apart`, on a line of its own.
    fn new_line(&mut self, next: usize, apart: bool) {
        let first = self.line_start(next);
        let (newline, indentation) = last_line(self.text.gap(first));
        let (newline, indentation) = match self.tokens.quotes(next) {
            _ if first == next => (self.gap(next), &b""[..]),
            Quotes::KnownInGaps if apart => (&b"\n"[..], &b""[..]),
            _ if apart => (&b"\n"[..], indentation),
            _ => (newline, indentation),
        };
        self.out.extend_from_slice(newline);
        self.out.extend_from_slice(indentation);
        self.open.clear();
    }

    /// Whether a lexer could read what ends with `end`, which is token `last` or in its place, and what begins with `start`,
    /// `next` or in its place, as one token; not where tokens like them had nothing between them.
    fn could_join(&self, last: usize, end: u8, next: usize, start: u8) -> bool {
        let quotes = self.tokens.quotes(next);
        let is_bracket = |byte: u8| b"()[]{}".contains(&byte);
        let is_one_name = quotes == Quotes::InNames && !is_bracket(start) && !is_bracket(end);
        if quotes == Quotes::KnownInGaps || !is_one_name && !could_join(end, start) {
            return false;
        }
        let (before, behind) = (self.text.piece(last), self.text.piece(next));
        // A quote and what stood right beside it stay side by side: a blank would be a part of the string.
        let is_quote = |piece: &[u8], byte: u8| matches!(byte, b'"' | b'\'') && piece == [byte];
        let is_quoted = is_quote(before, end) || is_quote(behind, start);
        let is_alike = are_alike(end, self.last_byte(last)) && are_alike(start, self.first_byte(next));
        last + 1 != next || !is_quoted && !is_alike
    }

    fn run_with_quotes(&mut self, run: Range<usize>) {
        for i in run.clone() {
            if i > run.start {
                self.out.extend_from_slice(self.text.gap(i));
                if self.tokens.lines[i] != self.tokens.lines[i - 1] {
                    self.open.clear();
                }
            }
            let token = self.text.piece(i);
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
