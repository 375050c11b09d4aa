//! A look at what a command does with the input, where nothing says what every variant must do.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dwindle_core::Vocabulary;
use dwindle_read::Size;
use dwindle_run::{CandidateFile, FixedFile, Limits, Stations, Workspace};

use crate::asking::{Asking, Terms};
use crate::checks::run_once;
use crate::document::Document;
use crate::error::Error;
use crate::event::Event;
use crate::executor::Local;
use crate::probe::Probe;
use crate::recognition::{Own, Signature, recognise};
use crate::report::Progress;
use crate::stop::Stop;
use crate::verdict::{Judge, Words};

/// A command that runs for longer than this hangs, if nothing else is said.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs the command of `probe` once and recognises what it does.
pub(crate) fn look(
    document: &Document,
    probe: &Probe,
    beside: &[FixedFile],
    limits: Limits,
    limit: Option<Duration>,
    stop: &Stop,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Signature, Error> {
    let limit = limit.unwrap_or(PATIENCE);
    let name = base_name(document).into();
    let file = CandidateFile { name, mode: 0o600, beside: beside.to_vec() };
    let workspace = Workspace::new(document.bytes().len()).map_err(Error::Workspace)?;
    let stations = Stations::new(file, limits, workspace, Vec::new()).map_err(Error::Host)?;
    let mut executor = Local::new(stations, probe, 1).map_err(Error::Workspace)?;
    let judge = Judge {
        vocabulary: Words::new(Box::new(|| Arc::new(Vocabulary::of(b"")))),
        criteria: probe.criteria().clone(),
    };
    let terms = Terms { limit, help_limit: limit, confirm: 1 };
    let progress = Progress::at(Size::of(document.bytes()), Instant::now());
    // It is no question: nothing is known yet that could be asked.
    let mut warnings = |event: Event<'_>| {
        if let Event::Warning(_) = event {
            watch(event);
        }
    };
    let asking = Asking::new(&mut executor, None, stop, judge, terms, progress, &mut warnings);
    let run = run_once(&mut asking.map_err(Error::Workspace)?, document, probe)?;
    let own = Own::new(document.bytes(), base_name(document).as_bytes());
    recognise(&run, &own, limit)
        .ok_or_else(|| Error::Unremarkable { path: document.path().to_owned(), run: Box::new(run) })
}

fn base_name(document: &Document) -> &OsStr {
    document.path().file_name().unwrap_or_default()
}
