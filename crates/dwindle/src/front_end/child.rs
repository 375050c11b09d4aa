//! Parsing in a process of its own, for grammars that abort or hang on some inputs.
//!
//! The child is the program itself with a hidden first argument. It reads the text from its
//! standard input and writes the outline to its standard output.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};

use super::brought::compiled;
use super::languages::Language;
use super::node_types::Grammar;
use super::outline::{Step, decode, encode};
use super::tree_sitter::{Refusal, outline};
use crate::interrupt::poll_until;

/// The hidden first argument, before the name of a language.
pub(crate) const ARGUMENT: &str = "__parse";

/// The hidden first argument before the library of a grammar that was brought.
pub(crate) const ARGUMENT_BROUGHT: &str = "__parse-by";

/// The last resort; what counts is the limit on steps.
const PATIENCE: Duration = Duration::from_secs(60);

/// Serves as the child; the next argument names the language.
pub(crate) fn parse(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let language = arguments.next().and_then(|name| Language::named(name.to_str()?));
    answer(language.map(Language::grammar))
}

/// Serves as the child; the next argument is the library of a grammar that was brought.
pub(crate) fn parse_by(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    answer(arguments.next().and_then(|library| compiled::grammar(Path::new(&library)).ok()))
}

fn answer(grammar: Option<&Grammar>) -> ExitCode {
    let served = grammar.map(|grammar| serve(grammar, io::stdin().lock(), io::stdout().lock()));
    if matches!(served, Some(Ok(()))) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Reads a text, parses it and writes what came of it.
fn serve(grammar: &Grammar, mut input: impl Read, mut output: impl Write) -> io::Result<()> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    let mut answer = Vec::new();
    match outline(&bytes, grammar) {
        Ok(steps) => {
            answer.push(DONE);
            encode(&steps, &mut answer);
        }
        Err(_) => answer.push(TOO_MANY_STEPS),
    }
    output.write_all(&answer)?;
    output.flush()
}

const DONE: u8 = 0;
const TOO_MANY_STEPS: u8 = 1;

/// The outline of `bytes`, made by a child.
pub(super) fn outline_in_child(
    program: &Path,
    bytes: &[u8],
    language: Language,
) -> Result<Vec<Step>, Refusal> {
    let arguments = [ARGUMENT.as_ref(), language.name().as_ref()];
    understood(&ask(program, bytes, arguments)?, bytes, language.grammar())
}

/// The outline of `bytes` by the grammar of a library, made by a child.
pub(super) fn outline_by_library(
    program: &Path,
    bytes: &[u8],
    library: &Path,
    grammar: &Grammar,
) -> Result<Vec<Step>, Refusal> {
    let arguments = [ARGUMENT_BROUGHT.as_ref(), library.as_os_str()];
    understood(&ask(program, bytes, arguments)?, bytes, grammar)
}

fn understood(answer: &[u8], bytes: &[u8], grammar: &Grammar) -> Result<Vec<Step>, Refusal> {
    let (&status, outline) = answer.split_first().ok_or(Refusal::Crashed)?;
    match status {
        DONE => decode(outline, bytes.len(), grammar).ok_or(Refusal::Crashed),
        TOO_MANY_STEPS => Err(Refusal::TooManySteps),
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
    std::thread::scope(|scope| {
        // A child that dies does not read to the end; what it answered says enough.
        scope.spawn(move || input.write_all(bytes));
        let answer = read_until(&mut output, Instant::now() + PATIENCE);
        if answer.is_err() {
            // Lets the writer end, too.
            let _ = child.0.kill();
        }
        answer
    })
}

/// Reads to the end, unless that takes longer than until `deadline`.
fn read_until(output: &mut (impl Read + std::os::fd::AsFd), deadline: Instant) -> Result<Vec<u8>, Refusal> {
    let mut answer = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let ready = poll_until(&mut [PollFd::new(output, PollFlags::IN)], Some(deadline));
        if !ready.map_err(|_| Refusal::Crashed)? || deadline <= Instant::now() {
            return Err(Refusal::TooSlow);
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

    #[test]
    fn what_a_child_writes_is_what_the_parser_saw() {
        let Some(python) = Language::named("python") else { return };
        let text = b"def f(a, *b):\n    return f'{a} \xff' # c\n";
        let mut answer = Vec::new();
        serve(python.grammar(), text.as_slice(), &mut answer).unwrap();
        let steps = outline(text, python.grammar()).unwrap();
        assert_eq!(answer[0], DONE);
        assert_eq!(decode(&answer[1..], text.len(), python.grammar()), Some(steps));
        assert_eq!(decode(&answer[1..answer.len() - 1], text.len(), python.grammar()), None, "cut short");
    }

    #[test]
    fn a_child_that_answers_nonsense_has_crashed() {
        let Some(html) = Language::all().next() else { return };
        let refusal =
            |program: &str| outline_in_child(Path::new(program), &[b'a'; 1 << 20], html).unwrap_err();
        assert_eq!(refusal("/bin/false"), Refusal::Crashed);
        assert_eq!(refusal("/bin/echo"), Refusal::Crashed);
        assert_eq!(refusal("/there/is/no/such/program"), Refusal::NotStarted);
    }

    #[test]
    fn a_child_that_is_too_slow_is_not_waited_for() {
        let (mut reader, _writer) = std::io::pipe().unwrap();
        assert_eq!(read_until(&mut reader, Instant::now()).unwrap_err(), Refusal::TooSlow);
    }
}
