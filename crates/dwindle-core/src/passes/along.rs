//! Along: what names tie to each other goes at once. A node goes with what uses the names that it
//! introduces, and with what introduces the names that are unused then; or all that mentions one name
//! goes, whoever introduces it.
//!
//! `linked` takes the same along while it deletes. This asks again when the other passes have changed
//! who mentions whom, and after any other search that deletes.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::choice::Choice;
use super::lexical::{Lexical, Name};
use crate::Change;
use crate::linked::ClosureDepth;

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let tree = lexical.tree;
    let links = lexical.links;
    let mut sets: BTreeSet<Vec<u32>> = tree
        .deletable()
        .flat_map(|node| {
            [ClosureDepth::Full, ClosureDepth::Narrow].map(|depth| links.taken_by(tree, node, depth))
        })
        .collect();
    for name in lexical.names().iter().filter(|name| name.mentions.len() <= lexical.tuning.along) {
        sets.insert(mentioning(lexical, name, |_| true));
        sets.insert(mentioning(lexical, name, |node| lexical.is_statement(node)));
    }
    sets.retain(|nodes| (2..=lexical.tuning.along).contains(&nodes.len()));
    let weight =
        |nodes: &Vec<u32>| -> usize { nodes.iter().map(|&node| tree.tokens(node as usize).len()).sum() };
    let mut sets: Vec<_> = sets.into_iter().collect();
    sets.sort_by_cached_key(|nodes| Reverse(weight(nodes)));
    sets.into_iter().map(|nodes| Choice::one(Change::deletion(nodes))).collect()
}

/// The smallest nodes that can go and are `wanted`, one around each mention of a name.
fn mentioning(lexical: &Lexical<'_>, name: &Name<'_>, wanted: impl Fn(usize) -> bool) -> Vec<u32> {
    let around = |&token: &usize| lexical.deletable_around(token).find(|&node| wanted(node));
    lexical.tree.outermost(name.mentions.iter().filter_map(around).map(|node| node as u32).collect())
}
