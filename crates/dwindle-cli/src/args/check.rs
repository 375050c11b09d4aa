//! Trying a test, and writing one.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use dwindle::shown::shown;
use dwindle::{Config, Test};

use super::conditions::{self, ConditionArgs};
use super::values::seconds;
use crate::failure::Failure;

#[derive(Args, Debug)]
#[command(
    override_usage = "dwindle check [OPTIONS] TEST INPUT\n       dwindle check [OPTIONS] INPUT -- COMMAND..."
)]
pub(crate) struct CheckArgs {
    /// The test; or INPUT, where there is a COMMAND.
    #[arg(value_name = "TEST")]
    first: PathBuf,
    /// The file to reduce.
    input: Option<PathBuf>,
    /// Instead of TEST: a program and its arguments.
    #[arg(last = true, value_name = "COMMAND")]
    words: Vec<OsString>,
    /// Kill a run after S seconds [default: 300].
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    timeout: Option<Duration>,
    #[command(flatten, next_help_heading = conditions::HEADING)]
    conditions: ConditionArgs,
}

#[derive(Args, Debug)]
#[command(override_usage = "dwindle init [OPTIONS] INPUT -- COMMAND...")]
pub(crate) struct InitArgs {
    /// The file to reduce.
    input: PathBuf,
    /// A program and its arguments; `{}` is the candidate's name.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    words: Vec<OsString>,
    /// Write the test to FILE.
    #[arg(long, value_name = "FILE", default_value = "test.sh")]
    save_test: PathBuf,
    /// Kill a run after S seconds [default: 300].
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    timeout: Option<Duration>,
    #[command(flatten, next_help_heading = conditions::HEADING)]
    conditions: ConditionArgs,
}

impl CheckArgs {
    pub(crate) fn config(&self) -> Result<Config, Failure> {
        let (test, input) = match (&self.input, &self.words[..]) {
            (Some(input), []) => (Test::Script(self.first.clone()), input),
            (None, [_, ..]) => (Test::Command(self.words.clone()), &self.first),
            (Some(_), [_, ..]) => {
                let what = format!(
                    "there are a test, {}, and a command behind `--`; name one of them",
                    shown(&self.first)
                );
                return Err(Failure::Usage(what));
            }
            (None, []) => {
                let what = format!(
                    "nothing tests {}: name a TEST before it, or a command behind `--`",
                    shown(&self.first)
                );
                return Err(Failure::Usage(what));
            }
        };
        tried(input, test, &self.conditions, self.timeout)
    }
}

impl InitArgs {
    pub(crate) fn config(&self) -> Result<Config, Failure> {
        let mut config =
            tried(&self.input, Test::Command(self.words.clone()), &self.conditions, self.timeout)?;
        config.save_test = Some(self.save_test.clone());
        Ok(config)
    }
}

/// What a test is tried by.
fn tried(
    input: &Path,
    test: Test,
    conditions: &ConditionArgs,
    timeout: Option<Duration>,
) -> Result<Config, Failure> {
    conditions.check(timeout)?;
    let mut config = Config::new(input.to_owned(), test);
    conditions.apply(&mut config);
    config.options.timeout = timeout;
    Ok(config)
}
