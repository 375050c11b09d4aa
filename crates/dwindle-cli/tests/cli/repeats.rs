//! Tests that are interesting only sometimes.

use serde_json::json;

use super::support::{World, haystack};

/// Interesting in every third run, as long as the needle is there.
const EVERY_THIRD: &str = "grep -q needle in.txt && [ $(( $(wc -l < \"$WORLD/runs\") % 3 )) = 0 ]";

fn world(test: &str) -> World {
    let world = World::new().one_by_one();
    world.write("in.txt", haystack(8, &[(2, "needle"), (5, "luck")]));
    world.test("test.sh", test);
    world
}

/// The words of the result.
fn left(world: &World) -> Vec<String> {
    let result = String::from_utf8(world.read("in.reduced.txt")).unwrap();
    result.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn a_test_that_is_interesting_in_every_third_run_is_measured_and_repeated() {
    let world = world(EVERY_THIRD);
    let said = world.run(["test.sh", "in.txt"]);
    said.ends_with(5, &[]);
    std::fs::remove_file(world.root().join("runs")).unwrap();
    let report = world.report(["test.sh", "in.txt", "--repeats", "auto"]);
    assert_eq!(left(&world), ["needle"]);
    let seen = json!({ "total": 36, "interesting": 12, "uninteresting": 24, "timeout": 0 });
    assert_eq!(report["repeated"]["input"], seen, "{report}");
    assert_eq!(report["repeated"]["most"], 14, "at 20 % at least, 0.8^14 < 0.05: {report}");
    assert_eq!(report["repeated"]["result"]["interesting"], 12, "{report}");
    assert_eq!(report["questions"]["total"], world.runs(), "every run is a question: {report}");
}

#[test]
fn what_is_much_rarer_than_the_input_is_no_result() {
    // Every second run, and every twelfth without the word `luck`.
    let body = "grep -q needle in.txt || exit 1\n\
        every() { [ $(( $(wc -l < \"$WORLD/runs\") % $1 )) = 0 ]; }\n\
        if grep -q luck in.txt; then every 2; else every 12; fi";
    let world = world(body);
    let report = world.report(["test.sh", "in.txt", "--repeats", "auto"]);
    assert_eq!(left(&world), ["needle", "luck"]);
    assert!(report["flaky"].as_u64().unwrap() > 0, "{report}");
    let report = world.report(["test.sh", "in.txt", "--repeats", "12", "--level", "fast"]);
    assert_eq!(left(&world), ["needle"], "where nobody has asked for the rate: {report}");
    assert_eq!(report["repeated"]["most"], 12);
}

#[test]
fn a_test_that_is_certain_asks_about_no_candidate_twice_whatever_the_jobs() {
    let trace = |jobs: &str| {
        let world = World::new();
        world.write("in.txt", haystack(30, &[(7, "needle")]));
        world.test("test.sh", "grep -q needle in.txt");
        let arguments = ["test.sh", "in.txt", "--repeats", "auto", "--jobs", jobs, "--trace", "trace"];
        let report = world.report(arguments);
        assert_eq!(report["repeated"]["most"], 1, "{report}");
        assert_eq!(report["repeated"]["input"]["total"], 59, "{report}");
        let lines = String::from_utf8(world.read("trace")).unwrap();
        let untimed = lines.lines().map(|line| {
            let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
            line.as_object_mut().unwrap().retain(|name, _| name != "seconds" && name != "at");
            assert_eq!(line.get("runs"), None, "{line}");
            line
        });
        untimed.collect::<Vec<_>>()
    };
    assert_eq!(trace("1"), trace("3"));
}

#[test]
fn a_run_that_goes_on_knows_what_was_measured() {
    let world = world(EVERY_THIRD);
    let stopped = world.report(["test.sh", "in.txt", "--repeats", "auto", "--max-questions", "120"]);
    assert_eq!(stopped["end"], "max-questions");
    assert_eq!(stopped["questions"]["total"].as_u64().map(|total| total <= 120), Some(true), "{stopped}");
    let trace = ["--trace", "trace"];
    let report = world.report([&["test.sh", "in.txt", "--repeats", "auto"][..], &trace].concat());
    assert_eq!(left(&world), ["needle"]);
    assert_eq!(report["repeated"]["input"], stopped["repeated"]["input"], "{report}");
    assert!(report["replayed"].as_u64().unwrap() > 0, "{report}");
    let lines = String::from_utf8(world.read("trace")).unwrap();
    let on_input = lines.lines().filter(|line| line.contains("\"kind\":\"input\"")).count();
    assert!(on_input <= 4, "until it is interesting, and the best: {lines}");
    assert!(lines.contains("\"interesting_runs\":0"), "{lines}");
}

#[test]
fn an_input_that_is_never_interesting_is_no_input() {
    let world = world("exit 1");
    world.run(["test.sh", "in.txt", "--repeats", "auto"]).ends_with(5, &["not interesting"]);
    assert_eq!(world.runs(), 59, "that many show what is interesting in 5 % of its runs");
    world.run(["test.sh", "in.txt", "--repeats", "3"]).ends_with(5, &["not interesting"]);
    assert_eq!(world.runs(), 62);
}

#[test]
fn people_hear_of_repeats() {
    let world = world("[ $(( $(wc -l < \"$WORLD/runs\") % 2 )) = 0 ] && grep -q needle in.txt");
    world.run(["test.sh", "in.txt"]).ends_with(6, &["--repeats auto measures how often"]);
    let said = [
        "the test finds the input interesting in 12 of",
        "each candidate gets up to",
        ", the result in 12 of",
    ];
    world.run(["test.sh", "in.txt", "--repeats", "auto", "--confidence", "0.9"]).ends_with(0, &said);
    for (arguments, said) in [
        (&["--repeats", "3", "--confidence", "0.9"][..], "--confidence goes with --repeats auto"),
        (&["--repeats", "often"], "`auto` or a whole number above 0 is wanted"),
        (&["--repeats", "auto", "--confirm", "2"], "cannot be used with"),
        (&["--confidence", "0.9"], "--repeats"),
    ] {
        world.run([&["test.sh", "in.txt"], arguments].concat()).ends_with(2, &[said]);
    }
}
