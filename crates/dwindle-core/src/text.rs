//! An input cut into pieces. How those that are kept become bytes again is in `render.rs`.

mod render;

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};
use core::ops::Range;

use rustc_hash::FxHasher;

use crate::range::widen;
use crate::sums::sums;
use crate::{Cancellation, Subset};

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
    digest: u64,
    bytes: Arc<Vec<u8>>,
    pieces: Arc<Pieces>,
    /// For each piece, the weight in tokens of all pieces before it; at the end, that of all. None if every piece weighs 1.
    weight_before: Arc<Vec<u32>>,
    /// Of the run that it belongs to.
    cancellation: Cancellation,
}

/// A string that can replace tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StandIn {
    /// Its text.
    pub bytes: Vec<u8>,
    /// How many tokens its text has.
    pub tokens: u32,
}

impl StandIn {
    /// A stand-in of one token.
    pub(crate) fn token(bytes: impl Into<Vec<u8>>) -> Self {
        Self { bytes: bytes.into(), tokens: 1 }
    }
}

/// A stand-in at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insertion {
    /// The first of the tokens that it replaces.
    pub at: u32,
    /// The stand-in.
    pub string: Arc<StandIn>,
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

/// What a token means that is nothing but a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quotes {
    /// One without its partner: with another quote behind it on the line it would make a string.
    MayJoin,
    /// Part of a string, by the grammar.
    Known,
    /// The same, and names may contain any signs but brackets.
    InNames,
    /// As [`Known`](Self::Known), but newlines mean something. So none is put where none was.
    KnownInLines,
    /// The same for all white space: gaps stay as they are or are deleted with their tokens.
    KnownInGaps,
    /// No quotes: tokens that have a line of their own, whatever is beside them.
    OwnLine,
}

impl Quotes {
    fn may_put_newline(self) -> bool {
        !matches!(self, Self::KnownInLines | Self::KnownInGaps)
    }
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
    /// The tokens with a comment in the gap before them, in ascending order.
    commented: Vec<u32>,
    /// What quotes mean, each entry from a token on; the first entry is for the first token.
    quotes: Vec<(u32, Quotes)>,
}

/// What becomes of the comments between tokens that are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gaps {
    /// A gap stays as it is.
    #[default]
    Original,
    /// A gap with a comment becomes a line end with the indentation behind it, or a blank.
    Bare,
}

impl Text {
    /// A text whose pieces weigh 1 each, as bytes and characters do. Lines and the tokens of a tree are given other
    /// [weights](Self::with_weights) by whoever reads them.
    pub fn new(bytes: Vec<u8>, pieces: Pieces) -> Self {
        Self {
            digest: digest(&bytes, &pieces),
            bytes: bytes.into(),
            pieces: pieces.into(),
            weight_before: Arc::default(),
            cancellation: Cancellation::default(),
        }
    }

    /// The same text with this cancellation, which computations on it ask whether they are still wanted.
    pub fn cancelled_by(self, cancellation: Cancellation) -> Self {
        Self { cancellation, ..self }
    }

    /// Tells computations on it whether they are still wanted.
    pub fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    /// Identifies the text: a hash of its bytes and of how they are cut.
    pub(crate) fn digest(&self) -> u64 {
        self.digest
    }

    /// The same text with the weight of each piece, in tokens.
    pub fn with_weights(self, weights: &[u32]) -> Self {
        assert_eq!(weights.len(), self.len());
        if matches!(*self.pieces, Pieces::Tokens(_)) && weights.iter().all(|&weight| weight == 1) {
            return Self { weight_before: Arc::default(), ..self };
        }
        let weight_before: Vec<u32> = sums(weights.iter().copied()).collect();
        Self { weight_before: weight_before.into(), ..self }
    }

    /// A text of the same tokens with other gaps: each before the token of that number, or behind the last
    /// one; in order.
    pub(crate) fn with_gaps<'g>(&self, gaps: impl IntoIterator<Item = (usize, &'g [u8])>) -> Self {
        let Pieces::Tokens(tokens) = &*self.pieces else { return self.clone() };
        let mut gaps = gaps.into_iter().peekable();
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let mut spans = Vec::with_capacity(self.len());
        for i in 0..=self.len() {
            let gap = gaps.next_if(|&(token, _)| token == i).map(|(_, gap)| gap);
            bytes.extend_from_slice(gap.unwrap_or_else(|| self.gap(i)));
            if i < self.len() {
                let start = bytes.len() as u32;
                bytes.extend_from_slice(self.piece(i));
                spans.push(start..bytes.len() as u32);
            }
        }
        let tokens = Tokens::in_parts(&bytes, spans, tokens.quotes.clone());
        let text = Self::new(bytes, Pieces::Tokens(tokens)).cancelled_by(self.cancellation.clone());
        Self { weight_before: self.weight_before.clone(), ..text }
    }

    /// The bytes of the whole text.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How they are cut.
    pub(crate) fn pieces(&self) -> &Pieces {
        &self.pieces
    }

    /// Where a piece lies in the bytes, without the gap before it.
    pub fn span(&self, i: usize) -> Range<usize> {
        match &*self.pieces {
            Pieces::Bytes => i..i + 1,
            Pieces::Starts(starts) => {
                starts[i] as usize..starts.get(i + 1).map_or(self.bytes.len(), |&start| start as usize)
            }
            Pieces::Tokens(tokens) => widen(&tokens.spans[i]),
        }
    }

    /// The gap before a piece. The number of pieces stands for the gap behind the last one.
    pub fn gap(&self, i: usize) -> &[u8] {
        let start = i.checked_sub(1).map_or(0, |before| self.span(before).end);
        let end = if i < self.len() { self.span(i).start } else { self.bytes.len() };
        &self.bytes[start..end]
    }

    /// The bytes of a piece, without the gap before it.
    pub fn piece(&self, i: usize) -> &[u8] {
        // Here, since whatever looks at a whole text comes by.
        self.cancellation.check();
        &self.bytes[self.span(i)]
    }

    /// Whether a piece stands on a line of its own in every variant.
    pub(crate) fn is_on_own_line(&self, i: usize) -> bool {
        matches!(&*self.pieces, Pieces::Tokens(tokens) if tokens.quotes(i) == Quotes::OwnLine)
    }

    /// The number of pieces.
    pub fn len(&self) -> usize {
        match &*self.pieces {
            Pieces::Bytes => self.bytes.len(),
            Pieces::Starts(starts) => starts.len(),
            Pieces::Tokens(tokens) => tokens.spans.len(),
        }
    }

    /// Whether there are no pieces.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The weight of a piece, in tokens.
    pub fn weight(&self, i: usize) -> u32 {
        match self.weight_before.get(i..i + 2) {
            Some(sums) => sums[1] - sums[0],
            None => 1,
        }
    }

    /// The weight of each piece, in tokens.
    pub fn weights(&self) -> Vec<u32> {
        (0..self.len()).map(|i| self.weight(i)).collect()
    }

    /// The number of tokens in the `kept` pieces, where pieces hold whole tokens.
    pub fn tokens(&self, kept: &Subset) -> Option<u64> {
        let weight =
            |run: Range<usize>| u64::from(self.weight_before[run.end] - self.weight_before[run.start]);
        match *self.pieces {
            _ if !self.weight_before.is_empty() => Some(kept.runs().map(weight).sum()),
            Pieces::Tokens(_) => Some(kept.len() as u64),
            Pieces::Bytes | Pieces::Starts(_) => None,
        }
    }

    /// Whether there are comments between the tokens.
    pub fn has_comments(&self) -> bool {
        let Pieces::Tokens(tokens) = &*self.pieces else { return false };
        !tokens.commented.is_empty() || !is_blank(self.gap(self.len()))
    }
}

fn digest(bytes: &[u8], pieces: &Pieces) -> u64 {
    let mut hasher = FxHasher::default();
    bytes.hash(&mut hasher);
    match pieces {
        Pieces::Bytes => {}
        Pieces::Starts(starts) => starts.hash(&mut hasher),
        Pieces::Tokens(tokens) => (&tokens.spans, &tokens.quotes).hash(&mut hasher),
    }
    core::mem::discriminant(pieces).hash(&mut hasher);
    hasher.finish()
}

impl Tokens {
    /// Tokens of `bytes` by their byte ranges, in order. What lies between them is white space, or
    /// comments too where `quotes` says that a grammar knows what they are.
    pub fn new(bytes: &[u8], spans: Vec<Range<u32>>, quotes: Quotes) -> Self {
        Self::in_parts(bytes, spans, alloc::vec![(0, quotes)])
    }

    /// The same of a text in several languages: what quotes are, from the first token of each part on.
    pub(crate) fn in_parts(bytes: &[u8], spans: Vec<Range<u32>>, quotes: Vec<(u32, Quotes)>) -> Self {
        let mut lines = Vec::with_capacity(spans.len());
        let mut line_starts = alloc::vec![0];
        let (mut lone_quotes, mut commented) = (Vec::new(), Vec::new());
        let mut end = 0;
        let mut parts = quotes.iter().peekable();
        let mut here = Quotes::Known;
        for (i, span) in (0..).zip(&spans) {
            while let Some(&(_, quotes)) = parts.next_if(|&&(first, _)| first <= i) {
                here = quotes;
            }
            let gap = &bytes[end..span.start as usize];
            if gap.contains(&b'\n') {
                line_starts.push(i);
            }
            if !is_blank(gap) {
                commented.push(i);
            }
            lines.push(line_starts.len() as u32 - 1);
            if here == Quotes::MayJoin && matches!(bytes[widen(span)], [b'"' | b'\'']) {
                lone_quotes.push(i);
            }
            end = span.end as usize;
        }
        Self { spans, lines, line_starts, lone_quotes, commented, quotes }
    }

    /// What quotes are where token `i` is; for the number of tokens, behind the last one.
    fn quotes(&self, i: usize) -> Quotes {
        let part = self.quotes.partition_point(|&(first, _)| first as usize <= i);
        self.quotes[part.saturating_sub(1)].1
    }
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| byte.is_ascii_whitespace() || byte == 0x0b)
}
