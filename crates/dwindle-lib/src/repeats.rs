//! How often a flaky test is run on one candidate.
//!
//! One interesting run proves that a candidate can be interesting. A run that is not proves nothing. So the test is run until
//! it finds the candidate interesting, but at most so often that a candidate with the rate of the input would have been
//! noticed with the confidence that is asked for.
//!
//! A candidate that was noticed must not be much rarer than the input, or each step could be a little rarer than the one
//! before, until the behaviour is never seen any more. Wald's sequential probability ratio test ("Sequential Tests of
//! Statistical Hypotheses", 1945) decides between two rates: the lowest that the input may have, and half of that.
//!
//! A decision depends on the runs of the candidate and of the input alone, so it is the same for any number of jobs.

use dwindle_core::Outcome;

use crate::questions::Questions;

/// How often the test is run on one candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Repeats {
    /// This many runs, all of which must be interesting.
    All(u32),
    /// Up to this many runs, one of which must be interesting.
    Any(u32),
    /// As often as the rate on the input needs, so that a candidate of the same rate is noticed with this probability,
    /// which is above 0 and below 1.
    Measured {
        /// That probability.
        confidence: f64,
    },
}

impl Default for Repeats {
    fn default() -> Self {
        Self::All(1)
    }
}

/// From this share of interesting runs on, a test counts as deterministic. With this share of runs that are not, no
/// reduction can use it.
const CERTAIN: f64 = 0.95;

/// The rate is measured until there are this many interesting runs: its standard error is below a third of it then.
const ENOUGH: u64 = 12;

/// The most runs on the input to measure its rate: 12 in 240 are 5 %.
const MOST: u64 = 240;

/// How many times rarer than the input a candidate may be. The rate of the input is measured with an error.
const SLACK: f64 = 2.0;

/// To tell the rate of the result, it is run this many times as often as a candidate at most.
const FOR_THE_RESULT: u64 = 4;

/// After this many runs over the time limit a candidate is refused, if no run on the input was: more would take long.
const HANGS: u64 = 2;

impl Repeats {
    /// Whether nothing more is to be asked about the input.
    pub(crate) fn is_measured(self, runs: &Questions) -> bool {
        match self {
            Self::All(_) => runs.total >= 2,
            Self::Any(most) => runs.interesting > 0 || runs.total >= u64::from(most),
            Self::Measured { confidence } if runs.interesting == 0 || runs.interesting == runs.total => {
                runs.total >= runs_until(1.0 - CERTAIN, confidence)
            }
            Self::Measured { .. } => runs.interesting >= ENOUGH || runs.total >= MOST,
        }
    }

    /// Whether one interesting run suffices to go on with the input.
    pub(crate) fn takes_any(self) -> bool {
        !matches!(self, Self::All(_))
    }

    /// The rule for candidates of an input that did so.
    pub(crate) fn rule(self, input: &Questions) -> Rule {
        match self {
            Self::All(runs) => Rule::All(runs),
            Self::Any(most) => Rule::Any(most),
            Self::Measured { .. } if input.interesting == input.total => Rule::Certain,
            Self::Measured { confidence } => Rule::Rate(Rate::of(input, confidence)),
        }
    }
}

/// What runs of a candidate come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// It is interesting.
    Interesting,
    /// It is not.
    Refused,
    /// One more run decides.
    Again,
}

/// When runs decide about a candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rule {
    All(u32),
    Any(u32),
    /// The test is known to be certain.
    Certain,
    Rate(Rate),
}

impl Rule {
    pub(crate) const ONCE: Self = Self::All(1);

    pub(crate) fn decide(self, runs: &Questions) -> Decision {
        let missed = runs.total - runs.interesting;
        let (accepts, refuses) = match self {
            Self::All(all) => (runs.interesting >= u64::from(all), missed > 0),
            Self::Any(most) => (runs.interesting > 0, missed >= u64::from(most)),
            Self::Certain => (runs.interesting > 0, missed > 0),
            Self::Rate(rate) => match runs.interesting {
                0 => (false, missed >= rate.until_noticed || runs.timeout >= rate.patience),
                _ => (rate.evidence(runs) >= rate.bound, rate.refuses(runs)),
            },
        };
        match (accepts, refuses) {
            (true, _) => Decision::Interesting,
            (_, true) => Decision::Refused,
            _ => Decision::Again,
        }
    }

    /// How many runs a candidate that is not interesting gets.
    pub(crate) fn until_noticed(self) -> u64 {
        match self {
            Self::All(_) | Self::Certain => 1,
            Self::Any(most) => most.into(),
            Self::Rate(rate) => rate.until_noticed,
        }
    }

    /// How many runs one that is gets at most.
    pub(crate) fn until_accepted(self) -> u64 {
        match self {
            Self::All(all) => all.into(),
            Self::Any(_) | Self::Certain | Self::Rate(_) => self.until_noticed(),
        }
    }

    /// Whether so many runs that ended with this outcome decided by this rule, or by one as strict.
    pub(crate) fn trusts(self, outcome: Outcome, runs: u64) -> bool {
        match self {
            Self::All(all) => !outcome.is_interesting() || runs >= all.into(),
            Self::Any(_) | Self::Certain => outcome.is_interesting() || runs >= self.until_noticed(),
            Self::Rate(rate) if outcome.is_interesting() => runs >= rate.least(),
            // More runs than fit into the record of a journal are written as the most that do.
            Self::Rate(rate) if outcome == Outcome::Unresolved => runs >= rate.until_noticed.min(HANGS),
            Self::Rate(rate) => runs >= rate.until_noticed.min(u8::MAX.into()),
        }
    }

    /// How many runs the last look at the result may take.
    pub(crate) fn last_runs(self) -> u64 {
        match self {
            Self::All(all) => all.into(),
            Self::Any(most) => FOR_THE_RESULT * u64::from(most),
            Self::Certain => (SLACK * ENOUGH as f64) as u64,
            Self::Rate(rate) => rate.most,
        }
    }

    /// Whether the rate of the result is to be told: `Again` until it is known.
    pub(crate) fn decide_result(self, runs: &Questions) -> Decision {
        let spent = runs.total >= self.last_runs();
        match self {
            Self::All(_) => self.decide(runs),
            _ if runs.interesting >= ENOUGH => Decision::Interesting,
            Self::Any(_) if spent && runs.interesting > 0 => Decision::Interesting,
            _ if spent => Decision::Refused,
            _ => Decision::Again,
        }
    }
}

/// How a candidate of an input with some rate is decided about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rate {
    /// After so many runs without an interesting one it is not.
    until_noticed: u64,
    /// What an interesting run, and one that is not, say for the rate that the input has at least, against the lowest that
    /// is taken: logarithms of the ratio of likelihoods.
    hit: f64,
    miss: f64,
    /// How much of that decides, for or against it.
    bound: f64,
    /// After so many runs the rate counts as too low.
    most: u64,
    /// After so many runs over the time limit it is not interesting.
    patience: u64,
}

impl Rate {
    fn of(input: &Questions, confidence: f64) -> Self {
        let rate = at_least(input, confidence);
        let floor = rate / SLACK;
        Self {
            until_noticed: runs_until(rate, confidence),
            hit: (rate / floor).ln(),
            miss: ((1.0 - rate) / (1.0 - floor)).ln(),
            bound: (confidence / (1.0 - confidence)).ln(),
            most: (ENOUGH as f64 / floor).ceil() as u64,
            patience: if input.timeout == 0 { HANGS } else { u64::MAX },
        }
    }

    fn evidence(self, runs: &Questions) -> f64 {
        let missed = runs.total - runs.interesting;
        runs.interesting as f64 * self.hit + missed as f64 * self.miss
    }

    fn refuses(self, runs: &Questions) -> bool {
        self.evidence(runs) <= -self.bound || runs.total >= self.most
    }

    /// The least runs that accept.
    fn least(self) -> u64 {
        (self.bound / self.hit).ceil() as u64
    }
}

/// How many runs show at least one interesting one, at this rate and with this confidence.
fn runs_until(rate: f64, confidence: f64) -> u64 {
    ((1.0 - confidence).ln() / (1.0 - rate).ln()).ceil().max(1.0) as u64
}

/// The rate that an input which did so has at least, with this confidence: the lower bound of Clopper and Pearson.
fn at_least(runs: &Questions, confidence: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    // Each step halves the interval; 40 of them are more than is seen.
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        match as_many(runs, middle) < 1.0 - confidence {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

/// How probable so many interesting runs, or more, are at this rate, which is between 0 and 1.
fn as_many(runs: &Questions, rate: f64) -> f64 {
    let (all, least) = (runs.total, runs.interesting);
    // The probability of one number after the other, by logarithms, since that of none may be too small for a number.
    let odds = (rate / (1.0 - rate)).ln();
    let mut log = all as f64 * (1.0 - rate).ln();
    let mut sum = 0.0;
    for number in 0..=all {
        if number >= least {
            sum += log.exp();
        }
        log += odds + ((all - number) as f64 / (number + 1) as f64).ln();
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(interesting: u64, total: u64) -> Questions {
        Questions { total, interesting, uninteresting: total - interesting, timeout: 0 }
    }

    /// A generator that is good enough for coins.
    struct Coin(u64);

    impl Coin {
        fn falls(&mut self, rate: f64) -> bool {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((self.0 >> 11) as f64) < rate * (1u64 << 53) as f64
        }

        fn add(&mut self, runs: &mut Questions, rate: f64) {
            let outcome = if self.falls(rate) { Outcome::Interesting } else { Outcome::Uninteresting };
            runs.count(Some(outcome));
        }

        fn measure(&mut self, repeats: Repeats, rate: f64) -> Questions {
            let mut runs = Questions::default();
            while !repeats.is_measured(&runs) {
                self.add(&mut runs, rate);
            }
            runs
        }

        fn ask(&mut self, rule: Rule, rate: f64) -> (Decision, Questions) {
            let mut runs = Questions::default();
            while rule.decide(&runs) == Decision::Again {
                self.add(&mut runs, rate);
            }
            (rule.decide(&runs), runs)
        }
    }

    #[test]
    fn the_bound_is_that_of_tables() {
        for (interesting, total, expect) in
            [(12, 12, 0.7791), (5, 10, 0.2224), (1, 20, 0.0026), (12, 240, 0.0291)]
        {
            let bound = at_least(&seen(interesting, total), 0.95);
            assert!((bound - expect).abs() < 1e-4, "{interesting} of {total}: {bound}");
        }
    }

    #[test]
    fn what_is_never_interesting_is_asked_as_often_as_the_confidence_needs() {
        for (interesting, total, confidence, expect) in
            [(59, 59, 0.95, 1), (12, 13, 0.95, 3), (12, 24, 0.95, 8), (12, 120, 0.95, 50), (12, 24, 0.8, 4)]
        {
            let rule = Repeats::Measured { confidence }.rule(&seen(interesting, total));
            assert_eq!(rule.until_noticed(), expect, "{interesting} of {total}");
            let (decision, runs) = Coin(1).ask(rule, 0.0);
            assert_eq!((decision, runs.total), (Decision::Refused, expect));
        }
    }

    #[test]
    fn what_hangs_is_asked_about_twice_unless_the_input_does_sometimes() {
        let repeats = Repeats::Measured { confidence: 0.95 };
        let hung = |total| Questions { total, timeout: total, ..Questions::default() };
        let rule = repeats.rule(&seen(12, 24));
        assert_eq!((rule.decide(&hung(1)), rule.decide(&hung(2))), (Decision::Again, Decision::Refused));
        let rule = repeats.rule(&Questions { timeout: 1, uninteresting: 11, ..seen(12, 24) });
        assert_eq!((rule.decide(&hung(2)), rule.decide(&hung(8))), (Decision::Again, Decision::Refused));
    }

    #[test]
    fn the_promises_hold_for_rates_from_5_to_90_percent() {
        let mut coin = Coin(7);
        let repeats = Repeats::Measured { confidence: 0.95 };
        let times = 2000;
        for rate in [0.05, 0.2, 0.5, 0.9] {
            let (mut noticed, mut kept, mut rare) = (0, 0, 0);
            for _ in 0..times {
                let input = coin.measure(repeats, rate);
                if input.interesting == 0 || input.interesting == input.total {
                    continue;
                }
                let rule = repeats.rule(&input);
                let (decision, runs) = coin.ask(rule, rate);
                noticed += u64::from(runs.interesting > 0);
                kept += u64::from(decision == Decision::Interesting);
                let floor = at_least(&input, 0.95) / SLACK;
                rare += u64::from(coin.ask(rule, floor).0 == Decision::Interesting);
            }
            let share = |count| count as f64 / times as f64;
            // All but the share of inputs that are taken for certain or for never interesting.
            println!("{rate}: noticed {noticed}, kept {kept}, rare {rare} of {times}");
            assert!(share(noticed) > 0.94 && share(kept) > 0.9 && share(rare) < 0.05, "{rate}");
        }
    }
}
