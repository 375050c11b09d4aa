//! A finished run is gone on with by other options.

use super::support::World;

/// A program of which a call is needed.
fn sound() -> World {
    let world = World::new().one_by_one();
    let functions = (0..12).map(|number| format!("int f{number}(int a) {{ return a + {number}; }}\n"));
    world.write("in.c", functions.collect::<String>() + "int needle(void) { return f3(1); }\n");
    world.test("test.sh", "grep -q 'needle(' \"$1\" && grep -q 'f3(int' \"$1\"");
    world
}

const RUN: [&str; 2] = ["test.sh", "in.c"];

#[test]
fn what_a_finished_run_has_asked_is_not_asked_again() {
    let world = sound();
    let fast = world.report([&RUN[..], &["--level", "fast"]].concat());
    let (runs, result) = (world.runs(), world.read("in.reduced.c"));
    let same = world.report([&RUN[..], &["--level", "fast", "--refine"]].concat());
    assert_eq!(world.read("in.reduced.c"), result);
    assert_eq!(same["questions"]["total"], 4, "the input twice, the best and the result: {same}");
    assert_eq!(world.runs(), runs + 4);
    // All but those on the input and the result are known.
    assert_eq!(
        same["replayed"].as_u64().unwrap() + 3,
        fast["questions"]["total"].as_u64().unwrap(),
        "{same}"
    );
    let more = world.report([&RUN[..], &["--refine", "--format-result"]].concat());
    let afresh = world.report([&RUN[..], &["--fresh", "--format-result"]].concat());
    assert_eq!(more["after"], afresh["after"]);
    let asked = |report: &serde_json::Value| report["questions"]["total"].as_u64().unwrap();
    let known = more["replayed"].as_u64().unwrap();
    assert_eq!(asked(&more) + known, asked(&afresh) + 1, "one more for the best: {more}\n{afresh}");
    assert!(known >= same["replayed"].as_u64().unwrap());
}

#[test]
fn without_a_run_before_there_is_nothing_to_refine() {
    let world = sound();
    let missing = ["there is nothing to go on with", "run without --resume or --refine"];
    world.run([&RUN[..], &["--refine"]].concat()).ends_with(2, &missing);
    assert_eq!(world.runs(), 0);
    world.report(RUN);
    // Of another test nothing is known.
    world.test("test.sh", "grep -q 'needle(' \"$1\"");
    world.run([&RUN[..], &["--refine"]].concat()).ends_with(2, &missing);
    for other in ["--fresh", "--resume"] {
        world.run([&RUN[..], &["--refine", other]].concat()).ends_with(2, &["cannot be used with"]);
    }
}

#[test]
fn a_run_in_place_is_refined_from_its_original() {
    let world = sound();
    let original = world.read("in.c");
    let in_place = [&RUN[..], &["--in-place", "--level", "fast"]].concat();
    world.run(&in_place).ends_with(0, &["reduced: "]);
    let small = world.read("in.c");
    world.run(&in_place).ends_with(7, &["in.c.orig"]);
    let said = world.run([&RUN[..], &["--in-place", "--refine"]].concat());
    said.ends_with(0, &["using the answers to the ", "questions of the finished run", "reduced: "]);
    assert!(world.read("in.c").len() < small.len());
    assert_eq!(world.read("in.c.orig"), original);
}
