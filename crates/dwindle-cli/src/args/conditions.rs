//! What a test must do for a candidate to be interesting.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser};
use dwindle::{Config, Criteria, Guard, Matching, Stream, Wanted, signal_name};

use super::values::{named, seconds};
use crate::failure::Failure;

/// The heading of these options in the help.
pub(super) const HEADING: &str = "What is interesting";

/// How long the first runs of a test may take where nothing else is said.
const LONGEST_LIMIT: Duration = Duration::from_secs(300);

/// What a test of a file must do.
#[derive(Args, Debug)]
pub(super) struct ConditionArgs {
    #[command(flatten)]
    run: RunConditionArgs,
    /// Reject a candidate that shows undefined behaviour: `c-undefined`, for C.
    ///
    /// For wrong results. gcc and clang, whichever are there, must not warn of it (with $CFLAGS), and programs that they
    /// build with sanitizers must run without an error and without reading what was not written. It runs last.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Guard::ALL.map(Guard::name)))]
    guard: Option<String>,
    /// Lay FILE beside every candidate, under its base name; repeatable.
    #[arg(long = "with", value_name = "FILE")]
    beside: Vec<PathBuf>,
}

/// What a run of any test must do.
#[derive(Args, Debug)]
pub(super) struct RunConditionArgs {
    /// Find a candidate interesting if the test exits with N, instead of 0.
    ///
    /// As in a shell, a signal N is the code 128 + N. With other conditions, all of them must hold. Without any, exit
    /// code 0 of a TEST is interesting, and what a COMMAND does with INPUT is recognised.
    #[arg(long, value_name = "N")]
    exit_code: Option<u8>,
    /// Find a candidate interesting if the test is ended by this signal, such as SEGV or 11.
    #[arg(long, value_name = "NAME", value_parser = signal, conflicts_with = "exit_code")]
    signal: Option<u8>,
    /// Find a candidate interesting if the test prints TEXT to standard output, whatever its exit code; repeatable.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, value_parser = NonEmptyStringValueParser::new())]
    stdout_contains: Vec<String>,
    /// The same for standard error.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, value_parser = NonEmptyStringValueParser::new())]
    stderr_contains: Vec<String>,
    /// Find a candidate interesting if what the test prints to standard output matches this regular expression; repeatable.
    ///
    /// `^` and `$` match at the ends of lines. Of an output of more than 128 KiB, the first and the last 64 KiB count.
    #[arg(long, value_name = "PATTERN", allow_hyphen_values = true, value_parser = on_stdout)]
    stdout_matches: Vec<Matching>,
    /// The same for standard error.
    #[arg(long, value_name = "PATTERN", allow_hyphen_values = true, value_parser = on_stderr)]
    stderr_matches: Vec<Matching>,
    /// Reject a candidate if the test prints TEXT, to either output; repeatable.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, value_parser = NonEmptyStringValueParser::new())]
    not_contains: Vec<String>,
    /// Find a candidate interesting if the test is still running after S seconds; it is killed then.
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true,
          conflicts_with_all = ["timeout", "exit_code", "signal", "differs_from"])]
    hangs_longer_than: Option<Duration>,
    /// Find a candidate interesting if the test ends, but takes longer than S seconds.
    ///
    /// About half of its time on INPUT is a good S. What was slow beside other tests is run again alone.
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true,
          conflicts_with = "hangs_longer_than")]
    slower_than: Option<Duration>,
    /// Find a candidate interesting if CMD prints something else to standard output, or ends otherwise.
    ///
    /// CMD is one argument, cut into words as a shell does it; `{}` is the candidate's name.
    #[arg(long, value_name = "CMD", value_parser = command)]
    differs_from: Option<CommandLine>,
    /// Reject a candidate unless CMD exits with 0 on it; repeatable.
    ///
    /// These commands run before the test, in their order, each in a folder of its own: write the quickest first.
    #[arg(long, value_name = "CMD", value_parser = command)]
    also: Vec<CommandLine>,
}

impl ConditionArgs {
    pub(super) fn criteria(&self) -> Criteria {
        Criteria { guarded: self.guard.is_some(), ..self.run.criteria() }
    }

    /// That a run can take as long as it must.
    pub(super) fn check(&self, timeout: Option<Duration>) -> Result<(), Failure> {
        self.run.check(timeout)
    }

    /// Has a reduction, or whatever tries its test, do so by these conditions.
    pub(super) fn apply(&self, config: &mut Config) {
        self.run.apply(config);
        config.criteria = self.criteria();
        let guards = Guard::ALL.map(|guard| (guard.name(), guard));
        config.guard = self.guard.as_ref().map(|name| named(&guards, name));
        config.beside.clone_from(&self.beside);
    }
}

impl RunConditionArgs {
    fn criteria(&self) -> Criteria {
        let on = |stream, texts: &[String]| -> Vec<Wanted> {
            texts.iter().map(|text| Wanted { stream, text: text.clone().into() }).collect()
        };
        Criteria {
            exit_code: self.exit_code.or(self.signal.map(|signal| 128 + signal)),
            texts: [on(Stream::Stdout, &self.stdout_contains), on(Stream::Stderr, &self.stderr_contains)]
                .concat(),
            matching: [&self.stdout_matches[..], &self.stderr_matches].concat(),
            hangs: self.hangs_longer_than,
            slower: self.slower_than,
            differs: self.differs_from.is_some(),
            guarded: false,
            absent: self.not_contains.iter().map(|text| text.clone().into()).collect(),
        }
    }

    /// That a run can take as long as it must.
    pub(super) fn check(&self, timeout: Option<Duration>) -> Result<(), Failure> {
        let limit = timeout.unwrap_or(LONGEST_LIMIT);
        match self.slower_than {
            Some(slower) if slower >= limit => Err(Failure::Usage(format!(
                "--slower-than {} is never met, because a run is killed after {} s: give a longer --timeout, or say \
                 --hangs-longer-than if the run need not end",
                slower.as_secs_f64(),
                limit.as_secs_f64()
            ))),
            _ => Ok(()),
        }
    }

    /// Has a reduction, or whatever tries its test, do so by these conditions.
    pub(super) fn apply(&self, config: &mut Config) {
        config.criteria = self.criteria();
        config.also = self.also.iter().map(|line| line.0.clone()).collect();
        config.differs_from = self.differs_from.as_ref().map(|line| line.0.clone());
    }
}

/// The words of a command in one argument.
#[derive(Clone, Debug)]
pub(super) struct CommandLine(Vec<OsString>);

fn command(text: &str) -> Result<CommandLine, String> {
    match shlex::split(text) {
        Some(words) if !words.is_empty() => Ok(CommandLine(words.into_iter().map(OsString::from).collect())),
        Some(_) => Err("a program and its arguments are wanted".to_owned()),
        None => Err("a quote is not closed".to_owned()),
    }
}

fn on_stdout(text: &str) -> Result<Matching, String> {
    matching(Stream::Stdout, text)
}

fn on_stderr(text: &str) -> Result<Matching, String> {
    matching(Stream::Stderr, text)
}

fn matching(stream: Stream, text: &str) -> Result<Matching, String> {
    if text.is_empty() {
        return Err("an empty pattern matches anything".to_owned());
    }
    Matching::on(stream, text).map_err(|error| error.to_string())
}

/// The number of a signal, which is named with or without `SIG`, or given.
fn signal(text: &str) -> Result<u8, String> {
    let name = text.to_uppercase();
    let name = name.strip_prefix("SIG").unwrap_or(&name);
    let is_it = |number: &u8| {
        let known = signal_name(i32::from(*number));
        name.parse() == Ok(*number) || known.is_some_and(|known| known.strip_prefix("SIG") == Some(name))
    };
    (1..=64).find(is_it).ok_or_else(|| "a signal is wanted, such as SEGV, ABRT or 11".to_owned())
}
