//! Whether an earlier run is continued, and where runs are kept.

use std::path::PathBuf;

use clap::Args;
use dwindle::journal::Policy;

use super::values::bytes;

/// Journals.
#[derive(Args, Debug)]
pub(super) struct ResumeArgs {
    /// Fail if there is no unfinished run to continue.
    ///
    /// Without this and --fresh, an unfinished run of the same INPUT, TEST and result is continued; if there is
    /// none, a new one begins.
    #[arg(long, conflicts_with = "fresh")]
    pub(super) resume: bool,
    /// Start over, even if there is an unfinished run.
    #[arg(long)]
    pub(super) fresh: bool,
    /// Go on with a finished run of the same INPUT, TEST and result, by other options.
    ///
    /// Such as --level thorough, --names short or another --minimizer. What the finished run has asked is not asked again.
    #[arg(long, conflicts_with_all = ["fresh", "resume"])]
    pub(super) refine: bool,
    /// Keep the journal in FILE [default: in $XDG_STATE_HOME/dwindle].
    #[arg(long, value_name = "FILE")]
    pub(super) journal: Option<PathBuf>,
    /// Limit the size of all journals together; the oldest steps are removed first.
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = bytes)]
    pub(super) journal_limit: u64,
}

impl ResumeArgs {
    /// What is done with a run of the same input, test and result.
    pub(super) fn policy(&self) -> Policy {
        match self {
            Self { resume: true, .. } => Policy::Resume,
            Self { fresh: true, .. } => Policy::Fresh,
            Self { refine: true, .. } => Policy::Refine,
            _ => Policy::Auto,
        }
    }
}
