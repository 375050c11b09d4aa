//! One reduction as it runs: the world of its driver.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dwindle_core::{Evidence, Origin, Outcome};

use crate::crew::{Crew, Message, Terms, Tested};
use crate::driver::{Candidate, ContentKey, Done, Finished, Job, Source, Step, Verdict, Work, World};
use crate::journal::{Journal, JournalError, KnownOutcome};
use crate::keep::Keep;
use crate::oracle::Words;
use crate::output::Output;
use crate::reduce::{Error, Event, NextRun, Progress};
use crate::report::End;
use crate::test_file::TestFile;
use dwindle_run::{RunEnd, RunError, Stop};

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
    pub(crate) test: TestFile,
    /// Nothing before the input was tested.
    pub(crate) journal: Option<Journal>,
    /// Whether it holds the facts of a run that this one continues.
    pub(crate) goes_on: bool,
    /// Why it did not read the input by the front end of its language.
    pub(crate) fallback: Option<String>,
    /// The outcomes of that run.
    pub(crate) known: HashMap<ContentKey, KnownOutcome>,
    pub(crate) vocabulary: Arc<Words>,
    /// What the tests that run are about, and how many outcomes there were when they began.
    pub(crate) keys: HashMap<Job, (ContentKey, u64)>,
    /// What is done and the driver has not heard of.
    pub(crate) unread: Vec<(Job, Message)>,
    /// Whether the best was asked again because the test ended as a shell does that misses a command.
    pub(crate) commands_checked: bool,
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
    /// Runs that were killed from outside, or seem to have been.
    pub(crate) killed: u64,
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
        let mut found = None;
        while found.is_none() {
            let Some(messages) = self.receive()? else {
                self.crew.cancel(JOB);
                return Ok(None);
            };
            for message in messages {
                match message {
                    (JOB, Message::Tested(tested)) => found = Some(tested),
                    // Of no use where the search is over.
                    other => self.unread.push(other),
                }
            }
        }
        let tested = found.transpose()?;
        tested.iter().for_each(|tested| self.count(tested));
        Ok(tested)
    }

    /// Waits for what is done; nothing if the reduction is stopped.
    fn receive(&mut self) -> Result<Option<Vec<(Job, Message)>>, RunError> {
        let messages = self.crew.wait(&self.stop).map_err(RunError::Wait)?;
        for (_, message) in messages.iter().flatten() {
            if let Message::Tested(tested) = message {
                self.busy.end();
                self.tell_warnings();
                if let Ok(tested) = tested {
                    self.killed += u64::from(tested.run.end.may_be_a_kill());
                    self.cpu_in_test += tested.cpu_seconds;
                }
            }
        }
        Ok(messages)
    }

    /// Counts a question and tells of it.
    fn count(&mut self, tested: &Tested) {
        self.progress.questions.count(tested.outcome, tested.runs);
        (self.watch)(Event::Asked { progress: &self.progress, run: &tested.run });
    }

    /// The test cannot be run any more.
    pub(crate) fn broken(&self, source: RunError) -> Error {
        Error::Broken {
            test: self.test.path().to_owned(),
            output: self.output.path().to_owned(),
            questions: self.progress.questions.total,
            source,
        }
    }

    /// The test does not find anything interesting any more.
    pub(crate) fn unstable(&mut self) -> Error {
        if !self.test.is_unchanged() {
            return self.changed();
        }
        let (test, output) = (self.test.path().to_owned(), self.output.path().to_owned());
        let kept = self.kept.size != self.progress.before;
        Error::Unstable { test, output, kept, next: self.doubt() }
    }

    /// The test is another one by now.
    fn changed(&mut self) -> Error {
        let (test, output) = (self.test.path().to_owned(), self.output.path().to_owned());
        Error::Changed { test, output, next: self.doubt() }
    }

    /// What was refused since the test is known to have worked is not believed when the reduction goes on.
    fn doubt(&mut self) -> NextRun {
        match self.journal.as_mut().map_or(Ok(()), Journal::doubt) {
            Ok(()) => NextRun::AsksAgain,
            Err(error) => NextRun::Believes(Box::new(error)),
        }
    }

    /// That the test is still the one that the reduction began with.
    pub(crate) fn check_test_file(&mut self) -> Result<(), Error> {
        if self.test.is_unchanged() { Ok(()) } else { Err(self.changed()) }
    }

    /// Asks the best once more, and the input should it be refused. For when the test ends as a shell does that
    /// cannot find or run a command: what it needs may have gone, or that is how it refuses. One question tells,
    /// the first time, and in the order of the commits, so that there is as much asked with any number of jobs.
    fn check_commands(&mut self) -> Result<(), Error> {
        self.commands_checked = true;
        self.progress.label = "best";
        for is_best in [true, false] {
            if self.left() < u64::from(self.terms.confirm) {
                return Ok(());
            }
            let candidate = match (is_best, &self.journal) {
                (false, Some(journal)) => Candidate::of(journal.input()?, self.progress.before),
                _ => self.kept.clone(),
            };
            let tested = self.test_alone(candidate).map_err(|error| self.broken(error))?;
            if tested.and_then(|tested| tested.outcome) != Some(Outcome::Uninteresting) {
                return Ok(());
            }
        }
        Err(self.unstable())
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
            let outcomes = self.journal.as_ref().map_or(0, Journal::outcomes);
            self.keys.insert(job, (candidate.key, outcomes));
            self.busy.begin();
        }
        self.crew.start(job, work, self.terms).map_err(|error| self.broken(RunError::Wait(error)))
    }

    fn cancel(&mut self, job: Job) {
        self.crew.cancel(job);
    }

    fn wait(&mut self) -> Result<Option<Finished<Tested>>, Error> {
        let done = match self.unread.is_empty() {
            true => self.receive().map_err(|error| self.broken(error))?,
            false => Some(std::mem::take(&mut self.unread)),
        };
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
        let verdict = || Verdict { evidence: evidence(), ..known.outcome.into() };
        confirmed.then(|| (verdict(), Source::Journal))
    }

    fn left(&self) -> u64 {
        // The result will be tested once more, and what it is formatted to.
        let runs = u64::from(self.terms.confirm) * (1 + u64::from(self.formats));
        let last = u64::from(self.kept.size != self.progress.before) * runs;
        self.runs_left().saturating_sub(last)
    }

    fn commit(&mut self, step: Step<'_, Tested>) -> Result<(), Error> {
        self.progress.label = step.label;
        self.progress.in_test = self.busy.total();
        match (step.source, &step.run) {
            (Source::Test, Some(tested)) => {
                self.flaky += u64::from(tested.is_flaky());
                self.asked += 1;
                if step.outcome == Outcome::Unresolved {
                    self.write_down(step.key, tested)?;
                }
                self.count(tested);
                if matches!(tested.run.end, RunEnd::Exited(126 | 127)) && !self.commands_checked {
                    self.check_commands()?;
                }
            }
            (Source::Journal, _) => self.progress.replayed += 1,
            (Source::Filter, _) => self.progress.filtered += 1,
            _ => self.progress.cached += 1,
        }
        self.taken += u64::from(step.best.is_some() && step.origin == Origin::Helper);
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
                let asked = self.keys.remove(&job);
                let tested = tested.map_err(|error| self.broken(error))?;
                match (asked, tested.outcome) {
                    (Some((key, outcomes)), Some(Outcome::Interesting)) => {
                        self.check_test_file()?;
                        self.write_down(key, &tested)?;
                        // What was refused while it ran may have been refused after it.
                        self.journal.iter_mut().for_each(|journal| journal.confirm(outcomes));
                    }
                    // That it was killed is no reason for another run to believe it.
                    (Some((key, _)), Some(Outcome::Uninteresting)) if !tested.run.end.is_kill() => {
                        self.write_down(key, &tested)?;
                    }
                    // Whether one ran over its time or over that of others is known when it is asked for.
                    _ => {}
                }
                match tested.outcome {
                    None => Done::Cancelled,
                    Some(outcome) => {
                        let evidence = tested.evidence.clone();
                        let unsure = outcome == Outcome::Unresolved || tested.run.end.is_kill();
                        Done::Tested(Verdict { outcome, evidence, unsure }, tested)
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

    /// Writes what a test said into the journal.
    fn write_down(&mut self, key: ContentKey, tested: &Tested) -> Result<(), JournalError> {
        let (Some(journal), Some(outcome)) = (&mut self.journal, tested.outcome) else { return Ok(()) };
        let runs = u8::try_from(tested.runs).unwrap_or(u8::MAX);
        let words = tested.evidence.numbers().into();
        journal.outcome(key, KnownOutcome { outcome, seconds: tested.run.seconds as f32, runs, words })
    }

    /// Makes `best` the result.
    pub(crate) fn keep(&mut self, best: Candidate) -> Result<(), Error> {
        self.check_test_file()?;
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
