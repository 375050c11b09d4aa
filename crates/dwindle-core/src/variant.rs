//! What is left of an input.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::Range;

use crate::range::widen;
use crate::{Gaps, Insertion, Pieces, Subset, Text};

/// A variant of the input: some of the pieces of an unchanged text, and strings that stand in for
/// others.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The text, shared between variants.
    pub text: Arc<Text>,
    /// The pieces that are kept.
    pub kept: Subset,
    /// Where stand-ins stand, in order.
    pub insertions: Vec<Insertion>,
    /// What became of the comments.
    pub gaps: Gaps,
}

impl Variant {
    /// The whole text.
    pub fn whole(text: Arc<Text>) -> Self {
        Self { kept: Subset::full(text.len()), text, insertions: Vec::new(), gaps: Gaps::Original }
    }

    /// Whether anything stands where the pieces of `range` were.
    pub(crate) fn has(&self, range: Range<usize>) -> bool {
        self.text.cancellation().check();
        let place = self.insertions.partition_point(|place| (place.at as usize) < range.start);
        self.kept.count(range.clone()) > 0
            || self.insertions.get(place).is_some_and(|place| (place.at as usize) < range.end)
    }

    /// Takes all that stands in `range` out.
    pub(crate) fn clear(&mut self, range: Range<u32>) {
        self.text.cancellation().check();
        self.kept.remove_range(widen(&range));
        let first = self.insertions.partition_point(|place| place.at < range.start);
        let end = self.insertions.partition_point(|place| place.at < range.end);
        self.insertions.drain(first..end.max(first));
    }

    /// The number of tokens, where the pieces of the text say it.
    pub fn tokens(&self) -> Option<u64> {
        let strings = self.insertions.iter().map(|place| u64::from(place.string.tokens));
        Some(self.text.tokens(&self.kept)? + strings.sum::<u64>())
    }

    /// The length in bytes of its longest token; nothing where the pieces of the text are no tokens.
    pub fn longest_token(&self) -> Option<usize> {
        let Pieces::Tokens(_) = self.text.pieces() else { return None };
        let stand_ins = self.insertions.iter().map(|place| place.string.bytes.len());
        self.kept.iter().map(|token| self.text.span(token).len()).chain(stand_ins).max()
    }

    /// Whether it comes before `other` in the order of results: it has fewer tokens, or as many and
    /// fewer bytes, or as many of both and earlier bytes.
    pub fn is_smaller_than(&self, other: &Self) -> bool {
        match self.tokens().cmp(&other.tokens()) {
            Ordering::Equal => {
                let (bytes, others) = (self.render(), other.render());
                (bytes.len(), bytes) < (others.len(), others)
            }
            order => order.is_lt(),
        }
    }

    /// The bytes of the variant, in place of what `out` held.
    pub fn render_into(&self, out: &mut Vec<u8>) {
        out.clear();
        self.text.render_into(&self.kept, &self.insertions, self.gaps, out);
    }

    /// Appends what tells this variant from others: of the text, a hash.
    pub fn identify(&self, out: &mut Vec<u8>) {
        out.extend(self.text.digest().to_le_bytes());
        out.push(self.gaps as u8);
        self.kept.identify(out);
        for place in &self.insertions {
            out.extend(place.at.to_le_bytes());
            out.extend((place.string.bytes.len() as u32).to_le_bytes());
            out.extend(&place.string.bytes);
        }
    }

    /// The bytes of the variant.
    pub fn render(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.render_into(&mut out);
        out
    }
}

/// Variants are equal if they keep and put the same into the same text.
impl PartialEq for Variant {
    fn eq(&self, other: &Self) -> bool {
        self.text.digest() == other.text.digest()
            && self.gaps == other.gaps
            && self.insertions == other.insertions
            && self.kept == other.kept
    }
}

impl Eq for Variant {}
