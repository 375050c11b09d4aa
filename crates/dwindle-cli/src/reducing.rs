//! A reduction as the command does it: who is told of it, and what is said at its end.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use dwindle::journal::History;
use dwindle::shell::quoted;
use dwindle::shown::shown;
use dwindle::{Config, End, Report};

use crate::events::EventLog;
use crate::failure::Failure;
use crate::last_word::LastWord;
use crate::page::{Page, Record, check_place, write_page};
use crate::progress::{Display, Means, Watched};
use crate::say::say;
use crate::signals::{Listening, listen};
use crate::streams::Streams;
use crate::summary::{self, Listed};

/// What is told of a reduction, and where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Telling<'a> {
    pub(crate) quiet: bool,
    pub(crate) verbose: bool,
    pub(crate) json: bool,
    pub(crate) progress: Means,
    /// Where events go.
    pub(crate) events: Option<&'a Path>,
    /// Where the page goes.
    pub(crate) page: Option<&'a Path>,
    /// The repository of the items of a list, where they are commits.
    pub(crate) commits_of: Option<&'a Path>,
}

/// Reduces what `config` says, where files stand for streams; returns the exit code.
pub(crate) fn reduce_files(telling: &Telling<'_>, config: &Config, streams: &Streams) -> Result<u8, Failure> {
    try_reducing(telling, config, streams).inspect_err(|failure| streams.close(Err(failure)))
}

fn try_reducing(telling: &Telling<'_>, config: &Config, streams: &Streams) -> Result<u8, Failure> {
    let events = match telling.events {
        Some(path) => EventLog::open(path, config)?,
        None => EventLog::default(),
    };
    let page = telling.page.map(|path| page_place(path, config)).transpose()?;
    let Listening { interrupt, signals, last } = listen().map_err(Failure::Signals)?;
    let deadline = config.max_time.and_then(|time| Instant::now().checked_add(time));
    let output = config.output();
    let watched = Watched {
        input: &config.input,
        output: &output,
        unit: match (&config.list, &config.options.weights) {
            (None, _) => "tokens",
            (_, None) => "items",
            (_, Some(_)) => "units of weight",
        },
        deadline,
        max_questions: config.options.max_questions,
        signal: last.clone(),
        skip: config.skip.clone(),
    };
    let mut display = Display::reducing(telling.progress, telling.quiet, telling.verbose, watched);
    let said = Said {
        quiet: telling.quiet,
        json: telling.json,
        listed: config.list.is_some().then(|| telling.commits_of.map(Path::to_owned)),
        weighted: config.options.weights.is_some(),
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
    /// Where it is a list, the repository of its items, should they be commits.
    listed: Option<Option<PathBuf>>,
    weighted: bool,
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
        let items = self.listed.as_ref().map(|commits_of| {
            let text = if is_trivial { Vec::new() } else { fs::read(&report.output).unwrap_or_default() };
            Listed::new(&text, self.weighted, commits_of.as_deref())
        });
        // A list is in the report.
        let is_told = self.json && items.is_some();
        if !is_trivial && !is_told {
            self.streams.print(report)?;
        }
        if !self.quiet && !is_trivial {
            say(&summary::for_people(&self.streams.named(report), items.as_ref()));
        }
        if self.json {
            let line = summary::for_machines(report, items.as_ref());
            writeln!(io::stdout(), "{line}").map_err(Failure::Report)?;
        }
        match (self.exit_code(report), is_trivial, items) {
            (code, true, None) => Err(Failure::Trivial(code)),
            (code, true, Some(_)) => Err(Failure::EmptyList(code)),
            (code, false, _) => Ok(code),
        }
    }
}

/// Says what went wrong, if anything did; returns the exit code.
pub(crate) fn end_with(done: Result<u8, Failure>) -> u8 {
    done.unwrap_or_else(|failure| {
        say(&failure.to_string());
        failure.code()
    })
}
