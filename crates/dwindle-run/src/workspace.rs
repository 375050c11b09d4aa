//! Where tests run: a private folder for the whole run, in it one for every runner, and in that a
//! fresh one for every test. Nobody else can look into them: an input may be private.

use std::fmt::Debug;
use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::fs::{StatVfs, StatVfsMountFlags, statfs, statvfs};

use crate::files::open_regular;
use crate::lay::{Known, Laid, lay};
use crate::remove::{has_mounts, remove};
use crate::root::{FRESH, LOCK, OWN, PREFIX, PRINTED, RANDOM, remove_root};
use crate::sweep::sweep;

/// How often a folder is made that another start takes for an abandoned one before it is locked.
const TRIES: u32 = 10;
/// The permissions of folders.
const PRIVATE: u32 = 0o700;
/// The magic number of a memory file system (`TMPFS_MAGIC` of `statfs(2)`).
const TMPFS: i64 = 0x0102_1994;
/// What a memory file system must have free: tests write more than the candidate.
const ROOM: u64 = 1 << 30;
/// Where the last candidate of a runner lies that was a folder.
const KEPT: &str = "kept";
/// What a disk should have free.
const ROOM_ON_DISK: u64 = 64 << 20;

/// What candidates are written to.
#[derive(Debug)]
pub struct CandidateFile {
    /// Its base name.
    pub name: PathBuf,
    /// Its permissions.
    pub mode: u32,
    /// What lies beside it, under other names.
    pub beside: Vec<FixedFile>,
    /// Where it is a folder, what lies in it.
    pub unfold: Option<Arc<dyn Unfold>>,
}

/// Says what lies in a folder.
pub trait Unfold: Debug + Send + Sync {
    /// What lies in the folder that these bytes stand for.
    fn unfold<'a>(&'a self, candidate: &'a [u8]) -> Vec<Laid<'a>>;
}

/// A file that is the same beside every candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedFile {
    /// Its base name.
    pub name: PathBuf,
    /// Its permissions.
    pub mode: u32,
    /// What it holds.
    pub bytes: Arc<[u8]>,
}

/// The folders of a run, for all its runners.
#[derive(Debug)]
pub struct Workspace {
    /// Where new places are made.
    current: Mutex<Arc<Root>>,
    /// Where that can be when memory is full.
    disks: Vec<PathBuf>,
    runners: AtomicU64,
    stays: Arc<Mutex<Stays>>,
}

/// What is mounted in folders and cannot be unmounted, so that it stays.
#[derive(Debug, Default)]
struct Stays {
    untold: Vec<PathBuf>,
    /// Whether one of this run's tests has mounted some; what the others mount is not told.
    of_test: bool,
}

/// A folder on one file system; removed with all that is in it when dropped.
#[derive(Debug)]
pub(crate) struct Root {
    /// The real path, so that tests see the name that `pwd` prints.
    path: PathBuf,
    /// Locked, so that nobody sweeps here.
    _lock: File,
    in_memory: bool,
    /// With less free than this, a refusal may be for want of room.
    enough: Room,
    stays: Arc<Mutex<Stays>>,
}

/// The part of a root that one runner uses.
#[derive(Debug)]
pub(crate) struct Folder {
    root: Arc<Root>,
    pub(crate) path: PathBuf,
    used: u64,
    /// What is known of the last candidate that was a folder; it lies in [`KEPT`].
    known: Known,
}

/// The folder of one test: `run` with the candidate, and `tmp`, which is empty.
#[derive(Debug)]
pub(crate) struct Place {
    root: Arc<Root>,
    folder: PathBuf,
    pub(crate) candidate: PathBuf,
    /// Where a candidate that is a folder goes when the test has ended.
    kept: Option<PathBuf>,
}

/// What is free on a file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Room {
    bytes: u64,
    /// How many files more there can be.
    files: u64,
}

impl Workspace {
    /// A folder on a memory file system with room for tests of an input of `size` bytes, else in
    /// the system's folder for temporary files. What earlier runs have left there is removed.
    pub fn new(size: usize) -> io::Result<Self> {
        let temp = std::env::temp_dir();
        let disks = vec![temp.clone(), "/var/tmp".into()];
        let memory = [temp, "/dev/shm".into()];
        let untold = sweep(&[&disks[..], &memory[1..]].concat());
        let stays = Arc::new(Mutex::new(Stays { untold, of_test: false }));
        let room = ROOM.max(64 * size as u64);
        let root = memory
            .iter()
            .filter(|parent| has_room_in_memory(parent, room))
            .find_map(|parent| Root::new(parent, Some(room), &stays).ok());
        let root = match root {
            Some(root) => root,
            None => Root::new(&disks[0], None, &stays)?,
        };
        Ok(Self { current: Mutex::new(Arc::new(root)), disks, runners: AtomicU64::new(0), stays })
    }

    /// Mount points that stay, and were not told yet.
    pub(crate) fn take_stays(&self) -> Vec<PathBuf> {
        std::mem::take(&mut self.stays.lock().unwrap_or_else(PoisonError::into_inner).untold)
    }

    /// A folder for one more runner, or for one that has no room any more.
    pub(crate) fn folder(&self) -> io::Result<Folder> {
        let root = self.current().clone();
        let path = root.path.join(self.runners.fetch_add(1, Ordering::Relaxed).to_string());
        make_private(&path)?;
        Ok(Folder { root, path, used: 0, known: Known::default() })
    }

    /// A folder of dwindle's own, which goes with the others.
    pub fn own_folder(&self) -> io::Result<PathBuf> {
        let path = self.current().path.join(OWN);
        make_private(&path)?;
        Ok(path)
    }

    /// Where folders are made now.
    pub(crate) fn place(&self) -> PathBuf {
        self.current().path.clone()
    }

    /// Leaves a root that is full for a disk; says where that is if nobody has told it yet, and `Err`
    /// where there is no other place.
    pub(crate) fn leave(&self, full: &Folder) -> Result<Option<PathBuf>, PathBuf> {
        let mut current = self.current();
        if !Arc::ptr_eq(&current, &full.root) {
            return Ok(None);
        }
        let none = || full.root.path.clone();
        if !full.root.in_memory {
            return Err(none());
        }
        let device = |path: &Path| fs::metadata(path).map(|found| found.dev()).ok();
        let elsewhere = |parent: &&PathBuf| device(parent) != device(&full.root.path);
        let mut disks = self.disks.iter().filter(elsewhere);
        let root = disks.find_map(|parent| Root::new(parent, None, &self.stays).ok()).ok_or_else(none)?;
        let path = root.path.clone();
        *current = Arc::new(root);
        Ok(Some(path))
    }

    /// Whether a test may have failed for want of room alone: there is little, or there was so little
    /// meanwhile that another runner has left.
    pub(crate) fn lacked_room(&self, folder: &Folder) -> bool {
        folder.is_nearly_full() || !Arc::ptr_eq(&self.current(), &folder.root)
    }

    fn current(&self) -> std::sync::MutexGuard<'_, Arc<Root>> {
        // It is replaced in one step, so that it is whole whatever has panicked.
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Root {
    /// In `parent`, which is a memory file system where `room` had to be free.
    fn new(parent: &Path, room: Option<u64>, stays: &Arc<Mutex<Stays>>) -> io::Result<Self> {
        let mut tries = 0;
        let (folder, lock) = loop {
            let mut builder = tempfile::Builder::new();
            builder.prefix(PREFIX).rand_bytes(RANDOM).permissions(Permissions::from_mode(PRIVATE));
            let folder = builder.tempdir_in(parent)?;
            match lock_fresh(folder.path()) {
                Ok(lock) => break (folder, lock),
                // It was swept.
                Err(error)
                    if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::WouldBlock)
                        && tries < TRIES =>
                {
                    tries += 1;
                }
                Err(error) => return Err(error),
            }
        };
        let path = folder.path().canonicalize()?;
        let free = Room::at(&path)?;
        let enough = match room {
            Some(room) => Room { bytes: room / 8, files: free.files / 16 },
            // It may be nearly full of other things for good.
            None => Room { bytes: ROOM_ON_DISK.min(free.bytes / 2), files: free.files / 16 },
        };
        // Removed with more care than a temporary folder.
        let _ = folder.keep();
        Ok(Self { path, _lock: lock, in_memory: room.is_some(), enough, stays: stays.clone() })
    }

    /// Takes note of what stays where something was removed.
    fn removed(&self, removed: Result<(), PathBuf>) {
        if let Err(mount) = removed {
            let mut stays = self.stays.lock().unwrap_or_else(PoisonError::into_inner);
            if !stays.of_test {
                stays.of_test = true;
                stays.untold.push(mount);
            }
        }
    }

    /// Removes a folder in it.
    fn remove_folder(&self, folder: &Path) {
        if let Ok(path) = folder.strip_prefix(&self.path) {
            self.removed(remove(&self.path, path));
        }
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        self.removed(remove_root(&self.path));
    }
}

/// Makes the lock of a folder that has just been made. It gets its name when it is locked, so that no sweep
/// comes in between.
fn lock_fresh(folder: &Path) -> io::Result<File> {
    let lock = File::create_new(folder.join(FRESH))?;
    lock.try_lock()?;
    fs::rename(folder.join(FRESH), folder.join(LOCK))?;
    Ok(lock)
}

fn make_private(folder: &Path) -> io::Result<()> {
    DirBuilder::new().mode(PRIVATE).create(folder)
}

impl Folder {
    /// A fresh place with `candidate` in a file of this name.
    pub(crate) fn place(&mut self, file: &CandidateFile, candidate: &[u8]) -> io::Result<Place> {
        let CandidateFile { name, mode, beside, unfold } = file;
        let folder = self.path.join(self.used.to_string());
        self.used += 1;
        let candidate_path = folder.join("run").join(name);
        let kept = unfold.as_ref().map(|_| self.path.join(KEPT));
        let place = Place { root: self.root.clone(), candidate: candidate_path, folder, kept };
        match make_private(&place.folder) {
            // A test has removed more than its own.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                make_private(&self.path)?;
                make_private(&place.folder)?;
            }
            made => made?,
        }
        make_private(&place.folder.join("run"))?;
        make_private(&place.folder.join("tmp"))?;
        let files = beside.iter().map(|FixedFile { name, mode, bytes }| (name, mode, &bytes[..]));
        let file = unfold.is_none().then_some((name, mode, candidate));
        for (name, &mode, bytes) in files.chain(file) {
            let path = place.candidate.with_file_name(name);
            let mut file = File::options().write(true).create_new(true).mode(mode).open(path)?;
            file.write_all(bytes)?;
        }
        if let Some(folder) = unfold {
            self.lay(&place.candidate, &folder.unfold(candidate))?;
        }
        Ok(place)
    }

    /// Makes a folder of what is left of the last one, or from the start where that has become something odd.
    fn lay(&mut self, folder: &Path, wanted: &[Laid<'_>]) -> io::Result<()> {
        let (root, kept) = (&self.root.path, self.path.join(KEPT));
        if fs::rename(&kept, folder).is_ok() {
            if lay(root, folder, wanted, &mut self.known).is_ok() {
                return Ok(());
            }
            self.root.remove_folder(folder);
        }
        self.known = Known::default();
        make_private(folder)?;
        lay(root, folder, wanted, &mut self.known)
    }

    fn is_nearly_full(&self) -> bool {
        Room::at(&self.root.path).is_ok_and(|free| free.lacks(self.root.enough))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        self.root.remove_folder(&self.path);
    }
}

impl Place {
    /// What a program other than the test has printed there.
    pub(crate) fn printed(&self) -> Vec<u8> {
        let mut printed = Vec::new();
        let read =
            open_regular(&self.folder.join(PRINTED)).and_then(|mut file| file.read_to_end(&mut printed));
        if read.is_ok() { printed } else { Vec::new() }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(kept) = &self.kept
            && fs::symlink_metadata(&self.candidate).is_ok_and(|found| found.is_dir())
            && !has_mounts(&self.folder)
        {
            // Otherwise it goes with the rest.
            let _ = fs::rename(&self.candidate, kept);
        }
        self.root.remove_folder(&self.folder);
    }
}

impl Room {
    fn at(path: &Path) -> io::Result<Self> {
        Ok(Self::of(&statvfs(path)?))
    }

    fn of(system: &StatVfs) -> Self {
        // Some file systems do not count files.
        let files = if system.f_files == 0 { u64::MAX } else { system.f_favail };
        Self { bytes: system.f_bavail * system.f_frsize, files }
    }

    fn lacks(self, enough: Self) -> bool {
        self.bytes < enough.bytes || self.files < enough.files
    }
}

fn has_room_in_memory(parent: &Path, room: u64) -> bool {
    let (Ok(kind), Ok(system)) = (statfs(parent), statvfs(parent)) else { return false };
    // Tests compile programs and run them, and a container's /dev/shm may forbid that.
    let executable = !system.f_flag.contains(StatVfsMountFlags::NOEXEC);
    kind.f_type == TMPFS && executable && !Room::of(&system).lacks(Room { bytes: room, files: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root::remove_if_abandoned;
    use crate::skip::skip;

    /// Roots are in `memory`, which is called full, and then on one of the `disks`.
    fn full(memory: &Path, disks: &[&Path]) -> Workspace {
        let stays = Arc::default();
        let root = Root::new(memory, Some(u64::MAX), &stays).unwrap();
        let disks = disks.iter().map(|disk| disk.to_path_buf()).collect();
        Workspace { current: Mutex::new(Arc::new(root)), disks, runners: AtomicU64::new(0), stays }
    }

    fn names(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn all_runners_leave_a_full_memory_for_one_disk_and_one_says_so() {
        let (memory, disk) = (tempfile::tempdir().unwrap(), tempfile::tempdir_in("/dev/shm"));
        let Ok(disk) = disk else { return skip("there is no folder /dev/shm") };
        let device = |folder: &tempfile::TempDir| fs::metadata(folder.path()).unwrap().dev();
        if device(&memory) == device(&disk) {
            return skip("TMPDIR is on the file system of /dev/shm");
        }
        let workspace = full(memory.path(), &[memory.path(), disk.path()]);
        let folders = [workspace.folder().unwrap(), workspace.folder().unwrap()];
        assert!(folders.iter().all(Folder::is_nearly_full));
        let said = folders.each_ref().map(|folder| workspace.leave(folder).unwrap());
        let fresh = [workspace.folder().unwrap(), workspace.folder().unwrap()];
        assert_eq!(said, [fresh[0].path.parent().map(Path::to_owned), None]);
        assert_ne!(fresh[0].path, fresh[1].path);
        assert_eq!(fresh[0].path.parent(), fresh[1].path.parent());
        assert!(workspace.lacked_room(&folders[1]) && !workspace.lacked_room(&fresh[0]));
        assert_eq!((names(memory.path()), names(disk.path())), (1, 1));
        drop(folders);
        assert_eq!((names(memory.path()), names(disk.path())), (0, 1), "nobody is there any more");
        let on_disk = fresh[0].path.parent().map(Path::to_owned);
        assert_eq!(workspace.leave(&fresh[0]).err(), on_disk, "there is nowhere else to go");
        drop((fresh, workspace));
        assert_eq!(names(disk.path()), 0);
    }

    #[test]
    fn a_disk_that_is_the_full_memory_is_no_way_out() {
        let memory = tempfile::tempdir().unwrap();
        let workspace = full(memory.path(), &[memory.path()]);
        let folder = workspace.folder().unwrap();
        assert_eq!(workspace.leave(&folder).err().as_deref(), folder.path.parent());
        assert_eq!(names(memory.path()), 1);
    }

    #[test]
    fn the_last_keeper_removes_the_folder_of_a_dead_run() {
        let parent = tempfile::tempdir().unwrap();
        let root = parent.path().join("root");
        fs::create_dir_all(root.join("1/2")).unwrap();
        fs::write(root.join(LOCK), "").unwrap();
        remove_if_abandoned(&root);
        assert!(root.join("1/2").exists(), "another keeper is not done yet");
        remove(&root, Path::new("1")).unwrap();
        remove_if_abandoned(&root);
        assert!(!root.exists());
        remove_if_abandoned(&root);
    }

    #[test]
    fn too_few_files_are_as_bad_as_too_few_bytes() {
        let enough = Room { bytes: 100, files: 10 };
        let check = |bytes, files, lacks| assert_eq!(Room { bytes, files }.lacks(enough), lacks);
        check(100, 10, false);
        check(99, 10, true);
        check(100, 9, true);
        check(u64::MAX, u64::MAX, false);
    }
}
