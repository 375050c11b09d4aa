//! Isolation between two versions of a file.

use std::path::PathBuf;

use dwindle_read::FrontEnd;
use dwindle_run::{Stations, Workspace};

use super::options::Isolation;
use super::report::Isolated;
use super::world::{Ends, search};
use crate::config::Config;
use crate::differences::compare;
use crate::document::Document;
use crate::error::Error;
use crate::event::Event;
use crate::executor::{Executor, Pool};
use crate::file::count_jobs;
use crate::files::{find_probe, read_file};
use crate::probe::Probe;
use crate::stop::Stop;

/// Isolates between the files of `isolation`.
pub(super) fn isolate_texts(
    isolation: &Isolation,
    stop: &Stop,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Isolated, Error> {
    let jobs = count_jobs(isolation.jobs)?;
    let Isolation { passing, failing, .. } = isolation;
    let read = |path: &PathBuf| {
        read_file(path).map_err(|error| match error {
            Error::Input { path, what } => Error::Version { path, what },
            other => other,
        })
    };
    let [old, new] = [read(passing)?, read(failing)?];
    if old == new {
        return Err(Error::Same { passing: passing.clone(), failing: failing.clone() });
    }
    if old.len() + new.len() > u32::MAX as usize {
        let what = "together with the other version it has more than 4 GiB".to_owned();
        return Err(Error::Version { path: failing.clone(), what });
    }
    let mut probe = find_probe(&Config::new(failing.clone(), isolation.test.clone()))?;
    let workspace = Workspace::new(old.len().max(new.len())).map_err(Error::Workspace)?;
    // Variants have the name of the version that fails. Nobody else is to read them, whoever may read that.
    let file = || Document::file(failing, 0, Vec::new()).place(Vec::new());
    let stations = Stations::new(file(), isolation.limits, workspace, Vec::new()).map_err(Error::Host)?;
    let elsewhere = isolation.remote.as_ref().map(|remote| (remote, file()));
    let mut executor = Pool::wherever(stations, &probe, jobs, elsewhere, isolation.limits)?;
    isolate(isolation, [old, new], &mut probe, &mut executor, stop, watch)
}

/// Isolates between two texts, which differ, wherever the test runs.
pub(crate) fn isolate(
    isolation: &Isolation,
    [old, new]: [Vec<u8>; 2],
    probe: &mut Probe,
    executor: &mut dyn Executor,
    stop: &Stop,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Isolated, Error> {
    let Isolation { passing, failing, .. } = isolation;
    let ends = Ends {
        passing: passing.clone(),
        failing: failing.clone(),
        old: &old,
        new: &new,
        by_hand: &|path, probe| probe.by_hand(path, false, failing.file_name().unwrap_or_default()),
    };
    let compared = || {
        let front_end = isolation.front_end.unwrap_or_else(|| FrontEnd::recognise(failing, &new));
        compare(&old, &new, isolation.units, front_end)
    };
    search(isolation, &ends, &compared, probe, executor, stop, watch).map(|(isolated, _)| isolated)
}
