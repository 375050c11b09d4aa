//! The layout of the files that are left of a folder: each by its own language, like it was in the input.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use dwindle_core::Tree;
use dwindle_read::FrontEnd;
use dwindle_read::bundle::{Content, split};

use super::conventions::Conventions;
use super::ours::{has_layout, own_layout};
use crate::document::Document;

/// The bundle `result`, a variant of `folder`, with other white space in the files that have changed, as far as `admits` allows it.
/// Nothing where no file can have another layout.
pub(super) fn lay_out(result: &[u8], folder: &Document, admits: impl Fn(&[u8]) -> bool) -> Option<Vec<u8>> {
    let originals: HashMap<&Path, &[u8]> =
        folder.files().iter().map(|file| (&*file.path, &folder.bytes()[file.range.clone()])).collect();
    let entries = split(result)?;
    let files = entries.iter().filter_map(|entry| {
        let Content::Text { bytes, .. } = &entry.content else { return None };
        let (text, original) = (&result[bytes.clone()], *originals.get(&*entry.path)?);
        if text == original {
            return None;
        }
        let file = File::of(bytes.clone(), text, &entry.path, original)?;
        let laid = file.laid_out(|_| true)?;
        Some((file, laid))
    });
    let files: Vec<(File, Vec<u8>)> = files.collect();
    // A line of a file may have come to look like one between files.
    let entries = entries.len();
    let has_entries = |text: &[u8]| split(text).is_some_and(|found| found.len() == entries);
    let mut taken =
        Taken { result, parts: Vec::new(), admits: |text: &[u8]| has_entries(text) && admits(text) };
    taken.take(&files);
    (!taken.parts.is_empty()).then(|| replaced(result, &taken.parts))
}

/// A file of the result, with what its layout needs.
struct File {
    range: Range<usize>,
    tree: Tree,
    front_end: FrontEnd,
    conventions: Conventions,
}

impl File {
    /// Nothing where there is no grammar to say which white space means nothing.
    fn of(range: Range<usize>, text: &[u8], path: &Path, original: &[u8]) -> Option<Self> {
        let front_end = FrontEnd::recognise(path, original);
        if !has_layout(front_end) {
            return None;
        }
        let read = |bytes: &[u8]| {
            let (tree, reading) = dwindle_read::tree(bytes.to_vec(), front_end);
            reading.fallback.is_none().then_some(tree)
        };
        let tree = read(text).filter(|tree| !tree.text().is_empty())?;
        let conventions = read(original).map(|tree| Conventions::of(&tree)).unwrap_or_default();
        Some(Self { range, tree, front_end, conventions })
    }

    fn laid_out(&self, admits: impl Fn(&[u8]) -> bool) -> Option<Vec<u8>> {
        own_layout(&self.tree, self.front_end, &self.conventions, admits)
    }
}

/// The layouts that were taken so far, in the order of their files.
struct Taken<'a, F> {
    result: &'a [u8],
    parts: Vec<(Range<usize>, Vec<u8>)>,
    admits: F,
}

impl<F: Fn(&[u8]) -> bool> Taken<'_, F> {
    /// Takes the layouts of these files, but those that something to be kept stands against. Halves find the few.
    fn take(&mut self, files: &[(File, Vec<u8>)]) {
        let before = self.parts.len();
        self.parts.extend(files.iter().map(|(file, text)| (file.range.clone(), text.clone())));
        if files.is_empty() || (self.admits)(&replaced(self.result, &self.parts)) {
            return;
        }
        self.parts.truncate(before);
        match files {
            [(file, _)] => {
                let with = |text: &[u8]| {
                    let one = (file.range.clone(), text.to_vec());
                    replaced(self.result, &[&self.parts[..], &[one]].concat())
                };
                let lesser = file.laid_out(|text| (self.admits)(&with(text)));
                self.parts.extend(lesser.map(|text| (file.range.clone(), text)));
            }
            _ => {
                let (first, second) = files.split_at(files.len() / 2);
                self.take(first);
                self.take(second);
            }
        }
    }
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
