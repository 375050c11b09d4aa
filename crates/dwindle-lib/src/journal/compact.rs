//! A journal that has become too long is written anew, without what is needed least; and one that holds what is
//! not believed any more, without that.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::JournalError;
use super::contents::{records, start};
use super::file::{Locked, NewFile};
use super::record::{FORGOTTEN_LENGTH, Record, Step};
use super::steps::{Texts, delta, whole};

/// Writes the journal in `file` anew, within `target` bytes as far as that goes: the head, the input,
/// the facts and the newest step, then the newest outcomes for which there is room, then earlier steps
/// of which every second one is dropped until they fit. Of the last `doubtful` outcomes, only the interesting
/// ones stay. Gives back the new file, its length, and how many steps it holds.
pub(super) fn compact(
    file: &File,
    path: &Path,
    newest: (Step, &[u8]),
    target: u64,
    doubtful: u64,
) -> Result<(Locked, u64, usize), JournalError> {
    let io = |source| JournalError::io(path, source);
    let survey = Survey::of(file, path)?;
    let newest = match newest {
        (Step { number: 0, .. }, _) => Vec::new(),
        (step, text) => whole(text).and_then(|coded| Record::Step(step, coded).encode()).map_err(io)?,
    };
    let room = target.saturating_sub(survey.fixed.len() as u64 + newest.len() as u64 + FORGOTTEN_LENGTH);
    let room_for_steps = room.saturating_sub(survey.outcomes);

    let mut kept = survey.earlier_steps;
    let earlier = loop {
        match deltas(file, path, &kept, room_for_steps)? {
            Some(earlier) => break earlier,
            None => {
                let mut drop = false;
                kept.retain(|_| {
                    drop = !drop;
                    !drop
                });
            }
        }
    };
    let steps = 1 + kept.len() + usize::from(!newest.is_empty());

    let mut new = BufWriter::new(NewFile::beside(path).map_err(io)?);
    let mut length = 0;
    let mut write = |bytes: &[u8]| {
        length += bytes.len() as u64;
        new.write_all(bytes).map_err(io)
    };
    write(&survey.fixed)?;
    let (mut behind, mut forgotten) = (survey.outcomes, survey.forgotten);
    let mut records = records(file, path)?;
    let mut believed = survey.outcome_count.saturating_sub(doubtful);
    while let Some(record) = records.read().map_err(io)? {
        let Record::Outcome { known, .. } = record else { continue };
        let is_believed = believed > 0 || known.outcome.is_interesting();
        believed = believed.saturating_sub(1);
        if behind <= room && is_believed {
            write(records.raw())?;
        } else {
            forgotten = forgotten.saturating_add(known.runs.into());
            behind -= records.raw().len() as u64;
        }
    }
    if forgotten > 0 {
        write(&Record::Forgotten { runs: forgotten }.encode().map_err(io)?)?;
    }
    write(&earlier)?;
    write(&newest)?;
    let new = new.into_inner().map_err(|error| io(error.into_error()))?;
    Ok((new.persist(path, true).map_err(io)?, length, steps))
}

/// What there is to choose from.
struct Survey {
    /// All before the first record, the head, the input and the facts, as they stand in the file.
    fixed: Vec<u8>,
    /// How long the records of outcomes are together, and how many there are.
    outcomes: u64,
    outcome_count: u64,
    forgotten: u64,
    /// The numbers of the steps between the input and the newest one.
    earlier_steps: Vec<u64>,
}

impl Survey {
    fn of(file: &File, path: &Path) -> Result<Self, JournalError> {
        let mut survey =
            Self { fixed: start(), outcomes: 0, outcome_count: 0, forgotten: 0, earlier_steps: Vec::new() };
        let mut records = records(file, path)?;
        while let Some(record) = records.read().map_err(|source| JournalError::io(path, source))? {
            match record {
                Record::Head { .. } | Record::Facts(_) | Record::Step(Step { number: 0, .. }, _) => {
                    survey.fixed.extend_from_slice(records.raw());
                }
                Record::Outcome { .. } => {
                    survey.outcomes += records.raw().len() as u64;
                    survey.outcome_count += 1;
                }
                Record::Forgotten { runs } => survey.forgotten = survey.forgotten.saturating_add(runs),
                Record::Step(step, _) => survey.earlier_steps.push(step.number),
                Record::Finished => {}
            }
        }
        survey.earlier_steps.pop();
        Ok(survey)
    }
}

/// The records of the steps with these numbers, if they have room.
fn deltas(file: &File, path: &Path, kept: &[u64], room: u64) -> Result<Option<Vec<u8>>, JournalError> {
    let mut bytes = Vec::new();
    let mut previous = Vec::new();
    let mut kept = kept.iter().peekable();
    let mut texts = Texts::new(file, path)?;
    while let (Some(&&number), Some((step, text))) = (kept.peek(), texts.read()?) {
        if step.number == number {
            let record = delta(&previous, text).and_then(|coded| Record::Step(step, coded).encode());
            bytes.extend(record.map_err(|source: io::Error| JournalError::io(path, source))?);
            if bytes.len() as u64 > room {
                return Ok(None);
            }
            kept.next();
        } else if step.number > 0 {
            continue;
        }
        text.clone_into(&mut previous);
    }
    Ok(Some(bytes))
}
