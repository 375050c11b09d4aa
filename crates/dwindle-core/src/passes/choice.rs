//! What a pass proposes: places with ordered alternatives, and how those that are taken become a variant.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::edit::{Change, Compatible};
use crate::{Tree, Variant};

/// A place where something can be done, in one of several ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The ways, in the order in which they are tried.
    pub alternatives: Vec<Change>,
}

impl Choice {
    /// A choice with one alternative.
    pub fn one(change: Change) -> Self {
        Self { alternatives: alloc::vec![change] }
    }

    /// A choice between these, unless there are none.
    pub(super) fn between(alternatives: Vec<Change>) -> Option<Self> {
        (!alternatives.is_empty()).then_some(Self { alternatives })
    }
}

/// An alternative of a choice, by their numbers.
pub(super) type Taken = (u32, u32);

/// Choices over one tree.
#[derive(Clone, Debug)]
pub(super) struct Menu {
    tree: Arc<Tree>,
    choices: Arc<Vec<Choice>>,
}

impl Menu {
    pub(super) fn new(tree: Arc<Tree>) -> Self {
        Self { tree, choices: Arc::default() }
    }

    /// More choices, behind those that are there.
    pub(super) fn extend(&mut self, choices: Vec<Choice>) {
        Arc::make_mut(&mut self.choices).extend(choices);
    }

    pub(super) fn choices(&self) -> &[Choice] {
        &self.choices
    }

    pub(super) fn change(&self, (choice, alternative): Taken) -> &Change {
        &self.choices[choice as usize].alternatives[alternative as usize]
    }

    /// The variant in which the alternatives `taken` are taken, and those of them that are
    /// [compatible](Compatible) with the ones before them.
    pub(super) fn variant(&self, taken: impl IntoIterator<Item = Taken>) -> (Variant, Vec<Taken>) {
        let mut compatible = Compatible::new(&self.tree);
        let mut made: Vec<Taken> = taken.into_iter().collect();
        made.retain(|&taken| {
            self.tree.text().cancellation().check();
            compatible.add(self.change(taken))
        });
        let edits = made.iter().flat_map(|&taken| self.change(taken).edits()).cloned();
        let variant = Change::new(edits).apply(&self.tree, &Variant::whole(self.tree.text().clone()));
        (variant, made)
    }
}
