//! The oracle: runs the test on a candidate and says how that ended.
//!
//! The test is started without a shell in between, in a process group and a folder of its own that
//! holds nothing but the candidate. It gets the candidate's absolute path as its argument, the
//! opened candidate as standard input and an empty private folder in `TMPDIR`. When it has ended
//! or is stopped, whatever is left of its group is killed before the test itself is reaped, so
//! that the group's number cannot belong to somebody else by then.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, PipeReader, Read};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::fs::OFlags;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use crate::interrupt::poll_until;
use crate::workspace::Workspace;

/// How much of a test's output is kept: the end of it.
const OUTPUT_KEPT: usize = 64 << 10;
/// A time limit that is none: a century and more, and still within what clocks can count.
const FOREVER: Duration = Duration::from_secs(1 << 32);
/// How often a start is tried while somebody still has the test open for writing.
const BUSY_TRIES: u32 = 40;

/// One run of the test.
#[derive(Debug)]
pub struct Run {
    /// How it ended.
    pub end: RunEnd,
    /// The end of what it printed, standard output and standard error as they came; at most 64 KiB.
    pub output: Vec<u8>,
    /// How long it took.
    pub seconds: f64,
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
}

/// A test for variants of one input.
#[derive(Debug)]
pub(crate) struct Oracle {
    test: PathBuf,
    name: PathBuf,
    mode: u32,
    workspace: std::sync::Mutex<Workspace>,
}
#[derive(Debug)]
pub(crate) struct Station(std::sync::Arc<Oracle>);
#[derive(Clone, Debug)]
pub(crate) struct Cancel(std::sync::Arc<std::os::fd::OwnedFd>);
impl Cancel {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self(std::sync::Arc::new(rustix::event::eventfd(0, rustix::event::EventfdFlags::CLOEXEC)?)))
    }
    pub(crate) fn cancel(&self) {
        let _ = rustix::io::write(&self.0, &1u64.to_ne_bytes());
    }
}

impl Oracle {
    /// `test` is absolute; candidates get the base name `name` and the permissions `mode`.
    pub(crate) fn new(test: PathBuf, name: &OsStr, mode: u32, workspace: Workspace) -> Self {
        Self { test, name: name.into(), mode, workspace: workspace.into() }
    }

    pub(crate) fn station(self: &std::sync::Arc<Self>) -> io::Result<Station> {
        Ok(Station(self.clone()))
    }
}
impl Station {
    pub(crate) fn run(
        &mut self,
        candidate: &[u8],
        limit: Duration,
        cancel: &Cancel,
    ) -> Result<Run, RunError> {
        let place = self
            .0
            .workspace
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .place(&self.0.name, candidate, self.0.mode)
            .map_err(RunError::Place)?;
        let began = Instant::now();
        let (output, child) = start(&self.0.test, &place.candidate, &place.run(), &place.tmp())?;
        let (end, output) =
            wait(child, output, began + limit.min(FOREVER), cancel).map_err(RunError::Wait)?;
        Ok(Run { end, output, seconds: began.elapsed().as_secs_f64() })
    }
}

fn start(test: &Path, candidate: &Path, run: &Path, tmp: &Path) -> Result<(PipeReader, Child), RunError> {
    let (output, writer) = io::pipe().map_err(RunError::Start)?;
    rustix::fs::fcntl_setfl(&output, OFlags::NONBLOCK).map_err(|error| RunError::Start(error.into()))?;
    let mut command = Command::new(test);
    command
        .arg(candidate)
        .current_dir(run)
        .env("TMPDIR", tmp)
        .env("PWD", run)
        .stdin(File::open(candidate).map_err(RunError::Place)?)
        .stdout(writer.try_clone().map_err(RunError::Start)?)
        .stderr(writer)
        .process_group(0);
    let mut tries = 0;
    loop {
        match command.spawn() {
            Ok(child) => return Ok((output, child)),
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy && tries < BUSY_TRIES => {
                tries += 1;
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(error) => return Err(RunError::Start(error)),
        }
    }
}

/// Waits until the test ends, its time is over or the reduction is stopped; nothing of its group
/// is left afterwards.
fn wait(
    mut child: Child,
    mut pipe: PipeReader,
    limit: Instant,
    stop: &Cancel,
) -> io::Result<(RunEnd, Vec<u8>)> {
    let pid = Pid::from_child(&child);
    let mut output = Vec::new();
    let cut = watch(pid, &mut pipe, &mut output, limit, stop);
    // The leader is not reaped yet, so the group is still its own; it may be empty but for it.
    let _ = kill_process_group(pid, Signal::KILL);
    let status = child.wait()?;
    read_available(&mut pipe, &mut output)?;
    Ok((cut?.unwrap_or_else(|| ended(status)), output))
}

/// Collects output until the process ends by itself (`None`) or has to be cut off.
fn watch(
    pid: Pid,
    pipe: &mut PipeReader,
    output: &mut Vec<u8>,
    limit: Instant,
    stop: &Cancel,
) -> io::Result<Option<RunEnd>> {
    let process = pidfd_open(pid, PidfdFlags::empty())?;
    let wake = limit;
    let mut open = true;
    loop {
        let mut fds = [
            PollFd::from_borrowed_fd(process.as_fd(), PollFlags::IN),
            PollFd::from_borrowed_fd(stop.0.as_fd(), PollFlags::IN),
            PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN),
        ];
        let watched = if open { &mut fds[..] } else { &mut fds[..2] };
        poll_until(watched, Some(wake))?;
        let ready = |fd: &PollFd<'_>| !fd.revents().is_empty();
        let (ended, stopped, printed) = (ready(&fds[0]), ready(&fds[1]), open && ready(&fds[2]));
        if ended {
            return Ok(None);
        }
        if stopped {
            return Ok(Some(RunEnd::Stopped));
        }
        if limit <= Instant::now() {
            return Ok(Some(RunEnd::TimedOut));
        }
        if printed {
            open = read_available(pipe, output)?;
        }
    }
}

/// Reads what is there, keeps the end of it, and says whether there may be more later. Bounded, so
/// that a test that prints without end cannot keep us here.
fn read_available(pipe: &mut PipeReader, output: &mut Vec<u8>) -> io::Result<bool> {
    let mut buffer = [0; 16 << 10];
    for _ in 0..16 {
        match pipe.read(&mut buffer) {
            Ok(0) => return Ok(false),
            Ok(count) => output.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        if output.len() > 2 * OUTPUT_KEPT {
            output.drain(..output.len() - OUTPUT_KEPT);
        }
    }
    output.drain(..output.len().saturating_sub(OUTPUT_KEPT));
    Ok(true)
}

fn ended(status: ExitStatus) -> RunEnd {
    match status.code() {
        Some(code) => RunEnd::Exited(code),
        None => RunEnd::Signalled(status.signal().unwrap_or_default()),
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
