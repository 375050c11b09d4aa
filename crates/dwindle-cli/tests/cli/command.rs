//! A command instead of a script, and what is asked of a run.

use dwindle::method::REDUCERS;

use super::support::{World, haystack};

/// A world with an input `in.txt` that can be reduced to the line `needle`.
fn sound() -> World {
    let world = World::new();
    world.write("in.txt", haystack(20, &[(7, "needle")]));
    world
}

#[track_caller]
fn reduces(world: &World, args: &[&str]) {
    world.run(args).ends_with(0, &["reduced: "]);
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
}

#[track_caller]
fn report(world: &World, args: &[&str]) -> serde_json::Value {
    world.run(["--json"].iter().chain(args)).ends_with(0, &[]).json()
}

#[track_caller]
fn fails(args: &[&str], code: i32, expected: &[&str]) {
    let world = sound();
    world.test("test.sh", "grep -q needle \"$1\"");
    world.write("other.txt", "needle");
    let names = world.names();
    world.run(args).ends_with(code, expected);
    assert_eq!(world.names(), names, "nothing is written");
}

#[test]
fn a_command_gets_the_name_of_the_candidate_wherever_it_says_so() {
    reduces(&sound(), &["in.txt", "--", "grep", "-q", "needle", "{}"]);
    reduces(
        &sound(),
        &["in.txt", "--exit-code", "0", "--", "sh", "-c", "[ {} = in.txt ] && grep -q needle ./{}"],
    );
    reduces(&sound(), &["reduce", "in.txt", "--exit-code", "0", "--", "grep", "-q", "needle", "in.txt"]);
}

#[test]
fn a_command_without_a_place_gets_the_candidate_as_standard_input() {
    reduces(&sound(), &["in.txt", "--exit-code", "0", "--", "grep", "-q", "needle"]);
}

#[test]
fn no_shell_reads_a_command() {
    let world = sound();
    world.program(
        "test.sh",
        "#!/bin/sh\n[ $# = 3 ] && [ \"$1\" = '$HOME *' ] && [ \"$2\" = '' ] && grep -q needle \"$3\"\n",
    );
    reduces(&world, &["in.txt", "--exit-code", "0", "--", "./test.sh", "$HOME *", "", "{}"]);
}

#[test]
fn a_test_may_be_asked_for_another_exit_code_and_a_signal_is_one_as_in_a_shell() {
    let world = sound();
    world.test("test.sh", "grep -q needle in.txt && exit 3");
    reduces(&world, &["test.sh", "in.txt", "--exit-code", "3"]);
    let killed = "if grep -q needle in.txt; then kill -SEGV $$; fi";
    reduces(&sound(), &["in.txt", "--exit-code", "139", "--", "sh", "-c", killed]);
}

#[test]
fn texts_count_on_their_stream_whatever_the_exit_code_and_all_must_be_there() {
    let both = "grep needle {}; grep -q needle {} && echo boom >&2; exit 1";
    let out = ["--stdout-contains", "needle"];
    let err = ["--stderr-contains", "boom"];
    for asked in [&out[..], &err[..], &[out, err].concat(), &[out, ["--exit-code", "1"]].concat()] {
        reduces(&sound(), &[&["in.txt"], asked, &["--", "sh", "-c", both]].concat());
    }
    let world = sound();
    let asked = ["in.txt", "--stdout-contains", "boom", "--stderr-contains", "boom", "--", "sh", "-c", both];
    world.run(asked).ends_with(5, &["missing: boom on standard output\n", "  | needle", "  | boom"]);
}

#[test]
fn a_text_is_found_in_the_midst_of_a_long_output_that_is_not_remembered() {
    let body = "head -c 50000000 /dev/zero; printf 'nee'; grep -q needle {} && sleep 0.01; printf dle; \
                head -c 50000000 /dev/zero";
    let grep = format!("grep -q needle {{}} || exit 0; {body}");
    let world = sound();
    let args = ["in.txt", "--stdout-contains", "needle", "--max-questions", "12", "--", "sh", "-c", &grep];
    let report = report(&world, &args);
    assert!(report["questions"]["interesting"].as_u64().unwrap() > 3, "{report}");
    let peak = report["peak_memory_bytes"].as_u64().unwrap();
    assert!((1 << 20..100 << 20).contains(&peak), "{peak} bytes");
}

#[test]
fn every_reducer_takes_a_command() {
    for reducer in REDUCERS {
        let world = sound();
        let args =
            ["in.txt", "--reducer", reducer, "--stdout-contains", "needle", "--", "grep", "needle", "{}"];
        let report = report(&world, &args);
        assert_eq!(world.read("in.reduced.txt"), b"needle\n", "{reducer}");
        let test = report["test"].as_str().unwrap();
        assert!(test.ends_with("grep needle {} (needle on standard output)"), "{test}");
    }
}

#[test]
fn another_command_or_another_criterion_is_another_reduction() {
    let world = sound();
    let replayed = |args: &[&str], words: &[&str]| {
        let all = ["in.txt", "--jobs", "1"].iter().chain(args).chain(&["--"]).chain(words).copied();
        report(&world, &all.collect::<Vec<_>>())["replayed"].as_u64().unwrap()
    };
    let command = ["grep", "needle", "{}"];
    let exits = ["--exit-code", "0"];
    assert_eq!(replayed(&[&["--max-questions", "8"], &exits[..]].concat(), &command), 0);
    assert_eq!(replayed(&["--max-questions", "8", "--stdout-contains", "needle"], &command), 0);
    assert_eq!(
        replayed(&[&["--max-questions", "8"], &exits[..]].concat(), &["grep", "-q", "needle", "{}"]),
        0
    );
    assert!(replayed(&[&["--resume"], &exits[..]].concat(), &command) > 0);
    assert!(replayed(&["--resume", "--stdout-contains", "needle"], &command) > 0);
    let shown = world.run(["history", "--json"]).ends_with(0, &[]).out;
    assert!(shown.contains("grep needle {} (needle on standard output)\""), "{shown}");
}

#[test]
fn what_was_asked_for_is_said_with_what_the_command_printed() {
    let world = sound();
    let command = ["in.txt", "--exit-code", "3", "--stderr-contains", "it's", "--", "grep", "line 3 ", "{}"];
    world.run(command).ends_with(
        5,
        &[
            "the input in.txt is not interesting: the test ended with exit code 0\n",
            "what was asked for and is missing: exit code 3, 'it'\\''s' on standard error\n",
            "  | line 3 of the input\n",
            "grep 'line 3 ' in.txt < in.txt; echo $?",
        ],
    );
    world
        .run(["in.txt", "--exit-code", "0", "--", "sh", "-c", "exit 1"])
        .ends_with(5, &["no {}, so", "standard input only"]);
    world.write("words", "needle");
    world
        .run(["in.txt", "--exit-code", "0", "--", "grep", "-f", "words", "{}"])
        .ends_with(5, &["there is no words: write an absolute path, or lay it there with --with words"]);
}

#[test]
fn what_is_wrong_with_a_command_is_said_with_what_to_write() {
    fails(&["in.txt"], 2, &["nothing tests in.txt", "dwindle in.txt -- gcc -c {}"]);
    fails(&["in.txt", "--"], 2, &["nothing tests in.txt", "a command behind `--`"]);
    fails(&["test.sh", "in.txt", "--", "grep", "x"], 2, &["a test, test.sh, and a command behind `--`"]);
    fails(
        &["in.txt", "--", "no-such-program", "{}"],
        4,
        &["no-such-program: there is no such program in PATH"],
    );
    fails(&["in.txt", "--", "test.sh", "{}"], 4, &["it is not in PATH; the one in this folder is ./test.sh"]);
    fails(&["in.txt", "--", "./other.txt", "{}"], 4, &["it is not executable; try: chmod +x"]);
    for line in ["grep needle {} | wc", "grep -q needle {}", "/bin/grep -q needle {}"] {
        let expected = format!("sh -c '{line}'");
        fails(&["in.txt", "--", line], 4, &["no shell reads a command", &expected]);
    }
    fails(
        &["in.txt", "--", "grep needle | wc"],
        4,
        &["no shell reads a command", "sh -c 'grep needle | wc'"],
    );
    fails(&["in.txt", "--", "{}"], 4, &["a candidate is no program; write what runs it, such as: sh {}"]);
    fails(
        &["test.sh", "--", "in.txt", "{}"],
        2,
        &["in.txt is no program but test.sh is one", "dwindle in.txt -- test.sh {}"],
    );
    fails(&["in.txt", "--", "grep", "needle", "../home/in.txt"], 2, &["write {} in its place"]);
    fails(&["in.txt", "--exit-code", "256", "--", "true"], 2, &["256"]);
    fails(&["in.txt", "--stdout-contains", "", "--", "true"], 2, &["--stdout-contains"]);
}
