//! What came of an isolation.

use std::path::PathBuf;

use dwindle_core::Outcome;
use dwindle_run::RunEnd;
use serde::Serialize;

use crate::report::End;
use crate::verdict::judge_three_ways;

/// What came of it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Isolated {
    pub version: &'static str,
    pub end: End,
    pub passing: PathBuf,
    pub failing: PathBuf,
    pub test: PathBuf,
    pub algorithm: &'static str,
    /// What differences are.
    pub units: &'static str,
    /// What has read both versions, where they are nodes.
    pub language: Option<&'static str>,
    /// How many there are between the two versions, and how many are left.
    pub differences: usize,
    pub left: usize,
    /// How many of them the variant that passes has; where it is none, that is the version that passes.
    pub applied: usize,
    pub questions: Counts,
    /// How many of them the search asked for the difference itself, and then for what it needs of the others.
    pub for_difference: u64,
    pub for_needs: u64,
    /// Candidates answered without a question.
    pub cached: u64,
    /// Tests begun ahead for nothing.
    pub discarded: u64,
    /// Whether both variants were tested again at the end.
    pub checked: bool,
    pub jobs: usize,
    /// The time limit of a test, in seconds.
    pub timeout: f64,
    pub seconds: f64,
    /// For how long tests have run.
    pub seconds_in_test: f64,
    /// Of two folders or commits: the patches.
    pub changes: Option<Changes>,
    #[serde(skip)]
    pub texts: Versions,
}

/// Runs of the test by how they ended, the four on the two versions included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Counts {
    pub total: u64,
    pub failing: u64,
    pub passing: u64,
    /// Exit code 125.
    pub unresolved: u64,
    /// Over the time limit, which is unresolved, too.
    pub timeout: u64,
}

impl Counts {
    pub(super) fn count(&mut self, end: RunEnd) {
        self.total += 1;
        match judge_three_ways(end) {
            Some(Outcome::Interesting) => self.failing += 1,
            Some(Outcome::Uninteresting) => self.passing += 1,
            Some(Outcome::Unresolved) if end == RunEnd::TimedOut => self.timeout += 1,
            Some(Outcome::Unresolved) => self.unresolved += 1,
            None => {}
        }
    }
}

/// The texts of an isolation, from the version that passes to a variant that fails.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Versions {
    /// The version that passes.
    pub base: Vec<u8>,
    /// The variant that passes.
    pub passing: Vec<u8>,
    /// The variant that fails.
    pub failing: Vec<u8>,
}

/// The patches of an isolation of changes, as git writes them.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Changes {
    /// How many files the versions differ in.
    pub files: usize,
    /// The changes that make the difference, in words.
    pub difference: Vec<String>,
    /// Those that it needs, in words.
    pub needed: Vec<String>,
    /// From the version that passes to the variant that fails.
    #[serde(skip)]
    pub failing: Vec<u8>,
    /// From the version that passes to the variant that still does.
    #[serde(skip)]
    pub passing: Vec<u8>,
}
