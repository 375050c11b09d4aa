//! The isolation of what makes the difference between two versions, as the command does it.

use std::time::Instant;

use dwindle_run::Interrupt;

use super::changes::isolate_changes;
use super::options::Isolation;
use super::report::Isolated;
use super::texts::isolate_texts;
use crate::error::Error;
use crate::event::Event;
use crate::report::Warning;
use crate::root::endangers_the_machine;
use crate::stop::Stop;

/// Looks for two variants of two files with a minimal difference, one that passes and one that fails: tests the files
/// themselves twice, then lets the search ask until it is over, a budget is spent or `interrupt` says so. Of two folders or
/// commits, the [changes](Isolated::changes) are applied in checkouts. Nothing is written. `watch` is told of every question.
///
/// # Errors
///
/// They say what is wrong with the files, the test or the machine, and what to do next.
pub fn isolate_files(
    isolation: &Isolation,
    interrupt: &Interrupt,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Isolated, Error> {
    let began = Instant::now();
    let deadline = isolation.max_time.and_then(|time| began.checked_add(time));
    let stop = Stop::on(interrupt, deadline).map_err(Error::Workspace)?;
    if endangers_the_machine() {
        watch(Event::Warning(&Warning::Root));
    }
    let Isolation { passing, failing, .. } = isolation;
    match (isolation.git.is_some(), passing.is_dir(), failing.is_dir()) {
        (true, ..) | (false, true, true) => isolate_changes(isolation, &stop, watch),
        (false, false, false) => isolate_texts(isolation, &stop, watch),
        (false, old_is_folder, _) => {
            let path = if old_is_folder { failing } else { passing };
            Err(Error::Version {
                path: path.clone(),
                what: "it is no folder, and the other version is one".to_owned(),
            })
        }
    }
}
