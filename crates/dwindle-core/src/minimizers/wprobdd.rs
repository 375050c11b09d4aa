//! WProbDD, the weighted ProbDD of WDD (Zhou et al., ICSE 2025).
//!
//! The model and its update are [ProbDD](super::ProbDd)'s. Elements are ordered by descending
//! `w·(1 − p)` (then ascending `p`, then position), and the prefix with the highest expected gain
//! `Σw·Π(1 − p)` over all lengths is tried, of equal ones the shorter. `O(n)` questions; minimal
//! for a monotone oracle.
//!
//! The gain has several local maxima, so the scan may stop only when the weight of all that is
//! left could not make up for the falling product: some dozens of elements at customary `p0`,
//! where Perses sorts and scans the whole list per question. As in [ProbDD](super::ProbDd), only a
//! refusal alone makes an element needed: the 0.8 of Perses loses minimality here.

use alloc::vec::Vec;
use core::cmp::Reverse;

use super::probdd::posterior;
use crate::ordered::Ordered;
use crate::{Minimizer, Outcome, Subset};

/// Gains whose logarithms differ by less are equal.
const EQUAL_GAIN: f64 = 1e-12;

/// An undecided element; the order is that of selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Element {
    /// The bits of `w·(1 − p)`; bits of positive floats are in their order.
    gain: Reverse<u64>,
    p: u64,
    index: u32,
    weight: u32,
}

impl Element {
    fn new(index: u32, weight: u32, p: f64) -> Self {
        Self { gain: Reverse((f64::from(weight) * (1.0 - p)).to_bits()), p: p.to_bits(), index, weight }
    }

    fn log_pass(&self) -> f64 {
        libm::log1p(-f64::from_bits(self.p))
    }
}

/// The machine; see the [module](self).
#[derive(Clone, Debug)]
pub struct WProbDd {
    best: Subset,
    /// The undecided elements that are not being tried, and the sum of their weights.
    waiting: Ordered<Element>,
    weight: u64,
    /// What is being tried; empty when the search is over.
    removal: Vec<Element>,
    /// The probability from which on an element counts as needed.
    threshold: f64,
}

impl WProbDd {
    /// A search over the elements of `weights` (0 counts as 1); `p0` is the assumed probability of
    /// an element to stay, in (0, 1).
    pub fn new(weights: &[u32], p0: f64) -> Self {
        assert!(p0 > 0.0 && p0 < 1.0, "p0 must lie between 0 and 1, not {p0}");
        let elements: Vec<Element> =
            (0..).zip(weights).map(|(index, &weight)| Element::new(index, weight.max(1), p0)).collect();
        let mut wprobdd = Self {
            best: Subset::full(weights.len()),
            weight: elements.iter().map(|element| u64::from(element.weight)).sum(),
            waiting: Ordered::new(elements),
            removal: Vec::new(),
            threshold: 1.0,
        };
        wprobdd.select();
        wprobdd
    }

    /// The same, but an element counts as needed from this probability on. Perses has 0.8, with which results need
    /// not be minimal for a monotone oracle.
    pub fn with_threshold(self, threshold: f64) -> Self {
        assert!(threshold > 0.0 && threshold <= 1.0, "a threshold lies between 0 and 1, not {threshold}");
        Self { threshold, ..self }
    }

    /// Pops the prefix with the highest expected gain.
    fn select(&mut self) {
        let log_all = libm::log(self.weight as f64);
        let (mut weight, mut log_pass) = (0, 0.0);
        let (mut count, mut best_gain) = (0, f64::NEG_INFINITY);
        for (i, element) in self.waiting.iter().enumerate() {
            weight += u64::from(element.weight);
            log_pass += element.log_pass();
            let gain = libm::log(weight as f64) + log_pass;
            if gain > best_gain + EQUAL_GAIN {
                (count, best_gain) = (i + 1, gain);
            } else if log_all + log_pass < best_gain {
                break;
            }
        }
        self.removal = (0..count).filter_map(|_| self.waiting.pop()).collect();
        self.weight -= self.removal.iter().map(|element| u64::from(element.weight)).sum::<u64>();
    }
}

impl Minimizer for WProbDd {
    fn ask(&self) -> Option<Subset> {
        let removal = self.removal.iter().map(|element| element.index);
        (!self.removal.is_empty()).then(|| self.best.without_all(removal))
    }

    fn tell(&mut self, outcome: Outcome) {
        if outcome.is_interesting()
            && let Some(candidate) = self.ask()
        {
            self.best = candidate;
        } else if self.removal.len() > 1 {
            let log_pass: f64 = self.removal.iter().map(Element::log_pass).sum();
            let mut refused = core::mem::take(&mut self.removal);
            for element in &mut refused {
                let p = posterior(f64::from_bits(element.p), log_pass);
                *element = Element::new(element.index, element.weight, p);
            }
            refused.retain(|element| f64::from_bits(element.p) < self.threshold);
            self.weight += refused.iter().map(|element| u64::from(element.weight)).sum::<u64>();
            self.waiting.extend(refused);
        }
        self.select();
    }

    fn best(&self) -> &Subset {
        &self.best
    }
}

#[cfg(test)]
impl WProbDd {
    /// The probability of every element of the best list, 1 for needed ones, 0 for removed ones.
    pub(crate) fn probabilities(&self) -> Vec<f64> {
        let mut p: Vec<f64> =
            (0..self.best.universe()).map(|i| f64::from(u8::from(self.best.contains(i)))).collect();
        for element in self.waiting.iter().chain(self.removal.iter().copied()) {
            p[element.index as usize] = f64::from_bits(element.p);
        }
        p
    }
}
