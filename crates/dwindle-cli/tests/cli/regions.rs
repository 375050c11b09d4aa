//! What stands between `dwindle: keep` and `dwindle: end` stays as it is.

use super::support::World;

const C: &str = "#include <stdio.h>\n/* of no use */\nint before(int a) { return a + 1; }\n\
                 int f(int alpha, int beta) {\n  int long_name = alpha + beta;\n  /* dwindle: keep */\n  int kept   = 100 * 2; /* why */\n\
                 \x20 kept += alpha ? 1 : (2);\n  /* dwindle: end */\n  // of no use\n  long_name++;\n  return long_name;\n}\n\
                 int behind(int a) { return a + 1; }\nint main(void) { int needle = f(1, 2); return needle; }\n";
const C_KEPT: &str = "/* dwindle: keep */\n  int kept   = 100 * 2; /* why */\n  kept += alpha ? 1 : (2);\n  /* dwindle: end */";

const PYTHON: &str = "import os\nclass A:\n    def f(self, alpha):\n        x = alpha\n        # dwindle: keep\n        y = (1 +   2)\n        # note\n\
                      \n        self.y = y\n        # dwindle: end\n        return alpha + 3\ndef needle():\n    return A().f(3)\n";
const PYTHON_KEPT: &str =
    "# dwindle: keep\n        y = (1 +   2)\n        # note\n\n        self.y = y\n        # dwindle: end";

const TEXT: &str =
    "one two\n -- dwindle: keep\nthree   four\n\n five\n-- dwindle: end --\nsix\nneedle seven\neight\n";
const TEXT_KEPT: &str = "-- dwindle: keep\nthree   four\n\n five\n-- dwindle: end --";

/// Takes a note of every candidate whose region is another one.
const NOTING: &str = "case $(cat \"$1\") in *\"$(cat \"$WORLD/kept\")\"*) ;; *) echo lost >> \"$WORLD/lost\" ;; esac\n\
                      grep -q needle \"$1\"";

fn world(name: &str, input: &str, kept: &str) -> World {
    let world = World::new();
    world.write(name, input);
    world.write("../kept", kept);
    world.test("test.sh", NOTING);
    world
}

#[track_caller]
fn check(name: &str, input: &str, kept: &str, options: &[&str]) -> String {
    let world = world(name, input, kept);
    let report = world.report([&["test.sh", name, "--output", "result"], options].concat());
    assert_eq!(report["end"], "finished", "{options:?}");
    let result = String::from_utf8(world.read("result")).unwrap();
    assert_eq!(world.note("lost"), "", "{name} {options:?}");
    assert!(result.contains(kept) && result.contains("needle"), "{name} {options:?}\n{result}");
    result
}

#[test]
fn no_reducer_tests_a_candidate_whose_region_has_changed() {
    for reducer in ["list", "hdd", "hdd*", "hddr", "coarse", "chisel", "perses", "perses+", "linked"] {
        check("a.c", C, C_KEPT, &["--reducer", reducer]);
    }
}

#[test]
fn no_reducer_does_where_indentation_has_a_meaning() {
    for reducer in ["list", "hdd", "perses+", "linked"] {
        check("a.py", PYTHON, PYTHON_KEPT, &["--reducer", reducer]);
    }
}

#[test]
fn no_format_does() {
    for format in ["bytes", "lines", "tokens"] {
        check("a.c", C, C_KEPT, &["--format", format]);
        check("a.txt", TEXT, TEXT_KEPT, &["--format", format]);
    }
    check("a.txt", TEXT, TEXT_KEPT, &["--format", "chars"]);
}

#[test]
fn no_pass_and_no_layout_does() {
    for options in [
        &["--level", "thorough", "--names", "short"][..],
        &["--passes", "rename,merge,unite,inline,words,literals,layout,join", "--jobs", "4"],
    ] {
        check("a.c", C, C_KEPT, options);
    }
}

#[test]
fn everything_around_a_region_goes() {
    assert_eq!(check("a.c", C, C_KEPT, &[]), format!("{C_KEPT}\nneedle\n"));
    assert_eq!(check("a.py", PYTHON, PYTHON_KEPT, &[]), format!("{PYTHON_KEPT}\nneedle\n"));
    assert_eq!(check("a.txt", TEXT, TEXT_KEPT, &[]), format!("{TEXT_KEPT}\nneedle\n"));
}

#[test]
fn marks_stay_so_a_second_run_respects_them() {
    let world = world("a.c", C, C_KEPT);
    world.run(["test.sh", "a.c", "--output", "b.c"]).ends_with(0, &[]);
    let once = world.read("b.c");
    world.run(["test.sh", "b.c", "--output", "c.c"]).ends_with(0, &[]);
    assert_eq!(world.read("c.c"), once);
    assert_eq!(world.note("lost"), "");
}

#[test]
fn a_run_that_goes_on_respects_them() {
    let world = world("a.c", C, C_KEPT);
    let stopped = world.report(["test.sh", "a.c", "--max-questions", "8"]);
    assert_eq!(stopped["end"], "max-questions");
    world.report(["test.sh", "a.c"]);
    assert_eq!(world.read("a.reduced.c"), format!("{C_KEPT}\nneedle\n").as_bytes());
    assert_eq!(world.note("lost"), "");
}

#[test]
fn regions_stay_beside_what_is_kept_by_a_pattern() {
    let result = check("a.c", C, C_KEPT, &["--keep", "int behind"]);
    assert!(result.find("int behind").unwrap() > result.find("dwindle: end").unwrap(), "{result}");
}

#[test]
fn each_file_of_a_folder_has_regions_of_its_own() {
    let world = World::new();
    world.write("dir/a.c", C);
    world.write("dir/sub/b.py", PYTHON);
    world.write("dir/c.txt", "of no use\n");
    world.test("test.sh", "grep -rq needle \"$1\"");
    world.run(["test.sh", "dir"]).ends_with(0, &[]);
    let read = |name: &str| String::from_utf8(world.read(name)).unwrap();
    assert!(read("dir.reduced/a.c").contains(C_KEPT) && read("dir.reduced/sub/b.py").contains(PYTHON_KEPT));
    assert!(!world.path("dir.reduced/c.txt").exists());
    world.write("dir/c.txt", "dwindle: end\n");
    world.run(["test.sh", "dir"]).ends_with(3, &["cannot reduce dir/c.txt: `dwindle: end` in line 1"]);
}

#[test]
fn marks_that_do_not_fit_are_named_before_anything_is_asked() {
    let world = World::new();
    world.test("test.sh", "true");
    for (name, text, said) in [
        (
            "a.c",
            "int a;\n// dwindle: keep\nint b;\n/* dwindle: keep */\nint c;\n// dwindle: end\n",
            "cannot reduce a.c: `dwindle: keep` in line 4 stands in the region that begins in line 2",
        ),
        (
            "a.py",
            "a = 1\n# dwindle: keep\nb = 2\n",
            "begins with `dwindle: keep` in line 2 has no end; put `dwindle: end` behind what is to stay",
        ),
        (
            "a.txt",
            "a\ndwindle: end\nb\n",
            "`dwindle: end` in line 2 ends no region; put `dwindle: keep` before what is to stay",
        ),
    ] {
        world.write(name, text);
        world.run(["test.sh", name]).ends_with(3, &[said]);
        assert_eq!(world.runs(), 0, "{name}");
    }
}

#[test]
fn what_looks_like_a_mark_and_keeps_nothing_is_named() {
    let world = World::new();
    world.test("test.sh", "grep -rq needle \"$1\"");
    world.write("b.c", "int a;\nchar *needle = \"dwindle: end\"; char b[] = \"dwindle: keep\";\n");
    let said = "warning: `dwindle: keep` or `dwindle: end` in line 2 of b.c keeps nothing, because it is in no comment, or is a \
                single one in a heredoc or the like; put both marks in comments (1 more like it)\n";
    world.run(["test.sh", "b.c"]).ends_with(0, &[said]);
    world.write("d/a.txt", "needle\n");
    world.write("d/b.c", b"/* \xe4 dwindle: keep */ int b;\n// dwindle: end\n");
    world.write("d/c.o", b"\0dwindle: keep\n");
    let said = "warning: the marks in d/b.c keep nothing, because it is no text in UTF-8 of at most 16 MB and stays or goes as a \
                whole; --keep-file keeps it\n";
    world.run(["test.sh", "d"]).ends_with(0, &[said]);
    assert!(!world.path("d.reduced/b.c").exists());
    world.run(["test.sh", "d", "--fresh", "--keep-file", "b.c"]).ends_with(0, &[]);
    assert_eq!(world.read("d.reduced/b.c"), world.read("d/b.c"));
}

#[test]
fn a_region_in_what_is_one_token_stays() {
    let html = "<p>of no use</p>\n<script>\nf();\n// dwindle: keep\ng( 1 );\n// dwindle: end\nneedle();\n</script>\n";
    check("a.html", html, "// dwindle: keep\ng( 1 );\n// dwindle: end", &[]);
}
