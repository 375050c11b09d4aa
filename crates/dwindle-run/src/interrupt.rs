//! How a reduction is told to stop from outside, also while it waits for a test.

use std::fmt::{self, Debug, Formatter};
use std::io::{self, PipeReader, PipeWriter, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};

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

impl Interrupt {
    /// What becomes readable on an interrupt, and stays so.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
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

/// Cancels one run of the test, from any thread.
#[derive(Clone, Debug)]
pub struct Cancel(Arc<Cancelled>);

struct Cancelled {
    fd: OwnedFd,
    /// What is to be done then.
    then: Mutex<Vec<Box<dyn FnOnce() + Send>>>,
}

impl Debug for Cancelled {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.fd.fmt(f)
    }
}

impl Cancel {
    /// One that has not been cancelled yet.
    pub fn new() -> io::Result<Self> {
        let fd = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        Ok(Self(Arc::new(Cancelled { fd, then: Mutex::default() })))
    }

    /// Cancels; it cannot be taken back.
    pub fn cancel(&self) {
        // It fails only where it has been cancelled as often as a counter can count.
        let _ = rustix::io::write(&self.0.fd, &1_u64.to_ne_bytes());
        self.tell();
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> io::Result<bool> {
        poll_until(&mut [PollFd::new(&self.0.fd, PollFlags::IN)], Some(Instant::now()))
    }

    /// Does something when it is cancelled, in the thread that does; or here, if it has been already.
    pub fn then(&self, act: impl FnOnce() + Send + 'static) -> io::Result<()> {
        self.0.then.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(act));
        // Whoever cancels after this sees what was pushed.
        if self.is_cancelled()? {
            self.tell();
        }
        Ok(())
    }

    fn tell(&self) {
        let acts = std::mem::take(&mut *self.0.then.lock().unwrap_or_else(PoisonError::into_inner));
        acts.into_iter().for_each(|act| act());
    }

    /// What becomes readable when it is cancelled, and stays so.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.0.fd.as_fd()
    }
}

/// Waits for an event on `fds`, or for the deadline; says whether there was one. Signals do not
/// end the wait.
pub fn poll_until(fds: &mut [PollFd<'_>], deadline: Option<Instant>) -> io::Result<bool> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancel_and_its_clones_are_one() {
        let cancel = Cancel::new().unwrap();
        let clone = cancel.clone();
        assert!(!clone.is_cancelled().unwrap());
        cancel.cancel();
        cancel.cancel();
        assert!(clone.is_cancelled().unwrap() && clone.is_cancelled().unwrap(), "it stays so");
    }
}
