//! The front ends: from bytes to the texts and trees that a search works on.

pub mod brackets;
pub mod brought;
pub mod cancellation;
pub mod child;
mod errors;
mod forms;
pub mod languages;
pub mod lexer;
mod lists;
mod markup;
mod mentions;
mod naming;
mod node_types;
mod outline;
mod productions;
mod queries;
#[cfg(any(test, feature = "samples"))]
mod samples;
mod seats;
pub mod sexp;
pub mod shown;
mod size;
pub mod tree_sitter;
mod vocabulary;
pub mod xml;

use std::path::Path;
use std::sync::Arc;

use dwindle_core::{Answer, Shape, Tree};
use serde::Serialize;

pub use brought::Brought;
pub use errors::syntax_errors;
pub use languages::Language;
pub use lists::cut;
#[cfg(any(test, feature = "samples"))]
pub use samples::all as samples;
pub use size::Size;

/// What reads an input as a tree.
#[derive(Clone, Copy, Debug)]
pub enum FrontEnd {
    /// The tree-sitter grammar of a language.
    Grammar(Language),
    /// XML by its elements and attributes.
    Xml,
    /// S-expressions.
    Sexp(sexp::Dialect),
    /// A grammar that was brought.
    Brought(Brought),
    /// Brackets, lines and indentation, for any text.
    Brackets,
}

/// How an input was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reading {
    /// The language, or `brackets` for any other text; none for lists.
    pub language: Option<&'static str>,
    /// Why the language's own front end was not taken, where it was not.
    pub fallback: Option<String>,
}

/// A language by a name that no front end has.
#[derive(Debug, thiserror::Error)]
#[error("no grammar for the language {name:?}; there are {known}")]
pub struct Unknown {
    name: String,
    known: String,
}

impl FrontEnd {
    /// The front end for a file of this name and these bytes, or of the language `named`.
    pub fn recognise(path: &Path, bytes: &[u8], named: Option<&str>) -> Result<Self, Unknown> {
        if let Some(name) = named {
            return Self::named(name)
                .ok_or_else(|| Unknown { name: name.to_owned(), known: Self::names().join(", ") });
        }
        Ok(match Language::recognise(path, bytes) {
            _ if xml::recognise(path, bytes) => Self::Xml,
            Some(language) => Self::Grammar(language),
            None => sexp::Dialect::recognise(path).map_or(Self::Brackets, Self::Sexp),
        })
    }

    /// The front end of that name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "xml" => Some(Self::Xml),
            "brackets" => Some(Self::Brackets),
            _ => Language::named(name)
                .map(Self::Grammar)
                .or_else(|| sexp::Dialect::named(name).map(Self::Sexp))
                .or_else(|| Brought::named(name).map(Self::Brought)),
        }
    }

    /// All that are built in, by name.
    pub fn all() -> Vec<Self> {
        let dialects = sexp::Dialect::ALL.into_iter().map(Self::Sexp);
        let mut all: Vec<Self> =
            Language::all().map(Self::Grammar).chain(dialects).chain([Self::Brackets, Self::Xml]).collect();
        all.sort_by_key(|front_end| front_end.name());
        all
    }

    /// All names.
    pub fn names() -> Vec<&'static str> {
        Self::all().into_iter().map(Self::name).collect()
    }

    /// What reads it.
    pub fn reader(self) -> &'static str {
        match self {
            Self::Grammar(language) if language.is_doubtful() => "tree-sitter in a process of its own",
            Self::Grammar(_) => "tree-sitter",
            Self::Xml => "elements and attributes",
            Self::Sexp(_) => "lists and atoms",
            Self::Brought(_) => "a grammar of yours",
            Self::Brackets => "brackets, lines and indentation",
        }
    }

    /// Other names, which are also extensions of the files that it reads.
    pub fn aliases(self) -> &'static [&'static str] {
        match self {
            Self::Grammar(language) => language.aliases(),
            Self::Sexp(dialect) => dialect.aliases(),
            Self::Xml => xml::EXTENSIONS,
            Self::Brought(_) | Self::Brackets => &[],
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Grammar(language) => language.name(),
            Self::Xml => "xml",
            Self::Sexp(dialect) => dialect.name(),
            Self::Brought(brought) => brought.name(),
            Self::Brackets => "brackets",
        }
    }
}

/// Reads `bytes` as a tree, or says why the front end refuses them.
fn parse(bytes: Vec<u8>, front_end: FrontEnd) -> Result<Tree, String> {
    match front_end {
        FrontEnd::Grammar(language) => {
            tree_sitter::parse(bytes, language).map_err(|refusal| refusal.to_string())
        }
        FrontEnd::Xml => xml::parse(bytes).map_err(|refusal| refusal.to_string()),
        FrontEnd::Sexp(dialect) => Ok(sexp::parse(bytes, dialect)),
        FrontEnd::Brought(brought) => {
            brought.parse(bytes).map_err(|refusal| format!("{}: {refusal}", brought.name()))
        }
        FrontEnd::Brackets => Ok(brackets::parse(bytes)),
    }
}

/// Reads `bytes` as a tree; what the front end refuses is read by its brackets.
pub fn tree(bytes: Vec<u8>, front_end: FrontEnd) -> (Tree, Reading) {
    match parse(bytes.clone(), front_end) {
        Ok(tree) => (tree, Reading { language: Some(front_end.name()), fallback: None }),
        Err(refusal) => {
            (brackets::parse(bytes), Reading { language: Some("brackets"), fallback: Some(refusal) })
        }
    }
}

/// Reads `bytes` as a search asks for it.
pub fn read(bytes: Vec<u8>, shape: Shape) -> Answer {
    let named = |name| FrontEnd::named(name).unwrap_or(FrontEnd::Brackets);
    match shape {
        Shape::Pieces(format) => Answer::Text(cut(bytes, format)),
        Shape::Tree(name) => match parse(bytes, named(name)) {
            Ok(tree) => Answer::Tree(tree.into()),
            Err(refusal) => Answer::Unreadable(refusal.into()),
        },
        Shape::Errors(name) => Answer::Errors(syntax_errors(&bytes, named(name))),
        // Helpers are no front ends.
        Shape::Offers(_) => Answer::Offers(Arc::default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancellation::tests::{asks, within};
    use brought::{Files, load};

    /// Every front end with a text that it reads.
    fn texts() -> Vec<(FrontEnd, Vec<u8>)> {
        let grammar = |ending: &str| {
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../testdata/grammars/arithmetic.{ending}"))
        };
        let files = Files { grammar: grammar("y"), lexer: Some(grammar("l")), start: None };
        let brought = load(&files).expect("it is read elsewhere, too");
        let sexp = || "(a (b c) d) ".repeat(20).into_bytes();
        let own = sexp::Dialect::ALL.map(|dialect| (FrontEnd::Sexp(dialect), sexp())).into_iter().chain([
            (FrontEnd::Xml, format!("<a>{}</a>", "<b c='d'>e</b>".repeat(20)).into_bytes()),
            (FrontEnd::Brackets, "f(a, b) { c; }\n".repeat(20).into_bytes()),
            (brought.into(), [b"1+".repeat(50), b"1".to_vec()].concat()),
        ]);
        let grammars = samples()
            .into_iter()
            .map(|(language, text)| (FrontEnd::Grammar(language), text.as_bytes().to_vec()));
        grammars.chain(own).collect()
    }

    #[test]
    fn what_nobody_waits_for_is_not_read_on() {
        for (front_end, text) in texts() {
            let read = || tree(text.clone(), front_end);
            let name = front_end.name();
            let (tree, reading) = read();
            assert_eq!(reading.fallback, None, "{name}");
            let asks = asks(read);
            assert!(asks as usize >= tree.nodes().len(), "{name} asks {asks} times");
            for within_asks in [0, 1, asks / 2, asks - 1] {
                assert!(within(within_asks, read).is_none(), "{name} after {within_asks} of {asks}");
            }
            assert!(within(asks, read).is_some(), "{name}");
            let errors = || syntax_errors(&text, front_end);
            assert!(errors().is_none() || within(0, errors).is_none(), "{name}");
        }
    }
}
