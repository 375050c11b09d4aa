//! What came of the questions so far, and what is worth asking after that.

/// What came of the questions of one sort.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Habit {
    asked: u32,
    worked: u32,
}

impl Habit {
    pub(crate) fn note(&mut self, worked: bool) {
        self.asked += 1;
        self.worked += u32::from(worked);
    }

    /// Whether to ask on, when `patience` questions in vain are too many at the beginning.
    pub(crate) fn is_worth(self, patience: u32) -> bool {
        self.asked < patience + PER_SUCCESS * self.worked
    }
}

/// How many more questions a success is worth.
const PER_SUCCESS: u32 = 8;

/// So many questions that lose names may fail.
pub(crate) const PATIENCE_WITH_LOSSES: u32 = 2;

/// How elements of lists have fared of late: what went, and what had to stay.
///
/// Several elements are best asked about together when about half of such questions succeed. Where four of
/// ten have to stay, one at a time is best (Ungar, "The cutoff point for group testing", 1960).
#[derive(Clone, Copy, Debug)]
pub(super) struct Odds {
    went: u32,
    stayed: u32,
}

impl Odds {
    /// Nothing is known: as good as even.
    pub(super) const EVEN: Self = Self { went: 4 * UNIT, stayed: 4 * UNIT };

    pub(super) fn went(&mut self, elements: usize) {
        self.fade();
        self.went += elements as u32 * UNIT;
    }

    pub(super) fn stayed(&mut self) {
        self.fade();
        self.stayed += UNIT;
    }

    fn fade(&mut self) {
        self.went -= self.went / MEMORY;
        self.stayed -= self.stayed / MEMORY;
    }

    /// How many of `elements` to ask about together.
    pub(super) fn together(self, elements: usize) -> usize {
        // An element goes with p, n of them with p^n, which is one half at n = ln 2 * p / (1 - p), nearly.
        let even = self.went * 7 / 10 / self.stayed.max(1);
        (even as usize).max(elements / MOST).max(1)
    }
}

const UNIT: u32 = 16;

/// How many outcomes are remembered, more or less.
const MEMORY: u32 = 8;

/// Whatever the odds, this part of a list is asked about together: in a long one there are stretches
/// that nobody needs.
const MOST: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_success_buys_more_questions() {
        let mut habit = Habit::default();
        for _ in 0..4 {
            assert!(habit.is_worth(4));
            habit.note(false);
        }
        assert!(!habit.is_worth(4));
        habit.note(true);
        assert!(habit.is_worth(4));
    }

    #[test]
    fn as_many_are_asked_about_together_as_are_likely_to_go() {
        let mut odds = Odds::EVEN;
        assert_eq!(odds.together(8), 1);
        assert_eq!(odds.together(64), 4, "a part of a long list in any case");
        (0..20).for_each(|_| odds.went(1));
        assert!(odds.together(8) >= 4);
        (0..20).for_each(|_| odds.stayed());
        assert_eq!(odds.together(8), 1);
    }
}
