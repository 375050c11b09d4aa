//! The command line, and what it means: a file for each group of options, as the help has them, and for each subcommand.

mod check;
mod command_line;
mod conditions;
mod help;
mod history;
mod isolate;
mod language;
mod limits;
mod list;
mod minimizer;
mod output;
mod parameters;
mod reduce;
#[cfg(feature = "remote")]
mod remote;
mod resume;
mod rewrite;
mod search;
mod shells;
mod show;
mod values;

pub(crate) use check::{CheckArgs, InitArgs};
pub(crate) use command_line::{Cli, Task, parse};
pub(crate) use history::History;
pub(crate) use isolate::IsolateArgs;
pub(crate) use list::ListArgs;
pub(crate) use reduce::Run;
pub(crate) use shells::Completions;
pub(crate) use show::{File, Parse};
pub(crate) use values::named;
