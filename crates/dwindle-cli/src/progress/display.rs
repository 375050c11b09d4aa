//! Shows events on standard error, by the means that fit whoever reads it.

use std::io::{IsTerminal, stderr};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use dwindle::shown::{shown, shown_lines};
use dwindle::{Event, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ratatui::crossterm::terminal::size;
use rustix::process::getpgrp;
use rustix::termios::tcgetpgrp;

use super::plain::Plain;
use super::said::{measured, recognised, resumed};
use super::standing::Standing;
use super::view::{Shared, View};
use super::words::of_label;
use crate::say::say;

/// How often the live line is drawn, at most, a second.
const DRAWS: u8 = 8;
/// How long nobody looks whether a plain line is due, or whether a pause has ended.
const LOOK: Duration = Duration::from_millis(250);

/// By which means progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Means {
    /// The view where there is a terminal for it, else plain lines.
    Auto,
    /// The whole window.
    View,
    /// One line that changes.
    Line,
    /// A line now and then.
    Plain,
    /// Nothing.
    None,
}

impl Means {
    pub(crate) const ALL: [Self; 5] = [Self::Auto, Self::View, Self::Line, Self::Plain, Self::None];

    /// The name by which people choose it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::View => "view",
            Self::Line => "line",
            Self::Plain => "plain",
            Self::None => "none",
        }
    }

    /// Those that are taken on this standard error.
    fn taken(self, verbose: bool) -> Self {
        let is_dumb = || std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let has_size = || size().is_ok_and(|(columns, rows)| columns > 0 && rows > 0);
        match self {
            Self::Auto | Self::View | Self::Line if !stderr().is_terminal() => Self::Plain,
            Self::Auto if verbose => Self::Line,
            Self::Auto | Self::View if is_dumb() || !has_size() => Self::Plain,
            // A job in the background may not touch the terminal.
            Self::Auto | Self::View if tcgetpgrp(stderr()).ok() != Some(getpgrp()) => Self::Line,
            Self::Auto => Self::View,
            other => other,
        }
    }
}

/// What a display is to show of a reduction.
pub(crate) struct Watched<'a> {
    pub(crate) input: &'a Path,
    pub(crate) output: &'a Path,
    /// What its size is counted in.
    pub(crate) unit: &'static str,
    pub(crate) deadline: Option<Instant>,
    pub(crate) max_questions: Option<u64>,
    /// The last signal; a pause ends with it.
    pub(crate) signal: Arc<AtomicUsize>,
    /// What makes the search give up what it is trying.
    pub(crate) skip: Arc<AtomicBool>,
}

/// Shows events on standard error.
#[derive(Clone, Debug)]
pub(crate) struct Display {
    quiet: bool,
    verbose: bool,
    /// Hidden unless it is the means.
    line: ProgressBar,
    unit: &'static str,
    /// What the live line says.
    status: fn(&Progress, &str) -> String,
    shared: Arc<Shared>,
    view: Arc<Mutex<Option<View>>>,
    signal: Arc<AtomicUsize>,
}

impl Display {
    /// One of a reduction.
    pub(crate) fn reducing(means: Means, quiet: bool, verbose: bool, watched: Watched<'_>) -> Self {
        let Watched { input, output, unit, deadline, max_questions, signal, skip } = watched;
        let means = if quiet { Means::None } else { means.taken(verbose) };
        let mut standing = Standing::new(name(input), name(output), Instant::now());
        (standing.deadline, standing.max_questions) = (deadline, max_questions);
        standing.unit = unit;
        let shared = Shared::new(standing, skip);
        let mut view = None;
        match means {
            // Without a thread for it, a reduction goes on as it would.
            Means::View => view = View::new(shared.clone()).ok(),
            Means::Plain => {
                let shared = shared.clone();
                let ticker = thread::Builder::new().name("progress".to_owned());
                drop(ticker.spawn(move || tell_now_and_then(&shared)));
            }
            Means::Auto | Means::Line | Means::None => {}
        }
        let view = Arc::new(Mutex::new(view));
        Self { quiet, verbose, line: line(means != Means::Line), unit, status, shared, view, signal }
    }

    /// One of anything else, in which a line shows the pace.
    pub(crate) fn of_pace(quiet: bool, verbose: bool) -> Self {
        let standing = Standing::new(String::new(), String::new(), Instant::now());
        let (shared, view, signal) = (Shared::new(standing, Arc::default()), Arc::default(), Arc::default());
        let status = |progress: &Progress, _: &str| pace(progress);
        Self { quiet, verbose, line: line(quiet), unit: "", status, shared, view, signal }
    }

    pub(crate) fn show(&mut self, event: &Event<'_>) {
        self.shared.standing().note(event, Instant::now());
        match event {
            Event::Asked { progress, run, .. } => {
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
                self.line.set_message((self.status)(progress, self.unit));
                self.wait_while_paused();
            }
            Event::Kept { progress, .. } => {
                if self.verbose {
                    let best = progress.best;
                    self.say(&format!(
                        "kept: {} {}, {} lines, {} bytes",
                        best.tokens, self.unit, best.lines, best.bytes
                    ));
                }
                self.line.set_message((self.status)(progress, self.unit));
            }
            Event::Warning(warning) => self.say_unless_quiet(&format!("warning: {warning}")),
            Event::Recognised { signature } => self.say_unless_quiet(&recognised(signature)),
            Event::Measured { repeated } => self.say_unless_quiet(&measured(repeated)),
            Event::Resumed { questions, finished } => self.say_unless_quiet(&resumed(*questions, *finished)),
            Event::Draft { .. } => {}
        }
    }

    /// A reduction that waits here starts no test.
    fn wait_while_paused(&self) {
        loop {
            let standing = self.shared.standing();
            let is_over = standing.deadline.is_some_and(|deadline| deadline <= Instant::now());
            if standing.paused.is_none() || is_over || self.shared.is_closing() {
                return;
            }
            drop(standing);
            if self.signal.load(Ordering::Relaxed) != 0 {
                return;
            }
            self.shared.wait(LOOK);
        }
    }

    /// Takes away what is shown, and says what was hidden behind it.
    pub(crate) fn clear(&self) {
        self.line.finish_and_clear();
        self.shared.close();
        let view = self.view.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(view) = view {
            view.close();
            let messages = std::mem::take(&mut self.shared.standing().messages);
            messages.iter().for_each(|line| say(&format!("{line}\n")));
        }
    }

    fn say_unless_quiet(&self, line: &str) {
        if !self.quiet {
            self.say(line);
        }
    }

    fn say(&self, line: &str) {
        if self.view.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
            self.shared.standing().messages.push(shown(line));
        } else {
            self.line.suspend(|| say(&format!("{line}\n")));
        }
    }
}

/// The name of a file, without its folders.
fn name(path: &Path) -> String {
    shown(path.file_name().unwrap_or(path.as_os_str()))
}

fn line(is_hidden: bool) -> ProgressBar {
    let target = match is_hidden {
        true => ProgressDrawTarget::hidden(),
        false => ProgressDrawTarget::stderr_with_hz(DRAWS),
    };
    let line = ProgressBar::with_draw_target(None, target);
    let style = ProgressStyle::with_template("{spinner} {wide_msg}");
    line.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    line.enable_steady_tick(LOOK);
    line
}

/// Says a line whenever one is due.
fn tell_now_and_then(shared: &Shared) {
    let mut plain = Plain::new(Instant::now());
    loop {
        let standing = shared.standing();
        // Looked at while nobody else can close it, so that no line comes behind the last word.
        if shared.is_closing() {
            break;
        }
        let line = plain.line(&standing, Instant::now());
        line.into_iter().for_each(|line| say(&format!("{line}\n")));
        drop(standing);
        shared.wait(LOOK);
    }
}

fn status(progress: &Progress, unit: &str) -> String {
    let (best, before) = (progress.best, progress.before);
    let gone = 100.0 * (1.0 - best.tokens as f64 / before.tokens.max(1) as f64);
    format!("{} {unit} (-{gone:.1} %), {} bytes | {}", best.tokens, best.bytes, pace(progress))
}

fn pace(progress: &Progress) -> String {
    let questions = progress.questions.total;
    let rate = questions as f64 / progress.began.elapsed().as_secs_f64().max(1e-3);
    let noun = if questions == 1 { "question" } else { "questions" };
    format!("{questions} {noun}, {rate:.0}/s | {}", of_label(progress.label))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dwindle::{Questions, Size};

    #[test]
    fn the_live_line_says_size_reduction_questions_rate_and_what_is_tried() {
        let before = Size { bytes: 1000, lines: 100, tokens: 280 };
        let best = Size { bytes: 250, lines: 20, tokens: 70 };
        let questions = Questions { total: 40, ..Questions::default() };
        let began = Instant::now() - Duration::from_secs(4);
        let line = status(
            &Progress {
                before,
                best,
                questions,
                cached: 0,
                replayed: 0,
                filtered: 0,
                label: "lines",
                began,
                in_test: Duration::ZERO,
            },
            "tokens",
        );
        assert_eq!(line, "70 tokens (-75.0 %), 250 bytes | 40 questions, 10/s | deleting lines");
    }
}
