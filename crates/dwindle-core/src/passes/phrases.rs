//! Phrases: what the language can say with fewer tokens is said so, as the front end knows it: `(declare-fun a () Int)`
//! becomes `(declare-const a Int)`, `<a></a>` becomes `<a/>`.

use alloc::vec::Vec;
use core::ops::Range;

use super::choice::Choice;
use super::lexical::Lexical;
use crate::lexicon::Phrase;
use crate::{Change, Edit, StandIn};

/// Begins a part of a phrase that is all that the text has up to the end of the brackets around it.
const REST: &str = "$..";

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let shorter = |token: usize| {
        let phrases = lexical.tree.signs(token).phrases.iter();
        Choice::between(phrases.filter_map(|phrase| shorter(lexical, token, phrase)).collect())
    };
    (0..lexical.text.len()).filter_map(shorter).collect()
}

/// The phrase that begins at a token, in its short form.
fn shorter(lexical: &Lexical<'_>, token: usize, phrase: &Phrase) -> Option<Change> {
    let places = places(lexical, token, phrase.long)?;
    let stays = |at: usize| {
        let part = phrase.long[at];
        is_place(part) && phrase.short.contains(&part) && !phrase.long[..at].contains(&part)
    };
    // Between what stays, what the short form has there comes in the place of what the long one has.
    let said = phrase.short.split(|part| is_place(part));
    let kept = (0..phrase.long.len()).filter(|&at| stays(at)).map(|at| places[at].clone());
    let starts = [token].into_iter().chain(kept.clone().map(|place| place.end));
    let ends = kept.map(|place| place.start).chain(places.last().map(|place| place.end));
    let edits = starts.zip(ends).zip(said).filter(|((start, end), _)| start < end);
    Some(Change::new(edits.map(|((start, end), said)| match said {
        [] => Edit::cut(start..end),
        _ => Edit::replacement(start..end, stand_in(lexical, start..end, said)),
    })))
}

/// What is said in the place of these tokens. A word is as many tokens as the one whose place it takes: `declare-const` is
/// three, as `declare-fun` is.
fn stand_in(lexical: &Lexical<'_>, long: Range<usize>, said: &[&str]) -> StandIn {
    let places = long.map(Some).chain(core::iter::repeat(None));
    let weight = |(word, place): (&&str, Option<usize>)| match place {
        Some(place) if word.as_bytes()[0].is_ascii_alphabetic() => lexical.text.weight(place),
        _ => 1,
    };
    StandIn { bytes: said.join(" ").into_bytes(), tokens: said.iter().zip(places).map(weight).sum() }
}

/// Where each part of a phrase that begins at a token stands.
fn places(lexical: &Lexical<'_>, token: usize, phrase: &[&str]) -> Option<Vec<Range<usize>>> {
    let piece = |token: usize| lexical.text.piece(token);
    let mut places: Vec<Range<usize>> = Vec::new();
    let mut close: Option<usize> = None;
    for (at, &part) in phrase.iter().enumerate() {
        let start = places.last().map_or(token, |place| place.end);
        if start >= lexical.text.len() {
            return None;
        }
        let earlier = || phrase[..at].iter().position(|&other| other == part);
        let (end, fits) = if part.starts_with(REST) {
            // What the phrase has before its bracket closes is behind.
            let behind = phrase[at + 1..].iter().position(|part| matches!(*part, ")" | "]" | "}"))?;
            let end = close?.checked_sub(behind)?;
            (end, end >= start)
        } else if is_place(part) {
            let fits = || lexical.is_number(start) || lexical.is_word(start);
            (start + 1, earlier().map_or_else(fits, |earlier| piece(places[earlier].start) == piece(start)))
        } else {
            (start + 1, part.as_bytes().eq_ignore_ascii_case(piece(start)))
        };
        if !fits {
            return None;
        }
        close = lexical.partner(start).or(close);
        places.push(start..end);
    }
    Some(places)
}

/// Whether a part of a phrase stands for what the text has there.
fn is_place(part: &str) -> bool {
    part.len() > 1 && part.starts_with('$')
}
