//! Asking the test, and whoever else has something to do for a reduction.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dwindle_core::{Answer, Evidence, Outcome, Request, Shape, Variant};
use dwindle_read::FrontEnd;
use dwindle_run::{Run, RunError};

use crate::chores::{Chore, Chores};
use crate::driver::{Candidate, ContentKey, Job, Source, Work};
use crate::event::Event;
use crate::executor::{Executor, Slower, Worth};
use crate::external::Helping;
use crate::inbox::{Inbox, Judged, Message, Reply};
use crate::journal::KnownOutcome;
use crate::other_crashes::OtherCrash;
use crate::probe::Probe;
use crate::questions::Questions;
use crate::repeats::{Decision, Rule};
use crate::report::{Progress, Warning};
use crate::sink::OutputError;
use crate::stop::Stop;
use crate::trace::{Asked, Trace};
use crate::verdict::{Judge, Words};

/// How tests are run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    /// The time limit of a run.
    pub(crate) limit: Duration,
    /// The time limit of a run of a helper.
    pub(crate) help_limit: Duration,
    /// When runs decide about a candidate.
    pub(crate) rule: Rule,
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The test could not be run.
    Run(RunError),
    /// Something in dwindle itself has failed.
    Internal(String),
    /// What is asked cannot be written down.
    Trace(OutputError),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Run(RunError::Wait(error))
    }
}

/// What came of a test: of as many runs as were needed.
#[derive(Debug)]
pub(crate) struct Tested {
    /// Nothing if it was cancelled.
    pub(crate) outcome: Option<Outcome>,
    /// What the output gave away, if the test refused.
    pub(crate) evidence: Evidence,
    /// The last run.
    pub(crate) run: Run,
    /// All of them.
    pub(crate) runs: Questions,
    /// The crash of another kind, if it was one.
    pub(crate) other: Option<Box<OtherCrash>>,
}

impl Tested {
    /// What the journal is told of it, where that is the outcome.
    pub(crate) fn known(&self, outcome: Outcome) -> KnownOutcome {
        KnownOutcome {
            outcome,
            seconds: self.run.seconds as f32,
            runs: u8::try_from(self.runs.total).unwrap_or(u8::MAX),
            words: self.evidence.numbers().into(),
        }
    }

    /// Whether a run found interesting what was refused then.
    pub(crate) fn is_flaky(&self) -> bool {
        self.runs.interesting > 0 && self.outcome != Some(Outcome::Interesting)
    }
}

/// Something that is done.
#[derive(Debug)]
pub(crate) enum Arrival {
    Prepared(Candidate),
    Parsed(Answer),
    /// What came of a test of this content, and how many outcomes were noted when it began.
    Tested(ContentKey, u64, Result<Tested, RunError>),
}

/// A test that runs.
#[derive(Debug)]
struct Running {
    candidate: Arc<Candidate>,
    /// How many outcomes were noted when it began.
    outcomes: u64,
    /// The runs that are over.
    runs: Questions,
    /// When the last one was asked for.
    since: Instant,
    /// Whether nobody waits for it any more.
    cancelled: bool,
}

/// The time during which tests run.
#[derive(Debug, Default)]
struct Busy {
    since: Option<Instant>,
    total: Duration,
}

impl Busy {
    fn note(&mut self, running: usize) {
        if running > 0 {
            self.since.get_or_insert_with(Instant::now);
        } else {
            self.total += self.since.take().map_or(Duration::ZERO, |since| since.elapsed());
        }
    }

    fn total(&self) -> Duration {
        self.total + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

/// Asks the test, and counts. Everything that is done comes in here.
pub(crate) struct Asking<'a> {
    executor: &'a mut dyn Executor,
    helping: Option<&'a mut Helping>,
    chores: Chores,
    inbox: Inbox,
    stop: &'a Stop,
    judge: Arc<Judge>,
    running: HashMap<Job, Running>,
    /// Whether it is worth running them elsewhere, until that was said.
    worth: Option<Worth>,
    /// The number of the last job that nothing else was waited for beside.
    alone: Job,
    /// What is done and nobody has asked for yet.
    unread: Vec<(Job, Arrival)>,
    busy: Busy,
    /// What reads trees for the search, if it wants any.
    pub(crate) front_end: Option<FrontEnd>,
    /// How many candidates each of several tests refused.
    pub(crate) refused_by: Vec<u64>,
    /// Whether only the statements of trees are searched.
    pub(crate) of_statements: bool,
    pub(crate) terms: Terms,
    pub(crate) progress: Progress,
    /// Runs that were killed from outside, or seem to have been.
    pub(crate) killed: u64,
    /// The seconds of processors that tests took.
    pub(crate) cpu_in_test: f64,
    watch: &'a mut dyn FnMut(Event<'_>),
    trace: Option<&'a mut dyn Trace>,
}

impl<'a> Asking<'a> {
    pub(crate) fn new(
        executor: &'a mut dyn Executor,
        helping: Option<&'a mut Helping>,
        stop: &'a Stop,
        judge: Judge,
        terms: Terms,
        progress: Progress,
        watch: &'a mut dyn FnMut(Event<'_>),
    ) -> io::Result<Self> {
        let chores = Chores::new(executor.slots(), stop.cancellation())?;
        let worth = executor.slots_here().map(|here| Worth::new(executor.slots(), here));
        Ok(Self {
            executor,
            helping,
            chores,
            inbox: Inbox::new(),
            stop,
            judge: Arc::new(judge),
            running: HashMap::new(),
            worth,
            alone: Job::MAX,
            unread: Vec::new(),
            busy: Busy::default(),
            front_end: None,
            of_statements: false,
            refused_by: Vec::new(),
            terms,
            progress,
            killed: 0,
            cpu_in_test: 0.0,
            watch,
            trace: None,
        })
    }

    /// Has questions traced from now on.
    pub(crate) fn trace_to(&mut self, trace: &'a mut dyn Trace) {
        self.trace = Some(trace);
    }

    /// Whether questions are traced.
    pub(crate) fn traces(&self) -> bool {
        self.trace.is_some()
    }

    /// Takes note of a question.
    pub(crate) fn trace(&mut self, asked: &Asked<'_>) -> Result<(), OutputError> {
        self.trace.as_mut().map_or(Ok(()), |trace| trace.note(asked))
    }

    /// There are no more questions.
    pub(crate) fn end_trace(&mut self) -> Result<(), OutputError> {
        self.trace.as_mut().map_or(Ok(()), |trace| trace.finish())
    }

    /// What stops the reduction.
    pub(crate) fn stop(&self) -> &'a Stop {
        self.stop
    }

    /// The words of the input.
    pub(crate) fn vocabulary(&self) -> &Words {
        &self.judge.vocabulary
    }

    /// How many tests can run at once.
    pub(crate) fn slots(&self) -> usize {
        self.executor.slots()
    }

    /// For how long tests have run.
    pub(crate) fn busy(&self) -> Duration {
        self.busy.total()
    }

    /// Tells whoever watches.
    pub(crate) fn tell<'e>(&'e mut self, event: impl FnOnce(&'e Progress) -> Event<'e>) {
        (self.watch)(event(&self.progress));
    }

    /// Hands out a job; `outcomes` were noted so far.
    pub(crate) fn start(&mut self, job: Job, work: Work, outcomes: u64) -> Result<(), Fault> {
        match work {
            Work::Test(candidate) => {
                let (runs, since) = (Questions::default(), Instant::now());
                self.running.insert(job, Running { candidate, outcomes, runs, since, cancelled: false });
                self.busy.note(self.running.len());
                self.run(job)
            }
            Work::Parse(variant, Shape::Offers(request)) => {
                self.ask_helper(job, variant, request);
                Ok(())
            }
            Work::Parse(variant, shape) => {
                let front_end = self.front_end.unwrap_or(FrontEnd::Brackets);
                let chore = Chore::Read { variant, shape, front_end, of_statements: self.of_statements };
                self.chores.start(chore, self.inbox.slip(job));
                Ok(())
            }
            Work::Prepare(variant) => {
                self.chores.start(Chore::Prepare(variant), self.inbox.slip(job));
                Ok(())
            }
        }
    }

    fn run(&mut self, job: Job) -> Result<(), Fault> {
        let Some(Running { candidate, since, .. }) = self.running.get_mut(&job) else { return Ok(()) };
        *since = Instant::now();
        let candidate = &*candidate;
        let reply = Reply::new(self.inbox.slip(job), self.judge.clone(), candidate.clone());
        Ok(self.executor.run(job, candidate, self.terms.limit, reply)?)
    }

    fn ask_helper(&self, job: Job, variant: Variant, request: Request) {
        let slip = self.inbox.slip(job);
        match &self.helping {
            Some(helping) => helping.ask(variant, request, self.front_end, self.terms.help_limit, slip),
            None => slip.send(Message::Parsed(Answer::Offers(Arc::default()))),
        }
    }

    /// The number of a job that nothing else is waited for beside: never that of one that was left before its end. Those of
    /// a driver go up from 0.
    fn job_alone(&mut self) -> Job {
        self.alone -= 1;
        self.alone
    }

    /// Ends a test.
    pub(crate) fn cancel(&mut self, job: Job) {
        self.running.get_mut(&job).into_iter().for_each(|running| running.cancelled = true);
        self.executor.cancel(job);
    }

    /// Waits for what is done and takes all; nothing if the reduction is to end.
    pub(crate) fn wait(&mut self) -> Result<Option<Vec<(Job, Arrival)>>, Fault> {
        if !self.unread.is_empty() {
            return Ok(Some(std::mem::take(&mut self.unread)));
        }
        loop {
            let Some(messages) = self.inbox.wait(self.stop) else { return Ok(None) };
            let mut arrivals = Vec::new();
            for (job, message) in messages {
                match message {
                    Message::Prepared(candidate) => arrivals.push((job, Arrival::Prepared(candidate))),
                    Message::Parsed(answer) => arrivals.push((job, Arrival::Parsed(answer))),
                    Message::Ran(ran) => {
                        arrivals.extend(self.ran(job, ran)?.map(|tested| (job, tested)));
                    }
                    Message::Failed(what) => return Err(Fault::Internal(what)),
                }
            }
            self.tell_warnings();
            if !arrivals.is_empty() {
                return Ok(Some(arrivals));
            }
        }
    }

    /// A run is over; nothing if another one must confirm it.
    fn ran(&mut self, job: Job, ran: Result<Judged, RunError>) -> Result<Option<Arrival>, Fault> {
        let Some(running) = self.running.get_mut(&job) else { return Ok(None) };
        let tested = match ran {
            Ok(Judged { outcome, evidence, run, other }) => {
                running.runs.count(outcome);
                let until_answer = running.since.elapsed().as_secs_f64();
                let worth = self.worth.as_mut().filter(|_| outcome.is_some() && !running.cancelled);
                if let Some(Slower { test, around }) =
                    worth.and_then(|worth| worth.note(run.seconds, until_answer))
                {
                    self.worth = None;
                    (self.watch)(Event::Warning(&Warning::SlowerElsewhere { test, around }));
                }
                self.killed += u64::from(run.end.may_be_a_kill());
                self.cpu_in_test += run.cpu_seconds;
                let runs = running.runs;
                let decision = self.terms.rule.decide(&runs);
                if decision == Decision::Again && outcome.is_some() && !running.cancelled {
                    self.run(job)?;
                    return Ok(None);
                }
                let outcome = outcome.and(match decision {
                    Decision::Interesting => Some(Outcome::Interesting),
                    Decision::Refused if runs.uninteresting == 0 => Some(Outcome::Unresolved),
                    Decision::Refused => Some(Outcome::Uninteresting),
                    Decision::Again => None,
                });
                Ok(Tested { outcome, evidence, run, runs, other })
            }
            Err(error) => Err(error),
        };
        let (key, outcomes) = (running.candidate.key, running.outcomes);
        self.running.remove(&job);
        self.busy.note(self.running.len());
        Ok(Some(Arrival::Tested(key, outcomes, tested)))
    }

    /// Tests `candidate` while nothing else is waited for; nothing if the reduction is to end.
    pub(crate) fn test_alone(&mut self, candidate: Candidate) -> Result<Option<Tested>, Fault> {
        let candidate = Arc::new(candidate);
        let alone = self.job_alone();
        self.start(alone, Work::Test(candidate.clone()), 0)?;
        let mut unread = std::mem::take(&mut self.unread);
        let mut found = None;
        while found.is_none() {
            let Some(arrivals) = self.wait()? else {
                self.cancel(alone);
                return Ok(None);
            };
            for arrival in arrivals {
                match arrival {
                    (job, Arrival::Tested(_, _, tested)) if job == alone => found = Some(tested),
                    other => unread.push(other),
                }
            }
        }
        self.unread = unread;
        let tested = found.transpose().map_err(Fault::Run)?;
        if let Some(tested) = &tested {
            self.count(tested);
            self.trace(&Asked {
                kind: self.progress.label,
                list: None,
                base: self.progress.best.tokens,
                key: candidate.key,
                bytes: Some(&candidate.bytes),
                size: candidate.size,
                outcome: tested.outcome.unwrap_or(Outcome::Unresolved),
                accepted: false,
                source: Source::Test,
                runs: tested.runs,
                seconds: Some(tested.run.seconds),
                at: self.progress.began.elapsed().as_secs_f64(),
            })
            .map_err(Fault::Trace)?;
        }
        Ok(tested)
    }

    /// Tests two candidates at once, while nothing else is under way; nothing if it is to end.
    pub(crate) fn test_together(&mut self, candidates: [Candidate; 2]) -> Result<Option<[Tested; 2]>, Fault> {
        let jobs = [self.job_alone(), self.job_alone()];
        for (job, candidate) in jobs.into_iter().zip(candidates) {
            self.start(job, Work::Test(Arc::new(candidate)), 0)?;
        }
        let mut found = jobs.map(|_| None);
        while found.iter().any(Option::is_none) {
            let Some(arrivals) = self.wait()? else {
                jobs.into_iter().for_each(|job| self.cancel(job));
                return Ok(None);
            };
            for arrival in arrivals {
                if let (job, Arrival::Tested(_, _, tested)) = arrival
                    && let Some(which) = jobs.iter().position(|other| *other == job)
                {
                    found[which] = Some(tested.map_err(Fault::Run)?);
                }
            }
        }
        Ok(Some(found.map(|tested| tested.expect("both were waited for"))))
    }

    /// Tests the result until it is known how often it is interesting, by `left` runs at most; nothing if the reduction is
    /// to end, or they do not suffice.
    pub(crate) fn measure(&mut self, result: &Candidate, left: u64) -> Result<Option<Tested>, Fault> {
        let rule = self.terms.rule;
        let mut runs = Questions::default();
        while runs.total < left {
            self.terms.rule = Rule::ONCE;
            let tested = self.test_alone(result.clone());
            self.terms.rule = rule;
            let Some(tested) = tested? else { return Ok(None) };
            runs.add(&tested.runs);
            let outcome = match rule.decide_result(&runs) {
                Decision::Again => continue,
                Decision::Interesting => Outcome::Interesting,
                Decision::Refused => Outcome::Uninteresting,
            };
            return Ok(Some(Tested { outcome: Some(outcome), runs, ..tested }));
        }
        Ok(None)
    }

    /// What a helper offers while nothing else is waited for; nothing if the reduction is to end.
    pub(crate) fn offers_alone(
        &mut self,
        variant: Variant,
        request: Request,
    ) -> Result<Option<Vec<u8>>, Fault> {
        let alone = self.job_alone();
        self.ask_helper(alone, variant, request);
        loop {
            let Some(arrivals) = self.wait()? else { return Ok(None) };
            for arrival in arrivals {
                if let (job, Arrival::Parsed(Answer::Offers(offers))) = arrival
                    && job == alone
                {
                    let text = offers.texts.first().map(|(_, text)| text.bytes().to_vec());
                    return Ok(Some(text.unwrap_or_default()));
                }
                // Of no use where the search is over.
            }
        }
    }

    /// Counts a question and tells of it.
    pub(crate) fn count(&mut self, tested: &Tested) {
        self.progress.questions.add(&tested.runs);
        if let Some(stage) = Probe::refused_by(self.refused_by.len(), tested.run.end) {
            self.refused_by[stage] += 1;
        }
        let Tested { outcome, run, .. } = tested;
        (self.watch)(Event::Asked { progress: &self.progress, outcome: *outcome, run });
    }

    pub(crate) fn warn(&mut self, warning: &Warning) {
        (self.watch)(Event::Warning(warning));
    }

    fn tell_warnings(&mut self) {
        let helping = self.helping.iter().flat_map(|helping| helping.take_warnings());
        let warnings: Vec<Warning> = self.executor.take_warnings().into_iter().chain(helping).collect();
        warnings.iter().for_each(|warning| self.warn(warning));
    }

    /// Ends whatever is under way, and waits for that.
    pub(crate) fn close(&mut self) {
        self.executor.close();
        self.helping.iter_mut().for_each(|helping| helping.close());
    }

    /// What helpers have done.
    pub(crate) fn helped(&self) -> crate::report::External {
        self.helping.as_ref().map(|helping| helping.done()).unwrap_or_default()
    }
}
