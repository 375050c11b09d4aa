//! What is wrong is said with its exit code, where it is, and what to do next.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use super::support::{NAMES, World, finish, haystack};

const NEEDLE: &str = "grep -q needle \"$1\"";

/// A world with a test `test.sh` and an input `in.txt` that can be reduced.
fn sound() -> World {
    let world = World::new();
    world.test("test.sh", NEEDLE);
    world.write("in.txt", haystack(20, &[(7, "needle")]));
    world
}

#[track_caller]
fn check(world: &World, args: &[&str], code: i32, expected: &[&str]) {
    let before = world.names();
    world.run(args).ends_with(code, expected);
    assert_eq!(world.runs(), 0, "found before the first question");
    assert_eq!(world.names(), before, "nothing is written");
}

fn fifo(world: &World, name: &str) {
    assert!(Command::new("mkfifo").arg(world.path(name)).status().unwrap().success());
}

#[test]
fn an_input_that_is_not_there_is_an_input_error() {
    check(&sound(), &["test.sh", "none.txt"], 3, &["cannot reduce none.txt", "there is no such file"]);
    check(&sound(), &["reduce", "none.txt", "--test", "test.sh"], 3, &["cannot reduce none.txt"]);
    check(&sound(), &["none.sh", "none.txt"], 3, &["cannot reduce none.txt"]);
}

#[test]
fn an_empty_input_is_an_input_error() {
    let world = sound();
    world.write("empty.txt", "");
    check(&world, &["test.sh", "empty.txt"], 3, &["cannot reduce empty.txt", "it is empty already"]);
}

#[test]
fn an_empty_folder_is_an_input_error() {
    let world = sound();
    fs::create_dir(world.path("folder")).unwrap();
    check(&world, &["test.sh", "folder"], 3, &["cannot reduce folder", "it is empty already"]);
}

#[test]
fn an_input_that_is_no_regular_file_is_an_input_error_and_is_not_waited_for() {
    let world = sound();
    fifo(&world, "pipe");
    check(&world, &["test.sh", "pipe"], 3, &["cannot reduce pipe", "no regular file"]);
    check(&world, &["test.sh", "/dev/zero"], 3, &["cannot reduce /dev/zero", "no regular file"]);
}

#[test]
fn an_input_that_may_not_be_read_is_an_input_error() {
    let Some(world) = World::unprivileged() else { return };
    world.test("test.sh", NEEDLE);
    let input = world.write("secret.txt", "needle\n");
    fs::set_permissions(input, Permissions::from_mode(0o200)).unwrap();
    check(&world, &["test.sh", "secret.txt"], 3, &["cannot reduce secret.txt", "Permission denied"]);
}

#[test]
fn a_test_that_is_not_there_cannot_be_run() {
    check(&sound(), &["./none.sh", "in.txt"], 4, &["cannot run the test ./none.sh", "there is no such file"]);
}

#[test]
fn a_test_that_is_not_executable_is_told_the_command_that_makes_it_so() {
    for name in NAMES {
        let world = sound();
        let name = format!("./{name}");
        world.write(&name, "#!/bin/sh\ngrep -q needle in.txt\n");
        let said = world.run([&name, "in.txt"]).ends_with(4, &[&name, "it is not executable; try: chmod +x"]);
        let (_, command) = said.err.split_once("try: ").unwrap();
        world.shell(command).ends_with(0, &[]);
        world.run([&name, "in.txt"]).ends_with(0, &[]);
    }
}

#[test]
fn a_test_without_an_interpreter_line_is_told_what_to_put_there() {
    let world = sound();
    for start in ["grep -q needle in.txt\n", "", "#!\nexit 0\n", "\u{feff}#!/bin/sh\n", " #!/bin/sh\n"] {
        world.program("bare.sh", start);
        check(
            &world,
            &["./bare.sh", "in.txt"],
            4,
            &["cannot run the test ./bare.sh", "`#!/bin/sh` at its top"],
        );
    }
}

#[test]
fn an_interpreter_that_does_not_exist_is_named() {
    let world = sound();
    for line in ["#!/no/such/interpreter", "#! /no/such/interpreter -e"] {
        world.program("odd.sh", format!("{line}\nexit 0\n"));
        check(
            &world,
            &["odd.sh", "in.txt"],
            4,
            &["cannot run the test odd.sh", "/no/such/interpreter, which is missing"],
        );
    }
}

#[test]
fn an_interpreter_line_that_ends_with_a_carriage_return_is_called_that() {
    let world = sound();
    world.program("dos.sh", "#!/bin/sh\r\nexit 0\r\n");
    let said =
        world.run(["dos.sh", "in.txt"]).ends_with(4, &["cannot run the test dos.sh", "carriage return"]);
    assert!(!said.err.contains('\r'), "{:?}", said.err);
}

#[test]
fn a_folder_or_a_device_as_test_cannot_be_run() {
    let world = sound();
    fs::create_dir(world.path("folder")).unwrap();
    fifo(&world, "pipe");
    for test in ["folder", "pipe", "/dev/null"] {
        let cannot = format!("cannot run the test {test}");
        check(&world, &[test, "in.txt"], 4, &[&cannot, "no regular file; name a script or a program"]);
    }
}

#[test]
fn a_program_that_the_system_cannot_start_is_no_uninteresting_input() {
    let world = sound();
    world.program("odd", b"\x7fELF of no machine at all");
    check(&world, &["./odd", "in.txt"], 4, &["cannot run the test ./odd", "Exec format error"]);
}

#[test]
fn swapped_arguments_are_named_with_the_command_that_was_meant() {
    for name in NAMES {
        let world = World::new();
        let (test, input) = (format!("./{name}.sh"), format!("./{name}.txt"));
        world.test(&test, NEEDLE);
        world.write(&input, haystack(20, &[(7, "needle")]));
        let wrong = [vec![&input[..], &test], vec!["reduce", &test, "--test", &input]];
        for args in wrong {
            let said =
                world.run(args).ends_with(2, &["TEST comes first, then INPUT; did you mean", &input, &test]);
            assert_eq!(world.names().len(), 2, "nothing is written");
            let (_, command) = said.err.split_once("did you mean\n").unwrap();
            world.shell(command).ends_with(0, &["reduced: "]);
            assert_eq!(world.read(format!("{name}.reduced.txt")), b"needle\n");
            fs::remove_file(world.path(format!("{name}.reduced.txt"))).unwrap();
        }
    }
}

#[test]
fn an_uninteresting_input_shows_what_the_test_printed_and_its_exit_code() {
    let world = sound();
    world.test("test.sh", "echo first; echo second >&2; printf third; exit 3");
    let said = world.run(["test.sh", "in.txt"]);
    let said = said.ends_with(5, &["the input in.txt is not interesting", "ended with exit code 3"]);
    assert!(said.err.contains("it printed:\n  | first\n  | second\n  | third\n"), "{}", said.err);
    assert_eq!(world.names(), ["in.txt", "test.sh"], "nothing is written");
    world.test("silent.sh", "exit 1");
    world.run(["silent.sh", "in.txt"]).ends_with(5, &["exit code 1", "it printed nothing."]);
}

#[test]
fn of_a_long_output_the_end_is_shown() {
    let world = sound();
    world.test("test.sh", "seq 100000; echo the very end; exit 1");
    let said = world.run(["test.sh", "in.txt"]);
    let said = said.ends_with(5, &["it printed (the end of it):", "  | 100000\n  | the very end\n"]);
    assert!(said.err.len() < 20_000, "{} bytes", said.err.len());
}

#[test]
fn the_command_for_a_try_by_hand_ends_with_the_same_exit_code() {
    for (number, name) in NAMES.iter().enumerate() {
        let world = World::new();
        let code = 40 + number;
        let (test, input) = (format!("./{name} t.sh"), format!("./sub/{name}.txt"));
        world.write(&input, "needle\n");
        // 99 where anything but the exit code differs from a real run.
        let body = "[ $# = 1 ] && [ \"$(cat)\" = needle ] && [ \"$1\" = \"$PWD/$(ls)\" ] || exit 99";
        world.test(&test, &format!("{body}\n[ \"$(cat \"$1\")\" = needle ] || exit 98\nexit {code}"));
        let said = world.run([&test, &input]).ends_with(5, &[&format!("exit code {code}"), "by hand:\n"]);
        let (_, command) = said.err.split_once("by hand:\n").unwrap();
        let by_hand = world.shell(command);
        assert_eq!(by_hand.out.lines().last(), Some(&code.to_string()[..]), "{command}{}", by_hand.err);
    }
}

#[test]
fn a_command_that_a_shell_does_not_find_points_to_the_path() {
    let world = sound();
    world.test("test.sh", "no-such-command-anywhere in.txt");
    world
        .run(["test.sh", "in.txt"])
        .ends_with(5, &["exit code 127", "no-such-command-anywhere", "look at PATH"]);
    world.program("env.sh", "#!/usr/bin/env no-such-interpreter\n");
    let mut command = world.command(["env.sh", "in.txt"]);
    // A folder that may not be searched would make it 126.
    command.env("PATH", "/usr/bin:/bin");
    finish(command).ends_with(5, &["exit code 127", "no-such-interpreter", "look at PATH"]);
    world.test("not.sh", "exec ./in.txt");
    world.run(["not.sh", "in.txt"]).ends_with(5, &["exit code 126", "look at PATH"]);
}

#[test]
fn a_signal_or_the_time_limit_on_the_input_is_named() {
    let world = sound();
    world.test("signal.sh", "kill -SEGV $$");
    world.run(["signal.sh", "in.txt"]).ends_with(5, &["ended by signal 11"]);
    world.test("slow.sh", "echo begun; sleep 60");
    let said = world.run(["slow.sh", "in.txt", "--timeout", "0.5"]);
    said.ends_with(5, &["over the time limit", "  | begun\n", "--timeout gives it more time"]);
}

#[test]
fn a_flaky_test_is_refused_whichever_way_round() {
    for (body, ends) in [
        ("[ $(wc -l < \"$WORLD/runs\") = 1 ] && echo well && exit 0; echo ill; exit 7", ["code 0", "code 7"]),
        (
            "[ $(wc -l < \"$WORLD/runs\") = 1 ] && echo ill && kill -KILL $$; echo well",
            ["signal 9", "code 0"],
        ),
    ] {
        let world = sound();
        world.test("test.sh", body);
        let said = world.run(["test.sh", "in.txt"]);
        let said = said.ends_with(6, &["flaky on the input in.txt", "same of the same file every time"]);
        assert!(said.err.contains(ends[0]) && said.err.contains(ends[1]), "{}", said.err);
        let printed = if ends[0] == "code 0" { ["well", "ill"] } else { ["ill", "well"] };
        let [first, second] = printed;
        let shown = format!("the first printed:\n  | {first}\nthe second printed:\n  | {second}\n");
        assert!(said.err.contains(&shown), "{}", said.err);
        assert_eq!(world.runs(), 2);
        assert_eq!(world.names(), ["in.txt", "test.sh"], "nothing is written");
    }
}

#[test]
fn a_result_that_cannot_be_written_is_found_out_before_the_first_question() {
    let world = sound();
    fs::create_dir(world.path("folder")).unwrap();
    fifo(&world, "pipe");
    symlink("in.txt", world.path("link.txt")).unwrap();
    for (output, expected) in [
        (
            "no/such/folder/out.txt",
            &[
                "cannot write the result to no/such/folder/out.txt: there is no folder no/such/folder; make it",
            ][..],
        ),
        ("in.txt/out.txt", &["cannot write the result to in.txt/out.txt"]),
        ("folder", &["cannot replace folder: it is a folder", "name another file with --output"]),
        ("in.txt", &["cannot replace in.txt: it is the input", "--in-place"]),
        ("link.txt", &["cannot replace link.txt: it is the input", "--in-place"]),
        ("test.sh", &["cannot replace test.sh: it is the test", "name another file with --output"]),
        ("pipe", &["cannot replace pipe: it is no regular file", "name another file with --output"]),
        ("/dev/null", &["cannot replace /dev/null: it is no regular file", "--output"]),
    ] {
        check(&world, &["test.sh", "in.txt", "--output", output], 7, expected);
    }
    fs::create_dir(world.path("in.reduced.txt")).unwrap();
    check(&world, &["test.sh", "in.txt"], 7, &["cannot replace in.reduced.txt: it is a folder", "--output"]);
}

#[test]
fn a_folder_that_may_not_be_written_to_is_found_out_before_the_first_question() {
    let Some(world) = World::unprivileged() else { return };
    world.test("test.sh", NEEDLE);
    world.write("closed/in.txt", "needle\n");
    fs::set_permissions(world.path("closed"), Permissions::from_mode(0o555)).unwrap();
    let expected = ["cannot write the result to closed/in.reduced.txt", "Permission denied"];
    check(&world, &["test.sh", "closed/in.txt"], 7, &expected);
    check(&world, &["test.sh", "closed/in.txt", "--in-place"], 7, &["closed/in.txt", "Permission denied"]);
    fs::set_permissions(world.path("closed"), Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_folder_that_goes_on_the_way_is_a_result_that_cannot_be_written() {
    let world = sound();
    fs::create_dir(world.path("out")).unwrap();
    world.test(
        "test.sh",
        &format!("[ $(wc -l < \"$WORLD/runs\") -gt 4 ] && rm -r \"$WORLD/home/out\"\n{NEEDLE}"),
    );
    let said = world.run(["test.sh", "in.txt", "--output", "out/r.txt"]);
    said.ends_with(7, &["cannot write the result to out/r.txt", "No such file"]);
}

#[test]
fn a_journal_that_would_be_another_file_of_the_reduction_is_a_usage_error() {
    let world = sound();
    symlink("in.reduced.txt", world.path("dangling")).unwrap();
    world.write("old.txt", "an earlier result");
    symlink("old.txt", world.path("link")).unwrap();
    fs::hard_link(world.path("old.txt"), world.path("same")).unwrap();
    for (args, what) in [
        (&["--journal", "x", "-o", "x"][..], "x, which is the result"),
        (&["--journal", "./in.reduced.txt"], "in.reduced.txt, which is the result"),
        (&["--journal", "link", "-o", "old.txt"], "link, which is the result"),
        (&["--journal", "same", "-o", "old.txt"], "same, which is the result"),
        (&["--journal", "in.txt"], "in.txt, which is the input"),
        (&["--journal", "test.sh"], "test.sh, which is the test"),
        (&["--journal", "in.txt.orig", "--in-place"], "in.txt.orig, which is the copy of the original"),
    ] {
        let all = [&["test.sh", "in.txt"], args].concat();
        check(&world, &all, 2, &["the journal cannot be ", what, "name another file with --journal"]);
    }
}

#[test]
fn in_place_refuses_where_an_original_is_kept_already() {
    let world = sound();
    let input = world.read("in.txt");
    world.write("in.txt.orig", "precious");
    let expected = ["in.txt.orig is there already", "move it away or reduce without --in-place"];
    check(&world, &["test.sh", "in.txt", "--in-place"], 7, &expected);
    assert_eq!(world.read("in.txt.orig"), b"precious");
    assert_eq!(world.read("in.txt"), input);
    fs::remove_file(world.path("in.txt.orig")).unwrap();
    symlink("nowhere", world.path("in.txt.orig")).unwrap();
    check(&world, &["test.sh", "in.txt", "--in-place"], 7, &expected);
}

#[test]
fn a_test_is_not_reduced_in_place_while_it_runs() {
    let world = World::new();
    world.test("test.sh", NEEDLE);
    let expected = ["cannot replace test.sh: it is the test", "name another file with --output"];
    check(&world, &["test.sh", "test.sh", "--in-place"], 7, &expected);
    world.run(["test.sh", "test.sh"]).ends_with(0, &["reduced: test.sh -> test.reduced.sh"]);
    assert_eq!(world.read("test.reduced.sh"), b"needle\n");
}

#[test]
fn in_place_follows_a_link_and_keeps_the_original_beside_it() {
    let world = sound();
    let input = world.read("in.txt");
    // Another file system, where there is one, so that a rename from there cannot do.
    let elsewhere = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    let real = elsewhere.path().join("real.txt");
    fs::write(&real, &input).unwrap();
    symlink(&real, world.path("link.txt")).unwrap();
    world.run(["test.sh", "link.txt", "--in-place"]).ends_with(0, &["reduced: link.txt"]);
    assert_eq!(fs::read(&real).unwrap(), b"needle\n");
    assert_eq!(fs::read_link(world.path("link.txt")).unwrap(), real);
    assert_eq!(world.read("link.txt.orig"), input);
}

#[test]
fn a_flag_of_another_minimizer_is_a_usage_error_that_names_its_own() {
    let world = sound();
    for (flags, expected) in [
        (&["--sigma", "0.2"][..], &["--sigma goes with --minimizer probdd and wprobdd, not with dfs"]),
        (&["--p0", "0.2", "--minimizer", "probdd"], &["--p0 goes with --minimizer cdd, not with probdd"]),
        (
            &["--theta", "0.8", "--minimizer", "cdd"],
            &["--theta goes with --minimizer probdd and wprobdd, not with cdd"],
        ),
        (&["--alpha", "0.8"], &["--alpha goes with --minimizer active-coarsen, not with dfs"]),
        (&["--split", "zeller"], &["--split goes with --minimizer ddmin and ddmin-complement, not with dfs"]),
        (&["--split-factor", "3"], &["--split-factor goes with --minimizer ddmin and ddmin-complement"]),
        (&["--start-size", "3"], &["--start-size goes with --minimizer ddmin and ddmin-complement"]),
        (&["--order", "backward"], &["--order goes with --minimizer ddmin and ddmin-complement"]),
        (
            &["--after-success", "continue"],
            &["--after-success goes with --minimizer ddmin and ddmin-complement"],
        ),
        (
            &["--complements-first", "--minimizer", "ddmin-complement"],
            &["--complements-first goes with --minimizer ddmin, not with ddmin-complement"],
        ),
        (&["--again"], &["--again goes with --minimizer ddmin and ddmin-complement"]),
        (&["--split-tie", "larger", "--minimizer", "ddmin"], &["--split-tie goes with --minimizer wddmin"]),
        (&["--random", "--minimizer", "cdd"], &["--random goes with --minimizer probdd, not with cdd"]),
        (
            &["--batch-width", "8", "--reducer", "hdd"],
            &["--batch-width goes with the reducer linked, not with hdd"],
        ),
        (
            &["--transform", "none,skip", "--reducer", "hdd"],
            &["--transform none goes with no other transformation"],
        ),
    ] {
        check(&world, &[&["test.sh", "in.txt"], flags].concat(), 2, expected);
    }
    for flags in [
        &["--sigma", "0.2", "--minimizer", "wprobdd"][..],
        &["--p0", "0.2", "--minimizer", "cdd"],
        &["--theta", "0.8", "--minimizer", "wprobdd"],
        &["--alpha", "0.8", "--minimizer", "active-coarsen"],
        &["--split", "zeller", "--split-factor", "3", "--start-size", "2", "--minimizer", "ddmin-complement"],
        &["--order", "random", "--again", "--complements-first", "--minimizer", "ddmin"],
        &["--after-success", "continue", "--minimizer", "ddmin"],
        &["--split-tie", "perses-floor", "--minimizer", "wddmin"],
        &["--random", "--minimizer", "probdd"],
    ] {
        world.run([&["test.sh", "in.txt"], flags].concat()).ends_with(0, &["reduced: "]);
    }
}

#[test]
fn passes_of_no_tree_or_beside_a_level_are_usage_errors() {
    let world = sound();
    for (flags, expected) in [
        (&["--level", "thorough", "--reducer", "list"][..], &["--level transforms trees", "lists"][..]),
        (&["--passes", "fold", "--format", "lines"], &["--passes transforms trees", "lists"]),
        (&["--passes", "fold", "--level", "fast"], &["--passes", "--level", "cannot be used with"]),
        (&["--passes", "fold,no-such"], &["'no-such'", "possible values", "rename"]),
    ] {
        check(&world, &[&["test.sh", "in.txt"], flags].concat(), 2, expected);
    }
    for flags in [&["--level", "fast", "--reducer", "list"][..], &["--passes", "fold,rename", "--no-rename"]]
    {
        world.run([&["test.sh", "in.txt"], flags].concat()).ends_with(0, &["reduced: "]);
    }
}

#[test]
fn values_that_mean_nothing_are_usage_errors_that_name_the_flag() {
    let world = sound();
    for (flags, expected) in [
        (&["--max-questions", "1"][..], &["'--max-questions <N>'", "2.."][..]),
        (&["--minimizer", "no-such"], &["'no-such'", "possible values", "ddmin", "probdd", "dfs"]),
        (&["--format", "no-such"], &["'no-such'", "possible values", "lines", "tokens"]),
        (&["--timeout", "0"], &["'--timeout <S>'", "a number of seconds above 0"]),
        (&["--timeout", "inf"], &["'--timeout <S>'", "a number of seconds above 0"]),
        (&["--max-time", "NaN"], &["'--max-time <S>'", "a number of seconds above 0"]),
        (&["--sigma", "1", "--minimizer", "probdd"], &["'--sigma <P>'", "between 0 and 1"]),
        (&["--p0", "zero", "--minimizer", "cdd"], &["'--p0 <P>'", "between 0 and 1"]),
        (&["--theta", "1.1", "--minimizer", "probdd"], &["'--theta <P>'", "above 0 and up to 1"]),
        (&["--alpha", "1", "--minimizer", "active-coarsen"], &["'--alpha <P>'", "between 0 and 1"]),
        (&["--split-factor", "1", "--minimizer", "ddmin"], &["'--split-factor <K>'", "2.."]),
        (&["--start-size", "0", "--minimizer", "ddmin"], &["'--start-size <N>'", "1.."]),
        (&["--order", "sideways", "--minimizer", "ddmin"], &["'sideways'", "forward, backward, random"]),
        (
            &["--hddr-order", "pop-last-forward"],
            &["--hddr-order goes with the reducer hddr, not with linked"],
        ),
        (
            &["--once", "--reducer", "hdd*"],
            &["--once goes with the reducers hddr and coarse; one round of hdd* is hdd"],
        ),
        (&["--once"], &["--once goes with the reducers hddr and coarse, not with linked"]),
        (&["--tree", "thesis"], &["--tree thesis wants to know every rule", "--grammar"]),
        (&["--tree", "no-such"], &["'no-such'", "lists, thesis"]),
        (&["--seed=-1"], &["'--seed <N>'", "'-1'"]),
        (&["--quiet", "--verbose"], &["--quiet", "--verbose", "cannot be used with"]),
        (&["--output", "o", "--in-place"], &["--output", "--in-place", "cannot be used with"]),
        (&["--no-such-flag"], &["--no-such-flag"]),
        (&["--timeout", "-1"], &["'--timeout <S>'", "a number of seconds above 0"]),
        (&["--jobs", "0"], &["'--jobs <N>'", "a whole number above 0"]),
        (&["--jobs", "-2"], &["'--jobs <N>'", "a whole number above 0"]),
        (&["--batch-width", "many"], &["'--batch-width <W>'", "a whole number above 0"]),
        (&["a-third.txt"], &["there is an argument too many: a-third.txt; there are TEST and INPUT"]),
    ] {
        let args = [&["test.sh", "in.txt"], flags].concat();
        check(&world, &args, 2, &[expected, &["try '--help'"]].concat());
    }
    check(
        &world,
        &[],
        2,
        &["error: name a file, and a command or a test", "dwindle bug.c -- gcc -O2 -c {}", "`dwindle -h`"],
    );
    check(&world, &["test.sh"], 2, &["nothing tests test.sh", "try '--help'"]);
    let said = world.run(["test.sh", "in.txt", "--in-dir", "x"]).ends_with(2, &["'--in-dir'"]);
    assert!(!said.err.contains("--minimizer"), "{}", said.err);
    let said = world.run(["test.sh", "in.txt", "--max_time", "x"]).ends_with(2, &["'--max_time'"]);
    assert!(said.err.contains("'--max-time'"), "{}", said.err);
    check(&world, &["histroy"], 2, &["no subcommand histroy", "did you mean `dwindle history`?"]);
    let reduce = &["redcue", "in.txt", "--test", "test.sh"];
    check(&world, reduce, 2, &["no subcommand redcue", "did you mean `dwindle reduce`?"]);
    check(&world, &["no-such.c"], 2, &["nothing tests no-such.c"]);
    check(&world, &["reduce", "in.txt"], 2, &["nothing tests in.txt", "try '--help'"]);
}

#[test]
fn limits_beyond_all_clocks_mean_no_limit() {
    let world = sound();
    for flag in ["--timeout", "--max-time"] {
        for seconds in ["1e12", "1e19"] {
            world.run(["test.sh", "in.txt", flag, seconds]).ends_with(0, &["reduced: "]);
        }
    }
}

#[test]
fn a_test_that_breaks_on_the_way_keeps_the_best_result_so_far() {
    for (how, what) in [
        ("rm \"$0\"", "No such file"),
        ("chmod a-x \"$0\"", "Permission denied"),
        ("chmod u+w \"$WORLD/sh\"; rm \"$WORLD/sh\"", "No such file"),
    ] {
        let world = World::new().one_by_one();
        let input = haystack(40, &[(7, "needle"), (30, "pin")]);
        world.write("in.txt", &input);
        let interpreter = world.root().join("sh");
        fs::copy("/bin/sh", &interpreter).unwrap();
        let ends = format!("[ $(wc -l < \"$WORLD/runs\") = 12 ] && {{ {how}; }}");
        let body = format!("pwd >> \"$WORLD/runs\"\n{ends}\ngrep -q needle in.txt && grep -q pin in.txt\n");
        let test = world.program("test.sh", format!("#!{}\n{body}", interpreter.display()));
        let said = world.run(["test.sh", "in.txt"]);
        let test = test.display();
        let said =
            said.ends_with(8, &[&format!("the test {test} broke after 12 questions: cannot start it"), what]);
        assert!(said.err.contains("the best result so far is in in.reduced.txt"), "{}", said.err);
        let result = String::from_utf8(world.read("in.reduced.txt")).unwrap();
        assert!(
            result.len() < input.len() && result.contains("needle\n") && result.contains("pin\n"),
            "{result}"
        );
        let whole = input.lines().filter(|line| result.lines().any(|kept| kept == *line));
        assert_eq!(whole.count(), result.lines().count(), "whole lines of the input only: {result}");
    }
}

#[test]
fn a_report_that_cannot_be_printed_is_said_and_the_result_is_there() {
    let world = sound();
    let mut command = world.command(["test.sh", "in.txt", "--json"]);
    command.stdout(File::options().write(true).open("/dev/full").unwrap());
    let said = finish(command);
    assert_eq!(said.code, Some(7), "{}", said.err);
    let end = "error: cannot print the report to standard output: No space left on device";
    assert!(said.err.contains(end), "{}", said.err);
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
}

#[test]
fn nobody_has_to_read_what_is_said() {
    let world = sound();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = world.command(["test.sh", "in.txt", "--verbose"]);
    command.stderr(writer);
    assert_eq!(finish(command).code, Some(0));
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
}

#[test]
fn quiet_says_errors_only() {
    let world = sound();
    assert_eq!(world.run(["test.sh", "in.txt", "-q"]).ends_with(0, &[]).err, "");
    world.test("no.sh", "exit 1");
    world.run(["no.sh", "in.txt", "-q"]).ends_with(5, &["not interesting", "exit code 1"]);
}

#[test]
fn names_that_are_no_utf8_are_reduced_and_reported() {
    let world = sound();
    let name = OsStr::from_bytes(b"caf\xe9.txt");
    world.write(name, haystack(20, &[(7, "needle")]));
    let report = world.report([OsStr::new("test.sh"), name]);
    assert_eq!(report["input"], "caf\u{fffd}.txt");
    assert_eq!(world.read(OsStr::from_bytes(b"caf\xe9.reduced.txt")), b"needle\n");
}

#[test]
fn an_output_that_is_a_link_stays_one_and_what_it_leads_to_is_written() {
    let world = sound();
    fs::create_dir(world.path("real")).unwrap();
    world.write("real/old.txt", "old\n");
    for (link, target) in [("old.txt", "real/old.txt"), ("new.txt", "real/new.txt"), ("twice.txt", "old.txt")]
    {
        symlink(target, world.path(link)).unwrap();
        let run = ["test.sh", "in.txt", "--output", link];
        world.run(run).ends_with(0, &["reduced: in.txt -> real/"]);
        assert_eq!(fs::read_link(world.path(link)).unwrap(), Path::new(target));
        assert_eq!(world.read(link), b"needle\n");
        world.run(["history", link]).ends_with(0, &[]);
    }
    symlink("round.txt", world.path("round.txt")).unwrap();
    let before = world.names();
    let round = world.run(["test.sh", "in.txt", "--output", "round.txt"]);
    round.ends_with(7, &["cannot write the result to round.txt", "leads back to itself"]);
    assert_eq!(world.names(), before);
}

#[test]
fn what_was_meant_by_an_argument_that_is_none_is_said() {
    let world = sound();
    world.write("-dash.txt", "needle\n");
    let text = "sh -c 'grep needle in.txt'";
    for (args, code, expected) in [
        (&["test.sh", "-dash.txt"][..], 2, &["if the file is meant, write ./-dash.txt"][..]),
        (&["tokens", "-dash.txt"], 2, &["if the file is meant, write ./-dash.txt"]),
        (&["in.txt", "--test", "test.sh"], 2, &["dwindle reduce INPUT --test TEST"]),
        (
            &["reduce", "test.sh", "in.txt"],
            2,
            &["too many: in.txt", "wants INPUT, and the test as `--test TEST`"],
        ),
        (&["debloat", "in.txt"], 2, &["dwindle debloat in.txt -- gcc -c {}"]),
        (&["parse", "in.txt", "--at", "21"], 2, &["nothing on line 21; the last line with something is 20"]),
        (&["tokens", "."], 3, &["cannot read .: it is a folder; name one file"]),
        (&["tokens", "in.txt", "in.txt"], 2, &["too many: in.txt", "dwindle tokens --help"]),
        (
            &["grep", "in.txt"],
            4,
            &["there is no such file; a command stands behind `--`", "in.txt -- grep {}"],
        ),
        (&["grep needle in.txt", "in.txt"], 4, &["a command stands behind `--`", text]),
        (&["in.txt", "grep needle in.txt"], 3, &["a command stands behind `--`", text]),
        (&["./test.sh", "--", "./in.txt"], 2, &["./in.txt is no program but ./test.sh is one"]),
        (&["list", "test.sh", "--", "./in.txt"], 2, &["dwindle list ./in.txt -- test.sh {}"]),
    ] {
        check(&world, args, code, expected);
    }
    let said = world.run(["test.sh", "-nothing.txt"]).ends_with(2, &["unexpected argument '-n'"]);
    assert!(!said.err.contains("tip"), "a command stands behind `--`, and no value: {}", said.err);
}

#[test]
fn the_short_help_leaves_out_what_few_people_need_and_says_so() {
    let world = World::new();
    for words in [&["-h"][..], &["reduce", "-h"], &["debloat", "-h"]] {
        let short = world.run(words).ends_with(0, &[]).out;
        assert!(short.contains("--stderr-contains") && short.contains("`--help` says more"), "{short}");
        assert!(!short.contains("--sigma") && !short.contains("--remote-ca"), "{short}");
    }
    let long = world.run(["--help"]).ends_with(0, &[]).out;
    assert!(long.contains("--sigma") && long.contains("--journal-limit"), "{long}");
}
