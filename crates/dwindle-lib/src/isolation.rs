//! The isolation of what makes the difference between two versions of a file, as the command does it.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dwindle_core::isolate::{Algorithm, IsolateSearch};
use dwindle_core::{Outcome, Subset, Vocabulary};
use dwindle_read::cancellation::unless;
use dwindle_read::{FrontEnd, Size};
use dwindle_run::{CandidateFile, Interrupt, Limits, RunEnd, Stations, Workspace};
use rustix::process::geteuid;
use serde::Serialize;

use crate::asking::{Arrival, Asking, Fault, Terms, Tested};
use crate::checks::{LONGEST_LIMIT, limit_by, run_twice};
use crate::differences::{Compared, Units, compare};
use crate::document::Document;
use crate::driver::{
    Candidate, ContentKey, Done, Ended, Finished, Job, Source, Step, Verdict, Work, World, drive,
};
use crate::error::{Error, Rejection};
use crate::event::Event;
use crate::executor::{Executor, Local};
use crate::file::count_jobs;
use crate::files::{find_test, read_file};
use crate::inbox::said_by;
use crate::probe::Probe;
use crate::repeats::Rule;
use crate::report::{End, Progress, Warning};
use crate::stop::Stop;
use crate::verdict::{Judge, Words, judge_three_ways};

/// What to isolate, and how.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Isolation {
    /// The version that passes.
    pub passing: PathBuf,
    /// The version that fails.
    pub failing: PathBuf,
    /// The executable that exits with 0 where a variant fails as that one does, with 125 where it cannot say, and with
    /// anything else where it passes.
    pub test: PathBuf,
    /// Which questions are asked.
    pub algorithm: Algorithm,
    /// What differences are.
    pub units: Units,
    /// What reads both versions, where their language is not to be recognised.
    pub front_end: Option<FrontEnd>,
    /// How many tests run at once; without it, as many as there are processors.
    pub jobs: Option<NonZeroUsize>,
    /// The time limit of a test; without it, 10 times the slowest of the first four runs, 1 s to 300 s.
    pub timeout: Option<Duration>,
    /// When to stop.
    pub max_time: Option<Duration>,
    /// How many runs of the test to spend, the four on the two versions included.
    pub max_questions: Option<u64>,
    /// What each process of a test may use.
    pub limits: Limits,
}

impl Isolation {
    /// As the command does it where nothing else is said.
    pub fn new(passing: PathBuf, failing: PathBuf, test: PathBuf) -> Self {
        Self {
            passing,
            failing,
            test,
            algorithm: Algorithm::default(),
            units: Units::default(),
            front_end: None,
            jobs: None,
            timeout: None,
            max_time: None,
            max_questions: None,
            limits: Limits::default(),
        }
    }
}

/// What came of it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Isolated {
    pub version: &'static str,
    pub end: End,
    pub passing: PathBuf,
    pub failing: PathBuf,
    pub test: PathBuf,
    pub algorithm: &'static str,
    /// What differences are.
    pub units: &'static str,
    /// What has read both versions, where they are nodes.
    pub language: Option<&'static str>,
    /// How many there are between the two versions, and how many are left.
    pub differences: usize,
    pub left: usize,
    /// How many of them the variant that passes has; where it is none, that is the version that passes.
    pub applied: usize,
    pub questions: Counts,
    /// How many of them the search asked for the difference itself, and then for what it needs of the others.
    pub for_difference: u64,
    pub for_needs: u64,
    /// Candidates answered without a question.
    pub cached: u64,
    /// Tests begun ahead for nothing.
    pub discarded: u64,
    /// Whether both variants were tested again at the end.
    pub checked: bool,
    pub jobs: usize,
    /// The time limit of a test, in seconds.
    pub timeout: f64,
    pub seconds: f64,
    /// For how long tests have run.
    pub seconds_in_test: f64,
    #[serde(skip)]
    pub texts: Versions,
}

/// Runs of the test by how they ended, the four on the two versions included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Counts {
    pub total: u64,
    pub failing: u64,
    pub passing: u64,
    /// Exit code 125.
    pub unresolved: u64,
    /// Over the time limit, which is unresolved, too.
    pub timeout: u64,
}

impl Counts {
    fn count(&mut self, end: RunEnd) {
        self.total += 1;
        match judge_three_ways(end) {
            Some(Outcome::Interesting) => self.failing += 1,
            Some(Outcome::Uninteresting) => self.passing += 1,
            Some(Outcome::Unresolved) if end == RunEnd::TimedOut => self.timeout += 1,
            Some(Outcome::Unresolved) => self.unresolved += 1,
            None => {}
        }
    }
}

/// The texts of an isolation, from the version that passes to a variant that fails.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Versions {
    /// The version that passes.
    pub base: Vec<u8>,
    /// The variant that passes.
    pub passing: Vec<u8>,
    /// The variant that fails.
    pub failing: Vec<u8>,
}

/// Looks for two variants of two files with a minimal difference, one that passes and one that fails: tests the files
/// themselves twice, then lets the search ask until it is over, a budget is spent or `interrupt` says so. Nothing is
/// written. `watch` is told of every question.
///
/// # Errors
///
/// They say what is wrong with the files, the test or the machine, and what to do next.
pub fn isolate_files(
    isolation: &Isolation,
    interrupt: &Interrupt,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Isolated, Error> {
    let began = Instant::now();
    let deadline = isolation.max_time.and_then(|time| began.checked_add(time));
    let stop = Stop::on(interrupt, deadline).map_err(Error::Workspace)?;
    if geteuid().is_root() {
        watch(Event::Warning(&Warning::Root));
    }
    let jobs = count_jobs(isolation.jobs)?;
    let Isolation { passing, failing, .. } = isolation;
    let read = |path: &PathBuf| {
        read_file(path).map_err(|error| match error {
            Error::Input { path, what } => Error::Version { path, what },
            other => other,
        })
    };
    let [old, new] = [read(passing)?, read(failing)?];
    if old == new {
        return Err(Error::Same { passing: passing.clone(), failing: failing.clone() });
    }
    if old.len() + new.len() > u32::MAX as usize {
        let what = "together with the other version it has more than 4 GiB".to_owned();
        return Err(Error::Version { path: failing.clone(), what });
    }
    let test = find_test(&isolation.test)?;
    let mut probe = Probe::script(test)
        .map_err(|source| Error::Test { path: isolation.test.clone(), what: source.to_string() })?;
    let workspace = Workspace::new(old.len().max(new.len())).map_err(Error::Workspace)?;
    // Variants have the name of the version that fails. Nobody else is to read them, whoever may read that.
    let name = failing.file_name().unwrap_or_default().into();
    let file = CandidateFile { name, mode: 0o600, beside: Vec::new(), unfold: None };
    let stations = Stations::new(file, isolation.limits, workspace, Vec::new()).map_err(Error::Host)?;
    let mut executor = Local::new(stations, &probe, jobs).map_err(Error::Workspace)?;
    let isolated = isolate(isolation, [old, new], &mut probe, &mut executor, &stop, watch)?;
    Ok(Isolated { seconds: began.elapsed().as_secs_f64(), ..isolated })
}

/// The same between two texts, which differ, wherever the test runs.
pub(crate) fn isolate(
    isolation: &Isolation,
    [old, new]: [Vec<u8>; 2],
    probe: &mut Probe,
    executor: &mut dyn Executor,
    stop: &Stop,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Isolated, Error> {
    let (began, jobs) = (Instant::now(), executor.slots());
    let Isolation { passing, failing, .. } = isolation;
    // What tests print is of no use here.
    let words = Words::new(Box::new(|| Arc::new(Vocabulary::of(b""))));
    let limit = isolation.timeout.unwrap_or(LONGEST_LIMIT);
    let terms = Terms { limit, help_limit: limit, rule: Rule::ONCE };
    let progress = Progress::at(Size::of(&new), began);
    let judge = Judge { vocabulary: words, criteria: Arc::default(), crashes_of: None };
    let asking = Asking::new(executor, None, stop, judge, terms, progress, watch);
    let mut world = Isolating {
        asking: asking.map_err(Error::Workspace)?,
        test: probe.path().to_owned(),
        passing: Candidate::of(old.clone(), Size::of(&old)).key,
        max_questions: isolation.max_questions.unwrap_or(u64::MAX),
        counts: Counts::default(),
        begun: 0,
        asked: 0,
        for_needs: 0,
        end: End::Finished,
    };
    world.check_versions(isolation, &old, &new, probe)?;

    let searched = catch_unwind(AssertUnwindSafe(|| {
        unless(&stop.cancellation(), || {
            let front_end = isolation.front_end.unwrap_or_else(|| FrontEnd::recognise(failing, &new));
            let compared = compare(&old, &new, isolation.units, front_end);
            let differences = Arc::new(compared.differences.clone());
            let search = IsolateSearch::new(differences, isolation.algorithm);
            let input = Candidate::of(new.clone(), world.asking.progress.before);
            let ended = drive(search, input, jobs, &mut world)?;
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
            let ends = (search.passing().clone(), search.failing().clone());
            let render = |end| differences.apply(end).render();
            let texts = Versions { passing: render(&ends.0), failing: render(&ends.1), base: old };
            (texts, units, language, differences.len(), ends)
        }
        None => {
            world.end = stop.end().unwrap_or(End::Interrupted);
            let texts = Versions { passing: old.clone(), failing: new, base: old };
            (texts, isolation.units.name(), None, 0, none)
        }
    };
    let checked = world.check_variants(&found, !few.is_empty(), more.len() < all)?;
    if !probe.is_unchanged() {
        return Err(Error::Wavers { test: world.test, passed: false });
    }
    world.asking.close();
    Ok(Isolated {
        version: env!("CARGO_PKG_VERSION"),
        end: world.end,
        passing: passing.clone(),
        failing: failing.clone(),
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
        jobs,
        timeout: world.asking.terms.limit.as_secs_f64(),
        seconds: began.elapsed().as_secs_f64(),
        seconds_in_test: world.asking.busy().as_secs_f64(),
        texts: found,
    })
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
        old: &[u8],
        new: &[u8],
        probe: &Probe,
    ) -> Result<(), Error> {
        let mut all = Vec::new();
        for (path, bytes, expected) in [
            (&isolation.failing, new, Outcome::Interesting),
            (&isolation.passing, old, Outcome::Uninteresting),
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
                    let by_hand =
                        probe.by_hand(&path, false, isolation.failing.file_name().unwrap_or_default());
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
