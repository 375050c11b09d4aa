//! Isolations inside of a program: of two texts, by a closure.

use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dwindle_core::Outcome;
use dwindle_core::isolate::Algorithm;
use dwindle_read::FrontEnd;
use dwindle_run::Interrupt;

use crate::differences::Units;
use crate::error::Error;
use crate::event::{Event, Watcher};
use crate::executor::{Closure, Executor};
use crate::isolation::{Isolated, Isolation, isolate};
use crate::probe::Probe;
use crate::stop::Stop;

/// Looks for the difference that matters between a text that passes and one that fails, in memory.
///
/// ```
/// use dwindle::core::Outcome;
///
/// let passing = "alpha\nbeta\ngamma\n";
/// let failing = "alpha 1\nbeta 2\ngamma 3\n";
/// let isolated = dwindle::Isolator::new(passing, failing).run(|candidate| match candidate.contains(&b'2') {
///     true => Outcome::Interesting,
///     false => Outcome::Uninteresting,
/// })?;
/// assert_eq!(isolated.texts.failing, b"alpha\nbeta 2\ngamma\n");
/// # Ok::<(), dwindle::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Isolator {
    passing: Vec<u8>,
    failing: Vec<u8>,
    isolation: Isolation,
    language: Option<String>,
    interrupt: Option<Arc<Interrupt>>,
    watcher: Option<Watcher>,
}

impl Isolator {
    /// Between a text that passes and one that fails.
    pub fn new(passing: impl Into<Vec<u8>>, failing: impl Into<Vec<u8>>) -> Self {
        Self {
            passing: passing.into(),
            failing: failing.into(),
            isolation: Isolation::new("passing".into(), "failing".into(), PathBuf::new()),
            language: None,
            interrupt: None,
            watcher: None,
        }
    }

    /// The name of a file by which the language is recognised.
    pub fn name(mut self, name: impl Into<PathBuf>) -> Self {
        self.isolation.failing = name.into();
        self
    }

    /// The language of the texts: a name that `dwindle languages` lists.
    pub fn language(mut self, name: impl Into<String>) -> Self {
        self.language = Some(name.into());
        self
    }

    /// What differences are.
    pub fn units(mut self, units: Units) -> Self {
        self.isolation.units = units;
        self
    }

    /// Which questions are asked.
    pub fn algorithm(mut self, algorithm: Algorithm) -> Self {
        self.isolation.algorithm = algorithm;
        self
    }

    /// The most questions, the four about the two texts included.
    pub fn max_questions(mut self, questions: u64) -> Self {
        self.isolation.max_questions = Some(questions);
        self
    }

    /// When to stop with the nearest two variants so far.
    pub fn max_time(mut self, time: Duration) -> Self {
        self.isolation.max_time = Some(time);
        self
    }

    /// What to tell of everything that happens, as of a [reduction](crate::Reducer::watch).
    pub fn watch(mut self, watch: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Self {
        self.watcher = Some(Watcher::new(watch));
        self
    }

    /// What stops it from outside, as a [reduction](crate::Reducer::interrupt).
    pub fn interrupt(mut self, interrupt: impl Into<Arc<Interrupt>>) -> Self {
        self.interrupt = Some(interrupt.into());
        self
    }

    /// Isolates by a closure that says whether a candidate [fails](Outcome::Interesting) like the one text,
    /// [passes](Outcome::Uninteresting) like the other, or [neither](Outcome::Unresolved). It is called on this thread.
    ///
    /// # Errors
    ///
    /// [`Error::Same`] where there is no difference; [`Error::Contrary`] where one of the texts does not do what it is said
    /// to; [`Error::Flaky`] and [`Error::Wavers`] where the closure says now this and then that; [`Error::Language`].
    ///
    /// # Panics
    ///
    /// Where the closure does.
    pub fn run(&self, test: impl FnMut(&[u8]) -> Outcome) -> Result<Isolated, Error> {
        let mut executor = Closure::new(test);
        let isolated = self.run_on(&mut executor);
        if let Some(panic) = executor.panicked {
            resume_unwind(panic);
        }
        isolated
    }

    /// Isolates by what an executor says, wherever it runs the test.
    ///
    /// # Errors
    ///
    /// Those of [`run`](Self::run), and what the executor says.
    pub fn run_on(&self, executor: &mut dyn Executor) -> Result<Isolated, Error> {
        let Self { passing, failing, .. } = self;
        if passing == failing {
            let Isolation { passing, failing, .. } = self.isolation.clone();
            return Err(Error::Same { passing, failing });
        }
        let front_end = self.language.as_deref().map(FrontEnd::of_language).transpose()?;
        let isolation = Isolation { front_end, ..self.isolation.clone() };
        let deadline = isolation.max_time.and_then(|time| Instant::now().checked_add(time));
        let stop = Stop::if_asked(self.interrupt.as_deref(), deadline).map_err(Error::Workspace)?;
        let watch = &mut |event: Event<'_>| {
            self.watcher.iter().for_each(|watcher| watcher.tell(&event));
        };
        let texts = [passing.clone(), failing.clone()];
        isolate(&isolation, texts, &mut Probe::closure(), executor, &stop, watch)
    }
}
