//! What the command reduces, and how: names of files, and options.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use dwindle_run::{Engine, Limits};

use crate::folder::Selection;
use crate::guards::Guard;
use crate::journal::Policy;
use crate::output::Output;
use crate::plan::Options;
use crate::same_file::is_same_file;
use crate::verdict::Criteria;

/// What to reduce, and how.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// The file to reduce.
    pub input: PathBuf,
    /// The list that is in it, where it is to be reduced as one.
    pub list: Option<ItemList>,
    /// What is run on a candidate.
    pub test: Test,
    /// When that finds a candidate interesting. Where they do not say what a command must do, what it does on the input
    /// is recognised.
    pub criteria: Criteria,
    /// Commands that must exit with 0 as well; they run before the test.
    pub also: Vec<Vec<OsString>>,
    /// The command that the test is compared with.
    pub differs_from: Option<Vec<OsString>>,
    /// What must not be wrong with a candidate besides.
    pub guard: Option<Guard>,
    /// Of a folder, which files are reduced.
    pub selection: Selection,
    /// Files that lie beside every candidate.
    pub beside: Vec<PathBuf>,
    /// Where the test is written as a script.
    pub save_test: Option<PathBuf>,
    /// Tests that follow a script in the same folder, each only where those before it exit with 0.
    pub stages: Vec<PathBuf>,
    /// Where the result goes.
    pub target: Target,
    /// The folder for variants that crash in another way, if it is not the one beside the result.
    pub also_interesting: Option<PathBuf>,
    /// How it is searched, and what is asked of the test.
    pub options: Options,
    /// Commands that offer smaller texts where the search finds none.
    pub external: Vec<PathBuf>,
    /// Whether `clang_delta` does the same for C and C++.
    pub clang_delta: When,
    /// How many tests run at once; without it, as many as there are processors.
    pub jobs: Option<NonZeroUsize>,
    /// Where tests run, if not here alone.
    pub remote: Option<Remote>,
    /// Where the journal lies, if not in the user's folder for journals.
    pub journal: Option<PathBuf>,
    /// How large it may become, in bytes.
    pub journal_limit: u64,
    /// What becomes of an unfinished run with the same input, test and output.
    pub policy: Policy,
    /// Where a line is written for every question.
    pub trace: Option<PathBuf>,
    /// The folder, new or empty, where every candidate that is asked about is written.
    pub dump: Option<PathBuf>,
    /// When to stop.
    pub max_time: Option<Duration>,
    /// What each process of a test may use.
    pub limits: Limits,
    /// Set by whoever does not want to wait for what is being tried; the search gives that up. Unlike the other fields,
    /// it is no part of what a later run must do as well.
    pub skip: Arc<AtomicBool>,
}

impl Config {
    /// The reduction of `input` by `test` as the command does it where nothing else is said.
    pub fn new(input: PathBuf, test: impl Into<Test>) -> Self {
        // `.` and `..` have no names.
        let named = || input.canonicalize().ok();
        let input = if input.file_name().is_none() { named().unwrap_or(input) } else { input };
        Self {
            input,
            list: None,
            test: test.into(),
            criteria: Criteria::default(),
            also: Vec::new(),
            differs_from: None,
            guard: None,
            selection: Selection::default(),
            beside: Vec::new(),
            save_test: None,
            stages: Vec::new(),
            target: Target::Beside,
            also_interesting: None,
            options: Options::default(),
            external: Vec::new(),
            clang_delta: When::Auto,
            jobs: None,
            remote: None,
            journal: None,
            journal_limit: 256 << 20,
            policy: Policy::Auto,
            trace: None,
            dump: None,
            max_time: None,
            limits: Limits::default(),
            skip: Arc::default(),
        }
    }
}

impl Config {
    /// Where the result goes.
    pub fn output(&self) -> PathBuf {
        match &self.target {
            Target::Beside => Output::beside(&self.input),
            Target::File(path) => path.clone(),
            Target::InPlace => self.input.clone(),
        }
    }

    /// Whether `path` is a file of the reduction, which nothing else may be written to.
    pub fn has_file(&self, path: &Path) -> bool {
        let script = match &self.test {
            Test::Script(script) => Some(script),
            Test::Command(_) => None,
        };
        let others = [Some(&self.input), Some(&self.output()), self.trace.as_ref(), script];
        others.into_iter().flatten().any(|other| is_same_file(path, other))
    }
}

/// A list of anything to be reduced. Its commands run in one folder: each `{}` in them is the items, as arguments, and each
/// `{file}` the path of a file with an item on each line. A command with neither has that file as its standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemList {
    /// The items, each with a line end behind it.
    pub items: Vec<u8>,
    /// Where commands run.
    pub folder: PathBuf,
}

/// Other machines where tests run.
#[derive(Clone, Debug)]
pub struct Remote {
    /// What runs them there.
    pub engine: Arc<dyn Engine>,
    /// How many of them at once.
    pub slots: NonZeroUsize,
    /// Whether tests run here as well.
    pub and_here: bool,
}

/// What is run on a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// An executable that gets the candidate's path as its argument.
    Script(PathBuf),
    /// A program, looked up in `PATH`, and its arguments; each `{}` in them is the candidate's name.
    Command(Vec<OsString>),
}

impl From<PathBuf> for Test {
    fn from(path: PathBuf) -> Self {
        Self::Script(path)
    }
}

/// Where the result goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Beside the input: `a.c` becomes `a.reduced.c`.
    Beside,
    /// Into this file.
    File(PathBuf),
    /// Over the input `a.c`, whose bytes are kept in `a.c.orig`.
    InPlace,
}

/// When `clang_delta` helps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// At the level `thorough`, where it is installed.
    Auto,
    /// At every level; it must be there.
    Always,
    /// Not at all.
    Never,
}

impl When {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Always, Self::Never];

    /// The name by which people choose it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Always => "always",
            Self::Never => "never",
        }
    }
}
