//! What happens in a reduction, for whoever watches.

use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

use dwindle_core::Outcome;
use dwindle_run::Run;

use crate::recognition::Signature;
use crate::report::{Progress, Repeated, Report, Warning};

/// Something that happened, for whoever watches.
#[derive(Debug)]
pub enum Event<'a> {
    /// A run with the same input, test and result is continued.
    Resumed {
        /// How many questions it had asked.
        questions: u64,
        /// Whether it was finished.
        finished: bool,
    },
    /// A test ended.
    Asked {
        /// How the reduction stands.
        progress: &'a Progress,
        /// What it said, if it was not stopped.
        outcome: Option<Outcome>,
        /// The run, or the last of several.
        run: &'a Run,
    },
    /// It was recognised what the command does on the input, and every variant must do that as well.
    Recognised {
        /// What it does.
        signature: &'a Signature,
    },
    /// It is known how often the test is interesting on the input, and so how often it is run on a candidate.
    Measured {
        /// Both.
        repeated: &'a Repeated,
    },
    /// Something that should be said.
    Warning(&'a Warning),
    /// A smaller variant was kept.
    Kept {
        /// How the reduction stands.
        progress: &'a Progress,
        /// That variant.
        text: &'a [u8],
    },
    /// There is a result file now, or more is known about the reduction: what to report should it be
    /// [cut off](Report::cut_off).
    Draft {
        /// How the reduction stands.
        progress: &'a Progress,
        /// What it says besides.
        report: &'a Report,
    },
}

/// Whoever watches, as an option of what is watched.
#[derive(Clone)]
pub(crate) struct Watcher(Arc<Watch>);

type Watch = dyn Fn(&Event<'_>) + Send + Sync;

impl Watcher {
    pub(crate) fn new(watch: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Self {
        Self(Arc::new(watch))
    }

    pub(crate) fn tell(&self, event: &Event<'_>) {
        (self.0)(event);
    }
}

impl Debug for Watcher {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("Watcher")
    }
}
