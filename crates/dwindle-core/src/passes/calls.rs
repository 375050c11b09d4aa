//! Calls: a call becomes one of its arguments, or what it is called on; or all calls of a function
//! become something out of its body, with the arguments in the place of the parameters, and the function
//! goes.

use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;

use super::choice::Choice;
use super::lexical::{Lexical, Name};
use super::parameters::list_at;
use crate::{Change, Edit, StandIn};

pub(super) fn choices(lexical: &Lexical<'_>) -> Vec<Choice> {
    let bodies = lexical.names().iter().filter_map(|name| called(lexical, name));
    let parts = lexical.pairs().flat_map(|(open, close)| {
        [at_once(lexical, open, close), parts_of(lexical, open, close)].into_iter().flatten()
    });
    bodies.chain(parts).collect()
}

/// The node that ends with a pair of brackets and begins before it.
pub(super) fn call_around(lexical: &Lexical<'_>, open: usize, close: usize) -> Option<usize> {
    let tree = lexical.tree;
    let call = lexical.around(close).find(|&node| tree.tokens(node).start < open)?;
    (tree.tokens(call).end == close + 1).then_some(call)
}

/// A call with one of its arguments, or the first part of what is called, in its place.
fn parts_of(lexical: &Lexical<'_>, open: usize, close: usize) -> Option<Choice> {
    let tree = lexical.tree;
    let call = call_around(lexical, open, close)?;
    let all = tree.tokens(call);
    let arguments = list_at(lexical, open)?.elements;
    let head = all.start..open;
    let mut parts: Vec<Range<usize>> = Vec::new();
    // One name before one argument is what `brackets` takes away.
    if arguments.len() > 1 || head.len() > 1 {
        parts.extend(arguments.into_iter().take(lexical.tuning.call_arguments));
    }
    if head.len() > 1 {
        let starts = |part: &Range<usize>| part.start == all.start && part.end < open;
        let below = tree.subtree(call).skip(1).filter(|&node| !tree.is_group(node));
        parts.extend(below.map(|node| tree.tokens(node)).find(starts));
    }
    Choice::between(parts.into_iter().map(|part| Change::keep(all.clone(), part)).collect())
}

/// A function without a name that is called where it stands becomes a part of its body: `(x => x + 1)(2)` becomes `2 + 1`.
fn at_once(lexical: &Lexical<'_>, open: usize, close: usize) -> Option<Choice> {
    let tree = lexical.tree;
    let call = call_around(lexical, open, close)?;
    let all = tree.tokens(call);
    let arguments = list_at(lexical, open)?.elements;
    let last_argument = arguments.len().checked_sub(1)?;
    let is_function_name = |token: usize| lexical.partner(token + 1).is_some();
    let introduced = (all.start..open).filter(|&token| lexical.introduced_by(token).is_some());
    let parameters: Vec<Option<usize>> =
        introduced.filter(|&token| !is_function_name(token)).map(Some).collect();
    let last = (*parameters.get(last_argument)?)?;
    let arguments = arguments.into_iter().map(|argument| lexical.string(argument)).collect();
    let call = Call { node: call, arguments, statement: 0..0 };
    let below = tree.subtree(call.node).filter(|&node| tree.tokens(node).start > last);
    let inside = below.filter(|&node| tree.tokens(node).end <= open);
    let bodies = bodies(lexical, &call, inside).into_iter();
    let put = |body: Range<usize>| {
        let string = lexical.string_with(body, |token| call.argument(lexical, &parameters, token));
        Change::replacement(all.clone(), string)
    };
    Choice::between(bodies.map(put).collect())
}

/// Which of some nodes may stand where a call stands, the largest first.
fn bodies(lexical: &Lexical<'_>, call: &Call, nodes: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let tree = lexical.tree;
    let slot = tree.slot(call.node);
    let fits = |&node: &usize| {
        !tree.is_group(node) && slot.is_some_and(|slot| tree.fits(slot, tree.nodes()[node].kind))
    };
    let mut bodies: Vec<Range<usize>> = nodes.filter(fits).map(|node| tree.tokens(node)).collect();
    bodies.sort_by_key(|part| (Reverse(part.len()), part.start));
    bodies.dedup();
    bodies.truncate(lexical.tuning.few);
    bodies
}

/// All calls of a function become a part of its body that may stand there.
fn called(lexical: &Lexical<'_>, name: &Name<'_>) -> Option<Choice> {
    let tree = lexical.tree;
    let &[introduced] = &name.introduced[..] else { return None };
    let behind = lexical.partner(introduced + 1)? + 1;
    let parameters = list_at(lexical, introduced + 1).map_or(Vec::new(), |list| list.elements);
    let declaration = lexical.removable_around(introduced).find(|&node| tree.tokens(node).end > behind)?;
    let all = tree.tokens(declaration);
    let calls: Vec<usize> = name.mentions.iter().copied().filter(|&token| token != introduced).collect();
    if calls.is_empty() || calls.len() > lexical.tuning.calls || calls.iter().any(|token| all.contains(token))
    {
        return None;
    }
    // The name that each parameter introduces last is its own.
    let own = |parameter: Range<usize>| parameter.rev().find(|&token| lexical.introduced_by(token).is_some());
    let own_names: Vec<Option<usize>> = parameters.iter().cloned().map(own).collect();
    let places = calls.iter().map(|&token| Call::of(lexical, token, parameters.len()).ok_or(token));
    let (places, others): (Vec<_>, Vec<_>) = places.partition(Result::is_ok);
    let places: Vec<Call> = places.into_iter().flatten().collect();
    let instead = instead_of(lexical, others.into_iter().filter_map(Result::err).collect(), &all)?;
    let below = tree.subtree(declaration).filter(|&node| tree.tokens(node).start >= behind);
    let bodies = bodies(lexical, places.first()?, below.clone());
    let without_it = |edits: Vec<Edit>| {
        let gone = [Edit::Delete(declaration as u32)];
        Change::new(edits.into_iter().chain(instead.iter().cloned()).chain(gone))
    };
    let put = |body: &Range<usize>, whole: bool| {
        let place = |call: &Call| {
            let string = lexical.string_with(body.clone(), |token| call.argument(lexical, &own_names, token));
            Edit::replacement(if whole { call.statement.clone() } else { tree.tokens(call.node) }, string)
        };
        without_it(places.iter().map(place).collect())
    };
    let mut alternatives: Vec<Change> = bodies.iter().map(|body| put(body, false)).collect();
    // The statements of the body in the place of the statement that is the call.
    let statements = below.filter_map(|node| lexical.body(node));
    if let Some(statements) = statements.max_by_key(|range| range.len())
        && places.iter().all(|call| !call.statement.is_empty())
    {
        alternatives.push(put(&statements, true));
        if let [call] = &places[..] {
            let string = call.with_variables(lexical, &parameters, statements);
            let put = |string| without_it(alloc::vec![Edit::replacement(call.statement.clone(), string)]);
            alternatives.extend(string.map(put));
        }
    }
    Choice::between(alternatives)
}

/// Mentions of a function that are no calls mention another one, outside of the declaration that goes.
fn instead_of(lexical: &Lexical<'_>, mentions: Vec<usize>, gone: &Range<usize>) -> Option<Vec<Edit>> {
    if mentions.is_empty() {
        return Some(Vec::new());
    }
    let is_function = |name: &&Name<'_>| {
        let introduced = name.introduced.first().filter(|token| !gone.contains(token));
        introduced.is_some_and(|&token| lexical.partner(token + 1).is_some())
    };
    let other = lexical.names().iter().find(is_function)?.string();
    Some(mentions.into_iter().map(|token| Edit::put(token, other.clone())).collect())
}

struct Call {
    node: usize,
    arguments: Vec<StandIn>,
    /// The tokens of the statement that is this call and nothing else, or none.
    statement: Range<usize>,
}

impl Call {
    /// The call of what `token` names, which has so many parameters. With an argument less, what it is called on
    /// stands for the first of them.
    fn of(lexical: &Lexical<'_>, token: usize, parameters: usize) -> Option<Self> {
        let tree = lexical.tree;
        let node = call_around(lexical, token + 1, lexical.partner(token + 1)?)?;
        let tokens = tree.tokens(node);
        let statement = lexical.around(token).find(|&node| lexical.is_statement(node));
        let statement = statement
            .map(|node| tree.tokens(node))
            .filter(|statement| statement.start == tokens.start && statement.end <= tokens.end + 1);
        let mut arguments = list_at(lexical, token + 1).map_or(Vec::new(), |list| list.elements);
        if arguments.len() + 1 == parameters && lexical.is_member(token) {
            arguments.insert(0, tokens.start..token - 1);
        }
        let arguments = arguments.into_iter().map(|argument| lexical.string(argument)).collect();
        Some(Self { node, arguments, statement: statement.unwrap_or(0..0) })
    }

    /// Statements in which each parameter becomes a variable with the argument for its value.
    fn with_variables(
        &self,
        lexical: &Lexical<'_>,
        parameters: &[Range<usize>],
        statements: Range<usize>,
    ) -> Option<StandIn> {
        let end = StandIn::token(lexical.tree.signs(statements.start).terminator?);
        if parameters.is_empty() || parameters.len() != self.arguments.len() {
            return None;
        }
        let variable = |(parameter, argument): (&Range<usize>, &StandIn)| {
            [lexical.string(parameter.clone()), StandIn::token("="), argument.clone(), end.clone()]
        };
        let variables = parameters.iter().zip(&self.arguments).flat_map(variable);
        let all: Vec<StandIn> = variables.chain([lexical.string(statements)]).collect();
        let bytes: Vec<&[u8]> = all.iter().map(|string| &string.bytes[..]).collect();
        Some(StandIn { bytes: bytes.join(&b' '), tokens: all.iter().map(|string| string.tokens).sum() })
    }

    /// The argument that stands for a mention that begins with `token`, if that is one of a parameter, and what comes behind it.
    fn argument(
        &self,
        lexical: &Lexical<'_>,
        parameters: &[Option<usize>],
        token: usize,
    ) -> Option<(usize, &StandIn)> {
        let begins = |name: &usize| lexical.name(*name).is_some() && lexical.mention(*name).start == token;
        let mention =
            [token, token + 1].into_iter().filter(|&name| name < lexical.text.len()).find(begins)?;
        let name = lexical.name(mention)?;
        let is_own = |parameter: &Option<usize>| parameter.is_some_and(|own| name.introduced.contains(&own));
        Some((mention + 1, self.arguments.get(parameters.iter().position(is_own)?)?))
    }
}
