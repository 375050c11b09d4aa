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
use alloc::vec::Vec;
use core::ops::Range;

use crate::named::named;
use crate::random::Random;
use crate::{Minimizer, Outcome, Subset};

named! {
    /// How `len` elements are cut into `n` consecutive chunks; the three agree where `n` divides `len`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Split {
        /// Larger chunks last (Zeller's script, picire).
        Zeller = "zeller",
        /// Chunk `i` is `⌊len·i/n⌋ .. ⌊len·(i+1)/n⌋`.
        #[default]
        Balanced = "balanced",
        /// Larger chunks first (Perses).
        FirstHeavy = "first-heavy",
    }
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

named! {
    /// Where the complement tests go on after one has succeeded.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum AfterSuccess {
        /// At the first chunk, as the paper and its published traces do.
        #[default]
        Restart = "restart",
        /// At the chunk behind the removed one, wrapping around, as picire does: far fewer questions.
        Continue = "continue",
    }
}

named! {
    /// The order in which the chunks of a granularity are tested.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Order {
        /// From the first to the last.
        #[default]
        Forward = "forward",
        /// From the last to the first, which helps where definitions come before uses.
        Backward = "backward",
        /// Drawn anew for each granularity.
        Random = "random",
    }
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
    /// Into how many chunks the list is cut first, and each chunk when nothing works (Kiss 2020); at least 2.
    pub factor: u32,
    /// The most elements that a chunk has at the start, where larger ones are skipped.
    pub start_size: Option<u32>,
    /// The order of chunks.
    pub order: Order,
    /// The seed of a random order.
    pub seed: u64,
    /// Whether complements are tested before subsets.
    pub complements_first: bool,
    /// Whether all begins again after a run that has removed something: ddmin* (Vince 2022), of use where the oracle is
    /// not monotone.
    pub again: bool,
}

impl Default for DdminOptions {
    fn default() -> Self {
        Self {
            split: Split::default(),
            subsets: true,
            after_success: AfterSuccess::default(),
            factor: 2,
            start_size: None,
            order: Order::default(),
            seed: 0,
            complements_first: false,
            again: false,
        }
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
    /// The chunks that are still there, in the order in which they are tested.
    alive: Subset,
    /// Which chunk is tested when, where the order is random.
    shuffled: Arc<[u32]>,
    random: Random,
    /// Whether something has gone since the run began.
    changed: bool,
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
        assert!(options.factor >= 2, "a list is cut into two chunks at least");
        let mut ddmin = Self {
            options,
            best: Subset::full(len),
            list: Arc::new([]),
            n: 0,
            alive: Subset::empty(0),
            shuffled: Arc::new([]),
            random: Random::new(options.seed),
            changed: false,
            phase: Phase::Done,
        };
        ddmin.begin();
        ddmin
    }

    /// Begins a run.
    fn begin(&mut self) {
        self.changed = false;
        let chunks = |size: u32| self.best.len().div_ceil(size.max(1) as usize);
        let factor = self.options.factor as usize;
        self.cut(self.options.start_size.map_or(factor, chunks).max(factor), 0);
    }

    /// The positions from the first to the last of the chunk that is tested as the `i`-th. While it is there,
    /// nothing else of the best list lies in between.
    fn chunk(&self, i: usize) -> Range<usize> {
        let i = match self.options.order {
            Order::Forward => i,
            Order::Backward => self.n - 1 - i,
            Order::Random => self.shuffled[i] as usize,
        };
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
        if self.options.order == Order::Random {
            let mut chunks: Vec<(u64, u32)> = (0..self.n as u32).map(|i| (self.random.next(), i)).collect();
            chunks.sort_unstable();
            self.shuffled = chunks.into_iter().map(|(_, chunk)| chunk).collect();
        }
        self.phase = if self.options.subsets && !self.options.complements_first {
            Phase::Subset { chunk: 0, first }
        } else {
            Phase::Complement { chunk: first, failed: 0 }
        };
    }

    /// Every test of this granularity has failed since the last success.
    fn refine(&mut self, first: usize) {
        let chunks = self.alive.len();
        if chunks >= self.best.len() {
            self.phase = Phase::Done;
            if self.options.again && self.changed {
                self.begin();
            }
            return;
        }
        let n = (self.options.factor as usize * chunks).min(self.best.len());
        let rank = self.alive.iter().take_while(|&chunk| chunk < first).count() % chunks;
        self.cut(n, rank * n / chunks);
    }

    /// Goes to the first chunk from `from` on, wrapping around, if its complement is worth asking.
    fn complement(&mut self, from: usize, failed: usize) {
        let DdminOptions { subsets, complements_first, .. } = self.options;
        // Of two chunks, the complement of one is the other.
        let same = self.alive.len() == 2;
        let known_to_fail = subsets && !complements_first && same;
        if failed == self.alive.len() || known_to_fail {
            match self.alive.next_from(0).filter(|_| subsets && complements_first && !same) {
                Some(chunk) => self.phase = Phase::Subset { chunk, first: from },
                None => self.refine(from),
            }
            return;
        }
        match self.alive.next_from(from) {
            Some(chunk) => self.phase = Phase::Complement { chunk, failed },
            None => self.complement(0, failed),
        }
    }
}

impl Minimizer for Ddmin {
    fn ask(&self) -> Option<Subset> {
        match self.phase {
            Phase::Subset { chunk, .. } => {
                let mut candidate = self.best.clone();
                candidate.retain_range(self.chunk(chunk));
                Some(candidate)
            }
            Phase::Complement { chunk, .. } => Some(self.best.without_range(self.chunk(chunk))),
            Phase::Done => None,
        }
    }

    fn tell(&mut self, outcome: Outcome) {
        let candidate = outcome.is_interesting().then(|| self.ask()).flatten();
        match (self.phase.clone(), candidate) {
            (Phase::Subset { .. }, Some(candidate)) => {
                (self.best, self.changed) = (candidate, true);
                self.cut(self.options.factor as usize, 0);
            }
            (Phase::Subset { chunk, first }, None) => match self.alive.next_from(chunk + 1) {
                Some(chunk) => self.phase = Phase::Subset { chunk, first },
                None if self.options.complements_first => self.refine(first),
                None => self.complement(first, 0),
            },
            (Phase::Complement { chunk, .. }, Some(candidate)) => {
                (self.best, self.changed) = (candidate, true);
                self.alive.remove(chunk);
                match self.options.after_success {
                    _ if self.alive.len() < 2 => self.cut(self.options.factor as usize, 0),
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
