//! Alike: what reads the same at several places changes at all of them at once, since it often has to stay the same: with
//! `Vec<(V, i32)>` and `&(V, i32)` both become `V`. A node of several tokens goes, or becomes a node below it; a token
//! that is no name goes.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;

use super::choice::Choice;
use super::lexical::{Lexical, is_bracket};
use crate::lexicon::is_one_of;
use crate::tree::Role;
use crate::{Change, Edit};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let nodes = nodes(lexical).into_iter().filter_map(|nodes| of_nodes(lexical, &nodes));
    nodes.chain(tokens(lexical)).collect()
}

/// The nodes of several tokens that read the same, the largest first.
fn nodes(lexical: &Lexical<'_>) -> Vec<Vec<usize>> {
    let tree = lexical.tree;
    let mut alike: BTreeMap<(u32, Vec<u8>), Vec<usize>> = BTreeMap::new();
    for (index, node) in tree.nodes().iter().enumerate().skip(1) {
        let is_short = (2..=lexical.tuning.replacement_tokens).contains(&node.tokens().len());
        if is_short && !tree.is_group(index) && tree.slot(index).is_some() {
            alike.entry((node.kind, lexical.string(node.tokens()).bytes)).or_default().push(index);
        }
    }
    let mut alike: Vec<Vec<usize>> = alike.into_values().collect();
    alike.retain(|nodes| (2..=lexical.tuning.most_mentions).contains(&nodes.len()));
    alike.sort_by_key(|nodes| (Reverse(tree.tokens(nodes[0]).len()), nodes[0]));
    alike
}

fn of_nodes(lexical: &Lexical<'_>, nodes: &[usize]) -> Option<Choice> {
    let tree = lexical.tree;
    let can_go = nodes.iter().all(|&node| tree.role(node) == Role::Deletable);
    let deletion = can_go.then(|| Change::deletion(nodes.iter().map(|&node| node as u32)));
    let fits = |&node: &usize| {
        let kind = tree.nodes()[node].kind;
        nodes.iter().filter_map(|&place| tree.slot(place)).all(|slot| tree.fits(slot, kind))
    };
    let all = tree.tokens(nodes[0]);
    let below = tree.subtree(nodes[0]).filter(fits).map(|node| tree.tokens(node));
    let mut below: Vec<Range<usize>> = below.filter(|part| *part != all).collect();
    below.sort_by_key(|part| (part.len(), part.start));
    below.dedup();
    let put = |part: Range<usize>| {
        let string = lexical.string(part);
        Change::new(nodes.iter().map(|&node| Edit::replacement(tree.tokens(node), string.clone())))
    };
    Choice::between(deletion.into_iter().chain(below.into_iter().take(lexical.tuning.few).map(put)).collect())
}

/// The tokens that read the same and are neither names nor numbers, nor brackets, nor what parts or ends something.
fn tokens<'a>(lexical: &'a Lexical<'_>) -> impl Iterator<Item = Choice> + 'a {
    let mut alike: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    for token in 0..lexical.text.len() {
        let (piece, signs) = (lexical.text.piece(token), lexical.tree.signs(token));
        let parts = [signs.separator, signs.terminator];
        let is_structure = is_bracket(piece) || is_one_of(piece, parts.iter().flatten());
        if !is_structure && !lexical.is_name(token) && !lexical.is_number(token) {
            alike.entry(piece).or_default().push(token);
        }
    }
    let several = move |tokens: &Vec<usize>| (2..=lexical.tuning.most_mentions).contains(&tokens.len());
    let cut = |tokens: Vec<usize>| Change::cut(tokens.into_iter().map(|token| token..token + 1));
    alike.into_values().filter(several).map(cut).map(Choice::one)
}
