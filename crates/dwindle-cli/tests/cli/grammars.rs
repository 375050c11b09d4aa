//! Grammars that are brought: what is read by them, and what is said of those that cannot be used.

use super::support::World;

const ANTLR: &str = "grammar Lists;\n\
    text: list* EOF;\n\
    list: '(' (item (',' item)*)? ')';\n\
    item: list | {isWord()}? WORD;\n\
    WORD: [a-z]+;\n\
    BLANK: [ \\n]+ -> skip;\n\
    COMMENT: '#' ~[\\n]* -> channel(HIDDEN);\n";
const LISTS: &str = "(a, (b, c), needle) # words\n((d, (e)), f)\n";

/// A file of the repository's own grammars.
fn bring(world: &World, name: &str) {
    let path = format!("{}/../../testdata/grammars/{name}", env!("CARGO_MANIFEST_DIR"));
    world.write(name, std::fs::read(path).unwrap());
}

#[test]
fn an_input_is_reduced_by_an_antlr_grammar() {
    let world = World::new();
    world.write("Lists.g4", ANTLR);
    world.write("in", LISTS);
    world.test("test.sh", "grep -q needle \"$1\"");
    let done = world.run(["test.sh", "in", "--grammar", "Lists.g4", "--reducer", "hdd*"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert_eq!(String::from_utf8_lossy(&world.read("in.reduced")), "(needle)\n");
    let warning =
        "warning: Lists.g4:4:14: rule item: its predicate cannot be evaluated and is taken to hold\n";
    assert!(done.err.starts_with(warning), "{}", done.err);
    let quiet = world.run(["test.sh", "in", "--grammar", "Lists.g4", "--quiet"]);
    assert_eq!((quiet.code, quiet.err.as_str()), (Some(0), ""));
    let report = world.report(["test.sh", "in", "--grammar", "Lists.g4"]);
    assert_eq!((&report["language"], &report["before"]["tokens"]), (&"Lists.g4".into(), &22.into()));
}

#[test]
fn an_input_is_reduced_by_a_yacc_grammar() {
    let world = World::new();
    ["java.y", "java.l", "Sha.java"].into_iter().for_each(|name| bring(&world, name));
    world.test("test.sh", "grep -q 'bits >>> shift' \"$1\"");
    let args = ["test.sh", "Sha.java", "--grammar", "java.y", "--lexer", "java.l", "--reducer", "hdd"];
    let report = world.report(args);
    assert_eq!(report["language"], "java.y");
    assert_eq!(report["after"]["tokens"], 29);
    // A rule other than the grammar's own.
    world.write("block", "{ int a = 1; }\n");
    let flags = ["--grammar", "java.y", "--lexer", "java.l"];
    let whole = world.run([&["parse", "block"], &flags[..]].concat());
    assert!(whole.err.starts_with("read by brackets: java.y: line 1, column 1: '{' where"), "{}", whole.err);
    let block = world.run([&["parse", "block", "--start", "block"], &flags[..]].concat());
    assert!(block.err.is_empty() && block.out.starts_with("block "), "{}{}", block.err, block.out);
}

#[test]
fn a_grammar_and_a_lexer_for_bison_and_flex_are_taken_as_they_are() {
    let world = World::new();
    let grammar = "%{\nint yylex(void); /* } */\n%}\n%union { int n; }\n%token <n> NUM 258 \"number\"\n%left '+'\n%%\n\
                   lines: line { show(\"}\"); } | lines line ;\nline: { mark(); } sum[s] ';' { use($s); } | error ';' ;\n\
                   sum: sum '+' sum { $$ = $1 + $3; } | NUM | '(' sum ')' ;\n%%\nint main() { return yyparse(); }\n";
    let lexer = "%{\n#include \"y.tab.h\"\n%}\nD [0-9]\n%option noyywrap\n%%\n{D}+ { yylval.n = atoi(yytext);\n  return NUM; }\n\
                 \"/*\" { comment(); }\n[-+();] return yytext[0];\n[ \\n]+ ;\n%%\nvoid comment() { while (input() != '/') ; }\n";
    world.write("calc.y", grammar);
    world.write("calc.l", lexer);
    world.write("in", "1 + 2; /* sum */ (3 + (4 + 7)) + 5;\n6 + 8;\n");
    world.test("test.sh", "grep -q 7 \"$1\"");
    let report =
        world.report(["test.sh", "in", "--grammar", "calc.y", "--lexer", "calc.l", "--reducer", "hdd*"]);
    assert_eq!((&report["language"], &report["fallback"]), (&"calc.y".into(), &serde_json::Value::Null));
    assert_eq!(String::from_utf8_lossy(&world.read("in.reduced")).trim(), "(3 + (4 + 7));");
}

#[test]
fn the_arithmetic_of_the_thesis_has_its_printed_result_by_its_own_tree() {
    let world = World::new();
    ["arithmetic.y", "arithmetic.l"].into_iter().for_each(|name| bring(&world, name));
    world.write("in", "((1+(2*3))/(2-2))+(3*5)\n");
    // What is of the grammar fails only where something is divided by zero.
    world.test("test.sh", "! (echo $(($(cat \"$1\")))) 2> /dev/null");
    let grammar = ["--grammar", "arithmetic.y", "--lexer", "arithmetic.l", "--tree", "thesis"];
    for reducer in [
        &["hdd"][..],
        &["hdd*"],
        &["hdd+"],
        &["hddr"],
        &["hddr", "--hddr-order", "pop-last-forward", "--once"],
    ] {
        let args = [&["test.sh", "in", "--fresh", "--reducer"], reducer, &grammar[..]].concat();
        let report = world.report(args);
        assert_eq!((&report["tree"], &report["language"]), (&"thesis".into(), &"arithmetic.y".into()));
        assert_eq!(
            String::from_utf8_lossy(&world.read("in.reduced")).trim_end(),
            "(1/(2-2))+1",
            "{reducer:?}"
        );
    }
    let tree = world.run([&["parse", "in", "--depth", "1"], &grammar[..]].concat());
    assert!(tree.out.starts_with("E > 1 [23 tokens, line 1]"), "{}", tree.out);
    assert!(tree.out.contains("\n  E > 1 [17 tokens, line 1]"), "{}", tree.out);
    let linked = world.run([&["test.sh", "in"], &grammar[..]].concat());
    linked.ends_with(2, &["--tree thesis goes with the reducers hdd, hdd+, hdd*, hddr and coarse"]);
    bring(&world, "lists.json");
    let tree_sitter = world.run(["parse", "in", "--grammar", "lists.json", "--tree", "thesis"]);
    tree_sitter.ends_with(2, &["lists.json is one of tree-sitter", "YACC and ANTLR"]);
}

/// The thesis prints this, but for the condition, of a program that a compiler takes and that has `y--` (figure 2.2).
/// The program is ours, since its own is not at hand.
#[test]
fn hdd_leaves_the_form_of_figure_2_2_of_a_program_that_compiles() {
    let world = World::new();
    let program = "int one() { return 1; }\nvoid f() {\n    int y;\n    if (one()) {\n        y = 2;\n    }\n    \
                   while (one() > 0) {\n        y--;\n        y = y + one();\n    }\n    one();\n}\n";
    world.write("in.c", program);
    world.test("test.sh", "grep -q 'y--' \"$1\" && gcc -w -fsyntax-only \"$1\"");
    for reducer in ["hdd", "hdd*"] {
        world.report(["test.sh", "in.c", "--fresh", "--reducer", reducer]);
        let result = String::from_utf8(world.read("in.reduced.c")).unwrap();
        let words: Vec<&str> = result.split_whitespace().collect();
        assert_eq!(words.join(" "), "void f() { int y; while (f) { y--; } }", "{reducer}");
    }
}

#[test]
fn a_tree_sitter_grammar_is_compiled_once_and_crashes_apart() {
    let world = World::new();
    ["lists.json", "scanner.c"].into_iter().for_each(|name| bring(&world, name));
    world.write("in", "(a, (b, c), needle)\n((d, (e)), f)\n");
    world.write("bad", "(a, 1)\n");
    world.test("test.sh", "grep -q needle \"$1\"");
    let run = |line: &str| world.shell(&format!("XDG_CACHE_HOME=\"$WORLD/cache\" {line}"));
    let done = run("dwindle test.sh in --grammar lists.json --reducer 'hdd*' --quiet");
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""));
    assert_eq!(String::from_utf8_lossy(&world.read("in.reduced")), "(needle)\n");
    let again = run("CC=/there/is/no/compiler dwindle parse in --grammar lists.json --depth 0");
    assert_eq!(again.code, Some(0), "{}", again.err);
    assert!(again.out.starts_with("text [22 tokens, line 1-2]"), "{}", again.out);
    for flag in ["--grammar", "--language"] {
        let library = run(&format!("dwindle parse in {flag} \"$WORLD\"/cache/dwindle/grammars/*/lists.so"));
        assert!(library.out.contains("\n  item - [11 tokens, line 1, list 0"), "{}", library.out);
    }
    let crash = run("dwindle parse bad --grammar lists.json");
    assert_eq!(crash.code, Some(0));
    assert_eq!(crash.err, "read by brackets: lists.json: the grammar crashes on this input\n");
    world.write("scanner.c", "int x = y;\n");
    let broken = run("dwindle parse in --grammar lists.json");
    assert_eq!(broken.code, Some(3), "{}", broken.err);
    assert!(broken.err.starts_with("error: cannot compile lists.json: "), "{}", broken.err);
}

#[test]
fn a_grammar_that_cannot_be_used_is_an_error_that_says_where() {
    let world = World::new();
    world.write("in", LISTS);
    world.write("undefined.g4", "grammar A;\na: 'x' |\n  b;\n");
    world.write("endless.y", "%%\na: 'x' a;\n");
    world.write("endless.l", "%%\nx \"x\"\n");
    world.write("undefined.json", r#"{"name": "a", "rules": {"a": {"type": "SYMBOL", "name": "b"}}}"#);
    world.write("grammar.txt", "");
    world.write("nested.g4", format!("grammar A;\na: {}'x'{};\n", "(".repeat(10_000), ")".repeat(10_000)));
    let (open, close) = (r#"{"type": "SEQ", "members": ["#.repeat(10_000), "]}".repeat(10_000));
    world.write("nested.json", format!(r#"{{"name": "a", "rules": {{"a": {open}{close}}}}}"#));
    let pattern = r#"{"type": "PATTERN", "value": "((a{1000}){1000}){1000}"}"#;
    world.write("large.json", format!(r#"{{"name": "a", "rules": {{"a": {pattern}}}}}"#));
    world.write("flex.l", "%%\n{D} return X;\n");
    world.write("library.so", "");
    for (flags, code, expect) in [
        ("--grammar undefined.g4", 3, "error: undefined.g4:3:3: rule a: there is no rule b\n"),
        (
            "--grammar endless.y --lexer endless.l",
            3,
            "error: endless.y:2:1: rule a: it derives no finite text\n",
        ),
        ("--grammar undefined.json", 3, "error: undefined.json: Undefined symbol `b`\n"),
        ("--grammar missing.g4", 3, "error: cannot read the grammar missing.g4: No such file"),
        ("--grammar library.so", 3, "error: cannot load "),
        ("--language ./library.so", 3, "error: cannot load "),
        ("--language ./missing.so", 3, "error: cannot load "),
        (
            "--grammar nested.g4",
            3,
            "error: nested.g4:2:254: rule a: brackets or braces are nested more than 250 deep",
        ),
        ("--grammar nested.json", 3, "error: nested.json: line 1, column "),
        ("--grammar large.json", 3, "error: large.json: rule \"a\": the pattern "),
        (
            "--grammar endless.y --lexer flex.l",
            3,
            "error: flex.l:2:1: in the pattern {D}: there is no definition of D",
        ),
        ("--grammar endless.y", 2, "error: the YACC grammar endless.y wants a lexical specification"),
        ("--grammar undefined.json --start b", 2, "error: the grammar undefined.json is one of tree-sitter"),
        ("--grammar grammar.txt", 2, "error: cannot tell by the name grammar.txt"),
        ("--lexer endless.l", 2, "error: the following required arguments were not provided:\n  --grammar"),
        ("--grammar undefined.g4 --language c", 2, "error: the argument "),
    ] {
        let done = world.shell(&format!("XDG_CACHE_HOME=\"$WORLD/cache\" dwindle parse in {flags}"));
        assert_eq!(done.code, Some(code), "{flags}: {}", done.err);
        assert!(done.err.starts_with(expect), "{flags}: {}", done.err);
    }
    let missing = world.run(["parse", "in", "--language", "./missing.so"]);
    missing.ends_with(3, &["home/missing.so: No such file"]);
}
