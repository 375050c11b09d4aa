//! Isolation between two commits or two folders.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dwindle_core::Subset;
use dwindle_core::isolate::{Delta, Differences, Level};
use dwindle_run::{CandidateFile, Stations, Workspace};

use super::checkout::{Applied, before_command, elements, list, name};
use super::git::Git;
use super::patch::Patch;
use super::repository::Trees;
use crate::config::{Config, Test};
use crate::differences::Compared;
use crate::error::Error;
use crate::event::Event;
use crate::executor::Pool;
use crate::file::count_jobs;
use crate::files::find_probe;
use crate::isolation::options::{GitRange, Isolation};
use crate::isolation::report::{Changes, Isolated};
use crate::isolation::world::{Ends, search};
use crate::probe::{PLACE, Probe, filled};
use crate::shell::quoted;
use crate::stop::Stop;

/// Isolates between the commits or the folders of `isolation`.
pub(crate) fn isolate_changes(
    isolation: &Isolation,
    stop: &Stop,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Isolated, Error> {
    let jobs = count_jobs(isolation.jobs)?;
    // A repository of folders stays there: it would be lost if it moved to where there is room.
    let own = Workspace::new(ON_A_DISK).map_err(Error::Workspace)?;
    let place = own.own_folder().map_err(Error::Workspace)?;
    let git = Git { stop, place: &place };
    let (trees, room) = match &isolation.git {
        Some(GitRange { range, folder }) => {
            let trees = Trees::of_range(git, folder, range)?;
            let room = trees.size(git)?.saturating_mul(jobs) / SHARE;
            (trees, Some(room))
        }
        None => (Trees::of_folders(git, &isolation.passing, &isolation.failing)?, None),
    };
    let title = |path: &Path, commit: &str| match &isolation.git {
        Some(_) => PathBuf::from(&commit[..commit.len().min(TITLE)]),
        None => path.to_owned(),
    };
    let (passing, failing) =
        (title(&isolation.passing, &trees.passing), title(&isolation.failing, &trees.failing));
    let text = trees.diff(git)?;
    let broken = || Error::Version { path: failing.clone(), what: "git printed no patch for it".to_owned() };
    let patch = Arc::new(Patch::parse(&text).ok_or_else(broken)?);
    if patch.len() == 0 {
        return Err(Error::Same { passing, failing });
    }
    // A script gets the folder as its argument, a command has it in the place of `{}`; it runs there.
    let test = match &isolation.test {
        Test::Script(path) => Test::Script(path.clone()),
        Test::Command(words) => {
            let mut words: Vec<OsString> =
                words.iter().map(|word| filled(word, PLACE, OsStr::new("."))).collect();
            if let (Some(range), Some(program)) = (&isolation.git, words.first())
                && let Some(inside) = trees.program(git, &range.folder, Path::new(program))
            {
                // It is another file in each checkout, found where it runs.
                words.splice(..1, ["env".into(), inside.into()]);
            }
            Test::Command(words)
        }
    };
    let mut probe = find_probe(&Config::new(failing.clone(), test))?.behind(before_command(&trees));
    let file = CandidateFile { name: name().to_owned(), mode: 0o600, beside: Vec::new(), unfold: None };
    let workspace = match room {
        Some(room) => Workspace::new(room).map_err(Error::Workspace)?,
        None => own,
    };
    let stations = Stations::new(file, isolation.limits, workspace, Vec::new()).map_err(Error::Host)?;
    let local = Pool::new(stations, &probe, jobs).map_err(Error::Workspace)?;
    let mut executor = Applied { local, patch: patch.clone() };
    let new = list(0..patch.len());
    let by_hand = |version: &Path, probe: &Probe| match &isolation.git {
        Some(_) => format!(
            "cd \"$(mktemp -d)\" && git clone -q {} . && git checkout -q {} && {}; echo $?",
            quoted(&trees.repository),
            quoted(version),
            probe.in_folder_by_hand()
        ),
        None => format!(
            "cd \"$(mktemp -d)\" && cp -R {}/. . && {}; echo $?",
            quoted(&std::path::absolute(version).unwrap_or_else(|_| version.to_owned())),
            probe.in_folder_by_hand()
        ),
    };
    let ends = Ends { passing, failing, old: b"", new: &new, by_hand: &by_hand };
    let compared = || compare(&patch, &new);
    let (mut isolated, found) = search(isolation, &ends, &compared, &mut probe, &mut executor, stop, watch)?;
    isolated.changes = Some(changes(&patch, &isolated, &found));
    Ok(isolated)
}

/// More than any memory file system has room for, in bytes.
const ON_A_DISK: usize = usize::MAX >> 8;
/// A workspace wants room for 64 candidates and what tests make of them; of a checkout, room for four.
const SHARE: usize = 16;
/// How much of the hash of a commit is shown.
const TITLE: usize = 12;

/// The elements of a patch as differences of lists, by files and then one by one.
fn compare(patch: &Patch, all: &[u8]) -> Compared {
    let mut end = 0;
    let lines = all.split_inclusive(|&byte| byte == b'\n').map(|line| {
        end += line.len();
        Delta { old: 0..0, new: end - line.len()..end }
    });
    let deltas: Vec<Delta> = lines.collect();
    let files = Level { name: "files", ends: patch.ends_of_files() };
    let hunks = Level { name: "hunks", ends: (1..=patch.len() as u32).collect() };
    let levels = if files.ends == hunks.ends { vec![hunks] } else { vec![files, hunks] };
    Compared { differences: Differences::new(b"", all, &deltas, levels), units: "hunks", language: None }
}

/// What was found, as patches.
fn changes(patch: &Patch, isolated: &Isolated, (few, more): &(Subset, Subset)) -> Changes {
    let titles = |elements: &Subset| elements.iter().map(|element| patch.title(element)).collect();
    Changes {
        files: patch.files(),
        difference: titles(&more.without(few)),
        needed: titles(few),
        failing: patch.of(elements(&isolated.texts.failing)),
        passing: patch.of(elements(&isolated.texts.passing)),
    }
}
