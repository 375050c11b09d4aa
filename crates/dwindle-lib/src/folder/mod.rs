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
use std::io;
use std::path::Path;

use dwindle_read::bundle::{Content, split};

/// Writes the folder that `text`, a variant of what is in the folder or archive at `input`, stands for to `path`, where nothing may
/// be yet; nothing happens where `input` is neither.
///
/// # Errors
///
/// What cannot be written; and that a file that is no text is not in `input` any more.
pub fn restore_folder(input: &Path, text: &[u8], path: &Path) -> Option<io::Result<()>> {
    // Of all files their bytes are wanted, by their hashes.
    let all = Selection::new(&[], &["*".to_owned()]).ok()?;
    let others = if input.is_dir() {
        read_folder(input, &all).map(|(_, others)| others).map_err(io::Error::other)
    } else {
        end_of(input)?;
        let unpacked = fs::read(input)
            .and_then(|bytes| unpack(input, &bytes).unwrap_or(Err(io::ErrorKind::InvalidData.into())));
        unpacked.map(|unpacked| bundle(unpacked.all, &all).1)
    };
    Some(others.and_then(|others| {
        for entry in split(text).unwrap_or_default() {
            if let Content::Other { name, .. } | Content::Kept { name, .. } = entry.content
                && others.bytes(&name).is_none()
            {
                let what = format!("{} is not in {} any more", entry.path.display(), input.display());
                return Err(io::Error::other(what));
            }
        }
        match fs::symlink_metadata(path) {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => others.write(path, text),
        }
    }))
}

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
