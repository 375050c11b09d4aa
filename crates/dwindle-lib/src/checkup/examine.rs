//! The runs that tell.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use dwindle_core::Outcome;
use dwindle_run::{Interrupt, Run, RunEnd};
use memchr::memmem;

use super::findings::{Checkup, Doubt, Problem, Remark};

use crate::aside::Aside;
use crate::asking::Asking;
use crate::checks::{LONGEST_LIMIT, run_bytes, run_once, test_input, unable};
use crate::config::{Config, Test};
use crate::document::Document;
use crate::driver::Candidate;
use crate::error::Error;
use crate::event::Event;
use crate::files::{find_probe, hint, named, read_beside, read_input};
use crate::first_look::complete;
use crate::probe::{Probe, Word};
use crate::script;
use crate::stop::Stop;

/// How often the input is tested.
const RUNS: usize = 5;
/// How often, if that takes long.
const SLOW_RUNS: usize = 2;
/// Text that no bug has to do with.
const STRANGE: &[u8] = b"0 1 2 3\n";
/// Slower runs than this are worth a word, in seconds.
const SLOW: f64 = 1.0;
/// Where the input is cut off, in eighths.
const CUTS: [usize; 3] = [2, 5, 7];
/// A shell runs a test by this script and says what it does beside its answer.
const MANNERS: &str = include_str!("manners.sh");
/// What the script exits with if there is nothing to say.
const MANNERLY: i32 = 64;
/// It adds this if the test changed the candidate,
const CHANGED: i32 = 1;
/// and this if a process is left of the test.
const LEFT: i32 = 2;
/// How much of a script is read.
const LONGEST_SCRIPT: usize = 1 << 20;

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
    let document = read_input(config)?;
    let beside = read_beside(config)?;
    let (probe, _) = complete(config, &document, find_probe(config)?, beside.clone(), &stop, watch)?;
    let limit = probe.criteria().hangs.or(config.options.timeout).unwrap_or(LONGEST_LIMIT);
    let aside = Aside {
        document: &document,
        beside: &beside,
        limits: config.limits,
        limit,
        remote: None,
        slots: 2,
        stop: &stop,
    };
    let checkup = aside.ask(&probe, watch, |asking| examine(asking, &document, &probe));
    let mut checkup = checkup.map_err(|error| with_hint(error, config))?;
    if names_input(config) {
        checkup.problems.push(Problem::NamesTheInput);
    }
    if checkup.problems.is_empty() && probe.criteria().hangs.is_none() {
        checkup.doubts.extend(manners(&aside, &probe, watch)?);
        checkup.remarks.extend(knows_the_name(config, &aside, &probe, watch)?);
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
    let (front, back) = input.split_at(document.boundary(middle(input)));
    let mut runs: Vec<Run> = test_input(asking, document, probe)?.into();
    let mut accepts =
        |bytes: &[u8]| run_bytes(asking, document, probe, bytes).map(|run| is_interesting(&run));
    let (empty, strange) = (accepts(b"")?, accepts(STRANGE)?);
    let halves = !front.is_empty() && !back.is_empty() && accepts(front)? && accepts(back)?;
    let is_slow = runs.iter().all(|run| run.seconds > SLOW) && !is_meant_to_be_slow(probe);
    let most = if is_slow { SLOW_RUNS } else { RUNS };
    while runs.len() < most {
        runs.push(run_bytes(asking, document, probe, input)?);
    }
    let mut truncated = !empty && !strange && input.len() >= 8;
    for eighths in CUTS {
        let cut = &input[..document.boundary(input.len() * eighths / 8)];
        truncated = truncated && is_interesting(&run_bytes(asking, document, probe, cut)?);
    }
    let interesting = runs.iter().filter(|run| is_interesting(run)).count();
    let others = [input, STRANGE, input, STRANGE];
    let others = if is_slow { &others[..2] } else { &others };
    let disturbed = interesting == most && !strange && is_disturbed(asking, document, probe, others)?;
    let least = |seconds: fn(&Run) -> f64| runs.iter().map(seconds).fold(f64::INFINITY, f64::min);
    let seconds = least(|run| run.seconds);
    let share = |part: f64| part / seconds.max(1e-9);
    let (computes, judged) = (share(least(|run| run.cpu_seconds)), share(least(|run| run.judged_seconds)));
    let problems = [
        (interesting < most).then_some(Problem::Flaky { interesting, runs: most }),
        disturbed.then_some(Problem::Disturbed),
        empty.then_some(Problem::AcceptsTheEmptyFile),
        (strange && !empty).then_some(Problem::AcceptsAnything),
    ];
    let doubts = [
        (halves && !empty && !strange).then_some(Doubt::AcceptsBothHalves),
        (truncated && !halves).then_some(Doubt::AcceptsTruncated),
        is_slow.then_some(Doubt::Slow { computes, beside: 1.0 - judged }),
    ];
    let (problems, doubts) =
        (problems.into_iter().flatten().collect(), doubts.into_iter().flatten().collect());
    Ok(Checkup { problems, doubts, remarks: Vec::new(), seconds })
}

/// Whether its time is what makes a run interesting.
fn is_meant_to_be_slow(probe: &Probe) -> bool {
    probe.criteria().hangs.is_some() || probe.criteria().slower.is_some()
}

/// What the test does beside its answer.
fn manners(aside: &Aside<'_>, probe: &Probe, watch: &mut dyn FnMut(Event<'_>)) -> Result<Vec<Doubt>, Error> {
    let shell = ["/bin/sh", "-c", MANNERS, "sh"].map(|word| Word::Literal(word.into()));
    let words = shell.into_iter().chain([Word::Candidate]).chain(probe.words());
    // Without a shell, nothing is known.
    let Ok(watched) = Probe::command(words) else { return Ok(Vec::new()) };
    let run = aside.ask(&watched, watch, |asking| run_once(asking, aside.document, &watched))?;
    let found = match run.end {
        RunEnd::Exited(code) if (MANNERLY..=MANNERLY + CHANGED + LEFT).contains(&code) => code - MANNERLY,
        _ => 0,
    };
    let all = [(CHANGED, Doubt::ChangesTheCandidate), (LEFT, Doubt::LeavesProcesses)];
    Ok(all.into_iter().filter(|(flag, _)| found & flag != 0).map(|(_, doubt)| doubt).collect())
}

/// That a script finds the input interesting under its own name only, if that is so.
fn knows_the_name(
    config: &Config,
    aside: &Aside<'_>,
    probe: &Probe,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Option<Remark>, Error> {
    let Test::Script(_) = &config.test else { return Ok(None) };
    let mut other = OsString::from("renamed");
    if let Some(ending) = config.input.extension() {
        other.push(".");
        other.push(ending);
    }
    let document = aside.document.clone().at(config.input.with_file_name(other));
    let aside = Aside { document: &document, ..*aside };
    let run = aside.ask(probe, watch, |asking| run_once(asking, &document, probe))?;
    let is_interesting = probe.criteria().judge(&run) == Some(Outcome::Interesting);
    let name = || config.input.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok((!is_interesting).then(|| Remark::KnowsTheName { name: name() }))
}

/// Whether the input is not interesting beside another run, or other text is beside the input. The input beside itself
/// shows what only one run can have, and beside other text, what runs leave to each other.
fn is_disturbed(
    asking: &mut Asking<'_>,
    document: &Document,
    probe: &Probe,
    others: &[&[u8]],
) -> Result<bool, Error> {
    for &other in others {
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
