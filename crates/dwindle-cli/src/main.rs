//! The `dwindle` command: arguments, signals, progress, report, exit codes.

mod args;
mod ask;
mod check;
mod configuration;
mod diff;
mod events;
mod failure;
mod history;
mod isolate;
mod last_word;
mod lines;
mod list;
mod names;
mod page;
mod progress;
mod reducing;
mod say;
mod shells;
mod show;
mod signals;
mod streams;
mod summary;
mod written;

use std::env;
use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use signal_hook::consts::{SIGCHLD, SIGXFSZ};

use crate::args::{Run, Task};
use crate::configuration::Settings;
use crate::failure::Failure;
use crate::reducing::{end_with, reduce_files};
use crate::say::say;
use crate::streams::Streams;

fn main() -> ExitCode {
    if let Some(code) = dwindle::serve_if_asked() {
        return code;
    }
    if let Err(error) = catch() {
        say(&Failure::Signals(error).to_string());
        return ExitCode::from(8);
    }
    let (cli, settings) = match configuration::read(env::args_os().collect()) {
        Ok(read) => read,
        Err(failure) => return failed(&failure),
    };
    let task = match cli.task() {
        Ok(task) => task,
        Err(failure) => return failed(&failure),
    };
    let done = match task {
        Task::Reduce(run) if run.print_config => show::print(|out| settings.print(out)).map(|()| 0),
        Task::Reduce(run) => reduce(run, &settings),
        Task::Parse(parse) => show::tree(parse).map(|()| 0),
        Task::Tokens(file) => show::tokens(file).map(|()| 0),
        Task::Languages => show::languages().map(|()| 0),
        Task::Completions(args) => shells::show(args).map(|()| 0),
        Task::History(args) => history::show(args).map(|()| 0),
        Task::Isolate(args) => isolate::isolate(args),
        Task::List(args) => list::list(args),
        Task::Check(args) => check::check(args),
        Task::Init(args) => check::init(args),
    };
    end_with(done).into()
}

fn failed(failure: &Failure) -> ExitCode {
    say(&failure.to_string());
    ExitCode::from(failure.code())
}

fn reduce(run: Run<'_>, settings: &Settings) -> Result<u8, Failure> {
    let mut warn = |warning: &str| {
        if !run.quiet {
            say(&format!("warning: {warning}\n"));
        }
    };
    settings.warnings.iter().for_each(|warning| warn(warning));
    if run.verbose {
        settings.said().iter().for_each(|said| say(&format!("{said}\n")));
    }
    let mut config = run.config(&mut warn)?;
    if run.asks {
        ask::ask(&mut config)?;
    }
    let streams = Streams::open(&mut config, run.json)?;
    reduce_files(&run.telling(), &config, &streams)
}

/// Catches signals to do nothing. Whoever started this may have said that `SIGCHLD` is to be ignored, and
/// then children cannot be waited for; a file beyond `ulimit -f` is to be an error, not the end. Tests do
/// not inherit what is caught.
fn catch() -> io::Result<()> {
    for number in [SIGCHLD, SIGXFSZ] {
        signal_hook::flag::register(number, Arc::default())?;
    }
    Ok(())
}
