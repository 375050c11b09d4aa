//! Where tests run: a private folder for the whole run, and in it a fresh one for every test.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{StatVfsMountFlags, statfs, statvfs};
use tempfile::TempDir;

/// The magic number of a memory file system (`TMPFS_MAGIC` of `statfs(2)`).
const TMPFS: i64 = 0x0102_1994;
/// What a memory file system must have free: tests write more than the candidate.
const ROOM: u64 = 1 << 30;

/// The folder of a run; removed with all that is in it when dropped.
#[derive(Debug)]
pub(crate) struct Workspace {
    root: TempDir,
    /// The real path of `root`, so that tests see the name that `pwd` prints.
    path: PathBuf,
    used: u64,
}

/// The folder of one test: `run` with the candidate, and `tmp`, which is empty.
#[derive(Debug)]
pub(crate) struct Place {
    folder: PathBuf,
    pub(crate) candidate: PathBuf,
}

impl Workspace {
    /// A folder on a memory file system with room for tests of an input of `size` bytes, else in
    /// the system's folder for temporary files.
    pub(crate) fn new(size: usize) -> io::Result<Self> {
        let temp = std::env::temp_dir();
        let memory = [temp.as_path(), Path::new("/dev/shm")];
        let in_memory = |parent: &&&Path| has_room_in_memory(parent, size as u64);
        let builder = || tempfile::Builder::new().prefix("dwindle-").rand_bytes(8).to_owned();
        let root = memory
            .iter()
            .filter(|parent| in_memory(parent))
            .find_map(|parent| builder().tempdir_in(parent).ok());
        let root = match root {
            Some(root) => root,
            None => builder().tempdir_in(&temp)?,
        };
        Ok(Self { path: root.path().canonicalize()?, root, used: 0 })
    }

    /// A fresh place with `candidate` in a file of this name.
    pub(crate) fn place(&mut self, name: &Path, candidate: &[u8], mode: u32) -> io::Result<Place> {
        let folder = self.path.join(self.used.to_string());
        self.used += 1;
        let place = Place { candidate: folder.join("run").join(name), folder };
        fs::create_dir(&place.folder)?;
        fs::create_dir(place.run())?;
        fs::create_dir(place.tmp())?;
        let mut file = File::options().write(true).create_new(true).mode(mode).open(&place.candidate)?;
        file.write_all(candidate)?;
        Ok(place)
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        remove(self.root.path());
    }
}

impl Place {
    pub(crate) fn run(&self) -> PathBuf {
        self.folder.join("run")
    }

    pub(crate) fn tmp(&self) -> PathBuf {
        self.folder.join("tmp")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        remove(&self.folder);
    }
}

fn has_room_in_memory(parent: &Path, size: u64) -> bool {
    let (Ok(kind), Ok(room)) = (statfs(parent), statvfs(parent)) else { return false };
    // Tests compile programs and run them, and a container's /dev/shm may forbid that.
    let executable = !room.f_flag.contains(StatVfsMountFlags::NOEXEC);
    kind.f_type == TMPFS && executable && room.f_bavail * room.f_frsize >= ROOM.max(64 * size)
}

/// Removes a folder, also where a test has taken its own rights away. What cannot be removed now
/// (something still writes there) goes with the folder of the run.
fn remove(folder: &Path) {
    if fs::remove_dir_all(folder).is_err() {
        unlock(folder);
        let _ = fs::remove_dir_all(folder);
    }
}

fn unlock(folder: &Path) {
    let _ = fs::set_permissions(folder, Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            unlock(&entry.path());
        }
    }
}
