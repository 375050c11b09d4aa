//! What cancels the computations of a reduction: an interrupt, or the end of its time.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use dwindle_core::Cancellation;
use dwindle_read::cancellation::leave;
use dwindle_run::{Cancel, Interrupt, poll_until};
use rustix::event::{PollFd, PollFlags};

/// Cancels all that is computed for one reduction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Canceller(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag(AtomicBool);

impl dwindle_core::Cancel for Flag {
    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn leave(&self) {
        leave();
    }
}

impl Canceller {
    /// Cancels; it cannot be taken back.
    pub(crate) fn cancel(&self) {
        self.0.0.store(true, Ordering::Relaxed);
    }

    /// What the computations ask.
    pub(crate) fn cancellation(&self) -> Cancellation {
        Cancellation::new(self.0.clone())
    }
}

/// Cancels when the reduction is interrupted or its time is over: a thread that waits for that, since those that
/// compute cannot. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Watcher {
    over: Cancel,
    thread: Option<JoinHandle<()>>,
}

impl Watcher {
    /// Watches on behalf of `canceller`.
    pub(crate) fn new(
        interrupt: &Interrupt,
        deadline: Option<Instant>,
        canceller: Canceller,
    ) -> io::Result<Self> {
        let (over, interrupt) = (Cancel::new()?, interrupt.fd().try_clone_to_owned()?);
        let ended = over.clone();
        let watch = move || {
            let mut fds =
                [PollFd::from_borrowed_fd(ended.fd(), PollFlags::IN), PollFd::new(&interrupt, PollFlags::IN)];
            // Without a way to wait the driver stops where it waits itself.
            if let Ok(woken) = poll_until(&mut fds, deadline)
                && (!woken || fds[0].revents().is_empty())
            {
                canceller.cancel();
            }
        };
        let thread = thread::Builder::new().name("watcher".to_owned()).spawn(watch)?;
        Ok(Self { over, thread: Some(thread) })
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.over.cancel();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watcher_cancels_on_an_interrupt_and_at_the_end_of_its_time() {
        let waited_for = |canceller: &Canceller| {
            while !canceller.cancellation().is_cancelled() {
                thread::yield_now();
            }
        };
        let (mut interrupter, interrupt) = Interrupt::new().unwrap();
        let canceller = Canceller::default();
        drop(Watcher::new(&interrupt, None, canceller.clone()).unwrap());
        assert!(!canceller.cancellation().is_cancelled(), "it ended with its watcher");
        let watcher = Watcher::new(&interrupt, Some(Instant::now()), canceller.clone()).unwrap();
        waited_for(&canceller);
        drop(watcher);
        let canceller = Canceller::default();
        let watcher = Watcher::new(&interrupt, None, canceller.clone()).unwrap();
        interrupter.interrupt().unwrap();
        waited_for(&canceller);
        drop(watcher);
    }
}
