//! What git knows of two trees of files.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::git::{Failed, Git};
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

/// How git is told that what has no commit of its own is committed.
const WHO: [&str; 6] =
    ["-c", "user.name=dwindle", "-c", "user.email=dwindle@localhost", "-c", "commit.gpgSign=false"];

impl Trees {
    /// Those of a range, `A..B` or `A...B` as in `git diff`, in the repository of a folder.
    pub(super) fn of_range(git: Git<'_>, folder: &Path, range: &str) -> Result<Self, Error> {
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
            let words = ["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted];
            git.said(folder, &words).map_err(|error| match error {
                Failed::Git(said) if said.is_empty() => fail(format!("there is no commit {name}")),
                other => other.about(range.as_ref()),
            })
        };
        let root = git.said(folder, &["rev-parse", "--absolute-git-dir"]);
        let root = root.map_err(|error| error.about(range.as_ref()))?;
        let (mut passing, failing) = (commit(old)?, commit(new)?);
        if merged {
            passing = git.said(folder, &["merge-base", &passing, &failing]).map_err(|error| match error {
                Failed::Git(_) => fail("its commits have nothing in common".to_owned()),
                other => other.about(range.as_ref()),
            })?;
        }
        Ok(Self { repository: root.into(), passing, failing })
    }

    /// Those of two folders, which go into a repository of their own in git's place.
    pub(super) fn of_folders(git: Git<'_>, passing: &Path, failing: &Path) -> Result<Self, Error> {
        let repository = git.place.join("trees.git");
        let fail = |path: &Path, what: String| Error::Version { path: path.to_owned(), what };
        let init = ["init", "--quiet", "--bare", "--template="].map(OsStr::new);
        let made = git.run(git.place, &[&init[..], &[repository.as_os_str()]].concat());
        made.map_err(|error| error.about(passing))?;
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
                let output = git.run(&folder, &all).map_err(|error| error.about(path))?;
                Ok(String::from_utf8_lossy(&output).trim_end().to_owned())
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

    /// The path from a checkout to a program that the version that passes has, where it is named by a path from here
    /// into the working tree of `folder`.
    pub(super) fn program(&self, git: Git<'_>, folder: &Path, program: &Path) -> Option<PathBuf> {
        let name = program.to_str().filter(|name| name.contains('/') && !name.contains('='))?;
        if program.is_absolute() {
            return None;
        }
        let top = git.said(folder, &["rev-parse", "--show-toplevel"]).ok()?;
        let parent = Path::new(name).parent()?.canonicalize().ok()?;
        let inside = parent.join(program.file_name()?).strip_prefix(top).ok()?.to_owned();
        let object = format!("{}:{}", self.passing, inside.to_str()?);
        git.said(folder, &["cat-file", "-e", &object]).ok()?;
        Some(Path::new(".").join(inside))
    }

    /// The patch from one to the other.
    pub(super) fn diff(&self, git: Git<'_>) -> Result<Vec<u8>, Error> {
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
        git.run(&self.repository, &words).map_err(|error| error.about(&self.repository))
    }

    /// How many bytes the files of the tree that passes have.
    pub(super) fn size(&self, git: Git<'_>) -> Result<usize, Error> {
        let words = ["ls-tree", "-r", "-l", "--full-tree", &self.passing].map(OsStr::new);
        let output = git.run(&self.repository, &words).map_err(|error| error.about(&self.repository))?;
        let text = String::from_utf8_lossy(&output);
        Ok(text.lines().filter_map(|line| line.split_whitespace().nth(3)?.parse::<usize>().ok()).sum())
    }
}
