//! How probably the next candidate is interesting.

/// A running average over the latest commits. It decides what is tested ahead, never what is
/// committed, and predicts as well as the models inside of probabilistic minimisers do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forecast {
    interesting: f64,
}

/// The weight of the newest outcome in the average, which therefore spans about 24 commits: enough to smooth the
/// outcomes of one list, few enough to follow from deletion, which often succeeds, to a proof, which hardly ever does.
const GAIN: f64 = 1.0 / 24.0;

/// The probability before the first outcome. It decides only what is tested ahead of the first outcomes: after 60
/// commits it weighs less than a tenth.
const FIRST: f64 = 0.4;

/// The least and the largest probability that is foreseen, so that a long row of equal outcomes does not rule out the
/// other one: where jobs are many, some still look behind it.
const LEAST: f64 = 0.005;
const LARGEST: f64 = 0.95;

impl Default for Forecast {
    fn default() -> Self {
        Self { interesting: FIRST }
    }
}

impl Forecast {
    pub(super) fn learn(&mut self, interesting: bool) {
        self.interesting += GAIN * (f64::from(u8::from(interesting)) - self.interesting);
    }

    /// The probability that a candidate is interesting.
    pub(super) fn interesting(self) -> f64 {
        self.interesting.clamp(LEAST, LARGEST)
    }
}
