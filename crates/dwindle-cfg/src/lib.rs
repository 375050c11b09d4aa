//! Context-free grammars that users bring at run time.
//!
//! A [`Grammar`] is read from files of one of several kinds ([`yacc`], [`antlr`]) into one form
//! ([`ebnf`]), in which lists are lists however the grammar writes them. It cuts a text into tokens and
//! parses them, whatever the grammar is like: left-recursive, ambiguous, with empty or cyclic rules.
//! What comes out is a walk over the nodes of the text that tells of each whether it can go, alone or
//! with others, or what may stand in its place; and for each rule its shortest text.

pub mod antlr;
mod bnf;
mod code;
mod earley;
pub mod ebnf;
mod error;
mod grammar;
mod lex;
mod lexer;
mod lists;
mod minimal;
mod outline;
#[cfg(test)]
mod properties;
mod spelling;
mod stack;
pub mod yacc;

pub use error::{Complaint, Error, Refusal};
pub use grammar::{Grammar, Minimal};
pub use lexer::Token;
pub use outline::{InList, Place, Step, Syntax};
