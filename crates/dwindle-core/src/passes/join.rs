//! Join: two elements of a list, one behind the other, that begin and end alike become one with both
//! insides (`int a; int b;` becomes `int a, b;`), two that assign the same one (`a = c; b = c;` becomes `a = b = c;`), and a
//! declaration takes in the assignment to what it declares (`int a; a = 1;` becomes `int a = 1;`).

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

/// A name of the first element with what is assigned to it by another, which goes: where the name is
/// mentioned, or in the place of the other.
fn assigned(lexical: &Lexical<'_>, first: Range<usize>, other: Range<usize>) -> Option<Choice> {
    let piece = |token: usize| lexical.text.piece(token);
    let last = first.end.checked_sub(1)?;
    if other.len() < 4
        || !lexical.is_name(other.start)
        || !is_one_of(piece(other.start + 1), lexical.tree.signs(other.start).assigns)
        || piece(last) != piece(other.end - 1)
    {
        return None;
    }
    let name =
        first.clone().rev().find(|&token| lexical.is_name(token) && piece(token) == piece(other.start))?;
    let here =
        Change::new([Edit::put(name, lexical.string(other.start..other.end - 1)), Edit::cut(other.clone())]);
    let mut alternatives = alloc::vec![here];
    if name + 1 == last {
        alternatives.push(Change::new([
            Edit::cut(first.clone()),
            Edit::put(other.start, lexical.string(first.start..last)),
        ]));
    }
    Some(Choice { alternatives })
}
