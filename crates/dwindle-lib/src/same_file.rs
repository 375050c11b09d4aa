//! Two names of one file.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::journal::real;

/// Whether both names are of one file, or would be.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(one), Ok(other)) => (one.dev(), one.ino()) == (other.dev(), other.ino()),
        _ => matches!((real(one), real(other)), (Ok(one), Ok(other)) if one == other),
    }
}
