//! Oracles, and how to draw them at random.

use dwindle_core::Subset;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

#[derive(Clone, Debug)]
pub(crate) enum Oracle {
    /// All of these are kept.
    All(Vec<usize>),
    /// All of one of these clauses are kept (monotone, several optima).
    AnyClause(Vec<Vec<usize>>),
    /// The full list of so many, and others at random: with probability `share` out of 256.
    Arbitrary { n: usize, share: u64, seed: u64 },
    /// The goals are kept, and with each element what it depends on.
    Dependencies { goals: Vec<usize>, edges: Vec<(usize, usize)> },
}

impl Oracle {
    pub(crate) fn interesting(&self, kept: &Subset) -> bool {
        let all = |positions: &Vec<usize>| positions.iter().all(|&position| kept.contains(position));
        match self {
            Self::All(needed) => all(needed),
            Self::AnyClause(clauses) => clauses.iter().any(all),
            Self::Arbitrary { n, share, seed } => kept.len() == *n || hash(kept, *seed) % 256 < *share,
            Self::Dependencies { goals, edges } => {
                all(goals) && edges.iter().all(|&(from, to)| !kept.contains(from) || kept.contains(to))
            }
        }
    }
}

fn hash(kept: &Subset, seed: u64) -> u64 {
    kept.iter().fold(seed, |hash, position| {
        let mixed = (hash ^ (position as u64 + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 29)
    }) >> 20
}

/// The same cases in every run.
pub(crate) fn config(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Config::default() }
}

pub(crate) fn weights(n: usize) -> impl Strategy<Value = Vec<u32>> {
    let weight = prop_oneof![4 => 1u32..30, 1 => 0u32..2, 1 => 1u32..2000];
    prop_oneof![3 => prop::collection::vec(weight, n), 1 => Just(vec![1; n])]
}

fn members(n: usize, share: f64) -> impl Strategy<Value = Vec<usize>> {
    (prop::collection::vec(prop::bool::weighted(share), n), 0..n).prop_map(|(kept, one)| {
        let kept = kept.iter().enumerate();
        kept.filter(|&(position, &kept)| kept || position == one).map(|(position, _)| position).collect()
    })
}

/// Some elements are needed, at least one.
pub(crate) fn conjunctive(n: usize) -> impl Strategy<Value = Oracle> {
    prop_oneof![Just(0.0), Just(0.1), Just(0.3), Just(0.9)]
        .prop_flat_map(move |share| members(n, share))
        .prop_map(Oracle::All)
}

pub(crate) fn monotone(n: usize) -> impl Strategy<Value = Oracle> {
    prop::collection::vec(members(n, 0.25), 1..5).prop_map(Oracle::AnyClause)
}

pub(crate) fn arbitrary(n: usize) -> impl Strategy<Value = Oracle> {
    (0u64..200, any::<u64>()).prop_map(move |(share, seed)| Oracle::Arbitrary { n, share, seed })
}

pub(crate) fn dependencies(n: usize) -> impl Strategy<Value = Oracle> {
    (members(n, 0.15), prop::collection::vec((0..n, 0..n), 0..2 * n)).prop_map(|(goals, edges)| {
        let edges = edges.into_iter().filter(|(from, to)| from > to).collect();
        Oracle::Dependencies { goals, edges }
    })
}

pub(crate) fn any_oracle(n: usize) -> impl Strategy<Value = Oracle> {
    prop_oneof![conjunctive(n), monotone(n), arbitrary(n), dependencies(n)]
}

/// A list of `sizes` weights and an oracle over it.
pub(crate) fn with_weights<O: Strategy<Value = Oracle>>(
    sizes: std::ops::RangeInclusive<usize>,
    oracle: impl Fn(usize) -> O,
) -> impl Strategy<Value = (Vec<u32>, Oracle)> {
    sizes.prop_flat_map(move |n| (weights(n), oracle(n)))
}
