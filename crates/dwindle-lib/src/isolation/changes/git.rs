//! Running git.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Sender, bounded, select};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::error::Error;
use crate::stop::Stop;

/// Overrides settings of the user that would change what git prints, or start a process that stays.
const PLAIN: [&str; 6] =
    ["-c", "core.quotePath=true", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"];

/// Variables that git sets for a hook. If one runs dwindle, they would lead to its repository.
const OF_HOOKS: [&str; 10] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_COMMON_DIR",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_EXTERNAL_DIFF",
];

/// How git is run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Git<'a> {
    /// Ends what runs.
    pub(super) stop: &'a Stop,
    /// A folder of this run. git writes there, and the next start knows by it what still runs after dwindle was killed, and ends it.
    pub(super) place: &'a Path,
}

impl Git<'_> {
    /// What git prints in this folder.
    pub(super) fn run(self, folder: &Path, words: &[&OsStr]) -> Result<Vec<u8>, Failed> {
        let mut command = Command::new("git");
        for name in OF_HOOKS {
            command.env_remove(name);
        }
        command
            .args(PLAIN)
            .args(words)
            .current_dir(folder)
            .env("LC_ALL", "C")
            .env("GIT_TERMINAL_PROMPT", "0")
            // Nothing is fetched into a repository that has not all of its objects.
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("TMPDIR", self.place);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let child = command.spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Failed::Missing,
            _ => Failed::Io(error),
        })?;
        let (status, out, err) = self.wait(child).map_err(Failed::Io)?;
        if self.stop.is_over() {
            return Err(Failed::Stopped);
        }
        match status.success() {
            true => Ok(out),
            false => {
                Err(Failed::Git(String::from_utf8_lossy(&err).lines().next().unwrap_or_default().to_owned()))
            }
        }
    }

    /// What git prints, in one line.
    pub(super) fn said(self, folder: &Path, words: &[&str]) -> Result<String, Failed> {
        let words: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
        let output = self.run(folder, &words)?;
        Ok(String::from_utf8_lossy(&output).trim_end().to_owned())
    }

    /// How it ended, and what it wrote. Nothing of it runs any more.
    fn wait(self, mut child: Child) -> io::Result<(ExitStatus, Vec<u8>, Vec<u8>)> {
        // Nobody has waited for it, so the number is still its own.
        let kill = |child: &Child| {
            let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
        };
        let (open, closed) = bounded::<()>(0);
        let out = child.stdout.take().map(|from| read(from, open.clone()));
        let err = child.stderr.take().map(|from| read(from, open));
        select! {
            recv(closed) -> _ => {}
            recv(self.stop.receiver()) -> _ => kill(&child),
        }
        let [out, err] =
            [out, err].map(|reader| reader.and_then(|reader| reader.join().ok()).unwrap_or_default());
        Ok((child.wait()?, out, err))
    }
}

/// Reads all on a thread. The end is told by the `open` channel that nobody holds any more.
fn read(mut from: impl Read + Send + 'static, open: Sender<()>) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What cannot be read is missing in what is looked for.
        let _ = from.read_to_end(&mut bytes);
        drop(open);
        bytes
    })
}

/// Why git has no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failed {
    #[error("there is no git in PATH")]
    Missing,
    #[error("git cannot be run: {0}")]
    Io(io::Error),
    #[error("git says: {0}")]
    Git(String),
    #[error("git was stopped")]
    Stopped,
}

impl Failed {
    /// The error where it was asked about `path`.
    pub(super) fn about(self, path: &Path) -> Error {
        match self {
            Self::Stopped => Error::StoppedEarly,
            other => Error::Version { path: path.to_owned(), what: other.to_string() },
        }
    }
}
