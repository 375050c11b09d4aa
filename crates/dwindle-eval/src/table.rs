//! The table: which result is in which cell, and means and sums that can be compared.

use std::collections::BTreeSet;

use crate::configurations::Configuration;
use crate::refusals::Refusals;
use crate::report::Report;
use crate::results::{Counted, Outcome, Record, find};

/// Each time that the result became smaller: the questions until then, and its tokens.
pub(crate) type Curve = [(u64, u64)];

/// The results of some configurations (columns) on some cases (rows).
#[derive(Debug)]
pub(crate) struct Table<'a> {
    /// The names of the configurations.
    pub(crate) columns: Vec<&'a str>,
    /// The cases.
    pub(crate) rows: Vec<Row<'a>>,
    /// The records shown, failed ones included, row by row.
    pub(crate) records: Vec<&'a Record>,
    /// Who counted the tokens. All figures of a table are counted the same way.
    pub(crate) tokens: Tokens<'a>,
    /// Version and fingerprint of the builds that made the results.
    pub(crate) programs: BTreeSet<(&'a str, &'a str)>,
}

/// A case.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    /// Its name.
    pub(crate) case: &'a str,
    /// The tokens of its input, known once one of its runs has succeeded.
    pub(crate) original: Option<u64>,
    /// A cell for each column.
    pub(crate) cells: Vec<Cell<'a>>,
}

/// What came of a configuration on a case.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cell<'a> {
    /// It has not been run.
    Missing,
    /// It left no result.
    Failed,
    /// It left a result.
    Reduced {
        /// The tokens of the result.
        tokens: u64,
        /// Everything else.
        report: &'a Report,
        /// How it became small, if that was recorded.
        curve: Option<&'a Curve>,
        /// What was refused, if that was sorted.
        refusals: Option<&'a Refusals>,
    },
}

/// Who counted the tokens.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Tokens<'a> {
    /// Counting commands: every result of the table has a count by one of them.
    Counted(BTreeSet<&'a str>),
    /// The program itself; so many of the results have a count by a command nevertheless.
    Program { counted: usize },
}

/// Figures of a column over the cases in which every column has a result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Totals {
    /// Geometric means of tokens, questions and seconds.
    pub(crate) means: [f64; 3],
    /// Sum of the questions.
    pub(crate) questions: u64,
    /// Sum of the wall seconds.
    pub(crate) seconds: f64,
    /// Sum of the processor seconds of test and dwindle.
    pub(crate) cpu_seconds: f64,
}

impl<'a> Table<'a> {
    /// The table of what `records` have by the program with the fingerprint `program` or,
    /// without one, by any.
    pub(crate) fn new(
        cases: &[&'a str],
        configurations: &'a [Configuration],
        records: &'a [Record],
        program: Option<&str>,
    ) -> Table<'a> {
        let found: Vec<Vec<Option<&Record>>> = cases
            .iter()
            .map(|case| {
                configurations
                    .iter()
                    .map(|configuration| find(records, case, configuration, program))
                    .collect()
            })
            .collect();
        let shown: Vec<&Record> = found.iter().flatten().copied().flatten().collect();
        let tokens = tokens(&shown);
        let rows = cases.iter().zip(found).map(|(case, records)| row(case, &records, &tokens)).collect();
        Table {
            columns: configurations.iter().map(|column| column.name.as_str()).collect(),
            rows,
            programs: reduced(&shown)
                .map(|(record, report, _)| (report.version.as_str(), record.program.as_str()))
                .collect(),
            records: shown,
            tokens,
        }
    }

    /// The rows in which every column has a result: only these make columns comparable.
    pub(crate) fn complete(&self) -> impl Iterator<Item = &Row<'a>> {
        self.rows.iter().filter(|row| row.cells.iter().all(|cell| matches!(cell, Cell::Reduced { .. })))
    }

    /// The totals of the column with this index; `None` when no row is complete.
    pub(crate) fn totals(&self, column: usize) -> Option<Totals> {
        self.totals_where(column, |_| true)
    }

    /// The totals of a column over the cases that `takes` names.
    pub(crate) fn totals_where(&self, column: usize, takes: impl Fn(&str) -> bool) -> Option<Totals> {
        let mut columns = [const { Vec::new() }; 3];
        let mut totals = Totals { means: [0.0; 3], questions: 0, seconds: 0.0, cpu_seconds: 0.0 };
        for row in self.complete().filter(|row| takes(row.case)) {
            if let Cell::Reduced { tokens, report, .. } = row.cells[column] {
                let figures = [tokens as f64, report.questions.total as f64, report.seconds.total];
                for (column, figure) in columns.iter_mut().zip(figures) {
                    column.push(figure);
                }
                totals.questions += report.questions.total;
                totals.seconds += report.seconds.total;
                totals.cpu_seconds += report.cpu_seconds.test + report.cpu_seconds.dwindle;
            }
        }
        for (mean, figures) in totals.means.iter_mut().zip(&columns) {
            *mean = geometric_mean(figures)?;
        }
        Some(totals)
    }

    /// The geometric mean of the original tokens of the complete rows.
    pub(crate) fn original_mean(&self) -> Option<f64> {
        let tokens: Vec<f64> =
            self.complete().filter_map(|row| row.original).map(|tokens| tokens as f64).collect();
        geometric_mean(&tokens)
    }
}

/// The geometric mean, with a zero taken as 1; `None` of nothing.
pub(crate) fn geometric_mean(figures: &[f64]) -> Option<f64> {
    if figures.is_empty() {
        return None;
    }
    let logarithm = |&figure: &f64| if figure > 0.0 { libm::log(figure) } else { 0.0 };
    let sum: f64 = figures.iter().map(logarithm).sum();
    Some(libm::exp(sum / figures.len() as f64))
}

fn row<'a>(case: &'a str, records: &[Option<&'a Record>], by: &Tokens<'_>) -> Row<'a> {
    let mut original = None;
    let cells = records
        .iter()
        .map(|record| match record.map(|record| &record.outcome) {
            None => Cell::Missing,
            Some(Outcome::Failed { .. }) => Cell::Failed,
            Some(Outcome::Reduced { report, counted, curve, refusals }) => {
                let (before, tokens) = match (by, counted) {
                    (Tokens::Counted(_), Some(counted)) => (counted.before, counted.after),
                    _ => (report.before.tokens, report.after.tokens),
                };
                original.get_or_insert(before);
                Cell::Reduced { tokens, report, curve: curve.as_deref(), refusals: refusals.as_ref() }
            }
        })
        .collect();
    Row { case, original, cells }
}

fn tokens<'a>(records: &[&'a Record]) -> Tokens<'a> {
    let counts: Vec<_> = reduced(records).map(|(_, _, counted)| counted).collect();
    let by: BTreeSet<&str> = counts.iter().copied().flatten().map(|counted| counted.by.as_str()).collect();
    let counted = counts.iter().flatten().count();
    if counted == 0 || counted < counts.len() { Tokens::Program { counted } } else { Tokens::Counted(by) }
}

fn reduced<'a, 'b>(
    records: &'b [&'a Record],
) -> impl Iterator<Item = (&'a Record, &'a Report, Option<&'a Counted>)> + 'b {
    records.iter().filter_map(|record| match &record.outcome {
        Outcome::Reduced { report, counted, .. } => Some((*record, &**report, counted.as_ref())),
        Outcome::Failed { .. } => None,
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{Cell, Table, Tokens, geometric_mean};
    use crate::configurations::Configuration;
    use crate::results::Record;
    use crate::results::tests::{failed, reduced, with_count, with_end};

    pub(crate) fn columns(names: &[&str]) -> Vec<Configuration> {
        let configuration = |name: &&str| Configuration { name: (*name).to_owned(), arguments: vec![] };
        names.iter().map(configuration).collect()
    }

    /// Two complete rows, one with a failed cell and a missing one.
    pub(crate) fn records() -> Vec<Record> {
        vec![
            reduced("b", "y", 400, 10),
            reduced("a", "x", 10, 1000),
            with_end(reduced("a", "y", 100, 10), "max-questions"),
            failed("c", "x"),
            reduced("b", "x", 40, 10),
        ]
    }

    #[test]
    fn only_complete_rows_count_in_means_and_sums() {
        let columns = columns(&["x", "y"]);
        let mut records = records();
        records.push(reduced("c", "y", 7777, 7777));
        let table = Table::new(&["a", "b", "c"], &columns, &records, None);
        let totals = table.totals(0).unwrap();
        assert!((totals.means[0] - 20.0).abs() < 1e-9);
        assert!((totals.means[1] - 100.0).abs() < 1e-9);
        assert_eq!(totals.questions, 1010);
        assert_eq!((totals.seconds, totals.cpu_seconds), (5.0, 3.5));
        assert_eq!(table.totals(1).unwrap().questions, 20);
        assert_eq!(Table::new(&["c"], &columns, &records, None).totals(0), None);
    }

    #[test]
    fn a_zero_is_a_one_in_the_geometric_mean() {
        assert_eq!(geometric_mean(&[0.0, 0.0]), Some(1.0));
        assert!((geometric_mean(&[0.0, 9.0]).unwrap() - 3.0).abs() < 1e-9);
        assert_eq!(geometric_mean(&[]), None);
    }

    #[test]
    fn all_tokens_of_a_table_are_counted_the_same_way() {
        let columns = columns(&["x", "y"]);
        let mut records = vec![with_count(reduced("a", "x", 10, 5), "wc -w", 99, 8), failed("a", "y")];
        let tokens = |table: &Table<'_>| match table.rows[0].cells[0] {
            Cell::Reduced { tokens, .. } => (table.rows[0].original, tokens),
            cell => panic!("{cell:?}"),
        };

        let table = Table::new(&["a"], &columns, &records, None);
        assert_eq!(table.tokens, Tokens::Counted(["wc -w"].into()));
        assert_eq!(tokens(&table), (Some(99), 8));

        records.push(reduced("a", "y", 10, 5));
        let table = Table::new(&["a"], &columns, &records, None);
        assert_eq!(table.tokens, Tokens::Program { counted: 1 });
        assert_eq!(tokens(&table), (Some(300), 10));
    }
}
