//! What can be wrong with a grammar, or with a text.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::PathBuf;

use crate::ebnf::Position;

/// Why a grammar cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file of the grammar cannot be read.
    #[error("cannot read the grammar {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// The grammar is malformed.
    #[error("{0}")]
    Malformed(Complaint),
}

/// Something about a grammar, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// Where.
    pub at: Position,
    /// The rule that it is about, if it is about one.
    pub rule: Option<String>,
    /// What is wrong.
    pub what: String,
}

impl Complaint {
    pub(crate) fn new(at: Position, rule: Option<&str>, what: impl Into<String>) -> Self {
        Self { at, rule: rule.map(str::to_owned), what: what.into() }
    }
}

impl From<Complaint> for Error {
    fn from(complaint: Complaint) -> Self {
        Self::Malformed(complaint)
    }
}

impl Complaint {
    /// What is wrong, and with which rule, but not where.
    pub fn message(&self) -> String {
        match &self.rule {
            Some(rule) => format!("rule {rule}: {}", self.what),
            None => self.what.clone(),
        }
    }
}

impl Display for Complaint {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Position { file, line, column } = &self.at;
        write!(f, "{}:{line}:{column}: {}", file.display(), self.message())
    }
}

/// Why a text cannot be read by a grammar. Lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No token starts here.
    #[error("line {line}, column {column}: no token of the grammar starts with {found:?}")]
    NoToken {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// The character.
        found: String,
    },
    /// The grammar wants something else here.
    #[error("line {line}, column {column}: {found} where the grammar wants {expected}")]
    Syntax {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// What is there.
        found: String,
        /// What could be there.
        expected: String,
    },
    /// Parsing took more steps than a text of that size should need.
    #[error("the grammar takes too many steps on this input")]
    TooManySteps,
    /// Offsets are kept in 32 bits.
    #[error("the input is too large for a grammar")]
    TooLarge,
}
