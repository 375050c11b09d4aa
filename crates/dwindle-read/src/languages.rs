//! The languages for which a grammar is compiled in, and how they are recognised.
//!
//! Each lies behind a cargo feature; one that is not compiled in is not recognised, so its text is
//! read like any other. What is known of them is in `languages.toml`, from which `table.rs` is written.

#[rustfmt::skip]
mod table;

use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

use super::markup;
use super::node_types::Grammar;
use super::vocabulary::Vocabulary;
use table::ALL;

pub(super) use table::{
    ALL_NAMES, BINDS, ENDS_NAMES, FIELDS, INTRODUCES, KINDS, LABELLED, NAMED, REFERRING, SIGNS, TAKES,
    VALUES, VARIABLES,
};

/// A language whose grammar is compiled in.
#[derive(Clone, Copy)]
pub struct Language(&'static Definition);

/// What `languages.toml` says of a language, where the fields are explained.
struct Definition {
    name: &'static str,
    aliases: &'static [&'static str],
    files: &'static [&'static str],
    interpreters: &'static [&'static str],
    beginnings: &'static [&'static str],
    traits: &'static [Trait],
    parser: fn() -> tree_sitter::Language,
    node_types: &'static str,
    queries: &'static [&'static str],
    vocabulary: Vocabulary,
    grammar: fn() -> &'static OnceLock<Grammar>,
    #[cfg(any(test, feature = "samples"))]
    sample: (&'static str, Option<u64>),
}

/// The crates give their parsers as one of two types.
fn parser(of: impl Into<tree_sitter::Language>) -> tree_sitter::Language {
    of.into()
}

/// What is special about a language.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Trait {
    DoubtfulScanner,
    FoldsCase,
    Lisp,
    NestsTags,
    VersionedImports,
}

impl Language {
    /// All of them, by name.
    pub fn all() -> impl Iterator<Item = Self> {
        ALL.iter().map(Self)
    }

    /// The names of all.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::all().map(Self::name)
    }

    /// The language of that name, in any case; its other names and its extensions will do.
    pub fn named(name: &str) -> Option<Self> {
        let is = |other: &str| other.eq_ignore_ascii_case(name);
        Self::all()
            .find(|language| is(language.0.name))
            .or_else(|| Self::all().find(|language| language.0.aliases.iter().any(|alias| is(alias))))
    }

    /// The language of a file, by its name, by the extension of that, else by how it begins.
    pub fn recognise(path: &Path, bytes: &[u8]) -> Option<Self> {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is = |file: &&str| file.eq_ignore_ascii_case(name);
        let by_name = Self::all().find(|language| language.0.files.iter().any(is));
        let extension = || path.extension().and_then(|extension| extension.to_str());
        by_name.or_else(|| Self::named(extension()?)).or_else(|| Self::by_beginning(bytes))
    }

    /// Its other names, which are also the extensions of its files, as its name is.
    pub fn aliases(self) -> &'static [&'static str] {
        self.0.aliases
    }

    /// The language that the beginning of a text names: `#!` with an interpreter, `<?php`,
    /// `<!DOCTYPE html`.
    pub fn by_beginning(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        if let Some(line) = bytes.strip_prefix(b"#!") {
            let line = line.split(|&byte| byte == b'\n').next().unwrap_or(line);
            return Self::by_interpreter(&String::from_utf8_lossy(line));
        }
        let bytes = bytes.trim_ascii_start();
        let begins = |with: &&'static str| {
            bytes.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with.as_bytes()))
        };
        Self::all().find(|language| language.0.beginnings.iter().any(begins))
    }

    /// The name, in lower case.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    fn by_interpreter(line: &str) -> Option<Self> {
        let program = |word: &str| word.rsplit('/').next().unwrap_or(word).to_owned();
        let mut words = line.split_ascii_whitespace().map(program);
        let mut name = words.next()?;
        if name == "env" {
            name = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
        }
        let name = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        Self::all().find(|language| language.0.interpreters.contains(&name))
    }

    /// What parses it.
    pub(super) fn parser(self) -> tree_sitter::Language {
        (self.0.parser)()
    }

    pub(super) fn grammar(self) -> &'static Grammar {
        (self.0.grammar)().get_or_init(|| Grammar::new(self))
    }

    pub(super) fn node_types(self) -> &'static str {
        self.0.node_types
    }

    /// The queries that its crate brings.
    pub(super) fn queries(self) -> &'static [&'static str] {
        self.0.queries
    }

    pub(super) fn vocabulary(self) -> &'static Vocabulary {
        &self.0.vocabulary
    }

    pub(super) fn traits(self) -> &'static [Trait] {
        self.0.traits
    }

    fn has(self, own: Trait) -> bool {
        self.0.traits.contains(&own)
    }

    /// A small program without syntax errors, and how many leaves it has where another program has counted them.
    #[cfg(any(test, feature = "samples"))]
    pub(super) fn sample(self) -> (&'static str, Option<u64>) {
        self.0.sample
    }

    /// What the scanner does with this text beyond the steps that the parser counts.
    pub(super) fn hidden_work(self, bytes: &[u8]) -> u64 {
        if self.has(Trait::NestsTags) { markup::work(bytes) } else { 0 }
    }

    pub(crate) fn is_doubtful(self) -> bool {
        self.has(Trait::DoubtfulScanner)
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Language {}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::language;

    fn check(path: &str, beginning: &str, expect: &str) {
        if !expect.is_empty() && language(expect).is_none() {
            return;
        }
        let found = Language::recognise(path.as_ref(), beginning.as_bytes()).map(Language::name);
        assert_eq!(found.unwrap_or_default(), expect, "{path} {beginning:?}");
    }

    #[test]
    fn languages_are_recognised_by_extension() {
        let cases = "a.c=c a.h=c a.i=c a.cc=cpp a.CPP=cpp a.ii=cpp a.rs=rust a.py=python a.mjs=javascript \
                     a.jsx=javascript a.ts=typescript a.tsx=tsx a.java=java a.go=go a.json=json a.htm=html \
                     a.css=css a.sh=bash a.php=php a.lua=lua a.sqlite=sql a.txt= a= .c=";
        for case in cases.split_ascii_whitespace() {
            let (path, language) = case.split_once('=').unwrap();
            check(path, "", language);
        }
    }

    #[test]
    fn languages_are_recognised_by_how_a_text_begins() {
        check("a", "#!/bin/sh -e\n", "bash");
        check("a", "#!/usr/bin/env -S FOO=1 python3.11 -u\n", "python");
        check("a", "#! /usr/bin/nodejs", "javascript");
        check("a", "#!/usr/bin/perl", "");
        check("a", "\u{feff}<?php echo 1;", "php");
        check("a", "\n <!DOCTYPE HTML>", "html");
        check("a.c", "#!/bin/sh", "c");
        check("a.txt", "#!/bin/sh", "bash");
    }

    #[test]
    fn languages_have_other_names() {
        for (name, own) in [("C++", "cpp"), ("golang", "go"), ("Rust", "rust"), ("ts", "typescript")] {
            assert_eq!(Language::named(name), language(own), "{name}");
        }
        assert_eq!(Language::named("nothing"), None);
    }
}
