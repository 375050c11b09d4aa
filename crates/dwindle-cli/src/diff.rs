//! Texts for people and for `patch`: unified diffs, and files that are replaced as a whole.

use std::borrow::Cow;
use std::fs::{self, Permissions};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dwindle::shown::shown_text;
use dwindle::{folder_of, followed};
use similar::TextDiff;

/// After this long a diff need not be the smallest any more.
const DIFF_TIME: Duration = Duration::from_secs(2);

/// Prints the hunks of the unified diff of two texts, each line as `seen` shows it.
pub(crate) fn hunks(
    out: &mut dyn Write,
    old: &[u8],
    new: &[u8],
    seen: impl Fn(&[u8]) -> Cow<'_, [u8]>,
) -> io::Result<()> {
    let [old, new] = [lines(old), lines(new)];
    let diff = TextDiff::configure().timeout(DIFF_TIME).diff_slices(&old, &new);
    for hunk in diff.unified_diff().iter_hunks() {
        writeln!(out, "{}", hunk.header())?;
        for change in hunk.iter_changes() {
            write!(out, "{}", change.tag())?;
            out.write_all(&seen(change.value()))?;
            if !change.value().ends_with(b"\n") {
                writeln!(out, "\n\\ No newline at end of file")?;
            }
        }
    }
    Ok(())
}

/// The user's text: as it is, unless it goes to a terminal.
pub(crate) fn seen(text: &[u8]) -> Cow<'_, [u8]> {
    if io::stdout().is_terminal() { shown_text(text).into_bytes().into() } else { text.into() }
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').collect()
}

/// Writes a file, which is whole at every moment. A link stays one: what it leads to is written.
pub(crate) fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let permissions = match fs::metadata(path) {
        Ok(there) => there.permissions(),
        Err(_) => Permissions::from_mode(0o666),
    };
    let path = regular(path)?;
    let file = tempfile::Builder::new()
        .prefix(".dwindle-")
        .suffix(".tmp")
        .permissions(permissions)
        .tempfile_in(folder_of(&path))?;
    // By itself, so that no error names it.
    file.as_file().write_all(text)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// Checks that `path` is or can become a file that can be replaced.
pub(crate) fn check_replaceable(path: &Path) -> io::Result<()> {
    tempfile::tempfile_in(folder_of(&regular(path)?)).map(|_| ())
}

/// Where links lead, which must be a file or nothing.
fn regular(path: &Path) -> io::Result<PathBuf> {
    let path = followed(path)?;
    match fs::metadata(&path) {
        Ok(there) if !there.is_file() => {
            Err(io::Error::new(ErrorKind::InvalidInput, "it is no regular file"))
        }
        _ => Ok(path),
    }
}
