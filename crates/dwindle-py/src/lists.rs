//! Lists of anything: Python has the items, and is asked about their numbers.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, never, select, unbounded};
use dwindle::core::isolate::{Algorithm, AnyIsolator, Isolator as _};
use dwindle::core::{AnyMinimizer, EmptyPolicy, Minimizer as _, MinimizerKind, Outcome, Subset, WithEmpty};
use pyo3::prelude::*;

use crate::options::{self, Budgets, MinimizerOptions};
use crate::run::{About, Answer, Ended, Line, News, Question, Run};

/// Begins to minimise a list of items of these weights.
#[pyfunction]
#[pyo3(signature = (weights, options, *, jobs))]
pub(crate) fn minimize(weights: Vec<u32>, options: &Bound<'_, PyAny>, jobs: i64) -> PyResult<Run> {
    let jobs = options::jobs(jobs)?.get();
    let default = if weights.iter().any(|&weight| weight != 1) {
        MinimizerKind::Wddmin
    } else {
        MinimizerKind::Splitting
    };
    let config = options.extract::<MinimizerOptions>()?.config(default)?;
    let (questions, time) = options.extract::<Budgets>()?.both(1)?;
    let search =
        Search::Minimize(WithEmpty::new(config.start(&weights), EmptyPolicy::TestLast), weights.len());
    Run::start(move |line| drive(search, jobs, questions, time, line))
}

/// Begins to look for the differences that matter among so many: with all of them it fails, with none it passes.
#[pyfunction]
#[pyo3(signature = (differences, options, *, jobs))]
pub(crate) fn isolate_list(differences: usize, options: &Bound<'_, PyAny>, jobs: i64) -> PyResult<Run> {
    let jobs = options::jobs(jobs)?.get();
    let all = Algorithm::ALL.map(|algorithm| (algorithm.name(), algorithm));
    let name: Option<String> = options.get_item("algorithm")?.extract()?;
    let algorithm = name.map_or(Ok(Algorithm::default()), |name| options::named("algorithm", &all, &name))?;
    let (questions, time) = options.extract::<Budgets>()?.both(2)?;
    let search = Search::Isolate(algorithm.start(differences), differences);
    Run::start(move |line| drive(search, jobs, questions, time, line))
}

/// Either search, and of how many items.
#[derive(Clone)]
enum Search {
    Minimize(WithEmpty<AnyMinimizer>, usize),
    Isolate(AnyIsolator, usize),
}

impl Search {
    fn ask(&self) -> Option<Subset> {
        match self {
            Self::Minimize(machine, _) => machine.ask(),
            Self::Isolate(machine, _) => machine.ask(),
        }
    }

    fn tell(&mut self, outcome: Outcome) {
        match self {
            Self::Minimize(machine, _) => machine.tell(outcome),
            Self::Isolate(machine, _) => machine.tell(outcome),
        }
    }

    /// What it takes for granted, and what that must be.
    fn givens(&self) -> Vec<(Subset, Outcome, &'static str)> {
        match *self {
            Self::Minimize(_, len) => vec![(Subset::full(len), Outcome::Interesting, "contrary")],
            Self::Isolate(_, len) => vec![
                (Subset::full(len), Outcome::Interesting, "contrary-failing"),
                (Subset::empty(len), Outcome::Uninteresting, "contrary-passing"),
            ],
        }
    }

    /// The smallest list that fails, behind the one that passes if there is such a thing.
    fn results(&self) -> Vec<Vec<u32>> {
        match self {
            Self::Minimize(machine, _) => vec![machine.best().to_vec()],
            Self::Isolate(machine, _) => vec![machine.passing().to_vec(), machine.failing().to_vec()],
        }
    }
}

/// Asks what a search asks, and ahead of that what it would ask if all were refused, until it is over.
fn drive(mut search: Search, jobs: usize, most: Option<u64>, time: Option<Duration>, line: Line) -> Ended {
    let began = Instant::now();
    let timeout = time.map_or_else(never, crossbeam_channel::after);
    let mut asking = Asking::new(&line);
    let mut asked = 0;
    let ended = |search: &Search, kind, end: &str, questions| Ended {
        kind,
        items: search.results(),
        questions,
        seconds: began.elapsed().as_secs_f64(),
        end: end.to_owned(),
        ..Ended::default()
    };
    for (given, expected, kind) in search.givens() {
        asking.ask(&given);
        match asking.wait_for(&given, &timeout) {
            Ok(outcome) if outcome == expected => asked += 1,
            Ok(_) => return ended(&search, kind, "", asked + 1),
            Err(end) => return ended(&search, "early", end, asked),
        }
    }
    let mut counted: HashSet<Vec<u8>> = search.givens().iter().map(|(given, ..)| key(given)).collect();
    while let Some(question) = search.ask() {
        let is_new = !counted.contains(&key(&question));
        if is_new && most.is_some_and(|most| asked >= most) {
            return ended(&search, "done", "max-questions", asked);
        }
        let left = most.map_or(usize::MAX, |most| usize::try_from(most - asked).unwrap_or(usize::MAX));
        asking.ask_ahead(&search, jobs.min(left));
        let outcome = match asking.wait_for(&question, &timeout) {
            Ok(outcome) => outcome,
            Err(end) => return ended(&search, "done", end, asked),
        };
        let before = search.results();
        search.tell(outcome);
        if is_new {
            counted.insert(key(&question));
            asked += 1;
            let results = search.results();
            let size = results.last().map_or(0, |best| best.len() as u64);
            let items = (results != before).then(|| results.into_iter().next_back().unwrap_or_default());
            let (stage, seconds) = ("items".to_owned(), began.elapsed().as_secs_f64());
            let news = News {
                questions: asked,
                tokens: size,
                size,
                stage,
                seconds,
                text: None,
                items,
                warning: None,
            };
            // Nobody may listen any more.
            let _ = line.news.send(news);
        }
    }
    ended(&search, "done", "finished", asked)
}

fn key(subset: &Subset) -> Vec<u8> {
    let mut key = Vec::new();
    subset.identify(&mut key);
    key
}

/// What was asked, and what is known.
struct Asking<'a> {
    line: &'a Line,
    known: HashMap<Vec<u8>, Outcome>,
    running: HashSet<Vec<u8>>,
    answer: Sender<(Vec<u8>, Outcome)>,
    answers: Receiver<(Vec<u8>, Outcome)>,
}

impl<'a> Asking<'a> {
    fn new(line: &'a Line) -> Self {
        let (answer, answers) = unbounded();
        Self { line, known: HashMap::new(), running: HashSet::new(), answer, answers }
    }

    fn ask(&mut self, subset: &Subset) {
        let key = key(subset);
        if !self.known.contains_key(&key) && self.running.insert(key.clone()) {
            let answer = Answer::Items { key, to: self.answer.clone() };
            // Where nobody takes it any more, the search is stopped.
            let _ = self.line.questions.send(Question::new(About::Items(subset.to_vec()), answer));
        }
    }

    /// Asks what comes next, and what comes behind that if it is refused, until so many questions are under way.
    fn ask_ahead(&mut self, search: &Search, jobs: usize) {
        let mut ahead = search.clone();
        let mut needed = 0;
        while let Some(question) = ahead.ask() {
            let known = self.known.get(&key(&question)).copied();
            if known.is_none() {
                needed += 1;
                // The one that is waited for is always asked.
                if needed > 1 && (needed > jobs || self.running.len() >= jobs) {
                    return;
                }
                self.ask(&question);
            }
            ahead.tell(known.unwrap_or(Outcome::Uninteresting));
        }
    }

    /// The outcome of what was asked, or why it will not come.
    fn wait_for(&mut self, subset: &Subset, timeout: &Receiver<Instant>) -> Result<Outcome, &'static str> {
        let key = key(subset);
        loop {
            if let Some(&outcome) = self.known.get(&key) {
                return Ok(outcome);
            }
            select! {
                recv(self.answers) -> answer => if let Ok((key, outcome)) = answer {
                    self.running.remove(&key);
                    self.known.insert(key, outcome);
                },
                recv(self.line.halt.stopped) -> _ => return Err("interrupted"),
                recv(timeout) -> _ => return Err("max-time"),
            }
        }
    }
}
