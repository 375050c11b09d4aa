//! How a reduction stands: what a display knows of it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use dwindle::{Event, Progress, Questions, Size};

use crate::written::{clock, grouped};

/// For how long questions are counted to tell how many there are in a second.
const PACE: Duration = Duration::from_secs(10);

/// How many sizes are kept for the curve; of more, every second one goes.
const SIZES: usize = 2000;

/// How much of the smallest text is kept, in bytes: more than any screen shows.
const SHOWN: usize = 32 << 10;

/// How a reduction stands.
#[derive(Debug)]
pub(super) struct Standing {
    /// The names of the input and of the result, fit to be shown.
    pub(super) input: String,
    pub(super) output: String,
    /// What its size is counted in.
    pub(super) unit: &'static str,
    pub(super) began: Instant,
    pub(super) deadline: Option<Instant>,
    pub(super) max_questions: Option<u64>,
    /// How many tests run at once, once that is known.
    pub(super) jobs: usize,
    /// Nothing before the first question.
    pub(super) before: Option<Size>,
    pub(super) best: Size,
    pub(super) questions: Questions,
    /// Candidates that the run before this one has answered.
    pub(super) replayed: u64,
    pub(super) label: &'static str,
    /// When a smaller variant was last found.
    pub(super) success: Option<Instant>,
    /// The beginning of the smallest text so far.
    pub(super) text: Vec<u8>,
    /// The sizes so far, in that unit, and when they were reached.
    pub(super) sizes: Vec<(Duration, u64)>,
    /// What was to be said and is shown.
    pub(super) messages: Vec<String>,
    /// Since when it pauses.
    pub(super) paused: Option<Instant>,
    /// Whether it was told to stop.
    pub(super) stopping: bool,
    /// The last questions, each at its time.
    recent: VecDeque<(Instant, u64)>,
}

impl Standing {
    pub(super) fn new(input: String, output: String, now: Instant) -> Self {
        Self {
            input,
            output,
            unit: "tokens",
            began: now,
            deadline: None,
            max_questions: None,
            jobs: 1,
            before: None,
            best: Size::default(),
            questions: Questions::default(),
            replayed: 0,
            label: "reading",
            success: None,
            text: Vec::new(),
            sizes: Vec::new(),
            messages: Vec::new(),
            paused: None,
            stopping: false,
            recent: VecDeque::new(),
        }
    }

    /// Takes note of what happened.
    pub(super) fn note(&mut self, event: &Event<'_>, now: Instant) {
        match event {
            Event::Asked { progress, .. } => self.reached(progress, now),
            Event::Kept { progress, text } => {
                self.reached(progress, now);
                self.success = Some(now);
                self.text = text[..text.len().min(SHOWN)].to_vec();
            }
            Event::Draft { progress, report } => {
                self.jobs = report.jobs;
                self.reached(progress, now);
            }
            _ => {}
        }
    }

    fn reached(&mut self, progress: &Progress, now: Instant) {
        self.before = Some(progress.before);
        self.best = progress.best;
        (self.questions, self.replayed) = (progress.questions, progress.replayed);
        self.label = progress.label;
        self.recent.push_back((now, progress.questions.total));
        while self.recent.front().is_some_and(|(at, _)| now.duration_since(*at) > PACE) {
            self.recent.pop_front();
        }
        if self.sizes.last().is_none_or(|(_, tokens)| *tokens != self.best.tokens) {
            self.sizes.push((now.duration_since(self.began), self.best.tokens));
            if self.sizes.len() > SIZES {
                let mut number = 0;
                self.sizes.retain(|_| {
                    number += 1;
                    number % 2 == 1
                });
            }
        }
    }

    /// How many questions there were in a second of late.
    pub(super) fn pace(&self, now: Instant) -> f64 {
        let Some(&(first, before)) = self.recent.front() else { return 0.0 };
        let seconds = now.duration_since(first).as_secs_f64();
        (self.questions.total - before) as f64 / seconds.max(1.0)
    }

    /// How many tenths of the input have gone.
    pub(super) fn tenths_gone(&self) -> u64 {
        let before = self.before.map_or(0, |before| before.tokens);
        10 * before.saturating_sub(self.best.tokens) / before.max(1)
    }

    /// How much of the input has gone, in percent of its tokens.
    pub(super) fn gone(&self) -> f64 {
        let before = self.before.unwrap_or(self.best).tokens.max(1);
        100.0 * (1.0 - self.best.tokens as f64 / before as f64)
    }

    /// What is left of the budgets, in words.
    pub(super) fn budget(&self, now: Instant) -> Vec<String> {
        let time = self.deadline.map(|deadline| clock(deadline.saturating_duration_since(now)) + " of time");
        let asked = self.questions.total + self.replayed;
        let questions = self.max_questions.map(|most| most.saturating_sub(asked));
        let questions = questions.map(|left| format!("{} questions", grouped(left)));
        time.into_iter().chain(questions).collect()
    }
}
