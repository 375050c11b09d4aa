//! The program as its own helper: which one it is.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The program that answers to the hidden arguments.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// From now on keepers are this program, which must call [`serve_if_asked`](crate::serve_if_asked) first thing in its `main`. A second
/// call changes nothing.
pub fn set_program(program: &Path) {
    let _ = PROGRAM.set(program.to_owned());
}

/// The program to start; an error where it is not known to answer.
pub(crate) fn program() -> io::Result<&'static Path> {
    PROGRAM.get().map(PathBuf::as_path).ok_or_else(|| {
        io::Error::other("this program must call `dwindle::serve_if_asked` first thing in its `main`")
    })
}
