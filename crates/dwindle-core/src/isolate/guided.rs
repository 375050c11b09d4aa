//! Isolation guided by a Bernoulli model, our own: what [ProbDD](crate::minimizers::ProbDd) is to ddmin, this is to
//! [dd](crate::isolate::Dd).
//!
//! A question either adds a set of differences to the list that passes or takes it from the one that fails. Whether
//! it then passes or fails, the two come nearer; only an unresolved outcome is wasted. So each difference has two
//! probabilities of being *bound* to the others: that what passes is unresolved with it but without some of them,
//! and that what fails is unresolved without it but with some of them. A set is resolved if none of its elements is
//! bound, which has the probability `Π(1 − p_i)`. If it is, it tells on which side of the cut the cause is, which is
//! `H(|S| / |Δ|)` bits where the cause may be anywhere. The next question is the set with the largest product of the
//! two, among the prefixes of the differences in ascending order of probability; equals in the order of the list,
//! adding before taking.
//!
//! An unresolved set raises the probabilities of its elements by Bayes' rule, as in ProbDD; one that was alone
//! in it is bound. When the difference shrinks from `n` to `m` elements, every probability is multiplied by
//! `m / n`: whatever an element is bound to is still between the lists with that probability. At first it is
//! `1 / |Δ|`: one of them is bound, that is, sets of nearly half of them are asked.
//!
//! The result is 1-minimal for any oracle, as that of dd is: it ends when one element is left, or when each of them
//! was unresolved alone, both added and taken, since the difference was last made smaller. Where nothing is
//! unresolved it asks about `log2 |Δ|` questions, each of which halves the difference: half of what dd asks.
//!
//! ```
//! use dwindle_core::isolate::{Guided, Isolator};
//! use dwindle_core::Outcome;
//! let mut guided = Guided::new(1000);
//! let mut questions = 0;
//! while let Some(candidate) = guided.ask() {
//!     questions += 1;
//!     guided.tell(if candidate.contains(700) { Outcome::Interesting } else { Outcome::Uninteresting });
//! }
//! assert_eq!(guided.failing().without(guided.passing()).to_vec(), [700]);
//! assert!(questions <= 11);
//! ```

use alloc::vec;
use alloc::vec::Vec;

use super::isolator::Isolator;
use crate::minimizers::probdd::posterior;
use crate::{Outcome, Subset};

/// The machine; the comment of the module describes it.
#[derive(Clone, Debug)]
pub struct Guided {
    passing: Subset,
    failing: Subset,
    /// For each side, the probability of each position to be bound.
    bound: [Vec<f64>; 2],
    /// Nothing when the search is over.
    question: Option<Question>,
}

#[derive(Clone, Debug)]
struct Question {
    side: Side,
    set: Vec<u32>,
    /// The logarithm of the probability that it is resolved.
    log_resolved: f64,
}

/// What becomes of a set.
#[derive(Clone, Copy, Debug)]
enum Side {
    /// It is added to what passes.
    Add,
    /// It is taken from what fails.
    Take,
}

impl Guided {
    /// A search between nothing and `0..len`.
    pub fn new(len: usize) -> Self {
        let prior = vec![1.0 / len as f64; len];
        let mut guided = Self {
            passing: Subset::empty(len),
            failing: Subset::full(len),
            bound: [prior.clone(), prior],
            question: None,
        };
        guided.choose();
        guided
    }

    fn difference(&self) -> Vec<u32> {
        self.failing.without(&self.passing).to_vec()
    }

    /// Chooses the question that is expected to tell most.
    fn choose(&mut self) {
        self.question = None;
        let difference = self.difference();
        let n = difference.len();
        let mut most = 0.0;
        for side in [Side::Add, Side::Take] {
            let bound = |position: &u32| self.bound[side as usize][*position as usize];
            let mut order: Vec<u32> =
                difference.iter().copied().filter(|position| bound(position) < 1.0).collect();
            order.sort_by(|one, other| bound(one).total_cmp(&bound(other)));
            let mut log_resolved = 0.0;
            // The rest of a larger set is a smaller one of the other side.
            for (position, size) in order.iter().zip(1..=n / 2) {
                log_resolved += libm::log1p(-bound(position));
                let told = libm::exp(log_resolved) * entropy(size as f64 / n as f64);
                if told > most {
                    most = told;
                    self.question = Some(Question { side, set: order[..size].to_vec(), log_resolved });
                }
            }
        }
    }

    /// What was asked about is the new end of the difference, which had `before` elements.
    fn shrink(&mut self, before: usize) {
        let rest = self.difference();
        let share = rest.len() as f64 / before as f64;
        for position in rest {
            self.bound.iter_mut().for_each(|bound| bound[position as usize] *= share);
        }
    }
}

/// How many bits it tells whether something of probability `p` is so, `0 < p < 1`.
fn entropy(p: f64) -> f64 {
    -(p * libm::log2(p) + (1.0 - p) * libm::log2(1.0 - p))
}

impl Isolator for Guided {
    fn ask(&self) -> Option<Subset> {
        let Question { side, set, .. } = self.question.as_ref()?;
        Some(match side {
            Side::Add => self.passing.with_all(set.iter().copied()),
            Side::Take => self.failing.without_all(set.iter().copied()),
        })
    }

    fn tell(&mut self, outcome: Outcome) {
        let (Some(candidate), before) = (self.ask(), self.difference().len()) else { return };
        match outcome {
            Outcome::Uninteresting => {
                self.passing = candidate;
                self.shrink(before);
            }
            Outcome::Interesting => {
                self.failing = candidate;
                self.shrink(before);
            }
            Outcome::Unresolved => {
                let Some(Question { side, set, log_resolved }) = self.question.take() else { return };
                let bound = &mut self.bound[side as usize];
                for position in set.iter().map(|&position| position as usize) {
                    let alone = set.len() == 1;
                    bound[position] = if alone { 1.0 } else { posterior(bound[position], log_resolved) };
                }
            }
        }
        self.choose();
    }

    fn passing(&self) -> &Subset {
        &self.passing
    }

    fn failing(&self) -> &Subset {
        &self.failing
    }
}
