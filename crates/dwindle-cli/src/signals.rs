//! Signals that end a run early.

use std::io;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use dwindle::Interrupt;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// What signals do.
pub(crate) struct Listening {
    /// They stop the reduction.
    pub(crate) interrupt: Interrupt,
    /// A byte comes out for each of them.
    pub(crate) signals: UnixStream,
    /// Which was the last; 0 before there was one.
    pub(crate) last: Arc<AtomicUsize>,
}

/// Listens to Ctrl-C, SIGTERM and the end of the terminal.
pub(crate) fn listen() -> io::Result<Listening> {
    let (interrupter, interrupt) = Interrupt::new()?;
    let pipe = std::os::fd::OwnedFd::from(interrupter);
    let (signals, each) = UnixStream::pair()?;
    let last = Arc::new(AtomicUsize::new(0));
    // Under nohup the end of the terminal is to change nothing.
    let hangup = (!ignores_hangup()).then_some(SIGHUP);
    for number in [SIGINT, SIGTERM].into_iter().chain(hangup) {
        signal_hook::flag::register_usize(number, last.clone(), number as usize)?;
        signal_hook::low_level::pipe::register(number, pipe.try_clone()?)?;
        signal_hook::low_level::pipe::register(number, each.try_clone()?)?;
    }
    Ok(Listening { interrupt, signals, last })
}

/// Whether whoever started this has said that SIGHUP is to be ignored.
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 != 0)
}
