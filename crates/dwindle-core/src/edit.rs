//! Changes of a variant: the one place where tokens go, strings come in their stead, and separators follow.

use alloc::vec::Vec;
use core::ops::Range;

use crate::tree::Tree;
use crate::{Place, Variant};

/// One thing that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Edit {
    /// A whole node goes, and a separator beside it.
    Delete(u32),
    /// Tokens go. No separator follows: the rest of what they belong to stays.
    Cut(Range<u32>),
    /// A string of the text, by its number, stands in for tokens.
    Replace(Range<u32>, u32),
}

impl Edit {
    /// The tokens that go.
    pub(crate) fn tokens(&self, tree: &Tree) -> Range<u32> {
        match self {
            Self::Delete(node) => {
                let tokens = tree.nodes()[*node as usize].tokens();
                tokens.start as u32..tokens.end as u32
            }
            Self::Cut(tokens) | Self::Replace(tokens, _) => tokens.clone(),
        }
    }
}

/// Edits that are made together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Change(pub(crate) Vec<Edit>);

impl Change {
    /// These nodes go.
    pub(crate) fn deletion(nodes: impl IntoIterator<Item = u32>) -> Self {
        Self(nodes.into_iter().map(Edit::Delete).collect())
    }

    /// Of the tokens of `outer` only those of `inner` stay.
    pub(crate) fn keep(outer: Range<u32>, inner: Range<u32>) -> Self {
        Self(alloc::vec![Edit::Cut(outer.start..inner.start), Edit::Cut(inner.end..outer.end)])
    }

    /// The tokens that go.
    pub(crate) fn tokens<'a>(&'a self, tree: &'a Tree) -> impl Iterator<Item = Range<u32>> + 'a {
        self.0.iter().map(|edit| edit.tokens(tree))
    }

    /// `base` with this change.
    pub(crate) fn apply(&self, tree: &Tree, base: &Variant) -> Variant {
        apply(tree, base, &[self])
    }
}

/// `base` with all of `changes`. Where one change takes out the tokens that a string of another stands in for,
/// the string does not come either.
pub(crate) fn apply(tree: &Tree, base: &Variant, changes: &[&Change]) -> Variant {
    let mut variant = base.clone();
    changes.iter().flat_map(|change| change.tokens(tree)).for_each(|tokens| variant.clear(tokens));
    let strings = variant.places.len();
    for (index, change) in changes.iter().enumerate() {
        for edit in &change.0 {
            let &Edit::Replace(Range { start: at, .. }, stand_in) = edit else { continue };
            let mut others = changes.iter().enumerate().filter(|(other, _)| *other != index);
            if !others.any(|(_, other)| other.tokens(tree).any(|tokens| tokens.contains(&at))) {
                variant.places.push(Place { at, stand_in });
            }
        }
    }
    if variant.places.len() > strings {
        variant.places.sort_unstable_by_key(|place| place.at);
    }
    let deleted = changes.iter().flat_map(|change| &change.0).filter_map(|edit| match edit {
        Edit::Delete(node) => Some(*node),
        Edit::Cut(_) | Edit::Replace(..) => None,
    });
    let mut deleted: Vec<u32> = deleted.collect();
    deleted.sort_unstable();
    deleted.dedup();
    tree.settle_separators(&deleted, &mut variant);
    variant
}
