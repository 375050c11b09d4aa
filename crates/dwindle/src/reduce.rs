//! A whole reduction, from the names of the files to the reduced one.

use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use dwindle_core::passes::{Level, Pass, Schedule};
use dwindle_core::{ExternalSearch, Format, MinimizerConfig, MinimizerKind, Search, Vocabulary};
use rustix::process::geteuid;

use crate::cancellation::{Canceller, Watcher};
use crate::claim::{Claim, ClaimError};
use crate::clang_delta;
use crate::crew::{Crew, Terms};
use crate::driver::{Candidate, Ended, drive};
use crate::external::{Helper, Helpers};
use crate::files::{check_journal, find_external, find_test, read_input};
use crate::formatting;
use crate::journal::{Journal, JournalError, Place, Policy, Subject};
use crate::keep::{Keep, NothingToKeep, Pattern};
use crate::method::Method;
use crate::oracle::{Oracle, Words};
use crate::output::{Output, OutputError};
use crate::report::{
    CpuSeconds, End, External, Formatted, Formatting, LongToken, Questions, Report, Seconds, Warning,
};
use crate::session::{Busy, Session};
use crate::shell::quoted;
use crate::shown::shown;
use crate::test_file::TestFile;
use dwindle_read::cancellation::unless;
use dwindle_read::{FrontEnd, Reading, Size, Unknown, lexer};
use dwindle_run::{
    CandidateFile, Interrupt, Limits, Run, RunError, Stations, Stop, Workspace, children_seconds,
    most_stations, usage,
};

/// The longest that the first two runs may take, and the largest limit that is derived from them.
pub(crate) const LONGEST_LIMIT: Duration = Duration::from_secs(300);

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
    /// Which passes transform what deletion leaves.
    pub schedule: Schedule,
    /// Commands that offer smaller texts where the search finds none.
    pub external: Vec<PathBuf>,
    /// Whether `clang_delta` does the same for C and C++.
    pub clang_delta: When,
    /// Whether the result is formatted at the end.
    pub format_result: bool,
    /// What of the input stays in every candidate.
    pub keep: Vec<Pattern>,
    /// The language of the input, where it is not to be recognised.
    pub language: Option<String>,
    /// Which minimiser decides what to try.
    pub minimizer: MinimizerConfig,
    /// The time limit of a test; without one, 10 times the slower of the first two runs, at least
    /// 1 s and at most 300 s.
    pub timeout: Option<Duration>,
    /// How many tests run at once; without it, as many as there are processors.
    pub jobs: Option<NonZeroUsize>,
    /// How many runs must agree that a candidate is interesting.
    pub confirm: u32,
    /// Where the journal lies, if not in the user's folder for journals.
    pub journal: Option<PathBuf>,
    /// How large it may become, in bytes.
    pub journal_limit: u64,
    /// What becomes of an unfinished run with the same input, test and output.
    pub policy: Policy,
    /// When to stop.
    pub max_time: Option<Duration>,
    /// How many runs of the test to spend, the two on the input included.
    pub max_questions: Option<u64>,
    /// What each process of a test may use.
    pub limits: Limits,
}

impl Config {
    /// The reduction of `input` by `test` as the command does it where nothing else is said.
    pub fn new(input: PathBuf, test: PathBuf) -> Self {
        Self {
            input,
            test,
            target: Target::Beside,
            method: Method::DEFAULT,
            schedule: Method::DEFAULT.schedule(None),
            external: Vec::new(),
            clang_delta: When::Auto,
            format_result: false,
            keep: Vec::new(),
            language: None,
            minimizer: MinimizerConfig::new(MinimizerKind::default()),
            timeout: None,
            jobs: None,
            confirm: 1,
            journal: None,
            journal_limit: 256 << 20,
            policy: Policy::Auto,
            max_time: None,
            max_questions: None,
            limits: Limits::default(),
        }
    }
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

/// When `clang_delta` helps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// At the level `thorough`, where it is installed.
    Auto,
    /// At every level; it must be there.
    Always,
    /// Not at all.
    Never,
}

impl When {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Always, Self::Never];

    /// The name by which people choose it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Always => "always",
            Self::Never => "never",
        }
    }
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
    /// There is a result file now, or more is known about the reduction: what to report should it be
    /// [cut off](Report::cut_off).
    Draft {
        /// How the reduction stands.
        progress: &'a Progress,
        /// What it says besides.
        report: &'a Report,
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
    /// Candidates answered by the journal of the run that this one continues.
    pub replayed: u64,
    /// Candidates refused without a question, because they do not hold what is to be kept.
    pub filtered: u64,
    /// What is being tried.
    pub label: &'static str,
    /// When it began.
    pub began: Instant,
    /// For how long tests have run since.
    pub in_test: Duration,
}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input cannot be reduced.
    #[error("cannot reduce {}: {what}", shown(path))]
    Input {
        /// The input.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The test cannot be run.
    #[error("cannot run the test {}: {what}", shown(path))]
    Test {
        /// The test.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// An external command cannot be run.
    #[error("cannot run the external command {}: {what}", shown(path))]
    External {
        /// The command.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// `clang_delta` was asked for and cannot help.
    #[error("clang_delta cannot help: {0}")]
    ClangDelta(String),
    /// The test and the input were given the wrong way round.
    #[error(
        "{} is no program but {} is one: TEST comes first, then INPUT; did you mean\n  dwindle {} {}",
        shown(test),
        shown(input),
        quoted(input),
        quoted(test)
    )]
    Swapped {
        /// What was given as the test.
        test: PathBuf,
        /// What was given as the input.
        input: PathBuf,
    },
    /// The test is not interested in the input itself.
    #[error("the input {} is not interesting: the test ended {}", shown(path), run.end)]
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
        shown(path), runs[0].end, runs[1].end
    )]
    Flaky {
        /// The input.
        path: PathBuf,
        /// What the test did.
        runs: Box<[Run; 2]>,
    },
    /// Another run reduces into the same file.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// The journal was to be a file that is needed for something else.
    #[error("the journal cannot be {}, which is {what}; name another file with --journal", shown(journal))]
    JournalElsewhere {
        /// The file.
        journal: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// There is something wrong with the journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The test finds nothing interesting any more, not even the input.
    #[error(
        "the test {} finds {} interesting any more: it is flaky, or something that it needs has changed; the same \
         command {next}; `dwindle history {}` has all that was kept",
        shown(test),
        if *kept {
            format!("neither the input nor the result in {}", shown(output))
        } else {
            "not even the input".to_owned()
        },
        quoted(output)
    )]
    Unstable {
        /// The test.
        test: PathBuf,
        /// Where the smallest result is.
        output: PathBuf,
        /// Whether it is smaller than the input.
        kept: bool,
        /// What becomes of what it has said.
        next: NextRun,
    },
    /// The file of the test was changed while it was in use.
    #[error(
        "the test {} was changed while it was in use, and a result that two tests have a part in stands for \
         neither; the best one of the first test is in {}; with that test back, the same command {next}",
        shown(test),
        shown(output)
    )]
    Changed {
        /// The test.
        test: PathBuf,
        /// Where the smallest result is.
        output: PathBuf,
        /// What becomes of what it has said.
        next: NextRun,
    },
    /// The language that was named is not known.
    #[error(transparent)]
    Language(#[from] Unknown),
    /// A pattern keeps nothing.
    #[error(transparent)]
    NothingToKeep(#[from] NothingToKeep),
    /// The result cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The test could be run at first, but not any more. The best result so far is kept.
    #[error(
        "the test {} broke after {questions} questions: {source}; the best result so far is in {}",
        shown(test),
        shown(output)
    )]
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
    #[error("cannot run the test {}: {source}", shown(test))]
    Breaks {
        /// The test.
        test: PathBuf,
        /// What happened.
        source: RunError,
    },
    /// More tests are to run at once than this process may have files open for.
    #[error(
        "{jobs} tests cannot run at once: the limits of this process (`ulimit -n`, `ulimit -u`) allow {most}"
    )]
    Jobs {
        /// How many there were to be.
        jobs: usize,
        /// How many there can be.
        most: usize,
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

/// What the same command does the next time with what a test has said that does not work any more.
#[derive(Debug)]
pub enum NextRun {
    /// It asks again what was refused since the test is known to have worked.
    AsksAgain,
    /// It would believe it, since it could not be taken out of the journal.
    Believes(Box<JournalError>),
}

impl Display for NextRun {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::AsksAgain => f.write_str(
                "goes on, and asks again what was refused since something was last found interesting; --fresh \
                 begins anew",
            ),
            Self::Believes(error) => {
                write!(f, "would believe what was refused meanwhile ({error}), so add --fresh")
            }
        }
    }
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
    let canceller = Canceller::default();
    let cancellation = canceller.cancellation();
    let _watcher = Watcher::new(interrupt, stop.deadline, canceller.clone()).map_err(Error::Workspace)?;
    let (cpu_before, _) = usage();
    let helpers_before = children_seconds();
    if geteuid().is_root() {
        watch(Event::Warning(&Warning::Root));
    }

    let most = most_stations();
    let jobs = match config.jobs.map(usize::from) {
        Some(jobs) if jobs > most => return Err(Error::Jobs { jobs, most }),
        Some(jobs) => jobs,
        None => thread::available_parallelism().map_or(1, usize::from).min(most),
    };
    let input = read_input(config)?;
    let test = find_test(&config.test)?;
    let commands = config.external.iter().map(|command| find_external(command));
    let commands = commands.collect::<Result<Vec<PathBuf>, Error>>()?;
    let Opened { input, output, resumed } = open(config, input)?;
    check_journal(config, &output)?;
    let filter = Keep::new(&config.keep, &input, &config.input)?;
    let _claim = Claim::take(output.path())?;
    output.hold()?;
    let name = config.input.file_name().unwrap_or_default();
    let mode = fs::metadata(&config.input).map_or(0, |metadata| metadata.permissions().mode());
    let workspace = Workspace::new(input.len()).map_err(Error::Workspace)?;
    let front_end = FrontEnd::recognise(&config.input, &input, config.language.as_deref())?;
    let mut helpers: Vec<Helper> = commands.into_iter().map(Helper::Command).collect();
    helpers.extend(clang_delta(config, front_end)?);
    let helping = helpers.len();
    let formatter = config.format_result.then(|| formatting::Formatter::of(front_end.name())).flatten();
    helpers.extend(formatter.clone().map(Helper::Formatter));
    let formatter = formatter.map(|formatter| (helping as u32, formatter));
    let before = Size::of(&input);
    let place = config.journal.clone().map_or_else(Place::state, |file| Ok(Place::File(file)))?;
    let test_file =
        TestFile::new(test.clone()).map_err(|source| JournalError::Subject { path: test.clone(), source })?;
    let subject = Subject::new(&config.input, &input, before, &test, output.path())?;
    let text = input.clone();
    let vocabulary = Arc::new(Words::new(Box::new(move || Arc::new(Vocabulary::of(&text)))));
    let stations = Stations::new(
        test.clone(),
        // Nobody else is to read it, whoever may read the input.
        CandidateFile { name: name.into(), mode: 0o600 | mode & 0o100 },
        config.limits,
        workspace,
        output.temporaries(),
    )
    .map_err(Error::Host)?;
    let oracle = Oracle::new(stations, vocabulary.clone(), Helpers::new(helpers));
    let mut session = Session {
        crew: Crew::new(oracle, jobs, canceller).map_err(Error::Workspace)?,
        stop,
        terms: Terms {
            limit: config.timeout.unwrap_or(LONGEST_LIMIT),
            help_limit: LONGEST_LIMIT,
            confirm: 1,
        },
        max_questions: config.max_questions.unwrap_or(u64::MAX),
        output: &output,
        test: test_file,
        formats: config.format_result,
        filter,
        journal: None,
        goes_on: false,
        fallback: None,
        known: HashMap::new(),
        vocabulary,
        keys: HashMap::new(),
        unread: Vec::new(),
        commands_checked: false,
        taken: 0,
        kept: Candidate::of(input.clone(), before),
        progress: Progress {
            before,
            best: before,
            questions: Questions::default(),
            cached: 0,
            replayed: 0,
            filtered: 0,
            label: "input",
            began,
            in_test: Duration::ZERO,
        },
        begun: 0,
        asked: 0,
        end: End::Finished,
        flaky: 0,
        killed: 0,
        busy: Busy::default(),
        cpu_in_test: 0.0,
        watch,
    };

    let open = |policy| Journal::open(&place, &subject, policy, config.journal_limit);
    // What has to be there is looked for before anything is asked.
    let there = match (config.policy, resumed) {
        (Policy::Fresh, true) => return Err(output.original_kept().into()),
        (Policy::Auto, true) => match open(Policy::Resume) {
            Err(JournalError::NothingToResume { .. }) => return Err(output.original_kept().into()),
            there => Some(there?),
        },
        (Policy::Resume, _) => Some(open(Policy::Resume)?),
        (Policy::Auto | Policy::Fresh, false) => None,
    };
    match session.check_input(config, &input) {
        Err(error @ Error::NotInteresting { .. }) if config.policy != Policy::Fresh => {
            // The run that this one would continue has found it interesting.
            if let Ok((mut journal, Some(_))) = there.map_or_else(|| open(Policy::Resume), Ok) {
                journal.doubt()?;
            }
            return Err(error);
        }
        checked => checked?,
    }
    let (journal, recovered) = there.map_or_else(|| open(config.policy), Ok)?;
    session.journal = Some(journal);
    let language = session.go_on(config, recovered, resumed, &input)?;
    let mut report = Report {
        version: env!("CARGO_PKG_VERSION"),
        end: End::Finished,
        input: config.input.clone(),
        test: test.clone(),
        output: output.path().to_owned(),
        format: config.method.format(),
        reducer: config.method.reducer(),
        reading: Reading::default(),
        minimizer: config.minimizer.kind.name(),
        seed: config.minimizer.seed,
        jobs,
        before,
        after: session.progress.best,
        questions: session.progress.questions,
        cached: 0,
        replayed: 0,
        held_back: 0,
        filtered: 0,
        discarded: 0,
        external: External::default(),
        formatting: None,
        checked: false,
        cut_off: false,
        steps_back: 0,
        journal: session.journal.as_ref().map(|journal| journal.path().to_owned()),
        flaky: 0,
        killed: 0,
        long_token: None,
        timeout: session.terms.limit.as_secs_f64(),
        seconds: Seconds::default(),
        cpu_seconds: CpuSeconds::default(),
        peak_memory_bytes: 0,
    };
    (session.watch)(Event::Draft { progress: &session.progress, report: &report });
    let is_said = language.is_some() || config.language.is_some();
    let front_end = language.and_then(|name| FrontEnd::named(&name)).unwrap_or(front_end);
    let searched = unless(&cancellation, || {
        let (front_end, why) = match is_said || !config.method.has_tree() {
            true => (front_end, session.fallback.take()),
            false => front_end.for_input(&input),
        };
        let (search, reading) =
            config.method.search_with(input.clone(), front_end, config.minimizer, &config.schedule);
        report.reading = Reading { fallback: reading.fallback.or(why), ..reading };
        let input = Candidate::of(input, before);
        report.before = search.best().tokens().map_or(before, |tokens| Size { tokens, ..before });
        session.begin(report.before, config, &report.reading)?;
        (session.watch)(Event::Draft { progress: &session.progress, report: &report });
        let search = ExternalSearch::new(search, report.reading.language, helping);
        drive(search, Candidate { size: report.before, ..input }, jobs, &mut session)
    });
    let search = match searched.transpose()? {
        Some(Ended { finished, search }) => {
            if finished {
                session.end = End::Finished;
            }
            Some(search)
        }
        None => {
            session.end = session.stopped()?;
            None
        }
    };
    let checked = session.check_result()?;
    let formats = config.format_result && session.progress.best != report.before;
    if formats {
        let formatting = unless(&cancellation, || session.format_result(report.reading.language, formatter));
        report.formatting = Some(match formatting {
            Some(formatting) => formatting?,
            None => {
                session.end = session.stopped()?;
                Formatting { by: None, outcome: Formatted::NoTime }
            }
        });
    }
    session.check_test_file()?;
    if output.settle(&session.kept.bytes)? {
        (session.watch)(Event::Warning(&Warning::Rewritten { output: output.path().to_owned() }));
    }
    let longest_token = match config.method {
        Method::List(Format::Bytes | Format::Chars) => None,
        _ => search
            .as_ref()
            .and_then(|search| search.best().longest_token())
            .or_else(|| lexer::tokens(&session.kept.bytes).map(|token| token.len()).max()),
    };
    let (was_cut, has_tree) = (config.schedule.has(Pass::Shorten), config.method.has_tree());
    let long_token = LongToken::of(longest_token, session.progress.best.bytes, was_cut, has_tree);
    let Session {
        progress,
        begun,
        asked,
        end,
        flaky,
        killed,
        busy,
        cpu_in_test,
        terms,
        crew,
        journal,
        taken,
        ..
    } = session;
    let journal = journal.map(|journal| {
        let path = journal.path().to_owned();
        if end == End::Finished { journal.finish().map(|()| path) } else { Ok(path) }
    });
    let external = External { taken, ..crew.helped() };
    // The processor time of keepers is known when they have ended, unless one was killed.
    drop(crew);
    let (cpu, peak_memory_bytes) = usage();
    let cpu_and_helpers = cpu - cpu_before + children_seconds() - helpers_before;
    let (total, in_test) = (began.elapsed().as_secs_f64(), busy.total().as_secs_f64());
    Ok(Report {
        end,
        after: progress.best,
        long_token,
        questions: progress.questions,
        cached: progress.cached,
        replayed: progress.replayed,
        held_back: search.map_or(0, |search| search.held_back()),
        filtered: progress.filtered,
        discarded: begun - asked,
        external,
        checked: checked.is_some(),
        steps_back: checked.unwrap_or(0),
        journal: journal.transpose()?,
        flaky,
        killed,
        timeout: terms.limit.as_secs_f64(),
        seconds: Seconds { total, test: in_test, dwindle: (total - in_test - external.seconds).max(0.0) },
        cpu_seconds: CpuSeconds {
            test: cpu_in_test,
            dwindle: (cpu_and_helpers - cpu_in_test - external.cpu_seconds).max(0.0),
        },
        peak_memory_bytes,
        ..report
    })
}

/// The transformations of `clang_delta`, if they are to help.
fn clang_delta(config: &Config, front_end: FrontEnd) -> Result<Vec<Helper>, Error> {
    let thorough = config.schedule.level() == Some(Level::Thorough);
    let language = front_end.name();
    let reads = clang_delta::reads(language);
    let helpers = |program: PathBuf| clang_delta::helpers(&program).collect();
    match config.clang_delta {
        When::Never => Ok(Vec::new()),
        When::Auto if !thorough || !reads => Ok(Vec::new()),
        When::Auto => Ok(clang_delta::find().map(helpers).unwrap_or_default()),
        When::Always if !reads => {
            Err(Error::ClangDelta(format!("it reads C and C++, and the input is read as {language}")))
        }
        When::Always => clang_delta::find().map(helpers).ok_or_else(|| {
            Error::ClangDelta("it is not installed; it is in the packages cvise and creduce".to_owned())
        }),
    }
}

/// The files of a reduction.
struct Opened {
    input: Vec<u8>,
    output: Output,
    /// Whether an original is kept already, of a reduction in place that was killed.
    resumed: bool,
}

fn open(config: &Config, input: Vec<u8>) -> Result<Opened, Error> {
    let metadata = |path: &Path| {
        fs::metadata(path).map_err(|source| OutputError::Write { path: path.to_owned(), source })
    };
    let (about_input, about_test) = (metadata(&config.input)?, metadata(&config.test)?);
    let at = |path| Output::at(path, &about_input, &about_test);
    let output = match &config.target {
        Target::Beside => at(Output::beside(&config.input))?,
        Target::File(path) => at(path.clone())?,
        Target::InPlace => {
            let output = Output::in_place(&config.input, &about_input, &about_test)?;
            if let Some(original) = output.original()? {
                return Ok(Opened { input: original, output, resumed: true });
            }
            output
        }
    };
    Ok(Opened { input, output, resumed: false })
}
