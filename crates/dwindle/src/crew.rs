//! The threads that do a driver's work: runners, each with a station of its own in which it runs one
//! test at a time, and preparers, which render, hash and cut.

use std::collections::HashMap;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use dwindle_core::{Answer, Cancellation, Evidence, Outcome, Request, Shape, Variant};
use rustix::event::{EventfdFlags, PollFd, PollFlags, eventfd};

use crate::cancellation::Canceller;
use crate::driver::{Candidate, Job, Work};
use crate::oracle::{Oracle, Seat};
use crate::report::{External, Warning};
use dwindle_read::cancellation::unless;
use dwindle_run::{Cancel, Run, RunEnd, RunError, Stop, poll_until};

/// How tests are run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    /// The time limit of a run.
    pub(crate) limit: Duration,
    /// The time limit of a run of a helper.
    pub(crate) help_limit: Duration,
    /// How many runs must find a candidate interesting.
    pub(crate) confirm: u32,
}

/// What came of a job.
#[derive(Debug)]
pub(crate) enum Message {
    Prepared(Candidate),
    Parsed(Answer),
    Tested(Result<Tested, RunError>),
}

/// What came of a test.
#[derive(Debug)]
pub(crate) struct Tested {
    /// Nothing if it was cancelled.
    pub(crate) outcome: Option<Outcome>,
    /// What the output gave away, if the test refused.
    pub(crate) evidence: Evidence,
    /// The last run.
    pub(crate) run: Run,
    /// How many runs there were, and the seconds of processors that they took.
    pub(crate) runs: u32,
    pub(crate) cpu_seconds: f64,
}

impl Tested {
    /// Whether a run found interesting what the next one did not.
    pub(crate) fn is_flaky(&self) -> bool {
        self.runs > 1 && self.outcome != Some(Outcome::Interesting)
    }
}

/// The threads; they end when this is dropped, and whatever runs ends with them.
#[derive(Debug)]
pub(crate) struct Crew {
    oracle: Arc<Oracle>,
    desk: Arc<Desk>,
    /// Nothing once the crew is to go home.
    queues: Option<Queues>,
    cancels: HashMap<Job, Cancel>,
    /// Cancels what preparers do.
    canceller: Canceller,
    threads: Vec<JoinHandle<()>>,
}

/// What threads receive from as long as they are there, and they are joined when the crew is dropped: sending
/// does not fail.
#[derive(Debug)]
struct Queues {
    runs: Sender<(Job, Task, Terms, Cancel)>,
    chores: Sender<(Job, Chore)>,
}

/// What is done at a station.
#[derive(Debug)]
enum Task {
    Test(Arc<Candidate>),
    Help(Variant, Request),
}

#[derive(Debug)]
enum Chore {
    Prepare(Variant),
    Parse(Variant, Shape),
}

/// Where finished work is laid down.
#[derive(Debug)]
struct Desk {
    done: Mutex<Vec<(Job, Message)>>,
    /// Readable when there is something on the desk.
    bell: OwnedFd,
}

impl Crew {
    /// So many runners, and as many preparers as there are processors for them, which `canceller` ends.
    pub(crate) fn new(oracle: Oracle, runners: usize, canceller: Canceller) -> io::Result<Self> {
        let oracle = Arc::new(oracle);
        let bell = eventfd(0, EventfdFlags::NONBLOCK | EventfdFlags::CLOEXEC)?;
        let desk = Arc::new(Desk { done: Mutex::default(), bell });
        let (runs, to_run) = unbounded();
        let (chores, to_do) = unbounded();
        let mut threads = Vec::new();
        for _ in 0..runners {
            let (desk, oracle, to_run) = (desk.clone(), oracle.clone(), to_run.clone());
            let cancellation = canceller.cancellation();
            let name = thread::Builder::new().name("runner".to_owned());
            threads.push(name.spawn(move || {
                // What helpers offer is read here.
                unless(&cancellation, || run_all(&oracle, &to_run, &desk));
            })?);
        }
        let processors = thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..runners.min(processors) {
            let (desk, to_do, cancellation) = (desk.clone(), to_do.clone(), canceller.cancellation());
            let name = thread::Builder::new().name("preparer".to_owned());
            threads.push(name.spawn(move || do_chores(&to_do, &desk, &cancellation))?);
        }
        let (queues, cancels) = (Some(Queues { runs, chores }), HashMap::new());
        Ok(Self { oracle, desk, queues, cancels, canceller, threads })
    }

    /// Hands out a job.
    pub(crate) fn start(&mut self, job: Job, work: Work, terms: Terms) -> io::Result<()> {
        match work {
            Work::Test(candidate) => self.run(job, Task::Test(candidate), terms)?,
            Work::Parse(variant, Shape::Offers(request)) => {
                self.run(job, Task::Help(variant, request), terms)?;
            }
            Work::Parse(variant, shape) => self.do_chore(job, Chore::Parse(variant, shape)),
            Work::Prepare(variant) => self.do_chore(job, Chore::Prepare(variant)),
        }
        Ok(())
    }

    fn run(&mut self, job: Job, task: Task, terms: Terms) -> io::Result<()> {
        let Some(queues) = &self.queues else { return Ok(()) };
        let cancel = Cancel::new()?;
        self.cancels.insert(job, cancel.clone());
        let _ = queues.runs.send((job, task, terms, cancel));
        Ok(())
    }

    fn do_chore(&self, job: Job, chore: Chore) {
        if let Some(queues) = &self.queues {
            let _ = queues.chores.send((job, chore));
        }
    }

    /// Ends a test.
    pub(crate) fn cancel(&mut self, job: Job) {
        if let Some(cancel) = self.cancels.remove(&job) {
            cancel.cancel();
        }
    }

    /// What helpers have done.
    pub(crate) fn helped(&self) -> External {
        self.oracle.helped()
    }

    /// What has to be said of the runs and was not yet.
    pub(crate) fn take_warnings(&self) -> Vec<Warning> {
        self.oracle.take_warnings()
    }

    /// Waits for something on the desk and takes all; nothing if `stop` says so first.
    pub(crate) fn wait(&mut self, stop: &Stop<'_>) -> io::Result<Option<Vec<(Job, Message)>>> {
        loop {
            let done = self.desk.take();
            if !done.is_empty() {
                done.iter().for_each(|(job, _)| drop(self.cancels.remove(job)));
                return Ok(Some(done));
            }
            let mut fds = [
                PollFd::from_borrowed_fd(stop.interrupt.fd(), PollFlags::IN),
                PollFd::from_borrowed_fd(self.desk.bell.as_fd(), PollFlags::IN),
            ];
            poll_until(&mut fds, stop.deadline)?;
            let [interrupted, rung] = fds.map(|fd| !fd.revents().is_empty());
            if interrupted || stop.out_of_time() {
                return Ok(None);
            }
            if rung {
                let mut count = [0; 8];
                match rustix::io::read(&self.desk.bell, &mut count) {
                    Ok(_) | Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => {}
                    Err(error) => return Err(error.into()),
                }
            }
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.cancels.values().for_each(Cancel::cancel);
        self.oracle.close();
        self.canceller.cancel();
        self.queues = None;
        for thread in self.threads.drain(..) {
            // A thread that panicked has said so.
            let _ = thread.join();
        }
    }
}

impl Desk {
    fn lay_down(&self, job: Job, message: Message) {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).push((job, message));
        // The counter cannot overflow, so there is always room.
        let _ = rustix::io::write(&self.bell, &1u64.to_ne_bytes());
    }

    fn take(&self) -> Vec<(Job, Message)> {
        std::mem::take(&mut self.done.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn run_all(oracle: &Oracle, queue: &Receiver<(Job, Task, Terms, Cancel)>, desk: &Desk) {
    // Made before the first test can have filled the place where it will be.
    let mut made = Some(oracle.seat());
    let mut station = None;
    for (job, task, terms, cancel) in queue {
        let here = match &mut station {
            Some(station) => Ok(station),
            None => made.take().unwrap_or_else(|| oracle.seat()).map(|new| station.insert(new)),
        };
        desk.lay_down(
            job,
            match (here, task) {
                (Ok(station), Task::Test(candidate)) => {
                    Message::Tested(test(station, &candidate, terms, &cancel))
                }
                (Ok(station), Task::Help(variant, request)) => {
                    let offers = station.offers(&variant, request, terms.help_limit, &cancel);
                    Message::Parsed(Answer::Offers(offers.into()))
                }
                (Err(error), Task::Test(_)) => Message::Tested(Err(error)),
                // The next test will say so.
                (Err(_), Task::Help(..)) => Message::Parsed(Answer::Offers(Arc::default())),
            },
        );
    }
}

fn test(seat: &mut Seat, candidate: &Candidate, terms: Terms, cancel: &Cancel) -> Result<Tested, RunError> {
    let (mut runs, mut cpu_seconds) = (0, 0.0);
    loop {
        let run = seat.run(&candidate.bytes, terms.limit, cancel)?;
        runs += 1;
        cpu_seconds += run.cpu_seconds;
        let outcome = match run.end {
            RunEnd::Exited(0) => Some(Outcome::Interesting),
            RunEnd::Exited(_) | RunEnd::Signalled(_) => Some(Outcome::Uninteresting),
            RunEnd::TimedOut => Some(Outcome::Unresolved),
            RunEnd::Stopped => None,
        };
        if outcome != Some(Outcome::Interesting) || runs >= terms.confirm {
            let evidence = match outcome {
                Some(Outcome::Uninteresting) => seat.evidence(&run.output),
                _ => Evidence::default(),
            };
            return Ok(Tested { outcome, evidence, run, runs, cpu_seconds });
        }
    }
}

fn do_chores(queue: &Receiver<(Job, Chore)>, desk: &Desk, cancellation: &Cancellation) {
    for (job, chore) in queue {
        let done = unless(cancellation, || {
            cancellation.check();
            match chore {
                Chore::Prepare(variant) => Message::Prepared(Candidate::new(&variant)),
                Chore::Parse(variant, shape) => Message::Parsed(dwindle_read::read(variant.render(), shape)),
            }
        });
        // What was left is not waited for.
        if let Some(message) = done {
            desk.lay_down(job, message);
        }
    }
}
