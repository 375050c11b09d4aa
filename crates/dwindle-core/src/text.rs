//! An input cut into pieces, and the rules by which the pieces that are kept become bytes again.
//!
//! `render` of all pieces gives back the input, byte for byte. Lines, characters and bytes are
//! simply put one behind the other. A token owns the gap (white space) before it; what happens to
//! the gaps of tokens that went is decided so that the generic lexer sees exactly the kept tokens:
//!
//! - a gap goes with its token; if one that went held a newline, one newline stays, with the
//!   indentation of the first token of the line that goes on;
//! - a blank comes between two tokens that could join and were not adjacent;
//! - a newline comes before a token that would close the string that a lone quote before it on the
//!   line could open.

use alloc::vec::Vec;
use core::ops::Range;

use crate::Subset;

/// What the elements of a list are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Single bytes.
    Bytes,
    /// UTF-8 characters; bytes that belong to none stand alone.
    Chars,
    /// Lines with their line ends.
    Lines,
    /// Words, numbers, quoted strings and other single characters.
    Tokens,
}

/// An input cut into pieces, the elements of a list.
#[derive(Clone, Debug)]
pub struct Text {
    bytes: Vec<u8>,
    pieces: Pieces,
    /// The weight of each piece in tokens; where there are none, every piece weighs 1.
    weights: Vec<u32>,
}

/// How the input is cut. Offsets are in bytes from its start.
#[derive(Clone, Debug)]
pub enum Pieces {
    /// Every byte is a piece.
    Bytes,
    /// Pieces without gaps, given by where they start.
    Starts(Vec<u32>),
    /// Tokens with the gaps between them.
    Tokens(Tokens),
}

/// The tokens of a text.
#[derive(Clone, Debug)]
pub struct Tokens {
    spans: Vec<Range<u32>>,
    /// The line of each token: the number of gaps up to its own that hold a newline.
    lines: Vec<u32>,
    /// The first token of each line.
    line_starts: Vec<u32>,
    /// The tokens that are a quote without its partner, in ascending order.
    lone_quotes: Vec<u32>,
}

impl Text {
    /// A text whose pieces weigh 1 each.
    pub fn new(bytes: Vec<u8>, pieces: Pieces) -> Self {
        Self { bytes, pieces, weights: Vec::new() }
    }

    /// The same text with the weight of each piece, in tokens.
    pub fn with_weights(self, weights: Vec<u32>) -> Self {
        assert_eq!(weights.len(), self.len());
        Self { weights, ..self }
    }

    /// The number of pieces.
    pub fn len(&self) -> usize {
        match &self.pieces {
            Pieces::Bytes => self.bytes.len(),
            Pieces::Starts(starts) => starts.len(),
            Pieces::Tokens(tokens) => tokens.spans.len(),
        }
    }

    /// Whether there are no pieces.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The weight of each piece, in tokens.
    pub fn weights(&self) -> Vec<u32> {
        if self.weights.is_empty() { alloc::vec![1; self.len()] } else { self.weights.clone() }
    }

    /// The number of tokens in the `kept` pieces, where pieces hold whole tokens.
    pub fn tokens(&self, kept: &Subset) -> Option<u64> {
        match self.pieces {
            Pieces::Tokens(_) => Some(kept.len() as u64),
            _ if self.weights.is_empty() => None,
            _ => Some(kept.iter().map(|piece| u64::from(self.weights[piece])).sum()),
        }
    }

    /// Appends the bytes of the `kept` pieces to `out`.
    pub fn render_into(&self, kept: &Subset, out: &mut Vec<u8>) {
        assert_eq!(kept.universe(), self.len());
        match &self.pieces {
            Pieces::Bytes => kept.runs().for_each(|run| out.extend_from_slice(&self.bytes[run])),
            Pieces::Starts(starts) => {
                let offset = |i: usize| starts.get(i).map_or(self.bytes.len(), |&start| start as usize);
                for run in kept.runs() {
                    out.extend_from_slice(&self.bytes[offset(run.start)..offset(run.end)]);
                }
            }
            Pieces::Tokens(tokens) => Renderer::new(&self.bytes, tokens, out).render(kept),
        }
    }
}

impl Tokens {
    /// Tokens of `bytes` by their byte ranges, in order; what lies between them is white space.
    pub fn new(bytes: &[u8], spans: Vec<Range<u32>>) -> Self {
        let mut lines = Vec::with_capacity(spans.len());
        let mut line_starts = alloc::vec![0];
        let mut lone_quotes = Vec::new();
        let mut end = 0;
        for (i, span) in (0..).zip(&spans) {
            if bytes[end..span.start as usize].contains(&b'\n') {
                line_starts.push(i);
            }
            lines.push(line_starts.len() as u32 - 1);
            if matches!(bytes[span.start as usize..span.end as usize], [b'"' | b'\'']) {
                lone_quotes.push(i);
            }
            end = span.end as usize;
        }
        Self { spans, lines, line_starts, lone_quotes }
    }

    /// Where the gap before token `i` starts.
    fn gap_start(&self, i: usize) -> usize {
        i.checked_sub(1).map_or(0, |previous| self.spans[previous].end as usize)
    }

    fn start(&self, i: usize) -> usize {
        self.spans[i].start as usize
    }

    fn end(&self, i: usize) -> usize {
        self.spans[i].end as usize
    }
}

/// One rendering of tokens.
struct Renderer<'a> {
    bytes: &'a [u8],
    tokens: &'a Tokens,
    out: &'a mut Vec<u8>,
    /// The lone quotes on the current line of the output, and whether tokens between them and its
    /// end went: from then on the line is no longer what the lexer saw in the input.
    open: Vec<u8>,
    changed: bool,
}

impl<'a> Renderer<'a> {
    fn new(bytes: &'a [u8], tokens: &'a Tokens, out: &'a mut Vec<u8>) -> Self {
        Self { bytes, tokens, out, open: Vec::new(), changed: false }
    }

    fn render(mut self, kept: &Subset) {
        let mut last = None;
        for run in kept.runs() {
            self.joint(last, run.start);
            last = Some(run.end - 1);
            let quotes = &self.tokens.lone_quotes;
            let next_quote = quotes.get(quotes.partition_point(|&quote| (quote as usize) < run.start));
            if self.open.is_empty() && next_quote.is_none_or(|&quote| quote as usize >= run.end) {
                let (from, to) = (self.tokens.start(run.start), self.tokens.end(run.end - 1));
                self.out.extend_from_slice(&self.bytes[from..to]);
            } else {
                self.render_with_quotes(run);
            }
        }
        if last.is_some() || self.tokens.spans.is_empty() {
            let end = self.tokens.spans.last().map_or(0, |span| span.end as usize);
            self.out.extend_from_slice(&self.bytes[end..]);
        }
    }

    /// Puts what comes between the kept tokens `last` and `next`, when `next` starts a run.
    fn joint(&mut self, last: Option<usize>, next: usize) {
        let tokens = self.tokens;
        let first = tokens.line_starts[tokens.lines[next] as usize] as usize;
        let line_gap = &self.bytes[tokens.gap_start(first)..tokens.start(first)];
        let Some(last) = last else {
            // Nothing is before: the newlines are of no use, the indentation may be.
            let gap = if next == 0 { line_gap } else { &line_gap[line_gap.len() - indentation(line_gap)..] };
            self.out.extend_from_slice(gap);
            return;
        };
        if tokens.lines[last] != tokens.lines[next] {
            let gap = if first == next { line_gap } else { &line_gap[last_newline(line_gap)..] };
            self.out.extend_from_slice(gap);
            self.open.clear();
            return;
        }
        self.changed = true;
        let gap = &self.bytes[tokens.gap_start(next)..tokens.start(next)];
        self.out.extend_from_slice(gap);
        if gap.is_empty() && could_join(self.bytes[tokens.end(last) - 1], self.bytes[tokens.start(next)]) {
            self.out.push(b' ');
        }
    }

    fn render_with_quotes(&mut self, run: Range<usize>) {
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

/// Where the last newline of `gap` starts, its carriage return included; `gap` holds one.
fn last_newline(gap: &[u8]) -> usize {
    let newline = gap.iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
    newline - usize::from(newline > 0 && gap[newline - 1] == b'\r')
}

/// The number of bytes of `gap` behind its last newline.
fn indentation(gap: &[u8]) -> usize {
    gap.iter().rev().take_while(|&&byte| byte != b'\n').count()
}

/// Whether two tokens, one ending and one starting with these bytes, could be read as one in some
/// language.
fn could_join(end: u8, start: u8) -> bool {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | 0x80..);
    let quote = |byte: u8| matches!(byte, b'"' | b'\'');
    let operator = |byte: u8| byte.is_ascii_punctuation() && !b"()[]{},;\"'".contains(&byte);
    let wordlike = |byte: u8| word(byte) || quote(byte);
    (wordlike(end) && wordlike(start)) || (operator(end) && operator(start))
}
