//! The driver: runs a [`Search`] against the world until it is over.

use std::cmp::Ordering;
use std::collections::HashMap;

use dwindle_core::{Answer, Ask, Outcome, Search};

use crate::front_end;
use crate::report::Size;

/// What a driver does its search in.
pub trait World {
    /// What stops the search with an error.
    type Error;

    /// Runs the test on `candidate`; `None` stops the search.
    fn test(&mut self, candidate: &[u8], label: &'static str) -> Result<Option<Outcome>, Self::Error>;

    /// Takes note that a question was answered from the outcomes so far.
    fn cached(&mut self);

    /// Keeps `best`, which is interesting and smaller than what was kept before.
    fn keep(&mut self, best: &[u8], size: Size) -> Result<(), Self::Error>;
}

/// Runs `search` to its end, starting from the interesting `input` of this size; says whether it came
/// there or was stopped by the world.
///
/// Every outcome is remembered by the content of the candidate, so nothing is tested twice. An
/// interesting candidate that is not smaller than the best in the order of [`Size::compare`] (a
/// byte less can be a token more) is told to the search as uninteresting, so results only shrink.
pub fn drive<S: Search, W: World>(
    mut search: S,
    input: &[u8],
    size: Size,
    world: &mut W,
) -> Result<bool, W::Error> {
    let mut outcomes: HashMap<[u8; 16], Outcome> = HashMap::from([(key(input), Outcome::Interesting)]);
    let mut best = input.to_vec();
    let mut best_size = size;
    let mut candidate = Vec::new();
    loop {
        match search.ask() {
            Ask::Done => return Ok(true),
            Ask::Parse(variant, format) => {
                search.tell(Answer::Text(front_end::cut(variant.render(), format)))
            }
            Ask::Test(variant) => {
                variant.render_into(&mut candidate);
                let key = key(&candidate);
                let outcome = if let Some(&outcome) = outcomes.get(&key) {
                    world.cached();
                    outcome
                } else {
                    let Some(outcome) = world.test(&candidate, search.label())? else { return Ok(false) };
                    outcomes.insert(key, outcome);
                    outcome
                };
                let size = outcome.is_interesting().then(|| match variant.tokens() {
                    Some(tokens) => Size::with_tokens(&candidate, tokens),
                    None => Size::of(&candidate),
                });
                let smaller =
                    size.filter(|size| size.compare(&candidate, best_size, &best) == Ordering::Less);
                if let Some(size) = smaller {
                    std::mem::swap(&mut best, &mut candidate);
                    best_size = size;
                    world.keep(&best, size)?;
                }
                search.tell(Answer::Outcome(match (outcome, smaller) {
                    (Outcome::Interesting, None) => Outcome::Uninteresting,
                    _ => outcome,
                }));
            }
        }
    }
}

fn key(candidate: &[u8]) -> [u8; 16] {
    let mut key = [0; 16];
    blake3::Hasher::new().update(candidate).finalize_xof().fill(&mut key);
    key
}
