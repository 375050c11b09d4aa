//! How often names are introduced and used, and how often they still are without what is deleted.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

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

    /// Whether nothing introduces a symbol any more without what has gone, or, if bodies are wanted, nothing with a body.
    pub(super) fn is_lost(&self, symbol: usize, gone: &Gone, wants_bodies: bool) -> bool {
        let (there, gone) = (self.0[symbol], gone.count(symbol));
        let is_lost = |there: u32, gone: u32| gone > 0 && gone >= there;
        is_lost(there.intros, gone.intros) || wants_bodies && is_lost(there.bodies, gone.bodies)
    }

    /// Whether something introduces a symbol without what has gone.
    pub(super) fn is_introduced(&self, symbol: usize, gone: &Gone) -> bool {
        self.0[symbol].intros > gone.count(symbol).intros
    }

    /// Whether something uses a symbol without what has gone.
    pub(super) fn is_used(&self, symbol: usize, gone: &Gone) -> bool {
        self.0[symbol].uses > gone.count(symbol).uses
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

    /// The symbols that have lost something.
    pub(super) fn symbols(&self) -> impl Iterator<Item = usize> {
        self.0.keys().copied()
    }

    fn count(&self, symbol: usize) -> Count {
        self.0.get(&symbol).copied().unwrap_or_default()
    }
}
