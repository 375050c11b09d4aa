//! Files: of a folder, a file comes in the place of what imports it, or at the end of the file of its language that stands
//! beside it; and a statement that several files have goes from all of them.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

use super::choice::Choice;
use super::lexical::{Lexical, outermost};
use crate::lexicon::is_one_of;
use crate::{Change, Edit, How, StandIn};

struct File {
    node: usize,
    /// What is between its lines.
    inside: Range<usize>,
    /// The kind of what is inside, by which files of one language know each other.
    kind: u32,
    statements: Vec<Range<usize>>,
    /// The statements of others that import it.
    imports: Vec<Range<usize>>,
}

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let files = files(lexical);
    let of_file = |(index, file): (usize, &File)| {
        let beside = [index.checked_sub(1), Some(index + 1)].into_iter().flatten();
        let others = beside.filter_map(|other| files.get(other).filter(|other| other.kind == file.kind));
        let ways = imported(lexical, file).into_iter();
        Choice::between(ways.chain(others.map(|other| appended(lexical, file, other))).collect())
    };
    let in_several = everywhere(lexical, &files).into_iter().map(Choice::one);
    in_several.chain(files.iter().enumerate().filter_map(of_file)).collect()
}

/// What a statement says, and in which language.
type Said<'a> = (u32, Vec<&'a [u8]>);

/// Each statement that several files have goes from all of them.
fn everywhere(lexical: &Lexical<'_>, files: &[File]) -> Vec<Change> {
    let mut places: BTreeMap<Said<'_>, Vec<Range<usize>>> = BTreeMap::new();
    for file in files {
        let is_short = |statement: &&Range<usize>| statement.len() <= lexical.tuning.replacement_tokens;
        for statement in file.statements.iter().filter(is_short) {
            let key = (file.kind, pieces(lexical, statement).collect());
            places.entry(key).or_default().push(statement.clone());
        }
    }
    let mut places: Vec<_> = places.into_values().filter(|places| places.len() > 1).collect();
    places.sort_by_key(|places| places[0].start);
    places.into_iter().map(Change::cut).collect()
}

fn pieces<'a>(lexical: &'a Lexical<'_>, tokens: &Range<usize>) -> impl Iterator<Item = &'a [u8]> {
    tokens.clone().map(|token| lexical.text.piece(token))
}

/// All files that are not empty and can go.
fn files(lexical: &Lexical<'_>) -> Vec<File> {
    let tree = lexical.tree;
    let is_line = |token: usize| lexical.text.is_on_own_line(token);
    if lexical.text.is_empty() || !is_line(0) {
        return Vec::new();
    }
    let mut names = BTreeMap::new();
    let mut uses: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for mention in tree.names().mentions() {
        match mention.how {
            How::Introduces if is_line(mention.token as usize) => {
                names.insert(mention.token as usize, mention.name);
            }
            _ => uses.entry(mention.name).or_default().push(mention.token as usize),
        }
    }
    let file = |node: usize| {
        let all = tree.tokens(node);
        let inside = all.start + 1..all.end.checked_sub(1)?;
        let has_text = !inside.is_empty() && is_line(all.start) && !is_line(inside.start);
        if !has_text || !tree.is_element(node) {
            return None;
        }
        let content = tree.children(node).find(|&child| tree.tokens(child) == inside)?;
        let uses = names.get(&all.start).and_then(|name| uses.get(name));
        let import = |&token: &usize| {
            let statement = lexical.deletable_around(token).find(|&node| tree.is_statement(node))?;
            Some(tree.tokens(statement)).filter(|tokens| !all.contains(&tokens.start))
        };
        let mut imports: Vec<_> = uses.into_iter().flatten().filter_map(import).collect();
        imports.dedup();
        let below = tree.subtree(content).skip(1).filter(|&node| tree.is_statement(node));
        let statements = outermost(below.map(|node| tree.tokens(node)));
        Some(File { node, inside, kind: tree.nodes()[content].kind, statements, imports })
    };
    (1..tree.nodes().len()).filter_map(file).collect()
}

/// The file in the place of the only statement that imports it, or of the sign that ends this.
fn imported(lexical: &Lexical<'_>, file: &File) -> Vec<Change> {
    let [import] = &file.imports[..] else { return Vec::new() };
    let string = lexical.string(file.inside.clone());
    let bracketed = StandIn { bytes: [b"{", &string.bytes[..], b"}"].concat(), tokens: string.tokens + 2 };
    let line = StandIn { bytes: [&string.bytes[..], b"\n"].concat(), ..string };
    let end = import.end - 1;
    let terminator = lexical.tree.signs(end).terminator;
    let body = is_one_of(lexical.text.piece(end), &terminator).then(|| (end..end + 1, bracketed));
    let ways = [Some((import.clone(), line)), body].into_iter().flatten();
    let gone = Edit::Delete(file.node as u32);
    ways.map(|(place, string)| Change::new([gone.clone(), Edit::replacement(place, string)])).collect()
}

/// The file at the end of another one, which imports it no more, without the statements that this has too.
fn appended(lexical: &Lexical<'_>, file: &File, other: &File) -> Change {
    let last = other.inside.end - 1;
    let has = |statement: &&Range<usize>| {
        let same = |own: &Range<usize>| pieces(lexical, own).eq(pieces(lexical, statement));
        other.statements.iter().any(same)
    };
    let twice: Vec<&Range<usize>> = file.statements.iter().filter(has).collect();
    let nothing = StandIn::default();
    let is_twice = |token: usize| twice.iter().any(|statement| statement.contains(&token));
    let without = |token: usize| is_twice(token).then_some((token + 1, &nothing));
    let both = [lexical.string(last..last + 1), lexical.string_with(file.inside.clone(), without)];
    let string = StandIn {
        bytes: [&both[0].bytes[..], both[1].bytes.trim_ascii_start()].join(&b'\n'),
        tokens: both[0].tokens + both[1].tokens,
    };
    let inside = |import: &&Range<usize>| other.inside.contains(&import.start) && import.end <= last;
    let imports = file.imports.iter().filter(inside).map(|import| Edit::cut(import.clone()));
    let gone = [Edit::Delete(file.node as u32), Edit::put(last, string)];
    Change::new(gone.into_iter().chain(imports))
}
