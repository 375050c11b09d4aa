//! The table in Markdown: a row a case, a column a configuration, means and sums below.

use std::fmt::Write;

use crate::cases::is_tuned;
use crate::page::short;
use crate::report::End;
use crate::table::{Cell, Table, Tokens};

/// `table` in Markdown, with notes on how to read it below.
pub(crate) fn render(table: &Table<'_>) -> String {
    let mut text = String::new();
    push_row(&mut text, "case", "original", table.columns.iter().map(|&name| name.to_owned()));
    push_row(&mut text, "---", "--:", table.columns.iter().map(|_| "--:".to_owned()));
    for row in &table.rows {
        let original = row.original.map_or("-".to_owned(), |tokens| tokens.to_string());
        push_row(&mut text, row.case, &original, row.cells.iter().map(cell));
    }

    let complete = match table.complete().count() {
        1 => "1 case".to_owned(),
        number => format!("{number} cases"),
    };
    let totals: Vec<_> = (0..table.columns.len()).map(|column| table.totals(column)).collect();
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    push_row(
        &mut text,
        &format!("**geometric mean**, {complete}"),
        &or_dash(table.original_mean().map(short)),
        totals.iter().map(|totals| or_dash(totals.map(|totals| totals.means.map(short).join(" / ")))),
    );
    push_row(
        &mut text,
        &format!("**sum**, {complete}: questions / seconds / processor seconds"),
        "",
        totals.iter().map(|totals| {
            or_dash(totals.map(|totals| {
                let [seconds, cpu_seconds] = [totals.seconds, totals.cpu_seconds].map(short);
                format!("{} / {seconds} / {cpu_seconds}", totals.questions)
            }))
        }),
    );
    // Only where there are both do they say something of each other.
    let groups =
        [(true, "cases that constants were chosen on"), (false, "cases that they were not chosen on")];
    let counts = groups.map(|(tuned, _)| table.complete().filter(|row| is_tuned(row.case) == tuned).count());
    for ((tuned, group), count) in groups.into_iter().zip(counts).filter(|_| !counts.contains(&0)) {
        let totals = (0..table.columns.len())
            .map(|column| table.totals_where(column, |case| is_tuned(case) == tuned))
            .map(|totals| or_dash(totals.map(|totals| totals.means.map(short).join(" / "))));
        push_row(&mut text, &format!("**geometric mean**, {count} {group}"), "", totals);
    }
    text.push('\n');
    text.push_str(&notes(table));
    text
}

fn push_row(text: &mut String, case: &str, original: &str, cells: impl Iterator<Item = String>) {
    let cells: Vec<String> = cells.collect();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "| {case} | {original} | {} |", cells.join(" | "));
}

fn cell(cell: &Cell<'_>) -> String {
    match cell {
        Cell::Missing => "-".to_owned(),
        Cell::Failed => "failed".to_owned(),
        Cell::Reduced { tokens, report, .. } => {
            let mark = if report.end == End::Finished { "" } else { "*" };
            let seconds = short(report.seconds.total);
            format!("{tokens}{mark} / {} / {seconds}", report.questions.total)
        }
    }
}

fn notes(table: &Table<'_>) -> String {
    let mut notes = vec![
        "A cell is tokens of the result / questions / seconds; `original` is tokens.".to_owned(),
        "Mean and sum are over the cases in which every run has a result.".to_owned(),
    ];
    let cells = || table.rows.iter().flat_map(|row| &row.cells);
    if cells().any(|cell| matches!(cell, Cell::Reduced { report, .. } if report.end != End::Finished)) {
        notes.push("`*` stopped by its budget of questions or time, the best so far.".to_owned());
    }
    if cells().any(|cell| matches!(cell, Cell::Missing)) {
        notes.push("`-` not run yet.".to_owned());
    }
    notes.push(match &table.tokens {
        Tokens::Counted(by) => {
            let by: Vec<String> = by.iter().map(|command| format!("`{command}`")).collect();
            format!("Tokens are counted by {}.", by.join(" and "))
        }
        Tokens::Program { counted: 0 } => "Tokens are the program's own count.".to_owned(),
        Tokens::Program { counted } => format!(
            "Tokens are the program's own count, as a counting command has counted only \
             {counted} of the results."
        ),
    });
    if !table.programs.is_empty() {
        let programs: Vec<String> = table
            .programs
            .iter()
            .map(|(version, fingerprint)| format!("dwindle {version} (build {fingerprint})"))
            .collect();
        notes.push(format!("Program: {}.", programs.join(", ")));
    }
    notes.iter().map(|note| format!("- {note}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::{render, short};
    use crate::results::tests::reduced;
    use crate::table::Table;
    use crate::table::tests::{columns, records};

    #[test]
    fn a_row_a_case_and_means_and_sums_below() {
        let columns = columns(&["x", "y"]);
        let records = records();
        assert_eq!(
            render(&Table::new(&["a", "b", "c"], &columns, &records, None)),
            "\
| case | original | x | y |
| --- | --: | --: | --: |
| a | 300 | 10 / 1000 / 2.50 | 100* / 10 / 2.50 |
| b | 300 | 40 / 10 / 2.50 | 400 / 10 / 2.50 |
| c | - | failed | - |
| **geometric mean**, 2 cases | 300 | 20.0 / 100 / 2.50 | 200 / 10.0 / 2.50 |
| **sum**, 2 cases: questions / seconds / processor seconds |  | 1010 / 5.00 / 3.50 | 20 / 5.00 / 3.50 |

- A cell is tokens of the result / questions / seconds; `original` is tokens.
- Mean and sum are over the cases in which every run has a result.
- `*` stopped by its budget of questions or time, the best so far.
- `-` not run yet.
- Tokens are the program's own count.
- Program: dwindle 0.1.0 (build 0123456789abcdef).
"
        );
    }

    #[test]
    fn cases_that_constants_were_chosen_on_have_a_mean_of_their_own() {
        let columns = columns(&["x"]);
        let records = [reduced("lua-close-on-break", "x", 10, 100), reduced("a", "x", 40, 200)];
        let text = render(&Table::new(&["lua-close-on-break", "a"], &columns, &records, None));
        for line in [
            "| **geometric mean**, 1 cases that constants were chosen on |  | 10.0 / 100 / 2.50 |\n",
            "| **geometric mean**, 1 cases that they were not chosen on |  | 40.0 / 200 / 2.50 |\n",
        ] {
            assert!(text.contains(line), "{text}");
        }
    }

    #[test]
    fn nothing_run_is_a_table_of_dashes() {
        let columns = columns(&["x"]);
        let text = render(&Table::new(&["a"], &columns, &[], None));
        assert!(text.contains("| a | - | - |\n"), "{text}");
        assert!(text.contains("| **geometric mean**, 0 cases | - | - |\n"), "{text}");
        assert!(!text.contains("Program:"), "{text}");
    }

    #[test]
    fn figures_have_about_three_digits() {
        let shown = [0.004, 9.994, 9.996, 99.94, 99.96, 12345.6].map(short);
        assert_eq!(shown, ["0.00", "9.99", "10.0", "99.9", "100", "12346"]);
    }
}
