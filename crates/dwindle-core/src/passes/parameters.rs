//! Parameters: an element of a list behind a name goes together with the elements at the same position
//! of the lists behind the other mentions of that name: a parameter with the arguments in all calls,
//! a column with its values, a member with what initialises it. What is behind the name of a class may be the arguments of
//! any of its methods with as many parameters, or with one more before them for the object: one of them constructs it.
//!
//! The receiver of a method, where it stands before its name, goes with the objects of all calls.
//!
//! What mentions the parameter itself goes too, or its mentions become the argument, or they stay.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::ops::Range;

use super::choice::Choice;
use super::lexical::{Lexical, Name, outermost};
use crate::lexicon::is_one_of;
use crate::{Change, Edit};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let accesses = accesses(lexical);
    let of_name = |name: &Name<'_>| {
        let spelled_alike = accesses.get(name.spelling).map_or(&[][..], |tokens| tokens);
        of_name(lexical, name, spelled_alike)
    };
    lexical.names().iter().flat_map(of_name).collect()
}

/// Where members of each spelling are mentioned behind a sign, as in `a.b`: of which type is not known.
fn accesses<'a>(lexical: &'a Lexical<'_>) -> BTreeMap<&'a [u8], Vec<usize>> {
    let mut accesses: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    let mentions =
        lexical.names().iter().flat_map(|name| name.mentions.iter().map(move |&token| (name, token)));
    for (name, token) in mentions {
        if lexical.is_member(token) {
            accesses.entry(name.spelling).or_default().push(token);
        }
    }
    accesses
}

fn of_name(lexical: &Lexical<'_>, name: &Name<'_>, accesses: &[usize]) -> Vec<Choice> {
    let first = name.introduced.first().or(name.mentions.first());
    let elsewhere = accesses.iter().filter(|token| name.mentions.binary_search(token).is_err());
    let elsewhere: Vec<usize> = elsewhere.copied().collect();
    let is_mentioned = name.mentions.len() > 1 || !elsewhere.is_empty();
    let Some(&first) = first.filter(|_| is_mentioned) else { return Vec::new() };
    let mut choices = Vec::new();
    for declared in lists_of(lexical, first) {
        let mut seen = BTreeSet::from([declared.elements[0].start]);
        let mut others: Vec<List> = Vec::new();
        for &token in name.mentions.iter().filter(|&&token| token != first) {
            let mut found = lists_of(lexical, token);
            found.retain(|list| list.bracket == declared.bracket);
            if found.is_empty() && lexical.introduced_by(token).is_none() {
                found = lists_near(lexical, token, declared.elements.len());
            }
            others.extend(found.into_iter().filter(|list| seen.insert(list.elements[0].start)));
        }
        let elsewhere = elsewhere.iter().filter_map(|&token| list_at(lexical, token + 1));
        let elsewhere = elsewhere.filter(|list| {
            list.bracket == declared.bracket
                && list.elements.len() == declared.elements.len()
                && !seen.contains(&list.elements[0].start)
        });
        choices.extend(each_without(lexical, &declared, &others, &elsewhere.collect::<Vec<_>>()));
    }
    choices.extend(constructed(lexical, name));
    choices.extend(without_receiver(lexical, name, &elsewhere));
    choices
}

/// A method whose receiver stands in brackets before its name becomes a function: the receiver goes with the objects of
/// all calls.
fn without_receiver(lexical: &Lexical<'_>, name: &Name<'_>, elsewhere: &[usize]) -> Option<Choice> {
    let &introduced = name.introduced.first()?;
    let close = introduced.checked_sub(1)?;
    let mut around = lexical.around(close).map(|node| lexical.tree.tokens(node).start);
    let open = around.find(|&open| lexical.partner(open) == Some(close))?;
    let is_receiver = open > 0 && lexical.text.piece(open) == b"(" && lexical.is_word(open - 1);
    let calls = name.mentions.iter().chain(elsewhere).filter(|&&token| token != introduced);
    let object = |&token: &usize| Some(lexical.access(token)?.start..token);
    let objects: Option<Vec<Range<usize>>> = calls.map(object).collect();
    let objects = objects.filter(|objects| is_receiver && !objects.is_empty())?;
    Some(Choice::one(Change::cut(objects.into_iter().chain(core::iter::once(open..introduced)))))
}

/// Each element of a declaration goes with those at its position of the other lists; or, since several functions may have
/// one name, of those as long as this one; or also of the lists of `elsewhere`.
fn each_without(lexical: &Lexical<'_>, declared: &List, others: &[List], elsewhere: &[List]) -> Vec<Choice> {
    let is_as_long = |list: &&List| list.elements.len() == declared.elements.len();
    let as_long: Vec<List> = others.iter().filter(is_as_long).cloned().collect();
    let all: Vec<List> = as_long.iter().chain(elsewhere).cloned().collect();
    let at = |position: usize| {
        let long_enough = others.iter().filter(|list| position < list.elements.len());
        let mut groups = [long_enough.cloned().collect(), as_long.clone(), all.clone()].to_vec();
        groups.retain(|group: &Vec<List>| !group.is_empty());
        groups.dedup();
        let alternatives = groups.iter().flat_map(|group| without(lexical, position, declared, group));
        Choice::between(alternatives.collect())
    };
    (0..declared.elements.len()).filter_map(at).collect()
}

/// The parameters of methods of a class, each with the arguments at its position where objects of the class are made.
fn constructed(lexical: &Lexical<'_>, class: &Name<'_>) -> Vec<Choice> {
    let tree = lexical.tree;
    let Some(&introduced) = class.introduced.first() else { return Vec::new() };
    let Some(declaration) = lexical.deletable_around(introduced).next() else { return Vec::new() };
    let declaration = tree.tokens(declaration);
    let is_made = |token: &&usize| !declaration.contains(*token) && lexical.partner(**token + 1).is_some();
    let made: Vec<List> =
        class.mentions.iter().filter(is_made).filter_map(|&token| list_at(lexical, token + 1)).collect();
    let Some(arguments) = made.iter().map(|list| list.elements.len()).max() else { return Vec::new() };
    let methods = (introduced + 1..declaration.end).filter(|&token| lexical.introduced_by(token).is_some());
    let parameters = methods.filter_map(|token| list_at(lexical, token + 1));
    let fitting = parameters.filter_map(|list| match list.elements.len().checked_sub(arguments)? {
        0 => Some(list),
        1 => Some(list.behind_the_first()),
        _ => None,
    });
    let fitting = fitting.filter(|list| list.bracket == b'(').take(lexical.tuning.few);
    fitting.flat_map(|declared| each_without(lexical, &declared, &made, &[])).collect()
}

/// The ways in which an element of a declaration goes with what stands for it elsewhere.
fn without(lexical: &Lexical<'_>, position: usize, declared: &List, others: &[List]) -> Vec<Change> {
    let element = declared.elements[position].clone();
    let gone = outermost(others.iter().chain([declared]).map(|list| list.removal(position)));
    let is_left = |token: &usize| {
        let before = gone.partition_point(|range| range.start <= *token).checked_sub(1);
        before.is_none_or(|before| gone[before].end <= *token)
    };
    let mentions: BTreeSet<usize> =
        element.flat_map(|token| mentions_of(lexical, declared, token)).filter(is_left).collect();
    let mut alternatives = Vec::new();
    if (1..=lexical.tuning.parameter_mentions).contains(&mentions.len()) {
        let with_users = |wanted: &dyn Fn(usize) -> bool| {
            let user = |&token: &usize| lexical.deletable_around(token).find(|&node| wanted(node));
            let users: BTreeSet<u32> = mentions.iter().filter_map(user).map(|node| node as u32).collect();
            let users = Change::deletion(users).gone(lexical.tree);
            Change::cut(outermost(gone.iter().cloned().chain(users)))
        };
        alternatives.push(with_users(&|_| true));
        alternatives.push(with_users(&|node| lexical.is_statement(node)));
        let argument = lexical.string(others[0].elements[position].clone());
        let put = mentions.iter().map(|&token| Edit::put(token, argument.clone()));
        alternatives.push(Change::new(put.chain(gone.iter().cloned().map(Edit::cut))));
    }
    alternatives.push(Change::cut(gone));
    alternatives.dedup();
    alternatives
}

/// The mentions of what `token` introduces in a list: in the scope of a parameter, of a member anywhere.
fn mentions_of(lexical: &Lexical<'_>, list: &List, token: usize) -> Vec<usize> {
    let Some(name) = lexical.introduced_by(token) else { return Vec::new() };
    let tree = lexical.tree;
    let around = lexical.around(token).filter(|&node| tree.tokens(node).end > list.end);
    let mut wide = around.filter(|&node| tree.is_scope(node) || lexical.is_statement(node));
    let has_scope = lexical.around(token).any(|node| tree.is_scope(node));
    let scope = wide.next().filter(|_| has_scope && list.bracket != b'{');
    let known = scope.map_or(0..lexical.text.len(), |node| tree.tokens(node));
    let first = name.mentions.partition_point(|&mention| mention < known.start);
    name.mentions[first..].iter().copied().take_while(|&mention| mention < known.end).collect()
}

/// A list of one element or more, in these brackets if it is in any.
#[derive(Clone, PartialEq)]
pub(super) struct List {
    bracket: u8,
    /// The tokens of the elements; separators are between them.
    pub(super) elements: Vec<Range<usize>>,
    /// Where an element ends that stands before these and is none of them.
    before: Option<usize>,
    /// Behind the bracket that closes it.
    pub(super) end: usize,
}

impl List {
    /// The tokens of an element and of the separators that go with it.
    fn removal(&self, position: usize) -> Range<usize> {
        let element = self.elements[position].clone();
        match (self.elements.get(position + 1), position.checked_sub(1)) {
            (Some(next), _) => element.start..next.start,
            (None, Some(previous)) => self.elements[previous].end..element.end,
            (None, None) => self.before.unwrap_or(element.start)..element.end,
        }
    }

    fn behind_the_first(mut self) -> Self {
        let first = self.elements.remove(0);
        Self { before: Some(first.end), ..self }
    }
}

/// The lists in brackets that begin right behind a name, one behind the other, and what stands before
/// what it declares (`template <class T> struct S`) or in its own brackets (`(f x y)`).
fn lists_of(lexical: &Lexical<'_>, token: usize) -> Vec<List> {
    let mut lists: Vec<List> = Vec::new();
    while let Some(list) = list_at(lexical, lists.last().map_or(token + 1, |last| last.end)) {
        lists.push(list);
    }
    if lists.is_empty() && token > 0 && lexical.text.piece(token - 1) == b"(" {
        lists.extend(list_from(lexical, token, b'(', b")"));
    }
    let tree = lexical.tree;
    let around = lexical.around(token).take_while(|&node| !lexical.is_statement(node));
    let before = around.filter_map(|node| {
        let open = tree.tokens(tree.parent(node)?).start + 1;
        (open < token && lexical.text.piece(open) == b"<").then(|| list_at(lexical, open))?
    });
    lists.extend(before.take(1));
    lists
}

/// The list in the brackets that open at a token: what commas part or, without any, what the tree says.
pub(super) fn list_at(lexical: &Lexical<'_>, open: usize) -> Option<List> {
    if open >= lexical.text.len() {
        return None;
    }
    let &[bracket] = lexical.text.piece(open) else { return None };
    let close: &[u8] = match bracket {
        b'(' => b")",
        b'[' => b"]",
        b'{' => b"}",
        b'<' => b">",
        _ => return None,
    };
    let in_tree = || list_from(lexical, open, bracket, close);
    let Some(end) = lexical.partner(open) else { return in_tree() };
    let mut elements = Vec::new();
    let (mut start, mut token) = (open + 1, open + 1);
    while token < end {
        if is_one_of(lexical.text.piece(token), &lexical.tree.signs(token).separator) {
            elements.push(start..token);
            start = token + 1;
        }
        token = lexical.partner(token).unwrap_or(token) + 1;
    }
    elements.push(start..end);
    elements.retain(|element| !element.is_empty());
    if elements.len() > 1 {
        return Some(List { bracket, elements, before: None, end: end + 1 });
    }
    in_tree()
}

/// The elements of lists among the siblings behind a token, up to `close`. They may all lie one node deeper.
fn list_from(lexical: &Lexical<'_>, token: usize, bracket: u8, close: &[u8]) -> Option<List> {
    let tree = lexical.tree;
    let is_element = |&node: &usize| tree.list(node).is_some() && !tree.is_separator(node);
    let (mut elements, mut others) = (Vec::new(), Vec::new());
    let siblings = core::iter::successors(Some(lexical.leaf(token)), |&node| tree.next(node)).skip(1);
    for node in siblings {
        if tree.tokens(node).len() == 1 && lexical.text.piece(tree.tokens(node).start) == close {
            if let (true, &[other]) = (elements.is_empty(), &others[..]) {
                elements = tree.children(other).filter(is_element).collect();
            }
            let elements: Vec<_> = elements.into_iter().map(|node| tree.tokens(node)).collect();
            let list = List { bracket, elements, before: None, end: tree.tokens(node).end };
            return (!list.elements.is_empty()).then_some(list);
        }
        if is_element(&node) { elements.push(node) } else { others.push(node) }
    }
    None
}

/// The lists of so many elements in the statement of a name, behind it; of one element only in brackets.
fn lists_near(lexical: &Lexical<'_>, token: usize, len: usize) -> Vec<List> {
    let tree = lexical.tree;
    let Some(statement) = lexical.around(token).find(|&node| lexical.is_statement(node)) else {
        return Vec::new();
    };
    let all = tree.tokens(statement);
    if all.len() > lexical.tuning.parameter_statement {
        return Vec::new();
    }
    let in_brackets = lexical.pairs_in(token + 1..all.end).filter_map(|(open, _)| list_at(lexical, open));
    let behind = tree.subtree(statement).filter(|&node| tree.tokens(node).start > token);
    let separated = behind.filter(|&node| tree.is_separated(node)).flat_map(|node| tree.lists(node));
    let separated = separated.map(|(_, elements)| {
        let elements: Vec<_> = elements.iter().map(|&element| tree.tokens(element)).collect();
        List { bracket: 0, end: elements.last().map_or(0, |last| last.end), before: None, elements }
    });
    in_brackets
        .chain(separated.filter(|list| list.elements.len() > 1))
        .filter(|list| list.elements.len() == len)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_goes_with_the_separator_behind_it_and_the_last_with_the_one_before() {
        let list = List { bracket: b'(', elements: alloc::vec![2..3, 4..7, 8..9], before: None, end: 10 };
        assert_eq!([0, 1, 2].map(|position| list.removal(position)), [2..4, 4..8, 7..9]);
        let one = List { bracket: b'(', elements: alloc::vec![2..3], before: None, end: 4 };
        assert_eq!(one.removal(0), 2..3);
        let two = List { bracket: b'(', elements: alloc::vec![2..3, 4..7], before: None, end: 8 };
        assert_eq!(two.behind_the_first().removal(0), 3..7);
    }
}
