//! The library: reductions in memory, by closures and executors.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use dwindle::core::Outcome;
use dwindle::driver::{Candidate, Job};
use dwindle::executor::Executor;
use dwindle::plan::Options;
use dwindle::probe::Probe;
use dwindle::sink::Memory;
use dwindle::store::NoStore;
use dwindle::{
    Document, End, Error, Event, External, Interrupt, Isolator, Method, Ports, Ran, Reducer, Reply, Run,
    RunEnd, Stop, Warning, reduce,
};

const TEXT: &str = "int main(void) { int x = 1, y = 2; if (x < y) { return needle(x, y); } return 0; }\n";

fn has_needle(candidate: &[u8]) -> bool {
    candidate.windows(6).any(|part| part == b"needle")
}

#[test]
fn a_closure_reduces_without_a_file_or_a_hook() {
    let reduced = Reducer::new(TEXT).name("a.c").run(has_needle).unwrap();
    assert_eq!(String::from_utf8_lossy(&reduced.bytes).trim_end(), "needle");
    let report = &reduced.report;
    assert_eq!((report.end, report.effective.reading.language), (End::Finished, Some("c")));
    assert!(report.checked && report.journal.is_none());
}

fn needs(words: &'static [&'static str]) -> impl Fn(&[u8]) -> bool {
    move |candidate| {
        words.iter().all(|word| candidate.windows(word.len()).any(|part| part == word.as_bytes()))
    }
}

/// What is left of a text when only these words are needed.
#[track_caller]
fn check_left(name: &str, text: &str, words: &'static [&'static str], left: &str) {
    let reduced = Reducer::new(text).name(name).run(needs(words)).expect("the input has the words");
    let text = String::from_utf8_lossy(&reduced.bytes).into_owned();
    assert_eq!(text.trim_end(), left);
    assert!(reduced.report.questions.total < 200, "{:?}", reduced.report.questions);
}

#[test]
fn what_a_grammar_cannot_read_is_cut_inside() {
    let yaml = "debug_394:\n  - error: start\n    index \"beta response\n  - [field, record\nstream_940\n  - warn: info\n    \
                handle: \"record buffer\"\n  - config, start] needle\nstop_223:\n  - field epsilon\n    handle: \"epsilon\n";
    check_left("a.yaml", yaml, &["needle"], "needle");
}

/// Nine functions that have a result, and an import that only their bodies use: what is soon asked about.
#[track_caller]
fn check_asked_soon(name: &str, import: &str, function: &str, emptied: &str) {
    let nine =
        |function: &str| (0..9).map(|number| function.replace('N', &number.to_string())).collect::<String>();
    let whole = format!("{import}\n{}", nine(function));
    let asked = Mutex::new(Vec::new());
    let is_whole = |candidate: &[u8]| {
        asked
            .lock()
            .expect("no thread panicked")
            .push(String::from_utf8_lossy(candidate).split_whitespace().collect::<Vec<_>>().join(" "));
        candidate == whole.as_bytes()
    };
    Reducer::new(&*whole).name(name).run(is_whole).expect("the input is interesting");
    let asked = asked.into_inner().expect("no thread panicked");
    assert!(asked[..4].iter().any(|text| text == nine(emptied).trim_end()), "{:?}", &asked[..4]);
}

#[test]
fn functions_that_must_end_with_their_results_lose_their_bodies_at_first() {
    let rust = "fn fN(x: u8) -> u8 {\n let y = g(x);\n y\n}\n";
    check_asked_soon("a.rs", "use a::g;", rust, "fn fN(x: u8) -> u8 { loop { } } ");
    let go = "func fN(x int) int {\n y := g.a(x)\n return y\n}\n";
    check_asked_soon("a.go", "import \"g\"", go, "func fN(x int) int { for { } } ");
    let java = "class CN { int h(int x) {\n return a.b(x);\n} }\n";
    check_asked_soon("a.java", "import g.a;", java, "class CN { int h(int x) { throw null ; } } ");
}

#[test]
fn what_is_needed_of_a_comment_stays_alone() {
    let json = "[1, 2,\n /*) one two;\n three needle four\n five\n six */ 3]\n";
    check_left("a.json", json, &["/*", "needle", "*/"], "[\n /*) ;\n needle \n  */ 0");
    let c = "int a; // one\n// two\n// three needle four\n// five\nint b;\n";
    check_left("a.c", c, &["//", "needle", "b"], "; // \n// needle \nint b");
}

#[test]
fn short_tokens_lose_words() {
    check_left(
        "a.md",
        "# One\n\nFour needle\nfive *six* pin seven\neight\n",
        &["needle", "pin"],
        "needle\npin",
    );
}

#[test]
fn a_name_that_is_introduced_everywhere_takes_linear_time() {
    let text = ["a ".repeat(60_000), "needle\n".to_owned()].concat();
    let reduced = Reducer::new(text).name("a.c").run(has_needle).unwrap();
    assert_eq!(reduced.bytes, b"needle\n");
}

#[test]
fn while_the_input_is_read_that_is_what_is_being_done() {
    let labels = Arc::new(Mutex::new(Vec::new()));
    let noted = labels.clone();
    let watch = move |event: &Event<'_>| {
        if let Event::Draft { progress, .. } = event {
            noted.lock().unwrap().push(progress.label);
        }
    };
    Reducer::new(TEXT).name("a.c").watch(watch).run(has_needle).unwrap();
    assert_eq!(labels.lock().unwrap().first(), Some(&"reading"));
}

#[test]
fn the_closure_is_asked_as_often_as_is_reported() {
    let mut asked = 0;
    let reduced = Reducer::new(TEXT).run(|candidate| {
        asked += 1;
        has_needle(candidate)
    });
    assert_eq!(reduced.unwrap().report.questions.total, asked);
}

#[test]
fn what_a_closure_refuses_or_takes_back_is_an_error() {
    assert!(matches!(Reducer::new("a").run(|_| false), Err(Error::NotInteresting { .. })));
    let mut asked = 0;
    let once = Reducer::new("a").run(|_| {
        asked += 1;
        asked == 1
    });
    assert!(matches!(once, Err(Error::Flaky { .. })));
    let mut asked = 0;
    let breaks = Reducer::new(TEXT).run(|_| {
        asked += 1;
        asked < 4
    });
    assert!(matches!(breaks, Err(Error::Unstable { .. })), "{breaks:?}");
    assert!(matches!(Reducer::new("a").language("none").run(|_| true), Err(Error::Language(_))));
}

#[test]
fn a_panic_of_the_closure_is_one_of_the_caller() {
    let mut asked = 0;
    let run = || {
        Reducer::new(TEXT).run(|_| {
            asked += 1;
            assert!(asked < 5, "on purpose");
            true
        })
    };
    let panic = catch_unwind(AssertUnwindSafe(run)).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"on purpose"));
}

#[test]
fn a_budget_ends_it_with_the_best_so_far() {
    let reduced = Reducer::new(TEXT).max_questions(6).run(has_needle).unwrap();
    assert_eq!((reduced.report.end, reduced.report.questions.total), (End::MaxQuestions, 6));
    assert!(has_needle(&reduced.bytes) && reduced.bytes.len() < TEXT.len());
    let slow = |candidate: &[u8]| {
        thread::sleep(Duration::from_millis(20));
        has_needle(candidate)
    };
    let reduced = Reducer::new(TEXT.repeat(50)).max_time(Duration::from_millis(200)).run(slow).unwrap();
    assert_eq!(reduced.report.end, End::MaxTime);
    assert!(has_needle(&reduced.bytes));
}

/// Machines somewhere else: answers come late and in another order, and every third one is lost at first.
struct Elsewhere {
    machines: usize,
    asked: u64,
    /// Whether what is lost is asked again.
    repeats: bool,
}

impl Executor for Elsewhere {
    fn slots(&self) -> usize {
        self.machines
    }

    fn run(&mut self, _: Job, candidate: &Arc<Candidate>, _: Duration, reply: Reply) -> io::Result<()> {
        self.asked += 1;
        let (candidate, asked) = (candidate.clone(), self.asked);
        let (lost, repeats) = (asked.is_multiple_of(3), self.repeats);
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(asked * 7 % 5));
            if lost && !repeats {
                return;
            }
            let end = RunEnd::Exited(i32::from(!has_needle(&candidate.bytes)));
            let run = Run::ended(end, Vec::new(), 0.001);
            reply.send(Ok(Ran { run, said: Vec::new() }));
        });
        Ok(())
    }

    fn cancel(&mut self, _: Job) {}
}

#[test]
fn tests_can_run_elsewhere_with_the_same_result() {
    let here = Reducer::new(TEXT).name("a.c").run(has_needle).unwrap();
    for machines in [1, 2, 7] {
        let mut elsewhere = Elsewhere { machines, asked: 0, repeats: true };
        let there = Reducer::new(TEXT).name("a.c").run_on(&mut elsewhere).unwrap();
        assert_eq!(there.bytes, here.bytes);
        assert_eq!(there.report.questions, here.report.questions);
        assert_eq!(there.report.jobs, machines);
    }
}

/// Machines somewhere else, whose tests are said to take so many seconds; what is more passes on the way.
struct Far {
    seconds: f64,
}

impl Executor for Far {
    fn slots(&self) -> usize {
        2
    }

    fn slots_here(&self) -> Option<usize> {
        Some(2)
    }

    fn run(&mut self, _: Job, candidate: &Arc<Candidate>, _: Duration, reply: Reply) -> io::Result<()> {
        let end = RunEnd::Exited(i32::from(!has_needle(&candidate.bytes)));
        reply.send(Ok(Ran { run: Run::ended(end, Vec::new(), self.seconds), said: Vec::new() }));
        Ok(())
    }

    fn cancel(&mut self, _: Job) {}
}

#[test]
fn whoever_watches_hears_once_that_tests_would_be_faster_here() {
    // Any way is longer than no time at all, and none is longer than an hour.
    for (seconds, expected) in [(0.0, 1), (3600.0, 0)] {
        let told = Arc::new(Mutex::new(0));
        let count = told.clone();
        let reducer = Reducer::new(TEXT).name("a.c").watch(move |event| {
            if let Event::Warning(Warning::SlowerElsewhere { .. }) = event {
                *count.lock().unwrap() += 1;
            }
        });
        let reduced = reducer.run_on(&mut Far { seconds }).unwrap();
        assert!(reduced.report.questions.total > 20, "{}", reduced.report.questions.total);
        assert_eq!(*told.lock().unwrap(), expected, "{seconds} s");
    }
}

#[test]
fn what_ran_for_nothing_is_told_where_tests_run_beside_each_other() {
    for machines in [1, 7] {
        let mut elsewhere = Elsewhere { machines, asked: 0, repeats: true };
        let report = Reducer::new(TEXT).name("a.c").run_on(&mut elsewhere).unwrap().report;
        match report.discarded_per_needed {
            None => assert_eq!((machines, report.discarded), (1, 0)),
            Some(each) => {
                let needed = report.discarded as f64 / each;
                assert!(machines == 7 && (needed - needed.round()).abs() < 1e-6, "{each}");
                assert!(needed <= report.questions.total as f64, "{needed}");
            }
        }
    }
}

#[test]
fn a_reduction_can_be_put_together_by_hand() {
    let document = Document::file("a.c", 0o644, TEXT.into());
    let (mut probe, mut sink, stop) = (Probe::closure(), Memory::default(), Stop::never());
    let mut executor = Elsewhere { machines: 2, asked: 0, repeats: true };
    let mut store = NoStore::new(document.bytes());
    let mut kept = 0;
    let ports = Ports::new(&mut probe, &mut executor, &mut sink, &mut store, &stop);
    let watch = &mut |event: Event<'_>| kept += u32::from(matches!(event, Event::Kept { .. }));
    let report = reduce(&document, &Options::default(), ports, watch).unwrap();
    assert_eq!(sink.best, Reducer::new(TEXT).name("a.c").run(has_needle).unwrap().bytes);
    assert_eq!(report.after.bytes, sink.best.len() as u64);
    assert!(kept > 0);
}

#[test]
fn an_answer_that_is_lost_is_an_error_and_not_waited_for() {
    for machines in [1, 3] {
        let mut elsewhere = Elsewhere { machines, asked: 0, repeats: false };
        let error = Reducer::new(TEXT).run_on(&mut elsewhere).unwrap_err();
        assert!(matches!(&error, Error::Internal { what, .. } if what == "a job was lost"), "{error}");
    }
}

#[test]
fn a_pass_of_the_caller_is_asked_until_it_offers_nothing_smaller() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = asked.clone();
    let shorten = move |text: &[u8]| {
        seen.lock().unwrap().push(text.to_vec());
        let shorter = text.strip_suffix(b"x").map(<[u8]>::to_vec);
        // Neither the same nor something larger is asked about.
        [Some([text, b"y"].concat()), shorter, Some(text.to_vec())].into_iter().flatten().collect()
    };
    let mut candidates = Vec::new();
    let reducer = Reducer::new("needlexxx").method(Method::named("lines", None).unwrap()).pass(shorten);
    let reduced = reducer.run(|candidate| {
        candidates.push(candidate.to_vec());
        candidate.starts_with(b"needlex")
    });
    let reduced = reduced.unwrap();
    assert_eq!(reduced.bytes, b"needlex");
    assert_eq!(*asked.lock().unwrap(), [&b"needlexxx"[..], b"needlexx", b"needlex"]);
    assert!(candidates.iter().all(|candidate| candidate.len() <= 9 && !candidate.contains(&b'y')));
    let External { runs, taken, .. } = reduced.report.external;
    assert_eq!((runs, taken), (3, 2));
}

#[test]
fn a_pass_that_panics_ends_it_with_an_error() {
    let reducer = Reducer::new(TEXT).pass(|_| panic!("on purpose"));
    let error = reducer.run(has_needle).unwrap_err();
    assert!(matches!(&error, Error::Internal { what, .. } if what == "on purpose"), "{error}");
}

#[test]
fn whoever_watches_is_told_of_every_question_and_every_step() {
    let told = Arc::new(Mutex::new((0, Vec::new())));
    let seen = told.clone();
    let reducer = Reducer::new(TEXT).name("a.c").watch(move |event| match event {
        Event::Asked { .. } => seen.lock().unwrap().0 += 1,
        Event::Kept { text, .. } => seen.lock().unwrap().1 = text.to_vec(),
        _ => {}
    });
    let reduced = reducer.run(has_needle).unwrap();
    assert_eq!(*told.lock().unwrap(), (reduced.report.questions.total, reduced.bytes));
}

#[test]
fn an_interrupt_ends_it_with_the_best_so_far_also_beside_a_time_limit() {
    for max_time in [None, Some(Duration::from_secs(60))] {
        let (mut interrupter, interrupt) = Interrupt::new().unwrap();
        let reducer = Reducer::new(TEXT).interrupt(interrupt);
        let reducer = max_time.into_iter().fold(reducer, Reducer::max_time);
        let mut asked = 0;
        let reduced = reducer.run(|candidate| {
            asked += 1;
            if asked == 8 {
                interrupter.interrupt().unwrap();
            }
            has_needle(candidate)
        });
        let reduced = reduced.unwrap();
        assert_eq!((reduced.report.end, asked), (End::Interrupted, 8));
        assert!(has_needle(&reduced.bytes) && reduced.bytes.len() < TEXT.len());
    }
}

#[test]
fn two_texts_are_isolated_by_a_closure_of_three_outcomes() {
    let (passing, failing) = ("f(a);\ng(b);\nh(c);\n", "f(1);\ng(2);\nh(3);\n");
    let has = |text: &[u8], part: u8| text.contains(&part);
    let mut asked = 0;
    let isolated = Isolator::new(passing, failing).name("a.c").run(|text| {
        asked += 1;
        match (has(text, b'1'), has(text, b'2')) {
            (true, false) => Outcome::Unresolved,
            (_, true) => Outcome::Interesting,
            _ => Outcome::Uninteresting,
        }
    });
    let isolated = isolated.unwrap();
    assert_eq!((isolated.left, isolated.language, isolated.questions.total), (1, Some("c"), asked));
    assert!(has(&isolated.texts.failing, b'2') && !has(&isolated.texts.passing, b'2'));

    let run = |passing, failing, outcome| Isolator::new(passing, failing).run(|_| outcome);
    assert!(matches!(run("a", "a", Outcome::Interesting), Err(Error::Same { .. })));
    assert!(matches!(run("a", "b", Outcome::Interesting), Err(Error::Contrary { fails: false, .. })));
    assert!(matches!(run("a", "b", Outcome::Uninteresting), Err(Error::Contrary { fails: true, .. })));
    let panics = || Isolator::new("a", "b").run(|_| panic!("on purpose"));
    assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
}
