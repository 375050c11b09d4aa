//! A look at the input and the test before anything is run, so that what is wrong with them is said
//! in words and not by a failing question.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::config::Config;
use crate::error::Error;
use crate::journal::real;
use crate::output::Output;
use crate::probe::is_executable;
use crate::shell::quoted;
use crate::shown::shown;
use crate::sink::Sink;

/// The bytes of the input.
pub(crate) fn read_input(config: &Config) -> Result<Vec<u8>, Error> {
    let path = &config.input;
    let input = read_file(path)?;
    if input.is_empty() {
        return Err(Error::Input { path: path.clone(), what: "it is empty already".into() });
    }
    let startable = |path| !matches!(start_of(path), Ok(Start::Neither) | Err(_));
    if config.test.is_file() && !startable(&config.test) && is_executable(path) && startable(path) {
        return Err(Error::Swapped { test: config.test.clone(), input: path.clone() });
    }
    Ok(input)
}

/// The bytes of a file that is an input.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, Error> {
    let fail = |what: String| Error::Input { path: path.to_owned(), what };
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => {
            Err(fail("it is a folder; name one file (folders are not reduced yet)".into()))
        }
        Ok(metadata) if !metadata.is_file() => Err(fail("it is no regular file".into())),
        Ok(metadata) if metadata.len() > u64::from(u32::MAX) => Err(fail("it has more than 4 GiB".into())),
        Ok(_) => fs::read(path).map_err(|error| fail(error.to_string())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(fail("there is no such file".into())),
        Err(error) => Err(fail(error.to_string())),
    }
}

/// Makes the test absolute, after looking for what would keep it from being started.
pub(crate) fn find_test(test: &Path) -> Result<PathBuf, Error> {
    find_program(test).map_err(|what| Error::Test { path: test.to_owned(), what })
}

/// Makes an external command absolute in the same way.
pub(crate) fn find_external(command: &Path) -> Result<PathBuf, Error> {
    find_program(command).map_err(|what| Error::External { path: command.to_owned(), what })
}

fn find_program(program: &Path) -> Result<PathBuf, String> {
    let metadata = fs::metadata(program).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => error.to_string(),
    })?;
    if !metadata.is_file() {
        return Err("it is no regular file; name a script or a program".to_owned());
    }
    if !is_executable(program) {
        return Err(format!("it is not executable; try: chmod +x {}", quoted(program)));
    }
    match start_of(program).map_err(|error| error.to_string())? {
        Start::Script(interpreter) if interpreter.as_os_str().as_bytes().ends_with(b"\r") => Err(format!(
            "its `#!` line ends with a carriage return; try: sed -i 's/\\r$//' {}",
            quoted(program)
        )),
        Start::Script(interpreter) if !is_executable(&interpreter) => {
            let interpreter = shown(interpreter);
            Err(format!("its `#!` line names {interpreter}, which is missing or not executable"))
        }
        Start::Neither => {
            Err("it does not begin with a `#!` line; put one like `#!/bin/sh` at its top".to_owned())
        }
        Start::Binary | Start::Script(_) => std::path::absolute(program).map_err(|error| error.to_string()),
    }
}

/// That the journal is not to be another file of the reduction, which would be lost.
pub(crate) fn check_journal(config: &Config, output: &Output) -> Result<(), Error> {
    let files = [
        (Some(&*config.input), "the input"),
        (Some(&*config.test), "the test"),
        (Some(output.path()), "the result"),
        (output.copy(), "the copy of the original"),
    ];
    let Some(journal) = &config.journal else { return Ok(()) };
    let other = files.into_iter().find(|(file, _)| file.is_some_and(|file| is_same(journal, file)));
    other.map_or(Ok(()), |(_, what)| Err(Error::JournalElsewhere { journal: journal.clone(), what }))
}

/// Whether both names are of one file, or would be.
fn is_same(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(one), Ok(other)) => (one.dev(), one.ino()) == (other.dev(), other.ino()),
        _ => matches!((real(one), real(other)), (Ok(one), Ok(other)) if one == other),
    }
}

/// How the kernel would start a file.
enum Start {
    Binary,
    /// By the interpreter that its `#!` line names.
    Script(PathBuf),
    Neither,
}

fn start_of(path: &Path) -> io::Result<Start> {
    let mut head = Vec::new();
    File::open(path)?.take(4096).read_to_end(&mut head)?;
    if head.starts_with(b"\x7fELF") {
        return Ok(Start::Binary);
    }
    let line = head.strip_prefix(b"#!").and_then(|rest| rest.split(|&byte| byte == b'\n').next());
    // The kernel takes a carriage return for a part of the name.
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t');
    let word = line.and_then(|line| line.split(is_space).find(|word| !word.is_empty()));
    Ok(match word {
        Some(word) => Start::Script(OsStr::from_bytes(word).into()),
        None => Start::Neither,
    })
}
