//! All runs that the results do not have yet, several at once.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use crate::cases::Case;
use crate::configurations::Configuration;
use crate::count::CountCommand;
use crate::program::Program;
use crate::refusals::Rules;
use crate::results::{Appender, Outcome, Record, find};
use crate::run::run;

/// What to run, and how.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    pub(crate) cases: &'a [Case],
    pub(crate) configurations: &'a [Configuration],
    pub(crate) program: &'a Program,
    /// The fingerprint of the program whose results need not be made again; `None`: any.
    pub(crate) accepted: Option<&'a str>,
    /// Whether a failed run is made again.
    pub(crate) retry_failed: bool,
    pub(crate) count: Option<&'a CountCommand>,
    /// How to sort what is refused.
    pub(crate) rules: Option<&'a Rules>,
    /// Runs at once.
    pub(crate) parallel: NonZeroUsize,
}

/// Does the runs of `plan` that `records` does not have, and adds each to `records` and to the
/// file as soon as it has ended. After an error no further run begins, but those under way are
/// waited for and kept.
pub(crate) fn evaluate(
    plan: &Plan<'_>,
    records: &mut Vec<Record>,
    appender: &mut Appender,
) -> anyhow::Result<()> {
    let jobs = missing(plan, records);
    let all = plan.cases.len() * plan.configurations.len();
    eprintln!("dwindle-eval: {} of {all} runs to do", jobs.len());
    let originals = count_originals(plan, &jobs)?;

    let next = AtomicUsize::new(0);
    let work = |sender: mpsc::Sender<anyhow::Result<Record>>| {
        while let Some((case, configuration)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let count = plan.count.zip(originals.get(case.name.as_str()).copied());
            let record = run(plan.program, case, configuration, count, plan.rules);
            // Nobody listens any more only when the evaluation has ended.
            if sender.send(record).is_err() {
                break;
            }
        }
    };
    let mut end = Ok(());
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..plan.parallel.get().min(jobs.len()) {
            let sender = sender.clone();
            scope.spawn(|| work(sender));
        }
        drop(sender);
        for (done, record) in (1..).zip(receiver) {
            let kept = record.and_then(|record| {
                appender.append(&record)?;
                eprintln!("dwindle-eval: {done}/{} {}", jobs.len(), progress(&record));
                records.push(record);
                Ok(())
            });
            if kept.is_err() {
                next.store(jobs.len(), Ordering::Relaxed);
                end = std::mem::replace(&mut end, Ok(())).and(kept);
            }
        }
    });
    end
}

/// The runs of `plan` that `records` does not have, case by case.
fn missing<'a>(plan: &Plan<'a>, records: &[Record]) -> Vec<(&'a Case, &'a Configuration)> {
    let mut jobs = Vec::new();
    for case in plan.cases {
        for configuration in plan.configurations {
            let redo = match find(records, &case.name, configuration, plan.accepted) {
                None => true,
                Some(Record { outcome: Outcome::Failed { .. }, .. }) => plan.retry_failed,
                Some(Record { outcome: Outcome::Reduced { refusals, .. }, .. }) => {
                    plan.rules.is_some() && refusals.is_none()
                }
            };
            if redo {
                jobs.push((case, configuration));
            }
        }
    }
    jobs
}

/// The tokens of the inputs of `jobs`, each counted once. Before the first run, so that a
/// counting command that does not work costs none.
fn count_originals<'a>(
    plan: &Plan<'_>,
    jobs: &[(&'a Case, &Configuration)],
) -> anyhow::Result<HashMap<&'a str, u64>> {
    let mut originals = HashMap::new();
    if let Some(command) = plan.count {
        for (case, _) in jobs {
            if !originals.contains_key(case.name.as_str()) {
                originals.insert(case.name.as_str(), command.count(&case.input)?);
            }
        }
    }
    Ok(originals)
}

fn progress(record: &Record) -> String {
    let figures = match &record.outcome {
        Outcome::Failed { .. } => "failed".to_owned(),
        Outcome::Reduced { report, counted, .. } => format!(
            "{} tokens, {} questions, {:.1} s, {}",
            counted.as_ref().map_or(report.after.tokens, |counted| counted.after),
            report.questions.total,
            report.seconds.total,
            report.end.name()
        ),
    };
    format!("{} {}: {figures}", record.case, record.run)
}
