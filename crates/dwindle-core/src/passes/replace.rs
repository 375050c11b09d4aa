//! Replace: a node becomes a smaller one that stands elsewhere and may stand in its place, or the
//! shortest string of its place (Vulcan's replacement of trees). That covers the literals and names of
//! the input in the place of an expression. One that mentions a name is also tried with a name of the
//! node that it replaces: with `a++` somewhere, `b <<= 1` becomes `b++`.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::ops::Range;

use super::choice::Choice;
use super::lexical::Lexical;
use crate::{Change, Node, StandIn};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let tree = lexical.tree;
    let nodes = tree.nodes();
    // The texts of each kind, smallest first, each where it stands first.
    let mut texts: BTreeMap<u32, Vec<(StandIn, Range<usize>)>> = BTreeMap::new();
    let mut known = BTreeSet::new();
    let short = |&(index, node): &(usize, &Node)| {
        !tree.is_group(index) && node.tokens().len() <= lexical.tuning.replacement_tokens
    };
    for (index, node) in nodes.iter().enumerate().filter(short) {
        let string = lexical.string(node.tokens());
        if tree.slot(index).is_some() && known.insert((node.kind, string.bytes.clone())) {
            texts.entry(node.kind).or_default().push((string, node.tokens()));
        }
    }
    texts
        .values_mut()
        .for_each(|texts| texts.sort_by_key(|(string, at)| (string.tokens, string.bytes.len(), at.start)));
    let mut choices = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        let all = node.tokens();
        let Some(slot) = tree.slot(index).filter(|_| all.len() > 1) else { continue };
        let weight = lexical.weight(all.clone());
        let smaller = |string: &StandIn| string.tokens < weight;
        let mut strings: Vec<StandIn> = Vec::new();
        for kind in tree.slot_kinds(slot) {
            let of_kind = texts.get(kind).map_or(&[][..], Vec::as_slice);
            let (single, longer) =
                of_kind.split_at(of_kind.partition_point(|(string, _)| string.tokens <= 1));
            // What stands inside of it is hoisted.
            let is_elsewhere = |at: &Range<usize>| at.start < all.start || at.end > all.end;
            // A larger one is worth a question where it begins alike.
            let begins = |token: usize| lexical.text.piece(token);
            let is_worth = |string: &StandIn, at: &Range<usize>| {
                string.tokens <= lexical.tuning.unlike_replacement || begins(at.start) == begins(all.start)
            };
            let single = single.iter().filter(|(string, at)| smaller(string) && is_elsewhere(at));
            let longer = longer
                .iter()
                .take(lexical.tuning.looked_at)
                .take_while(|(string, _)| smaller(string))
                .filter(|(string, at)| is_elsewhere(at) && is_worth(string, at));
            let elsewhere = single.take(lexical.tuning.single_of_kind).chain(longer);
            for (string, at) in elsewhere.take(lexical.tuning.replacements) {
                strings.push(string.clone());
                let name = all.clone().find_map(|token| lexical.name(token));
                strings
                    .extend(name.filter(|_| string.tokens > 1).map(|name| lexical.about(at.clone(), name)));
            }
        }
        let minimal = tree.minimal(slot).map(|string| tree.stand_in(string));
        strings.extend(minimal.filter(|string| smaller(string)).map(|string| (**string).clone()));
        strings.sort_by_key(|string| (string.tokens, string.bytes.len()));
        strings.dedup();
        let mut single = 0;
        strings.retain(|string| {
            single += usize::from(string.tokens == 1);
            string.tokens > 1 || single <= lexical.tuning.single_replacements
        });
        strings.truncate(lexical.tuning.replacements);
        let replacements = strings.into_iter().map(|string| Change::replacement(all.clone(), string));
        choices.extend(Choice::between(replacements.collect()));
    }
    choices
}
