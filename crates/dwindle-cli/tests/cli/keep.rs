//! `--keep`: what is to stay does, and costs no question.

use super::support::{World, haystack};

const NEEDLE: &str = "grep -q needle \"$1\"";
/// Takes a note of every candidate that has lost what is to stay.
const NOTING: &str = "grep -q 'int kept(int first, int second);' \"$1\" || echo lost >> \"$WORLD/lost\"\n\
                      grep -q needle \"$1\"";
const C: &str = "/* head */ int unused;\nint kept(int first, int second);\nint other(void) { return 1; }\n\
                 int main(void) { int first = 2; if (other()) { needle(kept(first, 4)); } return 0; }\n";

#[test]
fn no_test_is_run_on_a_candidate_that_has_lost_what_is_to_stay() {
    for options in [
        &["--level", "thorough"][..],
        &["--reducer", "list"],
        &["--format", "bytes"],
        &["--reducer", "hdd*", "--transform", "squeeze,flatten,hoist"],
        &["--reducer", "perses", "--passes", "rename,merge,unite,inline,words"],
        &["--jobs", "4"],
    ] {
        let world = World::new();
        world.write("a.c", C);
        world.test("test.sh", NOTING);
        let pattern = ["test.sh", "a.c", "--keep", r"^int kept\(.*\);$"];
        let report = world.report([&pattern[..], options].concat());
        let result = String::from_utf8(world.read("a.reduced.c")).unwrap();
        assert_eq!(world.note("lost"), "", "{options:?}");
        assert!(result.contains("int kept(int first, int second);"), "{options:?} {result}");
        assert!(result.len() < C.len() && result.contains("needle"), "{options:?} {result}");
        assert!(report["filtered"].as_u64().unwrap() > 0, "{options:?} {report}");
    }
}

#[test]
fn several_patterns_keep_all_that_any_of_them_matches() {
    let world = World::new().one_by_one();
    world.write("in.txt", haystack(12, &[(7, "needle")]));
    world.test("test.sh", NEEDLE);
    let args = ["test.sh", "in.txt", "--keep", "^line 3\\b", "--keep", "line 1[01]", "--format", "tokens"];
    let finished = world
        .run(args)
        .ends_with(0, &["more refused without a question, since they lose what is to be kept"]);
    assert_eq!(world.read("in.reduced.txt"), b"line 3\nneedle\nline 10\nline 11\n", "{}", finished.err);
}

#[test]
fn what_refuses_without_a_question_spends_none_of_them() {
    let world = World::new();
    world.write("in.txt", haystack(30, &[(7, "needle")]));
    world.test("test.sh", NEEDLE);
    let report = world.report([
        "test.sh",
        "in.txt",
        "--keep",
        "line \\d+",
        "--format",
        "lines",
        "--max-questions",
        "9",
    ]);
    assert!(report["questions"]["total"].as_u64().unwrap() <= 9, "{report}");
    assert!(report["filtered"].as_u64().unwrap() > 20, "{report}");
}

#[test]
fn a_run_that_keeps_more_does_not_go_on_from_a_step_that_has_lost_it() {
    let world = World::new();
    let input = haystack(40, &[(7, "needle")]);
    world.write("in.txt", &input);
    world.test("test.sh", NEEDLE);
    let all = ["test.sh", "in.txt", "--format", "lines"];
    let stopped = world.report([&all[..], &["--max-questions", "7"]].concat());
    assert_eq!(stopped["end"], "max-questions");
    let before = String::from_utf8(world.read("in.reduced.txt")).unwrap();
    let lost = input.lines().rfind(|line| !before.contains(line)).unwrap();
    world.report([&all[..], &["--resume", "--keep", lost]].concat());
    let kept: Vec<&str> = input.lines().filter(|line| *line == lost || *line == "needle").collect();
    assert_eq!(String::from_utf8(world.read("in.reduced.txt")).unwrap(), kept.join("\n") + "\n");
}

#[test]
fn a_pattern_that_matches_nothing_is_named_before_anything_is_asked() {
    let world = World::new();
    world.write("a.c", C);
    world.test("test.sh", NEEDLE);
    let check = |pattern: &str, expected: &[&str]| {
        world.run(["test.sh", "a.c", "--keep", pattern]).ends_with(2, expected);
        assert_eq!(world.runs(), 0);
    };
    check("nowhere", &["there is nothing in a.c that the pattern \"nowhere\" of --keep matches"]);
    check("other(void)", &["want a backslash: other\\(void\\)"]);
    check("int (kept", &["for '--keep <PATTERN>'", "    int (kept\n        ^\n", "unclosed group"]);
}
