//! The results file: one JSON line a run, only ever appended to.
//!
//! Of several records of the same run the last one counts. A line without its end is what a
//! crash left: it is not read, and it is cut off before the next one is written.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

use crate::configurations::Configuration;
use crate::refusals::Refusals;
use crate::report::Report;

/// One run of one configuration on one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The name of the case.
    pub(crate) case: String,
    /// The name of the configuration.
    pub(crate) run: String,
    /// The arguments of the configuration.
    pub(crate) arguments: Vec<String>,
    /// The fingerprint of the program.
    pub(crate) program: String,
    /// What came of it.
    pub(crate) outcome: Outcome,
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outcome {
    /// It left a result, perhaps because a budget was used up.
    Reduced {
        /// What it reported.
        report: Box<Report>,
        /// What the counting command counted, where there was one.
        counted: Option<Counted>,
        /// Each time that the result became smaller: the questions until then, and its tokens.
        #[serde(default)]
        curve: Option<Vec<(u64, u64)>>,
        /// What was refused, where that was sorted.
        #[serde(default)]
        refusals: Option<Refusals>,
    },
    /// It left none.
    Failed {
        /// Why, in one line.
        reason: String,
    },
}

/// What the counting command counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counted {
    /// The command.
    pub(crate) by: String,
    /// Tokens of the input.
    pub(crate) before: u64,
    /// Tokens of the result.
    pub(crate) after: u64,
}

impl Record {
    /// Why the run failed, if it did.
    pub(crate) fn failure(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Reduced { .. } => None,
            Outcome::Failed { reason } => Some(reason),
        }
    }
}

/// The record of `configuration` on `case` that counts, made by the program with the
/// fingerprint `program` or, without one, by any.
pub(crate) fn find<'a>(
    records: &'a [Record],
    case: &str,
    configuration: &Configuration,
    program: Option<&str>,
) -> Option<&'a Record> {
    records.iter().rev().find(|record| {
        record.case == case
            && record.run == configuration.name
            && record.arguments == configuration.arguments
            && program.is_none_or(|program| record.program == program)
    })
}

/// The records of the results file at `path`, which has to exist.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<Record>> {
    let bytes = fs::read(path).with_context(|| {
        format!("cannot read the results {}: run without --table-only first", path.display())
    })?;
    Ok(parse(&bytes).with_context(|| in_results(path))?.0)
}

/// The records of the results file at `path`, which is made if there is none, and the means to
/// append to it. It is locked as long as the appender lives.
pub(crate) fn open(path: &Path) -> anyhow::Result<(Vec<Record>, Appender)> {
    let context = || format!("cannot open the results {}", path.display());
    let file = OpenOptions::new().append(true).create(true).open(path).with_context(context)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => bail!(
            "the results {} are in use by another evaluation: wait for it or name another file",
            path.display()
        ),
        // Some file systems have no locks; then the user sees to it.
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {}
        Err(TryLockError::Error(error)) => return Err(error).with_context(context),
    }
    let bytes = fs::read(path).with_context(context)?;
    let (records, whole) = parse(&bytes).with_context(|| in_results(path))?;
    if whole < bytes.len() {
        eprintln!("dwindle-eval: cutting off the torn last line of {}", path.display());
        file.set_len(whole as u64).with_context(context)?;
    }
    let mut appender = Appender { file, path: path.to_owned() };
    if bytes[..whole].last().is_some_and(|&byte| byte != b'\n') {
        appender.write(b"\n")?;
    }
    Ok((records, appender))
}

/// The end of a results file.
#[derive(Debug)]
pub(crate) struct Appender {
    file: File,
    path: PathBuf,
}

impl Appender {
    /// Writes `record` at once, in one piece.
    pub(crate) fn append(&mut self, record: &Record) -> anyhow::Result<()> {
        let mut line = serde_json::to_vec(record).context("cannot write a result as JSON")?;
        line.push(b'\n');
        self.write(&line)
    }

    fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let context = || format!("cannot write the results {}", self.path.display());
        let end = self.file.metadata().with_context(context)?.len();
        self.file.write_all(bytes).with_context(|| {
            // Half a line on a full disk would spoil the file for the next line.
            let _ = self.file.set_len(end);
            context()
        })
    }
}

impl Drop for Appender {
    fn drop(&mut self) {
        // Closing is not enough: a child on its way from fork to exec holds the file as well,
        // and with it the lock.
        let _ = self.file.unlock();
    }
}

fn in_results(path: &Path) -> String {
    format!("in the results {}", path.display())
}

/// The records in `bytes`, and how many bytes they take: all of them but a torn last line.
fn parse(bytes: &[u8]) -> anyhow::Result<(Vec<Record>, usize)> {
    let mut records = Vec::new();
    let mut whole = 0;
    for (number, line) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
        if !line.trim_ascii().is_empty() {
            match serde_json::from_slice(line) {
                Ok(record) => records.push(record),
                Err(_) if !line.ends_with(b"\n") => break,
                Err(error) => {
                    bail!("line {number} is not a result ({error}): delete the line or name another file")
                }
            }
        }
        whole += line.len();
    }
    Ok((records, whole))
}

#[cfg(test)]
pub(crate) mod tests {
    use std::fs;

    use super::{Counted, Outcome, Record, find, open, read};
    use crate::configurations::Configuration;
    use crate::refusals::Refusals;
    use crate::report;

    pub(crate) fn reduced(case: &str, run: &str, tokens: u64, questions: u64) -> Record {
        let report = report::tests::report("finished", tokens, questions, 2.5);
        let report = serde_json::from_value(report).expect("the shape of a report");
        record(case, run, Outcome::Reduced { report, counted: None, curve: None, refusals: None })
    }

    pub(crate) fn failed(case: &str, run: &str) -> Record {
        record(case, run, Outcome::Failed { reason: "exit status: 5: boring".to_owned() })
    }

    pub(crate) fn with_end(mut record: Record, name: &str) -> Record {
        let Outcome::Reduced { report, .. } = &mut record.outcome else {
            panic!("a failed run has no end");
        };
        report.end = serde_json::from_value(name.into()).expect("the name of an end");
        record
    }

    pub(crate) fn with_count(mut record: Record, by: &str, before: u64, after: u64) -> Record {
        let Outcome::Reduced { counted, .. } = &mut record.outcome else {
            panic!("a failed run has no count");
        };
        *counted = Some(Counted { by: by.to_owned(), before, after });
        record
    }

    pub(crate) fn with_curve(mut record: Record, steps: Vec<(u64, u64)>) -> Record {
        let Outcome::Reduced { curve, .. } = &mut record.outcome else {
            panic!("a failed run has no curve");
        };
        *curve = Some(steps);
        record
    }

    pub(crate) fn with_refusals(mut record: Record, sorted: Refusals) -> Record {
        let Outcome::Reduced { refusals, .. } = &mut record.outcome else {
            panic!("a failed run has no refusals");
        };
        *refusals = Some(sorted);
        record
    }

    fn record(case: &str, run: &str, outcome: Outcome) -> Record {
        Record {
            case: case.to_owned(),
            run: run.to_owned(),
            arguments: vec![],
            program: "0123456789abcdef".to_owned(),
            outcome,
        }
    }

    #[test]
    fn records_come_back_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results");
        let sorted = Refusals(vec![("lost".to_owned(), 3)]);
        let written = [
            with_count(reduced("a", "x", 9, 12), "wc -w", 40, 8),
            with_refusals(with_curve(reduced("a", "y", 9, 12), vec![(2, 3)]), sorted),
            failed("a", "z"),
        ];
        let (records, mut appender) = open(&path).unwrap();
        assert_eq!(records, []);
        for record in &written {
            appender.append(record).unwrap();
            // Flushed at once: another reader sees it already.
            assert_eq!(read(&path).unwrap().last(), Some(record));
        }
        drop(appender);
        assert_eq!(open(&path).unwrap().0, written);
    }

    #[test]
    fn a_torn_last_line_is_ignored_and_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results");
        let (first, second) = (reduced("a", "x", 9, 12), failed("é", "y"));
        let line = |record| serde_json::to_string(record).unwrap();
        let tail = line(&second);
        for cut in 1..tail.len() {
            let mut bytes = format!("{}\n", line(&first)).into_bytes();
            bytes.extend(&tail.as_bytes()[..cut]);
            fs::write(&path, bytes).unwrap();
            assert_eq!(read(&path).unwrap(), std::slice::from_ref(&first));
            let (records, mut appender) = open(&path).unwrap();
            assert_eq!(records, std::slice::from_ref(&first));
            appender.append(&second).unwrap();
            assert_eq!(read(&path).unwrap(), [first.clone(), second.clone()]);
        }
    }

    #[test]
    fn a_whole_last_line_without_its_end_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results");
        let (first, second) = (reduced("a", "x", 9, 12), failed("a", "y"));
        fs::write(&path, serde_json::to_string(&first).unwrap()).unwrap();
        open(&path).unwrap().1.append(&second).unwrap();
        assert_eq!(read(&path).unwrap(), [first, second]);
    }

    #[test]
    fn a_broken_line_elsewhere_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results");
        let line = serde_json::to_string(&failed("a", "y")).unwrap();
        fs::write(&path, format!("{line}\nbroken\n{line}\n")).unwrap();
        let error = format!("{:#}", read(&path).unwrap_err());
        assert!(error.contains("line 2 is not a result"), "{error}");
    }

    #[test]
    fn results_in_use_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results");
        let first = open(&path).unwrap();
        assert!(open(&path).unwrap_err().to_string().contains("in use by another evaluation"));
        drop(first);
        open(&path).unwrap();
    }

    #[test]
    fn the_last_record_of_the_same_run_and_program_counts() {
        let configuration = Configuration { name: "x".to_owned(), arguments: vec![] };
        let mut other_build = reduced("a", "x", 3, 4);
        other_build.program = "another".to_owned();
        let mut other_arguments = reduced("a", "x", 1, 2);
        other_arguments.arguments.push("-v".to_owned());
        let records = [failed("a", "x"), reduced("a", "x", 9, 12), other_build, other_arguments];
        let found = |program| find(&records, "a", &configuration, program);
        assert_eq!(found(Some("0123456789abcdef")), Some(&records[1]));
        assert_eq!(found(None), Some(&records[2]));
        assert_eq!(found(Some("third")), None);
    }
}
