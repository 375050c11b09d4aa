//! Parsing in a process of its own, for grammars that abort or hang on some inputs.
//!
//! The child is the program itself with a hidden first argument. It reads the text from its
//! standard input and writes the outline to its standard output.

use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::Signal;

use super::languages::Language;
#[cfg(feature = "brought")]
use super::node_types::Grammar;
use super::outline::{Outline, decode};
use super::refusal::Refusal;
use crate::cancellation;

/// The hidden first arguments: for the outline of a text by a language, and for the number of its syntax errors.
pub(super) const OUTLINE: &str = "__outline";
pub(super) const ERRORS: &str = "__errors";

/// The same, before the library of a grammar that was brought.
pub(super) const OUTLINE_BY: &str = "__outline-by";
pub(super) const ERRORS_BY: &str = "__errors-by";

/// How often whoever waits for a child looks whether that is still wanted.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// The program that answers to the hidden arguments.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// The program to start as a child; nothing where none is known to answer.
pub(crate) fn program() -> Option<&'static Path> {
    PROGRAM.get().map(PathBuf::as_path)
}

/// From now on children are this program, which must call [`serve_if_asked`](crate::serve::serve_if_asked) first thing in its `main`. A second
/// call changes nothing.
pub fn set_program(program: &Path) {
    let _ = PROGRAM.set(program.to_owned());
}

pub(super) const DONE: u8 = 0;
pub(super) const TOO_MANY_STEPS: u8 = 1;

/// The outline of `bytes`, made by a child.
pub(super) fn outline_in_child(program: &Path, bytes: &[u8], language: Language) -> Result<Outline, Refusal> {
    let answer = ask(program, bytes, [OUTLINE.as_ref(), language.name().as_ref()])?;
    understood(&answer, |said| decode(said, bytes.len(), language.grammar()))
}

/// The outline of `bytes` by the grammar of a library, made by a child.
#[cfg(feature = "brought")]
pub(super) fn outline_by_library(
    program: &Path,
    bytes: &[u8],
    library: &Path,
    grammar: &Grammar,
) -> Result<Outline, Refusal> {
    let answer = ask(program, bytes, [OUTLINE_BY.as_ref(), library.as_os_str()])?;
    understood(&answer, |said| decode(said, bytes.len(), grammar))
}

/// The number of syntax errors in `bytes`, counted by a child.
pub(super) fn errors_in_child(program: &Path, bytes: &[u8], language: Language) -> Result<u64, Refusal> {
    let answer = ask(program, bytes, [ERRORS.as_ref(), language.name().as_ref()])?;
    understood(&answer, count)
}

/// The number of syntax errors in `bytes` by the grammar of a library, counted by a child.
#[cfg(feature = "brought")]
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
    use crate::serve::{counted, outlined};
    use crate::tree_sitter::outline;

    #[test]
    fn what_a_child_writes_is_what_the_parser_saw() {
        let Some(python) = language("python") else { return };
        let text = b"def f(a, *b):\n    return f'{a} \xff' # c\n";
        let said = outlined(text, python.grammar()).unwrap();
        let seen = outline(text, python.grammar()).unwrap();
        assert_eq!(decode(&said, text.len(), python.grammar()), Some(seen));
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
