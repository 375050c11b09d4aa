//! `dwindle parse`, `dwindle tokens` and `dwindle languages`: what a front end sees in a file, and
//! which there are.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::ops::Range;

use dwindle::core::{Role, Tree};
use dwindle::plan::read_tree;
use dwindle::shown::shown;
use dwindle::{Document, FrontEnd, Reading};
use serde::Serialize;

use crate::args::{File, Parse};
use crate::failure::Failure;
use crate::lines::Lines;
use crate::names::{Names, NamesRow};
use crate::say::say;
use crate::streams;

/// How much of a node's text is shown.
const SNIPPET: usize = 60;
/// How many of the kinds that may stand in a place are shown.
const KINDS: usize = 12;
/// The depth from which on nodes are not indented further.
const DEEPEST: usize = 100;

/// Prints the size of a file in tokens.
pub(crate) fn tokens(file: &File) -> Result<(), Failure> {
    let (tree, reading) = read(file)?;
    let text = tree.text();
    let count: u64 = text.weights().iter().map(|&weight| u64::from(weight)).sum();
    warn(&reading);
    print(|out| writeln!(out, "{count}"))
}

/// Prints all languages: names, extensions of files, and by what they are read.
pub(crate) fn languages() -> Result<(), Failure> {
    let all = FrontEnd::all();
    let extensions = |front_end: &FrontEnd| front_end.aliases().join(" ");
    let width = |of: &dyn Fn(&FrontEnd) -> usize| all.iter().map(of).max().unwrap_or(0);
    let (names, readers) = (width(&|it| it.name().len()), width(&|it| it.reader().len()));
    print(|out| {
        for it in &all {
            let line = format!("{:names$}  {:readers$}  {}", it.name(), it.reader(), extensions(it));
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    })
}

/// Prints the tree of a file, a node a line, and what may stand in the places of these.
pub(crate) fn tree(parse: &Parse) -> Result<(), Failure> {
    let (tree, reading) = read(&parse.file)?;
    warn(&reading);
    let (nodes, derived) = tree.derived();
    if derived > 0 && derived < nodes {
        say(&format!("the grammar's productions derive {derived} of {nodes} nodes\n"));
    }
    let style = Style { colour: !parse.json && io::stdout().is_terminal() };
    let lines = Lines::of(&tree);
    let weights = sums(&tree.text().weights());
    let last = Row::of(&tree, &lines, &weights, 0, 0).lines[1];
    if let Some(line) = parse.at.filter(|&line| line > last) {
        return Err(Failure::Usage(format!(
            "there is nothing on line {line}; the last line with something is {last}"
        )));
    }
    let names = parse.names.then(|| Names::of(&tree));
    let mut slots = BTreeSet::new();
    print(|out| {
        let mut folded = 0;
        let mut node = 0;
        let mut depths: Vec<usize> = Vec::new();
        while node < tree.nodes().len() {
            while depths.last().is_some_and(|&end| end <= node) {
                depths.pop();
            }
            let depth = depths.len();
            let subtree = tree.subtree(node);
            let row = Row::of(&tree, &lines, &weights, node, depth);
            let aside = parse.at.is_some_and(|line| !(row.lines[0]..=row.lines[1]).contains(&line));
            if aside || parse.depth.is_some_and(|limit| depth > limit) {
                folded += 1;
                node = subtree.end;
                continue;
            }
            if let Some(names) = &names {
                if names.shows(node) {
                    unfold(out, parse.json, &mut folded, depth)?;
                    let names = Some(names.row(node, &lines));
                    Row { slot: None, names, ..row }.write(out, parse.json, &style)?;
                }
            } else {
                unfold(out, parse.json, &mut folded, depth)?;
                slots.extend(row.slot);
                row.write(out, parse.json, &style)?;
            }
            depths.push(subtree.end);
            node += 1;
        }
        unfold(out, parse.json, &mut folded, depths.len())?;
        for slot in slots {
            let row = SlotRow::of(&tree, slot);
            if parse.json { write_json(out, &row)? } else { row.print(out, &style)? }
        }
        Ok(())
    })
}

fn write_json(out: &mut dyn Write, row: &impl Serialize) -> io::Result<()> {
    writeln!(out, "{}", serde_json::to_string(row).expect("a row is made of numbers and names"))
}

fn unfold(out: &mut dyn Write, json: bool, folded: &mut usize, depth: usize) -> io::Result<()> {
    let count = std::mem::take(folded);
    if count == 0 || json {
        Ok(())
    } else {
        writeln!(out, "{:width$}... {count} more", "", width = 2 * depth.min(DEEPEST))
    }
}

/// The sum of the weights before each token, and of all.
fn sums(weights: &[u32]) -> Vec<u64> {
    let mut sum = 0;
    let behind = weights.iter().map(|&weight| {
        sum += u64::from(weight);
        sum
    });
    [0].into_iter().chain(behind).collect()
}

fn read(file: &File) -> Result<(Tree, Reading), Failure> {
    let path = &file.file;
    let document = match () {
        () if streams::is_read(path) => Document::of(streams::read_all()?),
        () if path.is_dir() => {
            let what = io::Error::other("it is a folder; name one file");
            return Err(Failure::Read(path.clone(), what));
        }
        () => {
            let bytes = std::fs::read(path).map_err(|error| Failure::Read(path.clone(), error))?;
            Document::file(path, 0, bytes)
        }
    };
    let named = file.language.front_end(&mut |warning| say(&format!("warning: {warning}\n")))?;
    Ok(read_tree(&document, named))
}

fn warn(reading: &Reading) {
    if let Reading { language: Some(language), fallback: Some(why), .. } = reading {
        say(&format!("read by {language}: {why}\n"));
    }
}

/// Writes to standard output; that its reader has gone is no error.
pub(crate) fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Print(error)),
        _ => Ok(()),
    }
}

struct Style {
    colour: bool,
}

impl Style {
    fn paint(&self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// A node as it is shown.
#[derive(Serialize)]
struct Row {
    node: usize,
    depth: usize,
    kind: &'static str,
    /// What may become of it.
    role: &'static str,
    /// What stands in for it when it goes, where it cannot go without a trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    stand_in: Option<String>,
    /// The list that it is an element or a separator of.
    #[serde(skip_serializing_if = "Option::is_none")]
    list: Option<ListRow>,
    /// The slot of its place: what may stand there is in the rows behind the tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    slot: Option<u32>,
    tokens: u64,
    /// First and last line, from 1.
    lines: [u64; 2],
    /// From the first byte to behind the last.
    bytes: [usize; 2],
    /// The white space and comments before it, in bytes.
    gap: usize,
    /// How its text begins.
    text: String,
    /// The names that it has to do with, where these are shown.
    #[serde(flatten)]
    names: Option<NamesRow>,
}

#[derive(Serialize)]
struct ListRow {
    id: u32,
    /// Whether one element has to stay.
    keeps_one: bool,
}

/// What may stand in a place.
#[derive(Serialize)]
struct SlotRow {
    slot: u32,
    kinds: Vec<&'static str>,
    /// The shortest text that may.
    #[serde(skip_serializing_if = "Option::is_none")]
    minimal: Option<String>,
}

impl SlotRow {
    fn of(tree: &Tree, slot: u32) -> Self {
        let minimal = tree.minimal(slot).map(|string| tree.stand_in(string));
        Self {
            slot,
            kinds: tree.slot_kinds(slot).iter().map(|&kind| tree.name_of_kind(kind)).collect(),
            minimal: minimal.map(|string| String::from_utf8_lossy(&string.bytes).into_owned()),
        }
    }

    fn print(&self, out: &mut dyn Write, style: &Style) -> io::Result<()> {
        let (named, more) = self.kinds.split_at(self.kinds.len().min(KINDS));
        let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
        let minimal = self.minimal.iter().map(|string| style.paint("33", &format!(" > {}", shown(string))));
        let kinds = shown(named.join(", "));
        writeln!(out, "slot {}{}: {kinds}{more}", self.slot, minimal.collect::<String>())
    }
}

impl Row {
    fn of(tree: &Tree, lines: &Lines, weights: &[u64], node: usize, depth: usize) -> Self {
        let text = tree.text();
        let tokens = tree.tokens(node);
        let bytes = if tokens.is_empty() {
            0..0
        } else {
            text.span(tokens.start).start..text.span(tokens.end - 1).end
        };
        let before = tokens.start.checked_sub(1).map_or(0, |previous| text.span(previous).end);
        let (role, stand_in) = match tree.role(node) {
            Role::Fixed => ("fixed", None),
            Role::Deletable => ("deletable", None),
            Role::Separator => ("separator", None),
            Role::StandIn(string) => {
                let string = tree.stand_in(string);
                ("stand-in", Some(String::from_utf8_lossy(&string.bytes).into_owned()))
            }
        };
        Self {
            node,
            depth,
            kind: tree.kind_name(node),
            role,
            stand_in,
            list: tree.list(node).map(|list| ListRow { id: list.id, keeps_one: list.some }),
            slot: tree.slot(node),
            tokens: weights[tokens.end] - weights[tokens.start],
            lines: [lines.at(bytes.start), lines.at(bytes.end.saturating_sub(1))],
            gap: bytes.start.saturating_sub(before),
            text: snippet(text.bytes(), bytes.clone()),
            bytes: [bytes.start, bytes.end],
            names: None,
        }
    }

    fn write(&self, out: &mut dyn Write, json: bool, style: &Style) -> io::Result<()> {
        if json { write_json(out, self) } else { self.print(out, style) }
    }

    fn print(&self, out: &mut dyn Write, style: &Style) -> io::Result<()> {
        let role = match (self.role, &self.stand_in) {
            ("deletable", _) => style.paint("32", " -"),
            ("separator", _) => style.paint("2", " ,"),
            (_, Some(string)) => style.paint("33", &format!(" > {}", shown(string))),
            _ => String::new(),
        };
        let [first, last] = self.lines;
        let lines = if first == last { format!("{first}") } else { format!("{first}-{last}") };
        let list = self.list.as_ref().map_or(String::new(), |list| {
            format!(", list {}{}", list.id, if list.keeps_one { "+" } else { "" })
        });
        let slot = self.slot.map_or(String::new(), |slot| format!(", slot {slot}"));
        writeln!(
            out,
            "{:indent$}{}{role} {}  {}",
            "",
            style.paint("1", &shown(self.kind)),
            style.paint("2", &format!("[{} tokens, line {lines}{list}{slot}]", self.tokens)),
            shown(&self.text),
            indent = 2 * self.depth.min(DEEPEST),
        )?;
        match &self.names {
            Some(names) => names.print(out, 2 * self.depth.min(DEEPEST) + 4),
            None => Ok(()),
        }
    }
}

/// The beginning of a text, on one line.
fn snippet(bytes: &[u8], range: Range<usize>) -> String {
    let cut = range.len() > SNIPPET;
    let text =
        String::from_utf8_lossy(&bytes[range.start..range.end.min(range.start + SNIPPET)]).into_owned();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if cut { text + " ..." } else { text }
}
