//! The layout of the files that are left of a folder: each by its own language, like it was in the input.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use dwindle_read::FrontEnd;
use dwindle_read::bundle::{Content, split};
use memchr::memmem;

use super::conventions::Conventions;
use super::ours::{has_layout, own_layout};
use crate::document::Document;

/// The bundle `result`, a variant of `folder`, with other white space in the files that have changed, as far as `admits` allows it.
/// Nothing where no file can have another layout.
pub(super) fn lay_out(result: &[u8], folder: &Document, admits: impl Fn(&[u8]) -> bool) -> Option<Vec<u8>> {
    let originals: HashMap<&Path, &[u8]> =
        folder.files().iter().map(|file| (&*file.path, &folder.bytes()[file.range.clone()])).collect();
    let mut laid: Vec<(Range<usize>, Vec<u8>)> = Vec::new();
    for entry in split(result)? {
        if let Content::Text { bytes, .. } = entry.content
            && let Some(original) = originals.get(&*entry.path)
            && *original != &result[bytes.clone()]
            && let Some(text) = file(&entry.path, &result[bytes.clone()], original)
        {
            laid.push((bytes, text));
        }
    }
    if laid.is_empty() {
        return None;
    }
    let with = |laid: &[(Range<usize>, Vec<u8>)]| Some(replaced(result, laid)).filter(|text| admits(text));
    with(&laid).or_else(|| {
        // What is to be kept in one file is no reason to leave the others as they are.
        laid.retain(|one| with(std::slice::from_ref(one)).is_some());
        with(&laid)
    })
}

/// A file laid out like its original, if there is a way.
fn file(path: &Path, text: &[u8], original: &[u8]) -> Option<Vec<u8>> {
    let read = |bytes: &[u8]| {
        let front_end = FrontEnd::recognise(path, bytes);
        has_layout(front_end).then(|| (dwindle_read::tree(bytes.to_vec(), front_end).0, front_end))
    };
    let (tree, front_end) = read(text).filter(|(tree, _)| !tree.text().is_empty())?;
    let conventions = read(original).map(|(tree, _)| Conventions::of(&tree)).unwrap_or_default();
    // A line that begins like those between files would be taken for one.
    let is_apart = |text: &[u8]| !text.starts_with(b"=====") && memmem::find(text, b"\n=====").is_none();
    own_layout(&tree, front_end, &conventions, is_apart)
}

/// A text with others in the place of these parts.
fn replaced(text: &[u8], parts: &[(Range<usize>, Vec<u8>)]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut behind = 0;
    for (range, new) in parts {
        out.extend_from_slice(&text[behind..range.start]);
        out.extend_from_slice(new);
        behind = range.end;
    }
    out.extend_from_slice(&text[behind..]);
    out
}
