//! How functions end that lose their ends: where a function must end with its result, a statement behind which nothing is
//! reached takes the place of the last one. `fn f() -> T { g(); x }` becomes `fn f() -> T { loop { } }`, which is as
//! valid whatever `T` is.

use alloc::vec::Vec;

use super::closure::Tied;
use crate::StandIn;
use crate::edit::{Change, Edit};
use crate::tree::Role;

/// How many nodes around a statement are looked at, up to the function.
const AROUND: usize = 3;

impl Tied<'_> {
    /// The change that deletes `nodes`, none of which is inside of another, but for the ends of functions.
    pub(super) fn deletion(self, nodes: Vec<u32>) -> Change {
        let alone = nodes.len() == 1;
        let edit = |node: u32| self.ending(node as usize, alone).unwrap_or(Edit::Delete(node));
        Change::new(nodes.into_iter().map(edit))
    }

    /// The bodies of the functions that must end with their result, but for those inside of others.
    pub(super) fn bodies(self) -> Vec<usize> {
        let tree = self.tree;
        let mut bodies = Vec::new();
        let mut node = 1;
        while node < tree.nodes().len() {
            let last =
                Some(node).filter(|&node| tree.is_scope(node)).and_then(|node| tree.children(node).last());
            let body = last.filter(|&last| self.is_body(last, node) && !self.parts(last).is_empty());
            bodies.extend(body);
            node = if body.is_some() { tree.subtree(node).end } else { node + 1 };
        }
        bodies
    }

    pub(super) fn may_diverge(self, node: usize) -> bool {
        !self.tree.signs(self.tree.tokens(node).start).diverges.is_empty()
    }

    /// What comes in the place of `node` if it ends a function that stays. Alone, it must be longer.
    fn ending(self, node: usize, alone: bool) -> Option<Edit> {
        let tree = self.tree;
        let tokens = tree.tokens(node);
        let diverges = Some(tree.signs(tokens.start).diverges).filter(|diverges| !diverges.is_empty())?;
        let ends = |(body, function): (usize, usize)| {
            // What stands behind it is a bracket.
            self.is_body(body, function) && self.residual().size(tokens.end..tree.tokens(body).end) <= 1
        };
        let mut around = tree.around(node).zip(tree.around(node).skip(1)).skip(1).take(AROUND);
        let is_smaller = !alone || self.residual().size_of(node) as usize > diverges.len();
        let same = |(token, sign): (usize, &&str)| tree.text().piece(token) == sign.as_bytes();
        let ends_anyway = tokens.len() == diverges.len() && tokens.clone().zip(diverges).all(same);
        (is_smaller && !ends_anyway && around.any(ends)).then(|| {
            let string = StandIn { bytes: diverges.join(" ").into_bytes(), tokens: diverges.len() as u32 };
            Edit::replacement(tokens.clone(), string)
        })
    }

    /// Whether `body` is the body of `function`: what stands at the end of it, behind a name that it introduces and its
    /// parameters.
    fn is_body(self, body: usize, function: usize) -> bool {
        let tree = self.tree;
        let all = tree.tokens(function);
        let is_list = |child: usize| {
            let tokens = tree.tokens(child);
            let mut named = self.graph.mentions_in(all.start..tokens.start);
            tokens.len() > 1
                && self.opens_call(tokens.start)
                && named.any(|mention| tree.names().introduces(mention))
        };
        self.may_diverge(function)
            && tree.is_scope(function)
            && tree.tokens(body).end == all.end
            && tree.tokens(body).len() > 1
            && !self.opens_call(tree.tokens(body).start)
            && tree.children(function).take_while(|&child| child < body).any(is_list)
    }

    /// What can go of a body.
    pub(super) fn parts(self, body: usize) -> Vec<u32> {
        let tree = self.tree;
        let mut parts = Vec::new();
        let mut node = body + 1;
        while node < tree.subtree(body).end {
            let goes = tree.role(node) == Role::Deletable;
            parts.extend(Some(node as u32).filter(|_| goes && self.residual().stands(node)));
            node = if goes { tree.subtree(node).end } else { node + 1 };
        }
        parts
    }
}
