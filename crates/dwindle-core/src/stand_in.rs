//! Minimal strings: the shortest valid text that can stand in for a node that cannot go (Misherghi,
//! *Hierarchical Delta Debugging*, chapter 5).
//!
//! The thesis computes them from the grammar. Here they come from the input itself where it has one
//! that is as short: a node without all that the syntax lets go of below it is a valid text of its
//! kind, and the shortest one of a kind stands for the kind. Its names are declared, more likely than
//! not, while the grammar's are invented.

use alloc::vec;
use alloc::vec::Vec;

use crate::sums::sums;
use crate::tree::{Node, Role, Slot, children};
use crate::{Cancellation, Gaps, Subset, text::StandIn, text::Text};

/// Resolves the nodes whose role is [`Role::StandIn`] of one of the `slots`: their role becomes a
/// stand-in of the text, or [`Role::Fixed`] where none is shorter. Returns the strings, and which of
/// them each slot has.
pub(crate) fn resolve(
    nodes: &mut [Node],
    text: &Text,
    weights: &[u32],
    slots: &[Slot],
) -> (Vec<StandIn>, Vec<Option<u32>>) {
    let (minimal, stay) = minimal_sizes(nodes, weights, text.cancellation());
    // The smallest node of each kind and in each slot; of equal ones the one with fewer bytes, then the
    // first.
    let kinds = nodes.iter().map(|node| node.kind as usize + 1).max().unwrap_or(0);
    let mut smallest: Vec<Option<usize>> = vec![None; kinds];
    let lengths: Vec<usize> = sums((0..text.len()).map(|token| text.piece(token).len())).collect();
    let span = |node: &Node| lengths[node.tokens().end] - lengths[node.tokens().start];
    let key = |node: usize| (minimal[node], span(&nodes[node]));
    let mut in_slot: Vec<Option<usize>> = vec![None; slots.len()];
    // Of a kind whose every part can go nothing would be left, and nothing is no valid text where
    // one is wanted.
    for node in (0..nodes.len()).filter(|&node| minimal[node] > 0) {
        let of_slot = nodes[node].slot().map(|slot| &mut in_slot[slot]);
        for best in [Some(&mut smallest[nodes[node].kind as usize]), of_slot].into_iter().flatten() {
            if best.is_none_or(|best| key(node) < key(best)) {
                *best = Some(node);
            }
        }
    }
    let mut strings = Vec::new();
    let of_slot: Vec<Option<u32>> = slots
        .iter()
        .enumerate()
        .map(|(number, slot)| {
            let known = slot.kinds.iter().filter_map(|&kind| smallest.get(kind as usize).copied().flatten());
            let of_kinds = known.min_by_key(|&node| key(node));
            let of_grammar = slot.minimal.as_ref();
            // What stands in such a place somewhere says more than what is of a kind that could: `int`
            // is a type, other than most identifiers.
            let in_place =
                in_slot[number].filter(|&node| of_kinds.is_none_or(|other| minimal[node] <= minimal[other]));
            let node = in_place
                .or(of_kinds)
                .filter(|&node| of_grammar.is_none_or(|string| minimal[node] <= string.tokens));
            strings.push(match node {
                Some(node) => {
                    StandIn { bytes: minimal_text(nodes, &stay, text, node), tokens: minimal[node] }
                }
                None => of_grammar?.clone(),
            });
            Some(strings.len() as u32 - 1)
        })
        .collect();
    for (node, &minimal) in nodes.iter_mut().zip(&minimal) {
        if let Role::StandIn(slot) = node.role {
            let shorter = of_slot[slot as usize].filter(|&string| strings[string as usize].tokens < minimal);
            // What deletion below the node comes to anyway is worth no question of its own.
            node.role = shorter.map_or(Role::Fixed, Role::StandIn);
        }
    }
    (strings, of_slot)
}

/// How many tokens remain of each node when everything goes that can, and which nodes stay then: of
/// a list that needs an element, the smallest.
fn minimal_sizes(nodes: &[Node], weights: &[u32], cancellation: &Cancellation) -> (Vec<u32>, Subset) {
    let mut sizes = vec![0u32; nodes.len()];
    let mut stay = Subset::empty(nodes.len());
    for index in (0..nodes.len()).rev() {
        cancellation.check();
        let node = &nodes[index];
        if node.is_leaf(index) {
            sizes[index] = node.tokens().map(|token| weights[token]).sum();
        }
        // The list that is being looked through, and the smallest of its elements so far.
        let mut smallest: Option<(u32, usize)> = None;
        for child in children(nodes, index) {
            if matches!(nodes[child].role, Role::Fixed | Role::StandIn(_)) {
                stay.insert(child);
            } else if let Some(list) = nodes[child].needed_element() {
                match smallest {
                    Some((of, best)) if of == list && sizes[best] <= sizes[child] => {}
                    Some((of, best)) if of != list => {
                        stay.insert(best);
                        smallest = Some((list, child));
                    }
                    _ => smallest = Some((list, child)),
                }
            }
        }
        if let Some((_, best)) = smallest {
            stay.insert(best);
        }
        let left = children(nodes, index).filter(|&child| stay.contains(child));
        sizes[index] = left.map(|child| sizes[child]).fold(sizes[index], u32::saturating_add);
    }
    (sizes, stay)
}

fn minimal_text(nodes: &[Node], stay: &Subset, text: &Text, root: usize) -> Vec<u8> {
    let mut kept = Subset::empty(text.len());
    let mut index = root;
    while index < nodes[root].end() {
        let node = &nodes[index];
        if index > root && !stay.contains(index) {
            index = node.end();
            continue;
        }
        if node.is_leaf(index) {
            kept.insert_all(node.tokens());
        }
        index += 1;
    }
    let mut bytes = Vec::new();
    text.render_into(&kept, &[], Gaps::Bare, &mut bytes);
    // A token may be white space itself, a line end say.
    let blank = |token: Option<usize>, side: fn(&[u8]) -> Option<&u8>| {
        token.and_then(|token| side(text.piece(token))).is_some_and(u8::is_ascii_whitespace)
    };
    let mut string = &bytes[..];
    if !blank(kept.next_from(0), <[u8]>::first) {
        string = string.trim_ascii_start();
    }
    if !blank(kept.iter().last(), <[u8]>::last) {
        string = string.trim_ascii_end();
    }
    string.to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TreeBuilder;
    use crate::tree::Syntax;
    use crate::{Quotes, StandIn};

    /// Words in brackets, in places of slot 0 or of no known one; what stands in for slot 0 and for slot 1, which none of
    /// the places has. Both take the brackets.
    fn strings(places: &[(&str, Option<u32>)], minimal: Option<StandIn>) -> [Option<Vec<u8>>; 2] {
        let text: Vec<u8> = places.iter().flat_map(|(text, _)| text.bytes().chain([b' '])).collect();
        let mut builder = TreeBuilder::new(text, vec!["root", "brackets", "token"]);
        builder.open(0, Role::Fixed);
        let mut at = 0;
        for (text, slot) in places {
            builder.open(1, Syntax { slot: *slot, ..Role::Fixed.into() });
            for word in text.split(' ') {
                builder.token(at..at + word.len() as u32, 1, 2, Role::Fixed);
                at += word.len() as u32 + 1;
            }
            builder.close();
        }
        builder.close();
        let slots = [None, minimal].map(|minimal| Slot { kinds: vec![1], minimal });
        let tree = builder.finish(Quotes::Known, &slots);
        [0, 1].map(|slot| tree.minimal(slot).map(|string| tree.stand_in(string).bytes.clone()))
    }

    #[test]
    fn the_smallest_node_of_a_kind_stands_in_for_others() {
        for places in [["( a b )", "( cc )", "( d )", "( e )"], ["( d )", "( e )", "( cc )", "( a b )"]] {
            let places = places.map(|text| (text, None));
            assert_eq!(strings(&places, None), [0, 1].map(|_| Some(b"( d )".to_vec())), "{places:?}");
        }
    }

    #[test]
    fn the_smallest_node_that_stands_in_such_a_place_is_preferred_to_those_of_its_kinds() {
        let places = [
            ("( a b )", Some(0)),
            ("( x )", None),
            ("( cc )", Some(0)),
            ("( d )", Some(0)),
            ("( e f )", Some(0)),
        ];
        assert_eq!(strings(&places, None), [b"( d )", b"( x )"].map(|string| Some(string.to_vec())));
    }

    #[test]
    fn the_string_of_the_grammar_is_taken_where_it_has_fewer_tokens() {
        let places = [("( a b )", Some(0))];
        for (tokens, expected) in [(3, "( )"), (4, "( a b )")] {
            let of_grammar = StandIn { bytes: b"( )".to_vec(), tokens };
            assert_eq!(strings(&places, Some(of_grammar))[1].as_deref(), Some(expected.as_bytes()));
        }
    }
}
