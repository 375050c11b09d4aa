//! Crashes of other kinds that a reduction comes across. They are not what it looks for, and worth a look all the same.

use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use dwindle_core::Outcome;
use dwindle_run::Run;
use serde::Serialize;

use crate::document::Document;
use crate::driver::Candidate;
use crate::folder::Others;
use crate::recognition::{Own, Signature, recognise};

/// How many are kept.
const MOST: usize = 20;
/// Larger candidates are not kept: tests that ran ahead hold theirs, and would fill the memory.
const LARGEST: usize = 1 << 20;

/// A candidate that was refused, and how it made the command crash.
#[derive(Debug)]
pub(crate) struct OtherCrash {
    signature: Signature,
    candidate: Arc<Candidate>,
}

impl OtherCrash {
    /// What a run that means `outcome` shows, if that is a crash; `name` is the candidate's.
    pub(crate) fn of(
        run: &Run,
        outcome: Option<Outcome>,
        candidate: &Arc<Candidate>,
        name: &[u8],
    ) -> Option<Box<Self>> {
        if outcome != Some(Outcome::Uninteresting) || candidate.bytes.len() > LARGEST {
            return None;
        }
        let signature = recognise(run, &Own::new(&candidate.bytes, name), Duration::ZERO)?;
        signature.is_crash.then(|| Box::new(Self { signature, candidate: candidate.clone() }))
    }
}

/// A candidate that was kept because it makes the command crash in another way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AlsoInteresting {
    /// What it does, in a few words.
    pub signature: String,
    /// Where it is.
    pub file: PathBuf,
}

impl AlsoInteresting {
    /// The name of their folder, which is beside the result, or the input where the result is printed.
    pub const FOLDER: &str = "also-interesting";
}

/// Keeps one candidate for each kind of crash in a folder.
#[derive(Debug)]
pub(crate) struct OtherCrashes {
    folder: PathBuf,
    stem: OsString,
    extension: OsString,
    /// Of a folder, the files in it that are no texts.
    others: Option<Others>,
    known: Vec<Signature>,
    kept: Vec<AlsoInteresting>,
}

impl OtherCrashes {
    /// Of the reduction of a document, in `folder`, which is made for the first.
    pub(crate) fn new(folder: PathBuf, document: &Document) -> Self {
        let input = document.path();
        let mut extension = OsString::new();
        if let Some(end) = input.extension() {
            extension.push(".");
            extension.push(end);
        }
        let stem = input.file_stem().unwrap_or_default().to_owned();
        let others = document.others().cloned();
        Self { folder, stem, extension, others, known: Vec::new(), kept: Vec::new() }
    }

    /// Keeps a candidate whose crash is new.
    pub(crate) fn keep(&mut self, found: &OtherCrash) -> io::Result<()> {
        let signature = &found.signature;
        if self.known.len() >= MOST || self.known.contains(signature) {
            return Ok(());
        }
        self.known.push(signature.clone());
        let text = described(signature);
        // The same in a run that goes on, which meets only new ones.
        let mark = &blake3::hash(text.as_bytes()).to_hex()[..6];
        let mut name = self.stem.clone();
        name.push(format!("-{}-{mark}", signature.name));
        let about = self.folder.join(&name).with_added_extension("signature");
        name.push(&self.extension);
        let file = self.folder.join(name);
        fs::create_dir_all(&self.folder)?;
        fs::write(about, &text)?;
        match &self.others {
            Some(others) => others.write(&file, &found.candidate.bytes)?,
            None => fs::write(&file, &found.candidate.bytes)?,
        }
        self.kept.push(AlsoInteresting { signature: summary(signature), file });
        Ok(())
    }

    /// Where they are.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Those that were kept, in the order in which they were found.
    pub(crate) fn into_kept(self) -> Vec<AlsoInteresting> {
        self.kept
    }
}

/// A signature, in a part of a sentence.
fn summary(signature: &Signature) -> String {
    let lines: Vec<String> = signature.lines.iter().map(|line| format!("\"{line}\"")).collect();
    match &lines[..] {
        [] => signature.title.clone(),
        lines => format!("{}: {}", signature.title, lines.join(" and ")),
    }
}

/// A signature, a line for each part.
fn described(signature: &Signature) -> String {
    let mut text = format!("{}\n", signature.title);
    for line in &signature.lines {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line}");
    }
    text
}
