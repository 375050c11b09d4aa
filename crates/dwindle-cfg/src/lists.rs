//! Lists, wherever a grammar has them: written out, as recursion, or as a first item and a repeat.
//!
//! All that is done here leaves the texts of a rule as they are. Operators lose their associativity:
//! `e: e '+' e | e '*' e | N` becomes a level of operands for each precedence, so that a parser need
//! not try all trees, and `a + b + c` one node with the operands below it.

use std::collections::HashSet;

use crate::ebnf::{Expr, List, Rule};

/// How tightly each alternative of a rule binds: the higher, the tighter.
pub(crate) type Precedences = Vec<u32>;

/// How a level of operators has its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recursion {
    /// All in one node: `a + b + c`.
    List,
    /// Two in a node, the first of which may be such a node again: `(a + b) + c`.
    Chain,
}

/// Makes lists of all that are lists. New rules come behind the others; `precedences` are those of
/// the alternatives of each rule.
pub(crate) fn find(rules: &mut Vec<Rule>, precedences: &[Precedences]) {
    let mut levels = vec![false; rules.len()];
    for index in 0..precedences.len() {
        let alternatives = rules[index].body.alternatives().to_vec();
        let this = Expr::Rule(index as u32);
        if alternatives.iter().any(|alternative| alternative.parts().first() == Some(&this)) {
            if let Some(flat) = left_recursion(&alternatives, &this) {
                rules[index].body = flat;
            } else {
                operators(rules, index, alternatives, &precedences[index], Recursion::List);
                levels[index] = true;
                levels.resize(rules.len(), true);
            }
        } else if let Some(list) = right_recursion(&alternatives, &this) {
            rules[index].body = list;
        }
    }
    for (rule, is_level) in rules.iter_mut().zip(levels) {
        let body = std::mem::replace(&mut rule.body, Expr::Seq(Vec::new()));
        rule.body = match body {
            // An operand has to stay, or have another in its place; in a list it could only go.
            Expr::Seq(parts) if is_level => {
                Expr::Seq(parts.into_iter().map(|part| part.map(&mut normal)).collect())
            }
            body => body.map(&mut normal),
        };
    }
}

fn ends_with(alternative: &Expr, symbol: &Expr) -> bool {
    alternative.parts().last() == Some(symbol)
}

fn mentions(expr: &Expr, symbol: &Expr) -> bool {
    expr == symbol || expr.children().into_iter().any(|child| mentions(child, symbol))
}

/// Whether the rule of that number begins with itself in one alternative, and ends with itself in one.
pub(crate) fn is_of_operators(body: &Expr, rule: u32) -> bool {
    let (alternatives, this) = (body.alternatives(), Expr::Rule(rule));
    alternatives.iter().any(|alternative| alternative.parts().first() == Some(&this))
        && alternatives
            .iter()
            .any(|alternative| alternative.parts().len() > 1 && ends_with(alternative, &this))
}

/// `A: A x | b` as `b x*`, unless it is a rule of operators.
fn left_recursion(alternatives: &[Expr], this: &Expr) -> Option<Expr> {
    let (recursive, bases): (Vec<&Expr>, Vec<&Expr>) =
        alternatives.iter().partition(|alternative| alternative.parts().first() == Some(this));
    if alternatives.iter().any(|alternative| alternative.parts().len() > 1 && ends_with(alternative, this)) {
        return None;
    }
    if bases.is_empty() {
        return Some(Expr::choice(alternatives.to_vec()));
    }
    // `A: A` says nothing.
    let tails: Vec<Expr> = recursive
        .iter()
        .filter(|alternative| alternative.parts().len() > 1)
        .map(|alternative| Expr::seq(alternative.parts()[1..].to_vec()))
        .collect();
    let base = Expr::choice(bases.into_iter().cloned().collect());
    if tails.is_empty() {
        return Some(base);
    }
    Some(Expr::seq([base, Expr::list(Expr::choice(tails), None, false)]).map(&mut normal))
}

/// `A: x A | x` as `x+`, and the same with something between two items, or with nothing at the end.
fn right_recursion(alternatives: &[Expr], this: &Expr) -> Option<Expr> {
    let mut all = Vec::new();
    for alternative in alternatives {
        match alternative.parts() {
            [before @ .., Expr::Optional(rest)] if !before.is_empty() && ends_with(rest, this) => {
                all.push(Expr::seq(before.iter().chain(rest.parts()).cloned()));
                all.push(Expr::seq(before.to_vec()));
            }
            _ => all.push(alternative.clone()),
        }
    }
    let (recursive, bases): (Vec<Expr>, Vec<Expr>) =
        all.into_iter().partition(|alternative| ends_with(alternative, this));
    let mut items = Vec::new();
    for alternative in recursive {
        let [item @ .., _] = alternative.parts() else { return None };
        items.push(Expr::seq(item.to_vec()));
    }
    if items.is_empty() || items.iter().chain(&bases).any(|expr| mentions(expr, this)) {
        return None;
    }
    let list = Expr::seq([Expr::list(Expr::choice(items), None, false), Expr::choice(bases)]);
    Some(list.map(&mut normal)).filter(|list| matches!(list, Expr::List(_)))
}

/// A level of operands for each precedence. The rule itself is the loosest.
pub(crate) fn operators(
    rules: &mut Vec<Rule>,
    index: usize,
    alternatives: Vec<Expr>,
    precedences: &[u32],
    recursion: Recursion,
) {
    let this = Expr::Rule(index as u32);
    let mut levels: Vec<u32> = Vec::new();
    for (alternative, &precedence) in alternatives.iter().zip(precedences) {
        let is_infix = alternative.parts().first() == Some(&this);
        if (is_infix || ends_with(alternative, &this)) && alternative.parts().len() > 1 {
            levels.push(precedence);
        }
    }
    levels.sort_unstable();
    levels.dedup();
    let first = rules.len() as u32;
    // The rule of a level; the one above all levels is for what has no operator in front or inside.
    let level = |level: usize| Expr::Rule(if level == 0 { index as u32 } else { first + level as u32 - 1 });
    // What follows the first operand at each level, and whether that is a postfix operator.
    let mut tails: Vec<Vec<(Expr, bool)>> = vec![Vec::new(); levels.len()];
    let mut operands = Vec::new();
    for (alternative, precedence) in alternatives.iter().zip(precedences) {
        let mut parts = alternative.parts().to_vec();
        let at = levels.iter().position(|level| level == precedence).unwrap_or(0);
        let is_infix = parts.first() == Some(&this);
        if parts.len() == 1 && is_infix {
            continue;
        }
        if let Some(last) = parts.last_mut().filter(|last| **last == this) {
            *last = level(if is_infix { at + 1 } else { at });
        }
        if is_infix {
            parts.remove(0);
            tails[at].push((Expr::seq(parts), !ends_with(alternative, &this)));
        } else {
            operands.push(Expr::seq(parts));
        }
    }
    let Rule { name, at, .. } = rules[index].clone();
    for depth in 0..levels.len() {
        let (here, tighter) = tails[depth..].split_first().expect("each level has its tails");
        let tighter: Vec<Expr> = tighter.iter().flatten().map(|(tail, _)| tail.clone()).collect();
        // Behind a postfix operator any operator may come, as `*` in `a IS NULL * b`.
        let here = here.iter().map(|(tail, is_postfix)| match *is_postfix && !tighter.is_empty() {
            true => Expr::seq([tail.clone(), Expr::list(Expr::choice(tighter.clone()), None, false)]),
            false => tail.clone(),
        });
        let here: Vec<Expr> = here.collect();
        let body = match recursion {
            _ if here.is_empty() => level(depth + 1),
            Recursion::List => Expr::Seq(vec![level(depth + 1), Expr::list(Expr::choice(here), None, false)]),
            Recursion::Chain => {
                let longer = here.into_iter().map(|tail| Expr::seq([level(depth), tail]));
                Expr::choice(longer.chain([level(depth + 1)]).collect())
            }
        };
        if depth == 0 {
            rules[index].body = body;
        } else {
            rules.push(Rule { name: name.clone(), at: at.clone(), body });
        }
    }
    rules.push(Rule { name, at, body: Expr::choice(operands) });
}

/// One step towards a form in which lists are lists and what can be missing is optional.
fn normal(expr: Expr) -> Expr {
    match expr {
        Expr::Choice(alternatives) => {
            let (empty, mut others): (Vec<Expr>, Vec<Expr>) =
                alternatives.into_iter().partition(|alternative| alternative.parts().is_empty());
            let mut seen = HashSet::new();
            others.retain(|other| seen.insert(other.clone()));
            match (empty.is_empty(), others.is_empty()) {
                (true, true) => Expr::Choice(Vec::new()),
                (false, true) => Expr::Seq(Vec::new()),
                (true, false) => Expr::choice(others),
                (false, false) => normal(Expr::choice(others).optional()),
            }
        }
        Expr::Optional(inner) => match *inner {
            Expr::Optional(inner) => Expr::Optional(inner),
            Expr::List(list) => Expr::list(list.item, list.separator, false),
            Expr::Seq(parts) if parts.is_empty() => Expr::Seq(parts),
            inner => inner.optional(),
        },
        Expr::List(list) => match *list {
            List { item: Expr::Optional(item), separator: None, .. } => {
                normal(Expr::list(*item, None, false))
            }
            List { item: Expr::List(inner), separator: None, some } if inner.separator.is_none() => {
                Expr::list(inner.item, None, some && inner.some)
            }
            List { item: Expr::Seq(parts), separator, .. } if parts.is_empty() => match separator {
                Some(separator) => normal(Expr::list(separator, None, false)),
                None => Expr::Seq(parts),
            },
            list => Expr::List(Box::new(list)),
        },
        Expr::Seq(parts) => sequence(parts),
        other => other,
    }
}

/// Joins repeats with the same item beside them.
fn sequence(parts: Vec<Expr>) -> Expr {
    let mut done: Vec<Expr> = Vec::new();
    for part in parts {
        if let Some((taken, list)) = joined(&done, &part, false) {
            done.truncate(done.len() - taken);
            done.push(list);
        } else {
            done.push(part);
        }
    }
    let mut all: Vec<Expr> = Vec::new();
    for part in done.into_iter().rev() {
        if let Some((taken, list)) = joined(&all, &part, true) {
            all.truncate(all.len() - taken);
            all.push(list);
        } else {
            all.push(part);
        }
    }
    all.reverse();
    Expr::seq(all)
}

/// The list that a repeat makes with what is beside it, and how much of that; `reversed` if it is
/// behind, and then from the back.
fn joined(beside: &[Expr], repeat: &Expr, reversed: bool) -> Option<(usize, Expr)> {
    let Expr::List(list) = repeat else { return None };
    if list.some || list.separator.is_some() {
        return None;
    }
    // Each alternative of the item as it is seen from what is beside.
    let alternatives: Vec<Vec<Expr>> = list
        .item
        .alternatives()
        .iter()
        .map(|alternative| {
            let mut parts = alternative.parts().to_vec();
            if reversed {
                parts.reverse();
            }
            parts
        })
        .collect();
    let ordered = |mut parts: Vec<Expr>| {
        if reversed {
            parts.reverse();
        }
        Expr::seq(parts)
    };
    if beside.last() == Some(&list.item) {
        return Some((1, Expr::list(list.item.clone(), None, true)));
    }
    let shortest = alternatives.iter().map(Vec::len).min()?;
    for taken in (1..=shortest.min(beside.len())).rev() {
        let item = &beside[beside.len() - taken..];
        if !alternatives.iter().all(|parts| parts.ends_with(item)) {
            continue;
        }
        let between: Vec<Expr> =
            alternatives.iter().map(|parts| ordered(parts[..parts.len() - taken].to_vec())).collect();
        let empty = between.iter().filter(|between| between.parts().is_empty()).count();
        let item = ordered(item.to_vec());
        return match empty {
            0 => Some((taken, Expr::list(item, Some(Expr::choice(between)), true))),
            _ if empty == between.len() => Some((taken, Expr::list(item, None, true))),
            // Something that may be missing separates nothing.
            _ => None,
        };
    }
    None
}
