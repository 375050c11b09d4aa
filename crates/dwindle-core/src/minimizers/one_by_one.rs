//! One element after the other, from the first to the last (ours): for lists of which little can be deleted.
//!
//! After two successes in a row twice as many elements are tried at once; where several cannot be deleted
//! together, half as many. An element that was refused alone is never tried again, so for a list of which nothing
//! can be deleted `n` questions are asked, and never more than `2n`. Minimal for a monotone oracle, not 1-minimal in
//! general.
//!
//! ```
//! use dwindle_core::minimizers::OneByOne;
//! use dwindle_core::{Minimizer, Outcome};
//!
//! let mut search = OneByOne::new(5);
//! while let Some(candidate) = search.ask() {
//!     let interesting = candidate.contains(1) && candidate.contains(3);
//!     search.tell(if interesting { Outcome::Interesting } else { Outcome::Uninteresting });
//! }
//! assert_eq!(search.best().to_vec(), [1, 3]);
//! ```

use core::ops::Range;

use crate::{Minimizer, Outcome, Subset};

/// The machine; see the [module](self).
#[derive(Clone, Debug)]
pub struct OneByOne {
    best: Subset,
    next: usize,
    /// How many are taken at once, and how many questions in a row have succeeded.
    together: usize,
    row: u32,
}

/// After this many successes in a row twice as many elements are tried at once. Where few can be deleted, two
/// successes in a row are rare, so hardly a question is wasted.
const ROW: u32 = 2;

impl OneByOne {
    /// A search over `0..elements`.
    pub fn new(elements: usize) -> Self {
        Self { best: Subset::full(elements), next: 0, together: 1, row: 0 }
    }

    /// What the question takes away.
    fn taken(&self) -> Range<usize> {
        self.next..self.best.universe().min(self.next + self.together)
    }
}

impl Minimizer for OneByOne {
    fn may_skip_sets(&self) -> bool {
        true
    }

    fn ask(&self) -> Option<Subset> {
        let taken = self.taken();
        (!taken.is_empty()).then(|| self.best.without_range(taken))
    }

    fn tell(&mut self, outcome: Outcome) {
        let taken = self.taken();
        if outcome.is_interesting() {
            self.next = taken.end;
            self.best.remove_range(taken);
            self.row += 1;
            self.together <<= u32::from(self.row >= ROW);
            return;
        }
        self.row = 0;
        match taken.len() {
            1 => (self.next, self.together) = (taken.end, 1),
            several => self.together = several / 2,
        }
    }

    fn best(&self) -> &Subset {
        &self.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many questions it takes to find which of `elements` stay.
    fn questions(elements: usize, stays: impl Fn(usize) -> bool) -> usize {
        let mut search = OneByOne::new(elements);
        let (mut asked, mut last) = (0, None);
        while let Some(candidate) = search.ask() {
            asked += 1;
            assert_ne!(last.replace(candidate.clone()), Some(candidate.clone()), "asked twice");
            let lost = (0..elements).any(|element| stays(element) && !candidate.contains(element));
            search.tell(if lost { Outcome::Uninteresting } else { Outcome::Interesting });
        }
        assert!((0..elements).all(|element| search.best().contains(element) == stays(element)));
        asked
    }

    #[test]
    fn more_is_taken_at_once_where_much_goes_in_a_row() {
        assert_eq!(questions(100, |_| true), 100);
        assert_eq!(questions(100, |element| element % 2 == 0), 100);
        assert_eq!(questions(100, |_| false), 8);
        assert_eq!(questions(100, |element| element == 50), 21);
        assert_eq!(questions(100, |element| element == 99), 15);
        assert_eq!(questions(0, |_| true), 0);
    }
}
