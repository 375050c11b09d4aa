//! The program as its own helper: children with a hidden first argument keep the tests.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;

use crate::keeper;

/// The program that answers to the hidden arguments.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// From now on keepers are this program, which must call [`serve_if_asked`] first thing in its `main`. A second
/// call changes nothing.
pub fn set_program(program: &Path) {
    let _ = PROGRAM.set(program.to_owned());
}

/// Serves as a keeper or a guard if that is what this process was started for, by these arguments.
pub fn serve_if_asked(mut arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    match arguments.next()?.to_str()? {
        keeper::GUARD => Some(keeper::guard(arguments)),
        keeper::KEEP => Some(keeper::keep(arguments)),
        keeper::LIMITED => Some(keeper::limited(arguments)),
        _ => None,
    }
}

/// The program to start; an error where it is not known to answer.
pub(crate) fn program() -> io::Result<&'static Path> {
    PROGRAM.get().map(PathBuf::as_path).ok_or_else(|| {
        io::Error::other("this program must call `dwindle::serve_if_asked` first thing in its `main`")
    })
}
