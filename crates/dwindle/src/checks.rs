//! What is asked before the search and after it: the input, the best of a run that is continued, and the
//! result.

use std::time::Duration;

use dwindle_core::passes::Level;
use dwindle_core::{Outcome, Transform};
use serde_json::{Value, json};

use crate::driver::Candidate;
use crate::journal::{Journal, JournalError, KnownOutcome, Recovered};
use crate::reduce::{Config, Error, LONGEST_LIMIT};
use crate::report::End;
use crate::session::Session;
use dwindle_read::{Reading, Size};
use dwindle_run::{Run, RunEnd, RunError};

const SHORTEST_LIMIT: Duration = Duration::from_secs(1);
const HELP_LIMIT: Duration = Duration::from_secs(60);
/// How much longer than the input a candidate may take.
const LIMIT_FACTOR: u32 = 10;

impl Session<'_> {
    /// Tests the input twice and derives the time limit.
    pub(crate) fn check_input(&mut self, config: &Config, input: &[u8]) -> Result<(), Error> {
        let mut run = || -> Result<Run, Error> {
            let candidate = Candidate::of(input.to_vec(), self.progress.before);
            let tested = self.test_alone(candidate).map_err(|error| match error {
                RunError::Start(source) => {
                    let what = source.to_string();
                    Error::Test { path: config.test.clone(), what }
                }
                RunError::Place(source) | RunError::Wait(source) => Error::Workspace(source),
                RunError::Left | RunError::Keeper | RunError::Full { .. } => {
                    Error::Breaks { test: config.test.clone(), source: error }
                }
            })?;
            Ok(tested.ok_or(Error::StoppedEarly)?.run)
        };
        let runs = [run()?, run()?];
        let path = config.input.clone();
        match [runs[0].end, runs[1].end] {
            [RunEnd::Exited(0), RunEnd::Exited(0)] => {}
            [RunEnd::Exited(0), _] | [_, RunEnd::Exited(0)] => {
                return Err(Error::Flaky { path, runs: Box::new(runs) });
            }
            _ => {
                let [run, _] = runs;
                return Err(Error::NotInteresting { path, test: self.test.path().to_owned(), run });
            }
        }
        if config.timeout.is_none() {
            let slower = Duration::from_secs_f64(runs[0].seconds.max(runs[1].seconds));
            self.terms.limit = (slower * LIMIT_FACTOR).clamp(SHORTEST_LIMIT, LONGEST_LIMIT);
        }
        self.terms.confirm = config.confirm;
        self.limit_helpers(config);
        Ok(())
    }

    /// A helper may take as long as a test, but at least a minute where nobody says how long that is.
    fn limit_helpers(&mut self, config: &Config) {
        let limit = self.terms.limit;
        self.terms.help_limit = if config.timeout.is_some() { limit } else { limit.max(HELP_LIMIT) };
    }

    /// Goes on where an unfinished run ended, if there was one, or begins with the input; returns the
    /// language by which that run has read it.
    pub(crate) fn go_on(
        &mut self,
        config: &Config,
        recovered: Option<Recovered>,
        original_kept: bool,
        input: &[u8],
    ) -> Result<Option<String>, Error> {
        let Some(Recovered { mut outcomes, doubtful, best, facts, .. }) = recovered else {
            self.output.begin(input)?;
            return Ok(None);
        };
        self.goes_on = facts.is_some();
        let facts = facts.unwrap_or(Value::Null);
        let limit = facts["timeout"].as_f64().and_then(|limit| Duration::try_from_secs_f64(limit).ok());
        match limit {
            Some(limit) if config.timeout.is_none() => {
                self.terms.limit = limit;
                self.limit_helpers(config);
            }
            // What took too long by another limit may not by this one.
            limit if limit != config.timeout => {
                outcomes.retain(|_, known| known.outcome != Outcome::Unresolved);
            }
            _ => {}
        }
        self.known = outcomes;
        if let Some((step, text)) = best {
            self.kept = Candidate::of(text, step.size);
            self.progress.best = step.size;
        }
        if self.kept.bytes != input {
            let steps_back = self.step_back()?.ok_or(Error::StoppedEarly)?;
            // It said otherwise before: something has changed since.
            if steps_back > 0 {
                doubtful.iter().for_each(|key| drop(self.known.remove(key)));
                self.journal.as_mut().map_or(Ok(()), Journal::doubt)?;
            }
        }
        if original_kept || self.kept.bytes != input {
            self.output.replace(&self.kept.bytes)?;
        } else {
            self.output.begin(input)?;
        }
        self.fallback = facts["fallback"].as_str().map(str::to_owned);
        Ok(facts["language"].as_str().map(str::to_owned))
    }

    /// Takes note of what another run that continues this one must do as well. `before` is the size of
    /// the input as its front end counts.
    pub(crate) fn begin(
        &mut self,
        before: Size,
        config: &Config,
        reading: &Reading,
    ) -> Result<(), JournalError> {
        if self.kept.size == self.progress.before {
            self.kept.size = before;
            self.progress.best = before;
        }
        self.progress.before = before;
        let facts = json!({
            "timeout": self.terms.limit.as_secs_f64(),
            "language": reading.language,
            "fallback": reading.fallback,
            "input_tokens": before.tokens,
            "format": config.method.format(),
            "reducer": config.method.reducer(),
            "transforms": config.method.transforms().map(|all| all.iter().map(Transform::name).collect::<Vec<_>>()),
            "level": config.schedule.level().map(Level::name),
            "minimizer": config.minimizer.kind.name(),
            "sigma": config.minimizer.sigma,
            "p0": config.minimizer.p0,
            "random": config.minimizer.random,
            "seed": config.minimizer.seed,
            "batch_width": config.method.batch_width(),
            "external": config.external.iter().map(|command| command.to_string_lossy()).collect::<Vec<_>>(),
            "clang_delta": config.clang_delta.name(),
            "format_result": config.format_result,
            "keep": config.keep.iter().map(ToString::to_string).collect::<Vec<_>>(),
        });
        match &mut self.journal {
            Some(journal) if !self.goes_on => journal.facts(&facts),
            _ => Ok(()),
        }
    }

    /// Tests the result once more and goes back to the newest variant that is still interesting, should
    /// it not be; returns how many steps that were, or nothing where there was no time for it, or no room
    /// in the budget: then its last question has just found the result, or nothing was found.
    pub(crate) fn check_result(&mut self) -> Result<Option<u64>, Error> {
        // Where nothing was kept, the input is the result, and only what was refused since speaks against it.
        if self.progress.best == self.progress.before && self.asked == 0 {
            return Ok(Some(0));
        }
        let spent = self.runs_left() < u64::from(self.terms.confirm);
        if spent || matches!(self.end, End::Interrupted | End::MaxTime) {
            return Ok(None);
        }
        self.progress.label = "result";
        let steps_back = self.step_back()?;
        if steps_back.is_none() {
            self.end = self.stopped()?;
        }
        Ok(steps_back)
    }

    /// Goes back to the newest step that is interesting; returns how many steps that were.
    fn step_back(&mut self) -> Result<Option<u64>, Error> {
        let journal = self.journal.take();
        for (steps_back, step) in (0..).zip(journal.iter().flat_map(|journal| journal.steps())) {
            let (step, text) = step?;
            // Of a run that was to keep less.
            if !self.filter.admits(&text) {
                continue;
            }
            // The journal was begun before the front end of the input was known.
            let size = if step.number == 0 { self.progress.before } else { step.size };
            let candidate = Candidate::of(text, size);
            let tested = self.test_alone(candidate.clone()).map_err(|error| self.broken(error))?;
            let Some(tested) = tested else {
                self.journal = journal;
                return Ok(None);
            };
            if tested.outcome == Some(Outcome::Interesting) {
                self.journal = journal;
                if steps_back > 0 {
                    self.keep(candidate)?;
                }
                return Ok(Some(steps_back));
            }
            let words = tested.evidence.numbers().into();
            let refused = KnownOutcome { outcome: Outcome::Uninteresting, seconds: 0.0, runs: 1, words };
            self.known.insert(candidate.key, refused);
        }
        self.journal = journal;
        Err(self.unstable())
    }
}
