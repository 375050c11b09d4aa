//! Brackets: a pair of them goes together with what is between them, or with the token before it, so that a call becomes
//! its argument, or alone; or all of it becomes a name, unless it is a node with something in it, for which `replace` finds
//! a name. Where the grammar reads the head of a block as a thing of its own, because it does not know the construct, a pair
//! also goes with that, and so does a bracket that nothing closes.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

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
        let inside = lexical.around(close).take_while(|&node| tree.tokens(node).start >= open);
        let nodes: Vec<usize> = inside.filter(|&node| tree.tokens(node) == (open..close + 1)).collect();
        // What deletion has asked about is known.
        let deleted = |&&node: &&usize| tree.role(node) == Role::Deletable && !tree.has_separators(node);
        let whole = match nodes.iter().find(deleted) {
            Some(&node) => Change::deletion([node as u32]),
            None => Change::new([Edit::cut(open..close + 1)]),
        };
        let mut alternatives = alloc::vec![whole];
        if close > open + 1 {
            let head = nodes.last().and_then(|&block| head(lexical, block));
            alternatives.extend(head.map(|head| Change::cut([head.start..open + 1, close_alone.clone()])));
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
    let closed: BTreeMap<usize, usize> = lexical.pairs().map(|(open, close)| (close, open)).collect();
    let unclosed = lexical.unclosed().filter_map(|open| {
        let start = head_of_unclosed(lexical, &closed, open);
        (start < open).then(|| Choice::one(Change::new([Edit::cut(start..open + 1)])))
    });
    pairs.chain(unclosed).collect()
}

/// The tokens of the node right before a block, if both can go and no sign ends that node: then it is the head of the block.
fn head(lexical: &Lexical<'_>, block: usize) -> Option<Range<usize>> {
    let tree = lexical.tree;
    let open = tree.tokens(block).start;
    let before = open.checked_sub(1)?;
    let ends = |&node: &usize| tree.tokens(node).end == open;
    let head =
        lexical.around(before).take_while(ends).find(|&node| tree.parent(node) == tree.parent(block))?;
    let can_go = [head, block].into_iter().all(|node| tree.role(node) == Role::Deletable);
    (can_go && !ends_something(lexical, before) && tree.tokens(head).len() > 1).then(|| tree.tokens(head))
}

/// Where the tokens begin that lead to a bracket that nothing closes: behind what ends something, or another such bracket.
fn head_of_unclosed(lexical: &Lexical<'_>, closed: &BTreeMap<usize, usize>, open: usize) -> usize {
    let mut start = open;
    while let Some(before) = start.checked_sub(1).filter(|&before| !ends_something(lexical, before)) {
        match (closed.get(&before), lexical.text.piece(before)) {
            (Some(&open), _) => start = open,
            (None, b"(" | b"[" | b"{") => break,
            (None, _) => start = before,
        }
    }
    start
}

/// Whether a token is a sign behind which something else begins.
fn ends_something(lexical: &Lexical<'_>, token: usize) -> bool {
    let signs = lexical.tree.signs(token);
    let all = [signs.terminator, signs.separator, Some("}")];
    all.into_iter().flatten().any(|sign| sign.as_bytes() == lexical.text.piece(token))
}
