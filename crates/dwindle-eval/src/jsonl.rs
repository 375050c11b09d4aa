//! Files of records, one line of JSON each, only ever appended to.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The end of a file of records.
#[derive(Debug)]
pub(crate) struct Appender {
    file: File,
    path: PathBuf,
}

/// The records of the file at `path`, which is made if there is none, and the means to append to it. A line without its
/// end is what a crash left: it is cut off.
pub(crate) fn open<T: DeserializeOwned>(path: &Path) -> anyhow::Result<(Vec<T>, Appender)> {
    let context = || format!("cannot read the results {}", path.display());
    let file = OpenOptions::new().append(true).create(true).open(path).with_context(context)?;
    let text = fs::read_to_string(path).with_context(context)?;
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    file.set_len(whole as u64).with_context(context)?;
    let records = text[..whole].lines().map(serde_json::from_str).collect::<Result<_, _>>();
    Ok((records.with_context(context)?, Appender { file, path: path.to_owned() }))
}

impl Appender {
    /// Writes `record` at once, in one piece.
    pub(crate) fn append(&mut self, record: &impl Serialize) -> anyhow::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        let write = self.file.write_all(&line);
        write.with_context(|| format!("cannot write to the results {}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::open;

    #[test]
    fn what_a_crash_has_left_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results");
        std::fs::write(&path, "1\n2\n3").unwrap();
        let (records, mut appender) = open::<u32>(&path).unwrap();
        assert_eq!(records, [1, 2]);
        appender.append(&4).unwrap();
        assert_eq!(open::<u32>(&path).unwrap().0, [1, 2, 4]);
    }
}
