//! What Python asks for, in the types of the library. Whatever is wrong is a `ValueError` that says what there is.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::time::Duration;

use dwindle::core::isolate::Algorithm;
use dwindle::core::passes::{Level, Schedule};
use dwindle::core::{MinimizerConfig, MinimizerKind};
use dwindle::keep::Pattern;
use dwindle::method::{FORMATS, REDUCERS};
use dwindle::{FrontEnd, Method, Reducer, Units};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

const NAMES: [&str; 2] = ["original", "short"];

/// The names that each parameter accepts.
#[pyfunction]
pub(crate) fn choices() -> BTreeMap<&'static str, Vec<&'static str>> {
    BTreeMap::from([
        ("algorithm", Algorithm::ALL.map(Algorithm::name).to_vec()),
        ("format", FORMATS.to_vec()),
        ("language", FrontEnd::names()),
        ("level", Level::ALL.map(Level::name).to_vec()),
        ("minimizer", MinimizerKind::ALL.map(MinimizerKind::name).to_vec()),
        ("names", NAMES.to_vec()),
        ("reducer", REDUCERS.to_vec()),
        ("units", Units::ALL.map(Units::name).to_vec()),
    ])
}

fn wrong(what: impl Into<String>) -> PyErr {
    PyValueError::new_err(what.into())
}

/// The value of a name.
pub(crate) fn named<T: Copy>(parameter: &str, all: &[(&str, T)], name: &str) -> PyResult<T> {
    let found = all.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
    found.ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(|(known, _)| *known).collect();
        wrong(format!("{parameter}={name:?} is not known; there is {}", known.join(", ")))
    })
}

/// A whole number from `least` on.
pub(crate) fn count(parameter: &str, number: i64, least: u64) -> PyResult<u64> {
    let number = u64::try_from(number).ok().filter(|&number| number >= least);
    number.ok_or_else(|| wrong(format!("{parameter} must be {least} or more")))
}

/// How many questions may be asked at once.
pub(crate) fn jobs(number: i64) -> PyResult<NonZeroUsize> {
    /// Each of them is a thread of Python.
    const MOST: usize = 1024;
    let number = usize::try_from(number).ok().filter(|&number| number <= MOST).and_then(NonZeroUsize::new);
    number.ok_or_else(|| wrong(format!("jobs must be between 1 and {MOST}")))
}

/// A time in seconds.
pub(crate) fn time(parameter: &str, seconds: f64) -> PyResult<Duration> {
    let duration = Duration::try_from_secs_f64(seconds).ok().filter(|duration| !duration.is_zero());
    duration.ok_or_else(|| wrong(format!("{parameter} must be a number of seconds above 0")))
}

/// A list minimiser.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct MinimizerOptions {
    minimizer: Option<String>,
    sigma: Option<f64>,
    p0: Option<f64>,
    theta: Option<f64>,
    alpha: Option<f64>,
    seed: i64,
    random: bool,
}

impl MinimizerOptions {
    /// It, with these parameters; `default` where none is named.
    pub(crate) fn config(&self, default: MinimizerKind) -> PyResult<MinimizerConfig> {
        use MinimizerKind::{ActiveCoarsen, Cdd, ProbDd, WProbDd};
        let all = MinimizerKind::ALL.map(|kind| (kind.name(), kind));
        let name = self.minimizer.as_deref();
        let kind = name.map_or(Ok(default), |name| named("minimizer", &all, name))?;
        let fits = [
            ("sigma", self.sigma.is_some(), &[ProbDd, WProbDd][..]),
            ("theta", self.theta.is_some(), &[ProbDd, WProbDd]),
            ("p0", self.p0.is_some(), &[Cdd]),
            ("alpha", self.alpha.is_some(), &[ActiveCoarsen]),
            ("random", self.random, &[ProbDd]),
        ];
        let misplaced = fits.into_iter().find(|(_, given, kinds)| *given && !kinds.contains(&kind));
        if let Some((parameter, _, kinds)) = misplaced {
            let kinds: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
            let (kinds, kind) = (kinds.join(", "), kind.name());
            return Err(wrong(format!("{parameter} goes with minimizer {kinds}, not with {kind}")));
        }
        for (parameter, share) in [("sigma", self.sigma), ("p0", self.p0), ("alpha", self.alpha)] {
            if share.is_some_and(|share| !(share > 0.0 && share < 1.0)) {
                return Err(wrong(format!("{parameter} must be above 0 and below 1")));
            }
        }
        if self.theta.is_some_and(|theta| !(theta > 0.0 && theta <= 1.0)) {
            return Err(wrong("theta must be above 0 and up to 1"));
        }
        let seed = count("seed", self.seed, 0)?;
        let mut config = MinimizerConfig::new(kind);
        config.sigma = self.sigma.unwrap_or(config.sigma);
        config.p0 = self.p0.unwrap_or(config.p0);
        config.theta = self.theta.unwrap_or(config.theta);
        config.alpha = self.alpha.unwrap_or(config.alpha);
        (config.random, config.seed, config.ddmin.seed) = (self.random, seed, seed);
        Ok(config)
    }
}

/// Budgets.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Budgets {
    pub(crate) max_questions: Option<i64>,
    pub(crate) max_time: Option<f64>,
}

impl Budgets {
    /// The most questions, and the longest time.
    pub(crate) fn both(&self, least: u64) -> PyResult<(Option<u64>, Option<Duration>)> {
        let questions = self.max_questions.map(|number| count("max_questions", number, least)).transpose()?;
        Ok((questions, self.max_time.map(|seconds| time("max_time", seconds)).transpose()?))
    }
}

/// How a text is reduced.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ReduceOptions {
    language: Option<String>,
    name: Option<String>,
    reducer: Option<String>,
    format: String,
    level: Option<String>,
    names: String,
    rename: bool,
    keep: Vec<String>,
    format_result: bool,
}

impl ReduceOptions {
    /// `reducer` with these options.
    pub(crate) fn apply(&self, mut reducer: Reducer) -> PyResult<Reducer> {
        let known = |all: &[&'static str]| all.iter().map(|&name| (name, name)).collect::<Vec<_>>();
        let format = named("format", &known(&FORMATS), &self.format)?;
        let name =
            self.reducer.as_deref().map(|name| named("reducer", &known(&REDUCERS), name)).transpose()?;
        // It says so of the flags of these names.
        let method = Method::named(format, name).map_err(|what| wrong(what.replace("--", "")))?;
        let levels = Level::ALL.map(|level| (level.name(), level));
        let level = self.level.as_deref().map(|name| named("level", &levels, name)).transpose()?;
        if level.is_some_and(|level| level > Level::Fast) && !method.has_tree() {
            return Err(wrong("level transforms trees: it does not go with lists"));
        }
        let names = named("names", &known(&NAMES), &self.names)?;
        let schedule = match method.schedule(level) {
            schedule if names == NAMES[0] => schedule,
            schedule => schedule.level().map_or(schedule, Schedule::with_short_names),
        };
        let schedule = if self.rename { schedule } else { schedule.without_names() };
        reducer = reducer.method(method).schedule(schedule);
        for pattern in &self.keep {
            let parsed = pattern.parse::<Pattern>();
            reducer = reducer.keep(parsed.map_err(|error| wrong(format!("keep={pattern:?}: {error}")))?);
        }
        if let Some(name) = &self.name {
            reducer = reducer.name(name);
        }
        if let Some(language) = &self.language {
            reducer = reducer.language(self::language(language)?);
        }
        Ok(if self.format_result { reducer.format_result() } else { reducer })
    }
}

/// A language that is known.
pub(crate) fn language(name: &str) -> PyResult<&str> {
    FrontEnd::of_language(name).map(|_| name).map_err(|error| wrong(error.to_string()))
}
