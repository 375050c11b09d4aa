//! What a journal is about.

use std::io;
use std::path::{Path, PathBuf};

use blake3::Hash;
use dwindle_read::Size;

use super::about::About;
use super::error::JournalError;
use crate::paths::folder_of;
use crate::probe::{self, Probe};

/// One reduction: which input, by which test, into which file.
#[derive(Debug)]
pub struct Subject<'a> {
    pub(super) key: [u8; 32],
    pub(super) about: About,
    pub(super) text: &'a [u8],
    pub(super) size: Size,
}

impl<'a> Subject<'a> {
    /// The reduction of the file `input`, which holds `text` of this size, by `test` into `output`.
    ///
    /// Reads the test: a journal is good for as long as the bytes and the name of the input, the test
    /// and the path of the output stay the same. However a path is spelled, over links to a folder or
    /// relative to the current one, it means the same.
    pub fn new(
        input: &Path,
        text: &'a [u8],
        size: Size,
        test: &Path,
        output: &Path,
    ) -> Result<Self, JournalError> {
        let test = real(test)?;
        let hash =
            probe::hash(&test).map_err(|source| JournalError::Subject { path: test.clone(), source })?;
        Self::of(input, text, size, &test, hash, output)
    }

    /// The reduction of the file `input` by any probe; what it runs, how, and what is asked of a run are parts of the
    /// key.
    pub(crate) fn probed(
        input: &Path,
        text: &'a [u8],
        size: Size,
        probe: &Probe,
        output: &Path,
    ) -> Result<Self, JournalError> {
        match probe.is_plain_script() {
            true => Self::new(input, text, size, probe.path(), output),
            false => Self::of(input, text, size, &probe.title(), probe.hash(), output),
        }
    }

    fn of(
        input: &Path,
        text: &'a [u8],
        size: Size,
        test: &Path,
        test_hash: Hash,
        output: &Path,
    ) -> Result<Self, JournalError> {
        let name = input.file_name().unwrap_or_default().as_encoded_bytes();
        let [input, output] = [real(input)?, real(output)?];
        let test_name = test.as_os_str().as_encoded_bytes();
        let output_name = output.as_os_str().as_encoded_bytes();
        let mut key = blake3::Hasher::new_derive_key("dwindle journal 1");
        // Hashes have one length, so that no two lists of parts look alike.
        for part in [text, name, test_name, output_name] {
            key.update(blake3::hash(part).as_bytes());
        }
        key.update(test_hash.as_bytes());
        let lossy = |path: &Path| path.to_string_lossy().into_owned();
        let about = About {
            input: lossy(&input),
            test: lossy(test),
            output: lossy(&output),
            version: env!("CARGO_PKG_VERSION").into(),
            input_bytes: text.len() as u64,
            began: std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs()),
        };
        Ok(Self { key: *key.finalize().as_bytes(), about, text, size })
    }

    /// The name of its journal in a folder of journals.
    pub(super) fn file_name(&self) -> String {
        format!("{}.journal", &blake3::Hash::from(self.key).to_hex()[..32])
    }
}

/// The one name of a file that need not be there: its folder without links, and its own name.
pub(crate) fn real(path: &Path) -> Result<PathBuf, JournalError> {
    let real = match path.file_name() {
        Some(name) => folder_of(path).canonicalize().map(|folder| folder.join(name)),
        None => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no name of a file")),
    };
    real.map_err(|source| JournalError::Subject { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    struct Files(tempfile::TempDir);

    impl Files {
        fn key(&self, input: &str, text: &[u8], test: &str, output: &str) -> [u8; 32] {
            let at = |name: &str| self.0.path().join(name);
            Subject::new(&at(input), text, Size::of(text), &at(test), &at(output)).unwrap().key
        }
    }

    fn files() -> Files {
        let files = Files(tempfile::tempdir().unwrap());
        let at = |name: &str| files.0.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        symlink("sub", at("link")).unwrap();
        fs::write(at("test"), "one").unwrap();
        fs::write(at("same"), "one").unwrap();
        files
    }

    #[test]
    fn input_its_name_test_its_content_and_output_make_the_key() {
        let files = files();
        let key = files.key("a", b"text", "test", "out");
        assert_eq!(key, files.key("a", b"text", "test", "out"));
        assert_eq!(key, files.key("sub/a", b"text", "test", "out"), "where the input lies does not matter");
        assert_ne!(key, files.key("b", b"text", "test", "out"));
        assert_ne!(key, files.key("a", b"texts", "test", "out"));
        assert_ne!(key, files.key("a", b"text", "same", "out"));
        assert_ne!(key, files.key("a", b"text", "test", "sub/out"));
        fs::write(files.0.path().join("test"), "two").unwrap();
        assert_ne!(key, files.key("a", b"text", "test", "out"));
    }

    #[test]
    fn links_to_a_folder_and_dots_do_not_make_another_key() {
        let files = files();
        let key = files.key("a", b"text", "test", "sub/out");
        assert_eq!(key, files.key("a", b"text", "test", "link/out"));
        assert_eq!(key, files.key("a", b"text", "sub/../test", "sub/../sub/./out"));
    }

    #[test]
    fn a_test_that_cannot_be_read_is_named() {
        let files = files();
        let at = |name: &str| files.0.path().join(name);
        let error = Subject::new(&at("a"), b"", Size::default(), &at("gone"), &at("out")).unwrap_err();
        assert!(error.to_string().contains("gone: No such file"), "{error}");
    }
}
