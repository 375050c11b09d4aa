//! Whatever names, outputs and texts hold, a terminal that shows the messages obeys none of it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use super::support::{Finished, World, finish, haystack};

/// Sets the title, wipes the screen, begins a line, turns text round; and is no UTF-8.
const EVIL: &[u8] = b"e\x1b]0;t\x07\x1b[2J\nwarning: all is well\r\x7f\xc2\x9b\xe2\x80\xae\xff";
const EVIL_IS_SHOWN: &str = "e\\x1b]0;t\\x07\\x1b[2J\\nwarning: all is well\\r\\x7f\\u{9b}\\u{202e}\\xff";
/// The same for `printf` in a script.
const EVIL_IS_PRINTED: &str =
    r"printf 'e\033]0;t\007\033[2J\nwarning: all is well\r\177\302\233\342\200\256\377'";

fn evil(prefix: &str, end: &str) -> OsString {
    OsStr::from_bytes(&[prefix.as_bytes(), EVIL, end.as_bytes()].concat()).to_owned()
}

fn evil_world() -> World {
    let world = World::new();
    world.test("test.sh", &format!("{EVIL_IS_PRINTED}\ngrep -q needle \"$1\""));
    world.write(evil("", ".txt"), haystack(20, &[(7, "needle")]));
    world
}

#[track_caller]
fn assert_harmless(said: &str) {
    let harmful = |char: &char| match char {
        '\n' | '\t' => false,
        '\u{202e}' => true,
        char => char.is_control(),
    };
    assert_eq!(said.chars().find(harmful), None, "{said:?}");
    assert!(!said.lines().any(|line| line.starts_with("warning: all is well")), "{said}");
}

#[track_caller]
fn check(said: Finished, code: i32, expected: &[&str]) -> Finished {
    assert_eq!(said.code, Some(code), "{}", said.err);
    assert_harmless(&said.err);
    assert_harmless(&said.out);
    for part in expected {
        let part = part.replace("EVIL", EVIL_IS_SHOWN);
        assert!(
            said.err.contains(&part) || said.out.contains(&part),
            "not said: {part}\n{}{}",
            said.err,
            said.out
        );
    }
    said
}

fn with_pipes(mut command: Command) -> Command {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).env_remove("XDG_STATE_HOME");
    command
}

fn run(world: &World, args: &[&OsStr]) -> Finished {
    world.run(args)
}

#[test]
fn names_and_outputs_in_messages_are_spelled_out() {
    let world = evil_world();
    let (input, none) = (evil("", ".txt"), evil("none", ".txt"));
    let o = OsStr::new;
    check(run(&world, &[o("test.sh"), &input]), 0, &["reduced: EVIL.txt -> EVIL.reduced.txt"]);
    let verbose =
        check(run(&world, &[o("test.sh"), &input, o("-v"), o("--fresh")]), 0, &["question 1 ended"]);
    let line = "  | warning: all is well\\r\\x7f\\u{9b}\\u{202e}\\xff\n";
    assert!(verbose.err.contains(&format!("  | e\\x1b]0;t\\x07\\x1b[2J\n{line}")), "{}", verbose.err);
    check(run(&world, &[o("test.sh"), &none]), 3, &["cannot reduce noneEVIL.txt"]);
    world.test("no.sh", &format!("{EVIL_IS_PRINTED}\nexit 1"));
    let said = check(
        run(&world, &[o("no.sh"), &input]),
        5,
        &["the input EVIL.txt is not interesting", "it printed:"],
    );
    assert!(said.err.contains(line), "{}", said.err);
    world.test(
        "flaky.sh",
        &format!("{EVIL_IS_PRINTED}\n! rm \"$WORLD/asked\" 2>/dev/null && touch \"$WORLD/asked\""),
    );
    check(run(&world, &[o("flaky.sh"), &input]), 6, &["flaky on the input EVIL.txt", line]);
    world.write(evil("", ".txt.orig"), "");
    check(run(&world, &[o("test.sh"), &input, o("--in-place")]), 7, &["EVIL.txt.orig is there already"]);
    check(
        run(&world, &[o("test.sh"), &input, o("-o"), &evil("no/", "")]),
        7,
        &["to no/EVIL: there is no folder no; make it first"],
    );
    check(run(&world, &[o("test.sh"), &input, o("--journal"), &input]), 2, &["EVIL.txt, which is the input"]);
    check(
        run(&world, &[o("test.sh"), &input, o("--external"), &none]),
        2,
        &["external command noneEVIL.txt"],
    );
    check(run(&world, &[&evil("./no", ".sh"), &input]), 4, &["cannot run the test ./noEVIL.sh"]);
    world.write(evil("odd", ".sh"), "#!/bin/sh\nexit 0\n");
    check(
        run(&world, &[&evil("./odd", ".sh"), &input]),
        4,
        &["./oddEVIL.sh", "chmod +x $'./odde\\033]0;t\\007"],
    );
    world.program("odd.sh", [b"#!/", EVIL, b"\nexit 0\n"].concat());
    check(run(&world, &[o("odd.sh"), &input]), 4, &["its `#!` line names /e\\x1b]0;t\\x07"]);
}

#[test]
fn the_history_is_spelled_out_and_exact_for_machines() {
    let world = evil_world();
    let (input, result) = (evil("", ".txt"), evil("", ".reduced.txt"));
    let o = OsStr::new;
    check(run(&world, &[o("test.sh"), &input]), 0, &[]);
    // A journal holds names as UTF-8, with a sign for what is none.
    let is_shown = EVIL_IS_SHOWN.replace("\\xff", "\u{fffd}");
    check(run(&world, &[o("history")]), 0, &[&format!("{is_shown}.txt -> ")]);
    check(run(&world, &[o("history"), &result]), 0, &[&format!("{is_shown}.txt -> ")]);
    check(
        run(&world, &[o("history"), &evil("none", "")]),
        3,
        &["no journal of a reduction into noneEVIL in "],
    );
    check(
        run(&world, &[o("history"), &result, o("--restore"), o("0"), o("--to"), &evil("no/", "")]),
        7,
        &["cannot write no/EVIL"],
    );
    world.write("e\x1b[2J.txt", haystack(20, &[(7, "needle")]));
    check(world.run(["test.sh", "e\x1b[2J.txt"]), 0, &[]);
    let said = check(world.run(["history", "e\x1b[2J.txt"]), 3, &["did you mean\n  dwindle history $'"]);
    let (_, command) = said.err.split_once("did you mean\n  dwindle").unwrap();
    let mut bash = Command::new("bash");
    bash.args(["-c", &format!("{} {command}", env!("CARGO_BIN_EXE_dwindle"))]).env("HOME", world.root());
    check(finish(with_pipes(bash)), 0, &["e\\x1b[2J.txt -> "]);
    let json = run(&world, &[o("history"), o("--json")]);
    let json: serde_json::Value = serde_json::from_str(json.out.lines().last().unwrap()).unwrap();
    assert!(json["input"].as_str().unwrap().ends_with("\u{202e}\u{fffd}.txt"), "{json}");
    assert!(json["input"].as_str().unwrap().contains("e\x1b]0;t\x07\x1b[2J\nwarning"), "{json}");
}

#[test]
fn a_command_to_copy_names_the_very_file() {
    let world = evil_world();
    let program = evil("", ".sh");
    world.write(&program, "#!/bin/sh\ngrep -q needle \"$1\"\n");
    let said = world.run([evil("./", ".sh"), evil("", ".txt")]);
    let (_, command) = said.err.split_once("try: ").unwrap();
    let mut bash = Command::new("bash");
    bash.args(["-c", command]).current_dir(world.path(""));
    assert_eq!(finish(with_pipes(bash)).code, Some(0), "{command}");
    assert_eq!(fs::metadata(world.path(&program)).unwrap().permissions(), Permissions::from_mode(0o100755));
}

#[test]
fn arguments_that_are_not_understood_are_spelled_out() {
    let world = evil_world();
    let evil_text = "e\x1b]0;t\x07\nwarning: all is well\u{202e}";
    let is_shown = "e\\x1b]0;t\\x07\\nwarning: all is well\\u{202e}";
    for flag in
        ["--minimizer", "--format", "--seed", "--timeout", "--language", "--max-questions", "--memory-limit"]
    {
        check(world.run(["test.sh", "in.txt", flag, evil_text]), 2, &[is_shown, flag]);
    }
    check(world.run(["test.sh", "in.txt", &format!("--{evil_text}")]), 2, &[is_shown]);
    check(world.run(["test.sh", "in.txt", evil_text]), 2, &[is_shown]);
    check(world.run(["test.sh", "in.txt", "--passes", evil_text]), 2, &[is_shown]);
    let said = world.run(["test.sh", "in.txt", "--keep", "\x1b[2J("]);
    check(said, 2, &["\\x1b[2J(", "--keep"]);
    let input = evil("", ".txt");
    let keep = [OsStr::new("test.sh"), &input, OsStr::new("--keep"), OsStr::new("\x1b\u{202e}")];
    check(world.run(keep), 2, &["nothing in EVIL.txt", "\\u{1b}\\u{202e}"]);
}

#[test]
fn grammars_and_trees_are_spelled_out() {
    let world = World::new();
    let grammar = evil("", ".g4");
    world.write(&grammar, "grammar G;\ns: 'x' t;\n");
    world.write("in.c", b"char *s = \"a\x1b[2J\x07\xe2\x80\xae\"; // \x1b\nint \x1b[2J;\n");
    let o = OsStr::new;
    check(
        run(&world, &[o("parse"), o("in.c"), o("--grammar"), &grammar]),
        3,
        &["EVIL.g4:2:8: rule s: there is no rule t"],
    );
    check(
        run(&world, &[o("parse"), o("in.c"), o("--grammar"), &evil("no", ".g4")]),
        3,
        &["the grammar noEVIL.g4"],
    );
    check(
        run(&world, &[o("parse"), o("in.c"), o("--grammar"), &evil("no", ".y")]),
        2,
        &["noEVIL.y wants a lexical"],
    );
    check(run(&world, &[o("parse"), o("in.c"), o("--grammar"), &evil("no", ".json")]), 3, &["noEVIL.json"]);
    check(
        run(&world, &[o("parse"), o("in.c"), o("--grammar"), &evil("no", ".x")]),
        2,
        &["name noEVIL.x what"],
    );
    check(run(&world, &[o("parse"), &evil("no", ".c")]), 3, &["cannot read noEVIL.c"]);
    check(world.run(["parse", "in.c"]), 0, &["\"a\\x1b[2J\\x07\\u{202e}\""]);
    check(world.run(["parse", "in.c", "--names"]), 0, &[]);
    check(world.run(["tokens", "in.c"]), 0, &[]);
    let json = world.run(["parse", "in.c", "--json"]).out;
    let rows = json.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    assert!(
        rows.flat_map(|row| row["text"].as_str().map(str::to_owned))
            .any(|text| text.contains("a\x1b[2J\x07"))
    );
}
