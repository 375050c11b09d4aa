//! A variant as bytes.

use std::cmp::Ordering;

use dwindle_core::Variant;

use dwindle_read::Size;

/// What tells contents apart: the first half of their BLAKE3 hash.
pub type ContentKey = [u8; 16];

/// A variant as bytes, measured and hashed.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// What it reads.
    pub bytes: Vec<u8>,
    /// How large it is.
    pub size: Size,
    /// Which content it is.
    pub key: ContentKey,
}

impl Candidate {
    /// Renders `variant`.
    pub fn new(variant: &Variant) -> Self {
        let bytes = variant.render();
        let size = match variant.tokens() {
            Some(tokens) => Size::with_tokens(&bytes, tokens),
            None => Size::of(&bytes),
        };
        Self::of(bytes, size)
    }

    /// `bytes` of this size.
    pub fn of(bytes: Vec<u8>, size: Size) -> Self {
        Self { key: key(&bytes), size, bytes }
    }

    /// Whether it comes before `other` in the order of results.
    pub fn is_smaller_than(&self, other: &Self) -> bool {
        self.size.compare(&self.bytes, other.size, &other.bytes) == Ordering::Less
    }
}

fn key(bytes: &[u8]) -> ContentKey {
    let mut key = [0; 16];
    blake3::Hasher::new().update(bytes).finalize_xof().fill(&mut key);
    key
}
