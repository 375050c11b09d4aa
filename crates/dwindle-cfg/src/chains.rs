//! The trees of the thesis on HDD (Misherghi, *Hierarchical Delta Debugging*, chapter 5): every rule that a text goes
//! through is a node, and recursive rules are chains of nodes.
//!
//! A grammar is made plain for that: what it writes as an optional part, as a repeat or as alternatives inside of a
//! sequence becomes a rule of its own, as YACC would have it written. Operators without a grammar's own levels get a
//! rule for each precedence, so that a text has the tree that its precedences give it.

use crate::ebnf::{Expr, List, Rule};
use crate::lists::{self, Precedences, Recursion};

/// What the trees of a grammar are like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TreeForm {
    /// Lists are lists, however the grammar writes them: their elements can be deleted.
    #[default]
    Lists,
    /// The trees of the thesis on HDD: recursion is a chain of nodes, and of each node the shortest text of its rule can
    /// take the place.
    Thesis,
}

impl TreeForm {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Lists, Self::Thesis];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lists => "lists",
            Self::Thesis => "thesis",
        }
    }
}

/// Makes `rules` plain. New rules come behind the others; `precedences` are those of the alternatives of each rule.
pub(crate) fn make(rules: &mut Vec<Rule>, precedences: &[Precedences]) {
    for (index, precedences) in precedences.iter().enumerate() {
        if lists::is_of_operators(&rules[index].body, index as u32) {
            let alternatives = rules[index].body.alternatives().to_vec();
            lists::operators(rules, index, alternatives, precedences, Recursion::Chain);
        }
    }
    let mut index = 0;
    while index < rules.len() {
        let body = rules[index].body.clone();
        let alternatives = body.alternatives().iter().map(|alternative| sequence(alternative, index, rules));
        let body = Expr::choice(alternatives.collect());
        rules[index].body = body;
        index += 1;
    }
}

/// An alternative of the rule `of`, of symbols only.
fn sequence(alternative: &Expr, of: usize, rules: &mut Vec<Rule>) -> Expr {
    Expr::seq(alternative.parts().iter().map(|part| symbol(part, of, rules)).collect::<Vec<_>>())
}

/// A symbol for a part of the rule `of`; it may be that of a new rule, which is not yet plain.
fn symbol(part: &Expr, of: usize, rules: &mut Vec<Rule>) -> Expr {
    let this = Expr::Rule(rules.len() as u32);
    let nothing = Expr::Seq(Vec::new());
    let (sign, body) = match part {
        Expr::Terminals(_) | Expr::Rule(_) => return part.clone(),
        Expr::Optional(inner) => {
            ("?", [nothing].into_iter().chain(inner.alternatives().iter().cloned()).collect())
        }
        Expr::List(list) => {
            let List { item, separator, some } = &**list;
            let more = Expr::seq([this.clone()].into_iter().chain(separator.clone()).chain([item.clone()]));
            match (some, separator) {
                (true, _) => ("+", vec![item.clone(), more]),
                (false, None) => ("*", vec![nothing, more]),
                // An empty list with separators is one that is missing.
                (false, Some(_)) => ("*", vec![nothing, Expr::list(item.clone(), separator.clone(), true)]),
            }
        }
        Expr::Choice(all) => ("|", all.clone()),
        Expr::Seq(_) => ("&", vec![part.clone()]),
    };
    let Rule { name, at, .. } = &rules[of];
    // What has one name has one kind, and one may stand in the place of another.
    let name = format!("{name}{sign}");
    let others = rules.iter().filter(|rule| rule.name.starts_with(&name)).count();
    let name = if others == 0 { name } else { format!("{name}{others}") };
    let rule = Rule { name, at: at.clone(), body: Expr::choice(body) };
    rules.push(rule);
    this
}
