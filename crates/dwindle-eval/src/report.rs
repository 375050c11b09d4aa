//! What dwindle prints with `--json`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The report of one run: what the tables need has a name here, the rest is kept as it is, so
/// that old results can answer new questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Report {
    /// The version of dwindle.
    pub(crate) version: String,
    /// Why the run ended.
    pub(crate) end: End,
    /// The size of the input.
    pub(crate) before: Size,
    /// The size of the result.
    pub(crate) after: Size,
    /// Runs of the test, by answer.
    pub(crate) questions: Questions,
    /// Candidates answered without a run.
    pub(crate) cached: u64,
    /// Wall time.
    pub(crate) seconds: Seconds,
    /// Processor time, user and system.
    pub(crate) cpu_seconds: CpuSeconds,
    /// The most memory that dwindle held, where the system tells.
    pub(crate) peak_memory_bytes: Option<u64>,
    /// Every other field.
    #[serde(flatten)]
    pub(crate) rest: Map<String, Value>,
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum End {
    /// There was nothing left to try.
    Finished,
    /// The budget of questions was used up.
    MaxQuestions,
    /// The budget of time was used up.
    MaxTime,
    /// A signal stopped it.
    Interrupted,
}

impl End {
    /// Its name in reports and tables.
    pub(crate) fn name(self) -> &'static str {
        match self {
            End::Finished => "finished",
            End::MaxQuestions => "max-questions",
            End::MaxTime => "max-time",
            End::Interrupted => "interrupted",
        }
    }
}

/// The size of a file, in three measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Size {
    pub(crate) bytes: u64,
    pub(crate) lines: u64,
    pub(crate) tokens: u64,
}

/// Runs of the test, by answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Questions {
    pub(crate) total: u64,
    pub(crate) interesting: u64,
    pub(crate) timeout: u64,
}

/// Wall time in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Seconds {
    pub(crate) total: f64,
}

/// Processor time in seconds, user and system.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CpuSeconds {
    /// Of the test and what it started.
    pub(crate) test: f64,
    /// Of dwindle itself.
    pub(crate) dwindle: f64,
}

/// The last line of `text` that is not blank: where a program says why it failed.
pub(crate) fn last_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    match text.lines().rev().find(|line| !line.trim().is_empty()) {
        Some(line) => line.trim().to_owned(),
        None => "it said nothing on standard error".to_owned(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::{Value, json};

    use super::{Report, last_line};

    /// A report as dwindle prints it, with these figures.
    pub(crate) fn report(end: &str, tokens: u64, questions: u64, seconds: f64) -> Value {
        json!({
            "version": "0.1.0", "end": end, "input": "input.c", "seed": 0,
            "before": {"bytes": 1000, "lines": 50, "tokens": 300},
            "after": {"bytes": tokens * 2, "lines": 3, "tokens": tokens},
            "questions": {"total": questions, "interesting": 3, "uninteresting": 8, "timeout": 1},
            "cached": 4,
            "seconds": {"total": seconds, "test": 1.2, "dwindle": 0.3},
            "cpu_seconds": {"test": 1.5, "dwindle": 0.25},
            "peak_memory_bytes": 3 * 1024 * 1024
        })
    }

    #[test]
    fn unknown_fields_are_kept() {
        let report: Report = serde_json::from_value(report("max-time", 9, 12, 1.5)).unwrap();
        assert_eq!(report.end.name(), "max-time");
        let written = serde_json::to_value(&report).unwrap();
        assert_eq!(written["input"], "input.c");
        assert_eq!(written["seed"], 0);
        assert_eq!(serde_json::from_value::<Report>(written).unwrap(), report);
    }

    #[test]
    fn the_last_line_is_the_last_that_is_not_blank() {
        assert_eq!(last_line(b"warning\nerror: no input\n \n"), "error: no input");
        assert_eq!(last_line(b"\n"), "it said nothing on standard error");
    }
}
