//! The command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::ablation::Ablations;
use crate::count::CountCommand;
use crate::experiment::Experiments;
use crate::guard::Guard;
use crate::limit::Limits;
use crate::rivals::Rivals;

/// Runs a folder of cases times configurations of dwindle and prints one table; or an experiment of a paper.
///
/// The table goes to standard output, progress to standard error. What is in the results file is
/// not run again, so an evaluation that was stopped goes on where it was when it is started
/// again. A changed case is not noticed: give it a new results file.
///
/// Exit codes: 0 the table was printed (failed runs are cells of it), 1 it was not, 2 usage.
#[derive(Debug, Parser)]
#[command(name = "dwindle-eval", version, args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) tables: Option<Tables>,
}

/// What else can be done.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Ablation(Ablations),
    Experiment(Box<Experiments>),
    Guard(Guard),
    Limit(Limits),
    Rivals(Rivals),
}

/// The one table.
#[derive(Args, Debug)]
pub(crate) struct Tables {
    /// Folder of cases, each a folder with one `input.*` and an executable `interesting.sh`
    #[arg(value_name = "CASES")]
    pub(crate) cases: PathBuf,

    /// Configurations, one a line: `name: arguments for dwindle`
    ///
    /// Blank lines and lines that begin with `#` are left out. Double quotes keep blanks
    /// together; there are no escapes. dwindle runs in an empty folder, so paths have to be
    /// absolute.
    #[arg(long, value_name = "FILE")]
    pub(crate) runs: PathBuf,

    /// Results, one JSON line a run; made when missing, only ever appended to
    #[arg(long, value_name = "FILE")]
    pub(crate) results: PathBuf,

    /// Names of the cases to take, one a line, in the order of the table [default: all]
    #[arg(long, value_name = "FILE", conflicts_with = "case")]
    pub(crate) only: Option<PathBuf>,

    /// Names of the cases to take, in the order of the table [default: all]
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub(crate) case: Vec<String>,

    /// The dwindle to measure [default: the one beside this program]
    #[arg(long, value_name = "PATH")]
    pub(crate) program: Option<PathBuf>,

    /// Runs at once; seconds can only be compared when the machine has a core for each
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) parallel: NonZeroUsize,

    /// Command that prints the tokens of the file it gets as last argument [default: believe
    /// the program's own count]
    #[arg(long, value_name = "COMMAND")]
    pub(crate) count_tokens: Option<CountCommand>,

    /// Sort what the test refuses by what a command says of it
    ///
    /// The file has a line `command: SHELL COMMAND`, which runs for each refused candidate in a folder
    /// with nothing else in it, with its file name as `$1` and the path of the case's test in `TEST`;
    /// and lines `CLASS: REGEX`. The first line of the command's output that a rule matches gives the
    /// class, by the first such rule; an output without a word counts as an empty line. Candidates that
    /// dwindle tests ahead of time are sorted, too, unless a run has --jobs 1. Results without classes
    /// are made again. `refusals/compilers.txt` knows gcc and Go.
    #[arg(long, value_name = "FILE")]
    pub(crate) refusals: Option<PathBuf>,

    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Both)]
    pub(crate) format: Format,

    /// Run nothing, print the table of what is in the results
    #[arg(long)]
    pub(crate) table_only: bool,

    /// Take the results of other builds of the program too
    #[arg(long)]
    pub(crate) any_program: bool,

    /// Run again what failed
    #[arg(long, conflicts_with = "table_only")]
    pub(crate) retry_failed: bool,
}

/// What to print.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Format {
    /// A row a case, a column a configuration, means and sums
    Markdown,
    /// A row a run, with every figure
    Tsv,
    /// A table a configuration: the percentage of the tokens that is left after 1 to 100 questions
    Curves,
    /// The same as a picture: a panel a case, a line a configuration
    Svg,
    /// A row a run: the shares of the classes of refused candidates (see --refusals)
    Refusals,
    /// Markdown, an empty line, TSV
    Both,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Arguments;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
