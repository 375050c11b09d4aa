//! A command alone: what it does with the input is recognised, and every variant must do the same.

use super::support::{World, haystack};

/// What a crash of a compiler looks like; the process number stands for what changes from run to run.
const CRASH: &str =
    "echo \"{}:1:2: internal compiler error: in fold_it, at ../../lib/fold.cc:$$\" >&2; exit 1";
const OTHER: &str =
    "echo \"{}:1:2: internal compiler error: in emit_it, at ../../lib/emit.cc:$$\" >&2; exit 1";

fn sound() -> World {
    let world = World::new();
    world.write("in.txt", haystack(20, &[(7, "needle")]));
    world
}

/// A shell's words, for behind `--`.
fn shell(body: &str) -> [&str; 3] {
    ["sh", "-c", body]
}

#[test]
fn a_crash_is_recognised_and_kept_without_a_word_about_it() {
    let body = format!("grep -q needle {{}} || exit 0; {CRASH}");
    let world = sound();
    let said = "the command ended with an internal compiler error of GCC: every variant must exit with code 1 and print \
                \"internal compiler error: in fold_it, at \u{2026}fold.cc\"\n";
    world.run(["in.txt", "--"].into_iter().chain(shell(&body))).ends_with(0, &[said, "reduced: "]);
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
}

#[test]
fn another_crash_is_not_what_is_looked_for() {
    let body = format!("grep -q needle {{}} && {{ {CRASH}; }}; grep -q 'line 3 ' {{}} || exit 0; {OTHER}");
    let world = sound();
    let said = world.run(["in.txt", "--"].into_iter().chain(shell(&body))).ends_with(0, &["in fold_it"]);
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
    let [file, about] = &others(&world)[..] else { panic!("{:?}", others(&world)) };
    assert!(file.starts_with("in-gcc-internal-error-") && about.ends_with(".signature"), "{file} {about}");
    let file = format!("also-interesting/{file}");
    let candidate = String::from_utf8(world.read(&file)).unwrap();
    assert!(candidate.contains("line 3 ") && !candidate.contains("needle"), "{candidate}");
    assert_eq!(
        String::from_utf8(world.read(format!("also-interesting/{about}"))).unwrap(),
        "an internal compiler error of GCC\ninternal compiler error: in emit_it, at \u{2026}emit.cc\n"
    );
    assert!(
        said.err.contains(&format!("Another crash was met: {file}, which ended with an internal")),
        "{}",
        said.err
    );
}

/// What lies in the folder of other crashes.
fn others(world: &World) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(world.path("also-interesting")) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_by_key(|name| name.len());
    names
}

#[test]
fn other_crashes_are_the_same_with_any_number_of_jobs_and_only_so_many_are_kept() {
    // The shell's own numbers of lines make as many kinds.
    let body = format!(
        "grep -q needle {{}} && {{ {CRASH}; }}; n=$(wc -l <{{}} | tr 0-9 a-j); \
         echo \"internal compiler error: in emit_$n, at emit.cc:1\" >&2; exit 1"
    );
    let kept = ["1", "3"].map(|jobs| {
        let world = sound();
        world.write("in.txt", haystack(90, &[(7, "needle"), (40, "needle"), (77, "needle")]));
        let args = ["in.txt", "--minimizer", "ddmin", "--reducer", "list", "--jobs", jobs, "--json", "--"];
        let report = world.run(args.into_iter().chain(shell(&body))).ends_with(0, &[]).json();
        let listed = report["also_interesting"].as_array().unwrap().len();
        let names = others(&world);
        assert_eq!(names.len(), 2 * listed, "{names:?}");
        names
    });
    assert_eq!(kept[0], kept[1]);
    assert!(!kept[0].is_empty() && kept[0].len() <= 40, "{:?}", kept[0]);
}

#[test]
fn other_ends_are_no_crashes_and_conditions_ask_for_nothing_else() {
    let body =
        format!("grep -q needle {{}} && {{ {CRASH}; }}; echo 'in.txt:1: error: no needle' >&2; exit 5");
    let world = sound();
    world.run(["in.txt", "--"].into_iter().chain(shell(&body))).ends_with(0, &[]);
    assert_eq!(others(&world), [""; 0]);
    let body = format!("grep -q needle {{}} && exit 7; {OTHER}");
    world.run(["in.txt", "--exit-code", "7", "--"].into_iter().chain(shell(&body))).ends_with(0, &[]);
    assert_eq!(others(&world), [""; 0]);
}

#[test]
fn names_of_the_input_may_change_while_the_message_stays() {
    let body = "name=$(sed -n 's/.*int \\([a-z_]*\\) = 1;.*/\\1/p' {}); [ \"$name\" ] || exit 0; \
                echo \"LLVM ERROR: cannot lower '$name' in block 12\" >&2; exit 1";
    let world = World::new();
    world.write("in.c", "int other = 2;\nint long_name = 1;\n");
    world.run(["in.c", "--names", "short", "--"].into_iter().chain(shell(body))).ends_with(
        0,
        &["every variant must exit with code 1 and print \"LLVM ERROR: cannot lower '\u{2026}' in block\"\n"],
    );
    assert_eq!(world.read("in.reduced.c"), b"int a = 1;\n");
}

#[test]
fn a_signal_alone_is_kept_and_said_to_be_vague() {
    let body = "if grep -q needle {}; then kill -SEGV $$; fi";
    let world = sound();
    world.run(["in.txt", "--"].into_iter().chain(shell(body))).ends_with(
        0,
        &["the command ended with the signal SIGSEGV: every variant must end by SIGSEGV; nothing more is known of it"],
    );
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
}

#[test]
fn a_command_that_does_not_end_hangs() {
    let world = World::new();
    world.write("in.txt", "needle\nhay\n");
    let body = "grep -q needle {} && exec cat /dev/zero >/dev/null";
    let args = ["in.txt", "--timeout", "1", "--max-questions", "4", "--"];
    world.run(args.into_iter().chain(shell(body))).ends_with(
        0,
        &["the command did not end within 1 s: every variant must run for longer", "reduced so far"],
    );
    assert_eq!(world.read("in.reduced.txt"), b"needle\n");
}

#[test]
fn nothing_is_recognised_where_the_command_does_nothing_unusual() {
    for (body, seen) in [
        (
            "echo 'no such name' >&2; exit 1",
            ["ended with exit code 1 on in.txt, ", "  | no such name\n", "--exit-code 1\n"],
        ),
        (
            "echo 'no such file' >&2; exit 2",
            ["ended with exit code 2 on in.txt, ", "  | no such file\n", "--exit-code 2\n"],
        ),
    ] {
        let world = sound();
        let names = world.names();
        let said = world.run(["in.txt", "--"].into_iter().chain(shell(body))).ends_with(5, &seen);
        assert!(
            said.err.contains("--stderr-contains TEXT") && said.err.contains("--differs-from"),
            "{}",
            said.err
        );
        assert_eq!(world.names(), names, "nothing is written");
    }
}

#[test]
fn an_argument_that_the_folder_of_the_test_does_not_have_is_named() {
    let hint = "The test runs in a folder of its own, where there is no run.sh: write an absolute path, or lay it there with --with run.sh\n";
    // What an interpreter says of a script that it does not find looks like an exception of the script.
    let exception = "printf 'Error: Cannot find module run.sh\\n    at f (x.js:1:1)\\n' >&2; exit 1";
    for words in [&["sh", "run.sh", "{}"][..], &["sh", "-c", exception, "run.sh", "{}"]] {
        let world = sound();
        world.write("run.sh", CRASH);
        world.run(["in.txt", "--"].iter().chain(words)).ends_with(5, &[hint]);
    }
    let world = sound();
    world.write("run.sh", CRASH);
    let args = ["in.txt", "--with", "run.sh", "--max-questions", "3", "--", "sh", "run.sh", "{}"];
    world.run(args).ends_with(0, &["an internal compiler error of GCC"]);
}

#[test]
fn conditions_take_the_place_of_what_would_be_recognised() {
    let body = format!("grep -q needle {{}} && {{ {CRASH}; }}; exit 1");
    let world = sound();
    let said = world
        .run(["in.txt", "--exit-code", "1", "--max-questions", "3", "--"].into_iter().chain(shell(&body)));
    assert!(!said.ends_with(0, &[]).err.contains("the command ended with"));
    // What must not be printed says nothing of what must be done.
    let args = ["in.txt", "--not-contains", "line 3 ", "--max-questions", "3", "--"];
    let said = world.run(args.into_iter().chain(shell(&body)));
    said.ends_with(0, &["the command ended with an internal compiler error of GCC"]);
}

#[test]
fn a_run_that_goes_on_recognises_the_same() {
    let body = format!("grep -q needle {{}} || exit 0; {CRASH}");
    let world = sound().one_by_one();
    let args = ["in.txt", "--max-questions", "8", "--json", "--"];
    world.run(args.into_iter().chain(shell(&body))).ends_with(0, &[]);
    let report = world
        .run(["in.txt", "--resume", "--json", "--"].into_iter().chain(shell(&body)))
        .ends_with(0, &[])
        .json();
    assert!(report["replayed"].as_u64().unwrap() > 0, "{report}");
    let test = report["test"].as_str().unwrap();
    assert!(
        test.ends_with("(exit code 1, the line \"internal compiler error: in fold_it, at \u{2026}fold.cc\")"),
        "{test}"
    );
}
