//! A journal that was torn or damaged is read as far as it is whole, and gone on with.

use std::fs;
use std::ops::Range;

use dwindle::journal::{History, JournalError, Policy};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

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

/// Behind magic and version each record is a length of 4 bytes, a kind, so many bytes and a checksum of 8.
const START: usize = 12;
const PREFIX: usize = 5;

/// A record with a right checksum.
fn record(kind: u8, payload: &[u8]) -> Vec<u8> {
    let mut record = (payload.len() as u32).to_le_bytes().to_vec();
    record.push(kind);
    record.extend(payload);
    let hash = blake3::hash(&record);
    record.extend(&hash.as_bytes()[..8]);
    record
}

/// Where the payloads of the records are, and of which kind each is.
fn payloads(bytes: &[u8]) -> Vec<(u8, Range<usize>)> {
    let mut payloads = Vec::new();
    let mut at = START;
    while let Some(&[a, b, c, d, kind]) = bytes[at..].first_chunk() {
        let start = at + PREFIX;
        let end = start + u32::from_le_bytes([a, b, c, d]) as usize;
        payloads.push((kind, start..end));
        at = end + 8;
    }
    payloads
}

/// Does all that is done with journals; what of it fails is an error and no panic.
fn use_journal(world: &World, bytes: &[u8], input: &[u8]) {
    fs::write(world.path("journal"), bytes).unwrap();
    if let Ok(history) = History::read(&world.path("journal")) {
        let _ = history.outcomes();
        history.steps().iter().for_each(|step| drop(history.text(step.number)));
    }
    for limit in [1 << 20, 1] {
        let Ok((mut journal, _)) = world.open_limited(input, Policy::Auto, limit) else { return };
        journal.steps().take(1000).for_each(drop);
        let _ = write(&mut journal, &Entry::Step(b"a further one".to_vec()), 99);
        let _ = write(&mut journal, &Entry::Outcome(key(999), known(1)), 99);
    }
}

/// Numbers that are too large for something.
fn numbers() -> impl Strategy<Value = u64> {
    select(vec![0, 1, 255, 1 << 31, u64::from(u32::MAX), 1 << 32, 1 << 40, i64::MAX as u64, u64::MAX])
}

#[test]
fn a_step_of_more_bytes_than_its_record_can_hold_takes_no_memory() {
    let world = World::new();
    drop(world.begin(b"input"));
    let numbers = [1, 1, 1 << 40, 1, 1, 0, 0].map(u64::to_le_bytes);
    let (head, ends) = numbers.split_at(5);
    let payload = [head.as_flattened(), &[1], ends.as_flattened(), b"not by zstd"].concat();
    let bytes = [fs::read(world.path("journal")).unwrap(), record(4, &payload)].concat();
    fs::write(world.path("journal"), bytes).unwrap();
    assert!(world.history().text(1).is_err());
    let error = world.open(b"input", Policy::Auto).unwrap_err();
    assert!(matches!(error, JournalError::Io { .. }), "{error}");
}

proptest! {
    #[test]
    fn numbers_that_cannot_be_are_an_error_and_no_panic(
        (input, entries) in reduction(60, 12),
        changes in vec((any::<usize>(), any::<usize>(), numbers()), 1..4),
        more in vec((1..8u8, vec(numbers(), 0..9)), 0..4),
    ) {
        let world = World::new();
        let (mut bytes, _) = journal(&world, &input, &entries);
        let payloads = payloads(&bytes);
        for (which, at, number) in changes {
            let (kind, payload) = payloads[which % payloads.len()].clone();
            // Numbers stand at multiples of 8, or in a step one behind that.
            let at = payload.start + at % (payload.len() / 8 + 1) * 8 + usize::from(kind == 4 && at % 2 == 1);
            let end = payload.end.min(at + 8);
            if at < end {
                bytes[at..end].copy_from_slice(&number.to_le_bytes()[..end - at]);
            }
            let whole = payload.start - PREFIX..payload.end + 8;
            let right = record(kind, &bytes[payload]);
            bytes[whole].copy_from_slice(&right);
        }
        for (kind, numbers) in more {
            let payload: Vec<u8> = numbers.into_iter().flat_map(u64::to_le_bytes).collect();
            bytes.extend(record(kind, &payload));
        }
        use_journal(&world, &bytes, &input);
    }
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
