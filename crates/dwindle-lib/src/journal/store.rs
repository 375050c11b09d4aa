//! Writing a journal.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::contents::{Contents, start};
use super::file::{Locked, NewFile, lock_existing, remove_abandoned};
use super::place::{Place, tidy};
use super::record::{FINISHED_LENGTH, KnownOutcome, Record, Step};
use super::steps::{Steps, Texts, delta, whole};
use super::{JournalError, Subject, compact};
use dwindle_read::Size;

/// How often, at most, the disk is waited for. A power failure takes no more than the steps of this time.
const SYNC: Duration = Duration::from_secs(1);

/// What to do with a journal that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// An unfinished one is resumed, a finished one replaced.
    Auto,
    /// An unfinished one is resumed. There must be one.
    Resume,
    /// The same with a finished one: the questions of its run are answered from it.
    Refine,
    /// It is replaced.
    Fresh,
}

/// The content of a journal with which a run goes on.
#[derive(Debug)]
pub struct Recovered {
    /// The outcomes of candidates, by the key of their content.
    pub outcomes: HashMap<[u8; 16], KnownOutcome>,
    /// Those of them that came after the last interesting one. Nothing shows that the test still worked then.
    pub doubtful: Vec<[u8; 16]>,
    /// The last step, if any was taken, and its text.
    pub best: Option<(Step, Vec<u8>)>,
    /// The last record of [`Journal::facts`].
    pub facts: Option<Value>,
    /// How many runs of the test there were.
    pub questions: u64,
    /// Whether its run was finished.
    pub finished: bool,
}

/// The journal of the reduction that is going on. No other run uses it at the same time.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Locked,
    limit: u64,
    /// The length at which it is compacted.
    full: u64,
    length: u64,
    /// The last step and its text.
    last: (Step, Vec<u8>),
    /// How many steps it holds, the input among them.
    steps: usize,
    /// How many outcomes were written, and after how many of them the test is known to have worked.
    outcomes: u64,
    confirmed: u64,
    /// When the disk was last waited for.
    synced: Instant,
    /// Whether there was a step since then.
    unsynced: bool,
}

impl Journal {
    /// Opens the journal about `subject`, or makes it.
    ///
    /// It is compacted when it would have more than `limit` bytes. If it is in the folder of journals and all of them
    /// have more, others are removed: finished ones first, the oldest first, then those that have been unfinished for
    /// 30 days. The input and the newest step are always kept.
    pub fn open(
        place: &Place,
        subject: &Subject<'_>,
        policy: Policy,
        limit: u64,
    ) -> Result<(Self, Option<Recovered>), JournalError> {
        let path = place.path(subject)?;
        remove_abandoned(&path);
        let mut outcomes = Vec::new();
        let found = lock_existing(&path)?;
        let going_on = match &found {
            Some(file) => going_on(file, &path, place, subject, policy, &mut outcomes)?,
            None if matches!(policy, Policy::Resume | Policy::Refine) => {
                return Err(JournalError::NothingToResume { path, finished: false });
            }
            None => None,
        };
        let opened = match (found, going_on) {
            (Some(file), Some(contents)) => {
                let Contents { facts, questions, finished, .. } = contents;
                let mut journal = Self::resume(path, file, contents.steps.len(), contents.end, limit)?;
                let best = (journal.last.0.number > 0).then(|| journal.last.clone());
                let last = outcomes.iter().rposition(|(_, known)| known.outcome.is_interesting());
                let confirmed = last.map_or(0, |last| last + 1);
                let doubtful = outcomes[confirmed..].iter().map(|(key, _)| *key).collect();
                (journal.outcomes, journal.confirmed) = (outcomes.len() as u64, confirmed as u64);
                let outcomes = outcomes.into_iter().collect();
                (journal, Some(Recovered { outcomes, doubtful, best, facts, questions, finished }))
            }
            // The old journal stays locked until it is replaced.
            (replaced, _) => (Self::begin(path, subject, replaced.is_some(), limit)?, None),
        };
        if let Place::Folder(folder) = place {
            // A failure to remove others is no reason not to begin.
            let _ = tidy(folder, &opened.0.path, limit);
        }
        Ok(opened)
    }

    fn begin(path: PathBuf, subject: &Subject<'_>, replace: bool, limit: u64) -> Result<Self, JournalError> {
        let step = Step { number: 0, question: 0, size: subject.size };
        let write = || {
            let mut file = NewFile::beside(&path)?;
            let mut bytes = start();
            bytes.extend(Record::Head { key: subject.key, about: subject.about.clone() }.encode()?);
            bytes.extend(Record::Step(step, whole(subject.text)?).encode()?);
            file.write_all(&bytes)?;
            Ok((file.persist(&path, replace)?, bytes.len() as u64))
        };
        let (file, length) = write().map_err(|source: io::Error| match source.kind() {
            io::ErrorKind::AlreadyExists => JournalError::Taken { path: path.clone() },
            _ => JournalError::io(&path, source),
        })?;
        let journal = Self::new(path, file, limit, length, (step, subject.text.to_vec()), 1);
        Ok(Self { full: limit.max(2 * length), ..journal })
    }

    /// Goes on behind the last whole record, which ends at `length`.
    fn resume(
        path: PathBuf,
        file: Locked,
        steps: usize,
        length: u64,
        limit: u64,
    ) -> Result<Self, JournalError> {
        let mut last = (Step { number: 0, question: 0, size: Size::default() }, Vec::new());
        let mut texts = Texts::new(&file, &path)?;
        while let Some((step, text)) = texts.read()? {
            last.0 = step;
            text.clone_into(&mut last.1);
        }
        file.set_len(length).map_err(|source| JournalError::io(&path, source))?;
        Ok(Self::new(path, file, limit, length, last, steps))
    }

    /// The journal in `file`, whose records end at `length`. It has this many steps, the last of which is `last`.
    fn new(
        path: PathBuf,
        file: Locked,
        limit: u64,
        length: u64,
        last: (Step, Vec<u8>),
        steps: usize,
    ) -> Self {
        let (synced, unsynced, outcomes, confirmed) = (Instant::now(), false, 0, 0);
        Self { path, file, limit, full: limit, length, last, steps, outcomes, confirmed, synced, unsynced }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Records what a run must do alike to go on with this journal.
    pub fn facts(&mut self, facts: &Value) -> Result<(), JournalError> {
        self.append(&Record::Facts(facts.clone()))
    }

    /// Records the outcome of runs on a candidate.
    pub fn outcome(&mut self, key: [u8; 16], known: KnownOutcome) -> Result<(), JournalError> {
        self.append(&Record::Outcome { key, known })?;
        self.outcomes += 1;
        self.sync_now_and_then()
    }

    /// How many outcomes were written so far.
    pub fn outcomes(&self) -> u64 {
        self.outcomes
    }

    /// Records that the test still worked when this many [outcomes](Self::outcomes) had been written.
    pub fn confirm(&mut self, outcomes: u64) {
        self.confirmed = self.confirmed.max(outcomes);
    }

    /// The test has stopped working: forgets the refusals since it is known to have worked. The runs still count.
    pub fn doubt(&mut self) -> Result<(), JournalError> {
        let doubtful = self.outcomes - self.confirmed;
        if doubtful > 0 {
            self.rewrite(u64::MAX, doubtful)?;
            self.confirmed = self.outcomes;
        }
        Ok(())
    }

    /// Records an accepted variant, and how many questions had been asked then.
    pub fn step(&mut self, text: &[u8], size: Size, question: u64) -> Result<(), JournalError> {
        let step = Step { number: self.last.0.number.saturating_add(1), question, size };
        let coded = delta(&self.last.1, text).map_err(|source| self.failed(source))?;
        self.append(&Record::Step(step, coded))?;
        self.last.0 = step;
        text.clone_into(&mut self.last.1);
        self.steps += 1;
        self.unsynced = true;
        self.sync_now_and_then()
    }

    /// The steps, newest first; the last one is the input.
    pub fn steps(&self) -> Steps<'_> {
        Steps::new(&self.file, &self.path, self.steps)
    }

    /// Records that the run is finished, and waits for the disk.
    pub fn finish(mut self) -> Result<(), JournalError> {
        self.append(&Record::Finished)?;
        self.file.sync_data().map_err(|source| self.failed(source))
    }

    fn append(&mut self, record: &Record) -> Result<(), JournalError> {
        let bytes = record.encode().map_err(|source| self.failed(source))?;
        if self.length + bytes.len() as u64 > self.full && *record != Record::Finished {
            self.rewrite(self.limit / 2, 0)?;
        }
        if let Err(source) = (&*self.file).write_all(&bytes) {
            // Half a record would hide all records behind it.
            let undone = self.file.set_len(self.length);
            return Err(self.failed(undone.err().unwrap_or(source)));
        }
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Steps may come in bursts, and a disk may take 10 ms. So it is not waited for after each of them: a power failure
    /// loses what was found in the last second.
    fn sync_now_and_then(&mut self) -> Result<(), JournalError> {
        if self.unsynced && self.synced.elapsed() >= SYNC {
            self.file.sync_data().map_err(|source| self.failed(source))?;
            self.synced = Instant::now();
            self.unsynced = false;
        }
        Ok(())
    }

    fn rewrite(&mut self, target: u64, doubtful: u64) -> Result<(), JournalError> {
        let (step, text) = &self.last;
        let compacted = compact::compact(&self.file, &self.path, (*step, text), target, doubtful)?;
        (self.file, self.length, self.steps) = compacted;
        // If what must stay has almost `limit` bytes, it is not written again for every record.
        self.full = self.limit.max(2 * self.length);
        Ok(())
    }

    fn failed(&self, source: io::Error) -> JournalError {
        JournalError::io(&self.path, source)
    }
}

/// The content of the journal in `file` if the run is to go on with it. `None` if it is replaced.
fn going_on(
    file: &File,
    path: &Path,
    place: &Place,
    subject: &Subject<'_>,
    policy: Policy,
    outcomes: &mut Vec<([u8; 16], KnownOutcome)>,
) -> Result<Option<Contents>, JournalError> {
    let read = Contents::read(file, path, |key, known| {
        outcomes.push((key, known));
    });
    let path = path.to_owned();
    match read {
        Ok(contents) if contents.key != subject.key => {
            Err(JournalError::OtherSubject { path, about: Box::new(contents.about) })
        }
        Ok(_) if policy == Policy::Fresh => Ok(None),
        Ok(contents) if !contents.finished => Ok(Some(contents)),
        // The record that says it is finished is the last one, and is written over.
        Ok(contents) if policy == Policy::Refine => {
            Ok(Some(Contents { end: contents.end - FINISHED_LENGTH, ..contents }))
        }
        Ok(_) if policy == Policy::Auto => Ok(None),
        Ok(_) => Err(JournalError::NothingToResume { path, finished: true }),
        Err(JournalError::OtherVersion { .. } | JournalError::Damaged { .. }) if policy == Policy::Fresh => {
            Ok(None)
        }
        Err(JournalError::NoJournal { .. }) => match place {
            // An empty file, as `mktemp` makes it, can be replaced.
            Place::File(_) if file.metadata().is_ok_and(|metadata| metadata.len() == 0) => match policy {
                Policy::Resume | Policy::Refine => {
                    Err(JournalError::NothingToResume { path, finished: false })
                }
                Policy::Auto | Policy::Fresh => Ok(None),
            },
            Place::File(_) => Err(JournalError::NoJournal { path }),
            // Under that name there was a journal.
            Place::Folder(_) if policy == Policy::Fresh => Ok(None),
            Place::Folder(_) => Err(JournalError::Damaged { path }),
        },
        Err(error) => Err(error),
    }
}
