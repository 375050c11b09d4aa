//! Tests as processes on this machine: threads, each with a station of its own in which it runs one test at a time.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use dwindle_run::{Cancel, Part, Run, RunEnd, RunError, Station, Stations};
use memchr::memmem;

use super::port::Executor;
use crate::driver::{Candidate, Job};
use crate::inbox::Reply;
use crate::probe::{Command, Probe};
use crate::report::Warning;
use crate::verdict::{Criteria, Ran, differ};

/// The threads; they end when this is closed, and whatever runs ends with them.
#[derive(Debug)]
pub(crate) struct Local {
    stations: Stations,
    /// Nothing once it is closed.
    queue: Option<Sender<Task>>,
    cancels: Cancels,
    slots: usize,
    threads: Vec<JoinHandle<()>>,
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

impl Local {
    /// So many at once.
    pub(crate) fn new(stations: Stations, probe: &Probe, slots: usize) -> io::Result<Self> {
        let (queue, tasks) = unbounded();
        let cancels = Cancels::default();
        let mut threads = Vec::new();
        for _ in 0..slots {
            let (stations, tasks, cancels) = (stations.clone(), tasks.clone(), cancels.clone());
            let (commands, criteria) = (probe.commands(), probe.criteria().clone());
            let runner = thread::Builder::new().name("runner".to_owned());
            threads.push(runner.spawn(move || run_all(&stations, &commands, &criteria, &tasks, &cancels))?);
        }
        Ok(Self { stations, queue: Some(queue), cancels, slots, threads })
    }
}

fn locked(cancels: &Cancels) -> MutexGuard<'_, HashMap<Job, Cancel>> {
    cancels.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Executor for Local {
    fn slots(&self) -> usize {
        self.slots
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
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        self.close();
    }
}

fn run_all(
    stations: &Stations,
    commands: &[Command],
    criteria: &Criteria,
    tasks: &Receiver<Task>,
    cancels: &Cancels,
) {
    // Made before the first test can have filled the place where it will be.
    let mut made = Some(stations.station());
    let mut station = None;
    for Task { job, candidate, limit, cancel, reply } in tasks {
        let here = match &mut station {
            Some(station) => Ok(station),
            None => made.take().unwrap_or_else(|| stations.station()).map(|new| station.insert(new)),
        };
        let ran = here.and_then(|station| {
            let run = run_commands(station, commands, criteria, &candidate.bytes, limit, &cancel)?;
            let said = without_places(&run.output, station.folder(), station.name());
            Ok(Ran { run, said })
        });
        locked(cancels).remove(&job);
        reply.send(ran);
    }
}

/// Runs the commands of a test one after the other, up to the one that decides. Times are those of all of them.
fn run_commands(
    station: &mut Station,
    commands: &[Command],
    criteria: &Criteria,
    candidate: &[u8],
    limit: Duration,
    cancel: &Cancel,
) -> Result<Run, RunError> {
    let sought = criteria.sought();
    let (mut seconds, mut cpu_seconds) = (0.0, 0.0);
    let mut main: Option<Run> = None;
    for command in commands {
        let run = station.run(candidate, |path| command.call(path, candidate), &sought, limit, cancel)?;
        let run = Run { part: command.part, ..run };
        (seconds, cpu_seconds) = (seconds + run.seconds, cpu_seconds + run.cpu_seconds);
        let ended = matches!(run.end, RunEnd::Exited(_) | RunEnd::Signalled(_));
        let (decides, run) = match (run.part, main.take()) {
            (Part::Other, Some(main)) if ended => {
                let run = Run { differs: Some(differ(&main, &run)), ..main };
                (!criteria.goes_on(&run), run)
            }
            (Part::Guard, Some(main)) if run.end == RunEnd::Exited(0) => (true, main),
            _ => (!criteria.goes_on(&run), run),
        };
        if decides {
            return Ok(Run { seconds, cpu_seconds, ..run });
        }
        main = Some(run).filter(|run| run.part == Part::Main);
    }
    let main = main.expect("the last command of a test decides if none before does");
    Ok(Run { seconds, cpu_seconds, ..main })
}

/// `output` without the name of the candidate, which is no news, and without paths in `folder`, which
/// are others at every station and in every run.
fn without_places(output: &[u8], folder: &Path, name: &Path) -> Vec<u8> {
    let bytes = |path: &Path| path.as_os_str().as_encoded_bytes().to_vec();
    let (folder, name) = (&bytes(folder)[..], &bytes(name)[..]);
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let is_in_path = |byte: &&u8| is_word(byte) || b"/.-+~".contains(byte);
    let plain = without(output, name, |before, behind| {
        let is_part = before.last().is_some_and(is_word) || behind.first().is_some_and(is_word);
        (!is_part).then_some(0)
    });
    without(&plain, folder, |_, behind| Some(behind.iter().take_while(is_in_path).count()))
}

/// `text` without `pattern` and as much behind it as `more` says for what is before and behind.
fn without(text: &[u8], pattern: &[u8], more: impl Fn(&[u8], &[u8]) -> Option<usize>) -> Vec<u8> {
    let (mut plain, mut rest) = (Vec::with_capacity(text.len()), 0);
    for start in memmem::find_iter(text, pattern).filter(|_| !pattern.is_empty()) {
        let end = start + pattern.len();
        if start >= rest
            && let Some(more) = more(&text[..start], &text[end..])
        {
            plain.extend_from_slice(&text[rest..start]);
            plain.push(b' ');
            rest = end + more;
        }
    }
    plain.extend_from_slice(&text[rest..]);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_places_is_no_part_of_the_output() {
        let check = |output: &str, expected: &str| {
            let plain = without_places(output.as_bytes(), "/tmp/dw-Xy_1/3".as_ref(), "a.c".as_ref());
            assert_eq!(String::from_utf8_lossy(&plain), expected);
        };
        check("/tmp/dw-Xy_1/3/12/run/a.c:1:2: error: run 'a'", "  :1:2: error: run 'a'");
        check("/tmp/dw-Xy_1/3/12/tmp/cc3Gh.o(.text): undefined 'f'", " (.text): undefined 'f'");
        check("a.c: a.cc ba.c _a.c \"a.c\" a.ca.c", " : a.cc ba.c _a.c \" \" a.ca.c");
        check("In /tmp/dw-Xy_1/2/tmp/x and /tmp/dw-Xy_1/3", "In /tmp/dw-Xy_1/2/tmp/x and  ");
    }
}
