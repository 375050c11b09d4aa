//! Closures: what is deleted together with something.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::cell::OnceCell;
use core::ops::Range;

use super::graph::{Graph, NONE, Symbol};
use crate::Variant;
use crate::edit::{Change, Edit, narrow};
use crate::lexicon::is_one_of;
use crate::names::How;
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
    /// Nothing.
    Alone,
}

impl ClosureDepth {
    /// What is tried first. Where it is only guessed what introduces a name, nothing is taken along.
    pub fn first(tree: &Tree) -> Self {
        if tree.guesses_names() { Self::Alone } else { Self::Full }
    }
}

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

impl Count {
    /// Whether nothing introduces a symbol any more when `gone` is deleted, or, if `bodies` are wanted, nothing with a body.
    fn is_lost_with(self, gone: Self, bodies: bool) -> bool {
        let is_lost = |there: u32, gone: u32| gone > 0 && gone >= there;
        is_lost(self.intros, gone.intros) || bodies && is_lost(self.bodies, gone.bodies)
    }
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
struct Gone(BTreeMap<usize, Count>);

impl Gone {
    /// This mention goes.
    fn note(&mut self, graph: &Graph, tree: &Tree, index: usize) {
        let Some(symbol) = graph.symbol_of(index) else { return };
        let mention = tree.names().mentions()[index];
        match mention.how {
            How::Introduces => {
                for symbol in graph.any(mention.name).into_iter().chain([symbol]) {
                    let count = self.0.entry(symbol).or_default();
                    count.intros += 1;
                    count.bodies += u32::from(graph.has_body(index));
                }
            }
            How::Uses => self.0.entry(symbol).or_default().uses += 1,
            How::Weak => {}
        }
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

impl Tied<'_> {
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
            return Change::deletion(self.closure(nodes, depth));
        }
        let taking = self.taking(nodes, depth);
        let uses = taking.orphans.iter().filter(|&&token| taking.left().kept.contains(token));
        let instead = uses.filter_map(|&token| {
            Some(Edit::replacement(token..token + 1, self.instead_of(token, taking.left())?))
        });
        let instead: Vec<Edit> = instead.collect();
        let deleted = self.tree.outermost(taking.taken).into_iter().map(Edit::Delete);
        Change::new(deleted.chain(instead))
    }

    fn taking(&self, nodes: &[u32], depth: ClosureDepth) -> Taking<'_> {
        let Self { tree, variant, graph, census, learned, wants_bodies, tuning } = *self;
        let mut taking = Taking {
            wants_bodies: wants_bodies && depth != ClosureDepth::StandIns,
            graph,
            census,
            tree,
            learned,
            tuning,
            depth,
            variant,
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
        let is_lost = |(&symbol, count): (&usize, &Count)| {
            let there = self.census.0[symbol];
            let is_lost = there.is_lost_with(*count, self.wants_bodies) && count.uses < there.uses;
            (is_lost && !self.is_known_around(symbol, &gone)).then_some(symbol)
        };
        gone.0.iter().filter_map(is_lost).collect()
    }

    /// Whether the name of `symbol` stays introduced in a scope around its own.
    fn is_known_around(self, symbol: usize, gone: &Gone) -> bool {
        let names = self.tree.names();
        let symbols = self.graph.symbols();
        let Some(&intro) = symbols[symbol].intros.first() else { return false };
        let scope = symbols[symbol].scope;
        let others = self.graph.introducing(names, names.mentions()[intro as usize].name);
        let mut others = others.filter_map(|mention| self.graph.symbol_of(mention));
        others.any(|other| {
            let left = self.census.0[other].intros - gone.0.get(&other).map_or(0, |count| count.intros);
            let around = symbols[other].scope;
            left > 0 && around < scope && self.tree.subtree(around as usize).contains(&(scope as usize))
        })
    }
}

struct Taking<'a> {
    /// Whether a symbol that keeps declarations without a body counts as lost.
    wants_bodies: bool,
    graph: &'a Graph,
    census: &'a Census,
    tree: &'a Tree,
    learned: &'a BTreeSet<u32>,
    tuning: ClosureTuning,
    depth: ClosureDepth,
    /// The variant before the deletion.
    variant: &'a Variant,
    /// What is left of it. It is made when it is first needed: often nothing goes along, and to copy the bits of the whole
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
        if self.taken.is_empty() {
            return self.variant;
        }
        self.left.get_or_init(|| {
            let mut left = self.variant.clone();
            self.taken.iter().for_each(|&node| left.clear(self.tokens(node)));
            left
        })
    }

    fn tokens(&self, node: u32) -> Range<u32> {
        narrow(self.tree.tokens(node as usize))
    }

    fn residual(&self) -> ResidualTree<'_> {
        ResidualTree { tree: self.tree, variant: self.left() }
    }

    /// Deletes `node` with its attributes, and counts what each symbol loses.
    fn take(&mut self, node: usize) {
        let tokens = self.tree.tokens(node);
        if !self.left().has(tokens.clone()) {
            return;
        }
        let mentions = self.tree.names().mentions();
        for index in self.graph.mentions_in(tokens.clone()) {
            let mention = mentions[index];
            if !self.left().kept.contains(mention.token as usize) {
                continue;
            }
            self.gone.note(self.graph, self.tree, index);
            if mention.how == How::Uses {
                self.unused.extend(self.graph.symbol_of(index));
            }
        }
        if let Some(left) = self.left.get_mut() {
            left.clear(narrow(tokens));
        }
        self.taken.push(node as u32);
        if self.tree.is_element(node) && !self.graph.is_attribute(node) {
            self.graph.attributes(self.tree, node).for_each(|attribute| self.take(attribute));
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
        let graph = self.graph;
        let names = self.tree.names();
        for index in graph.mentions_in(self.tree.tokens(node)) {
            if !names.introduces(index) {
                continue;
            }
            let any = graph.any(names.mentions()[index].name);
            for symbol in graph.symbol_of(index).into_iter().chain(any) {
                let Some(gone) = self.gone.0.get(&symbol) else { continue };
                let there = self.census.0[symbol];
                if there.intros == 0 || !there.is_lost_with(*gone, self.wants_bodies) {
                    continue;
                }
                let Symbol { intros, uses, .. } = &graph.symbols()[symbol];
                let declared = if self.wants_bodies { &intros[..] } else { &[] };
                for &user in uses.iter().chain(declared) {
                    let token = names.token(user as usize);
                    if !self.left().kept.contains(token) {
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
        if self.learned.is_empty() {
            return;
        }
        let all = self.tree.names();
        let first_token = self.tree.tokens(node).start;
        let names: BTreeSet<u32> = self
            .graph
            .mentions_in(self.tree.tokens(node))
            .map(|index| all.mentions()[index].name)
            .filter(|name| self.learned.contains(name))
            .collect();
        for name in names {
            let stands = |&&index: &&u32| self.left().kept.contains(all.token(index as usize));
            let left: Vec<u32> = self.graph.mentions_by_name(name).iter().filter(stands).copied().collect();
            let token = |index: u32| all.token(index as usize);
            let introduces = |&index: &u32| all.introduces(index as usize);
            // Where nothing says what introduces it, the first mention does.
            let known = self.graph.mentions_by_name(name).iter().any(introduces);
            let lost = match known {
                true => !left.iter().any(introduces),
                false => left.first().is_some_and(|&index| token(index) > first_token),
            };
            let alone = left.iter().all(introduces);
            for index in left {
                if (alone || lost && self.graph.symbol_of(index as usize).is_none())
                    && let Some(item) = self.user(token(index))
                {
                    self.take(item);
                }
            }
        }
    }

    /// What goes when the name that `token` uses has gone.
    fn user(&self, token: usize) -> Option<usize> {
        let leaf = self.graph.leaf(token);
        let smallest = self.removable(self.graph.item(leaf)?, 0);
        match self.depth {
            ClosureDepth::StandIns => None,
            ClosureDepth::Full => {
                let statement = self.graph.statement(leaf).and_then(|node| self.removable(node, 0));
                statement.and_then(|node| self.function_ended_by(node)).or(statement).or(smallest)
            }
            _ => smallest,
        }
    }

    /// The nearest node around `node`, itself included, that can go now, below `scope`.
    fn removable(&self, node: usize, scope: usize) -> Option<usize> {
        let mut node = node;
        loop {
            if node <= scope {
                return None;
            }
            if self.residual().can_go(node) {
                return Some(node);
            }
            node = self.graph.item(self.tree.parent(node)?)?;
        }
    }

    /// Where `node` is a parameter, or one of several names of one, takes the argument in its place out of
    /// every call.
    fn take_arguments(&mut self, node: usize) {
        let is_one = |&parent: &usize| self.tree.is_element(node) && self.function_of(parent).is_some();
        let around = self.tree.parent(node).filter(is_one);
        let parameter = around.unwrap_or(node);
        let Some(function) = self.function_of(parameter) else { return };
        let before = self.all_beside(parameter).into_iter().take_while(|&other| other != parameter);
        let first: usize = before.map(|other| self.names_of(other).len().max(1)).sum();
        let names = self.names_of(parameter);
        let places = match names.iter().position(|&name| name == node) {
            Some(name) => first + name..first + name + 1,
            None => first..first + names.len().max(1),
        };
        let names = self.tree.names();
        let any = self.graph.any(names.mentions()[function].name);
        for symbol in self.graph.symbol_of(function).into_iter().chain(any) {
            for &user in &self.graph.symbols()[symbol].uses {
                let token = names.token(user as usize);
                let arguments: Vec<usize> =
                    places.clone().filter_map(|place| self.argument(token, place)).collect();
                arguments.into_iter().for_each(|argument| self.take(argument));
            }
        }
    }

    /// The mention that introduces the function of which `node` is a parameter: its name stands right before
    /// the brackets.
    fn function_of(&self, node: usize) -> Option<usize> {
        self.tree.list(node)?;
        let list = self.tree.parent(node).filter(|&parent| self.tree.is_separated(parent))?;
        let bracket = self.tree.tokens(list).start;
        if !self.opens_call(bracket) {
            return None;
        }
        let name = bracket.checked_sub(1)?;
        let mut mentions = self.graph.mentions_in(name..name + 1);
        mentions.next().filter(|&index| self.tree.names().introduces(index))
    }

    /// Whether a token opens parameters or arguments.
    fn opens_call(&self, token: usize) -> bool {
        is_one_of(self.tree.text().piece(token), self.tree.signs(token).calls)
    }

    /// All elements of the list of `node`, also those that have gone.
    fn all_beside(&self, node: usize) -> Vec<usize> {
        let lists = self.tree.parent(node).map(|parent| self.tree.lists(parent)).unwrap_or_default();
        let own = self.tree.list(node);
        lists.into_iter().find(|(list, _)| Some(*list) == own).map(|(_, all)| all).unwrap_or_default()
    }

    /// The names of a parameter that has a list of them, as `x, y int`.
    fn names_of(&self, parameter: usize) -> Vec<usize> {
        let mut names: Vec<usize> = self.tree.children(parameter).collect();
        names.retain(|&name| {
            let tokens = self.tree.tokens(name);
            let mut mentions = self.graph.mentions_in(tokens.clone());
            self.tree.is_element(name)
                && tokens.len() == 1
                && mentions.any(|index| self.tree.names().introduces(index))
        });
        names
    }

    /// The argument at `place` of the call of what `token` names.
    fn argument(&self, token: usize, place: usize) -> Option<usize> {
        let bracket = token + 1;
        if bracket >= self.tree.text().len() || !self.opens_call(bracket) {
            return None;
        }
        let list = self.tree.parent(self.graph.leaf(bracket))?;
        let lists = self.tree.lists(list);
        let (_, elements) = lists.first()?;
        let argument = *elements.get(place)?;
        self.residual().stands(argument).then_some(argument)
    }

    /// Takes what introduces names that nothing uses any more. Whether there was any.
    fn take_unused(&mut self) -> bool {
        let mentions = self.tree.names().mentions();
        let before = self.taken.len();
        for symbol in core::mem::take(&mut self.unused) {
            if self.uses_left(symbol) > 0 {
                continue;
            }
            for &intro in &self.graph.symbols()[symbol].intros {
                let mention = mentions[intro as usize];
                let token = mention.token as usize;
                let own = self.graph.symbol_of(intro as usize);
                let used = |symbol: Option<usize>| symbol.is_some_and(|symbol| self.uses_left(symbol) > 0);
                if !self.left().kept.contains(token) || used(own) || used(self.graph.any(mention.name)) {
                    continue;
                }
                // What lies around the scope of a name is about more than the name.
                let scope = own.map_or(NONE, |own| self.graph.symbols()[own].scope);
                let scope = if scope == NONE { 0 } else { scope as usize };
                let item = self.graph.item(self.graph.leaf(token));
                if let Some(item) = item.and_then(|item| self.removable(item, scope))
                    && let item =
                        self.parameter_of(item).or_else(|| self.declaration_of(item, scope)).unwrap_or(item)
                    && self.residual().size_of(item) <= self.tuning.small
                    && !self.gets_its_turn(item)
                    && !self.is_only_a_name(item)
                    && !self.is_parameter_that_stays(item)
                {
                    self.take(item);
                }
            }
        }
        self.taken.len() > before
    }

    /// The function that ends with `statement`, and without it perhaps with no result.
    fn function_ended_by(&self, statement: usize) -> Option<usize> {
        if self.introduced_in(statement).next().is_some() {
            return None;
        }
        let mut last = statement;
        loop {
            let around = self.graph.statement(self.tree.parent(last)?)?;
            let list = self.tree.list(last)?;
            if self.residual().list_of(last, list).last() != Some(&last) {
                return None;
            }
            // A function may be a part of the statement, as the function of a template is.
            let mut path = self.tree.around(last).skip(1).take_while(|&node| node >= around);
            let is_body = path.any(|node| self.tree.is_scope(node));
            last = around;
            let inside = self.tree.subtree(last);
            let scope_of = |symbol: usize| self.graph.symbols()[symbol].scope as usize;
            // The parameters of a template come before its name.
            let mut names = self.introduced_in(last).filter_map(|index| self.graph.symbol_of(index));
            if is_body && names.any(|name| !inside.contains(&scope_of(name))) {
                return self.removable(last, 0);
            }
        }
    }

    /// The mentions in `node` that stand and introduce something.
    fn introduced_in(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let names = self.tree.names();
        let stands = |mention: usize| self.left().kept.contains(names.token(mention));
        let mentions = self.graph.mentions_in(self.tree.tokens(node));
        mentions.filter(move |&mention| names.introduces(mention) && stands(mention))
    }

    /// Whether `node` is a name in a list whose names get their values by position, as in `a, b = 1, 2`.
    fn gets_its_turn(&self, node: usize) -> bool {
        let Some(parent) = self.tree.parent(node).filter(|&parent| self.tree.is_separated(parent)) else {
            return false;
        };
        let behind = self.tree.tokens(parent).end;
        self.tree.tokens(node).len() == 1
            && behind < self.tree.text().len()
            && is_one_of(self.tree.text().piece(behind), self.tree.signs(behind).unpacks)
    }

    /// Whether `node` is the name of something that stays without it, as `struct { int a; }` does. It is no more than
    /// a token, and few languages let all that may have no name have none in each place.
    fn is_only_a_name(&self, node: usize) -> bool {
        self.tree.tokens(node).len() == 1 && !self.tree.is_element(node)
    }

    /// Whether `item` is a parameter of a large text: [`ClosureTuning::parameters_stay`] says why it stays.
    fn is_parameter_that_stays(&self, item: usize) -> bool {
        self.variant.kept.len() >= self.tuning.parameters_stay && self.function_of(item).is_some()
    }

    /// The parameter whose only name `item` is: without it, it could not stand beside others.
    fn parameter_of(&self, item: usize) -> Option<usize> {
        let around = self.tree.around(item).skip(1).take(self.tuning.parameter_depth);
        let parameter = around.into_iter().find(|&node| self.tree.is_element(node))?;
        self.function_of(parameter)?;
        let own = self.tree.tokens(item);
        let list = self.tree.list(parameter)?;
        let mut names = self.introduced_in(parameter).map(|index| self.tree.names().token(index));
        (names.all(|token| own.contains(&token)) && self.residual().list_of(parameter, list).len() > 1)
            .then_some(parameter)
    }

    /// The statement that declares nothing but the names in `item`, the only one in its list.
    fn declaration_of(&self, item: usize, scope: usize) -> Option<usize> {
        let list = self.tree.list(item)?;
        if self.residual().list_of(item, list).len() > 1 {
            return None;
        }
        let statement = self.removable(self.graph.statement(self.tree.parent(item)?)?, scope)?;
        let own = self.tree.tokens(item);
        let mut names = self.introduced_in(statement).map(|index| self.tree.names().token(index));
        names.all(|token| own.contains(&token)).then_some(statement)
    }

    fn uses_left(&self, symbol: usize) -> u32 {
        let gone = self.gone.0.get(&symbol).map_or(0, |gone| gone.uses);
        self.census.0[symbol].uses.saturating_sub(gone)
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
