//! The driver: runs a [`Search`] against a [`World`] until it is over, many tests at once, with a
//! trace that does not depend on how many.
//!
//! The search is a sequential machine. While a test runs, the driver clones the machine, tells the
//! clone what the outcome will probably be and finds the question that would come next; the clones
//! form a tree (`speculation.rs`), in which the questions that are most probably asked are tested
//! first, as many as there are jobs. When the outcome of the question at the root is known, the
//! root moves to the child of that outcome: this is a *commit*. Outcomes of finished tests are
//! kept by content, so what was tested ahead and comes to be asked is answered at once, and what no
//! branch asks for any more is killed.
//!
//! Only commits are seen by the search, the result file and whoever watches, so the number of jobs
//! and the time that tests take change nothing but how long it all takes.

mod candidate;
mod forecast;
mod questions;
mod speculation;
mod world;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use dwindle_core::{Answer, Outcome, Search};

pub use candidate::{Candidate, ContentKey};
use forecast::Forecast;
use questions::{Questions, State};
use speculation::{Asked, Place, Speculation, Wanted};
pub use world::{Done, Finished, Job, Source, Step, Traced, Verdict, Work, World};

/// How a search ended.
#[derive(Clone, Debug)]
pub struct Ended<S> {
    /// Whether it came to its end, or was stopped by the world.
    pub finished: bool,
    /// The search as it ended.
    pub search: S,
}

/// Runs `search` to its end, starting from the interesting `input`, with `jobs` tests at once.
///
/// An interesting candidate that is not smaller than the [base](Search::best) in the order of
/// [`Size::compare`](dwindle_read::Size::compare) (a byte less can be a token more) is told to the search as
/// uninteresting, so results only shrink, unless the search [wants it](Search::wants_smaller) as it is. A test that ran over its time or was killed beside others is run
/// again alone before that counts.
pub fn drive<S: Search, W: World>(
    search: S,
    input: Candidate,
    jobs: usize,
    world: &mut W,
) -> Result<Ended<S>, W::Error> {
    assert!(jobs > 0, "somebody must run the tests");
    let speculation = Speculation::new(search);
    let mut questions = Questions::default();
    questions.insert_input(speculation.root().base, &input);
    Driver {
        world,
        jobs,
        speculation,
        questions,
        forecast: Forecast::default(),
        running: BTreeMap::new(),
        next: 0,
        best: input,
    }
    .run()
}

struct Driver<'w, S, W: World> {
    world: &'w mut W,
    jobs: usize,
    speculation: Speculation<S>,
    questions: Questions<W::Run>,
    forecast: Forecast,
    running: BTreeMap<Job, Running>,
    next: Job,
    /// The smallest interesting candidate.
    best: Candidate,
}

/// A test that runs.
struct Running {
    key: ContentKey,
    /// Whether another one ran at some time while it did.
    beside: bool,
    /// Whether no other may.
    alone: bool,
}

impl<S: Search, W: World> Driver<'_, S, W> {
    fn run(mut self) -> Result<Ended<S>, W::Error> {
        loop {
            if self.world.skips() && self.speculation.skip() {
                self.world.skipped();
            }
            while let Some(answer) = self.answer()? {
                self.speculation.advance(answer);
            }
            match self.speculation.root().asked {
                Asked::Done => break,
                Asked::Test(key, _) if self.world.left() == 0 && self.questions.is_new(key) => {
                    self.world.spent();
                    return Ok(self.stop(false));
                }
                _ => {}
            }
            self.look_ahead()?;
            let Some(done) = self.world.wait()? else { return Ok(self.stop(false)) };
            done.into_iter().for_each(|(job, done)| self.take(job, done));
        }
        Ok(self.stop(true))
    }

    /// Ends all that runs.
    fn stop(mut self, finished: bool) -> Ended<S> {
        while let Some((job, _)) = self.running.pop_first() {
            self.world.cancel(job);
        }
        Ended { finished, search: self.speculation.into_search() }
    }

    /// The answer to the question at the root, committed, if it is known.
    fn answer(&mut self) -> Result<Option<Answer>, W::Error> {
        let root = self.speculation.root();
        let (variant, variant_key) = match &root.asked {
            Asked::Test(key, variant) => (variant, *key),
            Asked::Parse(key, _, shape) => {
                let answer = self.questions.parsed(*key, *shape);
                if let Some(Answer::Unreadable(why)) = &answer {
                    self.world.unreadable(why);
                }
                return Ok(answer);
            }
            Asked::Done => return Ok(None),
        };
        if self.world.left() == 0 && self.questions.is_new(variant_key) {
            return Ok(None);
        }
        let Some((key, size)) = self.questions.form(variant_key) else { return Ok(None) };
        self.questions.ensure_form(root.base, root.search.best());
        let Some(told) = self.speculation.foreseen_at_root(&self.questions) else { return Ok(None) };
        let Some(in_base) = self.questions.form(root.base) else { return Ok(None) };
        let (origin, label) = (root.search.origin(), root.search.label());
        let State::Known(outcome) = self.questions.state(key) else { return Ok(None) };
        let smaller = matches!(told, Answer::Outcome(Outcome::Interesting));
        let sight = root.sight;
        let (list, base) = match self.world.traces() {
            true => (root.search.list(), root.search.best().tokens()),
            false => (None, None),
        };
        let content = self.questions.content_mut(key);
        let source = content.source();
        let is_new = !content.committed;
        content.committed = true;
        let (run, candidate) = (content.run.take(), content.candidate.take());
        let traced = self.world.traces().then(|| {
            let render = || Arc::new(Candidate::new(variant));
            let candidate = is_new.then(|| candidate.clone().unwrap_or_else(render));
            Traced { list, base, candidate, accepted: smaller }
        });
        if in_base.0 == self.best.key {
            // Read anew, it may have more tokens than it had as a part of the text before, and what is smaller than that is
            // smaller.
            self.best.size = in_base.1;
        }
        let mut best = false;
        if smaller && (size.tokens, size.bytes) <= (self.best.size.tokens, self.best.size.bytes) {
            let candidate = candidate.map_or_else(|| Candidate::new(variant), Arc::unwrap_or_clone);
            best = candidate.is_smaller_than(&self.best);
            if best {
                self.best = candidate;
            }
        }
        if let (Source::Test | Source::Journal, Some(sight)) = (source, sight) {
            self.forecast.learn(sight, smaller);
        }
        let best = best.then_some(&self.best);
        self.world.commit(Step {
            key,
            size,
            outcome,
            source,
            run,
            base: in_base,
            best,
            origin,
            label,
            traced,
        })?;
        Ok(Some(told))
    }

    /// Finds what is to be done next and starts it.
    fn look_ahead(&mut self) -> Result<(), W::Error> {
        if self.running.values().any(|test| test.alone) {
            return Ok(());
        }
        if let Some(key) = self.suspect().filter(|&key| self.questions.is_testable(key)) {
            // The others end first, and nothing new begins beside them.
            if self.running.is_empty() {
                self.test(key, true)?;
            }
            return Ok(());
        }
        // Twice as many as can run, so that candidates are rendered before their turn comes, and
        // tests that were begun and have become a little less probable go on.
        let left = usize::try_from(self.world.left()).unwrap_or(usize::MAX).max(1);
        let limit = (2 * self.jobs).min(left);
        let wanted = self.speculation.wanted(&self.questions, &self.forecast, limit);
        let mut ranked = HashMap::new();
        for (rank, &wanted) in wanted.iter().enumerate() {
            match wanted {
                Wanted::Test(key) => drop(ranked.entry(key).or_insert(rank)),
                Wanted::Prepare(place) => self.prepare(place)?,
                Wanted::Preparing => {}
            }
        }
        self.questions.hold_only(&ranked);
        let ranks: Vec<(Job, Option<usize>)> =
            self.running.iter().map(|(&job, test)| (job, ranked.get(&test.key).copied())).collect();
        for &(job, _) in ranks.iter().filter(|(_, rank)| rank.is_none()) {
            self.cancel(job);
        }
        // What is about to be prepared will need its slot in a moment.
        for (rank, &wanted) in wanted.iter().enumerate().take(self.jobs) {
            let Wanted::Test(key) = wanted else { continue };
            if !matches!(self.questions.state(key), State::Untested) {
                continue;
            }
            if self.running.len() == self.jobs {
                let running = ranks.iter().filter(|(job, _)| self.running.contains_key(job));
                match running.max_by_key(|(_, rank)| *rank) {
                    Some(&(job, other)) if other > Some(rank) => self.cancel(job),
                    _ => break,
                }
            }
            self.test(key, false)?;
        }
        Ok(())
    }

    /// What the root asks about, if that ran over its time or was killed beside others.
    fn suspect(&self) -> Option<ContentKey> {
        let Asked::Test(key, _) = self.speculation.root().asked else { return None };
        let (key, _) = self.questions.form(key)?;
        matches!(self.questions.state(key), State::Suspect).then_some(key)
    }

    fn job(&mut self) -> Job {
        self.next += 1;
        self.next
    }

    fn prepare(&mut self, place: Place) -> Result<(), W::Error> {
        let job = self.job();
        let work = match &self.speculation.at(place).asked {
            Asked::Test(key, variant) => {
                self.questions.preparing(*key, job);
                Work::Prepare(variant.clone())
            }
            Asked::Parse(key, variant, shape) => {
                self.questions.parsing(*key, *shape, job);
                Work::Parse(variant.clone(), *shape)
            }
            Asked::Done => return Ok(()),
        };
        self.world.start(job, work)
    }

    fn test(&mut self, key: ContentKey, alone: bool) -> Result<(), W::Error> {
        let job = self.job();
        let Some(candidate) = self.questions.testing(key, job) else { return Ok(()) };
        self.running.values_mut().for_each(|test| test.beside = true);
        self.running.insert(job, Running { key, beside: !self.running.is_empty(), alone });
        self.world.start(job, Work::Test(candidate))
    }

    fn cancel(&mut self, job: Job) {
        if let Some(test) = self.running.remove(&job) {
            self.questions.cancelled(test.key);
            self.world.cancel(job);
        }
    }

    fn take(&mut self, job: Job, done: Done<W::Run>) {
        match done {
            Done::Prepared(candidate) => {
                let recalled = self.world.recall(&candidate);
                self.questions.prepared(job, candidate, recalled);
            }
            Done::Parsed(answer) => self.questions.parse_done(job, answer),
            Done::Tested(verdict, run) => {
                let beside = self.running.remove(&job).is_some_and(|test| test.beside);
                let other = self.questions.tested(job, verdict, run, beside);
                // It was cancelled, ended all the same, and had been begun again.
                if let Some(other) = other.filter(|&other| other != job) {
                    self.running.remove(&other);
                    self.world.cancel(other);
                }
            }
            Done::Cancelled => self.questions.forget(job),
        }
    }
}
