//! The inbox of a reduction: every thread that finishes a job sends one message about it here.

use std::any::Any;
use std::ffi::OsStr;
use std::fmt::{self, Debug, Formatter};
use std::os::unix::ffi::OsStrExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, Sender, select, unbounded};
use dwindle_core::{Answer, Evidence, Outcome};
use dwindle_run::{Run, RunError};

use crate::driver::{Candidate, Job};
use crate::other_crashes::OtherCrash;
use crate::stop::Stop;
use crate::verdict::{Judge, Ran, evidence};

/// The message about a job.
#[derive(Debug)]
pub(crate) enum Message {
    Prepared(Candidate),
    Parsed(Answer),
    Ran(Result<Judged, RunError>),
    /// The thread that had the job has failed, which only a bug can cause.
    Failed(String),
}

/// One run of the test, and what it means.
#[derive(Debug)]
pub(crate) struct Judged {
    /// None if it was stopped.
    pub(crate) outcome: Option<Outcome>,
    /// The names in its output, if the test refused.
    pub(crate) evidence: Evidence,
    pub(crate) run: Run,
    /// The crash, if it was one of another kind and such crashes are collected.
    pub(crate) other: Option<Box<OtherCrash>>,
}

/// Messages that were not read yet.
#[derive(Debug)]
pub(crate) struct Inbox {
    sender: Sender<(Job, Message)>,
    receiver: Receiver<(Job, Message)>,
}

impl Inbox {
    pub(crate) fn new() -> Self {
        let (sender, receiver) = unbounded();
        Self { sender, receiver }
    }

    /// Where the one message about a job goes.
    pub(crate) fn slip(&self, job: Job) -> Slip {
        Slip { job, inbox: Some(self.sender.clone()) }
    }

    /// Waits for messages and takes all. None if the reduction is to end.
    pub(crate) fn wait(&self, stop: &Stop) -> Option<Vec<(Job, Message)>> {
        let first = match stop.moment() {
            None => select! {
                recv(self.receiver) -> message => message.ok()?,
                recv(stop.receiver()) -> _ => return None,
            },
            Some(until) => self.receiver.recv_deadline(until).ok()?,
        };
        // A message may have come meanwhile, and the first one counts.
        (!stop.is_over()).then(|| [first].into_iter().chain(self.receiver.try_iter()).collect())
    }
}

/// Sends the one message about a job. If it is dropped without that, the job has failed.
#[derive(Debug)]
pub(crate) struct Slip {
    job: Job,
    inbox: Option<Sender<(Job, Message)>>,
}

impl Slip {
    pub(crate) fn send(mut self, message: Message) {
        if let Some(inbox) = self.inbox.take() {
            // The reduction may have ended, so that the inbox is gone.
            let _ = inbox.send((self.job, message));
        }
    }

    /// Sends the result of `work`, or that it has panicked. Sends nothing if it was cancelled.
    pub(crate) fn send_what_comes_of(mut self, work: impl FnOnce() -> Option<Message>) {
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(Some(message)) => self.send(message),
            Ok(None) => self.inbox = None,
            Err(panic) => self.send(Message::Failed(said_by(&*panic))),
        }
    }
}

impl Drop for Slip {
    fn drop(&mut self) {
        if let Some(inbox) = self.inbox.take() {
            let thread = thread::current();
            let what = match thread::panicking() {
                true => format!("the thread {} has panicked", thread.name().unwrap_or("of a job")),
                false => "a job was lost".to_owned(),
            };
            let _ = inbox.send((self.job, Message::Failed(what)));
        }
    }
}

/// The message of a panic.
pub(crate) fn said_by(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".to_owned())
}

/// By this an [`Executor`](crate::executor::Executor) tells how a run ended. If it is dropped before, the reduction ends
/// with an error, so that it never waits for an answer that cannot come.
pub struct Reply {
    slip: Slip,
    judge: Arc<Judge>,
    candidate: Arc<Candidate>,
}

impl Reply {
    pub(crate) fn new(slip: Slip, judge: Arc<Judge>, candidate: Arc<Candidate>) -> Self {
        Self { slip, judge, candidate }
    }

    /// Tells it, from any thread.
    pub fn send(self, ran: Result<Ran, RunError>) {
        let Self { slip, judge, candidate } = self;
        let judged = |ran: Ran| {
            let outcome = judge.criteria.judge(&ran.run);
            let name = judge.crashes_of.as_deref().map(OsStr::as_bytes);
            let other = name.and_then(|name| OtherCrash::of(&ran.run, outcome, &candidate, name));
            Judged { outcome, evidence: evidence(&judge.vocabulary, &ran, outcome), run: ran.run, other }
        };
        slip.send_what_comes_of(|| Some(Message::Ran(ran.map(judged))));
    }
}

impl Debug for Reply {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reply").field(&self.slip.job).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(work: impl FnOnce(Slip) + Send + 'static) -> String {
        let inbox = Inbox::new();
        let slip = inbox.slip(7);
        // The message that a panic prints is no failure of this test.
        let _ = thread::Builder::new().name("worker".to_owned()).spawn(|| work(slip)).unwrap().join();
        match &inbox.wait(&Stop::never()).unwrap()[..] {
            [(7, Message::Failed(what))] => what.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn no_job_ends_without_a_message() {
        assert_eq!(said(drop), "a job was lost");
        assert_eq!(said(|_slip| panic!("on purpose")), "the thread worker has panicked");
        assert_eq!(said(|slip| slip.send_what_comes_of(|| panic!("on {}", "purpose"))), "on purpose");
    }
}
