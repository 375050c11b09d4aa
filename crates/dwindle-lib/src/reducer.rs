//! Reductions inside of a program: of bytes, by a closure or a command.

use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use dwindle_core::MinimizerConfig;
use dwindle_core::passes::{Level, Schedule};
use dwindle_read::FrontEnd;
use dwindle_run::{CandidateFile, Interrupt, Limits, Stations, Workspace};

use crate::document::Document;
use crate::error::Error;
use crate::event::Event;
use crate::executor::{Closure, Executor, Local};
use crate::keep::Pattern;
use crate::method::Method;
use crate::plan::Options;
use crate::probe::{Probe, Word};
use crate::reduce::{Ports, reduce};
use crate::report::Report;
use crate::sink::Memory;
use crate::stop::Stop;
use crate::store::NoStore;
use crate::trace::Trace;
use crate::verdict::Criteria;

/// Reduces bytes, in memory: no file is written, and nothing is left behind.
///
/// What is deleted, and in which order, is what the command does by default. A language makes syntax trees of the
/// bytes; without one they are read by their brackets, lines and indentation.
///
/// ```
/// let json = br#"{"a": [1, 2, {"b": null}], "c": "text"}"#;
/// let reduced = dwindle::Reducer::new(json).language("json").run(|candidate| {
///     serde_json::from_slice::<serde_json::Value>(candidate).is_ok_and(|value| value["a"][2].is_object())
/// })?;
/// assert_eq!(reduced.bytes, br#"{"a": [0, 0, {}]}"#);
/// # Ok::<(), dwindle::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reducer {
    document: Document,
    options: Options,
    language: Option<String>,
    jobs: NonZeroUsize,
    max_time: Option<Duration>,
    criteria: Criteria,
}

/// What came of a reduction in memory.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reduced {
    /// The smallest variant that was found interesting.
    pub bytes: Vec<u8>,
    /// How it was found.
    pub report: Report,
}

impl Reducer {
    /// Of these bytes.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            document: Document::of(bytes),
            options: Options::default(),
            language: None,
            jobs: NonZeroUsize::MIN,
            max_time: None,
            criteria: Criteria::default(),
        }
    }

    /// The base name of the file that a command sees, by which the language is recognised, too.
    pub fn name(mut self, name: impl Into<PathBuf>) -> Self {
        let bytes = self.document.bytes().to_vec();
        self.document = Document::file(name, 0o644, bytes);
        self
    }

    /// The language of the bytes: a name that `dwindle languages` lists.
    pub fn language(mut self, name: impl Into<String>) -> Self {
        self.language = Some(name.into());
        self
    }

    /// What is deleted, and in which order, with the passes that go with it.
    pub fn method(mut self, method: Method) -> Self {
        (self.options.method, self.options.schedule) = (method, method.schedule(None));
        self
    }

    /// How much is transformed beside deletion.
    pub fn level(mut self, level: Level) -> Self {
        self.options.schedule = Schedule::of(level);
        self
    }

    /// Which list minimiser decides what to try.
    pub fn minimizer(mut self, minimizer: MinimizerConfig) -> Self {
        self.options.minimizer = minimizer;
        self
    }

    /// What every candidate must hold.
    pub fn keep(mut self, pattern: Pattern) -> Self {
        self.options.keep.push(pattern);
        self
    }

    /// The most questions, the two about the input included.
    pub fn max_questions(mut self, questions: u64) -> Self {
        self.options.max_questions = Some(questions);
        self
    }

    /// When to stop with the best so far.
    pub fn max_time(mut self, time: Duration) -> Self {
        self.max_time = Some(time);
        self
    }

    /// How many runs of a command there may be at once; 1 unless this says otherwise. Results don't depend on it.
    pub fn jobs(mut self, jobs: NonZeroUsize) -> Self {
        self.jobs = jobs;
        self
    }

    /// The time limit of a run of a command; 10 times what the input takes unless this says otherwise.
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.options.timeout = Some(limit);
        self
    }

    /// When a command finds a candidate interesting; where this says nothing, it must exit with 0.
    pub fn criteria(mut self, criteria: Criteria) -> Self {
        self.criteria = criteria;
        self
    }

    /// Reduces by a closure that says whether a candidate is interesting. It is called on this thread, twice with the
    /// bytes themselves and at the end with the result.
    ///
    /// # Errors
    ///
    /// [`Error::NotInteresting`] where it is not interested in the bytes themselves; [`Error::Flaky`] and
    /// [`Error::Unstable`] where it says now this and then that; [`Error::Language`] and [`Error::NothingToKeep`]
    /// where the options do not fit.
    ///
    /// # Panics
    ///
    /// Where the closure does.
    pub fn run(&self, interesting: impl FnMut(&[u8]) -> bool) -> Result<Reduced, Error> {
        self.run_noting(interesting, None)
    }

    /// The same, and has every question noted.
    ///
    /// # Errors
    ///
    /// Those of [`run`](Self::run), and what the trace says.
    ///
    /// # Panics
    ///
    /// Where the closure does.
    pub fn run_traced(
        &self,
        interesting: impl FnMut(&[u8]) -> bool,
        trace: &mut dyn Trace,
    ) -> Result<Reduced, Error> {
        self.run_noting(interesting, Some(trace))
    }

    fn run_noting(
        &self,
        interesting: impl FnMut(&[u8]) -> bool,
        trace: Option<&mut dyn Trace>,
    ) -> Result<Reduced, Error> {
        let mut executor = Closure::new(interesting);
        let reduced = self.run_by(&mut Probe::closure(), &mut executor, trace);
        if let Some(panic) = executor.panicked {
            resume_unwind(panic);
        }
        reduced
    }

    /// Reduces by a command that exits with 0 while a candidate is interesting, or meets the [`criteria`](Self::criteria).
    /// The candidate is its standard input and the file [`Word::Candidate`], in an empty folder where the command runs.
    ///
    /// A program that calls this calls [`serve_if_asked`](crate::serve_if_asked) first thing in its `main`.
    ///
    /// ```no_run
    /// use dwindle::probe::Word;
    ///
    /// if let Some(code) = dwindle::serve_if_asked() {
    ///     std::process::exit(i32::from(code != std::process::ExitCode::SUCCESS));
    /// }
    /// let command = ["grep".into(), "-q".into(), "needle".into(), Word::Candidate];
    /// let reduced = dwindle::Reducer::new("hay needle hay").run_command(command)?;
    /// assert_eq!(reduced.bytes, b"needle");
    /// # Ok::<(), dwindle::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`run`](Self::run), and what is wrong with the command or the machine.
    pub fn run_command(&self, command: impl IntoIterator<Item = Word>) -> Result<Reduced, Error> {
        let mut probe = Probe::command(command)
            .map_err(|error| Error::Test { path: "command".into(), what: error.to_string() })?
            .with_criteria(self.criteria.clone());
        let workspace = Workspace::new(self.document.bytes().len()).map_err(Error::Workspace)?;
        let name = self.document.path().file_name().unwrap_or_default().into();
        let file = CandidateFile { name, mode: 0o600, beside: Vec::new(), unfold: None };
        let stations = Stations::new(file, Limits::default(), workspace, Vec::new()).map_err(Error::Host)?;
        let executor = Local::new(stations, &probe, self.jobs.into());
        self.run_by(&mut probe, &mut executor.map_err(Error::Workspace)?, None)
    }

    /// Reduces by what an executor says, wherever it runs the test.
    ///
    /// # Errors
    ///
    /// Those of [`run`](Self::run), and what the executor says.
    pub fn run_on(&self, executor: &mut dyn Executor) -> Result<Reduced, Error> {
        self.run_by(&mut Probe::closure(), executor, None)
    }

    fn run_by(
        &self,
        probe: &mut Probe,
        executor: &mut dyn Executor,
        trace: Option<&mut dyn Trace>,
    ) -> Result<Reduced, Error> {
        let deadline = self.max_time.and_then(|time| Instant::now().checked_add(time));
        // Nobody interrupts it, so only the time can be over.
        let (_interrupter, interrupt) = Interrupt::new().map_err(Error::Workspace)?;
        let stop = match deadline {
            Some(_) => Stop::on(&interrupt, deadline).map_err(Error::Workspace)?,
            None => Stop::never(),
        };
        let mut options = self.options.clone();
        options.front_end = self.language.as_deref().map(FrontEnd::of_language).transpose()?;
        let (mut sink, mut store) = (Memory::default(), NoStore::new(self.document.bytes()));
        let mut ports = Ports::new(probe, executor, &mut sink, &mut store, &stop);
        if let Some(trace) = trace {
            ports.trace = Some(trace);
        }
        let report = reduce(&self.document, &options, ports, &mut |_: Event<'_>| {})?;
        Ok(Reduced { bytes: sink.best, report })
    }
}
