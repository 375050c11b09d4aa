//! Folders: from the files of a folder to a text (a `dwindle_read::bundle`) and back.

mod archive;
mod outline;
mod read;
mod selection;
mod write;

pub(crate) use archive::{Packing, Unpacked, end_of, unpack};
pub(crate) use outline::Outline;
pub(crate) use read::{Others, bundle, read_folder};
pub use selection::Selection;
pub(crate) use write::Twins;

use std::fs;
use std::path::Path;

/// The files of a folder or an archive as one text, as reports show it; nothing where `path` is neither.
pub fn folder_as_text(path: &Path) -> Option<Vec<u8>> {
    let selection = Selection::default();
    if path.is_dir() {
        return read_folder(path, &selection).ok().map(|(text, _)| text);
    }
    end_of(path)?;
    let unpacked = unpack(path, &fs::read(path).ok()?)?.ok()?;
    Some(bundle(unpacked.all, &selection).0)
}
