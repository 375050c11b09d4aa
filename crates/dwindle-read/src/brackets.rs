//! A tree for any text: brackets, lines and indentation.
//!
//! Nothing is known of the language, so this guesses what is written together. From the outside in:
//!
//! - *Lines.* A line goes on over the lines of a bracket that it opens, so a function with its
//!   braces is one. Lines that are indented deeper belong below the line before them; `else` and
//!   `end` (and their like) belong to the line whose block they continue or close.
//! - *Statements.* Where lines end with `;`, the lines up to one that does are one statement. A line
//!   with several `;` is split behind them, and behind a `}` that encloses statements.
//! - *Paragraphs.* At the top level, blank lines separate them.
//! - *Words.* What stands in a line without white space between is one, brackets with all that is in
//!   them included.
//! - *Brackets.* `()`, `[]` and `{}` where they match; others are like any other token. A brace is
//!   stronger than the rest: one `(` too many spoils no function. Inside brackets commas separate
//!   the elements of a list, and go with them; elsewhere a comma belongs to what is before it.
//!
//! Every node but a bracket itself can go, and any may stand where another does. A node with one part
//! only is that part. All of it takes time linear in the length and does not recurse. The steps share
//! the brackets and lines found by the first of them, so they stand in one file although it is long.

use std::ops::Range;

use dwindle_core::{Lexicon, Quotes, Role, Slot, Text, Tree, TreeBuilder};

use super::mentions;
use crate::cancellation;
use crate::lexer;
use crate::vocabulary::lexicon;

/// The tree of `bytes`.
pub fn parse(bytes: Vec<u8>) -> Tree {
    let tokens = lexer::tokens(&bytes).map(|span| (span, 1)).collect();
    parse_tokens(bytes, tokens)
}

/// The tree of a text that something else has cut into pieces, so that both have the same tokens and comments. A piece of
/// several tokens is cut into these.
pub fn parse_again(text: &Text) -> Tree {
    let cut = |piece: usize| {
        let (span, weight) = (text.span(piece), text.weight(piece));
        let start = span.start as u32;
        let whole = vec![(start..span.end as u32, weight)];
        if weight <= 1 {
            return whole;
        }
        let inside = lexer::tokens(text.piece(piece));
        let inside: Vec<_> = inside.map(|token| (token.start + start..token.end + start, 1)).collect();
        if inside.len() == weight as usize { inside } else { whole }
    };
    parse_tokens(text.bytes().to_vec(), (0..text.len()).flat_map(cut).collect())
}

/// The tree of these tokens, each with how many it counts for.
fn parse_tokens(bytes: Vec<u8>, tokens: Vec<(Range<u32>, u32)>) -> Tree {
    let text = Source::new(&bytes, tokens);
    let mentions = mentions::of_words(&bytes, text.tokens.iter().map(|token| token.span.clone()));
    let lexicon = Lexicon { guesses_names: true, ..lexicon(KINDS.iter().copied()) };
    let mut builder = TreeBuilder::cancelled_by(cancellation::current(), bytes.clone(), lexicon);
    Plan { text: &text, lines: Vec::new(), tasks: Vec::new() }.run(&mut builder);
    drop(text);
    mentions.tell(&mut builder);
    let kinds: Vec<u32> = (Kind::Text as u32 + 1..Kind::Separator as u32).collect();
    builder.guess(|kind| kinds.contains(&kind).then_some(0));
    builder.finish(Quotes::MayJoin, &[Slot { kinds, minimal: None }])
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Paragraph,
    Statement,
    Line,
    Element,
    Word,
    Parentheses,
    Square,
    Braces,
    Token,
    Separator,
}

const KINDS: &[&str] =
    &["text", "paragraph", "statement", "line", "element", "word", "()", "[]", "{}", "token", ","];

#[derive(Clone, Copy)]
enum Step {
    Open(Kind, Role),
    Token(u32, Role),
    Close,
}

/// The tokens, and which of them are brackets that match.
struct Source<'a> {
    bytes: &'a [u8],
    tokens: Vec<Token>,
    /// The other bracket of each that matches; [`NONE`] for others.
    partner: Vec<u32>,
    /// Whether a `;` stands directly inside the bracket that opens here.
    encloses_statements: Vec<bool>,
}

/// No token.
const NONE: u32 = u32::MAX;

struct Token {
    span: Range<u32>,
    /// How many tokens it counts for.
    weight: u32,
    /// Newlines before it, since the token before.
    newlines: u32,
    /// White space before it on its line, a tab going on to the next multiple of 8; for a token
    /// inside a line, the bytes before it.
    column: u32,
}

impl<'a> Source<'a> {
    fn new(bytes: &'a [u8], spans: Vec<(Range<u32>, u32)>) -> Self {
        let mut tokens: Vec<Token> = Vec::with_capacity(spans.len());
        let (mut end, mut line_start) = (0, 0);
        let cancellation = cancellation::current();
        for (span, weight) in spans {
            cancellation.check();
            let (start, mut newlines, mut column) = (span.start as usize, 0, 0);
            for (at, &byte) in bytes[end..start].iter().enumerate() {
                match byte {
                    b'\n' => (newlines, column, line_start) = (newlines + 1, 0, end + at + 1),
                    b'\t' => column = (column | 7) + 1,
                    b'\r' => {}
                    _ => column += 1,
                }
            }
            if newlines == 0 && !tokens.is_empty() {
                column = (start - line_start) as u32;
            }
            end = span.end as usize;
            tokens.push(Token { span, weight, newlines, column });
        }
        let mut text = Self {
            bytes,
            partner: vec![NONE; tokens.len()],
            encloses_statements: vec![false; tokens.len()],
            tokens,
        };
        text.match_brackets();
        text
    }

    fn match_brackets(&mut self) {
        // The brackets that are open, each with the one of its kind before it (positions in this
        // vector), so that closing one needs no search.
        let mut open: Vec<(usize, Option<usize>)> = Vec::new();
        let mut last: [Option<usize>; 3] = [None; 3];
        for token in 0..self.tokens.len() {
            let Some(byte) = self.single(token) else { continue };
            let kind = |brackets: &[u8; 3]| brackets.iter().position(|&bracket| bracket == byte);
            if let Some(kind) = kind(b"([{") {
                open.push((token, last[kind].replace(open.len())));
            } else if let Some(kind) = kind(b")]}") {
                let Some(position) = last[kind].filter(|&position| kind == 2 || last[2] < Some(position))
                else {
                    continue;
                };
                let partner = open[position].0;
                for (token, before) in open.drain(position..) {
                    let kind = match self.bytes[self.tokens[token].span.start as usize] {
                        b'(' => 0,
                        b'[' => 1,
                        _ => 2,
                    };
                    // Drained from the outermost on, the first of each kind has the one to go back to.
                    if last[kind].is_some_and(|last| last >= position)
                        && before.is_none_or(|before| before < position)
                    {
                        last[kind] = before;
                    }
                }
                self.partner[partner] = token as u32;
                self.partner[token] = partner as u32;
            } else if byte == b';'
                && let Some(&(innermost, _)) = open.last()
            {
                self.encloses_statements[innermost] = true;
            }
        }
    }

    fn bytes_of(&self, token: usize) -> &'a [u8] {
        let span = &self.tokens[token].span;
        &self.bytes[span.start as usize..span.end as usize]
    }

    /// The byte of a token of one byte.
    fn single(&self, token: usize) -> Option<u8> {
        match *self.bytes_of(token) {
            [byte] => Some(byte),
            _ => None,
        }
    }

    fn is(&self, token: usize, byte: u8) -> bool {
        self.single(token) == Some(byte)
    }

    /// The bracket that closes what `token` opens.
    fn closing(&self, token: usize) -> Option<usize> {
        Some(self.partner[token] as usize).filter(|&partner| partner > token && self.has_partner(token))
    }

    /// Whether `token` is a bracket that matches another.
    fn has_partner(&self, token: usize) -> bool {
        self.partner[token] != NONE
    }

    /// Behind the item that starts at `token`: a token, or brackets with all that is in them.
    fn item_end(&self, token: usize) -> usize {
        self.closing(token).unwrap_or(token) + 1
    }

    /// The first tokens of the items in a range.
    fn items(&self, range: Range<usize>) -> impl Iterator<Item = usize> + '_ {
        let first = Some(range.start).filter(|_| !range.is_empty());
        std::iter::successors(first, move |&token| {
            Some(self.item_end(token)).filter(|&next| next < range.end)
        })
    }

    /// Whether white space is before `token`.
    fn gap(&self, token: usize) -> bool {
        token == 0 || self.tokens[token].span.start > self.tokens[token - 1].span.end
    }

    fn starts_line(&self, token: usize) -> bool {
        token == 0 || self.tokens[token].newlines > 0 && !self.is(token - 1, b'\\')
    }

    fn is_word(&self, token: usize) -> bool {
        matches!(self.bytes_of(token)[0], b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80..)
    }

    fn word_is(&self, token: usize, words: &[&str]) -> bool {
        words.iter().any(|word| self.bytes_of(token).eq_ignore_ascii_case(word.as_bytes()))
    }

    /// How far in a line stands that starts with `token`: a list item, `- x`, stands deeper than a
    /// line that starts in its column.
    fn indentation(&self, token: usize) -> u64 {
        let item = self.is(token, b'-') && token + 1 < self.tokens.len() && self.gap(token + 1);
        2 * u64::from(self.tokens[token].column) + u64::from(item)
    }

    /// Whether the line that starts with `token` goes on with what the line before began.
    fn continues(&self, token: usize, before: &Unit) -> bool {
        const AGAIN: &[&str] = &[
            "else",
            "elif",
            "elsif",
            "elseif",
            "elsewhere",
            "catch",
            "except",
            "finally",
            "rescue",
            "ensure",
        ];
        const OVER: &[&str] = &["fi", "done", "esac", "od"];
        let end = self.bytes_of(token).get(..3).is_some_and(|start| start.eq_ignore_ascii_case(b"end"));
        if self.word_is(token, AGAIN) || self.word_is(token, OVER) || end {
            // Not what has a value, as in `end = 5`.
            let value = token + 1 < self.tokens.len() && self.is(token + 1, b'=');
            return before.block && !value;
        }
        self.word_is(token, &["begin"]) && !before.block && !self.is(before.end_token - 1, b';')
    }
}

/// A line, of the lines of a bracket or of the whole text.
struct Line {
    tokens: Range<usize>,
    indentation: u64,
    /// Behind the last of the lines that are indented deeper.
    end: usize,
}

/// Lines that go together.
struct Unit {
    lines: Range<usize>,
    end_token: usize,
    /// Whether deeper lines or braces are at its end.
    block: bool,
    blank_before: bool,
}

/// What is still to be laid out.
enum Task {
    Step(Step),
    /// What is inside of brackets, or the whole text.
    Body(Range<usize>, Kind),
    /// Lines that are siblings, with those below them; at the top level?
    Siblings(Range<usize>, bool),
    /// Lines that go together, the first without a node of its own.
    Unit(Range<usize>),
    /// A line by itself, or what is between two commas.
    Statements(Range<usize>),
    Words(Range<usize>),
    /// Words without regard to commas.
    Clusters(Range<usize>),
    /// Items that are parts of one node.
    Items(Range<usize>),
}

struct Plan<'a> {
    text: &'a Source<'a>,
    lines: Vec<Line>,
    /// The next one is last.
    tasks: Vec<Task>,
}

impl Plan<'_> {
    fn run(mut self, builder: &mut TreeBuilder) {
        builder.open(Kind::Text as u32, Role::Fixed);
        self.tasks.push(Task::Body(0..self.text.tokens.len(), Kind::Text));
        let cancellation = cancellation::current();
        while let Some(task) = self.tasks.pop() {
            cancellation.check();
            let first = self.tasks.len();
            match task {
                Task::Step(step) => self.take(step, builder),
                Task::Body(range, kind) => self.body(range, kind),
                Task::Siblings(lines, top) => self.siblings(lines, top),
                Task::Unit(lines) => self.unit(lines),
                Task::Statements(range) => self.statements(range),
                Task::Words(range) => self.words(range),
                Task::Clusters(range) => self.clusters(range),
                Task::Items(range) => self.items(range),
            }
            // They were added in the order of the text.
            self.tasks[first..].reverse();
        }
        builder.close();
    }

    fn take(&self, step: Step, builder: &mut TreeBuilder) {
        match step {
            Step::Open(kind, role) => builder.open(kind as u32, role),
            Step::Token(token, role) => {
                let kind = if role == Role::Separator { Kind::Separator } else { Kind::Token };
                let Token { span, weight, .. } = &self.text.tokens[token as usize];
                builder.token(span.clone(), *weight, kind as u32, role);
            }
            Step::Close => builder.close(),
        }
    }

    fn node(&mut self, kind: Kind, task: Task) {
        self.tasks.push(Task::Step(Step::Open(kind, Role::Deletable)));
        self.tasks.push(task);
        self.tasks.push(Task::Step(Step::Close));
    }

    fn token(&mut self, token: usize, role: Role) {
        self.tasks.push(Task::Step(Step::Token(token as u32, role)));
    }

    /// A node over `range`, or only its one item; `task` makes the parts.
    fn node_of(&mut self, kind: Kind, range: Range<usize>, task: fn(Range<usize>) -> Task) {
        match range {
            range if range.is_empty() => {}
            range if self.text.item_end(range.start) == range.end => self.item(range.start),
            range => self.node(kind, task(range)),
        }
    }

    fn item(&mut self, token: usize) {
        let Some(close) = self.text.closing(token) else { return self.token(token, Role::Deletable) };
        let kind = match self.text.bytes_of(token) {
            b"(" => Kind::Parentheses,
            b"[" => Kind::Square,
            _ => Kind::Braces,
        };
        self.tasks.push(Task::Step(Step::Open(kind, Role::Deletable)));
        self.token(token, Role::Fixed);
        self.tasks.push(Task::Body(token + 1..close, kind));
        self.token(close, Role::Fixed);
        self.tasks.push(Task::Step(Step::Close));
    }

    fn items(&mut self, range: Range<usize>) {
        let text = self.text;
        text.items(range).for_each(|token| self.item(token));
    }

    fn body(&mut self, range: Range<usize>, kind: Kind) {
        let text = self.text;
        let (mut commas, mut commas_at_line_end, mut semicolons) = (0, 0, 0);
        let mut starts: Vec<usize> = Vec::new();
        for token in text.items(range.clone()) {
            commas += usize::from(text.is(token, b','));
            semicolons += usize::from(text.is(token, b';'));
            let next = token + 1;
            let at_line_end = next >= text.tokens.len() || text.starts_line(next);
            commas_at_line_end += usize::from(text.is(token, b',') && at_line_end);
            let brace_of_line =
                text.is(token, b'{') && starts.last().is_some_and(|&start| self.takes_brace(start, token));
            if token == range.start || text.starts_line(token) && !brace_of_line {
                starts.push(token);
            }
        }
        let list = match kind {
            Kind::Text => false,
            _ if commas == 0 || semicolons > 0 => false,
            // A block of statements may have commas too, but not as a rule at the ends of its lines.
            Kind::Braces => starts.len() == 1 || 2 * commas_at_line_end + 1 >= starts.len(),
            _ => true,
        };
        if list {
            return self.elements(range);
        }
        if starts.len() < 2 {
            self.tasks.push(Task::Statements(range));
            return;
        }
        let mut starts = &starts[..];
        let own_line = kind == Kind::Text || text.starts_line(range.start);
        if !own_line && kind != Kind::Braces {
            // The head of an expression, as in `(and x` with more lines.
            self.tasks.push(Task::Statements(starts[0]..starts[1]));
            starts = &starts[1..];
        }
        let first = self.lines.len();
        self.add_lines(starts, range.end, matches!(kind, Kind::Text | Kind::Braces));
        self.tasks.push(Task::Siblings(first..self.lines.len(), kind == Kind::Text));
    }

    /// Whether the brace `token`, first of its line, belongs to the line before, which begins with
    /// `start`.
    fn takes_brace(&self, start: usize, token: usize) -> bool {
        let text = self.text;
        text.tokens[start].column == text.tokens[token].column
            && !matches!(text.single(token - 1), Some(b';' | b'}' | b','))
            && text.tokens[token].newlines == 1
    }

    /// Adds the lines that begin at `starts`, and finds what is below them if indentation `counts`.
    fn add_lines(&mut self, starts: &[usize], end: usize, counts: bool) {
        let text = self.text;
        let first = self.lines.len();
        let ends = starts.iter().skip(1).copied().chain([end]);
        self.lines.extend(starts.iter().zip(ends).map(|(&start, end)| Line {
            tokens: start..end,
            indentation: if counts { text.indentation(start) } else { 0 },
            end: 0,
        }));
        // A comment or directive stands as deep as what it is about.
        for line in (first..self.lines.len().saturating_sub(1)).rev() {
            if text.is(self.lines[line].tokens.start, b'#') {
                let next = self.lines[line + 1].indentation;
                self.lines[line].indentation = self.lines[line].indentation.max(next);
            }
        }
        let mut open: Vec<usize> = Vec::new();
        for line in first..self.lines.len() {
            while let Some(&above) = open.last()
                && self.lines[above].indentation >= self.lines[line].indentation
            {
                self.lines[above].end = line;
                open.pop();
            }
            open.push(line);
        }
        let all = self.lines.len();
        open.iter().for_each(|&line| self.lines[line].end = all);
    }

    fn elements(&mut self, range: Range<usize>) {
        let text = self.text;
        let mut start = range.start;
        for comma in text.items(range.clone()).filter(|&token| text.is(token, b',')) {
            self.element(start..comma);
            self.token(comma, Role::Separator);
            start = comma + 1;
        }
        self.element(start..range.end);
    }

    /// An element of a list: its lines, or its words.
    fn element(&mut self, range: Range<usize>) {
        let text = self.text;
        let starts: Vec<usize> = text
            .items(range.clone())
            .filter(|&token| token == range.start || text.starts_line(token))
            .collect();
        if starts.len() < 2 {
            return self.node_of(Kind::Element, range, Task::Words);
        }
        let first = self.lines.len();
        self.add_lines(&starts, range.end, true);
        let lines = first..self.lines.len();
        let task = if self.units(lines.clone()).len() == 1 {
            Task::Unit(lines)
        } else {
            Task::Siblings(lines, false)
        };
        self.node(Kind::Element, task);
    }

    fn siblings(&mut self, lines: Range<usize>, top: bool) {
        let units = self.units(lines);
        let paragraphs: Vec<&[Unit]> =
            if top { units.chunk_by(|_, next| !next.blank_before).collect() } else { vec![&units] };
        let one = paragraphs.len() == 1;
        for paragraph in paragraphs {
            let node = !one && paragraph.len() > 1;
            if node {
                self.tasks.push(Task::Step(Step::Open(Kind::Paragraph, Role::Deletable)));
            }
            self.paragraph(paragraph);
            if node {
                self.tasks.push(Task::Step(Step::Close));
            }
        }
    }

    /// The units that the sibling lines make.
    fn units(&self, lines: Range<usize>) -> Vec<Unit> {
        let text = self.text;
        let mut units: Vec<Unit> = Vec::new();
        let mut at = lines.start;
        while at < lines.end {
            let Line { tokens, end, .. } = &self.lines[at];
            let end_token = self.lines[end - 1].tokens.end;
            let block = *end > at + 1 || text.is(end_token - 1, b'}') && text.has_partner(end_token - 1);
            match units.last_mut() {
                Some(unit) if text.continues(tokens.start, unit) => {
                    (unit.lines.end, unit.end_token, unit.block) = (*end, end_token, block);
                }
                _ => units.push(Unit {
                    lines: at..*end,
                    end_token,
                    block,
                    blank_before: text.tokens[tokens.start].newlines > 1,
                }),
            }
            at = *end;
        }
        units
    }

    /// The units of a paragraph, those up to a `;` as one statement if that is the custom here.
    fn paragraph(&mut self, units: &[Unit]) {
        let text = self.text;
        let terminated = |unit: &Unit| text.is(unit.end_token - 1, b';');
        let custom = 8 * units.iter().filter(|unit| terminated(unit)).count() >= units.len();
        let mut start = 0;
        for end in 1..=units.len() {
            let ends = !custom || units[end - 1].block || terminated(&units[end - 1]);
            if !ends && end < units.len() {
                continue;
            }
            let statement = &units[start..end];
            let node = statement.len() > 1 && statement.len() < units.len();
            if node {
                self.tasks.push(Task::Step(Step::Open(Kind::Statement, Role::Deletable)));
            }
            for unit in statement {
                let first = &self.lines[unit.lines.start];
                if unit.lines.len() == 1 {
                    self.node_of(Kind::Line, first.tokens.clone(), Task::Statements);
                } else {
                    self.node(Kind::Line, Task::Unit(unit.lines.clone()));
                }
            }
            if node {
                self.tasks.push(Task::Step(Step::Close));
            }
            start = end;
        }
    }

    /// A line, what is below it, and the lines at its own depth that continue it.
    fn unit(&mut self, lines: Range<usize>) {
        let mut at = lines.start;
        while at < lines.end {
            let Line { tokens, end, .. } = &self.lines[at];
            let (tokens, end) = (tokens.clone(), *end);
            if at == lines.start {
                self.tasks.push(Task::Statements(tokens));
                self.tasks.push(Task::Siblings(at + 1..end, false));
            } else if end == at + 1 {
                self.node_of(Kind::Line, tokens, Task::Statements);
            } else {
                self.node(Kind::Line, Task::Unit(at..end));
            }
            at = end;
        }
    }

    /// What is on one line: its statements, or its words if it is one.
    fn statements(&mut self, range: Range<usize>) {
        const GO_ON: &[&str] = &["else", "catch", "finally", "while", "until", "except"];
        let text = self.text;
        let mut start = range.start;
        for token in text.items(range.clone()) {
            let end = text.item_end(token);
            let ends = text.is(token, b';')
                || text.is(token, b'{')
                    && text.encloses_statements[token]
                    && end < range.end
                    && text.is_word(end)
                    && !text.word_is(end, GO_ON);
            if ends && !(start == range.start && end == range.end) {
                self.node_of(Kind::Statement, start..end, Task::Words);
                start = end;
            }
        }
        if start == range.start {
            self.tasks.push(Task::Words(range));
        } else {
            self.node_of(Kind::Statement, start..range.end, Task::Words);
        }
    }

    /// The words of a statement; a comma with what is before it, back to the comma before or to the
    /// word it stands at.
    fn words(&mut self, range: Range<usize>) {
        let text = self.text;
        let mut start = range.start;
        let commas: Vec<usize> = text.items(range.clone()).filter(|&token| text.is(token, b',')).collect();
        for (i, &comma) in commas.iter().enumerate() {
            if i == 0 {
                let item = text.items(start..comma).filter(|&token| token > start && text.gap(token)).last();
                let item = item.unwrap_or(start);
                self.clusters(start..item);
                start = item;
            }
            if start == range.start && comma + 1 == range.end {
                self.clusters(start..comma + 1);
            } else {
                self.node_of(Kind::Element, start..comma + 1, Task::Clusters);
            }
            start = comma + 1;
        }
        if start == range.start && start < range.end {
            let whole = text.items(range.clone()).all(|token| token == range.start || !text.gap(token));
            if whole {
                self.tasks.push(Task::Items(range));
                return;
            }
        }
        self.clusters(start..range.end);
    }

    /// The words of a range without commas: each what stands together without white space.
    fn clusters(&mut self, range: Range<usize>) {
        let text = self.text;
        let mut start = range.start;
        for token in text.items(range.clone()) {
            let alone = text.is(token, b';') || text.is(token, b',');
            if token > start && (alone || text.gap(token)) {
                self.node_of(Kind::Word, start..token, Task::Items);
                start = token;
            }
        }
        self.node_of(Kind::Word, start..range.end, Task::Items);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::sync::Arc;

    use dwindle_core::{
        Answer, Ask, MinimizerConfig, MinimizerKind, Outcome, Search, TreeReducer, TreeSearch, Variant,
    };
    use proptest::prelude::*;

    /// The tree in a line: `kind(child ...)`, tokens as they are, `!` before what stays and `~` before
    /// separators.
    pub(in super::super) fn dump(tree: &Tree) -> String {
        let mut out = String::new();
        let mut ends = Vec::new();
        let mut first = true;
        for (index, node) in tree.nodes().iter().enumerate() {
            while ends.last().is_some_and(|&end| end <= index) {
                out.push(')');
                ends.pop();
            }
            if !std::mem::replace(&mut first, false) {
                out.push(' ');
            }
            out.push_str(match node.role {
                Role::Fixed => "!",
                Role::Separator => "~",
                _ => "",
            });
            if tree.subtree(index).len() > 1 {
                out.push_str(tree.kind_name(index));
                out.push('(');
                ends.push(tree.subtree(index).end);
                first = true;
            } else {
                node.tokens()
                    .for_each(|token| out.push_str(&String::from_utf8_lossy(tree.text().piece(token))));
            }
        }
        out.push_str(&")".repeat(ends.len()));
        out
    }

    /// What is left of `tree` when all goes that `interesting` does not need.
    pub(in super::super) fn reduced(
        tree: Tree,
        reducer: TreeReducer,
        interesting: impl Fn(&[u8]) -> bool,
    ) -> (String, u32) {
        let minimizer = MinimizerConfig::new(MinimizerKind::Ddmin);
        let mut search = TreeSearch::new(Arc::new(tree), reducer, minimizer);
        let mut questions = 0;
        while let Ask::Test(variant) = search.ask() {
            questions += 1;
            let answer =
                if interesting(&variant.render()) { Outcome::Interesting } else { Outcome::Uninteresting };
            search.tell(Answer::Outcome(answer));
        }
        (String::from_utf8_lossy(&search.best().render()).into_owned(), questions)
    }

    fn check(input: &str, expect: &str) {
        let tree = parse(input.into());
        assert_eq!(Variant::whole(tree.text().clone()).render(), input.as_bytes());
        assert_eq!(dump(&tree), format!("!text({expect})"), "{input}");
    }

    #[test]
    fn a_function_goes_with_its_braces_wherever_they_stand() {
        check(
            "int f(int a, int b) {\n  int c = a;\n  if (c) {\n    g();\n  } else {\n    c++;\n  }\n}\n\nint g(int);\nint x;\n",
            "line(int word(f ()(!( element(int a) ~, element(int b) !))) {}(!{ line(int c = a ;) \
             line(if ()(!( c !)) {}(!{ g ()(!( !)) ; !}) else {}(!{ c + + ; !})) !})) \
             paragraph(line(int word(g ()(!( int !))) ;) line(int x ;))",
        );
        check(
            "void f()\n{\n  a;\n  b;\n}\nint y;\n",
            "line(void word(f ()(!( !))) {}(!{ line(a ;) line(b ;) !})) line(int y ;)",
        );
        check(
            "function f(){a();b(1)}function g(){c;}x=1",
            "statement(function word(f ()(!( !)) {}(!{ statement(a ()(!( !)) ;) statement(b ()(!( 1 !))) !}))) \
             statement(function word(g ()(!( !)) {}(!{ c ; !}))) statement(x = 1)",
        );
    }

    #[test]
    fn expressions_are_their_brackets() {
        check(
            "(declare-fun x () (_ BitVec 8))\n(assert (and (= x y)\n  (bvult x y)\n  (not z)))\n; done\n(exit)\n",
            "()(!( word(declare - fun) x ()(!( !)) ()(!( _ BitVec 8 !)) !)) \
             ()(!( assert ()(!( and ()(!( = x y !)) ()(!( bvult x y !)) ()(!( not z !)) !)) !)) \
             line(; done) ()(!( exit !))",
        );
        check(
            "{\n  \"a\": 1,\n  \"b\": [\n    1,\n    {}\n  ]\n}\n",
            "{}(!{ element(word(\"a\" :) 1) ~, element(word(\"b\" :) [](![ 1 ~, {}(!{ !}) !])) !})",
        );
    }

    #[test]
    fn statements_go_on_up_to_a_semicolon() {
        check(
            "CREATE TABLE t(\n  a INT,\n  b TEXT\n);\nSELECT a, b\nFROM t\nWHERE a;\n",
            "line(CREATE TABLE word(t ()(!( element(a INT) ~, element(b TEXT) !))) ;) \
             statement(line(SELECT element(a ,) b) line(FROM t) line(WHERE a ;))",
        );
        check(
            "define i32 @f(i32 %x) {\na:\n  %1 = add i32 %x, %y\n\nb:\n  ret i32 %1\n}\n",
            "define i32 word(@ f ()(!( i32 word(% x) !))) {}(!{ \
             line(a : line(word(% 1) = add i32 element(word(% x) ,) word(% y))) \
             line(b : line(ret i32 word(% 1))) !})",
        );
    }

    #[test]
    fn deeper_lines_belong_below_the_line_before() {
        check(
            "program p\n  integer :: a, b\n  if (a) then\n    a = b\n  else\n    b = a\n  end if\nend program p\n",
            "line(program p line(integer word(: :) element(a ,) b) \
             line(if ()(!( a !)) then line(a = b) line(else line(b = a)) line(end if)) line(end program p))",
        );
        check(
            "module m(input a);\n  wire c;\n  always @(a)\n  begin\n    c = a;\n  end\nendmodule\n",
            "line(module word(m ()(!( input a !))) ; line(wire c ;) \
             line(always word(@ ()(!( a !))) line(begin line(c = a ;)) end) endmodule)",
        );
        check(
            "key:\n  - a: 1\n    b: [x]\n# c\n  - c\nend: 1\nother:\n- z\n",
            "line(key : line(- word(a :) 1 line(word(b :) [](![ x !]))) line(# c) line(- c) line(word(end :) 1)) \
             line(other : line(- z))",
        );
        check("a: b\n\tcc \\\n\t  a\n\nx\n", "line(word(a :) b line(cc \\ a)) x");
    }

    #[test]
    fn brackets_that_do_not_match_are_like_any_token() {
        check("a ) b ( { c ] }", "a ) b ( {}(!{ c ] !})");
        check("f( { (] } )", "f ()(!( {}(!{ ( ] !}) !))");
    }

    fn source() -> impl Strategy<Value = Vec<u8>> {
        let part = prop::sample::select(vec![
            "a", "b1", "end", "else", "begin", " ", "  ", "\t", "\n", "\n  ", "\n    ", "\n\n", "(", ")",
            "[", "]", "{", "}", "{\n", "}\n", ",", ";", ";\n", "#", "- ", "\"", "'", "\\", "\\\n", "=",
            "\r\n", "\u{e9}",
        ]);
        prop::collection::vec(part, 0..80).prop_map(|parts| parts.concat().into_bytes())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn every_token_is_in_the_tree_once(bytes in prop::collection::vec(any::<u8>(), 0..80), source in source()) {
            for input in [bytes, source] {
                let tree = parse(input.clone());
                prop_assert_eq!(&Variant::whole(tree.text().clone()).render(), &input);
                let spans: Vec<_> = lexer::tokens(&input).collect();
                let found: Vec<_> = (0..tree.text().len()).map(|i| tree.text().piece(i).to_vec()).collect();
                let expected: Vec<_> =
                    spans.iter().map(|span| input[span.start as usize..span.end as usize].to_vec()).collect();
                prop_assert_eq!(found, expected);
                for node in 1..tree.nodes().len() {
                    // No node with a single child: its removal would be asked about twice.
                    prop_assert!(tree.subtree(node).len() == 1 || tree.children(node).count() > 1, "{}", dump(&tree));
                }
            }
        }
    }

    #[test]
    fn any_depth_and_any_line_take_linear_time() {
        let n = 100_000;
        let deeper: String = (0..2_000).map(|depth| " ".repeat(depth) + "a\n").collect();
        let tabs: Vec<u8> =
            (0..n / 50).flat_map(|depth| [&b"\t".repeat(depth)[..], b"a:\n"].concat()).collect();
        for input in [
            [b"(".repeat(n), b")".repeat(n)].concat(),
            [b"{a;\n".repeat(n), b"}\n".repeat(n)].concat(),
            [b"[1,".repeat(n), b"]".repeat(n)].concat(),
            [b"{(".repeat(n), b"}".repeat(n)].concat(),
            b"(".repeat(2 * n),
            b")".repeat(2 * n),
            b"({[".repeat(n),
            b"(]".repeat(n),
            [b"{".repeat(n), b")".repeat(n)].concat(),
            b"a,".repeat(n),
            b"a;".repeat(n),
            b"a\n b\n  c\n".repeat(n / 3),
            b"a:\n- b\nend\n".repeat(n / 3),
            b"{a}\nelse".repeat(n),
            deeper.into_bytes(),
            tabs,
        ] {
            let tree = parse(input.clone());
            assert!(Variant::whole(tree.text().clone()).render() == input);
        }
    }

    #[test]
    fn a_script_is_reduced_to_what_is_needed() {
        let script = "(set-logic QF_S)\n(declare-fun x () String)\n(declare-fun y () String)\n\
                      (assert (and (= x \"a b\")\n  (or (str.< x y) (= y \"\"))\n  (not (= x y))))\n(check-sat)\n";
        let needed = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            let depth = text.chars().try_fold(0i32, |depth, c| match c {
                '(' => Some(depth + 1),
                ')' => Some(depth - 1).filter(|&depth| depth >= 0),
                _ => Some(depth),
            });
            depth == Some(0)
                && text.contains("(declare-fun y () String)")
                && text.contains("(str.< x y)")
                && text.contains("(check-sat)")
        };
        for reducer in [TreeReducer::HddStar, TreeReducer::Hddr, TreeReducer::HddPlus] {
            let (result, questions) = reduced(parse(script.into()), reducer, needed);
            assert_eq!(
                result, "(declare-fun y () String)\n( (\n  ( (str.< x y))\n  ))\n(check-sat)\n",
                "{reducer:?} {questions}"
            );
        }
    }
}
