//! One run of a test: how it ended, what it printed, or why it could not be run.

use std::io;
use std::path::PathBuf;

use rustix::process::Signal;

/// One run of the test.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub end: RunEnd,
    /// What it printed, standard output and standard error as they came; of more than 128 KiB the first
    /// and the last 64 KiB.
    pub output: Vec<u8>,
    /// Which of the [wanted](Wanted) texts it printed, in their order.
    pub seen: Vec<bool>,
    /// Standard output and standard error apart, where that was [asked for](Sought::apart).
    pub apart: Option<Box<[Printed; 2]>>,
    /// Which command of a test it is that ended so.
    pub part: Part,
    /// Whether the command that this is compared with prints or ends otherwise, where there is one.
    pub differs: Option<bool>,
    /// How long it took.
    pub seconds: f64,
    /// How much of that the command took that is judged, where a test is several.
    pub judged_seconds: f64,
    /// Seconds of processors that it and all that it has started took.
    pub cpu_seconds: f64,
}

/// What is looked for in what a run prints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sought {
    /// Texts.
    pub texts: Vec<Wanted>,
    /// Whether standard output and standard error are wanted apart as well.
    pub apart: bool,
}

/// What a run printed to one stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// It; of more than 128 KiB the first and the last 64 KiB.
    pub bytes: Vec<u8>,
    /// How much it was.
    pub length: u64,
}

/// One of the commands that a test may consist of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Part {
    /// The one that is judged.
    #[default]
    Main,
    /// One that has to succeed before, by its number.
    Also(usize),
    /// The one that it is compared with.
    Other,
    /// The one that runs last and looks for what must not be in a candidate.
    Guard,
}

/// A text that is looked for in all that a run prints, however much that is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Where it must be printed.
    pub stream: Stream,
    /// The text; not empty.
    pub text: Vec<u8>,
}

/// Where a run prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Its standard output.
    Stdout,
    /// Its standard error.
    Stderr,
}

impl Run {
    /// One that ended so and printed this, after as many seconds.
    pub fn ended(end: RunEnd, output: Vec<u8>, seconds: f64) -> Self {
        let (seen, part) = (Vec::new(), Part::Main);
        let (judged_seconds, cpu_seconds) = (seconds, seconds);
        Self { end, output, seen, apart: None, part, differs: None, seconds, judged_seconds, cpu_seconds }
    }

    /// One that was stopped before it began.
    pub(crate) fn stopped() -> Self {
        Self::ended(RunEnd::Stopped, Vec::new(), 0.0)
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// By itself, with this exit code.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// It ran over the time limit and was killed.
    TimedOut,
    /// The reduction was stopped meanwhile, and the test with it.
    Stopped,
}

/// Why a test could not be run at all.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It could not be started.
    #[error("cannot start it: {0}")]
    Start(#[source] io::Error),
    /// Its folder could not be made or the candidate not be written.
    #[error("cannot write the candidate to a temporary folder: {0}")]
    Place(#[source] io::Error),
    /// Waiting for it failed.
    #[error("cannot wait for it: {0}")]
    Wait(#[source] io::Error),
    /// It has started something that cannot be killed.
    #[error("it has left processes that cannot be killed (programs of another user, perhaps)")]
    Left,
    /// The process between dwindle and the test was killed, also when it was repeated.
    #[error(
        "the process that keeps it was killed twice on one candidate; it must not kill its parent, and \
         memory must suffice"
    )]
    Keeper,
    /// The machine where it was to run elsewhere did not run it: what is wrong, and what to do.
    #[error("{0}")]
    Elsewhere(String),
    /// There is no room any more for what it writes, so that its answers do not count.
    #[error("there is no room any more in {}; make some, or name another place by TMPDIR", place.display())]
    Full {
        /// The folder.
        place: PathBuf,
    },
}

impl RunEnd {
    /// Whether it was killed, and not by us: by the system for want of memory, or by somebody else.
    pub fn is_kill(self) -> bool {
        self == Self::Signalled(Signal::KILL.as_raw())
    }

    /// Whether it was, or says of a command in it that this was, as shells do.
    pub fn may_be_a_kill(self) -> bool {
        self.is_kill() || self == Self::Exited(128 + Signal::KILL.as_raw())
    }
}

impl std::fmt::Display for RunEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "with exit code {code}"),
            Self::Signalled(signal) => write!(f, "by signal {signal}"),
            Self::TimedOut => write!(f, "over the time limit"),
            Self::Stopped => write!(f, "by being stopped"),
        }
    }
}
