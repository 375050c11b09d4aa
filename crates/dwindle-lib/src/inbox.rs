//! Where what is done is laid down, by whichever thread has done it.

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

/// What came of a job.
#[derive(Debug)]
pub(crate) enum Message {
    Prepared(Candidate),
    Parsed(Answer),
    Ran(Result<Judged, RunError>),
    /// Whoever was at it has failed, as only a bug can make it.
    Failed(String),
}

/// One run of the test, and what it means.
#[derive(Debug)]
pub(crate) struct Judged {
    /// Nothing if it was stopped.
    pub(crate) outcome: Option<Outcome>,
    /// What its output gives away, if the test refused.
    pub(crate) evidence: Evidence,
    pub(crate) run: Run,
    /// The crash of another kind, if it was one and somebody is interested.
    pub(crate) other: Option<Box<OtherCrash>>,
}

/// What is done and was not read yet.
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

    /// Waits for messages and takes all; nothing if the reduction is to end.
    pub(crate) fn wait(&self, stop: &Stop) -> Option<Vec<(Job, Message)>> {
        let first = match stop.moment() {
            None => select! {
                recv(self.receiver) -> message => message.ok()?,
                recv(stop.receiver()) -> _ => return None,
            },
            Some(until) => self.receiver.recv_deadline(until).ok()?,
        };
        // It may have been told meanwhile, and what was told first counts.
        (!stop.is_over()).then(|| [first].into_iter().chain(self.receiver.try_iter()).collect())
    }
}

/// Where the one message about a job goes. When it is dropped before, the job has failed.
#[derive(Debug)]
pub(crate) struct Slip {
    job: Job,
    inbox: Option<Sender<(Job, Message)>>,
}

impl Slip {
    pub(crate) fn send(mut self, message: Message) {
        if let Some(inbox) = self.inbox.take() {
            // Nobody may be there any more to read it.
            let _ = inbox.send((self.job, message));
        }
    }

    /// Sends what comes of `work`, or that it has panicked; nothing where it was left.
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

/// What a panic says.
pub(crate) fn said_by(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".to_owned())
}

/// Where an [`Executor`](crate::executor::Executor) says what came of a run. One that is dropped without a word
/// ends the reduction with an error: no question is ever waited for in vain.
pub struct Reply {
    slip: Slip,
    judge: Arc<Judge>,
    candidate: Arc<Candidate>,
}

impl Reply {
    pub(crate) fn new(slip: Slip, judge: Arc<Judge>, candidate: Arc<Candidate>) -> Self {
        Self { slip, judge, candidate }
    }

    /// Says it, from any thread.
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
        // What a thread says when it panics is no failure of this test.
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
