//! Closures: what is deleted together with something.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::cell::OnceCell;

use super::census::{Census, Gone};
use super::graph::{Graph, Symbol};
use crate::Variant;
use crate::edit::{Change, Edit};
use crate::lexicon::is_one_of;
use crate::names::How;
use crate::range::narrow;
use crate::residual::ResidualTree;
use crate::tree::Tree;
use crate::tuning::ClosureTuning;

/// How much is deleted together with something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClosureDepth {
    /// Its attributes, and the arguments of parameters; the statements that use it, transitively, and the whole
    /// function where such a statement is its last; and the small things that nothing uses any more: imports,
    /// variables, labels, parameters.
    Full,
    /// The same, but what uses it stays: a stand-in takes the place of each use.
    StandIns,
    /// The same as the first, but of what uses it only the smallest node that can be deleted.
    Narrow,
    /// Of all these only the imports that nothing uses any more.
    Unused,
    /// Nothing.
    Alone,
}

impl ClosureDepth {
    /// What is tried first. Where it is only guessed what introduces a name, nothing is taken along.
    pub fn first(tree: &Tree) -> Self {
        if tree.guesses_names() { Self::Alone } else { Self::Full }
    }
}

/// A tree, what is left of it, and what ties that together.
#[derive(Clone, Copy)]
pub(super) struct Tied<'a> {
    pub(super) tree: &'a Tree,
    pub(super) variant: &'a Variant,
    pub(super) graph: &'a Graph,
    pub(super) census: &'a Census,
    /// Names that tests have complained of.
    pub(super) learned: &'a BTreeSet<u32>,
    /// Whether what was introduced with a body is lost with it, though it is declared elsewhere, too.
    pub(super) wants_bodies: bool,
    pub(super) tuning: ClosureTuning,
}

impl<'a> Tied<'a> {
    /// What is left of the tree.
    pub(super) fn residual(self) -> ResidualTree<'a> {
        ResidualTree { tree: self.tree, variant: self.variant }
    }

    /// The nodes that are deleted with `nodes`, themselves included, in the order of the text; none is inside of another.
    pub(super) fn closure(self, nodes: &[u32], depth: ClosureDepth) -> Vec<u32> {
        if depth == ClosureDepth::Alone {
            return nodes.to_vec();
        }
        self.tree.outermost(self.taking(nodes, depth).taken)
    }

    /// The change that deletes `nodes` and what goes with them.
    pub(super) fn change(self, nodes: &[u32], depth: ClosureDepth) -> Change {
        if depth != ClosureDepth::StandIns {
            return self.deletion(self.closure(nodes, depth));
        }
        let taking = self.taking(nodes, depth);
        let uses = taking.orphans.iter().filter(|&&token| taking.left().kept.contains(token));
        let instead =
            uses.filter_map(|&token| Some(Edit::put(token, self.instead_of(token, taking.left())?)));
        let instead: Vec<Edit> = instead.collect();
        let deleted = self.tree.outermost(taking.taken).into_iter().map(Edit::Delete);
        Change::new(deleted.chain(instead))
    }

    fn taking(self, nodes: &[u32], depth: ClosureDepth) -> Taking<'a> {
        let wants_bodies = self.wants_bodies && depth != ClosureDepth::StandIns;
        let mut taking = Taking {
            tied: Tied { wants_bodies, ..self },
            depth,
            left: OnceCell::new(),
            gone: Gone::default(),
            taken: Vec::new(),
            orphans: BTreeSet::new(),
            unused: BTreeSet::new(),
        };
        nodes.iter().for_each(|&node| taking.take(node as usize));
        taking.spread();
        taking
    }
}

/// A deletion, with what goes along so far.
struct Taking<'a> {
    /// What it deletes from.
    tied: Tied<'a>,
    depth: ClosureDepth,
    /// What is left. It is made when it is first needed: often nothing goes along, and to copy the bits of the whole
    /// text costs more than all the rest.
    left: OnceCell<Variant>,
    gone: Gone,
    taken: Vec<u32>,
    /// Dangling references that stay.
    orphans: BTreeSet<usize>,
    /// Symbols that lost a use, so that perhaps nothing uses them any more.
    unused: BTreeSet<usize>,
}

impl Taking<'_> {
    fn left(&self) -> &Variant {
        let Tied { tree, variant, .. } = self.tied;
        if self.taken.is_empty() {
            return variant;
        }
        self.left.get_or_init(|| {
            let mut left = variant.clone();
            self.taken.iter().for_each(|&node| left.clear(narrow(tree.tokens(node as usize))));
            left
        })
    }

    fn residual(&self) -> ResidualTree<'_> {
        ResidualTree { tree: self.tied.tree, variant: self.left() }
    }

    /// Whether the token of a mention is left.
    fn stands(&self, mention: usize) -> bool {
        self.left().kept.contains(self.tied.tree.names().token(mention))
    }

    /// Deletes `node` with its attributes, and counts what each symbol loses.
    fn take(&mut self, node: usize) {
        let Tied { tree, graph, .. } = self.tied;
        let tokens = tree.tokens(node);
        if !self.left().has(tokens.clone()) {
            return;
        }
        for mention in graph.mentions_in(tokens.clone()) {
            if !self.stands(mention) {
                continue;
            }
            self.gone.note(graph, tree, mention);
            if tree.names().mentions()[mention].how == How::Uses {
                self.unused.extend(graph.symbol_of(mention));
            }
        }
        if let Some(left) = self.left.get_mut() {
            left.clear(narrow(tokens));
        }
        self.taken.push(node as u32);
        if tree.is_element(node) && !graph.is_attribute(node) {
            graph.attributes(tree, node).for_each(|attribute| self.take(attribute));
        }
    }

    /// Deletes what goes along, and what goes along with that, until there is nothing more.
    fn spread(&mut self) {
        let mut done = 0;
        loop {
            while done < self.taken.len() {
                let node = self.taken[done] as usize;
                done += 1;
                self.take_users(node);
                self.take_learned(node);
                self.take_arguments(node);
            }
            if !self.take_unused() {
                return;
            }
        }
    }

    /// Deletes the uses of names that only `node` introduced.
    fn take_users(&mut self, node: usize) {
        let Tied { tree, graph, census, wants_bodies, .. } = self.tied;
        for mention in
            graph.mentions_in(tree.tokens(node)).filter(|&mention| tree.names().introduces(mention))
        {
            for symbol in graph.symbols_of(tree, mention) {
                if !census.is_lost(symbol, &self.gone, wants_bodies) {
                    continue;
                }
                let Symbol { intros, uses, .. } = &graph.symbols()[symbol];
                let declared = if wants_bodies { &intros[..] } else { &[] };
                for &user in uses.iter().chain(declared) {
                    let token = tree.names().token(user as usize);
                    if !self.stands(user as usize) {
                        continue;
                    }
                    match self.user(token) {
                        Some(item) => self.take(item),
                        None => _ = self.orphans.insert(token),
                    }
                }
            }
        }
    }

    /// For the names in `node` that tests have complained of: deletes the other mentions that no scope resolves if the
    /// declaration was deleted, and the declaration if only that is left.
    fn take_learned(&mut self, node: usize) {
        let Tied { tree, graph, learned, .. } = self.tied;
        if learned.is_empty() {
            return;
        }
        let names = tree.names();
        let first_token = tree.tokens(node).start;
        let inside = graph.mentions_in(tree.tokens(node)).map(|mention| names.mentions()[mention].name);
        for name in inside.filter(|name| learned.contains(name)).collect::<BTreeSet<u32>>() {
            let all = graph.mentions_by_name(name);
            let introduces = |&mention: &u32| names.introduces(mention as usize);
            let left: Vec<u32> =
                all.iter().copied().filter(|&mention| self.stands(mention as usize)).collect();
            // Where nothing says what introduces it, the first mention does.
            let lost = match all.iter().any(introduces) {
                true => !left.iter().any(introduces),
                false => left.first().is_some_and(|&mention| names.token(mention as usize) > first_token),
            };
            let alone = left.iter().all(introduces);
            for mention in left.into_iter().map(|mention| mention as usize) {
                if (alone || lost && graph.symbol_of(mention).is_none())
                    && let Some(item) = self.user(names.token(mention))
                {
                    self.take(item);
                }
            }
        }
    }

    /// What goes when the name that `token` uses has gone.
    fn user(&self, token: usize) -> Option<usize> {
        let graph = self.tied.graph;
        let leaf = graph.leaf(token);
        let smallest = self.removable(graph.item(leaf)?, 0);
        match self.depth {
            ClosureDepth::StandIns | ClosureDepth::Unused => None,
            ClosureDepth::Full => {
                let statement = graph.statement(leaf).and_then(|node| self.removable(node, 0));
                statement.and_then(|node| self.function_ended_by(node)).or(statement).or(smallest)
            }
            _ => smallest,
        }
    }

    /// The nearest node around `node`, itself included, that can go now, below `scope`.
    fn removable(&self, node: usize, scope: usize) -> Option<usize> {
        let Tied { tree, graph, .. } = self.tied;
        let outer = |&node: &usize| graph.item(tree.parent(node)?);
        let mut around = core::iter::successors(Some(node), outer).take_while(|&node| node > scope);
        around.find(|&node| self.residual().can_go(node))
    }

    /// Where `node` is a parameter, or one of several names of one, takes the argument in its place out of
    /// every call.
    fn take_arguments(&mut self, node: usize) {
        let tied @ Tied { tree, graph, .. } = self.tied;
        let Some((function, places)) = tied.parameter_places(node) else { return };
        for symbol in graph.symbols_of(tree, function) {
            for &user in &graph.symbols()[symbol].uses {
                let token = tree.names().token(user as usize);
                let arguments = places.clone().filter_map(|place| tied.argument(token, place));
                arguments.for_each(|argument| self.take(argument));
            }
        }
    }

    /// Takes what introduces names that nothing uses any more. Whether there was any.
    fn take_unused(&mut self) -> bool {
        let Tied { tree, graph, census, .. } = self.tied;
        let before = self.taken.len();
        for symbol in core::mem::take(&mut self.unused) {
            if census.is_used(symbol, &self.gone) {
                continue;
            }
            for intro in graph.symbols()[symbol].intros.iter().map(|&intro| intro as usize) {
                let is_used = |symbol: usize| census.is_used(symbol, &self.gone);
                if self.stands(intro)
                    && !graph.symbols_of(tree, intro).any(is_used)
                    && let Some(item) = self.unused(intro)
                {
                    self.take(item);
                }
            }
        }
        self.taken.len() > before
    }

    /// What goes with the mention that introduces a name which nothing uses any more: little, and with no other name in it.
    fn unused(&self, intro: usize) -> Option<usize> {
        let Tied { tree, graph, tuning, .. } = self.tied;
        if self.depth == ClosureDepth::Unused && !tree.names().mentions()[intro].imported {
            return None;
        }
        // What lies around the scope of a name is about more than the name.
        let scope = graph.symbol_of(intro).and_then(|own| graph.symbols()[own].scope).unwrap_or(0);
        let item = self.removable(graph.item(graph.leaf(tree.names().token(intro)))?, scope)?;
        let item = self.parameter_of(item).or_else(|| self.declaration_of(item, scope)).unwrap_or(item);
        (self.residual().size_of(item) <= tuning.small
            && !self.gets_its_turn(item)
            && !self.is_only_a_name(item)
            && !self.is_parameter_that_stays(item))
        .then_some(item)
    }

    /// The function that ends with `statement`, and without it perhaps with no result.
    fn function_ended_by(&self, statement: usize) -> Option<usize> {
        let Tied { tree, graph, .. } = self.tied;
        if self.tied.may_diverge(statement) || self.introduced_in(statement).next().is_some() {
            return None;
        }
        let mut last = statement;
        loop {
            let around = graph.statement(tree.parent(last)?)?;
            let list = tree.list(last)?;
            if self.residual().list_of(last, list).last() != Some(&last) {
                return None;
            }
            // A function may be a part of the statement, as the function of a template is.
            let mut path = tree.around(last).skip(1).take_while(|&node| node >= around);
            let is_body = path.any(|node| tree.is_scope(node));
            last = around;
            let inside = tree.subtree(last);
            let is_inside =
                |symbol: usize| graph.symbols()[symbol].scope.is_some_and(|scope| inside.contains(&scope));
            // The parameters of a template come before its name.
            let mut names = self.introduced_in(last).filter_map(|mention| graph.symbol_of(mention));
            if is_body && !names.all(is_inside) {
                return self.removable(last, 0);
            }
        }
    }

    /// The mentions in `node` that stand and introduce something.
    fn introduced_in(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let Tied { tree, graph, .. } = self.tied;
        let mentions = graph.mentions_in(tree.tokens(node));
        mentions.filter(|&mention| tree.names().introduces(mention) && self.stands(mention))
    }

    /// Whether `node` introduces nothing that stands but what is in `part`.
    fn introduces_only(&self, node: usize, part: usize) -> bool {
        let own = self.tied.graph.mentions_in(self.tied.tree.tokens(part));
        self.introduced_in(node).all(|mention| own.contains(&mention))
    }

    /// Whether `node` is a name in a list whose names get their values by position, as in `a, b = 1, 2`.
    fn gets_its_turn(&self, node: usize) -> bool {
        let tree = self.tied.tree;
        let Some(parent) = tree.parent(node).filter(|&parent| tree.is_separated(parent)) else {
            return false;
        };
        let behind = tree.tokens(parent).end;
        tree.tokens(node).len() == 1
            && behind < tree.text().len()
            && is_one_of(tree.text().piece(behind), tree.signs(behind).unpacks)
    }

    /// Whether `node` is the name of something that stays without it, as `struct { int a; }` does. It is no more than
    /// a token, and few languages let all that may have no name have none in each place.
    fn is_only_a_name(&self, node: usize) -> bool {
        self.tied.tree.tokens(node).len() == 1 && !self.tied.tree.is_element(node)
    }

    /// Whether `item` is a parameter of a large text: [`ClosureTuning::parameters_stay`] says why it stays.
    fn is_parameter_that_stays(&self, item: usize) -> bool {
        let Tied { variant, tuning, .. } = self.tied;
        variant.kept.len() >= tuning.parameters_stay && self.tied.function_of(item).is_some()
    }

    /// The parameter whose only name `item` is: without it, it could not stand beside others.
    fn parameter_of(&self, item: usize) -> Option<usize> {
        let Tied { tree, tuning, .. } = self.tied;
        let mut around = tree.around(item).skip(1).take(tuning.parameter_depth);
        let parameter = around.find(|&node| tree.is_element(node))?;
        self.tied.function_of(parameter)?;
        let list = tree.list(parameter)?;
        (self.introduces_only(parameter, item) && self.residual().list_of(parameter, list).len() > 1)
            .then_some(parameter)
    }

    /// The statement that declares nothing but the names in `item`, the only one in its list.
    fn declaration_of(&self, item: usize, scope: usize) -> Option<usize> {
        let Tied { tree, graph, .. } = self.tied;
        let list = tree.list(item)?;
        if self.residual().list_of(item, list).len() > 1 {
            return None;
        }
        let statement = self.removable(graph.statement(tree.parent(item)?)?, scope)?;
        self.introduces_only(statement, item).then_some(statement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{List, Quotes, Role, Syntax, TreeBuilder};

    /// Statements, each of a capital that introduces a name or its small letter that uses it, some with a body.
    fn tree(text: &str) -> Tree {
        let element = |id| Syntax { list: Some(List { id, some: false }), ..Role::Deletable.into() };
        let mut builder = TreeBuilder::new(text.into(), alloc::vec!["root", "statement", "token"]);
        builder.open(0, Role::Fixed);
        for (at, letter) in (0..).zip(text.chars()) {
            if letter.is_ascii_alphabetic() || letter == '{' {
                builder.open(1, element(u32::from(letter == '{')));
            }
            builder.token(at..at + 1, 1, 2, Role::Fixed);
            if letter.is_ascii_alphabetic() {
                let how = if letter.is_ascii_uppercase() { How::Introduces } else { How::Uses };
                builder.name(letter.to_ascii_lowercase().encode_utf8(&mut [0]).as_bytes(), how);
            }
            match letter {
                ';' => builder.close(),
                '}' => [(), ()].into_iter().for_each(|()| builder.close()),
                _ => {}
            }
        }
        builder.close();
        builder.finish(Quotes::Known, &[])
    }

    #[test]
    fn what_loses_its_body_loses_its_declarations_and_uses_where_bodies_are_wanted() {
        let tree = tree("A;B;A{}a;b;");
        let graph = Graph::new(&tree);
        let variant = Variant::whole(tree.text().clone());
        let census = Census::of(&graph, &tree, &variant);
        let body = (1..tree.nodes().len()).find(|&node| tree.subtree(node).len() > 4).expect("A has a body");
        let taken = |wants_bodies| {
            let learned = &BTreeSet::new();
            let tuning = crate::Tuning::DEFAULT.closure;
            let tied = Tied {
                tree: &tree,
                variant: &variant,
                graph: &graph,
                census: &census,
                learned,
                wants_bodies,
                tuning,
            };
            let change = tied.change(&[body as u32], ClosureDepth::Full);
            change.apply(&tree, &variant).render()
        };
        assert_eq!(taken(false), b"A;B;a;b;");
        assert_eq!(taken(true), b"B;b;");
    }
}
