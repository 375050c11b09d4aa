//! Signals and budgets end a run in time and keep the best result.

use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use super::support::{DWINDLE, Finished, World, finish, haystack, wait_until};

const SIGNALS: [(&str, i32); 3] = [("HUP", 129), ("INT", 130), ("TERM", 143)];
/// What hangs in these tests hangs for longer than this by far.
const SOON: Duration = Duration::from_secs(30);

/// A world whose test does `what` in its `number`th run and the later ones.
fn world(number: usize, what: &str) -> World {
    let world = World::new().one_by_one();
    world.write("in.txt", haystack(40, &[(7, "needle"), (30, "pin")]));
    let runs = "$(wc -l < \"$WORLD/runs\")";
    let body =
        format!("[ {runs} -ge {number} ] && {{ {what}; }}\ngrep -q needle in.txt && grep -q pin in.txt");
    world.test("test.sh", &body);
    world
}

/// That the result is a smaller input with whole lines and all that is looked for.
fn assert_reduced_so_far(world: &World, name: &str) {
    let input = haystack(40, &[(7, "needle"), (30, "pin")]);
    let result = String::from_utf8(world.read(name)).unwrap();
    assert!(result.contains("needle\n") && result.contains("pin\n"), "{result}");
    assert!(result.len() < input.len(), "{result}");
    assert!(result.lines().all(|line| input.lines().any(|whole| whole == line)), "{result}");
}

#[test]
fn a_signal_while_the_input_is_tested_leaves_nothing_behind() {
    for (signal, code) in SIGNALS {
        for number in [1, 2] {
            for flags in [&[][..], &["--in-place"], &["--json"]] {
                let world =
                    world(number, &format!("trap '' HUP INT TERM; kill -{signal} {DWINDLE}; sleep 300"));
                let began = Instant::now();
                let said = world.run([&["test.sh", "in.txt"], flags].concat());
                assert!(began.elapsed() < SOON);
                let said =
                    said.ends_with(code, &["stopped before the input had been tested; nothing was written"]);
                assert_eq!(said.out, "");
                assert_eq!(world.names(), ["in.txt", "test.sh"]);
                assert_eq!(world.runs(), number);
                world.assert_no_process_is_left();
            }
        }
    }
}

#[test]
fn a_signal_during_the_reduction_keeps_the_best_result_and_says_so() {
    for (signal, code) in SIGNALS {
        let world = world(12, &format!("trap '' HUP INT TERM; kill -{signal} {DWINDLE}; sleep 300"));
        let began = Instant::now();
        let said = world.run(["test.sh", "in.txt", "--timeout", "200", "--json"]);
        assert!(began.elapsed() < SOON);
        let said =
            said.ends_with(code, &["interrupted, reduced so far: in.txt -> in.reduced.txt", "questions 11"]);
        world.assert_no_process_is_left();
        assert_reduced_so_far(&world, "in.reduced.txt");
        let report = said.json();
        assert_eq!(report["end"], "interrupted");
        assert_eq!(report["questions"]["total"], 11, "a run that was cut off is no question");
        assert_eq!(report["after"]["bytes"], world.read("in.reduced.txt").len());
        assert_eq!(world.runs(), 12, "none was started after the signal");
    }
}

/// In the shell of a [`World::test`]: whether it was not asked before.
const FIRST: &str = "{ [ ! -e \"$WORLD/asked\" ] && touch \"$WORLD/asked\"; }";

/// A world of functions in one line. Its test does `what` in its `number`th run and the later ones.
fn world_of_code(number: usize, what: &str) -> World {
    let world = World::new().one_by_one();
    let functions = (0..40).map(|i| format!("int f{i}(int argument){{return {i};}}"));
    world.write("in.c", functions.collect::<String>());
    let runs = "$(wc -l < \"$WORLD/runs\")";
    let body = format!("[ {runs} -ge {number} ] && {{ {what}; }}\ntr -d '\\n' < in.c | grep -q 'f7.*f30'");
    world.test("test.sh", &body);
    world
}

#[test]
fn what_a_signal_or_a_budget_has_ended_is_laid_out() {
    for (what, flags, code, end) in [
        (
            format!("{FIRST} && kill -INT {DWINDLE} && sleep 300"),
            &["--timeout", "200"][..],
            130,
            "interrupted",
        ),
        ("true".to_owned(), &["--max-questions", "12"], 0, "max-questions"),
        (format!("{FIRST} && sleep 300"), &["--timeout", "200", "--max-time", "3"], 0, "max-time"),
    ] {
        let world = world_of_code(12, &what);
        let said = world.run([&["test.sh", "in.c", "--json"], flags].concat());
        let report = said.ends_with(code, &["laid out by"]).json();
        assert_eq!((&report["end"], &report["formatting"]["outcome"]), (&end.into(), &"kept".into()));
        let text = String::from_utf8(world.read("in.reduced.c")).unwrap();
        assert!(text.lines().count() > 5, "{text}");
        assert!(world.finds_interesting(&world.path("test.sh"), "in.c", text.as_bytes()), "{text}");
        world.assert_no_process_is_left();
    }
}

#[test]
fn a_layout_that_is_not_soon_found_interesting_is_not_waited_for() {
    let world = world_of_code(12, &format!("{FIRST} && kill -INT {DWINDLE}; sleep 300"));
    let began = Instant::now();
    let said = world.run(["test.sh", "in.c", "--timeout", "200"]);
    assert!(began.elapsed() < SOON);
    said.ends_with(130, &["Not laid out: there was no time to test that"]);
    world.assert_no_process_is_left();
}

#[test]
fn a_signal_during_a_reduction_in_place_keeps_the_original() {
    let world = world(12, &format!("kill -INT {DWINDLE}; sleep 300"));
    let input = world.read("in.txt");
    world.run(["test.sh", "in.txt", "--in-place", "--timeout", "200"]).ends_with(130, &["interrupted"]);
    assert_reduced_so_far(&world, "in.txt");
    assert_eq!(world.read("in.txt.orig"), input);
}

#[test]
fn a_signal_between_two_questions_ends_the_run_before_the_next() {
    // The test is over as soon as it has sent the signal, so it may or may not have been answered.
    let world = world(12, &format!("kill -TERM {DWINDLE}"));
    let said = world.run(["test.sh", "in.txt", "--json"]).ends_with(143, &["interrupted, reduced so far"]);
    assert_eq!(said.json()["end"], "interrupted");
    assert_eq!(world.runs(), 12);
    assert_reduced_so_far(&world, "in.reduced.txt");
}

#[test]
fn several_signals_at_once_leave_nothing_behind() {
    for _ in 0..5 {
        let kills = ["INT", "TERM", "HUP"].map(|signal| format!("kill -{signal} {DWINDLE}"));
        let world = world(12, &kills.join("; "));
        let said = world.run(["test.sh", "in.txt"]);
        assert!(matches!(said.code, Some(129 | 130 | 143)), "{said:?}");
        world.assert_no_process_is_left();
        assert!(world.run_folders().is_empty());
        assert_reduced_so_far(&world, "in.reduced.txt");
    }
}

#[test]
fn a_hangup_that_is_ignored_from_the_start_changes_nothing() {
    let world = world(12, &format!("kill -HUP {DWINDLE}"));
    world.shell("trap '' HUP; dwindle test.sh in.txt").ends_with(0, &["reduced: in.txt"]);
    assert!(world.runs() > 12);
    assert_eq!(world.read("in.reduced.txt"), b"needle\npin\n");
}

#[test]
fn the_time_budget_cuts_off_a_test_that_hangs() {
    let world = world(12, "sleep 300");
    let began = Instant::now();
    let said = world.run(["test.sh", "in.txt", "--timeout", "200", "--max-time", "3", "--json"]);
    assert!(began.elapsed() < SOON);
    let said = said.ends_with(0, &["stopped after --max-time, reduced so far: in.txt -> in.reduced.txt"]);
    world.assert_no_process_is_left();
    assert_eq!(said.json()["end"], "max-time");
    assert_eq!(said.json()["questions"]["timeout"], 0, "the test was within its own limit");
    assert_reduced_so_far(&world, "in.reduced.txt");
}

#[test]
fn the_time_budget_cuts_off_a_test_that_prints_without_end() {
    let world = world(12, "yes");
    let began = Instant::now();
    let said = world.run(["test.sh", "in.txt", "--timeout", "60", "--max-time", "3", "--json"]);
    assert!(began.elapsed() < SOON);
    assert_eq!(said.ends_with(0, &["stopped after --max-time"]).json()["end"], "max-time");
    world.assert_no_process_is_left();
    assert_reduced_so_far(&world, "in.reduced.txt");
}

#[test]
fn the_time_budget_ends_a_row_of_quick_questions() {
    let world = world(3, "sleep 0.5");
    let said = world.run(["test.sh", "in.txt", "--max-time", "3", "--json"]);
    assert_eq!(said.ends_with(0, &["stopped after --max-time"]).json()["end"], "max-time");
    assert!(world.runs() <= 10, "{}", world.runs());
}

#[test]
fn a_time_budget_that_is_over_before_the_input_was_tested_writes_nothing() {
    let world = world(1, "sleep 300");
    let said = world.run(["test.sh", "in.txt", "--max-time", "1"]);
    said.ends_with(5, &["before the input had been tested; nothing was written"]);
    assert_eq!(world.names(), ["in.txt", "test.sh"]);
    world.assert_no_process_is_left();
}

#[test]
fn the_budget_of_questions_counts_the_two_on_the_input() {
    for budget in [2, 3, 12] {
        let world = world(1000, "exit 1");
        let number = budget.to_string();
        let said = world.run(["test.sh", "in.txt", "--max-questions", &number, "--json"]);
        let said = said.ends_with(0, &[&format!("stopped after --max-questions {number}, reduced so far")]);
        assert_eq!(said.json()["end"], "max-questions");
        assert_eq!(said.json()["questions"]["total"], budget);
        assert_eq!(world.runs(), budget);
        if budget == 2 {
            assert_eq!(world.read("in.reduced.txt"), world.read("in.txt"));
        }
    }
}

#[test]
fn a_reduction_within_its_budgets_is_finished() {
    let world = world(1000, "exit 1");
    let report = world.report(["test.sh", "in.txt", "--max-questions", "900", "--max-time", "900"]);
    assert_eq!(report["end"], "finished");
    assert_eq!(world.read("in.reduced.txt"), b"needle\npin\n");
}

/// A world whose input takes dwindle itself long to read: any letters of it could be together.
fn long_to_read() -> World {
    let world = World::new().one_by_one();
    world.write("in.txt", "a ".repeat(2_000_000));
    world.write("g.y", "%start x\n%%\nx: x x | x x x | 'a';\n");
    world.write("g.l", "%%\na \"a\"\n[ \\t\\n]+ ;\n");
    world.test("test.sh", &format!("echo {DWINDLE} > \"$WORLD/dwindle\"; grep -q a in.txt"));
    world
}

const READING: [&str; 7] = ["test.sh", "in.txt", "--grammar", "g.y", "--lexer", "g.l", "--json"];

/// That dwindle ended while it read the input, and what it says of that.
fn assert_ended_while_it_read(world: &World, said: &Finished, end: &str) {
    let report = said.json();
    assert_eq!((&report["end"], &report["questions"]["total"]), (&end.into(), &2.into()));
    assert_eq!(world.runs(), 2);
    assert_eq!(world.read("in.reduced.txt"), world.read("in.txt"));
    assert_eq!(report["after"], report["before"]);
    world.assert_no_process_is_left();
    // On a busy machine it was cut off, and what keeps the tests tidies up behind it.
    wait_until(|| world.run_folders().is_empty());
    world.assert_no_file_is_left();
}

#[test]
fn a_signal_while_dwindle_reads_the_input_ends_the_run() {
    for (signal, code) in SIGNALS {
        let world = long_to_read();
        let said = thread::scope(|scope| {
            let run = scope.spawn(|| finish(world.command(READING)));
            // It is there as soon as the input was tested, and the next thing is to read.
            wait_until(|| world.path("in.reduced.txt").exists());
            let process = world.note("dwindle");
            let kill = Command::new("kill").args([&format!("-{signal}"), process.trim()]).status();
            assert!(kill.unwrap().success());
            run.join().unwrap()
        });
        let said = said.ends_with(code, &["interrupted, reduced so far: in.txt -> in.reduced.txt"]);
        assert_ended_while_it_read(&world, &said, "interrupted");
    }
}

#[test]
fn the_time_budget_ends_the_run_while_dwindle_reads_the_input() {
    let world = long_to_read();
    let said = world.run(READING.into_iter().chain(["--max-time", "2"]));
    let said = said.ends_with(0, &["stopped after --max-time, reduced so far: in.txt -> in.reduced.txt"]);
    assert_ended_while_it_read(&world, &said, "max-time");
}

/// A run whose keeper is stopped in the twelfth run of the test, so that nothing comes of waiting for it, and then
/// `kills` happen.
fn run_that_cannot_end(kills: &str, flags: &[&str]) -> (World, Finished) {
    let world = world(12, &format!("kill -STOP $PPID; {kills}; sleep 300"));
    let said = finish(world.command(["test.sh", "in.txt", "--timeout", "200", "--json"].iter().chain(flags)));
    world.assert_no_process_is_left();
    wait_until(|| world.run_folders().is_empty());
    world.assert_no_file_is_left();
    assert_reduced_so_far(&world, "in.reduced.txt");
    let report = said.json();
    assert_eq!(report["cut_off"], true);
    assert_eq!(report["questions"]["total"], 11);
    assert_eq!(report["after"]["bytes"], world.read("in.reduced.txt").len());
    (world, said)
}

#[test]
fn a_run_that_cannot_end_is_cut_off_and_says_so() {
    let (_, said) = run_that_cannot_end(&format!("kill -HUP {DWINDLE}"), &[]);
    let said = said.ends_with(129, &["interrupted, reduced so far: in.txt", "was cut off"]);
    assert_eq!(said.json()["end"], "interrupted");
    let (_, said) = run_that_cannot_end("true", &["--max-time", "4"]);
    let said = said.ends_with(0, &["stopped after --max-time, reduced so far: in.txt", "was cut off"]);
    assert_eq!(said.json()["end"], "max-time");
    // Two at once are not one.
    let (_, said) = run_that_cannot_end(&format!("kill -TERM {DWINDLE}; kill -INT {DWINDLE}"), &[]);
    assert!(matches!(said.code, Some(130 | 143)), "{said:?}");
}

#[test]
fn a_run_that_nobody_listens_to_ends_at_a_signal() {
    let world = World::new().one_by_one();
    world.write("in.txt", haystack(40, &[(7, "needle"), (30, "pin")]));
    // More than a pipe holds, so that dwindle stops where it says this.
    let body = format!("echo {DWINDLE} > \"$WORLD/dwindle\"; seq 100000; grep -q needle in.txt");
    world.test("test.sh", &body);
    let mut child = super::support::spawn(world.command(["test.sh", "in.txt", "-v"])).unwrap();
    wait_until(|| world.runs() == 1 && !world.note("dwindle").is_empty());
    for _ in 0..2 {
        let kill = Command::new("kill").args(["-INT", world.note("dwindle").trim()]).status();
        assert!(kill.unwrap().success());
    }
    assert_eq!(child.wait().unwrap().code(), Some(130));
    world.assert_no_process_is_left();
}
