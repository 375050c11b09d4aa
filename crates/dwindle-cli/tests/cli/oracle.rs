//! The test: what it gets, and what of it is believed.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use dwindle::core::{Outcome, Vocabulary};
use dwindle::journal::History;

use super::support::{World, haystack, skip};

#[test]
fn timeouts_are_counted_apart_and_their_processes_are_gone() {
    let world = World::new().one_by_one();
    world.write("in.txt", "a\nneedle\nquick\nb\n");
    let body = "grep -q needle in.txt || exit 1\ngrep -q quick in.txt || { sleep 300 & sleep 300; }";
    world.test("test.sh", body);
    let report = world.report(["test.sh", "in.txt", "--timeout", "1.5"]);
    world.assert_no_process_is_left();
    assert_eq!(world.read("in.reduced.txt"), b"needle\nquick\n");
    let questions = &report["questions"];
    let number = |name: &str| questions[name].as_u64().unwrap();
    assert!(number("timeout") >= 1 && number("interesting") >= 3 && number("uninteresting") >= 1, "{report}");
    assert_eq!(number("total"), number("interesting") + number("uninteresting") + number("timeout"));
    assert_eq!(number("total"), world.runs() as u64);
    assert_eq!(report["timeout"], 1.5);
}

#[test]
fn the_time_limit_follows_from_the_first_two_runs() {
    let world = World::new();
    world.write("in.txt", "a\nneedle\nb\n");
    world.test("test.sh", "[ $(wc -l < \"$WORLD/runs\") = 2 ] && sleep 0.3\ngrep -q needle in.txt");
    let limit = world.report(["test.sh", "in.txt"])["timeout"].as_f64().unwrap();
    assert!((3.0..=300.0).contains(&limit), "{limit}");
}

#[test]
fn a_test_that_stops_itself_or_closes_its_output_is_cut_at_the_time_limit() {
    let world = World::new();
    world.write("in.txt", "needle\nquick\n");
    let body = "grep -q needle in.txt || exit 1\nexec >&- 2>&-\ngrep -q quick in.txt || kill -STOP $$";
    world.test("test.sh", body);
    let report = world.report(["test.sh", "in.txt", "--timeout", "1.5"]);
    world.assert_no_process_is_left();
    assert_eq!(world.read("in.reduced.txt"), b"needle\nquick\n");
    assert!(report["questions"]["timeout"].as_u64().unwrap() >= 1, "{report}");
}

#[test]
fn processes_in_the_background_end_with_the_test_and_do_not_hold_it_up() {
    let world = World::new();
    world.write("in.txt", haystack(20, &[(7, "needle")]));
    // One holds the output open, one does not, one does not want to end.
    let left = "sleep 300 &\nsleep 300 > /dev/null 2>&1 &\n(trap '' TERM INT HUP; sleep 300; sleep 300) &";
    world.test("test.sh", &format!("{left}\ngrep -q needle in.txt"));
    let report = world.report(["test.sh", "in.txt", "--timeout", "60"]);
    world.assert_no_process_is_left();
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
    assert_eq!(report["questions"]["timeout"], 0);
}

#[test]
fn a_test_that_prints_much_is_neither_waited_for_nor_remembered() {
    let world = World::new();
    world.write("in.txt", "a\nneedle\nb\n");
    world
        .test("test.sh", "head -c 50000000 /dev/zero; head -c 50000000 /dev/zero >&2; grep -q needle in.txt");
    let report = world.report(["test.sh", "in.txt", "--timeout", "60"]);
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
    assert_eq!(report["questions"]["timeout"], 0);
    let peak = report["peak_memory_bytes"].as_u64().unwrap();
    assert!((1 << 20..100 << 20).contains(&peak), "{peak} bytes");
}

#[test]
fn what_a_test_locks_away_is_removed_all_the_same() {
    let Some(world) = World::unprivileged() else { return };
    world.write("in.txt", haystack(20, &[(7, "needle")]));
    let lock = "mkdir -p a/b/c \"$TMPDIR/d\"; touch a/b/c/file \"$TMPDIR/d/file\" a/b/file\n\
                chmod 400 a/b/file; chmod 0 a/b/c; chmod 555 a/b a \"$TMPDIR/d\" . \"$TMPDIR\"";
    world.test("test.sh", &format!("{lock}\ngrep -q needle in.txt"));
    // The world looks for what is left in TMPDIR and wherever the test has run.
    world.run(["test.sh", "in.txt"]).ends_with(0, &["reduced: "]);
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
    world.test("odd.sh", &format!("{lock}\nexit 1"));
    world.run(["odd.sh", "in.txt"]).ends_with(5, &["exit code 1"]);
}

#[test]
fn a_signal_is_as_uninteresting_as_an_exit_code() {
    let world = World::new();
    world.write("in.txt", haystack(20, &[(7, "needle")]));
    world.test("test.sh", "grep -q needle in.txt || kill -KILL $$");
    let report = world.report(["test.sh", "in.txt"]);
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
    assert!(report["questions"]["uninteresting"].as_u64().unwrap() >= 1, "{report}");
    assert_eq!(report["questions"]["timeout"], 0);
}

#[test]
fn a_broken_pipe_ends_a_command_of_the_test_as_it_does_in_a_shell() {
    let world = World::new();
    world.write("in.txt", haystack(20, &[(7, "needle")]));
    world.test(
        "test.sh",
        "[ -z \"$( { yes; } 2>&1 >/dev/full | grep -i 'broken pipe')\" ] || exit 1\n\
                           [ \"$(yes 2> err | head -n 1)\" = y ] && [ ! -s err ] && grep -q needle in.txt",
    );
    world.run(["test.sh", "in.txt"]).ends_with(0, &["reduced: "]);
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
}

#[test]
fn the_candidate_comes_by_name_by_argument_and_as_standard_input() {
    let world = World::new();
    world.write("deep/two words.txt", haystack(20, &[(7, "needle")]));
    let body = "\
        ok() { \"$@\" || echo \"$*\" >> \"$WORLD/wrong\"; }\n\
        ok [ $# = 1 ]\n\
        ok [ \"$1\" = \"$PWD/two words.txt\" ]\n\
        ok [ \"$PWD\" = \"$(pwd -P)\" ]\n\
        ok [ \"$0\" = \"$WORLD/home/sub/test.sh\" ]\n\
        ok [ \"$(ls -A)\" = 'two words.txt' ]\n\
        ok [ \"$(ls -A \"$TMPDIR\")\" = '' ]\n\
        ok [ \"$(ls -A ..)\" = \"$(printf 'run\\ntmp')\" ]\n\
        ok [ \"$(cat | cksum)\" = \"$(cksum < 'two words.txt')\" ]\n\
        ok [ \"$COLOUR\" = 'deep blue' ]\n\
        ok [ \"$HOME\" = \"$WORLD\" ]\n\
        ok touch \"$TMPDIR/mine\"\n\
        ok [ \"$(ls /proc/self/fd | wc -l)\" = $OPEN ]\n\
        grep -q needle \"$1\"";
    world.test("sub/test.sh", body);
    let mut command = world.command(["sub/test.sh", "deep/two words.txt"]);
    // As many files are open as in any shell here.
    let open = world.shell("echo $(ls /proc/self/fd | wc -l)").out;
    command.env("COLOUR", "deep blue").env("OPEN", open.trim());
    super::support::finish(command).ends_with(0, &["reduced: "]);
    assert_eq!(world.note("wrong"), "");
    assert_eq!(world.read("deep/two words.reduced.txt"), b"needle\n");
}

#[test]
fn every_run_has_a_fresh_folder() {
    let world = World::new();
    world.write("in.txt", haystack(20, &[(7, "needle")]));
    world
        .test("test.sh", "[ -e left ] && exit 1; touch left ../left \"$TMPDIR/left\"; grep -q needle in.txt");
    world.run(["test.sh", "in.txt"]).ends_with(0, &["reduced: "]);
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
    let note = world.note("runs");
    let mut folders: Vec<_> = note.lines().collect();
    folders.dedup();
    assert_eq!(folders.len(), note.lines().count(), "{note}");
}

#[test]
fn a_test_may_do_to_its_candidate_what_it_likes() {
    for ends in [
        "echo other > in.txt",
        "rm in.txt",
        "mv in.txt away",
        "rm -r \"$PWD\" \"$TMPDIR\"",
        "mkdir -p ../tmp/x",
    ] {
        let world = World::new();
        let input = haystack(20, &[(7, "needle")]);
        world.write("in.txt", &input);
        world.test("test.sh", &format!("grep -q needle in.txt; end=$?\n{ends}\nexit $end"));
        world.run(["test.sh", "in.txt"]).ends_with(0, &["reduced: "]);
        assert_eq!(world.read("in.reduced.txt"), b"needle\n", "{ends}");
        assert_eq!(world.read("in.txt"), input.as_bytes(), "{ends}");
    }
}

#[test]
fn no_candidate_is_asked_about_twice_but_the_input_and_the_result() {
    let world = World::new().one_by_one();
    world.write("in.txt", haystack(30, &[(7, "needle"), (20, "pin")]));
    world.test("test.sh", "cksum < in.txt >> \"$WORLD/sums\"\ngrep -q needle in.txt && grep -q pin in.txt");
    let report = world.report(["test.sh", "in.txt"]);
    let note = world.note("sums");
    let mut sums: Vec<_> = note.lines().collect();
    let total = sums.len();
    assert_eq!(sums[0], sums[1], "the input is asked about twice");
    assert!(sums[..total - 1].contains(&sums[total - 1]), "the result is asked about once more at the end");
    sums.sort_unstable();
    sums.dedup();
    assert_eq!(sums.len(), total - 2, "{note}");
    assert_eq!(report["questions"]["total"], total);
}

#[test]
fn candidates_and_result_have_the_permissions_of_the_input() {
    let world = World::new();
    let input = world.program("in.sh", "#!/bin/sh\n\n\necho hello\necho other\n");
    fs::set_permissions(&input, Permissions::from_mode(0o750)).unwrap();
    world.test("test.sh", "./in.sh | grep -q hello");
    world.run(["test.sh", "in.sh"]).ends_with(0, &["reduced: "]);
    let mode = |name: &str| fs::metadata(world.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("in.reduced.sh"), 0o750);
    world.run(["test.sh", "in.sh", "--in-place"]).ends_with(0, &["reduced: "]);
    assert_eq!((mode("in.sh"), mode("in.sh.orig")), (0o750, 0o750));
}

#[test]
fn a_program_can_be_the_test() {
    let Some(program) = ["/bin/true", "/usr/bin/true"].map(Path::new).into_iter().find(|path| path.exists())
    else {
        return skip("there is no program `true`");
    };
    let world = World::new();
    world.write("in.txt", "a\nb\n");
    let said = world.run([program.as_os_str(), "in.txt".as_ref()]);
    said.ends_with(10, &["the test accepts anything"]);
}

#[test]
fn the_words_of_the_input_that_a_refusal_names_are_journalled() {
    let world = World::new();
    let input = "alpha\nbeta\nneedle\nrun tmp in txt home\n";
    world.write("in.txt", input);
    let body = "echo needle in \"$1\" and $PWD, process $$\n\
        grep -q needle in.txt && grep -q beta in.txt && exit 0\n\
        echo \"in.txt:1: \u{2018}beta\u{2019} is missing from $TMPDIR/cc.o\" >&2\nexit 1";
    world.test("test.sh", body);
    let report = world.report(["test.sh", "in.txt", "--confirm", "2"]);
    let history = History::read(Path::new(report["journal"].as_str().unwrap())).unwrap();
    let vocabulary = Vocabulary::of(input.as_bytes());
    let outcomes = history.outcomes().unwrap();
    for known in outcomes.values() {
        let words: Vec<_> = known.words.iter().map(|&number| vocabulary.word(number)).collect();
        match known.outcome {
            Outcome::Uninteresting => assert_eq!(words, [&b"beta"[..], b"in", b"needle"]),
            _ => assert!(words.is_empty()),
        }
    }
    assert!(outcomes.values().any(|known| !known.words.is_empty()));
}
