//! The test: what is run on a candidate, and when that finds the candidate interesting.
//!
//! A script that is edited during a reduction is another test, and a result that was found by both would be interesting to
//! neither. So the file of the script is checked whenever a candidate is found interesting, and at the end. What is kept was
//! then found by the same test as the input. Refusals since the last check are forgotten if the file has changed. The
//! programs that the test starts are not checked.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use blake3::{Hash, Hasher};
use dwindle_run::{Call, FixedFile, Part, RunEnd};
use memchr::memmem;

use crate::folder::end_of;
use crate::shell::quoted;
use crate::verdict::Criteria;

/// The test. The candidate is its standard input.
#[derive(Debug)]
pub struct Probe {
    /// None if the executor has something of its own to run, such as a closure.
    program: Option<Program>,
    /// Programs that run after it in the same folder, each only if those before it exit with 0.
    stages: Vec<TestFile>,
    /// Commands that must exit with 0 before it is run, each in a folder of its own.
    also: Vec<Program>,
    /// The command that it is compared with.
    other: Option<Program>,
    /// The program that tells whether a candidate is wrong in itself, such as undefined behaviour.
    guard: Option<Program>,
    /// The files that lie beside every candidate.
    beside: Vec<FixedFile>,
    /// The folder where all of these run, if it is not that of the candidate.
    folder: Option<PathBuf>,
    /// Words before those of the program.
    before: Vec<Word>,
    criteria: Arc<Criteria>,
}

/// Runs one test after the other on a candidate, until one refuses. The exit code says which: 64 for the first. The codes
/// of a shell for a command that cannot be run are passed on.
const RUN_STAGES: &str = r#"candidate=$1; shift; stage=64
if [ -d "$candidate" ]; then input=/dev/null; else input=$candidate; fi
for test; do
  "$test" "$candidate" <"$input"
  code=$?
  case $code in 0) ;; 126 | 127) exit $code ;; *) exit $stage ;; esac
  stage=$((stage + 1))
done"#;

/// The exit code of the first of several tests that refuses.
const FIRST_STAGE: i32 = 64;

/// The name of the program in messages if there is none.
const CLOSURE: &str = "closure";

/// A program, which must not change during the reduction, and its arguments.
#[derive(Debug)]
struct Program {
    file: TestFile,
    arguments: Vec<Word>,
}

impl Program {
    /// The first word is a path, or a name in `PATH`.
    fn of(words: impl IntoIterator<Item = Word>) -> io::Result<Self> {
        let mut words = words.into_iter();
        let missing = || io::Error::new(io::ErrorKind::NotFound, "there is no such program");
        let Some(Word::Literal(program)) = words.next() else { return Err(missing()) };
        let path = match program.as_bytes().contains(&b'/') {
            true => std::path::absolute(&*program)?,
            false => in_path(&*program).ok_or_else(missing)?,
        };
        Ok(Self { file: TestFile::new(path)?, arguments: words.collect() })
    }

    fn words(&self) -> Vec<Word> {
        [Word::Literal(self.file.path.clone().into())].into_iter().chain(self.arguments.clone()).collect()
    }

    fn update(&self, hasher: &mut Hasher) {
        hasher.update(self.file.content.as_bytes());
        hasher.update(format!("{:?} {:?}", self.file.path, self.arguments).as_bytes());
    }

    /// The line by which a shell runs it in the folder of the file `name`.
    fn line(&self, name: &Path) -> String {
        let arguments = self.arguments.iter().map(|word| match word {
            Word::Candidate => format!("\"$PWD\"/{}", quoted(name)),
            word => in_a_line(&word.at(name, b"")),
        });
        [quoted(&self.file.path)].into_iter().chain(arguments).collect::<Vec<_>>().join(" ")
    }

    /// The line by which a shell runs it on the list `items`, which is in the file `path`.
    fn line_on(&self, path: &Path, items: &[u8]) -> String {
        let arguments = self.arguments.iter().map(|word| match word {
            Word::Lines if lines(items).count() > SHOWN_ITEMS => "\"${items[@]}\"".to_owned(),
            word => in_a_line(&word.at(path, items)),
        });
        let words = [quoted(&self.file.path)].into_iter().chain(arguments).collect::<Vec<_>>().join(" ");
        if reads(&self.arguments) { format!("{words} < {}", quoted(path)) } else { words }
    }

    /// It as people would write it.
    fn title(&self) -> String {
        let arguments = self.arguments.iter().filter_map(|word| match word {
            Word::Candidate => None,
            Word::Lines => Some(PLACE.to_owned()),
            Word::Literal(word) | Word::Named(word) if word == PLACE => Some(PLACE.to_owned()),
            Word::Pathed(word) if word == FILE_PLACE => Some(FILE_PLACE.to_owned()),
            Word::Literal(word) | Word::Named(word) | Word::Pathed(word) => Some(quoted(Path::new(word))),
        });
        [quoted(&self.file.path)].into_iter().chain(arguments).collect::<Vec<_>>().join(" ")
    }
}

/// A word of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// As it is.
    Literal(OsString),
    /// The absolute path of the candidate.
    Candidate,
    /// A text in which each `{}` is the base name of the candidate, which is in the folder where the command runs.
    Named(OsString),
    /// A text in which each `{file}` is the absolute path of the candidate.
    Pathed(OsString),
    /// Each line of the candidate, as an argument of its own.
    Lines,
}

impl<T: Into<OsString>> From<T> for Word {
    fn from(word: T) -> Self {
        Self::Literal(word.into())
    }
}

impl Word {
    /// The words that it becomes for a candidate at `path`.
    fn at(&self, path: &Path, candidate: &[u8]) -> Vec<OsString> {
        match self {
            Self::Literal(word) => vec![word.clone()],
            Self::Candidate => vec![path.into()],
            Self::Named(text) => vec![filled(text, PLACE, path.file_name().unwrap_or_default())],
            Self::Pathed(text) => vec![filled(text, FILE_PLACE, path.as_os_str())],
            Self::Lines => lines(candidate).map(|line| OsStr::from_bytes(line).to_owned()).collect(),
        }
    }
}

/// `text` with `name` in the place of each `place`.
pub(crate) fn filled(text: &OsStr, place: &str, name: &OsStr) -> OsString {
    let (text, mut word, mut rest) = (text.as_bytes(), Vec::new(), 0);
    for at in memmem::find_iter(text, place) {
        word.extend_from_slice(&text[rest..at]);
        word.extend_from_slice(name.as_bytes());
        rest = at + place.len();
    }
    word.extend_from_slice(&text[rest..]);
    OsString::from_vec(word)
}

/// The lines of `text`, without their ends.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\n").unwrap_or(line))
}

/// Whether a command with these words gets the candidate as its standard input. All do, except those whose words say where
/// the items of a list go.
fn reads(words: &[Word]) -> bool {
    !words.iter().any(|word| matches!(word, Word::Lines | Word::Pathed(_)))
}

/// Words for a shell.
fn in_a_line(words: &[OsString]) -> String {
    words.iter().map(|word| quoted(Path::new(word))).collect::<Vec<_>>().join(" ")
}

/// One of the commands that are run on a candidate.
#[derive(Clone, Debug)]
pub(crate) struct Command {
    pub(crate) part: Part,
    words: Vec<Word>,
    folder: Option<PathBuf>,
}

impl Command {
    /// What is run for a candidate at `path`.
    pub(crate) fn call(&self, path: &Path, candidate: &[u8]) -> Call {
        let words = self.words.iter().flat_map(|word| word.at(path, candidate)).collect();
        Call { words, folder: self.folder.clone(), reads: reads(&self.words) }
    }
}

/// What stands for the candidate's name in a command, or for the items of a list.
pub const PLACE: &str = "{}";

/// What stands for the path of a list in a command.
pub const FILE_PLACE: &str = "{file}";

/// Of how many items a line for the shell has each.
const SHOWN_ITEMS: usize = 50;

impl Probe {
    /// The program at this absolute path, with the path of the candidate as its one argument.
    pub fn script(path: PathBuf) -> io::Result<Self> {
        Self::command([path.into(), Word::Candidate])
    }

    /// A command, the first word of which is a program: a path, or a name in `PATH`.
    ///
    /// # Errors
    ///
    /// `NotFound` where there is no such program.
    pub fn command(words: impl IntoIterator<Item = Word>) -> io::Result<Self> {
        Ok(Self { program: Some(Program::of(words)?), ..Self::closure() })
    }

    /// Whatever an executor runs by itself, such as a closure; nothing else is told what it is.
    pub fn closure() -> Self {
        Self {
            program: None,
            stages: Vec::new(),
            also: Vec::new(),
            other: None,
            guard: None,
            beside: Vec::new(),
            folder: None,
            before: Vec::new(),
            criteria: Arc::default(),
        }
    }

    /// The same with one more command that must exit with 0 on a candidate.
    ///
    /// # Errors
    ///
    /// Those of [`command`](Self::command).
    pub(crate) fn also(mut self, words: impl IntoIterator<Item = Word>) -> io::Result<Self> {
        self.also.push(Program::of(words)?);
        Ok(self)
    }

    /// The same, compared with this command.
    ///
    /// # Errors
    ///
    /// Those of [`command`](Self::command).
    pub(crate) fn compared(self, words: impl IntoIterator<Item = Word>) -> io::Result<Self> {
        Ok(Self { other: Some(Program::of(words)?), ..self })
    }

    /// A script behind which others, at these absolute paths, look at what those before them found interesting.
    pub(crate) fn with_stages(self, paths: &[PathBuf]) -> io::Result<Self> {
        let stages = paths.iter().cloned().map(TestFile::new).collect::<io::Result<_>>()?;
        Ok(Self { stages, ..self })
    }

    /// The scripts that run one after the other, where there are several.
    pub(crate) fn stages(&self) -> Vec<PathBuf> {
        let first = self.program.iter().filter(|_| !self.stages.is_empty()).map(|program| &program.file);
        first.chain(&self.stages).map(|file| file.path.clone()).collect()
    }

    /// Which of several scripts refused, where a run ended so.
    pub(crate) fn refused_by(stages: usize, end: RunEnd) -> Option<usize> {
        let RunEnd::Exited(code) = end else { return None };
        let stage = usize::try_from(code.checked_sub(FIRST_STAGE)?).ok()?;
        (stage < stages).then_some(stage)
    }

    /// The same, which finds interesting what these criteria say.
    pub fn with_criteria(self, criteria: Criteria) -> Self {
        Self { criteria: Arc::new(criteria), ..self }
    }

    /// The same with this command as a guard.
    ///
    /// # Errors
    ///
    /// Those of [`command`](Self::command).
    pub(crate) fn guarded(self, words: impl IntoIterator<Item = Word>) -> io::Result<Self> {
        Ok(Self { guard: Some(Program::of(words)?), ..self })
    }

    /// The same in a folder where these files lie beside every candidate.
    pub(crate) fn beside(self, beside: Vec<FixedFile>) -> Self {
        Self { beside, ..self }
    }

    /// The same, which runs in this folder.
    pub(crate) fn in_folder(self, folder: PathBuf) -> Self {
        Self { folder: Some(folder), ..self }
    }

    /// The same with its words behind these, which run them in a folder of theirs.
    pub(crate) fn behind(self, before: Vec<Word>) -> Self {
        Self { before, ..self }
    }

    /// How a shell runs it in the folder of such words.
    pub(crate) fn in_folder_by_hand(&self) -> String {
        self.line(Path::new(".")).replace("\"$PWD\"/.", "\"$PWD\"")
    }

    /// How a shell runs its program in the folder of the file `name`.
    fn line(&self, name: &Path) -> String {
        self.program.as_ref().map_or_else(|| CLOSURE.to_owned(), |program| program.line(name))
    }

    /// Where it runs, if not in the folder of the candidate.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// When it finds a candidate interesting.
    pub(crate) fn criteria(&self) -> &Arc<Criteria> {
        &self.criteria
    }

    /// What is run on a candidate, one after the other as long as its criteria [go on](Criteria::goes_on).
    pub(crate) fn commands(&self) -> Vec<Command> {
        let also =
            self.also.iter().enumerate().map(|(number, program)| (Part::Also(number), program.words()));
        let other = self.other.iter().map(|program| (Part::Other, program.words()));
        let guard = self.guard.iter().map(|program| (Part::Guard, program.words()));
        let all = also.chain([(Part::Main, self.words())]).chain(other).chain(guard);
        all.map(|(part, words)| Command { part, words, folder: self.folder.clone() }).collect()
    }

    /// The paths of all programs that are run on a candidate.
    pub(crate) fn programs(&self) -> impl Iterator<Item = &Path> {
        let programs = self.also.iter().chain(&self.program).chain(&self.other).chain(&self.guard);
        programs.map(|program| &program.file).chain(&self.stages).map(|file| &*file.path)
    }

    pub(crate) fn words(&self) -> Vec<Word> {
        let Some(program) = &self.program else { return Vec::new() };
        if self.stages.is_empty() {
            return self.before.iter().cloned().chain(program.words()).collect();
        }
        let shell = ["/bin/sh", "-c", RUN_STAGES, "sh"].map(Word::from);
        let tests = self.stages().into_iter().map(Word::from);
        shell.into_iter().chain([Word::Candidate]).chain(tests).collect()
    }

    /// The path of the program, for messages.
    pub(crate) fn path(&self) -> &Path {
        self.program.as_ref().map_or(Path::new(CLOSURE), |program| &program.file.path)
    }

    fn arguments(&self) -> &[Word] {
        self.program.as_ref().map_or(&[], |program| &program.arguments)
    }

    /// Whether it is a script that is called with the path of the candidate, and nothing but its exit code counts.
    pub(crate) fn is_plain_script(&self) -> bool {
        self.arguments() == [Word::Candidate]
            && self.stages.is_empty()
            && self.also.is_empty()
            && self.other.is_none()
            && self.guard.is_none()
            && self.beside.is_empty()
            && self.folder.is_none()
            && *self.criteria == Criteria::default()
    }

    /// The hash of the program, of its arguments and of what is asked of a run.
    pub(crate) fn hash(&self) -> Hash {
        let mut hasher = Hasher::new();
        if let Some(program) = &self.program {
            program.update(&mut hasher);
            hasher.update(format!("{:?}", self.criteria).as_bytes());
            for (number, program) in (0u64..).zip(self.also.iter().chain(&self.other).chain(&self.guard)) {
                hasher.update(&number.to_le_bytes());
                program.update(&mut hasher);
            }
            for FixedFile { name, mode, bytes } in &self.beside {
                hasher.update(format!("{name:?} {mode} {}", blake3::hash(bytes)).as_bytes());
            }
            if let Some(folder) = &self.folder {
                hasher.update(format!("{folder:?}").as_bytes());
            }
            for stage in &self.stages {
                hasher.update(stage.content.as_bytes());
                hasher.update(format!("{:?}", stage.path).as_bytes());
            }
        }
        hasher.finalize()
    }

    /// How a shell runs it on `input`, a file or a folder, as it was run here, under this base name.
    pub(crate) fn by_hand(&self, input: &Path, is_folder: bool, name: &OsStr) -> String {
        let absolute = std::path::absolute(input).unwrap_or_else(|_| input.to_owned());
        let (file, is_named_so) = (Path::new(name), absolute.file_name() == Some(name));
        let name = quoted(file);
        let to = if is_named_so { "." } else { &name };
        let place = quoted(&absolute);
        let copy = match end_of(input) {
            _ if !is_folder => format!("cp {place} {to}"),
            Some(end) if end.contains(".t") || end == ".crate" => {
                format!("mkdir {name} && tar -xf {place} -C {name}")
            }
            Some(_) => format!("unzip -q {place} -d {name}"),
            None => format!("cp -R {place} {to}"),
        };
        let stdin = if is_folder { "/dev/null" } else { &*name };
        let also = self
            .also
            .iter()
            .map(|program| format!("{} < {stdin} && ", program.line(file)))
            .collect::<String>();
        let mut line = format!("{also}{} < {stdin}", self.line(file));
        for stage in &self.stages {
            line += &format!(" && {} \"$PWD\"/{name} < {stdin}", quoted(&stage.path));
        }
        format!("cd \"$(mktemp -d)\" && {copy} && {line}; echo $?")
    }

    /// How a shell runs it on the list `items`, which is in the file `input`, where it was run here.
    pub(crate) fn by_hand_on(&self, input: &Path, items: &[u8], folder: &Path) -> String {
        let path = std::path::absolute(input).unwrap_or_else(|_| input.to_owned());
        let mut line = format!("cd {}", quoted(folder));
        if lines(items).count() > SHOWN_ITEMS {
            line += &format!(" && mapfile -t items < {}", quoted(&path));
        }
        for program in self.also.iter().chain(&self.program) {
            line += &format!(" && {}", program.line_on(&path, items));
        }
        line + "; echo $?"
    }

    /// It as people would write it, with what is asked of a run where that is more than exit code 0.
    pub(crate) fn title(&self) -> PathBuf {
        if self.is_plain_script() {
            return self.path().to_owned();
        }
        let also = self.also.iter().map(|program| program.title() + " && ").collect::<String>();
        let mut line = also + &self.program.as_ref().map_or_else(|| CLOSURE.to_owned(), Program::title);
        for stage in &self.stages {
            line += &format!(" && {}", quoted(&stage.path));
        }
        if let Some(other) = &self.other {
            line += &format!(" compared with {}", other.title());
        }
        if *self.criteria != Criteria::default() {
            line += &format!(" ({})", self.criteria);
        }
        line.into()
    }

    /// Whether it is what it was at the beginning.
    pub(crate) fn is_unchanged(&mut self) -> bool {
        let stages = self.stages.iter_mut().all(TestFile::is_unchanged);
        let mut programs = self.also.iter_mut().chain(&mut self.other).chain(&mut self.program);
        stages && programs.all(|program| program.file.is_unchanged())
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
