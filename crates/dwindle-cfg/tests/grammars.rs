//! Grammars from files: what is understood, what is said of what is not.

use std::fs;
use std::path::Path;

use dwindle_cfg::{Grammar, Place, Step, antlr, yacc};
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
        true => yacc::read(&path(files[0].0), &path(files[1].0), None),
        false => antlr::read(&path(files[0].0), None, None),
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
        (&[("G.y", "%%\ns: 'A'"), lexer], "G.y:2:7: rule s: incomplete rule"),
        (&[("G.y", "%%\ns: 'A' t;"), lexer], "G.y:2:8: rule s: unknown reference to rule 't'"),
        (&[("G.y", "%%\ns: 'A' | t;\nt: 'B';"), lexer], "G.y:3:5: rule t: the token B has no rule in L.l"),
        (&[("G.y", "%%\ns: 'A' s;"), lexer], "G.y:2:1: rule s: it derives no finite text"),
        (&[("G.y", "%%\ns: 'A';"), ("L.l", "%%\n(a \"A\"\n")], "L.l:2:1: "),
    ] {
        let error = read(files).map(|_| ()).unwrap_err();
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
