//! What a killed dwindle, and its killed keepers, have left.

use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::process::{Pid, Signal, geteuid, getpid, kill_process};

use crate::files::open_regular;
use crate::root::{FRESH, LOCK, PREFIX, RANDOM, remove_root};

/// How often processes of a folder are looked for. One that starts others without end and has no
/// keeper any more cannot be outrun for certain.
const ROUNDS: usize = 100;

/// Removes the folders of runs in `parents` whose owner is dead, and kills the tests there. Says what is
/// mounted there and cannot be unmounted.
pub(crate) fn sweep(parents: &[PathBuf]) -> Vec<PathBuf> {
    let entries = parents.iter().filter_map(|parent| fs::read_dir(parent).ok()).flatten().flatten();
    let mut stays = Vec::new();
    for entry in entries {
        let root = entry.path();
        let name = entry.file_name();
        if !name.as_bytes().starts_with(PREFIX.as_bytes()) || !is_ours(&root) {
            continue;
        }
        // Held until all is gone, so that nobody else sweeps here.
        if let Some(_lock) = take_lock(&root.join(LOCK)) {
            // What a test sees is the real path.
            if let Ok(root) = root.canonicalize() {
                kill_inside(&root);
                stays.extend(remove_root(&root).err());
            }
        } else if name.len() == PREFIX.len() + RANDOM {
            remove_unlocked(&root);
        }
    }
    stays
}

/// Removes the folder of a run that was killed before it had locked it.
///
/// If the run is only just about to, it sees that and makes another one; if it has locked it meanwhile, the
/// folder is not empty, and stays.
fn remove_unlocked(root: &Path) {
    let fresh = root.join(FRESH);
    if fs::symlink_metadata(&fresh).is_ok() {
        let Some(_lock) = take_lock(&fresh) else { return };
        let _ = fs::remove_file(&fresh);
    }
    let _ = fs::remove_dir(root);
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

/// A lock whose owner has died.
fn take_lock(path: &Path) -> Option<File> {
    let lock = open_regular(path).ok()?;
    lock.try_lock().ok()?;
    Some(lock)
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
        held.lock().unwrap();
        assert!(sweep(&[parent.path().to_owned(), path("none")]).is_empty());
        assert_eq!(names(parent.path()), ["dwindle-alive", "dwindle-bare", "dwindle-link", "other"]);
        assert!(path("other/1/2/run").exists());
    }

    fn names(folder: &Path) -> Vec<std::ffi::OsString> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    }

    #[test]
    fn folders_of_runs_that_were_killed_before_they_had_locked_them_are_swept() {
        let parent = tempfile::tempdir().unwrap();
        let path = |name: &str| parent.path().join(name);
        for name in
            ["dwindle-11111111", "dwindle-22222222", "dwindle-33333333", "dwindle-44444444", "dwindle-other"]
        {
            fs::create_dir(path(name)).unwrap();
        }
        fs::write(path("dwindle-22222222").join(FRESH), "").unwrap();
        fs::write(path("dwindle-33333333/something"), "").unwrap();
        let being_made = File::create_new(path("dwindle-44444444").join(FRESH)).unwrap();
        being_made.lock().unwrap();
        sweep(&[parent.path().to_owned()]);
        assert_eq!(names(parent.path()), ["dwindle-33333333", "dwindle-44444444", "dwindle-other"]);
    }

    #[test]
    fn a_lock_that_is_no_file_is_not_waited_for() {
        let parent = tempfile::tempdir().unwrap();
        let root = parent.path().join("dwindle-11111111");
        for name in [LOCK, FRESH] {
            fs::create_dir_all(&root).unwrap();
            let pipe = std::process::Command::new("mkfifo").arg(root.join(name)).status().unwrap();
            assert!(pipe.success());
            sweep(&[parent.path().to_owned()]);
            assert!(root.exists(), "it says nothing about its owner");
        }
    }
}
