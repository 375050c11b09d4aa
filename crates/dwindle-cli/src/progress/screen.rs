//! What the view draws.

use std::time::Instant;

use dwindle::shown::shown_lines;
use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Axis, Block, Borders, Chart, Dataset, GraphType, Paragraph, Wrap};

use super::standing::Standing;
use super::words::of_label;
use crate::written::{clock, grouped, pace_in_words};

/// Where there is less room than this, only the most important lines are drawn.
const LOW: u16 = 14;
/// The curve needs so many columns to say something.
const NARROW: u16 = 40;
/// How many messages are shown, at most.
const MESSAGES: usize = 3;
/// How far names of rows reach.
const NAMES: usize = 8;

/// The colours, or none of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Colours(pub(super) bool);

impl Colours {
    fn of(self, colour: Color) -> Style {
        if self.0 { Style::new().fg(colour) } else { Style::new() }
    }
}

const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
const DIM: Style = Style::new().add_modifier(Modifier::DIM);

pub(super) fn draw(frame: &mut Frame<'_>, standing: &Standing, colours: Colours, now: Instant) {
    let area = frame.area();
    let rows = rows(standing, colours, area.width, now);
    let messages: Vec<Line<'_>> =
        standing.messages.iter().rev().take(MESSAGES).rev().map(Line::raw).collect();
    let (width, number) = (usize::from(area.width.max(1)), rows.len() as u16);
    let wrapped: usize = messages.iter().map(|line| line.width().div_ceil(width).max(1)).sum();
    let has_room = area.height >= LOW;
    let curve = if has_room && area.width >= NARROW { (area.height / 3).min(14) } else { 0 };
    let heights = [
        Constraint::Length(1),
        Constraint::Length(curve),
        Constraint::Length(number),
        Constraint::Length(if has_room { (wrapped as u16).min(area.height / 4) } else { 0 }),
        Constraint::Min(0),
        Constraint::Length(1),
    ];
    let [title, chart, facts, said, text, keys] = Layout::vertical(heights).areas(area);
    draw_title(frame, title, standing, now);
    if curve > 2 {
        draw_curve(frame, chart, standing, colours, now);
    }
    frame.render_widget(Paragraph::new(rows), facts);
    let said_style = colours.of(Color::Yellow);
    frame.render_widget(Paragraph::new(messages).wrap(Wrap { trim: false }).style(said_style), said);
    draw_text(frame, text, standing);
    frame.render_widget(Paragraph::new(keys_of(standing, area.width)), keys);
}

fn draw_title(frame: &mut Frame<'_>, area: Rect, standing: &Standing, now: Instant) {
    let time = clock(now.duration_since(standing.began));
    let right = Constraint::Length(time.len() as u16 + 1);
    let [left, right] = Layout::horizontal([Constraint::Min(0), right]).areas(area);
    let names = format!(" {} -> {}", standing.input, standing.output);
    let title = Line::from(vec![Span::styled("dwindle", BOLD), Span::raw(names)]);
    frame.render_widget(Paragraph::new(title), left);
    frame.render_widget(Paragraph::new(time).alignment(Alignment::Right), right);
}

/// The rows of figures, each cut to what fits.
fn rows(standing: &Standing, colours: Colours, width: u16, now: Instant) -> Vec<Line<'static>> {
    let Standing { best, questions, .. } = standing;
    let Some(before) = standing.before else {
        return vec![row("now", &[of_label(standing.label).to_owned()], Style::new(), width)];
    };
    let of = |best: u64, before: u64, unit: &str| format!("{} of {} {unit}", grouped(best), grouped(before));
    let size = [
        of(best.tokens, before.tokens, standing.unit),
        format!("{:.1} % gone", standing.gone()),
        of(best.bytes, before.bytes, "bytes"),
        of(best.lines, before.lines, "lines"),
    ];
    let share = 100.0 * questions.interesting as f64 / questions.total.max(1) as f64;
    let timeouts =
        (questions.timeout > 0).then(|| format!("{} over the time limit", grouped(questions.timeout)));
    let replayed = standing.replayed;
    let replayed = (replayed > 0).then(|| format!("{} answered by the earlier run", grouped(replayed)));
    let tests = [
        format!("{} questions", grouped(questions.total)),
        pace_in_words(standing.pace(now)),
        format!("{share:.0} % interesting"),
        format!("{} at once", standing.jobs),
    ];
    let tests: Vec<String> = tests.into_iter().chain(timeouts).chain(replayed).collect();
    let last = standing.success.map(|at| format!("smaller {} ago", clock(now.duration_since(at))));
    let last = last.unwrap_or_else(|| "nothing smaller yet".to_owned());
    let now_tried = match (standing.stopping, standing.paused) {
        (true, _) => "stopping".to_owned(),
        (_, Some(since)) => format!("paused, {}", clock(now.duration_since(since))),
        _ => of_label(standing.label).to_owned(),
    };
    let mut rows = vec![
        row("size", &size, BOLD, width),
        row("now", &[now_tried, last], colours.of(Color::Cyan), width),
        row("tests", &tests, Style::new(), width),
    ];
    let budget = standing.budget(now);
    if !budget.is_empty() {
        rows.push(row("left", &budget, Style::new(), width));
    }
    rows
}

/// A row of as many of its parts as fit; the first one stands out.
fn row(name: &'static str, parts: &[String], first: Style, width: u16) -> Line<'static> {
    let mut spans = vec![Span::styled(format!("{name:<NAMES$}"), DIM)];
    let mut used = NAMES;
    for (number, part) in parts.iter().enumerate() {
        let text = if number == 0 { part.clone() } else { format!("  {part}") };
        used += text.chars().count();
        if number > 0 && used > usize::from(width) {
            break;
        }
        spans.push(Span::styled(text, if number == 0 { first } else { Style::new() }));
    }
    Line::from(spans)
}

/// Tokens over time; each step down of the same height is the same share of them.
fn draw_curve(frame: &mut Frame<'_>, area: Rect, standing: &Standing, colours: Colours, now: Instant) {
    let Some(before) = standing.before else { return };
    let end = now.duration_since(standing.began).as_secs_f64().max(1.0);
    let height = |tokens: u64| (tokens.max(1) as f64).log10();
    let mut points: Vec<(f64, f64)> = Vec::with_capacity(2 * standing.sizes.len() + 1);
    for &(at, tokens) in &standing.sizes {
        if let Some(&(_, last)) = points.last() {
            points.push((at.as_secs_f64(), last));
        }
        points.push((at.as_secs_f64(), height(tokens)));
    }
    points.extend(points.last().map(|&(_, last)| (end, last)));
    let bottom = height(standing.best.tokens).min(height(before.tokens) - 0.1);
    let top = height(before.tokens);
    let bottom = (bottom - 0.05 * (top - bottom)).max(0.0);
    let labels =
        |texts: Vec<String>| texts.into_iter().map(|text| Span::styled(text, DIM)).collect::<Vec<_>>();
    let middle = 10f64.powf(0.5 * (top + bottom)).round() as u64;
    let tokens = [10f64.powf(bottom).round() as u64, middle, before.tokens];
    let data = Dataset::default()
        .marker(Marker::Braille)
        .graph_type(GraphType::Line)
        .style(colours.of(Color::Green))
        .data(&points);
    let time = now.duration_since(standing.began);
    let chart = Chart::new(vec![data])
        .x_axis(
            Axis::default()
                .style(DIM)
                .bounds([0.0, end])
                .labels(labels(vec!["0:00".to_owned(), clock(time)])),
        )
        .y_axis(
            Axis::default()
                .title(standing.unit)
                .style(DIM)
                .bounds([bottom, top])
                .labels(labels(tokens.map(grouped).into())),
        );
    frame.render_widget(chart, area);
}

/// As much of the smallest text as there is room for; blank lines are left out.
fn draw_text(frame: &mut Frame<'_>, area: Rect, standing: &Standing) {
    if area.height < 2 || standing.text.is_empty() {
        return;
    }
    let block = Block::new().borders(Borders::TOP).border_style(DIM).title("the smallest so far ");
    let lines = shown_lines(&standing.text).filter(|line| !line.trim().is_empty());
    let lines: Vec<Line<'_>> =
        lines.take(usize::from(area.height)).map(|line| Line::raw(line.replace('\t', "    "))).collect();
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

fn keys_of(standing: &Standing, width: u16) -> Line<'static> {
    let pause = if standing.paused.is_some() { " go on  " } else { " pause  " };
    let stop = if width < NARROW { " stop  " } else { " stop (the same command goes on)  " };
    let key = |name| Span::styled(name, BOLD);
    let dim = |text| Span::styled(text, DIM);
    Line::from(vec![key("q"), dim(stop), key("p"), dim(pause), key("s"), dim(" skip this")])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    use dwindle::{Questions, Size};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    fn drawn(width: u16, height: u16, change: impl FnOnce(&mut Standing)) -> String {
        let now = Instant::now();
        let began = now - Duration::from_secs(83);
        let mut standing = Standing::new("bug.c".to_owned(), "bug.reduced.c".to_owned(), began);
        standing.before = Some(Size { tokens: 20999, lines: 4000, bytes: 94112 });
        standing.best = Size { tokens: 281, lines: 40, bytes: 1301 };
        let (total, interesting) = (796, 191);
        standing.questions = Questions { total, interesting, uninteresting: total - interesting, timeout: 0 };
        standing.label = "rename";
        standing.success = Some(now - Duration::from_secs(3));
        standing.text = b"int a;\n\n\tint\x1b[2Jb;\n".to_vec();
        standing.sizes =
            vec![(Duration::ZERO, 20999), (Duration::from_secs(5), 2000), (Duration::from_secs(80), 281)];
        change(&mut standing);
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(frame, &standing, Colours(false), now)).unwrap();
        terminal.backend().to_string()
    }

    #[test]
    fn all_that_matters_is_there() {
        let screen = drawn(100, 30, |standing| {
            standing.max_questions = Some(1000);
            standing.messages.push("warning: mind the gap".to_owned());
        });
        for expect in [
            "dwindle bug.c -> bug.reduced.c",
            "1:23",
            "281 of 20,999 tokens  98.7 % gone  1,301 of 94,112 bytes",
            "shortening names  smaller 0:03 ago",
            "796 questions",
            "24 % interesting  1 at once",
            "204 questions",
            "warning: mind the gap",
            "the smallest so far",
            "int\\x1b[2Jb;",
            "q stop",
            "p pause",
            "s skip this",
        ] {
            assert!(screen.contains(expect), "{expect} is missing:\n{screen}");
        }
        assert!(screen.contains('⠤') || screen.contains('⣀') || screen.contains('⡇'), "no curve:\n{screen}");
    }

    #[test]
    fn what_matters_least_gives_way_in_small_windows() {
        let screen = drawn(44, 12, |_| {});
        for expect in ["281 of 20,999 tokens", "shortening names", "796 questions", "q stop"] {
            assert!(screen.contains(expect), "{expect} is missing:\n{screen}");
        }
        assert!(!screen.contains("bytes"), "{screen}");
        for (width, height) in [(1, 1), (5, 2), (10, 40), (200, 3)] {
            drawn(width, height, |_| {});
        }
    }

    #[test]
    fn a_pause_says_how_it_ends() {
        let screen = drawn(80, 24, |standing| standing.paused = Some(Instant::now()));
        assert!(screen.contains("paused, 0:00") && screen.contains("p go on"), "{screen}");
    }
}
