//! Where tests run: whoever runs tests has a station, which is a folder, and a keeper that starts the tests and
//! ends them with all that they have started.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::process::{Resource, geteuid, getrlimit};

use crate::interrupt::Cancel;
use crate::keeper::{Died, Keeper, Kept, Limits, Order};
use crate::program::program;
use crate::run::{Run, RunEnd, RunError, Sought};
use crate::sweep::kill_inside;
use crate::workspace::{CandidateFile, Folder, Workspace};

/// The most files that dwindle has open for a station: two pipes to its keeper, the keeper, what cancels the
/// test, and three folders while what the test has left is removed.
const FILES_OF_STATION: u64 = 7;
/// The most files that it has open for other things, those of a keeper that is being started among them.
const FILES_OF_RUN: u64 = 20;
/// The processes and threads of a station: the thread that runs tests there, guard, keeper and test.
const PROCESSES_OF_STATION: u64 = 4;

/// How many stations there can be within the limits of this process; at least one.
pub fn most_stations() -> usize {
    let most = |resource| getrlimit(resource).current.unwrap_or(u64::MAX);
    let by_files = most(Resource::Nofile).saturating_sub(FILES_OF_RUN) / FILES_OF_STATION;
    // Root may have any number of processes.
    let by_processes = match geteuid().is_root() {
        true => u64::MAX,
        false => most(Resource::Nproc) / PROCESSES_OF_STATION,
    };
    usize::try_from(by_files.min(by_processes).max(1)).unwrap_or(usize::MAX)
}

/// A program that is run on a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Its path and its arguments.
    pub words: Vec<OsString>,
    /// Where it runs, if not in the folder of the candidate.
    pub folder: Option<PathBuf>,
    /// Whether the candidate is its standard input; otherwise that is empty.
    pub reads: bool,
}

/// In the folder of the candidate, which it reads.
impl From<Vec<OsString>> for Call {
    fn from(words: Vec<OsString>) -> Self {
        Self { words, folder: None, reads: true }
    }
}

/// All stations of one reduction.
#[derive(Clone, Debug)]
pub struct Stations(Arc<Setup>);

/// A memory file system ran full, and tests run elsewhere from now on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Where they ran.
    pub from: PathBuf,
    /// Where they run.
    pub to: PathBuf,
}

#[derive(Debug)]
struct Setup {
    file: CandidateFile,
    limits: Limits,
    workspace: Workspace,
    temporaries: Vec<PathBuf>,
    moved: Mutex<Vec<Moved>>,
    /// Held while a keeper is started, so that many do not starve each other; whether no more are.
    closed: Mutex<bool>,
}

impl Stations {
    /// Should dwindle be killed, the files `temporaries` will be removed. It fails where this program does not
    /// answer as a keeper.
    pub fn new(
        file: CandidateFile,
        limits: Limits,
        workspace: Workspace,
        temporaries: Vec<PathBuf>,
    ) -> io::Result<Self> {
        program()?;
        let (moved, closed) = (Mutex::default(), Mutex::default());
        Ok(Self(Arc::new(Setup { file, limits, workspace, temporaries, moved, closed })))
    }

    /// A place for one runner, who can run one test at a time there.
    pub fn station(&self) -> Result<Station, RunError> {
        let setup = self.0.clone();
        let closed = setup.closed.lock().unwrap_or_else(PoisonError::into_inner);
        if *closed {
            return Err(RunError::Wait(ErrorKind::Interrupted.into()));
        }
        let folder = setup.workspace.folder().map_err(|error| match is_for_want_of_room(&error) {
            true => RunError::Full { place: setup.workspace.place() },
            false => RunError::Place(error),
        })?;
        let keeper = setup.keeper(&folder).map_err(RunError::Wait)?;
        drop(closed);
        Ok(Station { keeper, folder, setup })
    }

    /// No more stations are made.
    pub fn close(&self) {
        *self.0.closed.lock().unwrap_or_else(PoisonError::into_inner) = true;
    }

    /// What tests have mounted and cannot be unmounted, so that it was left there.
    pub fn take_stays(&self) -> Vec<PathBuf> {
        self.0.workspace.take_stays()
    }

    /// The moves that were not taken note of yet.
    pub fn take_moves(&self) -> Vec<Moved> {
        std::mem::take(&mut *self.0.moved.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Setup {
    fn keeper(&self, folder: &Folder) -> io::Result<Keeper> {
        Keeper::start(Kept { limits: self.limits, folder: &folder.path, temporaries: &self.temporaries })
    }
}

/// Where one runner runs tests.
#[derive(Debug)]
pub struct Station {
    // Dropped first: then nothing writes to the folder any more.
    keeper: Keeper,
    folder: Folder,
    setup: Arc<Setup>,
}

impl Station {
    /// Runs a test on `candidate`, for `limit` at most, unless it is cancelled: a program and its arguments, which
    /// are made for the absolute path of the candidate. Nothing of it is left in the folder of the candidate afterwards.
    ///
    /// What it prints is searched for what is `sought`.
    ///
    /// What a test without room says is no answer: it runs again on a disk. It also runs again, once, when its
    /// keeper was killed.
    pub fn run(
        &mut self,
        candidate: &[u8],
        call: impl Fn(&Path) -> Call,
        sought: &Sought,
        limit: Duration,
        cancel: &Cancel,
    ) -> Result<Run, RunError> {
        self.start(candidate, call, Prints::Output(sought), limit, cancel).map(|(run, _)| run)
    }

    /// Runs a program in the same way whose standard output is wanted whole; it comes beside the run.
    pub fn capture(
        &mut self,
        candidate: &[u8],
        program: impl Fn(&Path) -> Vec<OsString>,
        limit: Duration,
        cancel: &Cancel,
    ) -> Result<(Run, Vec<u8>), RunError> {
        self.start(candidate, |path| program(path).into(), Prints::Whole, limit, cancel)
    }

    fn start(
        &mut self,
        candidate: &[u8],
        call: impl Fn(&Path) -> Call,
        prints: Prints<'_>,
        limit: Duration,
        cancel: &Cancel,
    ) -> Result<(Run, Vec<u8>), RunError> {
        let (prints, sought) = match prints {
            Prints::Whole => (true, Sought::default()),
            Prints::Output(sought) => (false, sought.clone()),
        };
        let mut repeated = false;
        loop {
            if cancel.is_cancelled().map_err(RunError::Wait)? {
                return Ok((Run::stopped(), Vec::new()));
            }
            let place = match self.folder.place(&self.setup.file, candidate) {
                Err(error) if is_for_want_of_room(&error) => {
                    self.move_on()?;
                    continue;
                }
                place => place.map_err(RunError::Place)?,
            };
            let candidate = place.candidate.clone();
            let Call { words: program, folder, reads } = call(&candidate);
            let ordered = Order { program, candidate, folder, reads, prints, sought: sought.clone(), limit };
            match self.keeper.run(ordered, cancel) {
                Ok(Ok(run))
                    if run.end != RunEnd::Stopped && self.setup.workspace.lacked_room(&self.folder) =>
                {
                    drop(place);
                    self.move_on()?;
                }
                Ok(run) => return run.map(|run| (run, if prints { place.printed() } else { Vec::new() })),
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

    /// The folder in which all that it runs has its own.
    pub fn folder(&self) -> &Path {
        &self.folder.path
    }

    /// The base name of what candidates are written to.
    pub fn name(&self) -> &Path {
        &self.setup.file.name
    }

    /// To where there is room, if there is such a place.
    fn move_on(&mut self) -> Result<(), RunError> {
        let workspace = &self.setup.workspace;
        let moved = workspace.leave(&self.folder).map_err(|place| RunError::Full { place })?;
        if let Some(to) = moved {
            let moved = Moved { from: self.folder.path.clone(), to };
            self.setup.moved.lock().unwrap_or_else(PoisonError::into_inner).push(moved);
        }
        self.folder = workspace.folder().map_err(RunError::Place)?;
        Ok(())
    }
}

/// What is wanted of what a program prints.
#[derive(Clone, Copy)]
enum Prints<'a> {
    /// All of its standard output.
    Whole,
    /// Its beginning and its end, and whether it holds these texts.
    Output(&'a Sought),
}

fn is_for_want_of_room(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}
