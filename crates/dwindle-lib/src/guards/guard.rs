//! The guards: shell scripts that succeed if there is nothing wrong with the file that is their argument.

use std::ffi::OsString;

use crate::probe::{PLACE, in_path};

/// What must not be wrong with a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Guard {
    /// Undefined behaviour in a C program: gcc and clang must not warn of it, and programs that were built with sanitizers
    /// must run without an error.
    CUndefined,
}

impl Guard {
    /// All of them.
    pub const ALL: [Self; 1] = [Self::CUndefined];

    /// The name by which people choose it.
    pub fn name(self) -> &'static str {
        match self {
            Self::CUndefined => "c-undefined",
        }
    }

    /// The words of the command, in which a shell reads the script.
    pub(crate) fn words(self) -> Vec<OsString> {
        let Self::CUndefined = self;
        ["/bin/sh", "-c", include_str!("c_undefined.sh"), "sh", PLACE].map(OsString::from).into()
    }

    /// Why it cannot be used here, if it cannot.
    pub(crate) fn lacks(self) -> Option<String> {
        let Self::CUndefined = self;
        let is_there = ["gcc", "clang"].into_iter().any(|compiler| in_path(compiler).is_some());
        (!is_there).then(|| format!("--guard {} needs gcc or clang, and neither is in PATH", self.name()))
    }
}
