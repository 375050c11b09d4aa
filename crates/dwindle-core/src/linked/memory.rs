//! What was refused, and whether there is a reason to ask it again.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::tree::Tree;
use crate::{Names, Variant};

/// What tells an edit from others, also after the text was read anew: where its first and last token
/// came from, how many tokens it is about, and what it does with them.
pub(super) type Key = (u32, u32, u32, u32);

/// What was refused when.
///
/// Time is counted in accepted changes. An edit that was refused is worth another question when a name
/// that stands in it has since been mentioned less.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    now: u32,
    /// What each token of the tree was in the first one.
    origins: Arc<[u32]>,
    next_origin: u32,
    /// When the last mention of each name went that has gone.
    touched: Vec<u32>,
    refused: Arc<BTreeMap<Key, u32>>,
    /// The same of this reading, so that the map is seldom copied.
    fresh: Vec<(Key, u32)>,
}

impl Memory {
    pub(super) fn new(tree: &Tree) -> Self {
        let tokens = tree.text().len() as u32;
        Self {
            now: 0,
            origins: (0..tokens).collect(),
            next_origin: tokens,
            touched: alloc::vec![0; tree.names().len()],
            refused: Arc::default(),
            fresh: Vec::new(),
        }
    }

    /// The key of an edit of the `tokens` from the first to the last that stand there.
    pub(super) fn key(&self, first: usize, last: usize, size: u32, what: u32) -> Key {
        (self.origins[first], self.origins[last], size, what)
    }

    pub(super) fn refuse(&mut self, key: Key) {
        self.fresh.push((key, self.now));
    }

    /// When it was refused last.
    fn refused(&self, key: Key) -> Option<u32> {
        let fresh = self.fresh.iter().rev().find(|(other, _)| *other == key);
        fresh.map(|&(_, when)| when).or_else(|| self.refused.get(&key).copied())
    }

    /// Whether nothing has changed at all since it was refused.
    pub(super) fn is_proved(&self, key: Key) -> bool {
        self.refused(key) == Some(self.now)
    }

    /// Whether it was refused, and none of the names in it has lost a mention since.
    pub(super) fn is_pointless(&self, key: Key, mut names: impl Iterator<Item = u32>) -> bool {
        self.refused(key).is_some_and(|when| names.all(|name| self.touched[name as usize] <= when))
    }

    /// A change was accepted, with which these mentions went.
    pub(super) fn accept(&mut self, names: &Names, gone: &[usize]) {
        self.now += 1;
        for &index in gone {
            self.touched[names.mentions()[index].name as usize] = self.now;
        }
    }

    /// `variant` of `before` was read anew as `after`.
    pub(super) fn read(&mut self, before: &Names, variant: &Variant, after: &Tree) {
        self.touched = (0..after.names().len() as u32)
            .map(|name| {
                let old = before.find(after.names().spelling(name));
                old.map_or(0, |old| self.touched[old as usize])
            })
            .collect();
        let mut old = Vec::with_capacity(after.text().len());
        let mut places = variant.places.iter().peekable();
        for token in variant.kept.iter() {
            while let Some(place) = places.next_if(|place| (place.at as usize) < token) {
                old.push((&variant.text.stand_ins()[place.stand_in as usize].bytes[..], None));
            }
            old.push((variant.text.piece(token), Some(self.origins[token])));
        }
        let mut at = 0;
        let mut next_origin = self.next_origin;
        self.origins = (0..after.text().len())
            .map(|token| {
                let piece = after.text().piece(token);
                let window = old[at..].iter().take(RESYNC);
                let known = window.enumerate().find(|(_, (bytes, _))| *bytes == piece);
                if let Some((skip, &(_, origin))) = known {
                    at += skip + 1;
                    if let Some(origin) = origin {
                        return origin;
                    }
                }
                next_origin += 1;
                next_origin - 1
            })
            .collect();
        self.next_origin = next_origin;
        let refused = Arc::make_mut(&mut self.refused);
        refused.extend(self.fresh.drain(..));
    }
}

/// How far ahead a token is looked for that was read otherwise than it was written.
const RESYNC: usize = 8;
