//! The empty candidate is tested when the policy says, whatever the minimiser asks for.

use dwindle_core::{EmptyPolicy, Subset, WithEmpty};
use proptest::prelude::*;

use crate::machine::Machine;
use crate::oracle::{Oracle, any_oracle, config, with_weights};
use crate::run::{Question, Tester, run};

struct Run {
    questions: Vec<Question>,
    best: Subset,
}

/// Runs `machine`; the empty set is interesting if `empty` says so.
fn run_with(
    policy: Option<EmptyPolicy>,
    machine: Machine,
    weights: &[u32],
    oracle: &Oracle,
    empty: bool,
) -> Run {
    let interesting = |kept: &Subset| if kept.is_empty() { empty } else { oracle.interesting(kept) };
    let mut tester = Tester::new(weights.len(), &interesting);
    let minimizer = machine.start(weights);
    let best = match policy {
        Some(policy) => run(WithEmpty::new(minimizer, policy), &mut tester),
        None => run(minimizer, &mut tester),
    };
    Run { questions: tester.questions, best }
}

fn not_empty(questions: &[Question]) -> Vec<&Question> {
    questions.iter().filter(|question| !question.kept.is_empty()).collect()
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn test_first_asks_for_nothing_once_and_first(
        (weights, oracle) in with_weights(1..=10, any_oracle),
        empty: bool,
    ) {
        for machine in Machine::all() {
            let run = run_with(Some(EmptyPolicy::TestFirst), machine, &weights, &oracle, empty);
            let refused = run_with(None, machine, &weights, &oracle, false);
            prop_assert!(run.questions[0].kept.is_empty(), "{machine:?}");
            if empty {
                prop_assert_eq!((run.questions.len(), run.best.len()), (1, 0), "{:?}", machine);
            } else {
                prop_assert_eq!(run.best, refused.best, "{:?}", machine);
                let questions: Vec<&Question> = run.questions[1..].iter().collect();
                prop_assert_eq!(questions, not_empty(&refused.questions), "{:?}", machine);
            }
        }
    }

    #[test]
    fn test_last_asks_for_nothing_when_one_element_is_left(
        (weights, oracle) in with_weights(1..=10, any_oracle),
        empty: bool,
    ) {
        for machine in Machine::all() {
            let run = run_with(Some(EmptyPolicy::TestLast), machine, &weights, &oracle, empty);
            let refused = run_with(None, machine, &weights, &oracle, false);
            let alone = refused.best.len() == 1;
            let asked = run.questions.iter().filter(|question| question.kept.is_empty()).count();
            prop_assert_eq!(asked, usize::from(alone), "{:?}", machine);
            let left = if alone && empty { Subset::empty(weights.len()) } else { refused.best };
            prop_assert_eq!(run.best, left, "{:?}", machine);
        }
    }

    #[test]
    fn never_keeps_an_element_without_asking(
        (weights, oracle) in with_weights(1..=10, any_oracle),
        empty: bool,
    ) {
        for machine in Machine::all() {
            let run = run_with(Some(EmptyPolicy::Never), machine, &weights, &oracle, empty);
            let refused = run_with(None, machine, &weights, &oracle, false);
            let questions: Vec<&Question> = run.questions.iter().collect();
            prop_assert_eq!(questions, not_empty(&refused.questions), "{:?}", machine);
            prop_assert_eq!(run.best, refused.best, "{:?}", machine);
        }
    }
}

#[test]
fn a_list_of_no_elements_raises_no_question() {
    for machine in Machine::all() {
        for policy in
            [EmptyPolicy::TestFirst, EmptyPolicy::TestLast, EmptyPolicy::Never, EmptyPolicy::AsAsked]
        {
            let run = run_with(Some(policy), machine, &[], &Oracle::All(Vec::new()), true);
            assert_eq!(run.questions, [], "{machine:?}");
        }
    }
}
