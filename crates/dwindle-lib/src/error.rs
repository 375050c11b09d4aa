//! Why there is no result.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::PathBuf;

use dwindle_read::{Unknown, WrongMark};
use dwindle_run::{Run, RunError};

use crate::claim::ClaimError;
use crate::journal::JournalError;
use crate::keep::NothingToKeep;
use crate::shell::quoted;
use crate::shown::shown;
use crate::sink::OutputError;

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
    /// The words of the command do not fit the input.
    #[error("{0}")]
    Command(String),
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
    #[error("the input {} is not interesting: the test ended {}", shown(path), why.run.end)]
    NotInteresting {
        /// The input.
        path: PathBuf,
        /// Why.
        why: Box<Rejection>,
    },
    /// The command does nothing unusual with the input, so it is not known what a variant must do.
    #[error(
        "the command ended {} on {}, and nothing that it did is known as a bug",
        run.end,
        shown(path)
    )]
    Unremarkable {
        /// The input.
        path: PathBuf,
        /// What the command did.
        run: Box<Run>,
        /// What may be wrong with the command, in a sentence.
        hint: Option<String>,
    },
    /// The test cannot be written as a script.
    #[error("cannot write the test to {}: {what}", shown(path))]
    Script {
        /// Where it was to be written.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A file cannot be laid beside the candidates.
    #[error("cannot lay {} beside the candidates: {what}", shown(path))]
    Beside {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A version cannot be compared with another one.
    #[error("cannot compare {}: {what}", shown(path))]
    Version {
        /// The version.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A version does not do what it is said to.
    #[error(
        "the version {} does not {}: the test ended {}",
        shown(path),
        if *fails { "fail" } else { "pass" },
        why.run.end
    )]
    Contrary {
        /// The version.
        path: PathBuf,
        /// Whether it is said to fail.
        fails: bool,
        /// What it does.
        why: Box<Rejection>,
    },
    /// There is no difference to be isolated.
    #[error(
        "{} and {} are the same, so no difference between them makes the one fail",
        shown(passing),
        shown(failing)
    )]
    Same {
        /// The version that is to pass.
        passing: PathBuf,
        /// The one that is to fail.
        failing: PathBuf,
    },
    /// The test says at the end something else of a variant than it did.
    #[error(
        "the test {} says otherwise of a variant that {} when it was asked first: it is flaky, was changed, or \
         something that it needs has",
        shown(test),
        if *passed { "passed" } else { "failed" }
    )]
    Wavers {
        /// The test.
        test: PathBuf,
        /// What it said first.
        passed: bool,
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
    /// The marks of the regions that are to stay do not fit.
    #[error("cannot reduce {}: {what}", shown(path))]
    Region {
        /// The input.
        path: PathBuf,
        /// What is wrong, and where.
        what: WrongMark,
    },
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
    /// Something in dwindle itself has failed, as only a bug can make it.
    #[error(
        "dwindle itself has failed, which is a bug: {what}; the best result so far is in {}, and the same command goes \
         on from there",
        shown(output)
    )]
    Internal {
        /// What happened.
        what: String,
        /// Where the best result is.
        output: PathBuf,
    },
    /// The same, where nothing is kept on the way.
    #[error("dwindle itself has failed, which is a bug: {0}")]
    Bug(String),
    /// The reduction was stopped before the input had been tested.
    #[error("stopped by --max-time or an interrupt before the input had been tested; nothing was written")]
    StoppedEarly,
}

/// Why the test is not interested in the input.
#[derive(Debug)]
pub struct Rejection {
    /// What the test did.
    pub run: Run,
    /// What was asked for and did not hold, each in a few words.
    pub unmet: Vec<String>,
    /// How a shell runs the test on the input.
    pub by_hand: String,
    /// Where it ran, if not in a folder with nothing but the input.
    pub folder: Option<PathBuf>,
    /// What may be wrong with the command, in a sentence.
    pub hint: Option<String>,
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
