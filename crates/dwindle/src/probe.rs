//! What is run on a candidate.
//!
//! A script that is edited in mid-run is another test: what the one before has said may be wrong of it, so a
//! result that both have a part in stands for neither. Its file is looked at whenever a candidate is found interesting,
//! and at the end: what is kept was then found by the test that found the input, and so was all that was
//! said before it. What was refused since the last such look is not believed any more. Programs that the test
//! starts are not looked at.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use blake3::{Hash, Hasher};

/// What is run on a candidate. It is told the candidate's path, and the candidate is its standard input.
#[derive(Debug)]
pub struct Probe(Kind);

#[derive(Debug)]
enum Kind {
    /// A program that gets the path of the candidate as its one argument, and that is to stay as it is.
    Script(TestFile),
    /// A program and its arguments, some of which name the candidate.
    Command(Vec<Word>),
    /// Something in this process.
    Closure,
}

/// A word of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// As it is.
    Literal(OsString),
    /// The absolute path of the candidate.
    Candidate,
}

impl<T: Into<OsString>> From<T> for Word {
    fn from(word: T) -> Self {
        Self::Literal(word.into())
    }
}

impl Probe {
    /// The program at this absolute path, with the path of the candidate as its one argument.
    pub fn script(path: PathBuf) -> io::Result<Self> {
        TestFile::new(path).map(|file| Self(Kind::Script(file)))
    }

    /// A command, the first word of which is a program: a path, or a name in `PATH`.
    ///
    /// # Errors
    ///
    /// `NotFound` where there is no such program.
    pub fn command(words: impl IntoIterator<Item = Word>) -> io::Result<Self> {
        let mut words: Vec<Word> = words.into_iter().collect();
        let missing = || io::Error::new(io::ErrorKind::NotFound, "there is no such program");
        let Some(Word::Literal(program)) = words.first_mut() else { return Err(missing()) };
        let path = match program.as_encoded_bytes().contains(&b'/') {
            true => std::path::absolute(&*program)?,
            false => in_path(&*program).ok_or_else(missing)?,
        };
        *program = path.into();
        Ok(Self(Kind::Command(words)))
    }

    /// Whatever an executor runs by itself, such as a closure; nothing else is told what it is.
    pub fn closure() -> Self {
        Self(Kind::Closure)
    }

    /// What is run for a candidate at `path`.
    pub(crate) fn words(&self) -> impl Fn(&Path) -> Vec<OsString> + Send + Sync + use<> {
        let words = match &self.0 {
            Kind::Script(file) => vec![Word::Literal(file.path.clone().into()), Word::Candidate],
            Kind::Command(words) => words.clone(),
            Kind::Closure => Vec::new(),
        };
        move |path| {
            let word = |word: &Word| match word {
                Word::Literal(word) => word.clone(),
                Word::Candidate => path.into(),
            };
            words.iter().map(word).collect()
        }
    }

    /// The path of the program, for messages.
    pub(crate) fn path(&self) -> &Path {
        match &self.0 {
            Kind::Script(file) => &file.path,
            Kind::Command(words) => match words.first() {
                Some(Word::Literal(program)) => Path::new(program),
                _ => Path::new(""),
            },
            Kind::Closure => Path::new("closure"),
        }
    }

    /// Whether it is what it was at the beginning.
    pub(crate) fn is_unchanged(&mut self) -> bool {
        match &mut self.0 {
            Kind::Script(file) => file.is_unchanged(),
            Kind::Command(_) | Kind::Closure => true,
        }
    }
}

/// The program of this name in a folder of `PATH`.
pub(crate) fn in_path(name: impl AsRef<Path>) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let programs = std::env::split_paths(&path).map(|folder| folder.join(&name));
    programs.filter(|program| program.is_absolute()).find(|program| is_executable(program))
}

pub(crate) fn is_executable(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

/// A test, and what its file held at the beginning.
#[derive(Debug)]
struct TestFile {
    path: PathBuf,
    content: Hash,
    stamp: Stamp,
}

/// What the system says of a file that changes whenever its content does: device and number, length, and when
/// its content and its entry were last changed.
type Stamp = (u64, u64, u64, (i64, i64), (i64, i64));

impl TestFile {
    fn new(path: PathBuf) -> io::Result<Self> {
        // In this order, so that a change in between is seen.
        let stamp = stamp(&path)?;
        Ok(Self { content: hash(&path)?, path, stamp })
    }

    /// Whether it holds what it held at the beginning. It is read only where the system says that something
    /// about it has changed. One that has gone gives no answers: the next run says so.
    fn is_unchanged(&mut self) -> bool {
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
