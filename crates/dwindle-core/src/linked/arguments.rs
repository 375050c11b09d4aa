//! Which argument of a call belongs to which parameter of a function: the one at the same place in its list.

use alloc::vec::Vec;
use core::ops::Range;

use super::closure::Tied;
use crate::lexicon::is_one_of;

impl Tied<'_> {
    /// Where `node` is a parameter, or one of several names of one: the mention that introduces the function, and the
    /// places of the arguments for it.
    pub(super) fn parameter_places(self, node: usize) -> Option<(usize, Range<usize>)> {
        let is_one = |&parent: &usize| self.tree.is_element(node) && self.function_of(parent).is_some();
        let parameter = self.tree.parent(node).filter(is_one).unwrap_or(node);
        let function = self.function_of(parameter)?;
        let before = self.all_beside(parameter).into_iter().take_while(|&other| other != parameter);
        let first: usize = before.map(|other| self.names_of(other).len().max(1)).sum();
        let names = self.names_of(parameter);
        let places = match names.iter().position(|&name| name == node) {
            Some(name) => first + name..first + name + 1,
            None => first..first + names.len().max(1),
        };
        Some((function, places))
    }

    /// The mention that introduces the function of which `node` is a parameter: its name stands right before
    /// the brackets.
    pub(super) fn function_of(self, node: usize) -> Option<usize> {
        self.tree.list(node)?;
        let list = self.tree.parent(node).filter(|&parent| self.tree.is_separated(parent))?;
        let bracket = self.tree.tokens(list).start;
        let name = bracket.checked_sub(1).filter(|_| self.opens_call(bracket))?;
        let mut mentions = self.graph.mentions_in(name..name + 1);
        mentions.next().filter(|&index| self.tree.names().introduces(index))
    }

    /// The argument at `place` of the call of what `token` names.
    pub(super) fn argument(self, token: usize, place: usize) -> Option<usize> {
        let bracket = token + 1;
        if bracket >= self.tree.text().len() || !self.opens_call(bracket) {
            return None;
        }
        let lists = self.tree.lists(self.tree.parent(self.graph.leaf(bracket))?);
        let (_, elements) = lists.first()?;
        elements.get(place).copied()
    }

    pub(super) fn opens_call(self, token: usize) -> bool {
        is_one_of(self.tree.text().piece(token), self.tree.signs(token).calls)
    }

    /// All elements of the list of `node`, also those that have gone.
    fn all_beside(self, node: usize) -> Vec<usize> {
        let lists = self.tree.parent(node).map(|parent| self.tree.lists(parent)).unwrap_or_default();
        let own = self.tree.list(node);
        lists.into_iter().find(|(list, _)| Some(*list) == own).map(|(_, all)| all).unwrap_or_default()
    }

    /// The names of a parameter that has a list of them, as `x, y int`.
    fn names_of(self, parameter: usize) -> Vec<usize> {
        let is_name = |&name: &usize| {
            let tokens = self.tree.tokens(name);
            let mut mentions = self.graph.mentions_in(tokens.clone());
            self.tree.is_element(name)
                && tokens.len() == 1
                && mentions.any(|index| self.tree.names().introduces(index))
        };
        self.tree.children(parameter).filter(is_name).collect()
    }
}
