//! What a reduction did, for people and machines.

use std::cmp::Ordering;
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

use dwindle_core::Outcome;
use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::time::TimeVal;
use serde::{Serialize, Serializer};

use crate::front_end::Reading;
use crate::lexer;
use crate::reduce::Progress;

/// How large something is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Size {
    /// In bytes.
    pub bytes: u64,
    /// In lines; a last line without its end counts.
    pub lines: u64,
    /// In tokens, as [`lexer`] counts them.
    pub tokens: u64,
}

impl Size {
    /// The size of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self::with_tokens(bytes, lexer::count(bytes) as u64)
    }

    /// The size of `bytes`, which hold so many tokens.
    pub fn with_tokens(bytes: &[u8], tokens: u64) -> Self {
        let ends = memchr::memchr_iter(b'\n', bytes).count();
        let unended = bytes.last().is_some_and(|&byte| byte != b'\n');
        Self { bytes: bytes.len() as u64, lines: (ends + usize::from(unended)) as u64, tokens }
    }

    /// The order of results: fewer tokens, then fewer bytes, then earlier in the order of the bytes.
    pub fn compare(self, bytes: &[u8], other: Self, other_bytes: &[u8]) -> Ordering {
        (self.tokens, self.bytes).cmp(&(other.tokens, other.bytes)).then_with(|| bytes.cmp(other_bytes))
    }
}

/// Why a reduction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The search was over.
    Finished,
    /// The budget of questions was spent.
    MaxQuestions,
    /// The time was over.
    MaxTime,
    /// It was interrupted.
    Interrupted,
}

/// What has to be said, though the reduction goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// The test runs as root.
    Root,
    /// A memory file system ran full, and tests run on a disk from now on.
    Moved {
        /// Where they ran.
        from: PathBuf,
        /// Where they run.
        to: PathBuf,
    },
    /// There was something wrong with a run of an external command.
    External {
        /// The command.
        program: PathBuf,
        /// What was wrong.
        what: String,
        /// Whether it is not run any more.
        given_up: bool,
    },
}

impl Display for Warning {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => write!(
                f,
                "the test runs as root, and a candidate may make it do anything: a compiler that is told \
                 `-o /dev/null`, for one, deletes that device"
            ),
            Self::Moved { from, to } => write!(
                f,
                "there is no room any more in {}; tests run in {} from now on, which may be slower",
                from.display(),
                to.display()
            ),
            Self::External { program, what, given_up } => {
                let end = if *given_up { "; it is not run any more" } else { "" };
                write!(f, "the external command {}: {what}{end}", program.display())
            }
        }
    }
}

/// Questions: runs of the test, the two on the input included, by how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Questions {
    /// All of them.
    pub total: u64,
    /// Exit code 0.
    pub interesting: u64,
    /// Another exit code, or a signal.
    pub uninteresting: u64,
    /// Over the time limit.
    pub timeout: u64,
}

impl Questions {
    /// Counts the runs on a candidate; all but the last one found it interesting.
    pub(crate) fn count(&mut self, outcome: Option<Outcome>, runs: u32) {
        self.total += u64::from(runs);
        self.interesting += u64::from(runs - 1);
        match outcome {
            Some(Outcome::Interesting) => self.interesting += 1,
            Some(Outcome::Uninteresting) => self.uninteresting += 1,
            Some(Outcome::Unresolved) => self.timeout += 1,
            None => {}
        }
    }
}

/// Seconds by the clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Seconds {
    /// From the first look at the input to the end.
    pub total: f64,
    /// Of these, while a test ran.
    pub test: f64,
    /// The rest.
    pub dwindle: f64,
}

/// Seconds of processors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct CpuSeconds {
    /// Of the tests and all that they started.
    pub test: f64,
    /// Of this process and its helpers.
    pub dwindle: f64,
}

/// What external commands, and `clang_delta`, did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct External {
    /// How often one was run.
    pub runs: u64,
    /// How many of the texts that they offered were taken.
    pub taken: u64,
    /// How long the runs took.
    pub seconds: f64,
    /// Seconds of processors that they took.
    pub cpu_seconds: f64,
}

/// What became of the result at the end, where it was to be formatted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Formatting {
    /// The formatter; `dwindle` is our own.
    pub by: Option<&'static str>,
    /// What came of it.
    pub outcome: Formatted,
}

/// What came of formatting the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Formatted {
    /// The formatted text is the result.
    Kept,
    /// It was formatted already.
    Already,
    /// The test does not find the formatted text interesting.
    Refused,
    /// No formatter leaves the tokens, and what is to be kept, as they are.
    Impossible,
    /// There is no formatter for the language.
    Unknown,
    /// The reduction was stopped before that.
    NoTime,
}

/// What a reduction did.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Report {
    pub version: &'static str,
    pub end: End,
    #[serde(serialize_with = "lossy")]
    pub input: PathBuf,
    #[serde(serialize_with = "lossy")]
    pub test: PathBuf,
    /// Where the result is.
    #[serde(serialize_with = "lossy")]
    pub output: PathBuf,
    pub format: &'static str,
    pub reducer: &'static str,
    #[serde(flatten)]
    pub reading: Reading,
    pub minimizer: &'static str,
    pub seed: u64,
    /// How many tests ran at once.
    pub jobs: usize,
    pub before: Size,
    pub after: Size,
    pub questions: Questions,
    /// Candidates that were answered without running the test, from the outcomes so far.
    pub cached: u64,
    /// Candidates that were answered by the journal of the run that this one continued.
    pub replayed: u64,
    /// How often candidates were held back, since they parse worse than their base; the proof at the end asks
    /// about some of them.
    pub held_back: u64,
    /// Candidates that were refused without a test, because they do not hold what is to be kept.
    pub filtered: u64,
    /// Tests that were begun ahead of their questions, for nothing.
    pub discarded: u64,
    /// Candidates that one run found interesting and the next one not.
    pub flaky: u64,
    pub external: External,
    /// What became of the result at the end, where it was to be formatted.
    pub formatting: Option<Formatting>,
    /// Whether the result was tested once more at the end, if it is smaller than the input; there is no
    /// time for that when the time is over.
    pub checked: bool,
    /// Whether it went on computing when it was to stop, so that it was ended from outside: the result is what
    /// was best by then, and what is counted at the end is missing here.
    pub cut_off: bool,
    /// How many steps back from the smallest variant the result is, because the test found those in
    /// between interesting once and not again at the end.
    pub steps_back: u64,
    /// Where the journal is.
    #[serde(serialize_with = "lossy_if_any")]
    pub journal: Option<PathBuf>,
    /// The time limit of a test, in seconds.
    pub timeout: f64,
    pub seconds: Seconds,
    pub cpu_seconds: CpuSeconds,
    /// The most memory that this process has held.
    pub peak_memory_bytes: u64,
}

impl Report {
    /// This draft as the report of a reduction that was at `progress` when it was cut off.
    pub fn cut_off(&self, end: End, progress: &Progress) -> Self {
        let (cpu, peak_memory_bytes) = usage();
        let (total, test) = (progress.began.elapsed().as_secs_f64(), progress.in_test.as_secs_f64());
        Self {
            end,
            before: progress.before,
            after: progress.best,
            questions: progress.questions,
            cached: progress.cached,
            replayed: progress.replayed,
            held_back: progress.held_back,
            filtered: progress.filtered,
            checked: progress.best == progress.before,
            cut_off: true,
            seconds: Seconds { total, test, dwindle: (total - test).max(0.0) },
            cpu_seconds: CpuSeconds { dwindle: cpu, ..CpuSeconds::default() },
            peak_memory_bytes,
            ..self.clone()
        }
    }
}

fn lossy_if_any<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_ref().map(|path| path.to_string_lossy()).serialize(serializer)
}

/// A path for machines; JSON has no bytes, so what is no UTF-8 becomes U+FFFD.
fn lossy<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

/// Seconds of processors that this process has used, and the most memory that it has held.
pub(crate) fn usage() -> (f64, u64) {
    let own = getrusage(UsageWho::RUSAGE_SELF);
    // Linux counts in KiB.
    (own.as_ref().map_or(0.0, seconds), own.map_or(0, |usage| usage.max_rss() as u64 * 1024))
}

/// Seconds of processors that the children of this process have used, once they were waited for, and
/// what they have waited for.
pub(crate) fn children_seconds() -> f64 {
    getrusage(UsageWho::RUSAGE_CHILDREN).as_ref().map_or(0.0, seconds)
}

fn seconds(usage: &Usage) -> f64 {
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    seconds(usage.user_time()) + seconds(usage.system_time())
}
