//! What must hold for every grammar, on small random ones.

use std::collections::HashSet;

use proptest::prelude::*;
use regex_syntax::hir::Hir;

use crate::ebnf::{END, Expr, Position, Rule, Terminal};
use crate::grammar::{Draft, Grammar};
use crate::lexer::{Becomes, Keeps, LexRule};
use crate::outline::{Place, Step};

/// The terminals are the letters from `a` on.
const LETTERS: u32 = 3;
/// No string of a grammar is looked at beyond this length.
const LENGTH: usize = 5;

/// Ready to parse; none where a rule derives no finite text.
fn grammar(bodies: &[Expr]) -> Option<Grammar> {
    let rules = bodies.iter().zip('A'..).map(|(body, name)| Rule {
        name: name.to_string(),
        at: Position::default(),
        body: body.clone(),
    });
    let letters = ('a'..).take(LETTERS as usize);
    let lexer: Vec<LexRule> = letters
        .clone()
        .zip(1..)
        .map(|(letter, terminal)| LexRule {
            may_be_empty: false,
            patterns: vec![Hir::literal(letter.to_string().into_bytes())],
            modes: vec![0],
            becomes: Becomes::Token(terminal),
            keeps: Keeps::All,
            then: Vec::new(),
        })
        .collect();
    let draft = Draft {
        rules: rules.collect(),
        precedences: bodies.iter().map(|body| (0..body.alternatives().len() as u32).collect()).collect(),
        terminals: ["end".to_owned()].into_iter().chain(letters.map(String::from)).collect(),
        lexer_rules: vec![(String::new(), Position::default()); lexer.len()],
        lexer,
        modes: 1,
        start: 0,
        minimal: std::collections::HashMap::new(),
        warnings: Vec::new(),
    };
    Grammar::new(draft).ok()
}

/// All strings up to [`LENGTH`] that each rule derives, by brute force.
fn languages(bodies: &[Expr]) -> Vec<HashSet<Vec<Terminal>>> {
    let mut languages = vec![HashSet::new(); bodies.len()];
    loop {
        let next: Vec<_> = bodies.iter().map(|body| strings(body, &languages)).collect();
        if next == languages {
            return languages;
        }
        languages = next;
    }
}

fn strings(expr: &Expr, languages: &[HashSet<Vec<Terminal>>]) -> HashSet<Vec<Terminal>> {
    match expr {
        Expr::Terminals(set) => set.iter().map(|&terminal| vec![terminal]).collect(),
        Expr::Rule(rule) => languages[*rule as usize].clone(),
        Expr::Seq(parts) => parts
            .iter()
            .fold(HashSet::from([Vec::new()]), |before, part| joined(&before, &strings(part, languages))),
        Expr::Choice(all) => all.iter().flat_map(|one| strings(one, languages)).collect(),
        Expr::Optional(inner) => [Vec::new()].into_iter().chain(strings(inner, languages)).collect(),
        Expr::List(list) => {
            let items = strings(&list.item, languages);
            let between = list
                .separator
                .as_ref()
                .map_or(HashSet::from([Vec::new()]), |separator| strings(separator, languages));
            let step = joined(&between, &items);
            let mut all = items;
            loop {
                let longer: HashSet<_> = joined(&all, &step).union(&all).cloned().collect();
                if longer == all {
                    break;
                }
                all = longer;
            }
            if !list.some {
                all.insert(Vec::new());
            }
            all
        }
    }
}

fn joined(before: &HashSet<Vec<Terminal>>, behind: &HashSet<Vec<Terminal>>) -> HashSet<Vec<Terminal>> {
    let all = before.iter().flat_map(|a| behind.iter().map(move |b| [&a[..], b].concat()));
    all.filter(|string| string.len() <= LENGTH).collect()
}

fn all_strings() -> Vec<Vec<Terminal>> {
    let mut all = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..LENGTH {
        let to = all.len();
        for index in from..to {
            all.extend((1..=LETTERS).map(|letter| [&all[index][..], &[letter]].concat()).collect::<Vec<_>>());
        }
        from = to;
    }
    all
}

fn text(string: &[Terminal]) -> Vec<u8> {
    string.iter().map(|&terminal| b'a' + terminal as u8 - 1).collect()
}

fn expr(rules: u32) -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        4 => (1..=LETTERS).prop_map(Expr::terminal),
        1 => Just(Expr::Terminals(vec![1, 2])),
        4 => (0..rules).prop_map(Expr::Rule),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            4 => prop::collection::vec(inner.clone(), 0..4).prop_map(Expr::seq),
            3 => prop::collection::vec(inner.clone(), 1..4).prop_map(Expr::choice),
            1 => inner.clone().prop_map(Expr::optional),
            2 => (inner.clone(), prop::option::weighted(0.4, inner), any::<bool>())
                .prop_map(|(item, separator, some)| Expr::list(item, separator, some)),
        ]
    })
}

fn bodies() -> impl Strategy<Value = Vec<Expr>> {
    (1..4u32).prop_flat_map(|rules| prop::collection::vec(expr(rules), rules as usize))
}

/// The tokens that are left when a node goes, for each that can: by position.
fn without_each(steps: &[Step]) -> Vec<Vec<u32>> {
    // Of each node its parent, its place and its tokens.
    let mut nodes: Vec<(usize, crate::Syntax, std::ops::Range<u32>)> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut tokens = 0;
    for step in steps {
        let parent = open.last().copied().unwrap_or(usize::MAX);
        match *step {
            Step::Open(_, syntax) | Step::Group(syntax) => {
                open.push(nodes.len());
                nodes.push((parent, syntax, tokens..tokens));
            }
            Step::Token { syntax, .. } => {
                nodes.push((parent, syntax, tokens..tokens + 1));
                tokens += 1;
            }
            Step::Close => {
                let node = open.pop().unwrap();
                nodes[node].2.end = tokens;
            }
        }
    }
    assert!(open.is_empty());
    let mut all = Vec::new();
    for (index, (parent, syntax, range)) in nodes.iter().enumerate() {
        if syntax.place != Place::Deletable {
            continue;
        }
        let mut gone: HashSet<u32> = range.clone().collect();
        let separators = nodes.iter().enumerate().filter(|(_, (other, of, _))| {
            other == parent && of.list == syntax.list && of.place == Place::Separator
        });
        let (behind, before): (Vec<_>, Vec<_>) = separators.partition(|(other, _)| *other > index);
        if let Some((_, (_, _, separator))) = behind.first().or(before.last()) {
            gone.extend(separator.clone());
        }
        all.push((0..tokens).filter(|token| !gone.contains(token)).collect());
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_rule_derives_what_brute_force_derives(bodies in bodies()) {
        let Some(grammar) = grammar(&bodies) else { return Ok(()) };
        for (rule, language) in (0..).zip(languages(&bodies)) {
            for string in all_strings() {
                prop_assert_eq!(grammar.derives(rule, &string), language.contains(&string), "{} {:?}", rule, string);
            }
        }
    }

    #[test]
    fn a_shortest_text_parses_and_none_is_shorter(bodies in bodies()) {
        let Some(grammar) = grammar(&bodies) else { return Ok(()) };
        for (rule, language) in (0..).zip(languages(&bodies)) {
            let shortest = language.iter().map(Vec::len).min();
            match (grammar.minimal(rule), shortest) {
                (Some(minimal), Some(shortest)) => {
                    prop_assert_eq!(minimal.tokens.len(), shortest);
                    prop_assert!(grammar.derives(rule, &minimal.tokens));
                    prop_assert_eq!(&minimal.text, &text(&minimal.tokens));
                }
                (Some(minimal), None) => prop_assert!(minimal.tokens.len() > LENGTH),
                (None, shortest) => prop_assert_eq!(shortest, None),
            }
        }
    }

    #[test]
    fn every_token_is_seen_once_and_what_can_go_can_go(bodies in bodies()) {
        let Some(grammar) = grammar(&bodies) else { return Ok(()) };
        let language = &languages(&bodies)[0];
        for string in language.iter().filter(|string| !string.is_empty()) {
            let steps = grammar.parse(&text(string)).unwrap();
            let seen = steps.iter().filter_map(|step| match step {
                Step::Token { start, .. } => Some(string[*start as usize]),
                _ => None,
            });
            prop_assert_eq!(&seen.collect::<Vec<_>>(), string);
            for left in without_each(&steps) {
                let left: Vec<Terminal> = left.into_iter().map(|token| string[token as usize]).collect();
                prop_assert!(language.contains(&left), "{:?} of {:?}: {:?}", left, string, steps);
            }
        }
    }

    #[test]
    fn what_fits_a_slot_fits(bodies in bodies()) {
        let Some(grammar) = grammar(&bodies) else { return Ok(()) };
        for rule in 0..bodies.len() as u32 {
            let language = languages(&bodies);
            for kind in grammar.fitting(rule) {
                match grammar.kinds()[kind as usize].as_bytes()[0] {
                    name @ b'A'..=b'Z' => {
                        let kind = (name - b'A') as usize;
                        prop_assert!(language[kind].is_subset(&language[rule as usize]), "{} in {}", kind, rule);
                    }
                    letter => prop_assert!(language[rule as usize].contains(&vec![u32::from(letter - b'a') + 1])),
                }
            }
        }
    }
}

#[test]
fn any_operator_may_follow_a_postfix_one() {
    let (a, b) = (Expr::terminal(1), Expr::terminal(2));
    let this = || Expr::Rule(0);
    let body = Expr::choice(vec![Expr::seq([this(), a]), Expr::seq([this(), this()]), b]);
    let grammar = grammar(&[body]).unwrap();
    assert!(grammar.parse(b"bab").is_ok() && grammar.parse(b"babba").is_ok());
    assert!(grammar.parse(b"ab").is_err());
}

#[test]
fn the_end_of_the_text_can_be_wanted_more_than_once() {
    let end = || Expr::choice(vec![Expr::terminal(3), Expr::terminal(END)]);
    let grammar = grammar(&[Expr::seq([Expr::terminal(1), end(), Expr::terminal(END)])]).unwrap();
    assert!(grammar.parse(b"a").is_ok() && grammar.parse(b"ac").is_ok());
    assert!(grammar.parse(b"acc").is_err());
}

#[test]
fn any_length_and_any_depth_take_linear_time() {
    let (a, b, c) = (|| Expr::terminal(1), || Expr::terminal(2), || Expr::terminal(3));
    let this = || Expr::Rule(0);
    let n = 100_000;
    let plain = b"a".repeat(n);
    let pairs = b"ab".repeat(n);
    let nested = [b"a".repeat(n), b"c".to_vec(), b"b".repeat(n)].concat();
    let operators = [b"a".to_vec(), b"ba".repeat(n)].concat();
    let right = [b"a".repeat(n), b"c".to_vec()].concat();
    let choice = Expr::choice;
    for (what, bodies, text) in [
        ("left recursion", vec![choice(vec![Expr::seq([this(), a()]), a()])], &plain),
        ("right recursion", vec![choice(vec![Expr::seq([a(), this()]), a()])], &plain),
        (
            "right recursion by way of another rule",
            vec![Expr::seq([a(), Expr::Rule(1)]), choice(vec![this(), b(), c()])],
            &right,
        ),
        (
            "right recursion that may be missing",
            vec![Expr::seq([a(), b().optional(), this().optional()])],
            &plain,
        ),
        ("brackets", vec![choice(vec![Expr::seq([a(), this(), b()]), c()])], &nested),
        ("operators", vec![choice(vec![Expr::seq([this(), b(), this()]), a()])], &operators),
        ("a list of lists", vec![Expr::list(Expr::Rule(1), None, true), Expr::list(a(), None, true)], &plain),
        (
            "a list of lists of lists",
            vec![
                Expr::list(Expr::Rule(1), None, true),
                Expr::seq([Expr::list(Expr::Rule(2), None, true), b().optional()]),
                Expr::list(choice(vec![a(), b()]), None, true),
            ],
            &pairs,
        ),
    ] {
        let grammar = grammar(&bodies).unwrap();
        let steps = grammar.parse(text).unwrap_or_else(|refusal| panic!("{what}: {refusal}"));
        let tokens = steps.iter().filter(|step| matches!(step, Step::Token { .. })).count();
        assert_eq!(tokens, text.len(), "{what}");
    }
}
