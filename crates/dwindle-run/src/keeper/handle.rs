//! Dwindle's side of a keeper.

use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};

use super::arguments::GUARD;
use super::limits::Limits;
use super::wire::{self, Order, Request};
use crate::interrupt::{Cancel, poll_until};
use crate::program::program;
use crate::run::{Run, RunError};

/// How much longer than a test a keeper may take to greet, to answer or to end. It takes
/// milliseconds, unless it was stopped or the test has left what cannot be killed.
const PATIENCE: Duration = Duration::from_secs(15);

/// What a keeper is started for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept<'a> {
    pub(crate) limits: Limits,
    /// What to remove should dwindle die.
    pub(crate) folder: &'a Path,
    pub(crate) temporaries: &'a [PathBuf],
}

/// A keeper and its guard, which end when this is dropped.
#[derive(Debug)]
pub(crate) struct Keeper {
    guard: Child,
    requests: ChildStdin,
    answers: ChildStdout,
    process: OwnedFd,
}

/// The keeper was killed, or does not answer; whatever its test was, is gone with it.
#[derive(Debug)]
pub(crate) struct Died;

impl Keeper {
    pub(crate) fn start(kept: Kept<'_>) -> io::Result<Self> {
        let mut guard = Command::new(program()?)
            .arg0("dwindle")
            .args([GUARD, &kept.limits.to_argument()])
            .arg(kept.folder)
            .args(kept.temporaries)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // Out of reach of Ctrl-C at a terminal, and of a test that signals dwindle's group.
            .process_group(0)
            .spawn()
            .map_err(not_started)?;
        let (Some(mut requests), Some(mut answers)) = (guard.stdin.take(), guard.stdout.take()) else {
            return Err(io::Error::other("no pipes"));
        };
        let greeted = wire::greeted(&mut Patient(&mut answers, Instant::now() + PATIENCE)).and_then(|pid| {
            let pid = Pid::from_raw(pid).ok_or(io::ErrorKind::InvalidData)?;
            Ok(pidfd_open(pid, PidfdFlags::empty())?)
        });
        match greeted {
            Ok(process) => Ok(Self { guard, requests, answers, process }),
            Err(error) => {
                // If it is only late, it is not to think that dwindle has died.
                let _ = Request::Leave.send(&mut requests);
                let _ = guard.kill();
                let _ = guard.wait();
                Err(not_started(error))
            }
        }
    }

    /// Has a program run unless it is cancelled.
    pub(crate) fn run(&mut self, order: Order, cancel: &Cancel) -> Result<Result<Run, RunError>, Died> {
        let limit = order.limit;
        self.ask(Request::Run(order), limit, cancel).map_err(|_| {
            // It may only have been stopped, and its test with it.
            let _ = pidfd_send_signal(&self.process, Signal::KILL);
            Died
        })
    }

    fn ask(
        &mut self,
        request: Request,
        limit: Duration,
        cancel: &Cancel,
    ) -> io::Result<Result<Run, RunError>> {
        request.send(&mut self.requests)?;
        let mut fds = [
            PollFd::from_borrowed_fd(self.answers.as_fd(), PollFlags::IN),
            PollFd::from_borrowed_fd(cancel.fd(), PollFlags::IN),
        ];
        if !poll_until(&mut fds, Instant::now().checked_add(limit.saturating_add(PATIENCE)))? {
            return Err(io::ErrorKind::TimedOut.into());
        }
        if fds[0].revents().is_empty() {
            // The keeper will answer, if not that it has cancelled the test.
            Request::Cancel.send(&mut self.requests)?;
        }
        wire::answered(&mut Patient(&mut self.answers, Instant::now() + PATIENCE))
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        // Where it is dead already, its guard will end as well.
        let _ = Request::Leave.send(&mut self.requests);
        let guard = Pid::from_child(&self.guard);
        let _ = kill_process(guard, Signal::CONT);
        let until = Some(Instant::now() + PATIENCE);
        let has_ended = |process: &OwnedFd| {
            poll_until(&mut [PollFd::new(process, PollFlags::IN)], until).is_ok_and(|ended| ended)
        };
        if !has_ended(&self.process) {
            let _ = pidfd_send_signal(&self.process, Signal::KILL);
        }
        if !pidfd_open(guard, PidfdFlags::empty()).is_ok_and(|guard| has_ended(&guard)) {
            let _ = self.guard.kill();
        }
        let _ = self.guard.wait();
    }
}

fn not_started(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("the process that keeps the tests does not start: {error}"))
}

/// A pipe that is not waited for longer than until a deadline.
struct Patient<'a>(&'a mut ChildStdout, Instant);

impl Read for Patient<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !poll_until(&mut [PollFd::new(&*self.0, PollFlags::IN)], Some(self.1))? {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.0.read(buffer)
    }
}
