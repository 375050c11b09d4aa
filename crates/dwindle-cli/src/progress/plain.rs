//! Progress where there is no terminal: a line at each tenth, and now and then.

use std::time::{Duration, Instant};

use super::standing::Standing;
use super::words::of_label;
use crate::written::{clock, grouped, pace_in_words};

/// A line comes at least so often, because some systems end what says nothing for minutes.
const SILENCE: Duration = Duration::from_secs(30);
/// And not more often than this, so that short runs say nothing but their end.
const REST: Duration = Duration::from_secs(1);

/// When the next line is due.
#[derive(Debug)]
pub(super) struct Plain {
    last: Instant,
    /// How many tenths of the input had gone then.
    tenths: u64,
}

impl Plain {
    pub(super) fn new(now: Instant) -> Self {
        Self { last: now, tenths: 0 }
    }

    /// The line that is due now, if one is.
    pub(super) fn line(&mut self, standing: &Standing, now: Instant) -> Option<String> {
        let tenths = standing.tenths_gone();
        let (waited, is_new) = (now.duration_since(self.last), tenths > self.tenths);
        if waited < REST || !is_new && waited < SILENCE {
            return None;
        }
        *self = Self { last: now, tenths };
        Some(line(standing, now))
    }
}

fn line(standing: &Standing, now: Instant) -> String {
    let Standing { input, unit, began, best, questions, label, .. } = standing;
    let time = clock(now.duration_since(*began));
    let Some(before) = standing.before else { return format!("{input}: {time}, {}", of_label(label)) };
    format!(
        "{input}: {time}, {} of {} {unit} left (-{:.1} %), {} bytes; {} questions, {}; {}",
        grouped(best.tokens),
        grouped(before.tokens),
        standing.gone(),
        grouped(best.bytes),
        grouped(questions.total),
        pace_in_words(standing.pace(now)),
        of_label(label)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use dwindle::Size;

    #[test]
    fn a_line_comes_at_each_tenth_and_after_half_a_minute_and_not_twice_in_a_second() {
        let began = Instant::now();
        let mut standing = Standing::new("a.c".to_owned(), "a.reduced.c".to_owned(), began);
        standing.before = Some(Size { tokens: 2000, lines: 100, bytes: 8000 });
        let mut plain = Plain::new(began);
        for (seconds, tokens, expect) in [
            (0.5, 100, false),
            (1.0, 1801, false),
            (1.5, 1800, true),
            (2.0, 1200, false),
            (2.5, 1200, true),
            (4.0, 1150, false),
            (32.4, 1150, false),
            (32.6, 1150, true),
            (40.0, 1001, false),
            (41.0, 1000, true),
        ] {
            standing.best = Size { tokens, lines: 10, bytes: 4000 };
            let line = plain.line(&standing, began + Duration::from_secs_f64(seconds));
            assert_eq!(line.is_some(), expect, "{seconds} s, {tokens} tokens: {line:?}");
        }
        standing.label = "rename";
        let line = plain.line(&standing, began + Duration::from_secs(101)).unwrap();
        let expect = "a.c: 1:41, 1,000 of 2,000 tokens left (-50.0 %), 4,000 bytes; 0 questions, 0.0/s; shortening names";
        assert_eq!(line, expect);
    }
}
