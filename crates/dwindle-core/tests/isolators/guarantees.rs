//! What each isolator promises of its result and of the number of its questions.
//!
//! That the two ends were seen to pass and to fail is checked by [`run`] for every run of this test suite.

use dwindle_core::isolate::{Algorithm, Isolator, isolate_with};
use dwindle_core::{Outcome, Subset};
use proptest::prelude::*;

use crate::oracle::{Oracle, any_oracle, config, resolved, sized};
use crate::run::{Tester, run};

/// The ends, and how many questions were executed.
fn isolated(algorithm: Algorithm, n: usize, oracle: &Oracle) -> (Subset, Subset, usize) {
    let outcome = |applied: &Subset| oracle.outcome(applied);
    let mut tester = Tester::new(n, &outcome);
    let (passing, failing) = run(algorithm.start(n), &mut tester);
    (passing, failing, tester.questions.len())
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn each_element_of_the_difference_is_unresolved_alone((n, oracle) in sized(1..=24, any_oracle)) {
        for algorithm in Algorithm::ALL {
            let (passing, failing, _) = isolated(algorithm, n, &oracle);
            let difference = failing.without(&passing);
            for position in difference.iter().filter(|_| difference.len() > 1) {
                let (mut added, mut taken) = (passing.clone(), failing.clone());
                added.insert(position);
                taken.remove(position);
                for candidate in [added, taken] {
                    let outcome = oracle.outcome(&candidate);
                    prop_assert_eq!(outcome, Outcome::Unresolved, "{:?} {:?}", algorithm, candidate);
                }
            }
        }
    }

    #[test]
    fn one_element_is_left_where_nothing_is_unresolved((n, oracle) in sized(1..=300, resolved)) {
        // The least number of halvings that leaves one of n.
        let halvings = n.next_power_of_two().ilog2() as usize;
        for algorithm in Algorithm::ALL {
            let (passing, failing, questions) = isolated(algorithm, n, &oracle);
            prop_assert_eq!(failing.len() - passing.len(), 1);
            let most = match algorithm {
                Algorithm::Dd => 2 * halvings,
                Algorithm::Guided => halvings + 2,
            };
            prop_assert!(questions <= most, "{:?}: {} questions of {}", algorithm, questions, most);
        }
    }

    #[test]
    fn the_questions_of_dd_stay_below_the_bound((n, oracle) in sized(1..=24, any_oracle)) {
        let (_, _, questions) = isolated(Algorithm::Dd, n, &oracle);
        prop_assert!(questions <= n * n + 7 * n, "{questions} of {n}");
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn a_clone_goes_on_like_the_original(
        (n, oracle) in sized(1..=24, any_oracle),
        ahead in prop::collection::vec(0usize..3, 0..40),
    ) {
        const OUTCOMES: [Outcome; 3] = [Outcome::Uninteresting, Outcome::Interesting, Outcome::Unresolved];
        for algorithm in Algorithm::ALL {
            let mut isolator = algorithm.start(n);
            while let Some(candidate) = isolator.ask() {
                let mut speculation = isolator.clone();
                // Telling one that is at its end changes nothing.
                ahead.iter().for_each(|&outcome| speculation.tell(OUTCOMES[outcome]));
                prop_assert_eq!(isolator.ask(), Some(candidate.clone()));
                isolator.tell(oracle.outcome(&candidate));
            }
        }
    }
}

#[test]
fn lists_are_isolated_without_asking_anything_twice() {
    let items: Vec<usize> = (0..50).collect();
    for algorithm in Algorithm::ALL {
        let mut asked: Vec<Vec<usize>> = Vec::new();
        let isolated = isolate_with(algorithm, &items, |chosen| {
            let chosen: Vec<usize> = chosen.iter().map(|item| **item).collect();
            assert!(!asked.contains(&chosen), "{chosen:?} was asked before");
            asked.push(chosen.clone());
            match (chosen.contains(&7), chosen.contains(&40), chosen.contains(&20)) {
                (one, other, _) if one != other => Outcome::Unresolved,
                (_, _, true) => Outcome::Interesting,
                _ => Outcome::Uninteresting,
            }
        });
        assert_eq!(isolated.difference, [&20], "{algorithm:?}");
        assert_eq!(isolated.failing.len(), isolated.passing.len() + 1);
    }
    let nothing: [usize; 0] = [];
    let isolated = isolate_with(Algorithm::Dd, &nothing, |_| unreachable!("there is no difference"));
    assert!(isolated.difference.is_empty());
}
