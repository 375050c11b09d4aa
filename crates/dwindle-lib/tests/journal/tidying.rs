//! A folder of journals does not grow without bounds.

use std::fs::{self, File};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use dwindle::journal::{Journal, Place, Policy};

use crate::support::World;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn open(world: &World, output: &str, limit: u64) -> Journal {
    let place = Place::Folder(world.path("state"));
    Journal::open(&place, &world.subject(b"input", output), Policy::Auto, limit).unwrap().0
}

/// A journal that was last written to so many days ago.
fn aged(world: &World, output: &str, days: u32, finished: bool) -> PathBuf {
    let journal = open(world, output, u64::MAX);
    let path = journal.path().to_owned();
    if finished {
        journal.finish().unwrap();
    }
    age(&path, days);
    path
}

fn age(path: &PathBuf, days: u32) {
    File::options().append(true).open(path).unwrap().set_modified(SystemTime::now() - days * DAY).unwrap();
}

#[test]
fn finished_journals_go_oldest_first_and_then_those_that_were_given_up() {
    let world = World::new();
    let given_up = aged(&world, "given up", 40, false);
    let unfinished = aged(&world, "unfinished", 20, false);
    let old = aged(&world, "old", 3, true);
    let new = aged(&world, "new", 2, true);
    let length = fs::metadata(&new).unwrap().len();
    let there = || [&given_up, &unfinished, &old, &new].map(|path| path.exists());
    // Names of different lengths make journals of different lengths.
    let own = open(&world, "own", 5 * length + 100);
    assert_eq!(there(), [true, true, true, true]);
    drop(own);
    drop(open(&world, "own", 4 * length + 100));
    assert_eq!(there(), [true, true, false, true]);
    drop(open(&world, "own", 3 * length + 100));
    assert_eq!(there(), [true, true, false, false]);
    drop(open(&world, "own", 1));
    assert_eq!(there(), [false, true, false, false]);
}

#[test]
fn a_journal_in_use_stays() {
    let world = World::new();
    let used = open(&world, "used", u64::MAX);
    let path = used.path().to_owned();
    age(&path, 40);
    drop(open(&world, "own", 1));
    assert!(path.exists());
    drop(used);
    drop(open(&world, "own", 1));
    assert!(!path.exists());
}

#[test]
fn what_a_killed_run_has_left_goes_and_other_files_stay() {
    let world = World::new();
    drop(open(&world, "own", 1));
    let at = |name: &str| world.path("state").join(name);
    // The number of no process, and of this one.
    let (dead, alive) = (".dwindle-4194305-a.tmp", format!(".dwindle-{}-a.tmp", std::process::id()));
    let others = [&alive, ".dwindle-a.tmp", "notes", ".other-4194305-a.tmp"];
    for name in others.into_iter().chain([dead]) {
        fs::write(at(name), "some").unwrap();
    }
    let held = fs::File::create(at(".dwindle-4194305-b.tmp")).unwrap();
    held.try_lock().unwrap();
    drop(open(&world, "other", 1));
    assert!(!at(dead).exists());
    assert!(others.iter().all(|name| at(name).exists()));
    assert!(at(".dwindle-4194305-b.tmp").exists(), "somebody writes to it whom we cannot see");
}
