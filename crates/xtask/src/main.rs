//! Tasks of the workspace, run by `cargo run -p xtask -- TASK`.
//!
//! `grammars` writes what dwindle knows of the grammars of its languages, from the crates that bring
//! them.

mod grammars;

use anyhow::{Result, bail};

fn main() -> Result<()> {
    let task = std::env::args().nth(1);
    match task.as_deref() {
        Some("grammars") => grammars::write(),
        _ => bail!("there is one task: grammars"),
    }
}
