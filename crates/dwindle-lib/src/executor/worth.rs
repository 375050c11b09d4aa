//! Whether it is worth running tests elsewhere: what a run takes itself, and what passes around it.

use std::collections::VecDeque;
use std::time::Duration;

/// The last runs of an executor whose tests run elsewhere.
#[derive(Debug)]
pub(crate) struct Worth {
    slots: usize,
    slots_here: usize,
    /// Seconds of the tests themselves, and from asking to the answer.
    runs: VecDeque<(f64, f64)>,
}

/// What makes it slower elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slower {
    /// What a test takes itself.
    pub(crate) test: Duration,
    /// What passes around it: until it begins, and until the answer is here.
    pub(crate) around: Duration,
}

/// So many runs are looked at, so that a single slow one says nothing. The first two are those of the input.
const RUNS: usize = 16;

impl Worth {
    pub(crate) fn new(slots: usize, slots_here: usize) -> Self {
        Self { slots, slots_here, runs: VecDeque::new() }
    }

    /// Takes note of a run; says so if it is slower than here by now. A test takes as long here as it takes there, as far
    /// as is known.
    pub(crate) fn note(&mut self, test: f64, until_answer: f64) -> Option<Slower> {
        if self.runs.len() == RUNS {
            self.runs.pop_front();
        }
        self.runs.push_back((test, until_answer.max(test)));
        if self.runs.len() < RUNS {
            return None;
        }
        let test = median(self.runs.iter().map(|run| run.0));
        let around = median(self.runs.iter().map(|run| run.1 - run.0));
        let slower = (test + around) / speed_up(self.slots) > test / speed_up(self.slots_here);
        let duration = |seconds| Duration::try_from_secs_f64(seconds).unwrap_or_default();
        slower.then(|| Slower { test: duration(test), around: duration(around) })
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

/// How many times as fast as one slot so many are, if all tests take the same time. As if one question in 19 had to wait
/// for all before it: that fits the panel from 2 to 16 slots (docs/experiments/speculation.md).
fn speed_up(slots: usize) -> f64 {
    let slots = slots.max(1) as f64;
    slots / (1.0 + (slots - 1.0) / 19.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said after so many equal runs, in milliseconds.
    fn check(slots: usize, runs: usize, test: f64, around: f64) -> Option<Slower> {
        let mut worth = Worth::new(slots, 2);
        (0..runs).filter_map(|_| worth.note(test / 1000.0, (test + around) / 1000.0)).last()
    }

    #[test]
    fn short_tests_with_long_ways_are_slower_elsewhere() {
        let slower = check(4, RUNS, 20.0, 60.0).expect("80 ms a test, and not twice as many at once");
        assert_eq!((slower.test.as_millis(), slower.around.as_millis()), (20, 60));
        assert_eq!(check(4, RUNS - 1, 20.0, 60.0), None, "that is too few to tell");
        assert_eq!(check(4, RUNS, 2000.0, 60.0), None, "the way is nothing beside the test");
        assert_eq!(check(16, RUNS, 20.0, 60.0), None, "many slots make up for it");
        assert!(check(2, RUNS, 2000.0, 60.0).is_some(), "as many slots as here, and a way");
    }

    #[test]
    fn what_is_true_now_counts() {
        let mut worth = Worth::new(4, 2);
        assert!((0..100).all(|_| worth.note(1.0, 1.06).is_none()));
        assert!((0..RUNS).any(|_| worth.note(0.02, 0.08).is_some()), "small candidates are tested quickly");
    }
}
