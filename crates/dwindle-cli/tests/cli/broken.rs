//! A test that breaks on the way, or is another one all of a sudden: it is noticed, and not believed afterwards.

use std::fs::{self, File};
use std::path::Path;

use dwindle::journal::History;

use super::support::{World, haystack};

const NEEDLES: &str = "[ $(grep -c needle in.txt) = 3 ]";
const MINIMUM: &[u8] = b"needle\nneedle\nneedle\n";

/// A world with a test that can be reduced, and these arguments.
fn world(body: &str) -> World {
    let world = World::new();
    world.write("in.txt", haystack(40, &[(7, "needle"), (20, "needle"), (33, "needle")]));
    world.test("test.sh", body);
    world
}

fn arguments<'a>(jobs: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["test.sh", "in.txt", "--format", "lines", "--jobs", jobs], more].concat()
}

/// A test that lacks something after so many runs, until it is `back`.
fn breaking(runs: usize, code: i32) -> World {
    world(&format!(
        "[ $(wc -l < \"$WORLD/runs\") -gt {runs} ] && [ ! -e \"$WORLD/back\" ] && exit {code}\n{NEEDLES}"
    ))
}

fn mend(world: &World) {
    File::create(world.root().join("back")).unwrap();
}

#[test]
fn a_test_that_breaks_is_no_end_of_a_reduction_and_what_it_said_is_asked_again_when_it_is_mended() {
    for jobs in ["1", "3"] {
        for (runs, said) in [
            (2, "finds not even the input interesting any more"),
            (3, "finds "),
            (18, "finds neither the input nor the result in in.reduced.txt interesting any more"),
        ] {
            for code in [1, 127] {
                let world = breaking(runs, code);
                let next = "the same command goes on, and asks again what was refused";
                world.run(arguments(jobs, &[])).ends_with(8, &[said, next, "--fresh begins anew"]);
                let best = String::from_utf8(world.read("in.reduced.txt")).unwrap();
                assert_eq!(best.matches("needle").count(), 3);
                mend(&world);
                let report = world.report(arguments(jobs, &[]));
                assert_eq!(world.read("in.reduced.txt"), MINIMUM, "{jobs} {runs} {code}");
                assert!(runs < 18 || report["replayed"].as_u64() > Some(0), "{report}");
            }
        }
    }
}

#[test]
fn a_command_that_goes_missing_is_noticed_at_the_first_refusal() {
    for (runs, code) in [(2, 127), (10, 127), (10, 126)] {
        let world = breaking(runs, code);
        world.run(arguments("1", &[])).ends_with(8, &["something that it needs has changed"]);
        assert_eq!(world.runs(), runs + 3, "the refusal, the best and the input");
    }
}

#[test]
fn a_test_that_refuses_as_if_a_command_were_missing_costs_one_question() {
    let usual = world(&format!("{NEEDLES} || exit 1")).report(arguments("1", &[]));
    for jobs in ["1", "3"] {
        let report = world(&format!("{NEEDLES} || exit 127")).report(arguments(jobs, &[]));
        let total = |report: &serde_json::Value| report["questions"]["total"].as_u64().unwrap();
        assert_eq!(total(&report), total(&usual) + 1, "{report}");
        assert_eq!(report["after"], usual["after"]);
    }
}

#[test]
fn what_a_test_refused_before_it_refused_the_input_is_asked_again() {
    let world = breaking(2, 1);
    let said = world.run(arguments("1", &["--max-questions", "8"]));
    said.ends_with(
        0,
        &["stopped after --max-questions", "There was no question left to test the result once more"],
    );
    world.run(arguments("1", &[])).ends_with(5, &["the input in.txt is not interesting"]);
    mend(&world);
    assert_eq!(world.report(arguments("1", &[]))["replayed"], 0);
    assert_eq!(world.read("in.reduced.txt"), MINIMUM);
}

#[test]
fn where_nothing_was_asked_the_input_is_not_asked_once_more() {
    let world = World::new();
    world.write("in.txt", "needle");
    world.test("test.sh", "grep -q needle in.txt");
    let report = world.report(["test.sh", "in.txt", "--keep", "needle"]);
    assert_eq!(report["questions"]["total"], 2, "{report}");
}

#[test]
fn a_test_that_is_replaced_on_the_way_is_noticed_and_the_first_one_can_go_on() {
    for other in ["exit 0", "exit 1", "exit 127", "grep -q input in.txt"] {
        for (jobs, runs) in [("1", 2), ("1", 10), ("3", 10)] {
            let body = format!(
                "[ $(wc -l < \"$WORLD/runs\") -ge {runs} ] && [ ! -e \"$WORLD/back\" ] && \
                 cp -p \"$WORLD/other\" \"$WORLD/copy.$$\" && mv \"$WORLD/copy.$$\" \"$0\"\n{NEEDLES}"
            );
            let world = world(&body);
            world.program("../other", format!("#!/bin/sh\n{other}\n"));
            world.run(arguments(jobs, &[])).ends_with(8, &["was changed while it was in use", "--fresh"]);
            let best = String::from_utf8(world.read("in.reduced.txt")).unwrap();
            assert_eq!(best.matches("needle").count(), 3, "{other}");
            world.test("test.sh", &body);
            mend(&world);
            world.report(arguments(jobs, &[]));
            assert_eq!(world.read("in.reduced.txt"), MINIMUM, "{other}");
        }
    }
}

#[test]
fn a_test_of_another_date_is_the_same() {
    let world = world(&format!("touch \"$0\"; {NEEDLES}"));
    world.report(arguments("1", &[]));
    assert_eq!(world.read("in.reduced.txt"), MINIMUM);
}

#[test]
fn a_result_that_somebody_else_changes_at_the_end_is_written_again() {
    for (place, file) in [(&[][..], "in.reduced.txt"), (&["--in-place"], "in.txt")] {
        for change in ["echo other >", "rm -f", "mkfifo $(rm -f \"$file\")"] {
            let body = format!(
                "file=\"$WORLD/home/{file}\"; cmp -s in.txt \"$WORLD/minimum\" && echo x >> \"$WORLD/asked\"\n\
                 [ \"$(wc -l < \"$WORLD/asked\")\" = 2 ] && {change} \"$file\"\n{NEEDLES}"
            );
            let world = world(&body);
            world.write("../minimum", MINIMUM);
            world.write("../asked", "");
            let said =
                format!("{file} was changed or removed by somebody else; the result was written to it again");
            world.run(arguments("1", place)).ends_with(0, &[&said]);
            assert_eq!(world.read(file), MINIMUM);
        }
    }
}

#[test]
fn runs_that_were_killed_from_outside_are_counted_and_not_remembered() {
    for (kill, remembered) in [("kill -KILL $$", 0), ("sh -c 'kill -KILL $$'; exit $?", 12)] {
        let world = world(&format!(
            "runs=$(wc -l < \"$WORLD/runs\"); [ $runs -gt 5 ] && [ $runs -le 17 ] && {{ {kill}; }}\n{NEEDLES}"
        ));
        let said = world.run(arguments("1", &["--json"]));
        let said = said.ends_with(0, &["12 runs of the test were killed from outside", "want of memory"]);
        let report = said.json();
        assert_eq!(report["killed"], 12, "{report}");
        let history = History::read(Path::new(report["journal"].as_str().unwrap())).unwrap();
        let outcomes = history.outcomes().unwrap().len() as u64;
        // The input was asked twice, and the result at the end.
        assert_eq!(report["questions"]["total"].as_u64(), Some(outcomes + 3 + 12 - remembered), "{report}");
        assert!(fs::exists(world.path("in.reduced.txt")).unwrap());
    }
}
