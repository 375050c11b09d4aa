//! What was refused: a change is not asked about again while nothing near it changed.
//!
//! The reasons for which a refused change may succeed later are that its surroundings changed, or that
//! a name in it is not used elsewhere any more. So a change is remembered by what goes, what comes, the
//! tokens on both sides of it, and how often the text mentions each name that goes.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::sync::Arc;

use super::choice::Change;
use super::lexical::Lexical;
use crate::Text;

/// Hashes of refused changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Refused {
    changes: Arc<BTreeSet<u64>>,
}

impl Refused {
    pub(super) fn contains(&self, signature: u64) -> bool {
        self.changes.contains(&signature)
    }

    pub(super) fn insert(&mut self, signature: u64) {
        Arc::make_mut(&mut self.changes).insert(signature);
    }
}

/// What tells changes from each other across texts.
pub(super) struct Signatures<'a> {
    text: &'a Text,
    mentions: BTreeMap<&'a [u8], u32>,
}

impl<'a> Signatures<'a> {
    pub(super) fn new(lexical: &'a Lexical<'a>) -> Self {
        let mut mentions = BTreeMap::new();
        for token in 0..lexical.text.len() {
            if lexical.is_name(token) {
                *mentions.entry(lexical.text.piece(token)).or_insert(0) += 1;
            }
        }
        Self { text: lexical.text, mentions }
    }

    pub(super) fn of(&self, change: &Change) -> u64 {
        let mut hash = Fnv::default();
        for edit in change.edits() {
            let range = edit.range();
            let before = range.start.checked_sub(1).map(|token| self.text.piece(token));
            let behind = (range.end < self.text.len()).then(|| self.text.piece(range.end));
            hash.add(before.unwrap_or_default());
            for token in range {
                let piece = self.text.piece(token);
                hash.add(piece);
                if let Some(&mentions) = self.mentions.get(piece) {
                    hash.add(&mentions.to_le_bytes());
                }
            }
            hash.add(edit.with.as_ref().map_or(&[], |string| &string.bytes));
            hash.add(behind.unwrap_or_default());
        }
        hash.0
    }
}

/// The 64-bit FNV-1a hash.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Adds `bytes` and their length, so that what was added can be told apart.
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes.iter().chain(&(bytes.len() as u32).to_le_bytes()) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
