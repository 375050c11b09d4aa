//! How a reduction is told to stop from outside, also while it waits for a test.

use std::io::{self, PipeReader, PipeWriter, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// The end that a reduction listens to.
#[derive(Debug)]
pub struct Interrupt(PipeReader);

/// The end that stops it. Any byte written to it will do, so that a signal handler can.
#[derive(Debug)]
pub struct Interrupter(PipeWriter);

impl Interrupt {
    /// Both ends.
    pub fn new() -> io::Result<(Interrupter, Self)> {
        let (reader, writer) = io::pipe()?;
        Ok((Interrupter(writer), Self(reader)))
    }
}

impl Interrupter {
    /// Stops the reduction; it keeps its best result.
    pub fn interrupt(&mut self) -> io::Result<()> {
        self.0.write_all(b"!")
    }
}

impl From<Interrupter> for OwnedFd {
    fn from(interrupter: Interrupter) -> Self {
        interrupter.0.into()
    }
}

/// All that ends a reduction early: an interrupt or the end of its time.
#[derive(Debug)]
pub(crate) struct Stop<'a> {
    pub(crate) interrupt: &'a Interrupt,
    pub(crate) deadline: Option<Instant>,
}

impl Stop<'_> {
    /// What becomes readable on an interrupt, and stays so.
    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.interrupt.0.as_fd()
    }

    pub(crate) fn interrupted(&self) -> io::Result<bool> {
        let mut fds = [PollFd::from_borrowed_fd(self.fd(), PollFlags::IN)];
        Ok(poll_until(&mut fds, Some(Instant::now()))? && !fds[0].revents().is_empty())
    }

    pub(crate) fn out_of_time(&self) -> bool {
        self.deadline.is_some_and(|deadline| deadline <= Instant::now())
    }
}

/// Waits for an event on `fds`, or for the deadline; says whether there was one. Signals do not
/// end the wait.
pub(crate) fn poll_until(fds: &mut [PollFd<'_>], deadline: Option<Instant>) -> io::Result<bool> {
    loop {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        // A second more than a century is as good as for ever.
        let timeout = left.map(|left| left.min(Duration::from_secs(1 << 32)));
        let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
        match poll(fds, timeout.as_ref()) {
            Ok(ready) => return Ok(ready > 0),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
