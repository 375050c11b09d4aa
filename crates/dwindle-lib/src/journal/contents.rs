//! What stands in a journal, but for the texts.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

use serde_json::Value;

use super::record::{KnownOutcome, MAGIC, Record, Records, Step, VERSION};
use super::{About, JournalError};

/// Reads a file from its beginning, whatever else is done with it.
#[derive(Debug)]
pub(super) struct FromStart<'a>(&'a File, u64);

/// How a journal is read.
pub(super) type Reader<'a> = BufReader<FromStart<'a>>;

impl Read for FromStart<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read_at(buffer, self.1)?;
        self.1 += read as u64;
        Ok(read)
    }
}

/// The bytes before the first record.
pub(super) fn start() -> Vec<u8> {
    [&MAGIC[..], &VERSION.to_le_bytes()].concat()
}

/// The records of the journal in `file`, after a look at what is before them.
pub(super) fn records<'a>(file: &'a File, path: &Path) -> Result<Records<Reader<'a>>, JournalError> {
    let mut input = BufReader::with_capacity(1 << 16, FromStart(file, 0));
    let mut start = Vec::new();
    let length = (MAGIC.len() + 4) as u64;
    let path = path.to_owned();
    if let Err(source) = input.by_ref().take(length).read_to_end(&mut start) {
        return Err(JournalError::io(&path, source));
    }
    match start.strip_prefix(&MAGIC).map(<[u8; 4]>::try_from) {
        None => Err(JournalError::NoJournal { path }),
        Some(Err(_)) => Err(JournalError::Damaged { path }),
        Some(Ok(version)) => match u32::from_le_bytes(version) {
            VERSION => Ok(Records::new(input, length)),
            found => Err(JournalError::OtherVersion { path, found, wanted: VERSION }),
        },
    }
}

/// What stands in a journal, but for the texts.
#[derive(Debug)]
pub(super) struct Contents {
    pub(super) key: [u8; 32],
    pub(super) about: About,
    pub(super) facts: Option<Value>,
    /// The input, and the variants that were kept.
    pub(super) steps: Vec<Step>,
    /// The runs of the test.
    pub(super) questions: u64,
    pub(super) finished: bool,
    /// Where the last whole record ends.
    pub(super) end: u64,
}

impl Contents {
    /// Reads the journal in `file` and shows every outcome to `see`, oldest first.
    pub(super) fn read(
        file: &File,
        path: &Path,
        mut see: impl FnMut([u8; 16], KnownOutcome),
    ) -> Result<Self, JournalError> {
        let io = |source| JournalError::io(path, source);
        let damaged = || JournalError::Damaged { path: path.to_owned() };
        let mut records = records(file, path)?;
        let Some(Record::Head { key, about }) = records.read().map_err(io)? else { return Err(damaged()) };
        let (mut facts, mut steps) = (None::<Value>, Vec::<Step>::new());
        let (mut questions, mut finished) = (0, false);
        while let Some(record) = records.read().map_err(io)? {
            match record {
                Record::Head { .. } => return Err(damaged()),
                Record::Facts(value) => facts = Some(value),
                Record::Outcome { key, known } => {
                    questions = u64::saturating_add(questions, known.runs.into());
                    see(key, known);
                }
                Record::Step(step, _) => steps.push(step),
                Record::Forgotten { runs } => questions = questions.saturating_add(runs),
                Record::Finished => finished = true,
            }
        }
        // The input is written together with the head, when it is not yet known who counts its tokens.
        let Some(input) = steps.first_mut() else { return Err(damaged()) };
        let tokens = facts.as_ref().and_then(|facts| facts["input_tokens"].as_u64());
        input.size.tokens = tokens.unwrap_or(input.size.tokens);
        Ok(Self { key, about, facts, steps, questions, finished, end: records.end() })
    }
}
