//! Reductions and isolations of texts.

use std::time::Instant;

use crossbeam_channel::{Sender, bounded, select};
use dwindle::core::MinimizerKind;
use dwindle::core::isolate::Algorithm;
use dwindle::{Error, Event, Isolated, Isolator, Progress, Reduced, Reducer, Units};
use pyo3::prelude::*;
use serde_json::to_string;

use crate::executor::Threads;
use crate::options::{self, Budgets, MinimizerOptions, ReduceOptions};
use crate::run::{About, Answer, Ended, Line, News, Question, Run};

/// Begins to reduce a text, with so many passes of the user.
#[pyfunction]
#[pyo3(signature = (text, options, *, jobs, passes))]
pub(crate) fn reduce(text: Vec<u8>, options: &Bound<'_, PyAny>, jobs: i64, passes: usize) -> PyResult<Run> {
    let jobs = options::jobs(jobs)?;
    let minimizer = options.extract::<MinimizerOptions>()?.config(MinimizerKind::default())?;
    let reducer = options.extract::<ReduceOptions>()?.apply(Reducer::new(text))?.minimizer(minimizer);
    let (questions, time) = options.extract::<Budgets>()?.both(2)?;
    let reducer = questions.into_iter().fold(reducer, Reducer::max_questions);
    let reducer = time.into_iter().fold(reducer, Reducer::max_time);
    Run::start(move |line| {
        let Line { questions, news, halt, interrupt } = line;
        let mut reducer = reducer.interrupt(interrupt).watch(teller(news));
        for pass in 0..passes {
            let (questions, stopped) = (questions.clone(), halt.stopped.clone());
            reducer = reducer.pass(move |text| {
                let (to, offered) = bounded(1);
                let about = About::Offers { pass, text: text.to_vec() };
                if questions.send(Question::new(about, Answer::Offers(to))).is_err() {
                    return Vec::new();
                }
                select! {
                    recv(offered) -> texts => texts.unwrap_or_default(),
                    recv(stopped) -> _ => Vec::new(),
                }
            });
        }
        let mut threads = Threads::new(jobs.get(), questions, halt);
        match reducer.run_on(&mut threads) {
            Ok(Reduced { bytes, report, .. }) => Ended {
                kind: "done",
                questions: report.questions.total,
                seconds: report.seconds.total,
                end: name_of(&report.end),
                report: to_string(&report).ok(),
                texts: vec![bytes],
                ..Ended::default()
            },
            Err(error) => failed(&error),
        }
    })
}

/// Begins to look for the difference of two texts that matters.
#[pyfunction]
#[pyo3(signature = (passing, failing, options, *, jobs))]
pub(crate) fn isolate(
    passing: Vec<u8>,
    failing: Vec<u8>,
    options: &Bound<'_, PyAny>,
    jobs: i64,
) -> PyResult<Run> {
    let jobs = options::jobs(jobs)?;
    let text = |key: &str| -> PyResult<Option<String>> { options.get_item(key)?.extract() };
    let mut isolator = Isolator::new(passing, failing);
    if let Some(name) = text("algorithm")? {
        let all = Algorithm::ALL.map(|algorithm| (algorithm.name(), algorithm));
        isolator = isolator.algorithm(options::named("algorithm", &all, &name)?);
    }
    if let Some(name) = text("units")? {
        isolator =
            isolator.units(options::named("units", &Units::ALL.map(|units| (units.name(), units)), &name)?);
    }
    if let Some(name) = text("language")? {
        isolator = isolator.language(options::language(&name)?);
    }
    if let Some(name) = text("name")? {
        isolator = isolator.name(name);
    }
    let (questions, time) = options.extract::<Budgets>()?.both(4)?;
    let isolator = questions.into_iter().fold(isolator, Isolator::max_questions);
    let isolator = time.into_iter().fold(isolator, Isolator::max_time);
    Run::start(move |line| {
        let Line { questions, news, halt, interrupt } = line;
        let mut threads = Threads::new(jobs.get(), questions, halt);
        match isolator.interrupt(interrupt).watch(teller(news)).run_on(&mut threads) {
            Ok(isolated) => {
                let report = to_string(&isolated).ok();
                let Isolated { end, questions, seconds, texts, .. } = isolated;
                Ended {
                    kind: "done",
                    questions: questions.total,
                    seconds,
                    end: name_of(&end),
                    report,
                    texts: vec![texts.passing, texts.failing],
                    ..Ended::default()
                }
            }
            Err(error) => failed(&error),
        }
    })
}

/// The name of an end, as the report has it.
fn name_of(end: &dwindle::End) -> String {
    to_string(end).unwrap_or_default().trim_matches('"').to_owned()
}

/// Tells Python of what happens.
fn teller(news: Sender<News>) -> impl Fn(&Event<'_>) + Send + Sync {
    move |event| {
        let told = match event {
            Event::Asked { progress, .. } => Some(of(progress)),
            Event::Kept { progress, text } => Some(News { text: Some(text.to_vec()), ..of(progress) }),
            Event::Warning(warning) => Some(News {
                questions: 0,
                tokens: 0,
                size: 0,
                stage: String::new(),
                seconds: 0.0,
                text: None,
                items: None,
                warning: Some(warning.to_string()),
            }),
            _ => None,
        };
        // Nobody may listen any more.
        told.into_iter().for_each(|told| drop(news.send(told)));
    }
}

fn of(progress: &Progress) -> News {
    News {
        questions: progress.questions.total,
        tokens: progress.best.tokens,
        size: progress.best.bytes,
        stage: progress.label.to_owned(),
        seconds: Instant::now().duration_since(progress.began).as_secs_f64(),
        text: None,
        items: None,
        warning: None,
    }
}

/// Why there is no result.
fn failed(error: &Error) -> Ended {
    let kind = match error {
        Error::NotInteresting { .. } => "contrary",
        Error::Contrary { fails: true, .. } => "contrary-failing",
        Error::Contrary { fails: false, .. } => "contrary-passing",
        Error::Flaky { .. } | Error::Unstable { .. } | Error::Wavers { .. } => "flaky",
        Error::StoppedEarly => "early",
        Error::Same { .. }
        | Error::Language(_)
        | Error::NothingToKeep(_)
        | Error::Region { .. }
        | Error::Input { .. } => "value",
        _ => "failed",
    };
    Ended { kind, message: error.to_string(), ..Ended::default() }
}
