//! What ends a reduction early: an interrupt, or the end of its time.

use std::fmt::{self, Debug, Formatter};
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use dwindle_core::Cancellation;
use dwindle_read::cancellation::leave;
use dwindle_run::{Cancel, Interrupt, Interrupter, poll_until};
use rustix::event::{PollFd, PollFlags};

use crate::report::End;

/// How long a last question may take from the moment on at which a reduction is to end.
const MOMENT: Duration = Duration::from_millis(900);

/// Ends a reduction early. Whatever it waits for and whatever it computes asks this.
#[derive(Debug)]
pub struct Stop {
    flag: Arc<Flag>,
    watcher: Option<Watcher>,
    /// The other end of an interrupt that never comes.
    nobody: Option<Interrupter>,
}

/// Set once, and then for good, but for a last moment.
struct Flag {
    end: OnceLock<(End, Instant)>,
    /// Until when the last question may still be asked.
    moment: OnceLock<Instant>,
    /// Closed when it is set, so that whoever waits for the other end wakes up.
    open: Mutex<Option<Sender<()>>>,
    closed: Receiver<()>,
}

impl Flag {
    fn new() -> Arc<Self> {
        let (sender, closed) = bounded(0);
        let (end, moment) = (OnceLock::new(), OnceLock::new());
        Arc::new(Self { end, moment, open: Mutex::new(Some(sender)), closed })
    }

    fn set(&self, end: End) {
        let _ = self.end.set((end, Instant::now()));
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Debug for Flag {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Flag").field(&self.end).finish()
    }
}

impl dwindle_core::Cancel for Flag {
    fn is_cancelled(&self) -> bool {
        let granted = || self.moment.get().is_some_and(|until| Instant::now() < *until);
        self.end.get().is_some() && !granted()
    }

    fn leave(&self) {
        leave();
    }
}

impl Stop {
    /// Never: the reduction ends by itself.
    pub fn never() -> Self {
        Self { flag: Flag::new(), watcher: None, nobody: None }
    }

    /// On an interrupt, or when the time is over. A thread waits for that, since those that compute cannot; it ends
    /// when this is dropped.
    pub fn on(interrupt: &Interrupt, deadline: Option<Instant>) -> io::Result<Self> {
        let flag = Flag::new();
        let watcher = Watcher::new(interrupt, deadline, flag.clone())?;
        Ok(Self { flag, watcher: Some(watcher), nobody: None })
    }

    /// On an interrupt if there may be one, and when the time is over if it may be.
    pub(crate) fn if_asked(interrupt: Option<&Interrupt>, deadline: Option<Instant>) -> io::Result<Self> {
        match (interrupt, deadline) {
            (None, None) => Ok(Self::never()),
            (Some(interrupt), _) => Self::on(interrupt, deadline),
            (None, Some(_)) => {
                let (interrupter, interrupt) = Interrupt::new()?;
                let mut stop = Self::on(&interrupt, deadline)?;
                // Its end would look like an interrupt.
                stop.nobody = Some(interrupter);
                Ok(stop)
            }
        }
    }

    /// How the reduction ends, if it is to end early.
    pub(crate) fn end(&self) -> Option<End> {
        if let (None, Some(watcher)) = (self.flag.end.get(), &self.watcher) {
            // The watcher may not have come to it yet.
            watcher.look(&self.flag);
        }
        self.flag.end.get().map(|(end, _)| *end)
    }

    /// Whether nothing is to be asked or computed any more.
    pub(crate) fn is_over(&self) -> bool {
        self.end().is_some() && dwindle_core::Cancel::is_cancelled(&*self.flag)
    }

    /// Lets a reduction that is to end ask the last question, if it is soon answered.
    pub(crate) fn grant_a_moment(&self) {
        if let Some((_, at)) = self.flag.end.get() {
            let _ = self.flag.moment.set(*at + MOMENT);
        }
    }

    /// Until when that is.
    pub(crate) fn moment(&self) -> Option<Instant> {
        self.flag.moment.get().copied()
    }

    /// When it ends by itself.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.watcher.as_ref().and_then(|watcher| watcher.sight.deadline)
    }

    /// What computations ask.
    pub(crate) fn cancellation(&self) -> Cancellation {
        Cancellation::new(self.flag.clone())
    }

    /// Disconnected when the reduction is to end.
    pub(crate) fn receiver(&self) -> &Receiver<()> {
        &self.flag.closed
    }
}

/// A thread that waits for an interrupt and the end of the time.
#[derive(Debug)]
struct Watcher {
    sight: Arc<Sight>,
    over: Cancel,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Sight {
    interrupt: std::os::fd::OwnedFd,
    deadline: Option<Instant>,
}

impl Watcher {
    fn new(interrupt: &Interrupt, deadline: Option<Instant>, flag: Arc<Flag>) -> io::Result<Self> {
        let sight = Arc::new(Sight { interrupt: interrupt.fd().try_clone_to_owned()?, deadline });
        let over = Cancel::new()?;
        let (watched, ended) = (sight.clone(), over.clone());
        let watch = move || {
            let mut fds = [
                PollFd::from_borrowed_fd(ended.fd(), PollFlags::IN),
                PollFd::new(&watched.interrupt, PollFlags::IN),
            ];
            match poll_until(&mut fds, watched.deadline) {
                Ok(false) => flag.set(End::MaxTime),
                Ok(true) if !fds[1].revents().is_empty() => flag.set(End::Interrupted),
                // Without a way to wait, whoever waits for a test looks.
                Ok(true) | Err(_) => {}
            }
        };
        let thread = thread::Builder::new().name("watcher".to_owned()).spawn(watch)?;
        Ok(Self { sight, over, thread: Some(thread) })
    }

    fn look(&self, flag: &Flag) {
        let Sight { interrupt, deadline } = &*self.sight;
        let interrupted = poll_until(&mut [PollFd::new(interrupt, PollFlags::IN)], Some(Instant::now()));
        if interrupted.unwrap_or(false) {
            flag.set(End::Interrupted);
        } else if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            flag.set(End::MaxTime);
        }
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
    fn it_ends_on_an_interrupt_and_at_the_end_of_its_time() {
        let waited_for = |stop: &Stop| {
            assert!(stop.receiver().recv().is_err(), "nothing is ever sent");
            assert!(stop.cancellation().is_cancelled());
            stop.end().unwrap()
        };
        let (mut interrupter, interrupt) = Interrupt::new().unwrap();
        let stop = Stop::on(&interrupt, None).unwrap();
        assert_eq!(stop.end(), None);
        let at_once = Stop::on(&interrupt, Some(Instant::now())).unwrap();
        assert_eq!(waited_for(&at_once), End::MaxTime);
        interrupter.interrupt().unwrap();
        assert_eq!(stop.end(), Some(End::Interrupted), "also before the watcher has woken up");
        assert_eq!(waited_for(&stop), End::Interrupted);
        assert_eq!(at_once.end(), Some(End::MaxTime), "what came first counts");
    }
}
