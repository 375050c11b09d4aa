//! Searches learn what refused tests print, whatever is tested ahead and whoever continues a run.

use std::collections::HashMap;
use std::sync::Arc;

use dwindle::core::passes::Schedule;
use dwindle::core::{
    Answer, Ask, Evidence, Format, MinimizerConfig, MinimizerKind, Outcome, PersesReducer, Search, Shape,
    Text, Variant, Vocabulary,
};
use dwindle::driver::{
    Candidate, ContentKey, Done, Finished, Job, Source, Step, Verdict, Work, World, drive,
};
use dwindle::journal::KnownOutcome;
use dwindle::plan::{Options, plan};
use dwindle::read::{self, FrontEnd};
use dwindle::simulation::{Course, Latency, Oracle, Recorded, simulate};
use dwindle::{Document, Method, Size};

/// Deletes one line after the other, and where the test refuses that, all lines with it that hold what
/// the test names.
#[derive(Clone)]
struct Learner {
    best: Variant,
    next: usize,
    /// The candidate and whether it is a second one for the line.
    asked: Option<(Variant, bool)>,
}

impl Learner {
    fn new(text: Arc<Text>) -> Self {
        let mut learner = Self { best: Variant::whole(text), next: 0, asked: None };
        learner.go_on();
        learner
    }

    fn go_on(&mut self) {
        self.asked = self.best.kept.next_from(self.next).map(|line| {
            self.next = line + 1;
            let mut variant = self.best.clone();
            variant.kept.remove(line);
            (variant, false)
        });
    }

    /// The candidate without the lines that the evidence names.
    fn repaired(&self, evidence: &Evidence) -> Option<Variant> {
        let (asked, false) = self.asked.as_ref()? else { return None };
        let named = |line: usize| {
            let piece = String::from_utf8_lossy(asked.text.piece(line)).into_owned();
            evidence.words().any(|word| piece.split_whitespace().any(|other| other.as_bytes() == word))
        };
        let mut variant = asked.clone();
        asked.kept.iter().filter(|&line| named(line)).for_each(|line| variant.kept.remove(line));
        (variant.kept != asked.kept).then_some(variant)
    }
}

impl Search for Learner {
    fn ask(&self) -> Ask {
        self.asked.as_ref().map_or(Ask::Done, |(variant, _)| Ask::Test(variant.clone()))
    }

    fn tell(&mut self, answer: Answer) {
        match answer {
            Answer::Refused(evidence) => {
                let repaired = self.repaired(&evidence).expect("it learns from what it is told");
                self.asked = Some((repaired, true));
                return;
            }
            Answer::Outcome(Outcome::Interesting) => self.best = self.asked.take().expect("it asked").0,
            _ => {}
        }
        self.go_on();
    }

    fn best(&self) -> &Variant {
        &self.best
    }

    fn label(&self) -> &'static str {
        "lines"
    }

    fn learns_from(&self, evidence: &Evidence) -> bool {
        self.repaired(evidence).is_some()
    }
}

/// Lines that each introduce a name and use earlier ones.
fn front_end() -> FrontEnd {
    FrontEnd::named("c").expect("it is known")
}

fn program() -> Vec<u8> {
    let line = |i: usize| match i % 5 {
        0 => format!("def n{i} ;\n"),
        1 | 2 => format!("def n{i} uses n{} ;\n", i - 1),
        _ => format!("def n{i} uses n{} n{} ;\n", i / 2, i - 2),
    };
    (0..40).map(line).collect::<String>().into_bytes()
}

fn learner(input: &[u8]) -> Learner {
    match read::read(input.to_vec(), Shape::Pieces(Format::Lines), front_end()) {
        Answer::Text(text) => Learner::new(text),
        other => panic!("lines are read as {other:?}"),
    }
}

/// Refuses a program with a name that is not introduced, or without `n33`, and says what is missing
/// where: unless it is silent.
#[derive(Clone)]
struct Compiler {
    silent: bool,
    runs: u32,
}

impl Compiler {
    fn errors(&self, bytes: &[u8]) -> String {
        let text = String::from_utf8_lossy(bytes);
        let defined = |name: &str| text.contains(&format!("def {name} "));
        let mut errors = String::new();
        for line in text.lines() {
            let mut words = line.split_whitespace().skip(1);
            let name = words.next().unwrap_or_default();
            for used in words.filter(|word| word.starts_with('n') && !defined(word)) {
                errors += &format!("process {}: error in {name}: {used} is missing\n", self.runs);
            }
        }
        errors
    }
}

impl Oracle for Compiler {
    fn test(&mut self, candidate: &Candidate, _beside: usize) -> (Outcome, Option<u64>) {
        self.runs += 1;
        let needed = candidate.bytes.windows(8).any(|window| window == b"def n33 ");
        let good = needed && self.errors(&candidate.bytes).is_empty();
        (if good { Outcome::Interesting } else { Outcome::Uninteresting }, None)
    }

    fn evidence(&mut self, candidate: &Candidate, vocabulary: &Arc<Vocabulary>) -> Evidence {
        if self.silent {
            return Evidence::default();
        }
        Evidence::in_output(vocabulary, self.errors(&candidate.bytes).as_bytes())
    }
}

/// Answers this or that by the hash of the content, and names what it likes.
#[derive(Clone)]
struct Arbitrary;

impl Oracle for Arbitrary {
    fn test(&mut self, candidate: &Candidate, _beside: usize) -> (Outcome, Option<u64>) {
        let outcome = match candidate.key[0] {
            ..100 => Outcome::Interesting,
            250.. => Outcome::Unresolved,
            _ => Outcome::Uninteresting,
        };
        (outcome, None)
    }

    fn evidence(&mut self, candidate: &Candidate, vocabulary: &Arc<Vocabulary>) -> Evidence {
        let output = format!("n{} and n{}", candidate.key[1] % 80, candidate.key[2] % 80);
        Evidence::in_output(vocabulary, output.as_bytes())
    }
}

const TALKING: Compiler = Compiler { silent: false, runs: 0 };
const SILENT: Compiler = Compiler { silent: true, runs: 0 };

fn course(search: impl Search, oracle: impl Oracle, jobs: usize) -> Course {
    let latency = Latency::LongTailed { min: 100, max: 100_000, seed: jobs as u64 };
    simulate(search, front_end(), &program(), jobs, 10_000, oracle, latency)
}

#[test]
fn what_a_refusal_names_changes_what_is_asked_next() {
    let learner = || learner(&program());
    let (talking, silent) = (course(learner(), TALKING, 1), course(learner(), SILENT, 1));
    assert!(talking.result.len() < silent.result.len());
}

#[test]
fn traces_of_a_search_that_learns_are_the_same_at_every_job_count() {
    fn check(oracle: impl Oracle + Clone) {
        let alone = course(learner(&program()), oracle.clone(), 1);
        assert_eq!(alone.begun as usize, alone.questions());
        for jobs in [2, 8, 64] {
            let course = course(learner(&program()), oracle.clone(), jobs);
            assert_eq!(course.json_lines(), alone.json_lines(), "{jobs} jobs");
            assert_eq!(course.result, alone.result);
        }
    }
    check(TALKING);
    check(Arbitrary);
}

#[test]
fn searches_that_do_not_learn_do_not_hear_what_is_said() {
    let input = program();
    for method in [Method::Perses(PersesReducer::PersesPlus), Method::LinesThenTokens] {
        let mut options = Options::new(method);
        options.minimizer = MinimizerConfig::new(MinimizerKind::Dfs);
        options.schedule = Schedule::only(&[]);
        let search = plan(&Document::file("a.c", 0, input.clone()), &options).search;
        for jobs in [1, 8] {
            let [talking, silent] = [TALKING, SILENT].map(|compiler| {
                simulate(search.clone(), front_end(), &input, jobs, 200, compiler, Latency::Fixed(9))
            });
            assert_eq!(talking, silent, "{method:?}");
        }
    }
}

/// A world that answers at once and remembers, as one with a journal does.
struct Remembering<O> {
    oracle: O,
    vocabulary: Arc<Vocabulary>,
    known: HashMap<ContentKey, Verdict>,
    /// Questions that a test may answer.
    left: u64,
    done: Finished<()>,
    trace: Vec<(ContentKey, Outcome)>,
}

impl<O: Oracle> World for Remembering<O> {
    type Error = std::convert::Infallible;
    type Run = ();

    fn start(&mut self, job: Job, work: Work) -> Result<(), Self::Error> {
        let done = match work {
            Work::Prepare(variant) => Done::Prepared(Candidate::new(&variant)),
            Work::Parse(variant, shape) => Done::Parsed(read::read(variant.render(), shape, front_end())),
            Work::Test(candidate) => {
                let (outcome, _) = self.oracle.test(&candidate, 0);
                let verdict = match outcome {
                    Outcome::Uninteresting => {
                        let evidence = self.oracle.evidence(&candidate, &self.vocabulary);
                        Verdict { evidence, ..outcome.into() }
                    }
                    _ => outcome.into(),
                };
                self.known.insert(candidate.key, verdict.clone());
                Done::Tested(verdict, ())
            }
        };
        self.done.push((job, done));
        Ok(())
    }

    fn cancel(&mut self, _job: Job) {}

    fn wait(&mut self) -> Result<Option<Finished<()>>, Self::Error> {
        Ok(Some(std::mem::take(&mut self.done)))
    }

    fn recall(&mut self, candidate: &Candidate) -> Option<(Verdict, Source)> {
        Some((self.known.get(&candidate.key)?.clone(), Source::Journal))
    }

    fn left(&self) -> u64 {
        self.left
    }

    fn commit(&mut self, step: Step<'_, ()>) -> Result<(), Self::Error> {
        self.left -= u64::from(step.source == Source::Test);
        self.trace.push((step.key, step.outcome));
        Ok(())
    }

    fn spent(&mut self) {}
}

#[test]
fn a_run_that_is_continued_knows_what_refusals_named() {
    let input = program();
    let run = |oracle: Compiler, known: &HashMap<ContentKey, Verdict>, left| {
        let vocabulary = Arc::new(Vocabulary::of(&input));
        let mut world = Remembering {
            oracle,
            vocabulary,
            known: known.clone(),
            left,
            done: Vec::new(),
            trace: Vec::new(),
        };
        let candidate = Candidate::of(input.clone(), Size::of(&input));
        let Ok(ended) = drive(learner(&input), candidate, 1, &mut world);
        (ended.finished, world)
    };
    let (finished, whole) = run(TALKING, &HashMap::new(), 1000);
    assert!(finished);
    let (finished, cut) = run(TALKING, &HashMap::new(), 20);
    assert!(!finished && cut.trace == whole.trace[..20]);
    let (_, continued) = run(TALKING, &cut.known, 1000);
    assert_eq!(continued.trace, whole.trace);
    assert_eq!(continued.oracle.runs + cut.oracle.runs, whole.oracle.runs);

    // A recording, whose words stand there as numbers, answers as the test did.
    let known = |verdict: &Verdict| KnownOutcome {
        outcome: verdict.outcome,
        seconds: 0.001,
        runs: 1,
        words: verdict.evidence.numbers().into(),
    };
    let recorded = Recorded::new(whole.known.iter().map(|(&key, verdict)| (key, known(verdict))).collect());
    assert_eq!(course(learner(&input), recorded, 8).trace, course(learner(&input), TALKING, 1).trace);
}
