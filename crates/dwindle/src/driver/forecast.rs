//! How probably the next candidate is interesting.

/// A running average over the latest commits. It decides what is tested ahead, never what is
/// committed, and predicts as well as the models inside of probabilistic minimisers do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forecast {
    interesting: f64,
}

/// The weight of the newest outcome.
const GAIN: f64 = 1.0 / 24.0;

impl Default for Forecast {
    fn default() -> Self {
        Self { interesting: 0.4 }
    }
}

impl Forecast {
    pub(super) fn learn(&mut self, interesting: bool) {
        self.interesting += GAIN * (f64::from(u8::from(interesting)) - self.interesting);
    }

    /// The probability that a candidate is interesting.
    pub(super) fn interesting(self) -> f64 {
        self.interesting.clamp(0.005, 0.95)
    }
}
