//! The shortest string of terminals that each rule derives, by the fixed point of the thesis on HDD
//! (Misherghi, *Hierarchical Delta Debugging*, chapter 5): every string is computed from those of the
//! round before until nothing changes, which takes as many rounds as there are rules at most. Of
//! equally short ones the first that was found stays. A round looks only at rules of which a part has
//! changed, and strings that are too long to be of use are known by their lengths alone: a few rules
//! that mention the next one twice have a shortest text that fills any memory.

use crate::ebnf::{Expr, Rule, Terminal};

/// The longest string that is written down, in tokens. What a reduction puts in the place of a node should
/// be smaller than the node; the shortest texts of rules of real grammars have some ten tokens.
pub(crate) const LONGEST: usize = 256;

/// The shortest string of a rule.
#[derive(Clone, Debug)]
pub(crate) struct Shortest {
    length: u64,
    /// None where it is longer than [`LONGEST`].
    pub(crate) string: Option<Vec<Terminal>>,
}

/// The shortest string of each rule; none where a rule derives no finite one that can be written.
pub(crate) fn strings(rules: &[Rule], writable: &[bool]) -> Vec<Option<Shortest>> {
    let mut mentioned_by: Vec<Vec<u32>> = vec![Vec::new(); rules.len()];
    for (number, rule) in (0..).zip(rules) {
        let mut parts = vec![&rule.body];
        while let Some(part) = parts.pop() {
            if let Expr::Rule(other) = part {
                mentioned_by[*other as usize].push(number);
            }
            parts.extend(part.children());
        }
    }
    let mut strings: Vec<Option<Shortest>> = vec![None; rules.len()];
    let mut round: Vec<u32> = (0..rules.len() as u32).collect();
    while !round.is_empty() {
        let known = Known { strings: &strings, writable };
        let found = round.iter().filter_map(|&rule| {
            let body = &rules[rule as usize].body;
            let length = known.length(body)?;
            let is_better = strings[rule as usize].as_ref().is_none_or(|best| length < best.length);
            let string = || (length <= LONGEST as u64).then(|| known.string(body));
            is_better.then(|| (rule, Shortest { length, string: string() }))
        });
        let found: Vec<(u32, Shortest)> = found.collect();
        round.clear();
        for (rule, shortest) in found {
            strings[rule as usize] = Some(shortest);
            round.extend_from_slice(&mentioned_by[rule as usize]);
        }
        round.sort_unstable();
        round.dedup();
    }
    strings
}

/// What is known after a round.
struct Known<'a> {
    strings: &'a [Option<Shortest>],
    writable: &'a [bool],
}

impl Known<'_> {
    /// The length of the shortest string of an expression.
    fn length(&self, expr: &Expr) -> Option<u64> {
        match expr {
            Expr::Terminals(set) => self.terminal(set).map(|_| 1),
            Expr::Rule(rule) => self.strings[*rule as usize].as_ref().map(|shortest| shortest.length),
            Expr::Seq(parts) => {
                parts.iter().try_fold(0, |sum: u64, part| Some(sum.saturating_add(self.length(part)?)))
            }
            Expr::Choice(all) => all.iter().filter_map(|one| self.length(one)).min(),
            Expr::List(list) if list.some => self.length(&list.item),
            Expr::Optional(_) | Expr::List(_) => Some(0),
        }
    }

    /// The shortest string of an expression that has one of at most [`LONGEST`].
    fn string(&self, expr: &Expr) -> Vec<Terminal> {
        match expr {
            Expr::Terminals(set) => self.terminal(set).into_iter().collect(),
            Expr::Rule(rule) => {
                let known = self.strings[*rule as usize].as_ref();
                known.and_then(|shortest| shortest.string.clone()).unwrap_or_default()
            }
            Expr::Seq(parts) => parts.iter().flat_map(|part| self.string(part)).collect(),
            Expr::Choice(all) => {
                let lengths = all.iter().filter_map(|one| Some((self.length(one)?, one)));
                lengths.min_by_key(|(length, _)| *length).map_or_else(Vec::new, |(_, one)| self.string(one))
            }
            Expr::List(list) if list.some => self.string(&list.item),
            Expr::Optional(_) | Expr::List(_) => Vec::new(),
        }
    }

    fn terminal(&self, set: &[Terminal]) -> Option<Terminal> {
        set.iter().copied().find(|&terminal| self.writable[terminal as usize])
    }
}
