//! Trees of which only statements can go: what people think of as the parts of a program.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use super::Tree;
use super::node::{NONE, Node, Role};
use crate::Subset;
use crate::lexicon::is_one_of;

impl Tree {
    /// The nodes that are statements, declarations and the like: elements, and no leaves, of lists without separators.
    pub(crate) fn statements(&self) -> Subset {
        let (separated, terminated) = (self.separated_kinds(), self.terminated());
        let holds_statements =
            |parent: usize| !separated.contains(&self.nodes[parent].kind) && !terminated.contains(parent);
        let mut statements = Subset::empty(self.nodes.len());
        for node in 0..self.nodes.len() {
            let listed = self.is_element(node) && !self.nodes[node].is_leaf(node);
            if listed && self.parent(node).is_some_and(holds_statements) {
                statements.insert(node);
            }
        }
        statements
    }

    /// The nodes that end as statements do: there are none right below, as a declaration has only names.
    fn terminated(&self) -> Subset {
        let mut terminated = Subset::empty(self.nodes.len());
        let is_fixed = |&node: &usize| self.nodes[node].is_leaf(node) && self.nodes[node].role == Role::Fixed;
        for node in (0..self.nodes.len()).filter(is_fixed) {
            let Some(parent) = self.parent(node) else { continue };
            let end = self.tokens(node).end;
            let is_terminator = || is_one_of(self.text.piece(end - 1), &self.signs(end - 1).terminator);
            if end == self.tokens(parent).end && is_terminator() {
                terminated.insert(parent);
            }
        }
        terminated
    }

    /// The kinds of nodes with separators between their children, as most of those with several elements show:
    /// an only argument is no statement, and a `;` between two statements does not make them arguments. Single tokens
    /// show nothing: what stands before a declaration has no separators, but its names have.
    fn separated_kinds(&self) -> BTreeSet<u32> {
        // Of each kind how many nodes with several elements there are, without separators and with them.
        let mut counts: BTreeMap<u32, [u32; 2]> = BTreeMap::new();
        let has_several = |node: usize| {
            let lists = self.lists(node).into_iter();
            lists.map(|(_, elements)| elements).any(|elements| {
                elements.iter().filter(|&&element| self.tokens(element).len() > 1).nth(1).is_some()
            })
        };
        for (index, node) in self.nodes.iter().enumerate() {
            let separated = self.is_separated(index);
            if separated || has_several(index) {
                counts.entry(node.kind).or_default()[usize::from(separated)] += 1;
            }
        }
        counts.into_iter().filter(|(_, [without, with])| with > without).map(|(kind, _)| kind).collect()
    }

    /// Of each kind of node, how many of `nodes` are children of one, within a line and at the beginning of one.
    pub(crate) fn counts_on_lines(&self, nodes: impl Iterator<Item = usize>) -> BTreeMap<u32, [u32; 2]> {
        self.counts_by_parent(nodes, |node| Some(self.begins_line(self.tokens(node).start)))
    }

    /// Of each kind of node, of how many of `nodes` that are children of one `is_so` says no and yes.
    fn counts_by_parent(
        &self,
        nodes: impl Iterator<Item = usize>,
        is_so: impl Fn(usize) -> Option<bool>,
    ) -> BTreeMap<u32, [u32; 2]> {
        let mut counts: BTreeMap<u32, [u32; 2]> = BTreeMap::new();
        for node in nodes {
            let (Some(parent), Some(is_so)) = (self.parent(node), is_so(node)) else { continue };
            counts.entry(self.nodes[parent].kind).or_default()[usize::from(is_so)] += 1;
        }
        counts
    }

    /// Whether `node` begins where a statement can: at the beginning of a line, of a block, or behind the end of a
    /// statement. The end of a block says nothing, as attributes follow it, too.
    pub(crate) fn begins_like_a_statement(&self, node: usize) -> Option<bool> {
        let start = self.tokens(node).start;
        if self.begins_line(start) {
            return Some(true);
        }
        match self.text.piece(start - 1) {
            b"}" => None,
            b"{" => Some(true),
            piece => Some(is_one_of(piece, &self.signs(start - 1).terminator)),
        }
    }

    /// Whether a token is the first of a line.
    fn begins_line(&self, token: usize) -> bool {
        token == 0 || self.text.gap(token).contains(&b'\n')
    }

    /// Whether brackets are closed in `node` that are opened there, and no others.
    fn is_balanced(&self, node: usize) -> bool {
        let mut depth = 0_u32;
        self.tokens(node).all(|token| {
            match self.text.piece(token) {
                b"(" | b"[" | b"{" => depth += 1,
                b")" | b"]" | b"}" if depth == 0 => return false,
                b")" | b"]" | b"}" => depth -= 1,
                _ => {}
            }
            true
        }) && depth == 0
    }

    /// The tree with nothing in it that can go or be replaced but statements, bodies that are one, and parts with
    /// statements in them, such as `else` and what follows. Attributes, and what else does not begin where statements do,
    /// are none. Those that a grammar misreads can have half of a pair of brackets; these stay, too.
    pub fn of_statements(&self) -> Self {
        let mut statements = self.statements();
        let begins = self.counts_by_parent(statements.iter(), |node| self.begins_like_a_statement(node));
        let is_long = |node: usize| self.tokens(node).len() > 1;
        // One token is a statement where longer ones of its kind are, as `;` is an expression statement.
        let long: BTreeSet<u32> =
            statements.iter().filter(|&node| is_long(node)).map(|node| self.nodes[node].kind).collect();
        let others: Vec<u32> = statements
            .iter()
            .filter(|&node| {
                let listed = self.list(node).is_some_and(|list| !list.some);
                let parent = self.parent(node).map(|parent| self.nodes[parent].kind);
                let counts = parent.and_then(|kind| begins.get(&kind));
                let begins = counts.is_some_and(|[not, begin]| begin >= not);
                let is_unit = is_long(node) || long.contains(&self.nodes[node].kind);
                !(listed && begins && is_unit && self.is_balanced(node))
            })
            .map(|node| node as u32)
            .collect();
        statements.remove_all(others.iter().copied());
        let kinds: BTreeSet<u32> = statements.iter().map(|node| self.nodes[node].kind).collect();
        let mut tree = self.clone();
        for (index, node) in tree.nodes.iter_mut().enumerate() {
            let holds = statements.next_from(index).is_some_and(|next| next < node.end());
            let stays = match node.role {
                Role::Deletable => holds && others.binary_search(&(index as u32)).is_err(),
                Role::StandIn(_) => holds || kinds.contains(&node.kind),
                Role::Fixed => true,
                Role::Separator => false,
            };
            if !stays {
                *node = Node { role: Role::Fixed, slot: NONE, list: NONE, trailing: false, ..*node };
            } else if !holds {
                node.slot = NONE;
            }
        }
        for parent in 0..tree.nodes.len() {
            let separated = tree.children(parent).any(|child| tree.nodes[child].role == Role::Separator);
            tree.nodes[parent].separated = separated;
        }
        tree
    }
}
