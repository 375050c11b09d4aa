//! The form in which every reader hands over a grammar: one expression a rule, with lists, optional
//! parts and choices.

use std::path::{Path, PathBuf};

/// A terminal, by its number; [`END`] is the end of the text.
pub type Terminal = u32;

/// The end of the text.
pub const END: Terminal = 0;

/// What a rule derives.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// One of these terminals, in ascending order.
    Terminals(Vec<Terminal>),
    /// What the rule of that number derives.
    Rule(u32),
    /// One behind the other; nothing at all if it is empty.
    Seq(Vec<Expr>),
    /// One of them.
    Choice(Vec<Expr>),
    /// It or nothing.
    Optional(Box<Expr>),
    /// Any number of items.
    List(Box<List>),
}

/// Any number of items, one behind the other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct List {
    /// What each item is.
    pub item: Expr,
    /// What stands between two items.
    pub separator: Option<Expr>,
    /// Whether there is at least one.
    pub some: bool,
}

impl Expr {
    /// A terminal.
    pub(crate) fn terminal(terminal: Terminal) -> Self {
        Self::Terminals(vec![terminal])
    }

    /// One behind the other, without sequences in sequences.
    pub(crate) fn seq(parts: impl IntoIterator<Item = Expr>) -> Self {
        let mut all = Vec::new();
        for part in parts {
            match part {
                Self::Seq(parts) => all.extend(parts),
                part => all.push(part),
            }
        }
        if all.len() == 1 { all.remove(0) } else { Self::Seq(all) }
    }

    /// One of them.
    pub(crate) fn choice(mut alternatives: Vec<Expr>) -> Self {
        if alternatives.len() == 1 { alternatives.remove(0) } else { Self::Choice(alternatives) }
    }

    pub(crate) fn optional(self) -> Self {
        Self::Optional(Box::new(self))
    }

    pub(crate) fn list(item: Expr, separator: Option<Expr>, some: bool) -> Self {
        Self::List(Box::new(List { item, separator, some }))
    }

    /// The parts of a sequence.
    pub(crate) fn parts(&self) -> &[Expr] {
        match self {
            Self::Seq(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }

    /// The alternatives of a choice.
    pub(crate) fn alternatives(&self) -> &[Expr] {
        match self {
            Self::Choice(alternatives) => alternatives,
            other => std::slice::from_ref(other),
        }
    }

    /// Its direct parts, whatever it is.
    pub(crate) fn children(&self) -> Vec<&Expr> {
        match self {
            Self::Terminals(_) | Self::Rule(_) => Vec::new(),
            Self::Seq(all) | Self::Choice(all) => all.iter().collect(),
            Self::Optional(inner) => vec![inner],
            Self::List(list) => [&list.item].into_iter().chain(&list.separator).collect(),
        }
    }

    /// The same with `change` applied to every part, the innermost first.
    pub(crate) fn map(self, change: &mut impl FnMut(Expr) -> Expr) -> Self {
        let same = match self {
            Self::Terminals(_) | Self::Rule(_) => self,
            Self::Seq(parts) => Self::seq(parts.into_iter().map(|part| part.map(change))),
            Self::Choice(all) => Self::Choice(all.into_iter().map(|one| one.map(change)).collect()),
            Self::Optional(inner) => inner.map(change).optional(),
            Self::List(list) => {
                let separator = list.separator.map(|separator| separator.map(change));
                Self::list(list.item.map(change), separator, list.some)
            }
        };
        change(same)
    }
}

/// A place in a grammar file; lines and columns count from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The file.
    pub file: PathBuf,
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

impl Position {
    /// The place of a byte of `text`.
    pub(crate) fn of(file: &Path, text: &str, byte: usize) -> Self {
        Lines::of(file, text).position(byte)
    }
}

/// The lines of a file, for many places in it.
pub(crate) struct Lines<'a> {
    file: &'a Path,
    text: &'a str,
    /// Where they start, but for the first.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(crate) fn of(file: &'a Path, text: &'a str) -> Self {
        let starts = text.match_indices('\n').map(|(newline, _)| newline + 1).collect();
        Self { file, text, starts }
    }

    pub(crate) fn position(&self, byte: usize) -> Position {
        let before = self.starts.partition_point(|&start| start <= byte);
        let start = before.checked_sub(1).map_or(0, |last| self.starts[last]);
        let (_, column) = line_and_column(&self.text.as_bytes()[start..], byte - start);
        Position { file: self.file.to_owned(), line: before + 1, column }
    }
}

/// The line and the column of a byte, from 1.
pub(crate) fn line_and_column(text: &[u8], byte: usize) -> (usize, usize) {
    let before = &text[..byte.min(text.len())];
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    (line, String::from_utf8_lossy(&before[start..]).chars().count() + 1)
}

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The name of its nodes.
    pub name: String,
    /// Where it is.
    pub at: Position,
    /// What it derives.
    pub body: Expr,
}
