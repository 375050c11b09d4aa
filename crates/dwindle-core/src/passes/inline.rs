//! Inline: a name that is introduced in a node that can go, and mentioned elsewhere once or twice,
//! becomes something out of that node, which goes: a variable its value, a type or a view what it
//! stands for, a call the body of what is called.

use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;

use super::choice::{Change, Choice, Edit};
use super::delete::removed_with;
use super::lexical::{Lexical, Name};
use crate::StandIn;

/// The most mentions elsewhere, and the most parts of a declaration that are tried, the largest.
const MOST_MENTIONS: usize = 2;
const MOST_PARTS: usize = 3;

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    lexical.names().iter().filter_map(|name| inlined(lexical, name)).collect()
}

fn inlined(lexical: &Lexical<'_>, name: &Name<'_>) -> Option<Choice> {
    let (tree, nodes) = (lexical.tree, lexical.tree.nodes());
    let introduced = *name.introduced.first()?;
    let mut alternatives = Vec::new();
    for declaration in lexical.deletable_around(introduced) {
        let all = nodes[declaration].tokens();
        let elsewhere: Vec<usize> =
            name.mentions.iter().copied().filter(|mention| !all.contains(mention)).collect();
        if !(1..=MOST_MENTIONS).contains(&elsewhere.len()) {
            continue;
        }
        let mut parts: Vec<Range<usize>> = tree
            .subtree(declaration)
            .map(|node| nodes[node].tokens())
            .filter(|part| !part.contains(&introduced))
            .collect();
        parts.extend(
            lexical.pairs_in(all).map(|(open, close)| open + 1..close).filter(|part| !part.is_empty()),
        );
        parts.sort_by_key(|part| (Reverse(part.len()), part.start));
        parts.dedup();
        let gone: Vec<Edit> = removed_with(tree, declaration).into_iter().map(Edit::removal).collect();
        for part in parts.into_iter().take(MOST_PARTS) {
            let string = lexical.string(part);
            let put = |string: &StandIn, places: Vec<Range<usize>>| {
                let edits = places.into_iter().map(|place| Edit::replacement(place, string.clone()));
                Change::new(edits.chain(gone.iter().cloned()).collect())
            };
            let mentions: Vec<_> = elsewhere.iter().map(|&token| token..token + 1).collect();
            let calls: Vec<_> = elsewhere.iter().map(|&token| token..lexical.call_end(token)).collect();
            let elements: Vec<_> = elsewhere
                .iter()
                .filter_map(|&token| lexical.deletable_around(token).next())
                .map(|node| nodes[node].tokens())
                .collect();
            let bracketed =
                StandIn { bytes: [b"(", &string.bytes[..], b")"].concat(), tokens: string.tokens + 2 };
            alternatives.push(put(&string, mentions.clone()));
            alternatives.push(put(&bracketed, mentions.clone()));
            if calls != mentions {
                alternatives.push(put(&string, calls));
            }
            if elements.len() == elsewhere.len() && elements != mentions {
                alternatives.push(put(&string, elements));
            }
        }
    }
    Some(Choice { alternatives })
}
