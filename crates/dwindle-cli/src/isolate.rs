//! `dwindle isolate`: what makes one version of a file fail and another one pass.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use dwindle::core::isolate::Algorithm;
use dwindle::shown::shown;
use dwindle::{
    Changes, End, GitRange, Isolated, Isolation, Test, Units, Versions, is_same_file, isolate_files,
};
use serde::Serialize;

use crate::args::{self, IsolateArgs};
use crate::diff::{check_replaceable, hunks, replace, seen};
use crate::failure::Failure;
use crate::last_word::LastWord;
use crate::progress::Display;
use crate::say::say;
use crate::show::print;
use crate::signals::{Listening, listen};
use crate::streams::is_written;

/// What the arguments ask for.
fn isolation(args: &IsolateArgs) -> Result<Isolation, Failure> {
    let test = match (&args.test, &args.words[..]) {
        (Some(test), []) => Test::Script(test.clone()),
        (None, [_, ..]) => Test::Command(args.words.clone()),
        (Some(test), [..]) => {
            let what =
                format!("there are a test, {}, and a command behind `--`; name one of them", shown(test));
            return Err(Failure::Usage(what));
        }
        (None, []) => {
            let what = "nothing tests the variants: name a TEST, or a command behind `--`";
            return Err(Failure::Usage(what.to_owned()));
        }
    };
    if let Some(output) = output_of(args) {
        let files = [(&args.passing, "--passing"), (&args.failing, "--failing"), (&args.test, "TEST")];
        let files = files.into_iter().filter_map(|(file, what)| Some((file.as_ref()?, what)));
        if let Some((_, what)) = files.into_iter().find(|(file, _)| is_same_file(output, file)) {
            let output = shown(output);
            return Err(Failure::Usage(format!(
                "--output {output} would write over {what}; name another file"
            )));
        }
        check_replaceable(output).map_err(|error| Failure::Restore(output.to_owned(), error))?;
    }
    let (passing, failing) =
        (args.passing.clone().unwrap_or_default(), args.failing.clone().unwrap_or_default());
    let mut isolation = Isolation::new(passing, failing, test);
    isolation.git = args.git.as_ref().map(|range| GitRange {
        range: range.clone(),
        folder: args.repository.clone().unwrap_or_else(|| ".".into()),
    });
    isolation.units = args::named(&Units::ALL.map(|units| (units.name(), units)), &args.format);
    let algorithms = Algorithm::ALL.map(|algorithm| (algorithm.name(), algorithm));
    isolation.algorithm = args::named(&algorithms, &args.algorithm);
    isolation.front_end = args.language.front_end(&mut |warning| {
        if !args.quiet {
            say(&format!("warning: {warning}\n"));
        }
    })?;
    isolation.jobs = args.jobs;
    #[cfg(feature = "remote")]
    {
        isolation.remote = args.remote.remote()?;
        if isolation.remote.is_some() && compares_folders(&isolation) {
            let what = "commits and folders are tested in a checkout, which is on this machine only: leave --executor out";
            return Err(Failure::Usage(what.to_owned()));
        }
    }
    isolation.timeout = args.timeout;
    isolation.max_time = args.max_time;
    isolation.max_questions = args.max_questions;
    Ok(isolation)
}

/// Whether the versions are no files.
#[cfg(feature = "remote")]
fn compares_folders(isolation: &Isolation) -> bool {
    isolation.git.is_some() || [&isolation.passing, &isolation.failing].into_iter().any(|path| path.is_dir())
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
    let output = output_of(args);
    if let Some(path) = output {
        let mut diff = Vec::new();
        patches(&mut diff, &isolated, |text| text.into()).map_err(Failure::Print)?;
        if let Err(error) = replace(path, &diff) {
            // It may have taken hours.
            print(|out| out.write_all(&seen(&diff)))?;
            return Err(Failure::Restore(path.to_owned(), error));
        }
    }
    if !args.quiet {
        say(&summary(&isolated));
    }
    if args.json {
        let mut diff = Vec::new();
        if output.is_none() {
            patches(&mut diff, &isolated, |text| text.into()).map_err(Failure::Print)?;
        }
        let diff = output.is_none().then(|| String::from_utf8_lossy(&diff));
        print(|out| {
            serde_json::to_writer(&mut *out, &Report { isolated: &isolated, diff })?;
            writeln!(out)
        })?;
    } else if output.is_none() {
        print(|out| patches(out, &isolated, seen))?;
    }
    Ok(if isolated.end == End::Interrupted { 128 + signal() } else { 0 })
}

/// The file that the diff is written to, if it does not go to standard output.
fn output_of(args: &IsolateArgs) -> Option<&Path> {
    args.output.as_deref().filter(|output| !is_written(output))
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
    if let Some(Changes { failing, .. }) = &isolated.changes {
        return failing
            .split_inclusive(|&byte| byte == b'\n')
            .try_for_each(|line| out.write_all(&seen(line)));
    }
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
    let Isolated { differences, left, applied, .. } = isolated;
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
    if let Some(changes) = &isolated.changes {
        return summary_of_changes(isolated, changes, end);
    }
    let after = match applied {
        0 => format!("the diff is from {passing}, which passes, to a variant that fails"),
        _ => format!(
            "the last part of the diff does not fail without others; the part before it leads from {passing} to a \
             variant with {applied} of them that still passes"
        ),
    };
    format!(
        "{end}: {passing} and {failing}\n  differences {differences} -> {left} ({units})\n  {after}\n{}",
        questions_and_time(isolated)
    )
}

/// The most changes that are named.
const NAMED: usize = 20;

fn summary_of_changes(isolated: &Isolated, changes: &Changes, end: &str) -> String {
    let Isolated { differences, left, passing, failing, .. } = isolated;
    let Changes { files, difference, needed, .. } = changes;
    let mut text = format!(
        "{end}: {} and {}\n  changes {differences} in {files} files -> {left}\n",
        shown(passing),
        shown(failing)
    );
    text += &named(difference);
    if !needed.is_empty() {
        text += &format!("  that needs {} more, which pass alone:\n{}", needed.len(), named(needed));
    }
    text + &questions_and_time(isolated)
}

/// Changes, each on a line.
fn named(titles: &[String]) -> String {
    let mut text: String = titles.iter().take(NAMED).map(|title| format!("    {}\n", shown(title))).collect();
    if titles.len() > NAMED {
        text += &format!("    and {} more\n", titles.len() - NAMED);
    }
    text
}

fn questions_and_time(isolated: &Isolated) -> String {
    let Isolated { questions, cached, .. } = isolated;
    let more = if *cached == 0 { String::new() } else { format!("; {cached} more answered from cache") };
    format!(
        "  questions {}: {} \
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
