//! A look at what a command does with the input, where nothing says what every variant must do.

use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

use dwindle_run::{FixedFile, Interrupt};

use crate::aside::Aside;
use crate::checks::run_once;
use crate::config::{Config, Test};
use crate::document::Document;
use crate::error::Error;
use crate::event::Event;
use crate::files::{find_probe, hint, lost_argument, read_beside, read_input, with_others};
use crate::probe::Probe;
use crate::recognition::{Own, Signature, recognise};
use crate::stop::Stop;

/// A command that runs for longer than this hangs, if nothing else is said.
const PATIENCE: Duration = Duration::from_secs(60);

/// The whole test of `config` on `document`, of which `probe` runs the main command, and what was recognised where nothing
/// else says what to keep.
pub(crate) fn complete(
    config: &Config,
    document: &Document,
    probe: Probe,
    beside: Vec<FixedFile>,
    stop: &Stop,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<(Probe, Option<Signature>), Error> {
    let mut criteria = config.criteria.clone();
    let mut recognised = None;
    // What is debloated works, so it must go on to exit with 0.
    let may_crash = matches!(config.test, Test::Command(_)) && !config.options.debloats;
    if may_crash && !criteria.say_what_to_keep() {
        let limit = config.options.timeout.unwrap_or(PATIENCE);
        let (limits, remote) = (config.limits, config.remote.as_ref());
        let aside = Aside { document, beside: &beside, limits, limit, remote, slots: 1, stop };
        let signature = look(&aside, &probe, config, watch)?;
        criteria = criteria.and(signature.criteria());
        watch(Event::Recognised { signature: &signature });
        recognised = Some(signature);
    }
    Ok((with_others(probe.beside(beside), config, criteria)?, recognised))
}

/// What the command of `config` does with the input, where nothing says what every variant must do.
///
/// # Errors
///
/// Those of a reduction until it has recognised that.
pub fn recognise_command(
    config: &Config,
    interrupt: &Interrupt,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Option<Signature>, Error> {
    let stop = Stop::on(interrupt, None).map_err(Error::Workspace)?;
    let document = read_input(config)?;
    let (_, recognised) =
        complete(config, &document, find_probe(config)?, read_beside(config)?, &stop, watch)?;
    Ok(recognised)
}

/// Runs the command of `probe` once and recognises what it does.
fn look(
    aside: &Aside<'_>,
    probe: &Probe,
    config: &Config,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Signature, Error> {
    // Programs that run tests have exit codes of their own, such as for a list without a test.
    let may_be_vague = config.list.is_none();
    let Aside { document, limit, .. } = *aside;
    let run = aside.ask(probe, watch, |asking| run_once(asking, document, probe))?;
    let name = document.path().file_name().unwrap_or_default();
    let own = Own::new(document.bytes(), name.as_bytes());
    let is_lost = || lost_argument(config, &run.output).is_some();
    let signature = recognise(&run, &own, limit)
        .filter(|signature| may_be_vague || signature.is_crash || !signature.is_vague())
        // What an interpreter says of a script that it does not find looks like an exception.
        .filter(|signature| signature.is_crash || !is_lost());
    signature.ok_or_else(|| {
        let hint = hint(config, &run.output);
        Error::Unremarkable { path: document.path().to_owned(), run: Box::new(run), hint }
    })
}
