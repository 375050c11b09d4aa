//! From a bundle to what lies in a folder.

use std::collections::HashSet;
use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use dwindle_read::bundle::{Content, Entry, split};
use dwindle_run::{Known, Laid, Unfold, What, lay};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;

use super::read::{Others, read_folder};
use super::selection::Selection;
use crate::paths::folder_of;

impl Unfold for Others {
    /// A text that is no bundle is an empty folder; only those who try a test ask about such.
    fn unfold<'a>(&'a self, bundle: &'a [u8]) -> Vec<Laid<'a>> {
        let mut folders: HashSet<PathBuf> = HashSet::from([PathBuf::new()]);
        let mut all = Vec::new();
        for Entry { path, content, .. } in split(bundle).unwrap_or_default() {
            // A file stays where it is without the line of its folder.
            let mut missing: Vec<&Path> =
                path.ancestors().skip(1).take_while(|folder| !folders.contains(*folder)).collect();
            while let Some(folder) = missing.pop() {
                folders.insert(folder.to_owned());
                all.push(Laid { path: folder.to_owned(), what: What::Folder(0o755) });
            }
            let what = match content {
                Content::Folder { mode } => What::Folder(mode | 0o700),
                Content::Text { mode, bytes, .. } => What::File(mode, &bundle[bytes]),
                Content::Other { mode, name } | Content::Kept { mode, name } => match self.bytes(&name) {
                    Some(bytes) => What::File(mode, bytes),
                    None => continue,
                },
                Content::Link { target } | Content::KeptLink { target } => What::Link(target),
            };
            if let What::Folder(_) = what {
                folders.insert(path.clone());
            }
            all.push(Laid { path, what });
        }
        all
    }
}

impl Others {
    /// Writes the folder that `bundle` stands for, in the place of what is at `path`.
    pub(crate) fn write(&self, path: &Path, bundle: &[u8]) -> io::Result<()> {
        if path.exists() {
            fs::remove_dir_all(path)?;
        }
        DirBuilder::new().mode(0o700).create(path)?;
        let path = path.canonicalize()?;
        lay(&path, &path, &self.unfold(bundle), &mut Known::default())
    }
}

/// A folder that is a result, and the one before, of which the next one is made.
#[derive(Debug)]
pub(crate) struct Twins {
    others: Others,
    /// The permissions of the folder.
    mode: u32,
    /// What is known of what lies at `path`, and of what lies at `temporary`.
    known: [Known; 2],
    used: bool,
}

impl Twins {
    pub(crate) fn new(others: Others, mode: u32) -> Self {
        Self { others, mode, known: Default::default(), used: false }
    }

    /// Makes the folder at `path` what `bundle` stands for, in one step: it is made at `temporary`, and then the two change
    /// places. The result is the folder, opened.
    pub(crate) fn replace(&mut self, path: &Path, temporary: &Path, bundle: &[u8]) -> io::Result<File> {
        if !self.used {
            // One of that name is of a process that was killed, and whose number is ours now.
            let _ = fs::remove_dir_all(temporary);
            self.used = true;
        }
        let root = folder_of(temporary).canonicalize()?;
        let real = root.join(temporary.file_name().unwrap_or_default());
        if fs::symlink_metadata(&real).is_err() {
            DirBuilder::new().mode(0o700).create(&real)?;
            self.known[1] = Known::default();
        }
        lay(&root, &real, &self.others.unfold(bundle), &mut self.known[1])?;
        fs::set_permissions(&real, Permissions::from_mode(self.mode | 0o700))?;
        let folder = File::open(temporary)?;
        // No other run can have it.
        let _ = folder.try_lock();
        exchange(temporary, path)?;
        self.known.swap(0, 1);
        Ok(folder)
    }

    /// Removes what lies at `temporary`.
    pub(crate) fn tidy(&mut self, temporary: &Path) {
        if self.used {
            let _ = fs::remove_dir_all(temporary);
            self.known[1] = Known::default();
        }
    }

    /// Whether the folder at `path` is what `bundle` stands for.
    pub(crate) fn holds(&self, path: &Path, bundle: &[u8]) -> bool {
        read_folder(path, &Selection::default())
            .is_ok_and(|(found, found_others)| found_others.unfold(&found) == self.others.unfold(bundle))
    }
}

/// Puts a folder in the place of another, which may be there.
fn exchange(temporary: &Path, path: &Path) -> io::Result<()> {
    match renameat_with(CWD, temporary, CWD, path, RenameFlags::EXCHANGE) {
        Err(Errno::NOENT) => fs::rename(temporary, path),
        // Not every file system can. For a moment there is no result; the journal has it.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
            let aside = temporary.with_added_extension("old");
            fs::rename(path, &aside)?;
            fs::rename(temporary, path)?;
            fs::rename(&aside, temporary)
        }
        done => Ok(done?),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;

    #[test]
    fn folders_are_read_and_written_as_they_are() {
        let parent = tempfile::tempdir().unwrap();
        let at = |name: &str| parent.path().join(name);
        fs::create_dir_all(at("in/d/empty")).unwrap();
        fs::write(at("in/d/a b.c"), "int a;").unwrap();
        fs::write(at("in/d/none"), "").unwrap();
        fs::write(at("in/b.png"), b"\x89PNG\0").unwrap();
        std::os::unix::fs::symlink("../x", at("in/d/link")).unwrap();
        let (bundle, others) = read_folder(&at("in"), &Selection::default()).unwrap();
        assert_eq!(others.size(), 5);
        let mut twins = Twins::new(others.clone(), 0o750);
        let changed = || {
            let found = fs::metadata(at("out/d/a b.c")).unwrap();
            (found.ino(), found.ctime(), found.ctime_nsec())
        };
        let mut states = Vec::new();
        for _ in 0..3 {
            twins.replace(&at("out"), &at(".tmp"), &bundle).unwrap();
            assert_eq!(
                read_folder(&at("out"), &Selection::default()).unwrap(),
                (bundle.clone(), others.clone())
            );
            states.push(changed());
        }
        assert_eq!(states[0], states[2], "nothing was written the third time");
        assert_eq!(fs::metadata(at("out")).unwrap().mode() & 0o777, 0o750);
        assert!(twins.holds(&at("out"), &bundle));
        fs::write(at("out/d/a b.c"), "int b;").unwrap();
        assert!(!twins.holds(&at("out"), &bundle), "somebody has changed it");
        twins.replace(&at("out"), &at(".tmp"), b"").unwrap();
        assert_eq!(fs::read_dir(at("out")).unwrap().count(), 0);
        twins.replace(&at("out"), &at(".tmp"), &bundle).unwrap();
        assert!(twins.holds(&at("out"), &bundle), "what somebody has changed was made anew");
        twins.tidy(&at(".tmp"));
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 2, "nothing else is left");
    }
}
