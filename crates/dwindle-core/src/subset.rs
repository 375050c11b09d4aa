//! A subset of the positions `0..n`, as one bit per position.
//!
//! Cloning costs `n / 8` bytes of copying (25 kB and about 2 µs at 200,000 positions), which is
//! what makes cloning a search cheap. Beside the bits stand the sums of whole blocks of them, so that to count or
//! to skip a wide range costs little more than a narrow one: a chain has as many wide ranges as it is deep.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

const BITS: usize = u64::BITS as usize;

/// How many words make a block. To count takes two blocks of words at most, and a sum for each block between them.
const BLOCK: usize = 64;

/// A set of positions out of `0..n`, in order.
///
/// ```
/// use dwindle_core::Subset;
/// let mut subset = Subset::full(8);
/// subset.remove_range(2..5);
/// assert_eq!(subset.iter().collect::<Vec<_>>(), [0, 1, 5, 6, 7]);
/// assert_eq!(subset.runs().collect::<Vec<_>>(), [0..2, 5..8]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Subset {
    words: Vec<u64>,
    /// How many positions of the set lie in each block.
    blocks: Vec<u32>,
    n: usize,
    len: usize,
}

impl Subset {
    /// All positions of `0..n`.
    pub fn full(n: usize) -> Self {
        let mut words = vec![u64::MAX; n.div_ceil(BITS)];
        if let Some(last) = words.last_mut()
            && !n.is_multiple_of(BITS)
        {
            *last = (1 << (n % BITS)) - 1;
        }
        let blocks = words.chunks(BLOCK).map(ones).collect();
        Self { words, blocks, n, len: n }
    }

    /// No position of `0..n`.
    pub fn empty(n: usize) -> Self {
        let words = n.div_ceil(BITS);
        Self { words: vec![0; words], blocks: vec![0; words.div_ceil(BLOCK)], n, len: 0 }
    }

    /// The number of positions there could be, removed ones included.
    pub fn universe(&self) -> usize {
        self.n
    }

    /// The number of positions in the set.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no position is in the set.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether `position` is in the set; positions from `n` on never are.
    pub fn contains(&self, position: usize) -> bool {
        position < self.n && self.words[position / BITS] >> (position % BITS) & 1 == 1
    }

    /// Adds `position`, which must be below `n`.
    pub fn insert(&mut self, position: usize) {
        assert!(position < self.n, "position {position} of {}", self.n);
        if !self.contains(position) {
            self.words[position / BITS] |= 1 << (position % BITS);
            self.blocks[position / BITS / BLOCK] += 1;
            self.len += 1;
        }
    }

    pub(crate) fn insert_all(&mut self, positions: impl IntoIterator<Item = usize>) {
        positions.into_iter().for_each(|position| self.insert(position));
    }

    /// Takes `position` out, if it is in.
    pub fn remove(&mut self, position: usize) {
        if self.contains(position) {
            self.words[position / BITS] &= !(1 << (position % BITS));
            self.blocks[position / BITS / BLOCK] -= 1;
            self.len -= 1;
        }
    }

    /// Takes out whatever lies in `range`.
    pub fn remove_range(&mut self, range: Range<usize>) {
        let range = range.start..range.end.min(self.n);
        if range.is_empty() {
            return;
        }
        let (first, last) = (range.start / BITS, (range.end - 1) / BITS);
        let below = self.words[first] & !(u64::MAX << (range.start % BITS));
        let above = self.words[last] & !(u64::MAX >> (BITS - 1 - (range.end - 1) % BITS));
        // Whole slices are several times faster than a mask for each word.
        self.words[first..=last].fill(0);
        self.words[first] |= below;
        self.words[last] |= above;
        self.sum_up(first..last + 1);
    }

    /// Counts the blocks anew in which some of these words are.
    fn sum_up(&mut self, words: Range<usize>) {
        for block in words.start / BLOCK..words.end.div_ceil(BLOCK) {
            let before = self.blocks[block];
            if before > 0 {
                let words = block * BLOCK..((block + 1) * BLOCK).min(self.words.len());
                self.blocks[block] = ones(&self.words[words]);
                self.len -= (before - self.blocks[block]) as usize;
            }
        }
    }

    /// What does not lie in `other`, a set of the same positions.
    pub fn without(&self, other: &Self) -> Self {
        let mut rest = self.clone();
        rest.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= !other);
        rest.sum_up(0..rest.words.len());
        rest
    }

    /// Takes out whatever does not lie in `range`.
    pub fn retain_range(&mut self, range: Range<usize>) {
        self.remove_range(range.end..self.n);
        self.remove_range(0..range.start);
    }

    /// Takes out all of `positions`.
    pub fn remove_all(&mut self, positions: impl IntoIterator<Item = u32>) {
        for position in positions {
            self.remove(position as usize);
        }
    }

    pub(crate) fn with_all(&self, positions: impl IntoIterator<Item = u32>) -> Self {
        let mut all = self.clone();
        all.insert_all(positions.into_iter().map(|position| position as usize));
        all
    }

    /// The same set without what lies in `range`.
    pub(crate) fn without_range(&self, range: Range<usize>) -> Self {
        let mut rest = self.clone();
        rest.remove_range(range);
        rest
    }

    pub(crate) fn without_all(&self, positions: impl IntoIterator<Item = u32>) -> Self {
        let mut rest = self.clone();
        rest.remove_all(positions);
        rest
    }

    /// The number of positions of the set in `range`.
    pub fn count(&self, range: Range<usize>) -> usize {
        let range = range.start..range.end.min(self.n);
        if range.is_empty() {
            return 0;
        }
        let (first, last) = (range.start / BITS, (range.end - 1) / BITS);
        let outside = |word: u64, mask: u64| (word & !mask).count_ones();
        let below = outside(self.words[first], u64::MAX << (range.start % BITS));
        let above = outside(self.words[last], u64::MAX >> (BITS - 1 - (range.end - 1) % BITS));
        let (block, end) = (first.div_ceil(BLOCK), (last + 1) / BLOCK);
        let inside = match block < end {
            true => {
                ones(&self.words[first..block * BLOCK])
                    + self.blocks[block..end].iter().sum::<u32>()
                    + ones(&self.words[end * BLOCK..=last])
            }
            false => ones(&self.words[first..=last]),
        };
        (inside - below - above) as usize
    }

    /// The first position of the set that is not before `from`.
    #[inline]
    pub fn next_from(&self, from: usize) -> Option<usize> {
        self.nth_from(from, 0)
    }

    /// The position of the set, from `from` on, that `skip` others precede.
    #[inline]
    pub fn nth_from(&self, from: usize, mut skip: usize) -> Option<usize> {
        if from >= self.n {
            return None;
        }
        let mut index = from / BITS;
        let mut word = self.words[index] & (u64::MAX << (from % BITS));
        loop {
            let ones = word.count_ones() as usize;
            if skip < ones {
                (0..skip).for_each(|_| word &= word - 1);
                return Some(index * BITS + word.trailing_zeros() as usize);
            }
            skip -= ones;
            index += 1;
            while index.is_multiple_of(BLOCK)
                && let Some(&ones) = self.blocks.get(index / BLOCK)
                && skip >= ones as usize
            {
                skip -= ones as usize;
                index += BLOCK;
            }
            word = *self.words.get(index)?;
        }
    }

    /// The last position of the set that is before `end`.
    pub fn last_before(&self, end: usize) -> Option<usize> {
        let last = end.min(self.n).checked_sub(1).filter(|_| !self.is_empty())?;
        let mut index = last / BITS;
        let mut word = self.words[index] & (u64::MAX >> (BITS - 1 - last % BITS));
        loop {
            if word != 0 {
                return Some(index * BITS + BITS - 1 - word.leading_zeros() as usize);
            }
            while index.is_multiple_of(BLOCK) && index > 0 && self.blocks[index / BLOCK - 1] == 0 {
                index -= BLOCK;
            }
            index = index.checked_sub(1)?;
            word = self.words[index];
        }
    }

    /// The first position that is *not* in the set and not before `from`; `n` where there is none.
    fn next_gap(&self, from: usize) -> usize {
        let mut index = from / BITS;
        let Some(&first) = self.words.get(index) else { return self.n };
        let mut word = !first & (u64::MAX << (from % BITS));
        while word == 0 {
            index += 1;
            while index.is_multiple_of(BLOCK) && self.blocks.get(index / BLOCK) == Some(&FULL) {
                index += BLOCK;
            }
            match self.words.get(index) {
                Some(next) => word = !next,
                None => return self.n,
            }
        }
        (index * BITS + word.trailing_zeros() as usize).min(self.n)
    }

    /// The positions in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            // Without the lowest bit, without the two lowest, and so on.
            let rests = core::iter::successors(Some(word), |&rest| Some(rest & rest.checked_sub(1)?));
            let rests = rests.take_while(|&rest| rest != 0);
            rests.map(move |rest| index * BITS + rest.trailing_zeros() as usize)
        })
    }

    /// The maximal ranges of adjacent positions, in ascending order.
    pub fn runs(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let run = |from| self.next_from(from).map(|start| start..self.next_gap(start));
        core::iter::successors(run(0), move |last: &Range<usize>| run(last.end))
    }

    /// Appends what tells this subset from all others of `0..n`.
    pub fn identify(&self, out: &mut Vec<u8>) {
        out.reserve(self.words.len() * size_of::<u64>());
        self.words.iter().for_each(|word| out.extend(word.to_le_bytes()));
    }

    /// The positions in ascending order as a flat vector.
    pub fn to_vec(&self) -> Vec<u32> {
        self.iter().map(|position| position as u32).collect()
    }
}

/// What the sum of a block is without gaps.
const FULL: u32 = (BLOCK * BITS) as u32;

fn ones(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;
    use proptest::prelude::*;

    /// So that there is a word, a block, or several of them.
    fn universe_and_edits() -> impl Strategy<Value = (usize, Vec<(usize, usize, u8)>)> {
        let n = prop_oneof![3 => 0usize..300, 1 => 4_000usize..13_000];
        n.prop_flat_map(|n| (Just(n), prop::collection::vec((0..n + 20, 0..n + 20, 0u8..5), 0..20)))
    }

    proptest! {
        #[test]
        fn a_subset_behaves_like_a_set_of_positions((n, edits) in universe_and_edits()) {
            let mut others = Subset::full(n);
            (0..n).step_by(3).for_each(|position| others.remove(position));
            let mut subset = Subset::full(n);
            let mut model: BTreeSet<usize> = (0..n).collect();
            for (a, b, kind) in edits {
                let (low, high) = (a.min(b), a.max(b));
                match kind {
                    0 => { subset.remove_range(low..high); model.retain(|p| !(low..high).contains(p)); }
                    1 => { subset.retain_range(low..high); model.retain(|p| (low..high).contains(p)); }
                    2 => { subset.remove(a); model.remove(&a); }
                    3 => {
                        subset = subset.without(&others);
                        model.retain(|p| p % 3 == 0);
                    }
                    _ => if a < n { subset.insert(a); model.insert(a); }
                }
                prop_assert_eq!(subset.len(), model.len());
                prop_assert_eq!(subset.count(low..high), model.range(low..high).count());
                prop_assert_eq!(subset.iter().collect::<Vec<_>>(), model.iter().copied().collect::<Vec<_>>());
                prop_assert_eq!(subset.next_from(a), model.range(a..).next().copied());
                prop_assert_eq!(subset.nth_from(a, b), model.range(a..).nth(b).copied());
                prop_assert_eq!(subset.nth_from(a, b % 7), model.range(a..).nth(b % 7).copied());
                prop_assert_eq!(subset.last_before(a), model.range(..a).next_back().copied());
                prop_assert_eq!(subset.to_vec(), model.iter().map(|&p| p as u32).collect::<Vec<_>>());
                prop_assert_eq!(subset.runs().flatten().collect::<Vec<_>>(), subset.iter().collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn runs_are_maximal() {
        let mut subset = Subset::full(200);
        subset.remove(64);
        subset.remove(199);
        assert_eq!(subset.runs().collect::<Vec<_>>(), [0..64, 65..199]);
    }
}
