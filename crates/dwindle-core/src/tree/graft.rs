//! Trees of several texts, grafted into one: the files of a folder, each read in its own language.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::builder::TreeBuilder;
use super::parts::{Grafted, Language, Part};
use super::{List, NONE, Node, Role, Slot, Tree};
use crate::Quotes;
use crate::lexicon::Lexicon;
use crate::names::How;

impl TreeBuilder {
    /// Adds all of `tree`, whose text begins at the byte `at` of this one, as a child of the innermost node that is open.
    /// Its `mentions` are tokens, in order, with the names that they mention.
    pub fn graft(&mut self, tree: &Tree, at: u32, mentions: &[(u32, &[u8], How)]) {
        if tree.text.is_empty() {
            return;
        }
        let language = self.language_of(tree);
        let strings_from = self.grafted.stand_ins.len() as u32;
        self.grafted.stand_ins.extend(tree.stand_ins.iter().cloned());
        let slots = self.slots_of(language, tree, strings_from);
        let kinds_from = self.grafted.languages[language].kinds_from;
        let first_token = self.spans.len() as u32;
        for part in &tree.parts {
            self.grafted.parts.push(Part { first_token: part.first_token + first_token, ..part.clone() });
        }
        let text = tree.text();
        for token in 0..text.len() {
            let span = text.span(token);
            self.spans.push(span.start as u32 + at..span.end as u32 + at);
            self.weights.push(text.weight(token));
        }
        let first_node = self.nodes.len() as u32;
        let around = self.open.last().copied().unwrap_or(NONE);
        let lists_from = self.grafted.lists;
        for node in &tree.nodes {
            self.cancellation.check();
            let moved = |number: u32, by: u32| if number == NONE { NONE } else { number + by };
            let kind = if node.kind == tree.group { self.group } else { node.kind + kinds_from };
            let role = match node.role {
                Role::StandIn(string) => Role::StandIn(string + strings_from),
                role => role,
            };
            if node.list != NONE {
                self.grafted.lists = self.grafted.lists.max(lists_from + (node.list >> 1) + 1);
            }
            self.nodes.push(Node {
                kind,
                role,
                parent: if node.parent == NONE { around } else { node.parent + first_node },
                slot: if node.slot == NONE { NONE } else { slots[node.slot as usize] },
                list: moved(node.list, lists_from << 1),
                end: node.end + first_node,
                first_token: node.first_token + first_token,
                end_token: node.end_token + first_token,
                ..*node
            });
        }
        for &(token, spelling, how) in mentions {
            self.names.add(token + first_token, spelling, how);
        }
        if let Some(errors) = tree.errors {
            *self.grafted.errors.get_or_insert(0) += errors;
        }
    }

    /// The number of the language of `tree`, whose kinds are added where no tree before had them.
    fn language_of(&mut self, tree: &Tree) -> usize {
        let languages = &mut self.grafted.languages;
        if let Some(known) = languages.iter().position(|known| known.kinds == tree.kinds) {
            return known;
        }
        let kinds_from = self.lexicon.kinds.len() as u32;
        self.lexicon.kinds.extend(&tree.kinds);
        languages.push(Language { kinds: tree.kinds.clone(), kinds_from, slots: BTreeMap::new() });
        languages.len() - 1
    }

    /// The numbers that the slots of `tree` have here, each with the shortest of its strings.
    fn slots_of(&mut self, language: usize, tree: &Tree, strings_from: u32) -> Vec<u32> {
        let Grafted { languages, slots, minimal, stand_ins, .. } = &mut self.grafted;
        let Language { kinds_from, slots: known, .. } = &mut languages[language];
        let number = |(slot, string): (&Slot, &Option<u32>)| {
            let Slot { kinds, minimal: of_grammar } = slot.clone();
            let key = (kinds, of_grammar.as_ref().map(|string| string.bytes.clone()));
            let number = *known.entry(key).or_insert_with_key(|(kinds, _)| {
                let kinds = kinds.iter().map(|kind| kind + *kinds_from).collect();
                slots.push(Slot { kinds, minimal: of_grammar });
                minimal.push(None);
                slots.len() as u32 - 1
            });
            let tokens = |string: &u32| stand_ins[*string as usize].tokens;
            let best = &mut minimal[number as usize];
            *best = best.iter().copied().chain(string.map(|string| string + strings_from)).min_by_key(tokens);
            number
        };
        tree.slots.iter().zip(&tree.minimal).map(number).collect()
    }

    /// A list that no other node is in.
    pub fn new_list(&mut self) -> List {
        self.grafted.lists += 1;
        List { id: self.grafted.lists - 1, some: false }
    }

    /// What was added last and is not grafted stands on lines of its own, whatever is beside it.
    pub fn on_own_line(&mut self) {
        let first_token = self.spans.len() as u32 - 1;
        let Lexicon { signs, guesses_names, .. } = self.lexicon;
        self.grafted.parts.push(Part { first_token, quotes: Quotes::OwnLine, signs, guesses_names });
    }

    /// The tree, all nodes being closed. Each token is grafted or [on a line of its own](Self::on_own_line).
    pub fn finish_grafted(mut self) -> Tree {
        let grafted = core::mem::take(&mut self.grafted);
        let text = self.text_in(&grafted.parts);
        let Grafted { slots, minimal, stand_ins, parts, errors, .. } = grafted;
        Tree { slots, minimal, errors, ..self.tree(text, parts, stand_ins.into()) }
    }
}
