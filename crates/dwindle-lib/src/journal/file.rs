//! The files of journals: locked as long as a run writes to them, and replaced in one step.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::ops::Deref;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use dwindle_run::open_regular;
use tempfile::NamedTempFile;

use super::JournalError;
use crate::paths::folder_of;

/// How temporary files are called, before the number of the process and behind what is random.
const TEMPORARY: (&str, &str) = (".dwindle-", ".tmp");

/// A file that no other run writes to.
#[derive(Debug)]
pub(super) struct Locked(File);

impl Deref for Locked {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl Drop for Locked {
    /// Closing would not do at once: a child that is just being started has a copy until it becomes
    /// another program.
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

/// Opens the file at `path`, if there is one, and locks it.
pub(super) fn lock_existing(path: &Path) -> Result<Option<Locked>, JournalError> {
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
        let file = lock(file).map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::Taken { path: path.to_owned() },
            TryLockError::Error(source) => io(source),
        })?;
        // Whoever held the lock may have put another file there, or none.
        let ours = file.metadata().map_err(io)?;
        if fs::metadata(path).is_ok_and(|there| (there.dev(), there.ino()) == (ours.dev(), ours.ino())) {
            return Ok(Some(file));
        }
    }
}

/// A file that takes the place of another when it is written.
#[derive(Debug)]
pub(super) struct NewFile(NamedTempFile);

impl NewFile {
    /// One that can become the file at `path`.
    pub(super) fn beside(path: &Path) -> io::Result<Self> {
        let prefix = format!("{}{}-", TEMPORARY.0, std::process::id());
        let mut builder = tempfile::Builder::new();
        let file = builder.prefix(&prefix).suffix(TEMPORARY.1).append(true).tempfile_in(folder_of(path))?;
        file.as_file().try_lock()?;
        Ok(Self(file))
    }

    /// Makes it the locked file at `path` when it has reached the disk; if there must be no such file
    /// yet, one that is there is an error.
    pub(super) fn persist(self, path: &Path, replace: bool) -> io::Result<Locked> {
        self.0.as_file().sync_data()?;
        let file = if replace { self.0.persist(path)? } else { self.0.persist_noclobber(path)? };
        Ok(Locked(file))
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // By itself, so that no error names it.
        self.0.as_file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.as_file().flush()
    }
}

/// Removes the temporary files beside `path` that killed processes have left. One of a process that lives, or that
/// holds it locked where it cannot be seen, stays.
pub(super) fn remove_abandoned(path: &Path) {
    for entry in fs::read_dir(folder_of(path)).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let middle = name.to_str().and_then(|name| name.strip_prefix(TEMPORARY.0)?.strip_suffix(TEMPORARY.1));
        let process = middle.and_then(|middle| middle.split_once('-')?.0.parse::<u32>().ok());
        let has_died = |process: u32| !Path::new("/proc").join(process.to_string()).exists();
        if process.is_some_and(has_died)
            && let Ok(file) = open_regular(&entry.path())
            && let Ok(_locked) = lock(file)
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn lock(file: File) -> Result<Locked, TryLockError> {
    file.try_lock()?;
    Ok(Locked(file))
}
