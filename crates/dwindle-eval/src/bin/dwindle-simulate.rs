//! Runs recorded reductions again in virtual time, with as many jobs as one likes.
//!
//! A recording is the journal of a reduction that ran one test at a time. The same search is driven
//! by the real driver in a simulated world, in which every test takes as long as it took then; what
//! was not asked then takes the median time and is refused. The trace is the recorded one at every
//! job count, so only the time differs.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use clap::Parser;
use dwindle::core::{MinimizerConfig, MinimizerKind, Transform};
use dwindle::journal::History;
use dwindle::simulation::{Latency, Line, Recorded, simulate};
use dwindle::{FrontEnd, Method};

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

fn run(path: &Path, arguments: &Arguments) -> anyhow::Result<Row> {
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
    let kind = MinimizerKind::ALL.into_iter().find(|kind| kind.name() == minimizer);
    let minimizer = MinimizerConfig {
        sigma: number("sigma")?,
        p0: number("p0")?,
        random: facts["random"] == true,
        seed: facts["seed"].as_u64().unwrap_or_default(),
        batch_width: facts["batch_width"].as_u64().context("batch_width is not said")? as usize,
        ..MinimizerConfig::new(kind.with_context(|| format!("there is no minimiser {minimizer}"))?)
    };
    let front_end =
        FrontEnd::recognise(Path::new(&history.about().input), &input, facts["language"].as_str())?;
    let (search, _) = method.search(input.clone(), front_end, minimizer);

    let outcomes = history.outcomes()?;
    let answers = outcomes.iter().map(|(&key, known)| {
        let micros = if arguments.fixed { 1000 } else { (f64::from(known.seconds) * 1e6) as u64 };
        (key, (known.outcome, micros.max(1)))
    });
    let oracle = Recorded::new(answers.collect());
    let budget = history.questions();
    let course = |jobs| simulate(search.clone(), &input, jobs, budget, oracle.clone(), Latency::Fixed(1000));
    let courses: Vec<_> = arguments.jobs.iter().map(|&jobs| course(jobs)).collect();
    let first = courses.first().context("no job count is given")?;
    for course in &courses {
        ensure!(course.trace == first.trace, "the trace depends on the job count");
    }
    let hex = |key: &[u8; 16]| key.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let recorded: HashSet<String> = outcomes.keys().map(hex).collect();
    let known = |line: &Line| line.from != "test" || recorded.contains(&line.content);
    ensure!(first.trace.iter().all(known), "the search asks what was not asked when it was recorded");
    let questions = first.questions();
    let about = Path::new(&history.about().input);
    let folder = about.parent().and_then(Path::file_name).unwrap_or(about.as_os_str());
    Ok(Row {
        input: folder.to_string_lossy().into_owned(),
        search: format!("{reducer} {}", kind.map_or("", MinimizerKind::name)),
        questions,
        tokens: first
            .trace
            .iter()
            .filter(|line| line.kept)
            .map(|line| line.size.tokens)
            .next_back()
            .unwrap_or(0),
        seconds: courses.iter().map(|course| course.micros as f64 / 1e6).collect(),
        discarded: courses
            .iter()
            .map(|course| (course.begun as f64 - questions as f64) / questions as f64)
            .collect(),
    })
}
