//! Files of a folder as one text, which is what searches, journals and reports work on.
//!
//! Each entry has a line of its own:
//!
//! ```text
//! ===== folder 755 src
//! ===== file 644 src/main.rs
//! fn main() {}
//!
//! ===== end
//! ===== link src/old.rs main.rs
//! ===== kept-link src/new.rs main.rs
//! ===== other 644 logo.png 9f86d081884c7d65
//! ===== kept 644 src/lib.rs 3a7bd3e2360a3d29
//! ```
//!
//! What is between the lines `file` and `end` is the file, without the newline before `end`. An `other` is a file that is
//! no text; its bytes are elsewhere, under this name. So are those of a file that is to stay, `kept`. White space, control characters and `%` in paths are written as
//! `%20`. The signs that begin a line are as many as it takes that no line of a file begins so.

use std::ffi::OsStr;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use memchr::memmem;

/// The sign that begins the lines of entries, and how often it does at least.
const SIGN: (u8, usize) = (b'=', 5);
const END: &[u8] = b"end";

/// A file, folder or link in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its path in the folder.
    pub path: PathBuf,
    /// What it is.
    pub content: Content,
    /// Its line in the bundle, without the newline.
    pub line: Range<usize>,
}

/// What an [`Entry`] is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A folder. What is in it follows.
    Folder {
        /// Its permissions.
        mode: u32,
    },
    /// A file that is a text.
    Text {
        /// Its permissions.
        mode: u32,
        /// Its bytes in the bundle.
        bytes: Range<usize>,
        /// The line that ends it.
        end: Range<usize>,
    },
    /// Another file.
    Other {
        /// Its permissions.
        mode: u32,
        /// The name of its bytes.
        name: String,
    },
    /// A file that stays as it is; the fields are those of others.
    #[expect(missing_docs, reason = "they are those of others")]
    Kept { mode: u32, name: String },
    /// A symbolic link.
    Link {
        /// Where it points to.
        target: PathBuf,
    },
    /// The same of one that stays as it is.
    KeptLink {
        /// Where it points to.
        target: PathBuf,
    },
}

/// What is put into a bundle.
#[derive(Clone, Debug)]
pub enum Item<'a> {
    /// A folder with these permissions.
    Folder(u32),
    /// A text with these permissions.
    Text(u32, &'a [u8]),
    /// Another file, with these permissions and the name of its bytes.
    Other(u32, &'a str),
    /// The same of a file that stays.
    Kept(u32, &'a str),
    /// A symbolic link to this path.
    Link(&'a Path),
    /// The same of one that stays.
    KeptLink(&'a Path),
}

/// Puts items with their paths into one text, each folder before what is in it.
pub fn join(items: &[(PathBuf, Item<'_>)]) -> Vec<u8> {
    let texts = items.iter().filter_map(|(_, item)| match item {
        Item::Text(_, text) => Some(*text),
        _ => None,
    });
    let sign = vec![SIGN.0; signs_for(texts)];
    let mut bundle = Vec::new();
    for (path, item) in items {
        let path = written(path);
        let line = match item {
            Item::Folder(mode) => format!("folder {mode:o} "),
            Item::Text(mode, _) => format!("file {mode:o} "),
            Item::Other(mode, _) => format!("other {mode:o} "),
            Item::Kept(mode, _) => format!("kept {mode:o} "),
            Item::Link(_) => "link ".to_owned(),
            Item::KeptLink(_) => "kept-link ".to_owned(),
        };
        bundle.extend([&sign[..], b" ", line.as_bytes(), &path].concat());
        match item {
            Item::Folder(_) => {}
            Item::Text(_, text) => {
                bundle.push(b'\n');
                if !text.is_empty() {
                    bundle.extend_from_slice(text);
                    bundle.push(b'\n');
                }
                bundle.extend([&sign[..], b" ", END].concat());
            }
            Item::Other(_, name) | Item::Kept(_, name) => bundle.extend([b" ", name.as_bytes()].concat()),
            Item::Link(target) | Item::KeptLink(target) => {
                bundle.extend([b" ", &written(target)[..]].concat())
            }
        }
        bundle.push(b'\n');
    }
    bundle
}

/// The entries of a bundle, each folder before what is in it; nothing where a text is no bundle.
pub fn split(bundle: &[u8]) -> Option<Vec<Entry>> {
    let sign = bundle.iter().take_while(|&&byte| byte == SIGN.0).count();
    if bundle.is_empty() {
        return Some(Vec::new());
    }
    let begins = |line: &[u8]| {
        line.len() > sign && line[..sign].iter().all(|&byte| byte == SIGN.0) && line[sign] == b' '
    };
    let beginning = [b"\n", &vec![SIGN.0; sign][..], b" "].concat();
    let beginning = memmem::Finder::new(&beginning);
    let mut entries: Vec<Entry> = Vec::new();
    // The first byte of the text that is open.
    let mut open: Option<usize> = None;
    let mut start = 0;
    while start < bundle.len() {
        if open.is_some() {
            start += beginning.find(&bundle[start - 1..])?;
        }
        let end = memchr::memchr(b'\n', &bundle[start..]).map_or(bundle.len(), |length| start + length);
        let line = &bundle[start..end];
        match open {
            Some(from) => {
                let Content::Text { bytes, end: ends, .. } = &mut entries.last_mut()?.content else {
                    return None;
                };
                if line[sign..].trim_ascii() != END {
                    return None;
                }
                // The newline before this line is no part of the text.
                (*bytes, *ends) = (from..start.saturating_sub(1).max(from), start..end);
                open = None;
            }
            None if line.trim_ascii().is_empty() => {}
            None => {
                let path_and_content = begins(line).then(|| read_line(&line[sign..]))??;
                let (path, content) = path_and_content;
                open = matches!(content, Content::Text { .. }).then_some((end + 1).min(bundle.len()));
                // A line that a text with other line ends stands behind.
                let line = start..end - usize::from(line.ends_with(b"\r"));
                entries.push(Entry { path, content, line });
            }
        }
        start = end + 1;
    }
    open.is_none().then_some(entries)
}

fn read_line(line: &[u8]) -> Option<(PathBuf, Content)> {
    let mut words = line.trim_ascii().split(|&byte| byte == b' ');
    let kind = words.next()?;
    let mode = |word: &[u8]| u32::from_str_radix(std::str::from_utf8(word).ok()?, 8).ok();
    let (path, content) = match kind {
        b"folder" => {
            let mode = mode(words.next()?)?;
            (unwritten(words.next()?)?, Content::Folder { mode })
        }
        b"file" => {
            let mode = mode(words.next()?)?;
            (unwritten(words.next()?)?, Content::Text { mode, bytes: 0..0, end: 0..0 })
        }
        b"other" | b"kept" => {
            let mode = mode(words.next()?)?;
            let path = unwritten(words.next()?)?;
            let name = std::str::from_utf8(words.next()?).ok()?.to_owned();
            (path, if kind == b"kept" { Content::Kept { mode, name } } else { Content::Other { mode, name } })
        }
        b"link" | b"kept-link" => {
            let path = unwritten(words.next()?)?;
            let target = unwritten(words.next()?)?;
            (path, if kind == b"link" { Content::Link { target } } else { Content::KeptLink { target } })
        }
        _ => return None,
    };
    let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
    (is_inside && path.components().next().is_some() && words.next().is_none()).then_some((path, content))
}

fn signs_for<'a>(texts: impl Iterator<Item = &'a [u8]>) -> usize {
    let mut taken = Vec::new();
    for text in texts {
        for line in text.split(|&byte| byte == b'\n') {
            let signs = line.iter().take_while(|&&byte| byte == SIGN.0).count();
            if signs >= SIGN.1 && !taken.contains(&signs) {
                taken.push(signs);
            }
        }
    }
    (SIGN.1..).find(|signs| !taken.contains(signs)).unwrap_or(SIGN.1)
}

fn written(path: &Path) -> Vec<u8> {
    let mut written = Vec::new();
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            0..=b' ' | b'%' | 0x7f => written.extend(format!("%{byte:02x}").bytes()),
            _ => written.push(byte),
        }
    }
    written
}

fn unwritten(word: &[u8]) -> Option<PathBuf> {
    let mut bytes = Vec::new();
    let mut rest = word.iter();
    while let Some(&byte) = rest.next() {
        if byte == b'%' {
            let digits = [*rest.next()?, *rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    Some(Path::new(OsStr::from_bytes(&bytes)).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(files: &[(&str, &str)]) -> Vec<u8> {
        let items: Vec<_> = files
            .iter()
            .map(|(path, text)| (PathBuf::from(path), Item::Text(0o644, text.as_bytes())))
            .collect();
        join(&items)
    }

    #[track_caller]
    fn check(files: &[(&str, &str)]) {
        let bundle = texts(files);
        let entries = split(&bundle).unwrap();
        let found: Vec<(String, &[u8])> = entries
            .iter()
            .map(|entry| {
                let Content::Text { bytes, .. } = &entry.content else { panic!("{entry:?}") };
                (entry.path.to_str().unwrap().to_owned(), &bundle[bytes.clone()])
            })
            .collect();
        let expected: Vec<(String, &[u8])> =
            files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn files_come_out_as_they_were() {
        check(&[]);
        check(&[
            ("a.c", "int a;\n"),
            ("b/c d%.h", "no newline"),
            ("empty", ""),
            ("line", "\n"),
            ("lines", "\n\n"),
        ]);
        check(&[("signs", "===== end\n====== end\n=====\n======= x"), ("b", "x")]);
        check(&[("new\nline", "x\r\n"), ("\u{e4}", "===== file 644 x\n")]);
    }

    #[test]
    fn folders_links_and_others_have_a_line() {
        let items = [
            (PathBuf::from("a"), Item::Folder(0o755)),
            (PathBuf::from("a/l k"), Item::Link(Path::new("../x y"))),
            (PathBuf::from("p.png"), Item::Other(0o600, "0f")),
        ];
        let bundle = join(&items);
        let expected = "===== folder 755 a\n===== link a/l%20k ../x%20y\n===== other 600 p.png 0f\n";
        assert_eq!(String::from_utf8_lossy(&bundle), expected);
        let contents: Vec<_> =
            split(&bundle).unwrap().into_iter().map(|entry| (entry.path, entry.content)).collect();
        let expected = [
            (PathBuf::from("a"), Content::Folder { mode: 0o755 }),
            (PathBuf::from("a/l k"), Content::Link { target: "../x y".into() }),
            (PathBuf::from("p.png"), Content::Other { mode: 0o600, name: "0f".into() }),
        ];
        assert_eq!(contents, expected);
    }

    #[test]
    fn what_is_no_bundle_is_found_out() {
        for text in [
            "x",
            "===== file 644 a\nx",
            "===== file 644 a\nx\n===== file 644 b\n===== end\n",
            "===== file 644 ../a\n===== end\n",
            "===== file 644 /a\n===== end\n",
            "===== file 9 a\n===== end\n",
            "===== file 644\n===== end\n",
            "===== end\n",
            "===== other 644 a\n",
        ] {
            assert_eq!(split(text.as_bytes()), None, "{text:?}");
        }
    }
}
