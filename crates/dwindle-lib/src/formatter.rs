//! Formatters of others that may be installed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::probe::in_path;

/// Formatters: the languages, the program, and its arguments before the name of the file, or `-` for its
/// standard input. None of them is told to do more than to lay out, as far as that can be told.
const FORMATTERS: [(&[&str], &str, &[&str]); 7] = [
    (&["c", "cpp", "objc", "java", "javascript", "csharp"], "clang-format", &["--sort-includes=0"]),
    (&["rust"], "rustfmt", &["--quiet", "--emit=stdout", "--edition=2021"]),
    (&["go"], "gofmt", &[]),
    (&["python"], "black", &["--quiet", "--skip-string-normalization", "--skip-magic-trailing-comma", "-"]),
    (&["bash"], "shfmt", &[]),
    (&["lua"], "stylua", &["-"]),
    (&["zig"], "zig", &["fmt", "--stdin"]),
];

/// A formatter that is installed.
#[derive(Clone, Debug)]
pub(crate) struct Formatter {
    pub(crate) name: &'static str,
    program: PathBuf,
    arguments: &'static [&'static str],
}

impl Formatter {
    /// The one of this language, if it is installed.
    pub(crate) fn of(language: &str) -> Option<Self> {
        let of_it = FORMATTERS.iter().find(|(languages, ..)| languages.contains(&language));
        of_it.and_then(|&(_, name, arguments)| Some(Self { name, program: in_path(name)?, arguments }))
    }

    /// What is to be run.
    pub(crate) fn words(&self, candidate: &Path) -> Vec<OsString> {
        let arguments = self.arguments.iter().map(Into::into);
        let reads_file = !matches!(self.arguments, [.., "-" | "--stdin"]);
        let file = reads_file.then(|| candidate.into());
        [self.program.clone().into()].into_iter().chain(arguments).chain(file).collect()
    }
}
