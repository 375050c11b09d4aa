//! ddmin (Zeller & Hildebrandt, TSE 2002), with its usual variants.
//!
//! The list is cut into `n` chunks; each chunk alone is tested, then the list without each chunk;
//! when nothing works, `n` doubles. The result is 1-minimal for any oracle (no single element can
//! go), after at most `|L|² + 3|L|` questions.
//!
//! Differences to the paper, none of which changes the executed questions of a run with a cache:
//! after a complement succeeds the surviving chunks are kept instead of cut anew (their sizes are
//! almost equal, and the published traces do so); the subset tests of surviving chunks and, with
//! two chunks, the complement tests are known to fail and are not asked.
//!
//! ```
//! use dwindle_core::minimizers::{Ddmin, DdminOptions};
//! use dwindle_core::{Minimizer, Outcome};
//! let mut ddmin = Ddmin::new(8, DdminOptions::default());
//! while let Some(candidate) = ddmin.ask() {
//!     let outcome = if candidate.contains(2) { Outcome::Interesting } else { Outcome::Uninteresting };
//!     ddmin.tell(outcome);
//! }
//! assert_eq!(ddmin.best().to_vec(), [2]);
//! ```

use alloc::sync::Arc;
use core::ops::Range;

use crate::{Minimizer, Outcome, Subset};

/// How `len` elements are cut into `n` consecutive chunks; the three agree where `n` divides `len`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Split {
    /// Larger chunks last (Zeller's script, picire).
    Zeller,
    /// Chunk `i` is `⌊len·i/n⌋ .. ⌊len·(i+1)/n⌋`.
    #[default]
    Balanced,
    /// Larger chunks first (Perses).
    FirstHeavy,
}

impl Split {
    /// Chunk `i` of `n`, as a range of `0..len`; `i < n ≤ len`.
    pub fn chunk(self, len: usize, n: usize, i: usize) -> Range<usize> {
        let start = |i: usize| match self {
            Self::Zeller => i * (len / n) + (i + len % n).saturating_sub(n),
            Self::Balanced => len * i / n,
            Self::FirstHeavy => i * (len / n) + i.min(len % n),
        };
        start(i)..start(i + 1)
    }
}

/// Where the complement tests go on after one has succeeded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AfterSuccess {
    /// At the first chunk, as the paper and its published traces do.
    #[default]
    Restart,
    /// At the chunk behind the removed one, wrapping around, as picire does: far fewer questions.
    Continue,
}

/// Which ddmin it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DdminOptions {
    /// How chunks are cut.
    pub split: Split,
    /// Whether single chunks are tested; without, it is the complement-only ddmin of Hodován &
    /// Kiss (2016), still 1-minimal.
    pub subsets: bool,
    /// Where complement tests go on.
    pub after_success: AfterSuccess,
}

impl Default for DdminOptions {
    fn default() -> Self {
        Self { split: Split::default(), subsets: true, after_success: AfterSuccess::default() }
    }
}

impl DdminOptions {
    /// Complements only, going on behind what was removed.
    pub fn complements_only() -> Self {
        Self { subsets: false, after_success: AfterSuccess::Continue, ..Self::default() }
    }
}

/// The machine; see the [module](self).
#[derive(Clone, Debug)]
pub struct Ddmin {
    options: DdminOptions,
    best: Subset,
    /// The list that the chunks of this granularity were cut from.
    list: Arc<[u32]>,
    /// The number of chunks it was cut into.
    n: usize,
    /// The chunks that are still there.
    alive: Subset,
    phase: Phase,
}

#[derive(Clone, Debug)]
enum Phase {
    /// This chunk alone; complements will begin at `first`.
    Subset {
        chunk: usize,
        first: usize,
    },
    /// All but this chunk; `failed` complements have failed in a row.
    Complement {
        chunk: usize,
        failed: usize,
    },
    Done,
}

impl Ddmin {
    /// A search over `0..len`.
    pub fn new(len: usize, options: DdminOptions) -> Self {
        let mut ddmin = Self {
            options,
            best: Subset::full(len),
            list: Arc::new([]),
            n: 0,
            alive: Subset::empty(0),
            phase: Phase::Done,
        };
        ddmin.cut(2, 0);
        ddmin
    }

    /// The positions from the first to the last of chunk `i`. While the chunk is there, nothing else
    /// of the best list lies in between.
    fn chunk(&self, i: usize) -> Range<usize> {
        let chunk = self.options.split.chunk(self.list.len(), self.n, i);
        self.list[chunk.start] as usize..self.list[chunk.end - 1] as usize + 1
    }

    /// Cuts the best list into `n` chunks; the complements will begin at chunk `first`.
    fn cut(&mut self, n: usize, first: usize) {
        if self.best.len() < 2 {
            self.phase = Phase::Done;
            return;
        }
        self.list = self.best.to_vec().into();
        self.n = n.min(self.list.len());
        self.alive = Subset::full(self.n);
        self.phase = if self.options.subsets {
            Phase::Subset { chunk: 0, first }
        } else {
            Phase::Complement { chunk: first, failed: 0 }
        };
    }

    /// Every complement of this granularity has failed since the last success.
    fn refine(&mut self, first: usize) {
        let chunks = self.alive.len();
        if chunks >= self.best.len() {
            self.phase = Phase::Done;
            return;
        }
        let n = (2 * chunks).min(self.best.len());
        let rank = self.alive.iter().take_while(|&chunk| chunk < first).count() % chunks;
        self.cut(n, rank * n / chunks);
    }

    /// Goes to the first chunk from `from` on, wrapping around, if its complement is worth asking.
    fn complement(&mut self, from: usize, failed: usize) {
        let known_to_fail = self.options.subsets && self.alive.len() == 2;
        if failed == self.alive.len() || known_to_fail {
            return self.refine(from);
        }
        match self.alive.next_from(from) {
            Some(chunk) => self.phase = Phase::Complement { chunk, failed },
            None => self.complement(0, failed),
        }
    }
}

impl Minimizer for Ddmin {
    fn may_skip_sets(&self) -> bool {
        false
    }

    fn ask(&self) -> Option<Subset> {
        match self.phase {
            Phase::Subset { chunk, .. } => {
                let mut candidate = self.best.clone();
                candidate.retain_range(self.chunk(chunk));
                Some(candidate)
            }
            Phase::Complement { chunk, .. } => {
                let mut candidate = self.best.clone();
                candidate.remove_range(self.chunk(chunk));
                Some(candidate)
            }
            Phase::Done => None,
        }
    }

    fn tell(&mut self, outcome: Outcome) {
        let candidate = outcome.is_interesting().then(|| self.ask()).flatten();
        match (self.phase.clone(), candidate) {
            (Phase::Subset { .. }, Some(candidate)) => {
                self.best = candidate;
                self.cut(2, 0);
            }
            (Phase::Subset { chunk, first }, None) if chunk + 1 < self.n => {
                self.phase = Phase::Subset { chunk: chunk + 1, first };
            }
            (Phase::Subset { first, .. }, None) => self.complement(first, 0),
            (Phase::Complement { chunk, .. }, Some(candidate)) => {
                self.best = candidate;
                self.alive.remove(chunk);
                match self.options.after_success {
                    _ if self.alive.len() < 2 => self.cut(2, 0),
                    AfterSuccess::Restart => self.complement(0, 0),
                    AfterSuccess::Continue => self.complement(chunk, 0),
                }
            }
            (Phase::Complement { chunk, failed }, None) => self.complement(chunk + 1, failed + 1),
            (Phase::Done, _) => {}
        }
    }

    fn best(&self) -> &Subset {
        &self.best
    }
}
