//! The oracle: what the test says of a candidate.
//!
//! Runners of tests have a station each: a folder, and a keeper that starts the tests and ends them
//! with all that they have started.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use dwindle_core::{Evidence, Offers, Request, Variant, Vocabulary};
use memchr::memmem;

use crate::external::Helpers;
use crate::interrupt::Cancel;
use crate::keeper::{Died, Keeper, Kept, Limits};
use crate::report::{External, Warning};
use crate::serve::program;
use crate::shown::shown;
use crate::sweep::kill_inside;
use crate::workspace::{Folder, Workspace};

/// How much of an output is read for evidence: less than is kept of its beginning, because paths, which
/// differ in length, are taken out of it first.
const OUTPUT_READ: usize = 32 << 10;

/// One run of the test.
#[derive(Debug)]
pub struct Run {
    /// How it ended.
    pub end: RunEnd,
    /// What it printed, standard output and standard error as they came; of more than 128 KiB the first
    /// and the last 64 KiB.
    pub output: Vec<u8>,
    /// How long it took.
    pub seconds: f64,
    /// Seconds of processors that it and all that it has started took.
    pub cpu_seconds: f64,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// By itself, with this exit code.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// It ran over the time limit and was killed.
    TimedOut,
    /// The reduction was stopped meanwhile, and the test with it.
    Stopped,
}

/// Why a test could not be run at all.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It could not be started.
    #[error("cannot start it: {0}")]
    Start(#[source] io::Error),
    /// Its folder could not be made or the candidate not be written.
    #[error("cannot write the candidate to a temporary folder: {0}")]
    Place(#[source] io::Error),
    /// Waiting for it failed.
    #[error("cannot wait for it: {0}")]
    Wait(#[source] io::Error),
    /// It has started something that cannot be killed.
    #[error("it has left processes that cannot be killed (programs of another user, perhaps)")]
    Left,
    /// The process between dwindle and the test was killed, also when it was repeated.
    #[error(
        "the process that keeps it was killed twice on one candidate; it must not kill its parent, and \
         memory must suffice"
    )]
    Keeper,
    /// There is no room any more for what it writes, so that its answers do not count.
    #[error("there is no room any more in {}; make some, or name another place by TMPDIR", shown(place))]
    Full {
        /// The folder.
        place: PathBuf,
    },
}

/// A test for variants of one input.
#[derive(Debug)]
pub(crate) struct Oracle(Arc<Setup>);

/// The words of the input. They are gathered when one is needed: that takes over a second for 11 MB, in
/// vain where tests print nothing.
pub(crate) type Words = LazyLock<Arc<Vocabulary>, Box<dyn FnOnce() -> Arc<Vocabulary> + Send>>;

/// What candidates are written to.
#[derive(Debug)]
pub(crate) struct CandidateFile {
    /// Its base name.
    pub(crate) name: PathBuf,
    /// Its permissions.
    pub(crate) mode: u32,
}

#[derive(Debug)]
struct Setup {
    test: PathBuf,
    file: CandidateFile,
    limits: Limits,
    workspace: Workspace,
    temporaries: Vec<PathBuf>,
    vocabulary: Arc<Words>,
    helpers: Helpers,
    warnings: Mutex<Vec<Warning>>,
}

impl Oracle {
    /// `test` is absolute. Should dwindle be killed, the files `temporaries` will be removed. It fails
    /// where this program does not answer as a keeper.
    pub(crate) fn new(
        test: PathBuf,
        file: CandidateFile,
        limits: Limits,
        workspace: Workspace,
        temporaries: Vec<PathBuf>,
        vocabulary: Arc<Words>,
        helpers: Helpers,
    ) -> io::Result<Self> {
        program()?;
        let warnings = Mutex::default();
        let setup = Setup { test, file, limits, workspace, temporaries, vocabulary, helpers, warnings };
        Ok(Self(Arc::new(setup)))
    }

    /// A place for one runner, who can run one test at a time there.
    pub(crate) fn station(&self) -> Result<Station, RunError> {
        let setup = self.0.clone();
        let folder = setup.workspace.folder().map_err(|error| match is_for_want_of_room(&error) {
            true => RunError::Full { place: setup.workspace.place() },
            false => RunError::Place(error),
        })?;
        Ok(Station { keeper: setup.keeper(&folder).map_err(RunError::Wait)?, folder, setup })
    }

    /// What helpers have done.
    pub(crate) fn helped(&self) -> External {
        self.0.helpers.done()
    }

    /// What has to be said and was not yet.
    pub(crate) fn take_warnings(&self) -> Vec<Warning> {
        std::mem::take(&mut *self.0.warnings.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Setup {
    fn warn(&self, warning: Warning) {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).push(warning);
    }

    fn keeper(&self, folder: &Folder) -> io::Result<Keeper> {
        Keeper::start(Kept {
            test: &self.test,
            limits: self.limits,
            folder: &folder.path,
            temporaries: &self.temporaries,
        })
    }
}

/// Where one runner runs tests.
#[derive(Debug)]
pub(crate) struct Station {
    // Dropped first: then nothing writes to the folder any more.
    keeper: Keeper,
    folder: Folder,
    setup: Arc<Setup>,
}

impl Station {
    /// Runs the test on `candidate`, for `limit` at most, unless it is cancelled. Nothing of it is
    /// left afterwards.
    ///
    /// What a test without room says is no answer: it is asked again on a disk. It is also asked
    /// again, once, when its keeper was killed.
    pub(crate) fn run(
        &mut self,
        candidate: &[u8],
        limit: Duration,
        cancel: &Cancel,
    ) -> Result<Run, RunError> {
        self.start(candidate, |_| Vec::new(), limit, cancel).map(|(run, _)| run)
    }

    /// Runs another program in the same way; its words are made for the path of the candidate. What it
    /// prints to standard output comes beside the run.
    pub(crate) fn start(
        &mut self,
        candidate: &[u8],
        program: impl Fn(&Path) -> Vec<OsString>,
        limit: Duration,
        cancel: &Cancel,
    ) -> Result<(Run, Vec<u8>), RunError> {
        let mut repeated = false;
        loop {
            if cancel.is_cancelled().map_err(RunError::Wait)? {
                let stopped =
                    Run { end: RunEnd::Stopped, output: Vec::new(), seconds: 0.0, cpu_seconds: 0.0 };
                return Ok((stopped, Vec::new()));
            }
            let CandidateFile { name, mode } = &self.setup.file;
            let place = match self.folder.place(name, candidate, *mode) {
                Err(error) if is_for_want_of_room(&error) => {
                    self.move_on()?;
                    continue;
                }
                place => place.map_err(RunError::Place)?,
            };
            let words = program(&place.candidate);
            let is_test = words.is_empty();
            match self.keeper.run(place.candidate.clone(), words, limit, cancel) {
                Ok(Ok(run)) if run.end.is_refusal() && self.setup.workspace.lacked_room(&self.folder) => {
                    drop(place);
                    self.move_on()?;
                }
                Ok(run) => return run.map(|run| (run, if is_test { Vec::new() } else { place.printed() })),
                Err(Died) if repeated => return Err(RunError::Keeper),
                Err(Died) => {
                    repeated = true;
                    self.keeper = self.setup.keeper(&self.folder).map_err(RunError::Wait)?;
                    // Where the guard was killed as well.
                    kill_inside(&self.folder.path);
                }
            }
        }
    }

    /// What a helper offers in place of `variant`.
    pub(crate) fn offers(
        &mut self,
        variant: &Variant,
        request: Request,
        limit: Duration,
        cancel: &Cancel,
    ) -> Offers {
        let setup = self.setup.clone();
        let mut warn = |warning| setup.warn(warning);
        setup.helpers.offers(self, variant, request, limit, cancel, &mut warn)
    }

    /// What the output of the last run gives away.
    pub(crate) fn evidence(&self, output: &[u8]) -> Evidence {
        let (folder, name) = (self.folder.path.as_os_str(), self.setup.file.name.as_os_str());
        let mut output = without_places(output, folder.as_encoded_bytes(), name.as_encoded_bytes());
        output.truncate(OUTPUT_READ);
        if output.trim_ascii().is_empty() {
            return Evidence::default();
        }
        Evidence::in_output(&self.setup.vocabulary, &output)
    }

    /// To where there is room, if there is such a place.
    fn move_on(&mut self) -> Result<(), RunError> {
        let workspace = &self.setup.workspace;
        let moved = workspace.leave(&self.folder).map_err(|place| RunError::Full { place })?;
        if let Some(to) = moved {
            let warning = Warning::Moved { from: self.folder.path.clone(), to };
            self.setup.warn(warning);
        }
        self.folder = workspace.folder().map_err(RunError::Place)?;
        Ok(())
    }
}

/// `output` without the name of the candidate, which is no news, and without paths in `folder`, which
/// are others at every station and in every run.
fn without_places(output: &[u8], folder: &[u8], name: &[u8]) -> Vec<u8> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let is_in_path = |byte: &&u8| is_word(byte) || b"/.-+~".contains(byte);
    let plain = without(output, name, |before, behind| {
        let is_part = before.last().is_some_and(is_word) || behind.first().is_some_and(is_word);
        (!is_part).then_some(0)
    });
    without(&plain, folder, |_, behind| Some(behind.iter().take_while(is_in_path).count()))
}

/// `text` without `pattern` and as much behind it as `more` says for what is before and behind.
fn without(text: &[u8], pattern: &[u8], more: impl Fn(&[u8], &[u8]) -> Option<usize>) -> Vec<u8> {
    let (mut plain, mut rest) = (Vec::with_capacity(text.len()), 0);
    for start in memmem::find_iter(text, pattern).filter(|_| !pattern.is_empty()) {
        let end = start + pattern.len();
        if start >= rest
            && let Some(more) = more(&text[..start], &text[end..])
        {
            plain.extend_from_slice(&text[rest..start]);
            plain.push(b' ');
            rest = end + more;
        }
    }
    plain.extend_from_slice(&text[rest..]);
    plain
}

fn is_for_want_of_room(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}

impl RunEnd {
    /// Whether the test was not interested, in whichever way.
    fn is_refusal(self) -> bool {
        !matches!(self, Self::Exited(0) | Self::Stopped)
    }
}

impl std::fmt::Display for RunEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "with exit code {code}"),
            Self::Signalled(signal) => write!(f, "by signal {signal}"),
            Self::TimedOut => write!(f, "over the time limit"),
            Self::Stopped => write!(f, "by being stopped"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::without_places;

    #[test]
    fn what_is_said_of_places_is_no_part_of_the_output() {
        let check = |output: &str, expected: &str| {
            let plain = without_places(output.as_bytes(), b"/tmp/dw-Xy_1/3", b"a.c");
            assert_eq!(String::from_utf8_lossy(&plain), expected);
        };
        check("/tmp/dw-Xy_1/3/12/run/a.c:1:2: error: run 'a'", "  :1:2: error: run 'a'");
        check("/tmp/dw-Xy_1/3/12/tmp/cc3Gh.o(.text): undefined 'f'", " (.text): undefined 'f'");
        check("a.c: a.cc ba.c _a.c \"a.c\" a.ca.c", " : a.cc ba.c _a.c \" \" a.ca.c");
        check("In /tmp/dw-Xy_1/2/tmp/x and /tmp/dw-Xy_1/3", "In /tmp/dw-Xy_1/2/tmp/x and  ");
    }
}
