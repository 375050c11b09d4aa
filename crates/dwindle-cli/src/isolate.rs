//! `dwindle isolate`: what makes one version of a file fail and another one pass.

use std::borrow::Cow;
use std::io::{self, Write};
use std::time::Instant;

use dwindle::core::isolate::Algorithm;
use dwindle::shown::shown;
use dwindle::{End, Isolated, Isolation, Units, Versions, is_same_file, isolate_files};
use serde::Serialize;

use crate::args::{IsolateArgs, named};
use crate::diff::{hunks, replace, seen};
use crate::failure::Failure;
use crate::last_word::LastWord;
use crate::progress::Display;
use crate::say::say;
use crate::show::print;
use crate::signals::{Listening, listen};

/// What the arguments ask for.
fn isolation(args: &IsolateArgs) -> Result<Isolation, Failure> {
    if let Some(output) = &args.output {
        let files = [(&args.passing, "--passing"), (&args.failing, "--failing"), (&args.test, "TEST")];
        if let Some((_, what)) = files.into_iter().find(|(file, _)| is_same_file(output, file)) {
            let output = shown(output);
            return Err(Failure::Usage(format!(
                "--output {output} would write over {what}; name another file"
            )));
        }
    }
    let mut isolation = Isolation::new(args.passing.clone(), args.failing.clone(), args.test.clone());
    isolation.units = named(&Units::ALL.map(|units| (units.name(), units)), &args.format);
    let algorithms = Algorithm::ALL.map(|algorithm| (algorithm.name(), algorithm));
    isolation.algorithm = named(&algorithms, &args.algorithm);
    isolation.front_end = args.language.front_end(&mut |warning| {
        if !args.quiet {
            say(&format!("warning: {warning}\n"));
        }
    })?;
    isolation.jobs = args.jobs;
    isolation.timeout = args.timeout;
    isolation.max_time = args.max_time;
    isolation.max_questions = args.max_questions;
    Ok(isolation)
}

/// Isolates what was asked for; returns the exit code.
pub(crate) fn isolate(args: &IsolateArgs) -> Result<u8, Failure> {
    let isolation = isolation(args)?;
    let Listening { interrupt, signals, last } = listen().map_err(Failure::Signals)?;
    let signal = move || last.load(std::sync::atomic::Ordering::Relaxed) as u8;
    let stopped = |signal: u8| match signal {
        0 => dwindle::Error::StoppedEarly.into(),
        signal => Failure::Signal(128 + signal),
    };
    let mut display = Display::of_pace(args.quiet, args.verbose);
    let last_word = LastWord::default();
    let deadline = isolation.max_time.and_then(|time| Instant::now().checked_add(time));
    let (at_last, said_by, code_by) = (display.clone(), signal.clone(), signal.clone());
    let say_last = move |_: Option<&dwindle::Report>| {
        at_last.clear();
        say(&stopped(said_by()).to_string());
    };
    let code = move |_: Option<&dwindle::Report>| stopped(code_by()).code();
    last_word.stand_by(signals, deadline, say_last, code).map_err(Failure::Signals)?;
    let result = isolate_files(&isolation, &interrupt, &mut |event| display.show(&event));
    last_word.ended();
    display.clear();
    let isolated = match result {
        Ok(isolated) => isolated,
        Err(dwindle::Error::StoppedEarly) => return Err(stopped(signal())),
        Err(error) => return Err(error.into()),
    };
    if let Some(path) = &args.output {
        let mut diff = Vec::new();
        let written = patches(&mut diff, &isolated, |text| text.into()).and_then(|()| replace(path, &diff));
        written.map_err(|error| Failure::Restore(path.clone(), error))?;
    }
    if !args.quiet {
        say(&summary(&isolated));
    }
    if args.json {
        let mut diff = Vec::new();
        if args.output.is_none() {
            patches(&mut diff, &isolated, |text| text.into()).map_err(Failure::Print)?;
        }
        let diff = args.output.is_none().then(|| String::from_utf8_lossy(&diff));
        print(|out| {
            serde_json::to_writer(&mut *out, &Report { isolated: &isolated, diff })?;
            writeln!(out)
        })?;
    } else if args.output.is_none() {
        print(|out| patches(out, &isolated, seen))?;
    }
    Ok(if isolated.end == End::Interrupted { 128 + signal() } else { 0 })
}

/// What came of it, for machines.
#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    isolated: &'a Isolated,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<Cow<'a, str>>,
}

/// Prints the diff from the version that passes to the variant that fails, by way of the variant that passes.
fn patches(
    out: &mut dyn Write,
    isolated: &Isolated,
    seen: impl Fn(&[u8]) -> Cow<'_, [u8]>,
) -> io::Result<()> {
    let Versions { base, passing, failing, .. } = &isolated.texts;
    let name = shown(&isolated.passing);
    if base != passing {
        writeln!(out, "--- {name}\tpasses\n+++ {name}\tstill passes")?;
        hunks(out, base, passing, &seen)?;
    }
    writeln!(out, "--- {name}\tpasses\n+++ {name}\tfails")?;
    hunks(out, passing, failing, &seen)
}

/// What came of it, for people.
fn summary(isolated: &Isolated) -> String {
    let Isolated { differences, left, applied, questions, cached, .. } = isolated;
    let (passing, failing) = (shown(&isolated.passing), shown(&isolated.failing));
    let end = match isolated.end {
        End::Finished => "isolated",
        End::MaxQuestions => "stopped by --max-questions",
        End::MaxTime => "stopped by --max-time",
        End::Interrupted => "interrupted",
    };
    let units = match isolated.language {
        Some(language) => format!("nodes of {language}"),
        None => isolated.units.to_owned(),
    };
    let after = match applied {
        0 => format!("the diff is from {passing}, which passes, to a variant that fails"),
        _ => format!(
            "the last part of the diff does not fail without others; the part before it leads from {passing} to a \
             variant with {applied} of them that still passes"
        ),
    };
    let more = if *cached == 0 { String::new() } else { format!("; {cached} more answered from cache") };
    format!(
        "{end}: {passing} and {failing}\n  differences {differences} -> {left} ({units})\n  {after}\n  questions {}: {} \
         failing, {} passing, {} unresolved, {} over the time limit{more}\n  time {:.1} s: {:.1} s in the test\n",
        questions.total,
        questions.failing,
        questions.passing,
        questions.unresolved,
        questions.timeout,
        isolated.seconds,
        isolated.seconds_in_test,
    )
}
