//! What a run of the test means.

use std::ffi::{OsStr, OsString};
use std::fmt::{self, Display, Formatter};
use std::os::unix::ffi::OsStrExt;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use dwindle_core::{Evidence, Outcome, Vocabulary};
use dwindle_run::{Part, Run, RunEnd, Sought, Stream, Wanted};
use regex::bytes::{Regex, RegexBuilder};

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

impl Ran {
    /// The run of a test that only says what a candidate is, and took so many seconds.
    pub fn of(outcome: Outcome, seconds: f64) -> Self {
        let code = match outcome {
            Outcome::Interesting => 0,
            Outcome::Uninteresting => 1,
            Outcome::Unresolved => UNRESOLVED,
        };
        Self { run: Run::ended(RunEnd::Exited(code), Vec::new(), seconds), said: Vec::new() }
    }

    /// The run of a test that was cancelled.
    pub fn cancelled() -> Self {
        Self { run: Run::ended(RunEnd::Stopped, Vec::new(), 0.0), said: Vec::new() }
    }
}

/// A regular expression that a line, or several, of what is printed must match.
#[derive(Clone, Debug)]
pub struct Matching {
    /// Where; on whichever stream unless this says so.
    pub stream: Option<Stream>,
    pattern: Regex,
    /// What people call it.
    shown: String,
}

impl PartialEq for Matching {
    fn eq(&self, other: &Self) -> bool {
        (self.stream, self.pattern.as_str()) == (other.stream, other.pattern.as_str())
    }
}

impl Eq for Matching {}

impl Matching {
    /// A regular expression of the crate `regex` for one stream; `^` and `$` match at the ends of lines.
    ///
    /// # Errors
    ///
    /// Where it is none.
    pub fn on(stream: Stream, pattern: &str) -> Result<Self, regex::Error> {
        let regex = RegexBuilder::new(pattern).multi_line(true).crlf(true).build()?;
        Ok(Self { stream: Some(stream), pattern: regex, shown: pattern.to_owned() })
    }

    /// An extended regular expression of the common kind, which matches bytes on either stream.
    pub(crate) fn of_line(expression: &str, shown: String) -> Self {
        let regex = RegexBuilder::new(expression).multi_line(true).unicode(false).build();
        Self { stream: None, pattern: regex.expect("the expression of a line is one"), shown }
    }

    /// The regular expression.
    pub(crate) fn expression(&self) -> &str {
        self.pattern.as_str()
    }

    fn is_met(&self, run: &Run) -> bool {
        let printed = match (self.stream, &run.apart) {
            (None, _) => &run.output,
            (Some(Stream::Stdout), Some(apart)) => &apart[0].bytes,
            (Some(Stream::Stderr), Some(apart)) => &apart[1].bytes,
            (Some(_), None) => return false,
        };
        self.pattern.is_match(printed)
    }
}

/// When a run finds its candidate interesting: all of these must hold. Where none of them says what a run must do, it must
/// exit with 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Criteria {
    /// It exits with this code. As in a shell, a signal N is the code 128 + N.
    pub exit_code: Option<u8>,
    /// It prints each of these texts, none of which is empty.
    pub texts: Vec<Wanted>,
    /// What it prints matches each of these, as far as the first and the last 64 KiB go.
    pub matching: Vec<Matching>,
    /// It is still running after this time, which is then its time limit as well.
    pub hangs: Option<Duration>,
    /// It ends by itself, but takes longer than this.
    pub slower: Option<Duration>,
    /// It prints or ends otherwise than the command that it is compared with.
    pub differs: bool,
    /// A guard finds nothing wrong with the candidate.
    pub guarded: bool,
    /// It prints none of these texts, none of which is empty.
    pub absent: Vec<Vec<u8>>,
}

impl Criteria {
    /// Whether they say what a run must do, and not only what it must not.
    pub fn say_what_to_keep(&self) -> bool {
        let Self { exit_code, texts, matching, hangs, slower, differs, guarded: _, absent: _ } = self;
        let timed = hangs.is_some() || slower.is_some();
        exit_code.is_some() || !texts.is_empty() || !matching.is_empty() || timed || *differs
    }

    /// These and others together.
    pub fn and(self, other: Self) -> Self {
        Self {
            exit_code: self.exit_code.or(other.exit_code),
            texts: [self.texts, other.texts].concat(),
            matching: [self.matching, other.matching].concat(),
            hangs: self.hangs.or(other.hangs),
            slower: self.slower.or(other.slower),
            differs: self.differs || other.differs,
            guarded: self.guarded || other.guarded,
            absent: [self.absent, other.absent].concat(),
        }
    }

    /// The exit code that is asked for, if any is.
    pub(crate) fn code(&self) -> Option<u8> {
        if self.say_what_to_keep() { self.exit_code } else { Some(0) }
    }

    /// What is looked for in what a run prints.
    pub(crate) fn sought(&self) -> Sought {
        let streams = [Stream::Stdout, Stream::Stderr];
        let absent =
            self.absent.iter().flat_map(|text| streams.map(|stream| Wanted { stream, text: text.clone() }));
        let texts = self.texts.iter().cloned().chain(absent).collect();
        let apart = self.differs || self.matching.iter().any(|matching| matching.stream.is_some());
        Sought { texts, apart }
    }

    /// Whether, after this run, the next command of the test is run as well.
    pub(crate) fn goes_on(&self, run: &Run) -> bool {
        match run.part {
            Part::Also(_) => run.end == RunEnd::Exited(0),
            // As if it differed, where that is not known yet.
            Part::Main => {
                let run = || Run { differs: run.differs.or(Some(true)), ..run.clone() };
                (self.differs || self.guarded) && self.judge(&run()) == Some(Outcome::Interesting)
            }
            Part::Other | Part::Guard => false,
        }
    }

    /// What a run means; nothing where it was stopped.
    pub(crate) fn judge(&self, run: &Run) -> Option<Outcome> {
        match run.end {
            RunEnd::Stopped => None,
            RunEnd::TimedOut if self.hangs.is_none() || run.part != Part::Main => Some(Outcome::Unresolved),
            _ if self.unmet(run).is_empty() => Some(Outcome::Interesting),
            _ => Some(Outcome::Uninteresting),
        }
    }

    /// What is asked for and does not hold of this run, each in a few words.
    pub(crate) fn unmet(&self, run: &Run) -> Vec<String> {
        match run.part {
            Part::Also(number) => {
                return vec![format!("success of the command of --also number {}", number + 1)];
            }
            Part::Other => return vec!["an end of the command of --differs-from".to_owned()],
            Part::Guard => return vec![of_guard()],
            Part::Main => {}
        }
        let ended = match run.end {
            RunEnd::Exited(code) => Some(code),
            RunEnd::Signalled(signal) => Some(128 + signal),
            RunEnd::TimedOut | RunEnd::Stopped => None,
        };
        let code = self.code().filter(|&code| ended != Some(i32::from(code))).map(of_code);
        let is_seen = |number: usize| run.seen.get(number).copied().unwrap_or(false);
        let texts = self.texts.iter().enumerate().filter(|&(number, _)| !is_seen(number));
        let matching = self.matching.iter().filter(|matching| !matching.is_met(run));
        let hangs = self.hangs.filter(|_| run.end != RunEnd::TimedOut).map(of_hang);
        let is_slower = |limit: &Duration| run.judged_seconds > limit.as_secs_f64();
        let slower = self.slower.filter(|limit| !is_slower(limit)).map(of_slowness);
        let differs = (self.differs && run.differs != Some(true)).then(of_difference);
        let absent = self.absent.iter().enumerate().filter(|(number, _)| {
            let first = self.texts.len() + 2 * number;
            is_seen(first) || is_seen(first + 1)
        });
        let all =
            code.into_iter().chain(texts.map(|(_, wanted)| of_text(wanted))).chain(matching.map(of_matching));
        all.chain(hangs)
            .chain(slower)
            .chain(differs)
            .chain(absent.map(|(_, text)| of_absence(text)))
            .collect()
    }
}

/// Whether two commands did otherwise: in what they print to standard output, or in how they ended.
pub(crate) fn differ(one: &Run, other: &Run) -> bool {
    let printed = |run: &Run| run.apart.as_ref().map(|apart| apart[0].clone());
    one.end != other.end || printed(one) != printed(other)
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
        let code = self.code().map(of_code);
        let said = self.texts.iter().map(of_text).chain(self.matching.iter().map(of_matching));
        let all =
            code.into_iter().chain(said).chain(self.hangs.map(of_hang)).chain(self.slower.map(of_slowness));
        let all = all
            .chain(self.differs.then(of_difference))
            .chain(self.absent.iter().map(|text| of_absence(text)));
        let all = all.chain(self.guarded.then(of_guard));
        f.write_str(&all.collect::<Vec<_>>().join(", "))
    }
}

/// The name of a signal, such as `SIGSEGV`.
pub fn signal_name(signal: i32) -> Option<&'static str> {
    signal_hook::low_level::signal_name(signal)
}

fn of_code(code: u8) -> String {
    match signal_name(i32::from(code) - 128) {
        Some(signal) => format!("exit code {code} ({signal})"),
        None => format!("exit code {code}"),
    }
}

fn of_slowness(limit: Duration) -> String {
    format!("a run that ends, but takes more than {} s", limit.as_secs_f64())
}

fn of_hang(limit: Duration) -> String {
    format!("a run of more than {} s", limit.as_secs_f64())
}

fn of_difference() -> String {
    "another standard output or exit code than that of --differs-from".to_owned()
}

fn of_guard() -> String {
    "nothing that the guard finds wrong".to_owned()
}

fn of_absence(text: &[u8]) -> String {
    format!("no {} on either output", in_quotes(text))
}

fn of_text(Wanted { stream, text }: &Wanted) -> String {
    format!("{} on {}", in_quotes(text), of_stream(*stream))
}

fn of_matching(Matching { stream, shown, .. }: &Matching) -> String {
    match stream {
        Some(stream) => format!("a match of {} on {}", in_quotes(shown.as_bytes()), of_stream(*stream)),
        None => format!("the line \"{shown}\""),
    }
}

fn in_quotes(text: &[u8]) -> String {
    quoted(OsStr::from_bytes(text).as_ref())
}

fn of_stream(stream: Stream) -> &'static str {
    match stream {
        Stream::Stdout => "standard output",
        Stream::Stderr => "standard error",
    }
}

/// What runs are judged by.
pub(crate) struct Judge {
    pub(crate) vocabulary: Words,
    pub(crate) criteria: Arc<Criteria>,
    /// The name of candidates, where a refused one that crashes in another way is of interest.
    pub(crate) crashes_of: Option<OsString>,
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
        let run = |end, seen: &[bool]| Run { seen: seen.to_vec(), ..Run::ended(end, Vec::new(), 0.0) };
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
            (&both, RunEnd::Exited(0), &[false], &["exit code 139 (SIGSEGV)", "'boom 1' on standard error"]),
        ] {
            let run = run(end, seen);
            assert_eq!(criteria.unmet(&run), unmet, "{criteria} of {end}");
            let outcome = if unmet.is_empty() { Outcome::Interesting } else { Outcome::Uninteresting };
            assert_eq!(criteria.judge(&run), Some(outcome));
        }
        assert_eq!(both.judge(&run(RunEnd::TimedOut, &[true])), Some(Outcome::Unresolved));
        assert_eq!(both.judge(&run(RunEnd::Stopped, &[true])), None);
        assert_eq!(both.to_string(), "exit code 139 (SIGSEGV), 'boom 1' on standard error");
    }

    #[test]
    fn a_run_over_its_time_hangs_where_that_is_asked_for_and_a_part_that_does_says_nothing() {
        let hangs = Criteria { hangs: Some(Duration::from_secs(2)), ..Criteria::default() };
        let run = |end, part| Run { part, ..Run::ended(end, Vec::new(), 0.0) };
        for (end, part, expect) in [
            (RunEnd::TimedOut, Part::Main, Outcome::Interesting),
            (RunEnd::Exited(0), Part::Main, Outcome::Uninteresting),
            (RunEnd::TimedOut, Part::Also(0), Outcome::Unresolved),
            (RunEnd::TimedOut, Part::Other, Outcome::Unresolved),
            (RunEnd::TimedOut, Part::Guard, Outcome::Unresolved),
            (RunEnd::Exited(1), Part::Guard, Outcome::Uninteresting),
            (RunEnd::Exited(1), Part::Also(0), Outcome::Uninteresting),
        ] {
            assert_eq!(hangs.judge(&run(end, part)), Some(expect), "{end} {part:?}");
        }
        assert_eq!(Criteria::default().judge(&run(RunEnd::TimedOut, Part::Main)), Some(Outcome::Unresolved));
    }

    #[test]
    fn a_slow_run_is_one_whose_own_command_took_long_and_ended() {
        let slower = Criteria { slower: Some(Duration::from_secs(2)), ..Criteria::default() };
        let run =
            |end, seconds, judged_seconds| Run { judged_seconds, ..Run::ended(end, Vec::new(), seconds) };
        for (run, expect) in [
            (run(RunEnd::Exited(1), 3.0, 2.5), Outcome::Interesting),
            (run(RunEnd::Exited(0), 3.0, 1.0), Outcome::Uninteresting),
            (run(RunEnd::Signalled(11), 2.1, 2.1), Outcome::Interesting),
            (run(RunEnd::TimedOut, 9.0, 9.0), Outcome::Unresolved),
        ] {
            assert_eq!(slower.judge(&run), Some(expect), "{run:?}");
        }
        let both = Criteria { exit_code: Some(1), ..slower };
        let unmet = both.unmet(&run(RunEnd::Exited(0), 1.0, 1.0));
        assert_eq!(unmet, ["exit code 1", "a run that ends, but takes more than 2 s"]);
    }

    #[test]
    fn the_next_command_runs_as_long_as_the_last_one_leaves_something_open() {
        let run =
            |code, part, differs| Run { part, differs, ..Run::ended(RunEnd::Exited(code), Vec::new(), 0.0) };
        let differs = Criteria { differs: true, exit_code: Some(1), ..Criteria::default() };
        let guarded = Criteria { guarded: true, ..differs.clone() };
        for (criteria, run, expect) in [
            (&differs, run(0, Part::Also(0), None), true),
            (&differs, run(1, Part::Also(0), None), false),
            (&differs, run(1, Part::Main, None), true),
            (&differs, run(0, Part::Main, None), false),
            (&Criteria::default(), run(0, Part::Main, None), false),
            (&guarded, run(1, Part::Main, Some(true)), true),
            (&guarded, run(1, Part::Main, Some(false)), false),
            (&guarded, run(0, Part::Guard, None), false),
        ] {
            assert_eq!(criteria.goes_on(&run), expect, "{criteria} of {run:?}");
        }
    }

    #[test]
    fn what_must_not_be_printed_is_looked_for_on_both_streams_and_says_nothing_of_the_rest() {
        let absent = Criteria { absent: vec![b"bad".to_vec(), b"worse".to_vec()], ..Criteria::default() };
        assert_eq!(absent.sought().texts.len(), 4);
        let run = |code, seen: [bool; 4]| Run {
            seen: seen.to_vec(),
            ..Run::ended(RunEnd::Exited(code), Vec::new(), 0.0)
        };
        assert_eq!(absent.unmet(&run(0, [false; 4])), [""; 0]);
        assert_eq!(absent.unmet(&run(1, [false; 4])), ["exit code 0"]);
        assert_eq!(absent.unmet(&run(0, [false, false, false, true])), ["no worse on either output"]);
    }
}
