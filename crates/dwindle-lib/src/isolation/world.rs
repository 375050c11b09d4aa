//! An isolation as it runs: the world of its driver.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use dwindle_core::isolate::IsolateSearch;
use dwindle_core::{Outcome, Subset, Vocabulary};
use dwindle_read::Size;
use dwindle_read::cancellation::unless;
use dwindle_run::RunEnd;

use super::options::Isolation;
use super::report::{Counts, Isolated, Versions};
use crate::asking::{Arrival, Asking, Fault, Terms, Tested};
use crate::checks::{LONGEST_LIMIT, limit_by, run_twice};
use crate::differences::Compared;
use crate::document::Document;
use crate::driver::{
    Candidate, ContentKey, Done, Ended, Finished, Job, Source, Step, Verdict, Work, World, drive,
};
use crate::error::{Error, Rejection};
use crate::event::Event;
use crate::executor::Executor;
use crate::files::named;
use crate::inbox::said_by;
use crate::probe::Probe;
use crate::repeats::Rule;
use crate::report::{End, Progress};
use crate::stop::Stop;
use crate::verdict::{Judge, Words, judge_three_ways};

/// The two versions of an isolation.
pub(super) struct Ends<'a> {
    /// What they are called.
    pub(super) passing: PathBuf,
    pub(super) failing: PathBuf,
    /// As candidates.
    pub(super) old: &'a [u8],
    pub(super) new: &'a [u8],
    /// How a shell runs the test on the version of this name.
    pub(super) by_hand: &'a dyn Fn(&Path, &Probe) -> String,
}

/// Isolates between two versions, after testing both twice; what is left, and the differences of the variant that passes and of
/// the one that fails.
pub(super) fn search(
    isolation: &Isolation,
    ends: &Ends<'_>,
    compared: &dyn Fn() -> Compared,
    probe: &mut Probe,
    executor: &mut dyn Executor,
    stop: &Stop,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<(Isolated, (Subset, Subset)), Error> {
    let (began, slots) = (Instant::now(), executor.slots());
    // What tests print is of no use here.
    let words = Words::new(Box::new(|| Arc::new(Vocabulary::of(b""))));
    let limit = isolation.timeout.unwrap_or(LONGEST_LIMIT);
    let terms = Terms { limit, help_limit: limit, rule: Rule::ONCE };
    let (old, new) = (ends.old, ends.new);
    let progress = Progress::at(Size::of(new), began);
    let judge = Judge { vocabulary: words, criteria: Arc::default(), crashes_of: None };
    let asking = Asking::new(executor, None, stop, judge, terms, progress, watch);
    let mut world = Isolating {
        asking: asking.map_err(Error::Workspace)?,
        test: named(&isolation.test).to_owned(),
        passing: Candidate::of(old.to_vec(), Size::of(old)).key,
        max_questions: isolation.max_questions.unwrap_or(u64::MAX),
        counts: Counts::default(),
        begun: 0,
        asked: 0,
        for_needs: 0,
        end: End::Finished,
    };
    world.check_versions(isolation, ends, probe)?;

    let searched = catch_unwind(AssertUnwindSafe(|| {
        unless(&stop.cancellation(), || {
            let compared = compared();
            let differences = Arc::new(compared.differences.clone());
            let search = IsolateSearch::new(differences, isolation.algorithm);
            let input = Candidate::of(new.to_vec(), world.asking.progress.before);
            let ended = drive(search, input, slots, &mut world)?;
            Ok::<_, Error>((compared, ended))
        })
    }));
    let searched = searched.map_err(|panic| world.fault(Fault::Internal(said_by(&*panic))))?.transpose()?;
    let none = (Subset::empty(0), Subset::empty(0));
    let (found, units, language, all, (few, more)) = match searched {
        Some((Compared { differences, units, language }, Ended { finished, search })) => {
            if !finished && world.end == End::Finished {
                world.end = stop.end().unwrap_or(End::MaxQuestions);
            }
            let found = (search.passing().clone(), search.failing().clone());
            let render = |end| differences.apply(end).render();
            let texts = Versions { passing: render(&found.0), failing: render(&found.1), base: old.to_vec() };
            (texts, units, language, differences.len(), found)
        }
        None => {
            world.end = stop.end().unwrap_or(End::Interrupted);
            let texts = Versions { passing: old.to_vec(), failing: new.to_vec(), base: old.to_vec() };
            (texts, isolation.units.name(), None, 0, none)
        }
    };
    let checked = world.check_variants(&found, !few.is_empty(), more.len() < all)?;
    if !probe.is_unchanged() {
        return Err(Error::Wavers { test: world.test, passed: false });
    }
    world.asking.close();
    let isolated = Isolated {
        version: env!("CARGO_PKG_VERSION"),
        end: world.end,
        passing: ends.passing.clone(),
        failing: ends.failing.clone(),
        test: world.test,
        algorithm: isolation.algorithm.name(),
        units,
        language,
        differences: all,
        left: more.len() - few.len(),
        applied: few.len(),
        questions: world.counts,
        for_difference: world.asked - world.for_needs,
        for_needs: world.for_needs,
        cached: world.asking.progress.cached,
        discarded: world.begun - world.asked,
        checked,
        jobs: slots,
        timeout: world.asking.terms.limit.as_secs_f64(),
        seconds: began.elapsed().as_secs_f64(),
        seconds_in_test: world.asking.busy().as_secs_f64(),
        changes: None,
        texts: found,
    };
    Ok((isolated, (few, more)))
}

/// An isolation as it runs: the world of its driver.
struct Isolating<'a> {
    asking: Asking<'a>,
    test: PathBuf,
    /// The version that passes.
    passing: ContentKey,
    max_questions: u64,
    counts: Counts,
    /// Tests that were begun for the search, and those of them that it has asked for.
    begun: u64,
    asked: u64,
    /// Those of them that were about what the difference needs.
    for_needs: u64,
    end: End,
}

impl Isolating<'_> {
    fn fault(&self, fault: Fault) -> Error {
        match fault {
            Fault::Run(source) => Error::Breaks { test: self.test.clone(), source },
            Fault::Trace(error) => error.into(),
            Fault::Internal(what) => Error::Bug(what),
        }
    }

    /// Tests both versions twice and derives the time limit.
    fn check_versions(
        &mut self,
        isolation: &Isolation,
        versions: &Ends<'_>,
        probe: &Probe,
    ) -> Result<(), Error> {
        let mut all = Vec::new();
        for (path, bytes, expected) in [
            (&versions.failing, versions.new, Outcome::Interesting),
            (&versions.passing, versions.old, Outcome::Uninteresting),
        ] {
            let document = Document::file(path, 0o600, bytes.to_vec());
            let runs = run_twice(&mut self.asking, &document, probe)?;
            runs.iter().for_each(|run| self.counts.count(run.end));
            let path = path.clone();
            match [judge_three_ways(runs[0].end), judge_three_ways(runs[1].end)] {
                [one, other] if one != other => return Err(Error::Flaky { path, runs: Box::new(runs) }),
                [Some(outcome), _] if outcome == expected => all.extend(runs),
                _ => {
                    let [run, _] = runs;
                    let fails = expected == Outcome::Interesting;
                    let by_hand = (versions.by_hand)(&path, probe);
                    let why = Rejection { run, unmet: Vec::new(), by_hand, folder: None, hint: None }.into();
                    return Err(Error::Contrary { path, fails, why });
                }
            }
        }
        if isolation.timeout.is_none() {
            self.asking.terms.limit = limit_by(&all);
        }
        Ok(())
    }

    /// Tests both variants again, those of them that are no version; whether there was time for it.
    fn check_variants(&mut self, texts: &Versions, passing: bool, failing: bool) -> Result<bool, Error> {
        let to_check = [
            (&texts.passing, Outcome::Uninteresting, passing),
            (&texts.failing, Outcome::Interesting, failing),
        ];
        self.asking.progress.label = "result";
        for (text, expected, _) in to_check.into_iter().filter(|(.., changed)| *changed) {
            if self.end != End::Finished {
                return Ok(false);
            }
            let candidate = Candidate::of(text.clone(), Size::of(text));
            let tested = self.asking.test_alone(candidate).map_err(|fault| self.fault(fault))?;
            let Some(tested) = tested else {
                self.end = self.asking.stop().end().unwrap_or(End::Interrupted);
                return Ok(false);
            };
            self.counts.count(tested.run.end);
            if judge_three_ways(tested.run.end) != Some(expected) {
                return Err(Error::Wavers {
                    test: self.test.clone(),
                    passed: expected == Outcome::Uninteresting,
                });
            }
        }
        Ok(true)
    }
}

impl World for Isolating<'_> {
    type Error = Error;
    type Run = Tested;

    fn start(&mut self, job: Job, work: Work) -> Result<(), Error> {
        self.begun += u64::from(matches!(work, Work::Test(_)));
        self.asking.start(job, work, 0).map_err(|fault| self.fault(fault))
    }

    fn cancel(&mut self, job: Job) {
        self.asking.cancel(job);
    }

    fn wait(&mut self) -> Result<Option<Finished<Tested>>, Error> {
        let Some(arrivals) = self.asking.wait().map_err(|fault| self.fault(fault))? else {
            self.end = self.asking.stop().end().unwrap_or(End::Interrupted);
            return Ok(None);
        };
        let done = |arrival| -> Result<Done<Tested>, Error> {
            match arrival {
                Arrival::Prepared(candidate) => Ok(Done::Prepared(candidate)),
                Arrival::Parsed(answer) => Ok(Done::Parsed(answer)),
                Arrival::Tested(_, _, tested) => {
                    let tested = tested.map_err(|error| self.fault(Fault::Run(error)))?;
                    let outcome = tested.outcome.and_then(|_| judge_three_ways(tested.run.end));
                    let Some(outcome) = outcome else { return Ok(Done::Cancelled) };
                    // What was said in time is sure.
                    let unsure = tested.run.end == RunEnd::TimedOut || tested.run.end.is_kill();
                    Ok(Done::Tested(Verdict { unsure, ..outcome.into() }, tested))
                }
            }
        };
        arrivals
            .into_iter()
            .map(|(job, arrival)| Ok((job, done(arrival)?)))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    fn recall(&mut self, candidate: &Candidate) -> Option<(Verdict, Source)> {
        (candidate.key == self.passing).then(|| (Outcome::Uninteresting.into(), Source::Filter))
    }

    fn left(&self) -> u64 {
        // Both variants are tested once more.
        self.max_questions.saturating_sub(self.counts.total + 2)
    }

    fn commit(&mut self, step: Step<'_, Tested>) -> Result<(), Error> {
        let progress = &mut self.asking.progress;
        progress.label = step.label;
        match step.run {
            Some(tested) if step.source == Source::Test => {
                self.asked += 1;
                self.for_needs += u64::from(step.label == IsolateSearch::NEEDS);
                self.counts.count(tested.run.end);
                self.asking.count(&tested);
            }
            _ => progress.cached += 1,
        }
        Ok(())
    }

    fn spent(&mut self) {
        self.end = End::MaxQuestions;
    }
}
