//! Tests on other machines: what is sent to an [`Engine`], and what its answer means.
//!
//! A run finds the same there as here: a folder with the candidate and the files beside it, an empty folder for temporary
//! files, and the candidate as its standard input. The test is sent, too. Commands of `PATH` are looked up in `PATH` there.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use dwindle_run::{
    Cancel, CandidateFile, Done, Engine, Errand, FixedFile, Laid, Limits, Part, Run, RunEnd, RunError,
    Sought, What, run_that_printed,
};
use memchr::memmem;

use super::commands::Place;
use super::paths::{is_in_path, replaced, without_name};
use crate::driver::{Candidate, ContentKey};
use crate::error::Error;
use crate::probe::{Command, Probe, in_path};
use crate::same_file::is_same_file;
use crate::shown::shown;
use crate::verdict::signal_name;

/// The folder that everything is in. Nothing else has this name.
const OURS: &str = ".dwindle";
/// The folder of the candidate and the files beside it.
const RUN: &str = ".dwindle/run";
/// The folder for temporary files.
const TMP: &str = ".dwindle/tmp";
/// The folder of the programs, each of which has a folder of its own.
const PROGRAMS: &str = ".dwindle/programs";
/// Stands for the place of all that, which only the other machine knows, until the line for the shell is written.
const ROOT: &str = "\u{1}dwindle\u{1}";

/// The executor for other machines.
#[derive(Debug)]
pub(crate) struct Elsewhere {
    engine: Arc<dyn Engine>,
    file: CandidateFile,
    /// The files that are the same for every candidate.
    fixed: Vec<FixedFile>,
    /// The programs that are sent: their paths here and there.
    programs: Vec<(PathBuf, PathBuf)>,
    limits: Limits,
    /// How often each command was run on each candidate.
    runs: Mutex<HashMap<(ContentKey, Part), u64>>,
}

impl Elsewhere {
    /// The test of `probe` on candidates that are `file`.
    ///
    /// # Errors
    ///
    /// Where a program cannot be read.
    pub(crate) fn new(
        engine: Arc<dyn Engine>,
        file: CandidateFile,
        probe: &Probe,
        limits: Limits,
    ) -> Result<Self, Error> {
        let in_run = |file: &FixedFile| FixedFile { name: Path::new(RUN).join(&file.name), ..file.clone() };
        let mut fixed: Vec<FixedFile> = file.beside.iter().map(in_run).collect();
        let mut programs: Vec<(PathBuf, PathBuf)> = Vec::new();
        for here in probe.programs() {
            let name = here.file_name().unwrap_or_default();
            if programs.iter().any(|(known, _)| known == here) {
                continue;
            }
            if in_path(name).is_some_and(|found| is_same_file(&found, here)) {
                programs.push((here.to_owned(), name.into()));
                continue;
            }
            let bytes = fs::read(here)
                .map_err(|error| Error::Test { path: here.to_owned(), what: error.to_string() })?;
            let there = Path::new(PROGRAMS).join(programs.len().to_string()).join(name);
            fixed.push(FixedFile { name: there.clone(), mode: 0o700, bytes: bytes.into() });
            programs.push((here.to_owned(), there));
        }
        let runs = Mutex::default();
        Ok(Self { engine, file, fixed, programs, limits, runs })
    }

    /// Waits until the engine has been told of everything that was cancelled.
    pub(crate) fn settle(&self) {
        self.engine.settle();
    }

    fn runs(&self) -> std::sync::MutexGuard<'_, HashMap<(ContentKey, Part), u64>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The files that a candidate becomes there.
    fn files<'a>(&'a self, candidate: &'a [u8]) -> Vec<Laid<'a>> {
        let place = Path::new(RUN).join(&self.file.name);
        let tmp = Laid { path: TMP.into(), what: What::Folder(0o700) };
        let mut files = match &self.file.unfold {
            None => vec![Laid { path: place, what: What::File(self.file.mode, candidate) }],
            Some(unfold) => {
                let inside = unfold.unfold(candidate).into_iter();
                let inside = inside.map(|laid| Laid { path: place.join(laid.path), what: laid.what });
                [Laid { path: place.clone(), what: What::Folder(0o700) }].into_iter().chain(inside).collect()
            }
        };
        files.push(tmp);
        files
    }

    /// The line that runs a command. Both outputs are one unless they are wanted apart.
    fn line(&self, command: &Command, candidate: &[u8], joined: bool) -> Result<String, RunError> {
        let name = Path::new(ROOT).join(RUN).join(&self.file.name);
        let call = command.call(&name, candidate);
        let word = |word: &OsStr| {
            let there = self.programs.iter().find(|(here, _)| here.as_os_str() == word);
            let word = match there {
                Some((_, there)) if there.starts_with(OURS) => Path::new(ROOT).join(there).into_os_string(),
                Some((_, there)) => there.clone().into_os_string(),
                None => word.to_owned(),
            };
            for_the_shell(&word)
        };
        let words = call.words.iter().map(|one| word(one)).collect::<Result<Vec<String>, RunError>>()?;
        let input = match call.reads && self.file.unfold.is_none() {
            true => for_the_shell(name.as_os_str())?,
            false => "/dev/null".to_owned(),
        };
        let mut line =
            format!("here=${{PWD%/{RUN}}}; TMPDIR=$here/{TMP}; export TMPDIR; {}", limits(self.limits));
        line += &format!("exec {} <{input}", words.join(" "));
        if joined {
            line += " 2>&1";
        }
        Ok(line)
    }

    /// The output, with the paths that the programs have here.
    fn at_home(&self, printed: Vec<u8>) -> Vec<u8> {
        if memmem::find(&printed, OURS.as_bytes()).is_none() {
            return printed;
        }
        let mark = format!("/{PROGRAMS}/");
        let with = |inside: &[u8]| {
            let here = |there: &Path| {
                let rest = there.strip_prefix(PROGRAMS).ok()?.as_os_str().as_bytes();
                inside.starts_with(rest).then_some(rest.len())
            };
            let known = self.programs.iter().find_map(|(at, there)| Some((at, here(there)?)));
            known.map(|(at, length)| (length, at.as_os_str().as_bytes().to_vec()))
        };
        replaced(&printed, mark.as_bytes(), with)
    }
}

impl Place for Arc<Elsewhere> {
    fn run(
        &mut self,
        command: &Command,
        candidate: &Candidate,
        sought: &Sought,
        limit: Duration,
        cancel: &Cancel,
    ) -> Result<Run, RunError> {
        let key = (candidate.key, command.part);
        let before = self.runs().get(&key).copied().unwrap_or(0);
        let joined = *sought == Sought::default();
        let errand = Errand {
            files: self.files(&candidate.bytes),
            fixed: &self.fixed,
            folder: RUN,
            line: self.line(command, &candidate.bytes, joined)?,
            limit: whole_seconds(limit),
            before,
        };
        let Done { end, stdout, stderr, seconds } = self.engine.run(&errand, cancel)?;
        if end != RunEnd::Stopped {
            *self.runs().entry(key).or_default() += 1;
        }
        let end = match end {
            RunEnd::Exited(_) | RunEnd::Signalled(_) if seconds > limit.as_secs_f64() => RunEnd::TimedOut,
            RunEnd::Exited(code) if signal_name(code - 128).is_some() => RunEnd::Signalled(code - 128),
            end => end,
        };
        let streams = [stdout, stderr].map(|printed| self.at_home(printed));
        // The processor time of other machines is not counted.
        Ok(Run { cpu_seconds: 0.0, ..run_that_printed(end, sought, streams, seconds) })
    }

    fn without_paths(&self, output: &[u8]) -> Vec<u8> {
        let plain = without_name(output, &self.file.name);
        let mark = format!("/{OURS}/");
        replaced(&plain, mark.as_bytes(), |inside| {
            let rest = inside.iter().take_while(is_in_path).count();
            Some((rest, b" ".to_vec()))
        })
    }
}

/// The time limit that a server is told. It is the same for limits that hardly differ, so that the server's cache can answer
/// for runs of another reduction.
fn whole_seconds(limit: Duration) -> Duration {
    Duration::from_secs(limit.as_secs().saturating_add(u64::from(limit.subsec_nanos() > 0)))
}

/// The commands by which a shell limits itself and the program that it becomes.
fn limits(Limits { memory, cpu, file_size }: Limits) -> String {
    let limit = |flag: char, number: Option<u64>| {
        number.map(|number| format!("ulimit -{flag} {number} || exit 126; ")).unwrap_or_default()
    };
    // In units of 1024 bytes, seconds and 512 bytes.
    let (memory, file_size) = (memory.map(|bytes| bytes >> 10), file_size.map(|bytes| bytes >> 9));
    [limit('v', memory), limit('t', cpu), limit('f', file_size)].concat()
}

/// A word in which [`ROOT`] is what the shell calls `$here`.
fn for_the_shell(word: &OsStr) -> Result<String, RunError> {
    let Some(text) = word.to_str() else {
        let what = format!(
            "{} is not UTF-8, and the Remote Execution API knows no other names and arguments",
            shown(word)
        );
        return Err(RunError::Elsewhere(what));
    };
    let literal = |text: &str| match text {
        "" => String::new(),
        text => format!("'{}'", text.replace('\'', r"'\''")),
    };
    let parts: Vec<String> = text.split(ROOT).map(literal).collect();
    let joined = parts.join("\"$here\"");
    Ok(if joined.is_empty() { "''".to_owned() } else { joined })
}
