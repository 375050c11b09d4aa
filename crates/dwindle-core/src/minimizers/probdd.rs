//! ProbDD (Wang et al., ESEC/FSE 2021): a Bernoulli model of which elements are needed picks each
//! question.
//!
//! Every element has a probability of being needed, `σ` at first. The next removal is the prefix of
//! the elements in ascending order of probability with the highest expected gain
//! `|R|·Π(1 − p_i)` (Theorem 3.5). A refused removal raises the probabilities of its elements by
//! Bayes' rule; alone refused, an element is needed. `O(n)` questions. Minimal for a monotone
//! oracle; without monotony not even 1-minimal.
//!
//! Differences to the paper: the prefix has the closed form `max { j : j·p_(j) ≤ 1 }`, which needs
//! no products and decides ties exactly (the larger set, as in the published traces); an element
//! counts as needed only when it has been refused alone, where the authors' code stops at 0.8 (see
//! [`ProbDd::with_threshold`]).

use alloc::vec::Vec;

use crate::ordered::Ordered;
use crate::random::Random;
use crate::{Minimizer, Outcome, Subset};

/// The order among elements of equal probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieOrder {
    /// By position.
    Index,
    /// Random, drawn anew whenever an element's probability changes (the paper's order).
    Seeded(u64),
}

/// An undecided element; the order is that of selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Element {
    /// The bits of a positive float are in its order.
    p: u64,
    rank: u32,
    index: u32,
}

/// The machine; see the [module](self).
#[derive(Clone, Debug)]
pub struct ProbDd {
    best: Subset,
    random: Option<Random>,
    /// The undecided elements that are not being tried.
    waiting: Ordered<Element>,
    /// What is being tried; empty when the search is over.
    removal: Vec<Element>,
    /// The probability from which on an element counts as needed.
    threshold: f64,
}

impl ProbDd {
    /// A search over `0..len`; `sigma` is the assumed share of elements that stay, in (0, 1).
    pub fn new(len: usize, sigma: f64, ties: TieOrder) -> Self {
        assert!(sigma > 0.0 && sigma < 1.0, "sigma must lie between 0 and 1, not {sigma}");
        let mut random = match ties {
            TieOrder::Index => None,
            TieOrder::Seeded(seed) => Some(Random::new(seed)),
        };
        let elements = (0..len as u32)
            .map(|index| Element { p: sigma.to_bits(), rank: draw(&mut random), index })
            .collect();
        let mut probdd = Self {
            best: Subset::full(len),
            random,
            waiting: Ordered::new(elements),
            removal: Vec::new(),
            threshold: 1.0,
        };
        probdd.select();
        probdd
    }

    /// The same, but an element counts as needed from this probability on; the authors' programs have 0.8.
    pub fn with_threshold(self, threshold: f64) -> Self {
        assert!(threshold > 0.0 && threshold <= 1.0, "a threshold lies between 0 and 1, not {threshold}");
        Self { threshold, ..self }
    }

    /// Pops the prefix with the highest expected gain.
    fn select(&mut self) {
        let fits =
            |(j, element): &(usize, Element)| (j + 1) as f64 * f64::from_bits(element.p) <= 1.0 + 1e-12;
        // p < 1, so the first element always fits.
        let count = self.waiting.iter().enumerate().take_while(fits).count();
        self.removal = (0..count).filter_map(|_| self.waiting.pop()).collect();
    }
}

fn draw(random: &mut Option<Random>) -> u32 {
    random.as_mut().map_or(0, |random| random.next() as u32)
}

/// The probability of being needed after a removal was refused, given what it was before and
/// `log_pass`, the logarithm of the probability that the removal would pass (section 3.3).
pub(crate) fn posterior(p: f64, log_pass: f64) -> f64 {
    (p / -libm::expm1(log_pass)).min(1.0 - f64::EPSILON / 2.0)
}

impl Minimizer for ProbDd {
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
            let log_pass: f64 =
                self.removal.iter().map(|element| libm::log1p(-f64::from_bits(element.p))).sum();
            let mut refused = core::mem::take(&mut self.removal);
            for element in &mut refused {
                element.p = posterior(f64::from_bits(element.p), log_pass).to_bits();
                element.rank = draw(&mut self.random);
            }
            refused.retain(|element| f64::from_bits(element.p) < self.threshold);
            self.waiting.extend(refused);
        }
        self.select();
    }

    fn best(&self) -> &Subset {
        &self.best
    }
}

#[cfg(test)]
impl ProbDd {
    /// The probability of every element of the best list, 1 for needed ones, 0 for removed ones.
    pub(crate) fn probabilities(&self) -> Vec<f64> {
        let mut p: Vec<f64> =
            (0..self.best.universe()).map(|i| f64::from(u8::from(self.best.contains(i)))).collect();
        for element in self.waiting.iter().chain(self.removal.iter().copied()) {
            p[element.index as usize] = f64::from_bits(element.p);
        }
        p
    }

    /// Tries `removal` next, which must be as good a choice as the machine's own (the published
    /// runs drew at random among equals).
    pub(crate) fn force(&mut self, removal: &Subset) {
        let own: f64 = self.removal.iter().map(|element| f64::from_bits(element.p)).sum();
        let mut all: Vec<Element> = self.waiting.iter().chain(self.removal.iter().copied()).collect();
        self.removal = all.extract_if(.., |element| removal.contains(element.index as usize)).collect();
        self.waiting = Ordered::new(all);
        assert_eq!(self.removal.len(), removal.len());
        let forced: f64 = self.removal.iter().map(|element| f64::from_bits(element.p)).sum();
        assert!((own - forced).abs() < 1e-12, "{own} against {forced}");
    }
}
