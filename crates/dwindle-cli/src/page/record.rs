//! What happens in a reduction, as far as its page shows it.

use dwindle::core::Outcome;
use dwindle::{Event, Size};

/// The questions of a reduction, and what came of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    pub(super) questions: Vec<Asked>,
    pub(super) kept: Vec<Kept>,
    /// The size of the input.
    pub(super) before: Option<Size>,
}

/// A question.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    /// What was tried.
    pub(super) label: &'static str,
    /// What came of it, if it was not stopped.
    pub(super) outcome: Option<Outcome>,
    /// When it was answered, in seconds since the beginning.
    pub(super) at: f64,
    /// How long its test ran.
    pub(super) seconds: f64,
}

/// A smaller variant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    pub(super) label: &'static str,
    pub(super) at: f64,
    pub(super) size: Size,
}

impl Record {
    /// Takes note of what happened.
    pub(crate) fn note(&mut self, event: &Event<'_>) {
        match event {
            Event::Asked { progress, outcome, run } => self.questions.push(Asked {
                label: progress.label,
                outcome: *outcome,
                at: progress.began.elapsed().as_secs_f64(),
                seconds: run.seconds,
            }),
            Event::Kept { progress, .. } => self.kept.push(Kept {
                label: progress.label,
                at: progress.began.elapsed().as_secs_f64(),
                size: progress.best,
            }),
            Event::Draft { progress, .. } => self.before = Some(progress.before),
            _ => {}
        }
    }
}
