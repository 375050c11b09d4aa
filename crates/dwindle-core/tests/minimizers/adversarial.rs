//! Oracles that no algorithm was made for, and lists that are very short or very long.

use std::cell::Cell;

use dwindle_core::minimizers::{Opdd, TieOrder};
use dwindle_core::{Minimizer, Outcome, Subset};

use crate::machine::Machine;
use crate::oracle::Oracle;
use crate::run::{Tester, outcome, run};

/// What `machine` leaves of `n` elements.
fn result(machine: Machine, n: usize, interesting: &dyn Fn(&Subset) -> bool) -> Subset {
    run(machine.start(&vec![1; n]), &mut Tester::new(n, interesting))
}

fn for_each(sizes: &[usize], check: impl Fn(Machine, usize)) {
    for machine in Machine::all() {
        sizes.iter().for_each(|&n| check(machine, n));
    }
}

#[test]
fn a_list_of_which_nothing_may_go_stays_as_it_is() {
    for_each(&[0, 1, 2, 3, 4, 64, 65], |machine, n| {
        assert_eq!(result(machine, n, &|_| false), Subset::full(n), "{machine:?}");
    });
}

#[test]
fn of_a_list_of_which_everything_may_go_at_most_one_element_stays() {
    for_each(&[0, 1, 2, 3, 4, 64, 65], |machine, n| {
        assert!(result(machine, n, &|_| true).len() <= 1, "{machine:?}");
    });
}

#[test]
fn a_list_of_no_elements_raises_no_question() {
    for_each(&[0], |machine, n| assert_eq!(machine.start(&vec![1; n]).ask(), None, "{machine:?}"));
}

#[test]
fn an_oracle_that_contradicts_itself_does_not_stop_the_search_from_ending() {
    for_each(&[1, 2, 3, 50], |machine, n| {
        let mut minimizer = machine.start(&vec![1; n]);
        for question in 0.. {
            assert!(question < 10_000, "{machine:?} does not end");
            let Some(candidate) = minimizer.ask() else { break };
            assert!(candidate.len() < minimizer.best().len(), "{machine:?}");
            minimizer.tell(outcome(question % 2 == 1));
        }
    });
}

#[test]
fn every_other_answer_is_interesting() {
    for_each(&[1, 2, 3, 50], |machine, n| {
        let answers = Cell::new(0);
        let interesting = |_: &Subset| answers.replace(answers.get() + 1) % 2 == 0;
        result(machine, n, &interesting);
    });
}

#[test]
fn only_even_lists_are_interesting() {
    for_each(&[2, 4, 50], |machine, n| {
        let even = |kept: &Subset| kept.len().is_multiple_of(2);
        assert!(even(&result(machine, n, &even)), "{machine:?}");
    });
}

#[test]
fn only_one_certain_element_is_needed() {
    for_each(&[1, 2, 3, 4, 63, 64, 65], |machine, n| {
        for needed in [0, n / 2, n - 1] {
            let best = result(machine, n, &|kept| kept.contains(needed));
            assert_eq!(best.iter().collect::<Vec<_>>(), [needed], "{machine:?}");
        }
    });
}

#[test]
fn any_one_element_will_do() {
    for_each(&[1, 2, 3, 4, 64, 65], |machine, n| {
        assert_eq!(result(machine, n, &|kept| !kept.is_empty()).len(), 1, "{machine:?}");
    });
}

#[test]
fn huge_and_zero_weights_change_no_result() {
    let oracle = Oracle::All(vec![2, 5]);
    for weights in [[0; 8], [u32::MAX; 8], [0, u32::MAX, 0, 1, u32::MAX, 0, 1, u32::MAX]] {
        for machine in Machine::all() {
            let interesting = |kept: &Subset| oracle.interesting(kept);
            let best = run(machine.start(&weights), &mut Tester::new(8, &interesting));
            assert_eq!(best.to_vec(), [2, 5], "{machine:?}, {weights:?}");
        }
    }
}

#[test]
fn a_weight_of_zero_counts_as_one() {
    let oracle = Oracle::All(vec![2, 5]);
    let interesting = |kept: &Subset| oracle.interesting(kept);
    for machine in Machine::all() {
        let questions = [[0, 3, 0, 1, 7, 0, 1, 2], [1, 3, 1, 1, 7, 1, 1, 2]].map(|weights| {
            let mut tester = Tester::new(8, &interesting);
            run(machine.start(&weights), &mut tester);
            tester.questions
        });
        assert_eq!(questions[0], questions[1], "{machine:?}");
    }
}

const LONG: usize = 200_000;

/// The number of questions until `minimizer` ends when nothing may go. The candidates are not
/// looked at, so they are not asked for except to find the end.
fn refusals(mut minimizer: impl Minimizer) -> usize {
    let mut refusals = 0;
    let mut before = minimizer.clone();
    while minimizer.ask().is_some() {
        before = minimizer.clone();
        (0..16).for_each(|_| minimizer.tell(Outcome::Uninteresting));
        refusals += 16;
    }
    refusals = usize::saturating_sub(refusals, 16);
    while before.ask().is_some() {
        before.tell(Outcome::Uninteresting);
        refusals += 1;
    }
    assert_eq!(before.best().len(), LONG);
    refusals
}

#[track_caller]
fn check_long_list_of_which_nothing_may_go(machine: Machine, expected: usize) {
    assert_eq!(refusals(machine.start(&vec![1; LONG])), expected, "{machine:?}");
}

#[test]
fn dfs_asks_twice_per_element_of_a_long_list_of_which_nothing_may_go() {
    check_long_list_of_which_nothing_may_go(Machine::Dfs, 2 * LONG - 2);
}

#[test]
fn opdd_asks_once_per_chunk_of_a_long_list_of_which_nothing_may_go() {
    let opdd = refusals(Opdd::new(LONG));
    // 2 + 4 + … + 2^17 chunks, then the single elements.
    assert_eq!(opdd, (1 << 18) - 2 + LONG);
}

#[test]
fn cdd_asks_once_per_chunk_of_a_long_list_of_which_nothing_may_go() {
    let chunks = [10, 6, 3, 2, 1].map(|size| LONG.div_ceil(size)).iter().sum();
    check_long_list_of_which_nothing_may_go(Machine::Cdd(0.1), chunks);
}

#[test]
fn probdd_asks_about_twice_per_element_of_a_long_list_of_which_nothing_may_go() {
    let sizes = [10, 6, 4, 2, 1].map(|size| LONG.div_ceil(size)).iter().sum::<usize>();
    let refusals = refusals(Machine::ProbDd(0.1, TieOrder::Index).start(&vec![1; LONG]));
    assert!(refusals.abs_diff(sizes) < 1000, "{refusals} in place of about {sizes}");
}

#[test]
fn wprobdd_asks_about_twice_per_element_of_a_long_list_of_which_nothing_may_go() {
    let refusals = refusals(Machine::WProbDd(0.1).start(&vec![1; LONG]));
    assert!(refusals < 9 * LONG / 4, "{refusals} questions");
}

#[test]
fn splitting_asks_about_once_per_element_of_a_long_list_of_which_nothing_may_go() {
    let refusals = refusals(Machine::Splitting.start(&vec![1; LONG]));
    assert!(refusals.abs_diff(LONG) < 20, "{refusals} questions");
}

#[test]
fn seventeen_needed_elements_are_found_among_many() {
    let needed: Vec<usize> = (1..=17u64).map(|i| (i * 2_654_435_761 % LONG as u64) as usize).collect();
    let weights: Vec<u32> = (0..LONG as u32).map(|i| i * 7919 % 50).collect();
    for machine in Machine::linear() {
        let mut minimizer = machine.start(&weights);
        let mut questions = 0;
        while let Some(candidate) = minimizer.ask() {
            minimizer.tell(outcome(needed.iter().all(|&position| candidate.contains(position))));
            questions += 1;
        }
        let mut expected = needed.clone();
        expected.sort_unstable();
        assert_eq!(minimizer.best().iter().collect::<Vec<_>>(), expected, "{machine:?}");
        assert!(questions < LONG / 2, "{machine:?}: {questions} questions");
    }
}
