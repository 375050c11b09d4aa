//! Which candidates are not worth a question.

use std::ops::Range;
use std::path::PathBuf;

use dwindle_read::bundle::{Content, split};
use dwindle_read::{FrontEnd, Regions, has_marks, regions};
use memchr::memmem;

use crate::document::{Document, File};
use crate::error::Error;
use crate::folder::Outline;
use crate::keep::{Keep, Pattern};
use crate::report::Warning;

/// What every candidate must hold, and what those of a folder must be.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    keep: Keep,
    outline: Option<Outline>,
    /// The files of a folder that have regions, and these: they stay in their own file.
    homes: Vec<(PathBuf, Vec<Vec<u8>>)>,
}

impl Filter {
    /// That of a document of which the user wants to keep what these patterns match, and regions between marks; and what to say
    /// about marks that keep nothing. The front end is that of a single file, where its language is not to be recognised.
    pub(crate) fn new(
        keep: &[Pattern],
        front_end: Option<FrontEnd>,
        document: &Document,
    ) -> Result<(Self, Option<Warning>), Error> {
        let outline = document.others().map(|_| Outline::of(document.bytes()));
        let front_end = front_end.filter(|_| outline.is_none());
        let (regions, mut stray) = regions_of(document, front_end)?;
        let homes = if outline.is_some() { homes(document, &regions) } else { Vec::new() };
        stray.extend(marks_in_others(document));
        let filter =
            Self { keep: Keep::new(keep, regions, document.bytes(), document.path())?, outline, homes };
        let more = stray.len().saturating_sub(1);
        let warning = stray.into_iter().next().map(|(path, line)| Warning::NoMark { path, line, more });
        Ok((filter, warning))
    }

    /// Whether to ask about a candidate.
    pub(crate) fn admits(&self, candidate: &[u8]) -> bool {
        self.keep.admits(candidate)
            && self.outline.as_ref().is_none_or(|outline| outline.admits(candidate))
            && (self.homes.is_empty() || self.are_at_home(candidate))
    }

    /// Whether each file that has regions is there, with them.
    fn are_at_home(&self, candidate: &[u8]) -> bool {
        let entries = split(candidate).unwrap_or_default();
        self.homes.iter().all(|(path, regions)| {
            entries.iter().any(|entry| match &entry.content {
                Content::Text { bytes, .. } if entry.path == *path => {
                    let file = &candidate[bytes.clone()];
                    regions.iter().all(|region| memmem::find(file, region).is_some())
                }
                _ => false,
            })
        })
    }
}

/// The files with regions, and these.
fn homes(document: &Document, regions: &[Range<usize>]) -> Vec<(PathBuf, Vec<Vec<u8>>)> {
    let files = document.files().iter().map(|file| {
        let inside =
            regions.iter().filter(|region| file.range.start <= region.start && region.end <= file.range.end);
        (
            file.path.clone(),
            inside.map(|region| document.bytes()[region.clone()].to_vec()).collect::<Vec<_>>(),
        )
    });
    files.filter(|(_, regions)| !regions.is_empty()).collect()
}

/// A file, and the line of it with what looks like a mark; none where the file is no text.
type Elsewhere = (PathBuf, Option<usize>);

/// The regions of all files, and what looks like a mark and is none.
fn regions_of(
    document: &Document,
    front_end: Option<FrontEnd>,
) -> Result<(Vec<Range<usize>>, Vec<Elsewhere>), Error> {
    let (mut all, mut elsewhere) = (Vec::new(), Vec::new());
    for File { path, range, .. } in document.files() {
        let bytes = &document.bytes()[range.clone()];
        let path_of = || match document.others() {
            Some(_) => document.path().join(path),
            None => path.clone(),
        };
        let Regions { kept, stray } =
            regions(bytes, || front_end.unwrap_or_else(|| FrontEnd::recognise(path, bytes)))
                .map_err(|what| Error::Region { path: path_of(), what })?;
        all.extend(kept.into_iter().map(|region| range.start + region.start..range.start + region.end));
        elsewhere.extend(stray.into_iter().map(|line| (path_of(), Some(line))));
    }
    Ok((all, elsewhere))
}

/// Files that dwindle does not look into, with marks that somebody may have put there. Programs have no marks.
fn marks_in_others(document: &Document) -> Vec<Elsewhere> {
    let Some(others) = document.others() else { return Vec::new() };
    let entries = split(document.bytes()).unwrap_or_default().into_iter();
    let marked = entries.filter_map(|entry| match entry.content {
        Content::Other { name, .. } => {
            let bytes = others.bytes(&name)?;
            (has_marks(bytes) && !bytes.contains(&0)).then(|| (document.path().join(entry.path), None))
        }
        _ => None,
    });
    marked.collect()
}
