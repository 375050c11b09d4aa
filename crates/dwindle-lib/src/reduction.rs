//! A running reduction: what its driver asks of the outside.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use dwindle_core::{Evidence, Origin, Outcome, Subset};
use dwindle_read::Size;
use dwindle_run::RunEnd;

use crate::asking::{Arrival, Asking, Fault, Tested};
use crate::document::Document;
use crate::driver::{Candidate, ContentKey, Done, Finished, Job, Source, Step, Verdict, Work, World};
use crate::error::{Error, NextRun};
use crate::event::Event;
use crate::filter::Filter;
use crate::journal::{JournalError, KnownOutcome};
use crate::other_crashes::{OtherCrash, OtherCrashes};
use crate::plan::{Effective, Options};
use crate::probe::Probe;
use crate::report::{CpuSeconds, End, External, Repeated, Report, Seconds, Warning, is_trivial};
use crate::sink::Sink;
use crate::store::Store;
use crate::trace::Asked;

/// A running reduction. It begins once the input was found interesting.
pub(crate) struct Reduction<'a> {
    pub(crate) asking: Asking<'a>,
    pub(crate) document: &'a Document,
    pub(crate) probe: &'a mut Probe,
    pub(crate) sink: &'a mut dyn Sink,
    pub(crate) store: &'a mut dyn Store,
    /// Collects candidates that make the command crash in another way.
    pub(crate) others: Option<&'a mut OtherCrashes>,
    /// The user's request to skip what is being tried.
    pub(crate) skip: Option<&'a AtomicBool>,
    /// How often the search has skipped something.
    pub(crate) skipped: u64,
    max_questions: u64,
    /// Whether the result will be laid out.
    pub(crate) lays_out: bool,
    /// When the search ends, so that there is time to lay it out.
    pub(crate) late: Option<Instant>,
    /// Texts that every candidate must contain, whatever the test says.
    pub(crate) filter: Filter,
    /// The outcomes of the run that this one continues.
    pub(crate) known: HashMap<ContentKey, KnownOutcome>,
    /// Whether the best was tested again because the test ended like a shell that does not find a command.
    commands_checked: bool,
    /// How many offers of helpers were taken.
    pub(crate) taken: u64,
    /// The size of the input as candidates are measured; of a folder that is not what its files have.
    pub(crate) input: Size,
    /// The result so far.
    pub(crate) kept: Candidate,
    /// Tests that were begun for the search, and those of them that it has asked for.
    pub(crate) begun: u64,
    pub(crate) asked: u64,
    pub(crate) end: End,
    /// Whether two runs on one candidate disagreed.
    pub(crate) flaky: u64,
    /// How often the test is interesting, where repeats were asked for.
    pub(crate) repeated: Option<Repeated>,
}

impl<'a> Reduction<'a> {
    /// A reduction in which nothing was asked yet but the two questions about the input.
    pub(crate) fn new(
        asking: Asking<'a>,
        document: &'a Document,
        probe: &'a mut Probe,
        sink: &'a mut dyn Sink,
        store: &'a mut dyn Store,
        filter: Filter,
        options: &Options,
    ) -> Self {
        let input = options.size_of(document.bytes());
        let kept = Candidate::of(document.bytes().to_vec(), input);
        Self {
            asking,
            document,
            probe,
            sink,
            store,
            others: None,
            skip: None,
            skipped: 0,
            max_questions: options.max_questions.unwrap_or(u64::MAX),
            lays_out: false,
            late: None,
            filter,
            known: HashMap::new(),
            commands_checked: false,
            taken: 0,
            input,
            kept,
            begun: 0,
            asked: 0,
            end: End::Finished,
            flaky: 0,
            repeated: None,
        }
    }
}

impl Reduction<'_> {
    /// The test cannot be run any more, or dwindle has failed.
    pub(crate) fn fault(&self, fault: Fault) -> Error {
        let output = self.sink.path().to_owned();
        match fault {
            Fault::Run(source) => {
                let questions = self.asking.progress.questions.total;
                Error::Broken { test: self.probe.path().to_owned(), output, questions, source }
            }
            Fault::Internal(what) => Error::Internal { what, output },
            Fault::Trace(error) => error.into(),
        }
    }

    /// dwindle itself has failed.
    pub(crate) fn internal(&self, what: String) -> Error {
        self.fault(Fault::Internal(what))
    }

    /// The report as far as it is known, for a reduction that is [cut off](Report::cut_off).
    pub(crate) fn draft(&self, effective: Effective) -> Report {
        let progress = &self.asking.progress;
        Report {
            version: env!("CARGO_PKG_VERSION"),
            end: End::Finished,
            input: self.document.path().to_owned(),
            test: self.probe.title(),
            output: self.sink.path().to_owned(),
            effective,
            jobs: self.asking.slots(),
            before: progress.before,
            after: progress.best,
            questions: progress.questions,
            stages: Vec::new(),
            cached: 0,
            replayed: 0,
            held_back: 0,
            filtered: 0,
            discarded: 0,
            discarded_per_needed: None,
            external: External::default(),
            formatting: None,
            checked: false,
            cut_off: false,
            steps_back: 0,
            journal: self.store.path().map(Path::to_owned),
            flaky: 0,
            repeated: self.repeated,
            skipped: 0,
            killed: 0,
            also_interesting: Vec::new(),
            long_token: None,
            timeout: self.asking.terms.limit.as_secs_f64(),
            seconds: Seconds::default(),
            cpu_seconds: CpuSeconds::default(),
            peak_memory_bytes: 0,
        }
    }

    /// The test does not find anything interesting any more.
    pub(crate) fn unstable(&mut self) -> Error {
        if !self.probe.is_unchanged() {
            return self.changed();
        }
        let (test, output) = (self.probe.path().to_owned(), self.sink.path().to_owned());
        let kept = self.kept.size != self.input;
        Error::Unstable { test, output, kept, next: self.doubt() }
    }

    /// The test has changed.
    fn changed(&mut self) -> Error {
        let (test, output) = (self.probe.path().to_owned(), self.sink.path().to_owned());
        Error::Changed { test, output, next: self.doubt() }
    }

    /// Forgets the refusals since the test is known to have worked, should the reduction be resumed.
    fn doubt(&mut self) -> NextRun {
        match self.store.doubt() {
            Ok(()) => NextRun::AsksAgain,
            Err(error) => NextRun::Believes(Box::new(error)),
        }
    }

    /// Checks that the test is still the one that the reduction began with.
    pub(crate) fn check_probe(&mut self) -> Result<(), Error> {
        if self.probe.is_unchanged() { Ok(()) } else { Err(self.changed()) }
    }

    /// Tests `candidate` while nothing else runs. None if the reduction is to end.
    pub(crate) fn test_alone(&mut self, candidate: Candidate) -> Result<Option<Tested>, Error> {
        self.asking.test_alone(candidate).map_err(|fault| self.fault(fault))
    }

    /// Tests the best once more, and the input if the best is refused. This is done when the test ends like a shell that
    /// cannot find or run a command: either something that the test needs is missing now, or that is how it refuses. It is
    /// done once, in the order of the commits, so that as many questions are asked with any number of jobs.
    fn check_commands(&mut self) -> Result<(), Error> {
        self.commands_checked = true;
        self.asking.progress.label = "best";
        let input = Candidate::of(self.document.bytes().to_vec(), self.input);
        for candidate in [self.kept.clone(), input] {
            if self.left() < self.asking.terms.rule.until_noticed() {
                return Ok(());
            }
            let tested = self.test_alone(candidate)?;
            if tested.and_then(|tested| tested.outcome) != Some(Outcome::Uninteresting) {
                return Ok(());
            }
        }
        Err(self.unstable())
    }

    /// Whether slow runs are interesting. If so, a run may be slow only because of others beside it.
    pub(crate) fn is_timed(&self) -> bool {
        self.probe.criteria().slower.is_some()
    }

    /// Keeps a candidate that makes the command crash in another way. After a failure none is kept any more.
    fn keep_other(&mut self, found: Option<&OtherCrash>) {
        let (Some(others), Some(found)) = (&mut self.others, found) else { return };
        if let Err(error) = others.keep(found) {
            let warning = Warning::NotKept { folder: others.folder().to_owned(), what: error.to_string() };
            self.others = None;
            self.asking.warn(&warning);
        }
    }

    /// How many runs of the test the budget has left.
    pub(crate) fn runs_left(&self) -> u64 {
        let progress = &self.asking.progress;
        self.max_questions.saturating_sub(progress.questions.total + progress.replayed)
    }

    /// The reduction ends because it was told to.
    pub(crate) fn stopped(&mut self) {
        self.end = self.asking.stop().end().unwrap_or(self.end);
    }

    /// Whether the rest of the time is reserved for the last question.
    fn is_late(&self) -> bool {
        self.lays_out && self.late.is_some_and(|late| late <= Instant::now())
    }

    /// Records the outcome of a test.
    pub(crate) fn write_down(&mut self, key: ContentKey, tested: &Tested) -> Result<(), JournalError> {
        let Some(outcome) = tested.outcome else { return Ok(()) };
        self.store.outcome(key, tested.known(outcome))
    }

    /// Makes `best` the result.
    pub(crate) fn keep(&mut self, best: Candidate) -> Result<(), Error> {
        self.check_probe()?;
        // In this order, so that a run that is resumed from the journal never writes a larger result.
        let progress = &self.asking.progress;
        let question = progress.questions.total + progress.replayed;
        self.store.step(&best.bytes, best.size, question)?;
        match is_trivial(best.size) {
            true => self.sink.keep_nothing(&best.bytes)?,
            false => self.sink.keep(&best.bytes)?,
        }
        self.asking.progress.best = self.document.in_files(&best.bytes, best.size);
        self.kept = best;
        let text = &self.kept.bytes;
        self.asking.tell(|progress| Event::Kept { progress, text });
        Ok(())
    }

    /// Counts the tokens of the result by reading it again. A grammar may cut it into other tokens than the text that it is
    /// a rest of.
    pub(crate) fn recount(&mut self) {
        let Some(front_end) = self.asking.front_end else { return };
        let (tree, reading) = dwindle_read::tree(self.kept.bytes.clone(), front_end);
        if reading.fallback.is_none() {
            let tokens = tree.text().tokens(&Subset::full(tree.text().len()));
            self.kept.size.tokens = tokens.unwrap_or(self.kept.size.tokens);
            self.asking.progress.best.tokens = self.kept.size.tokens;
        }
    }

    fn done(&mut self, arrival: Arrival) -> Result<Done<Tested>, Error> {
        let (key, outcomes, tested) = match arrival {
            Arrival::Prepared(candidate) => return Ok(Done::Prepared(candidate)),
            Arrival::Parsed(answer) => return Ok(Done::Parsed(answer)),
            Arrival::Tested(key, outcomes, tested) => (key, outcomes, tested),
        };
        let tested = tested.map_err(|error| self.fault(Fault::Run(error)))?;
        match tested.outcome {
            None => return Ok(Done::Cancelled),
            Some(Outcome::Interesting) => {
                self.check_probe()?;
                if !self.is_timed() {
                    self.write_down(key, &tested)?;
                }
                // It shows that the test worked when it was started, not that it did for the refusals since then.
                self.store.confirm(outcomes);
            }
            // That a run was killed is not recorded for another run to rely on.
            Some(Outcome::Uninteresting) if !tested.run.end.is_kill() => self.write_down(key, &tested)?,
            // Whether a run exceeded its own time or that of others is known when it is asked for.
            Some(_) => {}
        }
        let outcome = tested.outcome.unwrap_or(Outcome::Unresolved);
        let slow = self.is_timed() && outcome.is_interesting();
        let unsure = slow || outcome == Outcome::Unresolved || tested.run.end.is_kill();
        Ok(Done::Tested(Verdict { outcome, evidence: tested.evidence.clone(), unsure }, tested))
    }
}

impl World for Reduction<'_> {
    type Error = Error;
    type Run = Tested;

    fn skips(&self) -> bool {
        self.skip.is_some_and(|skip| skip.load(Ordering::Relaxed))
    }

    fn skipped(&mut self) {
        self.skip.into_iter().for_each(|skip| skip.store(false, Ordering::Relaxed));
        self.skipped += 1;
    }

    fn start(&mut self, job: Job, work: Work) -> Result<(), Error> {
        self.begun += u64::from(matches!(work, Work::Test(_)));
        let outcomes = self.store.outcomes();
        self.asking.start(job, work, outcomes).map_err(|fault| self.fault(fault))
    }

    fn cancel(&mut self, job: Job) {
        self.asking.cancel(job);
    }

    fn wait(&mut self) -> Result<Option<Finished<Tested>>, Error> {
        let arrivals = self.asking.wait().map_err(|fault| self.fault(fault))?;
        let Some(arrivals) = arrivals else {
            self.stopped();
            return Ok(None);
        };
        arrivals
            .into_iter()
            .map(|(job, arrival)| Ok((job, self.done(arrival)?)))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    fn recall(&mut self, candidate: &Candidate) -> Option<(Verdict, Source)> {
        if !self.filter.admits(&candidate.bytes) {
            return Some((Outcome::Uninteresting.into(), Source::Filter));
        }
        let known = self.known.get(&candidate.key)?;
        let confirmed = self.asking.terms.rule.trusts(known.outcome, known.runs.into());
        let evidence = || match &*known.words {
            [] => Evidence::default(),
            words => Evidence::of(self.asking.vocabulary(), words),
        };
        let verdict = || Verdict { evidence: evidence(), ..known.outcome.into() };
        confirmed.then(|| (verdict(), Source::Journal))
    }

    fn left(&self) -> u64 {
        if self.is_late() {
            return 0;
        }
        // The result will be tested once more, and once as it is laid out.
        let rule = self.asking.terms.rule;
        let runs = rule.last_runs() + u64::from(self.lays_out) * rule.until_accepted();
        let last = u64::from(self.kept.size != self.input) * runs;
        self.runs_left().saturating_sub(last)
    }

    fn traces(&self) -> bool {
        self.asking.traces()
    }

    fn commit(&mut self, step: Step<'_, Tested>) -> Result<(), Error> {
        if let Some(traced) = &step.traced {
            let progress = &self.asking.progress;
            let asked = Asked {
                kind: step.label,
                list: traced.list.as_ref(),
                base: traced.base.unwrap_or(progress.best.tokens),
                key: step.key,
                bytes: traced.candidate.as_ref().map(|candidate| &candidate.bytes[..]),
                size: step.size,
                outcome: step.outcome,
                accepted: traced.accepted,
                source: step.source,
                runs: step.run.as_ref().map(|tested| tested.runs).unwrap_or_default(),
                seconds: step.run.as_ref().map(|tested| tested.run.seconds),
                at: progress.began.elapsed().as_secs_f64(),
            };
            self.asking.trace(&asked)?;
        }
        self.asking.progress.label = step.label;
        self.asking.progress.in_test = self.asking.busy();
        match (step.source, &step.run) {
            (Source::Test, Some(tested)) => {
                self.flaky += u64::from(tested.is_flaky());
                self.asked += 1;
                let slow = self.is_timed() && step.outcome.is_interesting();
                if slow || step.outcome == Outcome::Unresolved {
                    self.write_down(step.key, tested)?;
                }
                self.asking.count(tested);
                self.keep_other(tested.other.as_deref());
                if matches!(tested.run.end, RunEnd::Exited(126 | 127)) && !self.commands_checked {
                    self.check_commands()?;
                }
            }
            (Source::Journal, _) => self.asking.progress.replayed += 1,
            (Source::Filter, _) => self.asking.progress.filtered += 1,
            _ => self.asking.progress.cached += 1,
        }
        self.taken += u64::from(step.best.is_some() && step.origin == Origin::Helper);
        let (base, size) = step.base;
        if base == self.kept.key && self.kept.size != self.input {
            self.kept.size = size;
            self.asking.progress.best.tokens = size.tokens;
        }
        match step.best {
            // The run that this one continues may have got further.
            Some(best) if best.is_smaller_than(&self.kept) => self.keep(best.clone()),
            _ => Ok(()),
        }
    }

    fn unreadable(&mut self, why: &str) {
        self.asking.warn(&Warning::Unreadable { why: why.to_owned() });
    }

    fn spent(&mut self) {
        self.end = if self.is_late() { End::MaxTime } else { End::MaxQuestions };
    }
}
