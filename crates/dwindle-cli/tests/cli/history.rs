//! What the history of a reduction shows, and how its steps come back.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use dwindle::Size;
use dwindle::core::Outcome;
use dwindle::journal::{Journal, KnownOutcome, Place, Policy, Subject};

use crate::support::{World, finish};

const STEPS: [&[u8]; 4] = [b"one\ntwo\nthree\nfour\n", b"one\nthree\nfour\n", b"three\nfour", b"caf\xe9\n"];

fn state(world: &World) -> PathBuf {
    world.root().join(".local/state/dwindle")
}

/// The journal of a reduction of `in.txt`, in the steps above, into `output`.
fn journal(world: &World, place: &Place, output: &str, limit: u64) -> Journal {
    let test = world.test("test.sh", "true");
    let input = world.write("in.txt", STEPS[0]);
    let subject = Subject::new(&input, STEPS[0], Size::of(STEPS[0]), &test, &world.path(output)).unwrap();
    let mut journal = Journal::open(place, &subject, Policy::Fresh, limit).unwrap().0;
    for (number, text) in (1..).zip(&STEPS[1..]) {
        let known =
            KnownOutcome { outcome: Outcome::Interesting, seconds: 0.5, runs: 1, words: Box::default() };
        journal.outcome([number; 16], known).unwrap();
        journal.step(text, Size::of(text), u64::from(number) * 3).unwrap();
    }
    journal
}

fn reduced(output: &str) -> (World, Journal) {
    let world = World::new();
    let journal = journal(&world, &Place::Folder(state(&world)), output, 1 << 20);
    (world, journal)
}

/// What `dwindle history` prints, exactly as bytes.
fn restored(world: &World, args: &[&str]) -> Vec<u8> {
    let output = world.command(args).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// The text after a unified diff of whole lines.
fn patched(old: &str, diff: &str) -> String {
    let mut old = old.split_inclusive('\n');
    let (mut new, mut taken) = (String::new(), 0);
    for line in diff.split_inclusive('\n').skip(2) {
        if let Some(header) = line.strip_prefix("@@ -") {
            let (first, count) = header.split_once(' ').unwrap().0.split_once(',').unwrap();
            // A hunk that takes nothing stands behind the line that it names.
            let first = first.parse::<usize>().unwrap() - usize::from(count != "0");
            new.extend(old.by_ref().take(first - taken));
            taken = first;
            continue;
        }
        let (tag, text) = line.split_at(1);
        if tag != "+" {
            assert_eq!(old.next(), Some(text));
            taken += 1;
        }
        if tag != "-" {
            new += text;
        }
    }
    new.extend(old);
    new
}

#[test]
fn steps_are_listed_while_the_reduction_runs() {
    let (world, _running) = reduced("out.txt");
    let said = world.run(["history", "out.txt"]).ends_with(0, &[]);
    let home = world.path("").canonicalize().unwrap();
    let expected = format!(
        "{0}/in.txt -> {0}/out.txt: unfinished, 3 questions\n\
         test: {0}/test.sh\n\
        \x20 step  question     tokens     lines       bytes  of the input\n\
        \x20    0         0          4         4          19      100.00 %\n\
        \x20    1         3          3         3          15       78.95 %\n\
        \x20    2         6          2         2          10       52.63 %\n\
        \x20    3         9          1         1           5       26.32 %\n",
        home.display()
    );
    assert_eq!(said.out, expected);
    assert_eq!(said.err, "");
}

#[test]
fn the_input_is_counted_as_its_front_end_counts_it() {
    let world = World::new();
    let input = "#include <stdio.h>\nint a;\nint b;\n";
    let path = world.write("a.c", input);
    let test = world.test("test.sh", "grep -q 'int b' $1");
    let report = world.report([test, path]);
    let history = world.run(["history", "a.reduced.c", "--json"]).ends_with(0, &[]).json();
    assert_eq!(history["steps"][0]["tokens"], report["before"]["tokens"]);
    assert_ne!(history["steps"][0]["tokens"], Size::of(input.as_bytes()).tokens, "another lexer");
}

#[test]
fn a_journal_of_ones_own_is_read_by_its_name() {
    let world = World::new();
    let place = Place::File(world.path("a journal"));
    journal(&world, &place, "out.txt", 1 << 20).finish().unwrap();
    let said = world.run(["history", "--journal", "a journal"]).ends_with(0, &[]);
    assert!(said.out.contains("out.txt: finished, 3 questions\n"), "{}", said.out);
    assert_eq!(restored(&world, &["history", "--journal", "a journal", "--restore", "2"]), STEPS[2]);
}

#[test]
fn all_journals_are_listed_with_the_last_written_one_first() {
    let (world, first) = reduced("out.txt");
    let written = fs::metadata(first.path()).unwrap().modified().unwrap();
    let second = journal(&world, &Place::Folder(state(&world)), "other.txt", 1 << 20);
    let path = second.path().to_owned();
    second.finish().unwrap();
    let later = written + std::time::Duration::from_secs(1);
    fs::File::options().append(true).open(path).unwrap().set_modified(later).unwrap();
    let said = world.run(["history"]).ends_with(0, &[]);
    let lines: Vec<_> = said.out.lines().collect();
    assert_eq!(lines.len(), 2, "{}", said.out);
    let has = |line: &str, parts: [&str; 3]| parts.iter().all(|part| line.contains(part));
    assert!(has(lines[0], [" ago  finished ", " 3 questions ", "in.txt -> "]), "{}", said.out);
    assert!(has(lines[1], [" ago  unfinished ", " 3 questions ", "in.txt -> "]), "{}", said.out);
    assert!(lines[0].ends_with("/other.txt") && lines[1].ends_with("/out.txt"), "{}", said.out);
}

#[test]
fn machines_read_journals_and_steps() {
    let (world, journal) = reduced("out.txt");
    let listed = world.run(["history", "--json"]).ends_with(0, &[]).json();
    let home = world.path("").canonicalize().unwrap();
    assert_eq!(listed["output"], home.join("out.txt").to_str().unwrap());
    assert_eq!(listed["input"], home.join("in.txt").to_str().unwrap());
    assert_eq!(listed["test"], home.join("test.sh").to_str().unwrap());
    assert_eq!(Path::new(listed["journal"].as_str().unwrap()), journal.path());
    assert_eq!((&listed["questions"], &listed["finished"]), (&3.into(), &false.into()));
    assert_eq!(listed["input_bytes"], STEPS[0].len());
    assert!(listed["written"].as_u64().unwrap() >= listed["began"].as_u64().unwrap());
    assert!(listed.get("steps").is_none());
    let one = world.run(["history", "out.txt", "--json"]).ends_with(0, &[]).json();
    assert_eq!(one["steps"].as_array().unwrap().len(), 4);
    let step = serde_json::json!({ "step": 1, "question": 3, "tokens": 3, "lines": 3, "bytes": 15 });
    assert_eq!(one["steps"][1], step);
}

#[test]
fn a_diff_shows_what_a_step_has_changed() {
    let (world, _journal) = reduced("out.txt");
    let said = world.run(["history", "out.txt", "--diff", "1"]).ends_with(0, &[]);
    assert_eq!(said.out, "--- step 0\n+++ step 1\n@@ -1,4 +1,3 @@\n one\n-two\n three\n four\n");
    let said = world.run(["history", "out.txt", "--diff", "2"]).ends_with(0, &[]);
    let end = "@@ -1,3 +1,2 @@\n-one\n three\n-four\n+four\n\\ No newline at end of file\n";
    assert!(said.out.ends_with(end), "{}", said.out);
    let diff = restored(&world, &["history", "out.txt", "--diff", "3"]);
    assert!(diff.ends_with(b"\n+caf\xe9\n"), "bytes stay as they are");
}

#[test]
fn every_step_comes_back_byte_for_byte() {
    let (world, _journal) = reduced("out.txt");
    world.write("in.txt", "changed since");
    for (number, text) in STEPS.iter().enumerate() {
        let number = number.to_string();
        assert_eq!(restored(&world, &["history", "out.txt", "--restore", &number]), *text);
        world.run(["history", "out.txt", "--restore", &number, "--to", "back.txt"]).ends_with(0, &[]);
        assert_eq!(world.read("back.txt"), *text);
    }
}

#[test]
fn a_restored_file_has_the_rights_of_the_one_it_replaces() {
    let (world, _journal) = reduced("out.txt");
    let back = world.program("back.txt", "before");
    world.run(["history", "out.txt", "--restore", "1", "--to", "back.txt"]).ends_with(0, &[]);
    assert_eq!(fs::metadata(back).unwrap().permissions().mode() & 0o777, 0o755);
}

#[test]
fn the_input_is_not_written_over() {
    let (world, _journal) = reduced("out.txt");
    std::os::unix::fs::symlink("in.txt", world.path("link.txt")).unwrap();
    for to in ["in.txt", "./in.txt", "link.txt"] {
        let said = world.run(["history", "out.txt", "--restore", "1", "--to", to]);
        said.ends_with(2, &["would write over the input"]);
    }
    assert_eq!(world.read("in.txt"), STEPS[0]);
}

#[test]
fn what_cannot_be_written_is_said() {
    let (world, _journal) = reduced("out.txt");
    fs::create_dir(world.path("folder")).unwrap();
    for (to, expected) in [
        ("folder", "cannot write folder: it is no regular file"),
        ("/dev/null", "cannot write /dev/null: it is no regular file"),
        ("no/such/file", "cannot write no/such/file: No such file"),
    ] {
        world.run(["history", "out.txt", "--restore", "1", "--to", to]).ends_with(7, &[expected]);
    }
}

#[test]
fn steps_that_are_not_there_are_named_with_those_that_are() {
    let (world, _journal) = reduced("out.txt");
    for flag in ["--diff", "--restore"] {
        let said = world.run(["history", "out.txt", flag, "4"]);
        said.ends_with(2, &["there is no step 4; the last one is 3"]);
    }
    world.run(["history", "out.txt", "--diff", "0"]).ends_with(2, &["step 0 is the input"]);
    // With so little room every step but the newest is dropped.
    drop(journal(&world, &Place::File(world.path("small")), "out.txt", 1));
    let said = world.run(["history", "--journal", "small", "--restore", "1"]);
    said.ends_with(2, &["step 1 was dropped when the journal became too long; there are steps 0 and "]);
}

#[test]
fn an_output_without_a_journal_is_said_and_so_is_an_input_in_its_place() {
    let (world, _journal) = reduced("two words.txt");
    let said = world.run(["history", "other.txt"]);
    said.ends_with(3, &["no journal of a reduction into other.txt", "`dwindle history` lists"]);
    let said = world.run(["history", "in.txt"]);
    let said = said.ends_with(3, &["it was the input of one; did you mean\n  dwindle history '"]);
    let (_, command) = said.err.split_once("did you mean\n").unwrap();
    let said = world.shell(command).ends_with(0, &[]);
    assert!(said.out.contains("two words.txt: unfinished"), "{}", said.out);
}

#[test]
fn journals_that_cannot_be_read_are_left_out_and_said() {
    let (world, journal) = reduced("out.txt");
    let folder = journal.path().parent().unwrap();
    fs::write(folder.join("broken.journal"), "dwindleJ").unwrap();
    let said = world.run(["history"]).ends_with(0, &["left out: ", "broken.journal is damaged"]);
    assert_eq!(said.out.lines().count(), 1);
    for (file, expected) in [("in.txt", "in.txt is no journal"), ("gone", "No such file"), ("", "")] {
        let path = world.path(file);
        world.run(["history", "--journal", path.to_str().unwrap()]).ends_with(3, &[expected]);
    }
}

#[test]
fn without_journals_there_is_nothing_to_list() {
    let world = World::new();
    let said = world.run(["history"]).ends_with(0, &["there are no journals in "]);
    assert_eq!(said.out, "");
    let mut command = world.command(["history"]);
    command.env_remove("HOME");
    finish(command).ends_with(3, &["neither XDG_STATE_HOME nor HOME is set", "--journal FILE"]);
}

#[test]
fn the_state_folder_is_where_the_variable_says() {
    let world = World::new();
    let elsewhere = world.root().join("elsewhere");
    journal(&world, &Place::Folder(elsewhere.join("dwindle")), "out.txt", 1 << 20).finish().unwrap();
    let mut command = world.command(["history", "out.txt"]);
    command.env("XDG_STATE_HOME", &elsewhere);
    finish(command).ends_with(0, &[]);
    let mut command = world.command(["history", "out.txt"]);
    command.env("XDG_STATE_HOME", "elsewhere");
    finish(command).ends_with(3, &["no journal", ".local/state/dwindle"]);
}

#[test]
fn flags_that_do_not_go_together_are_usage_errors() {
    let world = World::new();
    for flags in [
        &["--diff", "1"][..],
        &["out.txt", "--to", "back.txt"],
        &["out.txt", "--journal", "file"],
        &["out.txt", "--diff", "1", "--restore", "1"],
        &["out.txt", "--diff", "1", "--json"],
        &["out.txt", "--diff", "-1"],
    ] {
        world.run([&["history"], flags].concat()).ends_with(2, &["try '--help'"]);
    }
}

#[test]
fn a_diff_of_many_lines_in_another_order_comes_to_an_end() {
    let world = World::new();
    let line = |number: u32| format!("{}\n", number.wrapping_mul(2_654_435_761) % 5000);
    let input: String = (0..100_000).map(line).collect();
    let step: String = (0..90_000).rev().map(line).collect();
    let path = world.write("in.txt", &input);
    let test = world.test("test.sh", "true");
    let bytes = input.as_bytes();
    let subject = Subject::new(&path, bytes, Size::of(bytes), &test, &world.path("out.txt")).unwrap();
    let place = Place::Folder(state(&world));
    let mut journal = Journal::open(&place, &subject, Policy::Auto, 1 << 30).unwrap().0;
    journal.step(step.as_bytes(), Size::of(step.as_bytes()), 1).unwrap();
    let mut diff = world.command(["history", "out.txt", "--diff", "1"]);
    diff.stdout(fs::File::create(world.path("diff")).unwrap());
    finish(diff).ends_with(0, &[]);
    assert!(patched(&input, &fs::read_to_string(world.path("diff")).unwrap()) == step);
}
