//! Grammars that users bring, where this crate is built without what reads them: there are none.

use dwindle_core::Tree;

/// A grammar that was loaded.
#[derive(Clone, Copy, Debug)]
pub enum Brought {}

impl Brought {
    /// The name of its file.
    pub fn name(self) -> &'static str {
        match self {}
    }

    pub(crate) fn parse(self, _: Vec<u8>) -> Result<Tree, String> {
        match self {}
    }

    pub(crate) fn too_coarse(self, _: &[u8]) -> Option<String> {
        match self {}
    }

    pub(crate) fn errors(self, _: &[u8]) -> Option<u64> {
        match self {}
    }
}

pub(crate) mod compiled {
    use std::path::Path;

    use crate::node_types::Grammar;

    pub(crate) fn grammar(_: &Path) -> Result<&'static Grammar, ()> {
        Err(())
    }

    pub(crate) fn parser(_: &Path) -> Result<tree_sitter::Language, ()> {
        Err(())
    }
}
