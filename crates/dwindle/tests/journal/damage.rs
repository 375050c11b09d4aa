//! A journal that was torn or damaged is read as far as it is whole, and gone on with.

use std::fs;

use dwindle::journal::{JournalError, Policy};
use proptest::prelude::*;

use crate::support::{Entry, World, key, known, outcomes, reduction, texts, write};

/// A journal of this reduction, and how long it was at first and after each entry.
fn journal(world: &World, input: &[u8], entries: &[Entry]) -> (Vec<u8>, Vec<usize>) {
    let mut journal = world.begin(input);
    let length = || fs::metadata(world.path("journal")).unwrap().len() as usize;
    let mut lengths = vec![length()];
    for (number, entry) in entries.iter().enumerate() {
        write(&mut journal, entry, number as u64).unwrap();
        lengths.push(length());
    }
    (fs::read(world.path("journal")).unwrap(), lengths)
}

/// Checks that of a file that holds `bytes` the first `whole` entries are read, and that it can be
/// gone on with.
fn check(world: &World, bytes: &[u8], input: &[u8], entries: &[Entry], whole: usize) {
    let entries = &entries[..whole];
    fs::write(world.path("journal"), bytes).unwrap();
    let history = world.history();
    let expected = texts(input, entries);
    for (step, text) in history.steps().iter().zip(&expected) {
        assert_eq!(history.text(step.number).unwrap().as_ref(), Some(text));
    }
    assert_eq!(history.steps().len(), expected.len());
    let (mut journal, recovered) = world.resume(input);
    assert_eq!(recovered.outcomes, outcomes(entries).into_iter().collect());
    assert_eq!(recovered.best.map(|best| best.1).as_ref(), expected[1..].last());
    write(&mut journal, &Entry::Step(b"a further one".to_vec()), 99).unwrap();
    write(&mut journal, &Entry::Outcome(key(999), known(1)), 99).unwrap();
    drop(journal);
    let (_, recovered) = world.resume(input);
    assert_eq!(recovered.outcomes.len(), outcomes(entries).len() + 1);
    let (step, text) = recovered.best.unwrap();
    assert_eq!((step.number, &text[..]), (expected.len() as u64, &b"a further one"[..]));
}

fn check_refused(world: &World, bytes: &[u8], input: &[u8]) {
    fs::write(world.path("journal"), bytes).unwrap();
    let error = world.open(input, Policy::Auto).unwrap_err();
    let refused = matches!(
        error,
        JournalError::Damaged { .. } | JournalError::NoJournal { .. } | JournalError::OtherVersion { .. }
    );
    assert!(refused, "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn a_torn_journal_is_read_up_to_the_tear((input, entries) in reduction(60, 6)) {
        let world = World::new();
        let (bytes, lengths) = journal(&world, &input, &entries);
        for cut in 1..=bytes.len() {
            match lengths.iter().rposition(|&length| length <= cut) {
                Some(whole) => check(&world, &bytes[..cut], &input, &entries, whole),
                None => check_refused(&world, &bytes[..cut], &input),
            }
        }
    }

    #[test]
    fn a_damaged_journal_is_read_up_to_the_damage(
        (input, entries) in reduction(60, 6),
        flip in 1..=255u8,
    ) {
        let world = World::new();
        let (bytes, lengths) = journal(&world, &input, &entries);
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= flip;
            match lengths.iter().rposition(|&length| length <= at) {
                Some(whole) => check(&world, &damaged, &input, &entries, whole),
                None => check_refused(&world, &damaged, &input),
            }
        }
    }
}
