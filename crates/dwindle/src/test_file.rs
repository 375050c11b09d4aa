//! The file of the test, looked at again while it is in use.
//!
//! A test that is edited in mid-run is another test: what the one before has said may be wrong of it, so a
//! result that both have a part in stands for neither. It is looked at whenever a candidate is found interesting,
//! and at the end: what is kept was then found by the test that found the input, and so was all that was
//! said before it. What was refused since the last such look is not believed any more. Programs that the test
//! starts are not looked at.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use blake3::{Hash, Hasher};

/// The test, and what its file held at the beginning.
#[derive(Debug)]
pub(crate) struct TestFile {
    path: PathBuf,
    content: Hash,
    stamp: Stamp,
}

/// What the system says of a file that changes whenever its content does: device and number, length, and when
/// its content and its entry were last changed.
type Stamp = (u64, u64, u64, (i64, i64), (i64, i64));

impl TestFile {
    pub(crate) fn new(path: PathBuf) -> io::Result<Self> {
        // In this order, so that a change in between is seen.
        let stamp = stamp(&path)?;
        Ok(Self { content: hash(&path)?, path, stamp })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it holds what it held at the beginning. It is read only where the system says that something
    /// about it has changed. One that has gone gives no answers: the next run says so.
    pub(crate) fn is_unchanged(&mut self) -> bool {
        let Ok(stamp) = stamp(&self.path) else { return true };
        let is_same = stamp == self.stamp || hash(&self.path).map_or(true, |content| content == self.content);
        if is_same {
            self.stamp = stamp;
        }
        is_same
    }
}

fn stamp(path: &Path) -> io::Result<Stamp> {
    let of = fs::metadata(path)?;
    Ok((of.dev(), of.ino(), of.size(), (of.mtime(), of.mtime_nsec()), (of.ctime(), of.ctime_nsec())))
}

/// The hash of what is in the file.
pub(crate) fn hash(path: &Path) -> io::Result<Hash> {
    let mut hasher = Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok(hasher.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_content_is_a_change_and_another_date_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.sh");
        fs::write(&path, "one").unwrap();
        let mut test = TestFile::new(path.clone()).unwrap();
        assert!(test.is_unchanged());
        File::options().append(true).open(&path).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
        assert!(test.is_unchanged());
        let before = fs::metadata(&path).unwrap().modified().unwrap();
        fs::write(&path, "two").unwrap();
        File::options().append(true).open(&path).unwrap().set_modified(before).unwrap();
        assert!(!test.is_unchanged());
        assert!(!test.is_unchanged(), "it stays so");
        fs::write(&path, "one").unwrap();
        assert!(test.is_unchanged());
        fs::remove_file(&path).unwrap();
        assert!(test.is_unchanged());
        fs::write(&path, "two").unwrap();
        assert!(!test.is_unchanged());
    }
}
