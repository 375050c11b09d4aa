//! Which candidates are not worth a question.

use std::ops::Range;

use dwindle_read::{FrontEnd, regions};

use crate::document::{Document, File};
use crate::error::Error;
use crate::folder::Outline;
use crate::keep::{Keep, Pattern};

/// What every candidate must hold, and what those of a folder must be.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    keep: Keep,
    outline: Option<Outline>,
}

impl Filter {
    /// That of a document of which the user wants to keep what these patterns match, and regions between marks.
    /// The front end is that of a single file, where its language is not to be recognised.
    pub(crate) fn new(
        keep: &[Pattern],
        front_end: Option<FrontEnd>,
        document: &Document,
    ) -> Result<Self, Error> {
        let outline = document.others().map(|_| Outline::of(document.bytes()));
        let front_end = front_end.filter(|_| outline.is_none());
        let regions = regions_of(document, front_end)?;
        Ok(Self { keep: Keep::new(keep, regions, document.bytes(), document.path())?, outline })
    }

    /// Whether to ask about a candidate.
    pub(crate) fn admits(&self, candidate: &[u8]) -> bool {
        self.keep.admits(candidate) && self.outline.as_ref().is_none_or(|outline| outline.admits(candidate))
    }
}

/// The regions of all files.
fn regions_of(document: &Document, front_end: Option<FrontEnd>) -> Result<Vec<Range<usize>>, Error> {
    let mut all = Vec::new();
    for File { path, range, .. } in document.files() {
        let bytes = &document.bytes()[range.clone()];
        let found = regions(bytes, || front_end.unwrap_or_else(|| FrontEnd::recognise(path, bytes)));
        let found = found.map_err(|what| match document.others() {
            Some(_) => Error::Region { path: document.path().join(path), what },
            None => Error::Region { path: path.clone(), what },
        })?;
        all.extend(found.into_iter().map(|region| range.start + region.start..range.start + region.end));
    }
    Ok(all)
}
