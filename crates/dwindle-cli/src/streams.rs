//! `-` in the place of a file: INPUT from standard input, and the result to standard output.
//!
//! A reduction needs files: its result is on the disk at every moment, and the same command goes on with what was
//! stopped. So a file in the user's folder for journals stands for each stream. Its folder is called after the input, so
//! that the same input finds it again, and goes when the reduction is over. If that is never so, it goes after 30 days.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, TryLockError};
use std::io::{self, IsTerminal, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use dwindle::journal::{GIVEN_UP, Place};
use dwindle::{AlsoInteresting, Config, End, Error, OutputError, Report, Target};

use crate::failure::Failure;

/// What stands for a stream on the command line.
const STREAM: &str = "-";
/// What people call the input that is read.
pub(crate) const STANDARD_INPUT: &str = "standard input";
/// What the candidates of standard input are called.
const INPUT: &str = "input";
const RESULT: &str = "result";
/// The exit code where another run has the same output.
const IN_USE: u8 = 9;

/// The streams of a reduction, and the files that stand for them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Streams {
    /// The folder of the files, if there are any.
    folder: Option<PathBuf>,
    /// What a file of dwindle's own stands for as the input.
    input: Option<String>,
    is_written: bool,
}

impl Streams {
    /// Lets files stand for the streams that `config` names; a result of standard input goes to standard output unless
    /// it has a file. With `json`, the report is on standard output.
    pub(crate) fn open(config: &mut Config, json: bool) -> Result<Self, Failure> {
        let is_read = is_read(&config.input);
        let is_written = match &config.target {
            Target::Beside => is_read,
            Target::File(path) => is_written(path),
            Target::InPlace if is_read => {
                let what = "standard input cannot be written over: leave --in-place out";
                return Err(Failure::Usage(what.to_owned()));
            }
            Target::InPlace => false,
        };
        if !is_read && !is_written {
            return Ok(Self::default());
        }
        if is_written && config.input.is_dir() {
            let what = "the result of a folder is a folder, which cannot be printed: name one by --output";
            return Err(Failure::Usage(what.to_owned()));
        }
        if is_written && json {
            let what =
                "both the result and the report of --json go to standard output: name a file by --output";
            return Err(Failure::Usage(what.to_owned()));
        }
        let input = if is_read { Some((STANDARD_INPUT.to_owned(), read()?)) } else { None };
        Self::stand_for(config, input, is_written, b"")
    }

    /// Lets files stand for an `input` of that name, if there is one, and for standard output if the result `is_written`
    /// there; others for each `purpose`.
    pub(crate) fn stand_for(
        config: &mut Config,
        input: Option<(String, Vec<u8>)>,
        is_written: bool,
        purpose: &[u8],
    ) -> Result<Self, Failure> {
        let name = match &input {
            Some((_, input)) => &input[..],
            None => &absolute(&config.input).into_os_string().into_encoded_bytes(),
        };
        let name = [name, purpose].concat();
        let (Place::Folder(state) | Place::File(state)) = Place::state().map_err(Failure::Journal)?;
        let all = state.join("streams");
        let folder = all.join(blake3::hash(&name).to_hex().as_str());
        let fail =
            |source| Failure::Reduction(Error::Output(OutputError::Write { path: folder.clone(), source }));
        DirBuilder::new().recursive(true).mode(0o700).create(&folder).map_err(fail)?;
        // It is in use from now on, however old it is.
        let _ = File::open(&folder).and_then(|folder| folder.set_modified(SystemTime::now()));
        tidy(&all);
        // Standard input has no place either, and stands for the user's folder.
        let beside = if input.is_some() { STREAM.into() } else { config.input.clone() };
        let title = input.as_ref().map(|(title, _)| title.clone());
        if let Some((_, input)) = input {
            config.input = folder.join(INPUT);
            fs::write(&config.input, input).map_err(fail)?;
        }
        if is_written {
            // What is printed has no place of its own.
            config.also_interesting = Some(beside.with_file_name(AlsoInteresting::FOLDER));
            let end = config.input.file_name().unwrap_or_default();
            let name = [RESULT.as_bytes(), b".", end.as_bytes()].concat();
            config.target = Target::File(folder.join(OsStr::from_bytes(&name)));
        }
        Ok(Self { folder: Some(folder), input: title, is_written })
    }

    /// The same report, with the streams in the place of the files that stand for them.
    pub(crate) fn named(&self, report: &Report) -> Report {
        let mut report = report.clone();
        if let Some(title) = &self.input {
            report.input = title.into();
        }
        if self.is_written {
            report.output = "standard output".into();
        }
        report
    }

    /// Prints the result if it goes to standard output.
    pub(crate) fn print(&self, report: &Report) -> Result<(), Failure> {
        if !self.is_written {
            return Ok(());
        }
        let result = fs::read(&report.output).map_err(|error| Failure::Read(report.output.clone(), error))?;
        let mut out = io::stdout().lock();
        let fail = |error| Failure::Result(report.output.clone(), error);
        out.write_all(&result).and_then(|()| out.flush()).map_err(fail)
    }

    /// The reduction has ended. The files go unless the same command can go on with them, or they hold a result that
    /// was not printed.
    pub(crate) fn close(&self, result: Result<&Report, &Failure>) {
        let Some(folder) = &self.folder else { return };
        let stays = match result {
            Ok(report) => report.end != End::Finished && !report.is_trivial(),
            // Another run uses them.
            Err(failure) if failure.code() == IN_USE => true,
            Err(_) => {
                self.is_written
                    && fs::read_dir(folder).is_ok_and(|files| files.flatten().any(|file| is_result(&file)))
            }
        };
        if !stays {
            let _ = fs::remove_dir_all(folder);
        }
    }
}

/// Removes the folders of reductions that nobody went on with.
fn tidy(all: &Path) {
    for folder in fs::read_dir(all).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if is_given_up(&folder).unwrap_or(false) {
            let _ = fs::remove_dir_all(folder);
        }
    }
}

/// Whether nothing in a folder has changed for long, and no run holds its result.
fn is_given_up(folder: &Path) -> io::Result<bool> {
    let is_old = |file: &fs::Metadata| {
        file.modified().is_ok_and(|changed| changed.elapsed().is_ok_and(|age| age > GIVEN_UP))
    };
    if !is_old(&fs::metadata(folder)?) {
        return Ok(false);
    }
    for file in fs::read_dir(folder)? {
        let file = file?;
        let is_in_use = || {
            let lock = File::open(file.path()).map(|result| result.try_lock());
            matches!(lock, Ok(Err(TryLockError::WouldBlock)))
        };
        if !is_old(&file.metadata()?) || (is_result(&file) && is_in_use()) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_result(file: &fs::DirEntry) -> bool {
    file.file_name().as_bytes().starts_with(RESULT.as_bytes())
}

/// Whether a path stands for standard input.
pub(crate) fn is_read(path: &Path) -> bool {
    is_stream(path, ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"])
}

/// Whether a path stands for standard output. To replace what a name of it leads to would write to no stream.
pub(crate) fn is_written(path: &Path) -> bool {
    is_stream(path, ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
}

fn is_stream(path: &Path, names: [&str; 3]) -> bool {
    [STREAM].iter().chain(&names).any(|name| path == Path::new(name))
}

/// All of standard input, as an input to reduce.
pub(crate) fn read() -> Result<Vec<u8>, Failure> {
    let bytes = read_all()?;
    if bytes.is_empty() {
        let what = "it is empty already".to_owned();
        return Err(Error::Input { path: STANDARD_INPUT.into(), what }.into());
    }
    Ok(bytes)
}

/// All of standard input.
pub(crate) fn read_all() -> Result<Vec<u8>, Failure> {
    let mut stdin = io::stdin();
    if stdin.is_terminal() {
        return Err(Failure::Usage(
            "the input is standard input, which is the terminal: write `< FILE` or `COMMAND |`, or name the file"
                .to_owned(),
        ));
    }
    let mut bytes = Vec::new();
    stdin.read_to_end(&mut bytes).map_err(|error| Failure::Read(STANDARD_INPUT.into(), error))?;
    Ok(bytes)
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
