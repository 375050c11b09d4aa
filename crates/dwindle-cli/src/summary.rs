//! The report at the end.

use std::path::Path;
use std::process::{Command, Stdio};

use dwindle::plan::Covered;
use dwindle::shown::{shown, shown_lines};
use dwindle::{
    AlsoInteresting, End, External, Formatted, Formatting, LongToken, Reading, Repeated, Report, Stage,
};

use serde::Serialize;

use crate::progress::rate;

/// The result of a list.
#[derive(Debug, Serialize)]
pub(crate) struct Listed {
    /// The items that are left.
    items: Vec<String>,
    /// Whether they have weights.
    #[serde(skip)]
    weighted: bool,
    /// What they are, if they are commits.
    #[serde(skip)]
    subjects: String,
}

/// The most commits whose subjects are said.
const SUBJECTS: usize = 20;

impl Listed {
    /// The list with these items, each with a line end behind it; those of a repository are commits.
    pub(crate) fn new(items: &[u8], weighted: bool, commits_of: Option<&Path>) -> Self {
        let items: Vec<String> = String::from_utf8_lossy(items).lines().map(str::to_owned).collect();
        let subjects = commits_of.and_then(|folder| {
            let mut git = Command::new("git");
            git.arg("-C").arg(folder).args(["log", "--no-walk=unsorted", "--format=  %h %s"]);
            let output =
                git.args(items.iter().take(SUBJECTS)).arg("--").stderr(Stdio::null()).output().ok()?;
            Some(shown_lines(&output.stdout).map(|line| line + "\n").collect())
        });
        Self { items, weighted, subjects: subjects.unwrap_or_default() }
    }
}

#[derive(Serialize)]
struct Machine<'a> {
    #[serde(flatten)]
    report: &'a Report,
    #[serde(flatten)]
    listed: Option<&'a Listed>,
}

/// The report as one line of JSON.
pub(crate) fn for_machines(report: &Report, listed: Option<&Listed>) -> String {
    serde_json::to_string(&Machine { report, listed })
        .expect("a report holds nothing but numbers, names and paths")
}

/// The report as a few lines of text.
pub(crate) fn for_people(report: &Report, listed: Option<&Listed>) -> String {
    let Report { before, after, questions, seconds, .. } = report;
    let end = match report.end {
        End::Finished => "reduced".to_owned(),
        End::MaxQuestions => format!("stopped after --max-questions {}, reduced so far", questions.total),
        End::MaxTime => "stopped after --max-time, reduced so far".to_owned(),
        End::Interrupted => "interrupted, reduced so far".to_owned(),
    };
    let row = |unit: &str, before: u64, after: u64| {
        let gone = if before == 0 { 0.0 } else { 100.0 * (1.0 - after as f64 / before as f64) };
        format!("  {unit:<6} {before:>10} -> {after:>8}  (-{gone:.2} %)\n")
    };
    let mut text = format!("{end}: {} -> {}\n", shown(&report.input), shown(&report.output));
    match listed {
        Some(Listed { weighted, subjects, .. }) => {
            text += &row("items", before.lines, after.lines);
            if *weighted {
                text += &row("weight", before.tokens, after.tokens);
            }
            text += subjects;
        }
        None => {
            text += &row("tokens", before.tokens, after.tokens);
            text += &row("lines", before.lines, after.lines);
            text += &row("bytes", before.bytes, after.bytes);
        }
    }
    text += &format!(
        "  questions {}: {} interesting, {} not, {} over the time limit; {} more answered from cache\n",
        questions.total, questions.interesting, questions.uninteresting, questions.timeout, report.cached
    );
    for Stage { test, refused } in &report.stages {
        text += &format!("  {refused} refused by {}\n", shown(test));
    }
    if report.replayed > 0 {
        text += &format!("  {} more answered by the run that this one continued\n", report.replayed);
    }
    if report.held_back > 0 {
        text += &format!("  {} more held back, since they parse worse\n", report.held_back);
    }
    if report.filtered > 0 {
        let why = match report.effective.reading.language {
            Some("folder") => "since they lose what is to be kept, or mix up files",
            _ => "since they lose what is to be kept",
        };
        text += &format!("  {} more refused without a question, {why}\n", report.filtered);
    }
    let External { runs, taken, seconds: outside, .. } = report.external;
    if runs > 0 {
        text += &format!("  external {runs} runs in {outside:.1} s, {taken} of their texts were taken\n");
    }
    if report.jobs > 1 {
        text += &format!("  jobs {}; {} tests begun ahead for nothing", report.jobs, report.discarded);
        if let Some(each) = report.discarded_per_needed {
            text += &format!(", {each:.2} for each that was needed");
        }
        text += "\n";
    }
    text += &format!(
        "  time {:.1} s: {:.1} s in the test, {:.1} s in dwindle\n",
        seconds.total, seconds.test, seconds.dwindle
    );
    if let Some(Covered { statements, statements_run, functions, functions_run }) = report.effective.coverage
    {
        text += &format!(
            "  the test runs {statements_run} of {statements} statements, in {functions_run} of {functions} functions\n"
        );
    }
    if let Reading { language: Some(language), fallback: Some(why), .. } = &report.effective.reading {
        text += &format!("  read by {language}: {why}\n");
    }
    if let (Some(errors), Some(language)) =
        (report.effective.syntax_errors, report.effective.reading.language)
    {
        let errors =
            if errors == 1 { "1 syntax error".to_owned() } else { format!("{errors} syntax errors") };
        text += &format!("  read by {language}, which sees {errors}, and by brackets in turns\n");
    }
    if let Some(LongToken { bytes, percent, advice }) = report.long_token {
        text += &format!("A token of {bytes} bytes is left, {percent} % of the result: {advice}.\n");
    }
    if let Some(Formatting { by, outcome }) = report.formatting {
        let by = by.unwrap_or_default();
        text += &match outcome {
            Formatted::Kept | Formatted::Already => format!("  laid out by {by}\n"),
            Formatted::Refused => {
                format!("Not laid out: as {by} does it the result is not interesting any more.\n")
            }
            Formatted::NoTime => "Not laid out: there was no time to test that.\n".to_owned(),
            // Nothing could be done better.
            Formatted::Impossible => String::new(),
        };
    }
    for AlsoInteresting { signature, file } in &report.also_interesting {
        text += &format!("Another crash was met: {}, which ended with {}.\n", shown(file), shown(signature));
    }
    if report.skipped > 0 {
        text += "Something was skipped, so the result may get smaller: the same command goes on with that.\n";
    }
    if report.killed > 0 {
        text += &format!(
            "{} runs of the test were killed from outside, or a command in them was (exit code 137): perhaps for want \
             of memory, and fewer --jobs take less.\n",
            report.killed
        );
    }
    if let Some(Repeated { input, most, result }) = &report.repeated {
        text += &format!("The test finds the input interesting in {}", rate(input));
        text += &result.map_or(String::new(), |result| format!(", the result in {}", rate(&result)));
        text += &match most {
            1 => "; no candidate was asked about twice.\n".to_owned(),
            _ => format!(
                "; each candidate had {most} runs to show it, and {} showed it too rarely.\n",
                report.flaky
            ),
        };
    } else if report.flaky > 0 {
        text +=
            &format!("The test is flaky: {} candidates were found interesting and then not.\n", report.flaky);
    }
    if report.steps_back > 0 {
        text += &format!(
            "The test is flaky: {} smaller variants were found interesting once and not again at the end, so this \
             is the newest that was; --confirm N asks N times.\n",
            report.steps_back
        );
    }
    if report.end != End::Finished {
        text += "The same command goes on from here, unless it has --fresh, which starts over.\n";
    }
    if report.cut_off {
        text += "dwindle itself was still computing and was cut off.\n";
    }
    if !report.checked {
        let lacks = if report.end == End::MaxQuestions { "question left" } else { "time" };
        text += &format!("There was no {lacks} to test the result once more.\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use dwindle::plan::{Effective, Options};
    use dwindle::{CpuSeconds, Method, Questions, Seconds, Size};

    fn report() -> Report {
        Report {
            version: "1.2.3",
            end: End::MaxQuestions,
            input: "a.c".into(),
            test: "/t/test.sh".into(),
            output: "a.reduced.c".into(),
            effective: Effective::of(&Options::new(Method::LinesThenTokens), Reading::default()),
            jobs: 2,
            before: Size { bytes: 1000, lines: 100, tokens: 400 },
            after: Size { bytes: 100, lines: 3, tokens: 30 },
            stages: Vec::new(),
            also_interesting: Vec::new(),
            long_token: None,
            questions: Questions { total: 50, interesting: 9, uninteresting: 40, timeout: 1 },
            cached: 2,
            replayed: 0,
            filtered: 0,
            external: External::default(),
            formatting: None,
            checked: true,
            cut_off: false,
            steps_back: 0,
            journal: None,
            held_back: 3,
            discarded: 7,
            discarded_per_needed: Some(0.15),
            flaky: 0,
            repeated: None,
            skipped: 0,
            killed: 0,
            timeout: 1.0,
            seconds: Seconds { total: 3.0, test: 2.5, dwindle: 0.5 },
            cpu_seconds: CpuSeconds { test: 2.25, dwindle: 0.125 },
            peak_memory_bytes: 1 << 20,
        }
    }

    #[test]
    fn people_read_sizes_questions_and_times() {
        assert_eq!(
            for_people(&report(), None),
            "stopped after --max-questions 50, reduced so far: a.c -> a.reduced.c\n  \
               tokens        400 ->       30  (-92.50 %)\n  \
               lines         100 ->        3  (-97.00 %)\n  \
               bytes        1000 ->      100  (-90.00 %)\n  \
               questions 50: 9 interesting, 40 not, 1 over the time limit; 2 more answered from cache\n  \
               3 more held back, since they parse worse\n  \
               jobs 2; 7 tests begun ahead for nothing, 0.15 for each that was needed\n  \
               time 3.0 s: 2.5 s in the test, 0.5 s in dwindle\n\
             The same command goes on from here, unless it has --fresh, which starts over.\n"
        );
    }

    #[test]
    fn people_hear_that_the_grammar_misreads_the_input() {
        let mut report = report();
        report.effective.reading.language = Some("cpp");
        assert!(!for_people(&report, None).contains("read by"));
        report.effective.syntax_errors = Some(12);
        assert!(
            for_people(&report, None)
                .contains("  read by cpp, which sees 12 syntax errors, and by brackets in turns\n")
        );
        report.effective.syntax_errors = Some(1);
        assert!(for_people(&report, None).contains("which sees 1 syntax error, and"));
    }

    #[test]
    fn people_hear_of_a_token_that_is_very_long() {
        let long_token = LongToken { bytes: 2000, percent: 80, advice: "--format chars helps" };
        let text = for_people(&Report { long_token: Some(long_token), ..report() }, None);
        assert!(
            text.contains("\nA token of 2000 bytes is left, 80 % of the result: --format chars helps.\n"),
            "{text}"
        );
    }

    #[test]
    fn machines_read_the_same() {
        let json: serde_json::Value = serde_json::from_str(&for_machines(&report(), None)).unwrap();
        assert_eq!(json["end"], "max-questions");
        assert_eq!(json["after"]["tokens"], 30);
        assert_eq!(json["questions"]["timeout"], 1);
        assert_eq!(json["seconds"]["dwindle"], 0.5);
    }
}
