//! How probably a candidate is interesting. That decides what is tested ahead, never what is committed.

use std::collections::HashMap;

use dwindle_core::{Origin, Search, Variant};

/// A logistic regression over what is seen of a question before it is asked. Its coefficients come from recorded
/// reductions, as docs/experiments/speculation.md says.
#[derive(Debug)]
pub(super) struct Forecast {
    /// The share of the latest commits that were interesting.
    interesting: f64,
    /// The same for each kind of work.
    by_origin: HashMap<Origin, f64>,
    /// How many candidates were refused since the last one that was interesting.
    pub(super) refusals: u32,
}

/// What is seen of a question before it is asked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    origin: Origin,
    /// The natural logarithm of the share of the base that it deletes.
    deleted: f64,
}

/// The weight of the newest outcome in the running average over all kinds of questions, which spans about 24 outcomes.
const GAIN: f64 = 1.0 / 24.0;
/// The same for one kind of question. Each has fewer outcomes, so its average spans about 16.
const GAIN_OF_ORIGIN: f64 = 1.0 / 16.0;

/// The average before the first outcome. It decides only what is tested ahead of the first outcomes.
const FIRST: f64 = 0.4;

/// The smallest average that counts, so that a long row of refusals does not rule out a success.
const LEAST: f64 = 0.02;
/// The largest, so that a long row of successes does not rule out a refusal.
const LARGEST: f64 = 0.95;

/// The coefficients of a logistic regression that was fitted to recorded runs of the panel (`docs/experiments/speculation.md`):
/// large deletions are refused more often, and so is what comes after many refusals.
const CONSTANT: f64 = -1.07;
const OF_RATE: f64 = 0.79;
const OF_DELETED: f64 = -0.385;
const OF_REFUSALS: f64 = -0.435;

impl Default for Forecast {
    fn default() -> Self {
        Self { interesting: FIRST, by_origin: HashMap::new(), refusals: 0 }
    }
}

impl Sight {
    /// Of the question of `search` about `variant`.
    pub(super) fn of(search: &impl Search, variant: &Variant) -> Self {
        let (base, kept) = (search.best().kept.len(), variant.kept.len());
        let share = (base.saturating_sub(kept) + 1) as f64 / (base + 1) as f64;
        Self { origin: search.origin(), deleted: share.ln() }
    }
}

impl Forecast {
    pub(super) fn learn(&mut self, sight: Sight, interesting: bool) {
        let outcome = f64::from(u8::from(interesting));
        let of_origin = self.by_origin.entry(sight.origin).or_insert(self.interesting);
        *of_origin += GAIN_OF_ORIGIN * (outcome - *of_origin);
        self.interesting += GAIN * (outcome - self.interesting);
        self.refusals = if interesting { 0 } else { self.refusals + 1 };
    }

    /// The probability that a candidate is interesting that looks like this, after so many refusals.
    pub(super) fn interesting(&self, sight: Sight, refusals: u32) -> f64 {
        let rate = self.by_origin.get(&sight.origin).unwrap_or(&self.interesting).clamp(LEAST, LARGEST);
        let odds = CONSTANT
            + OF_RATE * (rate / (1.0 - rate)).ln()
            + OF_DELETED * sight.deleted
            + OF_REFUSALS * f64::from(refusals).ln_1p();
        1.0 / (1.0 + (-odds).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dwindle_core::passes::Pass;

    fn sight(origin: Origin, share: f64) -> Sight {
        Sight { origin, deleted: share.ln() }
    }

    #[test]
    fn small_deletions_are_likelier_to_be_interesting_and_what_follows_refusals_is_less_so() {
        let (forecast, small, large) =
            (Forecast::default(), sight(Origin::Deletion, 0.001), sight(Origin::Deletion, 0.5));
        assert!(forecast.interesting(small, 0) > forecast.interesting(large, 0) + 0.2);
        assert!(forecast.interesting(small, 0) > forecast.interesting(small, 10) + 0.2);
    }

    #[test]
    fn each_kind_of_work_is_foreseen_by_its_own_outcomes() {
        let mut forecast = Forecast::default();
        let (deletion, names) = (sight(Origin::Deletion, 0.01), sight(Origin::Pass(Pass::Tokens), 0.01));
        for _ in 0..30 {
            forecast.learn(deletion, true);
            forecast.learn(names, false);
        }
        assert!(forecast.interesting(deletion, 0) > 0.9);
        assert!(forecast.interesting(names, 0) < 0.3);
    }

    #[test]
    fn no_row_of_equal_outcomes_rules_out_the_other_one() {
        let mut forecast = Forecast::default();
        let all = sight(Origin::Deletion, 1.0);
        (0..10_000).for_each(|_| forecast.learn(all, false));
        assert!(forecast.interesting(all, forecast.refusals) > 0.0001);
        let little = sight(Origin::Deletion, 1e-6);
        (0..10_000).for_each(|_| forecast.learn(little, true));
        assert!(forecast.interesting(little, forecast.refusals) < 0.9999);
    }
}
