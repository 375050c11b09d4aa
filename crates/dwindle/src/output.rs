//! The result file: always a whole, interesting variant, replaced in one step.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::shown::shown;

/// Why the result cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// Its folder is missing or not writable, or the disk is full.
    #[error("cannot write the result to {}: {source}", shown(path))]
    Write {
        /// The result file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is something there that is no file of its own.
    #[error("the result cannot replace {}: it is {what}; name another file with --output", shown(path))]
    Taken {
        /// The result file.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// An earlier run's copy of the original is there already.
    #[error(
        "{} is there already, and may be the only copy of an original; move it away or reduce without --in-place",
        shown(path)
    )]
    OriginalKept {
        /// The copy.
        path: PathBuf,
    },
}

/// Where the result goes.
#[derive(Debug)]
pub(crate) struct Output {
    path: PathBuf,
    /// In place: where the original is kept.
    keep: Option<PathBuf>,
    permissions: Permissions,
}

impl Output {
    /// `a.c` becomes `a.reduced.c`, `a` becomes `a.reduced`.
    pub(crate) fn beside(input: &Path) -> PathBuf {
        let mut name = input.file_stem().unwrap_or_default().to_owned();
        name.push(".reduced");
        if let Some(extension) = input.extension() {
            name.push(".");
            name.push(extension);
        }
        input.with_file_name(name)
    }

    /// The result at `path`, which must be neither the input nor the test.
    pub(crate) fn at(path: PathBuf, input: &Metadata, test: &Metadata) -> Result<Self, OutputError> {
        if let Ok(found) = fs::metadata(&path) {
            let what = match () {
                () if same(&found, input) => Some("the input (--in-place writes over it and keeps a copy)"),
                () if same(&found, test) => Some("the test"),
                () if found.is_dir() => Some("a folder"),
                () if !found.is_file() => Some("no regular file"),
                () => None,
            };
            if let Some(what) = what {
                return Err(OutputError::Taken { path, what });
            }
        }
        Self { path, keep: None, permissions: input.permissions() }.checked()
    }

    /// The result over `input`, whose bytes are or will be kept beside it, and which must not be the test.
    pub(crate) fn in_place(input: &Path, metadata: &Metadata, test: &Metadata) -> Result<Self, OutputError> {
        if same(metadata, test) {
            return Err(OutputError::Taken { path: input.to_owned(), what: "the test" });
        }
        let mut keep = input.as_os_str().to_owned();
        keep.push(".orig");
        let keep = PathBuf::from(keep);
        // A link stays one: what it points to is replaced.
        let path = fs::canonicalize(input)
            .map_err(|source| OutputError::Write { path: input.to_owned(), source })?;
        Self { path, keep: Some(keep), permissions: metadata.permissions() }.checked()
    }

    /// Finds out before the first question whether the folder can be written to.
    fn checked(self) -> Result<Self, OutputError> {
        for path in [Some(&self.path), self.keep.as_ref()].into_iter().flatten() {
            self.temporary(path).map_err(|source| OutputError::Write { path: path.clone(), source })?;
        }
        Ok(self)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The original, where one is kept already.
    pub(crate) fn original(&self) -> Result<Option<Vec<u8>>, OutputError> {
        let Some(keep) = self.keep.as_ref().filter(|keep| fs::symlink_metadata(keep).is_ok()) else {
            return Ok(None);
        };
        fs::read(keep).map(Some).map_err(|_| self.original_kept())
    }

    /// An original is kept, and not one of a reduction that can be continued.
    pub(crate) fn original_kept(&self) -> OutputError {
        OutputError::OriginalKept { path: self.keep.as_ref().unwrap_or(&self.path).clone() }
    }

    /// Begins with the input itself as the best result so far.
    pub(crate) fn begin(&self, input: &[u8]) -> Result<(), OutputError> {
        if let Some(keep) = &self.keep {
            let copy = || {
                let mut file = self.temporary(keep)?;
                file.write_all(input)?;
                file.as_file().sync_all()?;
                file.persist_noclobber(keep)?;
                Ok(())
            };
            return copy().map_err(|source: io::Error| match source.kind() {
                io::ErrorKind::AlreadyExists => self.original_kept(),
                _ => OutputError::Write { path: keep.clone(), source },
            });
        }
        self.replace(input)
    }

    /// Makes `best` the result, whole at every moment.
    pub(crate) fn replace(&self, best: &[u8]) -> Result<(), OutputError> {
        let replace = || {
            let mut file = self.temporary(&self.path)?;
            file.write_all(best)?;
            file.persist(&self.path)?;
            Ok(())
        };
        replace().map_err(|source: io::Error| OutputError::Write { path: self.path.clone(), source })
    }

    /// Waits until the result has reached the disk.
    pub(crate) fn sync(&self) -> Result<(), OutputError> {
        let sync = || File::open(&self.path)?.sync_all();
        sync().map_err(|source| OutputError::Write { path: self.path.clone(), source })
    }

    /// The temporary files that may be left when dwindle is killed.
    pub(crate) fn temporaries(&self) -> Vec<PathBuf> {
        let paths = [Some(&self.path), self.keep.as_ref()];
        paths
            .into_iter()
            .flatten()
            .filter_map(|path| std::path::absolute(temporary_name(path)).ok())
            .collect()
    }

    /// A temporary file in the folder of `path`, so that it can be renamed to it.
    fn temporary(&self, path: &Path) -> io::Result<NamedTempFile> {
        let temporary = temporary_name(path);
        // One of that name is of a process that was killed, and whose number is ours now.
        let _ = fs::remove_file(&temporary);
        let folder = temporary.parent().unwrap_or(Path::new("."));
        let name = temporary.file_name().unwrap_or_default();
        let file = tempfile::Builder::new().prefix(name).rand_bytes(0).tempfile_in(folder)?;
        file.as_file().set_permissions(self.permissions.clone())?;
        Ok(file)
    }
}

/// `.NAME.dwindle-PID.tmp` in the folder of NAME, of which a long one is cut.
fn temporary_name(path: &Path) -> PathBuf {
    /// The longest name that file systems take.
    const LONGEST: usize = 255;
    let end = format!(".dwindle-{}.tmp", std::process::id());
    let name = path.file_name().unwrap_or_default().as_bytes();
    let name = &name[..name.len().min(LONGEST - 1 - end.len())];
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    folder.join(OsStr::from_bytes(&[b".", name, end.as_bytes()].concat()))
}

fn same(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_lies_beside_the_input() {
        let check =
            |input: &str, expect: &str| assert_eq!(Output::beside(Path::new(input)), Path::new(expect));
        check("a.c", "a.reduced.c");
        check("dir/a", "dir/a.reduced");
        check("two words é.tar.gz", "two words é.tar.reduced.gz");
        check(".hidden", ".hidden.reduced");
    }
    #[test]
    fn temporary_files_lie_beside_the_result_and_are_known_before() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.c".to_owned(), "x".repeat(255)] {
            let path = folder.path().join(name);
            let permissions = folder.path().metadata().unwrap().permissions();
            let output = Output { path, keep: None, permissions };
            let [temporary] = &output.temporaries()[..] else { panic!("one result") };
            // Of a process of this number that was killed.
            fs::write(temporary, "old").unwrap();
            let file = output.temporary(&output.path).unwrap();
            assert_eq!(file.path(), temporary);
            assert_eq!(fs::read(temporary).unwrap(), b"");
            drop(file);
            output.replace(b"new").unwrap();
            assert_eq!(fs::read(&output.path).unwrap(), b"new");
            assert!(!temporary.exists());
        }
    }
}
