//! What a killed dwindle, and its killed keepers, have left.

use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};
use rustix::process::{Pid, Signal, geteuid, getpid, kill_process};

use crate::workspace::{LOCK, PREFIX, remove};

/// How often processes of a folder are looked for. One that starts others without end and has no
/// keeper any more cannot be outrun for certain.
const ROUNDS: usize = 100;

/// Removes the folders of runs in `parents` whose owner is dead, and kills the tests there.
pub(crate) fn sweep(parents: &[PathBuf]) {
    let entries = parents.iter().filter_map(|parent| fs::read_dir(parent).ok()).flatten().flatten();
    for entry in entries {
        let root = entry.path();
        if entry.file_name().as_bytes().starts_with(PREFIX.as_bytes()) && is_ours(&root) {
            // Held until all is gone, so that nobody else sweeps here.
            let Some(_lock) = take_lock(&root) else { continue };
            // What a test sees is the real path.
            if let Ok(root) = root.canonicalize() {
                kill_inside(&root);
                remove(&root);
            }
        }
    }
}

/// Kills the processes whose `TMPDIR` lies in `folder`: tests that have no keeper any more.
pub(crate) fn kill_inside(folder: &Path) {
    let inside = [b"TMPDIR=", folder.as_os_str().as_bytes(), b"/"].concat();
    for _ in 0..ROUNDS {
        let mut found = false;
        for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let pid = process.file_name().to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw);
            let environment = fs::read(process.path().join("environ")).unwrap_or_default();
            let mut variables = environment.split(|&byte| byte == 0);
            if let Some(pid) = pid
                && pid != getpid()
                && variables.any(|variable| variable.starts_with(&inside))
            {
                found |= kill_process(pid, Signal::KILL).is_ok();
            }
        }
        if !found {
            return;
        }
    }
}

/// A folder, no link to one, and of this very user.
fn is_ours(root: &Path) -> bool {
    fs::symlink_metadata(root).is_ok_and(|found| found.is_dir() && found.uid() == geteuid().as_raw())
}

/// The lock of a run whose owner has died.
fn take_lock(root: &Path) -> Option<File> {
    let lock =
        open(root.join(LOCK), OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty()).ok()?;
    flock(&lock, FlockOperation::NonBlockingLockExclusive).ok()?;
    Some(lock.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_folders_whose_lock_is_free_are_swept() {
        let parent = tempfile::tempdir().unwrap();
        let path = |name: &str| parent.path().join(name);
        for name in ["dwindle-dead", "dwindle-alive", "dwindle-bare", "other"] {
            fs::create_dir_all(path(name).join("1/2/run")).unwrap();
            if name != "dwindle-bare" {
                fs::write(path(name).join(LOCK), "").unwrap();
            }
        }
        symlink("other", path("dwindle-link")).unwrap();
        let held = File::open(path("dwindle-alive").join(LOCK)).unwrap();
        flock(&held, FlockOperation::LockExclusive).unwrap();
        sweep(&[parent.path().to_owned(), path("none")]);
        let mut left: Vec<_> =
            fs::read_dir(parent.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["dwindle-alive", "dwindle-bare", "dwindle-link", "other"]);
        assert!(path("other/1/2/run").exists());
    }
}
