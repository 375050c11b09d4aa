//! What one sees while a reduction runs.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::support::{World, finish, forget_options, haystack, skip};

const ENTER: &str = "\x1b[?1049h";
const LEAVE: &str = "\x1b[?1049l";

/// A world whose reduction takes some seconds.
fn slow() -> World {
    let world = World::new().one_by_one();
    world.write("in.txt", haystack(400, &[(7, "needle"), (30, "pin"), (200, "nail")]));
    world.test("test.sh", "sleep 0.15; grep -q needle in.txt && grep -q pin in.txt && grep -q nail in.txt");
    world
}

/// What a terminal is sent by the command, to which these keys are sent as soon as the view is there; nothing where there is
/// no program that makes terminals.
fn on_a_terminal(world: &World, arguments: &str, keys: &str, colours: bool) -> Option<String> {
    on_a_window(world, arguments, keys, colours, 100)
}

/// The same on a terminal with so many columns.
fn on_a_window(world: &World, arguments: &str, keys: &str, colours: bool, columns: u16) -> Option<String> {
    when_it_says("pause", world, arguments, keys, colours, columns)
}

/// The same, where the keys are sent as soon as the terminal shows `cue`.
fn when_it_says(
    cue: &str,
    world: &World,
    arguments: &str,
    keys: &str,
    colours: bool,
    columns: u16,
) -> Option<String> {
    if !Command::new("script").arg("--version").output().is_ok_and(|said| said.status.success()) {
        skip("there is no script(1) of util-linux");
        return None;
    }
    let line = format!("stty rows 30 cols {columns}; {} {arguments}", env!("CARGO_BIN_EXE_dwindle"));
    let mut command = Command::new("script");
    command.args(["-qfec", &line, "/dev/null"]).current_dir(world.path(""));
    command.env("WORLD", world.root()).env("TMPDIR", world.root().join("tmp")).env("HOME", world.root());
    command.env("TERM", "xterm").env_remove("XDG_STATE_HOME").env_remove("NO_COLOR");
    forget_options(&mut command);
    if !colours {
        command.env("NO_COLOR", "1");
    }
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let (mut seen, mut part, mut is_sent) = (Vec::new(), [0; 4096], false);
    while let Ok(read @ 1..) = output.read(&mut part) {
        seen.extend(&part[..read]);
        if !is_sent && String::from_utf8_lossy(&seen).contains(cue) {
            input.write_all(keys.as_bytes()).unwrap();
            is_sent = true;
        }
    }
    let code = child.wait().unwrap().code();
    Some(format!("{}\ncode {}", String::from_utf8_lossy(&seen), code.unwrap_or(-1)))
}

/// The text that a terminal is sent, without blanks, in the place of which it may be sent where the next word is.
fn unspaced(sent: &str) -> String {
    let mut parts = sent.split("\x1b[");
    let first = parts.next().unwrap_or_default().to_owned();
    let text = parts.fold(first, |text, part| {
        text + part.trim_start_matches(|char: char| !char.is_alphabetic()).get(1..).unwrap_or_default()
    });
    text.replace(' ', "")
}

#[test]
fn a_view_comes_on_a_terminal_and_a_key_ends_it() {
    for (keys, colours) in [("q", true), ("\x03", false)] {
        let world = slow();
        let Some(seen) = on_a_terminal(&world, "test.sh in.txt --jobs 1", keys, colours) else { return };
        let (before, view) = seen.split_once(ENTER).expect("the view begins");
        let (view, behind) = view.split_once(LEAVE).expect("the view ends");
        assert_eq!(before, "");
        for expect in
            ["in.txt -> in.reduced.txt", "questions", "interesting", "1 at once", "the smallest so far"]
        {
            assert!(unspaced(view).contains(&expect.replace(' ', "")), "{expect:?} is missing: {view:?}");
        }
        assert_eq!(view.contains("\x1b[38;5;"), colours, "{view:?}");
        assert!(behind.contains("interrupted, reduced so far: in.txt -> in.reduced.txt"), "{behind}");
        assert!(behind.contains("The same command goes on from here"), "{behind}");
        assert!(behind.ends_with("code 130"), "{behind}");
        let goes_on = world.run(["test.sh", "in.txt", "--max-questions", "2"]);
        goes_on.ends_with(0, &["going on with the run that was stopped after"]);
        world.assert_no_process_is_left();
    }
}

#[test]
fn a_pause_starts_no_test_and_a_budget_of_time_ends_it() {
    let world = slow();
    let Some(seen) = on_a_terminal(&world, "test.sh in.txt --jobs 1 --max-time 2.2", "p", true) else {
        return;
    };
    assert!(unspaced(&seen).contains("paused,0:0") && seen.contains("stopped after --max-time"), "{seen}");
    // A second of tests, each of which takes 0.15 at least, and no more in the second of the pause.
    assert!(world.runs() < 10, "{} runs: {seen}", world.runs());
}

#[test]
fn a_short_run_and_other_means_take_no_screen() {
    let world = World::new();
    world.write("in.txt", haystack(20, &[(7, "needle")]));
    world.test("test.sh", "grep -q needle in.txt");
    for arguments in ["test.sh in.txt", "test.sh in.txt --progress line", "test.sh in.txt -q"] {
        let Some(seen) = on_a_terminal(&world, arguments, "", true) else { return };
        assert!(!seen.contains(ENTER) && seen.ends_with("code 0"), "{seen:?}");
    }
    // A terminal that does not say how large it is.
    let world = slow();
    let Some(seen) = on_a_window(&world, "test.sh in.txt --max-time 1.5", "", true, 0) else { return };
    assert!(!seen.contains(ENTER) && seen.contains("in.txt: 0:01, "), "{seen:?}");
}

#[test]
fn without_a_terminal_lines_come_now_and_then() {
    let world = slow();
    let said = world.run(["test.sh", "in.txt", "--max-time", "2.5"]).ends_with(0, &["in.txt: 0:01, "]);
    let lines: Vec<&str> = said.err.lines().filter(|line| line.starts_with("in.txt: 0:0")).collect();
    assert!((1..=2).contains(&lines.len()), "{}", said.err);
    assert!(lines[0].contains(" tokens left (-") && lines[0].contains(" questions, "), "{}", lines[0]);
    let said = world.run(["test.sh", "in.txt", "--max-time", "1.5", "--fresh", "--progress", "none"]);
    assert!(!said.err.contains("in.txt: 0:0"), "{}", said.err);
}

#[test]
fn events_tell_the_whole_story() {
    let world = World::new();
    world.write("in.txt", haystack(20, &[(7, "needle")]));
    world.test("test.sh", "grep -q needle in.txt");
    let report = world.report(["test.sh", "in.txt", "--events", "events"]);
    let events = String::from_utf8(world.read("events")).unwrap();
    let events: Vec<Value> = events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |kind: &str| events.iter().filter(|event| event["event"] == kind).collect::<Vec<_>>();
    assert_eq!(events[0]["event"], "start");
    assert_eq!(events[0]["input"], "in.txt");
    assert_eq!(of("question").len() as u64, report["questions"]["total"]);
    let interesting = of("question").iter().filter(|event| event["outcome"] == "interesting").count();
    assert_eq!(interesting as u64, report["questions"]["interesting"]);
    assert_eq!(of("accepted").last().unwrap()["size"], report["after"]);
    assert_eq!(of("plan").last().unwrap()["size"], report["before"]);
    assert!(of("pass").len() > 1);
    let last = events.last().unwrap();
    assert_eq!((&last["event"], &last["report"]["after"]), (&"end".into(), &report["after"]));
    let times: Vec<f64> = events.iter().map(|event| event["at"].as_f64().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
}

#[test]
fn events_tell_of_a_failure_and_replace_no_other_file() {
    let world = World::new();
    world.write("in.txt", "hay");
    world.test("test.sh", "false");
    world.run(["test.sh", "in.txt", "--events", "events"]).ends_with(5, &[]);
    let events = String::from_utf8(world.read("events")).unwrap();
    let last: Value = serde_json::from_str(events.lines().last().unwrap()).unwrap();
    assert_eq!(last["code"], 5);
    assert!(last["error"].as_str().unwrap().contains("not interesting"), "{last}");
    for name in ["in.txt", "test.sh", "./in.reduced.txt", "none/events"] {
        let before = world.names();
        let said = world.run(["test.sh", "in.txt", "--events", name]);
        said.ends_with(7, &["cannot write events to"]);
        assert_eq!(world.names(), before);
    }
    let mut nowhere = world.command(["test.sh", "in.txt", "--events", "/dev/full"]);
    nowhere.stdin(Stdio::null());
    finish(nowhere).ends_with(5, &["no more events are written to /dev/full"]);
}

#[test]
fn what_was_recognised_can_be_changed_on_a_terminal() {
    let world = World::new();
    world.write("in.txt", haystack(20, &[(7, "needle"), (9, "pin")]));
    world.program(
        "run.sh",
        "#!/bin/sh\ngrep -q needle \"$1\" || exit 0\ngrep -q pin \"$1\" && echo the pin is there\n\
         echo 'internal compiler error: in fold_it, at a.cc:1' >&2\ngrep -q 'line 3 ' \"$1\" && exit 4\nexit 1\n",
    );
    let arguments = "in.txt --ask --jobs 1 -- ./run.sh {}";
    let keys = "1\nthe pin\n\n";
    let Some(seen) = when_it_says("Enter starts", &world, arguments, keys, false, 100) else { return };
    assert!(seen.contains("1  exit with code 4") && seen.contains("2  print \"the pin\""), "{seen}");
    assert!(seen.ends_with("code 0"), "{seen}");
    let result = String::from_utf8(world.read("in.reduced.txt")).unwrap();
    assert!(result.contains("needle") && result.contains("pin") && !result.contains("line 3 "), "{result}");
    world.run(["in.txt", "--ask", "--", "./run.sh", "{}"]).ends_with(2, &["--ask wants a terminal"]);
}
