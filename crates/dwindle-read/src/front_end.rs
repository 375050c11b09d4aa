//! The front ends, and which of them reads an input.

use std::path::Path;

use dwindle_core::Tree;
use serde::Serialize;

use crate::brought::Brought;
use crate::languages::Language;
use crate::{brackets, folder, grammar, sexp, xml};

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
    /// The files of a folder, each by the front end for its language.
    Folder,
}

/// How an input was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reading {
    /// The language, or `brackets` for any other text; none for lists.
    pub language: Option<&'static str>,
    /// Why the language's own front end was not taken, where it was not.
    pub fallback: Option<String>,
    /// What the tree is like, where there was a choice.
    pub tree: Option<&'static str>,
}

/// A language by a name that no front end has.
#[derive(Debug, thiserror::Error)]
#[error("no grammar for the language {name:?}; there are {known}")]
pub struct Unknown {
    name: String,
    known: String,
}

impl FrontEnd {
    /// The front end for a file of this name and these bytes.
    pub fn recognise(path: &Path, bytes: &[u8]) -> Self {
        match Language::recognise(path, bytes) {
            _ if xml::recognise(path, bytes) => Self::Xml,
            Some(language) => Self::Grammar(language),
            None => sexp::Dialect::recognise(path).map_or(Self::Brackets, Self::Sexp),
        }
    }

    /// The built-in front end of that name.
    ///
    /// # Errors
    ///
    /// Where there is none; the error lists all.
    pub fn of_language(name: &str) -> Result<Self, Unknown> {
        Self::named(name).ok_or_else(|| Unknown { name: name.to_owned(), known: Self::names().join(", ") })
    }

    /// The built-in front end of that name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "xml" => Some(Self::Xml),
            "brackets" => Some(Self::Brackets),
            _ => Language::named(name)
                .map(Self::Grammar)
                .or_else(|| sexp::Dialect::named(name).map(Self::Sexp)),
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
            Self::Folder => "each file by its own language",
        }
    }

    /// Other names, which are also extensions of the files that it reads.
    pub fn aliases(self) -> &'static [&'static str] {
        match self {
            Self::Grammar(language) => language.aliases(),
            Self::Sexp(dialect) => dialect.aliases(),
            Self::Xml => xml::EXTENSIONS,
            Self::Brought(_) | Self::Brackets | Self::Folder => &[],
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
            Self::Folder => "folder",
        }
    }

    /// What its trees are like, where there was a choice.
    fn tree_form(self) -> Option<&'static str> {
        match self {
            Self::Brought(brought) => brought.tree_form().map(|form| form.name()),
            _ => None,
        }
    }
}

/// Reads `bytes` as a tree, or says why the front end refuses them.
pub(super) fn parse(bytes: Vec<u8>, front_end: FrontEnd) -> Result<Tree, String> {
    match front_end {
        FrontEnd::Grammar(language) => grammar::parse(bytes, language).map_err(|refusal| refusal.to_string()),
        FrontEnd::Xml => xml::parse(bytes).map_err(|refusal| refusal.to_string()),
        FrontEnd::Sexp(dialect) => Ok(sexp::parse(bytes, dialect)),
        FrontEnd::Brought(brought) => {
            brought.parse(bytes).map_err(|refusal| format!("{}: {refusal}", brought.name()))
        }
        FrontEnd::Brackets => Ok(brackets::parse(bytes)),
        FrontEnd::Folder => folder::parse(bytes, file),
    }
}

/// Reads a file of a folder, by its own language.
pub(super) fn file(path: &Path, text: &[u8]) -> Tree {
    tree(text.to_vec(), FrontEnd::recognise(path, text)).0
}

/// Reads `bytes` as a tree; what the front end refuses, or sees too little in, is read by its brackets.
pub fn tree(bytes: Vec<u8>, front_end: FrontEnd) -> (Tree, Reading) {
    let parsed = parse(bytes.clone(), front_end).and_then(|tree| match front_end {
        FrontEnd::Brought(brought) => match brought.too_coarse(&bytes) {
            Some(why) => Err(format!("{}: {why}", brought.name())),
            None => Ok(tree),
        },
        _ => Ok(tree),
    });
    match parsed {
        Ok(tree) => {
            (tree, Reading { language: Some(front_end.name()), fallback: None, tree: front_end.tree_form() })
        }
        Err(refusal) => (
            brackets::parse(bytes),
            Reading { language: Some("brackets"), fallback: Some(refusal), tree: None },
        ),
    }
}

impl From<Brought> for FrontEnd {
    fn from(brought: Brought) -> Self {
        Self::Brought(brought)
    }
}
