//! `--events FILE`: what happens as lines of JSON, while it happens, for programs that follow a reduction.
//!
//! The lines are described in docs/reference.md. Fields may be added; those that are there keep their meaning.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use dwindle::core::Outcome;
use dwindle::shown::shown;
use dwindle::{Config, Event, Report};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::say::say;

/// Writes events, if anybody wants them.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventLog(Arc<Mutex<Option<Open>>>);

#[derive(Debug)]
struct Open {
    path: PathBuf,
    file: File,
    began: Instant,
    /// What was tried last.
    pass: &'static str,
}

impl EventLog {
    /// One in this file, which is replaced, about the reduction of `config`.
    pub(crate) fn open(path: &Path, config: &Config) -> Result<Self, Failure> {
        let fail = |source: io::Error| Failure::Events(path.to_owned(), source);
        if config.has_file(path) {
            return Err(fail(io::Error::other("it is a file of the reduction; name another one")));
        }
        let file = File::create(path).map_err(fail)?;
        let open = Open { path: path.to_owned(), file, began: Instant::now(), pass: "" };
        let this = Self(Arc::new(Mutex::new(Some(open))));
        this.write(
            "start",
            json!({
                "version": env!("CARGO_PKG_VERSION"),
                "input": config.input.to_string_lossy(),
                "output": config.output().to_string_lossy(),
                "max_seconds": config.max_time.map(|time| time.as_secs_f64()),
                "max_questions": config.options.max_questions,
            }),
        );
        Ok(this)
    }

    /// Takes note of what happened.
    pub(crate) fn note(&self, event: &Event<'_>) {
        match event {
            Event::Asked { progress, outcome, run } => {
                self.note_pass(progress.label);
                let outcome = outcome.map(|outcome| match outcome {
                    Outcome::Interesting => "interesting",
                    Outcome::Uninteresting => "uninteresting",
                    Outcome::Unresolved => "timeout",
                });
                let number = progress.questions.total;
                let end = run.end.to_string();
                self.write(
                    "question",
                    json!({ "number": number, "outcome": outcome, "end": end, "seconds": run.seconds }),
                );
            }
            Event::Kept { progress, .. } => {
                let number = progress.questions.total;
                self.write("accepted", json!({ "number": number, "size": progress.best }));
            }
            Event::Draft { report, .. } => self.write(
                "plan",
                json!({
                    "test": report.test.to_string_lossy(),
                    "language": report.effective.reading.language,
                    "reducer": report.effective.reducer,
                    "jobs": report.jobs,
                    "size": report.before,
                    "timeout": report.timeout,
                }),
            ),
            Event::Resumed { questions, finished } => {
                self.write("resumed", json!({ "questions": questions, "finished": finished }));
            }
            Event::Measured { repeated } => {
                self.write("measured", json!({ "input": repeated.input, "most": repeated.most }));
            }
            Event::Recognised { signature } => {
                let lines: Vec<String> = signature.lines.iter().map(ToString::to_string).collect();
                let (title, code) = (&signature.title, signature.exit_code);
                self.write("recognised", json!({ "title": title, "exit_code": code, "lines": lines }));
            }
            Event::Warning(warning) => self.write("warning", json!({ "text": warning.to_string() })),
        }
    }

    /// The reduction has ended with this.
    pub(crate) fn end(&self, result: Result<&Report, &Failure>) {
        match result {
            Ok(report) => self.write("end", json!({ "report": report })),
            Err(failure) => {
                let text = failure.to_string();
                self.write("end", json!({ "code": failure.code(), "error": text.trim_end() }));
            }
        }
    }

    fn note_pass(&self, label: &'static str) {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = open.as_ref().is_some_and(|open| open.pass != label);
        open.iter_mut().for_each(|open| open.pass = label);
        drop(open);
        if is_new {
            self.write("pass", json!({ "name": label }));
        }
    }

    /// Writes a line. A reduction does not end because that fails.
    fn write(&self, event: &str, mut fields: Value) {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(Open { path, file, began, .. }) = &mut *open else { return };
        fields["event"] = event.into();
        fields["at"] = began.elapsed().as_secs_f64().into();
        if let Err(error) = file.write_all(format!("{fields}\n").as_bytes()) {
            say(&format!("warning: no more events are written to {}: {error}\n", shown(&*path)));
            *open = None;
        }
    }
}
