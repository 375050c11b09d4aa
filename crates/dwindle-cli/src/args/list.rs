//! A list of anything.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use dwindle::core::MinimizerKind;
use dwindle::plan::Options;
use dwindle::{Config, Method, Test};

use super::conditions::{self, RunConditionArgs};
use super::limits::{self, LimitArgs};
use super::minimizer::{self, MinimizerArgs};
use super::resume::ResumeArgs;
use super::values::{count, named};
use crate::failure::Failure;
use crate::progress::Means;
use crate::reducing::Telling;

/// The end of the help of `list`.
const LIST_EXAMPLE: &str = "\
Examples:
  $ dwindle list flags.txt --stderr-contains 'may be used uninitialized' -- gcc -c bug.c {}
  $ printenv | dwindle list - -- env -i {} ./fails.sh
  $ pytest --collect-only -q | grep :: | dwindle list - --stdout-contains '1 failed' -- pytest -q {} tests/test_last.py
  $ dwindle list --commits v1.0..HEAD -- ./builds-with.sh {}

The items that are left go to standard output. Stop with Ctrl-C at any time; the same command continues.";

#[derive(Args, Debug)]
#[command(
    override_usage = "dwindle list [OPTIONS] ITEMS -- COMMAND...\n       dwindle list [OPTIONS] --commits RANGE -- COMMAND...",
    after_help = LIST_EXAMPLE
)]
pub(crate) struct ListArgs {
    /// The file with an item on each line; `-` is standard input. Blank lines are no items.
    #[arg(conflicts_with = "commits")]
    pub(crate) items: Option<PathBuf>,
    /// A program and its arguments; `{}` is the items, `{file}` the path of a file of them.
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) words: Vec<OsString>,
    /// Reduce the commits of this range, such as v1.0..HEAD, without merges and oldest first.
    #[arg(long, value_name = "RANGE", help_heading = HEADING)]
    pub(crate) commits: Option<String>,
    /// The repository of --commits [default: that of the current folder].
    #[arg(long, value_name = "DIR", requires = "commits", help_heading = HEADING)]
    pub(crate) repository: Option<PathBuf>,
    /// Each line is an item, a tab and its weight, a whole number above 0.
    ///
    /// What is to be small is the sum of the weights, and the minimisers that know weights (wddmin, wprobdd) try heavy items
    /// first. COMMAND and the result have the items alone.
    #[arg(long, conflicts_with = "commits", help_heading = HEADING)]
    pub(crate) weights: bool,
    /// Write the items that are left to FILE [default: standard output].
    #[arg(long, short, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,
    /// Print the report to standard output as JSON, with the items in it.
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) json: bool,
    /// Write a line of JSON for every question to FILE, which is replaced.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) trace: Option<PathBuf>,
    /// How progress is shown [default: auto].
    #[arg(long, value_name = "HOW", default_value = Means::Auto.name(), hide_default_value = true, help_heading = OUTPUT,
          value_parser = PossibleValuesParser::new(Means::ALL.map(Means::name)))]
    pub(crate) progress: String,
    /// Print errors and the items only.
    #[arg(long, short, conflicts_with = "verbose", help_heading = OUTPUT)]
    pub(crate) quiet: bool,
    /// Print every question and what the command prints.
    #[arg(long, short, help_heading = OUTPUT)]
    pub(crate) verbose: bool,
    #[command(flatten, next_help_heading = conditions::HEADING)]
    conditions: RunConditionArgs,
    /// Run N commands at once, all in the current folder [default: 1].
    ///
    /// Only where they do not disturb each other: what they write there, two of them may write at once.
    #[arg(long, short, value_name = "N", value_parser = count, allow_negative_numbers = true,
          help_heading = limits::HEADING)]
    jobs: Option<NonZeroUsize>,
    #[command(flatten, next_help_heading = limits::HEADING)]
    limits: LimitArgs,
    #[command(flatten, next_help_heading = "Resuming")]
    resume: ResumeArgs,
    /// The algorithm that decides which items are tried together [default: splitting; with --weights: wddmin].
    #[arg(long, value_name = "NAME", help_heading = "Algorithm parameters",
          value_parser = PossibleValuesParser::new(MinimizerKind::ALL.map(MinimizerKind::name)))]
    minimizer: Option<String>,
    #[command(flatten, next_help_heading = "Algorithm parameters")]
    of_minimizer: MinimizerArgs,
}

/// The headings of options in the help.
const HEADING: &str = "Items";
const OUTPUT: &str = "Output";

impl ListArgs {
    /// The reduction of the file `input` that was asked for, but for its items.
    pub(crate) fn config(&self, input: PathBuf) -> Result<Config, Failure> {
        let fail = |what: &str| Err(Failure::Usage(what.to_owned()));
        if self.items.is_none() && self.commits.is_none() {
            return fail(
                "there is no list: name the file of the items, `-` for standard input, or --commits RANGE",
            );
        }
        if self.words.is_empty() {
            return fail(
                "nothing tests the items: write a command behind `--`, in which {} stands for them, such as\n  \
                 dwindle list flags.txt -- gcc -c bug.c {}",
            );
        }
        self.conditions.check(self.limits.timeout)?;
        let mut options = Options::new(Method::Items);
        let kind = match (&self.minimizer, self.weights) {
            (Some(name), _) => minimizer::kind(name),
            (None, true) => MinimizerKind::Wddmin,
            (None, false) => MinimizerKind::Splitting,
        };
        if self.weights && !matches!(kind, MinimizerKind::Wddmin | MinimizerKind::WProbDd) {
            return Err(Failure::Usage(format!(
                "--weights goes with --minimizer wddmin or wprobdd: {} knows no weights",
                kind.name()
            )));
        }
        options.minimizer = self.of_minimizer.minimizer(kind)?;
        options.timeout = self.limits.timeout;
        options.repeats = self.limits.repeats()?;
        options.max_questions = self.limits.max_questions;
        let mut config = Config::new(input, Test::Command(self.words.clone()));
        self.conditions.apply(&mut config);
        config.options = options;
        config.jobs = Some(self.jobs.unwrap_or(NonZeroUsize::MIN));
        config.journal.clone_from(&self.resume.journal);
        config.journal_limit = self.resume.journal_limit;
        config.policy = self.resume.policy();
        config.trace.clone_from(&self.trace);
        config.max_time = self.limits.max_time;
        config.limits = self.limits.limits();
        Ok(config)
    }

    /// What is told of it; commits are those of `commits_of`.
    pub(crate) fn telling<'a>(&'a self, commits_of: Option<&'a std::path::Path>) -> Telling<'a> {
        let progress = named(&Means::ALL.map(|means| (means.name(), means)), &self.progress);
        let Self { json, quiet, verbose, .. } = *self;
        Telling { quiet, verbose, json, progress, events: None, page: None, commits_of }
    }
}
