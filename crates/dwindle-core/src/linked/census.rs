//! How often names are introduced and used, and which are lost with what is deleted.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::closure::Tied;
use super::graph::{Graph, Symbol};
use crate::Variant;
use crate::names::How;
use crate::tree::Tree;

/// How many tokens introduce and use each symbol.
#[derive(Clone, Debug)]
pub(super) struct Census(Vec<Count>);

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    intros: u32,
    /// How many of `intros` have a body.
    bodies: u32,
    uses: u32,
}

impl Census {
    pub(super) fn of(graph: &Graph, tree: &Tree, variant: &Variant) -> Self {
        let stands = |mention: &&u32| variant.kept.contains(tree.names().token(**mention as usize));
        let count = |mentions: &[u32]| mentions.iter().filter(stands).count() as u32;
        let of_symbol = |symbol: &Symbol| {
            let bodies = symbol.intros.iter().filter(|&&intro| graph.has_body(intro as usize));
            let bodies = bodies.filter(stands).count() as u32;
            Count { intros: count(&symbol.intros), bodies, uses: count(&symbol.uses) }
        };
        Self(graph.symbols().iter().map(of_symbol).collect())
    }

    /// Whether a symbol is introduced, and one token at most uses it.
    pub(super) fn is_used_once(&self, symbol: usize) -> bool {
        let Count { intros, uses, .. } = self.0[symbol];
        intros > 0 && uses <= 1
    }

    /// These mentions have gone.
    pub(super) fn take(&mut self, graph: &Graph, tree: &Tree, gone: &[usize]) {
        let mut counts = Gone::default();
        gone.iter().for_each(|&index| counts.note(graph, tree, index));
        for (symbol, Count { intros, bodies, uses }) in counts.0 {
            self.0[symbol].intros -= intros;
            self.0[symbol].bodies -= bodies;
            self.0[symbol].uses -= uses;
        }
    }
}

/// How many tokens of each symbol are deleted.
#[derive(Default)]
pub(super) struct Gone(BTreeMap<usize, Count>);

impl Gone {
    /// This mention goes.
    pub(super) fn note(&mut self, graph: &Graph, tree: &Tree, index: usize) {
        match tree.names().mentions()[index].how {
            How::Introduces => {
                for symbol in graph.symbols_of(tree, index) {
                    let count = self.0.entry(symbol).or_default();
                    count.intros += 1;
                    count.bodies += u32::from(graph.has_body(index));
                }
            }
            How::Uses => {
                if let Some(symbol) = graph.symbol_of(index) {
                    self.0.entry(symbol).or_default().uses += 1;
                }
            }
            How::Weak => {}
        }
    }

    fn count(&self, symbol: usize) -> Count {
        self.0.get(&symbol).copied().unwrap_or_default()
    }
}

impl Tied<'_> {
    /// Whether nothing introduces a symbol any more without what has gone, or, if bodies are wanted, nothing with a body.
    pub(super) fn is_lost(self, symbol: usize, gone: &Gone) -> bool {
        let (there, gone) = (self.census.0[symbol], gone.count(symbol));
        let is_lost = |there: u32, gone: u32| gone > 0 && gone >= there;
        is_lost(there.intros, gone.intros) || self.wants_bodies && is_lost(there.bodies, gone.bodies)
    }

    /// How many uses of a symbol are left without what has gone.
    pub(super) fn uses_left(self, symbol: usize, gone: &Gone) -> u32 {
        self.census.0[symbol].uses.saturating_sub(gone.count(symbol).uses)
    }

    /// Whether `after` has dangling references: uses of a name whose declarations were deleted.
    pub(super) fn leaves_dangling(self, after: &Variant) -> bool {
        !self.lost(after).is_empty()
    }

    /// The symbols that are used in `after` though their declarations were deleted.
    pub(super) fn lost(self, after: &Variant) -> Vec<usize> {
        let mut gone = Gone::default();
        for index in self.graph.gone(self.variant, after) {
            gone.note(self.graph, self.tree, index);
        }
        let is_lost = |&symbol: &usize| {
            self.is_lost(symbol, &gone)
                && self.uses_left(symbol, &gone) > 0
                && !self.is_known_around(symbol, &gone)
        };
        gone.0.keys().copied().filter(is_lost).collect()
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
            let left = self.census.0[other].intros - gone.count(other).intros;
            let is_around = |around: usize| around < *scope && self.tree.subtree(around).contains(scope);
            left > 0 && symbols[other].scope.is_some_and(is_around)
        })
    }
}
