//! What is shown while a reduction runs: one live line on a terminal, every question with
//! `--verbose`.

use std::time::Duration;

use dwindle::recognition::Signature;
use dwindle::shown::shown_lines;
use dwindle::{Event, Progress, Questions, Repeated, signal_name};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::say::say;

/// How often the live line is drawn, at most, a second.
const DRAWS: u8 = 8;

/// Shows events on standard error.
#[derive(Clone, Debug)]
pub(crate) struct Display {
    /// Hidden where standard error is no terminal.
    line: ProgressBar,
    quiet: bool,
    verbose: bool,
    /// What the live line says.
    status: fn(&Progress) -> String,
}

impl Display {
    pub(crate) fn new(quiet: bool, verbose: bool) -> Self {
        let target =
            if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(DRAWS) };
        let line = ProgressBar::with_draw_target(None, target);
        line.set_style(
            ProgressStyle::with_template("{spinner} {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_spinner()),
        );
        line.enable_steady_tick(Duration::from_millis(250));
        Self { line, quiet, verbose, status }
    }

    /// The same for an isolation, in which nothing gets smaller.
    pub(crate) fn isolating(quiet: bool, verbose: bool) -> Self {
        Self { status: pace, ..Self::new(quiet, verbose) }
    }

    pub(crate) fn show(&mut self, event: &Event<'_>) {
        match event {
            Event::Asked { progress, run } => {
                if self.verbose {
                    let number = progress.questions.total;
                    let seconds = run.seconds;
                    self.say(&format!(
                        "question {number} ended {} after {seconds:.3} s ({})",
                        run.end, progress.label
                    ));
                    for line in shown_lines(&run.output) {
                        self.say(&format!("  | {line}"));
                    }
                }
                self.line.set_message((self.status)(progress));
            }
            Event::Warning(warning) => {
                if !self.quiet {
                    self.say(&format!("warning: {warning}"));
                }
            }
            Event::Kept { progress } => {
                if self.verbose {
                    let best = progress.best;
                    self.say(&format!(
                        "kept: {} tokens, {} lines, {} bytes",
                        best.tokens, best.lines, best.bytes
                    ));
                }
                self.line.set_message((self.status)(progress));
            }
            Event::Recognised { signature } => {
                if !self.quiet {
                    self.say(&recognised(signature));
                }
            }
            Event::Measured { repeated } => {
                if !self.quiet {
                    self.say(&measured(repeated));
                }
            }
            Event::Draft { .. } => {}
        }
    }

    /// Takes the live line away.
    pub(crate) fn clear(&self) {
        self.line.finish_and_clear();
    }

    fn say(&self, line: &str) {
        self.line.suspend(|| say(&format!("{line}\n")));
    }
}

/// How often the test is interesting, and what follows from it.
fn measured(Repeated { input, most, .. }: &Repeated) -> String {
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

/// What the command does, and so what every variant must do.
fn recognised(signature: &Signature) -> String {
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
            "; nothing more is known of it, so another crash of this kind counts as well (a sanitizer, or valgrind before the \
             command, tells them apart)"
        }
        false => "",
    };
    format!("the command ended with {}: every variant must {}{vague}", signature.title, all.join(" and "))
}

fn status(progress: &Progress) -> String {
    let (best, before) = (progress.best, progress.before);
    let gone = 100.0 * (1.0 - best.bytes as f64 / before.bytes as f64);
    format!("{} tokens, {} bytes (-{gone:.1} %) | {}", best.tokens, best.bytes, pace(progress))
}

fn pace(progress: &Progress) -> String {
    let questions = progress.questions.total;
    let rate = questions as f64 / progress.began.elapsed().as_secs_f64().max(1e-3);
    format!("{questions} questions, {rate:.0}/s | trying {}", progress.label)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dwindle::Size;
    use std::time::Instant;

    #[test]
    fn the_live_line_says_size_reduction_questions_rate_and_what_is_tried() {
        let before = Size { bytes: 1000, lines: 100, tokens: 300 };
        let best = Size { bytes: 250, lines: 20, tokens: 70 };
        let questions = Questions { total: 40, ..Questions::default() };
        let began = Instant::now() - Duration::from_secs(4);
        let line = status(&Progress {
            before,
            best,
            questions,
            cached: 0,
            replayed: 0,
            filtered: 0,
            label: "lines",
            began,
            in_test: Duration::ZERO,
        });
        assert_eq!(line, "70 tokens, 250 bytes (-75.0 %) | 40 questions, 10/s | trying lines");
    }
}
