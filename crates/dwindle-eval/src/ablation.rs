//! What each part of the default search is good for: the same reductions with that part left out.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use dwindle::core::Tuning;
use dwindle::core::passes::{Level, Pass, SCHEDULE, Schedule};
use dwindle::core::tuning::Patience;
use dwindle::probe::Word;
use dwindle::{End, Reducer};
use serde::{Deserialize, Serialize};

use crate::cases::{self, Case};
use crate::jsonl;
use crate::page::{Page, Table, short};
use crate::table::geometric_mean;

/// Reduces cases with one part of the default search left out at a time, and prints what that changes
#[derive(Args, Debug)]
pub(crate) struct Ablations {
    /// Folder of cases, each a folder with one `input.*` and an executable `interesting.sh`
    #[arg(value_name = "CASES")]
    cases: PathBuf,

    /// Names of the cases to take [default: those that constants were chosen on]
    #[arg(long, value_name = "NAME", num_args = 1..)]
    case: Vec<String>,

    /// Parts to leave out, each by itself [default: all]
    #[arg(long, value_name = "PART", num_args = 1..)]
    part: Vec<String>,

    /// The most seconds that a run may take
    #[arg(long, value_name = "SECONDS", default_value = "600")]
    limit: f64,

    /// Keep what was measured in FILE, and do not run again what is there
    #[arg(long, value_name = "FILE")]
    results: PathBuf,
}

/// A part of the default search that can be left out.
#[derive(Clone, Copy, Debug)]
struct Part {
    name: &'static str,
    what: Without,
}

#[derive(Clone, Copy, Debug)]
enum Without {
    Pass(Pass),
    Tuning(fn(&mut Tuning)),
}

/// What is never asked.
const NEVER: Patience = Patience { failures: 0, per_success: 0 };

/// The parts that a constant leaves out.
const TUNED: [Part; 8] = {
    const fn part(name: &'static str, change: fn(&mut Tuning)) -> Part {
        Part { name, what: Without::Tuning(change) }
    }
    [
        part("two readings", |tuning| tuning.turns.tokens_per_error = 0),
        part("sweep", |tuning| tuning.sweep.fewest = usize::MAX),
        part("dangling references", |tuning| {
            (tuning.dangling, tuning.dangling_in_sweep, tuning.dangling_in_large) = (NEVER, NEVER, NEVER);
        }),
        part("weaker closures", |tuning| (tuning.weaker, tuning.weaker_in_large) = (NEVER, NEVER)),
        part("wide deletions", |tuning| tuning.wide = NEVER),
        part("repairs by output", |tuning| tuning.repairs = NEVER),
        part("stand-ins of uses", |tuning| tuning.stand_ins = NEVER),
        part("strings of tokens", |tuning| tuning.strings = NEVER),
    ]
};

/// All parts: the passes of the default level, and what a constant leaves out.
fn parts() -> Vec<Part> {
    let mut passes: Vec<Pass> = Vec::new();
    for step in SCHEDULE.iter().copied().flatten().filter(|step| step.level == Level::Default) {
        if Schedule::of(Level::Default).has(step.pass) && !passes.contains(&step.pass) {
            passes.push(step.pass);
        }
    }
    let passes = passes.into_iter().map(|pass| Part { name: pass.name(), what: Without::Pass(pass) });
    TUNED.into_iter().chain(passes).collect()
}

/// What came of a case.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Record {
    version: String,
    case: String,
    /// The part that was left out; nothing where all were there.
    without: Option<String>,
    tokens: u64,
    questions: u64,
    finished: bool,
}

impl Ablations {
    pub(crate) fn run(&self) -> anyhow::Result<String> {
        let all = parts();
        if let Some(name) = self.part.iter().find(|name| all.iter().all(|part| part.name != **name)) {
            let names: Vec<&str> = all.iter().map(|part| part.name).collect();
            bail!("there is no part {name:?}: take one of {}", names.join(", "));
        }
        let is_asked = |part: &Part| self.part.is_empty() || self.part.iter().any(|name| name == part.name);
        let parts: Vec<Part> = all.into_iter().filter(is_asked).collect();
        let cases = if self.case.is_empty() {
            cases::all(&self.cases)?.into_iter().filter(|case| cases::is_tuned(&case.name)).collect()
        } else {
            cases::named(&self.cases, &self.case)?
        };
        let (mut records, mut appender) = jsonl::open::<Record>(&self.results)?;
        for part in [None].into_iter().chain(parts.iter().map(Some)) {
            for case in &cases {
                if find(&records, case, part).is_none() {
                    let record = self.reduce(case, part)?;
                    eprintln!(
                        "dwindle-eval: {} without {}: {} tokens, {} questions",
                        case.name,
                        part.map_or("nothing", |part| part.name),
                        record.tokens,
                        record.questions
                    );
                    appender.append(&record)?;
                    records.push(record);
                }
            }
        }
        Ok(page(&cases, &parts, &records).markdown())
    }

    fn reduce(&self, case: &Case, part: Option<&Part>) -> anyhow::Result<Record> {
        let input = fs::read(&case.input).with_context(|| format!("cannot read {}", case.input.display()))?;
        let limit = Duration::try_from_secs_f64(self.limit).context("--limit takes seconds")?;
        let name = case.input.file_name().context("an input has a name")?;
        let (mut schedule, mut tuning) = (Schedule::of(Level::Default), Tuning::DEFAULT);
        match part.map(|part| part.what) {
            None => {}
            Some(Without::Pass(pass)) => schedule = schedule.without(|other| other == pass),
            Some(Without::Tuning(change)) => change(&mut tuning),
        }
        let reducer = Reducer::new(input).name(name).schedule(schedule).tuning(tuning).max_time(limit);
        let reduced = reducer
            .run_command([Word::from(case.test.as_os_str().to_owned())])
            .with_context(|| format!("in {}", case.name))?;
        Ok(Record {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            case: case.name.clone(),
            without: part.map(|part| part.name.to_owned()),
            tokens: reduced.report.after.tokens,
            questions: reduced.report.questions.total,
            finished: reduced.report.end == End::Finished,
        })
    }
}

fn find<'a>(records: &'a [Record], case: &Case, part: Option<&Part>) -> Option<&'a Record> {
    let is_of = |record: &&Record| {
        record.version == env!("CARGO_PKG_VERSION")
            && record.case == case.name
            && record.without.as_deref() == part.map(|part| part.name)
    };
    records.iter().find(is_of)
}

/// A row for each part: what all cases have without it, over what they have with it.
fn page(cases: &[Case], parts: &[Part], records: &[Record]) -> Page {
    let header = ["without", "tokens", "questions", "larger", "smaller", "where"];
    let mut table = Table::new("Over the default, geometric means", &header);
    for part in parts {
        let pairs: Vec<(&Record, &Record)> = cases
            .iter()
            .filter_map(|case| find(records, case, None).zip(find(records, case, Some(part))))
            .collect();
        let mean = |figure: fn(&Record) -> u64| {
            let ratios: Vec<f64> = pairs
                .iter()
                .map(|(with, without)| figure(without) as f64 / figure(with).max(1) as f64)
                .collect();
            format!("{:.3}", geometric_mean(&ratios).unwrap_or(f64::NAN))
        };
        let count = |which: fn(u64, u64) -> bool| {
            pairs.iter().filter(|(with, without)| which(without.tokens, with.tokens)).count().to_string()
        };
        let changes = pairs.iter().filter(|(with, without)| with.tokens != without.tokens);
        let changes: Vec<String> = changes
            .map(|(with, without)| {
                let star = if without.finished { "" } else { "*" };
                format!("{} {} to {}{star}", with.case, with.tokens, without.tokens)
            })
            .collect();
        table.row([
            part.name.to_owned(),
            mean(|record| record.tokens),
            mean(|record| record.questions),
            count(|without, with| without > with),
            count(|without, with| without < with),
            changes.join(", "),
        ]);
    }
    let mut base = Table::new("The default", &["case", "tokens", "questions"]);
    for record in cases.iter().filter_map(|case| find(records, case, None)) {
        base.row([record.case.clone(), short(record.tokens as f64), short(record.questions as f64)]);
    }
    Page {
        title: "What each part of the default search is good for".to_owned(),
        command: "dwindle-eval ablation CORPUS --results FILE".to_owned(),
        tables: vec![table, base],
        ..Page::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_has_a_name_of_its_own_and_changes_something() {
        let parts = parts();
        for (number, part) in parts.iter().enumerate() {
            assert!(parts[..number].iter().all(|other| other.name != part.name), "{}", part.name);
            if let Without::Tuning(change) = part.what {
                let mut tuning = Tuning::DEFAULT;
                change(&mut tuning);
                assert_ne!(tuning, Tuning::DEFAULT, "{}", part.name);
            }
        }
        assert!(parts.len() > 25, "{}", parts.len());
    }

    #[test]
    fn a_part_is_shown_by_what_is_worse_without_it() {
        let case = |name: &str| Case { name: name.to_owned(), input: PathBuf::new(), test: PathBuf::new() };
        let record = |case: &str, without: Option<&str>, tokens, questions| Record {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            case: case.to_owned(),
            without: without.map(str::to_owned),
            tokens,
            questions,
            finished: true,
        };
        let records = [
            record("a", None, 10, 100),
            record("b", None, 10, 100),
            record("a", Some("sweep"), 40, 100),
            record("b", Some("sweep"), 10, 400),
        ];
        let sweep = parts().into_iter().find(|part| part.name == "sweep").unwrap();
        let page = page(&[case("a"), case("b")], &[sweep], &records);
        assert_eq!(page.tables[0].rows, [["sweep", "2.000", "2.000", "1", "0", "a 10 to 40"]]);
    }
}
