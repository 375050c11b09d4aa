//! Tests in checkouts of a commit to which some of the elements of a patch were applied.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use dwindle_read::Size;

use super::patch::Patch;
use super::repository::Trees;
use crate::driver::{Candidate, Job};
use crate::executor::{Executor, Pool};
use crate::inbox::Reply;
use crate::probe::Word;
use crate::report::Warning;

/// Makes a checkout of its own for each runner, under the keeper that ends what it starts.
const CHECKOUT: &str = include_str!("checkout.sh");

/// What stands before a command that is to run in a checkout of the commit that passes, with the patch that is the candidate.
pub(super) fn before_command(trees: &Trees) -> Vec<Word> {
    let shell = ["/bin/sh", "-c", CHECKOUT, "sh"].map(Word::from);
    let about = [Word::from(trees.repository.clone()), Word::from(trees.passing.clone()), Word::Candidate];
    shell.into_iter().chain(about).collect()
}

/// A list of elements, as the search has them: the number of one on each line.
pub(super) fn list(elements: impl Iterator<Item = usize>) -> Vec<u8> {
    elements.map(|element| format!("{element}\n")).collect::<String>().into_bytes()
}

/// The elements of such a list.
pub(super) fn elements(list: &[u8]) -> impl Iterator<Item = usize> {
    let lines = list.split(|&byte| byte == b'\n');
    lines.filter_map(|line| std::str::from_utf8(line).ok()?.parse().ok())
}

/// Gives tests the patch in the place of the list of its elements.
#[derive(Debug)]
pub(super) struct Applied {
    pub(super) local: Pool,
    pub(super) patch: Arc<Patch>,
}

impl Executor for Applied {
    fn slots(&self) -> usize {
        self.local.slots()
    }

    fn run(&mut self, job: Job, candidate: &Arc<Candidate>, limit: Duration, reply: Reply) -> io::Result<()> {
        let patch = self.patch.of(elements(&candidate.bytes));
        self.local.run(job, &Arc::new(Candidate::of(patch, Size::default())), limit, reply)
    }

    fn cancel(&mut self, job: Job) {
        self.local.cancel(job);
    }

    fn take_warnings(&mut self) -> Vec<Warning> {
        self.local.take_warnings()
    }

    fn close(&mut self) {
        self.local.close();
    }
}

/// The base name of candidates.
pub(super) fn name() -> &'static Path {
    Path::new("changes.patch")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;

    #[test]
    fn a_checkout_whose_making_was_killed_is_made_anew() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let shell = |line: &str, path: &str| {
            let script = format!("cd '{}' && {line}", folder.path().display());
            let mut command = Command::new("sh");
            command.args(["-c", &script]).env("PATH", path).env("GIT_CONFIG_GLOBAL", "/dev/null");
            command.output().unwrap()
        };
        let path = std::env::var("PATH").unwrap();
        let git = "git -c user.name=a -c user.email=a@b -c core.autocrlf=false";
        let made = shell(
            &format!(
                "git init -q repo && cd repo && printf '* text eol=crlf\\n' > .gitattributes && echo a > a.txt && \
                 {git} add . && {git} commit -q -m a && git rev-parse HEAD && \
                 mkdir -p .git/info && printf '* -text\\n' > .git/info/attributes"
            ),
            &path,
        );
        let commit = String::from_utf8(made.stdout).unwrap();
        fs::create_dir_all(at("station/run/folder")).unwrap();
        fs::write(at("station/run/folder/changes.patch"), "").unwrap();
        fs::write(at("checkout.sh"), CHECKOUT).unwrap();
        // What copies the attributes ends the shell that makes the checkout.
        fs::create_dir(at("programs")).unwrap();
        fs::write(at("programs/cp"), "#!/bin/sh\nkill -9 $PPID\n").unwrap();
        fs::set_permissions(at("programs/cp"), fs::Permissions::from_mode(0o700)).unwrap();
        let run = format!(
            "exec sh checkout.sh \"$PWD/repo/.git\" {} \"$PWD/station/run/folder/changes.patch\" \"$(command -v cat)\" a.txt",
            commit.trim_end()
        );
        let killed = shell(&run, &format!("{}:{path}", at("programs").display()));
        assert_eq!(killed.status.code(), None, "{killed:?}");
        let said = shell(&run, &path);
        assert_eq!(String::from_utf8_lossy(&said.stdout), "a\n", "{said:?}");
    }
}
