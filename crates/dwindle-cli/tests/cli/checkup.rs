//! A test is tried before anything is reduced, and written down.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use super::support::{World, haystack};

fn sound() -> World {
    let world = World::new();
    world.write("in.txt", haystack(20, &[(7, "needle")]));
    world
}

/// What `dwindle check` prints, which ends with this code.
#[track_caller]
fn checked(world: &World, args: &[&str], code: i32) -> String {
    let finished = world.run([&["check"], args].concat());
    assert_eq!(finished.code, Some(code), "{}{}", finished.out, finished.err);
    finished.out
}

#[test]
fn a_good_test_is_said_to_be_fine_and_nothing_is_written() {
    let world = sound();
    world.test("test.sh", "grep -q needle \"$1\"");
    let names = world.names();
    let said = checked(&world, &["./test.sh", "in.txt"], 0);
    assert!(
        said.starts_with("The test is fine: ") && said.ends_with("To reduce:  dwindle ./test.sh in.txt\n"),
        "{said}"
    );
    let said = checked(&world, &["in.txt", "--stdout-contains", "needle", "--", "grep", "needle", "{}"], 0);
    assert!(said.starts_with("The test is fine: "), "{said}");
    assert_eq!(world.names(), names);
}

#[test]
fn a_test_that_accepts_anything_is_none() {
    let world = sound();
    world.test("always.sh", "true");
    let said = checked(&world, &["always.sh", "in.txt"], 10);
    assert!(said.starts_with("There is a problem with the test: it accepts the empty file"), "{said}");
    world.test("unless-empty.sh", "[ -s \"$1\" ]");
    let said = checked(&world, &["unless-empty.sh", "in.txt"], 10);
    assert!(said.contains("it accepts text that has nothing to do with the input"), "{said}");
    let original = world.path("in.txt");
    world.test("other.sh", &format!("grep -q needle {}", original.display()));
    let said = checked(&world, &["other.sh", "in.txt"], 10);
    assert!(
        said.contains("it accepts the empty file") && said.contains("it names the input by its full path"),
        "{said}"
    );
    // What an earlier run has left is found by the next one.
    world.test("leftover.sh", "grep needle \"$1\" > \"$WORLD/log\" || [ -e \"$WORLD/log\" ]");
    let said = checked(&world, &["leftover.sh", "in.txt"], 10);
    assert!(said.contains("what an earlier run has left"), "{said}");
}

#[test]
fn a_test_that_accepts_both_halves_may_be_meant_so() {
    let world = sound();
    world.test("test.sh", "grep -q input \"$1\"");
    let said = checked(&world, &["test.sh", "in.txt"], 0);
    assert!(said.contains("Look at the test once more: it accepts either half of the input"), "{said}");
}

#[test]
fn a_flaky_test_is_found_in_the_first_runs_or_in_later_ones() {
    let count = "echo >> \"$WORLD/count\"; runs=$(wc -l < \"$WORLD/count\")";
    for (which, code) in [("[ $runs != 2 ]", 6), ("[ $runs != 7 ] && grep -q needle \"$1\"", 6)] {
        let world = sound();
        world.test("test.sh", &format!("{count}; {which}"));
        let finished = world.run(["check", "test.sh", "in.txt"]);
        assert_eq!(finished.code, Some(code), "{}{}", finished.out, finished.err);
        assert!((finished.out + &finished.err).contains("flaky"), "{which}");
    }
}

#[test]
fn runs_that_disturb_each_other_are_found() {
    let file = "cp in.txt \"$WORLD/same\"; sleep 0.05; grep -q needle \"$WORLD/same\"";
    let lock = "mkdir \"$WORLD/lock\" || exit 1; sleep 0.05; rmdir \"$WORLD/lock\"; grep -q needle in.txt";
    for (body, which) in [(file, "a fixed file"), (lock, "a lock")] {
        let world = sound();
        world.test("test.sh", body);
        let said = checked(&world, &["test.sh", "in.txt"], 6);
        let problem = "There is a problem with the test: two runs at once disturb each other";
        assert!(said.starts_with(problem) && said.contains("--jobs 1"), "{which}: {said}");
        // What is private to a run is none.
        let own = body.replace("$WORLD/same", "$TMPDIR/same").replace("$WORLD/lock", "$TMPDIR/lock");
        world.test("test.sh", &own);
        checked(&world, &["test.sh", "in.txt"], 0);
    }
}

#[test]
fn each_fault_of_a_test_is_found() {
    let same = "cp in.txt \"$WORLD/same\"; sleep 0.05; grep -q needle \"$WORLD/same\"";
    let flips = "echo >> \"$WORLD/flips\"; [ $(wc -l < \"$WORLD/flips\") != 7 ] && grep -q needle \"$1\"";
    let log = "grep needle \"$1\" > \"$WORLD/log\" || [ -e \"$WORLD/log\" ]";
    let faults = [
        ("needs a file of the user's folder", "grep -qf words in.txt", 5, "where there is no words"),
        ("needs what an earlier run has left", log, 10, "what an earlier run has left"),
        (
            "names another file",
            "grep -q needle input.txt",
            5,
            "The script names input.txt, and the candidate is called in.txt",
        ),
        ("looks at the original", "grep -q needle \"$WORLD/home/in.txt\"", 10, "it accepts the empty file"),
        ("is always interested", "true", 10, "it accepts the empty file"),
        (
            "is never interested",
            "false",
            5,
            "the input in.txt is not interesting: the test ended with exit code 1",
        ),
        ("is flaky", flips, 6, "it is flaky: of 5 runs on the same file, 4 found it interesting"),
        ("writes to a fixed file", same, 6, "two runs at once disturb each other"),
        ("knows the name of the file", "grep -q needle in.txt", 0, "It looks for in.txt by that name"),
        (
            "accepts the empty file",
            "[ ! -s \"$1\" ] || grep -q needle \"$1\"",
            10,
            "it accepts the empty file",
        ),
        (
            "accepts anything else",
            "[ -s \"$1\" ]",
            10,
            "it accepts text that has nothing to do with the input",
        ),
        (
            "accepts a truncated file",
            "grep -q 'line 0' \"$1\"",
            0,
            "it accepts the input wherever that is cut off",
        ),
        ("accepts either half", "grep -q input \"$1\"", 0, "it accepts either half of the input"),
        ("changes the candidate", "grep -q needle \"$1\" && echo >> \"$1\"", 0, "it changes the candidate"),
        ("leaves a process", "sleep 60 & grep -q needle \"$1\"", 0, "it leaves processes behind"),
    ];
    for (fault, body, code, said) in faults {
        let world = sound();
        world.write("words", "needle\n");
        world.program("test.sh", format!("#!/bin/sh\n{body}\n"));
        let finished = world.run(["check", "test.sh", "in.txt"]);
        let all = finished.out + &finished.err;
        assert_eq!(finished.code, Some(code), "{fault}: {all}");
        assert!(all.contains(said), "{fault}: {all}");
        world.assert_no_process_is_left();
    }
    let body = "grep -q needle in.txt";
    for (fault, script, mode, said) in [
        ("is not executable", format!("#!/bin/sh\n{body}\n"), 0o644, "chmod +x"),
        ("has lines of Windows", format!("#!/bin/sh\r\n{body}\r\n"), 0o755, "sed -i 's/\\r$//'"),
        ("has no interpreter", format!("{body}\n"), 0o755, "#!/bin/sh"),
    ] {
        let world = sound();
        let path = world.program("test.sh", script);
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        let finished = world.run(["check", "test.sh", "in.txt"]).ends_with(4, &[]);
        assert!(finished.err.contains(said), "{fault}: {}", finished.err);
    }
}

#[test]
fn a_slow_test_is_named_with_what_takes_its_time() {
    let slow = "grep -q needle \"$1\" || exit 1; sleep 1.05";
    let world = sound();
    world.test("test.sh", slow);
    let said = checked(&world, &["test.sh", "in.txt"], 0);
    assert!(said.contains("% of that time: it waits"), "{said}");
    let world = sound();
    world.test("quick.sh", "grep -q needle \"$1\"");
    world.test("slow.sh", slow);
    let also = world.path("slow.sh").display().to_string() + " {}";
    let said = checked(&world, &["quick.sh", "in.txt", "--also", &also], 0);
    assert!(said.contains("% of that time is --also"), "{said}");
}

#[test]
fn what_a_test_lacks_is_named() {
    let world = sound();
    world.write("words", "needle\n");
    world.test("test.sh", "grep -f words in.txt");
    let lacks = ["in a folder of its own, where there is no words", "lay it there with --with words"];
    world.run(["check", "test.sh", "in.txt"]).ends_with(5, &lacks);
    world.run(["test.sh", "in.txt"]).ends_with(5, &lacks);
    checked(&world, &["test.sh", "in.txt", "--with", "words"], 0);
    world.program("named.sh", "#!/bin/sh\ngrep -q needle input.txt\n");
    let named = ["The script names input.txt, and the candidate is called in.txt: write that, or \"$1\"."];
    world.run(["check", "named.sh", "in.txt"]).ends_with(5, &named);
}

#[test]
fn a_test_is_written_for_a_command_and_can_be_used_at_once() {
    let world = sound();
    let body = "grep -q needle {} || exit 0; echo 'internal compiler error: in fold, at fold.cc:3'; exit 1";
    let finished = world.run(["init", "in.txt", "--", "sh", "-c", body]);
    assert_eq!(finished.code, Some(0), "{}", finished.err);
    assert!(
        finished.err.contains("the command ended with an internal compiler error of GCC"),
        "{}",
        finished.err
    );
    assert!(
        finished.out.ends_with("The test is in ./test.sh. To reduce:  dwindle ./test.sh in.txt\n"),
        "{}",
        finished.out
    );
    assert_eq!(world.names(), ["in.txt", "test.sh"]);
    let said = checked(&world, &["./test.sh", "in.txt"], 0);
    assert!(said.starts_with("The test is fine: "), "{said}");
    world.run(["./test.sh", "in.txt"]).ends_with(0, &["reduced: "]);
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
}

#[test]
fn what_is_wrong_with_the_arguments_is_said() {
    let world = sound();
    world.test("test.sh", "true");
    world.run(["check", "in.txt"]).ends_with(2, &["nothing tests in.txt: name a TEST before it"]);
    world
        .run(["check", "test.sh", "in.txt", "--", "true"])
        .ends_with(2, &["a test, test.sh, and a command behind"]);
    world.run(["check", "in.txt", "--", "false"]).ends_with(
        5,
        &["the command ended with exit code 1 on in.txt, and nothing that it did is known as a bug"],
    );
    world.run(["init", "in.txt"]).ends_with(2, &["COMMAND"]);
}
