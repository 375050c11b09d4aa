//! The folder of a run on one file system: the names in it, and how it goes.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::files::open_regular;
use crate::remove::remove;

/// How the names of the folders of runs begin.
pub(crate) const PREFIX: &str = "dwindle-";
/// How many random characters follow.
pub(crate) const RANDOM: usize = 8;
/// The file in it that the run holds locked as long as it lives.
pub(crate) const LOCK: &str = "lock";
/// The name of that file before it is locked.
pub(crate) const FRESH: &str = "fresh";
/// The folder of dwindle's own in it, if it has one.
pub(crate) const OWN: &str = "own";
/// The file in the place of a test that holds what a program has printed whose output is wanted whole.
pub(crate) const PRINTED: &str = "printed";

/// Removes the folder of a run, or says where something is mounted in it that cannot be unmounted.
pub(crate) fn remove_root(root: &Path) -> Result<(), PathBuf> {
    remove(root, Path::new("")).inspect_err(|_| {
        // By it a later start knows what the folder is.
        let _ = File::create_new(root.join(LOCK));
    })
}

/// Removes the folder of a run whose owner is just dying, once the last keeper has removed its own.
pub(crate) fn remove_if_abandoned(root: &Path) {
    let Ok(lock) = open_regular(&root.join(LOCK)) else { return };
    // The owner's files are closed one after the other.
    for _ in 0..200 {
        if lock.try_lock().is_ok() {
            let mut entries = fs::read_dir(root).into_iter().flatten().flatten();
            if entries.all(|entry| entry.file_name() == LOCK || entry.file_name() == OWN) {
                // Nobody listens to what would have to be said.
                let _ = remove_root(root);
            }
            return;
        }
        thread::sleep(Duration::from_millis(5));
    }
}
