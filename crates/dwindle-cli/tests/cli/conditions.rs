//! What a test must do, said by options.

use std::process::Command;

use super::support::{World, haystack, skip};

fn sound() -> World {
    let world = World::new();
    world.write("in.txt", haystack(20, &[(7, "needle")]));
    world
}

/// Reduces by a shell's command under these conditions; by the script that is saved, too.
#[track_caller]
fn reduces(conditions: &[&str], body: &str) {
    let world = sound();
    let command = ["--", "sh", "-c", body];
    let saved = ["--save-test", "saved.sh"];
    world.run([&["in.txt"], conditions, &saved, &command].concat()).ends_with(0, &["reduced: "]);
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
    world.run(["./saved.sh", "in.txt", "-o", "other.txt"]).ends_with(0, &["reduced: "]);
    assert_eq!(world.read("other.txt"), b"needle\n", "by the script");
    let saved = world.path("saved.sh");
    assert!(world.finds_interesting(&saved, "in.txt", &world.read("in.txt")));
    assert!(!world.finds_interesting(&saved, "in.txt", b"hay\n"));
}

#[track_caller]
fn refuses(args: &[&str], code: i32, expected: &[&str]) {
    let world = sound();
    world.write("other.txt", "needle");
    world.run(args).ends_with(code, expected);
}

#[test]
fn a_signal_is_named_or_numbered() {
    for name in ["SEGV", "SIGSEGV", "segv", "11"] {
        reduces(&["--signal", name], "if grep -q needle {}; then kill -SEGV $$; fi");
    }
    refuses(&["in.txt", "--signal", "NONE", "--", "true"], 2, &["a signal is wanted, such as SEGV"]);
    refuses(&["in.txt", "--signal", "1", "--exit-code", "1", "--", "true"], 2, &["cannot be used with"]);
}

#[test]
fn patterns_count_on_their_stream() {
    let body = "grep -n needle {}; grep -q needle {} && echo 'error 17: bad needle' >&2; exit 3";
    reduces(&["--stdout-matches", r"^\d+:needle$"], body);
    reduces(&["--stderr-matches", r"error \d+: (bad|good) \w+$", "--exit-code", "3"], body);
    refuses(
        &["in.txt", "--stdout-matches", "error", "--", "sh", "-c", body],
        5,
        &["missing: a match of error on standard output\n"],
    );
    refuses(&["in.txt", "--stdout-matches", "(", "--", "true"], 2, &["--stdout-matches"]);
    refuses(&["in.txt", "--stderr-matches", "", "--", "true"], 2, &["an empty pattern matches anything"]);
}

#[test]
fn what_must_not_be_printed_counts_on_both_streams() {
    // Without the last line, what the command says of it would be there.
    let body = "grep -q needle {} || echo gone; grep -q needle {} || echo lost >&2";
    reduces(&["--exit-code", "0", "--not-contains", "gone"], body);
    reduces(&["--exit-code", "0", "--not-contains", "lost"], body);
    refuses(
        &["in.txt", "--exit-code", "0", "--not-contains", "needle", "--", "grep", "needle", "{}"],
        5,
        &["missing: no needle on either output\n"],
    );
}

#[test]
fn two_commands_may_have_to_differ() {
    let world = sound();
    world.program("old", "#!/bin/sh\ngrep needle \"$1\" | wc -l\n");
    world.program("new", "#!/bin/sh\necho 0\n");
    let args = ["in.txt", "--differs-from", "./old {}", "--save-test", "saved.sh", "--", "./new", "{}"];
    world.run(args).ends_with(0, &["reduced: "]);
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
    assert!(world.finds_interesting(&world.path("saved.sh"), "in.txt", b"needle\n"));
    assert!(!world.finds_interesting(&world.path("saved.sh"), "in.txt", b"hay\n"));
    refuses(
        &["in.txt", "--differs-from", "cat {}", "--", "cat", "{}"],
        5,
        &["missing: another standard output or exit code than that of --differs-from\n"],
    );
    reduces(&["--differs-from", "true"], "! grep -q needle {}");
}

#[test]
fn other_commands_must_succeed_as_well() {
    let body = "grep needle {}";
    reduces(
        &["--stdout-contains", "e", "--also", "grep -q needle {}", "--also", "sh -c 'grep -q ee {}'"],
        body,
    );
    refuses(
        &["in.txt", "--exit-code", "0", "--also", "true", "--also", "grep lost {}", "--", "true"],
        5,
        &["missing: success of the command of --also number 2\n"],
    );
    refuses(&["in.txt", "--also", "echo 'x", "--", "true"], 2, &["a quote is not closed"]);
    refuses(&["in.txt", "--also", " ", "--", "true"], 2, &["a program and its arguments are wanted"]);
    refuses(
        &["in.txt", "--exit-code", "0", "--also", "no-such {}", "--", "true"],
        4,
        &["no such program in PATH"],
    );
    refuses(
        &["in.txt", "--exit-code", "0", "--also", "cat ../home/in.txt", "--", "true"],
        2,
        &["write {} in its place"],
    );
}

#[test]
fn other_commands_go_with_a_script() {
    let world = sound();
    world.test("test.sh", "grep -q n in.txt");
    world.run(["test.sh", "in.txt", "--also", "grep -q needle {}"]).ends_with(0, &["reduced: "]);
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
}

#[test]
fn files_lie_beside_every_candidate() {
    let world = sound();
    world.write("deep/words", "needle\n");
    world.program("deep/tool", "#!/bin/sh\ngrep -q -f words \"$1\"\n");
    let with = ["--with", "deep/words", "--with", "deep/tool"];
    let args = [
        &["in.txt", "--exit-code", "0", "--save-test", "saved.sh"],
        &with[..],
        &["--", "sh", "-c", "./tool {}"],
    ];
    world.run(args.concat()).ends_with(0, &["reduced: "]);
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
    assert!(world.finds_interesting(&world.path("saved.sh"), "in.txt", b"needle\n"));
    world.test("test.sh", "grep -q -f words in.txt");
    world.run(["test.sh", "in.txt", "--with", "deep/words"]).ends_with(0, &["reduced: "]);
    for (name, why) in [
        ("nowhere", "there is no such file"),
        ("deep", "it is no regular file"),
        ("deep/in.txt", "has that name"),
    ] {
        world.write("deep/in.txt", "");
        world.run(["test.sh", "in.txt", "--with", name]).ends_with(2, &["beside the candidates", why]);
    }
}

#[test]
fn a_changed_file_beside_the_candidates_makes_another_reduction() {
    let world = sound().one_by_one();
    world.write("words", "needle\n");
    world.test("test.sh", "grep -q -f words in.txt");
    let args = ["test.sh", "in.txt", "--with", "words", "--max-questions", "8"];
    world.report(args);
    assert!(world.report(args)["replayed"].as_u64().unwrap() > 0);
    world.write("words", "needle");
    assert_eq!(world.report(args)["replayed"], 0);
}

#[test]
fn a_slow_run_is_interesting_where_that_is_asked_for() {
    let world = World::new();
    world.write("in.txt", "hay\nneedle\nhay\n");
    let body = "if grep -q needle {}; then sleep 0.15; exit 3; fi; grep -q hay {} || sleep 0.15";
    let conditions = ["--slower-than", "0.1", "--exit-code", "3", "--also", "sleep 0.11", "--level", "fast"];
    let command = ["--save-test", "saved.sh", "--", "sh", "-c", body];
    world.run([&["in.txt"], &conditions[..], &command].concat()).ends_with(0, &["reduced: "]);
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
    let saved = world.path("saved.sh");
    assert!(world.finds_interesting(&saved, "in.txt", b"needle\n"));
    assert!(
        !world.finds_interesting(&saved, "in.txt", b"hay\n")
            && !world.finds_interesting(&saved, "in.txt", b"")
    );
    refuses(
        &["in.txt", "--slower-than", "0.1", "--also", "sleep 0.2", "--", "true"],
        5,
        &["missing: a run that ends, but takes more than 0.1 s\n"],
    );
    for more in [&["--slower-than", "300"][..], &["--slower-than", "2", "--timeout", "2"]] {
        refuses(&[&["in.txt"], more, &["--", "true"]].concat(), 2, &["is never met"]);
    }
}

#[test]
fn a_time_that_a_run_must_take_is_its_limit() {
    refuses(
        &["in.txt", "--hangs-longer-than", "100", "--", "true"],
        5,
        &["missing: a run of more than 100 s\n"],
    );
    refuses(
        &["in.txt", "--hangs-longer-than", "1", "--timeout", "2", "--", "true"],
        2,
        &["cannot be used with"],
    );
    let world = World::new();
    world.write("in.txt", "needle\nhay\n");
    let body = "grep -q needle {} && exec cat /dev/zero >/dev/null";
    let args = [
        "in.txt",
        "--hangs-longer-than",
        "1",
        "--max-questions",
        "4",
        "--save-test",
        "s.sh",
        "--",
        "sh",
        "-c",
        body,
    ];
    world.run(args).ends_with(0, &["reduced so far"]);
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
    assert!(world.finds_interesting(&world.path("s.sh"), "in.txt", b"needle\n"));
    assert!(!world.finds_interesting(&world.path("s.sh"), "in.txt", b"hay\n"));
}

#[test]
fn a_saved_test_replaces_nothing_else_and_says_what_a_script_cannot() {
    let world = sound();
    world.write("mine.sh", "important");
    let saves = |name: &'static str| {
        ["in.txt", "--stdout-contains", "needle", "--save-test", name, "--", "grep", "needle", "{}"]
    };
    world.run(saves("mine.sh")).ends_with(2, &["something else is there already"]);
    assert_eq!(world.read("mine.sh"), b"important");
    world.run(saves("test.sh")).ends_with(0, &[]);
    world.run(saves("test.sh")).ends_with(0, &[]);
    let args =
        ["in.txt", "--stdout-matches", r"\bneedle", "--save-test", "other.sh", "--", "grep", "needle", "{}"];
    world.run(args).ends_with(2, &["a script cannot look for \\bneedle, which has"]);
}

/// A world with fakes of gcc and clang.
fn with_compilers(compiler: &str) -> World {
    let world = sound();
    for name in ["gcc", "clang"] {
        world.program(format!("bin/{name}"), format!("#!/bin/sh\n{compiler}\n"));
    }
    world
}

/// Warns of a text without line 3, and makes programs that print an error of a sanitizer unless it has line 5.
const COMPILER: &str = "for word; do case $word in *.txt) file=$word ;; esac; done\n\
    while [ $# -gt 0 ]; do case $1 in -o) out=$2 ;; esac; shift; done\n\
    grep -q 'line 3 ' $file || { echo \"$file: warning\" >&2; exit 1; }\n\
    { echo '#!/bin/sh'; grep -q 'line 5 ' $file || echo 'echo \"a.c:1: runtime error: shift\" >&2'; } >$out; chmod +x $out";

#[test]
fn a_guard_refuses_what_compilers_warn_of_and_sanitizers_find() {
    let world = with_compilers(COMPILER);
    let line = "PATH=$PWD/bin:$PATH dwindle in.txt --guard c-undefined --stdout-contains needle --save-test saved.sh -- \
                grep needle {}";
    let finished = world.shell(line).ends_with(0, &["reduced: "]);
    let left = String::from_utf8(world.read("in.reduced.txt")).unwrap();
    for part in ["line 3 ", "line 5 ", "needle"] {
        assert!(left.contains(part), "{left}");
    }
    assert!(left.len() < 40, "{left}{}", finished.err);
    world.write("no.txt", "needle\nline 3 of the input\n");
    let by_script =
        "PATH=$PWD/bin:$PATH ./saved.sh in.reduced.txt && ! PATH=$PWD/bin:$PATH ./saved.sh no.txt";
    assert_eq!(world.shell(by_script).code, Some(0));
}

#[test]
fn a_guard_does_without_the_sanitizers_that_a_compiler_does_not_have() {
    let without = "#!/bin/sh\ncase \"$*\" in *fsanitize*) echo no libasan >&2; exit 1 ;; esac\n";
    let world = with_compilers(COMPILER);
    world.program("bin/clang", without);
    let line =
        "PATH=$PWD/bin:$PATH dwindle in.txt --guard c-undefined --stdout-contains needle -- grep needle {}";
    world.shell(line).ends_with(0, &["reduced: "]);
    assert!(String::from_utf8(world.read("in.reduced.txt")).unwrap().contains("line 5 "));
    world.program("bin/gcc", without);
    let expected = ["  | no libasan", "  | refused: no compiler here builds programs with sanitizers"];
    world.shell(line).ends_with(5, &expected);
}

#[test]
fn what_a_guard_finds_in_the_input_is_said_and_one_without_compilers_is_none() {
    let world = with_compilers("echo 'in.txt: warning: uninitialized' >&2; exit 1");
    let line = "PATH=$PWD/bin:$PATH dwindle in.txt --guard c-undefined --exit-code 0 -- true";
    world.shell(line).ends_with(
        5,
        &[
            "missing: nothing that the guard finds wrong\n",
            "  | in.txt: warning: uninitialized",
            "  | refused: gcc warns",
        ],
    );
    let world = sound();
    world.program("only/tool", "#!/bin/sh\n");
    let line =
        "it=$(command -v dwindle); PATH=$PWD/only; $it in.txt --guard c-undefined --exit-code 0 -- tool";
    world.shell(line).ends_with(2, &["--guard c-undefined needs gcc or clang, and neither is in PATH"]);
}

#[test]
fn a_guard_runs_last_and_only_where_all_else_holds() {
    let world = with_compilers("echo >> \"$WORLD/guarded\"; exit 1");
    let line = "PATH=$PWD/bin:$PATH dwindle in.txt --guard c-undefined --exit-code 3 -- true";
    world.shell(line).ends_with(5, &["missing: exit code 3"]);
    assert_eq!(world.note("guarded"), "");
}

#[test]
fn the_guard_knows_undefined_behaviour_by_real_compilers() {
    if Command::new("gcc").arg("--version").output().is_err() {
        return skip("there is no gcc");
    }
    let main = "int main(int count, char **words) { (void)words; ";
    for (program, refused) in [
        ("int a[3] = {1, 2, 3}; return a[count];", None),
        (
            "int most = 2147483647; most += count; return most == 0;",
            Some("refused: a sanitizer found an error"),
        ),
        ("int a[3] = {1, 2, 3}; return a[count + 2];", Some("refused: a sanitizer found an error")),
        ("int n; return n + count;", Some("refused: gcc warns")),
        ("return undeclared(count);", Some("refused: gcc warns")),
    ] {
        let world = World::new();
        world.write("a.c", format!("{main}{program} }}\n"));
        let args =
            ["check", "a.c", "--guard", "c-undefined", "--exit-code", "0", "--", "grep", "-q", "main", "{}"];
        let finished = world.run(args);
        assert_eq!(finished.code, Some(if refused.is_some() { 5 } else { 0 }), "{program}: {}", finished.err);
        assert!(refused.is_none_or(|refused| finished.err.contains(refused)), "{program}: {}", finished.err);
    }
}
