//! What is asked before the search and after it: the input, the best of a run that is continued, and the
//! result.

use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use dwindle_core::Outcome;
use dwindle_run::{Run, RunError};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::asking::{Asking, Fault};
use crate::document::Document;
use crate::driver::Candidate;
use crate::error::{Error, Rejection};
use crate::journal::{JournalError, Recovered};
use crate::keep::Pattern;
use crate::plan::{Effective, Options};
use crate::probe::{FILE_PLACE, Probe};
use crate::questions::Questions;
use crate::reduction::Reduction;
use crate::report::{Repeated, is_trivial};
use crate::verdict::Criteria;

/// The longest that the first two runs may take, and the largest limit that is derived from them.
pub(crate) const LONGEST_LIMIT: Duration = Duration::from_secs(300);
/// The smallest limit that is derived from them. A test of a few milliseconds takes much longer now and then, on a machine
/// that is busy with other things.
const SHORTEST_LIMIT: Duration = Duration::from_secs(1);
/// The smallest limit of a helper, which may have to start more than a test.
const HELP_LIMIT: Duration = Duration::from_secs(60);
/// How much longer than the input a candidate may take.
const LIMIT_FACTOR: u32 = 10;

/// Tests the input twice and derives the time limit. Where one interesting run suffices, it is tested until there is one.
pub(crate) fn check_input(
    asking: &mut Asking<'_>,
    document: &Document,
    probe: &Probe,
    options: &Options,
) -> Result<Looked, Error> {
    let mut looked = Looked::default();
    if options.repeats.takes_any() {
        while looked.runs.interesting == 0 {
            let run = run_once(asking, document, probe)?;
            looked.note(&run, probe.criteria());
            if looked.runs.interesting == 0 && looked.suffices(options) {
                return Err(not_interesting(document, probe, run));
            }
        }
    } else {
        let runs = test_input(asking, document, probe)?;
        runs.iter().for_each(|run| looked.note(run, probe.criteria()));
    }
    Ok(looked)
}

/// What was seen of the input.
#[derive(Debug, Default)]
pub(crate) struct Looked {
    pub(crate) runs: Questions,
    /// How long the slowest run took, in seconds.
    pub(crate) slowest: f64,
}

impl Looked {
    fn note(&mut self, run: &Run, criteria: &Criteria) {
        self.runs.count(criteria.judge(run));
        self.slowest = self.slowest.max(run.seconds);
    }

    /// Whether nothing more is to be asked about the input.
    fn suffices(&self, options: &Options) -> bool {
        let spent = options.max_questions.is_some_and(|most| self.runs.total >= most);
        spent || options.repeats.is_measured(&self.runs)
    }
}

/// Goes on until it is known how often the input is interesting, unless the run that this one continues knows it; then
/// candidates are asked about as the options say.
pub(crate) fn measure_input(
    asking: &mut Asking<'_>,
    document: &Document,
    probe: &Probe,
    options: &Options,
    mut looked: Looked,
    facts: Option<&Value>,
) -> Result<Option<Repeated>, Error> {
    let earlier = facts.and_then(|facts| Questions::deserialize(&facts["repeats"]).ok());
    let earlier = earlier.filter(|runs| options.repeats.is_measured(runs));
    while earlier.is_none() && !looked.suffices(options) {
        let run = run_once(asking, document, probe)?;
        looked.note(&run, probe.criteria());
    }
    if options.timeout.is_none() {
        asking.terms.limit = limit_of(looked.slowest);
    }
    limit_helpers(asking, options);
    let input = earlier.unwrap_or(looked.runs);
    asking.terms.rule = options.repeats.rule(&input);
    let most = asking.terms.rule.until_noticed();
    Ok(options.repeats.takes_any().then_some(Repeated { input, most, result: None }))
}

fn not_interesting(document: &Document, probe: &Probe, run: Run) -> Error {
    let path = document.path().to_owned();
    let unmet = probe.criteria().unmet(&run);
    let folder = probe.folder().map(Path::to_owned);
    let by_hand = match &folder {
        Some(folder) => probe.by_hand_on(&path, document.bytes(), folder),
        None => probe.by_hand(&path, document.others().is_some(), path.file_name().unwrap_or_default()),
    };
    let why = Rejection { run, unmet, by_hand, folder, hint: None }.into();
    Error::NotInteresting { path, why }
}

/// Tests the input twice; both runs must find it interesting.
pub(crate) fn test_input(
    asking: &mut Asking<'_>,
    document: &Document,
    probe: &Probe,
) -> Result<[Run; 2], Error> {
    let runs = run_twice(asking, document, probe)?;
    let interesting = |run: &Run| probe.criteria().judge(run) == Some(Outcome::Interesting);
    match [interesting(&runs[0]), interesting(&runs[1])] {
        [true, true] => Ok(runs),
        [false, false] => {
            let [run, _] = runs;
            Err(not_interesting(document, probe, run))
        }
        _ => Err(Error::Flaky { path: document.path().to_owned(), runs: Box::new(runs) }),
    }
}

/// Tests a document twice while nothing else is waited for.
pub(crate) fn run_twice(
    asking: &mut Asking<'_>,
    document: &Document,
    probe: &Probe,
) -> Result<[Run; 2], Error> {
    Ok([run_once(asking, document, probe)?, run_once(asking, document, probe)?])
}

/// Tests a document while nothing else is waited for.
pub(crate) fn run_once(asking: &mut Asking<'_>, document: &Document, probe: &Probe) -> Result<Run, Error> {
    run_bytes(asking, document, probe, document.bytes())
}

/// Tests any bytes in the place of the document while nothing else is waited for.
pub(crate) fn run_bytes(
    asking: &mut Asking<'_>,
    document: &Document,
    probe: &Probe,
    bytes: &[u8],
) -> Result<Run, Error> {
    let candidate = Candidate::of(bytes.to_vec(), asking.progress.before);
    let tested = asking.test_alone(candidate).map_err(|fault| unable(fault, document, probe))?;
    Ok(tested.ok_or(Error::StoppedEarly)?.run)
}

/// Why a test that was never run before cannot be.
pub(crate) fn unable(fault: Fault, document: &Document, probe: &Probe) -> Error {
    let test = probe.path();
    match fault {
        Fault::Run(RunError::Start(source)) => {
            let what = match source.kind() {
                ErrorKind::ArgumentListTooLong if probe.folder().is_some() => format!(
                    "so many items are too long for a command line: have it read them from the file {FILE_PLACE}, or \
                     from standard input"
                ),
                _ => source.to_string(),
            };
            Error::Test { path: test.to_owned(), what }
        }
        Fault::Run(RunError::Elsewhere(what)) => Error::Test { path: test.to_owned(), what },
        Fault::Run(RunError::Place(source) | RunError::Wait(source)) => Error::Workspace(source),
        Fault::Run(error @ (RunError::Left | RunError::Keeper)) => {
            Error::Test { path: test.to_owned(), what: error.to_string() }
        }
        Fault::Run(error @ RunError::Full { .. }) => Error::Breaks { test: test.to_owned(), source: error },
        Fault::Trace(error) => error.into(),
        Fault::Internal(what) => Error::Internal { what, output: document.path().to_owned() },
    }
}

/// The time limit where the input takes so long.
pub(crate) fn limit_by(runs: &[Run]) -> Duration {
    limit_of(runs.iter().map(|run| run.seconds).fold(0.0, f64::max))
}

/// The time limit where the slowest run on the input takes so many seconds.
fn limit_of(slowest: f64) -> Duration {
    (Duration::from_secs_f64(slowest) * LIMIT_FACTOR).clamp(SHORTEST_LIMIT, LONGEST_LIMIT)
}

/// A helper may take as long as a test, but at least a minute where nobody says how long that is.
fn limit_helpers(asking: &mut Asking<'_>, options: &Options) {
    let limit = asking.terms.limit;
    asking.terms.help_limit = if options.timeout.is_some() { limit } else { limit.max(HELP_LIMIT) };
}

/// How the run that is continued has read the input.
pub(crate) struct Earlier {
    pub(crate) language: Option<String>,
    pub(crate) fallback: Option<String>,
    /// Whether it has written that down.
    pub(crate) is_known: bool,
}

impl Reduction<'_> {
    /// Goes on where an unfinished run ended, if there was one, or begins with the input.
    pub(crate) fn go_on(
        &mut self,
        options: &Options,
        recovered: Option<Recovered>,
    ) -> Result<Earlier, Error> {
        let input = self.document.bytes();
        let Some(Recovered { mut outcomes, doubtful, best, facts, .. }) = recovered else {
            self.sink.begin(input, input)?;
            return Ok(Earlier { language: None, fallback: None, is_known: false });
        };
        let is_known = facts.is_some();
        let facts = facts.unwrap_or(Value::Null);
        let limit = facts["timeout"].as_f64().and_then(|limit| Duration::try_from_secs_f64(limit).ok());
        match limit {
            Some(limit) if options.timeout.is_none() => {
                self.asking.terms.limit = limit;
                limit_helpers(&mut self.asking, options);
            }
            // What took too long by another limit may not by this one.
            limit if limit != options.timeout => {
                outcomes.retain(|_, known| known.outcome != Outcome::Unresolved);
            }
            _ => {}
        }
        self.known = outcomes;
        if let Some((step, text)) = best {
            self.kept = Candidate::of(text, step.size);
            self.asking.progress.best = self.document.in_files(&self.kept.bytes, step.size);
        }
        if self.kept.bytes != input {
            let steps_back = self.step_back(false)?.ok_or(Error::StoppedEarly)?;
            // It said otherwise before: something has changed since.
            if steps_back > 0 {
                doubtful.iter().for_each(|key| drop(self.known.remove(key)));
                self.store.doubt()?;
            }
        }
        self.sink.begin(input, &self.kept.bytes)?;
        if is_trivial(self.kept.size) {
            self.sink.keep_nothing(&self.kept.bytes)?;
        }
        let word = |name: &str| facts[name].as_str().map(str::to_owned);
        Ok(Earlier { language: word("language"), fallback: word("fallback"), is_known })
    }

    /// Takes note of what another run that continues this one must do as well, and of the size of the input as its
    /// front end counts.
    pub(crate) fn begin(
        &mut self,
        tokens: Option<u64>,
        effective: &Effective,
        keep: &[Pattern],
        helpers: &Value,
        earlier: &Earlier,
    ) -> Result<(), JournalError> {
        let progress = &mut self.asking.progress;
        if let Some(tokens) = tokens {
            let size = dwindle_read::Size { tokens, ..self.input };
            if self.kept.size == self.input {
                self.kept.size = size;
                progress.best.tokens = tokens;
            }
            self.input = size;
            progress.before.tokens = tokens;
        }
        if earlier.is_known {
            return Ok(());
        }
        let own = json!({
            "timeout": self.asking.terms.limit.as_secs_f64(),
            "input_tokens": progress.before.tokens,
            "repeats": self.repeated.map(|repeated| repeated.input),
            "keep": keep.iter().map(ToString::to_string).collect::<Vec<_>>(),
        });
        let mut facts = serde_json::to_value(effective).unwrap_or_default();
        if let Value::Object(facts) = &mut facts {
            for more in [&own, helpers] {
                facts.extend(more.as_object().cloned().unwrap_or_default());
            }
        }
        self.store.facts(&facts)
    }

    /// Tests the result once more and goes back to the newest variant that is still interesting, should
    /// it not be; returns how many steps that were, or nothing where there was no time for it, or no room
    /// in the budget: then its last question has just found the result, or nothing was found.
    pub(crate) fn check_result(&mut self) -> Result<Option<u64>, Error> {
        // Where nothing was kept, the input is the result, and only what was refused since speaks against it.
        if self.asking.progress.best == self.asking.progress.before && self.asked == 0 {
            return Ok(Some(0));
        }
        let spent = self.runs_left() < self.asking.terms.rule.last_runs();
        if spent || self.asking.stop().is_over() {
            return Ok(None);
        }
        self.asking.progress.label = "result";
        let steps_back = self.step_back(true)?;
        if steps_back.is_none() {
            self.stopped();
        }
        Ok(steps_back)
    }

    /// Goes back to the newest step that is interesting; returns how many steps that were. Where repeats were asked for,
    /// the last time tells how often it is.
    fn step_back(&mut self, last: bool) -> Result<Option<u64>, Error> {
        let mut found = None;
        for (steps_back, step) in (0..).zip(self.store.steps()) {
            let (step, text) = step?;
            // Of a run that was to keep less.
            if !self.filter.admits(&text) {
                continue;
            }
            // The journal was begun before the front end of the input was known.
            let size = if step.number == 0 { self.input } else { step.size };
            let candidate = Candidate::of(text, size);
            let tested = match last && self.repeated.is_some() {
                true => self.asking.measure(&candidate, self.runs_left()),
                false => self.asking.test_alone(candidate.clone()),
            };
            let Some(tested) = tested.map_err(|fault| self.fault(fault))? else { return Ok(None) };
            if tested.outcome == Some(Outcome::Interesting) {
                if let Some(repeated) = self.repeated.as_mut().filter(|_| last) {
                    repeated.result = Some(tested.runs);
                }
                found = Some((steps_back, candidate));
                break;
            }
            self.known.insert(candidate.key, tested.known(Outcome::Uninteresting));
        }
        let Some((steps_back, candidate)) = found else { return Err(self.unstable()) };
        if steps_back > 0 {
            self.keep(candidate)?;
        }
        Ok(Some(steps_back))
    }
}
