//! What can be wrong with a journal.

use std::io;
use std::path::{Path, PathBuf};

use super::About;
use crate::shown::shown;

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// There is no folder for journals.
    #[error(
        "there is no folder for the journal: neither XDG_STATE_HOME nor HOME is set; \
         name a file with --journal FILE"
    )]
    Homeless,
    /// It cannot be read or written.
    #[error("cannot use the journal {}: {source}; name another file with --journal FILE", shown(path))]
    Io {
        /// The journal, or its folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is no room for another record. The journal is as it was before it.
    #[error(
        "cannot go on with the journal {}: {source}; make room, or name a file on another disk with --journal FILE",
        shown(path)
    )]
    Full {
        /// The journal.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another run is using it.
    #[error(
        "the journal {} is in use by another run; wait for its end, or name another file with --journal FILE",
        shown(path)
    )]
    Taken {
        /// The journal.
        path: PathBuf,
    },
    /// The file is something else, and is not touched.
    #[error("{} is no journal; name another file with --journal FILE", shown(path))]
    NoJournal {
        /// The file.
        path: PathBuf,
    },
    /// It was written by another version of the program.
    #[error(
        "the journal {} has format {found} and this version writes format {wanted}: go on with the version that \
         began it, begin anew with --fresh, or remove the file",
        shown(path)
    )]
    OtherVersion {
        /// The journal.
        path: PathBuf,
        /// The version of its format.
        found: u32,
        /// The version of ours.
        wanted: u32,
    },
    /// Its beginning cannot be read.
    #[error(
        "the beginning of the journal {} is damaged: begin anew with --fresh, or remove the file",
        shown(path)
    )]
    Damaged {
        /// The journal.
        path: PathBuf,
    },
    /// It belongs to another reduction, and is not touched.
    #[error(
        "the journal {} is about something else: {} reduced into {} with {}, or one of these has changed since; \
         remove it, or name another file with --journal FILE",
        shown(path), shown(&about.input), shown(&about.output), shown(&about.test)
    )]
    OtherSubject {
        /// The journal.
        path: PathBuf,
        /// What it is about.
        about: Box<About>,
    },
    /// Nothing was left unfinished, or finished.
    #[error("there is nothing to go on with: {} {}", shown(path), if *finished {
        "is the journal of a finished reduction; run without --resume, or with --refine to use what it knows"
    } else {
        "would be the journal of this reduction and does not exist (input, test and output must be the same); run without \
         --resume or --refine"
    })]
    NothingToResume {
        /// Where the journal would be.
        path: PathBuf,
        /// Whether it is there, and finished.
        finished: bool,
    },
    /// What it would be about cannot be read.
    #[error("cannot read {}: {source}", shown(path))]
    Subject {
        /// The test, or the folder of a file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl JournalError {
    /// What the system said about the journal at `path`.
    pub(super) fn io(path: &Path, source: io::Error) -> Self {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        let path = path.to_owned();
        match source.kind() {
            StorageFull | QuotaExceeded | FileTooLarge => Self::Full { path, source },
            _ => Self::Io { path, source },
        }
    }
}
