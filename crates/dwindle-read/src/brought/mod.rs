//! Grammars that users bring, read while the program runs.
//!
//! A grammar is loaded once a process and lives as long as the process, as the names of its kinds do.
//! It is a front end like any other, and has the name of its file.

mod cfg;
pub(super) mod compiled;
#[cfg(test)]
mod thesis;

use std::fmt;
use std::path::{Path, PathBuf};

pub use dwindle_cfg::TreeForm;
use dwindle_cfg::ebnf::Position;
use dwindle_core::Tree;

use super::node_types;
use crate::shown::shown;

/// Where a grammar is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// The grammar; the ending of its name tells what it is: `.y` for YACC, `.g4` for ANTLR 4, `.json`
    /// for a `grammar.json` of tree-sitter, `.so` (or as libraries are called here) for a compiled one.
    pub grammar: PathBuf,
    /// The lexical specification of a YACC grammar, or the lexer of an ANTLR parser.
    pub lexer: Option<PathBuf>,
    /// The rule that a text is.
    pub start: Option<String>,
    /// What the trees are like.
    pub tree: TreeForm,
}

/// Why a grammar cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Its name says of no kind that is known.
    #[error(
        "cannot tell by the name {} what kind of grammar it is: it ends in .y (YACC), .g4 (ANTLR 4), \
         .json (tree-sitter) or .so (tree-sitter, compiled)",
        shown(.0)
    )]
    Kind(PathBuf),
    /// There is no lexical specification.
    #[error("the YACC grammar {} wants a lexical specification: give one with --lexer", shown(.0))]
    NoLexer(PathBuf),
    /// It is one of tree-sitter and brings its own lexer and its own start.
    #[error("the grammar {} is one of tree-sitter: --lexer and --start do not go with it", shown(.0))]
    Whole(PathBuf),
    /// It is one of tree-sitter, which has no parse trees.
    #[error(
        "the grammar {} is one of tree-sitter, whose trees do not show every rule: --tree thesis goes with YACC and \
         ANTLR grammars",
        shown(.0)
    )]
    NoParseTree(PathBuf),
    /// It is one of tree-sitter and cannot be compiled or loaded.
    #[error(transparent)]
    Compiled(#[from] compiled::Error),
    /// It cannot be read, or not understood.
    #[error("{}", told(.0))]
    Grammar(#[from] dwindle_cfg::Error),
}

/// An error with its file as people are shown it.
fn told(error: &dwindle_cfg::Error) -> String {
    match error {
        dwindle_cfg::Error::Read { path, error } => {
            format!("cannot read the grammar {}: {error}", shown(path))
        }
        dwindle_cfg::Error::Malformed(complaint) => told_with_place(complaint),
    }
}

fn told_with_place(complaint: &dwindle_cfg::Complaint) -> String {
    let Position { file, line, column } = &complaint.at;
    format!("{}:{line}:{column}: {}", shown(file), complaint.message())
}

/// A grammar that was loaded.
#[derive(Clone, Copy)]
pub struct Brought(&'static Loaded);

struct Loaded {
    name: String,
    grammar: Grammar,
}

enum Grammar {
    /// Parsed by a parser of ours.
    Cfg(&'static dwindle_cfg::Grammar),
    /// Parsed by tree-sitter.
    Compiled { library: PathBuf, grammar: &'static node_types::Grammar },
}

/// Loads a grammar.
pub fn load(files: &Files) -> Result<Brought, Error> {
    let Files { grammar: path, lexer, start, tree } = files;
    let start = start.as_deref();
    let extension = path.extension().and_then(|name| name.to_str()).unwrap_or_default();
    let is_library = is_library(path);
    let grammar = match extension {
        "y" | "yy" | "yacc" => {
            let lexer = lexer.as_ref().ok_or_else(|| Error::NoLexer(path.clone()))?;
            Grammar::Cfg(Box::leak(Box::new(dwindle_cfg::yacc::read(path, lexer, start, *tree)?)))
        }
        "g4" => {
            let grammar = dwindle_cfg::antlr::read(path, lexer.as_deref(), start, *tree)?;
            Grammar::Cfg(Box::leak(Box::new(grammar)))
        }
        _ if extension != "json" && !is_library => return Err(Error::Kind(path.clone())),
        _ if *tree == TreeForm::Thesis => return Err(Error::NoParseTree(path.clone())),
        _ if lexer.is_some() || start.is_some() => return Err(Error::Whole(path.clone())),
        _ => {
            let library = if is_library { absolute(path)? } else { compiled::library(path)? };
            let grammar = compiled::grammar(&library)?;
            Grammar::Compiled { library, grammar }
        }
    };
    Ok(Brought(Box::leak(Box::new(Loaded { name: name(path), grammar }))))
}

/// Whether a file is a compiled grammar, by its name.
pub fn is_library(path: &Path) -> bool {
    let file_name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    path.extension().is_some_and(|extension| extension == std::env::consts::DLL_EXTENSION)
        || file_name.contains(".so.")
}

/// A library is looked for elsewhere if its path has no folder.
fn absolute(path: &Path) -> Result<PathBuf, compiled::Error> {
    std::path::absolute(path).map_err(|error| compiled::Error::File { path: path.to_owned(), error })
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

impl Brought {
    /// Its name.
    pub fn name(self) -> &'static str {
        &self.0.name
    }

    /// What its trees are like, where there was a choice.
    pub fn tree_form(self) -> Option<TreeForm> {
        match &self.0.grammar {
            Grammar::Cfg(grammar) => Some(grammar.form()),
            Grammar::Compiled { .. } => None,
        }
    }

    /// What could not be taken as it is written, with file, line and rule.
    pub fn warnings(self) -> Vec<String> {
        match &self.0.grammar {
            Grammar::Cfg(grammar) => grammar.warnings().iter().map(told_with_place).collect(),
            Grammar::Compiled { .. } => Vec::new(),
        }
    }

    /// The tree of a text, or why there is none.
    pub fn parse(self, bytes: Vec<u8>) -> Result<Tree, String> {
        match &self.0.grammar {
            Grammar::Cfg(grammar) => cfg::parse(bytes, grammar).map_err(|refusal| refusal.to_string()),
            Grammar::Compiled { library, grammar } => {
                compiled::parse(bytes, library, grammar).map_err(|refusal| refusal.to_string())
            }
        }
    }

    /// Why the tree of a text would show next to nothing of it, if so.
    pub(super) fn too_coarse(self, bytes: &[u8]) -> Option<String> {
        match &self.0.grammar {
            Grammar::Cfg(grammar) => cfg::too_coarse(bytes, grammar),
            Grammar::Compiled { .. } => None,
        }
    }

    /// The number of syntax errors of a text; nothing where it cannot be read. A parser of ours reads a text
    /// without errors or not at all.
    pub(super) fn errors(self, bytes: &[u8]) -> Option<u64> {
        match &self.0.grammar {
            Grammar::Cfg(grammar) => cfg::reads(bytes, grammar).then_some(0),
            Grammar::Compiled { library, grammar } => compiled::errors(bytes, library, grammar).ok(),
        }
    }
}

impl fmt::Debug for Brought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Brought").field(&self.0.name).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brackets::tests::reduced;
    use dwindle_core::TreeReducer;

    fn grammar(name: &str) -> Brought {
        let file = |ending: &str| {
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../testdata/grammars/{name}.{ending}"))
        };
        load(&Files { grammar: file("y"), lexer: Some(file("l")), ..Files::default() }).unwrap()
    }

    /// The value of an expression without errors, or nothing where something is divided by zero.
    pub(super) fn value(expression: &[u8]) -> Option<i64> {
        fn operand(rest: &mut &[u8]) -> Option<i64> {
            let (&first, behind) = rest.split_first().unwrap();
            *rest = behind;
            if first != b'(' {
                return Some(i64::from(first - b'0'));
            }
            let inner = sum(rest);
            *rest = &rest[1..];
            inner
        }
        fn product(rest: &mut &[u8]) -> Option<i64> {
            let mut all = operand(rest);
            while let Some(&operator @ (b'*' | b'/')) = rest.first() {
                *rest = &rest[1..];
                let other = operand(rest);
                all = match operator {
                    b'*' => Some(all? * other?),
                    _ => all?.checked_div(other?),
                };
            }
            all
        }
        fn sum(rest: &mut &[u8]) -> Option<i64> {
            let mut all = product(rest);
            while let Some(&operator @ (b'+' | b'-')) = rest.first() {
                *rest = &rest[1..];
                let other = product(rest);
                all = Some(if operator == b'+' { all? + other? } else { all? - other? });
            }
            all
        }
        let text: Vec<u8> = expression.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
        sum(&mut &text[..])
    }

    /// The result is ours; that of the thesis needs its tree (see `thesis.rs`). The numbers are what was counted, so that
    /// more are noticed.
    #[test]
    fn lists_make_of_the_arithmetic_example_of_the_thesis_less_than_it_prints() {
        let arithmetic = grammar("arithmetic");
        let input = "((1+(2*3))/(2-2))+(3*5)";
        assert_eq!(value(input.as_bytes()), None);
        for (reducer, most) in [
            (TreeReducer::Hdd, 8),
            (TreeReducer::HddStar, 13),
            (TreeReducer::HddPlus, 13),
            (TreeReducer::Hddr, 13),
        ] {
            let tree = arithmetic.parse(input.into()).unwrap();
            let (result, questions) = reduced(tree, reducer, |candidate| {
                assert!(arithmetic.parse(candidate.to_vec()).is_ok(), "{}", candidate.escape_ascii());
                value(candidate).is_none()
            });
            assert_eq!(result, "(1/(2-2))", "{reducer:?}");
            assert!(questions <= most, "{reducer:?} asks {questions}");
        }
    }

    /// The parser that makes the tree also judges the candidates. The numbers are what was counted, so that more are
    /// noticed.
    #[test]
    fn every_candidate_of_a_program_is_of_the_yacc_grammar_that_reads_it() {
        let java = grammar("java");
        let input = include_bytes!("../../../../testdata/grammars/Sha.java");
        for (reducer, most) in [
            (TreeReducer::Hdd, 39),
            (TreeReducer::HddStar, 51),
            (TreeReducer::HddPlus, 51),
            (TreeReducer::Hddr, 50),
        ] {
            let tree = java.parse(input.to_vec()).unwrap();
            let (result, questions) = reduced(tree, reducer, |candidate| {
                if let Err(refusal) = java.parse(candidate.to_vec()) {
                    panic!("{refusal}: {}", String::from_utf8_lossy(candidate));
                }
                String::from_utf8_lossy(candidate).contains("bits >>> shift")
            });
            let result: Vec<&str> = result.split_whitespace().collect();
            let expect = "class Sha { byte digest() { for (;;) { update((byte) (bits >>> shift)); } } }";
            assert_eq!(result.join(" "), expect, "{reducer:?}");
            assert!(questions <= most, "{reducer:?} asks {questions}");
        }
    }

    #[test]
    fn a_text_of_nothing_is_a_tree_where_the_grammar_allows_it() {
        assert_eq!(grammar("java").parse(b" // nothing\n".to_vec()).unwrap().nodes().len(), 1);
        assert!(grammar("arithmetic").parse(b" ".to_vec()).is_err());
    }

    #[test]
    fn a_text_that_is_one_token_is_read_without_the_rules_of_predicates_or_by_its_brackets() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("T.g4");
        let read = |rules: &str, text: &str| {
            std::fs::write(&path, format!("grammar T;\n{rules}")).unwrap();
            let brought = load(&Files { grammar: path.clone(), ..Files::default() }).unwrap();
            let (tree, reading) = crate::tree(text.into(), brought.into());
            (reading, tree.nodes().len())
        };
        let text = "{a} some text {b} and more of it, on and on {c} to the end {d}, with as many words as it takes to \
                    be more than one token can be in a text {e} of this length";
        let words = "s: (TEXT | WORD | ID | name)* EOF; name: '{' ID '}'; ID: [a-e]; WORD: [a-z]+; \
                     WS: [ ,]+ -> skip;";
        let guarded = format!("{words} TEXT: '{{' {{LA(1) != '{{'}}? .+;");
        let (reading, nodes) = read(&guarded, text);
        assert_eq!((reading.language, reading.fallback), (Some("T.g4"), None));
        assert!(nodes > 40, "{nodes}");
        // Nothing else could read it.
        let (reading, nodes) = read("s: TEXT* EOF; TEXT: ('{' {LA(1) != '{'}? | ~'{')+;", text);
        let why = reading.fallback.unwrap_or_default();
        assert!(
            why.starts_with("T.g4: it sees ") && why.contains(" words and signs as 1 token, as pred"),
            "{why}"
        );
        assert_eq!(reading.language, Some("brackets"));
        assert!(nodes > 20, "{nodes}");
        // A token of some words is nothing strange.
        let (reading, _) = read("s: TEXT* EOF; TEXT: ~[{}]+ | [{}];", text);
        assert_eq!(reading.fallback, None);
    }

    #[test]
    fn what_a_grammar_refuses_is_read_by_its_brackets() {
        let errors = |text: &[u8]| crate::syntax_errors(text, grammar("arithmetic").into());
        assert_eq!([b"(1 + )", b"(1 +2)"].map(|text| errors(text)), [Some(u64::MAX), Some(0)]);
        let (_, reading) = crate::tree(b"(1 + )".to_vec(), grammar("arithmetic").into());
        assert_eq!(reading.language, Some("brackets"));
        let why = "arithmetic.y: line 1, column 6: close \")\" where the grammar wants open or number";
        assert_eq!(reading.fallback.as_deref(), Some(why));
    }
}
