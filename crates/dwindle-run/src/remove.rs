//! Removal of what tests have left, which may be anything.
//!
//! Something of the host's may be mounted in it, by a test that was killed before it could unmount that. So
//! nothing is removed on the other side of a mount point: folders are opened one in the other, and no step
//! may lead to another mount. The number of the device says nothing: a bind mount has that of its source.

use std::ffi::{CStr, CString, OsString};
use std::fs;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RawDir, ResolveFlags};
use rustix::fs::{chmod, openat, openat2, renameat, unlinkat};
use rustix::io::{Errno, Result};
use rustix::mount::{UnmountFlags, unmount};

/// Folders that are nested deeper are moved up before they are emptied: each open level costs a file
/// descriptor and some of the stack.
const DEEP: usize = 64;
/// How many bytes of names are read at once. The folder of a question holds two names.
const BUFFER: usize = 4 << 10;

const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Removes the folder at `path` in `root`, or `root` itself where `path` is empty, also where a test has
/// taken its own rights away. `root` must be a real path.
///
/// What is mounted in the folder, or around it in `root`, is unmounted. Where that cannot be, the mount
/// point is the error; it stays, with the folders around it. What cannot be removed for another reason
/// (something still writes there) goes with the folder around it.
pub(crate) fn remove(root: &Path, path: &Path) -> std::result::Result<(), PathBuf> {
    remove_by(open_inside, root, path)
}

/// Opens a folder in another one; no folder that is on another mount.
type Open = fn(BorrowedFd<'_>, &CStr, OFlags) -> Result<OwnedFd>;

fn remove_by(open: Open, root: &Path, path: &Path) -> std::result::Result<(), PathBuf> {
    let mut folder = root.to_owned();
    folder.extend(path);
    let Some(parent) = root.parent() else { return Ok(()) };
    let inside = folder.strip_prefix(parent).unwrap_or(&folder);
    let (Ok(inside), Ok(parent)) = (
        CString::new(inside.as_os_str().as_bytes()),
        openat(CWD, parent, FOLDER | OFlags::PATH, Mode::empty()),
    ) else {
        return Ok(());
    };
    let mut removal = Removal { open, unlock: false, met_mount: false, brought_up: 0 };
    // Rights that a test has taken away may hide a mount point.
    for unlock in [false, true, true] {
        (removal.unlock, removal.met_mount) = (unlock, false);
        loop {
            let before = removal.brought_up;
            if removal.folder(parent.as_fd(), &inside, None) {
                return Ok(());
            }
            if removal.brought_up == before {
                break;
            }
        }
        if removal.met_mount {
            // The newest first, which may cover others.
            for mount in mounts(root, &folder).iter().rev() {
                let _ = unmount(mount, UnmountFlags::DETACH | UnmountFlags::NOFOLLOW);
            }
        }
    }
    // Most often there is none.
    let stays = removal.met_mount.then(|| mounts(root, &folder).into_iter().next().unwrap_or(folder));
    stays.map_or(Ok(()), Err)
}

/// Walks through a folder and goes on where something cannot be removed.
struct Removal {
    open: Open,
    /// Whether the rights of folders are given back before they are opened.
    unlock: bool,
    met_mount: bool,
    /// How many folders were moved up, to be emptied the next time.
    brought_up: usize,
}

/// The folder that is removed, and how deep in it a folder lies.
type Depth<'a> = Option<(BorrowedFd<'a>, usize)>;

impl Removal {
    /// Removes a folder that is probably not empty; says whether it is gone.
    fn folder(&mut self, parent: BorrowedFd<'_>, name: &CStr, depth: Depth<'_>) -> bool {
        let folder = match self.opened(parent, name) {
            Ok(folder) => folder,
            Err(error) => {
                self.met_mount |= error == Errno::XDEV;
                return error == Errno::NOENT;
            }
        };
        if let Some((top, DEEP..)) = depth {
            let up = format!(".dwindle-{}", self.brought_up);
            self.brought_up += usize::from(renameat(parent, name, top, up).is_ok());
            return false;
        }
        let depth = depth.map_or((folder.as_fd(), 0), |(top, depth)| (top, depth + 1));
        let mut buffer = [MaybeUninit::uninit(); BUFFER];
        let mut entries = RawDir::new(&folder, &mut buffer);
        while let Some(Ok(entry)) = entries.next() {
            let inside = entry.file_name();
            if ![c".", c".."].contains(&inside) {
                self.entry(folder.as_fd(), inside, entry.file_type(), Some(depth));
            }
            // Mostly there is nothing else, and to remove it is the cheapest way to find that out.
            if entries.is_buffer_empty() && self.unlinked(parent, name, AtFlags::REMOVEDIR) {
                return true;
            }
        }
        false
    }

    fn entry(&mut self, folder: BorrowedFd<'_>, name: &CStr, kind: FileType, depth: Depth<'_>) {
        let is_folder = match kind {
            FileType::Directory => true,
            // Not every file system says so.
            FileType::Unknown => openat(folder, name, FOLDER | OFlags::PATH, Mode::empty()).is_ok(),
            _ => false,
        };
        let flags = if is_folder { AtFlags::REMOVEDIR } else { AtFlags::empty() };
        if !self.unlinked(folder, name, flags) && is_folder {
            self.folder(folder, name, depth);
        }
    }

    /// Removes a file or an empty folder. The kernel refuses where something is mounted on it.
    fn unlinked(&mut self, folder: BorrowedFd<'_>, name: &CStr, flags: AtFlags) -> bool {
        let removed = unlinkat(folder, name, flags);
        self.met_mount |= removed == Err(Errno::BUSY);
        matches!(removed, Ok(()) | Err(Errno::NOENT))
    }

    fn opened(&self, parent: BorrowedFd<'_>, name: &CStr) -> Result<OwnedFd> {
        if !self.unlock {
            return (self.open)(parent, name, FOLDER);
        }
        let folder = (self.open)(parent, name, FOLDER | OFlags::PATH)?;
        // It has no other name that leads to nothing else.
        let _ = chmod(format!("/proc/self/fd/{}", folder.as_raw_fd()), Mode::RWXU);
        openat(folder, c".", FOLDER, Mode::empty())
    }
}

fn open_inside(parent: BorrowedFd<'_>, path: &CStr, flags: OFlags) -> Result<OwnedFd> {
    let here = ResolveFlags::NO_XDEV | ResolveFlags::NO_SYMLINKS;
    match openat2(parent, path, flags, Mode::empty(), here) {
        // Before Linux 5.6, and in containers that do not know it.
        Err(Errno::NOSYS | Errno::PERM) => open_step_by_step(parent, path, flags),
        opened => opened,
    }
}

fn open_step_by_step(parent: BorrowedFd<'_>, path: &CStr, flags: OFlags) -> Result<OwnedFd> {
    let here = mount_number(parent).ok_or(Errno::XDEV)?;
    let path = Path::new(std::ffi::OsStr::from_bytes(path.to_bytes()));
    let open = |folder: BorrowedFd<'_>, name: &Path, flags| {
        let opened = openat(folder, name, flags, Mode::empty())?;
        if mount_number(opened.as_fd()) == Some(here) { Ok(opened) } else { Err(Errno::XDEV) }
    };
    let mut folder = parent.try_clone_to_owned().map_err(|_| Errno::MFILE)?;
    for name in path.parent().into_iter().flatten() {
        folder = open(folder.as_fd(), Path::new(name), FOLDER | OFlags::PATH)?;
    }
    open(folder.as_fd(), Path::new(path.file_name().unwrap_or_default()), flags)
}

/// The number of the mount that a file is on.
fn mount_number(file: BorrowedFd<'_>) -> Option<u64> {
    let about = fs::read_to_string(format!("/proc/self/fdinfo/{}", file.as_raw_fd())).ok()?;
    about.lines().find_map(|line| line.strip_prefix("mnt_id:"))?.trim().parse().ok()
}

/// Where something is mounted in `root`, around or inside of `folder`, the oldest first.
fn mounts(root: &Path, folder: &Path) -> Vec<PathBuf> {
    let table = fs::read("/proc/self/mountinfo").unwrap_or_default();
    let points =
        table.split(|&byte| byte == b'\n').filter_map(|line| line.split(|&byte| byte == b' ').nth(4));
    let ours = |point: &PathBuf| {
        point != root && point.starts_with(root) && (point.starts_with(folder) || folder.starts_with(point))
    };
    points.map(unescaped).filter(ours).collect()
}

/// Whether something is mounted in a folder.
pub(crate) fn has_mounts(folder: &Path) -> bool {
    folder.parent().is_some_and(|parent| !mounts(parent, folder).is_empty())
}

/// A path of the table of mounts, in which white space is written as `\040`.
fn unescaped(mut field: &[u8]) -> PathBuf {
    let mut path = Vec::new();
    while let Some((&first, rest)) = field.split_first() {
        let digits = rest.get(..3).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) if first == b'\\' => {
                path.push(byte);
                field = &rest[3..];
            }
            _ => {
                path.push(first);
                field = rest;
            }
        }
    }
    OsString::from_vec(path).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};

    const WAYS: [Open; 2] = [open_inside, open_step_by_step];

    #[test]
    fn all_that_a_test_can_leave_is_removed() {
        for open in WAYS {
            let parent = tempfile::tempdir().unwrap();
            let root = parent.path().canonicalize().unwrap().join("root");
            let at = |name: &str| root.join("0/7").join(name);
            fs::create_dir_all(at("run/a/b")).unwrap();
            fs::create_dir_all(root.join("0/8")).unwrap();
            fs::create_dir(parent.path().join("other")).unwrap();
            fs::write(parent.path().join("other/file"), "kept").unwrap();
            symlink("../../../../other", at("run/link")).unwrap();
            for number in 0..2000 {
                fs::write(at(&format!("run/a/{number}")), "").unwrap();
            }
            fs::set_permissions(at("run/a/b"), Permissions::from_mode(0o000)).unwrap();
            fs::set_permissions(at("run/a"), Permissions::from_mode(0o555)).unwrap();
            assert_eq!(remove_by(open, &root, Path::new("0/7")), Ok(()));
            assert!(!root.join("0/7").exists() && root.join("0/8").exists());
            assert_eq!(remove_by(open, &root, Path::new("0/7")), Ok(()), "it is gone");
            assert_eq!(remove_by(open, &root, Path::new("")), Ok(()));
            assert!(!root.exists());
            assert_eq!(fs::read(parent.path().join("other/file")).unwrap(), b"kept");
        }
    }

    #[test]
    fn a_folder_that_is_a_link_is_not_gone_into() {
        for open in WAYS {
            let parent = tempfile::tempdir().unwrap();
            let root = parent.path().canonicalize().unwrap().join("root");
            fs::create_dir_all(root.join("0")).unwrap();
            fs::create_dir_all(parent.path().join("other/1")).unwrap();
            symlink("../../other", root.join("0/link")).unwrap();
            for path in ["0/link", "0/link/1"] {
                assert_eq!(remove_by(open, &root, Path::new(path)), Ok(()));
                assert!(parent.path().join("other/1").exists());
            }
        }
    }

    #[test]
    fn folders_are_removed_however_deep_they_are_nested() {
        let parent = tempfile::tempdir().unwrap();
        let root = parent.path().canonicalize().unwrap().join("root");
        fs::create_dir(&root).unwrap();
        let mut folder = openat(CWD, &root, FOLDER, Mode::empty()).unwrap();
        for _ in 0..3000 {
            rustix::fs::mkdirat(&folder, "d", Mode::RWXU).unwrap();
            folder = openat(&folder, "d", FOLDER, Mode::empty()).unwrap();
        }
        assert_eq!(remove(&root, Path::new("")), Ok(()));
        assert!(!root.exists());
    }

    #[test]
    fn both_ways_to_open_refuse_another_mount() {
        let root = openat(CWD, "/", FOLDER | OFlags::PATH, Mode::empty()).unwrap();
        for open in WAYS {
            assert_eq!(open(root.as_fd(), c"proc", FOLDER).unwrap_err(), Errno::XDEV);
            assert_eq!(open(root.as_fd(), c"proc/self/task", FOLDER).unwrap_err(), Errno::XDEV);
        }
    }

    #[test]
    fn paths_in_the_table_of_mounts_are_understood() {
        assert_eq!(unescaped(b"/a\\040b\\134\\012/c\\"), Path::new("/a b\\\n/c\\"));
        let proc = Path::new("/proc");
        assert_eq!(mounts(Path::new("/"), &proc.join("x")).first().map(PathBuf::as_path), Some(proc));
        assert!(!mounts(proc, proc).iter().any(|mount| mount == proc));
    }
}
