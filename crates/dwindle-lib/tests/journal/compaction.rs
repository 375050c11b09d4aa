//! A journal that becomes too long is written anew and loses what is needed least.

use std::fs;

use dwindle::Size;
use dwindle::journal::Policy;
use proptest::prelude::*;

use crate::support::{World, key, known, outcomes, reduction, texts, write};

fn length(world: &World) -> u64 {
    fs::metadata(world.path("journal")).unwrap().len()
}

#[test]
fn the_newest_outcomes_and_the_newest_step_stay() {
    const LIMIT: u64 = 20_000;
    let world = World::new();
    let (mut journal, _) = world.open_limited(b"input", Policy::Auto, LIMIT).unwrap();
    journal.facts(&serde_json::json!("facts")).unwrap();
    journal.step(b"in", Size::of(b"in"), 1).unwrap();
    for number in 0..10_000 {
        journal.outcome(key(number), known(1)).unwrap();
        assert!(length(&world) <= LIMIT);
    }
    drop(journal);
    let (_, recovered) = world.resume(b"input");
    assert_eq!(recovered.questions, 10_000, "those that are forgotten are counted");
    assert_eq!(recovered.facts, Some(serde_json::json!("facts")));
    assert_eq!(recovered.best.unwrap().1, b"in");
    let kept = recovered.outcomes.len() as u64;
    assert!(kept > LIMIT / 100, "{kept}");
    assert!((10_000 - kept..10_000).all(|number| recovered.outcomes.contains_key(&key(number))));
}

#[test]
fn earlier_steps_are_thinned_out_and_later_ones_are_denser() {
    const LIMIT: u64 = 60_000;
    let world = World::new();
    let text = |number: u64| {
        let mut text = vec![0; 200];
        blake3::Hasher::new().update(&number.to_le_bytes()).finalize_xof().fill(&mut text);
        text
    };
    let (mut journal, _) = world.open_limited(&text(0), Policy::Auto, LIMIT).unwrap();
    for number in 1..=1000 {
        journal.step(&text(number), Size::of(&text(number)), number).unwrap();
        assert!(length(&world) <= LIMIT);
    }
    let history = world.history();
    let numbers: Vec<_> = history.steps().iter().map(|step| step.number).collect();
    assert_eq!((numbers[0], numbers.last()), (0, Some(&1000)));
    let gaps: Vec<_> = numbers.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(gaps.first() > gaps.last() && gaps.last() == Some(&1), "{numbers:?}");
    for step in history.steps() {
        assert_eq!(history.text(step.number).unwrap().unwrap(), text(step.number));
        assert_eq!(step.question, step.number);
    }
    assert!(journal.steps().map(|step| step.unwrap().0).eq(history.steps().iter().rev().copied()));
}

#[test]
fn an_input_above_the_limit_is_kept_and_the_journal_stays_near_it() {
    let world = World::new();
    let mut input = vec![0; 10_000];
    blake3::Hasher::new().finalize_xof().fill(&mut input);
    let (mut journal, _) = world.open_limited(&input, Policy::Auto, 1).unwrap();
    for number in 0..2000 {
        journal.outcome(key(number), known(1)).unwrap();
        journal.step(&input[number as usize..], Size::of(&input[number as usize..]), number).unwrap();
        assert!(length(&world) < 45_000, "twice the input and the newest step");
    }
    let history = world.history();
    assert_eq!(history.text(0).unwrap().unwrap(), input);
    assert_eq!(history.text(2000).unwrap().unwrap(), input[1999..]);
    assert_eq!(history.questions(), 2000);
}

proptest! {
    #[test]
    fn nothing_wrong_is_read_after_compaction(
        (input, entries) in reduction(300, 200),
        limit in 500..4000u64,
        resumed in any::<bool>(),
    ) {
        let world = World::new();
        let (mut journal, _) = world.open_limited(&input, Policy::Auto, limit).unwrap();
        for (number, entry) in entries.iter().enumerate() {
            write(&mut journal, entry, number as u64).unwrap();
            if resumed && number % 50 == 0 {
                drop(journal);
                journal = world.open_limited(&input, Policy::Resume, limit).unwrap().0;
            }
        }
        let texts = texts(&input, &entries);
        let history = world.history();
        prop_assert_eq!(history.steps()[0].number, 0);
        prop_assert_eq!(history.steps().last().unwrap().number as usize, texts.len() - 1);
        prop_assert!(history.steps().is_sorted_by(|one, other| one.number < other.number));
        for step in history.steps() {
            prop_assert_eq!(&history.text(step.number).unwrap().unwrap(), &texts[step.number as usize]);
        }
        let of_journal: Vec<_> = journal.steps().map(|step| step.unwrap().0).collect();
        prop_assert!(of_journal.iter().eq(history.steps().iter().rev()));
        drop(journal);
        let recovered = world.resume(&input).1;
        let outcomes = outcomes(&entries);
        prop_assert_eq!(recovered.questions, outcomes.iter().map(|(_, known)| u64::from(known.runs)).sum::<u64>());
        let newest = &outcomes[outcomes.len() - recovered.outcomes.len()..];
        prop_assert_eq!(recovered.outcomes, newest.iter().cloned().collect());
    }
}
