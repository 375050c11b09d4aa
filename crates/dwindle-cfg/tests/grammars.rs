//! Grammars from files: what is understood, what is said of what is not.

use std::fs;
use std::path::Path;

use dwindle_cfg::{Grammar, Place, Step, TreeForm, antlr, yacc};
use tempfile::TempDir;

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file in it");
    }
    folder
}

/// The grammar in the first of these files, or what is wrong with it.
fn read(files: &[(&str, &str)]) -> Result<Grammar, String> {
    let folder = folder(files);
    let path = |name: &str| folder.path().join(name);
    let read = match files[0].0.ends_with(".y") {
        true => yacc::read(&path(files[0].0), &path(files[1].0), None, TreeForm::Lists),
        false => antlr::read(&path(files[0].0), None, None, TreeForm::Lists),
    };
    read.map_err(|error| without(folder.path(), &error.to_string()))
}

fn without(folder: &Path, message: &str) -> String {
    message.replace(&format!("{}/", folder.display()), "")
}

/// A combined grammar of these rules.
fn combined(rules: &str) -> Grammar {
    let text = format!("grammar G;\n{rules}\nWS: [ \\n]+ -> skip;");
    read(&[("G.g4", &text)]).unwrap_or_else(|error| panic!("{error}"))
}

/// The nodes of a text in a line: `!` before what stays, `~` before separators.
fn nodes(grammar: &Grammar, text: &str) -> String {
    let mut out = String::new();
    for step in grammar.parse(text.as_bytes()).unwrap_or_else(|refusal| panic!("{text}: {refusal}")) {
        let mut put = |name: &str, syntax: dwindle_cfg::Syntax| {
            if !out.is_empty() && !out.ends_with('(') {
                out.push(' ');
            }
            out.push_str(match syntax.place {
                Place::Required => "!",
                Place::Deletable => "",
                Place::Separator => "~",
            });
            out.push_str(name);
        };
        match step {
            Step::Open(kind, syntax) => put(&format!("{}(", grammar.kinds()[kind as usize]), syntax),
            Step::Group(syntax) => put("(", syntax),
            Step::Token { start, end, syntax, .. } => put(&text[start as usize..end as usize], syntax),
            Step::Close => out.push(')'),
        }
    }
    out
}

/// The names of the tokens of a text.
fn tokens(grammar: &Grammar, text: &str) -> String {
    let tokens = grammar.tokens(text.as_bytes()).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
    let first =
        grammar.kinds().iter().position(|name| name == "the end of the text").expect("it is a terminal");
    let names = tokens.iter().map(|token| grammar.kinds()[first + token.terminal as usize].as_str());
    names.collect::<Vec<_>>().join(" ")
}

fn minimal(grammar: &Grammar, rule: &str) -> Option<String> {
    let index = grammar.rules().iter().position(|other| other.name == rule).expect("a rule");
    grammar.minimal(index as u32).map(|minimal| String::from_utf8(minimal.text.clone()).expect("UTF-8"))
}

#[test]
fn lists_are_lists_however_they_are_written() {
    let list = "ID: [a-z]; C: ',';";
    for (rules, text, expect) in [
        ("s: '[' ID (',' ID)* ']';", "[a,b]", "!s(![ a ~, b !])"),
        ("s: '[' (ID ',')* ID ']';", "[a,b]", "!s(![ a ~, b !])"),
        ("s: '[' (ID (',' ID)*)? ']';", "[a]", "!s(![ a !])"),
        ("s: '[' (ID (',' ID)*)? ']';", "[a,b]", "!s(![ a ~, b !])"),
        ("s: '[' l ']'; l: l ',' ID | ID;", "[a,b]", "!s(![ !l(a ~, b) !])"),
        ("s: '[' l ']'; l: ID ',' l | ID;", "[a,b]", "!s(![ !l(a ~, b) !])"),
        ("s: '[' l ']'; l: ID (',' l)?;", "[a,b]", "!s(![ !l(a ~, b) !])"),
        ("s: '[' l ']'; l: l ID | ;", "[a b]", "!s(![ !l(a b) !])"),
        ("s: '[' l ']'; l: l ID | ;", "[a]", "!s(![ a !])"),
        ("s: '[' ID+ ']';", "[a]", "!s(![ !a !])"),
        ("s: '[' ID+ ']';", "[a b]", "!s(![ a b !])"),
        ("s: '[' ID (',' ID)* ','? ']';", "[a,b,]", "!s(![ a ~, b , !])"),
        ("s: '[' (ID ID ';')* ']';", "[a b; c d;]", "!s(![ (!a !b !;) (!c !d !;) !])"),
        ("s: '[' ID ((',' | ';') ID)* ']';", "[a;b]", "!s(![ a ~; b !])"),
    ] {
        assert_eq!(nodes(&combined(&format!("{rules} {list}")), text), expect, "{rules}");
    }
}

#[test]
fn operators_bind_as_their_alternatives_are_ordered() {
    let grammar = combined(
        "s: e EOF; e: e '.' ID | '-' e | <assoc=right> e '^' e | e op=('*' | '/') e | e '+' e \
         | e '?' e ':' e | '[' e ']' # paren | ID # name; ID: [a-z];",
    );
    for (text, expect) in [
        ("a + b * c", "!s(!e(!a (!+ !e(!b (!* !c)))))"),
        ("a * b + c", "!s(!e(!e(!a (!* !b)) (!+ !c)))"),
        ("a + b + c", "!s(!e(!a (!+ !b) (!+ !c)))"),
        ("a ? b : c ? d : e", "!s(!e(!a (!? !b !: !c) (!? !d !: !e)))"),
        ("[a]", "!s(!e(![ !a !]))"),
    ] {
        assert_eq!(nodes(&grammar, text), expect, "{text}");
    }
    assert_eq!(minimal(&grammar, "e").as_deref(), Some("a"));
}

#[test]
fn an_ambiguous_text_has_the_same_tree_every_time() {
    let grammar = combined("s: 'i' s ('e' s)? | 'x';");
    let tree = nodes(&grammar, "i i x e x");
    assert!(["!s(!i !s(!i !x) (!e !x))", "!s(!i !s(!i !x (!e !x)))"].contains(&&*tree), "{tree}");
    assert_eq!(nodes(&grammar, "i i x e x"), tree);
    let cyclic = combined("s: t; t: s | 'x' | u; u: t t | ;");
    assert_eq!(nodes(&cyclic, "x"), nodes(&cyclic, "x"));
    assert_eq!(
        cyclic.parse(b"xxx").unwrap().iter().filter(|step| matches!(step, Step::Token { .. })).count(),
        3
    );
}

#[test]
fn lexers_have_modes_and_commands() {
    let parser = "parser grammar P; options { tokenVocab = L; } import Q; s: (TEXT | tag | STR)* EOF;";
    let imported = "parser grammar Q; tag: '<' NAME (NAME EQ VALUE)* '>'; unused: NAME;";
    let lexer = "lexer grammar L;\n\
        tokens { STR }\n\
        COMMENT: '<!--' .*? '-->' -> channel(HIDDEN);\n\
        OPEN: '<' -> pushMode(TAG);\n\
        QUOTE: '\"' -> more, mode(QUOTED);\n\
        TEXT: ~[<\"]+;\n\
        mode TAG;\n\
        CLOSE: '>' -> popMode;\n\
        NAME: LETTER (LETTER | [0-9])*;\n\
        EQ: '=';\n\
        VALUE: '\\'' ~'\\''* '\\'';\n\
        BLANK: [ \\t\\r\\n]+ -> skip;\n\
        fragment LETTER: [\\p{L}_];\n\
        mode QUOTED;\n\
        END: '\"' -> type(STR), mode(DEFAULT_MODE);\n\
        ANY: . -> more;\n";
    let grammar = read(&[("P.g4", parser), ("L.g4", lexer), ("Q.g4", imported)]).unwrap();
    let text = "a <!-- <b> --><b c='<' d1='>'>\"<x>\" \u{e9}<\u{e9}>";
    assert_eq!(
        tokens(&grammar, text),
        "TEXT OPEN NAME NAME EQ VALUE NAME EQ VALUE CLOSE STR TEXT OPEN NAME CLOSE"
    );
    assert_eq!(
        nodes(&grammar, text),
        "!s(a  tag(!< !b (!c !!= !'<') (!d1 !!= !'>') !>) \"<x>\"  \u{e9} tag(!< !\u{e9} !>))"
            .replace("!!=", "!=")
    );
    assert_eq!(minimal(&grammar, "tag").as_deref(), Some("<a>"));
    assert_eq!(minimal(&grammar, "s").as_deref(), None);
}

#[test]
fn the_longest_match_wins_then_the_first_rule() {
    let grammar = combined(
        "s: .*; IF: 'if'; ID: [a-z]+; INT: [0-9]+; FLOAT: [0-9]+ '.' [0-9]*; \
         LINE: '//' .*? ('\\n' | EOF); BLOCK: '/*' (BLOCK | .)*? '*/'; STR: '\"' ('\\\\\"' | .)*? '\"'; \
         LESS: '<'; LESS_EQ: '<='; DOT: '.'; X: 'x' -> type(IF); C: '\\u0041' | '\\u{1F600}';",
    );
    for (text, expect) in [
        ("if iff i", "IF ID ID"),
        ("1 1.5 1. .", "INT FLOAT FLOAT DOT"),
        ("a // b\n c // d", "ID LINE ID LINE"),
        ("/* /* a */ b */ c", "BLOCK ID"),
        ("\"a\\\"b\" c \"\"", "STR ID STR"),
        ("< <= <", "LESS LESS_EQ LESS"),
        ("A \u{1f600}", "C C"),
    ] {
        assert_eq!(tokens(&grammar, text).replace('\'', ""), expect, "{text}");
    }
    // A name that is no keyword, though the keyword is as short.
    let names = combined("s: ID IF; IF: [a-c]; ID: [a-d];");
    assert_eq!(minimal(&names, "s").as_deref(), Some("da"));
    let folded = read(&[(
        "G.g4",
        "grammar G; options { caseInsensitive = true; } s: 'select' ID; ID: [b-z]+; WS: ' ' -> skip;",
    )]);
    assert_eq!(tokens(&folded.unwrap(), "SELECT selecT selectX Q"), "'select' 'select' ID ID");
}

#[test]
fn what_cannot_be_done_is_said_with_its_rule() {
    let text = "grammar G;\ns: {p()}? a {act();} | b T;\na: 'a';\nb: 'b' ~('a' | ID)*;\nID: {q}? [a-z];\nN: '(' N* ')' -> skip;\n";
    let grammar = read(&[("G.g4", text)]).unwrap();
    let folder = folder(&[]);
    let warnings: Vec<String> =
        grammar.warnings().iter().map(|one| without(folder.path(), &one.to_string())).collect();
    let tails: Vec<&str> =
        warnings.iter().map(|warning| warning.rsplit_once("G.g4:").map_or("", |(_, tail)| tail)).collect();
    assert_eq!(
        tails,
        [
            "5:5: rule ID: its predicate cannot be evaluated and is taken to hold",
            "6:1: rule N: it is inside itself; more than 4 deep it is no match",
            "2:26: rule s: no rule of the lexer makes the token T",
            "2:4: rule s: its predicate cannot be evaluated and is taken to hold",
        ]
    );
    assert!(grammar.parse(b"a((()))").is_ok() && grammar.parse(b"bb").is_err());
}

#[test]
fn a_lexer_whose_predicates_make_no_sense_is_taken_without_their_rules() {
    // As in a published grammar of MySQL: rules of another mode come first, but for a predicate.
    let parser = "parser grammar P; options { tokenVocab = L; } s: (SELECT ID)+ END? EOF;";
    let lexer = "lexer grammar L;\n\
        TO_HIGH: {true}? -> mode(HIGH), skip;\n\
        mode HIGH;\n\
        END: ~[ ]+ {this.isDelimiter(this.text)}?;\n\
        TO_LOW: {true}? -> mode(LOW), skip;\n\
        mode LOW;\n\
        SELECT: 'select';\n\
        ID: [a-z]+;\n\
        WS: ' ' -> skip;\n";
    let grammar = read(&[("P.g4", parser), ("L.g4", lexer)]).unwrap();
    let warnings: Vec<String> = grammar.warnings().iter().map(ToString::to_string).collect();
    assert_eq!(warnings.len(), 1);
    let expect = "L.g4:4:12: rule END: its predicate cannot be evaluated and is taken to hold";
    assert!(warnings[0].ends_with(expect), "{}", warnings[0]);
    let text = "select a select b";
    assert!(grammar.parse(text.as_bytes()).is_err());
    let otherwise = grammar.otherwise().unwrap();
    assert_eq!(nodes(otherwise, text), "!s((!select !a) (!select !b))");
}

#[test]
fn what_matches_nothing_is_no_endless_loop() {
    let parser = "parser grammar P; options { tokenVocab = L; } s: A* EOF;";
    let lexer = "lexer grammar L; A: 'a'; NONE: 'b'? -> mode(M), skip; mode M; BACK: 'c'? -> mode(DEFAULT_MODE), skip;";
    let grammar = read(&[("P.g4", parser), ("L.g4", lexer)]).unwrap();
    assert_eq!(tokens(&grammar, "abaca"), "A A A");
    assert!(grammar.parse(b"ad").is_err());
}

#[test]
fn a_malformed_grammar_gets_a_message_with_file_line_and_rule() {
    let lexer = ("L.l", "%%\na \"A\"\n");
    for (files, expect) in [
        (&[("G.g4", "grammar G;\ns: a;\n")][..], "G.g4:2:4: rule s: there is no rule a"),
        (&[("G.g4", "grammar G;\ns: 'a'\nt: 'b';\n")], "G.g4:3:2: rule s: "),
        (&[("G.g4", "grammar G;\ns: 'a' s;\n")], "G.g4:2:1: rule s: it derives no finite text"),
        (&[("G.g4", "grammar G;\ns: A;\nA: B;\n")], "G.g4:3:4: rule A: there is no rule B"),
        (&[("G.g4", "grammar G;\ns: A;\nA: [b-a];\n")], "G.g4:3:1: rule A: 'b'-'a' is the wrong way round"),
        (
            &[("G.g4", "grammar G;\ns: A;\nA: 'a' -> jump;\n")],
            "G.g4:3:1: rule A: there is no command jump of this form",
        ),
        (
            &[("G.g4", "grammar G;\ns: 'a';\ns: 'b';\n")],
            "G.g4:3:1: rule s: there is another rule of that name",
        ),
        (
            &[("G.g4", "lexer grammar G; A: 'a';")],
            "G.g4:1:1: this is a lexer: give the parser as the grammar",
        ),
        (&[("G.g4", "parser grammar G; s: A;")], "G.g4:1:1: this is a parser without a lexer: give one"),
        (
            &[("G.g4", "grammar G; import H; s: A;")],
            "cannot read the grammar H.g4: No such file or directory",
        ),
        (
            &[("G.y", "%%\ns: 'A'; t"), lexer],
            "G.y:2:10: rule t: a `:` stands behind the name of a rule, here is the end",
        ),
        (
            &[("G.y", "%%\ns: 'A' t;"), lexer],
            "G.y:2:8: rule s: there is no rule and no token t: write a rule of that name, or declare it with %token",
        ),
        (
            &[("G.y", "%foo\n%%\ns: 'A';"), lexer],
            "G.y:1:1: there is no directive %foo in yacc, bison or byacc; if it says nothing about what a text may be",
        ),
        (
            &[("G.y", "%%\ns: 'A' %foo;"), lexer],
            "G.y:2:8: rule s: there is no directive %foo inside of a rule",
        ),
        (
            &[("G.y", "%%\ns: 'A' { if (x) {;"), lexer],
            "G.y:2:8: rule s: the action that begins here has no end",
        ),
        (
            &[("G.y", "%token A\n"), lexer],
            "G.y:2:1: there are no rules: a line of %% stands in front of them",
        ),
        (&[("G.y", "%token A\n%%\n"), lexer], "G.y:3:1: there are no rules behind %%"),
        (
            &[("G.y", "%token A\n%%\nA 'A';"), lexer],
            "G.y:3:3: rule A: a `:` stands behind the name of a rule, here is 'A'",
        ),
        (&[("G.y", "%start t\n%%\ns: 'A';"), lexer], "G.y:1:8: there is no rule t to start with"),
        (
            &[("G.y", "%%\ns: error 'A' | e; e: error;"), lexer],
            "G.y:2:1: rule s: no text is one, as all of its",
        ),
        (
            &[("G.y", "%token A B\n%%\ns: A B;"), lexer],
            "G.y:3:1: rule s: no text is one by the tokens that L.l makes: no rule of L.l makes B, so what needs that",
        ),
        (
            &[("G.y", "%%\ns: 'A';"), ("L.l", "%%\n{D}+ return A;\n")],
            "L.l:2:1: in the pattern {D}+: there is no definition of D",
        ),
        (
            &[("G.y", "%%\ns: 'A';"), ("L.l", "%x S\n%%\n<T>a return A;\n")],
            "L.l:3:1: there is no start state T: declare it with %x or %s in front of %%",
        ),
        (
            &[("G.y", "%%\ns: 'A';"), ("L.l", "%%\na { return A;\n")],
            "L.l:2:2: the action that begins here has no end: }",
        ),
        (
            &[("G.y", "%%\ns: 'A';"), ("L.l", "%foo\n%%\na return A;\n")],
            "L.l:1:1: there is no %foo in lex or flex",
        ),
        (
            &[("G.y", "%%\ns: 'A';"), ("L.l", "A : a\n")],
            "L.l:1:6: rule A: a rule ends with a `;` at the end of its line",
        ),
        (
            &[("G.y", "%%\ns: 'A';"), ("L.l", "A : (a;\n")],
            "L.l:1:5: rule A: no regular expression: unclosed group",
        ),
        (
            &[("G.y", "%%\ns: 'A';"), ("L.l", "A : a+ [|b|];\n")],
            "L.l:1:5: rule 'A': the text \"b\" cannot stand in for it: it is read as something else",
        ),
        (&[("G.y", "%%\ns: 'A' s;"), lexer], "G.y:2:1: rule s: it derives no finite text"),
        (&[("G.y", "%%\ns: 'A';"), ("L.l", "%%\n(a \"A\"\n")], "L.l:2:1: "),
    ] {
        let error = read(files).map(|_| ()).unwrap_err();
        assert!(error.starts_with(expect), "{error}\n{expect}");
    }
}

#[test]
fn what_is_nested_too_deep_is_refused_with_its_place() {
    const DEEP: usize = 10_000;
    let nested = |open: &str, inner: &str, close: &str| open.repeat(DEEP) + inner + &close.repeat(DEEP);
    let lexer = |fragments: &str| format!("grammar G;\ns: A;\nA: {fragments}");
    let chain: String = (1..DEEP).map(|index| format!("fragment F{index}: F{};\n", index + 1)).collect();
    let twice: String = (1..40).map(|index| format!("fragment F{index}: F{0} F{0};\n", index + 1)).collect();
    let ends = |fragments: &str, last: usize| lexer(&format!("F1;\n{fragments}fragment F{last}: 'a';\n"));
    let classes: String =
        (1..40).map(|index| format!("fragment F{index}: F{0} | F{0};\n", index + 1)).collect();
    let brackets =
        "brackets or braces are nested more than 250 deep here; give what is inside a rule of its own";
    let parts = "it is nested more than 1000 deep with the rules that it mentions; make one of some";
    let large = "with the rules that it mentions in their places, the lexer has more than 500000 parts; mention them less often";
    for (text, at) in [
        (format!("grammar G;\ns: {};", nested("(", "'a'", ")")), format!("2:254: rule s: {brackets}")),
        (format!("grammar G;\ns: {};", nested("(", "'a'", ")?")), format!("2:254: rule s: {brackets}")),
        (format!("grammar G;\ns: {}", "(".repeat(DEEP)), format!("2:254: rule s: {brackets}")),
        (format!("grammar G;\ns: 'a' {};", nested("{", "", "}")), format!("2:258: rule s: {brackets}")),
        (lexer(&format!("{};", nested("(", "'a'", ")*"))), format!("3:254: rule A: {brackets}")),
        (ends(&chain, DEEP), format!("3:1: rule A: {parts}")),
        (ends(&chain, DEEP).replace("A: F1", "A: ~F1"), format!("3:1: rule A: {parts}")),
        (lexer("~A;"), format!("3:1: rule A: {parts}")),
        (ends(&twice, 40), format!("3:1: rule A: {large}")),
        (ends(&classes, 40).replace("A: F1", "A: ~F1"), format!("3:1: rule A: {large}")),
    ] {
        assert_eq!(read(&[("G.g4", &text)]).unwrap_err(), format!("G.g4:{at}"), "{}", &text[..60]);
        let imports = "grammar I; import G; t: s;";
        assert_eq!(read(&[("I.g4", imports), ("G.g4", &text)]).unwrap_err(), format!("G.g4:{at}"));
    }
    let lexer = format!("%%\n{} \"A\"\n", nested("(", "a", ")"));
    let error = read(&[("G.y", "%%\ns: 'A';"), ("L.l", &lexer)]).unwrap_err();
    let expect = "L.l:2:1: rule A: exceed the maximum number of nested parentheses/brackets";
    assert!(error.starts_with(expect) && error.len() < 200, "{error}");
}

#[test]
fn what_is_nested_as_deep_as_may_be_is_read() {
    let nested = |close: &str| format!("{}ID ','{}", "(".repeat(250), close.repeat(250));
    for close in [")", ")?", ")*"] {
        let rules = format!("s: {} EOF; ID: [a-z];", nested(close));
        assert_eq!(nodes(&combined(&rules), "a,").matches('a').count(), 1, "{close}");
        let rules = format!("s: A EOF; A: {}; fragment ID: [a-z];", nested(close).replace(")*", ")+"));
        assert_eq!(tokens(&combined(&rules), "a,"), "A", "{close}");
    }
    let chain: String = (1..200).map(|index| format!("fragment F{index}: F{};\n", index + 1)).collect();
    let grammar = combined(&format!("s: A EOF; A: F1+; {chain} fragment F200: [a-c];"));
    assert_eq!(tokens(&grammar, "abcd".trim_end_matches('d')), "A");
}

#[test]
fn a_shortest_text_that_fills_any_memory_is_never_written_down() {
    for (levels, first_short) in [(14, 6), (64, 56)] {
        let rules: String = (0..levels).map(|index| format!("r{index}: r{0} r{0};\n", index + 1)).collect();
        let grammar = combined(&format!("{rules}r{levels}: ID; ID: [a-z];"));
        let warnings: Vec<String> = grammar.warnings().iter().map(ToString::to_string).collect();
        let expect = format!(
            "G.g4:2:1: rule r0: its shortest text has more than 256 tokens, so none stands in for what it \
             derives; the same holds for {} other rules",
            first_short - 1
        );
        assert!(warnings.len() == 1 && warnings[0].ends_with(&expect), "{warnings:?}");
        let length = |rule: &str| minimal(&grammar, rule).map(|text| text.len());
        assert_eq!(length(&format!("r{}", first_short - 1)), None);
        assert_eq!(length(&format!("r{first_short}")), Some(256));
    }
}

#[test]
fn a_chain_of_thousands_of_rules_takes_linear_time() {
    const RULES: usize = 5_000;
    let rule = |index: usize| format!("r{index}: r{};\n", index + 1);
    let last = format!("r{RULES}: ID;\n");
    let down: String = (0..RULES).map(rule).chain([last.clone()]).collect();
    let up: String = [last].into_iter().chain((0..RULES).rev().map(rule)).collect();
    let around = down.clone().replace("ID;", "ID | '(' r0 ')';");
    let branches: String =
        (0..RULES).map(|index| format!("r{index}: ID r{} | 'k{index}';\n", index + 1)).collect();
    for (rules, text) in
        [(down, "a"), (up, "a"), (around, "((a))"), (format!("{branches}r{RULES}: ID;"), "a k1")]
    {
        let grammar = combined(&format!("s: r0 EOF;\n{rules}ID: [a-z];"));
        assert!(grammar.parse(text.as_bytes()).is_ok(), "{text}");
        assert!(minimal(&grammar, "r0").is_some());
    }
    let yacc: String = (0..RULES).map(rule).collect();
    let yacc = format!("%%\n{yacc}r{RULES}: 'ID';\n");
    let grammar = read(&[("G.y", &yacc), ("L.l", "%%\n[a-z] \"ID\"\n")]).unwrap();
    assert_eq!(minimal(&grammar, "r0").as_deref(), Some("a"));
}

#[test]
fn a_text_that_is_ambiguous_without_bounds_is_refused_after_so_many_steps() {
    let grammar = combined("s: x EOF; x: x x | x x x | y; y: 'a' | x | x y;");
    assert!(grammar.parse("a ".repeat(20).as_bytes()).is_ok());
    let refusal = grammar.parse("a ".repeat(2_000).as_bytes()).unwrap_err();
    assert_eq!(refusal.to_string(), "the grammar takes too many steps on this input");
}

#[test]
fn a_specification_with_names_and_code_is_refused_with_what_is_wanted_instead() {
    for (lexer, expect) in [
        ("%%\n  int a;\n[a-z]+ \"ID\"\n", "L.l:2:1: verbatim code not supported; behind a pattern stands"),
        ("D [0-9]\n%%\n{D} \"ID\"\n", "L.l:1:1: unknown declaration; in front of %% stand start states only"),
    ] {
        let error = read(&[("G.y", "%%\ns: 'ID';"), ("L.l", lexer)]).map(|_| ()).unwrap_err();
        assert!(error.starts_with(expect), "{error}\n{expect}");
    }
}

#[test]
fn a_text_that_does_not_parse_is_refused_with_what_was_wanted() {
    let grammar = combined("s: 'let' ID '=' (ID | '(' ID ')') ';' EOF; ID: [a-z]+;");
    for (text, expect) in [
        ("let x\n = ;", "line 2, column 4: ';' where the grammar wants '(' or ID"),
        ("let x = y", "line 1, column 10: the end of the text where the grammar wants ';'"),
        ("let x = y; z", "line 1, column 12: ID \"z\" where the grammar wants the end of the text"),
        ("let \u{e9}", "line 1, column 5: no token of the grammar starts with \"\u{e9}\""),
        ("", "line 1, column 1: the end of the text where the grammar wants 'let'"),
    ] {
        assert_eq!(grammar.parse(text.as_bytes()).unwrap_err().to_string(), expect, "{text}");
    }
}

#[test]
fn start_states_of_a_lexical_specification_are_modes() {
    let lexer = "%x STRING\n%%\n[a-z]+ \"ID\"\n\\\" <+STRING>\"OPEN\"\n<STRING>[^\"]+ \"TEXT\"\n<STRING>\\\" <-STRING>\"CLOSE\"\n[ ]+ ;\n";
    let yacc = "%%\ns: 'ID' | s string ;\nstring: 'OPEN' 'TEXT' 'CLOSE' ;\n";
    let grammar = read(&[("G.y", yacc), ("L.l", lexer)]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(tokens(&grammar, "a \" b c\" d"), "ID OPEN TEXT CLOSE ID");
    assert_eq!(nodes(&grammar, "a \" b\" \"c\""), "!s(!a string(!\" ! b !\") string(!\" !c !\"))");
    assert_eq!(minimal(&grammar, "string").as_deref(), Some("\"a\""));
}

/// A grammar and a lexer as they are written for bison and flex, with all that may stand in them.
const WILD_GRAMMAR: &str = r#"%require "3.2"
%language "c++"
%define api.token.prefix {TOK_}
%define api.value.type variant
%code requires { struct s { int a; }; /* } */ }
%{
/* %% */ static const char *brace = "}"; // %}'
#define IF 3
%}
%union { int number; char *text; }
%param { driver& drv }
%initial-action { @$.initialize(); }
%destructor { free($$); } <text> NAME
%token <number> NUMBER 258 "number" <text> NAME 0x103
%token END 0 "end of file" LE "<=" ','
%token NUMBER
%type <number> expr
%nterm <int> list
%expect 1
%left '+' '-'
%left <text> '*' 260
%precedence UNARY
%start program
%%
program: { begin("}"); } statements[all] END { finish($all, '}'); } ;
statements: %empty | statements[before] statement { $$ = $1; /* } */ } <tag>{ mid(); }
statement
    : expr ';'
    | error ';' { yyerrok; }
    | NAME[left] '=' expr[right] ';' ={ assign($left, $right); }
    | %?{ flag } '{' list '}'
    ;
list: expr | list ',' expr %dprec 2 %merge <both> ;
expr: expr '+' expr | expr '*' expr | expr "<=" expr
    | '-' expr %prec UNARY
    | '(' { depth++; } expr ')' { depth--; }
    | "number" | NAME | '\'' NAME '\'' ;
broken: error ;
%%
int yylex(void) { return 'a'; }
int word(void) { if (strcmp(yytext, "x") == 0) return NAME; return NAME; }
"#;

const WILD_LEXER: &str = r##"%{
#include "y.tab.h"
#define RETURN(t) do { count(); return t; } while (0)
static int depth; /* %% */
%}
%option noyywrap nounput
%array
%p 3000
%x COMMENT STRING
D        [0-9]
L        [[:alpha:]_]
EXP      [eE][+-]?{D}+
%%
    /* code in front of the rules */
    int start = 0;
"/*"     BEGIN(COMMENT);
<COMMENT>{
  "*/"   { BEGIN(INITIAL); }
  [^*\n]+|"*"|\n  ;
}
\"       { begin_text(); BEGIN(STRING); }
<STRING>\"  { BEGIN(INITIAL); return token::TOK_NAME; }
<STRING>\\.  |
<STRING>[^\\"]+  append(yytext);
{D}+("."{D}*)?({EXP})?   { yylval.number = atoi(yytext);
                           /* } */ return (NUMBER); }
{L}({L}|{D})*   { count(); return word(); }
"<="     RETURN(LE);
{D}+/".."  { return NUMBER; }
"//"     { int c; while ((c = input()) != '\n' && c != EOF) ; }
[-+*(){},;=']  return yytext[0];
[ \t\n]+ ;
^"#".*$  { directive(); }
.        { error("what is %c?", *yytext); }
<<EOF>>  { yyterminate(); }
%%
int yywrap() { return 1; }
"##;

#[test]
fn grammars_and_lexers_are_read_as_they_are_written_for_bison_and_flex() {
    let grammar =
        read(&[("G.y", WILD_GRAMMAR), ("L.l", WILD_LEXER)]).unwrap_or_else(|error| panic!("{error}"));
    let warnings: Vec<String> = grammar.warnings().iter().map(ToString::to_string).collect();
    assert!(
        warnings.len() == 1 && warnings[0].ends_with("broken: all of its alternatives want the token error, which no text has; it is left out, with what mentions it"),
        "{warnings:?}"
    );
    for (text, expect) in [
        ("a = 1.5e3 + b; // end", "NAME '=' NUMBER '+' NAME ';'"),
        ("{ x, -y <= 2 } /* * ; */ 'z';", "'{' NAME ',' '-' NAME LE NUMBER '}' '\\'' NAME '\\'' ';'"),
        ("\"a \\\" }\" ;\n# 1 ;\n", "NAME ';'"),
    ] {
        assert_eq!(tokens(&grammar, text), expect, "{text}");
    }
    assert_eq!(
        nodes(&grammar, "a = 1 + b * 2; \"x y\";"),
        "!program(!statements(statement(!a != !expr(!1 (!+ !expr(!b (!* !2)))) !;) statement(!\"x y\" !;)))"
    );
    assert_eq!(minimal(&grammar, "statement").as_deref(), Some("1;"));
    assert!(grammar.parse(b"; a").is_err());
}

#[test]
fn the_lexical_form_of_the_thesis_has_names_patterns_and_minimal_strings() {
    let yacc = "%token ID NUM\n%%\ns: s stmt | stmt ;\nstmt: ID '=' e ';' ;\ne: e '+' e | NUM | ID ;\n";
    let plain =
        "# a comment\nID : [a-z]\\w* [|zero|];\nNUM : [0-9]+ [|0|];\nBECOMES : =;\nCOMMENT : //[^\\n]* ;\n";
    let grammar = read(&[("G.y", yacc), ("L.l", &plain.replace("BECOMES : =;\n", ""))])
        .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(tokens(&grammar, "a = 1 + b; // c\n"), "ID '=' NUM '+' ID ';'");
    assert_eq!(minimal(&grammar, "stmt").as_deref(), Some("zero=0;"));
    // Without them, the shortest that fits.
    let without = plain.replace(" [|zero|]", "").replace(" [|0|]", "");
    let grammar = read(&[("G.y", yacc), ("L.l", &without)]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(minimal(&grammar, "stmt").as_deref(), Some("a=1;"));
}

#[test]
fn a_class_with_actions_inside_of_its_rules_is_read() {
    // What figure 7.1 of the thesis has: actions of a program in the middle of rules, under their own declarations.
    let yacc = r#"%{ #include "classes.h" %}
%union { struct name *name; int flags; }
%token <name> IDENTIFIER
%token CLASS_TK EXTENDS_TK PUBLIC_TK FINAL_TK INT_TK
%type <flags> modifiers
%%
class_declaration:
    modifiers CLASS_TK IDENTIFIER super
        { open_class($1, $3, $4); }
    class_body
        { close_class(); }
|   CLASS_TK IDENTIFIER super
        { open_class(0, $2, $3); }
    class_body
        { close_class(); }
|   modifiers CLASS_TK error
        { complain("name of a class"); RECOVER; }
;
super: { $$ = 0; } | EXTENDS_TK IDENTIFIER { $$ = $2; } ;
modifiers: PUBLIC_TK { $$ = 1; } | modifiers FINAL_TK { $$ = $1 | 2; } ;
class_body: '{' '}' | '{' fields '}' ;
fields: field | fields field ;
field: INT_TK IDENTIFIER ';' { add_field($2); } | class_declaration ;
"#;
    let plain = "CLASS_TK : class ;\nEXTENDS_TK : extends ;\nPUBLIC_TK : public ;\nFINAL_TK : final ;\nINT_TK : int ;\n\
                 IDENTIFIER : [A-Za-z_]+ [|A|];\nOPEN : \\{ ;\n";
    let grammar = read(&[("G.y", yacc), ("L.l", &plain.replace("OPEN : \\{ ;\n", ""))])
        .unwrap_or_else(|e| panic!("{e}"));
    let text = "public final class Shape extends Base { int x; class Inner { } int y; }";
    assert_eq!(
        nodes(&grammar, text),
        "!class_declaration(!modifiers(!public final) !class !Shape super(!extends !Base) !class_body(!{ !fields(field(!int !x !;) \
         class_declaration(!class !Inner !class_body(!{ !})) field(!int !y !;)) !}))"
    );
    assert_eq!(minimal(&grammar, "class_declaration").as_deref(), Some("class A{}"));
}

#[test]
fn what_the_words_of_an_action_return_is_told_by_the_code_around_it() {
    let yacc = "%token IF ID TYPE STR OTHER\n%%\ns: s t | t ; t: IF | ID ';' | TYPE | STR | ':' | '[' ;\n";
    let lexer = r#"%{
static struct { const char *text; int token; } words[] = { { "if", IF }, { "fi", IF } };
#define KEEP(x) { save(yytext); return(x); }
%}
%%
[a-z]+       { int t = look(yytext); return t; }
[A-Z]+       KEEP(TYPE)
["']         { char end = yytext[0], c; while ((c = input()) != end) ; return STR; }
"["|":"      { return(*yytext); }
";"          |
"."          { return ';'; }
"{"          { while (input() != '}') ; }
.|\n         ;
%%
int look(char *text) {
    struct word *w = find(text, words);
    if (w != 0) return w->token;
    return known_type(text) == TYPE ? TYPE : ID;
}
"#;
    let grammar = read(&[("G.y", yacc), ("L.l", lexer)]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        tokens(&grammar, "if x; 'y;' { if } Z [ \"a\" fi b."),
        "IF ID or TYPE ';' STR TYPE '[' STR IF ID or TYPE ';'"
    );
    // The grammar says which of both a name is.
    assert!(grammar.parse(b"x; y if z").is_ok());
    assert!(grammar.parse(b"; x").is_err());
}

#[test]
fn the_shortest_text_of_a_token_that_ends_in_a_state_of_its_own_begins_outside_of_it() {
    let lexer = "%x S\n%%\n\\\" { start(); BEGIN(S); }\n<S>[^\"]+ add();\n<S>\\\" { BEGIN(INITIAL); return STR; }\n\\; return ';';\n";
    let grammar = read(&[("G.y", "%token STR\n%%\ns: s t | t; t: STR ';' ;\n"), ("L.l", lexer)]);
    let grammar = grammar.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(tokens(&grammar, "\"a b\";\"\";"), "STR ';' STR ';'");
    assert_eq!(minimal(&grammar, "t").as_deref(), Some("\"\";"));
}

#[test]
fn an_inclusive_state_that_hides_all_other_rules_puts_a_token_together_as_an_exclusive_one_does() {
    let lexer = |state: &str, other: &str| {
        format!(
            "%s S\n%%\n<INITIAL>[a-z]+ return ID;\n<INITIAL>\\\" BEGIN(S);\n{state}\n<S>\\\" {{ BEGIN(INITIAL); return STR; }}\n\
             {other}\n\\; return ';';\n. return 1000;\n"
        )
    };
    let read = |lexer: &str| {
        read(&[("G.y", "%token STR ID\n%%\ns: s t | t; t: STR ';' | ID ';' ;\n"), ("L.l", lexer)])
            .unwrap_or_else(|error| panic!("{error}"))
    };
    let hidden = read(&lexer("<S>[^\"] add();", ""));
    assert_eq!(tokens(&hidden, "\"a; b\";c;\"\";"), "STR ';' ID ';' STR ';'");
    assert_eq!(minimal(&hidden, "t").as_deref(), Some("\"\";"));
    let texts = |grammar: &Grammar| nodes(grammar, "\"ab\";");
    assert!(texts(&hidden).contains("\"ab\""), "{}", texts(&hidden));
    // Rules without a state that match more, or in front, make tokens of their own in it.
    for (state, other) in [("<S>[^\"] add();", "[0-9]+ return ID;"), ("<S>[a-z] add();", "")] {
        let open = read(&lexer(state, other));
        assert!(!texts(&open).contains("\"ab\""), "{}", texts(&open));
    }
}
