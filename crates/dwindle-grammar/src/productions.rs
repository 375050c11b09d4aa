//! What a grammar says of each kind of visible node, and its compact form.

use std::collections::{BTreeMap, HashMap};

use crate::expr::{Class, Classes, Expr};
use crate::minimal::{Minimal, Sentence};
use crate::rule::{Grammar, Rule};

/// How often a hidden rule is put into itself; deeper nesting of it is not known.
const NESTED: usize = 2;

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

    /// The expression for the children of a kind: those of any of the rules that its nodes come from.
    fn children_of(&mut self, kind: usize) {
        let sources = self.sources[kind].clone();
        let rules = sources.iter().filter_map(|source| self.grammar.rules.get(*source));
        let rules: Vec<&'a Rule> = rules.filter(|rule| !matches!(rule, Rule::Token { .. })).collect();
        let ways: Vec<Expr> = rules.into_iter().map(|rule| self.expr(rule)).collect();
        let expr = Expr::choice(ways, &mut self.classes);
        let known = expr != Expr::NEVER && expr != Expr::Hidden && expr != Expr::NOTHING;
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

    fn expr(&mut self, rule: &'a Rule) -> Expr {
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
