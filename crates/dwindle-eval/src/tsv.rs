//! The table as tab-separated values: a row a run, with every figure.
//!
//! `end` is how dwindle ended, or `failed`, or `missing` when it was not run; then the figures
//! are empty. Memory is in MiB, time in seconds unless the column says otherwise.

use crate::table::{Cell, Table};

/// The columns.
const HEADER: [&str; 15] = [
    "case",
    "run",
    "tokens",
    "bytes",
    "lines",
    "questions",
    "interesting",
    "cached",
    "timeouts",
    "seconds",
    "cpu_seconds_test",
    "cpu_seconds_dwindle",
    "dwindle_cpu_ms_per_question",
    "peak_mib",
    "end",
];

/// `table` as tab-separated values, with a header.
pub(crate) fn render(table: &Table<'_>) -> String {
    let mut text = HEADER.join("\t") + "\n";
    for row in &table.rows {
        for (&run, cell) in table.columns.iter().zip(&row.cells) {
            let line = [row.case, run].map(str::to_owned).into_iter().chain(figures(cell));
            text.push_str(&line.collect::<Vec<_>>().join("\t"));
            text.push('\n');
        }
    }
    text
}

/// The columns after case and run.
fn figures(cell: &Cell<'_>) -> [String; 13] {
    let without = |end: &str| {
        let mut figures = [const { String::new() }; 13];
        figures[12] = end.to_owned();
        figures
    };
    let (tokens, report) = match cell {
        Cell::Missing => return without("missing"),
        Cell::Failed => return without("failed"),
        Cell::Reduced { tokens, report, .. } => (tokens, report),
    };
    let own = match report.questions.total {
        0 => String::new(),
        total => format!("{:.3}", report.cpu_seconds.dwindle * 1000.0 / total as f64),
    };
    let peak = report
        .peak_memory_bytes
        .map(|bytes| format!("{:.1}", bytes as f64 / (1024.0 * 1024.0)))
        .unwrap_or_default();
    [
        tokens.to_string(),
        report.after.bytes.to_string(),
        report.after.lines.to_string(),
        report.questions.total.to_string(),
        report.questions.interesting.to_string(),
        report.cached.to_string(),
        report.questions.timeout.to_string(),
        format!("{:.2}", report.seconds.total),
        format!("{:.2}", report.cpu_seconds.test),
        format!("{:.3}", report.cpu_seconds.dwindle),
        own,
        peak,
        report.end.name().to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::render;
    use crate::table::Table;
    use crate::table::tests::{columns, records};

    #[test]
    fn a_row_a_run_with_every_figure() {
        let columns = columns(&["x", "y"]);
        let records = records();
        assert_eq!(
            render(&Table::new(&["a", "c"], &columns, &records, None)).replace('\t', " "),
            "\
case run tokens bytes lines questions interesting cached timeouts seconds cpu_seconds_test \
cpu_seconds_dwindle dwindle_cpu_ms_per_question peak_mib end
a x 10 20 3 1000 3 4 1 2.50 1.50 0.250 0.250 3.0 finished
a y 100 200 3 10 3 4 1 2.50 1.50 0.250 25.000 3.0 max-questions
c x             failed
c y             missing
"
        );
    }
}
