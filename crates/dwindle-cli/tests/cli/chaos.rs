//! kill -9 again and again, and the same command after each: nothing is lost, nothing is asked twice.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::support::{World, haystack, spawn, wait_until};

/// Takes a note when it begins and when it has an answer.
const TEST: &str = "sum=$(cksum < in.txt)\necho \"$sum\" >> \"$WORLD/begun\"\n\
    if [ $(grep -c needle in.txt) = 60 ]; then end=0; else end=1; fi\n\
    echo \"$sum\" >> \"$WORLD/ended\"\nexit $end";

/// So many needles, a stalk of hay beside each: every one is a question.
fn pins(needles: usize) -> String {
    let line = |i| if i % 2 == 0 { format!("needle{i}\n") } else { format!("hay{i}\n") };
    (0..2 * needles).map(line).collect()
}

fn sum(world: &World, name: &str) -> String {
    let file = std::fs::File::open(world.path(name)).unwrap();
    let output = std::process::Command::new("cksum").stdin(file).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn a_reduction_that_is_killed_again_and_again_ends_as_one_that_is_not() {
    check(1, 50);
    check(3, 25);
}

/// With more than one job, tests are also cancelled and begun again without a kill.
fn check(jobs: usize, kills: usize) {
    let input = pins(60);
    let whole = World::new();
    whole.write("in.txt", &input);
    whole.test("test.sh", TEST);
    whole.report(["test.sh", "in.txt", "--format", "lines"]);

    let world = World::new();
    world.write("in.txt", &input);
    let test = world.test("test.sh", TEST);
    let number = jobs.to_string();
    let command = ["test.sh", "in.txt", "--format", "lines", "--jobs", &number];
    // How often a content may have been asked about: once, and again for each kill that found it the
    // best or under way.
    let mut allowed: HashMap<String, usize> = HashMap::new();
    let original = sum(&world, "in.txt");
    let mut killed = 0;
    for round in 0..kills {
        let begun = world.note("begun").lines().count();
        let ended = world.note("ended").lines().count();
        // Not in the same place every time: a number that looks random.
        let more = 1 + (round * 7919 + 13) % 11;
        let mut child = spawn(world.command(command)).unwrap();
        wait_until(|| {
            world.note("ended").lines().count() >= ended + more || child.try_wait().unwrap().is_some()
        });
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        killed += 1;
        if world.path("in.reduced.txt").exists() {
            let best = world.read("in.reduced.txt");
            assert!(world.finds_interesting(&test, "in.txt", &best), "at kill {round}");
            // By this very check, and by the next run.
            *allowed.entry(sum(&world, "in.reduced.txt")).or_default() += 2;
        }
        world.assert_no_process_is_left();
        // What ended last may not have been written down; the very last was asked by this check.
        let (note_begun, note_ended) = (world.note("begun"), world.note("ended"));
        let last: Vec<&str> = note_ended.lines().skip(ended).collect();
        let answered: HashSet<&str> = last[..last.len().saturating_sub(2)].iter().copied().collect();
        for sum in note_begun.lines().skip(begun).filter(|sum| !answered.contains(sum)) {
            *allowed.entry(sum.to_owned()).or_default() += 1;
        }
        *allowed.entry(original.clone()).or_default() += 2;
    }
    assert!(killed > kills / 2, "the reduction was over after {killed} kills");
    world.run(command).ends_with(0, &["reduced: "]);
    assert_eq!(world.read("in.reduced.txt"), whole.read("in.reduced.txt"));
    *allowed.entry(original).or_default() += 2;
    *allowed.entry(sum(&world, "in.reduced.txt")).or_default() += 2;

    let mut asked: HashMap<&str, usize> = HashMap::new();
    let note = world.note("begun");
    note.lines().for_each(|sum| *asked.entry(sum).or_default() += 1);
    for (sum, times) in asked {
        let allowed = 1 + allowed.get(sum).copied().unwrap_or_default();
        assert!(times <= allowed || jobs > 1, "{sum}: {times} times, not {allowed}");
    }
}

#[test]
fn resume_insists_and_fresh_begins_anew() {
    let world = World::new().one_by_one();
    world.write("in.txt", pins(20));
    world.test("test.sh", "[ $(grep -c needle in.txt) = 20 ]");
    world.run(["test.sh", "in.txt", "--resume"]).ends_with(2, &["there is nothing to go on with"]);
    assert_eq!(world.runs(), 0, "that is found out before anything is asked");

    let some = world.report(["test.sh", "in.txt", "--max-questions", "20"]);
    assert_eq!((some["end"].as_str(), world.runs()), (Some("max-questions"), 20));
    let rest = world.report(["test.sh", "in.txt", "--resume"]);
    // The input twice and the best once were asked again; the result of the first was asked at its end.
    let replayed = rest["replayed"].as_u64().unwrap();
    assert!(replayed >= 16, "{rest}");
    let runs = world.runs() as u64;
    let again = world.report(["test.sh", "in.txt"]);
    assert_eq!(again["replayed"], 0, "a finished one answers nothing");
    assert_eq!(again["questions"]["total"].as_u64(), Some(world.runs() as u64 - runs));
    assert_eq!(again["after"], rest["after"]);

    world.report(["test.sh", "in.txt", "--max-questions", "20"]);
    let fresh = world.report(["test.sh", "in.txt", "--fresh"]);
    assert_eq!((fresh["replayed"].as_u64(), &fresh["questions"]), (Some(0), &again["questions"]));
}

#[test]
fn a_reduction_in_place_goes_on_after_a_kill() {
    let world = World::new().one_by_one();
    let input = pins(20);
    world.write("in.txt", &input);
    world.test("test.sh", "[ $(grep -c needle in.txt) = 20 ]");
    let mut child = spawn(world.command(["test.sh", "in.txt", "--in-place"])).unwrap();
    wait_until(|| world.runs() > 20);
    child.kill().unwrap();
    child.wait().unwrap();
    let report = world.report(["test.sh", "in.txt", "--in-place"]);
    assert!(report["replayed"].as_u64().unwrap() > 10, "{report}");
    assert_eq!(world.read("in.txt.orig"), input.as_bytes());
    let result = String::from_utf8(world.read("in.txt")).unwrap();
    assert!(result.lines().count() == 20 && !result.contains("hay"), "{result}");
    world.run(["test.sh", "in.txt", "--in-place"]).ends_with(7, &["in.txt.orig is there already"]);
}

#[test]
fn a_result_that_does_not_hold_is_taken_back() {
    // Candidates without the word `luck` are interesting the first time only.
    let body = "grep -q needle in.txt || exit 1\ngrep -q luck in.txt && exit 0\n\
        echo x >> \"$WORLD/lucky\"\n[ $(wc -l < \"$WORLD/lucky\") = 1 ]";
    let world = World::new().one_by_one();
    world.write("in.txt", haystack(200, &[(7, "needle"), (8, "luck")]));
    let test = world.test("test.sh", body);
    let report = world.report(["test.sh", "in.txt", "--format", "lines", "--minimizer", "ddmin"]);
    assert!(report["steps_back"].as_u64().unwrap() > 0, "{report}");
    assert!(world.finds_interesting(Path::new(&test), "in.txt", &world.read("in.reduced.txt")));
    assert!(world.read("in.reduced.txt").len() < world.read("in.txt").len());
}

#[test]
fn an_input_that_is_taken_back_counts_as_before() {
    // Any other text is interesting once only.
    let body = "grep -q luck a.c && exit 0\necho x >> \"$WORLD/lucky\"\n[ $(wc -l < \"$WORLD/lucky\") = 1 ]";
    let world = World::new().one_by_one();
    let input = "#include <stdio.h>\nint luck;\n";
    world.write("a.c", input);
    world.test("test.sh", body);
    let report = world.report(["test.sh", "a.c"]);
    assert_eq!(report["steps_back"], 1, "{report}");
    assert_eq!(report["after"], report["before"], "{report}");
    assert_eq!(world.read("a.reduced.c"), input.as_bytes());
}

#[test]
fn confirm_wants_runs_to_agree() {
    // Every third run of a candidate without the word `luck` finds it interesting.
    let body = "grep -q needle in.txt || exit 1\ngrep -q luck in.txt && exit 0\n\
        [ $(( $(wc -l < \"$WORLD/runs\") % 3 )) = 0 ]";
    let world = World::new().one_by_one();
    world.write("in.txt", haystack(30, &[(7, "needle"), (20, "luck")]));
    world.test("test.sh", body);
    let report = world.report(["test.sh", "in.txt", "--confirm", "3"]);
    let result = String::from_utf8(world.read("in.reduced.txt")).unwrap();
    assert_eq!(result.split_whitespace().collect::<Vec<_>>(), ["needle", "luck"]);
    assert!(report["flaky"].as_u64().unwrap() > 0, "{report}");
}
