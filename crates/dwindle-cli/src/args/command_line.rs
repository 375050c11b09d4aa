//! The command line as a whole: TEST and INPUT, or a subcommand.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use clap::builder::Styles;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use dwindle::Test;
use dwindle::probe::PLACE;
use dwindle::shell::quoted;
use dwindle::shown::shown;

use super::check::{CheckArgs, InitArgs};
use super::help::{EXAMPLE, EXAMPLE_AND_CODES, NOTHING, with_short_help};
use super::history::History;
use super::isolate::IsolateArgs;
use super::list::ListArgs;
use super::reduce::{Reduce, Run, RunArgs};
use super::shells::Completions;
use super::show::{File, Parse};
use crate::failure::Failure;

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

#[derive(Debug, Subcommand)]
enum Command {
    /// Reduce INPUT with --test TEST or a COMMAND; the same as `dwindle TEST INPUT`.
    Reduce(Box<Reduce>),
    /// Try a test on INPUT, on the empty file and on parts of INPUT, and say what is wrong with it.
    ///
    /// Exit code 0 means that it is fine, 5 that it rejects INPUT, 6 that it is flaky or that two runs at once disturb each
    /// other, 10 that it accepts anything.
    Check(CheckArgs),
    /// Write a good test for a COMMAND as a script, without reducing anything.
    Init(InitArgs),
    /// List reductions, or the steps of one, also while it runs.
    History(History),
    /// Find what makes one version of a file fail where another one passes.
    Isolate(Box<IsolateArgs>),
    /// Reduce a list of anything: compiler flags, variables, tests, packages, commits.
    ///
    /// COMMAND gets the items that are left as arguments where it has `{}` as an argument (each item is one), as the path of
    /// a file with an item on each line where it has `{file}`, and on standard input where it has neither. It runs in the
    /// current folder, one at a time unless --jobs says otherwise, and is interesting if it exits with 0, or as the options say.
    /// A command that fails on the whole list by a crash, an exception or a signal that is recognised must go on to do so.
    List(Box<ListArgs>),
    /// Cut a program down to what --test TEST needs: whole functions, declarations and statements.
    ///
    /// What is left stays as it was written. In C the test is run once on the program with marks, which say what of
    /// it runs; what does not goes first, together with what nothing uses any more.
    Debloat(Box<Reduce>),
    /// List the languages, how they are read, and their other names, which are also file extensions.
    Languages,
    /// Show the tree that a reduction of FILE works on.
    ///
    /// Each line is a node. Behind its kind stands what can become of it: `-` it can be deleted; `,` it
    /// separates elements; `> TEXT` it can be replaced by TEXT; `list N` it is an element of list N (`+`: that
    /// list keeps one element); `slot N` what else can take its place, which is listed below the tree. A
    /// `group` is several nodes that are deleted together.
    Parse(Parse),
    /// Print the size of FILE in tokens; white space and comments do not count.
    Tokens(File),
    /// Print the completions of a shell, or write the manual pages.
    Completions(Completions),
}

/// What the command line `words` says. Help and version are printed, and end this process.
pub(crate) fn parse(words: &[OsString]) -> Result<(Cli, ArgMatches), Failure> {
    if words.len() < 2 {
        return Err(Failure::Arguments(NOTHING.to_owned()));
    }
    with_short_help(Cli::command())
        .try_get_matches_from(words)
        .and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)))
        .map_err(|error| {
            if !error.use_stderr() {
                error.exit();
            }
            if let Some(failure) = words.get(1).and_then(|word| misspelled(Path::new(word))) {
                return failure;
            }
            if let Some(what) = unknown(words, &error) {
                return Failure::Usage(what);
            }
            // Once more without colours, which could not be told from what stands in an argument.
            let plain = Cli::command().styles(Styles::plain()).try_get_matches_from(words);
            let mut error = plain.err().unwrap_or(error);
            let values: Vec<_> = error.context().map(|(kind, value)| (kind, value.clone())).collect();
            if is_far_fetched(&error) {
                error.remove(ContextKind::SuggestedArg);
            }
            for (kind, value) in values {
                // A command stands behind `--`, and no value.
                if let ContextValue::StyledStrs(tips) = value {
                    let tips: Vec<_> =
                        tips.into_iter().filter(|tip| !tip.to_string().contains("'-- ")).collect();
                    match tips[..] {
                        [] => error.remove(kind),
                        [..] => error.insert(kind, ContextValue::StyledStrs(tips)),
                    };
                } else if let ContextValue::String(argument) = value
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

/// Whether the option that is suggested has little to do with the one that was given.
fn is_far_fetched(error: &clap::Error) -> bool {
    /// As much alike as `--max_time` and `--max-time`, and less than `--in-dir` and `--minimizer`.
    const ALIKE: f64 = 0.8;
    let said = [ContextKind::InvalidArg, ContextKind::SuggestedArg].map(|kind| match error.get(kind) {
        Some(ContextValue::String(name)) => name.trim_start_matches('-'),
        _ => "",
    });
    strsim::jaro_winkler(said[0], said[1]) < ALIKE
}

/// What is wrong where an argument is none that is known, if that can be said better than clap does.
fn unknown(words: &[OsString], error: &clap::Error) -> Option<String> {
    if !matches!(error.kind(), ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument) {
        return None;
    }
    let surplus = [ContextKind::InvalidSubcommand, ContextKind::InvalidArg].map(|kind| error.get(kind));
    let Some(ContextValue::String(name)) = surplus.into_iter().flatten().next() else { return None };
    let command = Cli::command();
    let subcommand = words.get(1).and_then(|word| command.find_subcommand(word));
    if name.starts_with('-') {
        let is_file =
            |word: &&OsString| word.as_bytes().starts_with(name.as_bytes()) && Path::new(word).exists();
        if let Some(file) = words.iter().skip(1).take_while(|word| *word != "--").find(is_file) {
            let file = Path::new(".").join(file);
            return Some(format!(
                "{} is no option; if the file is meant, write {}",
                shown(name),
                quoted(&file)
            ));
        }
        return (name == "--test" && subcommand.is_none()).then(|| {
            "--test belongs to a subcommand: write `dwindle reduce INPUT --test TEST`, or `dwindle TEST INPUT`".to_owned()
        });
    }
    if command.find_subcommand(name).is_some() {
        return None;
    }
    let forms = match subcommand.map(clap::Command::get_name) {
        None | Some("check") => "there are TEST and INPUT, or INPUT and a command behind `--`".to_owned(),
        Some(subcommand @ ("reduce" | "debloat")) => {
            format!(
                "`dwindle {subcommand}` wants INPUT, and the test as `--test TEST` or as a command behind `--`"
            )
        }
        Some(subcommand) => format!("`dwindle {subcommand} --help` says what it wants"),
    };
    Some(format!("there is an argument too many: {}; {forms}", shown(name)))
}

/// The error where the first word is like a subcommand, and no file.
fn misspelled(word: &Path) -> Option<Failure> {
    /// As much alike as `histroy` and `history`.
    const ALIKE: f64 = 0.8;
    let word = word.to_str().filter(|word| !word.starts_with('-') && !Path::new(word).exists())?;
    let command = Cli::command();
    let mut names = command.get_subcommands().map(clap::Command::get_name);
    if names.any(|name| name == word) {
        return None;
    }
    let rated =
        command.get_subcommands().map(|known| (strsim::damerau_levenshtein(word, known.get_name()), known));
    let (_, nearest) = rated.min_by_key(|(edits, _)| *edits)?;
    let nearest = nearest.get_name();
    (strsim::jaro_winkler(word, nearest) > ALIKE).then(|| {
        let word = shown(word);
        Failure::Usage(format!(
            "there is no subcommand {word}, and no file of that name; did you mean `dwindle {nearest}`?"
        ))
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
    List(&'a ListArgs),
    Check(&'a CheckArgs),
    Init(&'a InitArgs),
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
            (Some(Command::List(list)), _) => return Ok(Task::List(list)),
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
                if let Some(failure) = misspelled(input).filter(|_| self.command.is_none()) {
                    return Err(failure);
                }
                let (form, name) = match &self.command {
                    Some(Command::Debloat(_)) => ("dwindle debloat", "a test with --test <TEST>"),
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
        let debloats = matches!(self.command, Some(Command::Debloat(_)));
        Ok(Task::Reduce(Run::new(test, stages, input, args, debloats)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn command_lines_in_the_documents_are_command_lines() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let folders = ["", "docs", "docs/book/src", "docs/book/src/recipes", "examples/rustc-ice"];
        let files = folders.iter().flat_map(|folder| std::fs::read_dir(root.join(folder)).unwrap());
        let files = files
            .map(|file| file.unwrap().path())
            .filter(|path| path.extension().is_some_and(|end| end == "md"));
        let mut seen = 0;
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            for line in commands(&text) {
                let words = shlex::split(&line).unwrap_or_else(|| panic!("{}: {line}", file.display()));
                let ends = |word: &String| [">", "<", "|", "&&", ";", "2>&1"].contains(&word.as_str());
                let words = words.split(ends).next().unwrap_or_default();
                if let Err(error) = Cli::command().try_get_matches_from(words) {
                    assert!(!error.use_stderr(), "{}: {line}\n{error}", file.display());
                }
                seen += 1;
            }
        }
        assert!(seen > 50, "{seen}");
    }

    /// The commands in the blocks of code of a document that begin with the name of the program; what stands for others words, as
    /// in a synopsis, is none.
    fn commands(text: &str) -> Vec<String> {
        let (mut fenced, mut lines, mut found) = (false, text.lines(), Vec::new());
        while let Some(line) = lines.next() {
            fenced ^= line.trim_start().starts_with("```");
            let Some(line) =
                line.strip_prefix("    ").or_else(|| fenced.then_some(line)).map(|line| line.trim_start())
            else {
                continue;
            };
            let mut line = line.strip_prefix("$ ").unwrap_or(line).to_owned();
            while let Some(begun) = line.strip_suffix('\\') {
                let next = lines.next().unwrap_or_default().trim_start();
                line = begun.to_owned() + next.strip_prefix("> ").unwrap_or(next);
            }
            let is_synopsis = line.contains("[OPTIONS]") || line.contains(" | tokens");
            if line.starts_with("dwindle ") && !is_synopsis {
                found.push(line);
            }
        }
        found
    }
}
