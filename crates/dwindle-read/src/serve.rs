//! This process as the child in which a grammar runs.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::brought::compiled;
use crate::child::{DONE, ERRORS, ERRORS_BY, OUTLINE, OUTLINE_BY, TOO_MANY_STEPS};
use crate::languages::Language;
use crate::node_types::Grammar;
use crate::outline::encode;
use crate::refusal::Refusal;
use crate::tree_sitter::{errors_of, outline};

/// Seconds of a processor for any text, so that it does not matter how busy the machine is. It is the last resort: the limit
/// on steps comes first.
const PATIENCE: u64 = 60;
/// Such seconds on top, for each megabyte.
const PATIENCE_WITH_MEGABYTES: u64 = 10;

/// Serves as a child if that is what this process was started for, by these arguments; the first says what
/// is asked, the next names the language or the library.
pub fn serve_if_asked(mut arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let asked = arguments.next()?;
    let asked = asked.to_str().filter(|asked| [OUTLINE, ERRORS, OUTLINE_BY, ERRORS_BY].contains(asked))?;
    Some(serve(asked, arguments))
}

fn serve(asked: &str, mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    die_with_parent();
    if !is_listened_to() {
        return ExitCode::FAILURE;
    }
    let by = arguments.next().unwrap_or_default();
    let language = || Language::named(by.to_str()?);
    let library = Path::new(&by);
    let served = match asked {
        OUTLINE => language().map(|language| answer(|text| outlined(text, language.grammar()))),
        OUTLINE_BY => compiled::grammar(library).ok().map(|grammar| answer(|text| outlined(text, grammar))),
        ERRORS => language().map(|language| answer(|text| counted(text, &language.parser()))),
        _ => compiled::parser(library).ok().map(|parser| answer(|text| counted(text, &parser))),
    };
    if matches!(served, Some(Ok(()))) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Nobody waits for what is said when whoever asked is dead. Elsewhere, writing it ends this process.
fn die_with_parent() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
}

/// Whether the other end of standard output is open, so that whoever asked was still alive.
fn is_listened_to() -> bool {
    let output = io::stdout();
    poll(&mut [PollFd::new(&output, PollFlags::empty())], Some(&Timespec::default())) == Ok(0)
}

/// Reads a text and writes what is to be said of it.
fn answer(say: impl FnOnce(&[u8]) -> Result<Vec<u8>, Refusal>) -> io::Result<()> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    let seconds = PATIENCE + PATIENCE_WITH_MEGABYTES * (bytes.len() as u64 >> 20);
    // Over its limit it is killed by a signal, of which nothing is to be left.
    for (resource, limit) in [(Resource::Cpu, seconds), (Resource::Core, 0)] {
        let lowered = Rlimit { current: Some(limit), ..getrlimit(resource) };
        setrlimit(resource, lowered)?;
    }
    let (state, said) = say(&bytes).map_or((TOO_MANY_STEPS, Vec::new()), |said| (DONE, said));
    let mut output = io::stdout().lock();
    output.write_all(&[state])?;
    output.write_all(&said)?;
    output.flush()
}

pub(crate) fn outlined(text: &[u8], grammar: &Grammar) -> Result<Vec<u8>, Refusal> {
    let mut encoded = Vec::new();
    encode(&outline(text, grammar)?, &mut encoded);
    Ok(encoded)
}

pub(crate) fn counted(text: &[u8], parser: &tree_sitter::Language) -> Result<Vec<u8>, Refusal> {
    Ok(errors_of(text, parser)?.to_le_bytes().to_vec())
}
