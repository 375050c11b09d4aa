//! What there is to say of a test.

use std::fmt::{self, Display, Formatter};

use dwindle_read::shown::shown;

/// A run that uses less of a processor than this share of its time waits for something.
const WAITS: f64 = 0.3;
/// Where the commands beside a test take more than this share of its time, they are what makes it slow.
const MOST: f64 = 0.7;

/// What is to be said of a test.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Checkup {
    /// What is wrong with it.
    pub problems: Vec<Problem>,
    /// What may be wrong with it.
    pub doubts: Vec<Doubt>,
    /// What is good to know of it.
    pub remarks: Vec<Remark>,
    /// How long a run on the input takes, in seconds.
    pub seconds: f64,
}

/// What makes a test useless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// It says now this, now that of the input.
    Flaky {
        /// How many runs found the input interesting.
        interesting: usize,
        /// Of how many.
        runs: usize,
    },
    /// It says something else of the same text where another run is under way.
    Disturbed,
    /// It finds the empty file interesting.
    AcceptsTheEmptyFile,
    /// It finds text interesting that has nothing to do with the input.
    AcceptsAnything,
    /// It names the input by a path that is not the candidate's.
    NamesTheInput,
}

/// What may make a test less useful.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Doubt {
    /// It finds either half of the input interesting.
    AcceptsBothHalves,
    /// It finds the input interesting wherever that is cut off.
    AcceptsTruncated,
    /// It changes the file of the candidate.
    ChangesTheCandidate,
    /// Something that it has started is still there when it has ended.
    LeavesProcesses,
    /// It is slow.
    Slow {
        /// The share of its time in which it computes.
        computes: f64,
        /// The share of its time that the commands beside the test take.
        beside: f64,
    },
}

/// What is good to know of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remark {
    /// It finds the candidate by its name only.
    KnowsTheName {
        /// That name.
        name: String,
    },
}

impl Display for Problem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flaky { interesting, runs } => write!(
                f,
                "it is flaky: of {runs} runs on the same file, {interesting} found it interesting; if the bug itself shows \
                 only sometimes, reduce with --repeats auto"
            ),
            Self::Disturbed => f.write_str(
                "two runs at once disturb each other: look for a port, a lock or a file that is the same for every run, such as \
                 one in /tmp ($TMPDIR is a folder of its own for each run), or reduce with --jobs 1",
            ),
            Self::AcceptsTheEmptyFile => f.write_str(
                "it accepts the empty file, so that would be the result; ask for the exact message of the bug, and look \
                 whether the test reads another file than the candidate, or what an earlier run has left",
            ),
            Self::AcceptsAnything => f.write_str(
                "it accepts text that has nothing to do with the input; ask for the exact message of the bug, and look whether \
                 the test reads another file than the candidate",
            ),
            Self::NamesTheInput => f.write_str(
                "it names the input by its full path, which is the same file for every candidate; the candidate is \"$1\", or has \
                 the input's name in the current folder",
            ),
        }
    }
}

impl Display for Doubt {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::AcceptsBothHalves => {
                f.write_str("it accepts either half of the input: is the bug there twice, or does it accept too much?")
            }
            Self::AcceptsTruncated => f.write_str(
                "it accepts the input wherever that is cut off: is the bug at the very beginning, or does it take the error at the \
                 end for the bug?",
            ),
            Self::ChangesTheCandidate => f.write_str(
                "it changes the candidate, so what it finds interesting is not what is kept; let it work on a copy, in the current \
                 folder or in $TMPDIR",
            ),
            Self::LeavesProcesses => f.write_str(
                "it leaves processes behind, which are killed; if the bug is in one of them, `wait` for it, or its answer depends \
                 on who is faster",
            ),
            Self::Slow { beside, .. } if *beside > MOST => write!(
                f,
                "it is slow, and {:.0} % of that time is --also, --differs-from or --guard: give them what is quicker to answer, or \
                 reduce by the rest first",
                100.0 * beside
            ),
            Self::Slow { computes, .. } if *computes < WAITS => write!(
                f,
                "it is slow, and computes only {:.0} % of that time: it waits, for a `sleep`, a network or another process",
                100.0 * computes
            ),
            Self::Slow { .. } => f.write_str(
                "it is slow, and computes: leave out what the bug does not need, such as linking, or ask for the quick part first \
                 with --also",
            ),
        }
    }
}

impl Display for Remark {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self::KnowsTheName { name } = self;
        write!(
            f,
            "It looks for {0} by that name and not at its argument, so the result must be called {0} for it",
            shown(name)
        )
    }
}
