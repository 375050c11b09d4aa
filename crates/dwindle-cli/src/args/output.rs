//! Where results go, and what is told on the way.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use dwindle::Target;

use super::values::named;
use crate::progress::Means;

/// Whether the result is laid out.
const AUTO: &str = "auto";
const NEVER: &str = "never";

/// The result, and what is told.
#[derive(Args, Debug)]
pub(super) struct OutputArgs {
    /// Write the result to FILE, or to standard output if it is `-` [default: `a.c` becomes `a.reduced.c`].
    #[arg(long, short, value_name = "FILE", conflicts_with = "in_place")]
    pub(super) output: Option<PathBuf>,
    /// Write the result over INPUT and keep the original as INPUT.orig.
    #[arg(long)]
    pub(super) in_place: bool,
    /// Whether the result is laid out at the end: `auto` or `never` [default: auto].
    ///
    /// By the formatter of the language if it is in PATH (clang-format, rustfmt, gofmt, black, shfmt, stylua,
    /// zig); otherwise as the input is laid out, or by brackets. No token changes, and the new layout is tested; if it is
    /// not interesting, the result stays as it was. A program that is debloated keeps its layout.
    #[arg(long, value_name = "HOW", num_args = 0..=1, default_value = AUTO, default_missing_value = AUTO,
          hide_default_value = true,
          value_parser = [AUTO, NEVER])]
    format_result: String,
    /// Write a line of JSON for every question to FILE, which is replaced.
    ///
    /// What was tried of which list, what that weighs, the outcome, time and size.
    #[arg(long, value_name = "FILE")]
    pub(super) trace: Option<PathBuf>,
    /// Write every candidate that is asked about into DIR, which must be new or empty.
    ///
    /// Their names begin with the number of the question in the trace and its outcome.
    #[arg(long, value_name = "DIR")]
    pub(super) dump: Option<PathBuf>,
    /// Print the report to standard output as JSON.
    #[arg(long)]
    pub(super) json: bool,
    /// Write what happens to FILE as lines of JSON, while it happens; FILE is replaced.
    #[arg(long, value_name = "FILE")]
    pub(super) events: Option<PathBuf>,
    /// How progress is shown [default: auto].
    ///
    /// `view` takes the window of the terminal and has keys to stop, to pause and to skip; `line` is one line that changes; `plain`
    /// prints a line at each tenth of the way, and every 30 seconds. `auto` is `view` on a terminal, else `plain`.
    #[arg(long, value_name = "HOW", default_value = Means::Auto.name(), hide_default_value = true,
          value_parser = PossibleValuesParser::new(Means::ALL.map(Means::name)))]
    pub(super) progress: String,
    /// Write a page about the reduction to FILE, as HTML that needs no network; FILE is replaced.
    ///
    /// Size over time, questions, where in INPUT the result stood, both side by side, and how to repeat it.
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Print every option and where it comes from, as a dwindle.toml, and reduce nothing.
    ///
    /// Options that are not on the command line are taken from the environment (DWINDLE_JOBS is --jobs), then from the file
    /// dwindle.toml beside INPUT or in the next folder above it. Its keys are the long flags.
    #[arg(long)]
    pub(super) print_config: bool,
    /// Read neither dwindle.toml nor the environment.
    #[arg(long)]
    pub(super) no_config: bool,
    /// Print errors only.
    #[arg(long, short, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Print every question and the test's output.
    #[arg(long, short)]
    pub(super) verbose: bool,
}

impl OutputArgs {
    /// Where the result goes.
    pub(super) fn target(&self) -> Target {
        match &self.output {
            _ if self.in_place => Target::InPlace,
            Some(path) => Target::File(path.clone()),
            None => Target::Beside,
        }
    }

    /// Whether the result is laid out.
    pub(super) fn lays_out(&self) -> bool {
        self.format_result == AUTO
    }

    /// How progress is shown.
    pub(super) fn means(&self) -> Means {
        named(&Means::ALL.map(|means| (means.name(), means)), &self.progress)
    }
}
