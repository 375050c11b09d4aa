//! Reading a folder.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dwindle_read::bundle::{Item, join};

use crate::error::Error;

/// Larger files are no texts: they stay or go as a whole.
const LARGEST_TEXT: usize = 16 << 20;

/// The files that are no texts, by their names in a bundle.
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

/// What lies in a folder.
enum Found {
    Folder(u32),
    Text(u32, Vec<u8>),
    Other(u32, String),
    Link(PathBuf),
}

/// The bundle of all that is in a folder, by name, and the files that are no texts.
///
/// # Errors
///
/// What cannot be read, and what is neither file, folder nor link.
pub(crate) fn read_folder(folder: &Path) -> Result<(Vec<u8>, Others), Error> {
    let mut others = HashMap::new();
    let mut found = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(inside) = open.pop() {
        let at = folder.join(&inside);
        let fail = |error: io::Error| Error::Input { path: at.clone(), what: error.to_string() };
        // The last is opened first: what is in a folder follows it.
        let about =
            if inside.as_os_str().is_empty() { None } else { Some(fs::symlink_metadata(&at).map_err(fail)?) };
        if let Some(about) = &about {
            let mode = about.permissions().mode() & 0o777;
            let here = match about.file_type() {
                kind if kind.is_dir() => Found::Folder(mode),
                kind if kind.is_symlink() => Found::Link(fs::read_link(&at).map_err(fail)?),
                kind if kind.is_file() => {
                    let bytes = fs::read(&at).map_err(fail)?;
                    if is_text(&bytes) {
                        Found::Text(mode, bytes)
                    } else {
                        let name = blake3::hash(&bytes).to_hex().to_string();
                        others.insert(name.clone(), bytes.into());
                        Found::Other(mode, name)
                    }
                }
                _ => {
                    let what =
                        "it is neither a file nor a folder nor a link; move it out of the folder".to_owned();
                    return Err(Error::Input { path: at, what });
                }
            };
            found.push((inside.clone(), here));
        }
        if about.is_none_or(|about| about.is_dir()) {
            let entries = fs::read_dir(&at).map_err(fail)?;
            let mut names = entries
                .map(|entry| entry.map(|entry| inside.join(entry.file_name())))
                .collect::<io::Result<Vec<_>>>()
                .map_err(fail)?;
            names.sort_by(|one, other| other.cmp(one));
            open.extend(names);
        }
    }
    let items: Vec<(PathBuf, Item<'_>)> = found
        .iter()
        .map(|(path, found)| {
            let item = match found {
                Found::Folder(mode) => Item::Folder(*mode),
                Found::Text(mode, text) => Item::Text(*mode, text),
                Found::Other(mode, name) => Item::Other(*mode, name),
                Found::Link(target) => Item::Link(target),
            };
            (path.clone(), item)
        })
        .collect();
    Ok((join(&items), Others(Arc::new(others))))
}

/// Whether a file can be read as a text.
fn is_text(bytes: &[u8]) -> bool {
    bytes.len() <= LARGEST_TEXT && !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok()
}
