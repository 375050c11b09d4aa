//! What happens to a writer from outside: it is killed, or its disk is full.

use std::fs;
use std::process::{Command, Stdio};

use dwindle::Size;
use dwindle::journal::JournalError;

use crate::support::{World, key, known};

/// Names the folder in which [`writer`] writes.
const FOLDER: &str = "JOURNAL_TEST_FOLDER";

/// The text of a step.
fn text(number: u64) -> Vec<u8> {
    format!("{} {number}", "some text ".repeat(number as usize % 7)).into_bytes()
}

/// A shell line that becomes this program again, as the writer.
fn writer_after(line: &str, world: &World) -> Command {
    let mut command = Command::new("sh");
    let program = std::env::current_exe().unwrap();
    command.args(["-c", &format!("{line} exec \"$0\" --ignored --exact processes::writer")]).arg(program);
    command.env(FOLDER, world.path("")).stdout(Stdio::null());
    command
}

#[test]
#[ignore = "the other tests run it in a process of its own"]
fn writer() {
    let world = World::at(std::env::var_os(FOLDER).unwrap().into());
    let mut journal = world.begin(b"input");
    for number in 1.. {
        let written = journal
            .outcome(key(number), known(1))
            .and_then(|()| journal.step(&text(number), Size::of(&text(number)), number));
        match written {
            Ok(()) => {}
            Err(JournalError::Full { .. }) => return,
            Err(error) => panic!("{error}"),
        }
    }
}

fn check(world: &World) {
    let (mut journal, recovered) = world.resume(b"input");
    let (step, newest) = recovered.best.unwrap();
    assert_eq!(newest, text(step.number));
    let outcomes = recovered.outcomes.len() as u64;
    assert!(outcomes == step.number || outcomes == step.number + 1, "{outcomes} of {}", step.number);
    assert!((1..=outcomes).all(|number| recovered.outcomes[&key(number)] == known(1)));
    journal.step(b"another", Size::of(b"another"), 0).unwrap();
    drop(journal);
    assert_eq!(world.resume(b"input").1.best.unwrap().1, b"another");
}

#[test]
fn a_killed_writer_leaves_a_journal_to_go_on_with() {
    for length in [2_000, 10_000, 50_000] {
        let world = World::new();
        let mut writer = writer_after("", &world).spawn().unwrap();
        while fs::metadata(world.path("journal")).map_or(0, |metadata| metadata.len()) < length {
            assert!(writer.try_wait().unwrap().is_none(), "the writer has ended by itself");
            std::thread::yield_now();
        }
        writer.kill().unwrap();
        writer.wait().unwrap();
        check(&world);
    }
}

#[test]
fn a_full_disk_is_said_and_leaves_a_journal_to_go_on_with() {
    let world = World::new();
    // Beyond that length of a file (in blocks of 512 bytes, or of 1024) a write fails.
    let status = writer_after("trap '' XFSZ; ulimit -f 40;", &world).status().unwrap();
    assert!(status.success());
    let length = fs::metadata(world.path("journal")).unwrap().len();
    assert!((20_000..=40_960).contains(&length), "{length}");
    check(&world);
}
