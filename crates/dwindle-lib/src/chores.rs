//! The threads that render, hash and read, so that the driver does not wait for that.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, unbounded};
use dwindle_core::{Answer, Cancellation, Shape, Variant};
use dwindle_read::FrontEnd;
use dwindle_read::cancellation::{leave, unless};

use crate::driver::Candidate;
use crate::inbox::{Message, Slip};

/// Something to be computed.
#[derive(Debug)]
pub(crate) enum Chore {
    Prepare(Variant),
    Read { variant: Variant, shape: Shape, front_end: FrontEnd, of_statements: bool },
}

/// The threads; they end when this is dropped, and leave what they are at.
#[derive(Debug)]
pub(crate) struct Chores {
    /// Nothing once they are to end.
    queue: Option<Sender<(Chore, Slip)>>,
    over: Arc<Over>,
    threads: Vec<JoinHandle<()>>,
}

/// Whether the chores, or the whole reduction, are to end.
#[derive(Debug)]
struct Over {
    chores: AtomicBool,
    reduction: Cancellation,
}

impl dwindle_core::Cancel for Over {
    fn is_cancelled(&self) -> bool {
        self.chores.load(Ordering::Relaxed) || self.reduction.is_cancelled()
    }

    fn leave(&self) {
        leave();
    }
}

impl Chores {
    /// As many threads as there are tests at once, and no more than there are processors. They also end with
    /// `reduction`.
    pub(crate) fn new(tests: usize, reduction: Cancellation) -> io::Result<Self> {
        let (queue, chores) = unbounded();
        let over = Arc::new(Over { chores: AtomicBool::new(false), reduction });
        let mut threads = Vec::new();
        for _ in 0..tests.min(thread::available_parallelism().map_or(1, usize::from)) {
            let (chores, cancellation) = (chores.clone(), Cancellation::new(over.clone()));
            let preparer = thread::Builder::new().name("preparer".to_owned());
            threads.push(preparer.spawn(move || do_all(&chores, &cancellation))?);
        }
        Ok(Self { queue: Some(queue), over, threads })
    }

    pub(crate) fn start(&self, chore: Chore, slip: Slip) {
        if let Some(queue) = &self.queue {
            let _ = queue.send((chore, slip));
        }
    }
}

impl Drop for Chores {
    fn drop(&mut self) {
        self.over.chores.store(true, Ordering::Relaxed);
        self.queue = None;
        for thread in self.threads.drain(..) {
            // Panics were sent as messages.
            let _ = thread.join();
        }
    }
}

fn do_all(chores: &Receiver<(Chore, Slip)>, cancellation: &Cancellation) {
    for (chore, slip) in chores {
        slip.send_what_comes_of(|| {
            unless(cancellation, || {
                cancellation.check();
                match chore {
                    Chore::Prepare(variant) => Message::Prepared(Candidate::new(&variant)),
                    Chore::Read { variant, shape, front_end, of_statements } => {
                        Message::Parsed(match dwindle_read::read(variant.render(), shape, front_end) {
                            Answer::Tree(tree) if of_statements => Answer::Tree(tree.of_statements().into()),
                            answer => answer,
                        })
                    }
                }
            })
        });
    }
}
