//! Pointers: what stands right before or behind a name where it is introduced goes wherever it stands there: one level of
//! pointers (`T *p; *p = p->n` becomes `T p; p = p.n`), references or arrays (`int a[2]; a[0]` becomes `int a; a`).

use alloc::vec::Vec;

use super::choice::Choice;
use super::lexical::{Lexical, Name};
use crate::lexicon::is_one_of;
use crate::{Change, Edit, StandIn};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    lexical.names().iter().filter_map(|name| of_name(lexical, name)).collect()
}

fn of_name(lexical: &Lexical<'_>, name: &Name<'_>) -> Option<Choice> {
    let &introduced = name.introduced.first()?;
    if !(2..=lexical.tuning.most_mentions).contains(&name.mentions.len()) {
        return None;
    }
    let ways = [without_sign(lexical, name, introduced), without_brackets(lexical, name, introduced)];
    Choice::between(ways.into_iter().flatten().collect())
}

/// The sign before each mention goes, and access to a member is by the shortest sign.
fn without_sign(lexical: &Lexical<'_>, name: &Name<'_>, introduced: usize) -> Option<Change> {
    let piece = |token: usize| lexical.text.piece(token);
    let signs = lexical.tree.signs(introduced);
    let sign = piece(introduced.checked_sub(1)?);
    let other = [signs.separator, signs.terminator];
    if !is_prefix(sign) || is_one_of(sign, other.iter().flatten().chain(signs.members)) {
        return None;
    }
    let shortest = signs.members.iter().min_by_key(|sign| sign.len()).map(|sign| StandIn::token(*sign));
    let mut edits = Vec::new();
    for &token in &name.mentions {
        if token > 0 && piece(token - 1) == sign {
            edits.push(Edit::cut(token - 1..token));
        }
        if token + 1 < lexical.text.len() && is_one_of(piece(token + 1), signs.members) {
            let is_longer = |shortest: &StandIn| shortest.bytes.len() < piece(token + 1).len();
            let shortest = shortest.clone().filter(is_longer);
            edits.extend(shortest.map(|sign| Edit::put(token + 1, sign)));
        }
    }
    // The sign alone is a token that was tried.
    (edits.len() > 1).then(|| Change::new(edits))
}

/// The brackets behind each mention go, with what is between them.
fn without_brackets(lexical: &Lexical<'_>, name: &Name<'_>, introduced: usize) -> Option<Change> {
    let opens = |token: usize| lexical.partner(token + 1).filter(|_| lexical.text.piece(token + 1) == b"[");
    opens(introduced)?;
    let cut = |&token: &usize| Some(Edit::cut(token + 1..opens(token)? + 1));
    let edits: Vec<Edit> = name.mentions.iter().filter_map(cut).collect();
    (edits.len() > 1).then(|| Change::new(edits))
}

/// Whether it is a sign that may stand before a name and belongs to it.
fn is_prefix(piece: &[u8]) -> bool {
    piece.iter().all(|byte| byte.is_ascii_punctuation() && !b"()[]{}<>\"'`,;:.=".contains(byte))
}
