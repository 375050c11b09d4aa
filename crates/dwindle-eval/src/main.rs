//! Measures dwindle: runs a folder of cases times configurations, resumably, and prints one
//! table.
//!
//! - [`cases`] and [`configurations`] say what is to run, [`program`] with what;
//! - [`mod@run`] does one run and [`mod@evaluate`] all that the results file does not have yet;
//! - [`results`] is that file: one JSON line a run, append-only, so that nothing but the run
//!   under way is lost when the evaluation is stopped;
//! - [`mod@table`] puts the results into cells, [`markdown`] and [`tsv`] print them, [`curves`] and [`plot`]
//!   how fast they became small, [`refusals`] sorts what was refused, and [`shares`] prints that.

use std::fs;
use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;

use crate::arguments::{Arguments, Command, Format, Tables};
use crate::evaluate::{Plan, evaluate};
use crate::program::Program;
use crate::refusals::Rules;
use crate::results::Record;
use crate::table::Table;

mod ablation;
mod arguments;
mod cases;
mod configurations;
mod count;
mod curves;
mod evaluate;
mod experiment;
mod guard;
mod jsonl;
mod limit;
mod markdown;
mod page;
mod plot;
mod program;
mod published;
mod random;
mod refusals;
mod report;
mod results;
mod rivals;
mod run;
mod shares;
mod statistics;
mod table;
mod tsv;
mod words;

fn main() -> ExitCode {
    if let Some(code) = dwindle::serve_if_asked() {
        return code;
    }
    let Arguments { command, tables } = Arguments::parse();
    let text = match (command, tables) {
        (Some(Command::Ablation(ablations)), _) => ablations.run(),
        (Some(Command::Experiment(experiments)), _) => experiments.run(),
        (Some(Command::Guard(guard)), _) => guard.run(),
        (Some(Command::Rivals(rivals)), _) => rivals.run(),
        (Some(Command::Limit(limits)), _) => limits.run(),
        (None, Some(tables)) => table(&tables),
        (None, None) => unreachable!("clap wants cases where there is no subcommand"),
    };
    match text.and_then(|text| print(&text)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("dwindle-eval: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).context("cannot print the table")
}

/// Does the runs that are missing, unless only the table is wanted; the table.
fn table(arguments: &Tables) -> anyhow::Result<String> {
    let cases = match &arguments.only {
        Some(list) => cases::listed(&arguments.cases, list)?,
        None if arguments.case.is_empty() => cases::all(&arguments.cases)?,
        None => cases::named(&arguments.cases, &arguments.case)?,
    };
    let runs = &arguments.runs;
    let text =
        fs::read_to_string(runs).with_context(|| format!("cannot read the runs file {}", runs.display()))?;
    let configurations =
        configurations::parse(&text).with_context(|| format!("in the runs file {}", runs.display()))?;

    let rules = arguments.refusals.as_deref().map(Rules::read).transpose()?;

    // Whatever build made them will do: then a table needs no program at all.
    let program = if arguments.table_only && arguments.any_program {
        None
    } else {
        Some(Program::find(arguments.program.as_deref())?)
    };
    let fingerprint = match &program {
        Some(program) if !arguments.any_program => Some(program.fingerprint.as_str()),
        _ => None,
    };
    let records = match &program {
        Some(program) if !arguments.table_only => {
            let (mut records, mut appender) = results::open(&arguments.results)?;
            let plan = Plan {
                cases: &cases,
                configurations: &configurations,
                program,
                accepted: fingerprint,
                retry_failed: arguments.retry_failed,
                count: arguments.count_tokens.as_ref(),
                rules: rules.as_ref(),
                parallel: arguments.parallel,
            };
            evaluate(&plan, &mut records, &mut appender)?;
            records
        }
        _ => results::read(&arguments.results)?,
    };

    let rows: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    let table = Table::new(&rows, &configurations, &records, fingerprint);
    name_failures(&table.records);
    Ok(match arguments.format {
        Format::Markdown => markdown::render(&table),
        Format::Tsv => tsv::render(&table),
        Format::Curves => curves::render(&table),
        Format::Svg => plot::render(&table)?,
        Format::Refusals => shares::render(&table),
        Format::Both => format!("{}\n{}", markdown::render(&table), tsv::render(&table)),
    })
}

/// Says on standard error why the failed runs of the table failed.
fn name_failures(records: &[&Record]) {
    for record in records {
        if let Some(reason) = record.failure() {
            eprintln!("dwindle-eval: failed: {} {}: {reason}", record.case, record.run);
        }
    }
}
