//! What was refused: a change is not asked about again while nothing near it changed.
//!
//! The reasons for which a refused change may succeed later are that its surroundings changed, or that
//! a name in it is not used elsewhere any more. So a change is remembered by what goes, what comes, the
//! tokens on both sides of it, and whether the text mentions each name that goes once, twice or more
//! often. A name that was given another spelling is still the same name. What was not asked about, since it
//! parses worse, is remembered likewise, but only for those who would not ask either.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::OnceCell;

use super::lexical::Lexical;
use crate::edit::{Change, Edit, rest, widen};

/// Hashes of changes that were refused or held back, and the names that were renamed: what each is
/// spelled now, and was at first.
#[derive(Clone, Debug, Default)]
pub(super) struct Refused {
    changes: Arc<BTreeSet<u64>>,
    held_back: Arc<BTreeSet<u64>>,
    renamed: Arc<BTreeMap<Vec<u8>, Vec<u8>>>,
}

impl Refused {
    pub(super) fn contains(&self, signature: u64) -> bool {
        self.changes.contains(&signature)
    }

    pub(super) fn is_held_back(&self, signature: u64) -> bool {
        self.held_back.contains(&signature)
    }

    pub(super) fn extend(&mut self, refused: &[u64], held_back: &[u64]) {
        Arc::make_mut(&mut self.changes).extend(refused);
        Arc::make_mut(&mut self.held_back).extend(held_back);
    }

    /// All mentions of `from` have become `to`, which was not mentioned before.
    pub(super) fn rename(&mut self, from: &[u8], to: &[u8]) {
        let renamed = Arc::make_mut(&mut self.renamed);
        let first = renamed.remove(from).unwrap_or_else(|| from.to_vec());
        renamed.insert(to.to_vec(), first);
    }
}

/// What tells changes from each other across texts.
pub(super) struct Signatures<'a> {
    lexical: &'a Lexical<'a>,
    renamed: &'a BTreeMap<Vec<u8>, Vec<u8>>,
    /// The hash of each token as it was spelled at first, once it was wanted.
    tokens: Vec<OnceCell<u64>>,
}

impl<'a> Signatures<'a> {
    pub(super) fn new(lexical: &'a Lexical<'a>, refused: &'a Refused) -> Self {
        let tokens = alloc::vec![OnceCell::new(); lexical.text.len()];
        Self { lexical, renamed: &refused.renamed, tokens }
    }

    fn of_token(&self, token: usize) -> u64 {
        *self.tokens[token].get_or_init(|| self.of_string(self.lexical.text.piece(token)))
    }

    /// The hash of a string as it was spelled at first.
    fn of_string(&self, string: &[u8]) -> u64 {
        Fnv::of(self.renamed.get(string).map_or(string, |first| first))
    }

    /// The hash of what is in one place beside a change.
    fn beside(&self, token: Option<usize>) -> u64 {
        match token.filter(|&token| token < self.tokens.len()) {
            // Any name: merging names is no reason to ask about all that is beside them.
            Some(token) if self.lexical.is_name(token) => Fnv::of(b"name"),
            Some(token) => self.of_token(token),
            None => Fnv::of(&[]),
        }
    }

    /// The hash of what becomes of the tokens of an edit.
    fn becoming(&self, edit: &Edit) -> u64 {
        let text = self.lexical.text;
        match edit {
            Edit::Delete(_) | Edit::Cut(_) => Fnv::of(&[]),
            Edit::Replace(_, string) => self.of_string(&string.bytes),
            Edit::Trim(token, cut) => match text.piece(*token as usize) {
                // Another pass may have asked about the same string.
                short if short.len() <= self.lexical.tuning.pieces => {
                    self.of_string(&rest(short, &mut [cut.clone()]))
                }
                _ => Fnv::of(&[cut.start.to_le_bytes(), cut.end.to_le_bytes()].concat()),
            },
            Edit::Gap(token, gap) => Fnv::of(&[text.gap(*token as usize), b"gap", gap].concat()),
        }
    }

    pub(super) fn of(&self, change: &Change) -> u64 {
        let mut hash = Fnv::default();
        let mut add = |part: u64| hash.add(&part.to_le_bytes());
        let tree = self.lexical.tree;
        let mut edits: Vec<_> = change.edits().iter().map(|edit| (widen(&edit.tokens(tree)), edit)).collect();
        edits.sort_by_key(|(range, _)| range.start);
        for (range, edit) in edits {
            add(self.beside(range.start.checked_sub(1)));
            for token in range.start..range.end.min(self.tokens.len()) {
                add(self.of_token(token));
                add(self.lexical.name(token).map_or(0, |name| name.mentions.len().min(3) as u64));
            }
            add(self.becoming(edit));
            add(self.beside(Some(range.end)));
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
    /// The hash of `bytes`.
    fn of(bytes: &[u8]) -> u64 {
        let mut hash = Self::default();
        hash.add(bytes);
        hash.0
    }

    /// Adds `bytes` and their length, so that what was added can be told apart.
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes.iter().chain(&(bytes.len() as u32).to_le_bytes()) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
