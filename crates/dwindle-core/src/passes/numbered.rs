//! Names for what has only a number.
//!
//! In some languages a text may count what it introduces instead of naming it, as LLVM IR does with `%0`, `%1` and so
//! on in each function. Then nothing in the middle can be deleted, since the numbers behind it would be wrong. So
//! before anything is deleted, all of them get names in one question.
//!
//! The text itself shows it: in a scope, the numbers that are introduced count up. What is mentioned by a number but
//! introduced nowhere, as the first block of a function is, still has its number by its position: it counts on among
//! its like.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::ToString;
use alloc::vec::Vec;

use super::lexical::outermost;
use super::names::letters;
use crate::names::{How, Names};
use crate::{Change, Edit, Gaps, StandIn, Tree, Variant};

/// The whole of `tree` with names instead of numbers and without comments, which may hold the numbers; nothing where
/// nothing is counted, or where it would be no smaller.
pub(super) fn with_names(tree: &Tree) -> Option<Variant> {
    let mut mentions = numbers(tree).peekable();
    let mut edits = Vec::new();
    for scope in outermost(tree.scopes().map(|node| tree.tokens(node))) {
        while mentions.next_if(|mention| mention.token < scope.start).is_some() {}
        let inside: Vec<Number<'_>> =
            core::iter::from_fn(|| mentions.next_if(|mention| mention.token < scope.end)).collect();
        edits.extend(named(&inside, tree.names()));
    }
    let whole = Variant::whole(tree.text().clone());
    let mut variant = Change::new(edits).apply(tree, &whole);
    if tree.text().has_comments() {
        variant.gaps = Gaps::Bare;
    }
    (!variant.insertions.is_empty() && variant.is_smaller_than(&whole)).then_some(variant)
}

/// A mention of something by its number.
struct Number<'a> {
    token: usize,
    number: u32,
    introduces: bool,
    /// What stands around the digits.
    before: &'a [u8],
    behind: &'a [u8],
}

/// The mentions by numbers, in the order of the text.
fn numbers(tree: &Tree) -> impl Iterator<Item = Number<'_>> {
    let strong = tree.names().mentions().iter().filter(|mention| mention.how != How::Weak);
    strong.filter_map(|mention| {
        let piece = tree.text().piece(mention.token as usize);
        let start = piece.iter().position(u8::is_ascii_digit)?;
        let end = start + piece[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (before, behind) = (&piece[..start], &piece[end..]);
        if before.iter().chain(behind).any(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
            return None;
        }
        let number = core::str::from_utf8(&piece[start..end]).ok()?.parse().ok()?;
        let introduces = mention.how == How::Introduces;
        Some(Number { token: mention.token as usize, number, introduces, before, behind })
    })
}

/// What gives names to the numbers in a scope, if these count what is introduced.
fn named(mentions: &[Number<'_>], known: &Names) -> Vec<Edit> {
    let introducing: Vec<&Number<'_>> = mentions.iter().filter(|mention| mention.introduces).collect();
    if introducing.len() < 2 || !introducing.windows(2).all(|pair| pair[0].number < pair[1].number) {
        return Vec::new();
    }
    let marks: BTreeSet<&[u8]> = introducing.iter().map(|mention| mention.before).collect();
    let free = (0u32..).map(letters).filter(|name| known.find(name).is_none());
    let mut names: BTreeMap<u32, Vec<u8>> =
        introducing.iter().map(|mention| mention.number).zip(free).collect();
    let alike = || mentions.iter().filter(|mention| marks.contains(mention.before));
    let implied: BTreeSet<u32> =
        alike().map(|mention| mention.number).filter(|number| !names.contains_key(number)).collect();
    names.extend(implied.into_iter().zip((0u32..).map(|number| number.to_string().into_bytes())));
    let renamed = alike().map(|mention| {
        let name = [mention.before, &names[&mention.number], mention.behind].concat();
        Edit::put(mention.token, StandIn::token(name))
    });
    renamed.collect()
}
