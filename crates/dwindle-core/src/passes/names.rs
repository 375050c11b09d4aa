//! Names: all mentions of one get shorter, or become mentions of another.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::choice::{Change, Choice, Edit};
use super::delete::removed_with;
use super::lexical::Lexical;
use crate::StandIn;
use crate::tree::Role;

/// More names than these are not merged with each other: the pairs would be too many.
const FEW: usize = 40;

/// Each name becomes the first string of letters that is not taken; those that are mentioned most
/// choose first.
pub(super) fn renames(lexical: &Lexical<'_>) -> Vec<Choice> {
    let taken: BTreeSet<&[u8]> = (0..lexical.text.len()).map(|token| lexical.text.piece(token)).collect();
    let mut names: Vec<_> = lexical.names().into_iter().collect();
    names.sort_by_key(|(name, mentions)| (core::cmp::Reverse(mentions.len()), *name));
    let mut free = (0u32..).map(letters).filter(|string| !taken.contains(&string[..]));
    let mut choices = Vec::new();
    let mut string = free.next();
    for (name, mentions) in names {
        let (sigil, rest) = match name {
            [sigil @ (b'$' | b'@'), rest @ ..] => (Some(*sigil), rest),
            _ => (None, name),
        };
        let Some(next) = string.as_ref().filter(|string| string.len() < rest.len()) else { continue };
        let bytes: Vec<u8> = sigil.into_iter().chain(next.iter().copied()).collect();
        choices.push(Choice::one(mentioning(&mentions, &bytes)));
        string = free.next();
    }
    choices
}

/// Each name becomes each of the others: and what introduces the first goes, or nothing more happens.
pub(super) fn merges(lexical: &Lexical<'_>) -> Vec<Choice> {
    let names: Vec<_> = lexical.names().into_iter().collect();
    let mut choices = Vec::new();
    if names.len() > FEW {
        return choices;
    }
    for (name, mentions) in &names {
        let gone = declaration(lexical, mentions[0]);
        for (other, _) in names.iter().filter(|(other, _)| other != name) {
            let edits = |mentions: &[usize]| -> Vec<Edit> {
                mentions.iter().map(|&token| Edit::replacement(token..token + 1, string(other))).collect()
            };
            let mut alternatives = Vec::new();
            if let Some(gone) = &gone {
                let outside = |token: &&usize| !gone.iter().any(|range| range.contains(token));
                let mut edits = edits(&mentions.iter().filter(outside).copied().collect::<Vec<_>>());
                edits.extend(gone.iter().cloned().map(Edit::removal));
                alternatives.push(Change::new(edits));
            }
            alternatives.push(Change::new(edits(mentions)));
            choices.push(Choice { alternatives });
        }
    }
    choices
}

/// What goes with the smallest node that can go and mentions a name there.
fn declaration(lexical: &Lexical<'_>, mention: usize) -> Option<Vec<core::ops::Range<usize>>> {
    let tree = lexical.tree;
    let around = |node: &usize| tree.nodes()[*node].tokens().contains(&mention);
    let goes = |node: &usize| tree.nodes()[*node].role == Role::Deletable;
    let node = (1..tree.nodes().len())
        .filter(around)
        .filter(goes)
        .min_by_key(|&node| (tree.nodes()[node].tokens().len(), core::cmp::Reverse(node)))?;
    Some(removed_with(tree, node))
}

fn mentioning(mentions: &[usize], name: &[u8]) -> Change {
    Change::new(mentions.iter().map(|&token| Edit::replacement(token..token + 1, string(name))).collect())
}

fn string(name: &[u8]) -> StandIn {
    StandIn { bytes: name.to_vec(), tokens: 1 }
}

/// The strings of small letters by length, then alphabet.
fn letters(mut number: u32) -> Vec<u8> {
    let mut string = Vec::new();
    loop {
        string.insert(0, b'a' + (number % 26) as u8);
        number /= 26;
        if number == 0 {
            return string;
        }
        number -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_letters_come_by_length() {
        let strings = [0, 25, 26, 27, 701, 702].map(|number| letters(number));
        assert_eq!(strings, [&b"a"[..], b"z", b"aa", b"ab", b"zz", b"aaa"].map(<[u8]>::to_vec));
    }
}
