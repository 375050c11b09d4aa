//! Reductions inside of a program: of bytes, by a closure or a command.

use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dwindle_core::passes::{Level, Schedule};
use dwindle_core::{MinimizerConfig, Outcome, Tuning};
use dwindle_read::FrontEnd;
use dwindle_run::{CandidateFile, Interrupt, Limits, Stations, Workspace};

use crate::document::Document;
use crate::error::Error;
use crate::event::{Event, Watcher};
use crate::executor::{Closure, Executor, Pool};
use crate::external::{self, Helping};
use crate::keep::Pattern;
use crate::method::Method;
use crate::plan::Options;
use crate::probe::{Probe, Word};
use crate::reduce::{Helpers, Ports, reduce};
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
    interrupt: Option<Arc<Interrupt>>,
    watcher: Option<Watcher>,
    passes: Vec<external::Closure>,
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
            interrupt: None,
            watcher: None,
            passes: Vec::new(),
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
    pub fn level(self, level: Level) -> Self {
        self.schedule(Schedule::of(level))
    }

    /// Which passes transform what deletion leaves.
    pub fn schedule(mut self, schedule: Schedule) -> Self {
        self.options.schedule = schedule;
        self
    }

    /// With other constants of the default search and of the passes, to see what each of them is good for.
    pub fn tuning(mut self, tuning: Tuning) -> Self {
        self.options.tuning = tuning;
        self
    }

    /// A pass of your own. When nothing more is found it gets the best variant and returns others; the first smaller one
    /// that is interesting is taken, and it is called again. What is not smaller is not asked about. It runs on a thread
    /// of its own; a panic in it ends the reduction with [`Error::Internal`].
    ///
    /// ```
    /// let text = "a = 1000 + needle;";
    /// let halve = |text: &[u8]| {
    ///     let text = String::from_utf8_lossy(text);
    ///     vec![text.replace("1000", "8").into_bytes()]
    /// };
    /// let is_needed = |candidate: &[u8]| candidate.starts_with(b"a = ") && candidate.ends_with(b" + needle;");
    /// let has_number = |candidate: &[u8]| is_needed(candidate) && candidate[4].is_ascii_digit();
    /// let list = dwindle::Method::named("lines", None)?;
    /// let reduced = dwindle::Reducer::new(text).method(list).pass(halve).run(has_number)?;
    /// assert_eq!(reduced.bytes, b"a = 8 + needle;");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pass(mut self, offer: impl Fn(&[u8]) -> Vec<Vec<u8>> + Send + Sync + 'static) -> Self {
        self.passes.push(external::Closure::new(offer));
        self
    }

    /// Has the result laid out at the end, like the input or by its brackets: one more question, and no token changes.
    pub fn format_result(mut self) -> Self {
        self.options.format_result = true;
        self
    }

    /// What to tell of everything that happens.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering};
    ///
    /// static SMALLEST: AtomicU64 = AtomicU64::new(u64::MAX);
    ///
    /// let watch = |event: &dwindle::Event<'_>| {
    ///     if let dwindle::Event::Kept { progress, .. } = event {
    ///         SMALLEST.store(progress.best.bytes, Ordering::Relaxed);
    ///     }
    /// };
    /// let reduced = dwindle::Reducer::new("hay needle hay").watch(watch);
    /// reduced.run(|candidate| candidate.windows(6).any(|part| part == b"needle"))?;
    /// assert_eq!(SMALLEST.load(Ordering::Relaxed), 6);
    /// # Ok::<(), dwindle::Error>(())
    /// ```
    pub fn watch(mut self, watch: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Self {
        self.watcher = Some(Watcher::new(watch));
        self
    }

    /// What stops it from outside, or from the closure; the result is then the best so far.
    ///
    /// ```
    /// let (mut interrupter, interrupt) = dwindle::Interrupt::new()?;
    /// let mut asked = 0;
    /// let reduced = dwindle::Reducer::new("1 2 3 4 5 6 7 8").interrupt(interrupt).run(|candidate| {
    ///     asked += 1;
    ///     if asked == 4 {
    ///         interrupter.interrupt().expect("the reduction listens");
    ///     }
    ///     candidate.contains(&b'1')
    /// })?;
    /// assert_eq!(reduced.report.end, dwindle::End::Interrupted);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn interrupt(mut self, interrupt: impl Into<Arc<Interrupt>>) -> Self {
        self.interrupt = Some(interrupt.into());
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
        mut interesting: impl FnMut(&[u8]) -> bool,
        trace: Option<&mut dyn Trace>,
    ) -> Result<Reduced, Error> {
        let mut executor = Closure::new(|candidate: &[u8]| match interesting(candidate) {
            true => Outcome::Interesting,
            false => Outcome::Uninteresting,
        });
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
        let executor = Pool::new(stations, &probe, self.jobs.into());
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
        let stop = Stop::if_asked(self.interrupt.as_deref(), deadline).map_err(Error::Workspace)?;
        let mut options = self.options.clone();
        options.front_end = self.language.as_deref().map(FrontEnd::of_language).transpose()?;
        let (mut sink, mut store) = (Memory::default(), NoStore::new(self.document.bytes()));
        let mut ports = Ports::new(probe, executor, &mut sink, &mut store, &stop);
        if let Some(trace) = trace {
            ports.trace = Some(trace);
        }
        let helping = || Helping::of_closures(self.passes.clone(), stop.cancellation());
        let mut helping = (!self.passes.is_empty()).then(helping).transpose().map_err(Error::Workspace)?;
        let offering = self.passes.len();
        ports.helpers = helping.as_mut().map(|helping| Helpers { helping, offering, formatter: None });
        let watch = &mut |event: Event<'_>| {
            self.watcher.iter().for_each(|watcher| watcher.tell(&event));
        };
        let report = reduce(&self.document, &options, ports, watch)?;
        Ok(Reduced { bytes: sink.best, report })
    }
}
