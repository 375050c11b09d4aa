//! What tokens are, as far as their letters and the grammar's kinds tell: names, numbers, strings and
//! brackets of any language.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

use crate::lexicon::{Signs, is_one_of};
use crate::linked::Links;
use crate::names::is_of_word;
use crate::tree::Role;
use crate::tuning::PassTuning;
use crate::{How, StandIn, Text, Tree};

/// The tokens of a tree.
pub(super) struct Lexical<'a> {
    pub(super) tree: &'a Tree,
    pub(super) text: &'a Text,
    pub(super) links: &'a Links,
    pub(super) tuning: PassTuning,
    classes: Vec<Class>,
    names: Vec<Name<'a>>,
    /// The partner of each bracket that is closed, and those that are not.
    partners: BTreeMap<u32, u32>,
    unclosed: Vec<u32>,
}

/// A name, and what it means where scopes tell that apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Name<'a> {
    /// Names that are spelled alike have the same number.
    number: u32,
    /// How it is spelled where it is mentioned first.
    pub(super) spelling: &'a [u8],
    /// The same without signs around it that are no part of the name.
    letters: &'a [u8],
    /// How many tokens that is.
    weight: u32,
    /// The tokens that mention it.
    pub(super) mentions: Vec<usize>,
    /// Those of them that introduce it.
    pub(super) introduced: Vec<usize>,
}

impl Name<'_> {
    pub(super) fn string(&self) -> StandIn {
        StandIn { bytes: self.spelling.into(), tokens: self.weight }
    }

    /// How many bytes the name has behind the signs that begin it.
    pub(super) fn len(&self, signs: &Signs) -> usize {
        self.letters.len() - signs.sigil(self.letters)
    }

    /// A mention of it, as it is with other letters. They need no quotes.
    pub(super) fn with_letters(&self, lexical: &Lexical<'_>, token: usize, letters: &[u8]) -> StandIn {
        let piece = lexical.text.piece(token);
        let name = inside(piece, self.letters).unwrap_or(0..piece.len());
        let is_whole = piece[..name.start] == piece[name.end..];
        let (outside, tokens) =
            if is_whole { (name.clone(), 1) } else { (0..piece.len(), lexical.text.weight(token)) };
        let start = name.start + lexical.tree.signs(token).sigil(&piece[name.clone()]);
        StandIn {
            bytes: [&piece[outside.start..start], letters, &piece[name.end..outside.end]].concat(),
            tokens,
        }
    }
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// A mention of this name.
    Name(u32),
    Number,
    /// What is between quotes that are tokens of their own.
    Inside,
    Other,
}

impl<'a> Lexical<'a> {
    pub(super) fn new(tree: &'a Tree, links: &'a Links, tuning: PassTuning) -> Self {
        let text: &Text = tree.text();
        let (classes, (partners, unclosed)) = (classes(tree), partners(text));
        let mut lexical = Self { tree, text, links, tuning, classes, names: Vec::new(), partners, unclosed };
        lexical.find_names();
        lexical
    }

    fn find_names(&mut self) {
        let text = self.text;
        let known = self.tree.names();
        // By what they mean or, where a tree tells no names, by their letters.
        let mut by_meaning: BTreeMap<(u32, Option<usize>), u32> = BTreeMap::new();
        let mut by_letters: BTreeMap<&[u8], u32> = BTreeMap::new();
        for (index, mention) in known.mentions().iter().enumerate() {
            if mention.how == How::Weak {
                continue;
            }
            let token = mention.token as usize;
            let letters = inside(text.piece(token), known.spelling(mention.name));
            let Some(letters) = letters.filter(|_| !self.is_name(token)) else { continue };
            let next = self.names.len() as u32;
            let meaning = (mention.name, self.links.symbol_of(self.tree, index));
            let name = *by_meaning.entry(meaning).or_insert(next);
            self.add_mention(name, mention.name, token, letters);
            if mention.how == How::Introduces {
                self.names[name as usize].introduced.push(token);
            }
        }
        if known.is_empty() {
            for token in (0..text.len()).filter(|&token| is_word(text.piece(token), self.tree.signs(token))) {
                let next = self.names.len() as u32;
                let name = *by_letters.entry(text.piece(token)).or_insert(next);
                self.add_mention(name, name, token, 0..text.piece(token).len());
            }
        }
    }

    fn add_mention(&mut self, name: u32, number: u32, token: usize, letters: Range<usize>) {
        if name as usize == self.names.len() {
            let spelling = self.text.piece(token);
            let letters = &spelling[letters];
            let weight = self.text.weight(token);
            self.names.push(Name { number, spelling, letters, weight, ..Name::default() });
        }
        self.names[name as usize].mentions.push(token);
        self.classes[token] = Class::Name(name);
    }

    pub(super) fn is_name(&self, token: usize) -> bool {
        matches!(self.classes[token], Class::Name(_))
    }

    /// The name that a token mentions.
    pub(super) fn name(&self, token: usize) -> Option<&Name<'a>> {
        match self.classes[token] {
            Class::Name(name) => self.names.get(name as usize),
            _ => None,
        }
    }

    /// The name that a token introduces.
    pub(super) fn introduced_by(&self, token: usize) -> Option<&Name<'a>> {
        self.name(token).filter(|name| name.introduced.binary_search(&token).is_ok())
    }

    /// All names, in the order of their first mentions.
    pub(super) fn names(&self) -> &[Name<'a>] {
        &self.names
    }

    /// The same, but names that are spelled alike are one.
    pub(super) fn spellings(&self) -> Vec<Name<'a>> {
        let mut spellings: BTreeMap<u32, Name<'a>> = BTreeMap::new();
        for &Name { number, spelling, letters, weight, ref mentions, .. } in &self.names {
            let name = Name { number, spelling, letters, weight, ..Name::default() };
            let all = &mut spellings.entry(number).or_insert(name).mentions;
            all.extend(mentions);
            all.sort_unstable();
        }
        let mut spellings: Vec<Name<'a>> = spellings.into_values().collect();
        spellings.sort_by_key(|name| name.mentions[0]);
        spellings
    }

    /// A mention of a name with the sign before it, where that is a token of its own: `$a` in PHP.
    pub(super) fn mention(&self, token: usize) -> Range<usize> {
        let signs = self.tree.signs(token);
        let sigil = token.checked_sub(1).filter(|&sign| is_one_of(self.text.piece(sign), signs.sigils));
        let is_node =
            |sign: &usize| self.around(token).any(|node| self.tree.tokens(node) == (*sign..token + 1));
        sigil.filter(is_node).unwrap_or(token)..token + 1
    }

    /// The slot of the largest node that holds nothing but a mention of a name, of those that have one.
    pub(super) fn slot_of_mention(&self, token: usize) -> Option<u32> {
        self.tree.slot_of(self.leaf(token), self.mention(token).len())
    }

    /// Whether a token is a name, or a word of the language.
    pub(super) fn is_word(&self, token: usize) -> bool {
        is_word(self.text.piece(token), self.tree.signs(token))
    }

    pub(super) fn is_number(&self, token: usize) -> bool {
        self.classes[token] == Class::Number
    }

    /// Whether it is what is between the quotes of a string, or a part of that.
    pub(super) fn is_string(&self, token: usize) -> bool {
        self.classes[token] == Class::Inside
    }

    /// The nodes that hold a token, innermost first; the root is none of them.
    pub(super) fn around(&self, token: usize) -> impl Iterator<Item = usize> + '_ {
        self.tree.around(self.leaf(token)).take_while(|&node| node > 0)
    }

    /// The same, but only those that can go.
    pub(super) fn deletable_around(&self, token: usize) -> impl Iterator<Item = usize> + '_ {
        self.around(token).filter(|&node| self.tree.role(node) == Role::Deletable)
    }

    /// The same, and statements of lists that want one: the only one before a `return` may not be needed.
    pub(super) fn removable_around(&self, token: usize) -> impl Iterator<Item = usize> + '_ {
        let may_go = |&node: &usize| self.tree.role(node) == Role::Deletable || self.is_statement(node);
        self.around(token).filter(may_go)
    }

    pub(super) fn leaf(&self, token: usize) -> usize {
        self.links.leaf(token)
    }

    /// Whether a node is a statement, and more than a token; an only argument is none. The only one of a list that wants one may
    /// also be what is declared, so that it has to begin like a statement.
    pub(super) fn is_statement(&self, node: usize) -> bool {
        let tree = self.tree;
        let before = tree.tokens(node).start.checked_sub(1);
        let is_argument = before.is_some_and(|token| matches!(self.text.piece(token), b"(" | b"["));
        let is_only = || {
            tree.is_listed(node)
                && !tree.has_separators(node)
                && tree.begins_like_a_statement(node) != Some(false)
        };
        tree.tokens(node).len() > 1 && !is_argument && (tree.is_statement(node) || is_only())
    }

    /// The tokens of what a statement returns, if `node` is one that returns; none if it returns nothing.
    pub(super) fn returned(&self, node: usize) -> Option<Range<usize>> {
        self.returned_anywhere(node).filter(|_| self.is_statement(node))
    }

    /// The same where `node` may also be an expression, or stand between separators.
    pub(super) fn returned_anywhere(&self, node: usize) -> Option<Range<usize>> {
        let all = self.tree.tokens(node);
        if !self.tree.kind(node).returns || all.len() < 2 || !self.is_word(all.start) {
            return None;
        }
        let terminator = self.tree.signs(all.end - 1).terminator.map(str::as_bytes);
        let ends = terminator == Some(self.text.piece(all.end - 1));
        Some(all.start + 1..all.end - usize::from(ends))
    }

    /// The tokens of the statements right below a node, if it is the body of something.
    pub(super) fn body(&self, node: usize) -> Option<Range<usize>> {
        let lists = self.tree.lists(node);
        let (_, statements) = lists.first().filter(|_| !self.tree.is_separated(node))?;
        self.tree.span(statements)
    }

    /// Whether a token stands behind a sign that leads to a member, as in `a.b`.
    pub(super) fn is_member(&self, token: usize) -> bool {
        let sign = token.checked_sub(1).map(|sign| self.text.piece(sign));
        sign.is_some_and(|sign| is_one_of(sign, self.tree.signs(token).members))
    }

    /// The tokens of the node that ends with the name of a member at `token`, and with a sign before that.
    pub(super) fn access(&self, token: usize) -> Option<Range<usize>> {
        let mut around = self.around(token).map(|node| self.tree.tokens(node));
        let around = around.find(|around| around.start + 1 < token)?;
        (self.is_member(token) && around.end == token + 1).then_some(around)
    }

    /// The bracket that closes the one at `token`, where they match.
    pub(super) fn partner(&self, token: usize) -> Option<usize> {
        self.partners.get(&(token as u32)).map(|&close| close as usize)
    }

    /// How many tokens these count as.
    pub(super) fn weight(&self, tokens: Range<usize>) -> u32 {
        tokens.map(|token| self.text.weight(token)).sum()
    }

    /// All pairs of brackets, by the opening ones.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.partners.iter().map(|(&open, &close)| (open as usize, close as usize))
    }

    /// The brackets that nothing closes.
    pub(super) fn unclosed(&self) -> impl Iterator<Item = usize> + '_ {
        self.unclosed.iter().map(|&open| open as usize)
    }

    /// The pairs that open and close in a range.
    pub(super) fn pairs_in(&self, tokens: Range<usize>) -> impl Iterator<Item = (usize, usize)> + '_ {
        let inside = self.partners.range(tokens.start as u32..tokens.end as u32);
        inside.map(|(&open, &close)| (open as usize, close as usize)).filter(move |pair| pair.1 < tokens.end)
    }

    /// The pair in a range that closes last.
    pub(super) fn last_pair(&self, tokens: Range<usize>) -> Option<(usize, usize)> {
        self.pairs_in(tokens).max_by_key(|(_, close)| *close)
    }

    /// Behind the brackets that begin right behind a token, or behind the token.
    pub(super) fn call_end(&self, token: usize) -> usize {
        self.partner(token + 1).unwrap_or(token) + 1
    }

    /// The tokens of a range as one string, with the gaps between them.
    pub(super) fn string(&self, tokens: Range<usize>) -> StandIn {
        self.string_with(tokens, |_| None)
    }

    /// The tokens of a range as one string, with `name` in the place of all names.
    pub(super) fn about(&self, tokens: Range<usize>, name: &Name<'_>) -> StandIn {
        let name = name.string();
        self.string_with(tokens, |token| self.is_name(token).then_some((token + 1, &name)))
    }

    /// The tokens of a range as one string; where `instead` says so, another one stands for the tokens before one.
    pub(super) fn string_with<'s>(
        &self,
        tokens: Range<usize>,
        instead: impl Fn(usize) -> Option<(usize, &'s StandIn)>,
    ) -> StandIn {
        let mut string = StandIn::default();
        let mut token = tokens.start;
        while token < tokens.end {
            if token > tokens.start {
                string.bytes.extend(self.text.gap(token));
            }
            if let Some((behind, with)) = instead(token) {
                string.bytes.extend(&with.bytes);
                string.tokens += with.tokens;
                token = behind;
            } else {
                string.bytes.extend(self.text.piece(token));
                string.tokens += self.text.weight(token);
                token += 1;
            }
        }
        string
    }
}

/// Where the letters of a name stand in a token that has nothing else but signs, in any case.
fn inside(piece: &[u8], name: &[u8]) -> Option<Range<usize>> {
    let start = piece.windows(name.len().max(1)).position(|window| window.eq_ignore_ascii_case(name))?;
    let end = start + name.len();
    (!piece[..start].iter().chain(&piece[end..]).any(|&byte| is_of_word(byte))).then_some(start..end)
}

/// Whether this is letters, digits and `_` only, behind the sign that begins variables of some languages.
pub(super) fn is_word(piece: &[u8], signs: &Signs) -> bool {
    let letters = &piece[signs.sigil(piece)..];
    letters.first().is_some_and(|byte| !byte.is_ascii_digit()) && letters.iter().all(|&byte| is_of_word(byte))
}

/// How many bytes on each side are the quotes of a string with something in it: none where it is only what
/// is between them.
pub(super) fn quote_of(piece: &[u8], is_string: bool) -> Option<usize> {
    match piece {
        [quote @ (b'"' | b'\'' | b'`'), .., end] if quote == end && piece.len() > 2 => Some(1),
        _ if is_string && piece.len() > 1 => Some(0),
        _ => None,
    }
}

/// Ranges without those that lie in others, and in one where they overlap.
pub(super) fn outermost(ranges: impl IntoIterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = ranges.into_iter().collect();
    ranges.sort_by_key(|range| range.start);
    ranges.dedup_by(|range, before| {
        let overlaps = range.start < before.end;
        before.end = if overlaps { before.end.max(range.end) } else { before.end };
        overlaps
    });
    ranges
}

pub(super) fn is_bracket(piece: &[u8]) -> bool {
    matches!(piece, [b'(' | b')' | b'[' | b']' | b'{' | b'}'])
}

/// What tokens are, apart from names.
fn classes(tree: &Tree) -> Vec<Class> {
    let mut classes = alloc::vec![Class::Other; tree.text().len()];
    for (index, node) in tree.nodes().iter().enumerate().filter(|(index, node)| node.is_leaf(*index)) {
        for token in node.tokens() {
            if tree.text().piece(token).first().is_some_and(u8::is_ascii_digit) {
                classes[token] = Class::Number;
            } else if tree.kind(index).string {
                classes[token] = Class::Inside;
            }
        }
    }
    classes
}

/// The brackets that close those that are opened, where they match, and those that nothing closes.
fn partners(text: &Text) -> (BTreeMap<u32, u32>, Vec<u32>) {
    let mut partners = BTreeMap::new();
    let mut unclosed = Vec::new();
    let mut open: Vec<(usize, u32)> = Vec::new();
    // How many of each kind are open, so that one which closes nothing needs no search.
    let mut many = [0; 3];
    for token in 0..text.len() {
        let &[bracket] = text.piece(token) else { continue };
        let kind = |brackets: &[u8; 3]| brackets.iter().position(|&other| other == bracket);
        if let Some(kind) = kind(b"([{") {
            open.push((kind, token as u32));
            many[kind] += 1;
        } else if let Some(kind) = kind(b")]}").filter(|&kind| many[kind] > 0) {
            // One that is missing closes nothing but what is inside of its own.
            while let Some((other, opening)) = open.pop() {
                many[other] -= 1;
                if other == kind {
                    partners.insert(opening, token as u32);
                    break;
                }
                unclosed.push(opening);
            }
        }
    }
    unclosed.extend(open.into_iter().map(|(_, token)| token));
    unclosed.sort_unstable();
    (partners, unclosed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pieces;

    fn found(text: &str) -> (Vec<(u32, u32)>, Vec<u32>) {
        let (pairs, unclosed) = partners(&Text::new(text.into(), Pieces::Bytes));
        (pairs.into_iter().collect(), unclosed)
    }

    #[test]
    fn a_bracket_closes_the_last_of_its_kind_and_those_inside_stay_open() {
        assert_eq!(found("([)]{"), (Vec::from([(0, 2)]), Vec::from([1, 4])));
        assert_eq!(found("(({[))"), (Vec::from([(0, 5), (1, 4)]), Vec::from([2, 3])));
        assert_eq!(found(")(]"), (Vec::new(), Vec::from([1])));
    }

    #[test]
    fn ranges_that_overlap_become_one() {
        assert_eq!(outermost([5..9, 1..3, 6..7, 3..4, 8..10]), [1..3, 3..4, 5..10]);
    }

    #[test]
    fn brackets_that_close_nothing_take_linear_time() {
        let many = 400_000;
        let (pairs, unclosed) = found(&("(".repeat(many) + &"]".repeat(many)));
        assert_eq!((pairs.len(), unclosed.len()), (0, many));
    }
}
