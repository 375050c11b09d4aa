//! Which candidates are not worth a question.

use crate::document::Document;
use crate::folder::Outline;
use crate::keep::{Keep, NothingToKeep, Pattern};

/// What every candidate must hold, and what those of a folder must be.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    keep: Keep,
    outline: Option<Outline>,
}

impl Filter {
    /// That of a document of which the user wants to keep what these patterns match.
    pub(crate) fn new(keep: &[Pattern], document: &Document) -> Result<Self, NothingToKeep> {
        let outline = document.others().map(|_| Outline::of(document.bytes()));
        Ok(Self { keep: Keep::new(keep, document.bytes(), document.path())?, outline })
    }

    /// Whether to ask about a candidate.
    pub(crate) fn admits(&self, candidate: &[u8]) -> bool {
        self.keep.admits(candidate) && self.outline.as_ref().is_none_or(|outline| outline.admits(candidate))
    }
}
