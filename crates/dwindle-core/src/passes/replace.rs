//! Replace: a node becomes a smaller one that stands elsewhere and may stand in its place, or the
//! shortest string of its place (Vulcan's replacement of trees). That covers the literals and names of
//! the input in the place of an expression. One that mentions a single name is also tried with a name of the
//! node that it replaces: with `a++` somewhere, `b <<= 1` becomes `b++`.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::ops::Range;

use super::choice::Choice;
use super::lexical::Lexical;
use crate::{Change, Node, StandIn};

/// The texts of each kind of node, smallest first, each where it stands first.
type Texts = BTreeMap<u32, Vec<(StandIn, Range<usize>)>>;

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let texts = texts(lexical);
    (0..lexical.tree.nodes().len()).filter_map(|node| of_node(lexical, &texts, node)).collect()
}

fn texts(lexical: &Lexical<'_>) -> Texts {
    let tree = lexical.tree;
    let mut texts = Texts::new();
    let mut known = BTreeSet::new();
    let short = |&(index, node): &(usize, &Node)| {
        !tree.is_group(index) && node.tokens().len() <= lexical.tuning.replacement_tokens
    };
    for (index, node) in tree.nodes().iter().enumerate().filter(short) {
        let string = lexical.string(node.tokens());
        if tree.slot(index).is_some() && known.insert((node.kind, string.bytes.clone())) {
            texts.entry(node.kind).or_default().push((string, node.tokens()));
        }
    }
    let order = |(string, at): &(StandIn, Range<usize>)| (string.tokens, string.bytes.len(), at.start);
    texts.values_mut().for_each(|texts| texts.sort_by_key(order));
    texts
}

/// The strings that may replace a node, smallest first.
fn of_node(lexical: &Lexical<'_>, texts: &Texts, node: usize) -> Option<Choice> {
    let tree = lexical.tree;
    let all = tree.tokens(node);
    let slot = tree.slot(node).filter(|_| all.len() > 1)?;
    let name = all.clone().find_map(|token| lexical.name(token));
    let mut strings: Vec<StandIn> = Vec::new();
    for kind in tree.slot_kinds(slot) {
        for (string, at) in of_kind(lexical, texts.get(kind).map_or(&[][..], Vec::as_slice), &all) {
            strings.push(string.clone());
            let name = name.filter(|_| string.tokens > 1 && has_one_name(lexical, at));
            strings.extend(name.map(|name| lexical.about(at.clone(), name)));
        }
    }
    let minimal = tree.minimal(slot).map(|string| tree.stand_in(string));
    let minimal = minimal.filter(|string| string.tokens < lexical.weight(all.clone()));
    strings.extend(minimal.map(|string| (**string).clone()));
    strings.sort_by_key(|string| (string.tokens, string.bytes.len()));
    strings.dedup();
    let mut single = 0;
    strings.retain(|string| {
        single += usize::from(string.tokens == 1);
        string.tokens > 1 || single <= lexical.tuning.single_replacements
    });
    strings.truncate(lexical.tuning.replacements);
    strings.splice(0..0, nothing(lexical, node, slot));
    Choice::between(strings.into_iter().map(|string| Change::replacement(all.clone(), string)).collect())
}

/// The value that stands for no object, if it may stand in the place of a node that is no statement.
fn nothing(lexical: &Lexical<'_>, node: usize, slot: u32) -> Option<StandIn> {
    let tree = lexical.tree;
    let tokens = tree.tokens(node);
    let value = tree.signs(tokens.start).nothing?;
    if tokens.len() < 3 || lexical.is_statement(node) {
        return None;
    }
    tree.slot_kinds(slot).iter().any(|&kind| tree.is_nothing(kind)).then(|| StandIn::token(value))
}

/// Whether a single name is mentioned there: where several become one, little of what was meant is left.
fn has_one_name(lexical: &Lexical<'_>, tokens: &Range<usize>) -> bool {
    let mut names = tokens.clone().filter_map(|token| lexical.name(token));
    names.next().is_some_and(|first| names.all(|name| name.spelling == first.spelling))
}

/// Those of the texts of a kind that are smaller than `all` and stand elsewhere.
fn of_kind<'t>(
    lexical: &Lexical<'_>,
    texts: &'t [(StandIn, Range<usize>)],
    all: &Range<usize>,
) -> impl Iterator<Item = &'t (StandIn, Range<usize>)> {
    let weight = lexical.weight(all.clone());
    let smaller = move |(string, _): &&(StandIn, Range<usize>)| string.tokens < weight;
    // What stands inside of it is hoisted.
    let is_elsewhere = move |(_, at): &&(StandIn, Range<usize>)| at.start < all.start || at.end > all.end;
    // A larger one is worth a question where it begins alike.
    let begin = move |at: &Range<usize>| lexical.text.piece(at.start);
    let is_worth = move |(string, at): &&(StandIn, Range<usize>)| {
        string.tokens <= lexical.tuning.unlike_replacement || begin(at) == begin(all)
    };
    let (single, longer) = texts.split_at(texts.partition_point(|(string, _)| string.tokens <= 1));
    let single = single.iter().filter(smaller).filter(is_elsewhere).take(lexical.tuning.single_of_kind);
    let longer = longer.iter().take(lexical.tuning.looked_at).take_while(smaller);
    single.chain(longer.filter(is_elsewhere).filter(is_worth)).take(lexical.tuning.replacements)
}
