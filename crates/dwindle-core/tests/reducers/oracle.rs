//! Oracles over texts, and what was asked of them.

use std::collections::BTreeMap;

use dwindle_core::{Answer, Ask, Outcome, Search, Tree, Variant};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(crate) enum Oracle {
    /// All of these characters are there.
    All(Vec<u8>),
    /// The input, and other texts at random: about one in `rarity`.
    Arbitrary { rarity: u64, seed: u64 },
}

impl Oracle {
    pub(crate) fn any() -> impl Strategy<Value = Self> {
        prop_oneof![
            prop::collection::vec(b'a'..=b'p', 0..4).prop_map(Self::All),
            (2u64..8, any::<u64>()).prop_map(|(rarity, seed)| Self::Arbitrary { rarity, seed }),
        ]
    }

    fn interesting(&self, input: &str, text: &str) -> bool {
        match self {
            // What the input has not is not wanted.
            Self::All(needed) => {
                let needed = needed.iter().map(|&byte| char::from(byte));
                needed.filter(|&needed| input.contains(needed)).all(|needed| text.contains(needed))
            }
            Self::Arbitrary { rarity, seed } => {
                let hash = text
                    .bytes()
                    .fold(seed | 1, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
                let mixed = (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                text == input || mixed >> 33 < (1 << 31) / rarity
            }
        }
    }
}

/// An oracle behind a full cache.
pub(crate) struct Tester<'a> {
    input: String,
    oracle: &'a Oracle,
    known: BTreeMap<String, bool>,
    /// The texts that were executed, and whether they were interesting.
    pub(crate) executed: Vec<(String, bool)>,
}

impl<'a> Tester<'a> {
    /// The input is known to be interesting.
    pub(crate) fn new(input: &str, oracle: &'a Oracle) -> Self {
        let known = BTreeMap::from([(input.to_owned(), true)]);
        Self { input: input.to_owned(), oracle, known, executed: Vec::new() }
    }

    pub(crate) fn test(&mut self, text: &str) -> bool {
        if let Some(&known) = self.known.get(text) {
            return known;
        }
        let interesting = self.oracle.interesting(&self.input, text);
        self.known.insert(text.to_owned(), interesting);
        self.executed.push((text.to_owned(), interesting));
        interesting
    }
}

/// Runs a search to its end; `parse` reads what it wants to have read. The result.
pub(crate) fn run(
    mut search: impl Search,
    tester: &mut Tester<'_>,
    parse: impl Fn(&str) -> Arc<Tree>,
) -> String {
    loop {
        let answer = match search.ask() {
            Ask::Test(variant) => {
                let passed = tester.test(&text(&variant));
                Answer::Outcome(if passed { Outcome::Interesting } else { Outcome::Uninteresting })
            }
            Ask::Parse(variant, _) => Answer::Tree(parse(&text(&variant))),
            Ask::Done => return text(search.best()),
        };
        search.tell(answer);
    }
}

/// Without white space, so that texts of the same tokens are the same.
fn text(variant: &Variant) -> String {
    let bytes = variant.render().into_iter().filter(|byte| !byte.is_ascii_whitespace());
    String::from_utf8(bytes.collect()).expect("the input is ASCII")
}

/// Compares what was asked, and the results.
#[track_caller]
pub(crate) fn assert_same(
    what: &dyn std::fmt::Debug,
    (asked, result): (&Tester<'_>, String),
    (expected, expected_result): (&Tester<'_>, String),
) {
    let (asked, expected) = (&asked.executed, &expected.executed);
    if let Some(i) = (0..asked.len().max(expected.len())).find(|&i| asked.get(i) != expected.get(i)) {
        let before = &asked[i.saturating_sub(4)..i];
        panic!(
            "{what:?}, question {i}: {:?} in place of {:?} after {before:?}",
            asked.get(i),
            expected.get(i)
        );
    }
    assert_eq!(result, expected_result, "{what:?}");
}

/// The same cases in every run.
pub(crate) fn cases(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Config::default() }
}
