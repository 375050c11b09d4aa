//! dd (Zeller & Hildebrandt, TSE 2002; Zeller, FSE 1999): isolation by the chunks of the difference.
//!
//! The difference between the list that passes and the one that fails is cut into `n` chunks. Each chunk is added to
//! the first alone, then taken from the second alone. A list that fails becomes the second one if it is the first
//! with a chunk, a list that passes the first one if it is the second without a chunk: then `n` is 2 again. Failing
//! that, a chunk that can be added without harm is added, or one that can be taken away is taken, and `n` is one
//! less. Where all are unresolved, `n` doubles.
//!
//! The result is 1-minimal for any oracle: unless one element is left, each of them is unresolved both added to the
//! one list and taken from the other. At most `|Δ|² + 7|Δ|` questions; at most `2·⌈log2 |Δ|⌉` where nothing is
//! unresolved.
//!
//! The paper leaves open how to cut and which of several chunks is taken: chunks are [balanced](Split::Balanced), and
//! the first is taken. With two chunks, to take one away is to add the other: this question is repeated, and
//! answered from a cache.
//!
//! ```
//! use dwindle_core::isolate::{Dd, Isolator};
//! use dwindle_core::Outcome;
//! let mut dd = Dd::new(8);
//! while let Some(candidate) = dd.ask() {
//!     let fails = [0, 6, 7].into_iter().all(|position| candidate.contains(position));
//!     dd.tell(if fails { Outcome::Interesting } else { Outcome::Uninteresting });
//! }
//! assert_eq!(dd.passing().to_vec(), [4, 5, 6, 7]);
//! assert_eq!(dd.failing().to_vec(), [0, 4, 5, 6, 7]);
//! ```

use alloc::sync::Arc;

use super::isolator::Isolator;
use crate::minimizers::Split;
use crate::{Outcome, Subset};

/// The machine; the comment of the module describes it.
#[derive(Clone, Debug)]
pub struct Dd {
    passing: Subset,
    failing: Subset,
    /// What lies between them, and into how many chunks it is cut.
    difference: Arc<[u32]>,
    n: usize,
    /// The first chunk that passes added to what passes.
    harmless: Option<usize>,
    /// The first chunk without which what fails still does.
    needless: Option<usize>,
    phase: Phase,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// This chunk is added to what passes.
    Add(usize),
    /// This chunk is taken from what fails.
    Take(usize),
    Done,
}

impl Dd {
    /// A search between nothing and `0..len`.
    pub fn new(len: usize) -> Self {
        let mut dd = Self {
            passing: Subset::empty(len),
            failing: Subset::full(len),
            difference: Arc::new([]),
            n: 0,
            harmless: None,
            needless: None,
            phase: Phase::Done,
        };
        dd.cut(2);
        dd
    }

    /// Cuts the difference into `n` chunks, or as many as it has elements.
    fn cut(&mut self, n: usize) {
        self.difference = self.failing.without(&self.passing).to_vec().into();
        self.n = n.min(self.difference.len());
        (self.harmless, self.needless) = (None, None);
        self.phase = if self.difference.len() < 2 { Phase::Done } else { Phase::Add(0) };
    }

    fn chunk(&self, i: usize) -> &[u32] {
        &self.difference[Split::Balanced.chunk(self.difference.len(), self.n, i)]
    }

    fn with(&self, i: usize) -> Subset {
        self.passing.with_all(self.chunk(i).iter().copied())
    }

    fn without(&self, i: usize) -> Subset {
        self.failing.without_all(self.chunk(i).iter().copied())
    }

    /// No chunk has brought the two as near as a single question can.
    fn settle_for_less(&mut self) {
        if let Some(chunk) = self.harmless {
            self.passing = self.with(chunk);
            self.cut((self.n - 1).max(2));
        } else if let Some(chunk) = self.needless {
            self.failing = self.without(chunk);
            self.cut((self.n - 1).max(2));
        } else if self.n < self.difference.len() {
            self.cut(2 * self.n);
        } else {
            self.phase = Phase::Done;
        }
    }
}

impl Isolator for Dd {
    fn ask(&self) -> Option<Subset> {
        match self.phase {
            Phase::Add(chunk) => Some(self.with(chunk)),
            Phase::Take(chunk) => Some(self.without(chunk)),
            Phase::Done => None,
        }
    }

    fn tell(&mut self, outcome: Outcome) {
        match (self.phase, outcome) {
            (Phase::Add(chunk), Outcome::Interesting) => {
                self.failing = self.with(chunk);
                self.cut(2);
            }
            (Phase::Add(chunk), _) => {
                if outcome == Outcome::Uninteresting {
                    self.harmless.get_or_insert(chunk);
                }
                self.phase = if chunk + 1 < self.n { Phase::Add(chunk + 1) } else { Phase::Take(0) };
            }
            (Phase::Take(chunk), Outcome::Uninteresting) => {
                self.passing = self.without(chunk);
                self.cut(2);
            }
            (Phase::Take(chunk), _) => {
                if outcome == Outcome::Interesting {
                    self.needless.get_or_insert(chunk);
                }
                if chunk + 1 < self.n {
                    self.phase = Phase::Take(chunk + 1);
                } else {
                    self.settle_for_less();
                }
            }
            (Phase::Done, _) => {}
        }
    }

    fn passing(&self) -> &Subset {
        &self.passing
    }

    fn failing(&self) -> &Subset {
        &self.failing
    }
}
