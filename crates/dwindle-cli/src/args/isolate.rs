//! The difference between two versions.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::PossibleValuesParser;
use dwindle::Units;
use dwindle::core::isolate::Algorithm;

use super::language::{self, LanguageArgs};
#[cfg(feature = "remote")]
use super::remote::{self, RemoteArgs};
use super::values::{count, seconds};

/// The end of the help of `isolate`.
const ISOLATE_EXAMPLE: &str = "\
Example:
  $ cat test.sh
  #!/bin/sh
  gcc -c -o /dev/null bug.c 2>log && exit 1
  grep -q 'internal compiler error' log || exit 125
  $ dwindle isolate --passing old/bug.c --failing bug.c ./test.sh > bug.diff
  $ patch old/bug.c < bug.diff      # now it fails, too
  $ dwindle isolate --git v1.0..HEAD -- sh -c '! python3 -m unittest -q tests.test_dates' > bug.diff

The diff applies to the version that passes. Where its last part does not make that fail by itself, the part
before it leads to a variant that still passes.";

#[derive(Args, Debug)]
#[command(
    after_help = ISOLATE_EXAMPLE,
    override_usage = "dwindle isolate [OPTIONS] --passing A --failing B TEST\n       dwindle isolate [OPTIONS] --git GOOD..BAD TEST\n       dwindle isolate [OPTIONS] --git GOOD..BAD -- COMMAND..."
)]
pub(crate) struct IsolateArgs {
    /// The executable that exits with 0 if a variant fails as FAILING does, with 125 if it cannot tell, else if it passes.
    ///
    /// It runs as the test of a reduction does: in a fresh folder with the variant under the name of FAILING, whose
    /// path is its argument and whose text is its standard input. Of commits and folders, a variant is a folder, in which it runs.
    pub(crate) test: Option<PathBuf>,
    /// Instead of TEST: a program and its arguments; `{}` is the variant.
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) words: Vec<OsString>,
    /// The version that passes, a file or a folder.
    #[arg(long, value_name = "PATH", required_unless_present = "git")]
    pub(crate) passing: Option<PathBuf>,
    /// The version that fails, a file or a folder.
    #[arg(long, value_name = "PATH", required_unless_present = "git")]
    pub(crate) failing: Option<PathBuf>,
    /// The versions are commits, of which the first passes and the last fails, such as v1.0..HEAD.
    ///
    /// The differences are the hunks of `git diff GOOD BAD`. The test runs in a checkout of GOOD with some of them, for which it
    /// is the current folder; it is made clean for each question. Nothing is written to the repository.
    #[arg(long, value_name = "GOOD..BAD", conflicts_with_all = ["passing", "failing", "format", "language", "grammar"])]
    pub(crate) git: Option<String>,
    /// The repository of --git [default: that of the current folder].
    #[arg(long, value_name = "DIR", requires = "git")]
    pub(crate) repository: Option<PathBuf>,
    /// Write the diff to FILE; `-` is standard output, the default.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// What differences are.
    ///
    /// `tree` is nodes of the syntax trees that are new, gone or replaced. `auto` is `tree` where a grammar reads both
    /// versions without an error, else lines and then the tokens in them.
    #[arg(long, default_value = Units::Auto.name(), value_parser = PossibleValuesParser::new(Units::ALL.map(Units::name)))]
    pub(crate) format: String,
    /// Which questions are asked: those of the published dd, or those that a model of the differences chooses.
    #[arg(long, value_name = "NAME", default_value = Algorithm::default().name(),
          value_parser = PossibleValuesParser::new(Algorithm::ALL.map(Algorithm::name)))]
    pub(crate) algorithm: String,
    /// Stop after S seconds, with the nearest two variants so far.
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) max_time: Option<Duration>,
    /// Stop after N runs of the test, including the four on the two versions.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(4..))]
    pub(crate) max_questions: Option<u64>,
    /// Run N tests at once [default: the number of processors]; the result is the same for every N.
    #[arg(long, short, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Kill a test after S seconds; it is unresolved then [default: 10 times the time on the two versions, 1 to 300].
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) timeout: Option<Duration>,
    /// Print a report to standard output as JSON, with the diff in it unless there is --output.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print errors and the diff only.
    #[arg(long, short, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print every question and the test's output.
    #[arg(long, short)]
    pub(crate) verbose: bool,
    #[command(flatten, next_help_heading = language::HEADING)]
    pub(crate) language: LanguageArgs,
    #[cfg(feature = "remote")]
    #[command(flatten, next_help_heading = remote::HEADING)]
    pub(crate) remote: RemoteArgs,
}
