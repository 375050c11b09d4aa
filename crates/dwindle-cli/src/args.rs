//! The command line, and what it means.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser, Styles};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgGroup, ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use dwindle::core::isolate::Algorithm;
use dwindle::core::minimizers::{AfterSuccess, DdminOptions, Order, Split, SplitTie};
use dwindle::core::passes::{Level, Pass, Schedule};
use dwindle::core::{HddrOrder, MinimizerConfig, MinimizerKind, Transform};
use dwindle::journal::Policy;
use dwindle::keep::Pattern;
use dwindle::method::{FORMATS, REDUCERS};
use dwindle::plan::Options;
use dwindle::probe::PLACE;
use dwindle::read::brought::{self, Files, TreeForm};
use dwindle::shown::shown;
use dwindle::{
    Config, Criteria, FrontEnd, Guard, Limits, Matching, Method, Repeats, Stream, Target, Test, Units,
    Wanted, When, signal_name,
};

use crate::failure::Failure;
use crate::progress::Means;

/// An example, as a literal that can be joined with others.
macro_rules! example {
    () => {
        "\
Example:
  $ cat test.sh
  #!/bin/sh
  gcc -O2 -c bug.c 2>&1 | grep -q 'internal compiler error: in fold_convert_loc'
  $ dwindle ./test.sh bug.c        # writes bug.reduced.c
  $ dwindle bug.c -- gcc -O2 -c {} # the same without a script: the crash is recognised
  $ dwindle bug.c --stderr-contains 'control reaches end' -- gcc -Wall -c {}

Stop with Ctrl-C at any time; the same command continues."
    };
}

/// Reduces an input while a test still finds it interesting.
///
/// TEST is an executable that exits with 0 while a candidate is interesting, and with anything else while it is
/// not. It runs in a fresh folder that contains only the candidate, under the name of INPUT. It also gets the
/// candidate's absolute path as its argument and the candidate as standard input. If TEST has the name of a
/// subcommand, write `./TEST`.
///
/// Instead of TEST, a COMMAND can stand behind `--`. Each `{}` in its arguments is the candidate's name; without any,
/// the candidate is standard input only. No shell reads it, and its program is looked up in PATH. Where no option says what
/// it must do, dwindle runs it on INPUT, recognises the crash, the exception or the signal, and keeps that.
#[derive(Debug, Parser)]
#[command(
    name = "dwindle",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    override_usage = "dwindle [OPTIONS] TEST INPUT\n       dwindle [OPTIONS] INPUT -- COMMAND...\n       dwindle <SUBCOMMAND>",
    after_help = EXAMPLE,
    after_long_help = EXAMPLE_AND_CODES
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// The executable that exits with 0 while a candidate is interesting; or INPUT, where there is a COMMAND.
    #[arg(required = true)]
    test: Option<PathBuf>,
    /// The file to reduce; `-` is standard input.
    input: Option<PathBuf>,
    /// Instead of TEST: a program and its arguments.
    #[arg(last = true, value_name = "COMMAND")]
    words: Vec<OsString>,
    #[command(flatten)]
    run: RunArgs,
}

/// The end of the short help.
const EXAMPLE: &str = example!();

/// The end of the long help.
const EXAMPLE_AND_CODES: &str = concat!(
    example!(),
    "

Exit codes:
  0  reduced, or stopped by a budget
  2  the command line is wrong
  3  the input cannot be read
  4  the test cannot be run
  5  the test rejects the input, or a command does nothing unusual with it
  6  two runs of the test on the input disagree
  7  the result or the journal cannot be written
  8  the test broke on the way; the best result is kept
  9  another run is using the result or the journal
  10 the test accepts the empty file, or anything; nothing is written, an earlier result stays
  129, 130, 143  stopped by SIGHUP, SIGINT, SIGTERM; the best result is kept"
);

/// The groups of options in the help.
mod heading {
    pub(super) const INPUT: &str = "Input and language";
    pub(super) const INTERESTING: &str = "What is interesting";
    pub(super) const OUTPUT: &str = "Output";
    pub(super) const DELETE: &str = "What to delete";
    pub(super) const REWRITE: &str = "Rewriting";
    pub(super) const LIMITS: &str = "Limits and budgets";
    pub(super) const RESUME: &str = "Resuming";
    pub(super) const PARAMETERS: &str = "Algorithm parameters";
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Reduce INPUT with --test TEST or a COMMAND; the same as `dwindle TEST INPUT`.
    Reduce(Box<Reduce>),
    /// Cut a program down to what --test TEST needs: whole functions, declarations and statements.
    ///
    /// What is left stays as it was written. In C the test is run once on the program with marks, which say what of
    /// it runs; what does not goes first, together with what nothing uses any more.
    Debloat(Box<Reduce>),
    /// Show the tree that a reduction of FILE works on.
    ///
    /// Each line is a node. Behind its kind stands what can become of it: `-` it can be deleted; `,` it
    /// separates elements; `> TEXT` it can be replaced by TEXT; `list N` it is an element of list N (`+`: that
    /// list keeps one element); `slot N` what else can take its place, which is listed below the tree. A
    /// `group` is several nodes that are deleted together.
    Parse(Parse),
    /// List the languages, how they are read, and their other names, which are also file extensions.
    Languages,
    /// Print the size of FILE in tokens; white space and comments do not count.
    Tokens(File),
    /// List reductions, or the steps of one, also while it runs.
    History(History),
    /// Try a test on INPUT, on the empty file and on parts of INPUT, and say what is wrong with it.
    ///
    /// Exit code 0 means that it is fine, 5 that it rejects INPUT, 6 that it is flaky or that two runs at once disturb each
    /// other, 10 that it accepts anything.
    Check(CheckArgs),
    /// Write a good test for a COMMAND as a script, without reducing anything.
    Init(InitArgs),
    /// Print the completions of a shell, or write the manual pages.
    Completions(Completions),
    /// Find what makes one version of a file fail where another one passes.
    Isolate(Box<IsolateArgs>),
}

/// The end of the help of `completions`.
const COMPLETIONS_EXAMPLE: &str = "\
Example:
  $ dwindle completions bash > ~/.local/share/bash-completion/completions/dwindle
  $ dwindle completions zsh > ~/.zfunc/_dwindle      # with fpath+=~/.zfunc before compinit
  $ dwindle completions fish > ~/.config/fish/completions/dwindle.fish
  $ dwindle completions --man ~/.local/share/man/man1";

#[derive(Args, Debug)]
#[command(after_help = COMPLETIONS_EXAMPLE)]
pub(crate) struct Completions {
    /// The shell.
    #[arg(required_unless_present = "man")]
    pub(crate) shell: Option<Shell>,
    /// Write the manual pages of all subcommands into DIR instead.
    #[arg(long, value_name = "DIR", conflicts_with = "shell")]
    pub(crate) man: Option<PathBuf>,
}

/// A file that is only read.
#[derive(Args, Debug)]
pub(crate) struct File {
    /// The file to read.
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) language: LanguageArgs,
}

/// What the input is written in.
#[derive(Args, Debug)]
pub(crate) struct LanguageArgs {
    /// Read the input as this language [default: recognised by the file name or the first line].
    ///
    /// One that `dwindle languages` lists, or the file of a compiled tree-sitter grammar (`.so`).
    #[arg(long, value_name = "NAME", value_parser = language, conflicts_with = "grammar", help_heading = heading::INPUT)]
    language: Option<String>,
    /// Read the input by a grammar of your own.
    ///
    /// YACC (`.y`, with --lexer), ANTLR 4 (`.g4`), or tree-sitter (`grammar.json`, with its `scanner.c` beside
    /// it; or compiled, `.so`).
    #[arg(long, value_name = "FILE", help_heading = heading::INPUT)]
    grammar: Option<PathBuf>,
    /// The lexer that belongs to --grammar.
    ///
    /// The lexical specification of a YACC grammar, or the lexer of an ANTLR parser [default: the one that the
    /// parser names].
    #[arg(long, value_name = "FILE", requires = "grammar", help_heading = heading::INPUT)]
    lexer: Option<PathBuf>,
    /// The rule of --grammar that describes a whole input.
    ///
    /// [default: what the grammar says; in ANTLR, the first rule with EOF]
    #[arg(long, value_name = "RULE", requires = "grammar", help_heading = heading::INPUT)]
    start: Option<String>,
    /// What the trees of --grammar are like: `lists`, or `thesis`.
    ///
    /// In `lists`, what the grammar repeats is a list whose elements can be deleted. `thesis` is the parse tree of
    /// the thesis on HDD: recursive rules are chains of nodes, and a node is replaced by the shortest text of its
    /// rule. It goes with YACC and ANTLR grammars and the reducers hdd, hdd+, hdd*, hddr and coarse.
    #[arg(long, value_name = "NAME", default_value = TreeForm::default().name(),
          value_parser = PossibleValuesParser::new(TreeForm::ALL.map(TreeForm::name)), help_heading = heading::INPUT)]
    tree: String,
}

impl LanguageArgs {
    fn tree_form(&self) -> TreeForm {
        named(&TreeForm::ALL.map(|form| (form.name(), form)), &self.tree)
    }

    /// The front end, if one was asked for; a grammar is loaded, and what is wrong with it goes to `warn`.
    pub(crate) fn front_end(&self, warn: &mut dyn FnMut(&str)) -> Result<Option<FrontEnd>, Failure> {
        let library = self.language.as_ref().map(PathBuf::from).filter(|path| brought::is_library(path));
        let Some(grammar) = self.grammar.clone().or(library) else {
            if self.tree_form() == TreeForm::Thesis {
                let what = "--tree thesis wants to know every rule that the input goes through: give a YACC or ANTLR \
                            grammar with --grammar";
                return Err(Failure::Usage(what.to_owned()));
            }
            let named = self.language.as_deref().map(FrontEnd::of_language).transpose();
            return named.map_err(|error| Failure::Usage(error.to_string()));
        };
        let tree = self.tree_form();
        let files = Files { grammar, lexer: self.lexer.clone(), start: self.start.clone(), tree };
        let brought = brought::load(&files).map_err(Failure::Grammar)?;
        brought.warnings().iter().for_each(|warning| warn(warning));
        Ok(Some(brought.into()))
    }
}

#[derive(Args, Debug)]
pub(crate) struct Parse {
    #[command(flatten)]
    pub(crate) file: File,
    /// Show nodes down to depth N only; the root has depth 0.
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<usize>,
    /// Show only nodes that touch this line of FILE.
    #[arg(long, value_name = "LINE", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) at: Option<u64>,
    /// Show what can be deleted, the names it declares and uses, and what would be deleted along with it.
    #[arg(long)]
    pub(crate) names: bool,
    /// Print one JSON object for each node.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(group(ArgGroup::new("one").args(["output", "journal"])))]
pub(crate) struct History {
    /// The result of the reduction to show [default: list all reductions].
    pub(crate) output: Option<PathBuf>,
    /// Read this journal instead of the one that belongs to OUTPUT.
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    /// Print what step N changed, as a unified diff.
    #[arg(long, value_name = "N", requires = "one", conflicts_with = "restore")]
    pub(crate) diff: Option<u64>,
    /// Print the text of step N; the input is step 0.
    #[arg(long, value_name = "N", requires = "one")]
    pub(crate) restore: Option<u64>,
    /// Write the text of --restore to FILE.
    #[arg(long, value_name = "FILE", requires = "restore")]
    pub(crate) to: Option<PathBuf>,
    /// Write a page about the reduction to FILE, as HTML that needs no network; FILE is replaced.
    #[arg(long, value_name = "FILE", requires = "one", conflicts_with_all = ["diff", "restore", "json"])]
    pub(crate) report: Option<PathBuf>,
    /// Print JSON: an object for each reduction, or one with all steps of OUTPUT.
    #[arg(long, conflicts_with_all = ["diff", "restore"])]
    pub(crate) json: bool,
}

/// The end of the help of `isolate`.
const ISOLATE_EXAMPLE: &str = "\
Example:
  $ cat test.sh
  #!/bin/sh
  gcc -c -o /dev/null bug.c 2>log && exit 1
  grep -q 'internal compiler error' log || exit 125
  $ dwindle isolate --passing old/bug.c --failing bug.c ./test.sh > bug.diff
  $ patch old/bug.c < bug.diff      # now it fails, too

The diff applies to the version that passes. Where its last part does not make that fail by itself, the part
before it leads to a variant that still passes.";

#[derive(Args, Debug)]
#[command(after_help = ISOLATE_EXAMPLE)]
pub(crate) struct IsolateArgs {
    /// The executable that exits with 0 if a variant fails as FAILING does, with 125 if it cannot tell, else if it passes.
    ///
    /// It runs as the test of a reduction does: in a fresh folder with the variant under the name of FAILING, whose
    /// path is its argument and whose text is its standard input.
    pub(crate) test: PathBuf,
    /// The version that passes.
    #[arg(long, value_name = "FILE")]
    pub(crate) passing: PathBuf,
    /// The version that fails.
    #[arg(long, value_name = "FILE")]
    pub(crate) failing: PathBuf,
    /// Write the diff to FILE [default: standard output].
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
    #[command(flatten)]
    pub(crate) language: LanguageArgs,
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
}

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
    #[command(flatten)]
    conditions: ConditionArgs,
    /// Kill a run after S seconds [default: 300].
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    timeout: Option<Duration>,
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
    #[command(flatten)]
    conditions: ConditionArgs,
    /// Kill a run after S seconds [default: 300].
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    timeout: Option<Duration>,
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

#[derive(Args, Debug)]
#[command(after_help = EXAMPLE, after_long_help = EXAMPLE_AND_CODES)]
struct Reduce {
    /// The file to reduce; `-` is standard input.
    input: PathBuf,
    /// The executable that exits with 0 while a candidate is interesting.
    ///
    /// Several (compile, a quick look, all tests) run one after the other in the same folder, until one refuses.
    #[arg(long = "test", value_name = "TEST", help_heading = heading::INPUT)]
    tests: Vec<PathBuf>,
    /// Instead of --test: a program and its arguments.
    #[arg(last = true, value_name = "COMMAND")]
    words: Vec<OsString>,
    #[command(flatten)]
    run: RunArgs,
}

/// What a test must do.
#[derive(Args, Debug)]
pub(crate) struct ConditionArgs {
    /// Find a candidate interesting if the test exits with N, instead of 0.
    ///
    /// As in a shell, a signal N is the code 128 + N. With other conditions, all of them must hold. Without any, exit
    /// code 0 of a TEST is interesting, and what a COMMAND does with INPUT is recognised.
    #[arg(long, value_name = "N", help_heading = heading::INTERESTING)]
    exit_code: Option<u8>,
    /// Find a candidate interesting if the test is ended by this signal, such as SEGV or 11.
    #[arg(long, value_name = "NAME", value_parser = signal, conflicts_with = "exit_code", help_heading = heading::INTERESTING)]
    signal: Option<u8>,
    /// Find a candidate interesting if the test prints TEXT to standard output, whatever its exit code; repeatable.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, value_parser = NonEmptyStringValueParser::new(),
          help_heading = heading::INTERESTING)]
    stdout_contains: Vec<String>,
    /// The same for standard error.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, value_parser = NonEmptyStringValueParser::new(),
          help_heading = heading::INTERESTING)]
    stderr_contains: Vec<String>,
    /// Find a candidate interesting if what the test prints to standard output matches this regular expression; repeatable.
    ///
    /// `^` and `$` match at the ends of lines. Of an output of more than 128 KiB, the first and the last 64 KiB count.
    #[arg(long, value_name = "PATTERN", allow_hyphen_values = true, value_parser = on_stdout,
          help_heading = heading::INTERESTING)]
    stdout_matches: Vec<Matching>,
    /// The same for standard error.
    #[arg(long, value_name = "PATTERN", allow_hyphen_values = true, value_parser = on_stderr,
          help_heading = heading::INTERESTING)]
    stderr_matches: Vec<Matching>,
    /// Reject a candidate if the test prints TEXT, to either output; repeatable.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, value_parser = NonEmptyStringValueParser::new(),
          help_heading = heading::INTERESTING)]
    not_contains: Vec<String>,
    /// Find a candidate interesting if the test is still running after S seconds; it is killed then.
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true,
          conflicts_with_all = ["timeout", "exit_code", "signal", "differs_from"], help_heading = heading::INTERESTING)]
    hangs_longer_than: Option<Duration>,
    /// Find a candidate interesting if the test ends, but takes longer than S seconds.
    ///
    /// About half of its time on INPUT is a good S. What was slow beside other tests is run again alone.
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true,
          conflicts_with = "hangs_longer_than", help_heading = heading::INTERESTING)]
    slower_than: Option<Duration>,
    /// Find a candidate interesting if CMD prints something else to standard output, or ends otherwise.
    ///
    /// CMD is one argument, cut into words as a shell does it; `{}` is the candidate's name.
    #[arg(long, value_name = "CMD", value_parser = command, help_heading = heading::INTERESTING)]
    differs_from: Option<CommandLine>,
    /// Reject a candidate unless CMD exits with 0 on it; repeatable.
    ///
    /// These commands run before the test, in their order, each in a folder of its own: write the quickest first.
    #[arg(long, value_name = "CMD", value_parser = command, help_heading = heading::INTERESTING)]
    also: Vec<CommandLine>,
    /// Reject a candidate that shows undefined behaviour: `c-undefined`, for C.
    ///
    /// For wrong results. gcc and clang, whichever are there, must not warn of it (with $CFLAGS), and programs that they
    /// build with sanitizers must run without an error and without reading what was not written. It runs last.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Guard::ALL.map(Guard::name)),
          help_heading = heading::INTERESTING)]
    guard: Option<String>,
    /// Lay FILE beside every candidate, under its base name; repeatable.
    #[arg(long = "with", value_name = "FILE", help_heading = heading::INTERESTING)]
    beside: Vec<PathBuf>,
}

#[derive(Args, Debug)]
struct RunArgs {
    #[command(flatten)]
    language: LanguageArgs,
    #[command(flatten)]
    conditions: ConditionArgs,
    /// Write the test to FILE, as a shell script that does the same.
    #[arg(long, value_name = "FILE", help_heading = heading::INTERESTING)]
    save_test: Option<PathBuf>,
    /// Write the result to FILE, or to standard output if it is `-` [default: `a.c` becomes `a.reduced.c`].
    #[arg(long, short, value_name = "FILE", conflicts_with = "in_place", help_heading = heading::OUTPUT)]
    output: Option<PathBuf>,
    /// Write the result over INPUT and keep the original as INPUT.orig.
    #[arg(long, help_heading = heading::OUTPUT)]
    in_place: bool,
    /// Lay the result out at the end, without changing a token.
    ///
    /// By the formatter of the language if it is in PATH (clang-format, rustfmt, gofmt, black, shfmt, stylua,
    /// zig); otherwise by dwindle itself, for languages with braces. The new layout is tested; if it is not
    /// interesting, the result stays as it was.
    #[arg(long, help_heading = heading::OUTPUT)]
    format_result: bool,
    /// Write a line of JSON for every question to FILE, which is replaced.
    ///
    /// What was tried of which list, what that weighs, the outcome, time and size.
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    trace: Option<PathBuf>,
    /// Write every candidate that is asked about into DIR, which must be new or empty.
    ///
    /// Their names begin with the number of the question in the trace and its outcome.
    #[arg(long, value_name = "DIR", help_heading = heading::OUTPUT)]
    dump: Option<PathBuf>,
    /// Print the report to standard output as JSON.
    #[arg(long, help_heading = heading::OUTPUT)]
    json: bool,
    /// Write what happens to FILE as lines of JSON, while it happens; FILE is replaced.
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    events: Option<PathBuf>,
    /// How progress is shown [default: auto].
    ///
    /// `view` takes the window of the terminal and has keys to stop and to pause; `line` is one line that changes; `plain`
    /// prints a line at each tenth of the way, and every 30 seconds. `auto` is `view` on a terminal, else `plain`.
    #[arg(long, value_name = "HOW", default_value = Means::Auto.name(), hide_default_value = true,
          value_parser = PossibleValuesParser::new(Means::ALL.map(Means::name)), help_heading = heading::OUTPUT)]
    progress: String,
    /// Write a page about the reduction to FILE, as HTML that needs no network; FILE is replaced.
    ///
    /// Size over time, questions, where in INPUT the result stood, both side by side, and how to repeat it.
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    report: Option<PathBuf>,
    /// Print every option and where it comes from, as a dwindle.toml, and reduce nothing.
    ///
    /// Options that are not on the command line are taken from the environment (DWINDLE_JOBS is --jobs), then from the file
    /// dwindle.toml beside INPUT or in the next folder above it. Its keys are the long flags.
    #[arg(long, help_heading = heading::OUTPUT)]
    print_config: bool,
    /// Read neither dwindle.toml nor the environment.
    #[arg(long, help_heading = heading::OUTPUT)]
    no_config: bool,
    /// Print errors only.
    #[arg(long, short, conflicts_with = "verbose", help_heading = heading::OUTPUT)]
    quiet: bool,
    /// Print every question and the test's output.
    #[arg(long, short, help_heading = heading::OUTPUT)]
    verbose: bool,
    /// How the syntax tree is searched [default: linked].
    ///
    /// `linked` deletes declarations together with their uses. `list` ignores the tree and deletes lines, then
    /// tokens. `perses+` is Perses with more replacements. The others are the published algorithms of these names.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(REDUCERS), help_heading = heading::DELETE)]
    reducer: Option<String>,
    /// The units that are deleted.
    ///
    /// `tree` is nodes of the syntax tree. `auto` is `tree`, or lines and then tokens with --reducer list.
    #[arg(long, default_value = "auto", value_parser = PossibleValuesParser::new(FORMATS), help_heading = heading::DELETE)]
    format: String,
    /// Keep everything in the input that matches this regular expression; repeatable.
    ///
    /// `^` and `$` match at the ends of lines, and a match that ends inside a word is extended to the whole
    /// word. Every candidate contains all matches, byte for byte and in their order; one that does not is
    /// rejected without a question.
    #[arg(long, value_name = "PATTERN", allow_hyphen_values = true, help_heading = heading::DELETE)]
    keep: Vec<Pattern>,
    /// How much is rewritten after deletion [default: default with linked, else fast].
    ///
    /// `fast` only deletes. `default` also runs the passes that usually pay, until they find nothing more.
    /// `thorough` runs all passes and asks many times as many questions for the last few tokens.
    #[arg(long, value_name = "LEVEL",
          value_parser = PossibleValuesParser::new(Level::ALL.map(Level::name)), help_heading = heading::REWRITE)]
    level: Option<String>,
    /// Rewrite by these passes only, whatever the level.
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with = "level",
          value_parser = PossibleValuesParser::new(Pass::ALL.map(Pass::name)), help_heading = heading::REWRITE)]
    passes: Option<Vec<String>>,
    /// Leave names as they are.
    #[arg(long, help_heading = heading::REWRITE)]
    no_rename: bool,
    /// Run your own transformer when nothing more is found; repeatable.
    ///
    /// CMD gets the path of the best variant as its argument and the text as standard input. Each line that it
    /// prints is a candidate: {"text": "..."} or {"edits": [{"start": 0, "end": 5, "with": "..."}]}, with
    /// positions in bytes and in order. The first smaller one that is interesting is taken, and CMD runs again.
    #[arg(long, value_name = "CMD", help_heading = heading::REWRITE)]
    external: Vec<PathBuf>,
    /// Let clang_delta of C-Reduce and C-Vise transform C and C++.
    ///
    /// `auto` does so at level thorough, if it is installed.
    #[arg(long, value_name = "WHEN", default_value = When::Auto.name(),
          value_parser = PossibleValuesParser::new(When::ALL.map(When::name)), help_heading = heading::REWRITE)]
    clang_delta: String,
    /// Stop after S seconds.
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true, help_heading = heading::LIMITS)]
    max_time: Option<Duration>,
    /// Stop after N runs of the test, including the two on INPUT.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..), help_heading = heading::LIMITS)]
    max_questions: Option<u64>,
    /// Run N tests at once [default: the number of processors].
    ///
    /// The result is the same for every N.
    #[arg(long, short, value_name = "N", value_parser = count, allow_negative_numbers = true,
          help_heading = heading::LIMITS)]
    jobs: Option<NonZeroUsize>,
    /// Kill a test after S seconds [default: 10 times the time on INPUT, 1 to 300].
    ///
    /// The time on INPUT is that of the slower of two runs. An external command may take as long as a test, and
    /// at least 60 seconds unless this is given.
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true, help_heading = heading::LIMITS)]
    timeout: Option<Duration>,
    /// Accept a candidate only after N interesting runs in a row.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..),
          help_heading = heading::LIMITS)]
    confirm: u32,
    /// Reduce with a test that is interesting only sometimes: ask about each candidate up to N times, or as often as needed.
    ///
    /// With N, the first interesting run accepts a candidate. `auto` measures how often INPUT is interesting, and asks so often
    /// that a candidate which is interesting as often is noticed with --confidence; one that turns out to be much rarer is
    /// rejected. If all runs on INPUT are interesting, no candidate is asked about twice. Every run is a question. At the end
    /// the result is measured as well.
    #[arg(long, value_name = "auto|N", value_parser = repeats, conflicts_with = "confirm", help_heading = heading::LIMITS)]
    repeats: Option<Wished>,
    /// --repeats auto: how probably a candidate is noticed that is interesting as often as INPUT [default: 0.95].
    #[arg(long, value_name = "P", value_parser = share, requires = "repeats", allow_negative_numbers = true,
          help_heading = heading::LIMITS)]
    confidence: Option<f64>,
    /// Limit the address space of each process of a test, such as 500M or 2G.
    #[arg(long, value_name = "BYTES", value_parser = bytes, help_heading = heading::LIMITS)]
    memory_limit: Option<u64>,
    /// Limit the processor time of each process of a test, in whole seconds.
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..), help_heading = heading::LIMITS)]
    cpu_limit: Option<u64>,
    /// Limit the size of each file that a test writes, such as 500M or 2G.
    #[arg(long, value_name = "BYTES", value_parser = bytes, help_heading = heading::LIMITS)]
    file_size_limit: Option<u64>,
    /// Fail if there is no unfinished run to continue.
    ///
    /// Without this and --fresh, an unfinished run of the same INPUT, TEST and result is continued; if there is
    /// none, a new one begins.
    #[arg(long, conflicts_with = "fresh", help_heading = heading::RESUME)]
    resume: bool,
    /// Start over, even if there is an unfinished run.
    #[arg(long, help_heading = heading::RESUME)]
    fresh: bool,
    /// Go on with a finished run of the same INPUT, TEST and result, by other options.
    ///
    /// Such as --level thorough or --format-result. What the finished run has asked is not asked again.
    #[arg(long, conflicts_with_all = ["fresh", "resume"], help_heading = heading::RESUME)]
    refine: bool,
    /// Keep the journal in FILE [default: in $XDG_STATE_HOME/dwindle].
    #[arg(long, value_name = "FILE", help_heading = heading::RESUME)]
    journal: Option<PathBuf>,
    /// Limit the size of all journals together; the oldest steps are removed first.
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = bytes, help_heading = heading::RESUME)]
    journal_limit: u64,
    /// The algorithm that decides which elements of a list are tried together.
    #[arg(long, value_name = "NAME", default_value = MinimizerKind::default().name(),
          value_parser = PossibleValuesParser::new(MinimizerKind::ALL.map(MinimizerKind::name)),
          help_heading = heading::PARAMETERS)]
    minimizer: String,
    /// hdd, hdd+, hdd*, hddr, coarse: what is done to the tree [default: skip].
    ///
    /// `squeeze` merges a node with its only child; `flatten` turns a chain of nodes of one kind into a list;
    /// `skip` asks nothing about nodes that cannot be deleted; `hoist` replaces nodes by nodes below them.
    #[arg(long, value_name = "LIST", value_delimiter = ',',
          value_parser = PossibleValuesParser::new(Transform::ALL.map(Transform::name).into_iter().chain(["none"])),
          help_heading = heading::PARAMETERS)]
    transform: Option<Vec<String>>,
    /// linked: how many questions are asked about one base [default: 64].
    ///
    /// It does not depend on --jobs.
    #[arg(long, value_name = "W", value_parser = count, allow_negative_numbers = true, help_heading = heading::PARAMETERS)]
    batch_width: Option<NonZeroUsize>,
    /// probdd, wprobdd: the assumed share of elements that stay [default: 0.1].
    #[arg(long, value_name = "P", value_parser = share, allow_negative_numbers = true, help_heading = heading::PARAMETERS)]
    sigma: Option<f64>,
    /// cdd: the assumed share of elements that stay [default: 0.1].
    #[arg(long, value_name = "P", value_parser = share, allow_negative_numbers = true, help_heading = heading::PARAMETERS)]
    p0: Option<f64>,
    /// probdd, wprobdd: the probability from which on an element counts as needed [default: 1].
    ///
    /// The authors' programs have 0.8. Below 1, wprobdd may keep what could go.
    #[arg(long, value_name = "P", value_parser = share_or_one, allow_negative_numbers = true,
          help_heading = heading::PARAMETERS)]
    theta: Option<f64>,
    /// active-coarsen: the probability with which an element of the first sample is kept [default: 0.5].
    #[arg(long, value_name = "P", value_parser = share, allow_negative_numbers = true, help_heading = heading::PARAMETERS)]
    alpha: Option<f64>,
    /// ddmin, ddmin-complement: how a list is cut into chunks [default: balanced].
    ///
    /// Where their number does not divide the list: `zeller` cuts larger chunks last, `first-heavy` first.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Split::ALL.map(Split::name)),
          help_heading = heading::PARAMETERS)]
    split: Option<String>,
    /// ddmin, ddmin-complement: into how many chunks each chunk is cut [default: 2].
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(2..), help_heading = heading::PARAMETERS)]
    split_factor: Option<u32>,
    /// ddmin, ddmin-complement: the most elements of a chunk at the start [default: half of the list].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = heading::PARAMETERS)]
    start_size: Option<u32>,
    /// ddmin, ddmin-complement: the order in which chunks are tried [default: forward].
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Order::ALL.map(Order::name)),
          help_heading = heading::PARAMETERS)]
    order: Option<String>,
    /// ddmin, ddmin-complement: where to go on when a chunk was deleted.
    ///
    /// At the first chunk (`restart`, the default of ddmin) or at the next one (`continue`, that of ddmin-complement).
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(AfterSuccess::ALL.map(AfterSuccess::name)),
          help_heading = heading::PARAMETERS)]
    after_success: Option<String>,
    /// ddmin: try to delete each chunk before all but a chunk.
    #[arg(long, help_heading = heading::PARAMETERS)]
    complements_first: bool,
    /// ddmin, ddmin-complement: search each list again until nothing more goes (ddmin*).
    #[arg(long, help_heading = heading::PARAMETERS)]
    again: bool,
    /// wddmin: which of two cuts that are equally near to half of the weight [default: larger].
    ///
    /// `larger` takes the longer first part; `perses-floor` cuts as Perses does.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(SplitTie::ALL.map(SplitTie::name)),
          help_heading = heading::PARAMETERS)]
    split_tie: Option<String>,
    /// hddr: the order of its walk [default: pop-first-forward, which is breadth first].
    ///
    /// Whether the queue of nodes is taken from its first or its last end, and whether children come into it forward or
    /// reversed. `pop-last-reversed` is depth first.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(HddrOrder::ALL.map(HddrOrder::name)),
          help_heading = heading::PARAMETERS)]
    hddr_order: Option<String>,
    /// hddr, coarse: end after one round over the tree.
    #[arg(long, help_heading = heading::PARAMETERS)]
    once: bool,
    /// probdd: choose at random among elements of equal probability.
    #[arg(long, help_heading = heading::PARAMETERS)]
    random: bool,
    /// The seed of --random, of --order random and of active-coarsen.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = heading::PARAMETERS)]
    seed: u64,
}

/// What the command line `words` says. Help and version are printed, and end this process.
pub(crate) fn parse(words: &[OsString]) -> Result<(Cli, ArgMatches), Failure> {
    Cli::command()
        .try_get_matches_from(words)
        .and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)))
        .map_err(|error| {
            if !error.use_stderr() {
                error.exit();
            }
            let surplus = [ContextKind::InvalidSubcommand, ContextKind::InvalidArg].map(|kind| error.get(kind));
            if let Some(ContextValue::String(name)) = surplus.into_iter().flatten().next()
                && matches!(error.kind(), ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument)
                && !name.starts_with('-')
                && Cli::command().find_subcommand(name).is_none()
            {
                let what = format!(
                    "there is an argument too many: {}; there are TEST and INPUT, or INPUT and a command behind `--`",
                    shown(name)
                );
                return Failure::Usage(what);
            }
            // Once more without colours, which could not be told from what stands in an argument.
            let plain = Cli::command().styles(Styles::plain()).try_get_matches_from(words);
            let mut error = plain.err().unwrap_or(error);
            let values: Vec<_> = error.context().map(|(kind, value)| (kind, value.clone())).collect();
            for (kind, value) in values {
                if let ContextValue::String(argument) = value
                    && shown(&argument) != argument
                {
                    error.insert(kind, ContextValue::String(shown(argument)));
                    // It would repeat the argument in a sentence.
                    error.remove(ContextKind::Suggested);
                }
            }
            Failure::Arguments(error.render().ansi().to_string())
        })
}

/// What is to be done.
#[derive(Debug)]
pub(crate) enum Task<'a> {
    Reduce(Run<'a>),
    Parse(&'a Parse),
    Tokens(&'a File),
    Languages,
    Completions(&'a Completions),
    History(&'a History),
    Isolate(&'a IsolateArgs),
    Check(&'a CheckArgs),
    Init(&'a InitArgs),
}

/// One reduction.
#[derive(Clone, Debug)]
pub(crate) struct Run<'a> {
    test: Test,
    stages: &'a [PathBuf],
    input: &'a PathBuf,
    args: &'a RunArgs,
    debloats: bool,
    pub(crate) json: bool,
    pub(crate) quiet: bool,
    pub(crate) verbose: bool,
    pub(crate) print_config: bool,
}

impl Cli {
    /// What is to be done, in whichever way it was said.
    pub(crate) fn task(&self) -> Result<Task<'_>, Failure> {
        let mut stages: &[PathBuf] = &[];
        let (test, input, words, args) = match (&self.command, &self.test) {
            (Some(Command::Parse(parse)), _) => return Ok(Task::Parse(parse)),
            (Some(Command::Tokens(file)), _) => return Ok(Task::Tokens(file)),
            (Some(Command::Languages), _) => return Ok(Task::Languages),
            (Some(Command::Completions(completions)), _) => return Ok(Task::Completions(completions)),
            (Some(Command::History(history)), _) => return Ok(Task::History(history)),
            (Some(Command::Isolate(isolate)), _) => return Ok(Task::Isolate(isolate)),
            (Some(Command::Check(check)), _) => return Ok(Task::Check(check)),
            (Some(Command::Init(init)), _) => return Ok(Task::Init(init)),
            (Some(Command::Reduce(reduce) | Command::Debloat(reduce)), _) => {
                stages = reduce.tests.get(1..).unwrap_or_default();
                (reduce.tests.first(), &reduce.input, &reduce.words, &reduce.run)
            }
            (None, Some(first)) => match &self.input {
                Some(input) => (Some(first), input, &self.words, &self.run),
                None => (None, first, &self.words, &self.run),
            },
            (None, None) => unreachable!("clap wants TEST or INPUT where there is no subcommand"),
        };
        let test = match (test, &words[..]) {
            (Some(test), []) => Test::Script(test.clone()),
            (None, [_, ..]) => Test::Command(words.clone()),
            (Some(test), [..]) => {
                let what =
                    format!("there are a test, {}, and a command behind `--`; name one of them", shown(test));
                return Err(Failure::Usage(what));
            }
            (None, []) => {
                let (form, name) = match &self.command {
                    Some(_) => ("dwindle reduce", "a test with --test <TEST>"),
                    None => ("dwindle", "a TEST before it"),
                };
                return Err(Failure::Usage(format!(
                    "nothing tests {input}: name {name}, or a command behind `--`, such as\n  \
                     {form} {input} -- gcc -c {PLACE}",
                    input = shown(input)
                )));
            }
        };
        if !stages.is_empty()
            && (args.conditions.criteria() != Criteria::default() || args.save_test.is_some())
        {
            let what = "several tests are judged by exit code 0 alone: leave --exit-code, --save-test and the other \
                        options of what is interesting out, or write them into a test";
            return Err(Failure::Usage(what.to_owned()));
        }
        let debloats = matches!(self.command, Some(Command::Debloat(_)));
        let RunArgs { json, quiet, verbose, print_config, .. } = *args;
        Ok(Task::Reduce(Run { test, stages, input, args, debloats, json, quiet, verbose, print_config }))
    }
}

impl Run<'_> {
    /// Where events go.
    pub(crate) fn events(&self) -> Option<&Path> {
        self.args.events.as_deref()
    }

    /// Where the page goes.
    pub(crate) fn page(&self) -> Option<&Path> {
        self.args.report.as_deref()
    }

    /// How progress is shown.
    pub(crate) fn progress(&self) -> Means {
        named(&Means::ALL.map(|means| (means.name(), means)), &self.args.progress)
    }

    /// The reduction that was asked for.
    pub(crate) fn config(&self, warn: &mut dyn FnMut(&str)) -> Result<Config, Failure> {
        let args = self.args;
        let target = match &args.output {
            _ if args.in_place => Target::InPlace,
            Some(path) => Target::File(path.clone()),
            None => Target::Beside,
        };
        args.conditions.check(args.timeout)?;
        let method = args.method().map_err(Failure::Usage)?;
        let mut options = Options::new(method);
        options.schedule = args.schedule(method, self.debloats.then_some(Level::Fast))?;
        options.debloats = self.debloats;
        options.minimizer = args.minimizer()?;
        options.front_end = args.language.front_end(warn)?;
        if args.language.tree_form() == TreeForm::Thesis && !matches!(method, Method::Tree(..)) {
            return Err(Failure::Usage(
                "--tree thesis goes with the reducers hdd, hdd+, hdd*, hddr and coarse: choose one with --reducer"
                    .to_owned(),
            ));
        }
        options.keep.clone_from(&args.keep);
        options.format_result = args.format_result;
        options.timeout = args.timeout;
        options.repeats = args.repeats()?;
        options.max_questions = args.max_questions;
        let mut config = Config::new(self.input.clone(), self.test.clone());
        args.conditions.apply(&mut config);
        config.stages = self.stages.to_vec();
        config.save_test.clone_from(&args.save_test);
        config.target = target;
        config.options = options;
        config.external.clone_from(&args.external);
        config.clang_delta = named(&When::ALL.map(|when| (when.name(), when)), &args.clang_delta);
        config.jobs = args.jobs;
        config.journal.clone_from(&args.journal);
        config.journal_limit = args.journal_limit;
        config.policy = match args {
            RunArgs { resume: true, .. } => Policy::Resume,
            RunArgs { fresh: true, .. } => Policy::Fresh,
            RunArgs { refine: true, .. } => Policy::Refine,
            _ => Policy::Auto,
        };
        config.trace.clone_from(&args.trace);
        config.dump.clone_from(&args.dump);
        config.max_time = args.max_time;
        config.limits =
            Limits { memory: args.memory_limit, cpu: args.cpu_limit, file_size: args.file_size_limit };
        Ok(config)
    }
}

impl ConditionArgs {
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
            guarded: self.guard.is_some(),
            absent: self.not_contains.iter().map(|text| text.clone().into()).collect(),
        }
    }

    /// That a run can take as long as it must.
    fn check(&self, timeout: Option<Duration>) -> Result<(), Failure> {
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
    fn apply(&self, config: &mut Config) {
        config.criteria = self.criteria();
        config.also = self.also.iter().map(|line| line.0.clone()).collect();
        config.differs_from = self.differs_from.as_ref().map(|line| line.0.clone());
        let guards = Guard::ALL.map(|guard| (guard.name(), guard));
        config.guard = self.guard.as_ref().map(|name| named(&guards, name));
        config.beside.clone_from(&self.beside);
    }
}

impl RunArgs {
    fn method(&self) -> Result<Method, String> {
        let method = Method::named(&self.format, self.reducer.as_deref())?;
        let method = self.batch_width.map_or(Ok(method), |width| method.batched(width))?;
        let order = self
            .hddr_order
            .as_ref()
            .map(|name| named(&HddrOrder::ALL.map(|order| (order.name(), order)), name));
        let method = order.map_or(Ok(method), |order| method.ordered(order))?;
        let method = if self.once { method.once()? } else { method };
        let Some(names) = &self.transform else { return Ok(method) };
        if names.len() > 1 && names.iter().any(|name| name == "none") {
            return Err("--transform none goes with no other transformation".to_owned());
        }
        let named = |transform: &Transform| names.iter().any(|name| name == transform.name());
        method.transformed(Transform::ALL.into_iter().filter(named).collect())
    }

    fn schedule(&self, method: Method, default: Option<Level>) -> Result<Schedule, Failure> {
        let level =
            self.level.as_ref().map(|name| named(&Level::ALL.map(|level| (level.name(), level)), name));
        let chosen = level.is_some_and(|level| level > Level::Fast) || self.passes.is_some();
        if chosen && !method.has_tree() {
            let flag = if self.passes.is_some() { "--passes" } else { "--level" };
            return Err(Failure::Usage(format!("{flag} transforms trees: it does not go with lists")));
        }
        let schedule = match &self.passes {
            Some(names) => {
                let all = Pass::ALL.map(|pass| (pass.name(), pass));
                let passes: Vec<Pass> = names.iter().map(|name| named(&all, name)).collect();
                Schedule::only(&passes)
            }
            None => method.schedule(level.or(default)),
        };
        Ok(if self.no_rename { schedule.without_names() } else { schedule })
    }

    fn repeats(&self) -> Result<Repeats, Failure> {
        match (self.repeats, self.confidence) {
            (None, _) => Ok(Repeats::All(self.confirm)),
            (Some(Wished::Auto), confidence) => {
                Ok(Repeats::Measured { confidence: confidence.unwrap_or(CONFIDENCE) })
            }
            (Some(Wished::Times(times)), None) => Ok(Repeats::Any(times)),
            (Some(Wished::Times(_)), Some(_)) => Err(Failure::Usage(
                "--confidence goes with --repeats auto, which finds the number".to_owned(),
            )),
        }
    }

    fn minimizer(&self) -> Result<MinimizerConfig, Failure> {
        use MinimizerKind::{ActiveCoarsen, Cdd, Ddmin, DdminComplement, ProbDd, WProbDd, Wddmin};
        let kind = named(&MinimizerKind::ALL.map(|kind| (kind.name(), kind)), &self.minimizer);
        let of_probability = ("probdd and wprobdd", matches!(kind, ProbDd | WProbDd));
        let of_chunks = ("ddmin and ddmin-complement", matches!(kind, Ddmin | DdminComplement));
        let misplaced = [
            (self.sigma.is_some(), "--sigma", of_probability.0, of_probability.1),
            (self.theta.is_some(), "--theta", of_probability.0, of_probability.1),
            (self.p0.is_some(), "--p0", "cdd", kind == Cdd),
            (self.alpha.is_some(), "--alpha", "active-coarsen", kind == ActiveCoarsen),
            (self.split.is_some(), "--split", of_chunks.0, of_chunks.1),
            (self.split_factor.is_some(), "--split-factor", of_chunks.0, of_chunks.1),
            (self.start_size.is_some(), "--start-size", of_chunks.0, of_chunks.1),
            (self.order.is_some(), "--order", of_chunks.0, of_chunks.1),
            (self.after_success.is_some(), "--after-success", of_chunks.0, of_chunks.1),
            (self.complements_first, "--complements-first", "ddmin", kind == Ddmin),
            (self.again, "--again", of_chunks.0, of_chunks.1),
            (self.split_tie.is_some(), "--split-tie", "wddmin", kind == Wddmin),
            (self.random, "--random", "probdd", kind == ProbDd),
        ];
        for (given, flag, fitting, fits) in misplaced {
            if given && !fits {
                return Err(Failure::Usage(format!(
                    "{flag} goes with --minimizer {fitting}, not with {}",
                    kind.name()
                )));
            }
        }
        let default = MinimizerConfig::new(kind);
        let DdminOptions { split, order, after_success, factor, .. } = default.ddmin;
        let ddmin = DdminOptions {
            split: chosen(&Split::ALL.map(|split| (split.name(), split)), &self.split, split),
            order: chosen(&Order::ALL.map(|order| (order.name(), order)), &self.order, order),
            after_success: chosen(
                &AfterSuccess::ALL.map(|after| (after.name(), after)),
                &self.after_success,
                after_success,
            ),
            factor: self.split_factor.unwrap_or(factor),
            start_size: self.start_size,
            seed: self.seed,
            complements_first: self.complements_first,
            again: self.again,
            ..default.ddmin
        };
        let ties = SplitTie::ALL.map(|tie| (tie.name(), tie));
        Ok(MinimizerConfig {
            sigma: self.sigma.unwrap_or(default.sigma),
            p0: self.p0.unwrap_or(default.p0),
            theta: self.theta.unwrap_or(default.theta),
            alpha: self.alpha.unwrap_or(default.alpha),
            ddmin,
            split_tie: chosen(&ties, &self.split_tie, default.split_tie),
            random: self.random,
            seed: self.seed,
            ..default
        })
    }
}

/// The value of that name; the parser has admitted no other.
pub(crate) fn named<T: Copy>(all: &[(&str, T)], name: &str) -> T {
    let found = all.iter().find(|(known, _)| *known == name);
    found.expect("the parser admits the names of this list only").1
}

/// The value of a name that may be missing.
fn chosen<T: Copy>(all: &[(&str, T)], name: &Option<String>, default: T) -> T {
    name.as_ref().map_or(default, |name| named(all, name))
}

fn language(text: &str) -> Result<String, String> {
    let names = FrontEnd::names();
    if names.contains(&text) || brought::is_library(Path::new(text)) {
        return Ok(text.to_owned());
    }
    Err(format!("possible values: {}, or the file of a compiled grammar (.so)", names.join(", ")))
}

/// The words of a command in one argument.
#[derive(Clone, Debug)]
struct CommandLine(Vec<OsString>);

fn command(text: &str) -> Result<CommandLine, String> {
    match shlex::split(text) {
        Some(words) if !words.is_empty() => Ok(CommandLine(words.into_iter().map(OsString::from).collect())),
        Some(_) => Err("a program and its arguments are wanted".to_owned()),
        None => Err("a quote is not closed".to_owned()),
    }
}

/// How often a candidate is to be asked about.
#[derive(Clone, Copy, Debug)]
enum Wished {
    /// As often as the rate on the input needs.
    Auto,
    /// Up to so many times.
    Times(u32),
}

/// How long the first runs of a test may take where nothing else is said.
const LONGEST_LIMIT: Duration = Duration::from_secs(300);

/// The confidence that is common where nothing depends on a single answer.
const CONFIDENCE: f64 = 0.95;

fn repeats(text: &str) -> Result<Wished, String> {
    match text.parse() {
        _ if text == "auto" => Ok(Wished::Auto),
        Ok(times) if times > 0 => Ok(Wished::Times(times)),
        _ => Err("`auto` or a whole number above 0 is wanted".to_owned()),
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

pub(crate) fn count(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "a whole number above 0 is wanted".into())
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("a number between 0 and 1, both excluded, is wanted".into()),
    }
}

fn share_or_one(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if share > 0.0 && share <= 1.0 => Ok(share),
        _ => Err("a number above 0 and up to 1 is wanted".into()),
    }
}

pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "a number of seconds above 0 is wanted".into())
}

fn bytes(text: &str) -> Result<u64, String> {
    let units = [("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30)];
    let unit = units.into_iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)));
    let (number, factor) = unit.unwrap_or((text, 1));
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
    bytes.ok_or_else(|| "a number of bytes is wanted, with K, M or G behind it for more".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
    #[test]
    fn numbers_of_bytes_may_have_a_unit() {
        for (text, expect) in
            [("0", 0), ("1000", 1000), ("2K", 2 << 10), ("500M", 500 << 20), ("3G", 3 << 30)]
        {
            assert_eq!(bytes(text), Ok(expect), "{text}");
        }
        for text in ["", "K", "-1", "1.5G", "1k", "1GB", "99999999999G", "18446744073709551616"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
