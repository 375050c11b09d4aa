//! What a file is read as.

use std::path::PathBuf;

use clap::Args;

use super::language::{self, LanguageArgs};

/// A file that is only read.
#[derive(Args, Debug)]
pub(crate) struct File {
    /// The file to read; `-` is standard input.
    pub(crate) file: PathBuf,
    #[command(flatten, next_help_heading = language::HEADING)]
    pub(crate) language: LanguageArgs,
}

#[derive(Args, Debug)]
pub(crate) struct Parse {
    /// Show nodes down to depth N only; the root has depth 0.
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<usize>,
    /// Show only nodes that touch this line of FILE.
    #[arg(long, value_name = "LINE", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) at: Option<u64>,
    /// Show what can be deleted, the names it declares and uses, and what would be deleted along with it.
    #[arg(long)]
    pub(crate) names: bool,
    /// Print one JSON object for each node.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) file: File,
}
