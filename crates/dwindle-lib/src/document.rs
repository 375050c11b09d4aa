//! What is reduced: files over one vector of bytes.

use std::fs;
use std::ops::Range;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dwindle_read::Size;
use dwindle_read::bundle::{Content, split};
use dwindle_run::{CandidateFile, FixedFile, Unfold};

use crate::error::Error;
use crate::folder::{Others, Packing, Selection, Unpacked, bundle, read_folder, unpack};

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

/// What is reduced: files in their order, over one vector of bytes.
#[derive(Clone, Debug)]
pub struct Document {
    path: PathBuf,
    bytes: Vec<u8>,
    files: Vec<File>,
    /// Of a folder, the files in it that are no texts.
    others: Option<Others>,
    /// The permissions of the file or folder.
    mode: u32,
    /// Of an archive, how it is packed.
    packing: Option<Packing>,
}

impl Document {
    /// A single file.
    pub fn file(path: impl Into<PathBuf>, mode: u32, bytes: Vec<u8>) -> Self {
        let path = path.into();
        let file = File { path: path.clone(), mode, range: 0..bytes.len() };
        Self { path, bytes, files: vec![file], others: None, mode, packing: None }
    }

    /// Bytes that are in no file. Where a test wants one, it is called `input`.
    pub fn of(bytes: impl Into<Vec<u8>>) -> Self {
        Self::file("input", 0o644, bytes.into())
    }

    /// All that is in a folder, of which `selection` says what is reduced; its bytes are a [`bundle`](dwindle_read::bundle).
    ///
    /// # Errors
    ///
    /// What cannot be read.
    pub fn folder(path: impl Into<PathBuf>, selection: &Selection) -> Result<Self, Error> {
        let path = path.into();
        let (bytes, others) = read_folder(&path, selection)?;
        let mode = fs::metadata(&path).map_or(0o700, |about| about.permissions().mode() & 0o777);
        Ok(Self::bundle(path, mode, bytes, others))
    }

    /// All that is in an archive with these bytes, in the same way; nothing where `path` is not the name of one.
    pub(crate) fn archive(path: &Path, bytes: &[u8], selection: &Selection) -> Option<Result<Self, Error>> {
        Some(match unpack(path, bytes)? {
            Ok(Unpacked { all, packing }) => {
                let (bytes, others) = bundle(all, selection);
                let document = Self::bundle(path.to_owned(), 0o600, bytes, others);
                Ok(Self { packing: Some(packing), ..document })
            }
            Err(error) => {
                let what = format!(
                    "it has the name of an archive, but {error}; with --format bytes it is reduced as one file"
                );
                Err(Error::Input { path: path.to_owned(), what })
            }
        })
    }

    fn bundle(path: PathBuf, mode: u32, bytes: Vec<u8>, others: Others) -> Self {
        let texts = split(&bytes).unwrap_or_default().into_iter().filter_map(|entry| match entry.content {
            Content::Text { mode, bytes: range, .. } => Some(File { path: entry.path, mode, range }),
            _ => None,
        });
        Self { path, files: texts.collect(), bytes, others: Some(others), mode, packing: None }
    }

    /// The same file with other bytes, as they were in an earlier run.
    pub(crate) fn with_bytes(self, bytes: Vec<u8>) -> Self {
        Self::file(self.path, self.mode, bytes)
    }

    /// The same under another name.
    pub(crate) fn at(self, path: PathBuf) -> Self {
        Self { path, ..self }
    }

    /// Where it can be cut near this byte: in a folder between two entries, so that both parts are folders.
    pub(crate) fn boundary(&self, near: usize) -> usize {
        if self.others.is_none() {
            return near;
        }
        let starts = split(&self.bytes).unwrap_or_default().into_iter().map(|entry| entry.line.start);
        starts.take_while(|&start| start <= near).last().unwrap_or(0)
    }

    /// The bytes of all files.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The files that are texts.
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// The path of the file or folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Of a folder, the files in it that are no texts.
    pub(crate) fn others(&self) -> Option<&Others> {
        self.others.as_ref()
    }

    /// How it is packed, if it is an archive.
    pub(crate) fn packing(&self) -> Option<&Packing> {
        self.packing.as_ref()
    }

    /// Whether it is a folder, and no archive.
    pub(crate) fn is_folder(&self) -> bool {
        self.others.is_some() && self.packing.is_none()
    }

    /// The permissions of the file or folder.
    pub(crate) fn mode(&self) -> u32 {
        self.mode
    }

    /// How many bytes a candidate may have on a disk.
    pub(crate) fn size(&self) -> usize {
        self.bytes.len() + self.others.as_ref().map_or(0, Others::size)
    }

    /// The size of a candidate as whoever reads its files sees it: of a folder or an archive, without the lines between files.
    pub(crate) fn in_files(&self, candidate: &[u8], size: Size) -> Size {
        let Some(others) = &self.others else { return size };
        let mut all = Size { bytes: 0, lines: 0, ..size };
        for entry in split(candidate).unwrap_or_default() {
            match entry.content {
                Content::Text { bytes, .. } => {
                    let file = Size::with_tokens(&candidate[bytes], 0);
                    (all.bytes, all.lines) = (all.bytes + file.bytes, all.lines + file.lines);
                }
                Content::Other { name, .. } | Content::Kept { name, .. } => {
                    all.bytes += others.bytes(&name).map_or(0, <[u8]>::len) as u64;
                }
                Content::Folder { .. } | Content::Link { .. } | Content::KeptLink { .. } => {}
            }
        }
        all
    }

    /// What candidates are written to, with these files beside them.
    pub(crate) fn place(&self, beside: Vec<FixedFile>) -> CandidateFile {
        let name = self.path.file_name().unwrap_or_default().into();
        let unfold = self.others.clone().map(|others| Arc::new(others) as Arc<dyn Unfold>);
        // Nobody else is to read candidates, whoever may read the input.
        CandidateFile { name, mode: 0o600 | self.mode & 0o100, beside, unfold }
    }
}
