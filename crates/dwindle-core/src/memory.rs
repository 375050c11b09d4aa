//! The memory of refused changes, which deletion and passes share. It tells whether there is a reason to ask again.
//!
//! Each token has a *place*, a number that it keeps until it is deleted, even if the text is read anew, a name is renamed or
//! a number becomes another one. A change is identified by the places that it deletes. So it is recognised whatever was
//! deleted around it.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use crate::edit::{Change, Edit, rest};
use crate::random::Random;
use crate::tree::{NONE, Tree};
use crate::{How, Insertion, Names, Subset, Variant};

/// Identifies a change: a hash of the places of the tokens that it deletes, as far as they are left, and of the strings that
/// it inserts. It is the same after the text was read anew.
pub(crate) type Key = u64;

/// A hash of the tokens beside those that a change deletes.
pub(crate) type Context = u64;

/// Which changes were refused, and when.
///
/// Time is counted in accepted changes. A refused change is asked about again when a name in it has since lost a mention
/// elsewhere. A pass asks again also when the tokens beside it have changed: what it inserts may fit now.
#[derive(Clone, Debug)]
pub struct Memory {
    now: u32,
    names: Arc<Names>,
    /// The place of each token of the tree, in ascending order.
    places: Arc<[u64]>,
    /// For each token, the sum of the mixed places of the tokens before it that are left.
    sums: Arc<[u64]>,
    /// Which mentions of names were deleted.
    gone: Arc<Departures>,
    refused: Arc<Vec<Refused>>,
    /// When each key was refused last, and in which context.
    known: Arc<BTreeMap<Key, (u32, Context)>>,
    /// Refusals since the last accepted change. They are apart so that the others are seldom copied.
    fresh: Vec<(Key, Refused)>,
}

/// When and where mentions of names were deleted. All are in one list, so that it is copied quickly.
#[derive(Clone, Debug)]
struct Departures {
    /// Those of one name are in the order of time.
    all: Vec<Departure>,
    /// The index of the last one of each name; [`NONE`] where there is none.
    last: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Departure {
    when: u32,
    /// The index of the one before it of the same name.
    before: u32,
    place: u64,
}

impl Departures {
    fn new(names: usize) -> Self {
        Self { all: Vec::new(), last: alloc::vec![NONE; names] }
    }

    fn add(&mut self, name: u32, when: u32, place: u64) {
        let before = mem::replace(&mut self.last[name as usize], self.all.len() as u32);
        self.all.push(Departure { when, before, place });
    }

    /// Those of a name, the latest first.
    fn of(&self, name: u32) -> impl Iterator<Item = &Departure> {
        let at = |index: u32| self.all.get(index as usize);
        core::iter::successors(at(self.last[name as usize]), move |departure| at(departure.before))
    }
}

#[derive(Clone, Debug)]
struct Refused {
    when: u32,
    context: Context,
    /// The deleted tokens, as the tree numbers them now.
    ranges: Arc<[Range<u32>]>,
    /// A hash of the strings that were inserted.
    stand_in: u64,
}

impl Memory {
    pub(crate) fn new(tree: &Tree) -> Self {
        let tokens = tree.text().len();
        let places: Arc<[u64]> = (1..=tokens as u64).map(|token| token << SPARE).collect();
        Self {
            now: 0,
            names: tree.names().clone(),
            sums: sums(&places, &Subset::full(tokens)),
            places,
            gone: Arc::new(Departures::new(tree.names().len())),
            refused: Arc::default(),
            known: Arc::default(),
            fresh: Vec::new(),
        }
    }

    /// The key of a change; none if nothing changes.
    pub(crate) fn key(&self, tree: &Tree, change: &Change) -> Option<Key> {
        let hash = hash_of_places(&self.sums, change.tokens(tree));
        (hash != 0 || change.is_of_gaps()).then(|| hash ^ self.stand_in(tree, change))
    }

    /// A hash of the strings that a change inserts, and of whether it deletes tokens or whole nodes with their separators.
    fn stand_in(&self, tree: &Tree, change: &Change) -> u64 {
        // The gap behind the last token has no place.
        let place = |token: u32| self.places.get(token as usize).copied().unwrap_or_default();
        let takes_tokens = change.edits().iter().any(|edit| !matches!(edit, Edit::Delete(_)));
        change.edits().iter().fold(u64::from(takes_tokens), |hash, edit| match edit {
            Edit::Replace(_, string) => hash_of(hash, &string.bytes),
            Edit::Trim(token, bytes) => match tree.text().piece(*token as usize) {
                // Another edit of the token may leave the same string.
                short if short.len() <= SHORT => hash_of(hash, &rest(short, &mut [bytes.clone()])),
                long => [long.len(), bytes.start as usize, bytes.end as usize]
                    .into_iter()
                    .fold(hash, |hash, number| mixed(hash ^ number as u64)),
            },
            Edit::Gap(token, gap) => hash_of(mixed(hash ^ place(*token)), gap),
            Edit::TrimGap(token, bytes) => {
                let gap = tree.text().gap(*token as usize);
                hash_of(mixed(hash ^ place(*token)), &rest(gap, &mut [bytes.clone()]))
            }
            Edit::Delete(_) | Edit::Cut(_) => hash,
        })
    }

    /// The context of `change` among the tokens in `kept`. All names count as the same: when one is merged with another,
    /// that is no reason to ask again about everything beside its mentions.
    pub(crate) fn context(&self, tree: &Tree, kept: &Subset, change: &Change) -> Context {
        let beside = |token: Option<usize>| match token {
            Some(token) if self.names.has_mention(token as u32) => 1,
            Some(token) => {
                let piece = tree.text().piece(token);
                hash_of(piece.len() as u64, &piece[..piece.len().min(SHORT)])
            }
            None => 0,
        };
        let both = |range: Range<u32>| {
            let before = (0..range.start as usize).rev().find(|&token| kept.contains(token));
            [before, kept.next_from(range.end as usize)].map(beside)
        };
        change.tokens(tree).flat_map(both).fold(0, |hash, place| mixed(hash ^ place))
    }

    pub(crate) fn refuse(&mut self, key: Key, tree: &Tree, kept: &Subset, change: &Change) {
        let context = self.context(tree, kept, change);
        let ranges = self.joined(change.tokens(tree)).filter(|range| !range.is_empty()).collect();
        self.fresh
            .push((key, Refused { when: self.now, context, ranges, stand_in: self.stand_in(tree, change) }));
    }

    /// The same ranges, but those with no token left between them are joined, so that a large change has few.
    fn joined(&self, ranges: impl Iterator<Item = Range<u32>>) -> impl Iterator<Item = Range<u32>> {
        let mut ranges = ranges.peekable();
        let stood_before = |token: u32| self.sums[token as usize];
        core::iter::from_fn(move || {
            let mut range = ranges.next()?;
            let touches = |end: u32, next: &Range<u32>| {
                end <= next.start && stood_before(end) == stood_before(next.start)
            };
            while let Some(next) = ranges.next_if(|next| touches(range.end, next)) {
                range.end = next.end;
            }
            Some(range)
        })
    }

    /// When a change was refused last, and in which context.
    fn refused(&self, key: Key) -> Option<(u32, Context)> {
        let fresh = self.fresh.iter().rev().find(|(other, _)| *other == key);
        fresh.map(|(_, refused)| (refused.when, refused.context)).or_else(|| self.known.get(&key).copied())
    }

    /// Whether a change was refused and no change was accepted since.
    pub(crate) fn is_proved(&self, key: Key) -> bool {
        self.refused(key).is_some_and(|(when, _)| when == self.now)
    }

    /// Whether a change was refused, in this context if one is given, and none of the `names` in it has since lost a
    /// mention outside of `regions`.
    pub(crate) fn is_pointless(
        &self,
        key: Key,
        context: Option<Context>,
        regions: &[Range<usize>],
        mut names: impl Iterator<Item = u32>,
    ) -> bool {
        let Some((refused, between)) = self.refused(key) else { return false };
        if context.is_some_and(|context| context != between) {
            return false;
        }
        let places: Vec<_> = regions
            .iter()
            .filter(|tokens| !tokens.is_empty())
            .map(|tokens| self.places[tokens.start]..=self.places[tokens.end - 1])
            .collect();
        let outside = |place: u64| !places.iter().any(|range| range.contains(&place));
        names.all(|name| {
            let mut since = self.gone.of(name).take_while(|departure| departure.when > refused);
            !since.any(|departure| outside(departure.place))
        })
    }

    /// A change was accepted that deleted these mentions and led to `left`.
    pub(crate) fn accept(&mut self, gone: &[usize], left: &Variant) {
        self.now += 1;
        // As long as nothing was refused, there is nothing to ask again.
        if !self.refused.is_empty() || !self.fresh.is_empty() {
            let departures = Arc::make_mut(&mut self.gone);
            departures.all.reserve_exact(gone.len());
            for &index in gone {
                let mention = self.names.mentions()[index];
                departures.add(mention.name, self.now, self.places[mention.token as usize]);
            }
        }
        let mut standing = left.kept.clone();
        let numbers = left.insertions.iter().filter(|place| is_for_number(left, place));
        standing.insert_all(numbers.map(|place| place.at as usize));
        self.sums = sums(&self.places, &standing);
        self.know();
    }

    /// Computes the keys of all refusals anew, by the tokens that are left of them.
    pub(crate) fn know(&mut self) {
        let (mut known, sums) = (BTreeMap::new(), self.sums.clone());
        self.all_refused().retain(|refused| {
            let hash = hash_of_places(&sums, refused.ranges.iter().cloned());
            let is_left = hash != 0 || refused.ranges.is_empty();
            if is_left {
                let last: &mut (u32, Context) = known.entry(hash ^ refused.stand_in).or_default();
                if refused.when >= last.0 {
                    *last = (refused.when, refused.context);
                }
            }
            is_left
        });
        self.known = Arc::new(known);
    }

    /// All refusals, old and fresh.
    fn all_refused(&mut self) -> &mut Vec<Refused> {
        let refused = Arc::make_mut(&mut self.refused);
        refused.extend(mem::take(&mut self.fresh).into_iter().map(|(_, refused)| refused));
        refused
    }

    /// `variant` was read anew as `after`.
    pub(crate) fn read(&mut self, variant: &Variant, after: &Tree) {
        let places = self.places_in(variant, after);
        self.gone = Arc::new(self.departures_in(variant, after, &places));
        self.names = after.names().clone();
        let standing = mem::replace(&mut self.places, places.clone());
        let again = |range: &Range<u32>| {
            let (first, last) = (standing[range.start as usize], standing[range.end as usize - 1]);
            let before = |place| places.partition_point(|&other| other < place) as u32;
            before(first)..before(last + 1)
        };
        self.all_refused().retain_mut(|refused| {
            let is_of_gaps = refused.ranges.is_empty();
            refused.ranges = refused.ranges.iter().map(again).filter(|range| !range.is_empty()).collect();
            is_of_gaps || !refused.ranges.is_empty()
        });
        self.sums = sums(&self.places, &Subset::full(after.text().len()));
        self.know();
    }

    /// The places of the tokens of `after`, which `variant` was read as.
    fn places_in(&self, variant: &Variant, after: &Tree) -> Arc<[u64]> {
        // Both texts have the same bytes apart from white space, but may be cut into tokens differently. So the old places are
        // found by their position among these bytes.
        let mut old = Vec::with_capacity(variant.kept.len());
        let mut at = 0;
        let mut stand_ins = variant.insertions.iter().peekable();
        for token in variant.kept.iter() {
            while let Some(place) = stand_ins.next_if(|place| (place.at as usize) < token) {
                if self.names.has_mention(place.at) || is_for_number(variant, place) {
                    old.push((at, self.places[place.at as usize]));
                }
                at += ink(&place.string.bytes);
            }
            old.push((at, self.places[token]));
            at += ink(variant.text.piece(token));
        }
        let mut old = old.into_iter().peekable();
        let (mut at, mut last) = (0, 0);
        let place = |token: usize| {
            while old.next_if(|&(start, _)| start < at).is_some() {}
            let piece = after.text().piece(token);
            // A new token gets a place between its neighbours that no other token had.
            let between = |room: u64| last + room / 4 + hash_of(0, piece) % (room / 2).max(1);
            last = match old.peek() {
                Some(&(start, place)) if start == at => place,
                Some(&(_, place)) => between(place.saturating_sub(last)),
                None => between(1 << SPARE),
            };
            at += ink(piece);
            last
        };
        (0..after.text().len()).map(place).collect()
    }

    /// The departures with the names of `after`, which `variant` was read as and whose tokens have these places.
    fn departures_in(&self, variant: &Variant, after: &Tree, places: &[u64]) -> Departures {
        let mut departures = Departures::new(after.names().len());
        // The new number of each old name, if there still is one.
        let mut renumbered: Vec<Option<u32>> = alloc::vec![None; self.names.len()];
        for name in 0..after.names().len() as u32 {
            let Some(old) = self.names.find(after.names().spelling(name)) else { continue };
            renumbered[old as usize] = Some(name);
            let mut all: Vec<&Departure> = self.gone.of(old).collect();
            all.reverse();
            all.into_iter().for_each(|&Departure { when, place, .. }| departures.add(name, when, place));
        }
        // A token that is left but does not mention its name any more counts as a deleted mention.
        let mentions = after.names().mentions().iter();
        let mut now: Vec<(u64, u32)> =
            mentions.map(|mention| (places[mention.token as usize], mention.name)).collect();
        now.sort_unstable();
        for mention in self.names.mentions().iter().filter(|mention| mention.how != How::Weak) {
            let place = self.places[mention.token as usize];
            if variant.kept.contains(mention.token as usize)
                && let Some(name) = renumbered[mention.name as usize]
                && now.binary_search(&(place, name)).is_err()
            {
                departures.add(name, self.now, place);
            }
        }
        departures
    }
}

/// Bytes of a token that go into a hash. More would take long.
const SHORT: usize = 256;

/// Bits of room for new places between those of two tokens of the first tree.
const SPARE: u32 = 32;

/// The sum before each token, and that of all.
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

/// A hash of the places that are left in these ranges; 0 if none is.
fn hash_of_places(sums: &[u64], ranges: impl Iterator<Item = Range<u32>>) -> u64 {
    ranges.fold(0, |hash, range| hash ^ sums[range.start as usize] ^ sums[range.end as usize])
}

/// Spreads the bits of a number.
fn mixed(number: u64) -> u64 {
    Random::new(number).next()
}

/// A hash of these bytes behind others.
fn hash_of(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| mixed(hash ^ u64::from(byte)))
}

/// Whether it is a number in the place of a number.
fn is_for_number(variant: &Variant, place: &Insertion) -> bool {
    let is_number = |piece: &[u8]| piece.first().is_some_and(u8::is_ascii_digit);
    let at = place.at as usize;
    is_number(&place.string.bytes) && at < variant.text.len() && is_number(variant.text.piece(at))
}

/// How many bytes of `piece` are no white space.
fn ink(piece: &[u8]) -> usize {
    piece.iter().filter(|byte| !byte.is_ascii_whitespace()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Role;
    use crate::{Quotes, StandIn, TreeBuilder};

    /// `a b a`, where the first word may mention nothing.
    fn tree(first_mentions: bool) -> Tree {
        let mut builder = TreeBuilder::new(b"a b a".to_vec(), alloc::vec!["root", "word"]);
        builder.open(0, Role::Fixed);
        for (at, name) in [(0, b"a"), (2, b"b"), (4, b"a")] {
            builder.token(at..at + 1, 1, 1, Role::Deletable);
            if at > 0 || first_mentions {
                builder.name(name, How::Uses);
            }
        }
        builder.close();
        builder.finish(Quotes::Known, &[])
    }

    #[test]
    fn a_mention_that_is_none_by_a_new_reading_is_a_reason_to_ask_again() {
        for still_mentions in [true, false] {
            let before = tree(true);
            let (whole, mut memory) = (Variant::whole(before.text().clone()), Memory::new(&before));
            // Nodes are the root and the words.
            let last = Change::deletion([3]);
            let key = memory.key(&before, &last).unwrap();
            memory.refuse(key, &before, &whole.kept, &last);
            memory.accept(&[], &whole);
            let after = tree(still_mentions);
            memory.read(&whole, &after);
            let key = memory.key(&after, &last).unwrap();
            let name = after.names().find(b"a").unwrap();
            let last = core::slice::from_ref(&(2..3));
            let is_pointless = memory.is_pointless(key, None, last, [name].into_iter());
            assert_eq!(is_pointless, still_mentions);
        }
    }

    #[test]
    fn what_was_refused_for_a_number_is_known_of_the_one_that_it_becomes() {
        let tree = |text: &[u8]| {
            let mut builder = TreeBuilder::new(text.to_vec(), alloc::vec!["root", "number"]);
            builder.open(0, Role::Fixed);
            let end = text.len() as u32 - 2;
            builder.token(0..end, 1, 1, Role::Deletable);
            builder.token(end + 1..end + 2, 1, 1, Role::Deletable);
            builder.close();
            builder.finish(Quotes::Known, &[])
        };
        let becomes = |bytes: &[u8]| Change::replacement(0..1, StandIn { bytes: bytes.to_vec(), tokens: 1 });
        for (number, known) in [(&b"12"[..], true), (b"a", false)] {
            let (before, after) = (tree(b"1234 b"), tree(&[number, b" b"].concat()));
            let (whole, mut memory) = (Variant::whole(before.text().clone()), Memory::new(&before));
            let key = memory.key(&before, &becomes(b"0")).unwrap();
            memory.refuse(key, &before, &whole.kept, &becomes(b"0"));
            let shorter = becomes(number).apply(&before, &whole);
            memory.accept(&[], &shorter);
            memory.read(&shorter, &after);
            let key = memory.key(&after, &becomes(b"0")).unwrap();
            let first = core::slice::from_ref(&(0..1));
            assert_eq!(memory.is_pointless(key, None, first, [].into_iter()), known);
        }
    }
}
