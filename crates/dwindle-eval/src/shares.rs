//! The shares of what refused candidates die of, as a table.

use std::fmt::Write;

use crate::refusals::Refusals;
use crate::table::{Cell, Table};

/// The shares of the classes in Markdown: a row a run.
pub(crate) fn render(table: &Table<'_>) -> String {
    let mut classes: Vec<&str> = Vec::new();
    let mut rows = Vec::new();
    for row in &table.rows {
        for (cell, column) in row.cells.iter().zip(&table.columns) {
            let Cell::Reduced { refusals: Some(Refusals(counts)), .. } = cell else { continue };
            for (class, _) in counts {
                if !classes.contains(&class.as_str()) {
                    classes.push(class);
                }
            }
            rows.push((row.case, column, counts));
        }
    }
    let mut text = format!("| case | run | refused | {} |\n", classes.join(" | "));
    text += &format!("| --- | --- | --: |{}\n", " --: |".repeat(classes.len()));
    for (case, column, counts) in rows {
        let all: u64 = counts.iter().map(|(_, count)| count).sum();
        let share = |class: &&str| {
            let count: u64 = counts.iter().filter(|(name, _)| name == class).map(|(_, count)| count).sum();
            format!("{:.1} %", 100.0 * count as f64 / all.max(1) as f64)
        };
        let shares: Vec<String> = classes.iter().map(share).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {case} | {column} | {all} | {} |", shares.join(" | "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::{reduced, with_refusals};
    use crate::table::tests::columns;

    #[test]
    fn shares_are_of_the_refused_candidates_of_a_run() {
        let names = [("lost", 2), ("syntax", 0), ("fine", 1), ("other", 1)];
        let refusals = Refusals(names.map(|(name, count)| (name.to_owned(), count)).into());
        let columns = columns(&["x", "y"]);
        let records = [with_refusals(reduced("a", "x", 9, 9), refusals), reduced("a", "y", 9, 9)];
        assert_eq!(
            render(&Table::new(&["a"], &columns, &records, None)),
            "| case | run | refused | lost | syntax | fine | other |\n\
             | --- | --- | --: | --: | --: | --: | --: |\n\
             | a | x | 4 | 50.0 % | 0.0 % | 25.0 % | 25.0 % |\n"
        );
    }
}
