//! A whole reduction, from the names of the files to the reduced one.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dwindle_core::{MinimizerConfig, Outcome, Search};
use rustix::process::geteuid;

use crate::driver::{World, drive};
use crate::files::{find_test, read_input};
use crate::front_end::{FrontEnd, Unknown};
use crate::interrupt::{Cancel, Interrupt, Stop};
use crate::keeper::Limits;
use crate::method::Method;
use crate::oracle::{Oracle, Run, RunEnd, RunError, Station};
use crate::output::{Output, OutputError};
use crate::report::{CpuSeconds, End, Questions, Report, Seconds, Size, Warning, children_seconds, usage};
use crate::shell::quoted;
use crate::workspace::Workspace;

/// The longest that the first two runs may take, and the largest limit that is derived from them.
const LONGEST_LIMIT: Duration = Duration::from_secs(300);
const SHORTEST_LIMIT: Duration = Duration::from_secs(1);
/// How much longer than the input a candidate may take.
const LIMIT_FACTOR: u32 = 10;

/// What to reduce, and how.
#[derive(Clone, Debug)]
pub struct Config {
    /// The file to reduce.
    pub input: PathBuf,
    /// The executable that exits with 0 while a candidate is interesting.
    pub test: PathBuf,
    /// Where the result goes.
    pub target: Target,
    /// What is deleted, and in which order.
    pub method: Method,
    /// The language of the input, where it is not to be recognised.
    pub language: Option<String>,
    /// Which minimiser decides what to try.
    pub minimizer: MinimizerConfig,
    /// The time limit of a test; without one, 10 times the slower of the first two runs, at least
    /// 1 s and at most 300 s.
    pub timeout: Option<Duration>,
    /// When to stop.
    pub max_time: Option<Duration>,
    /// How many runs of the test to spend, the two on the input included.
    pub max_questions: Option<u64>,
    /// What each process of a test may use.
    pub limits: Limits,
}

/// Where the result goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Beside the input: `a.c` becomes `a.reduced.c`.
    Beside,
    /// Into this file.
    File(PathBuf),
    /// Over the input `a.c`, whose bytes are kept in `a.c.orig`.
    InPlace,
}

/// Something that happened, for whoever watches.
#[derive(Debug)]
pub enum Event<'a> {
    /// A test ended.
    Asked {
        /// How the reduction stands.
        progress: &'a Progress,
        /// The run.
        run: &'a Run,
    },
    /// Something that should be said.
    Warning(&'a Warning),
    /// A smaller variant was kept.
    Kept {
        /// How the reduction stands.
        progress: &'a Progress,
    },
}

/// How a reduction stands.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The size of the input.
    pub before: Size,
    /// The size of the best variant so far.
    pub best: Size,
    /// The questions so far.
    pub questions: Questions,
    /// Candidates answered without a question.
    pub cached: u64,
    /// What is being tried.
    pub label: &'static str,
    /// When it began.
    pub began: Instant,
}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input cannot be reduced.
    #[error("cannot reduce {}: {what}", path.display())]
    Input {
        /// The input.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The test cannot be run.
    #[error("cannot run the test {}: {what}", path.display())]
    Test {
        /// The test.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The test and the input were given the wrong way round.
    #[error(
        "{} is no program but {} is one: TEST comes first, then INPUT; did you mean\n  dwindle {} {}",
        test.display(), input.display(), quoted(input), quoted(test)
    )]
    Swapped {
        /// What was given as the test.
        test: PathBuf,
        /// What was given as the input.
        input: PathBuf,
    },
    /// The test is not interested in the input itself.
    #[error("the input {} is not interesting: the test ended {}", path.display(), run.end)]
    NotInteresting {
        /// The input.
        path: PathBuf,
        /// The test, made absolute.
        test: PathBuf,
        /// What the test did.
        run: Run,
    },
    /// The test says now this, now that of the input.
    #[error(
        "the test is flaky on the input {}: of two runs, one ended {}, the other {}",
        path.display(), runs[0].end, runs[1].end
    )]
    Flaky {
        /// The input.
        path: PathBuf,
        /// What the test did.
        runs: Box<[Run; 2]>,
    },
    /// The language that was named is not known.
    #[error(transparent)]
    Language(#[from] Unknown),
    /// The result cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The test could be run at first, but not any more. The best result so far is kept.
    #[error("the test {} broke after {questions} questions: {source}; the best result so far is in {}",
        test.display(), output.display())]
    Broken {
        /// The test.
        test: PathBuf,
        /// Where the best result is.
        output: PathBuf,
        /// The runs before.
        questions: u64,
        /// What happened.
        source: RunError,
    },
    /// The test was started, but what came of that is no answer.
    #[error("cannot run the test {}: {source}", test.display())]
    Breaks {
        /// The test.
        test: PathBuf,
        /// What happened.
        source: RunError,
    },
    /// The program that calls this cannot run tests.
    #[error(transparent)]
    Host(io::Error),
    /// There is no place to run tests in, or to wait for them.
    #[error("cannot set up a folder for the tests: {0}; TMPDIR names another place")]
    Workspace(#[source] io::Error),
    /// The reduction was stopped before the input had been tested.
    #[error("stopped by --max-time or an interrupt before the input had been tested; nothing was written")]
    StoppedEarly,
}

/// Reduces `config.input`: tests it twice, then lets the search ask until it is over, a budget is
/// spent or `interrupt` says so. The best variant so far is in the result file at every moment.
/// `watch` is told of every question.
pub fn reduce(
    config: &Config,
    interrupt: &Interrupt,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Report, Error> {
    let began = Instant::now();
    let stop = Stop { interrupt, deadline: config.max_time.and_then(|time| began.checked_add(time)) };
    let (cpu_before, _) = usage();
    let helpers_before = children_seconds();
    if geteuid().is_root() {
        watch(Event::Warning(&Warning::Root));
    }

    let input = read_input(config)?;
    let test = find_test(&config.test)?;
    let output = open_output(config)?;
    let name = config.input.file_name().unwrap_or_default();
    let mode = fs::metadata(&config.input).map_or(0o644, |metadata| metadata.permissions().mode() & 0o777);
    let workspace = Workspace::new(input.len()).map_err(Error::Workspace)?;
    let front_end = FrontEnd::recognise(&config.input, &input, config.language.as_deref())?;
    let before = Size::of(&input);
    let oracle =
        Oracle::new(test.clone(), name, mode | 0o600, config.limits, workspace, output.temporaries())
            .map_err(Error::Host)?;
    let mut session = Session {
        station: oracle.station().map_err(Error::Workspace)?,
        oracle,
        cancel: Cancel::on(interrupt).map_err(Error::Workspace)?,
        stop,
        limit: config.timeout.unwrap_or(LONGEST_LIMIT),
        max_questions: config.max_questions.unwrap_or(u64::MAX),
        output: &output,
        test: &test,
        in_test: 0.0,
        cpu_in_test: 0.0,
        progress: Progress {
            before,
            best: before,
            questions: Questions::default(),
            cached: 0,
            label: "input",
            began,
        },
        end: End::Finished,
        watch,
    };

    session.check_input(config, &input)?;
    output.begin(&input)?;
    let (search, reading) = config.method.search(input.clone(), front_end, config.minimizer);
    let before = search.best().tokens().map_or(before, |tokens| Size { tokens, ..before });
    (session.progress.before, session.progress.best) = (before, before);
    drive(search, &input, before, &mut session)?;
    output.sync()?;

    let Session { station, oracle, end, limit, progress, in_test, cpu_in_test, .. } = session;
    // The processor time of helpers is known when they have ended, unless one was killed.
    drop((station, oracle));
    let (cpu, peak_memory_bytes) = usage();
    let cpu_and_helpers = cpu - cpu_before + children_seconds() - helpers_before;
    let total = began.elapsed().as_secs_f64();
    Ok(Report {
        version: env!("CARGO_PKG_VERSION"),
        end,
        input: config.input.clone(),
        test: test.clone(),
        output: output.path().to_owned(),
        format: config.method.format(),
        reducer: config.method.reducer(),
        reading,
        minimizer: config.minimizer.kind.name(),
        seed: config.minimizer.seed,
        before,
        after: progress.best,
        questions: progress.questions,
        cached: progress.cached,
        timeout: limit.as_secs_f64(),
        seconds: Seconds { total, test: in_test, dwindle: total - in_test },
        cpu_seconds: CpuSeconds { test: cpu_in_test, dwindle: (cpu_and_helpers - cpu_in_test).max(0.0) },
        peak_memory_bytes,
    })
}

/// One reduction as it runs.
struct Session<'a> {
    station: Station,
    oracle: Oracle,
    cancel: Cancel,
    stop: Stop<'a>,
    /// The time limit of a test.
    limit: Duration,
    max_questions: u64,
    output: &'a Output,
    test: &'a Path,
    /// The seconds in which a test ran.
    in_test: f64,
    /// The seconds of processors that it took.
    cpu_in_test: f64,
    progress: Progress,
    end: End,
    watch: &'a mut dyn FnMut(Event<'_>),
}

impl Session<'_> {
    fn run(&mut self, candidate: &[u8]) -> Result<Run, RunError> {
        let left = self.stop.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let limit = left.map_or(self.limit, |left| left.min(self.limit));
        let run = self.station.run(candidate, limit, &self.cancel);
        for warning in self.oracle.take_warnings() {
            (self.watch)(Event::Warning(&warning));
        }
        let mut run = run?;
        if run.end == RunEnd::TimedOut && limit < self.limit {
            run.end = RunEnd::Stopped;
        }
        self.in_test += run.seconds;
        self.cpu_in_test += run.cpu_seconds;
        if run.end != RunEnd::Stopped {
            self.progress.questions.count(run.end);
            (self.watch)(Event::Asked { progress: &self.progress, run: &run });
        }
        Ok(run)
    }

    /// Tests the input twice and derives the time limit.
    fn check_input(&mut self, config: &Config, input: &[u8]) -> Result<(), Error> {
        let mut run = || {
            let run = self.run(input).map_err(|error| match error {
                RunError::Start(source) => {
                    let what = source.to_string();
                    Error::Test { path: config.test.clone(), what }
                }
                RunError::Place(source) | RunError::Wait(source) => Error::Workspace(source),
                RunError::Left | RunError::Keeper | RunError::Full { .. } => {
                    Error::Breaks { test: config.test.clone(), source: error }
                }
            })?;
            if run.end == RunEnd::Stopped { Err(Error::StoppedEarly) } else { Ok(run) }
        };
        let runs = [run()?, run()?];
        let path = config.input.clone();
        match [runs[0].end, runs[1].end] {
            [RunEnd::Exited(0), RunEnd::Exited(0)] => {}
            [RunEnd::Exited(0), _] | [_, RunEnd::Exited(0)] => {
                return Err(Error::Flaky { path, runs: Box::new(runs) });
            }
            _ => {
                let [run, _] = runs;
                return Err(Error::NotInteresting { path, test: self.test.to_owned(), run });
            }
        }
        if config.timeout.is_none() {
            let slower = Duration::from_secs_f64(runs[0].seconds.max(runs[1].seconds));
            self.limit = (slower * LIMIT_FACTOR).clamp(SHORTEST_LIMIT, LONGEST_LIMIT);
        }
        Ok(())
    }

    fn broken(&self, source: RunError) -> Error {
        Error::Broken {
            test: self.test.to_owned(),
            output: self.output.path().to_owned(),
            questions: self.progress.questions.total,
            source,
        }
    }

    /// Whether a question may be asked; if not, why the reduction ends.
    fn may_ask(&self) -> Result<Option<End>, Error> {
        let interrupted = self.stop.interrupted().map_err(|error| self.broken(RunError::Wait(error)))?;
        Ok(match () {
            () if interrupted => Some(End::Interrupted),
            () if self.stop.out_of_time() => Some(End::MaxTime),
            () if self.progress.questions.total >= self.max_questions => Some(End::MaxQuestions),
            () => None,
        })
    }
}

impl World for Session<'_> {
    type Error = Error;

    fn test(&mut self, candidate: &[u8], label: &'static str) -> Result<Option<Outcome>, Error> {
        self.progress.label = label;
        if let Some(end) = self.may_ask()? {
            self.end = end;
            return Ok(None);
        }
        let run = self.run(candidate).map_err(|error| self.broken(error))?;
        Ok(match run.end {
            RunEnd::Exited(0) => Some(Outcome::Interesting),
            RunEnd::Exited(_) | RunEnd::Signalled(_) => Some(Outcome::Uninteresting),
            RunEnd::TimedOut => Some(Outcome::Unresolved),
            RunEnd::Stopped => {
                self.end = self.may_ask()?.unwrap_or(End::Interrupted);
                None
            }
        })
    }

    fn cached(&mut self) {
        self.progress.cached += 1;
    }

    fn keep(&mut self, best: &[u8], size: Size) -> Result<(), Error> {
        self.output.replace(best)?;
        self.progress.best = size;
        (self.watch)(Event::Kept { progress: &self.progress });
        Ok(())
    }
}

fn open_output(config: &Config) -> Result<Output, Error> {
    let metadata = |path: &Path| {
        fs::metadata(path).map_err(|source| OutputError::Write { path: path.to_owned(), source })
    };
    let (input, test) = (metadata(&config.input)?, metadata(&config.test)?);
    Ok(match &config.target {
        Target::Beside => Output::at(Output::beside(&config.input), &input, &test)?,
        Target::File(path) => Output::at(path.clone(), &input, &test)?,
        Target::InPlace => Output::in_place(&config.input, &input, &test)?,
    })
}
