//! What came of the questions so far, and what is worth asking after that.

use crate::tuning::{BatchTuning, Patience};

/// What came of the questions of one sort.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SuccessBudget {
    asked: u32,
    worked: u32,
}

impl SuccessBudget {
    pub(crate) fn note(&mut self, worked: bool) {
        self.asked += 1;
        self.worked += u32::from(worked);
    }

    /// Whether to ask on.
    pub(crate) fn is_worth(self, patience: Patience) -> bool {
        self.asked < patience.failures + patience.per_success * self.worked
    }
}

/// How elements of lists have fared of late: what went, and what had to stay.
///
/// Several elements are best asked about together when about half of such questions succeed. Where four of
/// ten have to stay, one at a time is best (Ungar, "The cutoff point for group testing", 1960).
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchSize {
    tuning: BatchTuning,
    went: u32,
    stayed: u32,
}

impl BatchSize {
    /// Nothing is known: as good as even.
    pub(super) fn even(tuning: BatchTuning) -> Self {
        Self { tuning, went: 4 * UNIT, stayed: 4 * UNIT }
    }

    pub(super) fn went(&mut self, elements: usize) {
        self.fade();
        self.went += elements as u32 * UNIT;
    }

    pub(super) fn stayed(&mut self) {
        self.fade();
        self.stayed += UNIT;
    }

    fn fade(&mut self) {
        self.went -= self.went / self.tuning.memory;
        self.stayed -= self.stayed / self.tuning.memory;
    }

    /// How many of `elements` to ask about together.
    pub(super) fn together(self, elements: usize) -> usize {
        // An element goes with p, n of them with p^n, which is one half at n = ln 2 * p / (1 - p), nearly.
        let even = self.went * 7 / 10 / self.stayed.max(1);
        (even as usize).max(elements / self.tuning.least_share).max(1)
    }
}

/// One element in the estimate, whose counts are fixed-point numbers.
const UNIT: u32 = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tuning;

    #[test]
    fn a_success_buys_more_questions() {
        let mut budget = SuccessBudget::default();
        for _ in 0..4 {
            assert!(budget.is_worth(Patience::of(4)));
            budget.note(false);
        }
        assert!(!budget.is_worth(Patience::of(4)));
        budget.note(true);
        assert!(budget.is_worth(Patience::of(4)));
    }

    #[test]
    fn as_many_are_asked_about_together_as_are_likely_to_go() {
        let mut size = BatchSize::even(Tuning::DEFAULT.batch);
        assert_eq!(size.together(8), 1);
        assert_eq!(size.together(64), 4, "a part of a long list in any case");
        (0..20).for_each(|_| size.went(1));
        assert!(size.together(8) >= 4);
        (0..20).for_each(|_| size.stayed());
        assert_eq!(size.together(8), 1);
    }
}
