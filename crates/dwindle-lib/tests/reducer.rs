//! The library: reductions in memory, by closures and executors.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use dwindle::driver::{Candidate, Job};
use dwindle::executor::Executor;
use dwindle::plan::Options;
use dwindle::probe::Probe;
use dwindle::sink::Memory;
use dwindle::store::NoStore;
use dwindle::{Document, End, Error, Event, Ports, Ran, Reducer, Reply, Run, RunEnd, Stop, reduce};

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
