//! Grammars that users bring, read while the program runs.
//!
//! A grammar is loaded once a process and lives as long as the process, as the names of its kinds do.
//! From then on it is a front end like any other, known by the name of its file.

mod cfg;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use dwindle_core::Tree;

use super::FrontEnd;

/// Where a grammar is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// The grammar; the ending of its name tells what it is: `.y` for YACC, `.g4` for ANTLR 4.
    pub grammar: PathBuf,
    /// The lexical specification of a YACC grammar, or the lexer of an ANTLR parser.
    pub lexer: Option<PathBuf>,
    /// The rule that a text is.
    pub start: Option<String>,
}

/// Why a grammar cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Its name says of no kind that is known.
    #[error(
        "cannot tell by the name {} what kind of grammar it is: it ends in .y (YACC) or .g4 (ANTLR 4)",
        .0.display()
    )]
    Kind(PathBuf),
    /// There is no lexical specification.
    #[error("the YACC grammar {} wants a lexical specification: give one with --lexer", .0.display())]
    NoLexer(PathBuf),
    /// It cannot be read, or not understood.
    #[error(transparent)]
    Grammar(#[from] dwindle_cfg::Error),
}

/// A grammar that was loaded.
#[derive(Clone, Copy)]
pub struct Brought(&'static Loaded);

struct Loaded {
    name: String,
    grammar: dwindle_cfg::Grammar,
}

static ALL: Mutex<Vec<Brought>> = Mutex::new(Vec::new());

/// Loads a grammar. [`FrontEnd::named`] finds it by its name from now on, also instead of an older one
/// of that name.
pub fn load(files: &Files) -> Result<Brought, Error> {
    let Files { grammar: path, lexer, start } = files;
    let start = start.as_deref();
    let grammar = match path.extension().and_then(|name| name.to_str()) {
        Some("y" | "yy" | "yacc") => {
            let lexer = lexer.as_ref().ok_or_else(|| Error::NoLexer(path.clone()))?;
            dwindle_cfg::yacc::read(path, lexer, start)?
        }
        Some("g4") => dwindle_cfg::antlr::read(path, lexer.as_deref(), start)?,
        _ => return Err(Error::Kind(path.clone())),
    };
    let brought = Brought(Box::leak(Box::new(Loaded { name: name(path), grammar })));
    ALL.lock().unwrap_or_else(PoisonError::into_inner).push(brought);
    Ok(brought)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

impl Brought {
    /// The one of that name that was loaded last.
    pub fn named(name: &str) -> Option<Self> {
        let all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().rev().find(|brought| brought.name() == name).copied()
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        &self.0.name
    }

    /// What could not be taken as it is written, with file, line and rule.
    pub fn warnings(self) -> Vec<String> {
        self.0.grammar.warnings().iter().map(ToString::to_string).collect()
    }

    /// The tree of a text, or why there is none.
    pub(super) fn parse(self, bytes: Vec<u8>) -> Result<Tree, String> {
        cfg::parse(bytes, &self.0.grammar).map_err(|refusal| refusal.to_string())
    }
}

impl fmt::Debug for Brought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Brought").field(&self.0.name).finish()
    }
}

impl From<Brought> for FrontEnd {
    fn from(brought: Brought) -> Self {
        Self::Brought(brought)
    }
}
