//! One run: dwindle with one configuration on one case.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context;
use dwindle::journal::History;

use crate::cases::Case;
use crate::configurations::Configuration;
use crate::count::CountCommand;
use crate::program::Program;
use crate::refusals::{Rules, Witness};
use crate::report::{End, Report, last_line};
use crate::results::{Counted, Outcome, Record};

/// A counting command and what it counted on the input of the case.
pub(crate) type Count<'a> = (&'a CountCommand, u64);

/// Runs `program` in a folder of its own and waits for it. A run that goes wrong is a record
/// too; an error means that there could be no run at all.
pub(crate) fn run(
    program: &Program,
    case: &Case,
    configuration: &Configuration,
    count: Option<Count<'_>>,
    rules: Option<&Rules>,
) -> anyhow::Result<Record> {
    Ok(Record {
        case: case.name.clone(),
        run: configuration.name.clone(),
        arguments: configuration.arguments.clone(),
        program: program.fingerprint.clone(),
        outcome: outcome(program, case, configuration, count, rules)?,
    })
}

fn outcome(
    program: &Program,
    case: &Case,
    configuration: &Configuration,
    count: Option<Count<'_>>,
    rules: Option<&Rules>,
) -> anyhow::Result<Outcome> {
    let folder = tempfile::Builder::new()
        .prefix("dwindle-eval-")
        .tempdir()
        .context("cannot make a temporary folder: set TMPDIR to a folder that can be written")?;
    let work = folder.path().join("work");
    // The journals of an evaluation would only clutter the user's own, and never be resumed.
    let state = folder.path().join("state");
    let refused = folder.path().join("refused");
    for folder in [&work, &state, &refused] {
        fs::create_dir(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let mut result = folder.path().join("reduced");
    result.set_extension(case.input.extension().unwrap_or_default());

    let witness = rules.map(|rules| anyhow::Ok((rules, Witness::new(refused, case)?))).transpose()?;

    let output = Command::new(&program.path)
        .arg("reduce")
        .arg(&case.input)
        .arg("--test")
        .arg(witness.as_ref().map_or(&case.test, |(_, witness)| &witness.test))
        .arg("--output")
        .arg(&result)
        .args(["--json", "-q"])
        .args(&configuration.arguments)
        .current_dir(&work)
        .env("XDG_STATE_HOME", &state)
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start the program {}", program.path.display()))?;

    let complaint = last_line(&output.stderr);
    let failed = |reason: String| Ok(Outcome::Failed { reason });
    if !output.status.success() {
        return failed(format!("{}: {complaint}", output.status));
    }
    let report: Report = match serde_json::from_slice(&output.stdout) {
        Ok(report) => report,
        Err(error) => {
            return failed(format!("its report cannot be read ({error}): {complaint}"));
        }
    };
    if report.end == End::Interrupted {
        return failed(format!("it was interrupted: {complaint}"));
    }
    if !result.is_file() {
        return failed(format!("it reported a result and wrote none: {complaint}"));
    }
    let counted = match count {
        None => None,
        Some((command, before)) => match command.count(&result) {
            Ok(after) => Some(Counted { by: command.text.clone(), before, after }),
            Err(error) => return failed(format!("its result cannot be counted: {error:#}")),
        },
    };
    let refusals = witness.map(|(rules, witness)| witness.sort(case, rules)).transpose()?;
    let curve = curve(&report);
    Ok(Outcome::Reduced { report: Box::new(report), counted, curve, refusals })
}

/// How the result became small, if the journal that the report names says so.
fn curve(report: &Report) -> Option<Vec<(u64, u64)>> {
    let history = History::read(Path::new(report.rest.get("journal")?.as_str()?)).ok()?;
    Some(history.steps().iter().skip(1).map(|step| (step.question, step.size.tokens)).collect())
}
