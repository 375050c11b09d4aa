//! Pictures of a reduction, as SVG whose colours are those of the page.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

use dwindle::core::Outcome;

use super::record::Asked;
use crate::written::grouped;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 64.0;
const BOTTOM: f64 = 34.0;
const TOP: f64 = 10.0;

/// The curve of `points` (so far, tokens), on a logarithmic axis of sizes, up to `end`.
pub(super) fn curve(points: &[(f64, f64)], end: f64, across: &str) -> String {
    let end = end.max(points.last().map_or(0.0, |point| point.0)).max(1e-9);
    let most = points.iter().map(|point| point.1).fold(1.0, f64::max);
    let least = points.iter().map(|point| point.1).fold(most, f64::min).max(1.0);
    let (top, bottom) = (most.log10(), least.log10().floor().min(most.log10() - 0.3).max(0.0));
    let x = |at: f64| LEFT + (WIDTH - LEFT - 12.0) * at / end;
    let y =
        |size: f64| TOP + (HEIGHT - TOP - BOTTOM) * (top - size.max(1.0).log10()) / (top - bottom).max(0.01);
    let mut svg =
        format!("<svg viewBox='0 0 {WIDTH} {HEIGHT}' role='img' aria-label='tokens over {across}'>");
    for step in 0..=(top.ceil() as i32) {
        for factor in [1.0, 2.0, 5.0] {
            let size = factor * 10f64.powi(step);
            // Few lines where the axis is long.
            if size > most || size.log10() < bottom - 1e-9 || (factor > 1.0 && top - bottom > 2.0) {
                continue;
            }
            let at = y(size);
            let _ = write!(svg, "<path class='grid' d='M{LEFT} {at:.1}H{}'/>", WIDTH - 12.0);
            let _ = write!(
                svg,
                "<text x='{}' y='{:.1}' text-anchor='end'>{}</text>",
                LEFT - 8.0,
                at + 4.0,
                grouped(size as u64)
            );
        }
    }
    let step = round_step(end).max(if across == "questions" { 1.0 } else { 0.01 });
    for part in 0..=(end / step + 1e-9) as u32 {
        let at = step * f64::from(part);
        // At the right end there is no room for half of a long number.
        let anchor = if x(at) > WIDTH - 30.0 { "end" } else { "middle" };
        let said = match step >= 1.0 {
            true => grouped(at.round() as u64),
            false => format!("{at:.*}", -step.log10().floor() as usize),
        };
        let _ =
            write!(svg, "<text x='{:.1}' y='{}' text-anchor='{anchor}'>{said}</text>", x(at), HEIGHT - 16.0);
    }
    let _ = write!(
        svg,
        "<text x='{}' y='{}' text-anchor='end' class='axis'>{across}</text>",
        WIDTH - 12.0,
        HEIGHT - 2.0
    );
    let mut path = String::new();
    for (index, &(at, size)) in points.iter().enumerate() {
        match index {
            0 => write!(path, "M{:.1} {:.1}", x(at), y(size)),
            _ => write!(path, "H{:.1}V{:.1}", x(at), y(size)),
        }
        .expect("writing to a string cannot fail");
    }
    let _ = write!(path, "H{:.1}", x(end));
    let floor = HEIGHT - BOTTOM;
    let _ = write!(svg, "<path class='area' d='{path}V{floor}H{LEFT}Z'/><path class='curve' d='{path}'/>");
    svg + "</svg>"
}

/// The distance of the numbers at an axis up to `end`: a round one, so that there are three to seven of them.
fn round_step(end: f64) -> f64 {
    let rough = end / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough).unwrap_or(10.0);
    factor * power
}

/// The input from its beginning to its end: how much of each place is left.
pub(super) fn heat_map(left: &[Range<usize>], bytes: usize) -> String {
    const BINS: usize = 200;
    const STRIP: f64 = 44.0;
    let bins = BINS.min(bytes.max(1));
    let mut svg = format!(
        "<svg viewBox='0 0 1000 {STRIP}' preserveAspectRatio='none' class='heat' role='img' aria-label='what is left of each place of the input'><rect class='cold' width='1000' height='{STRIP}'/>"
    );
    let mut next = 0;
    for bin in 0..bins {
        let (start, end) = (bytes * bin / bins, bytes * (bin + 1) / bins);
        while left.get(next).is_some_and(|range| range.end <= start) {
            next += 1;
        }
        let here = left[next..].iter().take_while(|range| range.start < end);
        let share = here.map(|range| range.end.min(end) - range.start.max(start)).sum::<usize>() as f64
            / (end - start).max(1) as f64;
        if share > 0.0 {
            // What is little must be seen, too.
            let (x, width) = (1000.0 * bin as f64 / bins as f64, 1000.0 / bins as f64);
            let _ = write!(
                svg,
                "<rect class='hot' x='{x:.2}' width='{width:.2}' height='{STRIP}' opacity='{:.2}'><title>bytes {start} to {end}: {:.0} % left</title></rect>",
                0.3 + 0.7 * share.sqrt(),
                (100.0 * share).max(1.0)
            );
        }
    }
    svg + "</svg>"
}

/// Which tests ran when: a row for each that ran at once.
pub(super) fn timeline(questions: &[Asked], jobs: usize, total: f64) -> String {
    const PIXELS: f64 = 1000.0;
    const ROW: f64 = 18.0;
    let total = questions.last().map_or(0.0, |asked| asked.at).max(total).max(1e-9);
    let mut runs: Vec<(f64, f64, &str)> = questions
        .iter()
        .map(|asked| ((asked.at - asked.seconds).max(0.0), asked.at, class(asked.outcome)))
        .collect();
    runs.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut free = vec![0.0_f64; jobs.max(1)];
    let mut drawn = BTreeSet::new();
    for (start, end, class) in runs {
        // A question is told of a little after its test has ended.
        let row = (0..free.len()).min_by(|&one, &other| free[one].total_cmp(&free[other])).unwrap_or(0);
        free[row] = end;
        let pixel = |at: f64| (PIXELS * at / total * 2.0) as u32;
        drawn.insert((row, pixel(start), pixel(end).max(pixel(start) + 1), class));
    }
    let height = ROW * free.len() as f64;
    let mut svg = format!(
        "<svg viewBox='0 0 {PIXELS} {height}' preserveAspectRatio='none' class='time' style='height:{}px' role='img' aria-label='tests over time'>",
        height.max(28.0)
    );
    for class in ["no", "late", "yes"] {
        let mut path = String::new();
        for (row, start, end, _) in drawn.iter().filter(|bar| bar.3 == class) {
            let (x, width) = (f64::from(*start) / 2.0, f64::from(end - start) / 2.0);
            let _ = write!(path, "M{x} {}h{width}v{}h-{width}z", ROW * *row as f64 + 1.0, ROW - 2.0);
        }
        let _ = write!(svg, "<path class='{class}' d='{path}'/>");
    }
    svg + "</svg>"
}

/// How an outcome is coloured.
pub(super) fn class(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Interesting) => "yes",
        Some(Outcome::Uninteresting) => "no",
        Some(Outcome::Unresolved) | None => "late",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heat_is_where_something_is_left() {
        let svg = heat_map(&[0..5, 990..1000], 1000);
        assert_eq!(svg.matches("class='hot'").count(), 3, "{svg}");
        assert!(svg.contains("bytes 0 to 5: 100 % left") && svg.contains("bytes 995 to 1000"), "{svg}");
        assert!(!heat_map(&[], 0).contains("hot"));
    }

    #[test]
    fn numbers_at_an_axis_are_round_and_few() {
        for (end, step) in [(0.3, 0.05), (7.0, 2.0), (60.0, 10.0), (224.0, 50.0), (1_500.0, 500.0)] {
            assert_eq!(round_step(end), step, "{end}");
        }
        let svg = curve(&[(0.0, 100.0), (224.0, 21.0)], 224.0, "questions");
        assert!(svg.contains(">200</text>") && !svg.contains(">224</text>"), "{svg}");
    }

    #[test]
    fn a_picture_of_many_questions_is_small() {
        let asked = |at: u32| Asked {
            label: "x",
            outcome: Some(Outcome::Uninteresting),
            at: f64::from(at),
            seconds: 1.0,
        };
        let questions: Vec<_> = (0..100_000).map(asked).collect();
        assert!(timeline(&questions, 2, 1e5).len() < 200_000);
    }
}
