//! A test as a script of its own, which does what the command and its criteria do.

use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use dwindle_run::{Stream, Wanted};
use memchr::memmem;

use crate::config::{Config, Test};
use crate::error::Error;
use crate::expression::extended;
use crate::folder::end_of;
use crate::probe::PLACE;
use crate::shown::shown;
use crate::verdict::{Criteria, Matching};

/// Writes the test of `config`, judged by `criteria`, to `path`; a file that is there already is only replaced if it is such
/// a script as well.
pub(crate) fn save(path: &Path, config: &Config, criteria: &Criteria) -> Result<(), Error> {
    let fail = |what: String| Error::Script { path: path.to_owned(), what };
    let text = script(path, config, criteria).map_err(fail)?;
    let is_ours = |text: Vec<u8>| memmem::find(&text, MARK.as_bytes()).is_some();
    if path.exists() && !fs::read(path).is_ok_and(is_ours) {
        return Err(fail("something else is there already; name another file".to_owned()));
    }
    fs::write(path, text).map_err(|error| fail(error.to_string()))?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).map_err(|error| fail(error.to_string()))
}

/// What such a script says of itself.
const MARK: &str = "# Made by dwindle";

fn script(path: &Path, config: &Config, criteria: &Criteria) -> Result<String, String> {
    check_text(config, criteria)?;
    let input = &config.input;
    let name = quoted(Path::new(input.file_name().unwrap_or_default()));
    let mut out = format!(
        "#!/bin/sh\n# Does a file still show the bug? Exits with 0 if it does, and with 1 if not.\n\
         {MARK} {}. By hand, from a folder with the file:  {} {name}\n# To reduce it:  dwindle {} {}\n#\n\
         # What must happen: {}.\n\n",
        env!("CARGO_PKG_VERSION"),
        in_comment(&quoted(&by_path(path))),
        in_comment(&quoted(&by_path(path))),
        in_comment(&quoted(input)),
        in_comment(&criteria.to_string()),
    );
    out += &format!(
        "# The candidate is the argument; it lies in the folder where this runs, or is looked up there.\n\
         if [ $# -gt 0 ]; then cd \"$(dirname -- \"$1\")\" || exit 1; fi\n\
         file=$(basename -- \"${{1:-{}}}\")\n\n",
        input.file_name().unwrap_or_default().to_string_lossy().replace(['\\', '"', '$', '`', '}'], "?"),
    );
    for beside in &config.beside {
        let absolute = std::path::absolute(beside).map_err(|error| error.to_string())?;
        let name = Path::new(beside.file_name().unwrap_or_default());
        writeln!(out, "[ -e {} ] || cp {} .", local(name), quoted(&absolute))
            .map_err(|error| error.to_string())?;
    }
    out += "# What is printed goes to files.\ndir=$(mktemp -d) || exit 1\ntrap 'rm -rf \"$dir\"' EXIT\n\
            trap 'exit 1' HUP INT TERM\n\n";
    for words in &config.also {
        out += &format!("{} <\"$file\" >\"$dir/log\" 2>&1 || exit 1\n", line(words));
    }
    out += &main(config, criteria);
    out += &conditions(criteria)?;
    if let Some(words) = &config.differs_from {
        out += &format!(
            "\n# The other command must print something else, or end otherwise.\n\
             {} <\"$file\" >\"$dir/other\" 2>\"$dir/log\"\nother=$?\n\
             [ $code -ne $other ] || ! cmp -s \"$dir/out\" \"$dir/other\" || exit 1\n",
            line(words)
        );
    }
    if let Some(guard) = config.guard {
        out += &format!(
            "\n# The guard, --guard {}.\n{} >\"$dir/log\" 2>&1 || exit 1\n",
            guard.name(),
            line(&guard.words())
        );
    }
    out += "exit 0\n";
    // A folder is no standard input.
    let is_folder = input.is_dir() || end_of(input).is_some();
    Ok(if is_folder { out.replace("<\"$file\"", "</dev/null") } else { out })
}

/// A text for any shell, in quotes where it would see more than a word.
fn quoted(text: &Path) -> String {
    let text = text.to_string_lossy();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+,:@%".contains(&byte);
    match !text.is_empty() && text.bytes().all(is_plain) {
        true => text.into_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// That all that goes into a script is text.
fn check_text(config: &Config, criteria: &Criteria) -> Result<(), String> {
    let own: Vec<&OsStr> = match &config.test {
        Test::Script(path) => vec![path.as_os_str()],
        Test::Command(words) => words.iter().map(|word| word.as_os_str()).collect(),
    };
    let others = config.also.iter().chain(&config.differs_from).flatten().map(|word| word.as_os_str());
    let files = config.beside.iter().chain([&config.input]).map(|path| path.as_os_str());
    let texts = criteria.texts.iter().map(|wanted| &wanted.text).chain(&criteria.absent);
    let texts = texts.map(|text| OsStr::from_bytes(text));
    let mut all = own.into_iter().chain(others).chain(files).chain(texts);
    match all.find(|text| text.to_str().is_none()) {
        Some(text) => Err(format!("a script cannot hold {}, which is no text", shown(text))),
        None => Ok(()),
    }
}

/// A path that a shell does not look up in `PATH`.
fn by_path(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("./").join(path),
        _ => path.to_owned(),
    }
}

/// A name in the current folder that is no option.
fn local(name: &Path) -> String {
    quoted(&Path::new("./").join(name))
}

/// A text in one line.
fn in_comment(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// The command, and where it leaves what it did.
fn main(config: &Config, criteria: &Criteria) -> String {
    let command = match &config.test {
        Test::Script(path) => {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            format!("{} \"$PWD/$file\"", quoted(&path))
        }
        Test::Command(words) => line(words),
    };
    // 137 is what a shell says of SIGKILL, by which it ends then.
    let limit =
        criteria.hangs.map_or(String::new(), |limit| format!("timeout -s KILL {} ", limit.as_secs_f64()));
    let (begin, end) = match criteria.slower {
        Some(_) => ("begin=$(date +%s%N)\n", "took=$(( ($(date +%s%N) - begin) / 1000000 ))\n"),
        None => ("", ""),
    };
    format!(
        "{begin}{limit}{command} <\"$file\" >\"$dir/out\" 2>\"$dir/err\"\ncode=$?\n{end}cat \"$dir/out\" \"$dir/err\" >\"$dir/both\"\n\n"
    )
}

/// The words of a command for a shell.
fn line(words: &[std::ffi::OsString]) -> String {
    let program = |word: &OsStr| match word.as_bytes().contains(&b'/') {
        true => quoted(&std::path::absolute(word).unwrap_or_else(|_| word.into())),
        false => quoted(Path::new(word)),
    };
    let words = words.iter().enumerate().map(|(number, word)| match number {
        0 => program(word),
        _ => with_place(word),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A word in which `$file` stands for the candidate's name.
fn with_place(word: &OsStr) -> String {
    let (mut out, mut rest) = (String::new(), word.as_bytes());
    while let Some(at) = memmem::find(rest, PLACE.as_bytes()) {
        if at > 0 {
            out += &quoted(Path::new(OsStr::from_bytes(&rest[..at])));
        }
        out += "\"$file\"";
        rest = &rest[at + PLACE.len()..];
    }
    if !rest.is_empty() || out.is_empty() {
        out += &quoted(Path::new(OsStr::from_bytes(rest)));
    }
    out
}

/// What must hold of what it did.
fn conditions(criteria: &Criteria) -> Result<String, String> {
    let mut out = String::new();
    if criteria.hangs.is_some() {
        out += "# It must still run after that time.\n[ $code -eq 137 ] || exit 1\n";
    } else if let Some(code) = criteria.code() {
        out += &format!("[ $code -eq {code} ] || exit 1\n");
    }
    if let Some(limit) = criteria.slower {
        out += &format!(
            "# It must take longer than so many milliseconds.\n[ $took -gt {} ] || exit 1\n",
            limit.as_millis()
        );
    }
    for Wanted { stream, text } in &criteria.texts {
        out += &format!("{} || exit 1\n", contains(file(Some(*stream)), text)?);
    }
    for matching in &criteria.matching {
        out += &format!("{} || exit 1\n", matches(matching)?);
    }
    for text in &criteria.absent {
        out += &format!("! {} || exit 1\n", contains(file(None), text)?);
    }
    Ok(out)
}

fn file(stream: Option<Stream>) -> &'static str {
    match stream {
        Some(Stream::Stdout) => "\"$dir/out\"",
        Some(Stream::Stderr) => "\"$dir/err\"",
        None => "\"$dir/both\"",
    }
}

fn contains(file: &str, text: &[u8]) -> Result<String, String> {
    if text.contains(&b'\n') {
        return Err("a script cannot look for a text of several lines: name one line".to_owned());
    }
    Ok(format!("LC_ALL=C grep -Fq -e {} {file}", quoted(Path::new(OsStr::from_bytes(text)))))
}

fn matches(matching: &Matching) -> Result<String, String> {
    let expression = match matching.stream {
        None => matching.expression().to_owned(),
        Some(_) => extended(matching.expression()).map_err(|what| {
            format!("a script cannot look for {}, which has {what}", matching.expression())
        })?,
    };
    Ok(format!("LC_ALL=C grep -Eq -e {} {}", quoted(Path::new(&expression)), file(matching.stream)))
}
