//! Lexical specifications of YACC grammars, in any of three forms that their content tells apart:
//!
//! * files for lex and flex: definitions, start states, patterns with actions of code ([`flex`]),
//! * those of grmtools, where a pattern has the name of its token behind it in quotes ([`named`]),
//! * those of the thesis, `NAME : regex [|text|];` ([`plain`]).

mod action;
mod flex;
mod named;
mod pattern;
mod plain;
mod syntax;

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use crate::ebnf::{Position, Terminal};
use crate::error::Complaint;
use crate::lexer::LexRule;

/// The names that a grammar has for its tokens.
#[derive(Default)]
pub(crate) struct Names<'a> {
    pub(crate) of_word: HashMap<String, Terminal>,
    pub(crate) of_text: HashMap<Vec<u8>, Terminal>,
    /// What their names in code begin with.
    pub(crate) prefix: String,
    /// The code of the grammar.
    pub(crate) code: Vec<(&'a str, Range<usize>)>,
    /// The number of the first terminal that is not one of the grammar.
    pub(crate) next: Terminal,
}

impl Names<'_> {
    /// The token of a name or of a text.
    fn of(&self, name: &str) -> Option<Terminal> {
        self.of_word.get(name).or_else(|| self.of_text.get(name.as_bytes())).copied()
    }

    /// The tokens that have a name.
    fn words(&self) -> impl Iterator<Item = Terminal> {
        self.of_word.values().copied()
    }

    /// The tokens that are one byte.
    fn bytes(&self) -> impl Iterator<Item = (u8, Terminal)> {
        let byte = |(text, token): (&Vec<u8>, &Terminal)| match text[..] {
            [byte] => Some((byte, *token)),
            _ => None,
        };
        let mut all: Vec<(u8, Terminal)> = self.of_text.iter().filter_map(byte).collect();
        all.sort_unstable();
        all.into_iter()
    }
}

impl action::Tokens for Names<'_> {
    fn named(&self, name: &str) -> Option<Terminal> {
        let made = |name: &str| self.of_word.get(name).copied();
        // As bison's C++ parsers have them: `make_NAME(...)` and, with a prefix, `make_NAME` and `TOK_NAME`.
        made(name.strip_prefix(&self.prefix).unwrap_or(name))
            .or_else(|| made(name.strip_prefix("make_")?))
            .or_else(|| made(name))
    }

    fn literal(&self, text: &[u8]) -> Option<Terminal> {
        self.of_text.get(text).copied()
    }
}

/// What a lexical specification says.
#[derive(Debug, Default)]
pub(crate) struct Lexical {
    pub(crate) rules: Vec<LexRule>,
    pub(crate) names: Vec<(String, Position)>,
    pub(crate) modes: usize,
    /// The modes of rules that name none.
    pub(crate) common: Vec<usize>,
    pub(crate) warnings: Vec<Complaint>,
    /// Terminals that may be any of several of the grammar, or none; they are numbered behind those of the grammar.
    pub(crate) any_of: Vec<Vec<Terminal>>,
    /// Whether a function that is in another file tells some of the tokens.
    pub(crate) looks_up: bool,
    /// The texts that stand in for tokens.
    pub(crate) minimal: HashMap<Terminal, (Vec<u8>, Position)>,
}

impl Lexical {
    /// The terminal that may be any of these; `next` is the first that is not one of the grammar.
    fn any_of(&mut self, next: Terminal, tokens: Vec<Terminal>) -> Terminal {
        let known = self.any_of.iter().position(|other| *other == tokens);
        let index = known.unwrap_or_else(|| {
            self.any_of.push(tokens);
            self.any_of.len() - 1
        });
        next + index as Terminal
    }
}

/// Reads a specification.
pub(crate) fn read<'a>(path: &'a Path, text: &'a str, names: &Names<'a>) -> Result<Lexical, Complaint> {
    if plain::is_plain(text) {
        plain::read(path, text, names)
    } else if named::is_named(text) {
        named::read(path, text, names)
    } else {
        flex::read(path, text, names)
    }
}
