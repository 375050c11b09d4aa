//! Tests that Python runs.

use std::collections::HashSet;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use dwindle::driver::{Candidate, Job};
use dwindle::executor::Executor;
use dwindle::{Ran, Reply};

use crate::run::{About, Answer, Halt, Question};

/// Hands candidates to whoever answers in Python.
pub(crate) struct Threads {
    slots: usize,
    questions: Sender<Question>,
    halt: Arc<Halt>,
    /// Tests that nobody needs any more.
    cancelled: Arc<Mutex<HashSet<Job>>>,
}

impl Threads {
    /// So many at once.
    pub(crate) fn new(slots: usize, questions: Sender<Question>, halt: Arc<Halt>) -> Self {
        Self { slots, questions, halt, cancelled: Arc::default() }
    }
}

impl Executor for Threads {
    fn slots(&self) -> usize {
        self.slots
    }

    fn run(&mut self, job: Job, candidate: &Arc<Candidate>, _: Duration, reply: Reply) -> io::Result<()> {
        if self.halt.is_set() {
            reply.send(Ok(Ran::cancelled()));
            return Ok(());
        }
        let all = self.cancelled.clone();
        let cancelled = move || all.lock().unwrap_or_else(PoisonError::into_inner).contains(&job);
        let answer = Answer::Text { reply, asked: Instant::now(), cancelled: Box::new(cancelled) };
        // Where nobody takes it any more, it is dropped, which cancels it.
        let _ = self.questions.send(Question::new(About::Text(candidate.clone()), answer));
        Ok(())
    }

    fn cancel(&mut self, job: Job) {
        self.cancelled.lock().unwrap_or_else(PoisonError::into_inner).insert(job);
    }
}
