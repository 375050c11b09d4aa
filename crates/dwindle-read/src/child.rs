//! Parsing in a process of its own, for grammars that abort or hang on some inputs.
//!
//! The child is the program itself with a hidden first argument. It reads the text from its
//! standard input and writes the outline to its standard output.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::OnceLock;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, Signal, getrlimit, set_parent_process_death_signal, setrlimit};

use super::brought::compiled;
use super::languages::Language;
use super::node_types::Grammar;
use super::outline::{Step, decode, encode};
use super::tree_sitter::{Refusal, errors_of, outline};
use crate::cancellation;

/// The hidden first arguments: for the outline of a text by a language, and for the number of its syntax errors.
const OUTLINE: &str = "__outline";
const ERRORS: &str = "__errors";

/// The same, before the library of a grammar that was brought.
const OUTLINE_BY: &str = "__outline-by";
const ERRORS_BY: &str = "__errors-by";

/// The last resort; what counts is the limit on steps. In seconds of a processor, so that it is the same however busy
/// the machine is: some for any text, and some for each megabyte.
const PATIENCE: u64 = 60;
const PATIENCE_WITH_MEGABYTES: u64 = 10;

/// How often whoever waits for a child looks whether that is still wanted.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// The program that answers to the hidden arguments.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// The program to start as a child; nothing where none is known to answer.
pub(crate) fn program() -> Option<&'static Path> {
    PROGRAM.get().map(PathBuf::as_path)
}

/// From now on children are this program, which must call [`serve_if_asked`] first thing in its `main`. A second
/// call changes nothing.
pub fn set_program(program: &Path) {
    let _ = PROGRAM.set(program.to_owned());
}

/// Serves as a child if that is what this process was started for, by these arguments; the first says what
/// is asked, the next names the language or the library.
pub fn serve_if_asked(mut arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let asked = arguments.next()?;
    let asked = asked.to_str().filter(|asked| [OUTLINE, ERRORS, OUTLINE_BY, ERRORS_BY].contains(asked))?;
    Some(serve(asked, arguments))
}

fn serve(asked: &str, mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    // Nobody waits for what is said when whoever asked is dead.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
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
    let answer = match say(&bytes) {
        Ok(said) => [&[DONE], &said[..]].concat(),
        Err(_) => vec![TOO_MANY_STEPS],
    };
    let mut output = io::stdout().lock();
    output.write_all(&answer)?;
    output.flush()
}

fn outlined(text: &[u8], grammar: &Grammar) -> Result<Vec<u8>, Refusal> {
    let mut encoded = Vec::new();
    encode(&outline(text, grammar)?, &mut encoded);
    Ok(encoded)
}

fn counted(text: &[u8], parser: &tree_sitter::Language) -> Result<Vec<u8>, Refusal> {
    Ok(errors_of(text, parser)?.to_le_bytes().to_vec())
}

const DONE: u8 = 0;
const TOO_MANY_STEPS: u8 = 1;

/// The outline of `bytes`, made by a child.
pub(super) fn outline_in_child(
    program: &Path,
    bytes: &[u8],
    language: Language,
) -> Result<Vec<Step>, Refusal> {
    let answer = ask(program, bytes, [OUTLINE.as_ref(), language.name().as_ref()])?;
    understood(&answer, |said| decode(said, bytes.len(), language.grammar()))
}

/// The outline of `bytes` by the grammar of a library, made by a child.
pub(super) fn outline_by_library(
    program: &Path,
    bytes: &[u8],
    library: &Path,
    grammar: &Grammar,
) -> Result<Vec<Step>, Refusal> {
    let answer = ask(program, bytes, [OUTLINE_BY.as_ref(), library.as_os_str()])?;
    understood(&answer, |said| decode(said, bytes.len(), grammar))
}

/// The number of syntax errors in `bytes`, counted by a child.
pub(super) fn errors_in_child(program: &Path, bytes: &[u8], language: Language) -> Result<u64, Refusal> {
    let answer = ask(program, bytes, [ERRORS.as_ref(), language.name().as_ref()])?;
    understood(&answer, count)
}

/// The number of syntax errors in `bytes` by the grammar of a library, counted by a child.
pub(super) fn errors_by_library(program: &Path, bytes: &[u8], library: &Path) -> Result<u64, Refusal> {
    let answer = ask(program, bytes, [ERRORS_BY.as_ref(), library.as_os_str()])?;
    understood(&answer, count)
}

fn count(said: &[u8]) -> Option<u64> {
    said.try_into().ok().map(u64::from_le_bytes)
}

fn understood<T>(answer: &[u8], read: impl FnOnce(&[u8]) -> Option<T>) -> Result<T, Refusal> {
    match answer.split_first() {
        Some((&DONE, said)) => read(said).ok_or(Refusal::Crashed),
        Some((&TOO_MANY_STEPS, _)) => Err(Refusal::TooManySteps),
        _ => Err(Refusal::Crashed),
    }
}

fn ask(program: &Path, bytes: &[u8], arguments: [&OsStr; 2]) -> Result<Vec<u8>, Refusal> {
    let mut command = Command::new(program);
    command.args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = Reaped(command.spawn().map_err(|_| Refusal::NotStarted)?);
    let (Some(mut input), Some(mut output)) = (child.0.stdin.take(), child.0.stdout.take()) else {
        return Err(Refusal::Crashed);
    };
    let answer = std::thread::scope(|scope| {
        // A child that dies does not read to the end; what it answered says enough.
        scope.spawn(move || input.write_all(bytes));
        let answer = read_all(&mut output);
        if answer.is_err() {
            // Lets the writer end, too.
            let _ = child.0.kill();
        }
        answer
    });
    // Not before the writer has ended.
    cancellation::current().check();
    match answer {
        Ok(answer) if answer.is_empty() => Err(child.0.wait().map_or(Refusal::Crashed, why_it_ended)),
        answer => answer,
    }
}

/// Why a child ended without an answer.
fn why_it_ended(status: ExitStatus) -> Refusal {
    match status.signal() {
        Some(signal) if signal == Signal::XCPU.as_raw() => Refusal::TooSlow,
        _ => Refusal::Crashed,
    }
}

/// Reads to the end, unless nobody waits for that any more.
fn read_all(output: &mut (impl Read + AsFd)) -> Result<Vec<u8>, Refusal> {
    let mut answer = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    let cancellation = cancellation::current();
    loop {
        let ready = poll(&mut [PollFd::new(output, PollFlags::IN)], Some(&LOOK));
        if cancellation.is_cancelled() {
            return Err(Refusal::TooSlow);
        }
        match ready {
            Ok(0) | Err(Errno::INTR) => continue,
            Ok(_) => {}
            Err(_) => return Err(Refusal::Crashed),
        }
        match output.read(&mut buffer) {
            Ok(0) => return Ok(answer),
            Ok(read) => answer.extend_from_slice(&buffer[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Err(Refusal::Crashed),
        }
    }
}

/// A child that does not outlive its use, nor stays a zombie.
struct Reaped(Child);

impl Drop for Reaped {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancellation::tests::within;
    use crate::samples::language;

    #[test]
    fn what_a_child_writes_is_what_the_parser_saw() {
        let Some(python) = language("python") else { return };
        let text = b"def f(a, *b):\n    return f'{a} \xff' # c\n";
        let said = outlined(text, python.grammar()).unwrap();
        let steps = outline(text, python.grammar()).unwrap();
        assert_eq!(decode(&said, text.len(), python.grammar()), Some(steps));
        assert_eq!(decode(&said[..said.len() - 1], text.len(), python.grammar()), None, "cut short");
        let said = counted(b"def f(:\n    return", &python.parser()).unwrap();
        assert!(count(&said).is_some_and(|errors| errors > 0));
        assert_eq!(count(&said[1..]), None, "cut short");
    }

    #[test]
    fn a_child_that_answers_nonsense_has_crashed() {
        let Some(html) = language("html") else { return };
        let refusal =
            |program: &str| outline_in_child(Path::new(program), &[b'a'; 1 << 20], html).unwrap_err();
        assert_eq!(refusal("/bin/false"), Refusal::Crashed);
        assert_eq!(refusal("/bin/echo"), Refusal::Crashed);
        assert_eq!(refusal("/there/is/no/such/program"), Refusal::NotStarted);
    }

    #[test]
    fn a_child_that_takes_too_much_of_a_processor_is_too_slow() {
        let killed = ask(Path::new("/bin/sh"), b"", ["-c", "ulimit -c 0; kill -XCPU $$"].map(OsStr::new));
        assert_eq!(killed.unwrap_err(), Refusal::TooSlow);
    }

    #[test]
    fn a_child_that_nobody_waits_for_is_left() {
        let (mut reader, _writer) = std::io::pipe().unwrap();
        assert_eq!(within(0, || read_all(&mut reader)), Some(Err(Refusal::TooSlow)));
    }
}
