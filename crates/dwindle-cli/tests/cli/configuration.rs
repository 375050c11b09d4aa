//! `dwindle.toml`, the environment, and which of them wins.

use super::support::{World, finish, haystack};

/// A world with a project: an input in a folder of its own, and what is above it.
fn project(config: &str) -> World {
    let world = World::new();
    world.test("tests/look.sh", "grep -q needle \"$1\"\n");
    world.write("dwindle.toml", config);
    world.write("src/hay.txt", haystack(20, &[(7, "needle")]));
    world
}

#[track_caller]
fn refuses(config: &str, expected: &[&str]) {
    let world = project(config);
    world.run(["--print-config", "tests/look.sh", "src/hay.txt"]).ends_with(2, expected);
    world.run(["--no-config", "-q", "tests/look.sh", "src/hay.txt"]).ends_with(0, &[]);
}

#[test]
fn a_file_above_the_input_is_found_and_its_paths_are_its_own() {
    let world = project("test = 'tests/look.sh'\noutput = 'small.txt'\n\njobs = 1\n");
    let mut command = world.command(["-v", "hay.txt"]);
    command.current_dir(world.path("src"));
    finish(command).ends_with(0, &["dwindle.toml sets jobs, output, test", "reduced: "]);
    assert_eq!(world.read("small.txt"), b"needle\n");
}

#[test]
fn flags_win_over_the_environment_and_that_over_the_file() {
    let world = project("jobs = 1\nseed = 1\ntimeout = 1.5\nquiet = true\n");
    let mut command =
        world.command(["--print-config", "--jobs", "3", "--verbose", "tests/look.sh", "src/hay.txt"]);
    command.env("DWINDLE_JOBS", "2").env("DWINDLE_SEED", "2").env("DWINDLE_SEEED", "2");
    let printed = finish(command).ends_with(0, &[]).out;
    for line in [
        "jobs = 3  # command line",
        "seed = 2  # DWINDLE_SEED",
        "# quiet = false  (default)",
        "# reducer is not set",
        "# confirm = 1  (default)",
    ] {
        assert!(printed.lines().any(|printed| printed == line), "{line} in\n{printed}");
    }
    assert!(printed.contains("timeout = 1.5  # ") && printed.contains("dwindle.toml:3\n"), "{printed}");
}

#[test]
fn what_is_printed_configures_the_same() {
    let world = project("keep = ['a b', '\"']\npasses = 'rename,flatten'\nno-rename = true\n");
    let print = ["--print-config", "tests/look.sh", "src/hay.txt"];
    let told = |text: &str| -> Vec<String> {
        let set = text.lines().filter(|line| !line.starts_with('#'));
        set.map(|line| line.split("  # ").next().unwrap().to_owned()).collect()
    };
    let first = world.run(print).ends_with(0, &[]).out;
    world.write("src/dwindle.toml", &first);
    let second = world.run(print).ends_with(0, &[]).out;
    assert!(second.contains("src/dwindle.toml was read"), "{second}");
    assert_eq!(told(&first), told(&second));
    assert_eq!(told(&first).len(), 3, "{first}");
}

#[test]
fn what_is_wrong_in_the_file_is_named_with_its_line() {
    refuses("seed = 1\njobz = 2\n", &["dwindle.toml:2: there is no option `jobz`; did you mean `jobs`?"]);
    refuses("xyzzy = 2\n", &["dwindle.toml:1: there is no option `xyzzy`; the keys are the long flags"]);
    refuses("\njobs = 'many'\n", &["dwindle.toml:2: invalid value 'many' for '--jobs <N>'"]);
    refuses("jobs = true\n", &["dwindle.toml:1: `jobs` is a text or a number, not boolean"]);
    refuses("json = 'yes'\n", &["dwindle.toml:1: `json` is `true` or `false`, not string"]);
    refuses("keep = [['a']]\n", &["dwindle.toml:1: `keep` is a list of texts or numbers, not array"]);
    refuses("seed = 1\nlexer = 'a.l'\n", &["dwindle.toml:2: "]);
    refuses("seed = 1\n\njobs = = 2\n", &["dwindle.toml:3: "]);
    refuses("'a\\u001b[31m' = 1\n", &["there is no option"]);
}

#[test]
fn variables_are_checked_as_flags_are() {
    let world = project("");
    let run = |variable: &str, value: &str| {
        let mut command = world.command(["tests/look.sh", "src/hay.txt"]);
        command.env(variable, value);
        finish(command)
    };
    run("DWINDLE_JOBS", "0").ends_with(2, &["error: DWINDLE_JOBS: invalid value '0'"]);
    run("DWINDLE_JSON", "maybe").ends_with(2, &["DWINDLE_JSON: it is `true` or `false`, not `maybe`"]);
    run("DWINDLE_JOBZ", "1").ends_with(0, &["did you mean DWINDLE_JOBS?"]);
    run("DWINDLE_MAX_QUESTIONS", "3").ends_with(0, &["questions 3:"]);
}

#[test]
fn a_check_takes_what_it_knows() {
    let world = project("stdout-contains = 'found it'\nlevel = 'fast'\n");
    world.test("say.sh", "grep -q needle \"$1\" && echo found it\nexit 3\n");
    world.run(["check", "say.sh", "src/hay.txt"]).ends_with(0, &[]);
    world.run(["tokens", "src/hay.txt"]).ends_with(0, &[]);
}

#[test]
fn a_check_finds_its_test_in_the_file_or_behind_a_flag() {
    let world = project("test = 'tests/look.sh'\n");
    world.test("no.sh", "false");
    let check = |words: &[&str]| world.run([&["check"], words].concat());
    assert!(check(&["src/hay.txt"]).ends_with(0, &[]).out.contains("To reduce:  dwindle "));
    check(&["src/hay.txt", "--test", "no.sh"]).ends_with(5, &[]);
    check(&["no.sh", "src/hay.txt"]).ends_with(5, &[]);
    check(&["src/hay.txt", "--", "grep", "-q", "needle", "{}"]).ends_with(0, &[]);
    check(&["--no-config", "src/hay.txt"]).ends_with(2, &[]);
    check(&["no.sh", "src/hay.txt", "--test", "no.sh"]).ends_with(2, &["there are two tests"]);
    check(&["src/hay.txt", "--test", "no.sh", "--", "true"]).ends_with(2, &["and a command behind `--`"]);
    std::fs::remove_file(world.path("dwindle.toml")).unwrap();
    check(&["src/hay.txt"]).ends_with(2, &["nothing tests src/hay.txt", "dwindle.toml"]);
}
