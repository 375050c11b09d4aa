//! Runs on other machines, as far as whoever asks for them has to know.

use std::fmt::Debug;
use std::time::Duration;

use crate::interrupt::Cancel;
use crate::lay::Laid;
use crate::run::{RunEnd, RunError};
use crate::workspace::FixedFile;

/// What runs programs elsewhere, from any number of threads at once.
pub trait Engine: Debug + Send + Sync {
    /// What people call it, such as its address.
    fn name(&self) -> &str;

    /// Runs it, unless it is cancelled. One that is cancelled may still be running there when this returns; it is told to end.
    ///
    /// # Errors
    ///
    /// Where it could not be run. That says nothing of the candidate, so whoever asked must not go on as if it had.
    fn run(&self, errand: &Errand<'_>, cancel: &Cancel) -> Result<Done, RunError>;

    /// Waits until it has told the other side of all that was cancelled.
    fn settle(&self) {}
}

/// What is to be run elsewhere.
#[derive(Clone, Debug)]
pub struct Errand<'a> {
    /// What lies there, beside what is fixed; nothing else does.
    pub files: Vec<Laid<'a>>,
    /// Files that are the same in each run, under their paths.
    pub fixed: &'a [FixedFile],
    /// In which of these folders it runs.
    pub folder: &'a str,
    /// A line for `/bin/sh`.
    pub line: String,
    /// How long it may take, once it has begun.
    pub limit: Duration,
    /// How often the same was run before. Each of these runs is one of its own: only a run of the same number may be answered
    /// from a cache.
    pub before: u64,
}

/// What came of a run elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// How it ended.
    pub end: RunEnd,
    /// What it printed to standard output.
    pub stdout: Vec<u8>,
    /// What it printed to standard error.
    pub stderr: Vec<u8>,
    /// How long it took there, in seconds, without the way there and back.
    pub seconds: f64,
}

impl Done {
    /// One that was cancelled.
    pub fn stopped() -> Self {
        Self { end: RunEnd::Stopped, stdout: Vec::new(), stderr: Vec::new(), seconds: 0.0 }
    }
}
