//! Inline: a name that is introduced in a node that can go becomes something out of that node, which
//! goes: a variable its value, a type or a view what it stands for, also where it is qualified, a call the
//! body of what is called. Of a node that declares something else besides, that stays: with `typedef struct s { int a; } t;`
//! it becomes `struct s`. Accesses to a member, such as `a.b`, become the value that it has in `{ b = 1 }`.

use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;

use super::choice::Choice;
use super::lexical::{Lexical, Name};
use crate::lexicon::is_one_of;
use crate::tree::Role;
use crate::{Change, Edit, StandIn};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let of_name = |name| inlined(lexical, name).or_else(|| member(lexical, name));
    lexical.names().iter().filter_map(of_name).collect()
}

fn inlined(lexical: &Lexical<'_>, name: &Name<'_>) -> Option<Choice> {
    let tree = lexical.tree;
    let introduced = *name.introduced.first()?;
    let mut alternatives = Vec::new();
    for declaration in lexical.removable_around(introduced) {
        let all = tree.tokens(declaration);
        let elsewhere: Vec<usize> =
            name.mentions.iter().copied().filter(|mention| !all.contains(mention)).collect();
        if !(1..=lexical.tuning.most_mentions).contains(&elsewhere.len()) {
            continue;
        }
        let many = elsewhere.len() > lexical.tuning.inline_few_mentions;
        let mut parts = parts(lexical, declaration, introduced, elsewhere[0]);
        if many {
            parts.retain(|part| (part.len() - 1) * elsewhere.len() <= all.len());
        }
        let most = if many { lexical.tuning.inline_parts_of_many } else { lexical.tuning.few };
        for part in parts.into_iter().take(most) {
            let string = lexical.string(part);
            let put = |string: &StandIn, places: Vec<Range<usize>>| {
                let edits = places.into_iter().map(|place| Edit::replacement(place, string.clone()));
                Change::new(edits.chain([Edit::Delete(declaration as u32)]))
            };
            let mentions: Vec<_> = elsewhere.iter().map(|&token| lexical.mention(token)).collect();
            if many {
                alternatives.push(put(&string, mentions));
                continue;
            }
            let call = |&token: &usize| lexical.mention(token).start..lexical.call_end(token);
            let calls: Vec<_> = elsewhere.iter().map(call).collect();
            let elements: Vec<_> = elsewhere
                .iter()
                .filter_map(|&token| lexical.deletable_around(token).next())
                .map(|node| tree.tokens(node))
                .collect();
            let bracketed =
                StandIn { bytes: [b"(", &string.bytes[..], b")"].concat(), tokens: string.tokens + 2 };
            let qualified: Vec<_> = elsewhere.iter().map(|&token| qualified(lexical, token)).collect();
            if qualified != mentions {
                alternatives.push(put(&string, qualified));
            }
            alternatives.push(put(&string, mentions.clone()));
            alternatives.push(put(&bracketed, mentions.clone()));
            if calls != mentions {
                alternatives.push(put(&string, calls));
            }
            if elements.len() == elsewhere.len() && elements != mentions {
                alternatives.push(put(&string, elements));
            }
        }
    }
    alternatives.extend(declared_besides(lexical, name, introduced).into_iter().flatten());
    Some(Choice { alternatives })
}

/// What may come in the place of a mention of a name out of its declaration, largest first: nodes, and what is between
/// brackets. It fits the place, has a name itself, or is text that the grammar leaves as it is, such as what a macro stands for.
fn parts(lexical: &Lexical<'_>, declaration: usize, introduced: usize, mention: usize) -> Vec<Range<usize>> {
    let tree = lexical.tree;
    let slot = tree.slot_of(lexical.leaf(mention), qualified(lexical, mention).len());
    let fits = |node: usize| slot.is_none_or(|slot| tree.fits(slot, tree.nodes()[node].kind));
    let has_name = |tokens: Range<usize>| tokens.into_iter().any(|token| lexical.is_name(token));
    let is_unread = |node: usize| {
        let takes_nothing_else = |slot: u32| tree.slot_kinds(slot).len() == 1;
        let is_lone = tree.tokens(node).len() == 1 && tree.role(node) == Role::Deletable;
        is_lone && tree.slot(node).is_some_and(takes_nothing_else)
    };
    let nodes = tree
        .subtree(declaration)
        .filter(|&node| fits(node) || has_name(tree.tokens(node)) || is_unread(node));
    let insides = lexical.pairs_in(tree.tokens(declaration)).map(|(open, close)| open + 1..close);
    let parts = nodes.map(|node| tree.tokens(node)).filter(|part| !part.contains(&introduced));
    let mut parts: Vec<Range<usize>> = parts.collect();
    parts.extend(insides.filter(|part| !part.is_empty()));
    parts.extend(type_before(lexical, declaration, introduced));
    parts.sort_by_key(|part| (Reverse(part.len()), part.start));
    parts.dedup();
    parts
}

/// What a declaration has between its first word and the name, if signs belong to it: `char *` of `typedef char *s`.
fn type_before(lexical: &Lexical<'_>, declaration: usize, introduced: usize) -> Option<Range<usize>> {
    let start = lexical.tree.tokens(declaration).start;
    let has_sign = introduced > start + 2 && !lexical.is_word(introduced - 1);
    (has_sign && lexical.is_word(start) && lexical.partner(introduced - 1).is_none())
        .then(|| start + 1..introduced)
}

/// A member that is mentioned first with its value: all accesses to it become that.
fn member(lexical: &Lexical<'_>, name: &Name<'_>) -> Option<Choice> {
    let tree = lexical.tree;
    let &[first, ref others @ ..] = &name.mentions[..] else { return None };
    if others.len() > lexical.tuning.most_mentions || !name.introduced.is_empty() {
        return None;
    }
    let accesses: Option<Vec<_>> = others.iter().map(|&token| lexical.access(token)).collect();
    let accesses = accesses.filter(|accesses| !accesses.is_empty())?;
    let item = lexical.deletable_around(first).next()?;
    let mut values = tree.subtree(item).map(|node| tree.tokens(node));
    let value =
        lexical.string(values.find(|value| value.start > first && value.end == tree.tokens(item).end)?);
    let edits = accesses.into_iter().map(|access| Edit::replacement(access, value.clone()));
    Some(Choice::one(Change::new(edits.chain([Edit::Delete(item as u32)]))))
}

/// A mention with what qualifies it: `T::x`.
fn qualified(lexical: &Lexical<'_>, token: usize) -> Range<usize> {
    let sign = token.checked_sub(1).map(|sign| lexical.text.piece(sign));
    let is_qualified = sign.is_some_and(|sign| is_one_of(sign, lexical.tree.signs(token).qualifies));
    lexical.access(token).filter(|_| is_qualified).unwrap_or_else(|| lexical.mention(token))
}

/// Of a declaration what it declares in front of the name stays alone, and bears the name if it has none;
/// the mentions elsewhere stay too, or become its head.
fn declared_besides(lexical: &Lexical<'_>, name: &Name<'_>, introduced: usize) -> Option<Vec<Change>> {
    let tree = lexical.tree;
    let declaration = tree.tokens(lexical.deletable_around(introduced).next()?);
    let close = introduced.checked_sub(1)?;
    let (open, _) = lexical.pairs_in(declaration.clone()).find(|pair| pair.1 == close)?;
    let besides = lexical.around(close).map(|node| tree.tokens(node)).find(|part| part.start < open)?;
    if besides.end != introduced || besides.start <= declaration.start {
        return None;
    }
    let mut head = lexical.string(besides.start..open);
    let mut stays =
        alloc::vec![Edit::cut(declaration.start..besides.start), Edit::cut(introduced..introduced + 1),];
    let bears_name = (besides.start..open).any(|token| lexical.is_name(token));
    if !bears_name {
        head = StandIn { bytes: [&head.bytes, &b" "[..], name.spelling].concat(), tokens: head.tokens + 1 };
        stays.push(Edit::replacement(besides.start..open, head.clone()));
    }
    let elsewhere = name.mentions.iter().filter(|&&token| token != introduced);
    let heads = elsewhere.map(|&token| Edit::put(token, head.clone()));
    let with_heads = Change::new(stays.iter().cloned().chain(heads));
    let alone = (!bears_name).then(|| Change::new(stays));
    Some(alone.into_iter().chain([with_heads]).collect())
}
