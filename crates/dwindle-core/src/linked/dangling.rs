//! Dangling references: uses of names whose declarations were deleted.

use alloc::vec::Vec;

use super::census::Gone;
use super::closure::Tied;
use super::graph::Symbol;
use crate::Variant;

impl Tied<'_> {
    pub(super) fn leaves_dangling(self, after: &Variant) -> bool {
        !self.lost(after).is_empty()
    }

    /// The symbols that are used in `after` though their declarations were deleted.
    pub(super) fn lost(self, after: &Variant) -> Vec<usize> {
        let mut gone = Gone::default();
        for mention in self.graph.gone(self.variant, after) {
            gone.note(self.graph, self.tree, mention);
        }
        let is_lost = |&symbol: &usize| {
            self.census.is_lost(symbol, &gone, self.wants_bodies)
                && self.census.is_used(symbol, &gone)
                && !self.is_known_around(symbol, &gone)
        };
        gone.symbols().filter(is_lost).collect()
    }

    /// Whether the name of `symbol` stays introduced in a scope around its own.
    fn is_known_around(self, symbol: usize, gone: &Gone) -> bool {
        let names = self.tree.names();
        let symbols = self.graph.symbols();
        let Symbol { scope: Some(scope), intros, .. } = &symbols[symbol] else { return false };
        let Some(&intro) = intros.first() else { return false };
        let others = self.graph.introducing(names, names.mentions()[intro as usize].name);
        let mut others = others.filter_map(|mention| self.graph.symbol_of(mention));
        others.any(|other| {
            let is_around = |around: usize| around < *scope && self.tree.subtree(around).contains(scope);
            self.census.is_introduced(other, gone) && symbols[other].scope.is_some_and(is_around)
        })
    }
}
