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
    override_usage = "dwindle check [OPTIONS] TEST INPUT\n       dwindle check [OPTIONS] INPUT --test TEST\n       dwindle check [OPTIONS] INPUT -- COMMAND..."
)]
pub(crate) struct CheckArgs {
    /// The test; or INPUT, where there are --test or a COMMAND.
    #[arg(value_name = "TEST")]
    first: PathBuf,
    /// The file to reduce.
    input: Option<PathBuf>,
    /// Instead of TEST: a program and its arguments.
    #[arg(last = true, value_name = "COMMAND")]
    words: Vec<OsString>,
    /// The test, where TEST does not stand before INPUT.
    // Called as that of `reduce`, so that it can be configured.
    #[arg(id = "tests", long = "test", value_name = "TEST")]
    test: Option<PathBuf>,
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
        let (test, input) = match &self.input {
            Some(input) => (Some(&self.first), input),
            None => (self.test.as_ref(), &self.first),
        };
        let surplus = self.test.as_ref().filter(|_| self.input.is_some());
        let test = match (test, &self.words[..], surplus) {
            (Some(test), [], None) => Test::Script(test.clone()),
            (None, [_, ..], _) => Test::Command(self.words.clone()),
            (Some(test), _, Some(other)) => {
                let what =
                    format!("there are two tests, {} and {}; name one of them", shown(test), shown(other));
                return Err(Failure::Usage(what));
            }
            (Some(test), ..) => {
                let what =
                    format!("there are a test, {}, and a command behind `--`; name one of them", shown(test));
                return Err(Failure::Usage(what));
            }
            (None, [], _) => {
                let what = format!(
                    "nothing tests {}: name a TEST before it, `test` in a dwindle.toml, or a command behind `--`",
                    shown(input)
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
