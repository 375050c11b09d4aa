//! Generics: the type parameters behind a name, or before what it declares, go with the arguments behind its other mentions.
//! Where a parameter is mentioned the first argument for it comes in its place: `template <class T> struct S { T a; }; S<int> b;`
//! becomes `struct S { int a; }; S b;`.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

use super::choice::Choice;
use super::lexical::{Lexical, Name, outermost};
use super::parameters::list_at;
use crate::tree::Role;
use crate::{Change, Edit, StandIn};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    lexical.names().iter().filter_map(|name| of_name(lexical, name)).map(Choice::one).collect()
}

fn of_name(lexical: &Lexical<'_>, name: &Name<'_>) -> Option<Change> {
    if name.mentions.len() > lexical.tuning.most_mentions {
        return None;
    }
    let places: Vec<Place> = name.mentions.iter().map(|&token| Place::of(lexical, name, token)).collect();
    let gone = outermost(places.iter().flat_map(|place| place.head.iter().chain(&place.arguments)).cloned());
    let is_declared = places.iter().any(|place| place.declares);
    if !is_declared || gone.is_empty() {
        return None;
    }
    let is_left = |token: &usize| !gone.iter().any(|range| range.contains(token));
    let parameters: BTreeMap<usize, usize> =
        places.iter().flat_map(|place| place.parameters.iter().copied()).collect();
    let is_parameter = |token: usize| {
        let name = lexical.name(token);
        name.is_some_and(|name| name.introduced.iter().any(|token| parameters.contains_key(token)))
    };
    let arguments = |position: usize| {
        let mut given = places.iter().filter_map(|place| place.elements.get(position));
        given.find(|&element| !element.clone().any(is_parameter)).cloned()
    };
    // Parameters that are spelled alike may be one name.
    let mut put: BTreeMap<usize, StandIn> = BTreeMap::new();
    for (&parameter, &position) in &parameters {
        let left = lexical.introduced_by(parameter)?.mentions.iter().copied().filter(is_left);
        for token in left {
            put.insert(token, lexical.string(arguments(position)?));
        }
    }
    let put = put.into_iter().map(|(token, argument)| Edit::put(token, argument));
    Some(Change::new(put.chain(gone.iter().cloned().map(Edit::cut))))
}

/// What belongs to one mention of a name.
struct Place {
    /// The parameters before what it is a part of, with the word that wants some.
    head: Option<Range<usize>>,
    /// What is behind it in brackets, with these.
    arguments: Option<Range<usize>>,
    /// What is between these brackets.
    elements: Vec<Range<usize>>,
    /// The tokens that introduce parameters, with the positions of these.
    parameters: Vec<(usize, usize)>,
    /// Whether it is where the parameters are declared.
    declares: bool,
}

impl Place {
    fn of(lexical: &Lexical<'_>, name: &Name<'_>, token: usize) -> Self {
        let introduced = |element: &Range<usize>| {
            element.clone().find(|&token| {
                lexical.introduced_by(token).is_some_and(|parameter| !core::ptr::eq(parameter, name))
            })
        };
        let is_introduced = name.introduced.contains(&token);
        let in_angles = in_angles(lexical, token + 1).map(|node| lexical.tree.tokens(node));
        let in_squares = || {
            let close = lexical.partner(token + 1)?;
            (lexical.text.piece(close) == b"]").then_some(token + 1..close + 1)
        };
        let arguments = in_angles.or_else(in_squares);
        let elements = arguments.as_ref().map_or(Vec::new(), |range| elements(lexical, range));
        let own = elements.iter().enumerate().filter(|_| is_introduced);
        let mut parameters: Vec<(usize, usize)> =
            own.filter_map(|(position, element)| Some((introduced(element)?, position))).collect();
        let mut declares = !parameters.is_empty();
        let mut head = head(lexical, token);
        if let Some((_, list, declared)) = &head {
            let of_head: Vec<Option<usize>> = self::elements(lexical, list).iter().map(introduced).collect();
            // Each may be handed on: `impl<T> S<T>`.
            let handed_on = |parameter: &Option<usize>| {
                let name = lexical.introduced_by((*parameter)?)?;
                let is_it =
                    |element: &Range<usize>| element.len() == 1 && name.mentions.contains(&element.start);
                Some(((*parameter)?, elements.iter().position(is_it)?))
            };
            let handed_on: Vec<_> = of_head.iter().filter_map(handed_on).collect();
            let mut named = declared.clone().filter(|&token| lexical.name(token).is_some());
            let mut introducing = declared.clone().filter(|&token| lexical.introduced_by(token).is_some());
            if handed_on.len() == of_head.len() {
                parameters.extend(handed_on);
            } else if introducing.next().or(named.next()) == Some(token) {
                declares = true;
                let of_head = of_head.into_iter().enumerate();
                parameters.extend(of_head.filter_map(|(position, parameter)| Some((parameter?, position))));
            } else {
                head = None;
            }
        }
        Self { head: head.map(|(head, ..)| head), arguments, elements, parameters, declares }
    }
}

/// The list of parameters before what a token is a part of, with the word before it if that wants some; the list alone; and
/// what is behind it.
fn head(lexical: &Lexical<'_>, token: usize) -> Option<(Range<usize>, Range<usize>, Range<usize>)> {
    let tree = lexical.tree;
    lexical.around(token).take_while(|&node| !lexical.is_statement(node)).find_map(|node| {
        let parent = tree.parent(node)?;
        let before = tree.children(parent).take_while(|&sibling| sibling < node);
        let lists = before.filter_map(|sibling| in_angles(lexical, tree.tokens(sibling).start));
        let list = lists.filter(|&list| list < node && !tree.subtree(list).contains(&node)).last()?;
        let (all, around) = (tree.tokens(list), tree.tokens(parent));
        let is_optional = tree.role(list) == Role::Deletable;
        Some((
            if is_optional { all.clone() } else { around.start..all.end },
            all.clone(),
            all.end..around.end,
        ))
    })
}

/// The node of a list in angle brackets that begins at a token.
fn in_angles(lexical: &Lexical<'_>, token: usize) -> Option<usize> {
    if token >= lexical.text.len() || lexical.text.piece(token) != b"<" {
        return None;
    }
    let tree = lexical.tree;
    let begins = |&node: &usize| tree.tokens(node).start == token;
    let is_closed = |&node: &usize| lexical.text.piece(tree.tokens(node).end - 1) == b">";
    lexical.around(token).take_while(begins).find(is_closed)
}

fn elements(lexical: &Lexical<'_>, list: &Range<usize>) -> Vec<Range<usize>> {
    list_at(lexical, list.start).map_or(Vec::new(), |list| list.elements)
}
