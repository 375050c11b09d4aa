//! Syntax trees: every reducer on every kind of input, and what `parse` and `tokens` show of them.

use std::fs;

use dwindle::core::{MinimizerKind, PersesReducer, TreeReducer};
use dwindle::{FrontEnd, read};
use serde_json::Value;

use super::support::World;

const NEEDLE: &str = "grep -q needle \"$1\"";
const C: &str = "/* first */ int unused;\nint f(int a, int b) { return a; }\n\
                 int main(void) { if (f(1, 2)) { needle(f(3, 4)); } return 0; }\n";
const JSON: &str = "{\"a\": [1, -2.5e3, true], \"b\": {\"c\": null, \"d\": [\"needle\", []]}}\n";
const XML: &str = "<?xml version=\"1.0\"?>\n<!-- c -->\n<a x=\"1\" y=\"two words\">text here &amp; more<b/>\n\
                   <c z=\"3\">t <d>needle</d></c></a>\n";
const PYTHON: &str = "import os\n\ndef f(a, *b, c=1):\n    if a:  # note\n        return needle(a, c)\n    \
                      x = [1, 2]\n    return x\n";
const UNKNOWN: &str = "begin (of (some) text)\n  with a needle { in; it }\nend\n";

/// Whether there is no error anywhere in the tree of `bytes`, by the front end for `name`.
fn well_formed(name: &str, bytes: &[u8]) -> bool {
    let front_end = FrontEnd::recognise(name.as_ref(), bytes);
    let (tree, reading) = read::tree(bytes.to_vec(), front_end);
    let odd = |node: usize| ["ERROR", "stray_end_tag"].contains(&tree.kind_name(node));
    reading.fallback.is_none() && !(0..tree.nodes().len()).any(odd)
}

fn tree_reducers() -> impl Iterator<Item = &'static str> {
    TreeReducer::ALL.map(TreeReducer::name).into_iter().chain(PersesReducer::ALL.map(PersesReducer::name))
}

/// Reduces with everything; reducers that keep to the tree keep XML and JSON well-formed.
fn everything(name: &str, input: &str, language: &str, strict: bool) {
    let world = World::new();
    let test = world.test("test.sh", NEEDLE);
    world.write(name, input);
    let result = name.replace("in.", "in.reduced.");
    for reducer in tree_reducers() {
        for minimizer in MinimizerKind::ALL {
            let minimizer = minimizer.name();
            let args = ["test.sh", name, "--reducer", reducer, "--minimizer", minimizer];
            let report = world.report(args);
            let bytes = world.read(&result);
            let shown = format!("{reducer} {minimizer}: {}", bytes.escape_ascii());
            let again = world.report([&args[..], &["--output", "again"]].concat());
            assert_eq!(world.read("again"), bytes, "{shown}");
            assert_eq!(again["questions"], report["questions"], "{shown}");
            assert!(world.finds_interesting(&test, name, &bytes), "{shown}");
            assert!(bytes.len() < input.len(), "{shown}");
            assert_eq!(report["end"], "finished");
            assert_eq!((&report["format"], &report["reducer"]), (&"tree".into(), &reducer.into()));
            assert_eq!((&report["language"], &report["fallback"]), (&language.into(), &Value::Null));
            let count = |file: &str| world.run(["tokens", file, "--language", language]).out;
            assert_eq!(count(name), format!("{}\n", report["before"]["tokens"]), "{shown}");
            if strict {
                assert!(well_formed(name, &bytes), "{shown}");
                assert_eq!(count(&result), format!("{}\n", report["after"]["tokens"]), "{shown}");
            }
        }
    }
}

#[test]
fn every_reducer_and_minimizer_reduces_c() {
    everything("in.c", C, "c", false);
}

#[test]
fn every_reducer_and_minimizer_reduces_json() {
    everything("in.json", JSON, "json", true);
}

#[test]
fn every_reducer_and_minimizer_reduces_xml() {
    everything("in.xml", XML, "xml", true);
}

#[test]
fn every_reducer_and_minimizer_reduces_python() {
    everything("in.py", PYTHON, "python", false);
}

#[test]
fn every_reducer_and_minimizer_reduces_any_text() {
    everything("in.txt", UNKNOWN, "brackets", false);
}

#[test]
fn transformations_go_with_every_minimizer_and_with_each_other() {
    let world = World::new();
    let test = world.test("test.sh", NEEDLE);
    world.write("in.json", JSON);
    for reducer in ["hdd*", "hddr"] {
        for minimizer in MinimizerKind::ALL.map(MinimizerKind::name) {
            for transforms in ["none", "squeeze,flatten", "hoist", "squeeze,flatten,skip,hoist"] {
                let chosen = ["--reducer", reducer, "--minimizer", minimizer, "--transform", transforms];
                let report = world.report([&["test.sh", "in.json"][..], &chosen].concat());
                let bytes = world.read("in.reduced.json");
                let shown = format!("{reducer} {minimizer} {transforms}: {}", bytes.escape_ascii());
                assert!(world.finds_interesting(&test, "in.json", &bytes), "{shown}");
                assert!(well_formed("in.json", &bytes) && bytes.len() < JSON.len(), "{shown}");
                assert_eq!(report["end"], "finished");
                // Whatever is around the needle is given up for it.
                if transforms.contains("hoist") {
                    assert_eq!(report["after"]["tokens"], 3, "{shown}");
                }
            }
        }
    }
}

#[test]
fn what_is_around_a_statement_is_given_up_for_it_when_hoisting() {
    let world = World::new();
    world.test("test.sh", "grep -q 'void f.*needle();' \"$1\"");
    world.write("in.c", "void f(void) { if (a) { while (b) { if (c) { needle(); } } } }\n");
    for (transforms, result) in [
        ("skip", "void f { if (a) { while (b) { if (c) { needle(); } } } }\n"),
        ("skip,hoist", "void f { needle(); }\n"),
    ] {
        world.report(["test.sh", "in.c", "--reducer", "hdd*", "--transform", transforms]);
        assert_eq!(String::from_utf8(world.read("in.reduced.c")).unwrap(), result, "{transforms}");
    }
}

#[test]
fn a_batch_width_is_for_linked() {
    let world = World::new();
    world.test("test.sh", NEEDLE);
    world.write("in.c", C);
    world.report(["test.sh", "in.c", "--batch-width", "1"]);
    let said = world.run(["test.sh", "in.c", "--reducer", "perses", "--batch-width", "1"]);
    said.ends_with(2, &["--batch-width goes with the reducer linked, not with perses"]);
}

#[test]
fn transformations_are_for_the_hdd_family() {
    let world = World::new();
    world.test("test.sh", NEEDLE);
    world.write("in.c", C);
    for reducer in ["list", "perses+", "linked"] {
        let said = world.run(["test.sh", "in.c", "--reducer", reducer, "--transform", "hoist"]);
        said.ends_with(
            2,
            &["--transform goes with the reducers hdd, hdd+, ", &format!("not with {reducer}")],
        );
    }
    let said = world.run(["test.sh", "in.c", "--reducer", "hdd", "--transform", "squeeze,lift"]);
    said.ends_with(2, &["'lift'", "squeeze, flatten, skip, hoist, none"]);
    assert_eq!(world.names(), ["in.c", "test.sh"]);
}

#[test]
fn a_stand_in_goes_where_the_test_does_not_want_it() {
    let world = World::new();
    world.test("test.sh", "grep -q 'needle(' \"$1\"");
    world.write("in.c", "int f(int a) { return a; }\nint main(void) {\n  needle(f(1));\n}\n");
    world.run(["test.sh", "in.c"]).ends_with(0, &["reduced: "]);
    assert_eq!(world.read("in.reduced.c"), b"needle(\n");
}

#[test]
fn a_language_that_is_named_goes_before_the_one_that_is_recognised() {
    let world = World::new();
    world.test("test.sh", NEEDLE);
    world.write("in.c", C);
    world.write("in.txt", C);
    let report = |file: &str, flags: &[&str]| world.report([&["test.sh", file], flags].concat());
    assert_eq!(report("in.c", &[])["language"], "c");
    assert_eq!(report("in.c", &["--language", "brackets"])["language"], "brackets");
    assert_eq!(report("in.txt", &["--language", "c"])["language"], "c");
    let list = report("in.c", &["--reducer", "list"]);
    assert_eq!((&list["format"], &list["reducer"]), (&"auto".into(), &"list".into()));
    assert_eq!(list["language"], Value::Null);
}

#[test]
fn an_unknown_language_is_a_usage_error_that_lists_the_known() {
    let world = World::new();
    world.test("test.sh", NEEDLE);
    world.write("in.c", C);
    for args in [&["test.sh", "in.c"][..], &["parse", "in.c"], &["tokens", "in.c"]] {
        let said = world.run([args, &["--language", "klingon"]].concat());
        said.ends_with(2, &[&["'klingon'", "possible values"][..], &FrontEnd::names()].concat());
    }
    assert_eq!(world.names(), ["in.c", "test.sh"]);
}

#[test]
fn a_reducer_and_a_format_that_do_not_go_together_are_a_usage_error_that_says_why() {
    let world = World::new();
    world.test("test.sh", NEEDLE);
    world.write("in.c", C);
    for format in ["bytes", "chars", "lines", "tokens"] {
        for reducer in tree_reducers() {
            let why = format!(
                "--reducer {reducer} reduces trees: it goes with --format tree or auto, not with {format}"
            );
            let said = world.run(["test.sh", "in.c", "--reducer", reducer, "--format", format]);
            said.ends_with(2, &[&why]);
        }
    }
    let said = world.run(["test.sh", "in.c", "--reducer", "list", "--format", "tree"]);
    said.ends_with(2, &["--reducer list does not go with --format tree"]);
    assert_eq!((world.runs(), world.names()), (0, vec!["in.c".to_owned(), "test.sh".to_owned()]));
}

#[test]
fn xml_that_cannot_be_read_is_reduced_by_its_brackets_and_that_is_said() {
    let world = World::new();
    world.test("test.sh", NEEDLE);
    world.write("in.xml", "<a><b>needle</b><c");
    let said = world.run(["test.sh", "in.xml", "--json"]);
    let said = said.ends_with(0, &["read by brackets: not XML at offset 16: "]);
    assert_eq!(said.json()["language"], "brackets");
    assert!(said.json()["fallback"].as_str().unwrap().starts_with("not XML at offset 16: "));
    assert_eq!(world.read("in.reduced.xml"), b"needle");
    for command in ["parse", "tokens"] {
        world.run([command, "in.xml"]).ends_with(0, &["read by brackets: not XML at offset 16: "]);
    }
}

#[test]
fn nesting_may_be_deep() {
    const DEPTH: usize = 100_000;
    let world = World::new();
    world.test("test.sh", NEEDLE);
    let nested = |open: &str, inner: &str, close: &str| {
        [&open.repeat(DEPTH)[..], inner, &close.repeat(DEPTH), "\n"].concat()
    };
    for (name, input, tokens) in [
        ("in.json", nested("[", "\"needle\", 1", "]"), 2 * DEPTH + 5),
        ("in.xml", nested("<a>", "needle", "</a>"), 6 * DEPTH + 1),
        ("in.txt", nested("(", "needle", ")"), 2 * DEPTH + 1),
    ] {
        world.write(name, &input);
        let report = world.report(["test.sh", name, "--max-questions", "60"]);
        assert_eq!(report["fallback"], Value::Null, "{name}");
        assert_eq!(report["before"]["tokens"], tokens, "{name}");
        assert!(report["questions"]["total"].as_u64().unwrap() <= 60, "{name}");
        let shown = world.run(["parse", name]).ends_with(0, &[]).out;
        assert!(shown.lines().count() > DEPTH, "{name}");
    }
}

#[test]
fn tokens_are_those_of_the_grammar() {
    let world = World::new();
    // What the tree-sitter wheels for Python count.
    for (name, text, tokens) in [
        ("a.c", "#include <stdio.h>\nint main(void) { /* c */ printf(\"a\\n\", 0x1f); return 0; }\n", 22),
        ("a.rs", "fn main() { let x: Vec<u8> = vec![1, 2]; println!(\"{}\", x.len()); // c\n}\n", 36),
        ("a.js", "const f = (a) => `x ${a} y`; // c\nfunction* g() { yield /re+/g; }\n", 28),
        ("a.sh", "#!/bin/sh\nfor x in a \"b $c\"; do echo \"$x\" | grep -q 'y' || exit 1; done # c\n", 25),
        ("a.go", "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"a\", 1) } // c\n", 22),
        ("a.html", "<!DOCTYPE html>\n<p class=\"x\">text <b>bold</b></p>\n", 22),
        ("a.sql", "SELECT a, count(*) FROM t WHERE b = 'x' GROUP BY a; -- c\n", 17),
        ("a.json", "{\"a\": [1, -2.5e3, true], \"b\": {\"c\": null, \"d\": \"x\\ny\"}}\n", 35),
        (
            "a.xml",
            "<?xml version=\"1.0\"?>\n<!-- c -->\n<a x=\"1\" y=\"two words\">text here &amp; more<b/>\n<c>t</c></a>\n",
            37,
        ),
        (
            "a.py",
            "import os\n\n\ndef f(a, *b, c=1):\n    \"\"\"doc\"\"\"\n    x = [1, 2.5, f'{a} text', b\"\\x00\"]  # note\n    \
             return a if x else {'k': c}\n\n\nclass C(object):\n    pass\n",
            55,
        ),
        ("a.txt", "hello (world) \"a b\" 1.5 x_y\n", 7),
    ] {
        world.write(name, text);
        let said = world.run(["tokens", name]).ends_with(0, &[]);
        assert_eq!((&said.out[..], &said.err[..]), (&format!("{tokens}\n")[..], ""), "{name}");
    }
    world.write("empty.c", "");
    assert_eq!(world.run(["tokens", "empty.c"]).ends_with(0, &[]).out, "0\n");
}

#[test]
fn a_file_that_cannot_be_read_is_an_input_error() {
    let world = World::new();
    for command in ["parse", "tokens"] {
        world.run([command, "none.c"]).ends_with(3, &["cannot read none.c: No such file"]);
        world.run([command, "."]).ends_with(3, &["cannot read .: it is a folder; name one file"]);
    }
}

#[test]
fn parse_shows_nodes_with_their_roles_and_stand_ins() {
    let world = World::new();
    world.write("in.c", "int f(int a) { return 1; }\nint x;\n");
    let show = |flags: &[&str]| world.run([&["parse", "in.c"], flags].concat()).ends_with(0, &[]).out;
    let all = show(&[]);
    for line in [
        "translation_unit [14 tokens, line 1-2]  int f(int a) { return 1; } int x;\n",
        "  function_definition - [11 tokens, line 1, list 0, slot 0]  int f(int a) { return 1; }\n",
        "    function_declarator > f [5 tokens, line 1, slot 2]  f(int a)\n",
        "  declaration - [3 tokens, line 2, list 0, slot 0]  int x;\n",
        "slot 2 > f: identifier, parenthesized_declarator, ",
    ] {
        assert!(all.contains(line), "{line}\n{all}");
    }
    assert_eq!(
        show(&["--depth", "0"]),
        "translation_unit [14 tokens, line 1-2]  int f(int a) { return 1; } int x;\n  ... 2 more\n"
    );
    let at = show(&["--at", "2"]);
    assert!(at.contains("  declaration - ") && !at.contains("function_definition -"), "{at}");
    assert!(all.contains("    compound_statement ") && !show(&["--depth", "1"]).contains("    compound"));

    let rows: Vec<Value> =
        show(&["--json"]).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), all.lines().count());
    assert_eq!(
        rows[0],
        serde_json::json!({
            "node": 0, "depth": 0, "kind": "translation_unit", "role": "fixed", "tokens": 14, "lines": [1, 2],
            "bytes": [0, 33], "gap": 0, "text": "int f(int a) { return 1; } int x;"
        })
    );
    let stand_in = rows.iter().find(|row| row["role"] == "stand-in").unwrap();
    assert_eq!((&stand_in["kind"], &stand_in["stand_in"]), (&"function_declarator".into(), &"f".into()));
    world.run(["parse", "in.c", "--at", "0"]).ends_with(2, &["'--at <LINE>'"]);
}

#[test]
fn parse_shows_lists_groups_and_what_may_stand_in_a_place() {
    let world = World::new();
    world.write("in.c", "int f(int a) { int x = 1, y; if (x) ; else f(2); }\n");
    let rows: Vec<Value> = world
        .run(["parse", "in.c", "--json"])
        .ends_with(0, &[])
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let node = |text: &str| rows.iter().find(|row| row["text"] == text).unwrap();
    let kinds = |slot: &Value| rows.iter().find(|row| row["kind"].is_null() && row["slot"] == *slot).unwrap();
    let (first, second) = (node("x = 1"), node("y"));
    assert_eq!(first["list"], second["list"]);
    assert_eq!((&first["list"]["keeps_one"], &first["role"]), (&true.into(), &"deletable".into()));
    assert_eq!(
        (&node("else f(2);")["role"], &node("f(2)")["role"]),
        (&"deletable".into(), &"deletable".into())
    );
    let slot = kinds(&node("2")["slot"]);
    assert!(slot["kinds"].as_array().unwrap().contains(&"call_expression".into()), "{slot}");
    assert_eq!(slot["minimal"], "2", "what stands there");

    world.write("in.go", "package p\nvar x int = 1\n");
    let shown = world.run(["parse", "in.go"]).ends_with(0, &[]).out;
    assert!(shown.contains("      group - [2 tokens, line 2, list "), "{shown}");
    assert!(shown.contains("        = [1 tokens, line 2, slot "), "{shown}");
}

#[test]
fn parse_shows_the_names_that_each_part_introduces_and_mentions() {
    let world = World::new();
    world.write("in.c", "int f(int a) { return a; }\nint x = 1; // f\nint y = f(x);\n");
    let shown = world.run(["parse", "in.c", "--names"]).ends_with(0, &[]).out;
    for lines in [
        "  function_definition - [11 tokens, line 1, list 0]  int f(int a) { return a; }\n      introduces f\n",
        "identifier - [1 tokens, line 1]  a\n              introduces a\n",
        "            mentions a\n",
        "int x = 1;\n      introduces x\n",
        "      introduces y\n      mentions f\n      may mention f\n",
    ] {
        assert!(shown.contains(lines), "{lines}\n{shown}");
    }
    assert!(!shown.contains("compound_statement") && !shown.contains("slot"), "{shown}");
    let rows = world.run(["parse", "in.c", "--names", "--json"]).ends_with(0, &[]).out;
    let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let row = rows.iter().find(|row| row["introduces"] == serde_json::json!(["y"])).unwrap();
    assert_eq!(
        (&row["mentions"], &row["may_mention"]),
        (&serde_json::json!(["f"]), &serde_json::json!(["f"]))
    );
}

#[test]
fn languages_are_listed_with_what_reads_them_and_their_extensions() {
    let world = World::new();
    let listed = world.run(["languages"]).ends_with(0, &[]).out;
    let words: Vec<Vec<&str>> = listed.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(words.iter().map(|line| line[0]).collect::<Vec<_>>(), FrontEnd::names());
    let line = |name: &str| words.iter().find(|line| line[0] == name).unwrap().join(" ");
    assert!(line("rust").ends_with(" rs"), "{listed}");
    assert!(line("smt2").contains("lists and atoms smt "), "{listed}");
    for name in FrontEnd::names() {
        world.write("in", "");
        world.run(["tokens", "in", "--language", name]).ends_with(0, &[]);
    }
}

#[test]
fn parse_ends_quietly_when_nobody_reads_on() {
    let world = World::new();
    world.write("in.json", format!("[{}1]\n", "[1, 2],\n".repeat(20_000)));
    for flag in ["", "--json"] {
        let line = format!("{{ dwindle parse in.json {flag}; echo $? > code; }} | head -n 1");
        let said = world.shell(&line).ends_with(0, &[]);
        assert_eq!((said.out.lines().count(), &said.err[..]), (1, ""));
        assert_eq!(world.read("code"), b"0\n");
    }
}

#[test]
fn no_process_is_left_of_a_grammar_that_runs_in_its_own() {
    let world = World::new();
    world.write("in.py", PYTHON);
    world.test("test.sh", NEEDLE);
    let shown = world.run(["parse", "in.py"]).ends_with(0, &[]);
    assert!(shown.out.starts_with("module ") && shown.err.is_empty(), "{shown:?}");
    world.assert_no_process_is_left();
    assert_eq!(world.report(["test.sh", "in.py"])["language"], "python");
    world.assert_no_process_is_left();
}

#[test]
fn a_program_that_is_removed_while_it_runs_is_its_own_helper_still() {
    let world = World::new();
    world.write("in.py", PYTHON);
    world.program("test.sh", format!("#!/bin/sh\nrm -f \"$WORLD/copy\"\n{NEEDLE}\n"));
    // A copy that another process makes, so that none of ours has it open for writing.
    let said = world.shell("cp \"$(command -v dwindle)\" ../copy && ../copy test.sh in.py --json");
    assert_eq!(said.ends_with(0, &[]).json()["language"], "python");
    assert!(fs::read_to_string(world.path("in.reduced.py")).unwrap().contains("needle"));
}

#[test]
fn an_input_in_which_the_grammar_sees_errors_everywhere_is_reduced_and_resumed() {
    let world = World::new();
    world.write("in.json", format!("[{}{{\"needle\": 1}}]", "{\"a\": ,},".repeat(200)));
    world.test("test.sh", NEEDLE);
    let report = world.report(["test.sh", "in.json"]);
    assert_eq!((&report["language"], &report["fallback"]), (&"json".into(), &Value::Null));
    assert_eq!(report["after"]["bytes"], 8, "{report}");
    world.report(["test.sh", "in.json", "--fresh", "--max-questions", "9"]);
    let resumed = world.report(["test.sh", "in.json", "--resume"]);
    assert_eq!(["language", "fallback", "after"].map(|fact| resumed[fact] == report[fact]), [true; 3]);
}

#[test]
fn a_string_of_many_characters_takes_little_memory() {
    let world = World::new();
    world.write("in.c", format!("char *a = \"{}needle{}\";\n", "ab".repeat(5000), "cd".repeat(5000)));
    world.test("test.sh", NEEDLE);
    let report = world.report(["test.sh", "in.c"]);
    assert_eq!(String::from_utf8_lossy(&world.read("in.reduced.c")), "\"needle\"\n");
    assert!(report["peak_memory_bytes"].as_u64().unwrap() < 100 << 20, "{report}");
}

#[test]
fn a_very_long_token_of_the_result_is_named_with_what_shortens_it() {
    let world = World::new();
    world.write("in.md", format!("{}needle\n", "word ".repeat(400)));
    world.test("test.sh", NEEDLE);
    let fast = ["test.sh", "in.md", "--level", "fast"];
    let said =
        "A token of 2006 bytes is left, 99 % of the result: --level default makes such tokens shorter.";
    world.run(fast).ends_with(0, &[said]);
    let report = world.report(fast.iter().chain(&["--fresh"]));
    assert_eq!(
        (&report["long_token"]["bytes"], &report["long_token"]["percent"]),
        (&2006.into(), &99.into())
    );
    assert_eq!(world.report(["test.sh", "in.md"])["long_token"], Value::Null);
    world.test("all.sh", "[ $(wc -c <\"$1\") -gt 2000 ]");
    let some = ["all.sh", "in.md", "--max-questions", "40"];
    world.run(some).ends_with(0, &["--format chars takes single characters out of it"]);
}
