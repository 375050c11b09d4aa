//! ActiveCoarsen (Liang, Tripp & Naik, POPL 2011): random group testing.
//!
//! Each element of the best list is kept with probability α; an interesting sample is adopted,
//! another is forgotten. With `s` needed elements progress is fastest at `α = e^(−1/s)`, where a
//! sample passes with probability `1/e`, so α = logistic(θ) follows the observed rate of passes:
//! expected `O(s·log n)` questions. This is a reconstruction, since no text of the paper was at hand: step width, start
//! and end of the random phase are ours. It ends when a sample would remove less than one element on average;
//! a cyclic scan of single elements then makes the result 1-minimal for any oracle.

use crate::random::Random;
use crate::{Minimizer, Outcome, Subset};

/// The rate of passes at which progress is fastest.
const TARGET: f64 = 0.367_879_441_171_442_33;

/// The machine; see the [module](self).
#[derive(Clone, Debug)]
pub struct ActiveCoarsen {
    best: Subset,
    random: Random,
    theta: f64,
    phase: Phase,
}

#[derive(Clone, Debug)]
enum Phase {
    /// A random sample.
    Sample(Subset),
    /// This element alone; `failed` of them have failed in a row.
    Single {
        position: usize,
        failed: usize,
    },
    Done,
}

impl ActiveCoarsen {
    /// A search over `0..len` whose samples depend on `seed`; each element of the first is kept with probability
    /// `alpha`, in (0, 1).
    pub fn new(len: usize, alpha: f64, seed: u64) -> Self {
        assert!(alpha > 0.0 && alpha < 1.0, "alpha must lie between 0 and 1, not {alpha}");
        let theta = libm::log(alpha / (1.0 - alpha));
        let mut search =
            Self { best: Subset::full(len), random: Random::new(seed), theta, phase: Phase::Done };
        search.sample();
        search
    }

    fn sample(&mut self) {
        let drop = 1.0 / (1.0 + libm::exp(self.theta));
        if drop * (self.best.len() as f64) < 1.0 {
            return self.single(0, 0);
        }
        // The gaps between removed elements are geometric, so a sample costs what it removes and a walk
        // over the words of the subset.
        let log_keep = libm::log1p(-drop);
        let mut candidate = self.best.clone();
        while candidate.len() == self.best.len() {
            let mut from = 0;
            while let Some(position) = self.best.nth_from(from, gap(&mut self.random, log_keep)) {
                candidate.remove(position);
                from = position + 1;
            }
        }
        self.phase = Phase::Sample(candidate);
    }

    fn single(&mut self, from: usize, failed: usize) {
        self.phase = if failed == self.best.len() {
            Phase::Done
        } else {
            let position = self.best.next_from(from).or_else(|| self.best.next_from(0));
            position.map_or(Phase::Done, |position| Phase::Single { position, failed })
        };
    }
}

/// How many elements are kept before the next one that is removed.
fn gap(random: &mut Random, log_keep: f64) -> usize {
    libm::floor(libm::log(random.unit()) / log_keep) as usize
}

impl Minimizer for ActiveCoarsen {
    fn ask(&self) -> Option<Subset> {
        match &self.phase {
            Phase::Sample(candidate) => Some(candidate.clone()),
            Phase::Single { position, .. } => Some(self.best.without_range(*position..position + 1)),
            Phase::Done => None,
        }
    }

    fn tell(&mut self, outcome: Outcome) {
        let passed = outcome.is_interesting();
        if passed && let Some(candidate) = self.ask() {
            self.best = candidate;
        }
        match self.phase {
            Phase::Sample(_) => {
                self.theta += TARGET - f64::from(u8::from(passed));
                self.sample();
            }
            Phase::Single { position, .. } if passed => self.single(position + 1, 0),
            Phase::Single { position, failed } => self.single(position + 1, failed + 1),
            Phase::Done => {}
        }
    }

    fn best(&self) -> &Subset {
        &self.best
    }
}
