//! What a run of the test means.

use std::sync::{Arc, LazyLock};

use dwindle_core::{Evidence, Outcome, Vocabulary};
use dwindle_run::{Run, RunEnd};

/// How much of an output is read for evidence: less than is kept of its beginning, because paths, which
/// differ in length, are taken out of it first.
const OUTPUT_READ: usize = 32 << 10;

/// The words of the input. They are gathered when one is needed: that takes over a second for 11 MB, in
/// vain where tests print nothing.
pub(crate) type Words = LazyLock<Arc<Vocabulary>, Box<dyn FnOnce() -> Arc<Vocabulary> + Send>>;

/// A run of the test somewhere.
#[derive(Debug)]
pub struct Ran {
    /// The run.
    pub run: Run,
    /// What it printed, without what differs from place to place, such as the folder that it ran in.
    pub said: Vec<u8>,
}

/// What a run means: interesting where it exits with 0; nothing where it was stopped.
pub(crate) fn judge(end: RunEnd) -> Option<Outcome> {
    match end {
        RunEnd::Exited(0) => Some(Outcome::Interesting),
        RunEnd::Exited(_) | RunEnd::Signalled(_) => Some(Outcome::Uninteresting),
        RunEnd::TimedOut => Some(Outcome::Unresolved),
        RunEnd::Stopped => None,
    }
}

/// The exit code by which a test says that it can say nothing of a candidate, as to `git bisect run`.
const UNRESOLVED: i32 = 125;

/// What a run means where there is a third outcome: 0 fails as the failing input does, 125 is unresolved as a run
/// over its time is, and anything else passes.
pub(crate) fn judge_three_ways(end: RunEnd) -> Option<Outcome> {
    if end == RunEnd::Exited(UNRESOLVED) { Some(Outcome::Unresolved) } else { judge(end) }
}

/// What the output of a run gives away where the test refused.
pub(crate) fn evidence(vocabulary: &Words, ran: &Ran) -> Evidence {
    let said = &ran.said[..ran.said.len().min(OUTPUT_READ)];
    match judge(ran.run.end) {
        Some(Outcome::Uninteresting) if !said.trim_ascii().is_empty() => {
            Evidence::in_output(vocabulary, said)
        }
        _ => Evidence::default(),
    }
}
