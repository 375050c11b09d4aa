//! Values: a name becomes a value that stands beside it in some statement; this statement and what introduces the name
//! go. `int n; n = 8; f(n);` becomes `f(8);`, and in a formula with `(> d 0)` the name `d` becomes `0`.

use alloc::vec::Vec;
use core::ops::Range;

use super::choice::Choice;
use super::lexical::{Lexical, Name};
use crate::tree::Role;
use crate::{Change, Edit};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    lexical.names().iter().filter_map(|name| of_name(lexical, name)).collect()
}

fn of_name(lexical: &Lexical<'_>, name: &Name<'_>) -> Option<Choice> {
    let tokens = |node: usize| lexical.tree.nodes()[node].tokens();
    let &[introduced] = &name.introduced[..] else { return None };
    let declaration = items(lexical, introduced).next()?;
    let outside = |token: &usize| !tokens(declaration).contains(token);
    let uses: Vec<usize> = name.mentions.iter().copied().filter(outside).collect();
    if !(2..=lexical.tuning.inline_most_mentions).contains(&uses.len()) {
        return None;
    }
    let becoming = |&token: &usize| {
        let only = |&node: &usize| {
            let mut inside = name.mentions.iter().filter(|&mention| tokens(node).contains(mention));
            inside.next() == Some(&token) && inside.next().is_none()
        };
        let string = lexical.string(beside(lexical, token)?);
        let statement = items(lexical, token).take(lexical.tuning.levels).filter(only).last()?;
        let others = uses.iter().filter(|&&other| other != token);
        let put = others.map(|&other| Edit::replacement(other..other + 1, string.clone()));
        let gone = [declaration, statement].map(|node| Edit::Delete(node as u32));
        Some(Change::new(put.chain(gone)))
    };
    Choice::between(uses.iter().filter_map(becoming).take(lexical.tuning.values).collect())
}

/// The nodes around a token that can go and are statements or elements of lists with separators, innermost first.
fn items<'a>(lexical: &'a Lexical<'_>, token: usize) -> impl Iterator<Item = usize> + 'a {
    let is_item = |&node: &usize| lexical.is_statement(node) || lexical.tree.has_separators(node);
    lexical.deletable_around(token).filter(is_item)
}

/// The first node behind a token, in the smallest node that has another there, else the last before it; no sign.
fn beside(lexical: &Lexical<'_>, token: usize) -> Option<Range<usize>> {
    let tree = lexical.tree;
    let tokens = |node: usize| tree.nodes()[node].tokens();
    let is_value = |node: &usize| {
        let is_sign = |token: usize| lexical.text.piece(token).iter().all(u8::is_ascii_punctuation);
        tree.nodes()[*node].role != Role::Separator && !tokens(*node).all(is_sign)
    };
    lexical.around(token).find_map(|node| {
        let siblings = tree.children(tree.parent(node)?).filter(is_value);
        let (before, behind): (Vec<usize>, Vec<usize>) =
            siblings.filter(|&sibling| sibling != node).partition(|&sibling| sibling < node);
        behind.first().or(before.last()).map(|&value| tokens(value))
    })
}
