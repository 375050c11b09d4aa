//! The guard: waits for its keeper, and ends what a killed one has left.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use rustix::process::{getpid, set_child_subreaper};
use rustix::stdio::{dup2_stdin, dup2_stdout};

use super::arguments::KEEP;
use super::family;

/// Serves as a guard, for a keeper with these arguments.
pub(crate) fn guard(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let serve = || -> io::Result<bool> {
        // Only a name for whoever looks at the list of processes.
        let _ = rustix::thread::set_name(c"dwindle-guard");
        set_child_subreaper(Some(getpid()))?;
        let mut keeper = Command::new("/proc/self/exe").arg0("dwindle").arg(KEEP).args(arguments).spawn()?;
        // The pipes are the keeper's alone, so that they close when it dies.
        let null = File::options().read(true).write(true).open("/dev/null")?;
        dup2_stdin(&null)?;
        dup2_stdout(&null)?;
        keeper.wait()?;
        family::end_all()
    };
    if matches!(serve(), Ok(true)) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
