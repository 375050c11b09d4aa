//! A journal that is read.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::Value;

use super::contents::Contents;
use super::place::journals;
use super::record::KnownOutcome;
use super::steps::Texts;
use super::subject::real;
use super::{About, JournalError, Step};
use crate::paths::followed;

/// What stands in a journal. It can be read while the reduction goes on, and shows it as it was then.
#[derive(Debug)]
pub struct History {
    path: PathBuf,
    file: File,
    written: SystemTime,
    contents: Contents,
}

impl History {
    /// Reads the journal in that file.
    pub fn read(path: &Path) -> Result<Self, JournalError> {
        let io = |source| JournalError::io(path, source);
        if !std::fs::metadata(path).map_err(io)?.is_file() {
            return Err(JournalError::NoJournal { path: path.to_owned() });
        }
        let file = File::open(path).map_err(io)?;
        let written = file.metadata().and_then(|metadata| metadata.modified()).map_err(io)?;
        let contents = Contents::read(&file, path, |_, _| {})?;
        Ok(Self { path: path.to_owned(), file, written, contents })
    }

    /// Reads the journals in a folder, which need not be there; the last written one comes first.
    /// Those that cannot be read come as errors behind the others.
    pub fn all(folder: &Path) -> Result<(Vec<Self>, Vec<JournalError>), JournalError> {
        let paths = journals(folder).map_err(|source| JournalError::io(folder, source))?;
        let (mut histories, mut errors) = (Vec::new(), Vec::new());
        for path in paths {
            match Self::read(&path) {
                Ok(history) => histories.push(history),
                Err(error) => errors.push(error),
            }
        }
        histories.sort_by(|one, other| (other.written, &one.path).cmp(&(one.written, &other.path)));
        Ok((histories, errors))
    }

    /// Whether it is about a reduction into that file.
    pub fn is_of(&self, output: &Path) -> bool {
        let followed = followed(output);
        let output = followed.as_deref().unwrap_or(output);
        // The folder may have gone since.
        let output = real(output).ok().or_else(|| std::path::absolute(output).ok());
        output.is_some_and(|output| output.to_string_lossy() == self.about().output)
    }

    /// What the tests said, by the key of the content; the last word counts.
    pub fn outcomes(&self) -> Result<HashMap<[u8; 16], KnownOutcome>, JournalError> {
        let mut outcomes = HashMap::new();
        Contents::read(&self.file, &self.path, |key, known| {
            outcomes.insert(key, known);
        })?;
        Ok(outcomes)
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it is about.
    pub fn about(&self) -> &About {
        &self.contents.about
    }

    /// What the run has noted for one that goes on.
    pub fn facts(&self) -> Option<&Value> {
        self.contents.facts.as_ref()
    }

    /// When the last record was written.
    pub fn written(&self) -> SystemTime {
        self.written
    }

    /// The runs of the test so far.
    pub fn questions(&self) -> u64 {
        self.contents.questions
    }

    /// Whether the reduction came to its end.
    pub fn is_finished(&self) -> bool {
        self.contents.finished
    }

    /// The input, which is step 0, and the variants that were kept, oldest first. Where the journal
    /// would have become too long, numbers are missing.
    pub fn steps(&self) -> &[Step] {
        &self.contents.steps
    }

    /// Shows all steps with their texts, oldest first.
    pub fn each_text(&self, mut see: impl FnMut(&Step, &[u8])) -> Result<(), JournalError> {
        let mut texts = Texts::new(&self.file, &self.path)?;
        while let Some((step, text)) = texts.read()? {
            see(&step, text);
        }
        Ok(())
    }

    /// The text of the step with that number, if there is such a one.
    pub fn text(&self, number: u64) -> Result<Option<Vec<u8>>, JournalError> {
        let mut texts = Texts::new(&self.file, &self.path)?;
        while let Some((step, text)) = texts.read()? {
            if step.number == number {
                return Ok(Some(text.to_vec()));
            }
        }
        Ok(None)
    }
}
