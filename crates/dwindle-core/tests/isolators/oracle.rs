//! Oracles with three outcomes, and how to draw them at random.

use dwindle_core::{Outcome, Subset};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

#[derive(Clone, Debug)]
pub(crate) enum Oracle {
    /// It fails with all of these, and is unresolved with one of the pairs' first but not their second.
    Causes { causes: Vec<usize>, requires: Vec<(usize, usize)> },
    /// The same without requirements, and unresolved at random, with probability `share` out of 256.
    Noisy { causes: Vec<usize>, share: u64, seed: u64 },
    /// At random: unresolved with probability `share` out of 256, else passing or failing alike.
    Arbitrary { share: u64, seed: u64 },
}

impl Oracle {
    /// Nothing passes, and everything fails.
    pub(crate) fn outcome(&self, applied: &Subset) -> Outcome {
        let has = |&position: &usize| applied.contains(position);
        if applied.is_empty() {
            return Outcome::Uninteresting;
        }
        if applied.len() == applied.universe() {
            return Outcome::Interesting;
        }
        let (unresolved, fails) = match self {
            Self::Causes { causes, requires } => {
                (requires.iter().any(|(one, other)| has(one) && !has(other)), causes.iter().all(has))
            }
            Self::Noisy { causes, share, seed } => {
                (hash(applied, *seed) % 256 < *share, causes.iter().all(has))
            }
            Self::Arbitrary { share, seed } => {
                let hash = hash(applied, *seed);
                (hash % 256 < *share, (hash >> 8) & 1 == 1)
            }
        };
        match (unresolved, fails) {
            (true, _) => Outcome::Unresolved,
            (_, true) => Outcome::Interesting,
            (_, false) => Outcome::Uninteresting,
        }
    }
}

fn hash(applied: &Subset, seed: u64) -> u64 {
    applied.iter().fold(seed, |hash, position| {
        let mixed = (hash ^ (position as u64 + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 29)
    }) >> 20
}

/// The same cases in every run.
pub(crate) fn config(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Config::default() }
}

fn causes(n: usize) -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..n, 1..4)
}

/// One that is never unresolved and fails with all of some positions.
pub(crate) fn resolved(n: usize) -> impl Strategy<Value = Oracle> {
    causes(n).prop_map(|causes| Oracle::Causes { causes, requires: Vec::new() })
}

pub(crate) fn any_oracle(n: usize) -> impl Strategy<Value = Oracle> {
    let requires = prop::collection::vec((0..n, 0..n), 0..2 * n);
    prop_oneof![
        (causes(n), requires).prop_map(|(causes, requires)| Oracle::Causes { causes, requires }),
        (causes(n), 0u64..256, any::<u64>()).prop_map(|(causes, share, seed)| Oracle::Noisy {
            causes,
            share,
            seed
        }),
        (0u64..257, any::<u64>()).prop_map(|(share, seed)| Oracle::Arbitrary { share, seed }),
    ]
}

/// So many positions and an oracle over them.
pub(crate) fn sized<O: Strategy<Value = Oracle>>(
    sizes: std::ops::RangeInclusive<usize>,
    oracle: impl Fn(usize) -> O,
) -> impl Strategy<Value = (usize, Oracle)> {
    sizes.prop_flat_map(move |n| (Just(n), oracle(n)))
}
