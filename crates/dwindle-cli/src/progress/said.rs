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
    let many = if questions == 1 { "question" } else { "questions" };
    match finished {
        true => format!("using the answers to the {questions} {many} of the finished run"),
        false => {
            format!("going on with the run that was stopped after {questions} {many}; --fresh starts over")
        }
    }
}

/// What a run must do to end with this code.
pub(crate) fn end_of(code: u8) -> String {
    match signal_name(i32::from(code) - 128) {
        Some(signal) => format!("end by {signal}"),
        None => format!("exit with code {code}"),
    }
}

/// What the command does, and so what every variant must do.
pub(super) fn recognised(signature: &Signature) -> String {
    let code = signature.exit_code.map(end_of);
    let lines: Vec<String> = signature.lines.iter().map(|line| format!("\"{line}\"")).collect();
    let lines = (!lines.is_empty()).then(|| format!("print {}", lines.join(" and ")));
    if let Some(limit) = signature.hangs.map(|limit| limit.as_secs_f64()) {
        return format!(
            "the command did not end within {limit} s: every variant must run for longer; --hangs-longer-than says \
             another time"
        );
    }
    if signature.exit_code == Some(0) && signature.lines.is_empty() {
        return "the command ended with exit code 0, as a test does: every variant must exit with code 0. If it should fail on this \
                input, it did not"
            .to_owned();
    }
    let all: Vec<String> = code.into_iter().chain(lines).collect();
    let vague = match (signature.is_vague(), signature.is_crash) {
        (true, true) => {
            "; nothing more is known of it, so another crash of this kind counts as well. To tell them apart, build the program \
             with a sanitizer, or put `valgrind -q` or `gdb -q -nx -batch -ex run -ex 'bt 9' --args` before the command"
        }
        (true, false) => {
            "; nothing more is known of it, so whatever ends like this counts as well. --stdout-contains TEXT or --stderr-contains \
             TEXT says more"
        }
        (false, _) => "",
    };
    format!("the command ended with {}: every variant must {}{vague}", signature.title, all.join(" and "))
}
