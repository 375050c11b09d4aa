//! Runs of the test, counted.

use dwindle_core::Outcome;
use serde::{Deserialize, Serialize};

/// Questions: runs of the test, the two on the input included, by how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Questions {
    /// All of them.
    pub total: u64,
    /// Exit code 0, or what else was asked for.
    pub interesting: u64,
    /// Any other end.
    pub uninteresting: u64,
    /// Over the time limit.
    pub timeout: u64,
}

impl Questions {
    /// Counts a run.
    pub(crate) fn count(&mut self, outcome: Option<Outcome>) {
        self.total += 1;
        match outcome {
            Some(Outcome::Interesting) => self.interesting += 1,
            Some(Outcome::Uninteresting) => self.uninteresting += 1,
            Some(Outcome::Unresolved) => self.timeout += 1,
            None => {}
        }
    }

    /// Counts those runs as well.
    pub(crate) fn add(&mut self, runs: &Self) {
        let Self { total, interesting, uninteresting, timeout } = runs;
        self.total += total;
        self.interesting += interesting;
        self.uninteresting += uninteresting;
        self.timeout += timeout;
    }
}
