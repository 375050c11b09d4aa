//! What tokens are, as far as their letters and the grammar's kinds tell: names, numbers, strings and
//! brackets of any language.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

use crate::{How, Text, Tree};

/// The tokens of a tree.
pub(super) struct Lexical<'a> {
    pub(super) tree: &'a Tree,
    pub(super) text: &'a Text,
    /// What each token is.
    classes: Vec<Class>,
    /// The partner of each bracket.
    partners: BTreeMap<u32, u32>,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Name,
    Number,
    /// What is between quotes that are tokens of their own.
    Inside,
    Other,
}

impl<'a> Lexical<'a> {
    pub(super) fn new(tree: &'a Tree) -> Self {
        let text: &Text = tree.text();
        let mut classes = alloc::vec![Class::Other; text.len()];
        for (index, node) in tree
            .nodes()
            .iter()
            .enumerate()
            .filter(|(index, node)| node.is_leaf(*index) && !node.tokens().is_empty())
        {
            let token = node.tokens().start;
            let piece = text.piece(token);
            if piece.first().is_some_and(u8::is_ascii_digit) {
                classes[token] = Class::Number;
            } else if tree.names().is_empty() && is_word(piece) && is_called_a_name(tree.kind_name(index)) {
                classes[token] = Class::Name;
            } else if tree.kind_name(index).contains("string") {
                classes[token] = Class::Inside;
            }
        }
        for mention in tree.names().mentions().iter().filter(|mention| mention.how != How::Weak) {
            if tree.names().spelling(mention.name) == text.piece(mention.token as usize) {
                classes[mention.token as usize] = Class::Name;
            }
        }
        Self { tree, text, classes, partners: partners(text) }
    }

    pub(super) fn is_name(&self, token: usize) -> bool {
        self.classes[token] == Class::Name
    }

    pub(super) fn is_number(&self, token: usize) -> bool {
        self.classes[token] == Class::Number
    }

    /// Whether it is what is between the quotes of a string, or a part of that.
    pub(super) fn is_string(&self, token: usize) -> bool {
        self.classes[token] == Class::Inside
    }

    /// How many tokens these count as.
    pub(super) fn weight(&self, tokens: Range<usize>) -> u32 {
        tokens.map(|token| self.text.weight(token)).sum()
    }

    /// All pairs of brackets, by the opening ones.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.partners.iter().map(|(&open, &close)| (open as usize, close as usize))
    }

    /// Those of them that open and close in a range.
    pub(super) fn pairs_in(&self, tokens: Range<usize>) -> impl Iterator<Item = (usize, usize)> + '_ {
        let inside = self.partners.range(tokens.start as u32..tokens.end as u32);
        inside.map(|(&open, &close)| (open as usize, close as usize)).filter(move |pair| pair.1 < tokens.end)
    }

    /// Whether no bracket of these tokens has its partner elsewhere.
    pub(super) fn is_balanced(&self, tokens: Range<usize>) -> bool {
        let brackets = tokens
            .clone()
            .filter(|&token| matches!(self.text.piece(token), [bracket] if b"()[]{}".contains(bracket)));
        brackets.count() == 2 * self.pairs_in(tokens).count()
    }

    /// The tokens that mention each name, by its letters.
    pub(super) fn names(&self) -> BTreeMap<&'a [u8], Vec<usize>> {
        let mut names: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
        for token in (0..self.text.len()).filter(|&token| self.is_name(token)) {
            names.entry(self.text.piece(token)).or_default().push(token);
        }
        names
    }

    /// The tokens of a range as one string, with the gaps between them.
    pub(super) fn string(&self, tokens: Range<usize>) -> crate::StandIn {
        let weight = self.weight(tokens.clone());
        let bytes = match (tokens.clone().next(), tokens.clone().last()) {
            (Some(first), Some(last)) => {
                &self.text.bytes()[self.text.span(first).start..self.text.span(last).end]
            }
            _ => &[],
        };
        crate::StandIn { bytes: bytes.to_vec(), tokens: weight }
    }
}

/// Whether this is letters, digits and `_` only, or what begins variables of some languages.
fn is_word(piece: &[u8]) -> bool {
    let letters = piece.strip_prefix(b"$").or(piece.strip_prefix(b"@")).unwrap_or(piece);
    letters.first().is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | 0x80..))
        && letters.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | 0x80..))
}

/// Whether grammars call a leaf of this kind a name.
fn is_called_a_name(kind: &str) -> bool {
    ["identifier", "name", "word", "atom", "symbol", "variable", "constant"]
        .iter()
        .any(|called| kind.contains(called))
}

/// The brackets that close those that are opened, where they match.
fn partners(text: &Text) -> BTreeMap<u32, u32> {
    let mut partners = BTreeMap::new();
    let mut open: Vec<(u8, u32)> = Vec::new();
    for token in 0..text.len() {
        let &[bracket] = text.piece(token) else { continue };
        match bracket {
            b'(' => open.push((b')', token as u32)),
            b'[' => open.push((b']', token as u32)),
            b'{' => open.push((b'}', token as u32)),
            b')' | b']' | b'}' => {
                // One that is missing closes nothing but what is inside of its own.
                if let Some(at) = open.iter().rposition(|(close, _)| *close == bracket) {
                    partners.insert(open[at].1, token as u32);
                    open.truncate(at);
                }
            }
            _ => {}
        }
    }
    partners
}
