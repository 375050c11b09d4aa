//! The keeper: starts a test, says how it ended, and leaves nothing of it.
//!
//! The test is started without a shell in between, in a process group and a folder of its own that
//! holds nothing but the candidate. It gets the candidate's absolute path as its argument, the
//! opened candidate as standard input and an empty private folder in `TMPDIR`. When it has ended
//! or is stopped, whatever is left of its group is killed before the test itself is reaped, so
//! that the group's number cannot belong to somebody else by then; and then the rest of the
//! family.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::process::{Pid, PidfdFlags, Signal, getpid, kill_process_group, pidfd_open, set_child_subreaper};

use super::arguments::LIMITED;
use super::family;
use super::input::input_of;
use super::limits::{Limits, PRINTED_LIMIT};
use super::printed::Printed;
use super::wire::{self, Order, Request};
use crate::interrupt::poll_until;
use crate::remove::remove;
use crate::root::{PRINTED, remove_if_abandoned};
use crate::run::{Run, RunEnd, RunError, Sought, Stream};
use crate::usage::children_seconds;

/// A time limit that is none: a century and more, and still within what clocks can count.
const FOREVER: Duration = Duration::from_secs(1 << 32);
/// How often a start is tried while somebody still has the test open for writing.
const BUSY_TRIES: u32 = 40;

/// Serves as a keeper: under these limits, in this folder; the other arguments are the temporary files of
/// dwindle.
pub(crate) fn keep(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let serve = || -> io::Result<()> {
        let mut next = || arguments.next().ok_or(io::ErrorKind::InvalidInput);
        let mut keep = Keep {
            limits: Limits::from_argument(&next()?.to_string_lossy()),
            requests: io::stdin().as_fd().try_clone_to_owned()?.into(),
            answers: io::stdout().as_fd().try_clone_to_owned()?.into(),
            folders: vec![next()?.into()],
            temporaries: arguments.map(PathBuf::from).collect(),
        };
        // Only a name for whoever looks at the list of processes.
        let _ = rustix::thread::set_name(c"dwindle-keeper");
        set_child_subreaper(Some(getpid()))?;
        // Where nobody listens, nobody will ask either.
        let _ = wire::greet(&mut keep.answers);
        keep.serve();
        Ok(())
    };
    if serve().is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

struct Keep {
    limits: Limits,
    /// Without a buffer, so that what has been sent can be polled for.
    requests: File,
    answers: File,
    /// Where this keeper's tests have run.
    folders: Vec<PathBuf>,
    /// Files and folders that dwindle may leave behind.
    temporaries: Vec<PathBuf>,
}

impl Keep {
    fn serve(&mut self) {
        loop {
            match Request::receive(&mut self.requests) {
                Ok(Some(Request::Run(order))) => {
                    let answer = self.run(&order);
                    // That nobody listens is seen by the next look at the requests.
                    let _ = wire::answer(&answer, &mut self.answers);
                }
                Ok(Some(Request::Cancel)) => {}
                Ok(Some(Request::Leave)) => return,
                Ok(None) | Err(_) => return self.clean_up(),
            }
        }
    }

    /// Removes what is left now that dwindle has died.
    fn clean_up(&self) {
        for file in &self.temporaries {
            let _ = fs::remove_file(file).or_else(|_| fs::remove_dir_all(file));
        }
        let folders = || self.folders.iter().filter_map(|folder| folder.parent().zip(folder.file_name()));
        for (root, name) in folders() {
            // The next start says what stays.
            let _ = remove(root, Path::new(name));
        }
        for (root, _) in folders() {
            remove_if_abandoned(root);
        }
    }

    fn run(&mut self, order: &Order) -> Result<Run, RunError> {
        let candidate = &*order.candidate;
        let run = candidate.parent().unwrap_or(candidate);
        let place = run.parent().unwrap_or(run);
        if let Some(folder) = place.parent()
            && !self.folders.iter().any(|known| known == folder)
        {
            self.folders.push(folder.to_owned());
        }
        let (began, cpu_before) = (Instant::now(), children_seconds());
        let limits = match order.prints {
            true => self.limits.with_files_below(PRINTED_LIMIT),
            false => self.limits,
        };
        let (mut printed, child) = Start { order, limits, place }.patiently()?;
        let waited = wait(child, &mut printed, began + order.limit.min(FOREVER), &mut self.requests);
        let seconds = began.elapsed().as_secs_f64();
        let all_gone = family::end_all().map_err(RunError::Wait)?;
        let end = waited.map_err(RunError::Wait)?;
        if !all_gone {
            return Err(RunError::Left);
        }
        let (output, seen, apart) = printed.into_output();
        let cpu_seconds = children_seconds() - cpu_before;
        Ok(Run { seen, apart, cpu_seconds, ..Run::ended(end, output, seconds) })
    }
}

/// How a program is started.
struct Start<'a> {
    order: &'a Order,
    limits: Limits,
    /// What it prints goes to a file here.
    place: &'a Path,
}

impl Start<'_> {
    fn patiently(&self) -> Result<(Printed, Child), RunError> {
        let mut tries = 0;
        loop {
            match self.once() {
                Err(RunError::Start(error))
                    if error.kind() == io::ErrorKind::ExecutableFileBusy && tries < BUSY_TRIES =>
                {
                    tries += 1;
                    std::thread::sleep(Duration::from_millis(5));
                }
                started => return started,
            }
        }
    }

    fn once(&self) -> Result<(Printed, Child), RunError> {
        let Self { order: Order { program, candidate, folder, reads, prints, sought, .. }, limits, place } =
            *self;
        let input = if *reads { candidate } else { Path::new("/dev/null") };
        let [name, arguments @ ..] = &program[..] else {
            return Err(RunError::Start(io::ErrorKind::InvalidInput.into()));
        };
        let mut printed = Printed::new(sought);
        let stderr = printed.pipe(Stream::Stderr).map_err(RunError::Start)?;
        let stdout: Stdio = match (prints, *sought == Sought::default()) {
            (true, _) => File::create(place.join(PRINTED)).map_err(RunError::Place)?.into(),
            // In the order in which it is printed.
            (false, true) => stderr.try_clone().map_err(RunError::Start)?.into(),
            (false, false) => printed.pipe(Stream::Stdout).map_err(RunError::Start)?.into(),
        };
        let (mut command, report) = match limits.are_none() {
            true => {
                let mut command = Command::new(name);
                command.args(arguments).stdin(input_of(input).map_err(RunError::Place)?);
                (command, None)
            }
            // It puts them on itself: from here they would come too late, or be those of the keeper, too.
            false => {
                let (report, writer) = io::pipe().map_err(RunError::Start)?;
                let mut command = Command::new("/proc/self/exe");
                command.arg0("dwindle").args([LIMITED, &limits.to_argument()]).arg(input).args(program);
                command.stdin(writer);
                (command, Some(report))
            }
        };
        let run = folder.as_deref().or(candidate.parent()).unwrap_or(candidate);
        command.current_dir(run).env("TMPDIR", place.join("tmp")).env("PWD", run);
        command.stdout(stdout).stderr(stderr).process_group(0);
        let mut child = command.spawn().map_err(RunError::Start)?;
        // The ends of pipes that are the child's alone.
        drop(command);
        let mut number = [0; 4];
        if report.is_some_and(|mut report| report.read_exact(&mut number).is_ok()) {
            let _ = child.wait();
            return Err(RunError::Start(io::Error::from_raw_os_error(i32::from_le_bytes(number))));
        }
        Ok((printed, child))
    }
}

/// Waits until the test ends, its time is over or it is cancelled; nothing of its group is left
/// afterwards.
fn wait(mut child: Child, printed: &mut Printed, limit: Instant, requests: &mut File) -> io::Result<RunEnd> {
    let pid = Pid::from_child(&child);
    let cut = watch(pid, printed, limit, requests);
    // The leader is not reaped yet, so the group is still its own; it may be empty but for it.
    let _ = kill_process_group(pid, Signal::KILL);
    let status = child.wait()?;
    printed.read_available(|_| true)?;
    Ok(cut?.unwrap_or_else(|| ended(status)))
}

/// Collects output until the process ends by itself (`None`) or has to be cut off.
fn watch(pid: Pid, printed: &mut Printed, limit: Instant, requests: &mut File) -> io::Result<Option<RunEnd>> {
    let process = pidfd_open(pid, PidfdFlags::empty())?;
    loop {
        let mut fds = vec![
            PollFd::from_borrowed_fd(process.as_fd(), PollFlags::IN),
            PollFd::from_borrowed_fd(requests.as_fd(), PollFlags::IN),
        ];
        fds.extend(printed.open().map(|pipe| PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN)));
        poll_until(&mut fds, Some(limit))?;
        let ready: Vec<bool> = fds.iter().map(|fd| !fd.revents().is_empty()).collect();
        let [ended, cancelled, ready @ ..] = &ready[..] else { unreachable!("two are always polled") };
        if *ended {
            return Ok(None);
        }
        if *cancelled {
            // There is nothing else to be said meanwhile, but the end of dwindle, and that will be
            // read again.
            let _ = Request::receive(requests);
            return Ok(Some(RunEnd::Stopped));
        }
        if limit <= Instant::now() {
            return Ok(Some(RunEnd::TimedOut));
        }
        printed.read_available(|open| ready[open])?;
    }
}

fn ended(status: ExitStatus) -> RunEnd {
    match status.code() {
        Some(code) => RunEnd::Exited(code),
        None => RunEnd::Signalled(status.signal().unwrap_or_default()),
    }
}
