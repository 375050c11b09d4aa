//! What each minimiser promises of its result and of the number of its questions.
//!
//! That every candidate is a proper subset of the best, and that the result is what was last told
//! to be interesting, is checked by [`run`] for every run of this test suite.

use dwindle_core::Subset;
use proptest::prelude::*;

use crate::machine::Machine;
use crate::oracle::{Oracle, any_oracle, arbitrary, config, conjunctive, monotone, with_weights};
use crate::run::{Tester, removed, run, subset};

fn result(machine: Machine, weights: &[u32], oracle: &Oracle) -> Subset {
    let interesting = |kept: &Subset| oracle.interesting(kept);
    run(machine.start(weights), &mut Tester::new(weights.len(), &interesting))
}

fn executed(machine: Machine, weights: &[u32], oracle: &Oracle) -> usize {
    let interesting = |kept: &Subset| oracle.interesting(kept);
    let mut tester = Tester::new(weights.len(), &interesting);
    run(machine.start(weights), &mut tester);
    tester.executed().len()
}

/// Whether an interesting set of two or more stays so without one of its elements.
fn is_one_minimal(kept: &Subset, oracle: &Oracle) -> bool {
    let passes_without = |position: usize| {
        let mut candidate = kept.clone();
        candidate.remove(position);
        oracle.interesting(&candidate)
    };
    kept.len() < 2 || !kept.iter().any(passes_without)
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn the_result_is_one_minimal_for_any_oracle_where_promised(
        (weights, oracle) in with_weights(1..=10, arbitrary),
    ) {
        for machine in Machine::all().into_iter().filter(|machine| machine.is_one_minimal()) {
            let best = result(machine, &weights, &oracle);
            prop_assert!(is_one_minimal(&best, &oracle), "{machine:?} stops at {best:?}");
        }
    }

    #[test]
    fn no_part_of_the_result_of_a_monotone_oracle_is_interesting(
        (weights, oracle) in with_weights(1..=10, monotone),
    ) {
        for machine in Machine::all() {
            let best = result(machine, &weights, &oracle);
            let members: Vec<usize> = best.iter().collect();
            for mask in 0..(1usize << members.len()) - 1 {
                let part = members.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1);
                let part = subset(weights.len(), part.map(|(_, &position)| position));
                prop_assert!(!oracle.interesting(&part), "{machine:?}: {best:?} contains {part:?}");
            }
        }
    }

    #[test]
    fn the_questions_stay_below_the_bound((weights, oracle) in with_weights(1..=12, any_oracle)) {
        for machine in Machine::all() {
            if let Some(bound) = machine.bound(weights.len()) {
                let executed = executed(machine, &weights, &oracle);
                prop_assert!(executed <= bound, "{machine:?}: {executed} of at most {bound} questions");
            }
        }
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn what_is_needed_and_nothing_else_is_left((weights, oracle) in with_weights(1..=80, conjunctive)) {
        let Oracle::All(needed) = &oracle else { unreachable!("a conjunctive oracle") };
        for machine in Machine::all() {
            let best = result(machine, &weights, &oracle);
            prop_assert_eq!(&best.iter().collect::<Vec<_>>(), needed, "{:?}", machine);
        }
    }
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn probabilistic_machines_ask_about_twice_per_element(
        (weights, oracle) in with_weights(1..=200, conjunctive),
    ) {
        // A regression alarm, not a theorem: at most 2.3 questions per element were ever seen.
        let probabilistic = |machine: &Machine| matches!(machine, Machine::ProbDd(..) | Machine::WProbDd(_));
        for machine in Machine::all().into_iter().filter(probabilistic) {
            let (executed, alarm) = (executed(machine, &weights, &oracle), 3 * weights.len() + 10);
            prop_assert!(executed <= alarm, "{machine:?}: {executed} questions");
        }
    }

    #[test]
    fn splitting_pays_a_bisection_per_needed_element(
        (weights, oracle) in with_weights(1..=300, conjunctive),
    ) {
        let Oracle::All(needed) = &oracle else { unreachable!("a conjunctive oracle") };
        let interesting = |kept: &Subset| oracle.interesting(kept);
        let mut tester = Tester::new(weights.len(), &interesting);
        run(Machine::Splitting.start(&weights), &mut tester);
        let mut best = Subset::full(weights.len());
        let mut largest_group = 1;
        for question in &tester.questions {
            largest_group = largest_group.max(removed(&best, &question.kept).len());
            if question.interesting {
                best = question.kept.clone();
            }
        }
        let bisection = largest_group.next_power_of_two().ilog2() as usize;
        let bound = weights.len() + needed.len() * (bisection + 1);
        let executed = tester.executed().len();
        prop_assert!(executed <= bound, "{executed} of at most {bound} questions");
    }
}

/// The counts of all-needed lists are known exactly.
#[test]
fn a_list_of_a_thousand_needed_elements_costs_what_the_model_says() {
    use dwindle_core::minimizers::{AfterSuccess, DdminOptions, SplitTie, TieOrder};
    let weights: Vec<u32> = (0..1000).map(|i| i * 7919 % 20 + 1).collect();
    let oracle = Oracle::All((0..1000).collect());
    let continuing = DdminOptions { after_success: AfterSuccess::Continue, ..DdminOptions::default() };
    for (machine, least, most) in [
        (Machine::Ddmin(DdminOptions::default()), 3994, 3994),
        (Machine::Ddmin(continuing), 3994, 3994),
        (Machine::Ddmin(DdminOptions::complements_only()), 1998, 1998),
        (Machine::Wddmin(SplitTie::Larger), 3994, 3994),
        (Machine::ProbDd(0.1, TieOrder::Index), 2017, 2017),
        (Machine::Cdd(0.1), 2100, 2100),
        (Machine::Splitting, 1002, 1004),
    ] {
        let executed = executed(machine, &weights, &oracle);
        assert!((least..=most).contains(&executed), "{machine:?}: {executed} questions");
    }
}

/// Stopping at p ≥ 0.8, as Perses does, keeps element 3 here without having tried it alone.
/// The counter-example of our model to Perses' threshold: element 3 is kept though it was never tried alone.
#[test]
fn with_a_threshold_below_one_wprobdd_keeps_what_nobody_needs() {
    let needed = Oracle::All(vec![0, 2]);
    for (machine, kept) in [(Machine::WProbDd(0.1), vec![0, 2]), (Machine::WProbDdUpTo(0.8), vec![0, 2, 3])] {
        assert_eq!(result(machine, &[3, 7, 12, 10], &needed).to_vec(), kept, "{machine:?}");
    }
}

#[test]
fn wprobdd_tries_every_element_alone_before_it_keeps_it() {
    let oracle = Oracle::All(vec![0, 2]);
    assert_eq!(result(Machine::WProbDd(0.1), &[3, 7, 12, 10], &oracle).to_vec(), [0, 2]);
}
