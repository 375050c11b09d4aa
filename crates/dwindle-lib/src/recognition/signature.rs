//! The signature of a run: what it did that every variant must do as well.

use std::time::Duration;

use dwindle_run::{Run, RunEnd};

use super::line::{Line, Piece};
use super::open::Own;
use super::table::{Ends, TABLE};
use crate::verdict::{Criteria, Matching, signal_name};

/// What a run did: how it ended, and what it printed that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// A word for it, as for names of files.
    pub name: String,
    /// What it is, with its article.
    pub title: String,
    /// The exit code; as in a shell, a signal N is the code 128 + N.
    pub exit_code: Option<u8>,
    /// It was still running after this time.
    pub hangs: Option<Duration>,
    /// What is printed.
    pub lines: Vec<Line>,
    /// Whether no input may make a tool do that, however wrong the input is.
    pub is_crash: bool,
}

/// What the run of a command on an input did, if that is something unusual. It had as much time as `limit`.
pub fn recognise(run: &Run, own: &Own<'_>, limit: Duration) -> Option<Signature> {
    let code = match run.end {
        RunEnd::Exited(code) => u8::try_from(code).ok()?,
        RunEnd::Signalled(signal) => 128 + u8::try_from(signal).ok().filter(|&signal| signal < 128)?,
        RunEnd::TimedOut => return Some(hang(limit)),
        RunEnd::Stopped => return None,
    };
    let signal = signal_name(i32::from(code) - 128);
    let fits = |ends: Ends| ends == Ends::Anyhow || signal.is_none();
    let known = TABLE.signature.iter().filter(|entry| fits(entry.ends)).find_map(|entry| {
        let lines = entry.lines(&run.output, own)?;
        let exit_code = (!entry.any_exit_code).then_some(code);
        Some(Signature {
            name: entry.name.clone(),
            title: entry.title.clone(),
            exit_code,
            hangs: None,
            lines,
            is_crash: entry.ends == Ends::Anyhow,
        })
    });
    known.or_else(|| by_end(code, signal))
}

fn hang(limit: Duration) -> Signature {
    let title = format!("nothing within {} s", limit.as_secs_f64());
    let (name, hangs) = ("hang".to_owned(), Some(limit));
    Signature { name, title, exit_code: None, hangs, lines: Vec::new(), is_crash: false }
}

/// The signature of a run whose output says nothing.
fn by_end(code: u8, signal: Option<&'static str>) -> Option<Signature> {
    /// Below, an exit code is what many programs say of an input that is wrong.
    const UNUSUAL: u8 = 3;
    let (name, title) = match (code, signal) {
        // What a shell says of a command that cannot be run.
        (126 | 127, _) => return None,
        // Somebody has ended it.
        (_, Some("SIGINT" | "SIGKILL" | "SIGTERM" | "SIGHUP" | "SIGPIPE")) => return None,
        (_, Some(signal)) => (signal.to_lowercase(), format!("the signal {signal}")),
        (UNUSUAL.., None) => (format!("exit-{code}"), format!("the unusual exit code {code}")),
        // A command that says by its exit code what it thinks, as a script does.
        (0, None) => ("exit-0".to_owned(), "exit code 0".to_owned()),
        _ => return None,
    };
    let is_crash = signal.is_some();
    Some(Signature { name, title, exit_code: Some(code), hangs: None, lines: Vec::new(), is_crash })
}

impl Signature {
    /// What a run must do to have it.
    pub fn criteria(&self) -> Criteria {
        let matching =
            self.lines.iter().map(|line| Matching::of_line(&line.expression(), line.to_string())).collect();
        Criteria { exit_code: self.exit_code, hangs: self.hangs, matching, ..Criteria::default() }
    }

    /// Also asks for a text in one line of what is printed; whether that says enough to be looked for.
    pub fn require(&mut self, text: &str) -> bool {
        let line = Line::of([Piece::Text(text.to_owned())]);
        let is_one = line.is_some();
        self.lines.extend(line);
        is_one
    }

    /// Whether nothing but the way it ended is known, so that another bug may look the same.
    pub fn is_vague(&self) -> bool {
        self.lines.is_empty() && self.hangs.is_none() && self.exit_code != Some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recognised(end: RunEnd, output: &str, input: &str) -> Option<Signature> {
        named(end, output, input, "in.c")
    }

    fn named(end: RunEnd, output: &str, input: &str, name: &str) -> Option<Signature> {
        let own = Own::new(input.as_bytes(), name.as_bytes());
        recognise(&Run::ended(end, output.into(), 0.0), &own, Duration::from_secs(5))
    }

    #[test]
    fn real_output_of_each_entry_of_the_table_is_recognised() {
        let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/src/recognition/samples");
        let mut seen = Vec::new();
        for sample in std::fs::read_dir(samples).unwrap() {
            let path = sample.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let (head, output) = text.split_once("---\n").unwrap();
            let field = |name: &str| {
                head.lines().filter_map(|line| line.strip_prefix(name)).map(str::to_owned).collect::<Vec<_>>()
            };
            let code = field("exit: ")[0].parse().unwrap();
            let file = field("name: ").pop().unwrap_or_default();
            let found = named(RunEnd::Exited(code), output, &field("input: ").join("\n"), &file);
            let found = found.unwrap_or_else(|| panic!("{}", path.display()));
            let name = path.file_stem().unwrap().to_str().unwrap();
            let entry = name.split('.').next().unwrap();
            assert_eq!(found.name, entry, "{name}");
            let lines: Vec<String> = found.lines.iter().map(ToString::to_string).collect();
            assert_eq!(lines, field("keeps: "), "{name}");
            let run = Run::ended(RunEnd::Exited(code), output.into(), 0.0);
            assert_eq!(found.criteria().unmet(&run), [""; 0], "{name}: it has its own signature");
            seen.push(entry.to_owned());
        }
        let missing: Vec<&str> = TABLE
            .signature
            .iter()
            .map(|entry| &*entry.name)
            .filter(|name| !seen.iter().any(|seen| seen == name))
            .collect();
        assert_eq!(missing, [""; 0], "without a sample");
    }

    #[test]
    fn the_way_it_ends_says_something_where_the_output_does_not() {
        for (end, expect) in [
            (RunEnd::Signalled(11), Some("sigsegv")),
            (RunEnd::Exited(139), Some("sigsegv")),
            (RunEnd::Exited(134), Some("sigabrt")),
            (RunEnd::Exited(42), Some("exit-42")),
            (RunEnd::TimedOut, Some("hang")),
            (RunEnd::Exited(0), Some("exit-0")),
            (RunEnd::Exited(1), None),
            (RunEnd::Exited(127), None),
            (RunEnd::Signalled(9), None),
            (RunEnd::Stopped, None),
        ] {
            let name = recognised(end, "nothing of interest\n", "").map(|signature| signature.name);
            assert_eq!(name.as_deref(), expect, "{end}");
        }
        assert_eq!(recognised(RunEnd::TimedOut, "", "").unwrap().hangs, Some(Duration::from_secs(5)));
    }

    #[test]
    fn another_run_of_the_same_bug_has_the_same_signature() {
        let output = |pid: u32, line: u32| {
            format!(
                "=={pid}==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6{pid}\n    \
                     #0 0x55{pid} in decode /tmp/{pid}/lib.c:{line}\n"
            )
        };
        let one = recognised(RunEnd::Exited(1), &output(12, 3), "");
        assert_eq!(one, recognised(RunEnd::Exited(1), &output(4567, 89), ""));
        assert_ne!(one, recognised(RunEnd::Exited(1), &output(12, 3).replace("decode", "encode"), ""));
        assert_ne!(one, recognised(RunEnd::Exited(1), &output(12, 3).replace("overflow", "underflow"), ""));
    }
}
