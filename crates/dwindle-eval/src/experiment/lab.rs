//! Runs settings on inputs and compares them as the papers do.

use plotters::prelude::*;

use super::measure::{Bench, Input, Measured};
use super::setting::Setting;
use super::subjects::Suite;
use crate::page::{Page, Table, short};
use crate::published::Published;
use crate::statistics::{Pair, cliffs_delta, interval, mean, quantile, wilcoxon};
use crate::table::geometric_mean;

/// What experiments work with.
pub(crate) struct Lab<'a> {
    pub(crate) bench: Bench<'a>,
    pub(crate) inputs: Vec<Input>,
    /// How often what draws at random is run, with other seeds.
    pub(crate) repetitions: u64,
    pub(crate) published: Published,
    /// Whether constants were chosen on an input.
    pub(crate) is_tuned: fn(&str) -> bool,
}

/// The figures of a setting on one input, means over its repetitions.
#[derive(Clone, Debug)]
pub(crate) struct Figures {
    pub(crate) input: String,
    pub(crate) suite: Suite,
    pub(crate) before: f64,
    pub(crate) tokens: f64,
    pub(crate) questions: f64,
    pub(crate) seconds: f64,
    pub(crate) memory: Option<f64>,
    pub(crate) runs: Vec<Measured>,
}

impl Figures {
    /// Tokens removed in a second, and by a question.
    fn speeds(&self) -> [f64; 2] {
        let gone = self.before - self.tokens;
        [gone / self.seconds.max(1e-9), gone / self.questions.max(1.0)]
    }
}

/// A setting on all inputs of some suites.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) figures: Vec<Figures>,
}

/// A figure of a run.
pub(crate) type Figure = fn(&Figures) -> f64;
pub(crate) const TOKENS: Figure = |figures| figures.tokens;
pub(crate) const QUESTIONS: Figure = |figures| figures.questions;
pub(crate) const SECONDS: Figure = |figures| figures.seconds;
/// Tokens removed in a second, and by a question.
pub(crate) const SPEED: Figure = |figures| figures.speeds()[0];
pub(crate) const BY_QUESTION: Figure = |figures| figures.speeds()[1];

impl Column {
    pub(crate) fn all(&self, figure: Figure) -> Vec<f64> {
        self.figures.iter().map(figure).collect()
    }

    /// The geometric mean of a figure.
    pub(crate) fn mean(&self, figure: Figure) -> f64 {
        geometric_mean(&self.all(figure)).unwrap_or(f64::NAN)
    }

    /// The figures of this and `other` on the same inputs.
    fn pairs(&self, other: &Self, figure: Figure) -> Vec<Pair> {
        self.all(figure).into_iter().zip(other.all(figure)).collect()
    }
}

impl Lab<'_> {
    /// Runs `settings` on the inputs of `suite`, of all where none is named.
    pub(crate) fn columns(
        &mut self,
        suite: Option<Suite>,
        settings: &[Setting],
    ) -> anyhow::Result<Vec<Column>> {
        let inputs: Vec<Input> = self
            .inputs
            .iter()
            .filter(|input| suite.is_none_or(|suite| input.suite() == suite))
            .cloned()
            .collect();
        let mut columns = Vec::new();
        for setting in settings {
            let mut figures = Vec::new();
            for input in &inputs {
                let seeds = if setting.random { self.repetitions } else { 1 };
                let runs = (0..seeds).map(|seed| self.bench.measure(input, &setting.seeded(seed)));
                let runs: Vec<Measured> = runs.collect::<Result<_, _>>()?;
                let of = |figure: fn(&Measured) -> f64| {
                    mean(&runs.iter().map(figure).collect::<Vec<_>>()).unwrap_or(f64::NAN)
                };
                figures.push(Figures {
                    input: input.name().to_owned(),
                    suite: input.suite(),
                    before: of(|run| run.before as f64),
                    tokens: of(|run| run.tokens as f64),
                    questions: of(|run| run.questions as f64),
                    seconds: of(|run| run.seconds),
                    memory: runs[0].memory.map(|bytes| bytes as f64),
                    runs,
                });
            }
            columns.push(Column { name: setting.name.clone(), figures });
        }
        Ok(columns)
    }

    /// Puts tables and a box plot of `columns` on the page; the first column is what the others are compared with.
    pub(crate) fn compare(&self, page: &mut Page, what: &str, columns: &[Column]) -> anyhow::Result<()> {
        let Some(first) = columns.first().filter(|first| !first.figures.is_empty()) else {
            page.notes.push(format!("No inputs for {what}."));
            return Ok(());
        };
        page.tables.push(by_input(what, columns));
        page.tables.push(means(&format!("{what}: means"), columns, |_| true));
        // Only cases of the corpus can have been tuned on.
        let groups = [("constants were chosen on them", true), ("constants were not chosen on them", false)];
        let of_group =
            |tuned| first.figures.iter().filter(move |f| (self.is_tuned)(&f.input) == tuned).count();
        for (group, tuned) in
            groups.into_iter().filter(|(_, tuned)| of_group(true) > 0 && of_group(*tuned) > 0)
        {
            page.tables.push(means(&format!("{what}: means, {group}"), columns, |input| {
                (self.is_tuned)(input) == tuned
            }));
        }
        let mut tests = Table::new(
            &format!("{what}: against {}", first.name),
            &["setting", "figure", "pairs that differ", "p (Wilcoxon)", "rank-biserial r", "Cliff's δ"],
        );
        for column in &columns[1..] {
            for (name, figure) in [("tokens", TOKENS), ("questions", QUESTIONS), ("seconds", SECONDS)] {
                let test = wilcoxon(&first.pairs(column, figure));
                let delta = cliffs_delta(&first.all(figure), &column.all(figure)).unwrap_or(f64::NAN);
                let cells = match test {
                    None => ["0".to_owned(), "-".to_owned(), "-".to_owned()],
                    Some(test) => [test.pairs.to_string(), p_value(test.p), format!("{:.2}", test.effect)],
                };
                let [pairs, p, effect] = cells;
                tests.row([column.name.clone(), name.to_owned(), pairs, p, effect, format!("{delta:.2}")]);
            }
        }
        if columns.len() > 1 {
            page.tables.push(tests);
            for (name, figure) in [("tokens", TOKENS), ("questions", QUESTIONS)] {
                let title = format!("{what}: {name} relative to {}", first.name);
                page.plots.push((title, box_plot(first, &columns[1..], figure)?));
            }
        }
        Ok(())
    }
}

/// The mean of a figure in `second` over that in `first`, as a percentage of change.
pub(crate) fn change(first: &Column, second: &Column, figure: Figure) -> (String, f64) {
    let ratio = second.mean(figure) / first.mean(figure);
    let text = if ratio.is_nan() { "-".to_owned() } else { format!("{:+.1} %", 100.0 * (ratio - 1.0)) };
    (text, ratio)
}

/// Whether `second` has less of a figure; nothing where there is no input.
pub(crate) fn less(first: &Column, second: &Column, figure: Figure) -> Option<bool> {
    let ratio = change(first, second, figure).1;
    (!ratio.is_nan()).then_some(ratio < 1.0)
}

/// The same, or as much.
pub(crate) fn no_more(first: &Column, second: &Column, figure: Figure) -> Option<bool> {
    let ratio = change(first, second, figure).1;
    (!ratio.is_nan()).then_some(ratio <= 1.0)
}

/// A probability as papers print it.
pub(crate) fn p_value(p: f64) -> String {
    if p < 0.001 { format!("{p:.0e}") } else { format!("{p:.3}") }
}

fn by_input(what: &str, columns: &[Column]) -> Table {
    let names = columns.iter().map(|column| column.name.as_str());
    let header: Vec<&str> = ["input", "tokens"].into_iter().chain(names).collect();
    let mut table = Table::new(&format!("{what}: tokens / questions / seconds"), &header);
    for (row, of) in columns[0].figures.iter().enumerate() {
        let cells = columns.iter().map(|column| {
            let Figures { tokens, questions, seconds, runs, .. } = &column.figures[row];
            let mark = if runs.iter().all(|run| run.finished) { "" } else { "*" };
            format!("{}{mark} / {} / {}", short(*tokens), short(*questions), short(*seconds))
        });
        table.row([of.input.clone(), short(of.before)].into_iter().chain(cells));
    }
    table
}

fn means(title: &str, columns: &[Column], takes: impl Fn(&str) -> bool) -> Table {
    let mut table = Table::new(
        title,
        &[
            "setting",
            "tokens, geometric",
            "95 %",
            "arithmetic",
            "questions, geometric",
            "95 %",
            "arithmetic",
            "seconds",
            "tokens/s",
            "tokens/question",
            "peak MiB",
        ],
    );
    for column in columns {
        let figures = column.figures.iter().filter(|figures| takes(&figures.input)).cloned().collect();
        let column = Column { name: column.name.clone(), figures };
        let mut cells = vec![column.name.clone()];
        for figure in [TOKENS, QUESTIONS] {
            let all = column.all(figure);
            let (low, high) = interval(&all, 1, geometric_mean).unwrap_or((f64::NAN, f64::NAN));
            cells.extend([short(column.mean(figure)), format!("{} – {}", short(low), short(high))]);
            cells.push(short(mean(&all).unwrap_or(f64::NAN)));
        }
        let speeds = [0, 1].map(|which| {
            geometric_mean(&column.figures.iter().map(|figures| figures.speeds()[which]).collect::<Vec<_>>())
        });
        let memory: Vec<f64> = column.figures.iter().filter_map(|figures| figures.memory).collect();
        cells.push(short(column.mean(SECONDS)));
        cells.extend(speeds.map(|speed| short(speed.unwrap_or(f64::NAN))));
        cells.push(geometric_mean(&memory).map_or("-".to_owned(), |bytes| short(bytes / 1048576.0)));
        table.row(cells);
    }
    table
}

/// A box for each column: its figures over those of the first.
fn box_plot(first: &Column, columns: &[Column], figure: Figure) -> anyhow::Result<String> {
    let ratios: Vec<Vec<f64>> = columns
        .iter()
        .map(|column| first.pairs(column, figure).iter().map(|(was, is)| is / was.max(1e-9)).collect())
        .collect();
    let most = ratios.iter().flatten().fold(1.0_f64, |most, &ratio| most.max(ratio));
    let mut text = String::new();
    {
        let picture =
            SVGBackend::with_string(&mut text, (160 + 150 * columns.len() as u32, 300)).into_drawing_area();
        picture.fill(&WHITE)?;
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let mut chart = ChartBuilder::on(&picture)
            .margin(10)
            .x_label_area_size(36)
            .y_label_area_size(48)
            .build_cartesian_2d(0.0..columns.len() as f64, 0.0..1.1 * most)?;
        let label = |x: &f64| {
            let is_middle = (x - libm::floor(*x) - 0.5).abs() < 0.01;
            names.get(*x as usize).filter(|_| is_middle).map_or(String::new(), |name| (*name).to_owned())
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(2 * columns.len() + 1)
            .x_label_formatter(&label)
            .y_labels(6)
            .draw()?;
        for (number, ratios) in ratios.iter().enumerate() {
            let x = number as f64 + 0.5;
            let at = |q| quantile(ratios, q).unwrap_or(1.0);
            let line = |points: Vec<(f64, f64)>| PathElement::new(points, BLACK);
            let (low, middle, high) = (at(0.25), at(0.5), at(0.75));
            let whiskers = [vec![(x, at(0.0)), (x, low)], vec![(x, high), (x, at(1.0))]];
            let body = [(x - 0.2, low), (x + 0.2, low), (x + 0.2, high), (x - 0.2, high), (x - 0.2, low)];
            let median = vec![(x - 0.2, middle), (x + 0.2, middle)];
            chart.draw_series(whiskers.into_iter().chain([body.to_vec(), median]).map(line))?;
        }
        let even = [(0.0, 1.0), (columns.len() as f64, 1.0)];
        chart.draw_series([PathElement::new(even, RED.mix(0.5))])?;
        picture.present()?;
    }
    Ok(text)
}
