//! Tests that people have written for other reducers do unchanged.

use std::fs;
use std::os::unix::fs::symlink;

use super::support::{World, haystack};

const PROGRAM: &str =
    "int unused;\nint f(int a) { return a; }\nint main(void) {\n  crash(f(1));\n  return 0;\n}\n";

#[track_caller]
fn check(test: &str, input: &str) {
    let world = World::new();
    world.program("work/test.sh", test);
    world.write(format!("work/{input}"), PROGRAM);
    let absolute = |name: &str| world.path("work").join(name).to_str().unwrap().to_owned();
    let (root, result) = (world.path(""), world.path("work").join(input.replace(".c", ".reduced.c")));
    for (folder, test, input) in [
        ("work", "./test.sh".into(), input.to_owned()),
        ("work", "test.sh".into(), input.to_owned()),
        (".", "work/test.sh".into(), format!("work/{input}")),
        ("work", "../work/test.sh".into(), absolute(input)),
        (".", absolute("test.sh"), format!("./work/../work/{input}")),
        ("work", absolute("test.sh"), absolute(input)),
    ] {
        let mut command = world.command([&test, &input]);
        command.current_dir(root.join(folder));
        super::support::finish(command).ends_with(0, &["reduced: ", "->"]);
        assert_eq!(fs::read_to_string(&result).unwrap(), "crash(\n", "{test} {input}");
        fs::remove_file(&result).unwrap();
    }
}

#[test]
fn c_reduce_and_c_vise_tests_look_for_the_base_name_where_they_stand() {
    check("#!/bin/sh\ngrep 'crash(' small.c >/dev/null 2>&1\n", "small.c");
    check(
        "#!/bin/sh -e\n# compiles what it finds\ncp small.c copy.c\ngrep 'crash(' copy.c > out.txt\ntest -s out.txt\n",
        "small.c",
    );
    check("#!/usr/bin/env sh\nset -eu\ngrep -q 'crash(' *.c || exit 1\nexit 0\n", "small.c");
}

#[test]
fn shrink_ray_tests_take_an_argument_or_standard_input() {
    check("#!/bin/sh\ngrep -q 'crash(' \"$1\"\n", "small.c");
    check("#!/bin/sh\ngrep -q 'crash('\n", "small.c");
    check("#!/bin/sh\ncat > copy.c\ngrep -q 'crash(' copy.c && cmp -s copy.c \"$1\"\n", "small.c");
}

#[test]
fn picire_tests_take_a_path_and_go_elsewhere() {
    check("#!/bin/sh\ncd / || exit 1\ngrep -q 'crash(' \"$1\"\n", "small.c");
    check(
        "#!/bin/sh\ncd \"$(dirname \"$0\")\" && ls test.sh >/dev/null && grep -q 'crash(' \"$1\"\n",
        "small.c",
    );
    check(
        "#!/bin/sh\nd=$(mktemp -d) && cp \"$1\" \"$d/x.c\" && cd \"$d\" && grep -q 'crash(' x.c\n",
        "small.c",
    );
}

#[test]
fn perses_tests_know_the_name_of_their_file() {
    check(
        "#!/bin/sh\nreadonly OUTPUT=\"$(mktemp)\"\ngrep 'crash(' t.c > \"$OUTPUT\" || exit 1\ngrep -q crash \"$OUTPUT\"\n",
        "t.c",
    );
}

#[test]
fn the_exit_code_of_a_pipe_or_a_negation_counts() {
    check("#!/bin/sh\n! cat small.c | grep -c 'crash(' | grep -qx 0\n", "small.c");
}

#[test]
fn a_test_and_its_helpers_lie_where_the_test_is() {
    let world = World::new();
    world.program("tests/look", "#!/bin/sh\ngrep -q needle \"$1\"\n");
    world.program(
        "tests/test.sh",
        "#!/bin/sh\n. \"$(dirname \"$0\")/settings\"\n\"$(dirname \"$0\")/$look\" in.txt\n",
    );
    world.write("tests/settings", "look=look\n");
    world.write("in.txt", haystack(20, &[(7, "needle")]));
    world.run(["tests/test.sh", "in.txt"]).ends_with(0, &["reduced: in.txt -> in.reduced.txt"]);
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
}

#[test]
fn links_to_the_test_and_to_the_input_count_by_their_own_names() {
    let world = World::new();
    world.program("bin/real.sh", "#!/bin/sh\n[ \"${0##*/}\" = link.sh ] && grep -q needle link.txt\n");
    world.write("data/real.txt", haystack(20, &[(7, "needle")]));
    symlink("bin/real.sh", world.path("link.sh")).unwrap();
    symlink("data/real.txt", world.path("link.txt")).unwrap();
    world.run(["link.sh", "link.txt"]).ends_with(0, &["reduced: link.txt -> link.reduced.txt"]);
    assert_eq!(world.read("link.reduced.txt"), b"needle\n");
}

#[test]
fn a_test_that_is_called_like_a_subcommand_is_written_with_its_folder() {
    let world = World::new();
    world.test("reduce", "grep -q needle in.txt");
    world.write("in.txt", haystack(20, &[(7, "needle")]));
    world.run(["./reduce", "in.txt"]).ends_with(0, &["reduced: in.txt -> in.reduced.txt"]);
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
    world.run(["reduce", "in.txt"]).ends_with(2, &["--test <TEST>"]);
}

#[test]
fn an_earlier_result_is_replaced_and_no_part_of_the_run() {
    let world = World::new();
    world.test("test.sh", "grep -q needle in.txt && [ ! -e in.reduced.txt ]");
    world.write("in.txt", haystack(20, &[(7, "needle")]));
    world.write("in.reduced.txt", "needle, of long ago\n");
    world.run(["test.sh", "in.txt"]).ends_with(0, &["reduced: in.txt -> in.reduced.txt"]);
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
}

#[test]
fn completions_and_manual_pages_know_the_subcommands() {
    let world = World::new();
    let script = world.run(["completions", "bash"]).ends_with(0, &[]).out;
    assert!(script.contains("complete -F _dwindle") && script.contains("--max-questions"), "{script}");
    let file = world.write("dwindle.bash", &script);
    assert!(std::process::Command::new("bash").arg("-n").arg(file).status().unwrap().success());
    let folder = world.path("man");
    world.run(["completions", "--man", folder.to_str().unwrap()]).ends_with(0, &[]);
    for (name, part) in
        [("dwindle.1", "dwindle"), ("dwindle-reduce.1", "max\\-questions"), ("dwindle-history.1", "restore")]
    {
        let page = fs::read_to_string(folder.join(name)).unwrap();
        assert!(page.contains(part), "{name}: {page}");
    }
    world.run(["completions"]).ends_with(2, &["SHELL"]);
}
