//! Reading by the grammar of a language, in a process of its own where its scanner is doubtful or the text is large.

use std::path::Path;

use dwindle_core::Tree;

use crate::child;
use crate::languages::Language;
use crate::outline::build;
use crate::refusal::Refusal;
use crate::tree_sitter::{errors_of, outline};

/// A bound on the work that the parser does not count: about 2 s.
const HIDDEN_WORK: u64 = 100_000_000;

/// From so many bytes on a text is read in a child process. A syntax tree of tree-sitter takes 50 times its text, in small
/// pieces that the allocator does not give back.
const LARGE: usize = 2 << 20;

/// The tree of `bytes`, which may be any; errors in them become nodes of kind `ERROR`.
///
/// Grammars that are known to crash, and all on large texts, run in a child process where
/// [`serve_if_asked`](crate::serve::serve_if_asked) has been called.
pub(crate) fn parse(bytes: Vec<u8>, language: Language) -> Result<Tree, Refusal> {
    admit(&bytes, language)?;
    let outline = match child_for(&bytes, language) {
        Some(program) => child::outline_in_child(program, &bytes, language)?,
        None => outline(&bytes, language.grammar())?,
    };
    Ok(build(bytes, outline, language.grammar()))
}

/// The number of syntax errors that the grammar sees in `bytes`.
pub(crate) fn errors(bytes: &[u8], language: Language) -> Result<u64, Refusal> {
    admit(bytes, language)?;
    match child_for(bytes, language) {
        Some(program) => child::errors_in_child(program, bytes, language),
        None => errors_of(bytes, &language.parser()),
    }
}

/// The program that reads `bytes` in a process of its own, if one is to.
fn child_for(bytes: &[u8], language: Language) -> Option<&'static Path> {
    child::program().filter(|_| language.is_doubtful() || bytes.len() >= LARGE)
}

/// Refuses `bytes` that a parser may not be given at all.
fn admit(bytes: &[u8], language: Language) -> Result<(), Refusal> {
    if bytes.len() > i32::MAX as usize {
        Err(Refusal::TooLarge)
    } else if language.hidden_work(bytes) > HIDDEN_WORK {
        Err(Refusal::TooManySteps)
    } else {
        Ok(())
    }
}
