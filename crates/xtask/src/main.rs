//! Tasks of the workspace, run by `cargo run -p xtask -- TASK`.
//!
//! `languages` writes whatever follows from the tables of languages and of the grammars' words, and what
//! dwindle knows of the grammars from the crates that bring them.

mod grammars;
mod languages;

use std::path::Path;

use anyhow::{Result, bail};

fn main() -> Result<()> {
    let task = std::env::args().nth(1);
    match task.as_deref() {
        Some("languages") => {
            languages::write()?;
            grammars::write()
        }
        _ => bail!("there is one task: languages"),
    }
}

fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
