//! What is known of a reduction beside its result, so that it can go on or back.

use std::path::Path;

use dwindle_read::Size;
use serde_json::Value;

use crate::driver::ContentKey;
use crate::journal::{Journal, JournalError, KnownOutcome, Place, Policy, Recovered, Step, Subject};

/// Keeps what tests said and which variants were kept.
pub trait Store {
    /// Where that lies.
    fn path(&self) -> Option<&Path>;

    /// Begins, once the input was found interesting; what an earlier run has left that this one continues.
    fn open(&mut self) -> Result<Option<Recovered>, JournalError>;

    /// Takes note of what a run that goes on must do as this one does.
    fn facts(&mut self, facts: &Value) -> Result<(), JournalError>;

    /// Takes note of what runs of the test said of a candidate.
    fn outcome(&mut self, key: ContentKey, known: KnownOutcome) -> Result<(), JournalError>;

    /// How many outcomes were noted so far.
    fn outcomes(&self) -> u64;

    /// Takes note that the test worked when so many outcomes had been noted.
    fn confirm(&mut self, outcomes: u64);

    /// Forgets what was refused since the test is known to have worked, because it does not work any more. It may be
    /// called before [`open`](Self::open): then an earlier run's refusals are meant.
    fn doubt(&mut self) -> Result<(), JournalError>;

    /// Takes note of a variant that is kept, when so many questions had been asked.
    fn step(&mut self, text: &[u8], size: Size, question: u64) -> Result<(), JournalError>;

    /// The variants that were kept and are still known, newest first; the last one is the input.
    fn steps(&self) -> Steps<'_>;

    /// Nothing is to go on any more.
    fn finish(&mut self) -> Result<(), JournalError>;
}

/// Variants that were kept.
pub type Steps<'a> = Box<dyn Iterator<Item = Result<(Step, Vec<u8>), JournalError>> + 'a>;

/// Nothing but the input and the variant that was kept last.
#[derive(Debug)]
pub struct NoStore {
    input: (Step, Vec<u8>),
    last: Option<(Step, Vec<u8>)>,
}

impl NoStore {
    /// For a reduction of `input`.
    pub fn new(input: &[u8]) -> Self {
        let step = Step { number: 0, question: 0, size: Size::of(input) };
        Self { input: (step, input.to_vec()), last: None }
    }
}

impl Store for NoStore {
    fn path(&self) -> Option<&Path> {
        None
    }

    fn open(&mut self) -> Result<Option<Recovered>, JournalError> {
        Ok(None)
    }

    fn facts(&mut self, _: &Value) -> Result<(), JournalError> {
        Ok(())
    }

    fn outcome(&mut self, _: ContentKey, _: KnownOutcome) -> Result<(), JournalError> {
        Ok(())
    }

    fn outcomes(&self) -> u64 {
        0
    }

    fn confirm(&mut self, _: u64) {}

    fn doubt(&mut self) -> Result<(), JournalError> {
        Ok(())
    }

    fn step(&mut self, text: &[u8], size: Size, question: u64) -> Result<(), JournalError> {
        let number = self.last.as_ref().map_or(1, |(last, _)| last.number + 1);
        self.last = Some((Step { number, question, size }, text.to_vec()));
        Ok(())
    }

    fn steps(&self) -> Steps<'_> {
        Box::new(self.last.iter().chain([&self.input]).cloned().map(Ok))
    }

    fn finish(&mut self) -> Result<(), JournalError> {
        Ok(())
    }
}

/// A journal, which is opened when the input was found interesting.
#[derive(Debug)]
pub(crate) struct JournalStore<'a> {
    place: Place,
    subject: Subject<'a>,
    policy: Policy,
    limit: u64,
    /// Nothing before it is opened, and after it is finished.
    journal: Option<Journal>,
    recovered: Option<Recovered>,
}

impl<'a> JournalStore<'a> {
    pub(crate) fn new(place: Place, subject: Subject<'a>, policy: Policy, limit: u64) -> Self {
        Self { place, subject, policy, limit, journal: None, recovered: None }
    }

    /// Opens the journal of a run that is to be continued, before anything is asked.
    pub(crate) fn resume(&mut self) -> Result<(), JournalError> {
        self.open_by(if self.policy == Policy::Refine { Policy::Refine } else { Policy::Resume })
    }

    fn open_by(&mut self, policy: Policy) -> Result<(), JournalError> {
        let (journal, recovered) = Journal::open(&self.place, &self.subject, policy, self.limit)?;
        (self.journal, self.recovered) = (Some(journal), recovered);
        Ok(())
    }

    fn journal(&mut self) -> &mut Journal {
        self.journal.as_mut().expect("nothing is noted before the journal is open or after its end")
    }
}

impl Store for JournalStore<'_> {
    fn path(&self) -> Option<&Path> {
        self.journal.as_ref().map(Journal::path)
    }

    fn open(&mut self) -> Result<Option<Recovered>, JournalError> {
        if self.journal.is_none() {
            self.open_by(self.policy)?;
        }
        Ok(self.recovered.take())
    }

    fn facts(&mut self, facts: &Value) -> Result<(), JournalError> {
        self.journal().facts(facts)
    }

    fn outcome(&mut self, key: ContentKey, known: KnownOutcome) -> Result<(), JournalError> {
        self.journal().outcome(key, known)
    }

    fn outcomes(&self) -> u64 {
        self.journal.as_ref().map_or(0, Journal::outcomes)
    }

    fn confirm(&mut self, outcomes: u64) {
        self.journal().confirm(outcomes);
    }

    fn doubt(&mut self) -> Result<(), JournalError> {
        // The run that this one would continue has found the input interesting.
        if self.journal.is_none() && (self.policy == Policy::Fresh || self.resume().is_err()) {
            return Ok(());
        }
        self.journal().doubt()
    }

    fn step(&mut self, text: &[u8], size: Size, question: u64) -> Result<(), JournalError> {
        self.journal().step(text, size, question)
    }

    fn steps(&self) -> Steps<'_> {
        Box::new(self.journal.iter().flat_map(Journal::steps))
    }

    fn finish(&mut self) -> Result<(), JournalError> {
        self.journal.take().map_or(Ok(()), Journal::finish)
    }
}
