//! Lists of anything.

use std::process::Command;
use std::time::{Duration, Instant};

use super::support::{DWINDLE, World, finish};

/// A list of which the items 7 and 33 are needed, and a command that gets items as arguments.
fn world() -> World {
    let world = World::new();
    let items: String = (1..=40).map(|number| format!("item {number}\n")).collect();
    world.write("items.txt", items);
    world.test("test.sh", NEEDS_TWO);
    world
}

const NEEDS_TWO: &str = "for item; do
  case $item in 'item 7') seven=1;; 'item 33') more=1;; esac
done
[ \"$seven$more\" = 11 ]";

const NEEDED: &str = "item 7\nitem 33\n";

#[test]
fn items_are_arguments_a_file_or_standard_input() {
    let world = world();
    let by_file = "grep -qx 'item 7' \"$1\" && grep -qx 'item 33' \"$1\"";
    world.test("file.sh", &format!("[ \"$#\" = 1 ] && [ -z \"$(cat)\" ] && {by_file}"));
    world.test("at.sh", &format!("set -- \"${{1#@}}\"; {by_file}"));
    world.test(
        "stdin.sh",
        &format!("[ \"$#\" = 0 ] && cat > \"$TMPDIR/in\" && set -- \"$TMPDIR/in\" && {by_file}"),
    );
    for command in
        [&["./test.sh", "{}"][..], &["./file.sh", "{file}"], &["./at.sh", "@{file}"], &["./stdin.sh"]]
    {
        let said = world.run([&["list", "items.txt", "--"], command].concat());
        let said =
            said.ends_with(0, &["reduced: items.txt -> standard output", "items          40 ->        2"]);
        assert_eq!(said.out, NEEDED, "{command:?}");
    }
    assert_eq!(
        world.names(),
        ["at.sh", "file.sh", "items.txt", "stdin.sh", "test.sh"],
        "nothing else is written"
    );
    world.assert_no_process_is_left();
}

#[test]
fn commands_run_in_the_current_folder_one_at_a_time() {
    let world = world();
    let here = world.path("").canonicalize().unwrap();
    let alone = "mkdir lock || touch \"$WORLD/clash\"; sleep 0.01; rmdir lock";
    world.test("test.sh", &format!("cat > \"$WORLD/stdin\"\n{alone}\n{NEEDS_TWO}"));
    world.run(["list", "items.txt", "--", "./test.sh", "{}"]).ends_with(0, &[]);
    assert!(world.note("runs").lines().all(|folder| std::path::Path::new(folder) == here));
    assert!(!world.root().join("clash").exists(), "two ran at once");
    assert_eq!(world.note("stdin"), "", "items that are arguments are not standard input as well");
}

#[test]
fn every_minimiser_finds_what_is_needed_with_any_number_of_jobs() {
    let world = world();
    for minimizer in
        ["ddmin", "ddmin-complement", "opdd", "probdd", "cdd", "dfs", "splitting", "active-coarsen"]
    {
        let questions = ["1", "3"].map(|jobs| {
            let flags = ["list", "items.txt", "--minimizer", minimizer, "--jobs", jobs, "--fresh", "--json"];
            let said = world.run([&flags[..], &["--", "./test.sh", "{}"]].concat());
            let report = said.ends_with(0, &[]).json();
            assert_eq!(report["items"], serde_json::json!(["item 7", "item 33"]), "{minimizer}");
            assert_eq!((&report["before"]["lines"], &report["after"]["lines"]), (&40.into(), &2.into()));
            report["questions"]["total"].clone()
        });
        assert_eq!(questions[0], questions[1], "{minimizer}");
    }
}

#[test]
fn weights_are_a_second_column_that_the_command_does_not_see() {
    let world = World::new();
    let items: String = (1..=40).map(|number| format!("item {number}\t{}\n", number * 10)).collect();
    world.write("items.tsv", items);
    world.test("test.sh", NEEDS_TWO);
    for minimizer in [&[][..], &["--minimizer", "wprobdd"]] {
        let flags = ["list", "items.tsv", "--weights"];
        let said = world.run([&flags, minimizer, &["--fresh", "--", "./test.sh", "{}"]].concat());
        let said = said.ends_with(0, &["items          40 ->        2", "weight       8200 ->      400"]);
        assert_eq!(said.out, NEEDED);
    }
    let refused =
        world.run(["list", "items.tsv", "--weights", "--minimizer", "ddmin", "--", "./test.sh", "{}"]);
    refused.ends_with(2, &["wddmin or wprobdd: ddmin knows no weights"]);
}

#[test]
fn conditions_are_those_of_a_reduction() {
    let world = world();
    world.test("says.sh", &format!("{NEEDS_TWO} && echo both are there >&2; exit 3"));
    let said = |flags: &[&str]| {
        world.run([&["list", "items.txt"], flags, &["--fresh", "--", "./says.sh", "{}"]].concat())
    };
    assert_eq!(said(&["--stderr-contains", "both are"]).ends_with(0, &[]).out, NEEDED);
    assert_eq!(said(&["--exit-code", "3", "--stderr-matches", "^both"]).ends_with(0, &[]).out, NEEDED);
    said(&["--stdout-contains", "both are"])
        .ends_with(5, &["is not interesting", "It ran in ", "says.sh 'item 1' 'item 2'"]);
    said(&[]).ends_with(5, &["--exit-code 3"]);
    assert_eq!(said(&["--exit-code", "3", "--also", "./test.sh {}"]).ends_with(0, &[]).out, NEEDED);
    world.program("abort.sh", format!("#!/bin/sh\n{NEEDS_TWO} && kill -SEGV $$\nexit 0\n"));
    let crashed = world.run(["list", "items.txt", "--", "./abort.sh", "{}"]);
    assert_eq!(
        crashed.ends_with(0, &["every variant must end by SIGSEGV"]).out,
        NEEDED,
        "a crash is recognised"
    );
}

#[test]
fn what_is_wrong_with_a_list_or_its_command_is_said() {
    let world = world();
    world.write("empty.txt", "\n \n");
    world.write("half.tsv", "a\t1\nb\n");
    world.write(
        "many.txt",
        "x".repeat(99)
            .as_str()
            .to_owned()
            .as_bytes()
            .iter()
            .chain(b"\n")
            .copied()
            .collect::<Vec<u8>>()
            .repeat(30_000),
    );
    for (args, code, expected) in [
        (&[][..], 2, "name the file of the items"),
        (&["items.txt"], 2, "write a command behind `--`"),
        (&["gone.txt", "--", "cat"], 3, "cannot reduce gone.txt: there is no such file"),
        (&[".", "--", "cat"], 3, "it is a folder"),
        (&["empty.txt", "--", "cat"], 3, "it has no items"),
        (&["half.tsv", "--weights", "--", "cat"], 3, "line 2 has no weight"),
        (&["items.txt", "--", "cat", "--all={}"], 2, "{} must stand alone"),
        (&["items.txt", "--", "{}"], 4, "are no program"),
        (
            &["items.txt", "--", "grep -q b {file}"],
            4,
            "no shell reads a command; for that, write: sh -c 'grep",
        ),
        (&["items.txt", "--", "cat", "items.txt"], 2, "write {file} in its place"),
        (&["items.txt", "--", "no-such-program"], 4, "there is no such program in PATH"),
        (&["items.txt", "--quiet", "--", "true"], 10, "the command finds the empty list interesting"),
        (
            &["items.txt", "--output", "items.txt", "--", "./test.sh", "{}"],
            7,
            "it is the input; name another",
        ),
        (&["many.txt", "--", "./test.sh", "{}"], 4, "read them from the file {file}"),
        (&["items.txt", "--sigma", "0.2", "--", "cat"], 2, "--sigma goes with --minimizer probdd"),
        (&["--commits", "HEAD", "--", "cat"], 3, "it is no range of commits"),
        (&["--commits", "a..b", "--", "cat"], 3, "git says: fatal"),
    ] {
        world.run([&["list"], args].concat()).ends_with(code, &[expected]);
    }
    world.test("flaky.sh", "[ $(($(wc -l < \"$WORLD/runs\") % 2)) = 0 ]");
    world
        .run(["list", "items.txt", "--exit-code", "0", "--", "./flaky.sh"])
        .ends_with(6, &["the test is flaky"]);
}

#[test]
fn a_stopped_list_is_printed_and_goes_on_later() {
    let world = world();
    let stop = "[ $(wc -l < \"$WORLD/runs\") = 8 ] && { trap '' INT; kill -INT $(parent $(parent $PPID)); sleep 300; }";
    world.test("test.sh", &format!("{}\n{NEEDS_TWO}", stop.replace("$(parent $(parent $PPID))", DWINDLE)));
    let began = Instant::now();
    let command = ["list", "items.txt", "--", "./test.sh", "{}"];
    let said = world.run(command).ends_with(130, &["interrupted", "The same command goes on from here"]);
    assert!(began.elapsed() < Duration::from_secs(30));
    let left = said.out.lines().count();
    assert!(
        (2..40).contains(&left) && said.out.contains("item 7\n") && said.out.contains("item 33\n"),
        "{}",
        said.out
    );
    world.assert_no_process_is_left();
    let said = world.run(command).ends_with(0, &["going on with the run that was stopped"]);
    assert_eq!(said.out, NEEDED);
    let folder = world.root().join(".local/state/dwindle/streams");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0, "what stood for standard output is gone");
}

#[test]
fn a_list_comes_from_standard_input_and_goes_to_a_file() {
    let world = world();
    let said = world.shell("dwindle list - --quiet --output kept.txt -- ./test.sh {} < items.txt");
    assert_eq!((said.code, said.out.as_str()), (Some(0), ""), "{}", said.err);
    assert_eq!(world.read("kept.txt"), NEEDED.as_bytes());
}

#[test]
fn commits_are_items_from_the_oldest_on() {
    let world = World::new();
    let repository = world.path("repo");
    let git = |line: &str| {
        let mut command = Command::new("sh");
        let who = "-c user.name=a -c user.email=a@b -c init.defaultBranch=main -c core.hooksPath=/dev/null";
        command.args(["-c", &line.replace("git ", &format!("git {who} "))]).current_dir(&repository);
        command.env("HOME", world.root());
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let finished = finish(command);
        assert_eq!(finished.code, Some(0), "{line}: {}", finished.err);
        finished.out
    };
    world.write("repo/a.txt", "begin\n");
    git("git init -q . && git add . && git commit -q -m begin && git tag first");
    for number in 1..=8 {
        git(&format!("echo {number} > {number}.txt && git add . && git commit -q -m 'add {number}'"));
    }
    git("git checkout -q -b side first && echo > side.txt && git add . && git commit -q -m side");
    git("git checkout -q main && git merge -q --no-ff -m merged side");
    let commits = git("git rev-list --reverse --no-merges first..main");
    world.test(
        "test.sh",
        "echo \"$*\" >> \"$WORLD/asked\"\nfor c; do git -C repo show --stat $c; done | grep -q ' 6.txt'",
    );
    let said =
        world.run(["list", "--commits", "first..main", "--repository", "repo", "--", "./test.sh", "{}"]);
    let said = said.ends_with(
        0,
        &["the commits first..main -> standard output", "items           9 ->        1", " add 6\n"],
    );
    assert_eq!(said.out, git("git rev-parse main^1~2"));
    let asked = world.note("asked");
    let first: Vec<&str> = asked.lines().next().unwrap().split(' ').collect();
    assert_eq!(first.len(), 9);
    let sorted = |mut list: Vec<String>| {
        list.sort();
        list
    };
    assert_eq!(
        sorted(first.iter().map(|&c| c.to_owned()).collect()),
        sorted(commits.lines().map(str::to_owned).collect())
    );
    let place = |message: &str| {
        let hash = git(&format!("git log main --format=%H --grep='^{message}$'"));
        first.iter().position(|&item| item == hash.trim()).unwrap()
    };
    assert!(place("add 1") < place("add 2") && place("add 7") < place("add 8"));
    git("git status --porcelain | wc -l | grep -qx 0");
}
