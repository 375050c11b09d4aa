//! What the children of a node may be: a regular expression over the kinds of visible nodes.
//!
//! The constructors bring it into a normal form. Alternatives that are one child each become one
//! child of any of their kinds; what may be nothing is an [`Expr::Optional`] or a list that may be
//! empty; and the ways to write a list with separators (`x (, x)*`, `(x ,)* x?`, each with a last
//! separator perhaps) are one. Two liberties are taken, since what remains is a text of another rule if
//! not of this one: lists of two or more elements are lists of one or more, and where `a`, `b` or both
//! may stand, they are a list of one or more.

use std::fmt::Write;

/// How many parts a sequence may have, and how many ways a choice: both are compared with each other.
pub(crate) const WIDEST: usize = 2_000;

/// A set of kinds, by its number in [`crate::Productions::classes`].
pub type Class = u32;

/// The children of a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// Text that is in no visible node.
    Hidden,
    /// One node.
    Child(Child),
    /// One behind the other; nothing, when there are none.
    Seq(Vec<Expr>),
    /// One of them.
    Choice(Vec<Expr>),
    /// It or nothing.
    Optional(Box<Expr>),
    /// Several, one behind the other.
    List(Box<List>),
}

/// The place of one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Child {
    /// The kinds that are derived here.
    pub class: Class,
    /// The kinds that would be as good: those, and what else is one node in the choice that this
    /// place is a way of.
    pub fits: Class,
}

impl Child {
    fn of(class: Class) -> Self {
        Self { class, fits: class }
    }
}

/// A list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct List {
    /// An element.
    pub item: Expr,
    /// What stands between two elements.
    pub separator: Option<Expr>,
    /// Whether there is at least one element.
    pub some: bool,
    /// Whether a separator may stand behind the last element.
    pub trailing: bool,
}

/// The sets of kinds, each once.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    pub(crate) sets: Vec<Vec<u32>>,
    numbers: std::collections::HashMap<Vec<u32>, Class>,
}

impl Classes {
    pub(crate) fn number(&mut self, mut kinds: Vec<u32>) -> Class {
        kinds.sort_unstable();
        kinds.dedup();
        let next = self.sets.len() as Class;
        *self.numbers.entry(kinds).or_insert_with_key(|kinds| {
            self.sets.push(kinds.clone());
            next
        })
    }
}

impl Expr {
    /// Nothing.
    pub const NOTHING: Self = Self::Seq(Vec::new());

    /// What matches no children at all, not even none.
    pub(crate) const NEVER: Self = Self::Choice(Vec::new());

    fn is_nothing(&self) -> bool {
        *self == Self::NOTHING
    }

    /// Whether there may be no children.
    pub fn is_nullable(&self) -> bool {
        match self {
            Self::Hidden | Self::Optional(_) => true,
            Self::Child(_) => false,
            Self::Seq(parts) => parts.iter().all(Self::is_nullable),
            Self::Choice(ways) => ways.iter().any(Self::is_nullable),
            Self::List(list) => !list.some || list.item.is_nullable(),
        }
    }

    /// Whether it may have no text.
    fn may_be_empty(&self) -> bool {
        match self {
            Self::Hidden | Self::Child(_) => false,
            Self::Optional(_) => true,
            Self::Seq(parts) => parts.iter().all(Self::may_be_empty),
            Self::Choice(ways) => ways.iter().any(Self::may_be_empty),
            Self::List(list) => !list.some || list.item.may_be_empty(),
        }
    }

    /// A node of one of the kinds of a class.
    pub(crate) fn child(class: Class) -> Self {
        Self::Child(Child::of(class))
    }

    /// Finds out what fits in each place; `others` are the kinds that would do instead of all this.
    pub(crate) fn widen(&mut self, others: &[u32], classes: &mut Classes) {
        match self {
            Self::Hidden => {}
            Self::Child(child) => {
                let own = &classes.sets[child.class as usize];
                child.fits = classes.number([own, others].concat());
            }
            Self::Choice(ways) => {
                let mut kinds = others.to_vec();
                for way in &mut *ways {
                    way.for_each_alone(&mut |class| kinds.extend_from_slice(&classes.sets[class as usize]));
                }
                ways.iter_mut().for_each(|way| way.widen(&kinds, classes));
            }
            Self::Seq(parts) => parts.iter_mut().for_each(|part| part.widen(&[], classes)),
            Self::Optional(inner) => inner.widen(others, classes),
            Self::List(list) => {
                match &mut list.item {
                    // Where two different things may stand, or both, one is no replacement for the other.
                    Self::Choice(ways) if list.some && list.separator.is_none() && ways.len() == 2 => {
                        ways.iter_mut().for_each(|way| way.widen(&[], classes));
                    }
                    item => item.widen(&[], classes),
                }
                list.separator.iter_mut().for_each(|separator| separator.widen(&[], classes));
            }
        }
    }

    /// Visits the classes of children that may be all of the text.
    pub(crate) fn for_each_alone(&self, visit: &mut impl FnMut(Class)) {
        match self {
            Self::Hidden => {}
            Self::Child(child) => visit(child.class),
            Self::Choice(ways) => ways.iter().for_each(|way| way.for_each_alone(visit)),
            Self::Optional(inner) => inner.for_each_alone(visit),
            Self::List(list) => list.item.for_each_alone(visit),
            Self::Seq(parts) => {
                let mut needed = parts.iter().filter(|part| !part.may_be_empty());
                match (needed.next(), needed.next()) {
                    (None, _) => parts.iter().for_each(|part| part.for_each_alone(visit)),
                    (Some(part), None) => part.for_each_alone(visit),
                    (Some(_), Some(_)) => {}
                }
            }
        }
    }

    /// Visits all classes in it, in their order.
    pub(crate) fn for_each_class(&mut self, visit: &mut impl FnMut(&mut Class)) {
        match self {
            Self::Hidden => {}
            Self::Child(child) => {
                visit(&mut child.class);
                visit(&mut child.fits);
            }
            Self::Seq(parts) | Self::Choice(parts) => {
                parts.iter_mut().for_each(|part| part.for_each_class(visit));
            }
            Self::Optional(inner) => inner.for_each_class(visit),
            Self::List(list) => {
                list.item.for_each_class(visit);
                if let Some(separator) = &mut list.separator {
                    separator.for_each_class(visit);
                }
            }
        }
    }

    pub(crate) fn seq(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut flat: Vec<Self> = Vec::new();
        for part in parts {
            match part {
                Self::Seq(inner) => inner.into_iter().for_each(|part| push(&mut flat, part)),
                part if part == Self::NEVER => return part,
                part => push(&mut flat, part),
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { Self::Seq(flat) }
    }

    pub(crate) fn choice(ways: impl IntoIterator<Item = Self>, classes: &mut Classes) -> Self {
        let mut flat: Vec<Self> = Vec::new();
        let mut kinds: Vec<u32> = Vec::new();
        // Where the first way that is one child stood.
        let mut children = None;
        let mut optional = false;
        let mut open: Vec<Self> = ways.into_iter().collect();
        open.reverse();
        while let Some(way) = open.pop() {
            match way {
                Self::Choice(inner) => open.extend(inner.into_iter().rev()),
                Self::Optional(inner) => {
                    optional = true;
                    open.push(*inner);
                }
                Self::Child(child) => {
                    kinds.extend_from_slice(&classes.sets[child.class as usize]);
                    children.get_or_insert(flat.len());
                }
                way if way.is_nothing() => optional = true,
                way if flat.contains(&way) => {}
                way => flat.push(way),
            }
        }
        if let Some(at) = children {
            flat.insert(at, Self::child(classes.number(kinds)));
        }
        if flat.len() <= WIDEST {
            merge(&mut flat, classes);
        }
        let choice = if flat.len() == 1 { flat.remove(0) } else { Self::Choice(flat) };
        if optional { Self::optional(choice) } else { choice }
    }

    pub(crate) fn optional(inner: Self) -> Self {
        match inner {
            Self::Hidden => Self::NOTHING,
            Self::List(list) => Self::List(Box::new(List { some: false, ..*list })),
            inner if inner == Self::NEVER || inner.is_nothing() => Self::NOTHING,
            inner @ Self::Optional(_) => inner,
            inner => Self::Optional(Box::new(inner)),
        }
    }

    pub(crate) fn list(item: Self, some: bool) -> Self {
        match item {
            Self::Hidden if some => Self::Hidden,
            Self::Hidden => Self::NOTHING,
            Self::Optional(item) => Self::list(*item, false),
            Self::List(list) if list.separator.is_none() => {
                Self::List(Box::new(List { some: list.some && some, ..*list }))
            }
            item if item.is_nothing() || item == Self::NEVER && !some => Self::NOTHING,
            item if item == Self::NEVER => item,
            item => Self::List(Box::new(List { item, separator: None, some, trailing: false })),
        }
    }

    /// Appends it in the notation that [`Expr::read`] reads.
    pub(crate) fn write(&self, out: &mut String) {
        match self {
            Self::Hidden => out.push('_'),
            Self::Child(Child { class, fits }) => {
                // A blank ends the number before. Writing to a string cannot fail.
                let blank = if out.ends_with(|last: char| last.is_ascii_digit()) { " " } else { "" };
                let _ = write!(out, "{blank}{class}");
                if fits != class {
                    let _ = write!(out, "/{fits}");
                }
            }
            Self::Seq(parts) => group(out, '(', parts, ')'),
            Self::Choice(ways) => group(out, '[', ways, ']'),
            Self::Optional(inner) => {
                out.push('?');
                inner.write(out);
            }
            Self::List(list) => {
                out.push(if list.some { '+' } else { '*' });
                if let Some(separator) = &list.separator {
                    out.push(if list.trailing { ';' } else { ',' });
                    separator.write(out);
                }
                list.item.write(out);
            }
        }
    }

    /// Reads what [`Expr::write`] wrote from the front of `text`; none where it did not.
    pub(crate) fn read(text: &mut &str) -> Option<Self> {
        *text = text.trim_start();
        if text.starts_with(|first: char| first.is_ascii_digit()) {
            let class = read_number(text)?;
            let fits = match text.strip_prefix('/') {
                Some(rest) => {
                    *text = rest;
                    read_number(text)?
                }
                None => class,
            };
            return Some(Self::Child(Child { class, fits }));
        }
        let mut chars = text.chars();
        let first = chars.next()?;
        *text = chars.as_str();
        Some(match first {
            '_' => Self::Hidden,
            '(' => Self::Seq(read_group(text, ')')?),
            '[' => Self::Choice(read_group(text, ']')?),
            '?' => Self::Optional(Box::new(Self::read(text)?)),
            '*' | '+' => {
                let trailing = text.starts_with(';');
                let separator = if let Some(rest) = text.strip_prefix([',', ';']) {
                    *text = rest;
                    Some(Self::read(text)?)
                } else {
                    None
                };
                let item = Self::read(text)?;
                Self::List(Box::new(List { item, separator, some: first == '+', trailing }))
            }
            _ => return None,
        })
    }
}

/// Makes one of two ways that hardly differ.
fn merge(ways: &mut Vec<Expr>, classes: &mut Classes) {
    let mut at = 0;
    while at < ways.len() {
        let merged = (at + 1..ways.len()).find_map(|other| {
            let (one, two) = (&ways[at], &ways[other]);
            let merged =
                in_kinds(one, two, classes).or_else(|| in_a_part(one, two)).or_else(|| in_a_part(two, one));
            Some((other, merged.or_else(|| either(one, two)).or_else(|| either(two, one))?))
        });
        match merged {
            Some((other, merged)) => {
                ways.remove(other);
                ways[at] = merged;
                // What was too different before may not be now.
                at = 0;
            }
            None => at += 1,
        }
    }
}

/// `a b c` and `a d c`, where `b` and `d` are single children.
fn in_kinds(one: &Expr, two: &Expr, classes: &mut Classes) -> Option<Expr> {
    let (Expr::Seq(one), Expr::Seq(two)) = (one, two) else { return None };
    if one.len() != two.len() {
        return None;
    }
    let mut differences = (0..one.len()).filter(|&i| one[i] != two[i]);
    let (at, None) = (differences.next()?, differences.next()) else { return None };
    let (Expr::Child(a), Expr::Child(b)) = (&one[at], &two[at]) else { return None };
    let kinds = [&classes.sets[a.class as usize][..], &classes.sets[b.class as usize]].concat();
    let mut merged = one.clone();
    merged[at] = Expr::child(classes.number(kinds));
    Some(Expr::seq(merged))
}

/// `a b c` and `a c`.
fn in_a_part(long: &Expr, short: &Expr) -> Option<Expr> {
    let (long, short) = (items(long), items(short));
    let extra = long.len().checked_sub(short.len()).filter(|&extra| extra > 0)?;
    let same = long.iter().zip(short).take_while(|(a, b)| a == b).count();
    if short.is_empty() || short[same..] != long[same + extra..] {
        return None;
    }
    let optional = Expr::optional(Expr::seq(long[same..same + extra].to_vec()));
    let parts = long[..same].iter().cloned().chain([optional]).chain(short[same..].iter().cloned());
    Some(Expr::seq(parts.collect::<Vec<_>>()))
}

/// `a b?` and `b`: any of the two can go, but not both.
fn either(one: &Expr, two: &Expr) -> Option<Expr> {
    let (Expr::Optional(last), before) = items(one).split_last()? else { return None };
    if **last != *two || before.is_empty() || Expr::seq(before.to_vec()).is_nullable() || two.is_nullable() {
        return None;
    }
    let item = Expr::Choice(vec![Expr::seq(before.to_vec()), two.clone()]);
    Some(Expr::List(Box::new(List { item, separator: None, some: true, trailing: false })))
}

/// Appends a part to a sequence, and makes lists of what that completes.
fn push(parts: &mut Vec<Expr>, part: Expr) {
    if part.is_nothing() || part == Expr::Hidden && parts.last() == Some(&Expr::Hidden) {
        return;
    }
    parts.push(part);
    while unite(parts) {}
}

/// Makes a list of the end of a sequence that is one.
fn unite(parts: &mut Vec<Expr>) -> bool {
    let Some((last, before)) = parts.split_last() else { return false };
    // `x (, x)*` and `x x*`: the end of what repeats is what stands before it.
    if let Expr::List(list) = last
        && list.separator.is_none()
    {
        let item = items(&list.item);
        let longest = (1..=item.len()).rev().find(|&len| before.ends_with(&item[item.len() - len..]));
        if let Some(len) = longest {
            let (separator, item) = item.split_at(item.len() - len);
            let list = separated(item.to_vec(), separator.to_vec(), true, false);
            let start = before.len() - len;
            return replace(parts, start, list);
        }
    }
    // `x*` before `x`, and `(x ,)*` before `x` or `x?`.
    for start in 0..before.len() {
        let (Expr::List(list), tail) = (&before[start], &parts[start + 1..]) else { continue };
        if list.separator.is_some() {
            continue;
        }
        let item = items(&list.item);
        let (tail, optional) = match tail {
            [Expr::Optional(inner)] => (items(inner), true),
            tail => (tail, false),
        };
        // Without a separator, an optional last one makes no difference that counts.
        if item.starts_with(tail) && (item.len() > tail.len() || !optional) {
            let (item, separator) = item.split_at(tail.len());
            let list = separated(item.to_vec(), separator.to_vec(), !optional, optional);
            return replace(parts, start, list);
        }
    }
    // A last separator.
    if let ([.., Expr::List(list)], Expr::Optional(last)) = (before, last)
        && list.separator.as_ref() == Some(last)
    {
        let list = Expr::List(Box::new(List { trailing: true, ..(**list).clone() }));
        let start = before.len() - 1;
        return replace(parts, start, list);
    }
    false
}

fn replace(parts: &mut Vec<Expr>, start: usize, list: Expr) -> bool {
    parts.truncate(start);
    parts.push(list);
    true
}

fn separated(item: Vec<Expr>, separator: Vec<Expr>, some: bool, trailing: bool) -> Expr {
    let separator = Expr::seq(separator);
    // Separators that are in no node cannot be told from none.
    let separator = Some(separator).filter(|separator| !separator.is_nothing() && *separator != Expr::Hidden);
    let trailing = trailing && separator.is_some();
    Expr::List(Box::new(List { item: Expr::seq(item), separator, some, trailing }))
}

fn items(expr: &Expr) -> &[Expr] {
    match expr {
        Expr::Seq(parts) => parts,
        expr => std::slice::from_ref(expr),
    }
}

fn group(out: &mut String, open: char, parts: &[Expr], close: char) {
    out.push(open);
    parts.iter().for_each(|part| part.write(out));
    out.push(close);
}

fn read_number(text: &mut &str) -> Option<Class> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    *text = rest;
    number.parse().ok()
}

fn read_group(text: &mut &str, close: char) -> Option<Vec<Expr>> {
    let mut parts = Vec::new();
    loop {
        *text = text.trim_start();
        if let Some(rest) = text.strip_prefix(close) {
            *text = rest;
            return Some(parts);
        }
        parts.push(Expr::read(text)?);
    }
}
