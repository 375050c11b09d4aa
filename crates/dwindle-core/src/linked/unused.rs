//! What nothing uses any more.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::Links;
use crate::names::How;
use crate::{Subset, Tree, Variant};

impl Links {
    /// The declarations of the file, as far as they stand in `variant`, whose names nothing uses but they themselves;
    /// with `before`, of those only the ones that lost a use since then. Whatever loses its last use with one of them
    /// is among them.
    pub(crate) fn unused(&self, tree: &Tree, before: Option<&Variant>, variant: &Variant) -> Vec<u32> {
        let mut left = variant.kept.clone();
        let mut found = BTreeSet::new();
        let mut looked_at: Vec<usize> = match before {
            Some(before) => self.used_by(tree, &before.kept.without(&left)),
            None => (0..self.graph.symbols().len()).collect(),
        };
        while let Some(symbol) = looked_at.pop() {
            for declaration in self.declarations(tree, symbol) {
                let tokens = tree.tokens(declaration);
                if left.count(tokens.clone()) == 0 || self.is_used(tree, declaration, &left) {
                    continue;
                }
                found.insert(declaration as u32);
                let before = left.clone();
                left.remove_range(tokens);
                let gone = before.without(&left);
                looked_at.extend(self.used_by(tree, &gone));
            }
        }
        found.into_iter().collect()
    }

    /// Those of `nodes` that can be deleted together as far as names go, and lie in no other. One that introduces what
    /// is used elsewhere gives way to those inside of it.
    pub(crate) fn deletable_together(&self, tree: &Tree, nodes: Vec<u32>) -> Vec<u32> {
        let mut nodes = nodes;
        loop {
            let outermost = tree.outermost(nodes.clone());
            let mut left = Subset::full(tree.text().len());
            outermost.iter().for_each(|&node| left.remove_range(tree.tokens(node as usize)));
            let is_used = |node: &u32| self.is_used(tree, *node as usize, &left);
            let needed: BTreeSet<u32> = outermost.iter().copied().filter(is_used).collect();
            if needed.is_empty() {
                return outermost;
            }
            nodes.retain(|node| !needed.contains(node));
        }
    }

    /// The symbols that `node` introduces for the whole file.
    fn introduced_by(&self, tree: &Tree, node: usize) -> impl Iterator<Item = usize> {
        let mentions = self.graph.mentions_in(tree.tokens(node));
        let introduces = |&mention: &usize| tree.names().introduces(mention);
        let symbols = mentions.filter(introduces).filter_map(|mention| self.graph.symbol_of(mention));
        symbols.filter(|&symbol| self.graph.symbols()[symbol].scope == Some(0))
    }

    /// The symbols that these tokens use.
    fn used_by(&self, tree: &Tree, tokens: &Subset) -> Vec<usize> {
        let uses = |&mention: &usize| tree.names().mentions()[mention].how == How::Uses;
        let mentions = tokens.runs().flat_map(|run| self.graph.mentions_in(run)).filter(uses);
        mentions.flat_map(|mention| self.symbols(tree, mention)).collect()
    }

    /// What a mention may be about: one symbol, or where no scope tells, all of its name.
    fn symbols(&self, tree: &Tree, mention: usize) -> Vec<usize> {
        let name = tree.names().mentions()[mention].name;
        match self.graph.symbol_of(mention) {
            Some(symbol) if self.graph.symbols()[symbol].scope.is_some() => alloc::vec![symbol],
            _ => {
                let introducing = self.graph.introducing(tree.names(), name);
                introducing.filter_map(|mention| self.graph.symbol_of(mention)).collect()
            }
        }
    }

    /// The declarations at the top of the file that introduce a symbol there.
    fn declarations(&self, tree: &Tree, symbol: usize) -> Vec<usize> {
        let symbol = &self.graph.symbols()[symbol];
        if symbol.scope != Some(0) {
            return Vec::new();
        }
        let around = symbol.intros.iter().filter_map(|&intro| {
            let leaf = self.graph.leaf(tree.names().token(intro as usize));
            let statements = core::iter::successors(self.graph.statement(leaf), |&node| {
                self.graph.statement(tree.parent(node)?)
            });
            statements.last()
        });
        around.collect()
    }

    /// The other declarations of what `node` introduces for the whole file and has statements for: nobody can use a
    /// function without its body.
    pub(crate) fn declared_beside(&self, tree: &Tree, node: u32) -> Vec<u32> {
        if !tree.subtree(node as usize).skip(1).any(|inside| self.is_statement(inside)) {
            return Vec::new();
        }
        let symbols = self.introduced_by(tree, node as usize);
        let all = symbols.flat_map(|symbol| self.declarations(tree, symbol)).map(|node| node as u32);
        all.filter(|&other| other != node).collect()
    }

    /// Whether `node` is a statement, a declaration or the like.
    pub(crate) fn is_statement(&self, node: usize) -> bool {
        self.graph.statement(node) == Some(node)
    }

    /// Whether a name that `declaration` introduces for the whole file is mentioned outside of what introduces it.
    fn is_used(&self, tree: &Tree, declaration: usize, left: &Subset) -> bool {
        let mentions = tree.names().mentions();
        let stands_outside = |symbol: usize| {
            let own: Vec<_> = self.declarations(tree, symbol).iter().map(|&node| tree.tokens(node)).collect();
            let name =
                self.graph.symbols()[symbol].intros.first().map(|&intro| mentions[intro as usize].name);
            let all = name.into_iter().flat_map(|name| self.graph.mentions_by_name(name));
            // A use may be about something else of this name that is closer; in C, not so where types and members have
            // one name. Where something was misread, what uses a name may look as if it introduced it.
            all.map(|&mention| mention as usize).any(|mention| {
                let token = tree.names().token(mention);
                let about = self.graph.symbol_of(mention);
                left.contains(token)
                    && !own.iter().any(|tokens| tokens.contains(&token))
                    && (mentions[mention].how == How::Uses || about == Some(symbol))
            })
        };
        self.introduced_by(tree, declaration).any(stands_outside)
    }
}
