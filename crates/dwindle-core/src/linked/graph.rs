//! Who mentions whom: the names of a tree, resolved by the nesting of scopes.
//!
//! A *symbol* is a name within a scope, with the tokens that introduce it and those that use it. A use
//! belongs to the innermost scope around it that introduces its name; where there is none (members, or
//! a scope that we do not see), it belongs to all that introduce the name, where some of them come before it.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::ops::Range;

use crate::buckets::Buckets;
use crate::lexicon::is_one_of;
use crate::names::{How, Mention, Names};
use crate::tree::{NONE, Role, Tree, some};
use crate::{Subset, Variant};

/// How many scopes around a use are looked at.
const SCOPES: usize = 64;

/// The graph of a tree's names.
#[derive(Debug)]
pub(super) struct Graph {
    /// The leaf of each token.
    leaves: Vec<u32>,
    /// Of each node the nearest one, itself included, that can go.
    items: Vec<u32>,
    /// Of each node the nearest one, itself included, that is an element of a list without separators,
    /// and more than a token.
    statements: Vec<u32>,
    /// Elements that belong to the one behind them.
    attributes: Subset,
    /// The mentions of each token, one more than there are tokens.
    mentions_of: Vec<u32>,
    /// The symbol that each mention introduces or uses.
    of_mention: Vec<u32>,
    /// The mentions that introduce something in a statement with statements in it, as in a function with its body.
    bodies: Subset,
    symbols: Vec<Symbol>,
    /// The mentions of each name, but for weak ones.
    by_name: Buckets,
    /// The symbol that stands for all of a name, where uses need it.
    any: BTreeMap<u32, u32>,
}

/// A name within a scope.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    /// The scope; none for a name wherever it is introduced.
    pub(super) scope: Option<usize>,
    /// The mentions that introduce it, in the order of the text.
    pub(super) intros: Vec<u32>,
    /// Those that use it.
    pub(super) uses: Vec<u32>,
}

impl Graph {
    /// The graph of `tree`, in time linear in its nodes and mentions.
    pub(super) fn new(tree: &Tree) -> Self {
        let mentions = tree.names().mentions();
        let elements = tree.statements();
        let first_of =
            |token: usize| mentions.partition_point(|mention| (mention.token as usize) < token) as u32;
        let names = mentions.iter().map(|mention| (mention.how != How::Weak).then_some(mention.name));
        let mut graph = Self {
            leaves: leaves(tree),
            items: nearest(tree, |node| tree.role(node) == Role::Deletable),
            statements: nearest(tree, |node| elements.contains(node)),
            attributes: attributes(tree),
            mentions_of: (0..=tree.text().len()).map(first_of).collect(),
            of_mention: alloc::vec![NONE; mentions.len()],
            bodies: Subset::empty(mentions.len()),
            symbols: Vec::new(),
            by_name: Buckets::new(tree.names().len(), names),
            any: BTreeMap::new(),
        };
        graph.resolve(tree, mentions);
        for (index, mention) in mentions.iter().enumerate() {
            let statement = graph.statement(graph.leaf(mention.token as usize));
            let has_body = |statement: usize| {
                let inside = tree.subtree(statement);
                elements.next_from(statement + 1).is_some_and(|next| next < inside.end)
            };
            if mention.how == How::Introduces && statement.is_some_and(has_body) {
                graph.bodies.insert(index);
            }
        }
        graph
    }

    fn resolve(&mut self, tree: &Tree, mentions: &[Mention]) {
        let scopes = nearest(tree, |node| node == 0 || tree.is_scope(node));
        let mut known: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        let mut introducing: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (index, mention) in (0..).zip(mentions) {
            if mention.how != How::Introduces {
                continue;
            }
            let scope = self.scope_of(tree, &scopes, mention.token as usize);
            let symbol = *known.entry((scope, mention.name)).or_insert_with(|| {
                self.symbols.push(Symbol {
                    scope: Some(scope as usize),
                    intros: Vec::new(),
                    uses: Vec::new(),
                });
                self.symbols.len() as u32 - 1
            });
            self.symbols[symbol as usize].intros.push(index);
            self.of_mention[index as usize] = symbol;
            introducing.entry(mention.name).or_default().push(index);
        }
        for (index, mention) in (0..).zip(mentions) {
            tree.text().cancellation().check();
            if mention.how != How::Uses || !introducing.contains_key(&mention.name) {
                continue;
            }
            let leaf = self.leaves[mention.token as usize] as usize;
            let around = core::iter::successors(Some(scopes[leaf] as usize), |&scope| {
                Some(scopes[tree.parent(scope)?] as usize)
            });
            let found =
                around.take(SCOPES).find_map(|scope| known.get(&(scope as u32, mention.name)).copied());
            // What was mentioned before all that introduces the name came from elsewhere, unless that is in another file.
            let comes_first = |intros: &[u32]| {
                let last = mentions[intros[intros.len() - 1] as usize].token as usize;
                intros[0] > index && tree.are_together(last, mention.token as usize)
            };
            if found.is_none() && comes_first(&introducing[&mention.name]) {
                continue;
            }
            let symbol = found.unwrap_or_else(|| {
                *self.any.entry(mention.name).or_insert_with(|| {
                    let intros = introducing[&mention.name].clone();
                    self.symbols.push(Symbol { scope: None, intros, uses: Vec::new() });
                    self.symbols.len() as u32 - 1
                })
            });
            self.symbols[symbol as usize].uses.push(index);
            self.of_mention[index as usize] = symbol;
        }
    }

    /// The scope in which a token introduces a name: around the scope that bears this name itself.
    fn scope_of(&self, tree: &Tree, scopes: &[u32], token: usize) -> u32 {
        let scope = scopes[self.leaves[token] as usize];
        let Some(parent) = tree.parent(scope as usize) else { return scope };
        // A loop or a closure has no name; what it introduces first is known inside.
        if tree.kind(scope as usize).nameless {
            return scope;
        }
        let first = tree.tokens(scope as usize).start;
        let opens = |token: usize| matches!(tree.text().piece(token), b"(" | b"[" | b"{");
        let called =
            token + 1 < tree.text().len() && is_one_of(tree.text().piece(token + 1), tree.signs(token).calls);
        let bears = called || !(first..token).any(opens);
        if bears { scopes[parent] } else { scope }
    }

    pub(super) fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// The mentions of the tokens of a range.
    pub(super) fn mentions_in(&self, tokens: Range<usize>) -> Range<usize> {
        self.mentions_of[tokens.start] as usize..self.mentions_of[tokens.end] as usize
    }

    /// The mentions that stand in `before` and no more in `after`.
    pub(super) fn gone(&self, before: &Variant, after: &Variant) -> Vec<usize> {
        before.kept.without(&after.kept).runs().flat_map(|run| self.mentions_in(run)).collect()
    }

    /// The symbol that a mention introduces or uses.
    pub(super) fn symbol_of(&self, mention: usize) -> Option<usize> {
        some(self.of_mention[mention])
    }

    /// The same, and the symbol that stands for its name wherever it is introduced.
    pub(super) fn symbols_of(&self, tree: &Tree, mention: usize) -> impl Iterator<Item = usize> + use<> {
        let name = tree.names().mentions()[mention].name;
        self.symbol_of(mention).into_iter().chain(self.any(name))
    }

    /// Whether a mention introduces something with its body.
    pub(super) fn has_body(&self, mention: usize) -> bool {
        self.bodies.contains(mention)
    }

    /// The symbol that stands for `name` wherever it is introduced.
    pub(super) fn any(&self, name: u32) -> Option<usize> {
        self.any.get(&name).map(|&symbol| symbol as usize)
    }

    /// The mentions of a name, but for weak ones.
    pub(super) fn mentions_by_name(&self, name: u32) -> &[u32] {
        self.by_name.of(name as usize)
    }

    /// The mentions that introduce a name.
    pub(super) fn introducing<'a>(&'a self, names: &'a Names, name: u32) -> impl Iterator<Item = usize> + 'a {
        let all = self.mentions_by_name(name).iter().map(|&mention| mention as usize);
        all.filter(|&mention| names.introduces(mention))
    }

    pub(super) fn leaf(&self, token: usize) -> usize {
        self.leaves[token] as usize
    }

    /// Whether `node` belongs to the element behind it.
    pub(super) fn is_attribute(&self, node: usize) -> bool {
        self.attributes.contains(node)
    }

    /// The attributes right before `node`, the last first.
    pub(super) fn attributes<'a>(&'a self, tree: &'a Tree, node: usize) -> impl Iterator<Item = usize> + 'a {
        let before = move |&node: &usize| {
            let parent = tree.parent(node)?;
            let leaf = self.leaf(tree.tokens(node).start.checked_sub(1)?);
            let mut around = tree.around(leaf);
            let sibling = around.find(|&sibling| tree.parent(sibling).is_none_or(|other| other <= parent))?;
            (tree.parent(sibling) == Some(parent) && self.is_attribute(sibling)).then_some(sibling)
        };
        core::iter::successors(before(&node), before)
    }

    /// The nearest node around `node`, itself included, that can go.
    pub(super) fn item(&self, node: usize) -> Option<usize> {
        some(self.items[node])
    }

    /// The nearest node around `node`, itself included, that is an element of a list without separators.
    pub(super) fn statement(&self, node: usize) -> Option<usize> {
        some(self.statements[node])
    }
}

/// The elements of kinds that may be attributes, where most lists end with others.
fn attributes(tree: &Tree) -> Subset {
    let mut attributes = Subset::empty(tree.nodes().len());
    let may_be = |&node: &usize| tree.is_element(node) && tree.kind(node).attribute;
    attributes.insert_all((0..tree.nodes().len()).filter(may_be));
    // Of each kind how many lists with one end with others, less those that end with one.
    let mut ends: BTreeMap<u32, i32> = BTreeMap::new();
    let parents: BTreeSet<usize> = attributes.iter().filter_map(|node| tree.parent(node)).collect();
    for (_, elements) in parents.into_iter().flat_map(|parent| tree.lists(parent)) {
        let kind = |&node: &usize| tree.nodes()[node].kind;
        let last = elements.last().map(kind);
        let here = elements.iter().filter(|&&node| attributes.contains(node)).map(kind);
        for kind in here.collect::<BTreeSet<u32>>() {
            *ends.entry(kind).or_default() += if last == Some(kind) { -1 } else { 1 };
        }
    }
    let others =
        attributes.iter().filter(|&node| ends[&tree.nodes()[node].kind] <= 0).map(|node| node as u32);
    let others: Vec<u32> = others.collect();
    attributes.remove_all(others);
    attributes
}

fn leaves(tree: &Tree) -> Vec<u32> {
    let mut leaves = alloc::vec![0; tree.text().len()];
    for (index, node) in tree.nodes().iter().enumerate() {
        if node.is_leaf(index) {
            node.tokens().for_each(|token| leaves[token] = index as u32);
        }
    }
    leaves
}

/// Of each node the nearest one around it, itself included, that `is` so.
fn nearest(tree: &Tree, is: impl Fn(usize) -> bool) -> Vec<u32> {
    let mut nearest: Vec<u32> = Vec::with_capacity(tree.nodes().len());
    for node in 0..tree.nodes().len() {
        tree.text().cancellation().check();
        let above = tree.parent(node).map_or(NONE, |parent| nearest[parent]);
        nearest.push(if is(node) { node as u32 } else { above });
    }
    nearest
}
