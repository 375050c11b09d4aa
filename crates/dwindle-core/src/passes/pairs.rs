//! Pairs: two tokens or two nodes that can go, neither of which goes alone and between which something
//! stays. Where all of them are too many, those that most probably belong together: two that read the same,
//! or that have the same place in two lists as long, as an argument and what it is passed to.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::ops::Range;

use super::choice::Choice;
use super::lexical::{Lexical, is_bracket};
use crate::{Change, Edit};

/// Something that could go.
struct Part {
    edit: Edit,
    /// The tokens that go with it.
    ranges: Vec<Range<usize>>,
    /// The number of its list, its place in it, and how long the list is.
    place: Option<(usize, usize, usize)>,
    depth: usize,
}

/// What makes two parts belong together, the most probable first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Bond {
    SameLetters,
    SamePlace,
    SameNeighbour,
    SameDepth,
    Nothing,
}

/// The pairs that most probably belong together.
pub(super) fn twins(lexical: &Lexical<'_>) -> Vec<Choice> {
    choices(lexical, |bond| *bond <= Bond::SamePlace)
}

/// All others.
pub(super) fn others(lexical: &Lexical<'_>) -> Vec<Choice> {
    choices(lexical, |bond| *bond > Bond::SamePlace)
}

fn choices(lexical: &Lexical<'_>, wanted: impl Fn(&Bond) -> bool) -> Vec<Choice> {
    if lexical.text.len() > lexical.tuning.pairs_text {
        return Vec::new();
    }
    let parts = parts(lexical);
    let mut pairs = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        for other in &parts[i + 1..] {
            // What is side by side is a window.
            let apart = |a: &Range<usize>, b: &Range<usize>| a.end < b.start || b.end < a.start;
            if part.ranges.iter().all(|a| other.ranges.iter().all(|b| apart(a, b))) {
                pairs.extend(Some((bond(lexical, part, other), part, other)).filter(|pair| wanted(&pair.0)));
            }
        }
    }
    pairs.sort_by(|a, b| a.0.cmp(&b.0));
    let both = |part: &Part, other: &Part| Change::new([part.edit.clone(), other.edit.clone()]);
    pairs.into_iter().map(|(_, part, other)| Choice::one(both(part, other))).collect()
}

/// All tokens, then the nodes that can go and hold several.
fn parts(lexical: &Lexical<'_>) -> Vec<Part> {
    let tree = lexical.tree;
    let mut places = alloc::vec![None; tree.nodes().len()];
    let mut lists = 0;
    for parent in 0..tree.nodes().len() {
        for (_, elements) in tree.lists(parent) {
            lists += 1;
            elements
                .iter()
                .enumerate()
                .for_each(|(at, &node)| places[node] = Some((lists, at, elements.len())));
        }
    }
    let depth = |token: usize| lexical.around(token).count();
    let tokens = (0..lexical.text.len()).map(|token| {
        let place = lexical.around(token).find(|&node| tree.tokens(node).len() == 1);
        Part {
            edit: Edit::cut(token..token + 1),
            ranges: alloc::vec![token..token + 1],
            place: place.and_then(|node| places[node]),
            depth: depth(token),
        }
    });
    let mut known = BTreeSet::new();
    let nodes = tree.deletable().filter_map(|node| {
        let ranges = Change::deletion([node as u32]).gone(tree);
        let several = ranges.iter().map(Range::len).sum::<usize>() > 1;
        let new =
            several && known.insert(ranges.iter().map(|range| (range.start, range.end)).collect::<Vec<_>>());
        let (place, depth) = (places[node], depth(ranges[0].start));
        new.then_some(Part { edit: Edit::Delete(node as u32), ranges, place, depth })
    });
    tokens.chain(nodes).collect()
}

fn bond(lexical: &Lexical<'_>, part: &Part, other: &Part) -> Bond {
    let letters = |part: &Part| lexical.string(part.ranges[0].clone()).bytes;
    let beside = |part: &Part| {
        let range = &part.ranges[0];
        let piece = |token: usize| (token < lexical.text.len()).then(|| lexical.text.piece(token));
        [range.start.checked_sub(1).and_then(piece), piece(range.end)]
    };
    let (mine, its) = (letters(part), letters(other));
    if mine == its && !is_bracket(&mine) {
        Bond::SameLetters
    } else if matches!((part.place, other.place), (Some(a), Some(b)) if a.0 != b.0 && (a.1, a.2) == (b.1, b.2))
    {
        Bond::SamePlace
    } else if beside(part).iter().zip(beside(other)).any(|(a, b)| a.is_some() && *a == b) {
        Bond::SameNeighbour
    } else if part.depth == other.depth {
        Bond::SameDepth
    } else {
        Bond::Nothing
    }
}
