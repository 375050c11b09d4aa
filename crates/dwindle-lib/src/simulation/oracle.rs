//! What simulated tests say.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use dwindle_core::{Evidence, Outcome, Vocabulary};
use dwindle_read::lexer;

use crate::driver::{Candidate, ContentKey};
use crate::journal::KnownOutcome;

/// What simulated tests say, and how long that takes.
pub trait Oracle {
    /// Tests `candidate` beside so many others; the time is in microseconds, or for the simulation to
    /// choose.
    fn test(&mut self, candidate: &Candidate, beside: usize) -> (Outcome, Option<u64>);

    /// What the output of a test that has refused `candidate` gives away.
    fn evidence(&mut self, _candidate: &Candidate, _vocabulary: &Arc<Vocabulary>) -> Evidence {
        Evidence::default()
    }
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
    answers: HashMap<ContentKey, KnownOutcome>,
    median: u64,
}

impl Recorded {
    /// From what a journal knows.
    pub fn new(answers: HashMap<ContentKey, KnownOutcome>) -> Self {
        let mut times: Vec<u64> = answers.values().map(micros).collect();
        times.sort_unstable();
        Self { median: times.get(times.len() / 2).copied().unwrap_or(1), answers }
    }
}

impl Oracle for Recorded {
    fn test(&mut self, candidate: &Candidate, _beside: usize) -> (Outcome, Option<u64>) {
        let unknown = (Outcome::Uninteresting, self.median);
        let known = self.answers.get(&candidate.key);
        let (outcome, micros) = known.map_or(unknown, |known| (known.outcome, micros(known)));
        (outcome, Some(micros))
    }

    fn evidence(&mut self, candidate: &Candidate, vocabulary: &Arc<Vocabulary>) -> Evidence {
        let words = self.answers.get(&candidate.key).map_or(&[][..], |known| &known.words);
        Evidence::of(vocabulary, words)
    }
}

fn micros(known: &KnownOutcome) -> u64 {
    ((f64::from(known.seconds) * 1e6) as u64).max(1)
}
