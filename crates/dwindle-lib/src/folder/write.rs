//! From a bundle to what lies in a folder.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use dwindle_read::bundle::{Content, Entry, split};
use dwindle_run::{Laid, Unfold, What, lay_out};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;

use super::read::{Others, read_folder};

impl Unfold for Others {
    /// A text that is no bundle is an empty folder; none such is ever asked about.
    fn unfold<'a>(&'a self, bundle: &'a [u8]) -> Vec<Laid<'a>> {
        let entries = split(bundle).unwrap_or_default();
        let laid = entries.into_iter().filter_map(|Entry { path, content, .. }| {
            let what = match content {
                Content::Folder { mode } => What::Folder(mode | 0o700),
                Content::Text { mode, bytes, .. } => What::File(mode, &bundle[bytes]),
                Content::Other { mode, name } => What::File(mode, self.bytes(&name)?),
                Content::Link { target } => What::Link(target),
            };
            Some(Laid { path, what })
        });
        laid.collect()
    }
}

/// Whether the folder at `path` is what `bundle` stands for.
pub(crate) fn is_there(path: &Path, bundle: &[u8], others: &Others) -> bool {
    read_folder(path).is_ok_and(|(found, found_others)| found_others.unfold(&found) == others.unfold(bundle))
}

/// Makes the folder at `path` what `bundle` stands for, in one step: it is made at `temporary`, and then the two change
/// places. The result is the folder, opened.
pub(crate) fn replace(path: &Path, temporary: &Path, bundle: &[u8], others: &Others) -> io::Result<File> {
    // One of that name is of a process that was killed, and whose number is ours now.
    let _ = fs::remove_dir_all(temporary);
    let made = lay_out(temporary, &others.unfold(bundle)).and_then(|()| {
        let folder = File::open(temporary)?;
        // Nobody else knows it.
        let _ = folder.try_lock();
        exchange(temporary, path)?;
        Ok(folder)
    });
    // What was there before, or what could not be made.
    let _ = fs::remove_dir_all(temporary);
    made
}

/// Puts a folder in the place of another, which may be there.
fn exchange(temporary: &Path, path: &Path) -> io::Result<()> {
    match renameat_with(CWD, temporary, CWD, path, RenameFlags::EXCHANGE) {
        Err(Errno::NOENT) => fs::rename(temporary, path),
        // Not every file system can. For a moment there is nothing, and all is in the other one.
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
        let (bundle, others) = read_folder(&at("in")).unwrap();
        assert_eq!(others.size(), 5);
        for _ in 0..2 {
            replace(&at("out"), &at(".tmp"), &bundle, &others).unwrap();
            assert_eq!(read_folder(&at("out")).unwrap(), (bundle.clone(), others.clone()));
            assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 2, "nothing else is left");
        }
        replace(&at("out"), &at(".tmp"), b"", &others).unwrap();
        assert_eq!(fs::read_dir(at("out")).unwrap().count(), 0);
    }
}
