//! A closure as the test: it runs in this process, where it is asked for.

use std::any::Any;
use std::fmt::{self, Debug, Formatter};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use dwindle_core::Outcome;

use super::port::Executor;
use crate::driver::{Candidate, Job};
use crate::inbox::Reply;
use crate::verdict::Ran;

/// A closure that says what a candidate is.
pub(crate) struct Closure<F> {
    test: F,
    /// What it panicked with.
    pub(crate) panicked: Option<Box<dyn Any + Send>>,
}

impl<F: FnMut(&[u8]) -> Outcome> Closure<F> {
    pub(crate) fn new(test: F) -> Self {
        Self { test, panicked: None }
    }
}

impl<F> Debug for Closure<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("Closure")
    }
}

impl<F: FnMut(&[u8]) -> Outcome> Executor for Closure<F> {
    fn slots(&self) -> usize {
        1
    }

    fn run(&mut self, _: Job, candidate: &Arc<Candidate>, _: Duration, reply: Reply) -> io::Result<()> {
        let began = Instant::now();
        match catch_unwind(AssertUnwindSafe(|| (self.test)(&candidate.bytes))) {
            Ok(outcome) => {
                reply.send(Ok(Ran::of(outcome, began.elapsed().as_secs_f64())));
                Ok(())
            }
            Err(panic) => {
                // Whoever has asked for the reduction goes on with it.
                self.panicked = Some(panic);
                Err(io::Error::other("the closure has panicked"))
            }
        }
    }

    fn cancel(&mut self, _: Job) {}
}
