//! Standard input and standard output in the place of files.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::support::{World, haystack};

fn world() -> World {
    let world = World::new();
    world.write("in.txt", haystack(30, &[(7, "needle")]));
    world.test("test.sh", "grep -q needle \"$1\"");
    world
}

/// The files that stand for streams.
fn left(world: &World) -> Vec<String> {
    let said = world.shell("find \"$HOME/.local\" -path '*/streams/*' -type f -exec basename {} ';' | sort");
    said.out.lines().map(str::to_owned).collect()
}

#[test]
fn standard_input_is_reduced_to_standard_output_and_no_file_stays() {
    let world = world();
    for line in [
        "./test.sh - < in.txt",
        "./test.sh in.txt -o -",
        "reduce - --test ./test.sh -o - < in.txt",
        "./test.sh in.txt -o /dev/stdout",
        "./test.sh /dev/stdin < in.txt",
    ] {
        let said = world.shell(&format!("dwindle {line}"));
        assert_eq!(said.out, "needle\n", "{line}: {}", said.err);
        let said = said.ends_with(0, &["-> standard output"]);
        assert_eq!(said.err.contains("standard input"), line.contains('<'), "{line}");
        assert_eq!(left(&world), [""; 0], "{line}");
        assert!(!world.names().iter().any(|name| name.contains("reduced")), "{line}");
    }
    let said = world.shell("dwindle tokens - < in.txt && printf '[1, 2]' | dwindle parse - --language json");
    assert!(said.out.starts_with("146\ndocument [5 tokens, line 1]"), "{}", said.out);
    let said = world.shell("dwindle ./test.sh - --output out.txt < in.txt").ends_with(0, &[]);
    assert_eq!((&*said.out, world.read("out.txt")), ("", b"needle\n".to_vec()));
}

#[test]
fn what_was_stopped_is_printed_and_the_same_command_goes_on_with_it() {
    let world = world();
    let said =
        world.shell("dwindle ./test.sh - --max-questions 4 < in.txt").ends_with(0, &["reduced so far"]);
    assert!(said.out.contains("needle"), "{}", said.out);
    assert_eq!(left(&world), ["input", "result.input"]);
    let said =
        world.shell("dwindle ./test.sh - < in.txt").ends_with(0, &["by the run that this one continued"]);
    assert_eq!(said.out, "needle\n");
    assert_eq!(left(&world), [""; 0]);
}

#[test]
fn a_result_that_cannot_be_printed_is_kept() {
    let world = world();
    world
        .shell("dwindle ./test.sh - < in.txt > /dev/full")
        .ends_with(7, &["cannot print the result", "result.input"]);
    assert_eq!(left(&world), ["input", "result.input"]);
}

#[test]
fn what_nobody_went_on_with_goes_after_a_month_unless_it_is_in_use() {
    let world = world();
    let folders = || -> Vec<PathBuf> {
        let all = fs::read_dir(world.root().join(".local/state/dwindle/streams")).into_iter().flatten();
        all.map(|folder| folder.unwrap().path()).collect()
    };
    let stopped = |input: &str| {
        let before = folders();
        let line = format!("(cat in.txt; echo {input}) | dwindle ./test.sh - --max-questions 4");
        world.shell(&line).ends_with(0, &["reduced so far"]);
        folders().into_iter().find(|folder| !before.contains(folder)).unwrap()
    };
    let [given_up, used, young, resumed] = ["a", "b", "c", "d"].map(stopped);
    let touch = |days: u32, folder: &Path| {
        let line = format!("touch -d '{days} days ago' {0}/* {0}", folder.display());
        world.shell(&line).ends_with(0, &[]);
    };
    for folder in [&given_up, &used, &resumed] {
        touch(31, folder);
    }
    touch(29, &young);
    let in_use = File::open(used.join("result.input")).unwrap();
    in_use.lock().unwrap();
    world
        .shell("(cat in.txt; echo d) | dwindle ./test.sh - --max-questions 6")
        .ends_with(0, &["by the run that this one continued"]);
    let left = folders();
    assert!(!left.contains(&given_up), "{left:?}");
    for folder in [used, young, resumed] {
        assert!(left.contains(&folder), "{left:?} without {folder:?}");
    }
}

#[test]
fn other_crashes_are_kept_where_the_user_finds_them() {
    let world = world();
    let crash = |line: u8, what: &str| {
        format!("echo \"t: {what}.c:{line}: {what}: Assertion \\`{what} > 0' failed.\"; kill -ABRT $$")
    };
    let body = format!("grep -q needle in* && {{ {}; }}\n{}", crash(1, "find"), crash(2, "lose"));
    let command = world.test("crash.sh", &body);
    for (line, folder) in [("- < in.txt", ""), ("sub/in.txt -o -", "sub/")] {
        world.write("sub/in.txt", world.read("in.txt"));
        let said = world.shell(&format!("dwindle {line} -- {} {{}}", command.display()));
        let said = said.ends_with(0, &[&format!("Another crash was met: {folder}also-interesting/in")]);
        let names = fs::read_dir(world.path(folder).join("also-interesting")).unwrap();
        assert_eq!(names.count(), 2, "{}", said.err);
    }
}

#[test]
fn streams_that_do_not_fit_are_errors_that_leave_nothing() {
    let world = world();
    world.write("hay.txt", "hay\n");
    world.test("any.sh", "true");
    world.write("folder/hay.txt", "hay\n");
    for (line, code, what) in [
        ("./test.sh - --in-place < in.txt", 2, "--in-place"),
        ("./test.sh in.txt -o - --json", 2, "--json"),
        ("./any.sh folder -o -", 2, "name one by --output"),
        ("./test.sh - --events . < in.txt", 7, "events"),
        ("./test.sh - < /dev/null", 3, "it is empty already"),
        ("./test.sh - < hay.txt", 5, "not interesting"),
        ("./any.sh - < in.txt", 10, "nothing of the input is left"),
    ] {
        world.shell(&format!("dwindle {line}")).ends_with(code, &[what]);
        assert_eq!(left(&world), [""; 0], "{line}");
    }
}
