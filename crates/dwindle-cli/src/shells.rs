//! What shells and `man` know of the command line.

use std::fs;
use std::io;
use std::path::Path;

use clap::CommandFactory;
use clap_complete::generate;

use crate::args::{Cli, Completions};
use crate::failure::Failure;
use crate::show::print;

/// Prints completions for a shell, or writes manual pages.
pub(crate) fn show(args: &Completions) -> Result<(), Failure> {
    let mut command = Cli::command();
    if let Some(folder) = &args.man {
        return write_pages(folder).map_err(|error| Failure::Restore(folder.clone(), error));
    }
    let Some(shell) = args.shell else { return Ok(()) };
    let mut script = Vec::new();
    generate(shell, &mut command, "dwindle", &mut script);
    print(|out| out.write_all(&script))
}

/// A page for the command and one for each subcommand.
fn write_pages(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(Cli::command(), folder)
}
