//! Machine and reference ask the same executed questions in the same order.

use dwindle_core::Subset;
use dwindle_core::minimizers::{DdminOptions, Order, TieOrder};
use proptest::prelude::*;

use crate::machine::Machine;
use crate::oracle::{Oracle, any_oracle, config, conjunctive, with_weights};
use crate::reference::{check_samples, check_selections};
use crate::run::{Tester, run};

fn check(machine: Machine, weights: &[u32], interesting: &dyn Fn(&Subset) -> bool) {
    let n = weights.len();
    let mut asked = Tester::new(n, interesting);
    let best = run(machine.start(weights), &mut asked);
    let mut expected = Tester::new(n, interesting);
    match machine.reference(weights, &mut |kept| expected.test_list(kept)) {
        Some(result) => {
            let (asked, expected) = (asked.executed(), expected.executed());
            if let Some(i) = (0..asked.len().max(expected.len())).find(|&i| asked.get(i) != expected.get(i)) {
                panic!("{machine:?}, question {i}: {:?} in place of {:?}", asked.get(i), expected.get(i));
            }
            assert_eq!(best.iter().collect::<Vec<_>>(), result, "{machine:?}");
        }
        None => match machine {
            Machine::ProbDd(sigma, TieOrder::Seeded(_)) => check_selections(n, sigma, &asked.questions),
            Machine::ActiveCoarsen(alpha, _) => check_samples(n, alpha, &asked.questions),
            // It is ddmin but for the order of chunks; what it guarantees is tested beside all others.
            Machine::Ddmin(DdminOptions { order: Order::Random, .. }) => {}
            _ => panic!("{machine:?} has no reference"),
        },
    }
}

#[test]
fn under_every_oracle_over_up_to_three_elements() {
    for n in 0..=3usize {
        let subsets = 1usize << n;
        for oracle in 0..1u64 << (subsets - 1) {
            let interesting = |kept: &Subset| {
                let mask: usize = kept.iter().map(|position| 1 << position).sum();
                mask == subsets - 1 || oracle >> mask & 1 == 1
            };
            for machine in Machine::compared() {
                check(machine, &[3, 1, 2][..n], &interesting);
            }
        }
    }
}

#[test]
fn whatever_is_needed_of_up_to_seven_elements() {
    for n in 1..=7usize {
        for needed in 0..1usize << n {
            let needed = Oracle::All((0..n).filter(|&position| needed >> position & 1 == 1).collect());
            for machine in Machine::compared() {
                check(machine, &[5, 8, 7, 7, 8, 16, 25][..n], &|kept| needed.interesting(kept));
            }
        }
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn under_random_oracles((weights, oracle) in with_weights(1..=12, any_oracle)) {
        for machine in Machine::compared() {
            check(machine, &weights, &|kept| oracle.interesting(kept));
        }
    }
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn under_random_oracles_over_long_lists(
        (weights, oracle) in with_weights(20..=60, any_oracle),
        machine in prop::sample::select(Machine::compared()),
    ) {
        check(machine, &weights, &|kept| oracle.interesting(kept));
    }

    #[test]
    fn whatever_is_needed_of_long_lists(
        (weights, oracle) in with_weights(60..=200, conjunctive),
        machine in prop::sample::select(Machine::compared()),
    ) {
        check(machine, &weights, &|kept| oracle.interesting(kept));
    }
}
