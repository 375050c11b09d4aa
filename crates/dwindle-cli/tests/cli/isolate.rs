//! The difference of two versions that makes one of them fail.

use std::time::{Duration, Instant};

use super::support::{DWINDLE, Finished, World, haystack};

/// What hangs in these tests hangs for longer than this by far.
const SOON: Duration = Duration::from_secs(30);

const PASSING: &str = "old/in.txt";
const FAILING: &str = "in.txt";

/// Two versions of a text, and a test of one of them.
fn world(old: &str, new: &str, test: &str) -> World {
    let world = World::new();
    world.write(PASSING, old);
    world.write(FAILING, new);
    world.test("test.sh", test);
    world
}

fn isolate(world: &World, flags: &[&str]) -> Finished {
    world.run([&["isolate", "--passing", PASSING, "--failing", FAILING, "test.sh"], flags].concat())
}

/// The text with all hunks of a diff, part after part.
#[track_caller]
fn patched(text: &str, diff: &str) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    for part in diff.split("--- ").skip(1) {
        let (mut old, mut new) = (lines.iter(), Vec::new());
        let mut taken = 0;
        for line in part.lines().skip(2) {
            let (sign, rest) = line.split_at(1);
            match sign {
                "@" => {
                    let from = rest.trim_start_matches(['@', ' ', '-']);
                    let end = from.find([',', ' ']).unwrap();
                    let (start, none) =
                        (from[..end].parse::<usize>().unwrap(), from[end..].starts_with(",0"));
                    let first = if none { start } else { start - 1 };
                    new.extend(old.by_ref().take(first - taken).cloned());
                    taken = first;
                }
                "+" => new.push(format!("{rest}\n")),
                " " | "-" => {
                    let there = old.next().expect("a line of the text");
                    assert_eq!(there.trim_end_matches('\n'), rest, "{diff}");
                    taken += 1;
                    new.extend((sign == " ").then(|| there.clone()));
                }
                "\\" => new
                    .iter_mut()
                    .rev()
                    .take(1)
                    .for_each(|last| *last = last.trim_end_matches('\n').to_owned()),
                _ => panic!("{line}"),
            }
        }
        new.extend(old.cloned());
        lines = new;
    }
    lines.concat()
}

#[test]
fn the_one_line_that_matters_is_the_diff() {
    let (old, new) =
        (haystack(60, &[]), haystack(60, &[(3, "one"), (9, "two"), (31, "needle"), (55, "three")]));
    for algorithm in ["dd", "guided"] {
        for format in ["auto", "lines", "tokens", "tree"] {
            let world = world(&old, &new, "grep -q needle in.txt && exit 0; exit 1");
            let said =
                isolate(&world, &["--algorithm", algorithm, "--format", format]).ends_with(0, &["isolated:"]);
            let result = patched(&old, &said.out);
            assert!(
                result.contains("needle") && !result.contains("two"),
                "{algorithm} {format}: {}",
                said.out
            );
            assert_eq!(
                said.out.matches("+++ ").count(),
                1,
                "it applies to the version that passes: {}",
                said.out
            );
            if format == "lines" {
                assert_eq!(result, haystack(60, &[(31, "needle")]));
            }
            world.assert_no_process_is_left();
        }
    }
}

#[test]
fn a_command_may_take_the_place_of_the_test() {
    let (old, new) = (haystack(60, &[]), haystack(60, &[(3, "one"), (31, "needle"), (55, "three")]));
    let world = world(&old, &new, "");
    let isolate = |file: &str| {
        let flags = ["isolate", "--passing", PASSING, "--failing", FAILING, "--format", "lines"];
        world.run([&flags[..], &["--", "grep", "-q", "needle", file]].concat())
    };
    for file in ["{}", FAILING] {
        let said = isolate(file).ends_with(0, &["isolated:"]);
        assert_eq!(patched(&old, &said.out), haystack(60, &[(31, "needle")]));
    }
    isolate("./old/../in.txt").ends_with(2, &["write {} in its place"]);
}

#[test]
fn what_the_difference_needs_comes_first_in_the_diff() {
    let marks = [(3, "one"), (9, "two"), (31, "needle"), (45, "four"), (55, "pin")];
    let (old, new) = (haystack(60, &[]), haystack(60, &marks));
    let world = world(&old, &new, "grep -q needle in.txt && grep -q pin in.txt && exit 0; exit 1");
    let said = isolate(&world, &["--format", "lines", "--json"]).ends_with(0, &[]);
    let report = said.json();
    assert_eq!((&report["left"], &report["applied"]), (&1.into(), &1.into()), "{report}");
    let diff = report["diff"].as_str().unwrap();
    assert_eq!(diff.matches("+++ ").count(), 2, "{diff}");
    assert_eq!(patched(&old, diff), haystack(60, &[(31, "needle"), (55, "pin")]));
    let first = &diff[..diff.rfind("--- ").unwrap()];
    let passes = patched(&old, first);
    assert!(passes.contains("needle") != passes.contains("pin"), "{diff}");
}

#[test]
fn exit_code_125_and_a_run_over_its_time_are_unresolved() {
    let marks = [(3, "needs"), (31, "needle"), (40, "needed")];
    let (old, new) = (haystack(60, &[]), haystack(60, &marks));
    for unresolved in ["exit 125", "sleep 300"] {
        let body = format!(
            "grep -q needs in.txt && {{ grep -q needed in.txt || {unresolved}; }}\ngrep -q needle in.txt && exit 0; exit 1"
        );
        let world = world(&old, &new, &body);
        let began = Instant::now();
        let said = isolate(&world, &["--format", "lines", "--timeout", "1", "--json"]).ends_with(0, &[]);
        assert!(began.elapsed() < SOON);
        let (report, questions) = (said.json(), said.json()["questions"].clone());
        assert_eq!(
            patched(&old, report["diff"].as_str().unwrap()),
            haystack(60, &[(31, "needle")]),
            "{report}"
        );
        let (one, other) = (&questions["unresolved"], &questions["timeout"]);
        assert!(
            if unresolved == "exit 125" { *one != 0 && *other == 0 } else { *one == 0 && *other != 0 },
            "{report}"
        );
        world.assert_no_process_is_left();
    }
}

#[test]
fn results_and_questions_are_the_same_with_any_number_of_jobs() {
    let marks: Vec<(usize, String)> = (0..30).map(|at| (at * 3, format!("mark {at}"))).collect();
    let marks: Vec<(usize, &str)> = marks.iter().map(|(at, mark)| (*at, mark.as_str())).collect();
    let (old, new) = (haystack(100, &[]), haystack(100, &marks));
    let test = "grep -q 'mark 4' in.txt && { grep -q 'mark 20' in.txt || exit 125; }\n\
                grep -q 'mark 11' in.txt && exit 0; exit 1";
    for algorithm in ["dd", "guided"] {
        let reports: Vec<_> = ["1", "2", "5"]
            .into_iter()
            .map(|jobs| {
                let world = world(&old, &new, test);
                let said = isolate(&world, &["--algorithm", algorithm, "--jobs", jobs, "--json", "--quiet"]);
                let report = said.ends_with(0, &[]).json();
                (report["questions"].clone(), report["cached"].clone(), report["diff"].clone())
            })
            .collect();
        assert!(reports.windows(2).all(|pair| pair[0] == pair[1]), "{algorithm}: {reports:?}");
    }
}

#[test]
fn versions_that_do_not_do_what_they_are_said_to_are_refused() {
    let test = "grep -q needle in.txt && exit 0; grep -q odd in.txt && exit 125; exit 1";
    let check = |old: &str, new: &str, code, expected: &[&str]| {
        let world = world(old, new, test);
        isolate(&world, &[]).ends_with(code, expected);
        assert_eq!(world.names(), ["in.txt", "old", "test.sh"]);
    };
    check(
        "a\n",
        "b\n",
        5,
        &[
            "the version in.txt does not fail: the test ended with exit code 1",
            "in a folder of its own; by hand",
        ],
    );
    check("needle\n", "needle b\n", 5, &["the version old/in.txt does not pass", "else but 125"]);
    check(
        "odd\n",
        "needle b\n",
        5,
        &["the version old/in.txt does not pass: the test ended with exit code 125"],
    );
    check("needle\n", "needle\n", 3, &["are the same"]);
    let world =
        world("a\n", "needle\n", "[ $(wc -l < \"$WORLD/runs\") = 2 ] && exit 0; grep -q needle in.txt");
    isolate(&world, &[]).ends_with(0, &[]);
    world.test("test.sh", "[ $(wc -l < \"$WORLD/runs\") = 2 ]");
    std::fs::remove_file(world.root().join("runs")).unwrap();
    isolate(&world, &[]).ends_with(6, &["the test is flaky on the input in.txt"]);
    let missing = ["isolate", "--passing", "none", "--failing", FAILING, "test.sh"];
    world.run(missing).ends_with(3, &["cannot compare none: there is no such file"]);
}

#[test]
fn the_diff_goes_into_a_file_that_is_none_of_the_others() {
    let (old, new) = (haystack(20, &[]), haystack(20, &[(3, "one"), (9, "needle")]));
    let world = world(&old, &new, "grep -q needle in.txt && exit 0; exit 1");
    let said = isolate(&world, &["--output", "out.diff", "--format", "lines"]).ends_with(0, &["isolated:"]);
    assert_eq!(said.out, "");
    let diff = String::from_utf8(world.read("out.diff")).unwrap();
    assert_eq!(patched(&old, &diff), haystack(20, &[(9, "needle")]));
    for file in [PASSING, FAILING, "test.sh"] {
        isolate(&world, &["--output", file]).ends_with(2, &["would write over"]);
    }
    let printed = isolate(&world, &["--output", "-", "--format", "lines"]).ends_with(0, &["isolated:"]);
    assert_eq!(printed.out, diff);
    let runs = world.runs();
    isolate(&world, &["--output", "no/out.diff"]).ends_with(7, &["cannot write no/out.diff: No such file"]);
    assert_eq!(world.runs(), runs, "found before the first question");
    assert_eq!(world.read(PASSING), old.as_bytes());
}

#[test]
fn a_budget_or_a_signal_leaves_the_nearest_two_variants_so_far() {
    let marks: Vec<(usize, String)> = (0..30).map(|at| (at * 3, format!("mark {at}"))).collect();
    let marks: Vec<(usize, &str)> = marks.iter().map(|(at, mark)| (*at, mark.as_str())).collect();
    let (old, new) = (haystack(100, &[]), haystack(100, &marks));
    let finds = "grep -q 'mark 11' in.txt && exit 0; exit 1";
    let cut = world(&old, &new, finds);
    let said = isolate(&cut, &["--max-questions", "8"]).ends_with(0, &["stopped by --max-questions"]);
    assert!(patched(&old, &said.out).contains("mark 11") && cut.runs() <= 8, "{}", said.out);
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let runs = "$(wc -l < \"$WORLD/runs\")";
        let hangs = format!(
            "[ {runs} -ge 7 ] && {{ trap '' INT TERM; kill -{signal} {DWINDLE}; sleep 300; }}\n{finds}"
        );
        let world = world(&old, &new, &hangs);
        let began = Instant::now();
        let said = isolate(&world, &["--jobs", "1", "--timeout", "200"]).ends_with(code, &["interrupted:"]);
        assert!(began.elapsed() < SOON);
        let result = patched(&old, &said.out);
        assert!(result.contains("mark 11") && result != new, "{}", said.out);
        world.assert_no_process_is_left();
    }
}
