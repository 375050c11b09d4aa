//! What is known of earlier reductions.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

#[derive(Args, Debug)]
#[command(group(ArgGroup::new("one").args(["output", "journal"])))]
pub(crate) struct History {
    /// The result of the reduction to show [default: list all reductions].
    pub(crate) output: Option<PathBuf>,
    /// Read this journal instead of the one that belongs to OUTPUT.
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    /// Print what step N changed, as a unified diff.
    #[arg(long, value_name = "N", requires = "one", conflicts_with = "restore")]
    pub(crate) diff: Option<u64>,
    /// Print the text of step N; the input is step 0.
    #[arg(long, value_name = "N", requires = "one")]
    pub(crate) restore: Option<u64>,
    /// Write the text of --restore to FILE; of a folder or an archive, make a new folder of that name.
    #[arg(long, value_name = "FILE", requires = "restore")]
    pub(crate) to: Option<PathBuf>,
    /// Write a page about the reduction to FILE, as HTML that needs no network; FILE is replaced.
    #[arg(long, value_name = "FILE", requires = "one", conflicts_with_all = ["diff", "restore", "json"])]
    pub(crate) report: Option<PathBuf>,
    /// Print JSON: an object for each reduction, or one with all steps of OUTPUT.
    #[arg(long, conflicts_with_all = ["diff", "restore"])]
    pub(crate) json: bool,
}
