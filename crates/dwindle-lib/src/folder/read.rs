//! Reading a folder.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dwindle_read::bundle::{Item, join};

use super::selection::Selection;
use crate::error::Error;

/// Larger files are no texts: they stay or go as a whole.
const LARGEST_TEXT: usize = 16 << 20;

/// The files that are no texts, or stay as they are, by their names in a bundle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Others(Arc<HashMap<String, Arc<[u8]>>>);

impl Others {
    /// The bytes that have this name.
    pub(crate) fn bytes(&self, name: &str) -> Option<&[u8]> {
        self.0.get(name).map(|bytes| &bytes[..])
    }

    /// How many bytes there are.
    pub(crate) fn size(&self) -> usize {
        self.0.values().map(|bytes| bytes.len()).sum()
    }
}

/// What lies in a folder or an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A folder with these permissions.
    Folder(u32),
    /// A file with these permissions.
    File(u32, Vec<u8>),
    /// A symbolic link.
    Link(PathBuf),
}

/// The bundle of all that is in a folder, by name, and the files that are no texts or stay.
///
/// # Errors
///
/// What cannot be read, and what is neither file, folder nor link.
pub(crate) fn read_folder(folder: &Path, selection: &Selection) -> Result<(Vec<u8>, Others), Error> {
    let mut all = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(at) = open.pop() {
        let fail = |error: io::Error| Error::Input { path: at.clone(), what: error.to_string() };
        for entry in fs::read_dir(&at).map_err(fail)? {
            let path = entry.map_err(fail)?.path();
            let fail = |error: io::Error| Error::Input { path: path.clone(), what: error.to_string() };
            let about = fs::symlink_metadata(&path).map_err(fail)?;
            let mode = about.permissions().mode() & 0o777;
            let found = match about.file_type() {
                kind if kind.is_dir() => {
                    open.push(path.clone());
                    Found::Folder(mode)
                }
                kind if kind.is_symlink() => Found::Link(fs::read_link(&path).map_err(fail)?),
                kind if kind.is_file() => Found::File(mode, fs::read(&path).map_err(fail)?),
                _ => {
                    let what =
                        "it is neither a file nor a folder nor a link; move it out of the folder".to_owned();
                    return Err(Error::Input { path, what });
                }
            };
            all.push((path.strip_prefix(folder).unwrap_or(&path).to_owned(), found));
        }
    }
    Ok(bundle(all, selection))
}

/// The bundle of what was found, by name, and the files that are no texts or stay.
pub(crate) fn bundle(mut all: Vec<(PathBuf, Found)>, selection: &Selection) -> (Vec<u8>, Others) {
    all.sort_by(|one, other| one.0.cmp(&other.0));
    let mut others: HashMap<String, Arc<[u8]>> = HashMap::new();
    let names: Vec<Option<String>> = all
        .iter()
        .map(|(path, found)| match found {
            Found::File(_, bytes) if selection.keeps(path) || !is_text(bytes) => {
                let name = blake3::hash(bytes).to_hex().to_string();
                others.entry(name.clone()).or_insert_with(|| bytes[..].into());
                Some(name)
            }
            _ => None,
        })
        .collect();
    let items: Vec<(PathBuf, Item<'_>)> = all
        .iter()
        .zip(&names)
        .map(|((path, found), name)| {
            let item = match (found, name) {
                (Found::Folder(mode), _) => Item::Folder(*mode),
                (Found::Link(target), _) if selection.keeps(path) => Item::KeptLink(target),
                (Found::Link(target), _) => Item::Link(target),
                (Found::File(mode, _), Some(name)) if selection.keeps(path) => Item::Kept(*mode, name),
                (Found::File(mode, _), Some(name)) => Item::Other(*mode, name),
                (Found::File(mode, text), None) => Item::Text(*mode, text),
            };
            (path.clone(), item)
        })
        .collect();
    (join(&items), Others(Arc::new(others)))
}

/// Whether a file can be read as a text.
fn is_text(bytes: &[u8]) -> bool {
    bytes.len() <= LARGEST_TEXT && !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok()
}
