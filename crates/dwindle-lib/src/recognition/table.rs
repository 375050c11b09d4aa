//! The table of what tools print when they crash: `signatures.toml`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::{Captures, Regex, RegexBuilder};
use serde::Deserialize;

use super::line::{Line, Piece};
use super::open::{Kind, Own, opened};

/// The table.
pub(super) static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let table = toml::from_str(include_str!("signatures.toml"));
    table.unwrap_or_else(|error| panic!("a unit test reads the table: {error}"))
});

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Table {
    volatile: Expression,
    pub(super) signature: Vec<Entry>,
}

impl Table {
    /// What is left open in any message.
    pub(super) fn volatile(&self) -> &Regex {
        &self.volatile.0
    }
}

/// What is known of one crash of one tool.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) title: String,
    #[serde(default)]
    pub(super) ends: Ends,
    /// Whether the exit code says nothing about the crash.
    #[serde(default)]
    pub(super) any_exit_code: bool,
    keep: Vec<Rule>,
}

/// How a run must have ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Ends {
    #[default]
    Anyhow,
    /// By itself, and not as a shell says that a signal ended a command.
    Itself,
}

/// What is kept of an output.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Rule {
    find: Expression,
    /// Where that is looked for, relative to what the first rule has found.
    #[serde(default)]
    place: Place,
    /// How often, at most.
    #[serde(default = "once")]
    times: usize,
    /// What is passed over.
    skip: Option<Expression>,
    /// Whether of several places the last one counts.
    #[serde(default)]
    last: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Place {
    /// Nearest behind it.
    #[default]
    Behind,
    /// Nearest before it.
    Before,
}

fn once() -> usize {
    1
}

/// A regular expression in which `^` and `$` are the ends of lines.
#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
struct Expression(Regex);

impl TryFrom<String> for Expression {
    type Error = regex::Error;

    fn try_from(text: String) -> Result<Self, regex::Error> {
        RegexBuilder::new(&text).multi_line(true).unicode(false).build().map(Self)
    }
}

impl Expression {
    fn all<'o>(&self, output: &'o [u8]) -> impl Iterator<Item = Found<'o>> {
        self.0.captures_iter(output).map(|captures| self.found(output, &captures))
    }

    fn found<'o>(&self, output: &'o [u8], captures: &Captures<'o>) -> Found<'o> {
        let kept = captures.name("keep").unwrap_or_else(|| captures.get_match()).range();
        let is_inside = |range: &Range<usize>| kept.start <= range.start && range.end <= kept.end;
        let groups = self.0.capture_names().zip(captures.iter()).skip(1);
        let holes = groups.filter_map(|(name, group)| Some((group?.range(), name)));
        let holes = holes.filter(|(range, name)| *name != Some("keep") && is_inside(range));
        let hole = |name| match name {
            None => Hole::Open,
            Some("text") => Hole::Said(Kind::Message),
            Some(_) => Hole::Said(Kind::Code),
        };
        let holes = holes.map(|(range, name)| (range, hole(name))).collect();
        Found { output, start: captures.get_match().start(), kept, holes }
    }
}

/// A part of what is kept that is not kept as it is.
#[derive(Clone, Copy)]
enum Hole {
    /// Anything may stand there.
    Open,
    /// Only what changes is left open.
    Said(Kind),
}

/// What a rule has found in an output.
struct Found<'o> {
    output: &'o [u8],
    /// Where all that was found begins.
    start: usize,
    /// The part that is kept.
    kept: Range<usize>,
    /// The parts of that which are not kept as they are.
    holes: Vec<(Range<usize>, Hole)>,
}

impl Found<'_> {
    fn text(&self) -> &[u8] {
        &self.output[self.kept.clone()]
    }

    fn opened(&self, range: &Range<usize>, kind: Kind, own: &Own<'_>) -> Vec<Piece> {
        opened(&self.output[range.clone()], kind, TABLE.volatile(), own)
    }

    fn pieces(&self, own: &Own<'_>) -> Vec<Piece> {
        let fixed =
            |range: Range<usize>| Piece::Text(String::from_utf8_lossy(&self.output[range]).into_owned());
        let (mut pieces, mut at) = (Vec::new(), self.kept.start);
        for (range, hole) in &self.holes {
            pieces.push(fixed(at..range.start.max(at)));
            match hole {
                Hole::Said(kind) => pieces.extend(self.opened(range, *kind, own)),
                Hole::Open => pieces.push(Piece::Gap),
            }
            at = range.end.max(at);
        }
        pieces.push(fixed(at..self.kept.end));
        pieces
    }

    /// The line in which it begins, and the one behind that, where some tools say the place.
    fn line_and_next(&self) -> (&[u8], &[u8]) {
        let mut lines = self.output[self.start..].trim_ascii_start().splitn(3, |&byte| byte == b'\n');
        let mut next = || lines.next().unwrap_or_default();
        (next(), next())
    }

    /// The lines that a variant must print.
    fn lines(&self, own: &Own<'_>) -> Vec<Line> {
        let mut lines = vec![Vec::new()];
        for piece in self.pieces(own) {
            let Piece::Text(text) = piece else {
                lines.iter_mut().last().into_iter().for_each(|line| line.push(Piece::Gap));
                continue;
            };
            for (number, part) in text.split('\n').enumerate() {
                if number > 0 {
                    lines.push(Vec::new());
                }
                lines.iter_mut().last().into_iter().for_each(|line| line.push(Piece::Text(part.to_owned())));
            }
        }
        lines.into_iter().filter_map(Line::of).collect()
    }

    /// Whether there is something in its messages that is not left open.
    fn says_something(&self, own: &Own<'_>) -> bool {
        let mut said = self
            .holes
            .iter()
            .filter_map(|(range, hole)| match hole {
                Hole::Open => None,
                Hole::Said(kind) => Some(self.opened(range, *kind, own)),
            })
            .peekable();
        said.peek().is_none()
            || said.flatten().any(|piece| matches!(&piece, Piece::Text(text) if has_word(text)))
    }
}

fn has_word(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

impl Entry {
    /// What is kept of an output, if this is what it shows.
    pub(super) fn lines(&self, output: &[u8], own: &Own<'_>) -> Option<Vec<Line>> {
        let [first, others @ ..] = &self.keep[..] else { return None };
        let found = match first.last {
            true => first.find.all(output).last(),
            false => first.find.all(output).next(),
        }?;
        let mut lines = found.lines(own);
        if lines.is_empty() {
            return None;
        }
        for rule in others {
            match rule.place {
                Place::Behind => rule.add(rule.find.all(&output[found.kept.end..]), own, &mut lines),
                Place::Before => {
                    let all: Vec<_> = rule.find.all(&output[..found.kept.start]).collect();
                    rule.add(all.into_iter().rev(), own, &mut lines);
                }
            }
        }
        Some(lines)
    }
}

impl Rule {
    /// Adds what it keeps of the first of what was found, but for what says nothing. Frames that are in the input, and
    /// those that called them, are parts of the input and not of the bug.
    fn add<'o>(&self, found: impl Iterator<Item = Found<'o>>, own: &Own<'_>, lines: &mut Vec<Line>) {
        let is_skipped =
            |found: &Found<'_>| self.skip.as_ref().is_some_and(|skip| skip.0.is_match(found.text()));
        let has_frames = self.find.0.capture_names().any(|name| name == Some("frame"));
        let is_foreign = |found: &Found<'_>| !has_frames || !self.is_in_input(found, own);
        let said = found
            .take_while(is_foreign)
            .filter(|found| !is_skipped(found) && found.says_something(own))
            .map(|found| found.lines(own))
            .filter(|lines| !lines.is_empty());
        for line in said.take(self.times).flatten() {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }

    /// Whether a frame says that it is in the input, in its own line or in the next one if that is no frame.
    fn is_in_input(&self, found: &Found<'_>, own: &Own<'_>) -> bool {
        let (line, next) = found.line_and_next();
        own.has_place(line) || own.has_place(next) && !self.find.0.is_match(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_read_and_its_names_are_names_of_files() {
        let mut names: Vec<&str> = TABLE.signature.iter().map(|entry| &*entry.name).collect();
        assert!(names.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')));
        names.sort();
        names.dedup();
        assert_eq!(names.len(), TABLE.signature.len(), "each name once");
    }
}
