//! What is said of single events.

use dwindle::recognition::Signature;
use dwindle::{Questions, Repeated, signal_name};

/// How often the test is interesting, and what follows from it.
pub(super) fn measured(Repeated { input, most, .. }: &Repeated) -> String {
    let rate = rate(input);
    match most {
        1 => format!("the test finds the input interesting in {rate}: no candidate is asked about twice"),
        _ => format!(
            "the test finds the input interesting in {rate}: each candidate gets up to {most} runs to show it"
        ),
    }
}

/// A share of runs, in words.
pub(crate) fn rate(runs: &Questions) -> String {
    let Questions { interesting, total, .. } = runs;
    match interesting == total {
        true => format!("each of {total} runs"),
        false => {
            format!("{interesting} of {total} runs ({:.0} %)", 100.0 * *interesting as f64 / *total as f64)
        }
    }
}

/// That a run is continued.
pub(super) fn resumed(questions: u64, finished: bool) -> String {
    match finished {
        true => format!("using the answers to the {questions} questions of the finished run"),
        false => {
            format!("going on with the run that was stopped after {questions} questions; --fresh starts over")
        }
    }
}

/// What the command does, and so what every variant must do.
pub(super) fn recognised(signature: &Signature) -> String {
    let code = signature.exit_code.map(|code| match signal_name(i32::from(code) - 128) {
        Some(signal) => format!("end by {signal}"),
        None => format!("exit with code {code}"),
    });
    let lines: Vec<String> = signature.lines.iter().map(|line| format!("\"{line}\"")).collect();
    let lines = (!lines.is_empty()).then(|| format!("print {}", lines.join(" and ")));
    if let Some(limit) = signature.hangs.map(|limit| limit.as_secs_f64()) {
        return format!(
            "the command did not end within {limit} s: every variant must run for longer; --hangs-longer-than says \
             another time"
        );
    }
    let all: Vec<String> = code.into_iter().chain(lines).collect();
    let vague = match signature.is_vague() {
        true => {
            "; nothing more is known of it, so another crash of this kind counts as well (a sanitizer, or gdb or valgrind before the \
             command, tells them apart)"
        }
        false => "",
    };
    format!("the command ended with {}: every variant must {}{vague}", signature.title, all.join(" and "))
}
