//! Join: two elements of a list, one behind the other, that begin and end alike become one with both
//! insides (`int a; int b;` becomes `int a, b;`), two that assign the same one (`a = c; b = c;` becomes `a = b = c;`), a
//! declaration takes in the assignment to what it declares (`int a; a = 1;` becomes `int a = 1;`), and one that adds to what was
//! assigned before becomes a part of that (`a = b; a += c;` becomes `a = b + c;`).

use alloc::vec::Vec;
use core::ops::Range;

use super::choice::Choice;
use super::lexical::Lexical;
use crate::lexicon::is_one_of;
use crate::{Change, Edit, StandIn};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let tree = lexical.tree;
    let mut choices = Vec::new();
    for parent in 0..tree.nodes().len() {
        for (_, elements) in tree.lists(parent) {
            for (at, &element) in elements.iter().enumerate() {
                let first = tree.tokens(element);
                if let Some(&next) = elements.get(at + 1)
                    && tree.tokens(next).start == first.end
                {
                    choices.extend(same_head(lexical, first.clone(), tree.tokens(next)));
                    choices.extend(same_value(lexical, first.clone(), tree.tokens(next)));
                    choices.extend(added(lexical, first.clone(), tree.tokens(next)));
                }
                let later = elements[at + 1..].iter().map(|&later| tree.tokens(later));
                choices.extend(later.filter_map(|later| assigned(lexical, first.clone(), later)));
            }
        }
    }
    choices
}

/// The heads that two elements have in common, the longest first, with a separator between what is behind.
fn same_head(lexical: &Lexical<'_>, first: Range<usize>, second: Range<usize>) -> Option<Choice> {
    let piece = |token: usize| lexical.text.piece(token);
    let (last, end) = (first.end - 1, second.end - 1);
    let common = first.clone().zip(second.clone()).take_while(|&(a, b)| piece(a) == piece(b)).count();
    let head = common.min(first.len() - 1).min(second.len() - 1);
    // What ends with its own brackets has no separator inside.
    let is_bracketed = lexical.partner(first.start) == Some(last);
    if head == 0 || piece(last) != piece(end) || lexical.is_name(last) || is_bracketed {
        return None;
    }
    let separator = StandIn::token(lexical.tree.signs(last).separator?);
    let joined = |head: usize| Change::replacement(last..second.start + head, separator.clone());
    Some(Choice { alternatives: (1..=head).rev().map(joined).collect() })
}

/// The first of two elements that end with the same assigned value assigns what the second assigns.
fn same_value(lexical: &Lexical<'_>, first: Range<usize>, second: Range<usize>) -> Option<Choice> {
    let piece = |token: usize| lexical.text.piece(token);
    let alike =
        first.clone().rev().zip(second.clone().rev()).take_while(|&(a, b)| piece(a) == piece(b)).count();
    let mut tail = first.end - alike..first.end;
    let sign = tail.find(|&token| is_one_of(piece(token), lexical.tree.signs(token).assigns))?;
    let is_closed = |&(open, close): &(usize, usize)| open <= sign && tail.contains(&close);
    if sign == first.start || lexical.pairs_in(first.clone()).any(|pair| is_closed(&pair)) {
        return None;
    }
    let next = lexical.string(second.start..second.start + 1);
    Some(Choice::one(Change::replacement(sign + 1..second.start + 1, next)))
}

/// The second of two elements adds to what the first gives a value, or adds to: both values are in one.
fn added(lexical: &Lexical<'_>, first: Range<usize>, second: Range<usize>) -> Option<Choice> {
    let piece = |token: usize| lexical.text.piece(token);
    let signs = lexical.tree.signs(second.start);
    let added = |token: usize| {
        let operator = piece(token).strip_suffix(b"=")?;
        (is_one_of(operator, signs.joins) || signs.operation(operator).is_some()).then_some((token, operator))
    };
    let (sign, operator) = second.clone().find_map(added)?;
    let to = second.start..sign;
    let first_sign = first.start + to.len();
    let is_same = || first.clone().zip(to.clone()).all(|(a, b)| piece(a) == piece(b));
    let assigns = |token: usize| is_one_of(piece(token), signs.assigns) || piece(token) == piece(sign);
    if to.is_empty() || first_sign + 1 >= first.end || !assigns(first_sign) || !is_same() {
        return None;
    }
    let last = first.end - 1;
    let is_ended = is_one_of(piece(last), &signs.terminator);
    let before = if is_ended { StandIn::default() } else { lexical.string(last..first.end) };
    let string = StandIn { bytes: [&before.bytes[..], operator].join(&b' '), tokens: before.tokens + 1 };
    Some(Choice::one(Change::replacement(last..sign + 1, string)))
}

/// A name of the first element with what is assigned to it by another, which goes: where the name is
/// mentioned, or in the place of the other.
fn assigned(lexical: &Lexical<'_>, first: Range<usize>, other: Range<usize>) -> Option<Choice> {
    let piece = |token: usize| lexical.text.piece(token);
    let last = first.end.checked_sub(1)?;
    let begins = |&token: &usize| lexical.is_name(token) && lexical.mention(token).start == other.start;
    let to = other.clone().take(2).find(begins)?;
    if other.end - to < 4
        || !is_one_of(piece(to + 1), lexical.tree.signs(to).assigns)
        || piece(last) != piece(other.end - 1)
    {
        return None;
    }
    let name = first.clone().rev().find(|&token| lexical.is_name(token) && piece(token) == piece(to))?;
    let assignment = lexical.string(other.start..other.end - 1);
    let here = Change::new([Edit::replacement(lexical.mention(name), assignment), Edit::cut(other.clone())]);
    let mut alternatives = alloc::vec![here];
    if name + 1 == last {
        alternatives.push(Change::new([
            Edit::cut(first.clone()),
            Edit::put(other.start, lexical.string(first.start..last)),
        ]));
    }
    Some(Choice { alternatives })
}
