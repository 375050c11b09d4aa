//! A work item: a place that is being looked at, with how much goes along; and its question.

use alloc::vec::Vec;

use super::closure::ClosureDepth;
use crate::Variant;
use crate::edit::Change;
use crate::memory::Key;
use crate::residual::Alternative;
use crate::walk::{Elements, Work};

/// A place that is being looked at.
#[derive(Clone, Debug)]
pub(super) struct WorkItem {
    pub(super) work: Work,
    /// How much is deleted together with what it deletes.
    pub(super) depth: ClosureDepth,
}

/// What is asked about a base.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) change: Change,
    /// The base with it.
    pub(super) variant: Variant,
    /// What the memory knows it by.
    pub(super) key: Option<Key>,
}

impl WorkItem {
    /// The one that deletes `node`.
    pub(super) fn deleting(node: usize, depth: ClosureDepth) -> Self {
        Self { work: Work::at(node, alloc::vec![Alternative::Delete]), depth }
    }

    /// The nodes that the question deletes, without what goes along; none where it does something else.
    pub(super) fn deleted(&self) -> Option<Vec<u32>> {
        match &self.work {
            Work::List { what: Elements::Nodes, .. } => {
                Some(self.work.gone().iter().map(|element| element.node).collect())
            }
            work => match work.alternative() {
                Some((node, Alternative::Delete)) => Some(alloc::vec![node as u32]),
                _ => None,
            },
        }
    }
}
