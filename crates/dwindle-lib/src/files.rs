//! A look at the input and the test before anything is run, so that what is wrong with them is said
//! in words and not by a failing question.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use dwindle_core::Format;
use dwindle_run::FixedFile;
use memchr::memmem;

use crate::config::{Config, Test};
use crate::document::Document;
use crate::error::Error;
use crate::folder::end_of;
use crate::method::Method;
use crate::output::Output;
use crate::probe::{FILE_PLACE, PLACE, Probe, Word, in_path, is_executable};
use crate::same_file::is_same_file;
use crate::shell::quoted;
use crate::shown::shown;
use crate::sink::{OutputError, Sink};
use crate::trace::TraceFiles;
use crate::verdict::Criteria;

/// The input, a file or a folder.
pub(crate) fn read_input(config: &Config) -> Result<Document, Error> {
    let path = &config.input;
    let fail = |what: &str| Error::Input { path: path.clone(), what: what.to_owned() };
    let document = if path.is_dir() {
        Document::folder(path, &config.selection)?
    } else if config.options.method != Method::List(Format::Bytes)
        && end_of(path).is_some()
        && let Some(document) = Document::archive(path, &read_file(path)?, &config.selection)
    {
        document?
    } else {
        if !config.selection.is_all() {
            return Err(fail("it is one file; --only and --keep-file choose among the files of a folder"));
        }
        let bytes = read_file(path).map_err(|error| match (&config.test, error) {
            (Test::Script(test), Error::Input { what, .. }) if test.is_file() && !is_executable(test) => {
                Error::Input { path: path.clone(), what: what + &or_a_command(path, test) }
            }
            (_, error) => error,
        })?;
        let mode = fs::metadata(path).map_or(0, |metadata| metadata.permissions().mode());
        Document::file(path, mode, bytes)
    };
    if document.others().is_some() {
        if config.options.front_end.is_some() {
            return Err(fail(
                "it is a folder, in which each file is read by its own language; leave --language away",
            ));
        }
        if !config.external.is_empty() {
            return Err(fail(
                "it is a folder, and commands of --external offer files; leave --external away",
            ));
        }
        if u32::try_from(document.bytes().len()).is_err() {
            return Err(fail("the texts in it have more than 4 GiB; leave some out with --keep-file"));
        }
    }
    if document.bytes().is_empty() {
        return Err(fail("it is empty already"));
    }
    let startable = |path| !matches!(start_of(path), Ok(Start::Neither) | Err(_));
    if let Test::Script(test) = &config.test
        && test.is_file()
        && !startable(test)
        && is_executable(path)
        && startable(path)
    {
        return Err(Error::Swapped { test: test.clone(), input: path.clone() });
    }
    Ok(document)
}

/// The bytes of a file that is an input.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, Error> {
    let fail = |what: String| Error::Input { path: path.to_owned(), what };
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(fail("it is a folder; name one file".into())),
        Ok(metadata) if !metadata.is_file() => Err(fail("it is no regular file".into())),
        Ok(metadata) if metadata.len() > u64::from(u32::MAX) => Err(fail("it has more than 4 GiB".into())),
        Ok(_) => fs::read(path).map_err(|error| fail(error.to_string())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(fail("there is no such file".into())),
        Err(error) => Err(fail(error.to_string())),
    }
}

/// What is run on candidates, after looking for what would keep it from being started.
pub(crate) fn find_probe(config: &Config) -> Result<Probe, Error> {
    let fail = |what| Error::Test { path: named(&config.test).to_owned(), what };
    let words = match &config.test {
        Test::Script(path) => {
            let program =
                find_program(path).map_err(|what| fail(what + &or_a_command(path, &config.input)))?;
            vec![program.into(), Word::Candidate]
        }
        Test::Command(words) => find_words(config, words)?,
    };
    let probe = Probe::command(words).map_err(|error| fail(error.to_string()))?;
    let probe = match &config.list {
        Some(list) => probe.in_folder(list.folder.clone()),
        None => probe,
    };
    let stage = |path: &PathBuf| find_program(path).map_err(|what| Error::Test { path: path.clone(), what });
    let stages: Vec<PathBuf> = config.stages.iter().map(stage).collect::<Result<_, Error>>()?;
    probe.with_stages(&stages).map_err(|error| fail(error.to_string()))
}

/// The same with the other commands of the test and what is asked of them.
pub(crate) fn with_others(probe: Probe, config: &Config, criteria: Criteria) -> Result<Probe, Error> {
    let mut probe = probe.with_criteria(criteria);
    for words in &config.also {
        let words = find_words(config, words)?;
        probe = probe.also(words).map_err(|error| Error::Command(error.to_string()))?;
    }
    if let Some(words) = &config.differs_from {
        let words = find_words(config, words)?;
        probe = probe.compared(words).map_err(|error| Error::Command(error.to_string()))?;
    }
    if let Some(guard) = config.guard {
        if let Some(what) = guard.lacks() {
            return Err(Error::Command(what));
        }
        let words = find_words(config, &guard.words())?;
        probe = probe.guarded(words).map_err(|error| Error::Command(error.to_string()))?;
    }
    Ok(probe)
}

/// The words of a command, its program as an absolute path.
fn find_words(config: &Config, words: &[OsString]) -> Result<Vec<Word>, Error> {
    let named = Path::new(words.first().map_or(OsStr::new(""), |program| program));
    let arguments = words.iter().skip(1);
    let is_input = |word: &&OsString| is_input(Path::new(word), config);
    if let Some(word) = arguments.clone().find(is_input) {
        let place = if config.list.is_some() { FILE_PLACE } else { PLACE };
        return Err(Error::Command(format!(
            "the command names {} itself, which is the same for every candidate: write {place} in its place",
            shown(word)
        )));
    }
    let program = find_command(config, named)?;
    let program = find_program(&program).map_err(|what| Error::Test { path: named.to_owned(), what })?;
    let arguments = arguments.cloned().map(|word| match config.list {
        Some(_) => word_of_list(word),
        None => Ok(Word::Named(word)),
    });
    [Ok(program.into())].into_iter().chain(arguments).collect()
}

/// What an argument of a command is whose candidates are lists.
fn word_of_list(word: OsString) -> Result<Word, Error> {
    let has = |place: &str| memmem::find(word.as_bytes(), place.as_bytes()).is_some();
    if word == PLACE {
        return Ok(Word::Lines);
    }
    if has(FILE_PLACE) {
        return Ok(Word::Pathed(word));
    }
    if has(PLACE) {
        return Err(Error::Command(format!(
            "{} has {PLACE} inside of a word: the items of a list are words of their own, so {PLACE} must stand alone. A shell \
             has them as \"$@\" in: sh -c 'COMMAND \"$@\"' sh {PLACE}; and {FILE_PLACE}, the path of a file with an item on \
             each line, may stand anywhere",
            shown(&word)
        )));
    }
    Ok(Word::Literal(word))
}

/// The files that lie beside every candidate, as they are now.
pub(crate) fn read_beside(config: &Config) -> Result<Vec<FixedFile>, Error> {
    let mut files: Vec<FixedFile> = Vec::new();
    for path in &config.beside {
        let fail = |what: &str| Error::Beside { path: path.clone(), what: what.to_owned() };
        let name: PathBuf = path.file_name().ok_or_else(|| fail("it has no name"))?.into();
        let metadata = fs::metadata(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => fail("there is no such file"),
            _ => fail(&error.to_string()),
        })?;
        if !metadata.is_file() {
            return Err(fail("it is no regular file; name each file"));
        }
        if config.input.file_name() == Some(name.as_os_str()) {
            return Err(fail("the candidate has that name"));
        }
        if files.iter().any(|file| file.name == name) {
            return Err(fail("another file of --with has that name"));
        }
        let bytes = fs::read(path).map_err(|error| fail(&error.to_string()))?.into();
        files.push(FixedFile { name, mode: 0o600 | metadata.permissions().mode() & 0o100, bytes });
    }
    Ok(files)
}

/// The name of the test as it was given.
pub(crate) fn named(test: &Test) -> &Path {
    match test {
        Test::Script(path) => path,
        Test::Command(words) => Path::new(words.first().map_or(OsStr::new(""), |program| program)),
    }
}

/// Whether the word of a command is the input and not, in the folder where the command runs, the candidate.
fn is_input(word: &Path, config: &Config) -> bool {
    let (input, is_list) = (&config.input, config.list.is_some());
    let is_there = word.strip_prefix(".").unwrap_or(word) == Path::new(input.file_name().unwrap_or_default());
    (is_list || !is_there) && is_same_file(word, input)
}

/// The program of a command: a path, or a name in `PATH`.
fn find_command(config: &Config, name: &Path) -> Result<PathBuf, Error> {
    let bytes = name.as_os_str().as_bytes();
    let is_place = |place: &str| memmem::find(bytes, place.as_bytes()).is_some();
    let is_line = bytes.iter().any(|byte| b" |&;<>".contains(byte)) && !name.exists();
    let for_a_shell = || {
        let line = quoted(name);
        format!("there is no such program, and no shell reads a command; for that, write: sh -c {line}")
    };
    if is_place(PLACE) || config.list.is_some() && is_place(FILE_PLACE) {
        let what = match is_line {
            true => for_a_shell(),
            false if config.list.is_some() => {
                "the items of a list are no program; write what gets them before them".to_owned()
            }
            false => format!("a candidate is no program; write what runs it, such as: sh {PLACE}"),
        };
        return Err(Error::Test { path: name.to_owned(), what });
    }
    let input = &config.input;
    let is_program = |path: &Path| is_executable(path) || in_path(path).is_some();
    if name.is_file() && !is_program(name) && is_program(input) {
        let subcommand = if config.list.is_some() { "list " } else { "" };
        return Err(Error::Command(format!(
            "{} is no program but {} is one: INPUT comes before `--`, and the command behind it; did you mean\n  \
             dwindle {subcommand}{} -- {} {PLACE}",
            shown(name),
            shown(input),
            quoted(name),
            quoted(input)
        )));
    }
    if bytes.contains(&b'/') && !is_line {
        return Ok(name.to_owned());
    }
    in_path(name).ok_or_else(|| {
        let what = if is_executable(name) {
            format!("it is not in PATH; the one in this folder is ./{}", quoted(name))
        } else if is_line {
            for_a_shell()
        } else {
            "there is no such program in PATH".to_owned()
        };
        Error::Test { path: name.to_owned(), what }
    })
}

/// What may be wrong with a test that does not find the input interesting and has printed `output`.
pub(crate) fn hint(config: &Config, output: &[u8]) -> Option<String> {
    let Some(remote) = &config.remote else { return hint_of_here(config, output) };
    let place = format!(
        "It ran on {}, where it has the programs of that machine, the variables of --remote-env and, beside the candidate, the files \
         of --with.",
        remote.engine.name()
    );
    let file = missing(config, output);
    Some(match file {
        Some(file) => {
            format!("{place} There is no {} among them: add --with {}", shown(&file), quoted(&file))
        }
        None => place,
    })
}

fn hint_of_here(config: &Config, output: &[u8]) -> Option<String> {
    if config.list.is_some() {
        return None;
    }
    let missing = missing(config, output).map(|file| {
        let name = file.file_name().unwrap_or_default();
        format!(
            "The test runs in a folder of its own, where there is no {}: write an absolute path, or lay it there with \
             --with {}",
            shown(name),
            quoted(&file)
        )
    });
    missing.or_else(|| match &config.test {
        Test::Script(path) => other_name(path, &config.input),
        Test::Command(words) => {
            let name = config.input.file_name().unwrap_or_default();
            let holds =
                |word: &OsString, part: &OsStr| memmem::find(word.as_bytes(), part.as_bytes()).is_some();
            let mut arguments = words.iter().skip(1);
            let named = arguments.any(|word| holds(word, OsStr::new(PLACE)) || holds(word, name));
            (!named).then(|| {
                format!("The command has no {PLACE}, so it gets the candidate as standard input only.")
            })
        }
    })
}

/// A file that the test seems to need and that does not lie beside the candidate.
fn missing(config: &Config, output: &[u8]) -> Option<PathBuf> {
    let name = config.input.file_name().unwrap_or_default();
    if let Some(word) = lost_arguments(config).next() {
        return Some(word.to_owned());
    }
    /// Of a folder with more, the others are not looked at.
    const MOST: usize = 1000;
    let folder = config.input.parent().unwrap_or(Path::new(""));
    let entries = fs::read_dir(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }).ok()?;
    let names = entries.take(MOST).flatten().map(|entry| entry.file_name());
    let is_beside = |name: &OsStr| config.beside.iter().any(|file| file.file_name() == Some(name));
    let complaints: Vec<&[u8]> =
        output.split(|&byte| byte == b'\n').filter(|line| says_missing(line)).collect();
    let is_mentioned =
        |other: &OsString| other != name && complaints.iter().any(|line| has_word(line, other.as_bytes()));
    let mentioned = names.filter(|name| is_mentioned(name) && !is_beside(name)).map(|name| folder.join(name));
    mentioned.filter(|file| file.is_file() && !is_same_file(file, named(&config.test))).min()
}

/// The arguments of a command that are files here, and that the test does not have beside the candidate.
fn lost_arguments(config: &Config) -> impl Iterator<Item = &Path> {
    let words: &[OsString] = match &config.test {
        Test::Command(words) => words,
        Test::Script(_) => &[],
    };
    let name = config.input.file_name();
    let is_beside = |file: &Path| config.beside.iter().any(|other| other.file_name() == file.file_name());
    let paths = words.iter().skip(1).map(Path::new);
    paths.filter(move |word| {
        word.is_relative() && word.is_file() && Some(word.as_os_str()) != name && !is_beside(word)
    })
}

/// An argument of a command that is a file here, and of which the command says in `output` that there is no such file.
pub(crate) fn lost_argument<'a>(config: &'a Config, output: &[u8]) -> Option<&'a Path> {
    let complaints = || output.split(|&byte| byte == b'\n').filter(|line| says_missing(line));
    lost_arguments(config).find(|file| {
        let name = file.file_name().unwrap_or_default().as_bytes();
        complaints().any(|line| has_word(line, name))
    })
}

/// Whether a line of an output says that there is no such file.
fn says_missing(line: &[u8]) -> bool {
    let line = line.to_ascii_lowercase();
    let complaints = [
        "no such file",
        "not found",
        "cannot open",
        "can't open",
        "cannot find",
        "could not open",
        "unable to open",
        "unable to access",
        "does not exist",
    ];
    complaints.iter().any(|complaint| memmem::find(&line, complaint.as_bytes()).is_some())
}

/// Whether a text has a name in it, as a word of its own.
fn has_word(text: &[u8], name: &[u8]) -> bool {
    let is_part =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(byte));
    let mut places = memmem::find_iter(text, name);
    places.any(|at| !is_part(text[..at].last()) && !is_part(text.get(at + name.len())))
}

/// That a script names another file than the candidate's.
fn other_name(script: &Path, input: &Path) -> Option<String> {
    let text = fs::read(script).ok().filter(|text| text.starts_with(b"#!"))?;
    let (name, end) = (input.file_name()?, input.extension()?);
    let is_in_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    if has_word(&text, name.as_bytes()) || memmem::find(&text, b"$1").is_some() {
        return None;
    }
    let is_other = |word: &&[u8]| Path::new(OsStr::from_bytes(word)).extension() == Some(end);
    let other = text.split(|byte| !is_in_name(byte)).find(is_other)?;
    Some(format!(
        "The script names {}, and the candidate is called {}: write that, or \"$1\".",
        shown(OsStr::from_bytes(other)),
        shown(name)
    ))
}

/// What to write if `name`, which is no file, was meant as a command on `input`; else nothing.
fn or_a_command(name: &Path, input: &Path) -> String {
    let bytes = name.as_os_str().as_bytes();
    let first = bytes.split(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
    if name.exists() || in_path(OsStr::from_bytes(first)).is_none() {
        return String::new();
    }
    let command = match first.len() == bytes.len() {
        true => format!("{} {PLACE}", quoted(name)),
        false => format!("sh -c {}", quoted(name)),
    };
    format!("; a command stands behind `--`:\n  dwindle {} -- {command}", quoted(input))
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
pub(crate) fn check_journal(config: &Config, probe: &Probe, output: &Output) -> Result<(), Error> {
    let Some(journal) = &config.journal else { return Ok(()) };
    let other = other_file(journal, config, probe, output);
    other.map_or(Ok(()), |what| Err(Error::JournalElsewhere { journal: journal.clone(), what }))
}

/// What a file is in the reduction, if it has a part in it.
fn other_file(path: &Path, config: &Config, probe: &Probe, output: &Output) -> Option<&'static str> {
    let files = [
        (Some(&*config.input), "the input"),
        (Some(probe.path()), "the test"),
        (Some(output.path()), "the result"),
        (output.copy(), "the copy of the original"),
    ];
    let is_it = |file: Option<&Path>| file.is_some_and(|file| is_same_file(path, file));
    files.into_iter().find(|(file, _)| is_it(*file)).map(|(_, what)| what)
}

/// Opens what questions are written to, which is to be no other file of the reduction.
pub(crate) fn open_trace(
    config: &Config,
    document: &Document,
    probe: &Probe,
    output: &Output,
) -> Result<Option<TraceFiles>, Error> {
    let (trace, dump) = (config.trace.as_deref(), config.dump.as_deref());
    if trace.is_none() && dump.is_none() {
        return Ok(None);
    }
    if let Some((path, what)) =
        trace.and_then(|trace| Some((trace, other_file(trace, config, probe, output)?)))
    {
        let source = io::Error::other(format!("it is {what}; name another file"));
        return Err(OutputError::Trace { path: path.to_owned(), source }.into());
    }
    Ok(Some(TraceFiles::open(trace, dump, document)?))
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
