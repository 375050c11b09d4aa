//! Limits on what each process of a test may use.

use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};

use super::family;

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

    /// Puts the limits on a test that has just been started.
    ///
    /// Its first instructions run without them, since they cannot be set in between without a
    /// fork of our own. So the children that it may have by then get them, too; those to come
    /// inherit them.
    pub(super) fn put_on(self, leader: Pid) {
        if self == Self::default() {
            return;
        }
        self.put(leader);
        family::reach_all(|pid| self.put(pid));
    }

    fn put(self, pid: Pid) {
        let cpu_hard = self.cpu.map(|seconds| seconds.saturating_add(1));
        for (resource, soft, hard) in [
            (Resource::As, self.memory, self.memory),
            (Resource::Cpu, self.cpu, cpu_hard),
            (Resource::Fsize, self.file_size, self.file_size),
        ] {
            if soft.is_none() {
                continue;
            }
            // A limit that we are under ourselves cannot be raised.
            let ours = getrlimit(resource).maximum.unwrap_or(u64::MAX);
            let within = |limit: Option<u64>| limit.map(|limit| limit.min(ours));
            // Where it has ended already, it needs no limit.
            let _ = prlimit(Some(pid), resource, Rlimit { current: within(soft), maximum: within(hard) });
        }
    }
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
