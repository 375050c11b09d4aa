//! Perses' depth-first list reduction (the default list minimiser of Perses 2.0).
//!
//! Halves are deleted last one first; a half that must stay is halved in its turn. One pass from
//! the end of the list to its start, at most `2n − 1` questions. Minimal for a monotone oracle,
//! not 1-minimal in general.

use alloc::vec::Vec;
use core::ops::Range;

use crate::{Minimizer, Outcome, Subset};

/// The machine; see the [module](self).
#[derive(Clone, Debug)]
pub struct Dfs {
    best: Subset,
    /// What is still to be tried; the last one is being tried.
    stack: Vec<Range<usize>>,
}

impl Dfs {
    /// A search over `0..len`.
    pub fn new(len: usize) -> Self {
        let mut dfs = Self { best: Subset::full(len), stack: Vec::new() };
        dfs.push_halves(0..len);
        dfs
    }

    fn push_halves(&mut self, range: Range<usize>) {
        if range.len() > 1 {
            let middle = range.start + range.len().div_ceil(2);
            self.stack.extend([range.start..middle, middle..range.end]);
        }
    }
}

impl Minimizer for Dfs {
    fn may_skip_sets(&self) -> bool {
        true
    }

    fn ask(&self) -> Option<Subset> {
        Some(self.best.without_range(self.stack.last()?.clone()))
    }

    fn tell(&mut self, outcome: Outcome) {
        let Some(range) = self.stack.pop() else { return };
        if outcome.is_interesting() {
            self.best.remove_range(range);
        } else {
            self.push_halves(range);
        }
    }

    fn best(&self) -> &Subset {
        &self.best
    }
}
