//! The page: what stands on it, in which order.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dwindle::journal::{History, JournalError};
use dwindle::{End, Questions, Report, Size, folder_of};

use super::charts::{curve, heat_map, timeline};
use super::passes::{KEY, passes};
use super::record::Record;
use super::sides::{escaped, original, result};
use super::survivors::Survivors;
use crate::diff::replace;
use crate::failure::Failure;
use crate::written::grouped;

/// How long words may be followed from step to step.
const FOLLOWS: Duration = Duration::from_secs(10);
const STYLE: &str = include_str!("style.css");

/// What a page is made from.
pub(crate) struct Page<'a> {
    /// The steps with their texts.
    pub(crate) history: &'a History,
    /// The questions, where they were watched.
    pub(crate) record: &'a Record,
    /// What the reduction said at its end, if it is just over.
    pub(crate) report: Option<&'a Report>,
    /// The result, which may have been laid out after the last step.
    pub(crate) result: Option<Vec<u8>>,
    /// The command to repeat.
    pub(crate) command: Option<String>,
}

/// Writes the page to `path`, whole or not at all.
pub(crate) fn write_page(path: &Path, page: &Page<'_>) -> Result<(), Failure> {
    let html = page.html().map_err(Failure::Journal)?;
    replace(path, html.as_bytes()).map_err(|error| Failure::Page(path.to_owned(), error))
}

/// The texts of a history, and what of the input is left.
struct Texts {
    input: Vec<u8>,
    result: Vec<u8>,
    survivors: Survivors,
}

impl Page<'_> {
    fn texts(&self) -> Result<Texts, JournalError> {
        let until = Instant::now() + FOLLOWS;
        let (mut input, mut last) = (Vec::new(), Vec::new());
        let mut survivors = None::<Survivors>;
        self.history.each_text(|step, text| {
            match &mut survivors {
                Some(survivors) => survivors.step(text),
                None => {
                    input = text.to_vec();
                    survivors = Some(Survivors::of(text, until));
                }
            }
            if step.number == self.history.steps().last().map_or(0, |step| step.number) {
                last = text.to_vec();
            }
        })?;
        let mut survivors = survivors.unwrap_or_else(|| Survivors::of(&[], until));
        let result = self.result.clone().unwrap_or(last);
        survivors.last(&result);
        Ok(Texts { input, result, survivors })
    }

    fn html(&self) -> Result<String, JournalError> {
        let Texts { input, result: text, survivors } = self.texts()?;
        let left = survivors.of_input();
        let about = self.history.about();
        let steps = self.history.steps();
        let before = steps.first().map_or(Size::default(), |step| step.size);
        let after =
            self.report.map_or_else(|| steps.last().map_or(before, |step| step.size), |report| report.after);
        let name = |path: &str| escaped(Path::new(path).file_name().unwrap_or_default().as_encoded_bytes());
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' \
             content='width=device-width'><title>dwindle: {0}</title><style>{STYLE}</style></head><body>\n\
             <h1>{0} → {1}</h1><p>{2}</p>\n",
            name(&about.input),
            name(&about.output),
            self.ending()
        );
        html += &self.figures(before, after);
        html += "<h2>Size</h2><div class='pair'>";
        let by_question: Vec<(f64, f64)> =
            steps.iter().map(|step| (step.question as f64, step.size.tokens as f64)).collect();
        let questions = self.questions().total.max(steps.last().map_or(0, |step| step.question));
        html += &curve(&by_question, questions as f64, "questions");
        let kept = self.record.kept.iter().map(|kept| (kept.at, kept.size.tokens as f64));
        let by_time: Vec<(f64, f64)> =
            self.record.before.map(|size| (0.0, size.tokens as f64)).into_iter().chain(kept).collect();
        if !self.record.kept.is_empty() {
            let end = self.report.map_or(0.0, |report| report.seconds.total);
            html += &curve(&by_time, end, "seconds");
        }
        html += "</div><p>Tokens of the smallest variant so far; the axis is logarithmic.</p>\n";
        html += &passes(self.record);
        if !self.record.questions.is_empty() {
            let jobs = self.report.map_or(1, |report| report.jobs);
            let total = self.report.map_or(0.0, |report| report.seconds.total);
            let rows = if jobs > 1 { format!("A row for each of {jobs} jobs.") } else { String::new() };
            let _ = write!(
                html,
                "<h2>Tests over time</h2>{}<div class='ends'><span>0 s</span><span>{total:.1} s</span></div>{KEY}\
                 <p>{rows} Tests that were begun ahead and not needed are left out.</p>",
                timeline(&self.record.questions, jobs, total)
            );
        }
        let _ = write!(
            html,
            "<h2>Where the result stood</h2>{}<div class='ends'><span>first line</span><span>line {}</span></div>\
             <p>The input from its beginning to its end; the more of a place is left, the stronger its colour.</p>\n\
             <h2>Input and result</h2><div class='pair'><div><p>{} with what is left of it marked</p><div class='text'>{}</div></div>\
             <div><p>{}</p><div class='text result'>{}</div></div></div>\n",
            heat_map(&left, input.len()),
            grouped(before.lines.max(1)),
            name(&about.input),
            original(&input, &left),
            name(&about.output),
            result(&text)
        );
        html += &self.environment();
        Ok(html + "</body></html>\n")
    }

    /// How it ended, in a sentence.
    fn ending(&self) -> &'static str {
        match self.report.map(|report| report.end) {
            Some(End::Finished) => "The search came to its end.",
            Some(End::MaxQuestions) => {
                "Stopped when the budget of questions was spent; the same command goes on."
            }
            Some(End::MaxTime) => "Stopped when the time was over; the same command goes on.",
            Some(End::Interrupted) => "Stopped by a signal; the same command goes on.",
            None if self.history.is_finished() => "The search came to its end.",
            None => "This reduction is not finished.",
        }
    }

    fn questions(&self) -> Questions {
        let all = Questions { total: self.history.questions(), ..Questions::default() };
        self.report.map_or(all, |report| report.questions)
    }

    /// The numbers that matter most.
    fn figures(&self, before: Size, after: Size) -> String {
        let change = |before: u64, after: u64| {
            let share = if before == 0 { 0.0 } else { 100.0 * after as f64 / before as f64 };
            format!("{} → {}</b><span>{{}}, {share:.2} % left", grouped(before), grouped(after))
        };
        let figure = |html: &mut String, text: &str| {
            let _ = write!(html, "<div><b>{text}</span></div>");
        };
        let mut html = "<div class='figures'>".to_owned();
        for (unit, before, after) in [
            ("tokens", before.tokens, after.tokens),
            ("lines", before.lines, after.lines),
            ("bytes", before.bytes, after.bytes),
        ] {
            figure(&mut html, &change(before, after).replace("{}", unit));
        }
        figure(
            &mut html,
            &format!("{}</b><span>questions (runs of the test)", grouped(self.questions().total)),
        );
        if let Some(report) = self.report {
            let share = 100.0 * report.seconds.test / report.seconds.total.max(1e-9);
            figure(
                &mut html,
                &format!("{:.1} s</b><span>{share:.0} % of it in the test", report.seconds.total),
            );
        }
        html + "</div>\n"
    }

    /// What is proved of the result, how it came about, and how to repeat it.
    fn environment(&self) -> String {
        let about = self.history.about();
        let mut facts: Vec<(&str, String)> = vec![
            ("input", about.input.clone()),
            ("test", about.test.clone()),
            ("result", about.output.clone()),
        ];
        if let Some(report) = self.report {
            let effective = &report.effective;
            let name = |name: Option<&'static str>| name.unwrap_or("none").to_owned();
            facts.push(("proved minimal", proved(report)));
            facts.push((
                "result tested again",
                if report.checked { "yes" } else { "no, there was no room for it" }.to_owned(),
            ));
            facts.push(("language", name(effective.reading.language)));
            let level = effective.level.unwrap_or("none");
            facts.push((
                "search",
                format!("{}, list minimizer {}, level {level}", effective.reducer, effective.minimizer),
            ));
            facts.push(("jobs", report.jobs.to_string()));
            facts.push(("time limit of a test", format!("{:.1} s", report.timeout)));
            facts.push(("memory of dwindle at most", format!("{} MB", report.peak_memory_bytes >> 20)));
        }
        facts.push(("journal", self.history.path().to_string_lossy().into_owned()));
        facts.push(("dwindle", about.version.clone()));
        let system = rustix::system::uname();
        let (sysname, release, machine) = (system.sysname(), system.release(), system.machine());
        let parts = [sysname, release, machine].map(|part| part.to_string_lossy().into_owned());
        facts.push((
            "system",
            format!(
                "{}, {} processors",
                parts.join(" "),
                std::thread::available_parallelism().map_or(1, usize::from)
            ),
        ));
        let mut html = "<h2>How it came about</h2><dl>".to_owned();
        for (name, value) in facts {
            let _ = write!(html, "<dt>{name}</dt><dd>{}</dd>", escaped(value.as_bytes()));
        }
        html += "</dl>";
        if let Some(command) = &self.command {
            let _ = write!(html, "<p>To repeat it:</p><pre>{}</pre>", escaped(command.as_bytes()));
        }
        html
    }
}

/// What is known to be minimal.
fn proved(report: &Report) -> String {
    let effective = &report.effective;
    if report.end != End::Finished {
        return "nothing: the search did not come to its end".to_owned();
    }
    if effective.once || effective.reducer == "hdd" || effective.reducer == "chisel" {
        return format!("nothing: {} makes no such promise", effective.reducer);
    }
    if effective.reducer == "coarse" {
        return "1-tree-minimal in nodes that need no stand-in".to_owned();
    }
    match effective.format {
        "tree" => {
            "1-tree-minimal: no single node of the syntax tree that may be deleted can be deleted".to_owned()
        }
        _ => match effective.minimizer {
            minimizer @ ("opdd" | "probdd" | "cdd" | "wprobdd" | "dfs") => {
                format!("minimal if the test is monotone, as {minimizer} promises")
            }
            _ => format!("1-minimal: no single one of its {} can be deleted", effective.format),
        },
    }
}

/// Checks that a page can be written there, before anything is asked.
pub(crate) fn check_place(path: &Path) -> Result<PathBuf, Failure> {
    let fail = |what: &str| Failure::Page(path.to_owned(), io::Error::other(what.to_owned()));
    let folder = folder_of(path);
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(fail("it is no regular file"));
    }
    if !folder.is_dir() {
        return Err(fail("there is no such folder"));
    }
    Ok(path.to_owned())
}
