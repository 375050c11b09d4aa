//! Threads that run one test at a time each: here, in a station of its own, or elsewhere.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use dwindle_run::{Cancel, CandidateFile, Limits, Run, RunError, Sought, Station, Stations};

use super::commands::{Place, Test};
use super::elsewhere::Elsewhere;
use super::paths::without_places;
use super::port::Executor;
use crate::config::Remote;
use crate::driver::{Candidate, Job};
use crate::error::Error;
use crate::inbox::Reply;
use crate::probe::{Command, Probe};
use crate::report::Warning;

/// The threads; they end when this is closed, and whatever runs ends with them.
#[derive(Debug)]
pub(crate) struct Pool {
    stations: Stations,
    /// Nothing once it is closed.
    queue: Option<Sender<Task>>,
    tasks: Receiver<Task>,
    cancels: Cancels,
    test: Arc<Test>,
    threads: Vec<JoinHandle<()>>,
    /// Where tests run that do not run here.
    elsewhere: Option<Arc<Elsewhere>>,
    /// How many could run here, where none does.
    slots_here: Option<usize>,
}

/// What ends the tests that run, or are to.
type Cancels = Arc<Mutex<HashMap<Job, Cancel>>>;

/// A test to be run.
#[derive(Debug)]
struct Task {
    job: Job,
    candidate: Arc<Candidate>,
    limit: Duration,
    cancel: Cancel,
    reply: Reply,
}

impl Pool {
    /// So many at once, here.
    pub(crate) fn new(stations: Stations, probe: &Probe, slots: usize) -> io::Result<Self> {
        let (queue, tasks) = unbounded();
        let test = Arc::new(Test { commands: probe.commands(), criteria: (**probe.criteria()).clone() });
        let (cancels, threads) = (Cancels::default(), Vec::new());
        let queue = Some(queue);
        let mut pool =
            Self { stations, queue, tasks, cancels, test, threads, elsewhere: None, slots_here: None };
        for _ in 0..slots {
            let stations = pool.stations.clone();
            pool.add("runner", move || Here::new(stations))?;
        }
        Ok(pool)
    }

    /// So many at once where tests are to run: here, or as `remote` says, where candidates are laid as here and programs have
    /// these limits.
    pub(crate) fn wherever(
        stations: Stations,
        probe: &Probe,
        slots: usize,
        remote: Option<(&Remote, CandidateFile)>,
        limits: Limits,
    ) -> Result<Self, Error> {
        match remote {
            None => Self::new(stations, probe, slots).map_err(Error::Workspace),
            Some((remote, file)) => Self::with_remote(stations, probe, slots, remote, file, limits),
        }
    }

    /// So many at once here, and as many as `remote` says elsewhere.
    fn with_remote(
        stations: Stations,
        probe: &Probe,
        slots: usize,
        remote: &Remote,
        file: CandidateFile,
        limits: Limits,
    ) -> Result<Self, Error> {
        let elsewhere = Arc::new(Elsewhere::new(remote.engine.clone(), file, probe, limits)?);
        let here = if remote.and_here { slots } else { 0 };
        let mut pool = Self::new(stations, probe, here).map_err(Error::Workspace)?;
        pool.elsewhere = Some(elsewhere.clone());
        pool.slots_here = (!remote.and_here).then_some(slots);
        for _ in 0..remote.slots.into() {
            let elsewhere = elsewhere.clone();
            pool.add("remote", move || elsewhere).map_err(Error::Workspace)?;
        }
        Ok(pool)
    }

    /// Starts a thread.
    fn add<P: Place>(&mut self, name: &str, place: impl FnOnce() -> P + Send + 'static) -> io::Result<()> {
        let (test, tasks, cancels) = (self.test.clone(), self.tasks.clone(), self.cancels.clone());
        let runner = thread::Builder::new().name(name.to_owned());
        self.threads.push(runner.spawn(move || run_all(&test, &mut place(), &tasks, &cancels))?);
        Ok(())
    }
}

fn locked(cancels: &Cancels) -> MutexGuard<'_, HashMap<Job, Cancel>> {
    cancels.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Executor for Pool {
    fn slots(&self) -> usize {
        self.threads.len()
    }

    fn slots_here(&self) -> Option<usize> {
        self.slots_here
    }

    fn run(&mut self, job: Job, candidate: &Arc<Candidate>, limit: Duration, reply: Reply) -> io::Result<()> {
        let Some(queue) = &self.queue else { return Err(io::ErrorKind::NotConnected.into()) };
        let (cancel, candidate) = (Cancel::new()?, candidate.clone());
        locked(&self.cancels).insert(job, cancel.clone());
        // Threads that have panicked have said so by the replies that they dropped.
        let _ = queue.send(Task { job, candidate, limit, cancel, reply });
        Ok(())
    }

    fn cancel(&mut self, job: Job) {
        if let Some(cancel) = locked(&self.cancels).remove(&job) {
            cancel.cancel();
        }
    }

    fn take_warnings(&mut self) -> Vec<Warning> {
        let moved = self.stations.take_moves().into_iter().map(Warning::Moved);
        moved.chain(self.stations.take_stays().into_iter().map(|at| Warning::Mounted { at })).collect()
    }

    fn close(&mut self) {
        locked(&self.cancels).values().for_each(Cancel::cancel);
        self.stations.close();
        self.queue = None;
        for thread in self.threads.drain(..) {
            // A thread that panicked has said so.
            let _ = thread.join();
        }
        self.elsewhere.iter().for_each(|elsewhere| elsewhere.settle());
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.close();
    }
}

fn run_all(test: &Test, place: &mut dyn Place, tasks: &Receiver<Task>, cancels: &Cancels) {
    for Task { job, candidate, limit, cancel, reply } in tasks {
        let ran = test.run(place, &candidate, limit, &cancel);
        locked(cancels).remove(&job);
        reply.send(ran);
    }
}

/// A station.
struct Here {
    stations: Stations,
    /// Made before the first test can have filled the place where it will be.
    made: Option<Result<Station, RunError>>,
    station: Option<Station>,
}

impl Here {
    fn new(stations: Stations) -> Self {
        Self { made: Some(stations.station()), stations, station: None }
    }
}

impl Place for Here {
    fn run(
        &mut self,
        command: &Command,
        candidate: &Candidate,
        sought: &Sought,
        limit: Duration,
        cancel: &Cancel,
    ) -> Result<Run, RunError> {
        let station = match &mut self.station {
            Some(station) => station,
            None => {
                let station = self.made.take().unwrap_or_else(|| self.stations.station())?;
                self.station.insert(station)
            }
        };
        let candidate = &candidate.bytes[..];
        station.run(candidate, |path| command.call(path, candidate), sought, limit, cancel)
    }

    fn without_paths(&self, output: &[u8]) -> Vec<u8> {
        match &self.station {
            Some(station) => without_places(output, station.folder(), station.name()),
            None => output.to_vec(),
        }
    }
}
