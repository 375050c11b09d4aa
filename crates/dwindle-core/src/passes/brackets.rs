//! Brackets: a pair of them goes together with what is between them, or with the token before it, so
//! that a call becomes its argument, or alone; or all of it becomes a name, unless it is a node with something in it, for
//! which `replace` finds a name.

use alloc::vec::Vec;

use super::choice::Choice;
use super::lexical::Lexical;
use crate::tree::Role;
use crate::{Change, Edit};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let tree = lexical.tree;
    let most_mentioned = lexical.names().iter().max_by_key(|name| name.mentions.len());
    let name = most_mentioned.map(|name| name.string());
    let pairs = lexical.pairs().map(|(open, close)| {
        let close_alone = close..close + 1;
        let tokens = |node: usize| tree.nodes()[node].tokens();
        let inside = lexical.around(close).take_while(|&node| tokens(node).start >= open);
        let nodes: Vec<usize> = inside.filter(|&node| tokens(node) == (open..close + 1)).collect();
        // What deletion has asked about is known.
        let deleted =
            |&&node: &&usize| tree.nodes()[node].role == Role::Deletable && !tree.has_separators(node);
        let whole = match nodes.iter().find(deleted) {
            Some(&node) => Change::deletion([node as u32]),
            None => Change::new([Edit::cut(open..close + 1)]),
        };
        let mut alternatives = alloc::vec![whole];
        if close > open + 1 {
            if open > 0 {
                alternatives.push(Change::cut([open - 1..open + 1, close_alone.clone()]));
            }
            alternatives.push(Change::cut([open..open + 1, close_alone]));
        }
        let is_replaced = close > open + 1 && nodes.iter().any(|&node| tree.slot(node).is_some());
        let name = name.clone().filter(|_| !is_replaced);
        alternatives.extend(name.map(|name| Change::replacement(open..close + 1, name)));
        Choice { alternatives }
    });
    pairs.collect()
}
