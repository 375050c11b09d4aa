//! A folder with a test in it, and journals about reductions by it.

use std::fs;
use std::path::PathBuf;

use dwindle::Size;
use dwindle::core::Outcome;
use dwindle::journal::{History, Journal, JournalError, KnownOutcome, Place, Policy, Recovered, Subject};
use proptest::collection::vec;
use proptest::prelude::*;
use tempfile::TempDir;

pub(crate) const LIMIT: u64 = 256 << 20;

pub(crate) struct World {
    folder: PathBuf,
    _removed: Option<TempDir>,
}

impl World {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("test"), "#!/bin/sh\n").unwrap();
        Self { folder: folder.path().to_owned(), _removed: Some(folder) }
    }

    /// One that another process has made.
    pub(crate) fn at(folder: PathBuf) -> Self {
        Self { folder, _removed: None }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(crate) fn subject<'a>(&self, text: &'a [u8], output: &str) -> Subject<'a> {
        let path = |name| self.path(name);
        Subject::new(&path("input"), text, Size::of(text), &path("test"), &path(output)).unwrap()
    }

    pub(crate) fn open_limited(
        &self,
        text: &[u8],
        policy: Policy,
        limit: u64,
    ) -> Result<(Journal, Option<Recovered>), JournalError> {
        let place = Place::File(self.path("journal"));
        Journal::open(&place, &self.subject(text, "output"), policy, limit)
    }

    pub(crate) fn open(
        &self,
        text: &[u8],
        policy: Policy,
    ) -> Result<(Journal, Option<Recovered>), JournalError> {
        self.open_limited(text, policy, LIMIT)
    }

    /// A new journal of the reduction of `text`.
    pub(crate) fn begin(&self, text: &[u8]) -> Journal {
        let (journal, recovered) = self.open(text, Policy::Auto).unwrap();
        assert!(recovered.is_none());
        journal
    }

    /// An unfinished one, gone on with.
    pub(crate) fn resume(&self, text: &[u8]) -> (Journal, Recovered) {
        let (journal, recovered) = self.open(text, Policy::Resume).unwrap();
        (journal, recovered.unwrap())
    }

    pub(crate) fn history(&self) -> History {
        History::read(&self.path("journal")).unwrap()
    }
}

/// Something to write.
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    Outcome([u8; 16], KnownOutcome),
    Step(Vec<u8>),
}

pub(crate) fn write(journal: &mut Journal, entry: &Entry, question: u64) -> Result<(), JournalError> {
    match entry {
        Entry::Outcome(key, known) => journal.outcome(*key, known.clone()),
        Entry::Step(text) => journal.step(text, Size::of(text), question),
    }
}

pub(crate) fn known(runs: u8) -> KnownOutcome {
    let outcome = [Outcome::Interesting, Outcome::Uninteresting, Outcome::Unresolved][runs as usize % 3];
    let words = (0..u32::from(runs % 4)).collect();
    KnownOutcome { outcome, seconds: f32::from(runs) / 8.0, runs, words }
}

pub(crate) fn key(number: u64) -> [u8; 16] {
    (u128::from(number) << 7).to_le_bytes()
}

/// An input, and what is written about its reduction: steps are edits of the step before.
pub(crate) fn reduction(length: usize, entries: usize) -> impl Strategy<Value = (Vec<u8>, Vec<Entry>)> {
    let entry = (any::<bool>(), any::<u8>(), any::<[usize; 2]>(), vec(any::<u8>(), 0..4));
    (vec(any::<u8>(), 1..length), vec(entry, 0..entries)).prop_map(|(input, entries)| {
        let mut text = input.clone();
        let entries = entries.into_iter().enumerate().map(|(number, (is_step, runs, ends, new))| {
            if is_step {
                let mut ends = ends.map(|end| end % (text.len() + 1));
                ends.sort();
                text.splice(ends[0]..ends[1], new);
                Entry::Step(text.clone())
            } else {
                Entry::Outcome(key(number as u64), known(runs))
            }
        });
        let entries = entries.collect();
        (input, entries)
    })
}

/// The texts of all steps, the input among them.
pub(crate) fn texts(input: &[u8], entries: &[Entry]) -> Vec<Vec<u8>> {
    let kept = entries.iter().filter_map(|entry| match entry {
        Entry::Step(text) => Some(text.clone()),
        Entry::Outcome(..) => None,
    });
    [input.to_vec()].into_iter().chain(kept).collect()
}

/// All outcomes, in order.
pub(crate) fn outcomes(entries: &[Entry]) -> Vec<([u8; 16], KnownOutcome)> {
    let outcomes = entries.iter().filter_map(|entry| match entry {
        Entry::Outcome(key, known) => Some((*key, known.clone())),
        Entry::Step(_) => None,
    });
    outcomes.collect()
}
