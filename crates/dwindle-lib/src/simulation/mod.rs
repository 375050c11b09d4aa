//! A simulated world: tests that take virtual time and answer at once.
//!
//! The real [driver](crate::driver) runs in it, so a reduction with 64 tests at once can be watched
//! on two cores, and a schedule is a function of a seed. What tests answer comes from an
//! [`Oracle`]: a [structural](Structural) one answers anything, a [recorded](Recorded) one what was
//! asked in a real reduction.

mod latency;
mod oracle;

use std::collections::BTreeMap;
use std::sync::Arc;

use dwindle_core::{Origin, Outcome, Search, Vocabulary};
use serde::Serialize;

pub use latency::Latency;
pub use oracle::{Oracle, Recorded, Structural};

use crate::driver::{Candidate, Done, Finished, Job, Source, Step, Verdict, Work, World, drive};
use dwindle_read::{FrontEnd, Size};

/// A reduction as it went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// What was committed, question by question.
    pub trace: Vec<Line>,
    /// The smallest interesting candidate.
    pub result: Vec<u8>,
    /// How long it took, in microseconds of virtual time.
    pub micros: u64,
    /// The tests that were begun, also those that were cut off or never asked for.
    pub begun: u64,
    /// How long slots were in use, in microseconds: all of them together.
    pub busy: u64,
}

/// A line of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// The hash of the content.
    pub content: String,
    /// The size of the content.
    #[serde(flatten)]
    pub size: Size,
    /// What the test said.
    pub outcome: &'static str,
    /// Whether it became the smallest so far.
    pub kept: bool,
    /// Where the answer came from.
    pub from: &'static str,
    /// What the search was trying.
    pub label: &'static str,
    /// What kind of work that is.
    #[serde(skip)]
    pub origin: Origin,
}

impl Course {
    /// The trace as lines of JSON.
    pub fn json_lines(&self) -> String {
        let line = |line| serde_json::to_string(line).expect("a line holds nothing but words and numbers");
        self.trace.iter().map(|entry| line(entry) + "\n").collect()
    }

    /// How many questions it took: answers that came from a test.
    pub fn questions(&self) -> usize {
        self.trace.iter().filter(|line| line.from == "test").count()
    }
}

/// Runs `search` of `input`, which `front_end` has read, with so many tests at once, until it is over or has asked `budget`
/// questions.
pub fn simulate<S: Search, O: Oracle>(
    search: S,
    front_end: FrontEnd,
    input: &[u8],
    jobs: usize,
    budget: u64,
    oracle: O,
    latency: Latency,
) -> Course {
    let size = search.best().tokens().map_or(Size::of(input), |tokens| Size::with_tokens(input, tokens));
    let mut world = Simulation {
        oracle,
        front_end,
        vocabulary: Arc::new(Vocabulary::of(input)),
        latency,
        budget,
        now: 0,
        done: Vec::new(),
        running: BTreeMap::new(),
        course: Course { result: input.to_vec(), ..Course::default() },
    };
    let Ok(_) = drive(search, Candidate::of(input.to_vec(), size), jobs, &mut world);
    Course { micros: world.now, ..world.course }
}

struct Simulation<O> {
    oracle: O,
    front_end: FrontEnd,
    /// The words of the input.
    vocabulary: Arc<Vocabulary>,
    latency: Latency,
    /// Questions left.
    budget: u64,
    now: u64,
    done: Finished<()>,
    /// When a test will be done, when it began, and what it will have said.
    running: BTreeMap<(u64, Job), (u64, Verdict)>,
    course: Course,
}

impl<O: Oracle> World for Simulation<O> {
    type Error = std::convert::Infallible;
    type Run = ();

    fn start(&mut self, job: Job, work: Work) -> Result<(), Self::Error> {
        let done = match work {
            Work::Prepare(variant) => Done::Prepared(Candidate::new(&variant)),
            Work::Parse(variant, shape) => {
                Done::Parsed(dwindle_read::read(variant.render(), shape, self.front_end))
            }
            Work::Test(candidate) => {
                self.course.begun += 1;
                let (outcome, micros) = self.oracle.test(&candidate, self.running.len());
                let micros = micros.unwrap_or_else(|| self.latency.of(&candidate.key));
                let verdict = match outcome {
                    Outcome::Uninteresting => {
                        let evidence = self.oracle.evidence(&candidate, &self.vocabulary);
                        Verdict { evidence, ..outcome.into() }
                    }
                    Outcome::Interesting | Outcome::Unresolved => outcome.into(),
                };
                self.running.insert((self.now + micros, job), (self.now, verdict));
                return Ok(());
            }
        };
        self.done.push((job, done));
        Ok(())
    }

    fn cancel(&mut self, job: Job) {
        let (now, busy) = (self.now, &mut self.course.busy);
        self.running.retain(|&(_, other), &mut (began, _)| {
            *busy += u64::from(other == job) * (now - began);
            other != job
        });
    }

    fn wait(&mut self) -> Result<Option<Finished<()>>, Self::Error> {
        if !self.done.is_empty() {
            return Ok(Some(std::mem::take(&mut self.done)));
        }
        let Some(((time, job), (began, verdict))) = self.running.pop_first() else {
            panic!("the driver waits, but nothing is under way")
        };
        self.now = time;
        self.course.busy += time - began;
        Ok(Some(vec![(job, Done::Tested(verdict, ()))]))
    }

    fn recall(&mut self, _candidate: &Candidate) -> Option<(Verdict, Source)> {
        None
    }

    fn left(&self) -> u64 {
        self.budget
    }

    fn commit(&mut self, step: Step<'_, ()>) -> Result<(), Self::Error> {
        if matches!(step.source, Source::Test | Source::Journal) {
            self.budget -= 1;
        }
        if let Some(best) = step.best {
            self.course.result.clone_from(&best.bytes);
        }
        self.course.trace.push(Line {
            content: step.key.iter().map(|byte| format!("{byte:02x}")).collect(),
            size: step.size,
            outcome: match step.outcome {
                Outcome::Interesting => "interesting",
                Outcome::Uninteresting => "uninteresting",
                Outcome::Unresolved => "unresolved",
            },
            kept: step.best.is_some(),
            from: match step.source {
                Source::Test => "test",
                Source::Journal => "journal",
                Source::Cache => "cache",
                Source::Filter => "filter",
            },
            label: step.label,
            origin: step.origin,
        });
        Ok(())
    }

    fn spent(&mut self) {}
}
