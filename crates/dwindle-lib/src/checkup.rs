//! A look at a test as a reduction would use it: whether it says the same every time, and whether it looks at the candidate.

use std::fmt::{self, Display, Formatter};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use dwindle_core::Outcome;
use dwindle_run::{Interrupt, Run};
use memchr::memmem;

use crate::aside::Aside;
use crate::asking::Asking;
use crate::checks::{LONGEST_LIMIT, run_bytes, test_input, unable};
use crate::config::{Config, Test};
use crate::document::Document;
use crate::driver::Candidate;
use crate::error::Error;
use crate::event::Event;
use crate::files::{find_probe, hint, named, read_beside, read_input};
use crate::first_look::complete;
use crate::probe::Probe;
use crate::script;
use crate::stop::Stop;

/// How often the input is tested.
const RUNS: usize = 5;
/// Text that no bug has to do with.
const STRANGE: &[u8] = b"0 1 2 3\n";
/// Slower runs than this are worth a word, in seconds.
const SLOW: f64 = 2.0;
/// A run that uses less of a processor than this share of its time waits for something.
const WAITS: f64 = 0.3;
/// How much of a script is read.
const LONGEST_SCRIPT: usize = 1 << 20;

/// What is to be said of a test.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Checkup {
    /// What is wrong with it.
    pub problems: Vec<Problem>,
    /// What may be wrong with it.
    pub doubts: Vec<Doubt>,
    /// How long a run on the input takes, in seconds.
    pub seconds: f64,
}

/// What makes a test useless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// It says now this, now that of the input.
    Flaky {
        /// How many runs found the input interesting.
        interesting: usize,
    },
    /// It says something else of the same text where another run is under way.
    Disturbed,
    /// It finds the empty file interesting.
    AcceptsTheEmptyFile,
    /// It finds text interesting that has nothing to do with the input.
    AcceptsAnything,
    /// It names the input by a path that is not the candidate's.
    NamesTheInput,
}

/// What may make a test less useful.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Doubt {
    /// It finds either half of the input interesting.
    AcceptsBothHalves,
    /// It is slow.
    Slow {
        /// The share of its time in which it computes.
        computes: f64,
    },
}

impl Display for Problem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flaky { interesting } => write!(
                f,
                "it is flaky: of {RUNS} runs on the same file, {interesting} found it interesting; if the bug itself shows \
                 only sometimes, reduce with --repeats auto"
            ),
            Self::Disturbed => f.write_str(
                "two runs at once disturb each other: look for a port, a lock or a file that is the same for every run, such as \
                 one in /tmp ($TMPDIR is a folder of its own for each run), or reduce with --jobs 1",
            ),
            Self::AcceptsTheEmptyFile => f.write_str(
                "it accepts the empty file, so that would be the result; ask for the exact message of the bug, and look \
                 whether the test reads another file than the candidate, or what an earlier run has left",
            ),
            Self::AcceptsAnything => f.write_str(
                "it accepts text that has nothing to do with the input; ask for the exact message of the bug, and look whether \
                 the test reads another file than the candidate",
            ),
            Self::NamesTheInput => f.write_str(
                "it names the input by its full path, which is the same file for every candidate; the candidate is \"$1\", or has \
                 the input's name in the current folder",
            ),
        }
    }
}

impl Display for Doubt {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::AcceptsBothHalves => {
                f.write_str("it accepts either half of the input: is the bug there twice, or does it accept too much?")
            }
            Self::Slow { computes } if *computes < WAITS => write!(
                f,
                "it is slow, and computes only {:.0} % of that time: it waits, for a `sleep`, a network or another process",
                100.0 * computes
            ),
            Self::Slow { .. } => f.write_str(
                "it is slow, and computes: leave out what the bug does not need, such as linking, or ask for the quick part first \
                 with --also",
            ),
        }
    }
}

/// Tries the test of `config` on its input and on what a reduction might ask it about.
///
/// # Errors
///
/// Those of a reduction until its input has been tested.
pub fn check_test(
    config: &Config,
    interrupt: &Interrupt,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Checkup, Error> {
    let stop = Stop::on(interrupt, None).map_err(Error::Workspace)?;
    let document = Document::file(&config.input, 0, read_input(config)?);
    let beside = read_beside(config)?;
    let (probe, _) = complete(config, &document, find_probe(config)?, beside.clone(), &stop, watch)?;
    let limit = probe.criteria().hangs.or(config.options.timeout).unwrap_or(LONGEST_LIMIT);
    let aside =
        Aside { document: &document, beside: &beside, limits: config.limits, limit, slots: 2, stop: &stop };
    let checkup = aside.ask(&probe, watch, |asking| examine(asking, &document, &probe));
    let mut checkup = checkup.map_err(|error| with_hint(error, config))?;
    if names_input(config) {
        checkup.problems.push(Problem::NamesTheInput);
    }
    if let Some(path) = &config.save_test {
        script::save(path, config, probe.criteria())?;
    }
    Ok(checkup)
}

fn with_hint(error: Error, config: &Config) -> Error {
    match error {
        Error::NotInteresting { path, mut why } => {
            why.hint = hint(config, &why.run.output);
            Error::NotInteresting { path, why }
        }
        other => other,
    }
}

fn examine(asking: &mut Asking<'_>, document: &Document, probe: &Probe) -> Result<Checkup, Error> {
    let is_interesting = |run: &Run| probe.criteria().judge(run) == Some(Outcome::Interesting);
    let input = document.bytes();
    let (front, back) = input.split_at(middle(input));
    let mut runs: Vec<Run> = test_input(asking, document, probe)?.into();
    let mut accepts =
        |bytes: &[u8]| run_bytes(asking, document, probe, bytes).map(|run| is_interesting(&run));
    let (empty, strange) = (accepts(b"")?, accepts(STRANGE)?);
    let halves = !front.is_empty() && !back.is_empty() && accepts(front)? && accepts(back)?;
    while runs.len() < RUNS {
        runs.push(run_bytes(asking, document, probe, input)?);
    }
    let interesting = runs.iter().filter(|run| is_interesting(run)).count();
    let disturbed = interesting == RUNS && !strange && is_disturbed(asking, document, probe)?;
    let seconds = runs.iter().map(|run| run.seconds).fold(f64::INFINITY, f64::min);
    let computes = runs.iter().map(|run| run.cpu_seconds).fold(f64::INFINITY, f64::min) / seconds.max(1e-9);
    let is_slow = seconds > SLOW && probe.criteria().hangs.is_none() && probe.criteria().slower.is_none();
    let problems = [
        (interesting < RUNS).then_some(Problem::Flaky { interesting }),
        disturbed.then_some(Problem::Disturbed),
        empty.then_some(Problem::AcceptsTheEmptyFile),
        (strange && !empty).then_some(Problem::AcceptsAnything),
    ];
    let doubts = [
        (halves && !empty && !strange).then_some(Doubt::AcceptsBothHalves),
        is_slow.then_some(Doubt::Slow { computes }),
    ];
    let (problems, doubts) =
        (problems.into_iter().flatten().collect(), doubts.into_iter().flatten().collect());
    Ok(Checkup { problems, doubts, seconds })
}

/// Whether the input is not interesting beside another run, or other text is beside the input. The input beside itself
/// shows what only one run can have, and beside other text, what runs leave to each other.
fn is_disturbed(asking: &mut Asking<'_>, document: &Document, probe: &Probe) -> Result<bool, Error> {
    for other in [document.bytes(), STRANGE, document.bytes(), STRANGE] {
        let candidate = |bytes: &[u8]| Candidate::of(bytes.to_vec(), asking.progress.before);
        let pair = [candidate(document.bytes()), candidate(other)];
        let tested = asking.test_together(pair).map_err(|fault| unable(fault, document, probe))?;
        let outcomes = tested.ok_or(Error::StoppedEarly)?.map(|tested| tested.outcome);
        let is_interesting = outcomes.map(|outcome| outcome == Some(Outcome::Interesting));
        if is_interesting != [true, other == document.bytes()] {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Where a text is cut into halves: behind a line, if it has several.
fn middle(text: &[u8]) -> usize {
    let half = text.len() / 2;
    text[half..]
        .iter()
        .position(|&byte| byte == b'\n')
        .map(|at| half + at + 1)
        .filter(|&at| at < text.len())
        .unwrap_or(half)
}

/// Whether a script has the full path of the input in it.
fn names_input(config: &Config) -> bool {
    let Test::Script(_) = &config.test else { return false };
    let Ok(mut text) = fs::read(named(&config.test)) else { return false };
    text.truncate(LONGEST_SCRIPT);
    let paths = [std::path::absolute(&config.input), fs::canonicalize(&config.input)];
    let is_named = |path: &Path| memmem::find(&text, path.as_os_str().as_bytes()).is_some();
    text.starts_with(b"#!") && paths.into_iter().flatten().any(|path| is_named(&path))
}
