//! CDD, counter-based delta debugging (Zhang et al., ICSE 2025): ProbDD's behaviour with a round
//! counter in place of probabilities.
//!
//! Round `r` cuts the best list into chunks of the size that maximises the expected gain at
//! `p_r = p0·(1 − e⁻¹)^−r` and tries to delete each once; the last round has size 1. At most
//! `Σ_r ⌈n/s_r⌉` questions (about 2.1 n for `p0` = 0.1). Minimal for a monotone oracle, not
//! 1-minimal in general.

use alloc::sync::Arc;

use crate::{Minimizer, Outcome, Subset};

/// `1 / (1 − e⁻¹)`: how the probability grows from round to round (Lemma III.2).
const GROWTH: f64 = 1.581_976_706_869_326_5;

/// The chunk size with the largest expected gain `s·(1 − p)^s`; of two equal ones the larger.
fn size(p: f64) -> usize {
    (libm::floor(1.0 / p + 1e-9) as usize).max(1)
}

/// The machine; see the [module](self).
#[derive(Clone, Debug)]
pub struct Cdd {
    best: Subset,
    /// The best list at the start of the round.
    list: Arc<[u32]>,
    p: f64,
    size: usize,
    /// The chunk `list[size·chunk..]` that is being tried; behind the last one the search is over.
    chunk: usize,
}

impl Cdd {
    /// A search over `0..len`; `p0` is the assumed share of elements that stay, in (0, 1).
    pub fn new(len: usize, p0: f64) -> Self {
        assert!(p0 > 0.0 && p0 < 1.0, "p0 must lie between 0 and 1, not {p0}");
        let best = Subset::full(len);
        Self { list: best.to_vec().into(), best, p: p0, size: size(p0), chunk: 0 }
    }

    fn removal(&self) -> Option<&[u32]> {
        self.list.chunks(self.size).nth(self.chunk)
    }
}

impl Minimizer for Cdd {
    fn ask(&self) -> Option<Subset> {
        Some(self.best.without_all(self.removal()?.iter().copied()))
    }

    fn tell(&mut self, outcome: Outcome) {
        if outcome.is_interesting()
            && let Some(candidate) = self.ask()
        {
            self.best = candidate;
        }
        self.chunk += 1;
        if self.removal().is_none() && self.size > 1 {
            self.p *= GROWTH;
            self.size = size(self.p);
            self.list = self.best.to_vec().into();
            self.chunk = 0;
        }
    }

    fn best(&self) -> &Subset {
        &self.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn sizes_are_those_of_the_paper() {
        let vectors: serde_json::Value =
            serde_json::from_str(include_str!("../../testdata/vectors.json")).unwrap();
        for (p0, sizes) in vectors["cdd_sizes"].as_object().unwrap() {
            let expected: Vec<u64> =
                sizes.as_array().unwrap().iter().map(|size| size.as_u64().unwrap()).collect();
            let mut p: f64 = p0.parse().unwrap();
            let mut found = Vec::new();
            while found.last() != Some(&1) {
                found.push(size(p) as u64);
                p *= GROWTH;
            }
            assert_eq!(found, expected, "p0 = {p0}");
        }
    }
}
