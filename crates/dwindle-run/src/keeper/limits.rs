//! Limits on what each process of a test may use.

use std::convert::Infallible;
use std::ffi::{CString, OsString};
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use nix::unistd::execv;
use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::stdio::dup2_stdin;
use signal_hook::consts::SIGPIPE;

use super::input::input_of;

/// How much a program may print whose output is wanted whole, in bytes, and write to any other file; beyond, it is
/// killed.
pub const PRINTED_LIMIT: u64 = 64 << 20;

/// What each process of a test may use at most; no limit where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Address space in bytes; beyond, memory is refused.
    pub memory: Option<u64>,
    /// Seconds of a processor; beyond, it is killed by `SIGXCPU`, or a second later by `SIGKILL`.
    pub cpu: Option<u64>,
    /// The size of a file that it writes, in bytes; beyond, it is killed by `SIGXFSZ`.
    pub file_size: Option<u64>,
}

impl Limits {
    /// The same, for a process that may write files of this size at most.
    pub(super) fn with_files_below(self, bytes: u64) -> Self {
        Self { file_size: Some(self.file_size.map_or(bytes, |limit| limit.min(bytes))), ..self }
    }

    /// As an argument of a keeper.
    pub(super) fn to_argument(self) -> String {
        let word = |limit: Option<u64>| limit.map_or("none".to_owned(), |limit| limit.to_string());
        [self.memory, self.cpu, self.file_size].map(word).join(",")
    }

    pub(super) fn from_argument(argument: &str) -> Self {
        let mut limits = argument.split(',').map(|limit| limit.parse().ok());
        let mut next = || limits.next().flatten();
        Self { memory: next(), cpu: next(), file_size: next() }
    }

    pub(super) fn are_none(self) -> bool {
        self == Self::default()
    }

    /// Puts the limits on this process and what it will start.
    fn put_on(self) -> io::Result<()> {
        let cpu_hard = self.cpu.map(|seconds| seconds.saturating_add(1));
        for (resource, soft, hard) in [
            (Resource::Cpu, self.cpu, cpu_hard),
            (Resource::Fsize, self.file_size, self.file_size),
            // The last one: from here on this process itself may get no memory.
            (Resource::As, self.memory, self.memory),
        ] {
            if soft.is_none() {
                continue;
            }
            // A limit that we are under already cannot be raised.
            let ours = getrlimit(resource).maximum.unwrap_or(u64::MAX);
            let within = |limit: Option<u64>| limit.map(|limit| limit.min(ours));
            setrlimit(resource, Rlimit { current: within(soft), maximum: within(hard) })?;
        }
        Ok(())
    }
}

/// Becomes a program under limits, which hold from its first instruction.
///
/// The arguments are the limits, the file that is to be its standard input, and its words. Standard input
/// is a pipe that is closed when this has become the program; if it cannot, the number of the error is
/// written there.
pub(crate) fn limited(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let mut become_it = || -> io::Result<Infallible> {
        let mut next = || arguments.next().ok_or(io::ErrorKind::InvalidInput);
        let limits = Limits::from_argument(&next()?.to_string_lossy());
        let input = input_of(Path::new(&next()?))?;
        let words =
            arguments.by_ref().map(|word| CString::new(word.into_vec())).collect::<Result<Vec<_>, _>>()?;
        let program = words.first().ok_or(io::ErrorKind::InvalidInput)?;
        dup2_stdin(&input)?;
        // Rust has it ignored, which the program would inherit. What is caught it does not.
        signal_hook::flag::register(SIGPIPE, Arc::default())?;
        limits.put_on()?;
        // Not that of the standard library, which has a shell run what is no program.
        Ok(execv(program, &words)?)
    };
    let report = fcntl_dupfd_cloexec(io::stdin(), 3);
    let Err(error) = become_it();
    let number = error.raw_os_error().unwrap_or(Errno::IO.raw_os_error());
    // Where nobody listens, nobody wants to know.
    let _ = report.map(|report| rustix::io::write(&report, &number.to_le_bytes()));
    ExitCode::FAILURE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_reach_the_keeper_as_they_are() {
        for limits in [
            Limits::default(),
            Limits { memory: Some(1 << 40), cpu: None, file_size: Some(0) },
            Limits { memory: None, cpu: Some(7), file_size: None },
        ] {
            assert_eq!(Limits::from_argument(&limits.to_argument()), limits);
        }
    }
}
