//! `dwindle history`: what reductions have kept, step by step.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use dwindle::journal::{About, History, Place, Step};
use dwindle::shell::quoted;
use dwindle::shown::shown;
use dwindle::{Size, is_same_file};
use indicatif::HumanDuration;
use serde::Serialize;

use crate::args;
use crate::diff::{hunks, replace, seen};
use crate::failure::Failure;
use crate::page::{Page, Record, check_place, write_page};
use crate::say::say;
use crate::show::print;

/// Shows what was asked for.
pub(crate) fn show(args: &args::History) -> Result<(), Failure> {
    let history = match (&args.journal, &args.output) {
        (Some(path), _) => History::read(path).map_err(Failure::Journal)?,
        (None, Some(output)) => find(output)?,
        (None, None) => return list(args.json),
    };
    if let Some(path) = &args.report {
        return page(&history, path);
    }
    match (args.diff, args.restore, &args.to) {
        (Some(number), ..) => diff(&history, number),
        (_, Some(number), Some(to)) => restore(&history, number, to),
        (_, Some(number), None) => {
            let text = text(&history, step(&history, number)?)?;
            print(|out| out.write_all(&seen(&text)))
        }
        _ if args.json => print(|out| json(out, &Summary::of(&history, true))),
        _ => print(|out| steps(out, &history)),
    }
}

/// Writes a page about a reduction. Which questions were asked when is not in a journal.
fn page(history: &History, path: &Path) -> Result<(), Failure> {
    let About { input, output, .. } = history.about();
    let place = check_place(path)?;
    if [input, output].iter().any(|other| is_same_file(path, Path::new(other)))
        || is_same_file(path, history.path())
    {
        let what =
            format!("--report {} would replace a file of the reduction; name another file", shown(path));
        return Err(Failure::Usage(what));
    }
    write_page(
        &place,
        &Page { history, record: &Record::default(), report: None, result: None, command: None },
    )
}

/// The user's journals, the last written one first, and where they lie. Those that cannot be read are
/// only told about.
fn journals() -> Result<(Vec<History>, PathBuf), Failure> {
    let folder = match Place::state().map_err(Failure::Journal)? {
        Place::Folder(path) | Place::File(path) => path,
    };
    let (histories, errors) = History::all(&folder).map_err(Failure::Journal)?;
    for error in errors {
        say(&format!("left out: {error}\n"));
    }
    Ok((histories, folder))
}

/// The journal about `output` that was written to last.
fn find(output: &Path) -> Result<History, Failure> {
    let (mut histories, folder) = journals()?;
    if let Some(at) = histories.iter().position(|history| history.is_of(output)) {
        return Ok(histories.swap_remove(at));
    }
    let mut message =
        format!("there is no journal of a reduction into {} in {}", shown(output), shown(&folder));
    let name = output.canonicalize().unwrap_or_default();
    if let Some(history) = histories.iter().find(|history| Path::new(&history.about().input) == name) {
        let into = quoted(Path::new(&history.about().output));
        message += &format!(", but it was the input of one; did you mean\n  dwindle history {into}");
    } else {
        message += "; `dwindle history` lists those that are there, and --journal FILE reads another file";
    }
    Err(Failure::NoJournal(message))
}

/// Prints what journals there are.
fn list(as_json: bool) -> Result<(), Failure> {
    let (histories, folder) = journals()?;
    if histories.is_empty() {
        say(&format!("there are no journals in {}\n", shown(&folder)));
    }
    print(|out| {
        for history in &histories {
            let About { input, output, .. } = history.about();
            if as_json {
                json(out, &Summary::of(history, false))?;
                continue;
            }
            let when = HumanDuration(history.written().elapsed().unwrap_or_default()).to_string();
            let (state, questions) = (state(history), history.questions());
            let (input, output) = (shown(input), shown(output));
            writeln!(out, "{when:>12} ago  {state:<10}  {questions:>8} questions  {input} -> {output}")?;
        }
        Ok(())
    })
}

fn state(history: &History) -> &'static str {
    if history.is_finished() { "finished" } else { "unfinished" }
}

/// Prints the steps, one a line.
fn steps(out: &mut dyn Write, history: &History) -> io::Result<()> {
    let About { input, test, output, .. } = history.about();
    let (input, test, output) = (shown(input), shown(test), shown(output));
    writeln!(out, "{input} -> {output}: {}, {} questions", state(history), history.questions())?;
    writeln!(out, "test: {test}")?;
    let [step, question] = ["step", "question"];
    writeln!(out, "{step:>6} {question:>9} {:>10} {:>9} {:>11}  of the input", "tokens", "lines", "bytes")?;
    let of = history.steps().first().map_or(0, |input| input.size.bytes);
    for Step { number, question, size: Size { tokens, lines, bytes } } in history.steps() {
        let percent = if of == 0 { 100.0 } else { 100.0 * *bytes as f64 / of as f64 };
        writeln!(out, "{number:>6} {question:>9} {tokens:>10} {lines:>9} {bytes:>11}  {percent:>10.2} %")?;
    }
    Ok(())
}

fn json(out: &mut dyn Write, summary: &Summary<'_>) -> io::Result<()> {
    serde_json::to_writer(&mut *out, summary)?;
    writeln!(out)
}

/// A journal for machines.
#[derive(Serialize)]
struct Summary<'a> {
    journal: String,
    #[serde(flatten)]
    about: &'a About,
    /// In seconds since 1970.
    written: u64,
    questions: u64,
    finished: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<Row>>,
}

#[derive(Serialize)]
struct Row {
    step: u64,
    question: u64,
    #[serde(flatten)]
    size: Size,
}

impl<'a> Summary<'a> {
    fn of(history: &'a History, with_steps: bool) -> Self {
        let row = |step: &Step| Row { step: step.number, question: step.question, size: step.size };
        let since = |time: SystemTime| time.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            journal: history.path().to_string_lossy().into_owned(),
            about: history.about(),
            written: since(history.written()).as_secs(),
            questions: history.questions(),
            finished: history.is_finished(),
            steps: with_steps.then(|| history.steps().iter().map(row).collect()),
        }
    }
}

/// Where the step with that number is among the steps.
fn step(history: &History, number: u64) -> Result<usize, Failure> {
    let steps = history.steps();
    steps.binary_search_by_key(&number, |step| step.number).map_err(|at| {
        Failure::Usage(match (at.checked_sub(1).map(|at| steps[at].number), steps.get(at)) {
            (Some(before), Some(after)) => format!(
                "step {number} was dropped when the journal became too long; there are steps {before} and {}",
                after.number
            ),
            (last, _) => format!("there is no step {number}; the last one is {}", last.unwrap_or(0)),
        })
    })
}

/// The text of the step at `index`.
fn text(history: &History, index: usize) -> Result<Vec<u8>, Failure> {
    let number = history.steps()[index].number;
    let text = history.text(number).map_err(Failure::Journal)?;
    text.ok_or_else(|| Failure::NoJournal(format!("{} has changed meanwhile", shown(history.path()))))
}

/// Prints what a step has changed.
fn diff(history: &History, number: u64) -> Result<(), Failure> {
    let at = step(history, number)?;
    let Some(before) = at.checked_sub(1) else {
        return Err(Failure::Usage("step 0 is the input, and there is nothing before it".into()));
    };
    let [old, new] = [text(history, before)?, text(history, at)?];
    print(|out| {
        writeln!(out, "--- step {}\n+++ step {number}", history.steps()[before].number)?;
        hunks(out, &old, &new, seen)
    })
}

/// Writes the text of a step to a file, which is whole at every moment.
fn restore(history: &History, number: u64, to: &Path) -> Result<(), Failure> {
    let text = text(history, step(history, number)?)?;
    let there = fs::metadata(to).ok();
    let input = fs::metadata(&history.about().input).ok();
    let file = |metadata: &fs::Metadata| (metadata.dev(), metadata.ino());
    if there.is_some() && there.as_ref().map(file) == input.as_ref().map(file) {
        let message = format!("--to {} would write over the input; name another file", shown(to));
        return Err(Failure::Usage(message));
    }
    let folder = dwindle::restore_folder(Path::new(&history.about().input), &text, to);
    folder.unwrap_or_else(|| replace(to, &text)).map_err(|error| Failure::Restore(to.to_owned(), error))
}
