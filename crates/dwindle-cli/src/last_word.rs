//! The end of a reduction that does not end by itself.
//!
//! A reduction that is to stop does so between two questions, and what dwindle computes asks all the time whether
//! it is still wanted. What cannot ask (a scanner of a grammar, a disk that hangs) would keep the user waiting all
//! the same. So when a reduction has not ended in time, or at a second signal, the command itself says what has
//! been reached and exits: the best result is in its file at every moment, and whatever tests and folders there
//! are go with dwindle.

use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use dwindle::{End, Event, Progress, Report};

/// How long a reduction may take to end after a signal or the end of its time. With what is still to be said that
/// is below two seconds; ordinary runs need some milliseconds.
const GRACE: Duration = Duration::from_millis(1200);

/// How long a second signal leaves a reduction that is just ending: its folders are removed in some milliseconds, and
/// nobody else would remove one that is half gone.
const MOMENT: Duration = Duration::from_millis(200);

/// How a wait for that is divided.
const LOOK: Duration = Duration::from_millis(10);

/// How long a reader of what is said may take: one that has stopped reading is not waited for.
const LISTENS: Duration = Duration::from_millis(300);

/// How long a wait is at most; the next one follows.
const LONG: Duration = Duration::from_secs(3600);

/// What is said if the reduction does not end.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastWord(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    /// What to report, and how far it has come; nothing before there is a result file.
    draft: Option<(Report, Progress)>,
    /// Whether the reduction has ended by itself.
    ended: bool,
}

impl LastWord {
    /// Takes note of what happened.
    pub(crate) fn note(&self, event: &Event<'_>) {
        let mut known = self.known();
        match event {
            Event::Draft { report, progress } => known.draft = Some(((*report).clone(), **progress)),
            Event::Asked { progress, .. } | Event::Kept { progress, .. } => {
                known.draft.iter_mut().for_each(|(_, last)| *last = **progress);
            }
            _ => {}
        }
    }

    /// The reduction has ended by itself. Does not return where it was too late for that.
    pub(crate) fn ended(&self) {
        self.known().ended = true;
    }

    /// Waits for each byte of `signals`, one a signal, and for the `deadline`, and then ends the process unless the
    /// reduction has ended: with what `exit_code` says, and not before `say` has said so if somebody listens.
    pub(crate) fn stand_by(
        &self,
        mut signals: UnixStream,
        deadline: Option<Instant>,
        say: impl FnOnce(Option<&Report>) + Send + 'static,
        exit_code: impl FnOnce(Option<&Report>) -> u8 + Send + 'static,
    ) -> io::Result<()> {
        let this = self.clone();
        let wait = move || {
            let over = deadline.and_then(|deadline| deadline.checked_add(GRACE));
            let mut end = End::MaxTime;
            if signalled(&mut signals, over) {
                end = End::Interrupted;
                let soon = Instant::now() + GRACE;
                if signalled(&mut signals, Some(over.map_or(soon, |over| over.min(soon)))) {
                    let until = Instant::now() + MOMENT;
                    while !this.known().ended && Instant::now() < until {
                        thread::sleep(LOOK);
                    }
                }
            }
            let known = this.known();
            if !known.ended {
                let report = known.draft.as_ref().map(|(draft, progress)| draft.cut_off(end, progress));
                let exit_code = exit_code(report.as_ref());
                let (sender, said) = mpsc::channel();
                let say = move || {
                    say(report.as_ref());
                    // Too late if nobody waits any more.
                    let _ = sender.send(());
                };
                if thread::Builder::new().spawn(say).is_ok() {
                    let _ = said.recv_timeout(LISTENS);
                }
                // What is known is still locked, so nobody else says anything.
                process::exit(exit_code.into());
            }
            // It has, but who reads what it says may have stopped reading.
            drop(known);
            signalled(&mut signals, None);
            thread::sleep(LISTENS);
            process::exit(exit_code(None).into());
        };
        thread::Builder::new().name("last word".to_owned()).spawn(wait).map(drop)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for a signal until `deadline`; whether there was one.
fn signalled(signals: &mut UnixStream, deadline: Option<Instant>) -> bool {
    loop {
        let left = deadline.map_or(LONG, |deadline| deadline.saturating_duration_since(Instant::now()));
        if left.is_zero() {
            return false;
        }
        let waits = signals.set_read_timeout(Some(left.min(LONG)));
        match waits.and_then(|()| signals.read(&mut [0])) {
            Ok(read) if read > 0 => return true,
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            // Nobody can send a signal any more: the process ends.
            Ok(_) | Err(_) => thread::park(),
        }
    }
}
