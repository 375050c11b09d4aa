//! What becomes of a journal that is there already.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use dwindle::Size;
use dwindle::journal::{History, Journal, JournalError, Place, Policy};
use proptest::prelude::*;

use crate::support::{LIMIT, World, key, known, outcomes, reduction, texts, write};

#[test]
fn an_unfinished_journal_is_resumed_with_all_that_was_written() {
    let world = World::new();
    let mut journal = world.begin(b"a b c");
    let facts = serde_json::json!({ "limit": 1.5, "front end": "c", "width": [1, 2] });
    journal.facts(&facts).unwrap();
    journal.outcome(key(1), known(2)).unwrap();
    journal.step(b"a c", Size::of(b"a c"), 7).unwrap();
    journal.outcome(key(2), known(3)).unwrap();
    drop(journal);
    for policy in [Policy::Auto, Policy::Resume] {
        let (_, recovered) = world.open(b"a b c", policy).unwrap();
        let recovered = recovered.unwrap();
        assert_eq!(recovered.facts.as_ref(), Some(&facts));
        assert_eq!(recovered.outcomes, [(key(1), known(2)), (key(2), known(3))].into());
        assert_eq!(recovered.questions, 5);
        let (step, text) = recovered.best.unwrap();
        assert_eq!((step.number, step.question, step.size), (1, 7, Size::of(b"a c")));
        assert_eq!(text, b"a c");
    }
}

#[test]
fn of_two_outcomes_of_one_candidate_the_later_counts() {
    let world = World::new();
    let mut journal = world.begin(b"a");
    journal.outcome(key(1), known(1)).unwrap();
    journal.outcome(key(1), known(2)).unwrap();
    drop(journal);
    assert_eq!(world.resume(b"a").1.outcomes[&key(1)], known(2));
}

#[test]
fn in_doubt_refusals_since_the_test_is_known_to_have_worked_are_forgotten() {
    // Compacted in between, and doubted by the run that wrote it or by one that goes on.
    for (limit, resumes) in [(LIMIT, false), (1000, false), (LIMIT, true), (1000, true)] {
        let world = World::new();
        let (mut journal, _) = world.open_limited(b"a b c", Policy::Auto, limit).unwrap();
        journal.facts(&serde_json::json!("facts")).unwrap();
        (0..100).for_each(|number| journal.outcome(key(number), known(1)).unwrap());
        journal.outcome(key(100), known(3)).unwrap();
        journal.confirm(100);
        journal.step(b"a c", Size::of(b"a c"), 7).unwrap();
        [(101, 1), (102, 2)].iter().for_each(|&(at, runs)| journal.outcome(key(at), known(runs)).unwrap());
        if resumes {
            drop(journal);
            let recovered;
            (journal, recovered) = world.open_limited(b"a b c", Policy::Resume, limit).unwrap();
            assert_eq!(recovered.unwrap().doubtful, [key(101), key(102)]);
        }
        journal.doubt().unwrap();
        journal.outcome(key(103), known(1)).unwrap();
        drop(journal);
        let (_, recovered) = world.resume(b"a b c");
        let has = |number| recovered.outcomes.contains_key(&key(number));
        assert!(has(99) && has(100) && !has(101) && !has(102) && has(103));
        assert_eq!(recovered.questions, 100 + 3 + 1 + 2 + 1, "what is forgotten is counted");
        assert_eq!(recovered.facts, Some(serde_json::json!("facts")));
        assert_eq!(recovered.best.unwrap().1, b"a c");
    }
}

#[test]
fn what_came_while_the_test_that_worked_last_was_running_is_in_doubt() {
    let world = World::new();
    let mut journal = world.begin(b"a");
    journal.outcome(key(1), known(1)).unwrap();
    let began = journal.outcomes();
    journal.outcome(key(2), known(1)).unwrap();
    journal.outcome(key(3), known(3)).unwrap();
    journal.confirm(began);
    journal.doubt().unwrap();
    drop(journal);
    let mut left: Vec<_> = world.resume(b"a").1.outcomes.into_keys().collect();
    left.sort();
    assert_eq!(left, [key(1), key(3)]);
}

#[test]
fn without_a_step_there_is_no_best() {
    let world = World::new();
    drop(world.begin(b"a"));
    assert!(world.resume(b"a").1.best.is_none());
}

#[test]
fn a_finished_journal_is_replaced_and_never_resumed() {
    let world = World::new();
    let mut journal = world.begin(b"a");
    journal.outcome(key(1), known(1)).unwrap();
    journal.finish().unwrap();
    assert!(world.history().is_finished());
    let error = world.open(b"a", Policy::Resume).unwrap_err();
    assert!(matches!(error, JournalError::NothingToResume { finished: true, .. }));
    assert!(error.to_string().contains("is the journal of a finished reduction; run without --resume"));
    assert_eq!(world.history().questions(), 1, "the refusal leaves it alone");
    drop(world.begin(b"a"));
    assert_eq!((world.history().questions(), world.history().is_finished()), (0, false));
}

#[test]
fn a_finished_journal_is_gone_on_with_where_that_is_asked_for() {
    let world = World::new();
    let mut journal = world.begin(b"a");
    journal.outcome(key(1), known(1)).unwrap();
    journal.finish().unwrap();
    let (mut journal, recovered) = world.open(b"a", Policy::Refine).unwrap();
    let recovered = recovered.unwrap();
    assert!(recovered.finished && recovered.outcomes.contains_key(&key(1)));
    assert!(!world.history().is_finished());
    journal.outcome(key(2), known(1)).unwrap();
    // It may be killed, and then it is an unfinished one.
    drop(journal);
    let (journal, recovered) = world.open(b"a", Policy::Auto).unwrap();
    let recovered = recovered.unwrap();
    assert!(!recovered.finished && recovered.outcomes.len() == 2);
    journal.finish().unwrap();
    assert_eq!((world.history().questions(), world.history().is_finished()), (2, true));
    let error = World::new().open(b"a", Policy::Refine).unwrap_err();
    assert!(error.to_string().contains("run without --resume or --refine"), "{error}");
}

#[test]
fn fresh_discards_what_is_unfinished() {
    let world = World::new();
    world.begin(b"a").outcome(key(1), known(1)).unwrap();
    let (_, recovered) = world.open(b"a", Policy::Fresh).unwrap();
    assert!(recovered.is_none());
    assert_eq!(world.history().questions(), 0);
}

#[test]
fn resume_insists() {
    let world = World::new();
    let error = world.open(b"a", Policy::Resume).unwrap_err();
    assert!(matches!(error, JournalError::NothingToResume { finished: false, .. }), "{error}");
    assert!(!world.path("journal").exists());
}

#[test]
fn a_journal_is_for_one_run_at_a_time() {
    let world = World::new();
    let journal = world.begin(b"a");
    for policy in [Policy::Auto, Policy::Resume, Policy::Fresh] {
        let error = world.open(b"a", policy).unwrap_err();
        assert!(matches!(error, JournalError::Taken { .. }), "{error}");
    }
    drop(journal);
    world.resume(b"a");
}

#[test]
fn a_journal_about_something_else_is_refused_and_not_touched() {
    let world = World::new();
    drop(world.begin(b"a"));
    let before = fs::read(world.path("journal")).unwrap();
    for policy in [Policy::Auto, Policy::Resume, Policy::Fresh] {
        let error = world.open(b"b", policy).unwrap_err();
        let said = error.to_string();
        assert!(matches!(error, JournalError::OtherSubject { .. }), "{said}");
        assert!(said.contains("input reduced into") && said.contains("remove it, or name another"), "{said}");
    }
    assert_eq!(fs::read(world.path("journal")).unwrap(), before);
}

#[test]
fn what_is_no_journal_is_refused_and_not_touched() {
    let world = World::new();
    fs::write(world.path("journal"), "precious").unwrap();
    for policy in [Policy::Auto, Policy::Resume, Policy::Fresh] {
        assert!(matches!(world.open(b"a", policy), Err(JournalError::NoJournal { .. })));
    }
    assert_eq!(fs::read(world.path("journal")).unwrap(), b"precious");
    fs::remove_file(world.path("journal")).unwrap();
    fs::create_dir(world.path("journal")).unwrap();
    assert!(matches!(world.open(b"a", Policy::Fresh), Err(JournalError::NoJournal { .. })));
}

#[test]
fn an_empty_file_may_become_a_journal() {
    let world = World::new();
    fs::write(world.path("journal"), "").unwrap();
    assert!(matches!(world.open(b"a", Policy::Resume), Err(JournalError::NothingToResume { .. })));
    drop(world.begin(b"a"));
    world.resume(b"a");
}

#[test]
fn another_version_and_a_damaged_head_are_refused_and_fresh_replaces_them() {
    for (at, expected) in [(8, "has format 254 and this version writes format 1"), (40, "is damaged")] {
        let world = World::new();
        drop(world.begin(b"a"));
        let mut bytes = fs::read(world.path("journal")).unwrap();
        bytes[at] ^= 0xff;
        fs::write(world.path("journal"), &bytes).unwrap();
        for policy in [Policy::Auto, Policy::Resume] {
            let said = world.open(b"a", policy).unwrap_err().to_string();
            assert!(said.contains(expected) && said.contains("--fresh"), "{said}");
        }
        assert_eq!(fs::read(world.path("journal")).unwrap(), bytes);
        world.open(b"a", Policy::Fresh).unwrap();
        assert_eq!(world.history().questions(), 0);
    }
}

#[test]
fn a_link_to_a_journal_stays_one() {
    let world = World::new();
    drop(world.begin(b"a"));
    fs::rename(world.path("journal"), world.path("real")).unwrap();
    symlink("real", world.path("journal")).unwrap();
    world.open(b"a", Policy::Fresh).unwrap();
    assert!(world.path("journal").is_symlink());
}

#[test]
fn a_folder_holds_a_journal_for_every_subject() {
    let world = World::new();
    let place = Place::Folder(world.path("state/dwindle"));
    let open = |output| Journal::open(&place, &world.subject(b"a", output), Policy::Auto, LIMIT).unwrap();
    let (first, second) = (open("one").0, open("two").0);
    assert_ne!(first.path(), second.path());
    let mode = fs::metadata(world.path("state/dwindle")).unwrap().permissions().mode();
    assert_eq!(mode & 0o77, 0, "inputs may be private");
    drop(first);
    assert!(open("one").1.is_some());
    let (histories, errors) = History::all(&world.path("state/dwindle")).unwrap();
    assert_eq!((histories.len(), errors.len()), (2, 0));
    assert_eq!(histories.iter().filter(|history| history.is_of(&world.path("two"))).count(), 1);
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error_that_names_the_flag() {
    let world = World::new();
    let place = Place::Folder(world.path("test/dwindle"));
    let error = Journal::open(&place, &world.subject(b"a", "one"), Policy::Auto, LIMIT).unwrap_err();
    assert!(error.to_string().contains("--journal FILE"), "{error}");
}

#[test]
fn a_large_input_is_kept_and_deltas_against_it_are_small() {
    let world = World::new();
    // Noise, which nothing makes smaller but a reference to it.
    let mut input = vec![0; 20 << 20];
    blake3::Hasher::new().finalize_xof().fill(&mut input);
    let mut journal = world.begin(&input);
    let length = || fs::metadata(world.path("journal")).unwrap().len();
    let before = length();
    let third = input.len() / 3;
    let step = [&input[1..third], &input[2 * third..]].concat();
    let size = Size { bytes: step.len() as u64, ..Size::default() };
    journal.step(&step, size, 1).unwrap();
    assert!(length() - before < 10_000, "{} bytes", length() - before);
    drop(journal);
    assert!(world.resume(&input).1.best.unwrap().1 == step);
}

proptest! {
    #[test]
    fn what_is_written_is_read_again((input, entries) in reduction(200, 30), breaks in any::<u32>()) {
        let world = World::new();
        let mut journal = world.begin(&input);
        for (number, entry) in entries.iter().enumerate() {
            write(&mut journal, entry, number as u64).unwrap();
            if breaks >> (number % 32) & 1 == 1 {
                drop(journal);
                journal = world.resume(&input).0;
            }
        }
        let texts = texts(&input, &entries);
        let newest_first: Vec<_> = journal.steps().map(|step| step.unwrap().1).collect();
        prop_assert!(newest_first.iter().eq(texts.iter().rev()));
        let history = world.history();
        for (step, text) in history.steps().iter().zip(&texts) {
            prop_assert_eq!(&history.text(step.number).unwrap().unwrap(), text);
            prop_assert_eq!(step.size, Size::of(text));
        }
        prop_assert_eq!(history.steps().len(), texts.len());
        prop_assert_eq!(history.text(texts.len() as u64).unwrap(), None);
        drop(journal);
        let recovered = world.resume(&input).1;
        prop_assert_eq!(recovered.outcomes, outcomes(&entries).into_iter().collect());
        prop_assert_eq!(recovered.best.map(|best| best.1), texts[1..].last().cloned());
    }
}
