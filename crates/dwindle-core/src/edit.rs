//! Changes of a variant: the one place where tokens go, strings come in their stead, and separators follow.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use crate::range::{narrow, widen};
use crate::text::{Insertion, StandIn};
use crate::tree::{Role, Tree};
use crate::{Subset, Variant};

/// One thing that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Edit {
    /// A whole node is deleted, and a separator beside it.
    Delete(u32),
    /// Tokens are deleted. No separator follows: the rest of what they belong to stays.
    Cut(Range<u32>),
    /// A string stands in for tokens.
    Replace(Range<u32>, Arc<StandIn>),
    /// A token loses this range of its bytes. Several such edits of one token can be made together.
    Trim(u32, Range<u32>),
    /// The gap before a token becomes another one. The number of tokens stands for the gap behind the last one.
    Gap(u32, Arc<[u8]>),
    /// Such a gap loses this range of its bytes. Several such edits of one gap can be made together.
    TrimGap(u32, Range<u32>),
}

impl Edit {
    /// A node is deleted, or the string comes that its role has for it.
    pub(crate) fn removal(tree: &Tree, node: u32) -> Self {
        match tree.role(node as usize) {
            Role::StandIn(string) => {
                Self::replacement(tree.tokens(node as usize), tree.stand_in(string).clone())
            }
            _ => Self::Delete(node),
        }
    }

    /// These tokens are deleted.
    pub fn cut(tokens: Range<usize>) -> Self {
        Self::Cut(narrow(tokens))
    }

    /// `string` stands in for these tokens.
    pub fn replacement(tokens: Range<usize>, string: impl Into<Arc<StandIn>>) -> Self {
        Self::Replace(narrow(tokens), string.into())
    }

    /// `string` stands in for this token.
    pub(crate) fn put(token: usize, string: impl Into<Arc<StandIn>>) -> Self {
        Self::replacement(token..token + 1, string)
    }

    pub(crate) fn trim(token: usize, bytes: Range<usize>) -> Self {
        Self::Trim(token as u32, narrow(bytes))
    }

    /// The gap before a token becomes another one.
    pub(crate) fn gap(token: usize, gap: &[u8]) -> Self {
        Self::Gap(token as u32, gap.into())
    }

    /// The gap before a token loses these bytes.
    pub(crate) fn trim_gap(token: usize, bytes: Range<usize>) -> Self {
        Self::TrimGap(token as u32, narrow(bytes))
    }

    /// The tokens that it is about.
    pub(crate) fn tokens(&self, tree: &Tree) -> Range<u32> {
        match self {
            Self::Delete(node) => narrow(tree.tokens(*node as usize)),
            Self::Cut(tokens) | Self::Replace(tokens, _) => tokens.clone(),
            Self::Trim(token, _) | Self::Gap(token, _) | Self::TrimGap(token, _) => *token..token + 1,
        }
    }

    pub(crate) fn is_replacement(&self) -> bool {
        matches!(self, Self::Replace(..))
    }

    fn is_gap(&self) -> bool {
        matches!(self, Self::Gap(..) | Self::TrimGap(..))
    }
}

/// Edits that are made together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change(pub(crate) Vec<Edit>);

impl Change {
    /// These edits together.
    pub fn new(edits: impl IntoIterator<Item = Edit>) -> Self {
        let is_empty =
            |edit: &Edit| matches!(edit, Edit::Cut(tokens) | Edit::Replace(tokens, _) if tokens.is_empty());
        Self(edits.into_iter().filter(|edit| !is_empty(edit)).collect())
    }

    /// These nodes are deleted.
    pub fn deletion(nodes: impl IntoIterator<Item = u32>) -> Self {
        Self(nodes.into_iter().map(Edit::Delete).collect())
    }

    /// The tokens of these ranges are deleted.
    pub fn cut(ranges: impl IntoIterator<Item = Range<usize>>) -> Self {
        Self::new(ranges.into_iter().map(Edit::cut))
    }

    /// `string` stands in for these tokens.
    pub fn replacement(tokens: Range<usize>, string: impl Into<Arc<StandIn>>) -> Self {
        Self::new([Edit::replacement(tokens, string)])
    }

    /// Of the tokens of `outer` only those of `inner` stay.
    pub fn keep(outer: Range<usize>, inner: Range<usize>) -> Self {
        Self::cut([outer.start..inner.start, inner.end..outer.end])
    }

    /// The edits.
    pub fn edits(&self) -> &[Edit] {
        &self.0
    }

    /// The tokens that are deleted or replaced, without separators.
    pub(crate) fn tokens<'a>(&'a self, tree: &'a Tree) -> impl Iterator<Item = Range<u32>> + 'a {
        self.0.iter().filter(|edit| !edit.is_gap()).map(|edit| edit.tokens(tree))
    }

    /// The tokens of the tree that are no longer there after this change, with separators.
    pub(crate) fn gone(&self, tree: &Tree) -> Vec<Range<usize>> {
        let left = self.apply(tree, &Variant::whole(tree.text().clone()));
        Subset::full(tree.text().len()).without(&left.kept).runs().collect()
    }

    /// Whether it changes nothing but gaps.
    pub(crate) fn is_of_gaps(&self) -> bool {
        !self.0.is_empty() && self.0.iter().all(Edit::is_gap)
    }

    /// Whether no two of the edits are about the same token.
    pub fn is_possible(&self, tree: &Tree) -> bool {
        let mut ranges: Vec<_> = self.0.iter().map(|edit| edit.tokens(tree)).collect();
        ranges.sort_unstable_by_key(|range| range.start);
        ranges.windows(2).all(|pair| pair[0].end <= pair[1].start)
    }

    /// `base` with this change.
    pub fn apply(&self, tree: &Tree, base: &Variant) -> Variant {
        apply(tree, base, &[self])
    }
}

/// `base` with all of `changes`. Where one change deletes the tokens that a string of another stands in for, the
/// string does not come either.
pub(crate) fn apply(tree: &Tree, base: &Variant, changes: &[&Change]) -> Variant {
    let mut variant = base.clone();
    changes.iter().flat_map(|change| change.tokens(tree)).for_each(|tokens| variant.clear(tokens));
    let (mut strings, mut deleted) = (Vec::new(), Vec::new());
    let mut trimmed: BTreeMap<u32, Vec<Range<u32>>> = BTreeMap::new();
    let mut gaps: BTreeMap<usize, &[u8]> = BTreeMap::new();
    let mut trimmed_gaps: BTreeMap<usize, Vec<Range<u32>>> = BTreeMap::new();
    for (index, change) in changes.iter().enumerate() {
        for edit in &change.0 {
            match edit {
                Edit::Delete(node) => deleted.push(*node),
                Edit::Cut(_) => {}
                Edit::Replace(tokens, string) => {
                    let at = tokens.start;
                    let mut others = changes.iter().enumerate().filter(|(other, _)| *other != index);
                    if !others.any(|(_, other)| other.tokens(tree).any(|tokens| tokens.contains(&at))) {
                        strings.push(Insertion { at, string: string.clone() });
                    }
                }
                Edit::Trim(token, bytes) => trimmed.entry(*token).or_default().push(bytes.clone()),
                Edit::Gap(token, gap) => {
                    gaps.insert(*token as usize, gap);
                }
                Edit::TrimGap(token, bytes) => {
                    trimmed_gaps.entry(*token as usize).or_default().push(bytes.clone());
                }
            }
        }
    }
    strings.extend(trimmed.into_iter().map(|(at, mut trims)| {
        let bytes = rest(tree.text().piece(at as usize), &mut trims);
        let tokens = weight_of(&bytes, tree.text().weight(at as usize));
        Insertion { at, string: StandIn { bytes, tokens }.into() }
    }));
    if !strings.is_empty() {
        variant.insertions.extend(strings);
        variant.insertions.sort_by_key(|place| place.at);
    }
    deleted.sort_unstable();
    deleted.dedup();
    tree.settle_separators(&deleted, &mut variant);
    let less =
        |(token, mut trims): (usize, Vec<Range<u32>>)| (token, rest(tree.text().gap(token), &mut trims));
    let trimmed_gaps: Vec<(usize, Vec<u8>)> = trimmed_gaps.into_iter().map(less).collect();
    gaps.extend(trimmed_gaps.iter().map(|(token, gap)| (*token, &gap[..])));
    if !gaps.is_empty() {
        variant.text = variant.text.with_gaps(gaps).into();
    }
    variant
}

/// Which of the changes of a sequence can be made together: each that is about no token that one before it
/// deletes or replaces.
#[derive(Debug)]
pub(crate) struct Compatible<'a> {
    tree: &'a Tree,
    kept: Subset,
    trimmed: Subset,
    /// One more than there are tokens: those that become others, and those that lose something.
    gaps: Subset,
    trimmed_gaps: Subset,
}

impl<'a> Compatible<'a> {
    pub(crate) fn new(tree: &'a Tree) -> Self {
        let tokens = tree.text().len();
        let (kept, trimmed) = (Subset::full(tokens), Subset::empty(tokens));
        let (gaps, trimmed_gaps) = (Subset::empty(tokens + 1), Subset::empty(tokens + 1));
        Self { tree, kept, trimmed, gaps, trimmed_gaps }
    }

    /// Adds `change` if that is possible. Whether it is.
    pub(crate) fn add(&mut self, change: &Change) -> bool {
        let is_free = |edit: &Edit| match edit {
            Edit::Gap(token, _) => {
                !self.gaps.contains(*token as usize) && !self.trimmed_gaps.contains(*token as usize)
            }
            Edit::TrimGap(token, _) => !self.gaps.contains(*token as usize),
            Edit::Trim(token, _) if self.trimmed.contains(*token as usize) => true,
            edit => {
                let tokens = widen(&edit.tokens(self.tree));
                self.kept.count(tokens.clone()) == tokens.len()
            }
        };
        if !change.0.iter().all(is_free) {
            return false;
        }
        for edit in &change.0 {
            match edit {
                Edit::Gap(token, _) => self.gaps.insert(*token as usize),
                Edit::TrimGap(token, _) => self.trimmed_gaps.insert(*token as usize),
                Edit::Trim(token, _) => self.trimmed.insert(*token as usize),
                _ => {}
            }
            if !edit.is_gap() {
                self.kept.remove_range(widen(&edit.tokens(self.tree)));
            }
        }
        true
    }
}

/// What is left of a token without some ranges of its bytes.
pub(crate) fn rest(piece: &[u8], trims: &mut [Range<u32>]) -> Vec<u8> {
    trims.sort_unstable_by_key(|trim| trim.start);
    let mut bytes = Vec::with_capacity(piece.len());
    let mut at = 0;
    for trim in trims {
        bytes.extend_from_slice(&piece[at..trim.start as usize]);
        at = trim.end as usize;
    }
    bytes.extend_from_slice(&piece[at..]);
    bytes
}

/// How many tokens count what is left of one that counts as `weight`: quotes and what is between them may
/// be one piece here, but are up to three.
pub(crate) fn weight_of(bytes: &[u8], weight: u32) -> u32 {
    match bytes {
        [] => 0,
        [_, _] => weight.min(2),
        // Escapes are tokens of their own in some languages.
        _ if bytes.contains(&b'\\') => weight,
        _ => weight.min(3),
    }
}
