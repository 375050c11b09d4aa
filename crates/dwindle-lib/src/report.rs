//! What a reduction did, for people and machines.

use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dwindle_run::Moved;
use serde::{Serialize, Serializer};

use crate::other_crashes::AlsoInteresting;
use crate::plan::Effective;
use crate::questions::Questions;
use crate::shown::shown;
use dwindle_read::Size;
use dwindle_run::usage;

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
    Moved(Moved),
    /// Tests run elsewhere, and the way takes more time than their number saves.
    SlowerElsewhere {
        /// What a test takes itself.
        test: Duration,
        /// What passes around it: until it begins, and until the answer is here.
        around: Duration,
    },
    /// Something that a test has mounted in its folder cannot be unmounted.
    Mounted {
        /// Where.
        at: PathBuf,
    },
    /// Somebody else has changed or removed the result file, and it was written again.
    Rewritten {
        /// The result file.
        output: PathBuf,
    },
    /// The grammar cannot read what it was reduced to, so the search has ended there.
    Unreadable {
        /// Why.
        why: String,
    },
    /// What looks like a mark of a region keeps nothing.
    NoMark {
        /// The file.
        path: PathBuf,
        /// Its line; none where the file stays or goes as a whole.
        line: Option<usize>,
        /// How many more there are, in all files.
        more: usize,
    },
    /// The test needs so many files that none of them was read by its language.
    TooManyFiles {
        /// How many.
        files: usize,
        /// How many bytes they have.
        bytes: usize,
    },
    /// It is not known what the test runs of the program.
    NoCoverage,
    /// A candidate that makes the command crash in another way cannot be written.
    NotKept {
        /// The folder for them.
        folder: PathBuf,
        /// What the system said.
        what: String,
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
            Self::Moved(Moved { from, to }) => write!(
                f,
                "there is no room any more in {}; tests run in {} from now on, which may be slower",
                shown(from),
                shown(to)
            ),
            Self::SlowerElsewhere { test, around } => write!(
                f,
                "it is slower elsewhere than on this machine: a test takes {} ms, and {} ms pass around it; run it here",
                test.as_millis(),
                around.as_millis()
            ),
            Self::Mounted { at } => write!(
                f,
                "a test has mounted something at {} that cannot be unmounted; it is left there, with the \
                 folders around it",
                shown(at)
            ),
            Self::Rewritten { output } => write!(
                f,
                "{} was changed or removed by somebody else; the result was written to it again",
                shown(output)
            ),
            Self::Unreadable { why } => write!(
                f,
                "the best variant so far cannot be read any more ({why}), so the search ends with it; to go on, reduce \
                 the result with --language brackets"
            ),
            Self::NoMark { path, line, more } => {
                match line {
                    Some(line) => write!(
                        f,
                        "`dwindle: keep` or `dwindle: end` in line {line} of {} keeps nothing, because it is in no comment, or \
                         is a single one in a heredoc or the like; put both marks in comments",
                        shown(path)
                    )?,
                    None => write!(
                        f,
                        "the marks in {} keep nothing, because it is no text in UTF-8 of at most 16 MB and stays or goes as a \
                         whole; --keep-file keeps it",
                        shown(path)
                    )?,
                }
                match more {
                    0 => Ok(()),
                    more => write!(f, " ({more} more like it)"),
                }
            }
            Self::TooManyFiles { files, bytes } => write!(
                f,
                "the test needs {files} files with {} MB together, and so many are not read by their languages; to reduce some of \
                 them further, name those with --only",
                bytes >> 20
            ),
            Self::NoCoverage => write!(
                f,
                "the test does not accept the program with marks that say which statements run, so it is not known what \
                 it runs, and the search has to find out"
            ),
            Self::NotKept { folder, what } => {
                write!(f, "variants that crash in another way cannot be kept in {}: {what}", shown(folder))
            }
            Self::External { program, what, given_up } => {
                let end = if *given_up { "; it is not run any more" } else { "" };
                write!(f, "the external command {}: {what}{end}", shown(program))
            }
        }
    }
}

/// Whether a result is empty, so that its test accepts anything. Line ends alone may be what a test wants: it has
/// rejected the empty file then.
pub(crate) fn is_trivial(result: Size) -> bool {
    result.bytes == 0
}

/// How often the test is interesting, where it is asked several times because it is not always.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Repeated {
    /// The runs on the input.
    pub input: Questions,
    /// How many runs a candidate gets that is never interesting.
    pub most: u64,
    /// The runs on the result that tell how often it is interesting; none where there was no room for them.
    pub result: Option<Questions>,
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

/// What became of the layout of the result, where it was to have another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Formatting {
    /// Whose layout it is: that of a formatter, or our own, `dwindle`.
    pub by: Option<&'static str>,
    /// What came of it.
    pub outcome: Formatted,
}

/// What came of another layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Formatted {
    /// The text that is laid out is the result.
    Kept,
    /// It was laid out like that already.
    Already,
    /// The test does not find the text interesting that is laid out.
    Refused,
    /// No layout leaves the tokens, and what is to be kept, as they are.
    Impossible,
    /// The reduction was stopped before that.
    NoTime,
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

impl Progress {
    /// Nothing was asked yet about an input of this size.
    pub(crate) fn at(before: Size, began: Instant) -> Self {
        Self {
            before,
            best: before,
            questions: Questions::default(),
            cached: 0,
            replayed: 0,
            filtered: 0,
            label: "input",
            began,
            in_test: Duration::ZERO,
        }
    }
}

/// One of several tests that run one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stage {
    /// The test.
    pub test: PathBuf,
    /// How many candidates it refused; the tests before it had found them interesting.
    pub refused: u64,
}

/// A token of the result that is so long that people should hear of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LongToken {
    /// Its length.
    pub bytes: u64,
    /// How much of the result it is.
    pub percent: u64,
    /// What shortens it.
    pub advice: &'static str,
}

impl LongToken {
    /// The longest token of a result of `size` bytes, if there is something to say about it; `was_cut` where the
    /// search has tried to shorten it.
    pub(crate) fn of(bytes: Option<usize>, size: u64, was_cut: bool, has_tree: bool) -> Option<Self> {
        /// What is shorter is read at one glance, in bytes.
        const LONG: u64 = 1000;
        let bytes = bytes.map(|bytes| (bytes as u64).min(size)).filter(|&bytes| bytes > LONG)?;
        let advice = match (was_cut, has_tree) {
            (false, true) => "--level default makes such tokens shorter",
            _ => "--format chars takes single characters out of it",
        };
        Some(Self { bytes, percent: 100 * bytes / size, advice })
    }
}

/// What a reduction did.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Report {
    pub version: &'static str,
    pub end: End,
    #[serde(serialize_with = "lossy")]
    pub input: PathBuf,
    /// The path of the test; or the command, with what is asked of it.
    #[serde(serialize_with = "lossy")]
    pub test: PathBuf,
    /// Where the result is.
    #[serde(serialize_with = "lossy")]
    pub output: PathBuf,
    /// How it was read and searched.
    #[serde(flatten)]
    pub effective: Effective,
    /// How many tests ran at once.
    pub jobs: usize,
    pub before: Size,
    pub after: Size,
    /// Candidates that make the command crash in another way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also_interesting: Vec<AlsoInteresting>,
    /// The longest token of the result, if it is very long.
    pub long_token: Option<LongToken>,
    pub questions: Questions,
    /// Where there are several tests, how many candidates each refused.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<Stage>,
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
    /// The same for each test that was needed; nothing where one ran at a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discarded_per_needed: Option<f64>,
    /// Candidates that one run found interesting and the next one not, and that were refused therefore.
    pub flaky: u64,
    /// How often the test is interesting, where repeats were asked for.
    pub repeated: Option<Repeated>,
    /// How often somebody has skipped what was being tried.
    pub skipped: u64,
    /// Runs of the test that were killed by a signal that was not ours, or whose exit code says so of a command in
    /// them; those that were begun ahead are among them.
    pub killed: u64,
    pub external: External,
    /// What became of the result at the end, where it was to be formatted.
    pub formatting: Option<Formatting>,
    /// Whether the result was tested once more at the end, if anything was asked since it was found; there is no
    /// time for that when the time is over, and not always room in a budget.
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
    /// Whether nothing is left of the input, so that the test accepts anything and there is no result.
    pub fn is_trivial(&self) -> bool {
        is_trivial(self.after)
    }

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
