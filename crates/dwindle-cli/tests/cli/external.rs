//! `--external` and `clang_delta`: what programs of others offer is taken where it is smaller and
//! interesting, and whatever else they do changes nothing.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::support::{DWINDLE, Finished, World, finish, haystack};

/// Of what is asked, takes a note.
const TEST: &str = "cksum < \"$1\" >> \"$WORLD/asked\"\ngrep -q 'nee\\|pin' \"$1\"";
const INPUT: &str = "first line\njunk needle\nlast line\n";
const LINES: [&str; 4] = ["test.sh", "in.txt", "--format", "lines"];

/// A world with a command `offer` of this body.
fn world(body: &str) -> World {
    let world = World::new();
    world.write("in.txt", INPUT);
    world.test("test.sh", TEST);
    world.program("offer", format!("#!/bin/sh\n{body}\n"));
    world
}

fn reduce(world: &World, options: &[&str]) -> Finished {
    world.run([&LINES[..], &["--external", "./offer"], options].concat())
}

#[track_caller]
fn check(body: &str, expected: &str) {
    let world = world(body);
    let finished = reduce(&world, &[]).ends_with(0, &["  external "]);
    let result = String::from_utf8(world.read("in.reduced.txt")).unwrap();
    assert_eq!(result, expected, "{}", finished.err);
    assert!(!finished.err.contains("external command"), "{}", finished.err);
}

#[test]
fn what_a_command_offers_is_taken_where_it_is_smaller_and_interesting() {
    check("echo '{\"text\": \"no\"}'; echo '{\"text\": \"pin \"}'; echo '{\"text\": \"pi\"}'", "pin ");
    check(
        "echo '{\"text\": \"pin pin pin pin\"}'; echo '{\"text\": \"junk needle longer\"}'",
        "junk needle\n",
    );
    check("exit 0", "junk needle\n");
}

#[test]
fn a_command_gets_what_the_test_gets() {
    check(
        "cmp -s - \"$1\" && [ \"$1\" = \"$PWD/in.txt\" ] && [ -z \"$(ls \"$TMPDIR\")\" ] && echo '{\"text\": \"pin\"}'",
        "pin",
    );
}

#[test]
fn a_command_is_run_again_on_what_was_taken() {
    check(
        "n=$(wc -c < \"$1\"); [ $n -gt 0 ] && echo \"{\\\"edits\\\": [{\\\"start\\\": $((n - 1)), \\\"end\\\": $n}]}\"",
        "junk nee",
    );
}

#[test]
fn the_search_goes_on_with_what_was_taken() {
    check("grep -q junk \"$1\" && printf '%s' '{\"text\": \"j\\nneedle\\n\"}'; exit 0", "needle\n");
}

#[test]
fn passes_and_trees_go_on_with_what_was_taken() {
    let input = "int f(int a) { return a; }\nint main(void) { if (f(1)) { g(f(2), 3); } return 0; }\n";
    for options in [&[][..], &["--reducer", "perses"], &["--reducer", "hdd*"], &["--level", "thorough"]] {
        let world = World::new();
        world.write("a.c", input);
        world.test("test.sh", "grep -q 'if (f(1)) { g(f(2), 3)\\|x()' \"$1\"");
        let offer = "grep -q f \"$1\" && echo '{\"text\": \"int y; x();\"}'; exit 0";
        world.program("offer", format!("#!/bin/sh\n{offer}\n"));
        let all = [&["test.sh", "a.c", "--external", "./offer", "--clang-delta", "never"], options].concat();
        let report = world.report(all);
        let result = String::from_utf8(world.read("a.reduced.c")).unwrap();
        assert!(result.contains("x()") && !result.contains("int y"), "{options:?} {result}");
        assert_eq!(report["external"]["taken"], 1, "{options:?} {report}");
    }
}

#[test]
fn several_commands_are_asked_until_none_has_anything_more() {
    let world = world("grep -q two \"$1\" && echo '{\"text\": \"nee\"}'; exit 0");
    world.program("other", "#!/bin/sh\ngrep -q junk \"$1\" && echo '{\"text\": \"two nee\"}'; exit 0\n");
    reduce(&world, &["--external", "other"]).ends_with(0, &["2 of their texts were taken"]);
    assert_eq!(world.read("in.reduced.txt"), b"nee");
}

#[test]
fn what_is_to_stay_stays_in_what_is_offered() {
    let world = world("echo '{\"text\": \"pin\"}'; echo '{\"text\": \"junk pin\"}'");
    reduce(&world, &["--keep", "junk"]).ends_with(0, &["refused without a question"]);
    assert_eq!(world.read("in.reduced.txt"), b"junk pin");
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let lines = "for i in 1 2 3 4 5 6 7 8 9; do echo \"{\\\"text\\\": \\\"$i\\\"}\"; done; echo '{\"text\": \"pin\"}'";
    let one = world(lines).one_by_one();
    let many = world(lines);
    let alone = one.report([&LINES[..], &["--external", "offer"]].concat());
    let beside = many.report([&LINES[..], &["--external", "offer", "--jobs", "4"]].concat());
    assert_eq!(alone["questions"], beside["questions"]);
    assert_eq!(alone["external"]["runs"], beside["external"]["runs"]);
    assert_eq!(one.read("in.reduced.txt"), many.read("in.reduced.txt"));
}

#[test]
fn a_run_that_goes_on_asks_nothing_twice_about_what_was_offered() {
    let body = "for i in 1 2 3 4 5 6 7 8 9; do echo \"{\\\"text\\\": \\\"$i\\\"}\"; done; echo '{\"text\": \"pin\"}'";
    let world = world(body).one_by_one();
    let all = [&LINES[..], &["--external", "offer"]].concat();
    let stopped = world.report([&all[..], &["--max-questions", "12"]].concat());
    assert_eq!(stopped["end"], "max-questions");
    assert!(stopped["external"]["runs"].as_u64().unwrap() > 0, "{stopped}");
    let best = world.read("in.reduced.txt");
    let before = world.note("asked");
    let report = world.report([&all[..], &["--resume"]].concat());
    assert!(report["replayed"].as_u64().unwrap() > 0, "{report}");
    assert_eq!(world.read("in.reduced.txt"), b"pin");
    let sum = |bytes: &[u8]| {
        world.write("sum", bytes);
        world.shell("cksum < sum").out
    };
    let again = [sum(INPUT.as_bytes()), sum(&best)];
    let after = &world.note("asked")[before.len()..];
    for line in after.lines().filter(|line| !again.iter().any(|sum| sum.trim() == *line)) {
        assert!(!before.contains(line), "asked twice: {line}\nbefore:\n{before}after:\n{after}");
    }
}

/// What a command does wrong is said, and what it offers beside may count.
#[track_caller]
fn wrong(body: &str, options: &[&str], said: &str, result: &str) -> Finished {
    let world = world(body);
    let finished = reduce(&world, options).ends_with(0, &["warning: the external command", "offer: ", said]);
    assert_eq!(String::from_utf8(world.read("in.reduced.txt")).unwrap(), result, "{}", finished.err);
    world.assert_no_process_is_left();
    finished
}

#[test]
fn a_command_that_fails_offers_nothing() {
    let offer = "echo '{\"text\": \"pin\"}'";
    wrong(
        &format!("{offer}; echo broken >&2; exit 3"),
        &[],
        "ended with exit code 3: broken; what it offered",
        "junk needle\n",
    );
    wrong(&format!("{offer}; kill -SEGV $$"), &[], "ended by signal 11", "junk needle\n");
    wrong(&format!("{offer}; sleep 300"), &["--timeout", "1"], "over the time limit", "junk needle\n");
}

#[test]
fn lines_that_are_no_offers_are_passed_over() {
    let said = "line 1 of its output is no offer (expected value at line 1 column 1) and is passed over";
    wrong("echo nonsense; echo '{\"text\": \"pin\"}'", &[], said, "pin");
    wrong("echo '{\"edits\": [{\"start\": 2, \"end\": 99}]}'", &[], "within 12 bytes", "junk needle\n");
}

#[test]
fn a_command_that_prints_without_end_is_stopped() {
    wrong("yes '{\"text\": \"pin\"}'", &[], "offer", "junk needle\n");
}

#[test]
fn what_a_command_leaves_behind_is_ended() {
    let world = world("setsid --fork sleep 301 > /dev/null 2>&1; sleep 302 & echo '{\"text\": \"pin\"}'");
    reduce(&world, &[]).ends_with(0, &["1 of their texts were taken"]);
    world.assert_no_process_is_left();
    assert_eq!(world.read("in.reduced.txt"), b"pin");
}

#[test]
fn a_signal_ends_a_command_and_keeps_the_result() {
    let parent = "parent() { cut -d ' ' -f 4 /proc/$1/stat; }";
    let world = world(&format!("{parent}; trap '' INT; kill -INT {DWINDLE}; sleep 300"));
    reduce(&world, &["--timeout", "200"]).ends_with(130, &["interrupted, reduced so far", "6 ->        2"]);
    world.assert_no_process_is_left();
    assert_eq!(world.read("in.reduced.txt"), b"junk needle\n");
}

#[test]
fn a_command_that_fails_again_and_again_is_given_up() {
    // Each time that it fails the other one has something, so that it is asked once more.
    let world = world("echo run >> \"$WORLD/failed\"; exit 1");
    let shorter =
        "n=$(wc -c < \"$1\"); echo \"{\\\"edits\\\": [{\\\"start\\\": $((n - 1)), \\\"end\\\": $n}]}\"";
    world.program("other", format!("#!/bin/sh\n{shorter}\n"));
    let finished = reduce(&world, &["--external", "other"]).ends_with(0, &[]);
    assert!(world.note("failed").lines().count() <= 3, "{}", finished.err);
    assert_eq!(world.read("in.reduced.txt"), b"junk nee");
}

#[test]
fn a_command_that_cannot_be_run_is_found_out_before_anything_is_asked() {
    let world = world("exit 0");
    world.write("plain", "#!/bin/sh\n");
    let check = |command: &str, said: &[&str]| {
        world.run([&LINES[..], &["--external", command]].concat()).ends_with(2, said);
        assert_eq!(world.runs(), 0);
    };
    check("./none", &["cannot run the external command ./none: there is no such file"]);
    check("plain", &["the external command plain", "chmod +x plain"]);
}

/// A `clang_delta` that can make one call a number.
const CLANG_DELTA: &str = "#!/bin/sh\n[ \"$1\" = --transformation=callexpr-to-value ] || exit 255\n\
    n=$(grep -o 'f[0-9]()' \"$3\" | wc -l)\ni=${2#--counter=}\n[ \"$i\" -le \"$n\" ] || exit 1\n\
    call=$(grep -o 'f[0-9]()' \"$3\" | sed -n \"${i}p\")\nsed \"s/$call/0/\" \"$3\"\n";

fn clang_delta(input: &str, options: &[&str], installed: bool) -> (World, Finished) {
    let world = World::new();
    world.write(input, "int x = f1() + f2() + f3();\n");
    world.test("test.sh", "grep -q 'int x = \\(f1()\\|0\\) + f2() + \\(f3()\\|0\\);' \"$1\"");
    let mut command = world.command([&["test.sh", input, "--json"], options].concat());
    if installed {
        world.program("bin/clang_delta", CLANG_DELTA);
        let path = std::env::var("PATH").unwrap();
        command.env("PATH", format!("{}:{path}", world.path("bin").display()));
    }
    let finished = finish(command);
    world.assert_no_file_is_left();
    (world, finished)
}

#[test]
fn clang_delta_helps_with_c_when_it_is_asked_or_all_is_tried() {
    for options in [&["--clang-delta", "always", "--reducer", "perses"][..], &["--level", "thorough"]] {
        let (world, finished) = clang_delta("a.c", options, true);
        let report = finished.ends_with(0, &[]).json();
        assert!(report["external"]["runs"].as_u64().unwrap() > 60, "{report}");
        let result = String::from_utf8(world.read("a.reduced.c")).unwrap();
        assert!(result.contains("f2()") && !result.contains("f1") && !result.contains("f3"), "{result}");
    }
}

#[test]
fn clang_delta_does_not_help_unasked() {
    for (input, options) in [
        ("a.c", &[][..]),
        ("a.c", &["--level", "thorough", "--clang-delta", "never"]),
        ("a.java", &["--level", "thorough"]),
    ] {
        let (_, finished) = clang_delta(input, options, true);
        assert_eq!(finished.ends_with(0, &[]).json()["external"]["runs"], 0, "{input} {options:?}");
    }
}

#[test]
fn clang_delta_that_cannot_help_says_why() {
    let always = ["--clang-delta", "always"];
    clang_delta("a.java", &always, true)
        .1
        .ends_with(2, &["it reads C and C++, and the input is read as java"]);
    let folders = ["/usr/lib/cvise", "/usr/libexec/cvise", "/usr/lib/creduce", "/usr/libexec/creduce"];
    let local = ["/usr/local/libexec/cvise", "/usr/local/libexec/creduce", "/usr/bin", "/usr/local/bin"];
    let is_program = |folder: &&str| {
        let program = Path::new(folder).join("clang_delta");
        fs::metadata(program).is_ok_and(|found| found.permissions().mode() & 0o111 != 0)
    };
    if !folders.iter().chain(&local).any(is_program) {
        clang_delta("a.c", &always, false).1.ends_with(2, &["it is in the packages cvise and creduce"]);
    }
}

#[test]
fn a_command_has_its_say_where_nothing_was_reduced() {
    let world = world("echo '{\"text\": \"pin\"}'");
    world.write("in.txt", haystack(1, &[(0, "needle")]));
    reduce(&world, &[]).ends_with(0, &["1 of their texts were taken"]);
    assert_eq!(world.read("in.reduced.txt"), b"pin");
}
