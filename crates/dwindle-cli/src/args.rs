//! The command line, and what it means.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{PossibleValuesParser, Styles};
use clap::error::{ContextKind, ContextValue};
use clap::{ArgGroup, Args, CommandFactory, Parser, Subcommand};
use dwindle::core::passes::{Level, Pass, Schedule};
use dwindle::core::{MinimizerConfig, MinimizerKind, Transform};
use dwindle::front_end::brought::{self, Files};
use dwindle::journal::Policy;
use dwindle::keep::Pattern;
use dwindle::method::{FORMATS, REDUCERS};
use dwindle::shown::shown;
use dwindle::{Config, FrontEnd, Limits, Method, Target, When};

use crate::failure::Failure;

/// Makes an input as small as can be while a test still finds it interesting.
///
/// TEST is an executable that exits with 0 as long as what you look for is there. It runs in a
/// folder of its own that holds nothing but the candidate, under the name of INPUT, and gets the
/// candidate's absolute path as its argument and the candidate itself as standard input. A TEST
/// that is called like a subcommand is written `./name`.
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Exit codes: 0 reduced, or stopped by a budget; 2 usage; 3 input; 4 test cannot be run; \
                  5 input not interesting; 6 test flaky on the input; 7 output cannot be written; \
                  8 test broke on the way; 9 result or journal in use by another run; 129/130/143 stopped by SIGHUP/SIGINT/SIGTERM, best result kept."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// The executable that exits with 0 while a candidate is interesting.
    #[arg(required = true)]
    test: Option<PathBuf>,
    /// The file to reduce.
    #[arg(required = true)]
    input: Option<PathBuf>,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Reduces INPUT with --test TEST; the same as `dwindle TEST INPUT`.
    Reduce(Box<Reduce>),
    /// Shows FILE as the tree that a reduction would work on.
    ///
    /// A node a line. Behind its kind: `-` if it can go, `,` if it separates, `> TEXT` if TEXT can
    /// stand in for it; `list N` if it is in a list (`+` if that keeps one element); `slot N` for what
    /// may stand in its place, which is said behind the tree. A `group` is nodes that go together.
    Parse(Parse),
    /// Lists the languages: their names, by what they are read, and other names, which are also
    /// extensions of files.
    Languages,
    /// Prints the size of FILE in tokens.
    Tokens(File),
    /// Shows what the reduction into OUTPUT has kept so far, step by step, also while it runs.
    History(History),
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
    /// The language of the input: a name that `dwindle languages` lists, or a compiled grammar of
    /// tree-sitter (`.so`) [default: recognised by its name or first line].
    #[arg(long, value_parser = language, conflicts_with = "grammar")]
    language: Option<String>,
    /// Read the input by this grammar: YACC (`.y`, with --lexer), ANTLR 4 (`.g4`), or tree-sitter
    /// (`grammar.json`, with the `scanner.c` beside it; or compiled, `.so`).
    #[arg(long, value_name = "FILE")]
    grammar: Option<PathBuf>,
    /// The lexical specification of a YACC grammar, or the lexer of an ANTLR parser [default: the one
    /// that the parser names].
    #[arg(long, value_name = "FILE", requires = "grammar")]
    lexer: Option<PathBuf>,
    /// The rule of --grammar that an input is [default: what the grammar says; in ANTLR, the first
    /// rule with EOF].
    #[arg(long, value_name = "RULE", requires = "grammar")]
    start: Option<String>,
}

impl LanguageArgs {
    /// The name of the front end, if one was asked for; a grammar is loaded, and what is wrong with it
    /// goes to `warn`.
    pub(crate) fn front_end(&self, warn: &mut dyn FnMut(&str)) -> Result<Option<String>, Failure> {
        let library = self.language.as_ref().map(PathBuf::from).filter(|path| brought::is_library(path));
        let Some(grammar) = self.grammar.clone().or(library) else { return Ok(self.language.clone()) };
        let files = Files { grammar, lexer: self.lexer.clone(), start: self.start.clone() };
        let brought = brought::load(&files).map_err(Failure::Grammar)?;
        brought.warnings().iter().for_each(|warning| warn(warning));
        Ok(Some(brought.name().to_owned()))
    }
}

#[derive(Args, Debug)]
pub(crate) struct Parse {
    #[command(flatten)]
    pub(crate) file: File,
    /// Show nodes down to this depth only; the root has depth 0.
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<usize>,
    /// Show only what has to do with this line of FILE.
    #[arg(long, value_name = "LINE", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) at: Option<u64>,
    /// Show only what can go, with the names that it introduces and mentions.
    #[arg(long)]
    pub(crate) names: bool,
    /// Print one JSON object a node.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(group(ArgGroup::new("one").args(["output", "journal"])))]
pub(crate) struct History {
    /// The file that was, or is being, reduced into [default: list all journals].
    pub(crate) output: Option<PathBuf>,
    /// Read this journal instead of looking for that of OUTPUT.
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    /// Print what step N has changed, as a unified diff.
    #[arg(long, value_name = "N", requires = "one", conflicts_with = "restore")]
    pub(crate) diff: Option<u64>,
    /// Print the text of step N; the input is step 0.
    #[arg(long, value_name = "N", requires = "one")]
    pub(crate) restore: Option<u64>,
    /// Write that text to FILE.
    #[arg(long, value_name = "FILE", requires = "restore")]
    pub(crate) to: Option<PathBuf>,
    /// Print the list as JSON: one object a journal, that of OUTPUT with its steps.
    #[arg(long, conflicts_with_all = ["diff", "restore"])]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
struct Reduce {
    /// The file to reduce.
    input: PathBuf,
    /// The executable that exits with 0 while a candidate is interesting.
    #[arg(long)]
    test: PathBuf,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Args, Debug)]
struct RunArgs {
    /// Where the result goes [default: beside INPUT, `a.c` becomes `a.reduced.c`].
    #[arg(long, short, value_name = "FILE", conflicts_with = "in_place")]
    output: Option<PathBuf>,
    /// Write the result over INPUT and keep the original as INPUT.orig.
    #[arg(long)]
    in_place: bool,
    /// What is deleted: `tree` is nodes of the syntax tree (`auto` too, unless a reducer says otherwise).
    #[arg(long, default_value = "auto", value_parser = PossibleValuesParser::new(FORMATS))]
    format: String,
    /// How the tree is walked; `list` (with --format auto) is lines, then tokens, until neither can go.
    #[arg(long, value_parser = PossibleValuesParser::new(REDUCERS))]
    reducer: Option<String>,
    /// What the HDD family does to the tree: `squeeze` makes one node of a node and its only child,
    /// `flatten` one flat node of those that recur at an end of each other; `skip` asks nothing about
    /// nodes that stay in any case; `hoist` replaces nodes by some below them [default: skip].
    #[arg(long, value_name = "NAMES", value_delimiter = ',',
          value_parser = PossibleValuesParser::new(Transform::ALL.map(Transform::name).into_iter().chain(["none"])))]
    transform: Option<Vec<String>>,
    /// How much is done: fast deletes only; default (with the default reducer) also transforms what is
    /// left by the passes that pay, until they find nothing more; thorough by all passes, which asks
    /// many times as much for the last few tokens.
    #[arg(long, value_parser = PossibleValuesParser::new(Level::ALL.map(Level::name)))]
    level: Option<String>,
    /// Transform by these passes only, whatever the level.
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with = "level",
          value_parser = PossibleValuesParser::new(Pass::ALL.map(Pass::name)))]
    passes: Option<Vec<String>>,
    /// Leave names as they are.
    #[arg(long)]
    no_rename: bool,
    /// Where nothing more is found, run this executable as the test is run: on the best variant, as its
    /// argument and standard input. Each line that it prints offers a text, {"text": "..."} or {"edits":
    /// [{"start": 0, "end": 5, "with": "..."}]} (bytes, in order); the first smaller one that is
    /// interesting is taken, and it is run again. Can be given many times.
    #[arg(long, value_name = "CMD")]
    external: Vec<PathBuf>,
    /// Have clang_delta, of the packages cvise and creduce, do the same for C and C++: `auto` is at level
    /// thorough, where it is installed.
    #[arg(long, value_name = "WHEN", default_value = When::Auto.name(),
          value_parser = PossibleValuesParser::new(When::ALL.map(When::name)))]
    clang_delta: String,
    /// Lay the result out for people at the end: by a formatter of the language if one is in PATH
    /// (clang-format, rustfmt, gofmt, black, ...), else by statements and brackets. No token changes, and
    /// the laid out text is tested; if it is not interesting, the result stays as it was.
    #[arg(long)]
    format_result: bool,
    /// Keep what this regular expression matches in the input; `^` and `$` are the ends of lines, and a
    /// match that ends within a word is the whole word. Every candidate holds all matches byte for byte
    /// and in their order; one that does not is refused without a question. Can be given many times.
    #[arg(long, value_name = "PATTERN", allow_hyphen_values = true)]
    keep: Vec<Pattern>,
    #[command(flatten)]
    language: LanguageArgs,
    /// The list minimiser that decides what is tried.
    #[arg(long, default_value = MinimizerKind::default().name(),
          value_parser = PossibleValuesParser::new(MinimizerKind::ALL.map(MinimizerKind::name)))]
    minimizer: String,
    /// The assumed share of elements that stay, for probdd and wprobdd [default: 0.1].
    #[arg(long, value_parser = share, allow_negative_numbers = true)]
    sigma: Option<f64>,
    /// The assumed share of elements that stay, for cdd [default: 0.1].
    #[arg(long, value_parser = share, allow_negative_numbers = true)]
    p0: Option<f64>,
    /// Let probdd choose at random among elements of equal probability.
    #[arg(long)]
    random: bool,
    /// The most questions that linked, or the minimizer rounds, asks about one base [default: 64]; the
    /// number of jobs does not change it.
    #[arg(long, value_name = "W", value_parser = count, allow_negative_numbers = true)]
    batch_width: Option<NonZeroUsize>,
    /// The seed of what is random.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Let candidates with more syntax errors than what they were made from wait until nothing else is left
    /// to ask, if a parse takes less than half as long as a test; with linked, guided, perses+ or nodes+tokens.
    #[arg(long)]
    hold_back: bool,
    /// How many tests run at once [default: the processors]; the result is the same for every N.
    #[arg(long, short, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    jobs: Option<NonZeroUsize>,
    /// Keep a candidate only if so many runs in a row find it interesting.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    confirm: u32,
    /// The time limit of a test in seconds [default: 10 times the slower of the first two runs, 1 to 300;
    /// for an external command that or 60].
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    timeout: Option<Duration>,
    /// Stop after so many seconds.
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    max_time: Option<Duration>,
    /// Stop after so many runs of the test, the two on INPUT included.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..))]
    max_questions: Option<u64>,
    /// Go on with the unfinished run of the same INPUT, TEST and result, which must be there; without
    /// this, one that is there is gone on with, and one that is not is begun.
    #[arg(long, conflicts_with = "fresh")]
    resume: bool,
    /// Begin anew, whatever is unfinished.
    #[arg(long)]
    fresh: bool,
    /// Where the journal lies [default: in $XDG_STATE_HOME/dwindle].
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// The most that journals may hold, in bytes; older steps of the history go first.
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = bytes)]
    journal_limit: u64,
    /// The most memory that each process of a test may map, in bytes; 500M and 2G are more of them.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory_limit: Option<u64>,
    /// The most processor time that each process of a test may take, in whole seconds.
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..))]
    cpu_limit: Option<u64>,
    /// The largest file that a test may write, in bytes; 500M and 2G are more of them.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    file_size_limit: Option<u64>,
    /// Print the report to standard output as JSON.
    #[arg(long)]
    json: bool,
    /// Say nothing but errors.
    #[arg(long, short, conflicts_with = "verbose")]
    quiet: bool,
    /// Say every question and what the test printed.
    #[arg(long, short)]
    verbose: bool,
}

/// What is to be done.
#[derive(Debug)]
pub(crate) enum Task<'a> {
    Reduce(Run<'a>),
    Parse(&'a Parse),
    Tokens(&'a File),
    Languages,
    History(&'a History),
}

/// One reduction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run<'a> {
    test: &'a PathBuf,
    input: &'a PathBuf,
    args: &'a RunArgs,
    pub(crate) json: bool,
    pub(crate) quiet: bool,
    pub(crate) verbose: bool,
}

impl Cli {
    /// The arguments of this process. Help and version are printed, and end it.
    pub(crate) fn from_args() -> Result<Self, Failure> {
        Self::try_parse().map_err(|error| {
            if !error.use_stderr() {
                error.exit();
            }
            if let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
                && Self::command().find_subcommand(name).is_none()
            {
                let what =
                    format!("there is an argument too many: {}; there are TEST and INPUT", shown(name));
                return Failure::Usage(what);
            }
            // Once more without colours, which could not be told from what stands in an argument.
            let plain = Self::command().styles(Styles::plain()).try_get_matches();
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

    /// What is to be done, in whichever way it was said.
    pub(crate) fn task(&self) -> Task<'_> {
        let (test, input, args) = match (&self.command, &self.test, &self.input) {
            (Some(Command::Parse(parse)), ..) => return Task::Parse(parse),
            (Some(Command::Tokens(file)), ..) => return Task::Tokens(file),
            (Some(Command::Languages), ..) => return Task::Languages,
            (Some(Command::History(history)), ..) => return Task::History(history),
            (Some(Command::Reduce(reduce)), ..) => (&reduce.test, &reduce.input, &reduce.run),
            (None, Some(test), Some(input)) => (test, input, &self.run),
            (None, ..) => unreachable!("clap wants TEST and INPUT where there is no subcommand"),
        };
        Task::Reduce(Run { test, input, args, json: args.json, quiet: args.quiet, verbose: args.verbose })
    }
}

impl Run<'_> {
    /// The reduction that was asked for.
    pub(crate) fn config(&self, warn: &mut dyn FnMut(&str)) -> Result<Config, Failure> {
        let args = self.args;
        let target = match &args.output {
            _ if args.in_place => Target::InPlace,
            Some(path) => Target::File(path.clone()),
            None => Target::Beside,
        };
        let method = args.method().map_err(Failure::Usage)?;
        Ok(Config {
            input: self.input.clone(),
            test: self.test.clone(),
            target,
            method,
            schedule: args.schedule(method)?,
            external: args.external.clone(),
            clang_delta: named(&When::ALL.map(|when| (when.name(), when)), &args.clang_delta),
            format_result: args.format_result,
            keep: args.keep.clone(),
            language: args.language.front_end(warn)?,
            minimizer: args.minimizer(method == Method::Linked)?,
            hold_back: args.hold_back(method)?,
            jobs: args.jobs,
            confirm: args.confirm,
            journal: args.journal.clone(),
            journal_limit: args.journal_limit,
            policy: match (args.resume, args.fresh) {
                (true, _) => Policy::Resume,
                (_, true) => Policy::Fresh,
                _ => Policy::Auto,
            },
            timeout: args.timeout,
            max_time: args.max_time,
            max_questions: args.max_questions,
            limits: Limits {
                memory: args.memory_limit,
                cpu: args.cpu_limit,
                file_size: args.file_size_limit,
            },
        })
    }
}

impl RunArgs {
    fn method(&self) -> Result<Method, String> {
        let method = Method::named(&self.format, self.reducer.as_deref())?;
        let Some(names) = &self.transform else { return Ok(method) };
        if names.len() > 1 && names.iter().any(|name| name == "none") {
            return Err("--transform none goes with no other transformation".to_owned());
        }
        let named = |transform: &Transform| names.iter().any(|name| name == transform.name());
        method.transformed(Transform::ALL.into_iter().filter(named).collect())
    }

    fn schedule(&self, method: Method) -> Result<Schedule, Failure> {
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
            None => method.schedule(level),
        };
        Ok(if self.no_rename { schedule.without_names() } else { schedule })
    }

    /// Whether what parses worse waits, where the method lets it.
    fn hold_back(&self, method: Method) -> Result<bool, Failure> {
        if self.hold_back && !method.may_hold_back() {
            let what = "--hold-back goes with the reducers linked, guided, perses+ and nodes+tokens";
            return Err(Failure::Usage(what.to_owned()));
        }
        Ok(self.hold_back)
    }

    /// The minimiser; `in_rounds` says that the reducer asks in rounds, whatever the minimiser.
    fn minimizer(&self, in_rounds: bool) -> Result<MinimizerConfig, Failure> {
        use MinimizerKind::{Cdd, ProbDd, Rounds, WProbDd};
        let kind = named(&MinimizerKind::ALL.map(|kind| (kind.name(), kind)), &self.minimizer);
        let misplaced = [
            (self.sigma.is_some(), "--sigma", "probdd and wprobdd", matches!(kind, ProbDd | WProbDd)),
            (self.p0.is_some(), "--p0", "cdd", kind == Cdd),
            (self.random, "--random", "probdd", kind == ProbDd),
            (
                self.batch_width.is_some() && !in_rounds,
                "--batch-width",
                "rounds and with --reducer linked",
                kind == Rounds,
            ),
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
        Ok(MinimizerConfig {
            sigma: self.sigma.unwrap_or(default.sigma),
            p0: self.p0.unwrap_or(default.p0),
            random: self.random,
            batch_width: self.batch_width.map_or(default.batch_width, usize::from),
            seed: self.seed,
            ..default
        })
    }
}

/// The value of that name; the parser has admitted no other.
fn named<T: Copy>(all: &[(&str, T)], name: &str) -> T {
    let found = all.iter().find(|(known, _)| *known == name);
    found.expect("the parser admits the names of this list only").1
}

fn language(text: &str) -> Result<String, String> {
    let names = FrontEnd::names();
    if names.contains(&text) || brought::is_library(Path::new(text)) {
        return Ok(text.to_owned());
    }
    Err(format!("possible values: {}, or the file of a compiled grammar (.so)", names.join(", ")))
}

fn count(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "a whole number above 0 is wanted".into())
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("a number between 0 and 1, both excluded, is wanted".into()),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
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
