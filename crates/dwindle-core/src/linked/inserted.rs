//! Names in inserted strings, which stand in for tokens: what introduces these names, and whether they are known
//! at the place of the string.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

use super::graph::Graph;
use crate::Variant;
use crate::lexicon::{Signs, is_one_of};
use crate::names::is_of_word;
use crate::tree::Tree;

/// The names in the inserted strings of a variant.
pub(super) struct Inserted<'a> {
    graph: &'a Graph,
    tree: &'a Tree,
    /// The variant. A deleted token counts as kept if the string in its place mentions its name. A deleted token that
    /// introduces a name counts as kept if any string mentions it, because then the string has moved the declaration.
    variant: Variant,
    /// The mentions that introduce the names in strings.
    introducing: BTreeMap<u32, Vec<usize>>,
    /// Names in strings whose declarations are elsewhere, and the tokens before which they are inserted.
    doubtful: Vec<(u32, usize)>,
}

impl<'a> Inserted<'a> {
    pub(super) fn of(graph: &'a Graph, tree: &'a Tree, variant: &Variant) -> Self {
        let (introducing, doubtful) = (BTreeMap::new(), Vec::new());
        let mut inserted = Self { graph, tree, variant: variant.clone(), introducing, doubtful };
        for (index, place) in variant.insertions.iter().enumerate() {
            let string = &place.string.bytes;
            let instead: Vec<usize> = graph.mentions_in(instead_of(variant, index)).collect();
            let introduces = |&mention: &usize| tree.names().introduces(mention);
            let may_introduce = instead.iter().any(introduces);
            for (word, is_member) in words(string, tree.signs(place.at as usize)) {
                let Some(name) = tree.names().find(word) else { continue };
                let all = || graph.introducing(tree.names(), name).collect();
                let introducing = inserted.introducing.entry(name).or_insert_with(all);
                let same =
                    instead.iter().filter(|&&mention| tree.text().piece(tree.names().token(mention)) == word);
                let tokens = introducing.iter().chain(same).map(|&mention| tree.names().token(mention));
                let gone: Vec<usize> = tokens.filter(|&token| !variant.kept.contains(token)).collect();
                if gone.is_empty() && !is_member && !may_introduce && !introducing.is_empty() {
                    inserted.doubtful.push((name, place.at as usize));
                }
                inserted.variant.kept.insert_all(gone);
            }
        }
        inserted
    }

    pub(super) fn variant(&self) -> &Variant {
        &self.variant
    }

    /// Whether a string mentions a name of the tree that is not known at the place of the string.
    pub(super) fn has_strangers(&self) -> bool {
        self.doubtful.iter().any(|&(name, at)| {
            !self.is_member(at)
                && !self.introducing[&name].iter().any(|&mention| self.is_known_at(mention, at))
        })
    }

    /// Whether the token before `at` says that a member is named there. Members are known wherever they are introduced.
    fn is_member(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| self.tree.text().piece(before));
        before.is_some_and(|before| is_one_of(before, self.tree.signs(at).members))
    }

    /// Whether the name that `mention` introduces is known at a token: the token is in its scope, and behind the
    /// declaration if all other uses are.
    fn is_known_at(&self, mention: usize, at: usize) -> bool {
        let Some(symbol) = self.graph.symbol_of(mention) else { return false };
        let symbol = &self.graph.symbols()[symbol];
        let introduced = self.tree.names().token(mention);
        let first_use = symbol.uses.first().map(|&user| self.tree.names().token(user as usize));
        let is_late = introduced > at && first_use.is_none_or(|first| first > introduced);
        !is_late && symbol.scope.is_none_or(|scope| self.tree.tokens(scope).contains(&at))
    }
}

/// The tokens that an inserted string replaces: the deleted ones from its place on.
fn instead_of(variant: &Variant, place: usize) -> Range<usize> {
    let at = variant.insertions[place].at as usize;
    let end = variant.kept.next_from(at).unwrap_or(variant.kept.universe());
    let next = variant.insertions.get(place + 1).map_or(end, |next| next.at as usize);
    at..end.min(next)
}

/// The words of a string, and whether each is the name of a member.
fn words<'a>(string: &'a [u8], signs: &'a Signs) -> impl Iterator<Item = (&'a [u8], bool)> {
    let parts = |byte: &u8| !is_of_word(*byte) && !is_one_of(&[*byte], signs.sigils);
    let words = string.split(parts).scan(0, |end, word| {
        let start = *end;
        *end += word.len() + 1;
        Some((start, word))
    });
    words.filter(|(_, word)| !word.is_empty()).map(|(start, word)| {
        let before = string[..start].trim_ascii_end();
        (word, signs.members.iter().any(|sign| before.ends_with(sign.as_bytes())))
    })
}
