//! Runs recorded reductions again in virtual time, with as many jobs as one likes.
//!
//! A recording is the journal of a reduction that ran one test at a time. The same search is driven
//! by the real driver in a simulated world, in which every test takes as long as it took then; what
//! was not asked then takes the median time and is refused. The trace is the recorded one at every
//! job count, so only the time differs.

mod slots;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Context, ensure};
use clap::Parser;
use dwindle::core::minimizers::{AfterSuccess, DdminOptions, Order, Split, SplitTie};
use dwindle::core::passes::{Level, Pass, Schedule};
use dwindle::core::{
    AnySearch, Evidence, HddrOrder, MinimizerConfig, MinimizerKind, Origin, Outcome, Transform, Vocabulary,
};
use dwindle::driver::Candidate;
use dwindle::journal::History;
use dwindle::plan::{Options, plan};
use dwindle::read::syntax_errors;
use dwindle::simulation::{Course, Latency, Line, Oracle, Recorded, simulate};
use dwindle::{Document, FrontEnd, Method};

use slots::Cluster;

/// Runs recorded reductions again in virtual time.
///
/// Prints a row a recording: seconds with one job, and how many times faster N jobs are than one job
/// of the fastest recording of the same input; then the geometric means by minimiser.
#[derive(Debug, Parser)]
#[command(name = "dwindle-simulate", version)]
struct Arguments {
    /// Journals of reductions that ran with --jobs 1 and --journal FILE
    #[arg(required = true)]
    journals: Vec<PathBuf>,
    /// How many tests at once
    #[arg(long, value_delimiter = ',', default_value = "1,2,4,8,16,32,64")]
    jobs: Vec<usize>,
    /// Let all tests take the same time
    #[arg(long)]
    fixed: bool,
    /// Print instead how many questions were about a text with more syntax errors than its base
    #[arg(long)]
    errors: bool,
    #[command(flatten)]
    cluster: Cluster,
}

/// A recording.
struct Recording {
    input: Vec<u8>,
    /// The folder of the input.
    name: String,
    search: String,
    front_end: FrontEnd,
    machine: AnySearch,
    oracle: Recorded,
    budget: u64,
    asked: HashSet<String>,
}

/// A recording that was run again.
struct Row {
    input: String,
    search: String,
    questions: usize,
    tokens: u64,
    /// The seconds at each job count.
    seconds: Vec<f64>,
    /// The tests begun for nothing at each job count, a question.
    discarded: Vec<f64>,
}

fn main() -> ExitCode {
    match print(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("dwindle-simulate: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn print(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.errors {
        return print_errors(&arguments.journals);
    }
    if arguments.cluster.print(&arguments.journals, &arguments.jobs, arguments.fixed)? {
        return Ok(());
    }
    let row = |path: &PathBuf| run(path, arguments).with_context(|| format!("in {}", path.display()));
    let rows = arguments.journals.iter().map(row).collect::<anyhow::Result<Vec<Row>>>()?;
    // Sequentially: the first job count is 1 if the user wants a meaning in the others.
    let mut fastest: BTreeMap<&str, f64> = BTreeMap::new();
    let mut fewest: BTreeMap<&str, usize> = BTreeMap::new();
    for row in &rows {
        let best = fastest.entry(&row.input).or_insert(f64::INFINITY);
        *best = best.min(row.seconds[0]);
        let least = fewest.entry(&row.input).or_insert(usize::MAX);
        *least = (*least).min(row.questions);
    }
    let jobs: Vec<String> = arguments.jobs.iter().map(|jobs| format!("x{jobs}")).collect();
    println!("| input | search | tokens | questions | s | {} | discarded a question |", jobs.join(" | "));
    println!("|---|---|--:|--:|--:|{}--:|", "--:|".repeat(jobs.len()));
    let mut means: BTreeMap<&str, Vec<Vec<f64>>> = BTreeMap::new();
    for row in &rows {
        let best = fastest[row.input.as_str()];
        let speedups: Vec<f64> = row.seconds.iter().map(|seconds| best / seconds).collect();
        println!(
            "| {} | {} | {} | {} | {:.1} | {} | {:.2} |",
            row.input,
            row.search,
            row.tokens,
            row.questions,
            row.seconds[0],
            columns(&speedups),
            row.discarded.last().copied().unwrap_or_default()
        );
        let figures = means.entry(&row.search).or_default();
        let more = row.questions as f64 / fewest[row.input.as_str()] as f64;
        figures.push(std::iter::once(more).chain(speedups).collect());
    }
    println!("\n| search | inputs | questions, of the fewest | {} |", jobs.join(" | "));
    println!("|---|--:|--:|{}", "--:|".repeat(jobs.len()));
    for (search, figures) in means {
        let count = figures.len();
        let mean = |i: usize| (figures.iter().map(|row| row[i].ln()).sum::<f64>() / count as f64).exp();
        let means: Vec<f64> = (0..=jobs.len()).map(mean).collect();
        println!("| {search} | {count} | {:.2} | {} |", means[0], columns(&means[1..]));
    }
    Ok(())
}

fn columns(figures: &[f64]) -> String {
    let column = |figure: &f64| format!("{figure:.2}");
    figures.iter().map(column).collect::<Vec<_>>().join(" | ")
}

impl Recording {
    fn read(path: &Path, fixed: bool, cluster: Cluster) -> anyhow::Result<Self> {
        let history = History::read(path)?;
        let input = history.text(0)?.context("there is no input")?;
        let facts = history.facts().context("nothing says how the search was configured")?;
        let word = |name: &str| facts[name].as_str().with_context(|| format!("{name} is not said"));
        let number = |name: &str| facts[name].as_f64().with_context(|| format!("{name} is not said"));
        let (reducer, minimizer) = (word("reducer")?, word("minimizer")?);
        let mut method = Method::named(word("format")?, Some(reducer)).map_err(anyhow::Error::msg)?;
        if let Some(names) = facts["transforms"].as_array() {
            let named = |transform: &Transform| names.iter().any(|name| name == transform.name());
            let transforms = Transform::ALL.into_iter().filter(named).collect();
            method = method.transformed(transforms).map_err(anyhow::Error::msg)?;
        }
        if let Some(width) = facts["batch_width"].as_u64().and_then(|width| NonZeroUsize::new(width as usize))
        {
            method = method.batched(width).map_err(anyhow::Error::msg)?;
        }
        if let Some(order) = HddrOrder::ALL.into_iter().find(|order| facts["hddr_order"] == order.name()) {
            method = method.ordered(order).map_err(anyhow::Error::msg)?;
        }
        if facts["once"] == true {
            method = method.once().map_err(anyhow::Error::msg)?;
        }
        let kind = MinimizerKind::ALL.into_iter().find(|kind| kind.name() == minimizer);
        let seed = facts["seed"].as_u64().unwrap_or_default();
        let count = |name: &str| facts[name].as_u64().map(|count| count as u32);
        let is = |name: &str, value: &str| facts[name] == value;
        let default =
            MinimizerConfig::new(kind.with_context(|| format!("there is no minimiser {minimizer}"))?);
        let ddmin = DdminOptions {
            split: Split::ALL.into_iter().find(|split| is("split", split.name())).unwrap_or_default(),
            order: Order::ALL.into_iter().find(|order| is("order", order.name())).unwrap_or_default(),
            after_success: AfterSuccess::ALL
                .into_iter()
                .find(|after| is("after_success", after.name()))
                .unwrap_or(default.ddmin.after_success),
            factor: count("split_factor").unwrap_or(default.ddmin.factor),
            start_size: count("start_size"),
            seed,
            complements_first: facts["complements_first"] == true,
            again: facts["again"] == true,
            ..default.ddmin
        };
        let config = MinimizerConfig {
            sigma: number("sigma")?,
            p0: number("p0")?,
            theta: facts["theta"].as_f64().unwrap_or(default.theta),
            alpha: facts["alpha"].as_f64().unwrap_or(default.alpha),
            ddmin,
            split_tie: SplitTie::ALL.into_iter().find(|tie| is("split_tie", tie.name())).unwrap_or_default(),
            random: facts["random"] == true,
            seed,
            ..default
        };
        let about = Path::new(&history.about().input);
        let front_end = match facts["language"].as_str() {
            Some(name) => FrontEnd::of_language(name)?,
            None => FrontEnd::recognise(about, &input),
        };
        let level = facts["level"].as_str();
        let level = Level::ALL.into_iter().find(|known| Some(known.name()) == level);
        let schedule = Schedule::of(level.context("a run with passes of its own cannot be run again")?);
        let mut options = Options::new(method);
        (options.minimizer, options.schedule) = (config, schedule);
        options.front_end = Some(front_end);
        let machine = plan(&Document::of(input.clone()), &options).search;
        let outcomes = history.outcomes()?;
        let mut answers = outcomes.clone();
        cluster.set(answers.values_mut().map(|known| &mut known.seconds), fixed);
        let hex = |key: &[u8; 16]| key.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let folder = about.parent().and_then(Path::file_name).unwrap_or(about.as_os_str());
        Ok(Self {
            name: folder.to_string_lossy().into_owned(),
            search: format!("{reducer} {minimizer}"),
            front_end,
            machine,
            oracle: Recorded::new(answers),
            // A budget that ended the recording ends what is run ahead, too.
            budget: if history.is_finished() { u64::MAX } else { history.questions() },
            asked: outcomes.keys().map(hex).collect(),
            input,
        })
    }

    /// The reduction, run again with so many jobs.
    fn course(&self, jobs: usize, oracle: impl Oracle) -> anyhow::Result<Course> {
        let course = simulate(
            self.machine.clone(),
            self.front_end,
            &self.input,
            jobs,
            self.budget,
            oracle,
            Latency::Fixed(1000),
        );
        let known = |line: &Line| line.from != "test" || self.asked.contains(&line.content);
        ensure!(course.trace.iter().all(known), "the search asks what was not asked when it was recorded");
        Ok(course)
    }
}

fn run(path: &Path, arguments: &Arguments) -> anyhow::Result<Row> {
    let recording = Recording::read(path, arguments.fixed, arguments.cluster)?;
    let course = |&jobs: &usize| recording.course(jobs, recording.oracle.clone());
    let courses = arguments.jobs.iter().map(course).collect::<anyhow::Result<Vec<Course>>>()?;
    let first = courses.first().context("no job count is given")?;
    for course in &courses {
        ensure!(course.trace == first.trace, "the trace depends on the job count");
    }
    let questions = first.questions();
    let kept = first.trace.iter().filter(|line| line.kept);
    Ok(Row {
        input: recording.name,
        search: recording.search,
        questions,
        tokens: kept.map(|line| line.size.tokens).next_back().unwrap_or(0),
        seconds: courses.iter().map(|course| course.micros as f64 / 1e6).collect(),
        discarded: courses
            .iter()
            .map(|course| (course.begun as f64 - questions as f64) / questions as f64)
            .collect(),
    })
}

/// Prints how many questions of each recording were about a text with more syntax errors than its
/// base; those about tokens, whatever the syntax says, are counted apart.
fn print_errors(journals: &[PathBuf]) -> anyhow::Result<()> {
    println!("| input | language | search | questions | worse | % | of tokens | worse |");
    println!("|---|---|---|--:|--:|--:|--:|--:|");
    for path in journals {
        let recording = Recording::read(path, true, Cluster::default())?;
        let Some(of_input) = syntax_errors(&recording.input, recording.front_end) else { continue };
        let errors = Rc::new(RefCell::new(HashMap::new()));
        let oracle = Counting {
            oracle: recording.oracle.clone(),
            front_end: recording.front_end,
            errors: errors.clone(),
        };
        let course = recording.course(1, oracle)?;
        let errors = errors.borrow();
        let counts = count(&course.trace, of_input, |content| errors.get(content).copied().flatten());
        let [(asked, worse), (of_tokens, worse_of_tokens)] = counts;
        println!(
            "| {} | {} | {} | {asked} | {worse} | {:.1} | {of_tokens} | {worse_of_tokens} |",
            recording.name,
            recording.front_end.name(),
            recording.search,
            100.0 * worse as f64 / asked.max(1) as f64,
        );
    }
    Ok(())
}

/// How many questions there were, and how many of them were about a text with more syntax errors than
/// its base: those about nodes, and those about tokens.
fn count(trace: &[Line], of_input: u64, errors: impl Fn(&str) -> Option<u64>) -> [(usize, usize); 2] {
    let mut base = of_input;
    let mut counts = [(0, 0); 2];
    for line in trace.iter().filter(|line| line.from == "test") {
        // What the grammar refuses altogether is not better.
        let now = errors(&line.content).unwrap_or(u64::MAX);
        let (asked, worse) = &mut counts[usize::from(line.origin == Origin::Pass(Pass::Tokens))];
        (*asked, *worse) = (*asked + 1, *worse + usize::from(now > base));
        if line.kept {
            base = now;
        }
    }
    counts
}

/// Takes note of the syntax errors of what is tested.
struct Counting {
    oracle: Recorded,
    front_end: FrontEnd,
    errors: Rc<RefCell<HashMap<String, Option<u64>>>>,
}

impl Oracle for Counting {
    fn test(&mut self, candidate: &Candidate, beside: usize) -> (Outcome, Option<u64>) {
        let errors = syntax_errors(&candidate.bytes, self.front_end);
        let content = candidate.key.iter().map(|byte| format!("{byte:02x}")).collect();
        self.errors.borrow_mut().insert(content, errors);
        self.oracle.test(candidate, beside)
    }

    fn evidence(&mut self, candidate: &Candidate, vocabulary: &Arc<Vocabulary>) -> Evidence {
        self.oracle.evidence(candidate, vocabulary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_worse_that_has_more_errors_than_what_was_kept_last() {
        let line = |errors: u64, kept, origin, from| Line {
            content: errors.to_string(),
            size: dwindle::Size { tokens: 1, bytes: 1, lines: 1 },
            outcome: if kept { "interesting" } else { "uninteresting" },
            kept,
            from,
            label: "",
            origin,
        };
        let (lists, tokens) = (Origin::Deletion, Origin::Pass(Pass::Tokens));
        let trace = [
            line(1, false, lists, "test"),
            line(2, false, lists, "test"),
            line(0, true, lists, "test"),
            line(1, false, lists, "test"),
            line(9, false, lists, "cache"),
            line(1, true, tokens, "test"),
            line(1, false, tokens, "test"),
            line(77, false, lists, "test"),
        ];
        let errors = |content: &str| content.parse().ok().filter(|&errors| errors != 77);
        assert_eq!(count(&trace, 1, errors), [(5, 3), (2, 1)]);
    }
}
