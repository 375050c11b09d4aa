//! What to isolate, and how.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use dwindle_core::isolate::Algorithm;
use dwindle_read::FrontEnd;
use dwindle_run::Limits;

use crate::config::{Remote, Test};
use crate::differences::Units;

/// What to isolate, and how.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Isolation {
    /// The version that passes.
    pub passing: PathBuf,
    /// The version that fails.
    pub failing: PathBuf,
    /// The range of commits that has both versions, in the place of these paths.
    pub git: Option<GitRange>,
    /// What exits with 0 where a variant fails as that one does, with 125 where it cannot say, and with anything else where
    /// it passes.
    pub test: Test,
    /// Which questions are asked.
    pub algorithm: Algorithm,
    /// What differences are.
    pub units: Units,
    /// What reads both versions, where their language is not to be recognised.
    pub front_end: Option<FrontEnd>,
    /// How many tests run at once; without it, as many as there are processors.
    pub jobs: Option<NonZeroUsize>,
    /// Where tests run, if not here. Changes of folders and commits are tested here.
    pub remote: Option<Remote>,
    /// The time limit of a test; without it, 10 times the slowest of the first four runs, 1 s to 300 s.
    pub timeout: Option<Duration>,
    /// When to stop.
    pub max_time: Option<Duration>,
    /// How many runs of the test to spend, the four on the two versions included.
    pub max_questions: Option<u64>,
    /// What each process of a test may use.
    pub limits: Limits,
}

impl Isolation {
    /// As the command does it where nothing else is said.
    pub fn new(passing: PathBuf, failing: PathBuf, test: impl Into<Test>) -> Self {
        Self {
            passing,
            failing,
            git: None,
            test: test.into(),
            algorithm: Algorithm::default(),
            units: Units::default(),
            front_end: None,
            jobs: None,
            remote: None,
            timeout: None,
            max_time: None,
            max_questions: None,
            limits: Limits::default(),
        }
    }
}

/// Commits of which the first one passes and the last one fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitRange {
    /// The range, as `git diff` takes it: `A..B`, or `A...B` from where both have come from.
    pub range: String,
    /// A folder of the repository.
    pub folder: PathBuf,
}
