//! `dwindle debloat`: what the tests of a program need stays.

use super::support::World;

/// Prints what its options say.
const PROGRAM: &str = "#include <stdio.h>
#include <string.h>

struct counts { int lines, words; };
typedef struct counts Counts;
static int unused_number;
static int double_it(int x) { return x * 2; }
static int only_for_verbose(int x) {
  int y;
  y = double_it(x);
  return y + 1;
}
static void verbose(int x) {
  Counts c;
  c.lines = only_for_verbose(x);
  printf(\"%d\\n\", c.lines);
}
static int square(int x);
static int square(int x) {
  if (x < 0) {
    puts(\"negative\");
    x = -x;
  }
  return x * x;
}
int main(int argc, char **argv) {
  int i;
  for (i = 1; i < argc; i++) {
    if (strcmp(argv[i], \"-v\") == 0) {
      verbose(i);
    } else if (strcmp(argv[i], \"-s\") == 0) {
      printf(\"%d\\n\", square(7));
    } else {
      puts(\"what?\");
      return 2;
    }
  }
  return 0;
}
";

/// The option that stays.
const TEST: &str = "gcc -w -o a.out \"$1\" || exit 1\n[ \"$(timeout 5 ./a.out -s)\" = 49 ]";

fn world() -> World {
    let world = World::new();
    world.write("a.c", PROGRAM);
    world.test("test.sh", TEST);
    world
}

#[test]
fn a_command_must_succeed_on_what_is_left_of_a_program() {
    let world = World::new();
    world.write("a.c", "int used(void) { return 1; }\nint unused(void) { return 2; }\n");
    world.run(["debloat", "a.c", "--", "grep", "-q", "used.*1", "{}"]).ends_with(0, &["reduced: "]);
    assert!(world.read("a.reduced.c").starts_with(b"int used(void) { return 1; }"));
}

#[test]
fn what_the_test_does_not_run_goes_first_and_the_rest_stays_as_it_was() {
    let world = world();
    world
        .run(["debloat", "a.c", "--test", "test.sh"])
        .ends_with(0, &["the test runs 7 of 17 statements, in 2 of 5 functions"]);
    let result = String::from_utf8(world.read("a.reduced.c")).unwrap();
    for gone in ["verbose", "double_it", "Counts", "unused_number", "negative", "what?"] {
        assert!(!result.contains(gone), "{gone} in {result}");
    }
    for stays in ["static int square(int x) {\n", "  return x * x;\n", "printf(\"%d\\n\", square(7));\n"] {
        assert!(result.contains(stays), "{stays} in {result}");
    }
}

#[test]
fn every_minimiser_does_it_in_the_setting_of_chisel() {
    for minimizer in ["ddmin", "probdd", "cdd", "wddmin", "wprobdd", "dfs"] {
        let world = world();
        world
            .run(["debloat", "a.c", "--test", "test.sh", "--reducer", "chisel", "--minimizer", minimizer])
            .ends_with(0, &["the test runs"]);
        let result = String::from_utf8(world.read("a.reduced.c")).unwrap();
        for gone in ["verbose", "double_it", "Counts", "unused_number", "negative", "what?"] {
            assert!(!result.contains(gone), "{minimizer}: {gone} in {result}");
        }
        assert!(result.contains("return x * x;"), "{minimizer}: {result}");
    }
}

#[test]
fn without_marks_the_search_finds_out() {
    let world = world();
    let refuses_marks = format!("grep -q DWINDLE_RAN \"$1\" && exit 1\n{TEST}");
    world.test("test.sh", &refuses_marks);
    world
        .run(["debloat", "a.c", "--test", "test.sh"])
        .ends_with(0, &["the test does not accept the program with marks"]);
    let result = String::from_utf8(world.read("a.reduced.c")).unwrap();
    assert!(!result.contains("verbose") && result.contains("return x * x;"), "{result}");
}

#[test]
fn tests_in_stages_share_a_folder_and_say_which_of_them_refused() {
    let world = World::new();
    world.write("a.c", PROGRAM);
    let noting = |name: &str, body: &str| format!("echo {name} >> \"$WORLD/ran\"\n{body}");
    world.test("compile.sh", &noting("compile", "gcc -w -o a.out \"$1\""));
    world.test("smoke.sh", &noting("smoke", "[ \"$(timeout 5 ./a.out -s)\" = 49 ]"));
    world.test("suite.sh", &noting("suite", "timeout 5 ./a.out -s -s | grep -c 49 | grep -q 2"));
    let all = ["--test", "compile.sh", "--test", "smoke.sh", "--test", "suite.sh"];
    let report = world.report([&["debloat", "a.c", "--jobs", "1"][..], &all].concat());
    let ran = world.note("ran");
    let runs = |name: &str| ran.lines().filter(|line| *line == name).count() as u64;
    let refused = |stage: usize| report["stages"][stage]["refused"].as_u64().unwrap();
    assert_eq!(runs("compile") - refused(0), runs("smoke"), "{report}");
    assert_eq!(runs("smoke") - refused(1), runs("suite"), "{report}");
    assert_eq!(
        report["questions"]["uninteresting"].as_u64().unwrap(),
        (0..3).map(refused).sum::<u64>(),
        "{report}"
    );
    assert!(refused(0) > 0 && refused(1) > 0, "{report}");
    let result = String::from_utf8(world.read("a.reduced.c")).unwrap();
    assert!(result.contains("return x * x;") && !result.contains("verbose"), "{result}");
    let wants_text = [&["debloat", "a.c", "--stdout-contains", "x"][..], &all].concat();
    world.run(wants_text).ends_with(2, &["several tests are judged by exit code 0 alone"]);
    world.run(["debloat", "a.c", "--test", "compile.sh", "--test", "none.sh"]).ends_with(4, &["none.sh"]);
}

#[test]
fn a_program_that_hangs_forks_or_writes_does_no_harm() {
    // Without its end the loop starts 60 processes that wait, and then hangs.
    let world = World::new();
    world.write(
        "a.c",
        "#include <stdio.h>\n#include <unistd.h>\nint main(void) {\n  int i;\n  for (i = 0; i < 60; i++) {\n    \
         FILE *file;\n    if (i == 3)\n      break;\n    if (fork() == 0)\n      pause();\n    \
         file = fopen(\"written\", \"a\");\n    fputs(\"x\", file);\n    fclose(file);\n  }\n  if (i == 60)\n    for (;;)\n      ;\n  puts(\"done\");\n  return 0;\n}\n",
    );
    world.test("test.sh", "gcc -w -o a.out \"$1\" || exit 1\n[ \"$(./a.out | head -c 4)\" = done ]");
    let args = ["debloat", "a.c", "--test", "test.sh", "--timeout", "2", "--file-size-limit", "1M"];
    world.run(args).ends_with(0, &["reduced"]);
    let result = String::from_utf8(world.read("a.reduced.c")).unwrap();
    assert!(result.contains("puts(\"done\")") && !result.contains("fork"), "{result}");
    assert!(!world.path("written").exists());
}

#[test]
fn a_semicolon_alone_is_a_statement() {
    let world = World::new();
    world.write("a.c", "#include <stdio.h>\nint main(void) {\n  ;\n  puts(\"49\");\n  ;\n  return 0;\n}\n");
    world.test("test.sh", "gcc -w -o a.out \"$1\" || exit 1\n[ \"$(./a.out)\" = 49 ]");
    for reducer in ["linked", "chisel"] {
        world.run(["debloat", "a.c", "--test", "test.sh", "--reducer", reducer, "--fresh"]).ends_with(0, &[]);
        let result = String::from_utf8(world.read("a.reduced.c")).unwrap();
        assert!(!result.lines().any(|line| line.trim() == ";"), "{reducer}: {result}");
    }
}

#[test]
fn statements_need_no_lines_of_their_own() {
    let world = World::new();
    world.write(
        "a.c",
        "#include <stdio.h>\nint rare(void) { return 1; }\n\
         int next(int x) { if (x > 100) { puts(\"large\"); return rare(); } return x + 1; }\n\
         int main(void) { int y = 41; y = next(y); printf(\"%d\", y); puts(\"bye\"); return 0; }\n",
    );
    world.test("test.sh", "gcc -w -o a.out \"$1\" || exit 1\n./a.out | grep -q ^42");
    for reducer in ["linked", "chisel"] {
        world.run(["debloat", "a.c", "--test", "test.sh", "--reducer", reducer, "--fresh"]).ends_with(0, &[]);
        let result = String::from_utf8(world.read("a.reduced.c")).unwrap();
        assert!(result.contains("return x + 1;"), "{reducer}: {result}");
        assert!(!["rare", "large", "bye"].iter().any(|gone| result.contains(gone)), "{reducer}: {result}");
    }
}
