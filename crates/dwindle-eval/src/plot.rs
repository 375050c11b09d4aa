//! The curves as a picture: a panel a case, a line a configuration.

use plotters::prelude::*;

use crate::curves::share;
use crate::table::{Cell, Curve, Table};

/// The size of a panel, in pixels.
const PANEL: (u32, u32) = (420, 280);
/// Panels beside each other, at most.
const ACROSS: usize = 3;
/// The questions and the percentages that a panel shows.
const QUESTIONS: u64 = 100;
const PERCENT: (f64, f64) = (0.1, 100.0);

/// The curves of `table` as an SVG document. Percentages stand on a logarithmic axis.
pub(crate) fn render(table: &Table<'_>) -> anyhow::Result<String> {
    let across = table.rows.len().clamp(1, ACROSS);
    let down = table.rows.len().div_ceil(across).max(1);
    let mut text = String::new();
    {
        let size = (PANEL.0 * across as u32, PANEL.1 * down as u32);
        let picture = SVGBackend::with_string(&mut text, size).into_drawing_area();
        picture.fill(&WHITE)?;
        for (row, panel) in table.rows.iter().zip(picture.split_evenly((down, across))) {
            let mut chart = ChartBuilder::on(&panel)
                .caption(row.case, ("sans-serif", 15))
                .margin(8)
                .x_label_area_size(36)
                .y_label_area_size(52)
                .build_cartesian_2d(0..QUESTIONS, (PERCENT.0..PERCENT.1).log_scale())?;
            chart
                .configure_mesh()
                .light_line_style(WHITE)
                .x_labels(6)
                .y_labels(4)
                .x_desc("questions")
                .y_desc("% of the tokens")
                .draw()?;
            for (index, (cell, name)) in row.cells.iter().zip(&table.columns).enumerate() {
                let Cell::Reduced { report, curve: Some(curve), .. } = cell else { continue };
                let color = Palette99::pick(index).to_rgba();
                let line = LineSeries::new(stairs(curve, report.before.tokens), color);
                let legend = move |(x, y)| PathElement::new([(x, y), (x + 14, y)], color);
                chart.draw_series(line)?.label(*name).legend(legend);
            }
            chart
                .configure_series_labels()
                .position(SeriesLabelPosition::LowerLeft)
                .background_style(WHITE.mix(0.8))
                .draw()?;
        }
        picture.present()?;
    }
    Ok(text)
}

/// The corners of a curve: what is left stays until the question that takes some away.
fn stairs(curve: &Curve, before: u64) -> impl Iterator<Item = (u64, f64)> {
    let percent = move |questions| (100.0 * share(curve, before, questions)).clamp(PERCENT.0, PERCENT.1);
    let shown = curve.iter().map(|&(question, _)| question).filter(|&question| question <= QUESTIONS);
    let corners = shown.flat_map(|question| [question.saturating_sub(1), question]);
    [0].into_iter().chain(corners).chain([QUESTIONS]).map(move |question| (question, percent(question)))
}

#[cfg(test)]
mod tests {
    use super::{render, stairs};
    use crate::results::tests::{failed, reduced, with_curve};
    use crate::table::Table;
    use crate::table::tests::columns;

    #[test]
    fn a_curve_falls_at_its_questions() {
        let corners: Vec<_> = stairs(&[(3, 50), (101, 1)], 100).collect();
        assert_eq!(corners, [(0, 100.0), (2, 100.0), (3, 50.0), (100, 50.0)]);
    }

    #[test]
    fn there_is_a_panel_for_each_case_and_a_line_for_each_curve() {
        let columns = columns(&["quick", "slow"]);
        let records = [
            with_curve(reduced("a", "quick", 3, 90), vec![(4, 150), (40, 29)]),
            with_curve(reduced("a", "slow", 3, 90), vec![(41, 3)]),
            with_curve(reduced("b", "slow", 3, 90), vec![]),
            failed("b", "quick"),
        ];
        let cases = ["a", "b", "c", "d"];
        let picture = render(&Table::new(&cases, &columns, &records, None)).unwrap();
        assert!(picture.starts_with("<svg ") && picture.contains("width=\"1260\" height=\"560\""));
        let count = |text: &str| picture.lines().filter(|line| *line == text).count();
        assert_eq!(cases.map(count), [1; 4]);
        assert_eq!((count("quick"), count("slow")), (1, 2));
    }
}
