//! The files of journals: locked as long as a run writes to them, and replaced in one step.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{FlockOperation, flock};
use tempfile::NamedTempFile;

use super::JournalError;

/// How temporary files are called, before and behind what is random.
pub(super) const TEMPORARY: (&str, &str) = (".dwindle-", ".tmp");

/// Opens the file at `path`, if there is one, and locks it.
pub(super) fn lock_existing(path: &Path) -> Result<Option<File>, JournalError> {
    let io = |source| JournalError::io(path, source);
    loop {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => {}
            Ok(_) => return Err(JournalError::NoJournal { path: path.to_owned() }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(io(error)),
        }
        let file = match File::options().read(true).append(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(io)?,
        };
        lock(&file).map_err(|source| match source.kind() {
            io::ErrorKind::WouldBlock => JournalError::Taken { path: path.to_owned() },
            _ => io(source),
        })?;
        // Whoever held the lock may have put another file there, or none.
        let ours = file.metadata().map_err(io)?;
        if fs::metadata(path).is_ok_and(|there| (there.dev(), there.ino()) == (ours.dev(), ours.ino())) {
            return Ok(Some(file));
        }
    }
}

/// A locked file that will take the place of `path`.
pub(super) fn new_file(path: &Path) -> io::Result<NamedTempFile> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let (prefix, suffix) = TEMPORARY;
    let file = tempfile::Builder::new().prefix(prefix).suffix(suffix).append(true).tempfile_in(folder)?;
    lock(file.as_file())?;
    Ok(file)
}

fn lock(file: &File) -> io::Result<()> {
    Ok(flock(file, FlockOperation::NonBlockingLockExclusive)?)
}
