//! The search of the differences of two texts, over several levels.

use std::sync::Arc;

use dwindle_core::isolate::{Algorithm, Delta, Differences, IsolateSearch, Level};
use dwindle_core::{Answer, Ask, Outcome, Search};
use proptest::prelude::*;

use crate::oracle::config;

/// Two texts of as many letters, which differ in each; groups of `width` letters, then single ones.
fn differences(n: usize, width: usize) -> Arc<Differences> {
    let (old, new) = ("a".repeat(n), "b".repeat(n));
    let deltas: Vec<Delta> = (0..n).map(|at| Delta { old: at..at + 1, new: at..at + 1 }).collect();
    let groups = (1..=n.div_ceil(width)).map(|group| (group * width).min(n) as u32).collect();
    let single = (1..=n as u32).collect();
    let levels = vec![Level { name: "groups", ends: groups }, Level { name: "letters", ends: single }];
    Arc::new(Differences::new(old.as_bytes(), new.as_bytes(), &deltas, levels))
}

/// What passes and what fails in the end, and the questions; each candidate is tested once.
fn isolated(
    differences: &Arc<Differences>,
    algorithm: Algorithm,
    oracle: impl Fn(&str) -> Outcome,
) -> (String, String, Vec<String>) {
    let spell = |variant: &dwindle_core::Variant| String::from_utf8_lossy(&variant.render()).into_owned();
    let mut search = IsolateSearch::new(differences.clone(), algorithm);
    let mut asked = Vec::new();
    while let Ask::Test(variant) = search.ask() {
        let candidate = spell(&variant);
        assert!(asked.len() < 10_000, "the search does not end");
        search.tell(Answer::Outcome(oracle(&candidate)));
        asked.push(candidate);
        let fails = spell(search.best());
        assert!(asked.contains(&fails) || fails == spell(&differences.apply(search.failing())));
    }
    let [passing, failing] = [search.passing(), search.failing()].map(|end| spell(&differences.apply(end)));
    assert_eq!(failing, spell(search.best()));
    (passing, failing, asked)
}

fn fails_if(fails: bool) -> Outcome {
    if fails { Outcome::Interesting } else { Outcome::Uninteresting }
}

#[test]
fn groups_come_first_and_then_what_is_in_them() {
    let differences = differences(16, 4);
    for algorithm in Algorithm::ALL {
        let fails = |text: &str| fails_if(text.as_bytes()[5] == b'b');
        let (passing, failing, asked) = isolated(&differences, algorithm, fails);
        assert_eq!((passing.as_str(), failing.as_str()), ("aaaaaaaaaaaaaaaa", "aaaaabaaaaaaaaaa"));
        assert!(asked.len() <= 10, "{algorithm:?}: {asked:?}");
    }
}

#[test]
fn a_difference_that_fails_alone_is_one_from_the_text_that_passes() {
    // All letters before the last one pass, so the search comes to it from far off.
    let differences = differences(8, 1);
    for algorithm in Algorithm::ALL {
        let (passing, failing, asked) =
            isolated(&differences, algorithm, |text| fails_if(text.ends_with('b')));
        assert!(asked.iter().any(|text| text.starts_with('b')), "{algorithm:?}: {asked:?}");
        assert_eq!((passing.as_str(), failing.as_str()), ("aaaaaaaa", "aaaaaaab"), "{algorithm:?}");
    }
}

#[test]
fn what_the_difference_needs_is_minimised_too() {
    // Two letters that are far from each other; one of them is the difference, and the other one is what it needs.
    let differences = differences(40, 4);
    let fails = |text: &str| fails_if(text.as_bytes()[7] == b'b' && text.as_bytes()[30] == b'b');
    for algorithm in Algorithm::ALL {
        let (passing, failing, _) = isolated(&differences, algorithm, fails);
        let letters = [&passing, &failing].map(|text| text.matches('b').count());
        assert_eq!(letters, [1, 2], "{algorithm:?}: {passing} {failing}");
    }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn the_result_is_one_minimal_in_the_last_level(
        n in 1usize..14,
        width in 1usize..5,
        share in 0u64..256,
        seed in any::<u64>(),
    ) {
        let differences = differences(n, width);
        let (old, new) = ("a".repeat(n), "b".repeat(n));
        let oracle = |text: &str| {
            let hash = text.bytes().fold(seed, |hash, byte| {
                let mixed = (hash ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                mixed ^ (mixed >> 29)
            });
            match hash >> 20 {
                _ if text == old => Outcome::Uninteresting,
                _ if text == new => Outcome::Interesting,
                hash if hash % 256 < share => Outcome::Unresolved,
                hash => fails_if(hash >> 8 & 1 == 1),
            }
        };
        for algorithm in Algorithm::ALL {
            let (passing, failing, _) = isolated(&differences, algorithm, oracle);
            prop_assert_eq!(oracle(&passing), Outcome::Uninteresting);
            prop_assert_eq!(oracle(&failing), Outcome::Interesting);
            let open: Vec<usize> = (0..n).filter(|&at| passing[at..=at] != failing[at..=at]).collect();
            for &at in open.iter().filter(|_| open.len() > 1) {
                let with = |text: &str, letter| format!("{}{letter}{}", &text[..at], &text[at + 1..]);
                prop_assert_eq!(oracle(&with(&passing, 'b')), Outcome::Unresolved);
                prop_assert_eq!(oracle(&with(&failing, 'a')), Outcome::Unresolved);
            }
        }
    }
}
