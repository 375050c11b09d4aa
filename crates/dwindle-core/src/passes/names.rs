//! Names: all mentions of one get shorter, or become mentions of another.

use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::choice::Choice;
use super::lexical::{Lexical, Name};
use crate::{Change, Edit, StandIn};

/// Each name becomes the first string of letters that is not taken; those that are mentioned most
/// choose first. Where the text introduces names, all others are one choice: most of them are known elsewhere.
pub(super) fn renames(lexical: &Lexical<'_>) -> Vec<Choice> {
    let taken: BTreeSet<&[u8]> = (0..lexical.text.len()).map(|token| lexical.text.piece(token)).collect();
    let mut names = lexical.spellings();
    names.sort_by_key(|name| (Reverse(name.mentions.len()), name.mentions[0]));
    let mut free = (0u32..).map(letters).filter(|string| !taken.contains(&string[..])).peekable();
    let is_introduced: BTreeSet<&[u8]> =
        lexical.names().iter().filter(|name| !name.introduced.is_empty()).map(|name| name.spelling).collect();
    let (mut choices, mut others) = (Vec::new(), Vec::new());
    for name in names {
        if let Some(letters) =
            free.next_if(|letters| letters.len() < name.len(lexical.tree.signs(name.mentions[0])))
        {
            let renamed = |&token: &usize| Edit::put(token, name.with_letters(lexical, token, &letters));
            let renamed = name.mentions.iter().map(renamed);
            if is_introduced.is_empty() || is_introduced.contains(name.spelling) {
                choices.push(Choice::one(Change::new(renamed)));
            } else {
                others.extend(renamed);
            }
        }
    }
    choices.extend((!others.is_empty()).then(|| Choice::one(Change::new(others))));
    choices
}

/// Each name becomes each of the others, and what introduces it goes. What is known without being introduced, such as a
/// function of a library, is rarely another's equal: where the text introduces names, it is only about those.
pub(super) fn merges(lexical: &Lexical<'_>) -> Vec<Choice> {
    let is_introduced = |name: &Name<'_>| !name.introduced.is_empty();
    let all = !lexical.names().iter().any(is_introduced);
    let mut choices = Vec::new();
    for (name, other) in
        pairs(lexical).filter(|&(name, other)| all || is_introduced(name) && is_introduced(other))
    {
        let introduced = name.introduced.first().unwrap_or(&name.mentions[0]);
        let Some(declaration) = lexical.removable_around(*introduced).next() else { continue };
        let gone = lexical.tree.nodes()[declaration].tokens();
        let mentions: Vec<usize> =
            name.mentions.iter().copied().filter(|token| !gone.contains(token)).collect();
        let deletion = Edit::Delete(declaration as u32);
        choices.push(Choice::one(Change::new(becoming(&mentions, other.string()).chain([deletion]))));
    }
    choices
}

/// Each name becomes each of the others, and nothing more.
pub(super) fn unions(lexical: &Lexical<'_>) -> Vec<Choice> {
    let union = |(name, other): (&Name<'_>, &Name<'_>)| Change::new(becoming(&name.mentions, other.string()));
    pairs(lexical).map(|pair| Choice::one(union(pair))).collect()
}

/// All pairs of names, if these are not too many.
fn pairs<'a>(lexical: &'a Lexical<'a>) -> impl Iterator<Item = (&'a Name<'a>, &'a Name<'a>)> {
    let names = if lexical.spellings().len() > lexical.tuning.merged_names { &[] } else { lexical.names() };
    let others = |name: &'a Name<'a>| names.iter().filter(|other| other.spelling != name.spelling);
    names.iter().flat_map(move |name| others(name).map(move |other| (name, other)))
}

fn becoming(tokens: &[usize], string: StandIn) -> impl Iterator<Item = Edit> + '_ {
    let string = Arc::new(string);
    tokens.iter().map(move |&token| Edit::put(token, string.clone()))
}

/// The strings of small letters by length, then alphabet.
pub(super) fn letters(mut number: u32) -> Vec<u8> {
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
        let strings = [0, 25, 26, 27, 701, 702].map(letters);
        assert_eq!(strings, [&b"a"[..], b"z", b"aa", b"ab", b"zz", b"aaa"].map(<[u8]>::to_vec));
    }
}
