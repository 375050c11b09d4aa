//! The table of what was tried, and what came of it.

use std::fmt::Write;

use dwindle::core::Outcome;

use super::charts::class;
use super::record::{Asked, Record};
use super::sides::escaped;
use crate::progress::words_of;
use crate::written::grouped;

/// What the colours mean.
pub(super) const KEY: &str = "<p class='key'><span class='yes' style='margin-left:0'></span>interesting<span class='no'></span>not \
                   interesting<span class='late'></span>over the time limit</p>";

/// The outcomes, in the order of a bar.
const OUTCOMES: [Outcome; 3] = [Outcome::Interesting, Outcome::Uninteresting, Outcome::Unresolved];

/// What a pass has cost and brought.
#[derive(Default)]
struct Row {
    label: &'static str,
    /// How many questions had each of the outcomes.
    counts: [usize; 3],
    tokens: i64,
    seconds: f64,
}

impl Row {
    fn total(&self) -> usize {
        self.counts.iter().sum()
    }
}

/// The table, where questions were watched.
pub(super) fn passes(record: &Record) -> String {
    let rows = rows(record);
    if rows.is_empty() {
        return String::new();
    }
    let most = rows.iter().map(Row::total).max().unwrap_or(1).max(1);
    let mut html = format!(
        "<h2>Questions</h2>{KEY}<div class='table'><table><tr><th>what was tried</th><th></th><th>questions</th>\
         <th>interesting</th><th>tokens deleted</th><th>seconds</th></tr>"
    );
    for row in &rows {
        let part = |(outcome, count): (Outcome, usize)| {
            let share = 100.0 * count as f64 / most as f64;
            format!("<i class='{}' style='width:{share:.2}%'></i>", class(Some(outcome)))
        };
        let bar: String = OUTCOMES.into_iter().zip(row.counts).map(part).collect();
        let said = escaped(words_of(row.label).as_bytes());
        let sign = if row.tokens < 0 { "-" } else { "" };
        let _ = write!(
            html,
            "<tr><td>{said}</td><td><div class='bar'>{bar}</div></td><td>{}</td><td>{}</td><td>{sign}{}</td><td>{:.1}</td></tr>",
            grouped(row.total() as u64),
            grouped(row.counts[0] as u64),
            grouped(row.tokens.unsigned_abs()),
            row.seconds
        );
    }
    html + "</table></div>\n"
}

/// A row for each pass, in the order in which they came.
fn rows(record: &Record) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for Asked { label, outcome, seconds, .. } in &record.questions {
        let row = row(&mut rows, label);
        // What was stopped has the colour of what took too long.
        let outcome = outcome.unwrap_or(Outcome::Unresolved);
        OUTCOMES.iter().zip(&mut row.counts).for_each(|(of, count)| *count += usize::from(*of == outcome));
        row.seconds += seconds;
    }
    let mut tokens = record.before.map_or(0, |size| size.tokens as i64);
    for kept in &record.kept {
        row(&mut rows, kept.label).tokens += tokens - kept.size.tokens as i64;
        tokens = kept.size.tokens as i64;
    }
    rows
}

fn row<'r>(rows: &'r mut Vec<Row>, label: &'static str) -> &'r mut Row {
    let at = rows.iter().position(|row| row.label == label).unwrap_or_else(|| {
        rows.push(Row { label, ..Row::default() });
        rows.len() - 1
    });
    &mut rows[at]
}
