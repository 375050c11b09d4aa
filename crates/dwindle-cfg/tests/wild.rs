//! Random grammars, written plainly and as people write them, and random damage to real ones.

use std::fs;

use dwindle_cfg::ebnf::{Expr, Rule};
use dwindle_cfg::{Grammar, TreeForm, yacc};
use proptest::prelude::*;
use tempfile::TempDir;

/// Symbols of alternatives of rules: up to [`RULES`], they are rules, then tokens.
type Productions = Vec<Vec<Vec<usize>>>;

const RULES: usize = 4;
const TOKENS: [&str; 6] = ["ID", "NUM", "'+'", "'{'", "\"<=\"", "'\\''"];

/// The first rule can be derived, whatever the others are like: each has an alternative of a token.
fn productions() -> impl Strategy<Value = Productions> {
    let alternative = prop::collection::vec(0..RULES + TOKENS.len(), 0..4);
    let rule = prop::collection::vec(alternative, 0..4).prop_map(|mut all| {
        all.push(vec![RULES]);
        all
    });
    prop::collection::vec(rule, RULES)
}

fn symbol(index: usize) -> String {
    if index < RULES { format!("rule{index}") } else { TOKENS[index - RULES].to_owned() }
}

const PLAIN: &str = "%token ID NUM\n%left '+'\n%left '{'\n%%\n";

fn plain(productions: &Productions) -> String {
    let rules = productions.iter().enumerate().map(|(index, all)| {
        let all = all.iter().map(|one| one.iter().map(|&one| symbol(one)).collect::<Vec<_>>().join(" "));
        format!("rule{index}: {};\n", all.collect::<Vec<_>>().join(" | "))
    });
    PLAIN.to_owned() + &rules.collect::<String>()
}

const PROLOGUES: [&str; 5] = [
    "%{\n#include <stdio.h> /* %% */\nchar *s = \"%}\", c = '\\'';\n%}\n%token <id> ID 258 \"name\"\n%token NUM 0x200 _(\"number\")\n%left <op> '+' 300\n%left '{'\n%%\n",
    "%define api.value.type {std::map<int, int>}\n%code requires { /* } */ \"}\" }\n%union value { int n; }\n%token ID, NUM;\n%left '+';\n%precedence '{'\n%start rule0\n%type <t> rule0 rule1\n%%\n",
    "/* old */\n%term ID NUM\n%binary '+'\n%right '{'\n%expect 3\n%%\n",
    "%skeleton \"lalr1.cc\" // new\n%require \"3.8\"\n%param {int a} {int b}\n%token\n  ID \"name\"\n  NUM \"number\" // '\n;\n%nterm <t> rule1\n%left '+'\n%nonassoc '{'\n%printer { print(\"%d}\", $$); } <t> ID\n%initial-action { a = '}'; }\n%%\n",
    "%0 ID NUM\n%< '+'\n%> '{'\n%%\n",
];

/// What may stand between two symbols and derives nothing.
const BETWEEN: [&str; 9] = [
    "",
    " /* } | ; */ ",
    "\n// it's nothing ;\n",
    " { mid(\"}\", '}'); /* } */ } ",
    " <tag>{ $$ = $1; { if (a) { b(); } } } ",
    "[name]",
    " %?{ a > '}' } ",
    "\n\t",
    "{}",
];
const BEHIND: [&str; 6] =
    ["", " { $$ = $1; }", " = { old(); }", " %prec '+' { x }", " %dprec 1 ", " %merge <f>"];
const ENDS: [&str; 4] = [";\n", "\n;;\n", "\n", " ; /* rule */\n"];

/// The same productions with all that means nothing; `dice` chooses.
fn wild(productions: &Productions, dice: &[usize]) -> String {
    let mut rolls = dice.iter().copied().cycle();
    let mut pick = |from: &[&str]| from[rolls.next().unwrap_or(0) % from.len()].to_owned();
    let mut text = pick(&PROLOGUES);
    for (index, all) in productions.iter().enumerate() {
        text += &format!("rule{index}{}:", pick(&["", " ", "[result]", "\n"]));
        for (number, alternative) in all.iter().enumerate() {
            if number > 0 {
                text += &pick(&["|", "\n    | ", " | error ';' { yyerrok; } | "]);
            }
            if alternative.is_empty() {
                text += &pick(&["", " %empty ", " {} "]);
            }
            for (position, &one) in alternative.iter().enumerate() {
                // A name in brackets stands behind a symbol.
                let between = pick(&BETWEEN);
                text += if position == 0 && between == "[name]" { " " } else { &between };
                text += " ";
                text += &symbol(one);
            }
            text += &pick(&BEHIND);
        }
        text += &pick(&ENDS);
    }
    text + &pick(&["", "%%\n", "%%\nint main() { return '%%'; }\n"])
}

const LEXER: &str = "%%\n[a-z]+ { return ID; }\n[0-9]+ return NUM;\n[-+{<='] return yytext[0];\n\"<=\" return LE;\n[ \\n] ;\n";

fn read(folder: &TempDir, grammar: &str, lexer: &str) -> Result<Grammar, String> {
    let path = |name: &str| folder.path().join(name);
    fs::write(path("g.y"), grammar).expect("a file");
    fs::write(path("g.l"), lexer).expect("a file");
    let read = yacc::read(&path("g.y"), &path("g.l"), None, TreeForm::Lists);
    read.map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""))
}

/// The rules without their places, and with the names of the terminals.
fn rules(grammar: &Grammar) -> Vec<(String, String)> {
    let first = grammar.kinds().iter().position(|name| name == "the end of the text").expect("a terminal");
    let shown = |rule: &Rule| (rule.name.clone(), show(&rule.body, &grammar.kinds()[first..]));
    grammar.rules().iter().map(shown).collect()
}

fn show(expr: &Expr, terminals: &[String]) -> String {
    let all = |all: &[Expr]| all.iter().map(|one| show(one, terminals)).collect::<Vec<_>>().join(" ");
    match expr {
        Expr::Terminals(set) => {
            let mut names: Vec<&str> = set.iter().map(|&one| terminals[one as usize].as_str()).collect();
            names.sort_unstable();
            names.join("/")
        }
        Expr::Rule(rule) => rule.to_string(),
        Expr::Seq(parts) => format!("({})", all(parts)),
        Expr::Choice(parts) => format!("[{}]", all(parts)),
        Expr::Optional(inner) => format!("{}?", show(inner, terminals)),
        Expr::List(list) => {
            let separator = list.separator.as_ref().map(|separator| show(separator, terminals));
            format!("{{{} {separator:?} {}}}", show(&list.item, terminals), list.some)
        }
    }
}

/// A file:line:column in front.
fn has_place(error: &str) -> bool {
    let mut parts = error.splitn(4, ':');
    let file = parts.next().is_some_and(|file| file == "g.y" || file == "g.l");
    let is_number =
        |part: Option<&str>| part.is_some_and(|part| part.parse::<usize>().is_ok_and(|number| number > 0));
    file && is_number(parts.next())
        && is_number(parts.next())
        && parts.next().is_some_and(|what| what.len() > 5)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn a_grammar_in_wild_style_has_the_productions_of_its_plain_form(
        productions in productions(),
        dice in prop::collection::vec(0..1000usize, 1..60),
    ) {
        let folder = TempDir::new().expect("a folder");
        let plain = read(&folder, &plain(&productions), LEXER);
        let text = wild(&productions, &dice);
        match (plain, read(&folder, &text, LEXER)) {
            // The precedences differ; they order operators only.
            (Ok(plain), Ok(wild)) if !text.contains("%prec") && !text.contains("%right") => {
                prop_assert_eq!(rules(&plain), rules(&wild), "{}", text);
            }
            (Ok(plain), Ok(wild)) => prop_assert_eq!(plain.minimal(0), wild.minimal(0), "{}", text),
            (Err(plain), Err(wild)) => prop_assert_eq!(&plain[plain.len() - 20..], &wild[wild.len() - 20..]),
            (plain, wild) => prop_assert!(false, "{:?}\n{:?}\n{}", plain.err(), wild.err(), text),
        }
    }

    #[test]
    fn a_damaged_file_is_read_or_refused_with_its_place(
        grammar in damaged(WILD),
        lexer in damaged(WILD_LEXER),
        which in 0..3,
    ) {
        let folder = TempDir::new().expect("a folder");
        let grammar = if which == 1 { WILD } else { &grammar };
        let lexer = if which == 0 { WILD_LEXER } else { &lexer };
        match read(&folder, grammar, lexer) {
            Ok(read) => _ = read.parse(b"a = 1 + \"b\"; /* c */ { x }"),
            Err(error) => prop_assert!(has_place(&error), "{}", error),
        }
    }
}

/// A text with some of its parts gone, doubled, or replaced by signs that mean something.
fn damaged(text: &'static str) -> impl Strategy<Value = String> {
    const SIGNS: [&str; 18] = [
        "{", "}", "\"", "'", "%", "%%\n", "%{", "%}", "/*", "<", "[", "(", "|", ";", ":", "\\", "\u{e9}",
        "\n",
    ];
    let edit = (0..text.len(), 0..12usize, 0..3, 0..SIGNS.len());
    prop::collection::vec(edit, 1..5).prop_map(move |edits| {
        let mut bytes = text.as_bytes().to_vec();
        for (at, length, kind, sign) in edits {
            let at = at.min(bytes.len());
            let end = (at + length).min(bytes.len());
            let part = bytes[at..end].to_vec();
            let new = match kind {
                0 => Vec::new(),
                1 => [&part[..], &part[..]].concat(),
                _ => SIGNS[sign].as_bytes().to_vec(),
            };
            bytes.splice(at..end, new);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

const WILD: &str = "%{\nint a = '}'; /* %} */\n%}\n%define api.token.prefix {T_}\n%union { int n; }\n\
    %token <n> NUM 258 \"number\" ID END 0 \"end\"\n%left '+' '-'\n%precedence NEG\n%start all\n%%\n\
    all: { f(\"}\"); } stmts[s] END ;\nstmts: %empty | stmts stmt <t>{ g(); } | error ';' ;\n\
    stmt: ID '=' expr ';' = { h(); } | %?{ x } '{' stmts '}' | expr ;\n\
    expr: expr '+' expr | '-' expr %prec NEG | NUM | ID[name] | '(' expr ')' %dprec 1 ;\n%%\nint f() { return NUM; }\n";

const WILD_LEXER: &str = "%{\n#define RET(x) return x\n%}\nD [0-9]\nE {D}+\n%option noyywrap\n%x S C\n%%\n\
    {D}+(\\.{E})? { return T_NUM; }\n[[:alpha:]_]{-}[q][a-z0-9]* RET(T_ID);\n\\\" BEGIN(S);\n<S>{\n  [^\"\\\\]+ ;\n  \\\\.  |\n\
    \\n  ;\n  \\\"  { BEGIN(INITIAL); return f(); }\n}\n\"/*\" { while (input() != '*' || input() != '/') ; }\n\
    a/b { return T_ID; }\n^\"#\".*$ ;\n(?i:end) return T_END;\n[-+=(){};] return yytext[0];\n[ \\t]+ ;\n%%\nint f(void) { return g() ? T_ID : T_NUM; }\n";

#[test]
fn the_undamaged_files_are_read() {
    let folder = TempDir::new().expect("a folder");
    let grammar = read(&folder, WILD, WILD_LEXER).unwrap_or_else(|error| panic!("{error}"));
    assert!(grammar.parse(b"a = 1 + \"b\"; /* c */ { x }").is_ok());
}
