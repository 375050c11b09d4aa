//! Of what a tree is put together, where it is of several texts.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::node::Slot;
use crate::lexicon::{Kind, Signs};
use crate::{Quotes, StandIn};

/// A part of a tree: its tokens are of one language.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) first_token: u32,
    pub(super) quotes: Quotes,
    pub(super) signs: Signs,
    pub(super) guesses_names: bool,
}

/// What the trees that were grafted have brought.
#[derive(Debug, Default)]
pub(super) struct Grafted {
    pub(super) languages: Vec<Language>,
    pub(super) slots: Vec<Slot>,
    pub(super) minimal: Vec<Option<u32>>,
    pub(super) stand_ins: Vec<Arc<StandIn>>,
    pub(super) parts: Vec<Part>,
    /// One more than the highest number of a list.
    pub(super) lists: u32,
    pub(super) errors: Option<u64>,
}

/// What trees of one language have in common: the numbers of their kinds and slots.
#[derive(Debug)]
pub(super) struct Language {
    pub(super) kinds: Vec<Kind>,
    pub(super) kinds_from: u32,
    /// By the language's own numbers of the kinds, and by the string of the grammar.
    pub(super) slots: BTreeMap<(Vec<u32>, Option<Vec<u8>>), u32>,
}
