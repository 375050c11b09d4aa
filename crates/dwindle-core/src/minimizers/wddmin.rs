//! Wddmin, the weighted ddmin of WDD (Zhou et al., ICSE 2025).
//!
//! ddmin, but a chunk is halved where the *weights* of its parts come closest, and a chunk of one
//! element is not tried again until the last pass, which deletes single elements until none can
//! go. 1-minimal for any oracle; at most `2(n² + 3n)` questions.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use crate::named::named;
use crate::range::widen;
use crate::sums::sums;
use crate::{Minimizer, Outcome, Subset};

named! {
    /// Which of two equally good cuts is taken.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum SplitTie {
        /// The longer first part.
        #[default]
        Larger = "larger",
        /// Perses' integer arithmetic: half is rounded down first, so odd totals cut earlier.
        PersesFloor = "perses-floor",
    }
}

/// The machine; see the [module](self).
#[derive(Clone, Debug)]
pub struct Wddmin {
    tie: SplitTie,
    best: Subset,
    /// `before[i]` is the weight of the elements before `i` in the full list.
    before: Arc<[u64]>,
    /// Partitions go as a whole, so each stays one range of positions.
    parts: Arc<[Range<u32>]>,
    phase: Phase,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// This partition alone.
    Subset(usize),
    /// All but this partition.
    Complement(usize),
    /// All but this element, in the last pass.
    Single(usize),
    Done,
}

impl Wddmin {
    /// A search over the elements of `weights` (0 counts as 1).
    pub fn new(weights: &[u32], tie: SplitTie) -> Self {
        let mut wddmin = Self {
            tie,
            best: Subset::full(weights.len()),
            before: sums(weights.iter().map(|&weight| u64::from(weight.max(1)))).collect(),
            parts: Arc::new([]),
            phase: Phase::Done,
        };
        let whole = 0..weights.len() as u32;
        wddmin.partition(&[whole]);
        wddmin
    }

    /// Halves the partitions, drops those of one element, and begins again with the first.
    fn partition(&mut self, parts: &[Range<u32>]) {
        let divisible = parts.iter().filter(|part| part.len() > 1);
        self.parts = divisible
            .flat_map(|part| {
                let cut = split(&self.before, part, self.tie);
                [part.start..cut, cut..part.end]
            })
            .collect();
        self.phase = if self.parts.is_empty() { self.single(0) } else { Phase::Subset(0) };
    }

    fn single(&self, from: usize) -> Phase {
        self.best.next_from(from).map_or(Phase::Done, Phase::Single)
    }

    /// Goes to the complement of the first surviving partition from `from` on.
    fn complement(&mut self, from: usize) {
        let alive = |part: &Range<u32>| self.best.contains(part.start as usize);
        if let Some(offset) = self.parts[from..].iter().position(alive) {
            self.phase = Phase::Complement(from + offset);
        } else {
            let survivors: Vec<_> = self.parts.iter().filter(|part| alive(part)).cloned().collect();
            self.partition(&survivors);
        }
    }
}

/// The position inside `part` (of two elements or more) that splits its weight most evenly.
fn split(before: &[u64], part: &Range<u32>, tie: SplitTie) -> u32 {
    let Range { start, end } = widen(part);
    let total = before[end] - before[start];
    let half = match tie {
        SplitTie::Larger => total,
        SplitTie::PersesFloor => total / 2 * 2,
    };
    let doubled = |cut: usize| 2 * (before[cut] - before[start]);
    // The first cut whose first part has half of the weight; the best is this one or the one before.
    let cuts = start + 1..end;
    let offset = before[cuts.clone()].partition_point(|&sum| 2 * (sum - before[start]) < half);
    let above = (cuts.start + offset).min(end - 1);
    let below = above.saturating_sub(1).max(start + 1);
    let cut = if doubled(above).abs_diff(half) <= doubled(below).abs_diff(half) { above } else { below };
    cut as u32
}

impl Minimizer for Wddmin {
    fn ask(&self) -> Option<Subset> {
        let mut candidate = self.best.clone();
        match self.phase {
            Phase::Subset(i) => candidate.retain_range(widen(&self.parts[i])),
            Phase::Complement(i) => candidate.remove_range(widen(&self.parts[i])),
            Phase::Single(position) => candidate.remove(position),
            Phase::Done => return None,
        }
        Some(candidate)
    }

    fn tell(&mut self, outcome: Outcome) {
        let candidate = outcome.is_interesting().then(|| self.ask()).flatten();
        match (self.phase, candidate) {
            (Phase::Subset(i), Some(candidate)) => {
                self.best = candidate;
                let part = self.parts[i].clone();
                self.partition(&[part]);
            }
            (Phase::Subset(i), None) if i + 1 < self.parts.len() => self.phase = Phase::Subset(i + 1),
            (Phase::Subset(_), None) => self.complement(0),
            (Phase::Complement(_), Some(candidate)) => {
                self.best = candidate;
                self.complement(0);
            }
            (Phase::Complement(i), None) => self.complement(i + 1),
            (Phase::Single(_), Some(candidate)) => {
                self.best = candidate;
                self.phase = self.single(0);
            }
            (Phase::Single(position), None) => self.phase = self.single(position + 1),
            (Phase::Done, _) => {}
        }
    }

    fn best(&self) -> &Subset {
        &self.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(weights: &[u32], tie: SplitTie, expect: u32) {
        let wddmin = Wddmin::new(weights, tie);
        assert_eq!(split(&wddmin.before, &(0..weights.len() as u32), tie), expect, "{weights:?}");
    }

    #[test]
    fn ties_are_cut_as_each_convention_says() {
        check(&[2, 1, 2], SplitTie::Larger, 2);
        check(&[2, 1, 2], SplitTie::PersesFloor, 1);
        check(&[5, 8, 7, 7, 8, 16, 25, 6], SplitTie::Larger, 5);
        check(&[u32::MAX, 1], SplitTie::Larger, 1);
        check(&[0, 0], SplitTie::Larger, 1);
    }

    proptest! {
        #[test]
        fn the_cut_is_the_nearest_to_half_and_ties_go_to_the_longer_first_part(
            weights in prop::collection::vec(0u32..30, 2..20),
        ) {
            let wddmin = Wddmin::new(&weights, SplitTie::Larger);
            let weight = |slice: &[u32]| slice.iter().map(|&w| i64::from(w.max(1))).sum::<i64>();
            let distance = |j: usize| (2 * weight(&weights[..j]) - weight(&weights)).abs();
            let expected = (1..weights.len()).rev().min_by_key(|&j| distance(j)).unwrap();
            prop_assert_eq!(split(&wddmin.before, &(0..weights.len() as u32), SplitTie::Larger), expected as u32);
        }
    }
}
