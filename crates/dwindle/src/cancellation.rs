//! When what dwindle itself computes is not wanted any more.
//!
//! A test is waited for, so it can be ended by whoever waits ([`Cancel`](crate::interrupt::Cancel)). What a thread
//! computes (a parse, a search between two questions) has to ask: [`unless`] runs it, and while it runs,
//! [`current`] is what it asks. Asking leaves it by unwinding, so nothing half done is ever used, and no result is
//! passed through all that computes. Where a program aborts instead of unwinding, a computation comes to its end.

use std::cell::RefCell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use dwindle_core::Cancellation;
use rustix::event::{PollFd, PollFlags};

use crate::interrupt::{Cancel, Interrupt, poll_until};

/// What a computation ends with that was left.
struct Left;

/// Leaves the computation that asks. Only what [`unless`] runs may do so.
pub(crate) fn leave() {
    if cfg!(not(panic = "abort")) {
        resume_unwind(Box::new(Left));
    }
}

thread_local! {
    static CURRENT: RefCell<Cancellation> = RefCell::default();
}

/// What cancels the computation that this thread does; nothing does outside of [`unless`].
pub(crate) fn current() -> Cancellation {
    CURRENT.with_borrow(Clone::clone)
}

/// What `compute` comes to; nothing if it was left because of `cancellation`.
pub(crate) fn unless<T>(cancellation: &Cancellation, compute: impl FnOnce() -> T) -> Option<T> {
    let around = CURRENT.replace(cancellation.clone());
    // What it has changed is whatever its questions and steps have made of it, as if the next one had not come.
    let computed = catch_unwind(AssertUnwindSafe(compute));
    CURRENT.set(around);
    match computed {
        Ok(computed) => Some(computed),
        Err(left) if left.is::<Left>() => None,
        Err(panic) => resume_unwind(panic),
    }
}

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
pub(crate) mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;

    /// Cancels when it was asked so often.
    #[derive(Debug)]
    struct After(AtomicU64);

    impl dwindle_core::Cancel for After {
        fn is_cancelled(&self) -> bool {
            let left = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
            left.is_err()
        }

        fn leave(&self) {
            leave();
        }
    }

    /// What `compute` comes to if nobody waits any more when it has asked so often.
    pub(crate) fn within<T>(asks: u64, compute: impl FnOnce() -> T) -> Option<T> {
        unless(&Cancellation::new(Arc::new(After(AtomicU64::new(asks)))), compute)
    }

    /// How often `compute` asks.
    pub(crate) fn asks<T>(compute: impl FnOnce() -> T) -> u64 {
        let all = Arc::new(After(AtomicU64::new(u64::MAX)));
        unless(&Cancellation::new(all.clone()), compute);
        u64::MAX - all.0.load(Ordering::Relaxed)
    }

    #[test]
    fn what_nobody_waits_for_is_left() {
        assert_eq!(within(2, || (current().check(), current().check())), Some(((), ())));
        assert_eq!(within(1, || (current().check(), current().check())), None);
        let inner = || within(0, || current().check());
        assert_eq!(within(1, || (inner(), current().check())), Some((None, ())), "each its own");
        current().check();
    }

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
