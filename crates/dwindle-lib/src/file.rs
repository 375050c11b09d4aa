//! The reduction of a file by a script or a command, as the command does it.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use dwindle_core::passes::Level;
use dwindle_run::{Interrupt, Stations, Workspace, most_stations};

use crate::claim::Claim;
use crate::clang_delta;
use crate::config::{Config, Target, When};
use crate::document::Document;
use crate::error::Error;
use crate::event::Event;
use crate::executor::Pool;
use crate::external::{Helper, Helping};
use crate::files::{
    check_journal, find_external, find_probe, hint, named, open_trace, read_beside, read_input,
};
use crate::first_look::complete;
use crate::formatter::Formatter;
use crate::journal::{self, JournalError, Policy, Subject};
use crate::other_crashes::{AlsoInteresting, OtherCrashes};
use crate::output::Output;
use crate::plan::{Options, recognise};
use crate::probe::Probe;
use crate::reduce::{Helpers, Ports, reduce};
use crate::report::{Report, Warning};
use crate::root::endangers_the_machine;
use crate::script;
use crate::sink::{OutputError, Sink};
use crate::stop::Stop;
use crate::store::JournalStore;
use crate::trace::Trace;

/// Reduces `config.input`: tests it twice, then lets the search ask until it is over, a budget is
/// spent or `interrupt` says so. The best variant so far is in the result file at every moment.
/// `watch` is told of every question.
///
/// # Errors
///
/// They say what is wrong with the files, the test or the machine, and what to do next.
pub fn reduce_file(
    config: &Config,
    interrupt: &Interrupt,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Report, Error> {
    let deadline = config.max_time.and_then(|time| Instant::now().checked_add(time));
    let stop = Stop::on(interrupt, deadline).map_err(Error::Workspace)?;
    if endangers_the_machine() {
        watch(Event::Warning(&Warning::Root));
    }
    let jobs = count_jobs(config.jobs)?;
    let document = match &config.list {
        Some(list) => Document::file(&config.input, 0, list.items.clone()),
        None => read_input(config)?,
    };
    let probe = find_probe(config)?;
    let beside = read_beside(config)?;
    let commands = config.external.iter().map(|command| find_external(command));
    let commands = commands.collect::<Result<Vec<PathBuf>, Error>>()?;
    let Opened { document, mut output, resumed } = open(config, &probe, document)?;
    check_journal(config, &probe, &output)?;
    let _claim = Claim::take(output.path())?;
    output.hold()?;

    let mut trace = open_trace(config, &document, &probe, &output)?;
    let size = document.size() + beside.iter().map(|file| file.bytes.len()).sum::<usize>();
    let workspace = Workspace::new(size).map_err(Error::Workspace)?;
    let front_end = recognise(&document, config.options.front_end);
    let language = front_end.name();
    let mut helpers: Vec<Helper> = commands.into_iter().map(Helper::Command).collect();
    helpers.extend(clang_delta(config, language)?);
    let offering = helpers.len();
    let formatter = config.options.format_result.then(|| Formatter::of(language)).flatten();
    let formatter_name = formatter.as_ref().map(|formatter| formatter.name);
    helpers.extend(formatter.map(Helper::Formatter));

    let place =
        config.journal.clone().map_or_else(journal::Place::state, |file| Ok(journal::Place::File(file)))?;
    let stations =
        Stations::new(document.place(beside.clone()), config.limits, workspace, output.temporaries())
            .map_err(Error::Host)?;
    let elsewhere = config.remote.as_ref().map(|remote| (remote, document.place(beside.clone())));
    let (mut probe, signature) = complete(config, &document, probe, beside, &stop, watch)?;
    // What makes a list crash otherwise is not looked for.
    let crash = signature.filter(|signature| signature.is_crash && config.list.is_none());
    let beside = || output.path().with_file_name(AlsoInteresting::FOLDER);
    let folder = config.also_interesting.clone().unwrap_or_else(beside);
    let mut others = crash.map(|_| OtherCrashes::new(folder, &document));
    if let Some(path) = &config.save_test {
        script::save(path, config, probe.criteria())?;
    }
    // What still runs then hangs.
    let timeout = probe.criteria().hangs.or(config.options.timeout);
    let options = Options { timeout, ..config.options.clone() };
    let bytes = document.bytes();
    let subject = Subject::probed(&config.input, bytes, options.size_of(bytes), &probe, output.path())?;
    let mut executor = Pool::wherever(stations.clone(), &probe, jobs, elsewhere, config.limits)?;
    let helping = (!helpers.is_empty()).then(|| Helping::new(helpers, stations, stop.cancellation()));
    let mut helping = helping.transpose().map_err(Error::Workspace)?;
    let mut store = JournalStore::new(place, subject, config.policy, config.journal_limit);
    // What has to be there is looked for before anything is asked.
    match (config.policy, resumed) {
        (Policy::Fresh, true) => return Err(output.original_kept().into()),
        (Policy::Auto, true) => match store.resume() {
            Err(JournalError::NothingToResume { .. }) => return Err(output.original_kept().into()),
            there => there?,
        },
        (Policy::Resume | Policy::Refine, _) => store.resume()?,
        (Policy::Auto | Policy::Fresh, false) => {}
    }
    let helpers = helping.as_mut().map(|helping| Helpers { helping, offering, formatter: formatter_name });
    let ports = Ports::new(&mut probe, &mut executor, &mut output, &mut store, &stop);
    let trace = trace.as_mut().map(|trace| trace as &mut dyn Trace);
    let ports = Ports { helpers, trace, others: others.as_mut(), skip: Some(&config.skip), ..ports };
    let report = reduce(&document, &options, ports, watch).map_err(|error| match error {
        // By the name that it was given.
        Error::Test { what, .. } => Error::Test { path: named(&config.test).to_owned(), what },
        Error::Breaks { source, .. } => Error::Breaks { test: named(&config.test).to_owned(), source },
        Error::NotInteresting { path, mut why } => {
            why.hint = hint(config, &why.run.output);
            Error::NotInteresting { path, why }
        }
        other => other,
    })?;
    Ok(Report { also_interesting: others.map(OtherCrashes::into_kept).unwrap_or_default(), ..report })
}

/// How many tests run at once.
pub(crate) fn count_jobs(wanted: Option<NonZeroUsize>) -> Result<usize, Error> {
    let most = most_stations();
    match wanted.map(usize::from) {
        Some(jobs) if jobs > most => Err(Error::Jobs { jobs, most }),
        Some(jobs) => Ok(jobs),
        None => Ok(thread::available_parallelism().map_or(1, usize::from).min(most)),
    }
}

/// The transformations of `clang_delta`, if they are to help.
fn clang_delta(config: &Config, language: &str) -> Result<Vec<Helper>, Error> {
    let thorough = config.options.schedule.level() == Some(Level::Thorough);
    let reads = clang_delta::reads(language);
    let helpers = |program: PathBuf| clang_delta::helpers(&program).collect();
    match config.clang_delta {
        When::Never => Ok(Vec::new()),
        When::Auto if !thorough || !reads => Ok(Vec::new()),
        When::Auto => Ok(clang_delta::find().map(helpers).unwrap_or_default()),
        When::Always if !reads => {
            Err(Error::ClangDelta(format!("it reads C and C++, and the input is read as {language}")))
        }
        When::Always => clang_delta::find().map(helpers).ok_or_else(|| {
            Error::ClangDelta("it is not installed; it is in the packages cvise and creduce".to_owned())
        }),
    }
}

/// The files of a reduction.
struct Opened {
    document: Document,
    output: Output,
    /// Whether an original is kept already, of a reduction in place that was killed.
    resumed: bool,
}

fn open(config: &Config, probe: &Probe, document: Document) -> Result<Opened, Error> {
    let metadata = |path: &Path| {
        fs::metadata(path).map_err(|source| OutputError::Write { path: path.to_owned(), source })
    };
    let (about_input, about_test) = (metadata(document.path())?, metadata(probe.path())?);
    let at = |path| {
        Output::at(path, &document, &about_input, &about_test).map_err(|error| match error {
            // `dwindle list` has no --in-place.
            OutputError::Taken { path, what } if config.list.is_some() && what.starts_with("the input") => {
                OutputError::Taken { path, what: "the input" }
            }
            error => error,
        })
    };
    let output = match &config.target {
        Target::Beside => at(Output::beside(document.path()))?,
        Target::File(path) => at(path.clone())?,
        Target::InPlace => {
            let mut output = Output::in_place(&document, &about_input, &about_test)?;
            if let Some(original) = output.original()? {
                return Ok(Opened { document: document.with_bytes(original), output, resumed: true });
            }
            output
        }
    };
    Ok(Opened { document, output, resumed: false })
}
