//! Halves: two neighbours become one that begins as the first and ends as the second. What ends the second comes in the
//! place of what ends the first, and all between them goes: `if (a) f(); else g();` becomes `if (a) g();`, and
//! `int f() { a(); } int g() { b(); }` becomes `int f() { b(); }`. Or what is inside of both stays: `int f() { a(); b(); }`.
//! Lines of the second are indented as what they replace. What is inside of something that nothing mentions also goes
//! into one that is farther away.
//!
//! Or a node comes in the place of one around it, with what that has in its head: `<a b=''><c>d</c></a>` becomes
//! `<c b=''>d</c>`.

use alloc::vec::Vec;
use core::ops::Range;

use super::choice::Choice;
use super::indentation;
use super::lexical::Lexical;
use crate::{Change, Edit, StandIn};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let tree = lexical.tree;
    let mut choices = Vec::new();
    for parent in 0..tree.nodes().len() {
        let children: Vec<usize> = tree.children(parent).collect();
        choices.extend(children.windows(2).filter_map(|pair| joined(lexical, pair[0], pair[1])));
        choices.extend(gathered(lexical, &children));
        choices.extend(nested(lexical, parent));
    }
    choices
}

/// The first node of its kind inside of a node, with the elements in the head of that.
fn nested(lexical: &Lexical<'_>, outer: usize) -> Option<Choice> {
    let tree = lexical.tree;
    let mut children = tree.children(outer).skip_while(|&child| !tree.is_element(child)).peekable();
    let first = *children.peek()?;
    let last = children.by_ref().take_while(|&child| tree.is_element(child)).last()?;
    let branch = children.find(|&child| tree.is_element(child))?;
    let inner = tree.subtree(branch).take(lexical.tuning.levels);
    let inner = inner.into_iter().find(|&node| tree.nodes()[node].kind == tree.nodes()[outer].kind)?;
    let head = tree.tokens(first).start..tree.tokens(last).end;
    let place = tree.tokens(inner).start + (head.start - tree.tokens(outer).start).checked_sub(1)?;
    if place >= tree.tokens(inner).end {
        return None;
    }
    let (before, string) = (lexical.string(place..place + 1), lexical.string(head.clone()));
    let gap = lexical.text.gap(head.start);
    let string = StandIn {
        bytes: [&before.bytes[..], gap, &string.bytes].concat(),
        tokens: before.tokens + string.tokens,
    };
    let kept = Change::keep(tree.tokens(outer), tree.tokens(inner));
    let put = Edit::put(place, string);
    Some(Choice::one(Change::new(kept.edits().iter().cloned().chain([put]))))
}

fn joined(lexical: &Lexical<'_>, first: usize, second: usize) -> Option<Choice> {
    let tree = lexical.tree;
    // The nodes that end where another does, itself included, outermost first.
    let at_end = |node: usize| {
        let end = tree.tokens(node).end;
        let inner =
            move |&node: &usize| tree.children(node).last().filter(|&last| tree.tokens(last).end == end);
        let all = core::iter::successors(Some(node), inner).take(lexical.tuning.levels);
        all.filter(|&node| !tree.is_group(node))
    };
    let mut cuts = Vec::new();
    for tail in at_end(second) {
        let reads = |node: usize| tree.tokens(node).map(|token| lexical.text.piece(token));
        // Where both read the same, one of the two neighbours would go.
        let places =
            at_end(first).filter(|&place| tree.can_replace(tail, place) && !reads(place).eq(reads(tail)));
        let cut = places.map(|place| tree.tokens(place).start..tree.tokens(tail).start);
        // Without the whole of a neighbour nothing is joined.
        cuts.extend(cut.filter(|cut| *cut != tree.tokens(first)));
    }
    cuts.dedup();
    cuts.truncate(lexical.tuning.halves);
    let (start, whole, end) = (tree.tokens(first).start, tree.tokens(second).start, tree.tokens(second).end);
    // Some grammars let only a body stand where a body stands, though it may consist of any statements. The outermost and
    // the innermost are tried.
    if lexical.is_statement(second) {
        let body = |node: usize| lexical.body(node).filter(|body| body.start > start && body.end == whole);
        let bodies: Vec<_> = at_end(first).filter_map(body).collect();
        let inner = bodies.last().filter(|_| bodies.len() > 1);
        for body in bodies.first().into_iter().chain(inner).map(|body| body.start..whole) {
            if !cuts.contains(&body) {
                cuts.push(body);
            }
        }
    }
    let tails = cuts.into_iter().map(|cut| indentation::kept(lexical, cut.start..end, cut.end..end));
    let insides = between_insides(lexical, tree.tokens(first), tree.tokens(second));
    Choice::between(tails.chain(insides.map(|cut| Change::cut([cut]))).collect())
}

/// What is inside of a scope that nothing outside of it mentions begins the inside of another, the nearest first, and the
/// scope goes. With the one in front of it it is [`joined`].
fn gathered(lexical: &Lexical<'_>, siblings: &[usize]) -> Vec<Choice> {
    let tree = lexical.tree;
    let scopes = siblings.iter().copied().enumerate().filter(|&(_, node)| tree.is_scope(node));
    let scopes: Vec<(usize, usize)> = scopes.collect();
    let is_unused = |node: usize| {
        let all = tree.tokens(node);
        let mut names = all.clone().filter_map(|token| lexical.introduced_by(token));
        names.all(|name| name.mentions.iter().all(|mention| all.contains(mention)))
    };
    let unused = scopes.iter().filter(|(_, node)| tree.is_statement(*node) && is_unused(*node));
    let of_one = |&(at, scope): &(usize, usize)| {
        let mut others: Vec<_> =
            scopes.iter().filter(|&&(other, _)| other != at && other + 1 != at).collect();
        others.sort_by_key(|&&(other, _)| other.abs_diff(at));
        let changes = others.into_iter().filter_map(|&(_, other)| moved(lexical, scope, other));
        Choice::between(changes.take(lexical.tuning.halves).collect())
    };
    unused.filter_map(of_one).collect()
}

/// What is inside of `from` begins the inside of `to`.
fn moved(lexical: &Lexical<'_>, from: usize, to: usize) -> Option<Change> {
    let piece = |token: usize| lexical.text.piece(token);
    let last_pair = |node: usize| lexical.last_pair(lexical.tree.tokens(node));
    let ((opens, closes), (place, _)) = (last_pair(from)?, last_pair(to)?);
    let inside = lexical.string(opens + 1..closes);
    let bytes = [piece(place), lexical.text.gap(opens + 1), &inside.bytes].concat();
    let begins = Edit::put(place, StandIn { bytes, tokens: inside.tokens + 1 });
    let fits = piece(opens) == piece(place) && closes > opens + 1;
    fits.then(|| Change::new([begins, Edit::Delete(from as u32)]))
}

/// From the bracket that ends the one to the bracket in the other that closes last.
fn between_insides(lexical: &Lexical<'_>, first: Range<usize>, second: Range<usize>) -> Option<Range<usize>> {
    let ((opens, closes), (other, _)) = (lexical.last_pair(first)?, lexical.last_pair(second)?);
    (lexical.text.piece(opens) == lexical.text.piece(other)).then_some(closes..other + 1)
}
