//! What a test reads.

use std::fs::File;
use std::io;
use std::path::Path;

/// The standard input of a test: the candidate, or nothing where that is a folder.
pub(super) fn input_of(candidate: &Path) -> io::Result<File> {
    let input = File::open(candidate)?;
    if input.metadata()?.is_dir() { File::open("/dev/null") } else { Ok(input) }
}
