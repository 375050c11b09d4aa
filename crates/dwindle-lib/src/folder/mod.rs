//! Folders: from the files of a folder to a text (a `dwindle_read::bundle`) and back.

mod outline;
mod read;
mod write;

pub(crate) use outline::Outline;
pub(crate) use read::{Others, read_folder};
pub(crate) use write::Twins;

use std::path::Path;

/// The files of a folder as one text, as reports show it; nothing where `path` is no folder.
pub fn folder_as_text(path: &Path) -> Option<Vec<u8>> {
    path.is_dir().then(|| read_folder(path).ok().map(|(text, _)| text)).flatten()
}
