//! Paths of files: in which folder they are, and where links lead.

use std::fs;
use std::io::{self, Error, ErrorKind};
use std::path::{Path, PathBuf};

/// The most links that Linux follows.
const MOST: usize = 40;

/// The file that links lead to, which need not be there. What replaces a file replaces this one, so that a link stays
/// a link.
pub fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..MOST {
        match fs::read_link(&target) {
            Ok(next) => target = target.with_file_name("").join(next),
            Err(_) => return Ok(target),
        }
    }
    Err(Error::new(ErrorKind::InvalidInput, "it is a link that leads back to itself"))
}

/// The folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
