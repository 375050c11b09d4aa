//! A search as Python sees it: what it asks, what happens in it, and how it ends.

use std::mem;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, never, select, unbounded};
use dwindle::core::Outcome;
use dwindle::driver::Candidate;
use dwindle::{Interrupt, Interrupter, Ran, Reply};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How often Python looks for signals while it waits.
const TICK: Duration = Duration::from_millis(50);

/// The process that something belongs to. A fork of it, such as a predicate may make, has none of its threads, but its pipes, and
/// perhaps locks that nobody opens any more. So nothing is touched there.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Home(u32);

impl Home {
    fn here() -> Self {
        Self(process::id())
    }

    fn is_here(self) -> bool {
        self == Self::here()
    }

    fn check(self) -> PyResult<()> {
        if self.is_here() { Ok(()) } else { Err(forked()) }
    }
}

fn forked() -> PyErr {
    let what = "this is a fork of the process that the search runs in, and nobody waits for its answer; end it with os._exit before \
                the predicate returns";
    PyRuntimeError::new_err(what)
}

/// A search that runs on a thread of its own until it is over or stopped.
#[pyclass(frozen, module = "dwindle._dwindle")]
pub(crate) struct Run {
    home: Home,
    /// Nothing while it is dropped.
    ends: Option<Ends>,
}

/// This side of the channels to a search.
struct Ends {
    questions: Receiver<Question>,
    news: Receiver<News>,
    ended: Receiver<Ended>,
    halt: Arc<Halt>,
}

/// What the thread of a search says and hears.
pub(crate) struct Line {
    pub(crate) questions: Sender<Question>,
    pub(crate) news: Sender<News>,
    pub(crate) halt: Arc<Halt>,
    pub(crate) interrupt: Arc<Interrupt>,
}

/// Stops a search.
pub(crate) struct Halt {
    /// The other end of the interrupter, which stays open: writing to a closed pipe can end a process.
    _interrupt: Arc<Interrupt>,
    interrupter: Mutex<Interrupter>,
    /// Nothing once it is stopped, so that whoever waits for the other end wakes up.
    open: Mutex<Option<Sender<()>>>,
    /// Disconnected once it is stopped.
    pub(crate) stopped: Receiver<()>,
}

impl Halt {
    fn set(&self) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = None;
        // Where nobody listens any more, the search is over.
        let _ = self.interrupter.lock().unwrap_or_else(PoisonError::into_inner).interrupt();
    }

    /// Whether it is stopped.
    pub(crate) fn is_set(&self) -> bool {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }
}

impl Run {
    fn ends(&self) -> PyResult<&Ends> {
        self.ends.as_ref().filter(|_| self.home.is_here()).ok_or_else(forked)
    }

    /// Has `search` run.
    pub(crate) fn start(search: impl FnOnce(Line) -> Ended + Send + 'static) -> PyResult<Self> {
        let (interrupter, interrupt) = Interrupt::new()?;
        let interrupt = Arc::new(interrupt);
        let (open, stopped) = bounded(0);
        let halt = Arc::new(Halt {
            _interrupt: interrupt.clone(),
            interrupter: interrupter.into(),
            open: Some(open).into(),
            stopped,
        });
        let (ask, questions) = unbounded();
        let (tell, news) = unbounded();
        let (end, ended) = bounded(1);
        let line = Line { questions: ask, news: tell, halt: halt.clone(), interrupt };
        let thread = thread::Builder::new().name("dwindle".to_owned());
        thread.spawn(move || {
            // Nobody may want to know any more.
            let _ = end.send(search(line));
        })?;
        Ok(Self { home: Home::here(), ends: Some(Ends { questions, news, ended, halt }) })
    }
}

#[pymethods]
impl Run {
    /// The next question, the next news, or `None` when there is no more of what is wanted. Whoever wants news may be
    /// interrupted by a signal.
    #[pyo3(signature = (*, questions, news))]
    fn next<'py>(&self, py: Python<'py>, questions: bool, news: bool) -> PyResult<Option<Bound<'py, PyAny>>> {
        let ends = self.ends()?;
        let (no_questions, no_news) = (never(), never());
        let mut asked = if questions { &ends.questions } else { &no_questions };
        let mut told = if news { &ends.news } else { &no_news };
        let (mut asks, mut tells) = (questions, news);
        while asks || tells {
            let tick = if news { TICK } else { Duration::MAX };
            let next = py.detach(|| {
                // News come before the question that follows.
                if let Ok(news) = told.try_recv() {
                    return Next::News(news);
                }
                select! {
                    recv(told) -> news => news.map_or(Next::NoNews, Next::News),
                    recv(asked) -> question => question.map_or(Next::NoQuestions, Next::Question),
                    default(tick) => Next::Nothing,
                }
            });
            match next {
                Next::News(news) => return Bound::new(py, news).map(|news| Some(news.into_any())),
                Next::Question(question) if question.is_cancelled() => question.cancel(),
                Next::Question(question) => {
                    return Bound::new(py, question).map(|question| Some(question.into_any()));
                }
                Next::NoNews => (told, tells) = (&no_news, false),
                Next::NoQuestions => (asked, asks) = (&no_questions, false),
                Next::Nothing => py.check_signals()?,
            }
        }
        Ok(None)
    }

    /// Stops the search. Nothing more is asked.
    fn stop(&self) {
        if let Ok(ends) = self.ends() {
            ends.halt.set();
            ends.questions.try_iter().for_each(Question::cancel);
        }
    }

    /// Waits for the end of the search.
    fn finish(&self, py: Python<'_>) -> PyResult<Ended> {
        let ends = self.ends()?;
        loop {
            match py.detach(|| ends.ended.recv_timeout(TICK)) {
                Ok(ended) => return Ok(ended),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("the search has failed, which is a bug of dwindle"));
                }
            }
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.stop();
        let ends = self.ends.take();
        if !self.home.is_here() {
            mem::forget(ends);
        }
    }
}

enum Next {
    Question(Question),
    News(News),
    NoQuestions,
    NoNews,
    Nothing,
}

/// Something that Python is to find out.
#[pyclass(frozen, module = "dwindle._dwindle")]
pub(crate) struct Question {
    home: Home,
    about: About,
    answer: Mutex<Option<Answer>>,
}

/// What a question is about.
pub(crate) enum About {
    /// A candidate.
    Text(Arc<Candidate>),
    /// The chosen items of a list, by number.
    Items(Vec<u32>),
    /// What a pass offers in place of a text.
    Offers { pass: usize, text: Vec<u8> },
}

/// Where the answer goes.
pub(crate) enum Answer {
    Text { reply: Reply, asked: Instant, cancelled: Box<dyn Fn() -> bool + Send + Sync> },
    Items { key: Vec<u8>, to: Sender<(Vec<u8>, Outcome)> },
    Offers(Sender<Vec<Vec<u8>>>),
}

impl Question {
    pub(crate) fn new(about: About, answer: Answer) -> Self {
        Self { home: Home::here(), about, answer: Some(answer).into() }
    }

    fn take(&self) -> Option<Answer> {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn is_cancelled(&self) -> bool {
        match &*self.answer.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(Answer::Text { cancelled, .. }) => cancelled(),
            _ => false,
        }
    }

    /// Nobody needs the answer.
    pub(crate) fn cancel(self) {
        if let Some(Answer::Text { reply, .. }) = self.take() {
            reply.send(Ok(Ran::cancelled()));
        }
    }
}

impl Drop for Question {
    fn drop(&mut self) {
        if !self.home.is_here() {
            // Another thread may have held the lock when the process was forked.
            mem::forget(mem::take(&mut self.answer));
            return;
        }
        // Python has given it up, as it does after an exception.
        if let Some(Answer::Text { reply, .. }) = self.take() {
            reply.send(Ok(Ran::cancelled()));
        }
    }
}

#[pymethods]
impl Question {
    /// The candidate, or the text that a pass is to offer something for.
    #[getter]
    fn text(&self) -> Option<&[u8]> {
        match &self.about {
            About::Text(candidate) => Some(&candidate.bytes),
            About::Offers { text, .. } => Some(text),
            About::Items(_) => None,
        }
    }

    /// The chosen items of a list.
    #[getter]
    fn items(&self) -> Option<Vec<u32>> {
        match &self.about {
            About::Items(items) => Some(items.clone()),
            _ => None,
        }
    }

    /// The number of the pass that is asked.
    #[getter]
    fn number(&self) -> Option<usize> {
        match self.about {
            About::Offers { pass, .. } => Some(pass),
            _ => None,
        }
    }

    /// What a candidate is.
    fn answer(&self, outcome: &str) -> PyResult<()> {
        self.home.check()?;
        let outcome = match outcome {
            "interesting" => Outcome::Interesting,
            "unresolved" => Outcome::Unresolved,
            _ => Outcome::Uninteresting,
        };
        match self.take() {
            Some(Answer::Text { reply, asked, .. }) => {
                reply.send(Ok(Ran::of(outcome, asked.elapsed().as_secs_f64())));
            }
            // The search may be over.
            Some(Answer::Items { key, to }) => drop(to.send((key, outcome))),
            _ => {}
        }
        Ok(())
    }

    /// What a pass offers.
    fn offer(&self, texts: Vec<Vec<u8>>) -> PyResult<()> {
        self.home.check()?;
        if let Some(Answer::Offers(to)) = self.take() {
            let _ = to.send(texts);
        }
        Ok(())
    }
}

/// Something that happened.
#[pyclass(frozen, get_all, module = "dwindle._dwindle")]
pub(crate) struct News {
    pub(crate) questions: u64,
    pub(crate) tokens: u64,
    pub(crate) size: u64,
    pub(crate) stage: String,
    pub(crate) seconds: f64,
    /// The best text, where it is a new one.
    pub(crate) text: Option<Vec<u8>>,
    /// The best items, where they are others.
    pub(crate) items: Option<Vec<u32>>,
    /// What has to be said, where it is a warning.
    pub(crate) warning: Option<String>,
}

/// How a search ended.
#[pyclass(frozen, get_all, module = "dwindle._dwindle")]
#[derive(Default)]
pub(crate) struct Ended {
    /// `done`, or why there is no result: `contrary`, `flaky`, `early`, `value`, `failed`.
    pub(crate) kind: &'static str,
    pub(crate) message: String,
    /// The report as JSON.
    pub(crate) report: Option<String>,
    pub(crate) texts: Vec<Vec<u8>>,
    pub(crate) items: Vec<Vec<u32>>,
    pub(crate) questions: u64,
    pub(crate) seconds: f64,
    /// Why it ended: `finished`, `max-questions`, `max-time`, `interrupted`.
    pub(crate) end: String,
}
