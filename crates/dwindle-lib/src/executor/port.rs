//! What runs tests.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use crate::driver::{Candidate, Job};
use crate::inbox::Reply;
use crate::report::Warning;

/// Runs tests: on this machine, in this process, or elsewhere.
pub trait Executor {
    /// How many tests can run at once.
    fn slots(&self) -> usize;

    /// How many tests could run at once on this machine, if they run elsewhere: then it is measured what passes around a run,
    /// and there is a [warning](Warning::SlowerElsewhere) when it would be faster here. For that the seconds of a
    /// run are those of the test itself, without the way and the queue.
    fn slots_here(&self) -> Option<usize> {
        None
    }

    /// Runs the test on `candidate` once, for `limit` at most. What came of that goes to `reply`, now or later, from
    /// any thread.
    ///
    /// # Errors
    ///
    /// Where it cannot even be tried; the reduction ends then.
    fn run(&mut self, job: Job, candidate: &Arc<Candidate>, limit: Duration, reply: Reply) -> io::Result<()>;

    /// Ends a run that nobody waits for any more. Its reply may come all the same.
    fn cancel(&mut self, job: Job);

    /// What has to be said and was not yet.
    fn take_warnings(&mut self) -> Vec<Warning> {
        Vec::new()
    }

    /// Ends whatever runs, and waits for that; nothing runs afterwards.
    fn close(&mut self) {}
}
