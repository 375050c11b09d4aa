//! How fast results get small: the tokens that are left after so many questions.

use std::fmt::Write;

use crate::table::{Cell, Curve, Table};

/// Where curves are looked at, in questions; the two on the input count.
const QUESTIONS: [u64; 9] = [1, 2, 5, 10, 20, 40, 60, 80, 100];
/// A run is quick if less than this share is left ...
const SMALL: f64 = 0.1;
/// ... after so many questions.
const SOON: u64 = 40;

/// The share of `before` tokens that is left after so many questions.
pub(crate) fn share(curve: &Curve, before: u64, questions: u64) -> f64 {
    let steps = curve.partition_point(|&(question, _)| question <= questions);
    let left = steps.checked_sub(1).map_or(before, |last| curve[last].1);
    left as f64 / before.max(1) as f64
}

/// The curves of `table` in Markdown: a table a configuration, a row a case.
pub(crate) fn render(table: &Table<'_>) -> String {
    let mut text = String::new();
    for (column, name) in table.columns.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "**{name}**: percent of the tokens left after so many questions\n");
        let _ =
            writeln!(text, "| case | original | {} |", QUESTIONS.map(|count| count.to_string()).join(" | "));
        let _ = writeln!(text, "| --- | --: |{}", " --: |".repeat(QUESTIONS.len()));
        let (mut quick, mut all) = (0, 0);
        for row in &table.rows {
            let Cell::Reduced { report, curve: Some(curve), .. } = row.cells[column] else {
                let _ = writeln!(text, "| {} | - |{}", row.case, " - |".repeat(QUESTIONS.len()));
                continue;
            };
            let before = report.before.tokens;
            let percent = QUESTIONS.map(|count| format!("{:.1}", 100.0 * share(curve, before, count)));
            let _ = writeln!(text, "| {} | {before} | {} |", row.case, percent.join(" | "));
            all += 1;
            quick += usize::from(share(curve, before, SOON) < SMALL);
        }
        let _ =
            writeln!(text, "\n{quick} of {all} are below {:.0} % within {SOON} questions.\n", 100.0 * SMALL);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{render, share};
    use crate::results::tests::{failed, reduced, with_curve};
    use crate::table::Table;
    use crate::table::tests::columns;

    #[test]
    fn the_share_is_that_of_the_last_step() {
        let curve = [(3, 50), (7, 20), (7, 10)];
        let shares = [0, 2, 3, 6, 7, 100].map(|questions| share(&curve, 100, questions));
        assert_eq!(shares, [1.0, 1.0, 0.5, 0.5, 0.1, 0.1]);
        assert_eq!(share(&[], 0, 5), 0.0);
    }

    #[test]
    fn quick_runs_are_counted_among_those_with_a_curve() {
        let columns = columns(&["x"]);
        let records = [
            with_curve(reduced("a", "x", 3, 90), vec![(4, 150), (40, 29), (90, 3)]),
            with_curve(reduced("b", "x", 3, 90), vec![(41, 3)]),
            reduced("c", "x", 3, 90),
            failed("d", "x"),
        ];
        let text = render(&Table::new(&["a", "b", "c", "d"], &columns, &records, None));
        assert!(
            text.contains("| a | 300 | 100.0 | 100.0 | 50.0 | 50.0 | 50.0 | 9.7 | 9.7 | 9.7 | 1.0 |\n"),
            "{text}"
        );
        assert!(
            text.contains("| b | 300 | 100.0 | 100.0 | 100.0 | 100.0 | 100.0 | 100.0 | 1.0 | 1.0 | 1.0 |\n")
        );
        assert!(text.contains("| c | - | - | - |") && text.contains("| d | - |"), "{text}");
        assert!(text.ends_with("\n1 of 2 are below 10 % within 40 questions.\n\n"), "{text}");
    }
}
