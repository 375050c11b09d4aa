//! The `dwindle` command: arguments, signals, progress, report, exit codes.

mod args;
mod check;
mod configuration;
mod diff;
mod events;
mod failure;
mod history;
mod isolate;
mod last_word;
mod lines;
mod names;
mod page;
mod progress;
mod say;
mod shells;
mod show;
mod signals;
mod streams;
mod summary;
mod written;

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use dwindle::journal::History;
use dwindle::shell::quoted;
use dwindle::shown::shown;
use dwindle::{Config, End, Report};
use signal_hook::consts::{SIGCHLD, SIGXFSZ};

use crate::args::{Run, Task};
use crate::configuration::Settings;
use crate::events::EventLog;
use crate::failure::Failure;
use crate::last_word::LastWord;
use crate::page::{Page, Record, check_place, write_page};
use crate::progress::{Display, Watched};
use crate::say::say;
use crate::signals::{Listening, listen};
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
        Task::Check(args) => check::check(args),
        Task::Init(args) => check::init(args),
    };
    end_with(done).into()
}

/// Says what went wrong, if anything did; returns the exit code.
fn end_with(done: Result<u8, Failure>) -> u8 {
    done.unwrap_or_else(|failure| {
        say(&failure.to_string());
        failure.code()
    })
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
    let streams = Streams::open(&mut config, run.json)?;
    reduce_files(&run, &config, &streams).inspect_err(|failure| streams.close(Err(failure)))
}

/// The same where files stand for streams.
fn reduce_files(run: &Run<'_>, config: &Config, streams: &Streams) -> Result<u8, Failure> {
    let events = match run.events() {
        Some(path) => EventLog::open(path, config)?,
        None => EventLog::default(),
    };
    let page = run.page().map(|path| page_place(path, config)).transpose()?;
    let Listening { interrupt, signals, last } = listen().map_err(Failure::Signals)?;
    let deadline = config.max_time.and_then(|time| Instant::now().checked_add(time));
    let output = config.output();
    let watched = Watched {
        input: &config.input,
        output: &output,
        deadline,
        max_questions: config.options.max_questions,
        signal: last.clone(),
        skip: config.skip.clone(),
    };
    let mut display = Display::reducing(run.progress(), run.quiet, run.verbose, watched);
    let said = Said {
        quiet: run.quiet,
        json: run.json,
        last,
        display: display.clone(),
        events: events.clone(),
        streams: streams.clone(),
    };
    let last_word = LastWord::default();
    let wants_page = page.is_some();
    let (at_last, code) = (said.clone(), said.clone());
    last_word
        .stand_by(
            signals,
            deadline,
            move |report| {
                at_last.display.clear();
                if wants_page {
                    say("the report is not written; `dwindle history` with the result and --report writes it\n");
                }
                end_with(at_last.end(report.ok_or_else(|| at_last.stopped_early())));
            },
            move |report| report.map_or_else(|| code.stopped_early().code(), |report| code.exit_code(report)),
        )
        .map_err(Failure::Signals)?;
    let mut record = Record::default();
    let result = dwindle::reduce_file(config, &interrupt, &mut |event| {
        last_word.note(&event);
        if page.is_some() {
            record.note(&event);
        }
        events.note(&event);
        display.show(&event);
    });
    last_word.ended();
    display.clear();
    let page = match (&page, &result) {
        (Some(path), Ok(report)) => write_report(path, &record, report),
        _ => Ok(()),
    };
    let code = said.end(match &result {
        Ok(report) => Ok(report),
        Err(dwindle::Error::StoppedEarly) => Err(said.stopped_early()),
        Err(_) => Err(result.expect_err("it is an error").into()),
    })?;
    page.map(|()| code)
}

/// Where a page goes, if it may go there.
fn page_place(path: &Path, config: &Config) -> Result<PathBuf, Failure> {
    if config.has_file(path) {
        let what = format!("--report {} is a file of the reduction; name another one", shown(path));
        return Err(Failure::Usage(what));
    }
    check_place(path)
}

/// Writes the page about a reduction that is over.
fn write_report(path: &Path, record: &Record, report: &Report) -> Result<(), Failure> {
    let Some(journal) = &report.journal else { return Ok(()) };
    let history = History::read(journal).map_err(Failure::Journal)?;
    let folder = env::current_dir().unwrap_or_default();
    let words: Vec<String> = env::args_os().map(|word| quoted(Path::new(&word))).collect();
    let command = format!("cd {}\n{}", quoted(&folder), words.join(" "));
    let result = match report.effective.reading.language {
        Some("folder") => dwindle::folder_as_text(&report.output),
        _ => fs::read(&report.output).ok(),
    };
    write_page(
        path,
        &Page { history: &history, record, report: Some(report), result, command: Some(command) },
    )
}

/// The exit code where nothing of the input is left.
const NOTHING_LEFT: u8 = 10;

/// What is said at the end, and how.
#[derive(Clone)]
struct Said {
    quiet: bool,
    json: bool,
    /// The last signal.
    last: Arc<AtomicUsize>,
    display: Display,
    events: EventLog,
    streams: Streams,
}

impl Said {
    fn signal(&self) -> u8 {
        self.last.load(Ordering::Relaxed) as u8
    }

    /// Why there is no result where the reduction was stopped before there was one.
    fn stopped_early(&self) -> Failure {
        match self.signal() {
            0 => dwindle::Error::StoppedEarly.into(),
            signal => Failure::Signal(128 + signal),
        }
    }

    fn exit_code(&self, report: &Report) -> u8 {
        match report.end {
            End::Interrupted => 128 + self.signal(),
            _ if report.is_trivial() => NOTHING_LEFT,
            _ => 0,
        }
    }

    /// Takes note of what came of a reduction, and says so if it has a result; returns the exit code.
    fn end(&self, result: Result<&Report, Failure>) -> Result<u8, Failure> {
        self.events.end(result.as_ref().copied());
        let report = result.inspect_err(|failure| self.streams.close(Err(failure)))?;
        let code = self.say(report);
        self.streams.close(code.as_ref().map(|_| report).or_else(|failure| {
            // What is no result has no file.
            if report.is_trivial() { Ok(report) } else { Err(failure) }
        }));
        code
    }

    /// Says what came of a reduction; returns the exit code.
    fn say(&self, report: &Report) -> Result<u8, Failure> {
        let is_trivial = report.is_trivial();
        if !is_trivial {
            self.streams.print(report)?;
        }
        if !self.quiet && !is_trivial {
            say(&summary::for_people(&self.streams.named(report)));
        }
        if self.json {
            writeln!(io::stdout(), "{}", summary::for_machines(report)).map_err(Failure::Report)?;
        }
        match (self.exit_code(report), is_trivial) {
            (code, true) => Err(Failure::Trivial(code)),
            (code, false) => Ok(code),
        }
    }
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
