//! What a run of the test means.

use std::ffi::OsStr;
use std::fmt::{self, Display, Formatter};
use std::os::unix::ffi::OsStrExt;
use std::sync::{Arc, LazyLock};

use dwindle_core::{Evidence, Outcome, Vocabulary};
use dwindle_run::{Run, RunEnd, Stream, Wanted};

use crate::shell::quoted;

/// How much of an output is read for evidence: less than is kept of its beginning, because paths, which
/// differ in length, are taken out of it first.
const OUTPUT_READ: usize = 32 << 10;

/// The words of the input. They are gathered when one is needed: that takes over a second for 11 MB, in
/// vain where tests print nothing.
pub(crate) type Words = LazyLock<Arc<Vocabulary>, Box<dyn FnOnce() -> Arc<Vocabulary> + Send>>;

/// A run of the test somewhere.
#[derive(Debug)]
pub struct Ran {
    /// The run.
    pub run: Run,
    /// What it printed, without what differs from place to place, such as the folder that it ran in.
    pub said: Vec<u8>,
}

/// When a run finds its candidate interesting: all of these must hold. Where nothing is asked for, it must exit with 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Criteria {
    /// It exits with this code. As in a shell, a signal N is the code 128 + N.
    pub exit_code: Option<u8>,
    /// It prints each of these texts, none of which is empty.
    pub texts: Vec<Wanted>,
}

impl Criteria {
    /// The exit code that is asked for, if any is.
    fn code(&self) -> Option<i32> {
        match self.exit_code {
            None if self.texts.is_empty() => Some(0),
            code => code.map(i32::from),
        }
    }

    /// What a run means; nothing where it was stopped.
    pub(crate) fn judge(&self, run: &Run) -> Option<Outcome> {
        match run.end {
            RunEnd::Stopped => None,
            RunEnd::TimedOut => Some(Outcome::Unresolved),
            RunEnd::Exited(_) | RunEnd::Signalled(_) if self.unmet(run).is_empty() => {
                Some(Outcome::Interesting)
            }
            RunEnd::Exited(_) | RunEnd::Signalled(_) => Some(Outcome::Uninteresting),
        }
    }

    /// What is asked for and does not hold of this run, each in a few words.
    pub(crate) fn unmet(&self, run: &Run) -> Vec<String> {
        let ended = match run.end {
            RunEnd::Exited(code) => Some(code),
            RunEnd::Signalled(signal) => Some(128 + signal),
            RunEnd::TimedOut | RunEnd::Stopped => None,
        };
        let code = self.code().filter(|&code| ended != Some(code)).map(|code| format!("exit code {code}"));
        let is_seen = |number: usize| run.seen.get(number).copied().unwrap_or(false);
        let texts = self.texts.iter().enumerate().filter(|&(number, _)| !is_seen(number));
        code.into_iter().chain(texts.map(|(_, wanted)| of_text(wanted))).collect()
    }
}

/// The exit code by which a test says that it can say nothing of a candidate, as to `git bisect run`.
const UNRESOLVED: i32 = 125;

/// What a run means where there is a third outcome: 0 fails as the failing input does, 125 is unresolved as a run
/// over its time is, and anything else passes. Nothing where it was stopped.
pub(crate) fn judge_three_ways(end: RunEnd) -> Option<Outcome> {
    match end {
        RunEnd::Stopped => None,
        RunEnd::TimedOut | RunEnd::Exited(UNRESOLVED) => Some(Outcome::Unresolved),
        RunEnd::Exited(0) => Some(Outcome::Interesting),
        RunEnd::Exited(_) | RunEnd::Signalled(_) => Some(Outcome::Uninteresting),
    }
}

impl Display for Criteria {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let code = self.code().map(|code| format!("exit code {code}"));
        let all: Vec<String> = code.into_iter().chain(self.texts.iter().map(of_text)).collect();
        f.write_str(&all.join(", "))
    }
}

fn of_text(Wanted { stream, text }: &Wanted) -> String {
    let stream = match stream {
        Stream::Stdout => "standard output",
        Stream::Stderr => "standard error",
    };
    format!("{} on {stream}", quoted(OsStr::from_bytes(text).as_ref()))
}

/// What runs are judged by.
pub(crate) struct Judge {
    pub(crate) vocabulary: Words,
    pub(crate) criteria: Arc<Criteria>,
}

/// What the output of a run gives away where the test refused.
pub(crate) fn evidence(vocabulary: &Words, ran: &Ran, outcome: Option<Outcome>) -> Evidence {
    let said = &ran.said[..ran.said.len().min(OUTPUT_READ)];
    match outcome {
        Some(Outcome::Uninteresting) if !said.trim_ascii().is_empty() => {
            Evidence::in_output(vocabulary, said)
        }
        _ => Evidence::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_asked_for_must_hold_and_else_the_exit_code_must_be_0() {
        let on = |stream, text: &str| Wanted { stream, text: text.into() };
        let run = |end, seen: &[bool]| Run {
            end,
            output: Vec::new(),
            seen: seen.to_vec(),
            seconds: 0.0,
            cpu_seconds: 0.0,
        };
        let text = Criteria { texts: vec![on(Stream::Stderr, "boom 1")], ..Criteria::default() };
        let both = Criteria { exit_code: Some(139), ..text.clone() };
        for (criteria, end, seen, unmet) in [
            (&Criteria::default(), RunEnd::Exited(0), &[][..], &[][..]),
            (&Criteria::default(), RunEnd::Exited(1), &[], &["exit code 0"]),
            (&Criteria::default(), RunEnd::Signalled(11), &[], &["exit code 0"]),
            (&text, RunEnd::Exited(1), &[true], &[]),
            (&text, RunEnd::Exited(0), &[false], &["'boom 1' on standard error"]),
            (&both, RunEnd::Signalled(11), &[true], &[]),
            (&both, RunEnd::Exited(139), &[true], &[]),
            (&both, RunEnd::Exited(0), &[false], &["exit code 139", "'boom 1' on standard error"]),
        ] {
            let run = run(end, seen);
            assert_eq!(criteria.unmet(&run), unmet, "{criteria} of {end}");
            let outcome = if unmet.is_empty() { Outcome::Interesting } else { Outcome::Uninteresting };
            assert_eq!(criteria.judge(&run), Some(outcome));
        }
        assert_eq!(both.judge(&run(RunEnd::TimedOut, &[true])), Some(Outcome::Unresolved));
        assert_eq!(both.judge(&run(RunEnd::Stopped, &[true])), None);
        assert_eq!(both.to_string(), "exit code 139, 'boom 1' on standard error");
    }
}
