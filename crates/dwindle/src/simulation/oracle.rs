//! What simulated tests say.

use std::collections::{HashMap, HashSet};

use dwindle_core::Outcome;

use crate::driver::{Candidate, ContentKey};
use crate::lexer;

/// What simulated tests say, and how long that takes.
pub trait Oracle {
    /// Tests `candidate` beside so many others; the time is in microseconds, or for the simulation to
    /// choose.
    fn test(&mut self, candidate: &Candidate, beside: usize) -> (Outcome, Option<u64>);
}

impl<F: FnMut(&[u8]) -> bool> Oracle for F {
    fn test(&mut self, candidate: &Candidate, _beside: usize) -> (Outcome, Option<u64>) {
        (if self(&candidate.bytes) { Outcome::Interesting } else { Outcome::Uninteresting }, None)
    }
}

/// Knows which tokens are needed, and which can only stand where others do (a use and its
/// declaration, say).
#[derive(Clone, Debug, Default)]
pub struct Structural {
    /// Tokens that must be there.
    pub needed: Vec<Vec<u8>>,
    /// Where the first is, the second must be.
    pub dependencies: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Oracle for Structural {
    fn test(&mut self, candidate: &Candidate, _beside: usize) -> (Outcome, Option<u64>) {
        let bytes = &candidate.bytes[..];
        let tokens: HashSet<&[u8]> =
            lexer::tokens(bytes).map(|token| &bytes[token.start as usize..token.end as usize]).collect();
        let there = |token: &Vec<u8>| tokens.contains(&token[..]);
        let holds = self.needed.iter().all(there)
            && self.dependencies.iter().all(|(one, other)| !there(one) || there(other));
        (if holds { Outcome::Interesting } else { Outcome::Uninteresting }, None)
    }
}

/// The questions and answers of a real reduction, with the time that each test took.
///
/// What was not asked then is refused after the median time: a driver that runs the same search
/// may begin such tests ahead, but never commits them.
#[derive(Clone, Debug)]
pub struct Recorded {
    answers: HashMap<ContentKey, (Outcome, u64)>,
    median: u64,
}

impl Recorded {
    /// From contents, their outcomes and the microseconds of their tests.
    pub fn new(answers: HashMap<ContentKey, (Outcome, u64)>) -> Self {
        let mut times: Vec<u64> = answers.values().map(|&(_, micros)| micros).collect();
        times.sort_unstable();
        Self { median: times.get(times.len() / 2).copied().unwrap_or(1), answers }
    }
}

impl Oracle for Recorded {
    fn test(&mut self, candidate: &Candidate, _beside: usize) -> (Outcome, Option<u64>) {
        let unknown = (Outcome::Uninteresting, self.median);
        let (outcome, micros) = self.answers.get(&candidate.key).copied().unwrap_or(unknown);
        (outcome, Some(micros))
    }
}
