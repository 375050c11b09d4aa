//! Reading by the grammar of a language, in a process of its own where its scanner is doubtful.

use dwindle_core::Tree;

use crate::child;
use crate::languages::Language;
use crate::outline::build;
use crate::refusal::Refusal;
use crate::tree_sitter::{errors_of, outline};

/// A bound on the work that the parser does not count: about 2 s.
const HIDDEN_WORK: u64 = 100_000_000;

/// The tree of `bytes`, which may be any; errors in them become nodes of kind `ERROR`.
///
/// Grammars that are known to crash run in a child process where [`serve_if_asked`](crate::serve::serve_if_asked) has been
/// called.
pub(crate) fn parse(bytes: Vec<u8>, language: Language) -> Result<Tree, Refusal> {
    admit(&bytes, language)?;
    let steps = match child::program() {
        Some(program) if language.is_doubtful() => child::outline_in_child(program, &bytes, language)?,
        _ => outline(&bytes, language.grammar())?,
    };
    Ok(build(bytes, &steps, language.grammar()))
}

/// The number of syntax errors that the grammar sees in `bytes`.
pub(crate) fn errors(bytes: &[u8], language: Language) -> Result<u64, Refusal> {
    admit(bytes, language)?;
    match child::program() {
        Some(program) if language.is_doubtful() => child::errors_in_child(program, bytes, language),
        _ => errors_of(bytes, &language.parser()),
    }
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
