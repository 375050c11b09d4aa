//! Runs of a test beside a reduction, or without one.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dwindle_core::Vocabulary;
use dwindle_read::Size;
use dwindle_run::{FixedFile, Limits, Stations, Workspace};

use crate::asking::{Asking, Terms};
use crate::config::Remote;
use crate::document::Document;
use crate::error::Error;
use crate::event::Event;
use crate::executor::Pool;
use crate::probe::Probe;
use crate::repeats::Rule;
use crate::report::Progress;
use crate::stop::Stop;
use crate::verdict::{Judge, Words};

/// Where the runs are, and how long they may take.
pub(crate) struct Aside<'a> {
    pub(crate) document: &'a Document,
    pub(crate) beside: &'a [FixedFile],
    pub(crate) limits: Limits,
    pub(crate) limit: Duration,
    /// Where they run, if not here.
    pub(crate) remote: Option<&'a Remote>,
    /// How many run at once, at most.
    pub(crate) slots: usize,
    pub(crate) stop: &'a Stop,
}

impl Aside<'_> {
    /// What comes of `work`, which asks the test of `probe` one question after the other. They are not counted, and of
    /// what happens, `watch` is told only what has to be said.
    pub(crate) fn ask<T>(
        &self,
        probe: &Probe,
        watch: &mut dyn FnMut(Event<'_>),
        work: impl FnOnce(&mut Asking<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let file = self.document.place(self.beside.to_vec());
        let workspace = Workspace::new(self.document.size()).map_err(Error::Workspace)?;
        let stations = Stations::new(file, self.limits, workspace, Vec::new()).map_err(Error::Host)?;
        let remote =
            self.remote.map(|remote| Remote { slots: NonZeroUsize::MIN, and_here: false, ..remote.clone() });
        let elsewhere = remote.as_ref().map(|remote| (remote, self.document.place(self.beside.to_vec())));
        let mut executor = Pool::wherever(stations, probe, self.slots, elsewhere, self.limits)?;
        let vocabulary = Words::new(Box::new(|| Arc::new(Vocabulary::of(b""))));
        let judge = Judge { vocabulary, criteria: probe.criteria().clone(), crashes_of: None };
        let terms = Terms { limit: self.limit, help_limit: self.limit, rule: Rule::ONCE };
        let progress = Progress::at(Size::of(self.document.bytes()), Instant::now());
        let mut warnings = |event: Event<'_>| {
            if let Event::Warning(_) = event {
                watch(event);
            }
        };
        let asking = Asking::new(&mut executor, None, self.stop, judge, terms, progress, &mut warnings);
        work(&mut asking.map_err(Error::Workspace)?)
    }
}
