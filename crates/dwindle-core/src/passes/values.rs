//! Values: a name becomes a value that stands beside it in some statement; this statement and what introduces the name
//! go. `int n; n = 8; f(n);` becomes `f(8);`, and in a formula with `(> d 0)` the name `d` becomes `0`. Or a name becomes a
//! number, type or other word that may stand wherever it is used, and only what introduces it goes. Or the head of a
//! statement goes that introduces it for a body: `for (x of [1]) f(x);` becomes `f([1]);` or `f(1);`.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;

use super::choice::Choice;
use super::indentation;
use super::lexical::{Lexical, Name};
use crate::tree::Role;
use crate::{Change, Edit, StandIn};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let literals = literals(lexical);
    let of_name = |name| {
        let introduced = introductions(lexical, name).into_iter();
        let becoming =
            introduced.filter_map(|(introduced, mentions)| of_name(lexical, introduced, mentions, &literals));
        without_head(lexical, name).into_iter().chain(becoming).collect::<Vec<_>>()
    };
    lexical.names().iter().flat_map(of_name).collect()
}

/// Where a name is introduced, each with its mentions: of several introductions, as of a type parameter that two
/// declarations have, in its own statement.
fn introductions<'n>(lexical: &Lexical<'_>, name: &'n Name<'_>) -> Vec<(usize, &'n [usize])> {
    if let &[introduced] = &name.introduced[..] {
        return alloc::vec![(introduced, &name.mentions)];
    }
    let mentions_of = |&introduced: &usize| {
        let statement = lexical.around(introduced).find(|&node| lexical.is_statement(node))?;
        let all = lexical.tree.tokens(statement);
        let place = |token: usize| name.mentions.partition_point(|&mention| mention < token);
        let is_alone = name.introduced.iter().filter(|token| all.contains(token)).count() == 1;
        is_alone.then(|| (introduced, &name.mentions[place(all.start)..place(all.end)]))
    };
    name.introduced.iter().filter_map(mentions_of).collect()
}

/// A statement that introduces a name for its body becomes the body, with what fits out of the head in the place of the name.
fn without_head(lexical: &Lexical<'_>, name: &Name<'_>) -> Option<Choice> {
    let tree = lexical.tree;
    let (&[introduced], [first, .., last]) = (&name.introduced[..], &name.mentions[..]) else { return None };
    if name.mentions.len() > lexical.tuning.most_mentions || *first != introduced {
        return None;
    }
    let around = lexical.deletable_around(introduced).take(lexical.tuning.levels);
    let statement = around.into_iter().find(|&node| tree.tokens(node).contains(last))?;
    let is_body = |body: &Range<usize>| body.start > introduced && body.contains(last);
    // What has the last mention in its body is around it; the outermost counts.
    let inside = lexical.around(*last).take_while(|&node| node > lexical.leaf(introduced));
    let body = inside.filter_map(|node| lexical.body(node).filter(is_body)).last()?;
    let uses: Vec<usize> = name.mentions.iter().copied().filter(|token| body.contains(token)).collect();
    let fits = fits(lexical, &uses);
    let head = tree.subtree(statement).take_while(|&node| tree.tokens(node).start <= body.start);
    let head = head.filter(|&node| {
        let range = tree.tokens(node);
        let is_own = name.mentions.iter().any(|mention| range.contains(mention));
        range.start > introduced && range.end <= body.start && !tree.is_group(node) && !is_own
    });
    let values = head.filter(|&node| fits(tree.nodes()[node].kind)).take(lexical.tuning.few);
    let kept = indentation::kept(lexical, tree.tokens(statement), body.clone());
    let put = |value: usize| {
        let string: Arc<StandIn> = lexical.string(tree.tokens(value)).into();
        let put = uses.iter().map(move |&token| Edit::replacement(lexical.mention(token), string.clone()));
        Change::new(kept.edits().iter().cloned().chain(put))
    };
    Choice::between(values.map(put).collect())
}

fn of_name(
    lexical: &Lexical<'_>,
    introduced: usize,
    mentions: &[usize],
    literals: &Literals,
) -> Option<Choice> {
    let tree = lexical.tree;
    let declaration = items(lexical, introduced).next()?;
    let outside = |token: &usize| !tree.tokens(declaration).contains(token);
    let uses: Vec<usize> = mentions.iter().copied().filter(outside).collect();
    if !(1..=lexical.tuning.most_mentions).contains(&uses.len()) {
        return None;
    }
    let becoming = |&token: &usize| {
        let only = |&node: &usize| {
            let mut inside = mentions.iter().filter(|&mention| tree.tokens(node).contains(mention));
            inside.next() == Some(&token) && inside.next().is_none()
        };
        let string = lexical.string(beside(lexical, token)?);
        let statement = items(lexical, token).take(lexical.tuning.levels).filter(only).last()?;
        let others = uses.iter().filter(|&&other| other != token);
        let put = others.map(|&other| Edit::replacement(lexical.mention(other), string.clone()));
        let gone = [declaration, statement].map(|node| Edit::Delete(node as u32));
        Some(Change::new(put.chain(gone)))
    };
    let beside = uses.iter().filter(|_| uses.len() > 1).filter_map(becoming).take(lexical.tuning.few);
    let with_literal = |literal: &Arc<StandIn>| {
        let put = uses.iter().map(|&token| Edit::replacement(lexical.mention(token), literal.clone()));
        Change::new(put.chain([Edit::Delete(declaration as u32)]))
    };
    let literals = fitting(lexical, &uses, literals).take(lexical.tuning.few);
    Choice::between(beside.chain(literals.map(with_literal)).collect())
}

/// The single tokens of each kind that nothing introduces, those first that stand most often; in a kind with numbers these.
type Literals = BTreeMap<u32, Vec<Arc<StandIn>>>;

fn literals(lexical: &Lexical<'_>) -> Literals {
    let tree = lexical.tree;
    let mut counts: BTreeMap<(u32, &[u8], u32), u32> = BTreeMap::new();
    for (index, node) in tree.nodes().iter().enumerate() {
        let token = node.tokens().start;
        let is_single = node.tokens().len() == 1 && !tree.is_group(index) && tree.slot(index).is_some();
        let is_known = || lexical.name(token).is_none_or(|name| name.introduced.is_empty());
        if is_single && is_known() && !is_head(lexical, token) {
            let weight = lexical.text.weight(token);
            *counts.entry((node.kind, lexical.text.piece(token), weight)).or_default() += 1;
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    let is_number = |piece: &[u8]| piece.first().is_some_and(u8::is_ascii_digit);
    counts.sort_by_key(|&((_, piece, _), count)| (!is_number(piece), Reverse(count), piece.len()));
    let mut literals = Literals::new();
    for ((kind, piece, tokens), _) in counts {
        literals.entry(kind).or_default().push(StandIn { bytes: piece.into(), tokens }.into());
    }
    literals
}

/// Whether a token is a word right behind a bracket: in a formula that says what is done with the rest.
fn is_head(lexical: &Lexical<'_>, token: usize) -> bool {
    let before = token.checked_sub(1).map(|before| lexical.text.piece(before));
    before == Some(b"(") && lexical.is_word(token)
}

/// What may stand in the place of all these tokens.
fn fitting<'l>(
    lexical: &'l Lexical<'_>,
    uses: &[usize],
    literals: &'l Literals,
) -> impl Iterator<Item = &'l Arc<StandIn>> {
    let fits = fits(lexical, uses);
    literals.iter().filter(move |&(&kind, _)| fits(kind)).flat_map(|(_, strings)| strings)
}

/// Whether a kind may stand in the place of all these tokens.
fn fits<'l>(lexical: &'l Lexical<'_>, uses: &[usize]) -> impl Fn(u32) -> bool + use<'l> {
    let tree = lexical.tree;
    let slot = |&token: &usize| lexical.slot_of_mention(token);
    let slots: Option<BTreeSet<u32>> = uses.iter().map(slot).collect();
    move |kind| slots.as_ref().is_some_and(|slots| slots.iter().all(|&slot| tree.fits(slot, kind)))
}

/// The nodes around a token that can go and are statements or elements of lists with separators, innermost first.
fn items<'a>(lexical: &'a Lexical<'_>, token: usize) -> impl Iterator<Item = usize> + 'a {
    let is_item = |&node: &usize| lexical.is_statement(node) || lexical.tree.has_separators(node);
    lexical.removable_around(token).filter(is_item)
}

/// The first node behind a token, in the smallest node that has another there, else the last before it; no sign.
fn beside(lexical: &Lexical<'_>, token: usize) -> Option<Range<usize>> {
    let tree = lexical.tree;
    let is_value = |node: &usize| {
        let is_sign = |token: usize| lexical.text.piece(token).iter().all(u8::is_ascii_punctuation);
        tree.role(*node) != Role::Separator && !tree.tokens(*node).all(is_sign)
    };
    lexical.around(token).find_map(|node| {
        let siblings = tree.children(tree.parent(node)?).filter(is_value);
        let (before, behind): (Vec<usize>, Vec<usize>) =
            siblings.filter(|&sibling| sibling != node).partition(|&sibling| sibling < node);
        behind.first().or(before.last()).map(|&value| tree.tokens(value))
    })
}
