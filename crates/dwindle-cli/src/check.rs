//! `dwindle check` and `dwindle init`: a test is tried, and said to be fine or not.

use std::path::Path;

use dwindle::shell::quoted;
use dwindle::{Checkup, Config, Problem, Test, check_test};

use crate::args::{CheckArgs, InitArgs};
use crate::failure::Failure;
use crate::progress::Display;
use crate::show::print;
use crate::signals::{Listening, listen};

/// What a test that accepts anything is worth.
const TRIVIAL: u8 = 10;
const FLAKY: u8 = 6;

/// Tries a test; returns the exit code.
pub(crate) fn check(args: &CheckArgs) -> Result<u8, Failure> {
    let config = args.config()?;
    let checkup = tried(&config)?;
    print(|out| {
        write!(out, "{}", said(&checkup))?;
        if checkup.problems.is_empty() {
            writeln!(out, "To reduce:  {}", reduction(&config))?;
        }
        Ok(())
    })?;
    Ok(exit_code(&checkup))
}

/// Writes a test as a script and tries it; returns the exit code.
pub(crate) fn init(args: &InitArgs) -> Result<u8, Failure> {
    let config = args.config()?;
    let checkup = tried(&config)?;
    let script = config.save_test.as_deref().unwrap_or(Path::new("test.sh"));
    let script =
        if script.parent() == Some(Path::new("")) { Path::new("./").join(script) } else { script.into() };
    print(|out| {
        write!(out, "{}", said(&checkup))?;
        let (script, input) = (quoted(&script), quoted(&config.input));
        writeln!(out, "The test is in {script}. To reduce:  dwindle {script} {input}")
    })?;
    Ok(exit_code(&checkup))
}

fn tried(config: &Config) -> Result<Checkup, Failure> {
    let Listening { interrupt, last, .. } = listen().map_err(Failure::Signals)?;
    let mut display = Display::of_pace(false, false);
    let checkup = check_test(config, &interrupt, &mut |event| display.show(&event));
    display.clear();
    checkup.map_err(|error| match last.load(std::sync::atomic::Ordering::Relaxed) {
        signal if signal > 0 && matches!(error, dwindle::Error::StoppedEarly) => {
            Failure::Signal(128 + signal as u8)
        }
        _ => error.into(),
    })
}

fn said(checkup: &Checkup) -> String {
    let mut text = String::new();
    let mut say = |before: &str, what: String| {
        let end = if what.ends_with('?') { "" } else { "." };
        text += &format!("{before}{what}{end}\n");
    };
    checkup
        .problems
        .iter()
        .for_each(|problem| say("There is a problem with the test: ", problem.to_string()));
    checkup.doubts.iter().for_each(|doubt| say("Look at the test once more: ", doubt.to_string()));
    if checkup.problems.is_empty() {
        let begin = if checkup.doubts.is_empty() {
            "The test is fine: "
        } else {
            "Apart from that, the test is fine: "
        };
        let fine = "it finds the input interesting every time, and neither the empty file nor other text";
        say(begin, fine.to_owned());
    }
    checkup.remarks.iter().for_each(|remark| say("", remark.to_string()));
    text + &format!("A run takes {:.2} s.\n", checkup.seconds)
}

fn exit_code(checkup: &Checkup) -> u8 {
    let is_flaky = |problem: &Problem| matches!(problem, Problem::Flaky { .. } | Problem::Disturbed);
    match &checkup.problems[..] {
        [] => 0,
        problems if problems.iter().any(is_flaky) => FLAKY,
        _ => TRIVIAL,
    }
}

/// The command that reduces by the same test.
fn reduction(config: &Config) -> String {
    let input = quoted(&config.input);
    match &config.test {
        Test::Script(test) => format!("dwindle {} {input}", quoted(test)),
        Test::Command(_) => "the same command without `check`".to_owned(),
    }
}
