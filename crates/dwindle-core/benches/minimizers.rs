//! What a question and a clone of each minimiser cost over 200,000 elements.
//!
//! A question is one `ask` and one `tell`, averaged over the questions 1-2,000 (`first`) or over
//! 2,000 questions after the 20,000th (`later`; the whole search starts again where it ends
//! sooner). The answers are recorded beforehand, so no oracle is measured. 17 elements are needed,
//! or 1 %.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use dwindle_core::minimizers::{AfterSuccess, Ddmin, DdminOptions};
use dwindle_core::{AnyMinimizer, Minimizer, MinimizerConfig, MinimizerKind, Outcome};

const N: usize = 200_000;
const MEASURED: usize = 2_000;

fn machines() -> Vec<(String, AnyMinimizer)> {
    let weights: Vec<u32> = (0..N as u32).map(|i| 1 + i * 7919 % 50).collect();
    let mut machines: Vec<(String, AnyMinimizer)> = MinimizerKind::ALL
        .map(|kind| (kind.name().to_owned(), MinimizerConfig::new(kind).start(&weights)))
        .into();
    let random = MinimizerConfig { random: true, ..MinimizerConfig::new(MinimizerKind::ProbDd) };
    machines.push(("probdd-random".to_owned(), random.start(&weights)));
    let continuing = DdminOptions { after_success: AfterSuccess::Continue, ..DdminOptions::default() };
    machines.push(("ddmin-continue".to_owned(), AnyMinimizer::Ddmin(Ddmin::new(N, continuing))));
    machines
}

fn needed(count: usize) -> Vec<usize> {
    (1..=count as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) % N as u64) as usize).collect()
}

/// Answers up to `count` questions and returns the answers.
fn drive(machine: &mut AnyMinimizer, needed: &[usize], count: usize) -> Vec<Outcome> {
    let mut answers = Vec::new();
    while answers.len() < count
        && let Some(candidate) = machine.ask()
    {
        let interesting = needed.iter().all(|&position| candidate.contains(position));
        let outcome = if interesting { Outcome::Interesting } else { Outcome::Uninteresting };
        answers.push(outcome);
        machine.tell(outcome);
    }
    answers
}

/// The time of `questions` average questions. The first ones of a search can cost thousands of times
/// the later ones, so all of `answers` are always given and the time is scaled.
fn time_questions(start: &AnyMinimizer, answers: &[Outcome], questions: u64) -> Duration {
    let rounds = questions.div_ceil(answers.len() as u64);
    let mut time = Duration::ZERO;
    for _ in 0..rounds {
        let mut machine = start.clone();
        let begin = Instant::now();
        for &answer in answers {
            black_box(machine.ask());
            machine.tell(answer);
        }
        time += begin.elapsed();
    }
    time.mul_f64(questions as f64 / (rounds * answers.len() as u64) as f64)
}

fn minimizers(criterion: &mut Criterion) {
    for (share, needed) in [("17", needed(17)), ("1%", needed(N / 100))] {
        for (name, machine) in machines() {
            let mut later = machine.clone();
            drive(&mut later, &needed, 20_000);
            if later.ask().is_none() {
                later = machine.clone();
            }
            for (when, start) in [("first", &machine), ("later", &later)] {
                let mut end = start.clone();
                let answers = drive(&mut end, &needed, MEASURED);
                criterion.bench_function(&format!("{name}/question/{share}/{when}"), |bencher| {
                    bencher.iter_custom(|questions| time_questions(start, &answers, questions));
                });
                criterion.bench_function(&format!("{name}/clone/{share}/{when}"), |bencher| {
                    bencher.iter(|| end.clone());
                });
            }
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(300));
    targets = minimizers
}
criterion_main!(benches);
