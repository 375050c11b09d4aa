//! A list, searched to its end.

use dwindle_core::{EmptyPolicy, Minimizer, MinimizerConfig, Outcome};

/// What stays of a list of elements of these weights. The empty list is tested when `policy` says so, and once only.
pub(crate) fn minimised(
    config: MinimizerConfig,
    weights: &[u32],
    policy: EmptyPolicy,
    test: &mut dyn FnMut(&[usize]) -> bool,
) -> Vec<usize> {
    if policy == EmptyPolicy::TestFirst && !weights.is_empty() && test(&[]) {
        return Vec::new();
    }
    let mut best: Vec<usize> = (0..weights.len()).collect();
    let mut tested_last = policy != EmptyPolicy::TestLast;
    let mut minimizer = config.start(weights);
    while let Some(candidate) = minimizer.ask() {
        let candidate: Vec<usize> = candidate.iter().collect();
        let is_asked = !candidate.is_empty() || (!tested_last && best.len() == 1);
        tested_last |= is_asked && candidate.is_empty();
        let passed = is_asked && test(&candidate);
        minimizer.tell(if passed { Outcome::Interesting } else { Outcome::Uninteresting });
        if passed {
            best = candidate;
        }
    }
    if !tested_last && best.len() == 1 && test(&[]) {
        best.clear();
    }
    best
}
