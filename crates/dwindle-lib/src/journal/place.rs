//! Where journals lie, and which of them go when there are too many.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::file::lock_existing;
use super::record::{FINISHED_LENGTH, Record};
use super::{JournalError, Subject};

/// After so long without a change, what an unfinished reduction has left counts as given up.
pub const GIVEN_UP: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Where a journal lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In this folder, under a name that tells what it is about.
    Folder(PathBuf),
    /// In this file.
    File(PathBuf),
}

impl Place {
    /// The user's folder for journals: `$XDG_STATE_HOME/dwindle`, else `$HOME/.local/state/dwindle`.
    pub fn state() -> Result<Self, JournalError> {
        // A relative path in the variable is to be ignored, says the XDG specification.
        let absolute =
            |name| std::env::var_os(name).map(PathBuf::from).filter(|path: &PathBuf| path.is_absolute());
        let folder = absolute("XDG_STATE_HOME")
            .or_else(|| absolute("HOME").map(|home| home.join(".local/state")))
            .ok_or(JournalError::Homeless)?;
        Ok(Self::Folder(folder.join("dwindle")))
    }

    /// The file of the journal about `subject`, in a folder that is there.
    pub(super) fn path(&self, subject: &Subject<'_>) -> Result<PathBuf, JournalError> {
        match self {
            Self::Folder(folder) => {
                // Journals hold inputs, and these may be private.
                let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
                made.map_err(|source| JournalError::io(folder, source))?;
                Ok(folder.join(subject.file_name()))
            }
            // What a link points to is written to, as everywhere.
            Self::File(path) => Ok(path.canonicalize().unwrap_or_else(|_| path.clone())),
        }
    }
}

/// The journals in a folder, which need not be there, in no order.
pub(super) fn journals(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    // A pipe would be waited for.
    let is_journal = |path: &PathBuf| has_suffix(path, ".journal") && path.is_file();
    paths.filter(|path| path.as_ref().map_or(true, is_journal)).collect()
}

fn has_suffix(path: &Path, suffix: &str) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(suffix.as_bytes())
}

/// Removes journals from a folder until all of them together are within the limit: first the finished
/// ones, oldest first, then unfinished ones that nothing was written to for 30 days. The one at `own`
/// stays, and so does any that is in use.
pub(super) fn tidy(folder: &Path, own: &Path, limit: u64) -> io::Result<()> {
    let age = |written: SystemTime| written.elapsed().unwrap_or_default();
    let mut total = 0;
    let mut removable = Vec::new();
    for path in journals(folder)? {
        // Another run may be tidying too.
        let Ok(file) = File::open(&path) else { continue };
        let metadata = file.metadata()?;
        total += metadata.len();
        let written = metadata.modified()?;
        let unfinished = !is_finished(&file, metadata.len())?;
        if path != own && (!unfinished || age(written) > GIVEN_UP) {
            removable.push((unfinished, written, metadata.len(), path));
        }
    }
    removable.sort_by_key(|&(unfinished, written, ..)| (unfinished, written));
    for (_, _, length, path) in removable {
        if total <= limit {
            break;
        }
        if let Ok(Some(_locked)) = lock_existing(&path) {
            fs::remove_file(&path)?;
            total -= length;
        }
    }
    Ok(())
}

/// Whether the last record is the one of the end.
fn is_finished(file: &File, length: u64) -> io::Result<bool> {
    let Some(at) = length.checked_sub(FINISHED_LENGTH) else { return Ok(false) };
    let mut last = [0; FINISHED_LENGTH as usize];
    file.read_exact_at(&mut last, at)?;
    Ok(last[..] == Record::Finished.encode()?)
}
