//! One reduction: all of its options, and what they ask for.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use dwindle::core::passes::Level;
use dwindle::plan::Options;
use dwindle::read::brought::TreeForm;
use dwindle::{Config, Criteria, Method, Test};

use super::conditions::{self, ConditionArgs};
use super::help::{EXAMPLE, EXAMPLE_AND_CODES};
use super::language::{self, LanguageArgs};
use super::limits::{self, LimitArgs};
use super::output::OutputArgs;
use super::parameters::ParameterArgs;
#[cfg(feature = "remote")]
use super::remote::{self, RemoteArgs};
use super::resume::ResumeArgs;
use super::rewrite::RewriteArgs;
use super::search::DeleteArgs;
use super::values::count;
use crate::failure::Failure;
use crate::reducing::Telling;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLE, after_long_help = EXAMPLE_AND_CODES)]
pub(super) struct Reduce {
    /// The file to reduce; `-` is standard input.
    pub(super) input: PathBuf,
    /// The executable that exits with 0 while a candidate is interesting.
    ///
    /// Several (compile, a quick look, all tests) run one after the other in the same folder, until one refuses.
    #[arg(long = "test", value_name = "TEST", help_heading = conditions::HEADING)]
    pub(super) tests: Vec<PathBuf>,
    /// Instead of --test: a program and its arguments.
    #[arg(last = true, value_name = "COMMAND")]
    pub(super) words: Vec<OsString>,
    #[command(flatten)]
    pub(super) run: RunArgs,
}

/// The options of a reduction, in the order of the help.
#[derive(Args, Debug)]
pub(super) struct RunArgs {
    #[command(flatten, next_help_heading = conditions::HEADING)]
    conditions: ConditionArgs,
    /// Write the test to FILE, as a shell script that does the same.
    #[arg(long, value_name = "FILE", help_heading = conditions::HEADING)]
    save_test: Option<PathBuf>,
    /// Ask on the terminal what of the crash that was recognised must stay.
    #[arg(long, help_heading = conditions::HEADING)]
    ask: bool,
    #[command(flatten, next_help_heading = language::HEADING)]
    language: LanguageArgs,
    #[command(flatten, next_help_heading = "Output")]
    output: OutputArgs,
    #[command(flatten, next_help_heading = "What to delete")]
    delete: DeleteArgs,
    #[command(flatten, next_help_heading = "Rewriting")]
    rewrite: RewriteArgs,
    /// Run N tests at once [default: the number of processors].
    ///
    /// The result is the same for every N.
    #[arg(long, short, value_name = "N", value_parser = count, allow_negative_numbers = true,
          help_heading = limits::HEADING)]
    jobs: Option<NonZeroUsize>,
    #[command(flatten, next_help_heading = limits::HEADING)]
    limits: LimitArgs,
    #[cfg(feature = "remote")]
    #[command(flatten, next_help_heading = remote::HEADING)]
    remote: RemoteArgs,
    #[command(flatten, next_help_heading = "Resuming")]
    resume: ResumeArgs,
    #[command(flatten, next_help_heading = "Algorithm parameters")]
    parameters: ParameterArgs,
}

/// One reduction.
#[derive(Clone, Debug)]
pub(crate) struct Run<'a> {
    test: Test,
    stages: &'a [PathBuf],
    input: &'a Path,
    args: &'a RunArgs,
    debloats: bool,
    pub(crate) json: bool,
    pub(crate) quiet: bool,
    pub(crate) verbose: bool,
    pub(crate) print_config: bool,
    /// Whether the user is asked what must stay.
    pub(crate) asks: bool,
}

impl<'a> Run<'a> {
    /// The reduction of `input` by `test` and then `stages`.
    pub(super) fn new(
        test: Test,
        stages: &'a [PathBuf],
        input: &'a Path,
        args: &'a RunArgs,
        debloats: bool,
    ) -> Result<Self, Failure> {
        if !stages.is_empty()
            && (args.conditions.criteria() != Criteria::default() || args.save_test.is_some())
        {
            let what = "several tests are judged by exit code 0 alone: leave --exit-code, --save-test and the other \
                        options of what is interesting out, or write them into a test";
            return Err(Failure::Usage(what.to_owned()));
        }
        let OutputArgs { json, quiet, verbose, print_config, .. } = args.output;
        let asks = args.ask;
        Ok(Self { test, stages, input, args, debloats, json, quiet, verbose, print_config, asks })
    }

    /// What is told of it.
    pub(crate) fn telling(&self) -> Telling<'_> {
        let OutputArgs { json, quiet, verbose, .. } = self.args.output;
        let OutputArgs { events, report, .. } = &self.args.output;
        let (events, page) = (events.as_deref(), report.as_deref());
        Telling { quiet, verbose, json, progress: self.args.output.means(), events, page, commits_of: None }
    }

    /// The reduction that was asked for.
    pub(crate) fn config(&self, warn: &mut dyn FnMut(&str)) -> Result<Config, Failure> {
        let RunArgs {
            conditions,
            save_test,
            ask: _,
            language,
            output,
            delete,
            rewrite,
            jobs,
            limits,
            #[cfg(feature = "remote")]
            remote,
            resume,
            parameters,
        } = self.args;
        conditions.check(limits.timeout)?;
        let method = delete.method().and_then(|method| parameters.apply(method)).map_err(Failure::Usage)?;
        let mut options = Options::new(method);
        options.schedule = rewrite.schedule(method, self.debloats.then_some(Level::Fast))?;
        options.debloats = self.debloats;
        options.minimizer = parameters.minimizer()?;
        options.front_end = language.front_end(warn)?;
        if language.tree_form() == TreeForm::Thesis && !matches!(method, Method::Tree(..)) {
            return Err(Failure::Usage(
                "--tree thesis goes with the reducers hdd, hdd+, hdd*, hddr and coarse: choose one with --reducer"
                    .to_owned(),
            ));
        }
        options.keep.clone_from(&delete.keep);
        options.format_result = output.lays_out() && !self.debloats;
        options.timeout = limits.timeout;
        options.repeats = limits.repeats()?;
        options.max_questions = limits.max_questions;
        let mut config = Config::new(self.input.to_owned(), self.test.clone());
        conditions.apply(&mut config);
        config.selection = delete.selection().map_err(Failure::Usage)?;
        config.stages = self.stages.to_vec();
        config.save_test.clone_from(save_test);
        config.target = output.target();
        config.options = options;
        config.external.clone_from(&rewrite.external);
        config.clang_delta = rewrite.clang_delta();
        config.jobs = *jobs;
        #[cfg(feature = "remote")]
        {
            config.remote = remote.remote()?;
            if self.debloats && config.remote.is_some() {
                let what = "debloat looks at what the program runs, which it sees on this machine only: leave --executor out";
                return Err(Failure::Usage(what.to_owned()));
            }
        }
        config.journal.clone_from(&resume.journal);
        config.journal_limit = resume.journal_limit;
        config.policy = resume.policy();
        config.trace.clone_from(&output.trace);
        config.dump.clone_from(&output.dump);
        config.max_time = limits.max_time;
        config.limits = limits.limits();
        Ok(config)
    }
}
