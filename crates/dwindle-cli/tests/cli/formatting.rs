//! `--format-result`: one more question about a text with the same tokens, and nothing lost whatever comes
//! of it.

use super::support::{Finished, World, finish};

const CSS: &str = "x{y:z}a{b:needle;c:d}p{q:r}\n";
/// Whatever the white space.
const ANY: &str = "tr -d ' \\n' < \"$1\" | grep -q 'a{.*b:needle.*}'";

fn world(test: &str) -> World {
    let world = World::new();
    world.write("a.css", CSS);
    world.write("a.c", "int x;int f(int a){int b=1;needle(a);return 0;}int y;\n");
    world.test("test.sh", test);
    world
}

#[test]
fn the_result_is_laid_out_for_one_more_question() {
    let world = world(ANY);
    let plain = world.report(["test.sh", "a.css", "--jobs", "1", "--format-result", "never"]);
    let small = String::from_utf8(world.read("a.reduced.css")).unwrap();
    let report = world.report(["test.sh", "a.css", "--jobs", "1"]);
    let result = String::from_utf8(world.read("a.reduced.css")).unwrap();
    assert_eq!((small.as_str(), result.as_str()), ("a{b:needle}\n", "a {\n  b:needle\n}\n"));
    assert_eq!(report["formatting"]["outcome"], "kept");
    assert_eq!(report["formatting"]["by"], "dwindle");
    assert_eq!(report["after"]["bytes"], result.len());
    assert_eq!(report["after"]["tokens"], plain["after"]["tokens"]);
    let total = |report: &serde_json::Value| report["questions"]["total"].as_u64().unwrap();
    assert_eq!(total(&report), total(&plain) + 1);
    assert_eq!(plain["formatting"], serde_json::Value::Null);
}

#[test]
fn a_result_that_is_not_interesting_when_it_is_laid_out_stays_as_it_was() {
    let world = world("grep -q 'a{b:needle.*}' \"$1\"");
    let finished = world.run(["test.sh", "a.css", "--format-result"]);
    finished.ends_with(0, &["Not laid out: as dwindle does it the result is not interesting any more"]);
    let result = String::from_utf8(world.read("a.reduced.css")).unwrap();
    assert!(result.contains("a{b:needle") && result.len() < CSS.len(), "{result}");
}

#[test]
fn what_is_in_no_language_keeps_its_layout() {
    let world = world("grep -q needle \"$1\"");
    world.write("a.txt", "one\n   two   needle\nthree\n");
    for options in [&[][..], &["--format", "lines"]] {
        let report = world.report([&["test.sh", "a.txt", "--format-result", "auto"], options].concat());
        assert_eq!(report["formatting"], serde_json::Value::Null);
    }
    assert_eq!(world.read("a.reduced.txt"), b"   two   needle\n");
}

#[test]
fn names_are_those_of_the_input_unless_short_ones_are_wanted() {
    let world = world("[ $(grep -oE 'int [a-z_]+;' \"$1\" | sort -u | wc -l) = 2 ]");
    world.write("a.c", "int first_count;int second_count;int g(){return first_count+second_count;}\n");
    for (names, expect) in
        [("original", "int first_count;\nint second_count;\n"), ("short", "int a;\nint b;\n")]
    {
        world.report(["test.sh", "a.c", "--names", names]);
        assert_eq!(String::from_utf8(world.read("a.reduced.c")).unwrap(), expect);
    }
}

#[test]
fn an_unfinished_run_goes_on_from_a_result_that_is_laid_out() {
    let (world, whole) = (world(ANY), world(ANY));
    let all = ["test.sh", "a.css", "--format-result", "--jobs", "1"];
    whole.report(all);
    let budget = |questions: &str| world.report([&all[..], &["--max-questions", questions]].concat());
    let stopped = budget("9");
    assert_eq!((&stopped["end"], &stopped["questions"]["total"]), (&"max-questions".into(), &9.into()));
    assert_eq!(stopped["formatting"]["outcome"], "kept", "{stopped}");
    world.report([&all[..], &["--resume"]].concat());
    assert_eq!(world.read("a.reduced.css"), whole.read("a.reduced.css"));
}

#[test]
fn what_is_to_stay_stays_as_it_is_laid_out() {
    let world = world(ANY);
    world.report(["test.sh", "a.css", "--format-result", "--keep", "b:needle;c:d"]);
    assert!(String::from_utf8(world.read("a.reduced.css")).unwrap().contains("b:needle;c:d"));
}

/// Reduces C with this `clang-format`.
fn by_clang_format(body: &str) -> (String, Finished) {
    let world = world("tr -d ' \\n' < \"$1\" | grep -q 'intf(inta){.*needle.*}'");
    world.program("bin/clang-format", format!("#!/bin/sh\n{body}\n"));
    let mut command = world.command(["test.sh", "a.c", "--format-result", "--reducer", "perses"]);
    let path = std::env::var("PATH").unwrap();
    command.env("PATH", format!("{}:{path}", world.path("bin").display()));
    let finished = finish(command);
    world.assert_no_file_is_left();
    world.assert_no_process_is_left();
    (String::from_utf8(world.read("a.reduced.c")).unwrap(), finished)
}

#[test]
fn a_formatter_that_is_installed_is_taken_for_its_white_space_only() {
    let each = "for file; do :; done; tr -d '\\n' < \"$file\" | sed";
    for changes in ["'s/{/   {/'", "'s/{/   {;/; s/needle;/other/'"] {
        let (result, finished) = by_clang_format(&format!("{each} {changes}"));
        finished.ends_with(0, &["laid out by clang-format"]);
        assert_eq!(result, "int f(int a)   {needle;}\n");
    }
    for faulty in ["echo 'int other;'", "cat; exit 1", "kill -SEGV $$", "true"] {
        let (result, finished) = by_clang_format(faulty);
        finished.ends_with(0, &["laid out by dwindle"]);
        assert_eq!(result, "int f(int a) {\n  needle;\n}\n", "{faulty}");
    }
}
