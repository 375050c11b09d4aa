//! What ends the command without a result: what is said, and with which exit code.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::PathBuf;

use dwindle::OutputError;
use dwindle::claim::ClaimError;
use dwindle::journal::JournalError;
use dwindle::read::brought;
use dwindle::shown::{shown, shown_lines};
use dwindle::{Rejection, Run, RunEnd};

/// Why there is no result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments cannot be understood; all that is to be said.
    Arguments(String),
    /// The arguments do not fit together.
    Usage(String),
    /// A grammar that was brought cannot be used.
    Grammar(brought::Error),
    /// The reduction says why.
    Reduction(dwindle::Error),
    /// Stopped by a signal before there was anything to keep; the exit code.
    Signal(u8),
    /// Nothing of the input is left; the exit code.
    Trivial(u8),
    /// Nothing of a list is left; the exit code.
    EmptyList(u8),
    /// Signals cannot be listened to.
    Signals(io::Error),
    /// The report cannot be printed; the result is there.
    Report(io::Error),
    /// A file that was to be shown cannot be read.
    Read(PathBuf, io::Error),
    /// The result cannot be printed; where it is.
    Result(PathBuf, io::Error),
    /// What was to be shown cannot be printed.
    Print(io::Error),
    /// A journal cannot be read.
    Journal(JournalError),
    /// There is no journal to be shown; what there is.
    NoJournal(String),
    /// The file for events cannot be written.
    Events(PathBuf, io::Error),
    /// The page of `--report` cannot be written; the result is there.
    Page(PathBuf, io::Error),
    /// A step cannot be written to a file.
    Restore(PathBuf, io::Error),
}

impl From<dwindle::Error> for Failure {
    fn from(error: dwindle::Error) -> Self {
        Self::Reduction(error)
    }
}

impl Failure {
    pub(crate) fn code(&self) -> u8 {
        use dwindle::Error;
        match self {
            Self::Arguments(_) | Self::Usage(_) => 2,
            Self::Signal(code) | Self::Trivial(code) | Self::EmptyList(code) => *code,
            Self::Signals(_) => 8,
            Self::Report(_)
            | Self::Print(_)
            | Self::Restore(..)
            | Self::Events(..)
            | Self::Page(..)
            | Self::Result(..) => 7,
            Self::Grammar(
                brought::Error::Kind(_)
                | brought::Error::NoLexer(_)
                | brought::Error::Whole(_)
                | brought::Error::NoParseTree(_),
            ) => 2,
            Self::Read(..) | Self::Grammar(_) | Self::Journal(_) | Self::NoJournal(_) => 3,
            Self::Reduction(error) => match error {
                Error::Swapped { .. }
                | Error::Command(_)
                | Error::Script { .. }
                | Error::Beside { .. }
                | Error::Jobs { .. }
                | Error::Language(_)
                | Error::NothingToKeep(_)
                | Error::JournalElsewhere { .. }
                | Error::External { .. }
                | Error::ClangDelta(_) => 2,
                Error::Input { .. } | Error::Region { .. } | Error::Version { .. } | Error::Same { .. } => 3,
                Error::Test { .. } => 4,
                Error::NotInteresting { .. } | Error::Unremarkable { .. } | Error::Contrary { .. } => 5,
                Error::Flaky { .. } => 6,
                Error::Claim(ClaimError::Taken { .. })
                | Error::Output(OutputError::Claim(ClaimError::Taken { .. }))
                | Error::Journal(JournalError::Taken { .. }) => 9,
                Error::Output(_) => 7,
                Error::Claim(ClaimError::Io { .. }) => 7,
                Error::Journal(error) => match error {
                    JournalError::NothingToResume { .. } => 2,
                    JournalError::Subject { .. } => 3,
                    _ => 7,
                },
                Error::Unstable { .. } | Error::Changed { .. } | Error::Wavers { .. } => 8,
                Error::Broken { .. } | Error::Breaks { .. } | Error::Host(_) | Error::Workspace(_) => 8,
                Error::Internal { .. } | Error::Bug(_) => 8,
                // Its time was over before the input had been tested: a budget, but nothing to show.
                Error::StoppedEarly => 5,
            },
        }
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arguments(message) => f.write_str(message),
            Self::Usage(message) => writeln!(f, "error: {message}\n\nFor more information, try '--help'."),
            Self::Signal(_) => writeln!(f, "stopped before the input had been tested; nothing was written"),
            Self::Trivial(_) => writeln!(
                f,
                "error: nothing of the input is left, so the test accepts anything; no result was written, and an earlier \
                 one is as it was\nIt must reject the empty file: look whether it reads the candidate (its argument, or its \
                 standard input) and not another file, and whether a command that fails ends it with another code than 0. \
                 `dwindle check` tries it."
            ),
            Self::EmptyList(_) => writeln!(
                f,
                "error: no item is left, so the command finds the empty list interesting; no result was written, and an \
                 earlier one is as it was\nIt must reject the empty list: look whether it gets the items ({{}}, {{file}} or \
                 standard input), and whether what you look for needs them at all."
            ),
            Self::Signals(error) => writeln!(f, "error: cannot listen to signals: {error}"),
            Self::Report(error) => {
                writeln!(
                    f,
                    "error: cannot print the report to standard output: {error}; the result is written"
                )
            }
            Self::Read(path, error) => writeln!(f, "error: cannot read {}: {error}", shown(path)),
            Self::Grammar(error) => writeln!(f, "error: {error}"),
            Self::Result(path, error) => {
                writeln!(
                    f,
                    "error: cannot print the result to standard output: {error}; it is in {}",
                    shown(path)
                )
            }
            Self::Print(error) => writeln!(f, "error: cannot print to standard output: {error}"),
            Self::Journal(error) => writeln!(f, "error: {error}"),
            Self::NoJournal(message) => writeln!(f, "error: {message}"),
            Self::Events(path, error) => {
                writeln!(f, "error: cannot write events to {}: {error}", shown(path))
            }
            Self::Page(path, error) => {
                writeln!(f, "error: cannot write the report {}: {error}", shown(path))
            }
            Self::Restore(path, error) => writeln!(f, "error: cannot write {}: {error}", shown(path)),
            Self::Reduction(error) => {
                writeln!(f, "error: {error}")?;
                match error {
                    dwindle::Error::NotInteresting { why, .. } => not_interesting(f, why),
                    dwindle::Error::Contrary { why, .. } => contrary(f, why),
                    dwindle::Error::Unremarkable { run, hint, .. } => unremarkable(f, run, hint.as_deref()),
                    dwindle::Error::Flaky { runs, .. } => flaky(f, &runs[..]),
                    _ => Ok(()),
                }
            }
        }
    }
}

fn not_interesting(f: &mut Formatter<'_>, why: &Rejection) -> fmt::Result {
    let Rejection { run, unmet, by_hand, folder, hint } = why;
    if *unmet != ["exit code 0"] {
        writeln!(f, "what was asked for and is missing: {}", unmet.join(", "))?;
    }
    ended(f, run)?;
    hint.iter().try_for_each(|hint| writeln!(f, "{hint}"))?;
    let rule = if *unmet == ["exit code 0"] { "The test must exit with 0 on the input. " } else { "" };
    let place = match folder {
        Some(folder) => format!("It ran in {}", shown(folder)),
        None => "It ran in a folder with nothing but the input".to_owned(),
    };
    writeln!(f, "{rule}{place}; by hand:\n  {by_hand}")
}

/// A command does nothing that is known as a bug.
fn unremarkable(f: &mut Formatter<'_>, run: &Run, hint: Option<&str>) -> fmt::Result {
    ended(f, run)?;
    hint.iter().try_for_each(|hint| writeln!(f, "{hint}"))?;
    let code = match run.end {
        // The command itself was not run.
        RunEnd::Exited(126 | 127) => return Ok(()),
        RunEnd::Exited(code) => format!("--exit-code {code}"),
        RunEnd::Signalled(signal) => format!("--signal {signal}"),
        RunEnd::TimedOut | RunEnd::Stopped => return Ok(()),
    };
    writeln!(
        f,
        "If that is the bug, say what every variant must do, by one or more of these before `--`:\n  \
           {code}\n  \
           --stdout-contains TEXT, --stderr-contains TEXT (a part of the message that matters)\n  \
           --differs-from 'OTHER COMMAND {{}}' (wrong results)\n  \
           --slower-than SECONDS, --hangs-longer-than SECONDS"
    )
}

/// A version of an isolation does not do what it is said to.
fn contrary(f: &mut Formatter<'_>, why: &Rejection) -> fmt::Result {
    ended(f, &why.run)?;
    writeln!(
        f,
        "The test must exit with 0 on the version that fails, and on the one that passes with anything else but 125, \
         which says that it cannot tell. It ran in a folder of its own; by hand:\n  {}",
        why.by_hand
    )
}

/// What a run printed, and what the way it ended may mean.
fn ended(f: &mut Formatter<'_>, run: &Run) -> fmt::Result {
    output(f, "it printed", run)?;
    match run.end {
        RunEnd::Exited(126 | 127) => {
            writeln!(
                f,
                "126 and 127 are what a shell says when a command cannot be run or found: look at PATH."
            )?;
        }
        RunEnd::TimedOut => writeln!(f, "--timeout gives it more time.")?,
        _ => {}
    }
    Ok(())
}

fn flaky(f: &mut Formatter<'_>, runs: &[Run]) -> fmt::Result {
    for (run, which) in runs.iter().zip(["the first printed", "the second printed"]) {
        output(f, which, run)?;
    }
    writeln!(
        f,
        "A test must say the same of the same file every time. If the bug itself shows only sometimes, --repeats auto \
         measures how often, and asks about every candidate as often as that needs."
    )
}

/// The end of what a run printed.
fn output(f: &mut Formatter<'_>, title: &str, run: &Run) -> fmt::Result {
    const SHOWN: usize = 4096;
    let shown = run.output[run.output.len().saturating_sub(SHOWN)..].trim_ascii_end();
    if shown.is_empty() {
        return writeln!(f, "{title} nothing.");
    }
    let cut = if run.output.len() > SHOWN { " (the end of it)" } else { "" };
    writeln!(f, "{title}{cut}:")?;
    shown_lines(shown).try_for_each(|line| writeln!(f, "  | {line}"))
}
