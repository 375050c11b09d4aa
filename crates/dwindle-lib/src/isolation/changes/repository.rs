//! What git knows of two trees of files.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::error::Error;
use crate::shown::shown;

/// Two trees in a repository.
#[derive(Clone, Debug)]
pub(super) struct Trees {
    /// The repository.
    pub(super) repository: PathBuf,
    /// Commits of the tree that passes and of the one that fails.
    pub(super) passing: String,
    pub(super) failing: String,
}

/// Whose settings would change what git prints.
const PLAIN: [&str; 4] = ["-c", "core.quotePath=true", "-c", "core.hooksPath=/dev/null"];
/// How git is told that what has no commit of its own is committed.
const WHO: [&str; 6] =
    ["-c", "user.name=dwindle", "-c", "user.email=dwindle@localhost", "-c", "commit.gpgSign=false"];

impl Trees {
    /// Those of a range, `A..B` or `A...B` as in `git diff`, in the repository of a folder.
    pub(super) fn of_range(folder: &Path, range: &str) -> Result<Self, Error> {
        let fail = |what: String| Error::Version { path: range.into(), what };
        let (old, new, merged) = match (range.split_once("..."), range.split_once("..")) {
            (Some((old, new)), _) => (old, new, true),
            (None, Some((old, new))) => (old, new, false),
            (None, None) => {
                return Err(fail("it is no range; write GOOD..BAD, such as v1.0..HEAD".to_owned()));
            }
        };
        if !folder.is_dir() {
            return Err(fail(format!("there is no folder {}", shown(folder))));
        }
        let commit = |name: &str| {
            let name = if name.is_empty() { "HEAD" } else { name };
            let wanted = format!("{name}^{{commit}}");
            said(folder, ["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted]).map_err(|error| {
                match error {
                    Failed::Git(said) if said.is_empty() => fail(format!("there is no commit {name}")),
                    other => fail(other.to_string()),
                }
            })
        };
        let root =
            said(folder, ["rev-parse", "--absolute-git-dir"]).map_err(|error| fail(error.to_string()))?;
        let (mut passing, failing) = (commit(old)?, commit(new)?);
        if merged {
            passing = said(folder, ["merge-base", &passing, &failing])
                .map_err(|_| fail("its commits have nothing in common".to_owned()))?;
        }
        Ok(Self { repository: root.into(), passing, failing })
    }

    /// Those of two folders, which go into a repository of their own at `place`.
    pub(super) fn of_folders(place: &Path, passing: &Path, failing: &Path) -> Result<Self, Error> {
        let repository = place.join("trees.git");
        let fail = |path: &Path, what: String| Error::Version { path: path.to_owned(), what };
        let ask = |path: &Path, words: &[&OsStr]| {
            git(&repository, words).map_err(|error| fail(path, error.to_string()))
        };
        let init = ["init", "--quiet", "--bare", "--template="].map(OsStr::new);
        ask(passing, &[&init[..], &[repository.as_os_str()]].concat())?;
        // As they are, whatever files in them say about line ends.
        let attributes = repository.join("info/attributes");
        fs::create_dir_all(repository.join("info"))
            .and_then(|()| fs::write(attributes, "* -text -filter -ident -working-tree-encoding\n"))
            .map_err(Error::Workspace)?;
        let import = |path: &Path| {
            let folder = path.canonicalize().map_err(|error| fail(path, error.to_string()))?;
            let words = |words: &[&str]| -> Result<String, Error> {
                let start = [
                    "--git-dir".as_ref(),
                    repository.as_os_str(),
                    "--work-tree".as_ref(),
                    folder.as_os_str(),
                ];
                let settings =
                    ["-c", "core.bare=false", "-c", "core.compression=0", "-c", "core.autocrlf=false"];
                let rest = settings.iter().chain(&WHO).chain(words).map(OsStr::new);
                let all: Vec<&OsStr> = start.into_iter().chain(rest).collect();
                let output = run(&folder, &all).map_err(|error| fail(path, error.to_string()))?;
                Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
            };
            words(&["read-tree", "--empty"])?;
            words(&["add", "--force", "--all", "--", "."])?;
            let links = words(&["ls-files", "--stage"])?;
            if let Some(link) = links.lines().find(|line| line.starts_with("160000 ")) {
                let inside = link.split('\t').next_back().unwrap_or_default();
                let what = format!(
                    "{inside} in it is a repository of its own; compare that by itself, or move its .git away"
                );
                return Err(fail(path, what));
            }
            let tree = words(&["write-tree"])?;
            words(&["commit-tree", "-m", "a tree", &tree])
        };
        Ok(Self { passing: import(passing)?, failing: import(failing)?, repository: repository.clone() })
    }

    /// The patch from one to the other.
    pub(super) fn diff(&self) -> Result<Vec<u8>, Error> {
        let options = [
            "diff",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            "--no-relative",
            "--binary",
            "--full-index",
            "--find-renames",
            "--unified=3",
            "--inter-hunk-context=0",
            "--src-prefix=a/",
            "--dst-prefix=b/",
            "--ignore-submodules=all",
        ];
        let words: Vec<&OsStr> =
            options.into_iter().chain([&*self.passing, &*self.failing, "--"]).map(OsStr::new).collect();
        git(&self.repository, &words).map(|output| output.stdout).map_err(|error| self.broken(&error))
    }

    /// How many bytes the files of the tree that passes have.
    pub(super) fn size(&self) -> Result<usize, Error> {
        let words = ["ls-tree", "-r", "-l", "--full-tree", &self.passing].map(OsStr::new);
        let output = git(&self.repository, &words).map_err(|error| self.broken(&error))?;
        let text = String::from_utf8_lossy(&output.stdout);
        Ok(text.lines().filter_map(|line| line.split_whitespace().nth(3)?.parse::<usize>().ok()).sum())
    }

    fn broken(&self, error: &Failed) -> Error {
        Error::Version { path: self.repository.clone(), what: error.to_string() }
    }
}

/// Why git has no answer.
#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error("there is no git in PATH")]
    Missing,
    #[error("git cannot be run: {0}")]
    Io(io::Error),
    #[error("git says: {0}")]
    Git(String),
}

/// What git prints, in one line.
fn said<const N: usize>(folder: &Path, words: [&str; N]) -> Result<String, Failed> {
    let output = git(folder, &words.map(OsStr::new))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}

/// Runs git about the repository of a folder.
fn git(folder: &Path, words: &[&OsStr]) -> Result<Output, Failed> {
    let is_new = words.first().is_some_and(|&word| word == "init");
    let folder = if is_new { folder.parent().unwrap_or(folder) } else { folder };
    run(folder, words)
}

fn run(folder: &Path, words: &[&OsStr]) -> Result<Output, Failed> {
    let mut command = Command::new("git");
    // Those of a repository whose hook runs this.
    for name in [
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
    ] {
        command.env_remove(name);
    }
    command.args(PLAIN).args(words).current_dir(folder).env("LC_ALL", "C").env("GIT_TERMINAL_PROMPT", "0");
    // Nothing is fetched into a repository that has not all of its objects.
    command.env("GIT_NO_LAZY_FETCH", "1");
    let output = command.output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failed::Missing,
        _ => Failed::Io(error),
    })?;
    match output.status.success() {
        true => Ok(output),
        false => {
            let text = String::from_utf8_lossy(&output.stderr);
            Err(Failed::Git(text.lines().next().unwrap_or_default().to_owned()))
        }
    }
}
