//! Unwrap: what has one member only becomes that: `struct S { T a; }; S s; f(s.a);` becomes `T s; f(s);`, and
//! `type S struct { a T }` becomes `type S T`.

use alloc::vec::Vec;
use core::ops::Range;

use super::choice::Choice;
use super::lexical::{Lexical, Name};
use crate::lexicon::is_one_of;
use crate::{Change, Edit};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    lexical.names().iter().filter_map(|name| of_member(lexical, name)).map(Choice::one).collect()
}

fn of_member(lexical: &Lexical<'_>, member: &Name<'_>) -> Option<Change> {
    let tree = lexical.tree;
    let &[introduced] = &member.introduced[..] else { return None };
    let is_many = |name: &Name<'_>| name.mentions.len() > lexical.tuning.most_mentions;
    let (open, close) = braces(lexical, introduced)?;
    let is_introduced = |&token: &usize| lexical.introduced_by(token).is_some();
    if is_many(member) || (open..close).filter(is_introduced).nth(1).is_some() {
        return None;
    }
    let around = lexical.around(close).map(|node| tree.tokens(node));
    let wrapper = around.take_while(|all| all.end <= close + 2).find(|all| all.start < open)?;
    let kind = lexical.string(kind(lexical, introduced, open + 1..close)?);
    let accesses: Option<Vec<Edit>> = member
        .mentions
        .iter()
        .filter(|&&token| token != introduced)
        .map(|&token| access(lexical, token))
        .collect();
    let mut edits = accesses.filter(|accesses| !accesses.is_empty())?;
    let Some(named) = (wrapper.start..open).find(is_introduced) else {
        edits.push(Edit::replacement(wrapper, kind));
        return Some(Change::new(edits));
    };
    let name = lexical.introduced_by(named).filter(|name| !is_many(name))?;
    let statement = lexical.removable_around(named).find(|&node| lexical.is_statement(node))?;
    let is_all = tree.tokens(statement).end <= close + 2;
    edits.push(if is_all {
        Edit::Delete(statement as u32)
    } else {
        Edit::replacement(wrapper.clone(), kind.clone())
    });
    let first = lexical.text.piece(wrapper.start);
    for &token in name.mentions.iter().filter(|token| !wrapper.contains(token)) {
        let has_word = token > 0 && lexical.text.piece(token - 1) == first;
        edits.push(Edit::replacement(token - usize::from(has_word)..token + 1, kind.clone()));
    }
    Some(Change::new(edits))
}

/// The braces around a member.
fn braces(lexical: &Lexical<'_>, introduced: usize) -> Option<(usize, usize)> {
    let around = lexical.around(introduced).map(|node| lexical.tree.tokens(node));
    let mut pairs = around.map(|all| (all.start, all.end - 1));
    pairs.find(|&(open, close)| lexical.text.piece(open) == b"{" && lexical.partner(open) == Some(close))
}

/// The tokens of the type of a member, between the brackets that it is alone in: they stand before its name or behind.
fn kind(lexical: &Lexical<'_>, introduced: usize, inside: Range<usize>) -> Option<Range<usize>> {
    let signs = lexical.tree.signs(introduced);
    let ends = [signs.terminator, signs.separator];
    let is_ended = is_one_of(lexical.text.piece(inside.end - 1), ends.iter().flatten());
    let end = inside.end - usize::from(is_ended);
    let before = inside.start..introduced;
    if !before.is_empty() && introduced + 1 == end {
        return Some(before);
    }
    let start = introduced + 1 + usize::from(lexical.text.piece(introduced + 1) == b":");
    (before.is_empty() && start < end).then_some(start..end)
}

/// An access to the member goes, with its sign.
fn access(lexical: &Lexical<'_>, token: usize) -> Option<Edit> {
    lexical.is_member(token).then(|| Edit::cut(token - 1..token + 1))
}
