//! The records of a journal, as bytes.
//!
//! A record is the length of its payload (4 bytes, little endian as all numbers), its kind (1 byte), the
//! payload, and the first 8 bytes of the BLAKE3 hash of all of that.

use std::io::{self, Read};

use dwindle_core::Outcome;
use serde_json::Value;

use super::About;
use dwindle_read::Size;

/// The first bytes of every journal.
pub(super) const MAGIC: [u8; 8] = *b"dwindleJ";
/// The version of the format. The numbers of words depend on what a word is, too.
pub(super) const VERSION: u32 = 1;

const PREFIX: usize = 5;
const CHECKSUM: usize = 8;
/// How long the record of forgotten runs is.
pub(super) const FORGOTTEN_LENGTH: u64 = (PREFIX + 8 + CHECKSUM) as u64;
/// How long the record of the end is.
pub(super) const FINISHED_LENGTH: u64 = (PREFIX + CHECKSUM) as u64;

/// What runs of the test said of a candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownOutcome {
    /// Interesting, uninteresting, or (unresolved) timed out.
    pub outcome: Outcome,
    /// How long the runs took.
    pub seconds: f32,
    /// How many runs there were.
    pub runs: u8,
    /// The [numbers](dwindle_core::Evidence::numbers) of the words that a refusal gave away.
    pub words: Box<[u32]>,
}

/// A variant that was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// How many were kept before it; the input is step 0. Thinning out leaves numbers as they are.
    pub number: u64,
    /// How many questions had been asked.
    pub question: u64,
    /// Its size.
    pub size: Size,
}

/// The text of a step as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Coded {
    /// Whether it needs no other text; else it needs that of the step before.
    pub(super) whole: bool,
    /// See [`steps::decode`](super::steps::decode).
    pub(super) bytes: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Record {
    /// The first one.
    Head {
        key: [u8; 32],
        about: About,
    },
    Facts(Value),
    Outcome {
        key: [u8; 16],
        known: KnownOutcome,
    },
    Step(Step, Coded),
    /// So many runs of the test stood in records that are not kept any more.
    Forgotten {
        runs: u64,
    },
    /// The last one.
    Finished,
}

impl Record {
    /// The record as it stands in the file.
    pub(super) fn encode(&self) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; PREFIX];
        bytes[4] = match self {
            Self::Head { key, about } => {
                bytes.extend(key);
                serde_json::to_writer(&mut bytes, about)?;
                1
            }
            Self::Facts(facts) => {
                serde_json::to_writer(&mut bytes, facts)?;
                2
            }
            Self::Outcome { key, known } => {
                bytes.extend(key);
                bytes.push(match known.outcome {
                    Outcome::Uninteresting => 0,
                    Outcome::Interesting => 1,
                    Outcome::Unresolved => 2,
                });
                bytes.extend(known.seconds.to_le_bytes());
                bytes.push(known.runs);
                bytes.extend(known.words.iter().flat_map(|word| word.to_le_bytes()));
                3
            }
            Self::Step(step, coded) => {
                bytes.reserve(coded.bytes.len() + 64);
                let Size { bytes: length, lines, tokens } = step.size;
                for number in [step.number, step.question, length, lines, tokens] {
                    bytes.extend(number.to_le_bytes());
                }
                bytes.push(u8::from(coded.whole));
                bytes.extend(&coded.bytes);
                4
            }
            Self::Forgotten { runs } => {
                bytes.extend(runs.to_le_bytes());
                5
            }
            Self::Finished => 6,
        };
        let length = u32::try_from(bytes.len() - PREFIX).map_err(|_| io::ErrorKind::FileTooLarge)?;
        bytes[..4].copy_from_slice(&length.to_le_bytes());
        let checksum = checksum(&bytes);
        bytes.extend(checksum);
        Ok(bytes)
    }

    /// The record of that kind with that payload, if there is such a one.
    fn decode(kind: u8, payload: &[u8]) -> Option<Self> {
        let mut rest = payload;
        Some(match kind {
            1 => Self::Head { key: array(&mut rest)?, about: serde_json::from_slice(rest).ok()? },
            2 => Self::Facts(serde_json::from_slice(rest).ok()?),
            3 => {
                let key = array(&mut rest)?;
                let outcome = match array(&mut rest)? {
                    [0] => Outcome::Uninteresting,
                    [1] => Outcome::Interesting,
                    [2] => Outcome::Unresolved,
                    _ => return None,
                };
                let seconds = f32::from_le_bytes(array(&mut rest)?);
                let [runs] = array(&mut rest)?;
                let words = rest.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
                Self::Outcome { key, known: KnownOutcome { outcome, seconds, runs, words } }
            }
            4 => {
                let mut number = || array(&mut rest).map(u64::from_le_bytes);
                let (step, question) = (number()?, number()?);
                let size = Size { bytes: number()?, lines: number()?, tokens: number()? };
                let [whole] = array(&mut rest)?;
                let coded = Coded { whole: whole == 1, bytes: rest.to_vec() };
                Self::Step(Step { number: step, question, size }, coded)
            }
            5 => Self::Forgotten { runs: u64::from_le_bytes(array(&mut rest)?) },
            6 => Self::Finished,
            _ => return None,
        })
    }
}

/// The first bytes of what is left, which are taken off it.
fn array<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (first, behind) = rest.split_first_chunk()?;
    *rest = behind;
    Some(*first)
}

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    let mut checksum = [0; CHECKSUM];
    blake3::Hasher::new().update(bytes).finalize_xof().fill(&mut checksum);
    checksum
}

/// Reads records one after the other.
#[derive(Debug)]
pub(super) struct Records<R> {
    input: R,
    /// Where the last whole record ends.
    end: u64,
    /// The last record that was read, as it stands in the file.
    raw: Vec<u8>,
    /// The number of the last step.
    step: Option<u64>,
}

impl<R: Read> Records<R> {
    /// The records from here on, which is at `start` of the file.
    pub(super) fn new(input: R, start: u64) -> Self {
        Self { input, end: start, raw: Vec::new(), step: None }
    }

    /// The next record; `None` at the end and at whatever is not a whole record, behind which there
    /// is nothing to be read any more.
    pub(super) fn read(&mut self) -> io::Result<Option<Record>> {
        self.raw.clear();
        self.input.by_ref().take(PREFIX as u64).read_to_end(&mut self.raw)?;
        let Some(&[a, b, c, d, kind]) = self.raw.first_chunk() else { return Ok(None) };
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        // Allocates as it reads, not what a damaged length says.
        self.input.by_ref().take((length + CHECKSUM) as u64).read_to_end(&mut self.raw)?;
        if self.raw.len() != PREFIX + length + CHECKSUM {
            return Ok(None);
        }
        let (content, sum) = self.raw.split_at(PREFIX + length);
        if sum != checksum(content) {
            return Ok(None);
        }
        let Some(record) = Record::decode(kind, &content[PREFIX..]) else { return Ok(None) };
        if let Record::Step(step, coded) = &record {
            // The input comes first, and what was kept is in order.
            if !self.step.map_or(step.number == 0 && coded.whole, |last| last < step.number) {
                return Ok(None);
            }
            self.step = Some(step.number);
        }
        self.end += self.raw.len() as u64;
        Ok(Some(record))
    }

    /// Where the last whole record ends.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// The last record that was read, as it stands in the file.
    pub(super) fn raw(&self) -> &[u8] {
        &self.raw
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records() -> Vec<Record> {
        let about = About {
            input: "/in".into(),
            test: "/test".into(),
            output: "/out".into(),
            version: "1".into(),
            input_bytes: 3,
            began: 4,
        };
        let known = |outcome| KnownOutcome { outcome, seconds: 0.5, runs: 2, words: Box::default() };
        let words = Box::new([0, 7, u32::MAX]);
        let size = Size { bytes: 1, lines: 2, tokens: 3 };
        vec![
            Record::Head { key: [7; 32], about },
            Record::Facts(serde_json::json!({ "limit": 1.5, "language": "c" })),
            Record::Outcome { key: [1; 16], known: known(Outcome::Interesting) },
            Record::Outcome { key: [2; 16], known: KnownOutcome { words, ..known(Outcome::Uninteresting) } },
            Record::Outcome { key: [3; 16], known: known(Outcome::Unresolved) },
            Record::Step(
                Step { number: 0, question: 6, size },
                Coded { whole: true, bytes: b"some".to_vec() },
            ),
            Record::Step(Step { number: 6, question: 9, size }, Coded { whole: false, bytes: vec![] }),
            Record::Forgotten { runs: 1 << 40 },
            Record::Finished,
        ]
    }

    fn encoded(records: &[Record]) -> Vec<u8> {
        records.iter().flat_map(|record| record.encode().unwrap()).collect()
    }

    fn decoded(bytes: &[u8]) -> (Vec<Record>, u64) {
        let mut records = Records::new(bytes, 0);
        let all = std::iter::from_fn(|| records.read().unwrap()).collect();
        (all, records.end())
    }

    #[test]
    fn records_are_read_as_they_were_written() {
        let bytes = encoded(&records());
        assert_eq!(decoded(&bytes), (records(), bytes.len() as u64));
    }

    #[test]
    fn the_lengths_of_fixed_records_are_as_stated() {
        let length = |at: usize| records()[at].encode().unwrap().len() as u64;
        assert_eq!((length(7), length(8)), (FORGOTTEN_LENGTH, FINISHED_LENGTH));
    }

    #[test]
    fn of_a_torn_file_the_whole_records_are_read() {
        let bytes = encoded(&records());
        for cut in 0..bytes.len() {
            let (found, end) = decoded(&bytes[..cut]);
            assert_eq!(found, records()[..found.len()]);
            assert_eq!(bytes[..end as usize], encoded(&found));
            let next = records()[found.len()].encode().unwrap().len() as u64;
            assert!(end + next > cut as u64, "a whole record is not read");
        }
    }

    #[test]
    fn a_flipped_bit_never_makes_a_wrong_record() {
        let bytes = encoded(&records());
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                let (found, end) = decoded(&damaged);
                assert_eq!(found, records()[..found.len()]);
                assert!(end <= at as u64);
            }
        }
    }

    #[test]
    fn nothing_is_read_behind_a_step_that_does_not_follow_the_one_before() {
        let [input, next] = [5, 6].map(|at| records().swap_remove(at));
        let encoded = |records: &[&Record]| -> Vec<u8> {
            records.iter().flat_map(|record| record.encode().unwrap()).collect()
        };
        for (stored, read) in
            [(&[&next, &input][..], 0), (&[&input, &next, &next], 2), (&[&input, &input], 1)]
        {
            assert_eq!(decoded(&encoded(stored)).0.len(), read);
        }
    }

    #[test]
    fn a_length_beyond_the_file_takes_no_memory() {
        let mut bytes = encoded(&records()[..1]);
        bytes[..4].copy_from_slice(&u32::MAX.to_le_bytes());
        let mut records = Records::new(&bytes[..], 0);
        assert_eq!(records.read().unwrap(), None);
        assert!(records.raw.capacity() < 1 << 20);
    }
}
