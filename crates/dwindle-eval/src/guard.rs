//! The figures that must not become worse unnoticed: questions and sizes of reductions that need nothing but this
//! program. `guard.tsv` has them, and a test compares.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use clap::Args;
use dwindle::Reducer;
use dwindle::core::MinimizerKind;

use crate::experiment::{Setting, Subject, document, mult, program};

/// Where the figures are.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/guard.tsv");

/// Compares questions and sizes of small reductions with the committed ones
#[derive(Args, Debug)]
pub(crate) struct Guard {
    /// Write the figures of this build, for this reason, instead of comparing
    #[arg(long, value_name = "REASON")]
    write: Option<String>,
}

fn subjects() -> [Subject; 3] {
    [mult(), program(3, 10), document(3, 40)]
}

/// The default, each published reducer, each list minimiser.
fn settings() -> Vec<Setting> {
    let reducers = ["hdd", "hdd+", "hddr", "coarse", "perses", "perses+"];
    let minimizers = MinimizerKind::ALL.into_iter().map(|kind| Setting::tree("hdd*", kind));
    let own = Setting::tree("linked", MinimizerKind::default());
    let trees = reducers.map(|reducer| Setting::tree(reducer, MinimizerKind::Ddmin));
    let mut all: Vec<Setting> = [own].into_iter().chain(trees).chain(minimizers).collect();
    all.push(Setting::list("lines", MinimizerKind::Ddmin));
    all
}

/// The figures of this build, a line a reduction.
fn figures() -> anyhow::Result<String> {
    let mut text = String::from("input\tsetting\tquestions\ttokens\tbytes\n");
    for subject in subjects() {
        for setting in settings() {
            let reducer = Reducer::new(subject.bytes.clone()).name(&subject.name).method(setting.method());
            let reduced = reducer.minimizer(setting.minimizer()).run(|text| subject.is_interesting(text))?;
            let (questions, after) = (reduced.report.questions.total, reduced.report.after);
            let _ = writeln!(
                text,
                "{}\t{}\t{questions}\t{}\t{}",
                subject.name, setting.name, after.tokens, after.bytes
            );
        }
    }
    Ok(text)
}

/// The lines of the file without its reasons.
fn without_reasons(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect()
}

/// What differs, each with what was and what is.
fn differences(was: &str, is: &str) -> Vec<String> {
    let mut all = Vec::new();
    let name = |line: &str| line.rsplitn(4, '\t').last().unwrap_or_default().to_owned();
    for line in is.lines().filter(|line| !was.lines().any(|other| other == *line)) {
        let before = was.lines().find(|other| name(other) == name(line));
        all.push(format!("  was {}\n   is {line}", before.unwrap_or("-")));
    }
    let gone = was.lines().filter(|line| !is.lines().any(|other| name(other) == name(line)));
    all.extend(gone.map(|line| format!(" gone {line}")));
    all
}

impl Guard {
    pub(crate) fn run(&self) -> anyhow::Result<String> {
        let path = Path::new(FILE);
        let is = figures()?;
        let was = fs::read_to_string(path).unwrap_or_default();
        let Some(reason) = &self.write else {
            let differences = differences(&without_reasons(&was), &is);
            if differences.is_empty() {
                return Ok(format!("{} reductions are as committed\n", is.lines().count() - 1));
            }
            bail!(
                "figures differ from {FILE} (input, setting, questions, tokens, bytes):\n{}",
                differences.join("\n")
            );
        };
        if reason.trim().is_empty() || reason.contains('\n') {
            bail!("--write takes the reason, in one line");
        }
        let reasons = was.lines().filter(|line| line.starts_with('#')).map(|line| format!("{line}\n"));
        let text: String = reasons.chain([format!("# {reason}\n"), is]).collect();
        fs::write(path, text).with_context(|| format!("cannot write {FILE}"))?;
        Ok(format!("{FILE} has the figures of this build\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_and_sizes_are_as_committed() {
        let committed = without_reasons(include_str!("../guard.tsv"));
        let differences = differences(&committed, &figures().unwrap());
        assert!(
            differences.is_empty(),
            "{}\nIf that is meant: cargo build --workspace && target/debug/dwindle-eval guard --write 'REASON'",
            differences.join("\n")
        );
    }

    #[test]
    fn what_changed_came_or_went_is_a_difference() {
        let was = "a\tx\t1\t2\t3\nb\ty\t1\t2\t3\n";
        assert_eq!(differences(was, was), [""; 0]);
        let is = "a\tx\t9\t2\t3\nc\tz\t1\t2\t3\n";
        assert_eq!(
            differences(was, is),
            [
                "  was a\tx\t1\t2\t3\n   is a\tx\t9\t2\t3",
                "  was -\n   is c\tz\t1\t2\t3",
                " gone b\ty\t1\t2\t3"
            ]
        );
    }
}
