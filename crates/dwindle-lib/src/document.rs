//! What is reduced: files over one vector of bytes.

use std::ops::Range;
use std::path::{Path, PathBuf};

/// A file of a [`Document`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct File {
    /// Its path; a candidate is written to a file of the same base name.
    pub path: PathBuf,
    /// Its permissions, as `st_mode` has them.
    pub mode: u32,
    /// Its bytes in the document.
    pub range: Range<usize>,
}

/// What is reduced: files in their order, over one vector of bytes. There is one file today; more of them become
/// nodes of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    bytes: Vec<u8>,
    files: Vec<File>,
}

impl Document {
    /// A single file.
    pub fn file(path: impl Into<PathBuf>, mode: u32, bytes: Vec<u8>) -> Self {
        let file = File { path: path.into(), mode, range: 0..bytes.len() };
        Self { bytes, files: vec![file] }
    }

    /// Bytes that are in no file. Where a test wants one, it is called `input`.
    pub fn of(bytes: impl Into<Vec<u8>>) -> Self {
        Self::file("input", 0o644, bytes.into())
    }

    /// The bytes of all files.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The files.
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// The path of the first file.
    pub fn path(&self) -> &Path {
        &self.files[0].path
    }
}
