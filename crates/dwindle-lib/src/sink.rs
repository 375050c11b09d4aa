//! Where results go.

use std::io;
use std::path::{Path, PathBuf};

use crate::claim::ClaimError;
use crate::shown::shown;

/// Why the result cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// Its folder is missing or not writable, or the disk is full.
    #[error("cannot write the result to {}: {source}", shown(path))]
    Write {
        /// The result file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is something there that is no file of its own.
    #[error("the result cannot replace {}: it is {what}; name another file with --output", shown(path))]
    Taken {
        /// The result file.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// An earlier run's copy of the original is there already.
    #[error(
        "{} is there already, and may be the only copy of an original; move it away or reduce without --in-place",
        shown(path)
    )]
    OriginalKept {
        /// The copy.
        path: PathBuf,
    },
    /// What is asked cannot be written down.
    #[error("cannot write what was asked to {}: {source}", shown(path))]
    Trace {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The folder for candidates has something in it.
    #[error("{} is not empty; name a new or an empty folder for the candidates", shown(path))]
    NotEmpty {
        /// The folder.
        path: PathBuf,
    },
    /// Another run reduces into it.
    #[error(transparent)]
    Claim(#[from] ClaimError),
}

/// Where results go. It holds the best one at every moment.
pub trait Sink {
    /// Where that is, for messages.
    fn path(&self) -> &Path;

    /// Begins with the best variant of `input` so far, which may be the input itself.
    fn begin(&mut self, input: &[u8], best: &[u8]) -> Result<(), OutputError>;

    /// Replaces the result by a better one.
    fn keep(&mut self, best: &[u8]) -> Result<(), OutputError>;

    /// There is nothing left, so the test accepts anything: what was there before is there again, if such a result is
    /// of no use where results go.
    fn keep_nothing(&mut self, best: &[u8]) -> Result<(), OutputError> {
        self.keep(best)
    }

    /// Makes sure at the end that `best` is still the result; whether it had to be put there again.
    fn settle(&mut self, best: &[u8]) -> Result<bool, OutputError>;
}

/// A result in memory.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The best so far.
    pub best: Vec<u8>,
}

impl Sink for Memory {
    fn path(&self) -> &Path {
        Path::new("memory")
    }

    fn begin(&mut self, _: &[u8], best: &[u8]) -> Result<(), OutputError> {
        self.keep(best)
    }

    fn keep(&mut self, best: &[u8]) -> Result<(), OutputError> {
        best.clone_into(&mut self.best);
        Ok(())
    }

    fn settle(&mut self, _: &[u8]) -> Result<bool, OutputError> {
        Ok(false)
    }
}
