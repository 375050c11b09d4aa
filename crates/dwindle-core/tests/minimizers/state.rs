//! Machines are values: asking changes nothing, clones are independent, answers decide everything.

use dwindle_core::minimizers::TieOrder;
use dwindle_core::{AnyMinimizer, Minimizer, MinimizerConfig, MinimizerKind, Outcome, Subset};
use proptest::prelude::*;

use crate::machine::Machine;
use crate::oracle::{any_oracle, config, with_weights};
use crate::reference::cdd_sizes;
use crate::run::{outcome, removed};

fn tell_some(minimizer: &mut AnyMinimizer, answers: &[bool]) -> Vec<Subset> {
    let mut questions = Vec::new();
    for &answer in answers {
        let Some(candidate) = minimizer.ask() else { break };
        questions.push(candidate);
        minimizer.tell(outcome(answer));
    }
    questions
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn a_clone_goes_on_like_the_original_and_does_not_touch_it(
        weights in prop::collection::vec(0u32..20, 1..70),
        before in prop::collection::vec(prop::bool::weighted(0.2), 0..60),
        ahead in prop::collection::vec(any::<bool>(), 0..60),
        after in prop::collection::vec(prop::bool::weighted(0.2), 0..60),
    ) {
        for machine in Machine::all() {
            let mut original = machine.start(&weights);
            tell_some(&mut original, &before);
            let (mut speculation, mut clone) = (original.clone(), original.clone());
            tell_some(&mut speculation, &ahead);
            prop_assert_eq!(clone.ask(), original.ask(), "{:?}", machine);
            let questions = tell_some(&mut original, &after);
            prop_assert_eq!(tell_some(&mut clone, &after), questions, "{:?}", machine);
            prop_assert_eq!(clone.best(), original.best(), "{:?}", machine);
        }
    }

    #[test]
    fn asking_twice_is_asking_once((weights, oracle) in with_weights(1..=20, any_oracle)) {
        for machine in Machine::all() {
            let mut minimizer = machine.start(&weights);
            while let Some(candidate) = minimizer.ask() {
                let best = minimizer.best().clone();
                prop_assert_eq!(minimizer.ask(), Some(candidate.clone()), "{:?}", machine);
                prop_assert_eq!(minimizer.best(), &best, "{:?}", machine);
                minimizer.tell(outcome(oracle.interesting(&candidate)));
            }
            prop_assert_eq!(minimizer.ask(), None, "{:?}", machine);
        }
    }

    #[test]
    fn unresolved_is_treated_as_uninteresting((weights, oracle) in with_weights(1..=20, any_oracle)) {
        for machine in Machine::all() {
            let mut resolved = machine.start(&weights);
            let mut unresolved = resolved.clone();
            while let Some(candidate) = resolved.ask() {
                prop_assert_eq!(unresolved.ask(), Some(candidate.clone()), "{:?}", machine);
                let interesting = oracle.interesting(&candidate);
                resolved.tell(outcome(interesting));
                unresolved.tell(if interesting { Outcome::Interesting } else { Outcome::Unresolved });
            }
            prop_assert_eq!(unresolved.ask(), None, "{:?}", machine);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_questions_and_another_one_others() {
    for kind in [MinimizerKind::ProbDd, MinimizerKind::ActiveCoarsen] {
        let first = |seed| {
            MinimizerConfig { random: true, seed, ..MinimizerConfig::new(kind) }.start(&[1; 100]).ask()
        };
        assert_eq!(first(7), first(7), "{kind:?}");
        assert_ne!(first(7), first(8), "{kind:?}");
    }
}

#[test]
fn random_probdd_draws_a_new_place_for_each_refused_element() {
    let mut search = Machine::ProbDd(0.1, TieOrder::Seeded(1)).start(&[1; 1000]);
    let removal =
        |search: &AnyMinimizer| removed(search.best(), &search.ask().expect("every element is undecided"));
    let first = removal(&search);
    (0..1000 / first.len()).for_each(|_| search.tell(Outcome::Uninteresting));
    // In the old order the first elements of the second pass would be those of the first.
    let second = removal(&search);
    assert!(second.iter().any(|position| !first.contains(position)), "{second:?} is part of {first:?}");
}

#[test]
fn every_kind_starts_the_machine_of_its_name() {
    let started = MinimizerKind::ALL.map(|kind| {
        let debug = format!("{:?}", MinimizerConfig::new(kind).start(&[1, 2, 3]));
        // `Kind(Machine { ...`
        (kind.name(), debug.split(['(', ' ']).nth(1).unwrap_or_default().to_lowercase())
    });
    for (name, machine) in started {
        assert_eq!(name.trim_end_matches("-complement").replace('-', ""), machine);
    }
}

#[test]
fn cdd_and_probdd_begin_alike_where_all_chunks_are_full() {
    let size = cdd_sizes(0.1)[0];
    let mut cdd = Machine::Cdd(0.1).start(&[1; 120]);
    let mut probdd = MinimizerConfig::new(MinimizerKind::ProbDd).start(&[1; 120]);
    for _ in 0..120 / size {
        assert_eq!(cdd.ask(), probdd.ask());
        cdd.tell(Outcome::Uninteresting);
        probdd.tell(Outcome::Uninteresting);
    }
}

/// The share of elements that a sample removes is 1 − α, with logit α raised by 1/e whatever the
/// answer and lowered by 1 for a pass.
#[test]
fn active_coarsening_follows_the_observed_rate_of_passes() {
    let n = 100_000;
    for answers in
        [[false; 12], [false, true, false, false, true, false, true, false, false, true, true, false]]
    {
        let mut search = Machine::ActiveCoarsen(0.5, 3).start(&vec![1; n]);
        let mut theta: f64 = 0.0;
        for answer in answers {
            let candidate = search.ask().expect("a sample removes more than one element on average");
            let share = 1.0 / (1.0 + theta.exp());
            let elements = search.best().len() as f64;
            let deviation = removed(search.best(), &candidate).len() as f64 - share * elements;
            assert!(deviation.abs() < 5.0 * (elements * share).sqrt(), "{deviation} too many at {theta}");
            search.tell(outcome(answer));
            theta += (-1.0f64).exp() - f64::from(u8::from(answer));
        }
    }
}

/// What follows the samples, when they would remove less than one element on average, is a cyclic
/// scan that ends when every element has been refused in a row.
#[test]
fn active_coarsening_ends_with_a_cyclic_scan_of_single_elements() {
    let n = 40;
    let mut search = Machine::ActiveCoarsen(0.5, 5).start(&vec![1; n]);
    let mut theta: f64 = 0.0;
    while n as f64 / (1.0 + theta.exp()) >= 1.0 {
        search.tell(Outcome::Uninteresting);
        theta += (-1.0f64).exp();
    }
    let after_a_success = (4..n).chain(0..3);
    for element in (0..4).chain(after_a_success) {
        let candidate = search.ask().expect("not every element has been refused in a row");
        assert_eq!(removed(search.best(), &candidate), [element]);
        search.tell(outcome(element == 3));
    }
    assert_eq!(search.ask(), None);
}
