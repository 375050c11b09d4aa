//! Completions and manual pages.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

/// The end of the help of `completions`.
const COMPLETIONS_EXAMPLE: &str = "\
Example:
  $ dwindle completions bash > ~/.local/share/bash-completion/completions/dwindle
  $ dwindle completions zsh > ~/.zfunc/_dwindle      # with fpath+=~/.zfunc before compinit
  $ dwindle completions fish > ~/.config/fish/completions/dwindle.fish
  $ dwindle completions --man ~/.local/share/man/man1";

#[derive(Args, Debug)]
#[command(after_help = COMPLETIONS_EXAMPLE)]
pub(crate) struct Completions {
    /// The shell.
    #[arg(required_unless_present = "man")]
    pub(crate) shell: Option<Shell>,
    /// Write the manual pages of all subcommands into DIR instead.
    #[arg(long, value_name = "DIR", conflicts_with = "shell")]
    pub(crate) man: Option<PathBuf>,
}
