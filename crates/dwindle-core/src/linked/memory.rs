//! What was refused, and whether there is a reason to ask it again.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use crate::edit::{Change, Edit};
use crate::random::Random;
use crate::tree::Tree;
use crate::{Names, Subset, Variant};

/// What tells an edit from others, also after the text was read anew and when some of what it takes out
/// has gone: the tokens that it takes out and that still stand, and what stands in for them.
pub(super) type Key = u64;

/// What was refused when.
///
/// Time is counted in accepted changes. An edit that was refused is worth another question when a name
/// that stands in it has since been mentioned less elsewhere.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    now: u32,
    /// Where each token of the tree stands: the same as long as it does, and in the order of the text.
    places: Arc<[u64]>,
    /// The sums of the places that stand before each token, mixed.
    sums: Arc<[u64]>,
    /// When and where mentions of each name went, the last at the end.
    gone: Vec<Vec<(u32, u64)>>,
    refused: Arc<Vec<Refused>>,
    /// When each key was refused last.
    known: Arc<BTreeMap<Key, u32>>,
    /// What was refused since the last change, so that the rest is seldom copied.
    fresh: Vec<(Key, Refused)>,
}

#[derive(Clone, Debug)]
struct Refused {
    when: u32,
    /// What was taken out, from place to place.
    ranges: Vec<(u64, u64)>,
    /// Tells what stood in for it.
    stand_in: u64,
}

impl Memory {
    pub(super) fn new(tree: &Tree) -> Self {
        let tokens = tree.text().len();
        let places: Arc<[u64]> = (1..=tokens as u64).map(|token| token << SPARE).collect();
        Self {
            now: 0,
            sums: sums(&places, &Subset::full(tokens)),
            places,
            gone: alloc::vec![Vec::new(); tree.names().len()],
            refused: Arc::default(),
            known: Arc::default(),
            fresh: Vec::new(),
        }
    }

    /// The key of a change; none where nothing goes.
    pub(super) fn key(&self, tree: &Tree, change: &Change) -> Option<Key> {
        let taken = change.tokens(tree);
        let hash = taken
            .fold(0, |hash, range| hash ^ self.sums[range.start as usize] ^ self.sums[range.end as usize]);
        (hash != 0).then(|| hash ^ stand_in(change))
    }

    pub(super) fn refuse(&mut self, key: Key, tree: &Tree, change: &Change) {
        let range = |range: Range<u32>| {
            (range.start < range.end)
                .then(|| (self.places[range.start as usize], self.places[range.end as usize - 1]))
        };
        let ranges = change.tokens(tree).filter_map(range).collect();
        self.fresh.push((key, Refused { when: self.now, ranges, stand_in: stand_in(change) }));
    }

    /// When it was refused last.
    fn refused(&self, key: Key) -> Option<u32> {
        let fresh = self.fresh.iter().rev().find(|(other, _)| *other == key);
        fresh.map(|(_, refused)| refused.when).or_else(|| self.known.get(&key).copied())
    }

    /// Whether nothing has changed at all since it was refused.
    pub(super) fn is_proved(&self, key: Key) -> bool {
        self.refused(key) == Some(self.now)
    }

    /// Whether it was refused, and none of the `names` in it has since lost a mention outside of `regions`.
    pub(super) fn is_pointless(
        &self,
        key: Key,
        regions: &[Range<usize>],
        mut names: impl Iterator<Item = u32>,
    ) -> bool {
        let Some(refused) = self.refused(key) else { return false };
        let places: Vec<_> = regions
            .iter()
            .filter(|tokens| !tokens.is_empty())
            .map(|tokens| self.places[tokens.start]..=self.places[tokens.end - 1])
            .collect();
        let outside = |place: u64| !places.iter().any(|range| range.contains(&place));
        names.all(|name| {
            let mut since = self.gone[name as usize].iter().rev().take_while(|&&(when, _)| when > refused);
            !since.any(|&(_, place)| outside(place))
        })
    }

    /// A change was accepted, with which these mentions went; `kept` is what is left.
    pub(super) fn accept(&mut self, names: &Names, gone: &[usize], kept: &Subset) {
        self.now += 1;
        for &index in gone {
            let mention = names.mentions()[index];
            self.gone[mention.name as usize].push((self.now, self.places[mention.token as usize]));
        }
        self.sums = sums(&self.places, kept);
        self.know();
    }

    /// Knows what was refused by what is left of it.
    fn know(&mut self) {
        let refused = Arc::make_mut(&mut self.refused);
        refused.extend(mem::take(&mut self.fresh).into_iter().map(|(_, refused)| refused));
        let mut known = BTreeMap::new();
        let (places, sums) = (&self.places, &self.sums);
        refused.retain(|refused| {
            let hash = refused.ranges.iter().fold(0, |hash, &(first, last)| {
                let start = places.partition_point(|&place| place < first);
                let end = places.partition_point(|&place| place <= last);
                hash ^ sums[start] ^ sums[end]
            });
            if hash != 0 {
                let when: &mut u32 = known.entry(hash ^ refused.stand_in).or_default();
                *when = refused.when.max(*when);
            }
            hash != 0
        });
        self.known = Arc::new(known);
    }

    /// `variant` of `before` was read anew as `after`.
    pub(super) fn read(&mut self, before: &Names, variant: &Variant, after: &Tree) {
        self.gone = (0..after.names().len() as u32)
            .map(|name| {
                let old = before.find(after.names().spelling(name));
                old.map_or(Vec::new(), |old| mem::take(&mut self.gone[old as usize]))
            })
            .collect();
        // Both texts are the same bytes, however these were cut into tokens.
        let mut old = Vec::with_capacity(variant.kept.len());
        let mut at = 0;
        let mut stand_ins = variant.places.iter().peekable();
        for token in variant.kept.iter() {
            while let Some(place) = stand_ins.next_if(|place| (place.at as usize) < token) {
                at += ink(&place.string.bytes);
            }
            old.push((at, self.places[token]));
            at += ink(variant.text.piece(token));
        }
        let mut old = old.into_iter().peekable();
        let (mut at, mut last) = (0, 0);
        self.places = (0..after.text().len())
            .map(|token| {
                while old.next_if(|&(start, _)| start < at).is_some() {}
                last = match old.peek() {
                    Some(&(start, place)) if start == at => place,
                    Some(&(_, place)) => last + place.saturating_sub(last) / 2,
                    None => last + (1 << SPARE),
                };
                at += ink(after.text().piece(token));
                last
            })
            .collect();
        self.sums = sums(&self.places, &Subset::full(after.text().len()));
        self.know();
    }
}

/// How many bits of room there are between the places of two tokens.
const SPARE: u32 = 32;

/// The sums before each of the tokens, and behind the last.
fn sums(places: &[u64], kept: &Subset) -> Arc<[u64]> {
    let mut sum = 0;
    let behind = places.iter().enumerate().map(|(token, &place)| {
        if kept.contains(token) {
            sum ^= mixed(place);
        }
        sum
    });
    core::iter::once(0).chain(behind).collect()
}

/// Spreads the bits of a number.
fn mixed(number: u64) -> u64 {
    Random::new(number).next()
}

/// Tells what stands in for what a change takes out; also whether nodes go, with their separators, or tokens.
fn stand_in(change: &Change) -> u64 {
    let takes_tokens = change.0.iter().any(|edit| !matches!(edit, Edit::Delete(_)));
    let bytes = change.0.iter().flat_map(|edit| match edit {
        Edit::Replace(_, string) => &string.bytes[..],
        _ => &[],
    });
    bytes.fold(u64::from(takes_tokens), |hash, &byte| mixed(hash ^ u64::from(byte)))
}

/// How many bytes of `piece` are no white space.
fn ink(piece: &[u8]) -> usize {
    piece.iter().filter(|byte| !byte.is_ascii_whitespace()).count()
}
