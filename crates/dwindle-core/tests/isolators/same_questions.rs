//! dd asks what its paper asks, in the same order, and what the worked examples say.

use dwindle_core::isolate::{Dd, Isolator};
use dwindle_core::{Outcome, Subset};
use proptest::prelude::*;

use crate::oracle::{any_oracle, config, sized};
use crate::reference::{self, Set};
use crate::run::{Tester, run, subset};

fn check(n: usize, oracle: &dyn Fn(&Subset) -> Outcome) {
    let mut asked = Tester::new(n, oracle);
    let ends = run(Dd::new(n), &mut asked);
    let mut expected = Tester::new(n, oracle);
    let mut test = |set: &Set| expected.test(&subset(n, set.iter().copied()));
    let (passing, failing) = reference::dd(Set::new(), (0..n).collect(), &mut test);
    assert_eq!(asked.questions, expected.questions);
    assert_eq!(ends, (subset(n, passing), subset(n, failing)));
}

#[test]
fn under_every_oracle_over_up_to_three_elements() {
    const OUTCOMES: [Outcome; 3] = [Outcome::Uninteresting, Outcome::Interesting, Outcome::Unresolved];
    for n in 0..=3u32 {
        for oracle in 0..3usize.pow(2u32.pow(n)) {
            check(n as usize, &|applied| {
                let mask: u32 = applied.iter().map(|position| 1 << position).sum();
                OUTCOMES[oracle / 3usize.pow(mask) % 3]
            });
        }
    }
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn under_random_oracles((n, oracle) in sized(1..=40, any_oracle)) {
        check(n, &|applied| oracle.outcome(applied));
    }
}

/// Elements are digits from 1; `-` stands for passing, `!` for failing, `?` for unresolved.
#[track_caller]
fn trace(isolator: impl Isolator, oracle: impl Fn(&str) -> Outcome, expected: &str) {
    let spell = |set: &Subset| set.iter().map(|position| (position + 1).to_string()).collect::<String>();
    let outcome = |set: &Subset| oracle(&spell(set));
    let mut tester = Tester::new(8, &outcome);
    let (passing, failing) = run(isolator, &mut tester);
    let mut spelled: Vec<String> = Vec::new();
    for (set, outcome) in &tester.questions {
        let mark = match outcome {
            Outcome::Uninteresting => "-",
            Outcome::Interesting => "!",
            Outcome::Unresolved => "?",
        };
        spelled.push(spell(set) + mark);
    }
    assert_eq!(format!("{} = {} {}", spelled.join(" "), spell(&passing), spell(&failing)), expected);
}

fn fails_with(causes: &str) -> impl Fn(&str) -> Outcome {
    move |applied| match causes.chars().all(|cause| applied.contains(cause)) {
        true => Outcome::Interesting,
        false => Outcome::Uninteresting,
    }
}

#[test]
fn dd_of_the_worked_examples() {
    trace(Dd::new(8), fails_with("178"), "1234- 5678- 125678! 15678! = 5678 15678");
    trace(Dd::new(8), fails_with("3"), "1234! 12- 34! 3! =  3");
    trace(Dd::new(8), fails_with("36"), "1234- 5678- 125678- 345678! 35678! = 5678 35678");
}

#[test]
fn dd_doubles_where_halves_are_unresolved() {
    // The first and the last belong together.
    let oracle = |applied: &str| match applied.contains('1') == applied.contains('8') {
        true => fails_with("3")(applied),
        false => Outcome::Unresolved,
    };
    let asked = "1234? 5678? 12? 34! 3! =  3";
    trace(Dd::new(8), oracle, asked);
}
