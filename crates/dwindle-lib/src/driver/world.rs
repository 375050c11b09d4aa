//! What a driver does its search in.

use std::sync::Arc;

use dwindle_core::{Answer, Evidence, ListQuestion, Origin, Outcome, Shape, Variant};

use super::candidate::{Candidate, ContentKey};

/// Something a world was asked to do.
pub type Job = u64;

/// What a world does for a driver, as many things at once as it is asked to.
#[derive(Debug)]
pub enum Work {
    /// Render, measure and hash; done as [`Done::Prepared`].
    Prepare(Variant),
    /// Run the test; done as [`Done::Tested`].
    Test(Arc<Candidate>),
    /// Render and read; done as [`Done::Parsed`].
    Parse(Variant, Shape),
}

/// A job that is done.
#[derive(Debug)]
pub enum Done<R> {
    /// The candidate.
    Prepared(Candidate),
    /// What the test said, and what else there is to say of the run.
    Tested(Verdict, R),
    /// The pieces or the tree: the answer to the question for it.
    Parsed(Answer),
    /// It was cancelled.
    Cancelled,
}

/// What a test said of a content.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// Whether it is interesting.
    pub outcome: Outcome,
    /// What the output gave away, if it is uninteresting.
    pub evidence: Evidence,
    /// Whether it may be another one when nothing else runs: the test ran over its time, or was killed.
    pub unsure: bool,
}

impl From<Outcome> for Verdict {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, evidence: Evidence::default(), unsure: outcome == Outcome::Unresolved }
    }
}

/// The jobs that are done.
pub type Finished<R> = Vec<(Job, Done<R>)>;

/// Where an answer came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The test ran for it.
    Test,
    /// A run before this one, by [`World::recall`].
    Journal,
    /// The same content was asked about before.
    Cache,
    /// The world refuses it without a test, by [`World::recall`].
    Filter,
}

/// A question that is answered for good.
#[derive(Debug)]
pub struct Step<'a, R> {
    /// The content.
    pub key: ContentKey,
    /// Its size.
    pub size: dwindle_read::Size,
    /// What the test said.
    pub outcome: Outcome,
    /// Who says so.
    pub source: Source,
    /// What else there is to say of the run, the first time.
    pub run: Option<R>,
    /// What the search took it from: its content, and its size as the search counts it by now.
    pub base: (ContentKey, dwindle_read::Size),
    /// The candidate, if it is the smallest so far.
    pub best: Option<&'a Candidate>,
    /// What kind of work it was.
    pub origin: Origin,
    /// The same in words for people.
    pub label: &'static str,
    /// What else there is to say of the question, where the world wants to know.
    pub traced: Option<Traced>,
}

/// What a world [that traces](World::traces) is told besides.
#[derive(Debug)]
pub struct Traced {
    /// The list that the question is about.
    pub list: Option<ListQuestion>,
    /// The tokens of its base, where the pieces say it.
    pub base: Option<u64>,
    /// What it asks about, unless that was asked before.
    pub candidate: Option<Arc<Candidate>>,
    /// Whether the search takes it.
    pub accepted: bool,
}

/// What a driver does its search in: threads and processes, or a simulation of them.
pub trait World {
    /// What stops the search with an error.
    type Error;
    /// What there is to say of a run beside its outcome.
    type Run;

    /// Whether the search is to give up what it is trying.
    fn skips(&self) -> bool {
        false
    }

    /// It has.
    fn skipped(&mut self) {}

    /// Begins with something. Tests beside each other are never more than the driver's jobs.
    fn start(&mut self, job: Job, work: Work) -> Result<(), Self::Error>;

    /// Ends a test. It may still be done before it hears of that; its slot is free at once.
    fn cancel(&mut self, job: Job);

    /// Waits until a job is done and returns all that are; `None` stops the search.
    fn wait(&mut self) -> Result<Option<Finished<Self::Run>>, Self::Error>;

    /// What is known of this content before it is tested, and by whom: by the [`Journal`](Source::Journal)
    /// of an earlier run that this one continues, or because of a [`Filter`](Source::Filter).
    fn recall(&mut self, candidate: &Candidate) -> Option<(Verdict, Source)>;

    /// How many more questions, answered by a test or recalled, may be committed.
    fn left(&self) -> u64;

    /// Takes note of a question that is answered for good.
    fn commit(&mut self, step: Step<'_, Self::Run>) -> Result<(), Self::Error>;

    /// Whether steps are to say all that is known of their questions.
    fn traces(&self) -> bool {
        false
    }

    /// Takes note that the best so far cannot be read any more, for this reason.
    fn unreadable(&mut self, _why: &str) {}

    /// Ends the search because no questions are left.
    fn spent(&mut self);
}
