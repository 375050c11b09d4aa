//! The `dwindle` command: arguments, signals, progress, report, exit codes.

mod args;
mod failure;
mod history;
mod names;
mod progress;
mod show;
mod summary;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dwindle::shown::shown_text;
use dwindle::{End, Interrupt};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};

use crate::args::{Cli, Run, Task};
use crate::failure::Failure;
use crate::progress::Display;

fn main() -> ExitCode {
    if let Some(code) = dwindle::serve_if_asked() {
        return code;
    }
    if let Err(error) = catch() {
        say(&Failure::Signals(error).to_string());
        return ExitCode::from(8);
    }
    let cli = match Cli::from_args() {
        Ok(cli) => cli,
        Err(failure) => return failed(&failure),
    };
    let done = match cli.task() {
        Task::Reduce(run) => reduce(run),
        Task::Parse(parse) => show::tree(parse).map(|()| 0),
        Task::Tokens(file) => show::tokens(file).map(|()| 0),
        Task::Languages => show::languages().map(|()| 0),
        Task::History(args) => history::show(args).map(|()| 0),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(failure) => failed(&failure),
    }
}

fn failed(failure: &Failure) -> ExitCode {
    say(&failure.to_string());
    ExitCode::from(failure.code())
}

fn reduce(run: Run<'_>) -> Result<u8, Failure> {
    let mut warn = |warning: &str| {
        if !run.quiet {
            say(&format!("warning: {warning}\n"));
        }
    };
    let config = run.config(&mut warn)?;
    let (interrupt, signal) = listen()?;
    let mut display = Display::new(run.quiet, run.verbose);
    let result = dwindle::reduce(&config, &interrupt, &mut |event| display.show(&event));
    display.clear();
    let by_signal = || 128 + signal.load(Ordering::Relaxed) as u8;
    let report = result.map_err(|error| match error {
        dwindle::Error::StoppedEarly if signal.load(Ordering::Relaxed) != 0 => Failure::Signal(by_signal()),
        error => Failure::Reduction(error),
    })?;
    if !run.quiet {
        say(&summary::for_people(&report));
    }
    if run.json {
        writeln!(io::stdout(), "{}", summary::for_machines(&report)).map_err(Failure::Report)?;
    }
    Ok(if report.end == End::Interrupted { by_signal() } else { 0 })
}

/// Writes to standard error, nothing that a terminal would act on. A reduction does not end because nobody
/// listens any more.
fn say(text: &str) {
    let _ = io::stderr().write_all(shown_text(text.as_bytes()).as_bytes());
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

/// Turns Ctrl-C, SIGTERM and the end of the terminal into an interrupt; the number says which it was.
fn listen() -> Result<(Interrupt, Arc<AtomicUsize>), Failure> {
    let listen = || {
        let (interrupter, interrupt) = Interrupt::new()?;
        let pipe = std::os::fd::OwnedFd::from(interrupter);
        let signal = Arc::new(AtomicUsize::new(0));
        // Under nohup the end of the terminal is to change nothing.
        let hangup = (!ignores_hangup()).then_some(SIGHUP);
        for number in [SIGINT, SIGTERM].into_iter().chain(hangup) {
            signal_hook::flag::register_usize(number, signal.clone(), number as usize)?;
            signal_hook::low_level::pipe::register(number, pipe.try_clone()?)?;
        }
        Ok((interrupt, signal))
    };
    listen().map_err(Failure::Signals)
}

/// Whether whoever started this has said that SIGHUP is to be ignored.
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 != 0)
}
