//! The size of a text, and the order of results.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::lexer;

/// How large something is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// In bytes.
    pub bytes: u64,
    /// In lines; a last line without its end counts.
    pub lines: u64,
    /// In tokens, as [`lexer`](crate::lexer) counts them.
    pub tokens: u64,
}

impl Size {
    /// The size of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self::with_tokens(bytes, lexer::count(bytes) as u64)
    }

    /// The size of `bytes`, which hold so many tokens.
    pub fn with_tokens(bytes: &[u8], tokens: u64) -> Self {
        let ends = memchr::memchr_iter(b'\n', bytes).count();
        let unended = bytes.last().is_some_and(|&byte| byte != b'\n');
        Self { bytes: bytes.len() as u64, lines: (ends + usize::from(unended)) as u64, tokens }
    }

    /// The order of results: fewer tokens, then fewer bytes, then earlier in the order of the bytes.
    pub fn compare(self, bytes: &[u8], other: Self, other_bytes: &[u8]) -> Ordering {
        (self.tokens, self.bytes).cmp(&(other.tokens, other.bytes)).then_with(|| bytes.cmp(other_bytes))
    }
}
