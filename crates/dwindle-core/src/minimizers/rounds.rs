//! Adaptive splitting in rounds, our own list minimiser for many cores.
//!
//! It is [`splitting`](super::splitting) in several *lanes* at once. A round asks one question for
//! each lane, all about the same best list: may this group go, or the last half of this group that
//! was refused? What passed is merged at the end of the round. The union is tested, and where it is
//! refused the longest prefix of the lanes, last elements first, that passes; what is left out is
//! tried again. So the questions of a round wait for nothing but each other, however many pass,
//! where a sequential search has to know each outcome before it can go on.
//!
//! Lanes ahead of the last undecided element pay only while elements do not depend on each other.
//! What is used by something behind it is refused as long as that is there, so a refusal is *stale*
//! once something behind it went. Stale refusals are asked again when nothing undecided is left
//! behind them: all of them while many are overturned, every eighth once few are. How many are
//! overturned also decides how many lanes there are. A list begins with one, so that short lists,
//! for which looking ahead on clones is enough, cost no more questions than a sequential search.
//!
//! The result is minimal for a monotone oracle; with the final sweep it is 1-minimal for any. The
//! sweep costs a question per element that stays. A search in which nothing passes has refused each
//! element alone without it, so hosts that repeat until nothing changes need none.
//!
//! Measured (`cargo bench -p dwindle-core --bench speedup`): on 2,000 independent elements of which 5
//! or 30 % are needed it asks 10 or 5 % more questions than `splitting` without its sweep, and at 2,
//! 8, 16, 32 and 64 jobs it takes the time of 1/1.8, 1/6, 1/10, 1/15 and 1/20 (5 %), 1/1.9, 1/7, 1/13,
//! 1/22 and 1/35 (30 %) of them, where `splitting` itself does not get below 1/6. Where most elements
//! use others it asks 2-18 % more questions, and takes as much time as `splitting`.
//!
//! ```
//! use dwindle_core::minimizers::{Rounds, RoundsOptions};
//! use dwindle_core::{Minimizer, Outcome};
//!
//! let mut rounds = Rounds::new(100, RoundsOptions::default());
//! while let Some(candidate) = rounds.ask() {
//!     let needed = [7, 42].iter().all(|&position| candidate.contains(position));
//!     rounds.tell(if needed { Outcome::Interesting } else { Outcome::Uninteresting });
//! }
//! assert_eq!(rounds.best().to_vec(), [7, 42]);
//! ```

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use crate::{Minimizer, Outcome, Subset};

/// The most questions in a round, whatever the number of jobs. Rounds of 32 take up to 30 % more time
/// at 64 jobs, rounds of 128 at best a seventh less; the number of questions hardly changes.
pub const DEFAULT_WIDTH: usize = 64;

/// As if so many needed and unneeded elements had been seen already: a Beta prior.
const PRIOR: (f64, f64) = (0.1, 0.9);

/// The same for stale refusals, that stand and that are overturned.
const STALE_PRIOR: (f64, f64) = (0.8, 0.2);

/// One stale refusal of so many is asked again where they are trusted.
const SAMPLE: usize = 8;

/// Which rounds they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundsOptions {
    /// The most questions in a round; 0 counts as 1.
    pub width: usize,
    /// After how many rounds of one question each a second lane is opened; 0 counts as 1. A shorter
    /// wait than the default of 32 costs more questions on lists of a hundred elements, above all
    /// where they depend on each other, than it saves time on longer ones.
    pub patience: u16,
    /// Whether to end with a sweep that makes the result 1-minimal for any oracle.
    pub sweep: bool,
}

impl Default for RoundsOptions {
    fn default() -> Self {
        Self { width: DEFAULT_WIDTH, patience: 32, sweep: false }
    }
}

/// The machine; see the [module](self).
///
/// What changes only between rounds is shared between clones.
#[derive(Clone, Debug)]
pub struct Rounds {
    best: Subset,
    plan: Arc<Plan>,
    phase: Phase,
}

#[derive(Clone, Debug)]
enum Phase {
    /// The question of the lane `next`; those of `passed` passed.
    Ask {
        passed: Vec<usize>,
        next: usize,
    },
    /// The union of the first lanes of `passed`; so many are known to pass together, so many not to.
    Merge {
        passed: Vec<usize>,
        pass: usize,
        refused: usize,
    },
    Done,
}

/// A group of elements: those of its set that lie in `range`, which begins and ends with one of them.
/// Lanes do not overlap, and are in order from the end of the list to its start.
#[derive(Clone, Debug)]
struct Lane {
    /// Whether its elements were refused before.
    again: bool,
    range: Range<usize>,
    /// What is asked about: all of the group, or its last half if the group was refused.
    removal: Range<usize>,
    /// Whether something behind it went since it was refused.
    stale: bool,
}

#[derive(Clone, Debug)]
struct Plan {
    options: RoundsOptions,
    lanes: Vec<Lane>,
    /// Elements that were not refused yet, lanes included.
    undecided: Subset,
    /// Where the last of them ends.
    undecided_end: usize,
    /// Elements whose refusal is in question again, lanes included.
    again: Subset,
    /// Refused elements behind which nothing, or something, went since.
    refused: Subset,
    stale: Subset,
    /// Elements that were refused alone from the best list of now.
    alone: Subset,
    /// The needed and the unneeded elements of those that were undecided.
    needed: usize,
    unneeded: usize,
    /// Stale refusals that were asked again and still stood, or did not.
    confirmed: usize,
    overturned: usize,
    /// Stale refusals from here on have been asked again, or trusted.
    checked: usize,
    trusted: usize,
    /// How many lanes the evidence allows, times the patience.
    window: usize,
}

impl Rounds {
    /// A search over `0..len`.
    pub fn new(len: usize, options: RoundsOptions) -> Self {
        let RoundsOptions { width, patience, sweep } = options;
        let options = RoundsOptions { width: width.max(1), patience: patience.max(1), sweep };
        let none = || Subset::empty(len);
        let plan = Plan {
            options,
            lanes: Vec::new(),
            undecided: Subset::full(len),
            undecided_end: len,
            again: none(),
            refused: none(),
            stale: none(),
            alone: none(),
            needed: 0,
            unneeded: 0,
            confirmed: 0,
            overturned: 0,
            checked: len,
            trusted: 0,
            window: usize::from(options.patience),
        };
        let mut search = Self { best: Subset::full(len), plan: Arc::new(plan), phase: Phase::Done };
        search.next_round();
        search
    }

    /// The best list without what these lanes ask about.
    fn without(&self, lanes: &[usize]) -> Subset {
        let mut candidate = self.best.clone();
        for &lane in lanes {
            let Lane { again, removal, .. } = &self.plan.lanes[lane];
            candidate.remove_common(removal.clone(), self.plan.set(*again));
        }
        candidate
    }

    fn next_round(&mut self) {
        let plan = Arc::make_mut(&mut self.plan);
        plan.fill();
        if plan.lanes.is_empty() && plan.options.sweep {
            plan.again = self.best.clone();
            plan.again.remove_common(0..self.best.universe(), &plan.alone);
            plan.refused = plan.alone.clone();
            plan.stale = Subset::empty(self.best.universe());
            plan.fill();
        }
        self.phase =
            if plan.lanes.is_empty() { Phase::Done } else { Phase::Ask { passed: Vec::new(), next: 0 } };
    }

    /// Ends a round in which the lanes of `merged` passed together, and the others of `passed` alone.
    fn conclude(&mut self, merged: &[usize], passed: &[usize]) {
        if !merged.is_empty() {
            self.best = self.without(merged);
        }
        Arc::make_mut(&mut self.plan).conclude(merged, passed);
        self.next_round();
    }
}

impl Plan {
    fn set(&self, again: bool) -> &Subset {
        if again { &self.again } else { &self.undecided }
    }

    fn set_mut(&mut self, again: bool) -> &mut Subset {
        if again { &mut self.again } else { &mut self.undecided }
    }

    /// Moves the lanes on.
    fn conclude(&mut self, merged: &[usize], passed: &[usize]) {
        let patience = usize::from(self.options.patience);
        if self.window < 2 * patience {
            self.window += 1;
        }
        if let Some(&last) = merged.first() {
            self.alone = Subset::empty(self.alone.universe());
            let end = self.lanes[last].removal.end;
            let mut from = 0;
            while let Some(element) = self.refused.next_from(from).filter(|&element| element < end) {
                from = element + 1;
                self.refused.remove(element);
                self.stale.insert(element);
            }
        }
        let mut behind_went = false;
        for (index, lane) in core::mem::take(&mut self.lanes).into_iter().enumerate() {
            let Lane { again, range, removal, stale } = lane;
            if merged.contains(&index) {
                let count = self.set(again).count(removal.clone());
                self.set_mut(again).remove_range(removal.clone());
                if again {
                    // What was trusted has to be asked again.
                    (self.checked, self.window) = (self.again.universe(), patience);
                    self.overturned += count;
                } else {
                    self.unneeded += count;
                    self.window += if index > 0 { patience } else { 0 };
                }
                // What is left of a refused group is refused: it would be the same candidate.
                self.bisect(again, range.start..removal.start, stale || behind_went);
                behind_went = true;
            } else if !passed.contains(&index) {
                if merged.is_empty() && self.set(again).count(removal.clone()) == 1 {
                    self.alone.insert(self.set(again).next_from(removal.start).unwrap_or(removal.start));
                }
                self.bisect(again, removal, behind_went);
            }
        }
    }

    /// Goes on in a group that is known to be refused, or empty.
    fn bisect(&mut self, again: bool, range: Range<usize>, stale: bool) {
        let set = self.set(again);
        let count = set.count(range.clone());
        let middle = set.nth_from(range.start, count - count / 2).filter(|_| count > 1);
        let Some(last) = set.last_before(range.end).filter(|_| count > 0) else { return };
        match middle {
            None => self.keep(again, last, stale),
            Some(middle) => {
                let range = range.start..last + 1;
                self.lanes.push(Lane { again, removal: middle..range.end, range, stale });
            }
        }
    }

    /// Notes that `element` is needed.
    fn keep(&mut self, again: bool, element: usize, stale: bool) {
        self.set_mut(again).remove(element);
        if again {
            self.confirmed += 1;
            self.window += usize::from(self.options.patience);
        } else {
            self.needed += 1;
        }
        if stale { &mut self.stale } else { &mut self.refused }.insert(element);
    }

    /// Opens new lanes.
    fn fill(&mut self) {
        self.reopen();
        let (confirmed, overturned) = (self.confirmed, self.overturned);
        // More than a fifth, and a tenth, of the refusals did not stand, with the prior.
        let worth = match (4 * overturned > confirmed, 1 + 9 * overturned > confirmed) {
            (true, _) => 1,
            (false, true) => 2,
            (false, false) => usize::MAX,
        };
        let RoundsOptions { width, patience, .. } = self.options;
        let sizes = [self.size(true), self.size(false)];
        if !self.again.is_empty() {
            self.open(true, width, sizes[0]);
        }
        self.open(false, width.min(worth).min(self.window / usize::from(patience)), sizes[1]);
    }

    /// Puts stale refusals in question again that nothing undecided is behind.
    fn reopen(&mut self) {
        self.undecided_end = self.undecided.last_before(self.undecided_end).map_or(0, |last| last + 1);
        let again_end = self.again.last_before(self.again.universe()).map_or(0, |last| last + 1);
        let mut from = self.undecided_end.max(again_end);
        let checked = core::mem::replace(&mut self.checked, from);
        // More than a twentieth did not stand, with the prior.
        let doubtful = 3 + 19 * self.overturned > self.confirmed;
        while let Some(element) = self.stale.next_from(from).filter(|&element| element < checked) {
            from = element + 1;
            self.trusted += 1;
            if doubtful || self.trusted.is_multiple_of(SAMPLE) {
                self.stale.remove(element);
                self.again.insert(element);
            }
        }
    }

    /// The size of a group that passes half of the time. Of a lane that goes on one element is
    /// taken to be needed, and half of the others not.
    fn size(&self, again: bool) -> usize {
        let (prior, counts) = match again {
            true => (STALE_PRIOR, (self.confirmed, self.overturned)),
            false => (PRIOR, (self.needed, self.unneeded)),
        };
        let (mut needed, mut unneeded) = (prior.0 + counts.0 as f64, prior.1 + counts.1 as f64);
        for lane in self.lanes.iter().filter(|lane| lane.again == again) {
            needed += 1.0;
            unneeded += 0.5 * self.set(again).count(lane.range.clone()) as f64;
        }
        let size = libm::floor(-core::f64::consts::LN_2 / libm::log1p(-needed / (needed + unneeded)));
        (size as usize).max(1)
    }

    /// Opens lanes of `size` elements between the others, last elements first, until there are
    /// `width`.
    fn open(&mut self, again: bool, width: usize, size: usize) {
        let mut room = width.saturating_sub(self.lanes.len());
        let mut lanes = Vec::new();
        let mut end = if again { self.again.universe() } else { self.undecided_end };
        let mut old = core::mem::take(&mut self.lanes).into_iter();
        loop {
            let next = old.next();
            let start = next.as_ref().map_or(0, |lane| lane.range.end);
            let set = self.set(again);
            let before = |end| set.last_before(end).filter(|&element| element >= start);
            while room > 0
                && let Some(last) = before(end)
            {
                let (mut first, mut count) = (last, 1);
                while count < size
                    && let Some(element) = before(first)
                {
                    (first, count) = (element, count + 1);
                }
                // Less than a group between two lanes can wait until one of them is done, as long as
                // there is enough else to ask about.
                let waits = next.is_some() && !lanes.is_empty() && 5 * count < 3 * size;
                if waits && set.count(0..start) > size * room {
                    break;
                }
                let range = first..last + 1;
                lanes.push(Lane { again, removal: range.clone(), range, stale: false });
                (room, end) = (room - 1, first);
            }
            let Some(lane) = next else { break };
            end = lane.range.start;
            lanes.push(lane);
        }
        self.lanes = lanes;
    }
}

/// How many of the lanes that passed are tested together: all of them first.
fn together(passed: &[usize], pass: usize, refused: usize) -> usize {
    if refused > passed.len() { passed.len() } else { pass.midpoint(refused) }
}

impl Minimizer for Rounds {
    fn ask(&self) -> Option<Subset> {
        match &self.phase {
            Phase::Ask { next, .. } => Some(self.without(&[*next])),
            Phase::Merge { passed, pass, refused } => {
                Some(self.without(&passed[..together(passed, *pass, *refused)]))
            }
            Phase::Done => None,
        }
    }

    fn tell(&mut self, outcome: Outcome) {
        match core::mem::replace(&mut self.phase, Phase::Done) {
            Phase::Ask { mut passed, next } => {
                if outcome.is_interesting() {
                    passed.push(next);
                }
                self.phase = if next + 1 < self.plan.lanes.len() {
                    Phase::Ask { passed, next: next + 1 }
                } else if passed.len() > 1 {
                    Phase::Merge { pass: 1, refused: passed.len() + 1, passed }
                } else {
                    return self.conclude(&passed, &passed);
                };
            }
            Phase::Merge { passed, mut pass, mut refused } => {
                let tested = together(&passed, pass, refused);
                *if outcome.is_interesting() { &mut pass } else { &mut refused } = tested;
                if pass + 1 == refused {
                    return self.conclude(&passed[..pass], &passed);
                }
                self.phase = Phase::Merge { passed, pass, refused };
            }
            Phase::Done => {}
        }
    }

    fn best(&self) -> &Subset {
        &self.best
    }
}
