//! The shortest string of terminals that each rule derives, by the fixed point of the thesis on HDD
//! (Misherghi, *Hierarchical Delta Debugging*, chapter 5): every string is computed from those of the
//! round before until nothing changes, which takes as many rounds as there are rules at most. Of
//! equally short ones the first that was found stays.

use crate::ebnf::{Expr, Rule, Terminal};

/// The shortest string of each rule; none where a rule derives no finite one. Only where there is no
/// other way a string has terminals that cannot be written.
pub(crate) fn strings(rules: &[Rule], writable: &[bool]) -> Vec<Option<Vec<Terminal>>> {
    let mut strings: Vec<Option<Vec<Terminal>>> = vec![None; rules.len()];
    loop {
        let mut changed = false;
        let mut round = strings.clone();
        for (rule, best) in rules.iter().zip(&mut round) {
            let Some(found) = string(&rule.body, &strings, writable) else { continue };
            if best.as_ref().is_none_or(|best| cost(&found, writable) < cost(best, writable)) {
                *best = Some(found);
                changed = true;
            }
        }
        strings = round;
        if !changed {
            return strings;
        }
    }
}

fn cost(string: &[Terminal], writable: &[bool]) -> (bool, usize) {
    (string.iter().any(|&terminal| !writable[terminal as usize]), string.len())
}

fn string(expr: &Expr, of_rules: &[Option<Vec<Terminal>>], writable: &[bool]) -> Option<Vec<Terminal>> {
    let string = |expr: &Expr| string(expr, of_rules, writable);
    match expr {
        Expr::Terminals(set) => {
            let first = set.iter().find(|&&terminal| writable[terminal as usize]).or(set.first());
            first.map(|&terminal| vec![terminal])
        }
        Expr::Rule(rule) => of_rules[*rule as usize].clone(),
        Expr::Seq(parts) => parts.iter().map(string).collect::<Option<Vec<_>>>().map(|parts| parts.concat()),
        Expr::Choice(all) => all.iter().filter_map(string).min_by_key(|string| cost(string, writable)),
        Expr::List(list) if list.some => string(&list.item),
        Expr::Optional(_) | Expr::List(_) => Some(Vec::new()),
    }
}
