//! How an input is laid out, so that its result can be laid out like it.
//!
//! Where two tokens meet there is a *joint*: the innermost node that holds both, and its two children on either side.
//! Whether a line ends there, how far the next one is indented and whether there is a blank follows from the kinds of
//! these three nodes, as the same kinds meet in the input most often. So a result looks as its author would have
//! written it, in any language that has a grammar, and nothing needs to be known of the language.

use std::collections::{BTreeMap, HashMap};

use dwindle_core::{Text, Tree};
use memchr::memmem;

/// Of a text whose lines are longer than this on average, or whose outermost parts do not begin lines, nothing can be
/// learned: somebody has taken its white space out.
const LONGEST_LINE: usize = 100;
/// So many tokens show enough: the last ones, since what a text includes stands before what it is about.
const LEARNED: usize = 50_000;
/// So many lines show how the next one is indented.
const ENOUGH: u32 = 5;
/// Lines are indented by no more columns, or a text that is nested deeply would take more memory than there is.
const WIDEST: i32 = 200;
/// Columns up to the next multiple of which a tab goes, as terminals show it.
const TAB: u32 = 8;

/// The name of a kind of nodes.
type Kind = &'static str;

/// Kinds that meet: the parent, the child that ends and the one that begins. `None` stands for any.
type Meeting = [Option<Kind>; 3];

/// How an input is laid out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conventions {
    seen: HashMap<Meeting, Seen>,
    /// Whether most of what is outermost begins its line.
    flush: bool,
    /// By how much lines are indented more than those around them, most often.
    step: i32,
    /// Whether most lines that are indented begin with a tab.
    tabs: bool,
    /// Whether the last line has an end.
    ends: bool,
    /// Whether most lines end with a carriage return and a line feed.
    crlf: bool,
}

/// What was seen where the same kinds met.
#[derive(Clone, Debug, Default)]
struct Seen {
    tight: u32,
    blank: u32,
    /// Lines that end, by the indentation of the next one from that on which the parent begins.
    lines: BTreeMap<i32, u32>,
}

/// What stands between two tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    None,
    Blank,
    /// The end of a line, and the indentation of the next one.
    Line(i32),
}

impl Seen {
    fn note(&mut self, gap: Gap) {
        match gap {
            Gap::None => self.tight += 1,
            Gap::Blank => self.blank += 1,
            Gap::Line(indentation) => *self.lines.entry(indentation).or_default() += 1,
        }
    }

    /// How many lines ended there.
    fn ended(&self) -> u32 {
        self.lines.values().sum()
    }

    fn most_frequent(&self) -> Gap {
        if self.ended() >= self.tight + self.blank {
            let most = self.lines.iter().max_by_key(|&(indentation, count)| (*count, -indentation.abs()));
            return Gap::Line(most.map_or(0, |(&indentation, _)| indentation));
        }
        if self.tight >= self.blank { Gap::None } else { Gap::Blank }
    }
}

/// How much of a layout is to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Freedom {
    /// Lines end and blanks stand where they do in the input.
    All,
    /// Lines also end where they ended before.
    LinesStay,
    /// The same, and blanks stand where they stood.
    GapsStay,
}

impl Freedom {
    pub(crate) const ALL: [Self; 3] = [Self::All, Self::LinesStay, Self::GapsStay];
}

impl Conventions {
    /// Those of a text. Without any, only what is outermost begins a line.
    pub(crate) fn of(tree: &Tree) -> Self {
        let lines = Lines::of(tree);
        let bytes = tree.text().bytes();
        let count = |end: &[u8]| memmem::find_iter(bytes, end).count();
        let crlf = count(b"\r\n") * 2 > count(b"\n");
        let nothing = Self { ends: bytes.ends_with(b"\n"), crlf, ..Self::default() };
        if lines.starts * LONGEST_LINE < tree.text().bytes().len() {
            return nothing;
        }
        let mut this = nothing.clone();
        let (mut outermost, mut steps): (Seen, BTreeMap<i32, u32>) = Default::default();
        let first = tree.text().len().saturating_sub(LEARNED);
        for Joint { at, parent, node, meeting } in joints(tree).filter(|joint| joint.at >= first) {
            let Some(gap) = lines.gap(tree, at, parent) else { continue };
            if is_outermost(tree, parent, node) {
                outermost.note(gap);
            }
            if let Gap::Line(step @ 1..) = gap {
                *steps.entry(step).or_default() += 1;
            }
            for meeting in ways(meeting) {
                this.seen.entry(meeting).or_default().note(gap);
            }
        }
        let Gap::Line(margin) = outermost.most_frequent() else { return nothing };
        this.flush = margin == 0;
        this.step = steps.iter().max_by_key(|(_, count)| **count).map_or(0, |(&step, _)| step);
        this.tabs = lines.with_tabs * 2 > lines.indented;
        this
    }

    /// What stands where these meet, as far as that is known. By how much a line is indented is not learned from a few
    /// lines where there are others that begin alike.
    fn gap(&self, meeting: Meeting) -> Option<Gap> {
        let seen = ways(meeting).find_map(|meeting| self.seen.get(&meeting))?;
        let [parent, _, after] = meeting;
        match (seen.most_frequent(), self.seen.get(&[parent, None, after]).map(Seen::most_frequent)) {
            (Gap::Line(_), Some(more @ Gap::Line(_))) if seen.ended() < ENOUGH => Some(more),
            (gap, _) => Some(gap),
        }
    }

    /// Whether there was anything to learn.
    pub(crate) fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    /// The tokens of `tree` with other white space between them. Comments stay.
    pub(crate) fn lay_out(&self, tree: &Tree, freedom: Freedom) -> Vec<u8> {
        let text = tree.text();
        let mut out = Vec::with_capacity(text.bytes().len() * 2);
        // The indentation of the line that each token stands on.
        let mut indentations: Vec<i32> = Vec::with_capacity(text.len());
        for (token, known) in self.gaps(tree).into_iter().enumerate() {
            let before = text.gap(token);
            let ended = before.contains(&b'\n');
            let around = |parent: usize| indentations.get(tree.tokens(parent).start).copied().unwrap_or(0);
            let here = indentations.last().copied().unwrap_or(0);
            let gap = match known {
                // A comment.
                _ if !before.trim_ascii().is_empty() => {
                    out.extend_from_slice(before);
                    indentations.push(last_line(before).map_or(here, |line| columns(line) as i32));
                    out.extend_from_slice(text.piece(token));
                    continue;
                }
                _ if token == 0 => Gap::None,
                Some((parent, Gap::Line(more))) => Gap::Line(around(parent) + more),
                Some((0, _)) if ended && freedom != Freedom::All => Gap::Line(0),
                Some((parent, _)) if ended && freedom != Freedom::All => {
                    Gap::Line(around(parent) + self.step)
                }
                Some((_, gap)) if freedom != Freedom::GapsStay => gap,
                _ if ended => Gap::Line(here),
                _ if before.is_empty() => Gap::None,
                _ => Gap::Blank,
            };
            indentations.push(if let Gap::Line(columns) = gap { columns.max(0) } else { here });
            self.write(gap, &mut out);
            out.extend_from_slice(text.piece(token));
        }
        out.extend_from_slice(text.gap(text.len()));
        out
    }

    /// What is known of the gap before each token, with the parent that it is known by.
    fn gaps(&self, tree: &Tree) -> Vec<Option<(usize, Gap)>> {
        let mut gaps = vec![None; tree.text().len()];
        for Joint { at, parent, node, meeting } in joints(tree) {
            let gap = match self.gap(meeting) {
                None if is_outermost(tree, parent, node) => Some(Gap::Line(0)),
                Some(Gap::Line(_)) if parent == 0 && self.flush => Some(Gap::Line(0)),
                Some(Gap::None) if would_join(tree.text(), at) => Some(Gap::Blank),
                gap => gap,
            };
            gaps[at] = gap.map(|gap| (parent, gap));
        }
        gaps
    }

    fn write(&self, gap: Gap, out: &mut Vec<u8>) {
        match gap {
            Gap::None => {}
            Gap::Blank => out.push(b' '),
            Gap::Line(columns) => {
                let columns = columns.clamp(0, WIDEST) as u32;
                let tabs = if self.tabs { columns / TAB } else { 0 };
                out.push(b'\n');
                out.extend(std::iter::repeat_n(b'\t', tabs as usize));
                out.extend(std::iter::repeat_n(b' ', (columns - tabs * TAB) as usize));
            }
        }
    }

    /// A text that ends as the input does, and so do its lines.
    pub(crate) fn with_ends(&self, mut text: Vec<u8>) -> Vec<u8> {
        text.truncate(text.trim_ascii_end().len());
        if self.ends {
            text.push(b'\n');
        }
        if !self.crlf {
            return text;
        }
        let lines = text.split_inclusive(|&byte| byte == b'\n');
        let lines = lines.map(|line| match line.strip_suffix(b"\n") {
            Some(line) => [line.strip_suffix(b"\r").unwrap_or(line), b"\r\n"].concat(),
            None => line.to_vec(),
        });
        lines.collect::<Vec<_>>().concat()
    }
}

/// Where two tokens meet.
struct Joint {
    /// The second of them.
    at: usize,
    /// The innermost node that holds both, and its child that begins there.
    parent: usize,
    node: usize,
    meeting: Meeting,
}

/// All joints of a tree. Groups, which the grammar does not know, are seen through.
fn joints(tree: &Tree) -> impl Iterator<Item = Joint> + '_ {
    let nodes = tree.nodes();
    let mut parents: Vec<usize> = vec![0; nodes.len()];
    let mut last: Vec<Option<usize>> = vec![None; nodes.len()];
    (1..nodes.len()).filter_map(move |node| {
        let above = tree.parent(node).unwrap_or(0);
        let parent = if above > 0 && tree.is_group(above) { parents[above] } else { above };
        parents[node] = parent;
        if tree.is_group(node) {
            return None;
        }
        let before = last[parent].replace(node);
        let at = nodes[node].tokens().start;
        let kind = |node| tree.kind_name(node);
        let meeting = [Some(parent), before, Some(node)].map(|node| node.map(kind));
        (at > nodes[parent].tokens().start).then_some(Joint { at, parent, node, meeting })
    })
}

/// Who meets, from the most to the least special. Signs such as commas are alike wherever they stand, brackets are not.
fn ways([parent, before, after]: Meeting) -> impl Iterator<Item = Meeting> {
    let is_sign =
        |kind: &Kind| !kind.bytes().any(|byte| byte.is_ascii_alphanumeric() || b"(){}[]".contains(&byte));
    let [sign_before, sign_after] = [before, after].map(|kind| kind.filter(is_sign));
    // What comes first in brackets stands elsewhere than the same behind a comma.
    let opening = before.filter(|kind| matches!(*kind, "(" | "["));
    let ways = [
        Some([parent, before, after]),
        opening.map(|sign| [parent, Some(sign), None]),
        sign_after.map(|sign| [parent, None, Some(sign)]),
        sign_after.map(|sign| [None, None, Some(sign)]),
        sign_before.map(|sign| [parent, Some(sign), None]),
        sign_before.map(|sign| [None, Some(sign), None]),
        Some([parent, None, after]),
        Some([parent, before, None]),
        Some([None, before, after]),
    ];
    ways.into_iter().flatten()
}

/// Whether a token and the one before it are one word without a blank.
fn would_join(text: &Text, token: usize) -> bool {
    let is_of_word =
        |byte: Option<&u8>| byte.is_some_and(|&byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_of_word(text.piece(token - 1).last()) && is_of_word(text.piece(token).first())
}

/// Whether a child of `parent` is one of the outermost parts of a text, and no sign behind one.
fn is_outermost(tree: &Tree, parent: usize, node: usize) -> bool {
    parent == 0 && tree.tokens(node).len() > 1
}

/// The lines of a text.
struct Lines {
    /// The indentation of the line that each token stands on.
    indentations: Vec<u32>,
    /// How many tokens begin a line, how many of these are indented, and how many of those by tabs.
    starts: usize,
    indented: usize,
    with_tabs: usize,
}

impl Lines {
    fn of(tree: &Tree) -> Self {
        let mut this = Self { indentations: Vec::new(), starts: 0, indented: 0, with_tabs: 0 };
        for token in 0..tree.text().len() {
            let line = last_line(tree.text().gap(token));
            let before = this.indentations.last().copied().unwrap_or(0);
            this.indentations.push(line.map_or(before, columns));
            if let Some(line) = line {
                this.starts += 1;
                this.indented += usize::from(!line.is_empty());
                this.with_tabs += usize::from(line.starts_with(b"\t"));
            }
        }
        this
    }

    /// What stands before a token, if it is no comment.
    fn gap(&self, tree: &Tree, token: usize, parent: usize) -> Option<Gap> {
        let gap = tree.text().gap(token);
        if !gap.trim_ascii().is_empty() {
            return None;
        }
        let around = self.indentations[tree.tokens(parent).start];
        Some(match gap {
            [] => Gap::None,
            _ if gap.contains(&b'\n') => Gap::Line(self.indentations[token] as i32 - around as i32),
            _ => Gap::Blank,
        })
    }
}

/// What stands in a gap behind its last end of a line.
fn last_line(gap: &[u8]) -> Option<&[u8]> {
    gap.iter().rposition(|&byte| byte == b'\n').map(|end| &gap[end + 1..])
}

/// How many columns the white space takes that a line begins with.
fn columns(line: &[u8]) -> u32 {
    let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    blanks.fold(0, |columns, &byte| if byte == b'\t' { (columns / TAB + 1) * TAB } else { columns + 1 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use dwindle_read::FrontEnd;

    /// `result` laid out like `input`.
    #[track_caller]
    fn check(language: &str, input: &str, result: &str, expected: &str) {
        let front_end = FrontEnd::named(language).unwrap();
        let read = |text: &str| dwindle_read::tree(text.into(), front_end).0;
        let conventions = Conventions::of(&read(input));
        let text = conventions.with_ends(conventions.lay_out(&read(result), Freedom::All));
        assert_eq!(String::from_utf8_lossy(&text), expected);
        let again = conventions.with_ends(conventions.lay_out(&read(expected), Freedom::All));
        assert_eq!(String::from_utf8_lossy(&again), expected, "it stays as it is");
    }

    #[test]
    fn results_look_like_their_inputs() {
        let kernighan =
            "int f(int a, int b) {\n    if (a) {\n        g(b);\n    }\n    return a + b;\n}\nint h;\n";
        check(
            "c",
            kernighan,
            "int h;int f( int a ,\n int b){if(c){f ( a,b );g\n(d);}}",
            "int h;\nint f(int a, int b) {\n    if (c) {\n        f(a, b);\n        g(d);\n    }\n}\n",
        );
        let gnu = "int\nf (int a)\n{\n  g (a);\n  return a;\n}\nint h;\n";
        check("c", gnu, "int h(int a){f(b);return 1;}", "int\nh (int a)\n{\n  f (b);\n  return 1;\n}\n");
        let python = "def f(a, b):\n    if a:\n        return g(b)\n\n\nx = f(1, 2)\n";
        check(
            "python",
            python,
            "def h( x ):\n if x :\n  return  y\nf ( h )",
            "def h(x):\n    if x:\n        return y\nf(h)\n",
        );
        let behind_a_comma = "void f() {\n    g(a, 0);\n    h(b);\n}\n";
        check("c", behind_a_comma, "void f() { g( 0); }", "void f() {\n    g(0);\n}\n");
        let lua = "local a = 1\nfunction f()\n\tif a then\n\t\tprint(a, 1)\n\tend\nend\n";
        check(
            "lua",
            lua,
            "function g() if b then  print(b ,2) end end",
            "function g()\n\tif b then\n\t\tprint(b, 2)\n\tend\nend\n",
        );
    }

    #[test]
    fn lines_end_as_those_of_the_input_do() {
        let input = "int f(int a)\r\n{\r\n    return a;\r\n}\r\nint b;\r\n";
        check("c", input, "int g(){h();\nreturn b;}", "int g()\r\n{\r\n    h();\r\n    return b;\r\n}\r\n");
        check("c", "int a;\r\nint b;\nint c;\nint d;\n", "int  b;\r\nint c;", "int b;\nint c;\n");
    }

    #[test]
    fn without_lines_nothing_is_learned_and_nothing_ends_a_line() {
        check("sql", "SELECT 1;SELECT 2;SELECT  3", "SELECT 1 ;\nSELECT 2", "SELECT 1 ;\nSELECT 2");
        check("c", "int a;int b;", "int  b;", "int b;");
    }
}
