//! One reduction as it runs: the world of its driver.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dwindle_core::{Evidence, ExternalSearch, Outcome};

use crate::crew::{Crew, Message, Terms, Tested};
use crate::driver::{Candidate, ContentKey, Done, Finished, Job, Source, Step, Verdict, Work, World};
use crate::interrupt::Stop;
use crate::journal::{Journal, JournalError, KnownOutcome};
use crate::keep::Keep;
use crate::oracle::{RunError, Words};
use crate::output::Output;
use crate::reduce::{Error, Event, Progress};
use crate::report::End;

/// One reduction as it runs.
pub(crate) struct Session<'a> {
    pub(crate) crew: Crew,
    pub(crate) stop: Stop<'a>,
    pub(crate) terms: Terms,
    pub(crate) max_questions: u64,
    /// Whether the result will be formatted.
    pub(crate) formats: bool,
    /// What a candidate must hold, whatever the test says.
    pub(crate) filter: Keep,
    pub(crate) output: &'a Output,
    pub(crate) test: &'a Path,
    /// Nothing before the input was tested.
    pub(crate) journal: Option<Journal>,
    /// Whether it holds the facts of a run that this one continues.
    pub(crate) goes_on: bool,
    /// Whether that run held candidates back, if it looked whether it should.
    pub(crate) holds_back: Option<bool>,
    /// Why it did not read the input by the front end of its language.
    pub(crate) fallback: Option<String>,
    /// The outcomes of that run.
    pub(crate) known: HashMap<ContentKey, KnownOutcome>,
    pub(crate) vocabulary: Arc<Words>,
    /// What the tests that run are about.
    pub(crate) keys: HashMap<Job, ContentKey>,
    /// How many offers of helpers were taken.
    pub(crate) taken: u64,
    /// What is in the result file.
    pub(crate) kept: Candidate,
    pub(crate) progress: Progress,
    /// Tests that were begun for the search, and those of them that it has asked for.
    pub(crate) begun: u64,
    pub(crate) asked: u64,
    pub(crate) end: End,
    /// Whether a run found interesting what the next one did not.
    pub(crate) flaky: u64,
    pub(crate) busy: Busy,
    /// The seconds of the faster run on the input.
    pub(crate) seconds_of_input: f64,
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
                        let tested = tested?;
                        self.count(&tested);
                        return Ok(Some(tested));
                    }
                }
            }
        }
    }

    /// Counts a question and tells of it.
    fn count(&mut self, tested: &Tested) {
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

    /// How many runs of the test the budget has left.
    pub(crate) fn runs_left(&self) -> u64 {
        self.max_questions.saturating_sub(self.progress.questions.total + self.progress.replayed)
    }

    pub(crate) fn stopped(&self) -> Result<End, Error> {
        let interrupted = self.stop.interrupted().map_err(|error| self.broken(RunError::Wait(error)))?;
        Ok(if interrupted { End::Interrupted } else { End::MaxTime })
    }
}

impl World for Session<'_> {
    type Error = Error;
    type Run = Tested;

    fn start(&mut self, job: Job, work: Work) -> Result<(), Error> {
        if let Work::Test(candidate) = &work {
            self.begun += 1;
            self.keys.insert(job, candidate.key);
            self.busy.begin();
        }
        self.crew.start(job, work, self.terms).map_err(|error| self.broken(RunError::Wait(error)))
    }

    fn cancel(&mut self, job: Job) {
        self.crew.cancel(job);
    }

    fn wait(&mut self) -> Result<Option<Finished<Tested>>, Error> {
        let done = self.crew.wait(&self.stop).map_err(|error| self.broken(RunError::Wait(error)))?;
        let Some(messages) = done else {
            self.end = self.stopped()?;
            return Ok(None);
        };
        messages
            .into_iter()
            .map(|(job, message)| Ok((job, self.done(job, message)?)))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    fn recall(&mut self, candidate: &Candidate) -> Option<(Verdict, Source)> {
        if !self.filter.admits(&candidate.bytes) {
            return Some((Outcome::Uninteresting.into(), Source::Filter));
        }
        let known = self.known.get(&candidate.key)?;
        let confirmed = !known.outcome.is_interesting() || u32::from(known.runs) >= self.terms.confirm;
        let evidence = || match &*known.words {
            [] => Evidence::default(),
            words => Evidence::of(&self.vocabulary, words),
        };
        confirmed.then(|| (Verdict { outcome: known.outcome, evidence: evidence() }, Source::Journal))
    }

    fn left(&self) -> u64 {
        // The result will be tested once more, and what it is formatted to.
        let runs = u64::from(self.terms.confirm) * (1 + u64::from(self.formats));
        let last = u64::from(self.kept.size != self.progress.before) * runs;
        self.runs_left().saturating_sub(last)
    }

    fn commit(&mut self, step: Step<'_, Tested>) -> Result<(), Error> {
        self.progress.label = step.label;
        self.progress.held_back = step.held_back;
        self.progress.in_test = self.busy.total();
        match (step.source, &step.run) {
            (Source::Test, Some(tested)) => {
                self.flaky += u64::from(tested.is_flaky());
                self.asked += 1;
                if step.outcome == Outcome::Unresolved {
                    self.write_down(step.key, tested)?;
                }
                self.count(tested);
            }
            (Source::Journal, _) => self.progress.replayed += 1,
            (Source::Filter, _) => self.progress.filtered += 1,
            _ => self.progress.cached += 1,
        }
        self.taken += u64::from(step.best.is_some() && step.label == ExternalSearch::LABEL);
        match step.best {
            // A run that this one continues may have come further.
            Some(best) if best.is_smaller_than(&self.kept) => self.keep(best.clone()),
            _ => Ok(()),
        }
    }

    fn spent(&mut self) {
        self.end = End::MaxQuestions;
    }
}

impl Session<'_> {
    fn done(&mut self, job: Job, message: Message) -> Result<Done<Tested>, Error> {
        Ok(match message {
            Message::Prepared(candidate) => Done::Prepared(candidate),
            Message::Parsed(answer) => {
                self.tell_warnings();
                Done::Parsed(answer)
            }
            Message::Tested(tested) => {
                let key = self.keys.remove(&job);
                let tested = self.ended(tested).map_err(|error| self.broken(error))?;
                // Whether one ran over its time or over that of others is known when it is asked for.
                if let (Some(key), Some(Outcome::Interesting | Outcome::Uninteresting)) =
                    (key, tested.outcome)
                {
                    self.write_down(key, &tested)?;
                }
                match tested.outcome {
                    None => Done::Cancelled,
                    Some(outcome) => {
                        let evidence = tested.evidence.clone();
                        Done::Tested(Verdict { outcome, evidence }, tested)
                    }
                }
            }
        })
    }

    pub(crate) fn tell_warnings(&mut self) {
        for warning in self.crew.take_warnings() {
            (self.watch)(Event::Warning(&warning));
        }
    }

    /// Takes note that a test has ended.
    fn ended(&mut self, tested: Result<Tested, RunError>) -> Result<Tested, RunError> {
        self.busy.end();
        self.tell_warnings();
        let tested = tested?;
        self.cpu_in_test += tested.cpu_seconds;
        Ok(tested)
    }

    /// Writes what a test said into the journal.
    fn write_down(&mut self, key: ContentKey, tested: &Tested) -> Result<(), JournalError> {
        let (Some(journal), Some(outcome)) = (&mut self.journal, tested.outcome) else { return Ok(()) };
        let runs = u8::try_from(tested.runs).unwrap_or(u8::MAX);
        let words = tested.evidence.numbers().into();
        journal.outcome(key, KnownOutcome { outcome, seconds: tested.run.seconds as f32, runs, words })
    }

    /// Makes `best` the result.
    pub(crate) fn keep(&mut self, best: Candidate) -> Result<(), Error> {
        // In this order, so that a run that goes on from the journal never puts back a larger one.
        if let Some(journal) = &mut self.journal {
            journal.step(&best.bytes, best.size, self.progress.questions.total + self.progress.replayed)?;
        }
        self.output.replace(&best.bytes)?;
        self.progress.best = best.size;
        self.kept = best;
        (self.watch)(Event::Kept { progress: &self.progress });
        Ok(())
    }
}
