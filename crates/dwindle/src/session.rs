//! One reduction as it runs: the world of its driver.

use std::path::Path;
use std::time::{Duration, Instant};

use dwindle_core::Outcome;

use crate::crew::{Crew, Message, Terms, Tested};
use crate::driver::{Candidate, ContentKey, Done, Job, Source, Step, Work, World};
use crate::interrupt::Stop;
use crate::oracle::RunError;
use crate::output::Output;
use crate::reduce::{Error, Event, Progress};
use crate::report::{End, Size};

/// One reduction as it runs.
pub(crate) struct Session<'a> {
    pub(crate) crew: Crew,
    pub(crate) stop: Stop<'a>,
    pub(crate) terms: Terms,
    pub(crate) max_questions: u64,
    pub(crate) output: &'a Output,
    pub(crate) test: &'a Path,
    pub(crate) progress: Progress,
    pub(crate) end: End,
    /// Whether a run found interesting what the next one did not.
    pub(crate) flaky: u64,
    pub(crate) busy: Busy,
    /// The seconds of processors that tests took.
    pub(crate) cpu_in_test: f64,
    pub(crate) watch: &'a mut dyn FnMut(Event<'_>),
}

/// The time during which tests run.
#[derive(Debug, Default)]
pub(crate) struct Busy {
    running: usize,
    since: Option<Instant>,
    total: Duration,
}

impl Busy {
    fn begin(&mut self) {
        self.running += 1;
        self.since.get_or_insert_with(Instant::now);
    }

    fn end(&mut self) {
        self.running -= 1;
        if self.running == 0 {
            self.total += self.since.take().map_or(Duration::ZERO, |since| since.elapsed());
        }
    }

    pub(crate) fn total(&self) -> Duration {
        self.total + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

impl Session<'_> {
    /// Tests `candidate` while nothing else runs; nothing if the reduction is stopped.
    pub(crate) fn test_alone(&mut self, candidate: Candidate) -> Result<Option<Tested>, RunError> {
        const JOB: Job = 0;
        self.crew.start(JOB, Work::Test(candidate.into()), self.terms).map_err(RunError::Wait)?;
        self.busy.begin();
        loop {
            let Some(messages) = self.crew.wait(&self.stop).map_err(RunError::Wait)? else {
                self.crew.cancel(JOB);
                return Ok(None);
            };
            for (job, message) in messages {
                // All others are what a search that is over has left.
                if let Message::Tested(tested) = message {
                    let tested = self.ended(tested);
                    if job == JOB {
                        return tested.map(Some);
                    }
                }
            }
        }
    }

    /// Counts a question and tells of it.
    pub(crate) fn asked(&mut self, tested: &Tested) {
        self.progress.questions.count(tested.outcome, tested.runs);
        (self.watch)(Event::Asked { progress: &self.progress, run: &tested.run });
    }

    /// The test cannot be run any more.
    pub(crate) fn broken(&self, source: RunError) -> Error {
        Error::Broken {
            test: self.test.to_owned(),
            output: self.output.path().to_owned(),
            questions: self.progress.questions.total,
            source,
        }
    }

    fn stopped(&self) -> Result<End, Error> {
        let interrupted = self.stop.interrupted().map_err(|error| self.broken(RunError::Wait(error)))?;
        Ok(if interrupted { End::Interrupted } else { End::MaxTime })
    }
}

impl World for Session<'_> {
    type Error = Error;
    type Run = Tested;

    fn start(&mut self, job: Job, work: Work) -> Result<(), Error> {
        if matches!(work, Work::Test(_)) {
            self.progress.begun += 1;
            self.busy.begin();
        }
        self.crew.start(job, work, self.terms).map_err(|error| self.broken(RunError::Wait(error)))
    }

    fn cancel(&mut self, job: Job) {
        self.crew.cancel(job);
    }

    fn wait(&mut self) -> Result<Option<Vec<(Job, Done<Tested>)>>, Error> {
        let done = self.crew.wait(&self.stop).map_err(|error| self.broken(RunError::Wait(error)))?;
        let Some(messages) = done else {
            self.end = self.stopped()?;
            return Ok(None);
        };
        messages
            .into_iter()
            .map(|(job, message)| Ok((job, self.done(message)?)))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    fn recall(&mut self, _key: &ContentKey) -> Option<Outcome> {
        None
    }

    fn left(&self) -> u64 {
        self.max_questions.saturating_sub(self.progress.questions.total)
    }

    fn commit(&mut self, step: Step<'_, Tested>) -> Result<(), Error> {
        self.progress.label = step.label;
        match (step.source, &step.run) {
            (Source::Test, Some(tested)) => {
                self.flaky += u64::from(tested.is_flaky());
                self.progress.asked += 1;
                self.asked(tested);
            }
            _ => self.progress.cached += 1,
        }
        if let Some(best) = step.best {
            self.keep(best)?;
        }
        Ok(())
    }

    fn spent(&mut self) {
        self.end = End::MaxQuestions;
    }
}

impl Session<'_> {
    fn done(&mut self, message: Message) -> Result<Done<Tested>, Error> {
        Ok(match message {
            Message::Prepared(candidate) => Done::Prepared(candidate),
            Message::Parsed(text) => Done::Parsed(text),
            Message::Tested(tested) => {
                let tested = self.ended(tested).map_err(|error| self.broken(error))?;
                match tested.outcome {
                    None => Done::Cancelled,
                    Some(outcome) => Done::Tested(outcome, tested),
                }
            }
        })
    }

    /// Takes note that a test has ended.
    fn ended(&mut self, tested: Result<Tested, RunError>) -> Result<Tested, RunError> {
        self.busy.end();
        for warning in self.crew.take_warnings() {
            (self.watch)(Event::Warning(&warning));
        }
        let tested = tested?;
        self.cpu_in_test += tested.cpu_seconds;
        Ok(tested)
    }

    fn keep(&mut self, best: &Candidate) -> Result<(), Error> {
        self.output.replace(&best.bytes)?;
        self.progress.best = best.size;
        (self.watch)(Event::Kept { progress: &self.progress });
        Ok(())
    }

    /// The input's size, as its front end counts.
    pub(crate) fn measure(&mut self, before: Size) {
        (self.progress.before, self.progress.best) = (before, before);
    }
}
