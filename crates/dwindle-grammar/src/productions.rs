//! What a grammar says of each kind of visible node, and its compact form.

use std::collections::{BTreeMap, HashMap};

use crate::expr::{Class, Classes, Expr, WIDEST};
use crate::minimal::{Minimal, Sentence};
use crate::rule::{Grammar, Rule};

/// How often a hidden rule is put into itself; deeper nesting of it is not known.
const NESTED: usize = 2;

/// How deep the parts of rules may be nested, with the hidden rules that are put into them. Dart has 71.
const DEEPEST: usize = 500;

/// How many parts there may be for the children of one kind, which take up to some seconds. Of published
/// grammars YAML has the most, 320,731; all others have less than 20,000.
const LARGEST: usize = 1_000_000;

/// What there is to know about the kinds of a language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Productions {
    /// The kinds, by their numbers.
    pub kinds: Vec<Kind>,
    /// Sets of kinds, in ascending order.
    pub classes: Vec<Vec<u32>>,
}

/// A kind of visible node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name, or its text where it has none.
    pub name: String,
    /// Whether it has a name.
    pub named: bool,
    /// What its children may be, if it has any.
    pub children: Option<Expr>,
    /// The shortest text of this kind, and its number of tokens.
    pub minimal: Option<(String, u32)>,
    /// The first of several kinds that are names for what one rule derives.
    pub same: Option<u32>,
}

impl Productions {
    /// Takes them out of a grammar.
    pub fn new(grammar: &Grammar) -> Self {
        let mut normaliser = Normaliser::new(grammar);
        normaliser.all();
        let mut children = normaliser.children;
        for children in children.iter_mut().flatten() {
            children.widen(&[], &mut normaliser.classes);
        }
        let mut names: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        let single = |kind: usize| match normaliser.sources[kind][..] {
            [source] if normaliser.kinds[kind].1 => Some(source),
            _ => None,
        };
        for kind in 0..normaliser.kinds.len() {
            names.entry(single(kind).unwrap_or_default()).or_default().push(kind as u32);
        }
        let minimal = Minimal::new(grammar);
        let kinds = normaliser.kinds.iter().zip(children).enumerate();
        let kinds = kinds.map(|(kind, ((name, named), children))| {
            let of_rules = normaliser.sources[kind].iter().filter_map(|source| minimal.of(source).cloned());
            let of_tokens = normaliser.tokens[kind].iter().filter_map(|token| minimal.sentence(token));
            let minimal = of_rules.chain(of_tokens).filter(|sentence| *named && sentence.tokens() > 0);
            let minimal = minimal.min_by_key(Sentence::length);
            let minimal = minimal.map(|sentence| (sentence.text(), sentence.tokens()));
            let others = single(kind).map(|rule| &names[rule]).filter(|names| names.len() > 1);
            let same = others.map(|names| names[0]);
            Kind { name: name.clone(), named: *named, children, minimal, same }
        });
        let mut productions = Self { kinds: kinds.collect(), classes: Vec::new() };
        productions.take_classes(&normaliser.classes.sets);
        productions
    }

    /// Takes those of the `sets` that occur, and numbers them anew.
    fn take_classes(&mut self, sets: &[Vec<u32>]) {
        let mut numbers: Vec<Option<Class>> = vec![None; sets.len()];
        let classes = &mut self.classes;
        for expr in self.kinds.iter_mut().filter_map(|kind| kind.children.as_mut()) {
            expr.for_each_class(&mut |class| {
                let number = &mut numbers[*class as usize];
                *class = *number.get_or_insert_with(|| {
                    classes.push(sets[*class as usize].clone());
                    classes.len() as Class - 1
                });
            });
        }
    }

    /// The kinds whose text fits where one of `kinds` is wanted: those; other names of the same rule;
    /// and what one of them may consist of alone. Ascending.
    pub fn fitting(&self, kinds: &[u32]) -> Vec<u32> {
        let mut fitting = vec![false; self.kinds.len()];
        let mut open = kinds.to_vec();
        while let Some(kind) = open.pop() {
            if std::mem::replace(&mut fitting[kind as usize], true) {
                continue;
            }
            let Kind { children, same, .. } = &self.kinds[kind as usize];
            if same.is_some() {
                open.extend(
                    (0..self.kinds.len() as u32).filter(|&other| self.kinds[other as usize].same == *same),
                );
            }
            if let Some(children) = children {
                children.for_each_alone(&mut |class| open.extend_from_slice(&self.classes[class as usize]));
            }
        }
        (0..self.kinds.len() as u32).filter(|&kind| fitting[kind as usize]).collect()
    }

    /// The shortest text of any of these kinds, and its number of tokens.
    pub fn minimal(&self, kinds: &[u32]) -> Option<&(String, u32)> {
        let minimal = kinds.iter().filter_map(|&kind| self.kinds[kind as usize].minimal.as_ref());
        let signs = |text: &str| text.bytes().filter(|byte| !byte.is_ascii_alphanumeric()).count();
        minimal.min_by_key(|(text, tokens)| (*tokens, text.len(), signs(text)))
    }

    /// Appends the compact form, a kind or a class a line.
    pub fn write(&self, out: &mut String) {
        for kind in &self.kinds {
            let mut children = String::new();
            if let Some(expr) = &kind.children {
                expr.write(&mut children);
            }
            let row = (&kind.name, u8::from(kind.named), children, kind.same, &kind.minimal);
            out.push_str(&serde_json::to_string(&row).expect("strings and numbers"));
            out.push('\n');
        }
        for class in &self.classes {
            out.push_str(&class.iter().map(u32::to_string).collect::<Vec<_>>().join(" "));
            out.push('\n');
        }
    }

    /// Reads the compact form; none where it is not.
    pub fn read(text: &str) -> Option<Self> {
        let mut productions = Self::default();
        for line in text.lines() {
            if line.starts_with('[') {
                type Row = (String, u8, String, Option<u32>, Option<(String, u32)>);
                let (name, named, children, same, minimal): Row = serde_json::from_str(line).ok()?;
                let children = match &mut children.as_str() {
                    &mut "" => None,
                    children => Some(Expr::read(children)?),
                };
                productions.kinds.push(Kind { name, named: named != 0, children, minimal, same });
            } else {
                let kinds = line.split_ascii_whitespace().map(|kind| kind.parse().ok());
                productions.classes.push(kinds.collect::<Option<_>>()?);
            }
        }
        Some(productions)
    }
}

/// Turns rules into expressions over visible nodes.
struct Normaliser<'a> {
    grammar: &'a Grammar,
    kinds: Vec<(String, bool)>,
    numbers: HashMap<(String, bool), u32>,
    /// The rules from which nodes of a kind come.
    sources: Vec<Vec<&'a str>>,
    /// The tokens without a rule of their own that have a kind for a name.
    tokens: Vec<Vec<&'a Rule>>,
    children: Vec<Option<Expr>>,
    classes: Classes,
    /// The hidden rules that are being put into others.
    inside: Vec<&'a str>,
    /// How deep the part of a rule is that is being worked on, how many there were before for the children
    /// of one kind, and whether that became too much.
    depth: usize,
    parts: usize,
    too_large: bool,
}

impl<'a> Normaliser<'a> {
    fn new(grammar: &'a Grammar) -> Self {
        Self {
            grammar,
            kinds: Vec::new(),
            numbers: HashMap::new(),
            sources: Vec::new(),
            tokens: Vec::new(),
            children: Vec::new(),
            classes: Classes::default(),
            inside: Vec::new(),
            depth: 0,
            parts: 0,
            too_large: false,
        }
    }

    fn all(&mut self) {
        let start = self.grammar.start.as_str();
        self.kind(start, true, Some(start));
        // Kinds are found while those before them are worked on.
        let mut done: Vec<usize> = Vec::new();
        let mut kind = 0;
        loop {
            while kind < self.kinds.len() {
                done.push(0);
                self.children_of(kind);
                done[kind] = self.sources[kind].len();
                kind += 1;
            }
            // Another rule may have got the name of a kind since.
            let Some(stale) = (0..kind).find(|&kind| done[kind] < self.sources[kind].len()) else { return };
            self.children_of(stale);
            done[stale] = self.sources[stale].len();
        }
    }

    /// The expression for the children of a kind: those of any of the rules that its nodes come from. None is
    /// known where it would be too large.
    fn children_of(&mut self, kind: usize) {
        let sources = self.sources[kind].clone();
        let rules = sources.iter().filter_map(|source| self.grammar.rules.get(*source));
        let rules: Vec<&'a Rule> = rules.filter(|rule| !matches!(rule, Rule::Token { .. })).collect();
        (self.parts, self.too_large) = (0, false);
        let ways: Vec<Expr> = rules.into_iter().map(|rule| self.expr(rule)).collect();
        let expr = Expr::choice(ways, &mut self.classes);
        let known = !self.too_large && expr != Expr::NEVER && expr != Expr::Hidden && expr != Expr::NOTHING;
        self.children[kind] = known.then_some(expr);
    }

    fn kind(&mut self, name: &str, named: bool, source: Option<&'a str>) -> u32 {
        let next = self.kinds.len() as u32;
        let kind = *self.numbers.entry((name.to_owned(), named)).or_insert(next);
        if kind == next {
            self.kinds.push((name.to_owned(), named));
            self.sources.push(Vec::new());
            self.tokens.push(Vec::new());
            self.children.push(None);
        }
        let sources = &mut self.sources[kind as usize];
        if let Some(source) = source
            && !sources.contains(&source)
        {
            sources.push(source);
        }
        kind
    }

    fn child(&mut self, name: &str, named: bool, source: Option<&'a str>) -> Expr {
        let kind = self.kind(name, named, source);
        Expr::child(self.class(kind))
    }

    fn class(&mut self, kind: u32) -> Class {
        self.classes.number(vec![kind])
    }

    /// Does something for a part of a rule, as long as there are not too many of them.
    fn within(&mut self, part: impl FnOnce(&mut Self) -> Expr) -> Expr {
        self.parts += 1;
        self.too_large |= self.depth >= DEEPEST || self.parts > LARGEST;
        if self.too_large {
            return Expr::NEVER;
        }
        self.depth += 1;
        let expr = part(self);
        self.depth -= 1;
        if let Expr::Seq(parts) | Expr::Choice(parts) = &expr {
            self.too_large |= parts.len() > WIDEST;
        }
        expr
    }

    fn expr(&mut self, rule: &'a Rule) -> Expr {
        self.within(|this| this.expr_of(rule))
    }

    fn expr_of(&mut self, rule: &'a Rule) -> Expr {
        match rule {
            Rule::Blank => Expr::NOTHING,
            Rule::String(text) if text.is_empty() => Expr::NOTHING,
            Rule::String(text) => self.child(text, false, None),
            Rule::Pattern(..) => Expr::Hidden,
            Rule::Token { content, .. } => match &**content {
                Rule::String(text) => self.child(text, false, None),
                _ => Expr::Hidden,
            },
            Rule::Symbol(name) => self.symbol(name),
            Rule::Seq(parts) => {
                let parts: Vec<Expr> = parts.iter().map(|part| self.expr(part)).collect();
                Expr::seq(parts)
            }
            Rule::Choice(ways) => {
                let ways: Vec<Expr> = ways.iter().map(|way| self.expr(way)).collect();
                Expr::choice(ways, &mut self.classes)
            }
            Rule::Repeat(item) => Expr::list(self.expr(item), false),
            Rule::Repeat1(item) => Expr::list(self.expr(item), true),
            Rule::Alias { content, value, named } => self.alias(content, value, *named),
        }
    }

    fn symbol(&mut self, name: &'a str) -> Expr {
        let grammar = self.grammar;
        let mut spliced = grammar.inline.iter().chain(&grammar.spliced);
        if !name.starts_with('_') && !spliced.any(|spliced| spliced == name) {
            return self.child(name, true, Some(name));
        }
        let Some(rule) = grammar.rules.get(name) else { return Expr::Hidden };
        match rule {
            _ if self.inside.iter().filter(|inside| **inside == name).count() > NESTED => Expr::NEVER,
            rule => {
                self.inside.push(name);
                let expr = self.expr(rule);
                self.inside.pop();
                expr
            }
        }
    }

    /// A name for nodes goes to each of the nodes of which the content consists.
    fn alias(&mut self, content: &'a Rule, value: &str, named: bool) -> Expr {
        self.within(|this| this.alias_of(content, value, named))
    }

    fn alias_of(&mut self, content: &'a Rule, value: &str, named: bool) -> Expr {
        match content {
            Rule::Symbol(name) if !self.grammar.inline.contains(name) => self.child(value, named, Some(name)),
            Rule::Symbol(name) => match self.grammar.rules.get(name) {
                Some(rule) => self.alias(rule, value, named),
                None => Expr::NEVER,
            },
            Rule::Seq(parts) => {
                let parts: Vec<Expr> = parts.iter().map(|part| self.alias(part, value, named)).collect();
                Expr::seq(parts)
            }
            Rule::Choice(ways) => {
                let ways: Vec<Expr> = ways.iter().map(|way| self.alias(way, value, named)).collect();
                Expr::choice(ways, &mut self.classes)
            }
            Rule::Repeat(item) => Expr::list(self.alias(item, value, named), false),
            Rule::Repeat1(item) => Expr::list(self.alias(item, value, named), true),
            Rule::Blank => Expr::NOTHING,
            // The name inside is the one that holds.
            Rule::Alias { content, value, named } => self.alias(content, value, *named),
            Rule::String(_) | Rule::Pattern(..) | Rule::Token { .. } => {
                let kind = self.kind(value, named, None);
                self.tokens[kind as usize].push(content);
                Expr::child(self.class(kind))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Malformed;

    fn symbol(name: &str) -> String {
        format!(r#"{{"type": "SYMBOL", "name": "{name}"}}"#)
    }

    fn grammar(rules: &[(String, String)]) -> String {
        let rules: Vec<String> = rules.iter().map(|(name, rule)| format!("\"{name}\": {rule}")).collect();
        format!(r#"{{"name": "g", "rules": {{{}}}}}"#, rules.join(",\n"))
    }

    #[test]
    fn what_hidden_rules_make_too_large_is_not_known_and_the_rest_is() {
        let id = || (String::from("id"), String::from(r#"{"type": "PATTERN", "value": "[a-z]"}"#));
        let list =
            || (String::from("list"), format!(r#"{{"type": "REPEAT1", "content": {}}}"#, symbol("id")));
        type Link = fn(&str) -> String;
        let links: [(usize, Link); 3] = [
            (40, |next| format!(r#"{{"type": "SEQ", "members": [{next}, {next}]}}"#)),
            (40, |next| {
                format!(
                    r#"{{"type": "CHOICE", "members": [{next}, {{"type": "SEQ", "members": [{next}, {next}]}}]}}"#
                )
            }),
            (5_000, str::to_owned),
        ];
        for (length, link) in links {
            let chain = (0..length).map(|at| (format!("_r{at}"), link(&symbol(&format!("_r{}", at + 1)))));
            let both = format!(r#"{{"type": "SEQ", "members": [{}, {}]}}"#, symbol("list"), symbol("deep"));
            let rules: Vec<(String, String)> = [("s".into(), both), ("deep".into(), symbol("_r0"))]
                .into_iter()
                .chain(chain)
                .chain([(format!("_r{length}"), symbol("id")), list(), id()])
                .collect();
            let productions = Productions::new(&Grammar::from_json(&grammar(&rules)).unwrap());
            let known = |name: &str| {
                productions.kinds.iter().find(|kind| kind.name == name).map(|kind| kind.children.is_some())
            };
            assert_eq!([known("s"), known("deep"), known("list")], [Some(true), Some(false), Some(true)]);
        }
    }

    #[test]
    fn a_rule_that_is_put_into_itself_ends() {
        let rules = r#"{"name": "g", "inline": ["a"], "rules": {
            "s": {"type": "ALIAS", "content": {"type": "SYMBOL", "name": "a"}, "value": "b", "named": true},
            "a": {"type": "SYMBOL", "name": "a"}}}"#;
        assert_eq!(Productions::new(&Grammar::from_json(rules).unwrap()).kinds[0].children, None);
    }

    #[test]
    fn what_nobody_could_read_is_refused_with_its_place() {
        let nested = |depth: usize| {
            let open = r#"{"type": "REPEAT", "content": "#.repeat(depth);
            format!(r#"{{"name": "g", "rules": {{"s": {open}{{"type": "BLANK"}}{}}}}}"#, "}".repeat(depth))
        };
        assert!(Grammar::from_json(&nested(100)).is_ok());
        for depth in [200, 100_000] {
            let error = Grammar::from_json(&nested(depth)).unwrap_err();
            assert!(matches!(error, Malformed::TooDeep { line: 1, .. }), "{error}");
        }
        let pattern = |pattern: &str| {
            let rule = format!(r#"{{"type": "PATTERN", "value": "{pattern}"}}"#);
            Grammar::from_json(&grammar(&[("s".into(), rule)])).map_err(|error| error.to_string())
        };
        assert!(pattern("([a-z]{1000}){90}").is_ok());
        assert_eq!(
            pattern("((a{1000}){1000}){1000}").unwrap_err(),
            "rule \"s\": the pattern \"((a{1000}){1000}){1000}\" repeats more than 100000 characters; repeat fewer"
        );
    }
}
