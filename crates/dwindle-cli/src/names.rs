//! `dwindle parse --names`: what each part of a text that can go has to do with names.

use std::collections::BTreeSet;
use std::io::{self, Write};

use dwindle::core::linked::{ClosureDepth, Links};
use dwindle::core::{How, Role, Tree};
use dwindle::shown::shown;
use serde::Serialize;

use crate::lines::Lines;

/// The mentions of names by the nodes that can go.
pub(crate) struct Names<'a> {
    tree: &'a Tree,
    /// The mentions of each node that lie in no node below it that can go, by number.
    own: Vec<Vec<u32>>,
    links: Links,
    /// How much a reduction takes along at first.
    depth: ClosureDepth,
}

/// The names of one node, in the order of the alphabet.
#[derive(Serialize)]
pub(crate) struct NamesRow {
    introduces: BTreeSet<String>,
    mentions: BTreeSet<String>,
    /// Words in strings and comments.
    may_mention: BTreeSet<String>,
    /// The lines of what else would go.
    takes_along: Vec<String>,
}

impl<'a> Names<'a> {
    pub(crate) fn of(tree: &'a Tree) -> Self {
        // Of each node the innermost one around it that can go, and of each token.
        let mut items: Vec<usize> = Vec::with_capacity(tree.nodes().len());
        let mut item_of = vec![0; tree.text().len()];
        for (index, node) in tree.nodes().iter().enumerate() {
            let around = tree.parent(index).map_or(0, |parent| items[parent]);
            items.push(if node.role == Role::Deletable { index } else { around });
            if tree.subtree(index).len() == 1 {
                item_of[node.tokens()].fill(items[index]);
            }
        }
        let mut own = vec![Vec::new(); tree.nodes().len()];
        for (number, mention) in (0..).zip(tree.names().mentions()) {
            own[item_of[mention.token as usize]].push(number);
        }
        Self { tree, own, links: Links::of(tree), depth: ClosureDepth::first(tree) }
    }

    /// Whether `node` can go, and has names or is all.
    pub(crate) fn shows(&self, node: usize) -> bool {
        node == 0 || self.tree.role(node) == Role::Deletable && !self.own[node].is_empty()
    }

    pub(crate) fn row(&self, node: usize, lines: &Lines) -> NamesRow {
        let names = self.tree.names();
        let mentions = || self.own[node].iter().map(|&number| names.mentions()[number as usize]);
        let spelled = |how: How| {
            let of_it = mentions().filter(|mention| mention.how == how);
            of_it.map(|mention| String::from_utf8_lossy(names.spelling(mention.name)).into_owned()).collect()
        };
        NamesRow {
            introduces: spelled(How::Introduces),
            mentions: spelled(How::Uses),
            may_mention: spelled(How::Weak),
            takes_along: self.takes_along(node, lines),
        }
    }
}

impl Names<'_> {
    fn takes_along(&self, node: usize, lines: &Lines) -> Vec<String> {
        let taken = self.links.taken_by(self.tree, node, self.depth);
        let others = taken.into_iter().filter(|&other| other as usize != node);
        let describe = |other: u32| {
            let first = self.tree.tokens(other as usize).start;
            let line = lines.at(self.tree.text().span(first).start);
            format!("{} in line {line}", self.tree.kind_name(other as usize))
        };
        others.map(describe).collect()
    }
}

impl NamesRow {
    /// Prints a line for each kind of mention that there is.
    pub(crate) fn print(&self, out: &mut dyn Write, indent: usize) -> io::Result<()> {
        for (what, names) in [
            ("introduces", &self.introduces),
            ("mentions", &self.mentions),
            ("may mention", &self.may_mention),
        ] {
            if !names.is_empty() {
                let names: Vec<String> = names.iter().map(shown).collect();
                writeln!(out, "{:indent$}{what} {}", "", names.join(", "))?;
            }
        }
        if !self.takes_along.is_empty() {
            writeln!(out, "{:indent$}takes along {}", "", shown(self.takes_along.join(", ")))?;
        }
        Ok(())
    }
}
