//! A grammar that is ready to parse with.

use std::collections::HashMap;

use crate::bnf::Bnf;
use crate::earley::{self, Failure};
use crate::ebnf::{Expr, Position, Rule, Terminal, line_and_column};
use crate::error::{Complaint, Error, Refusal};
use crate::lexer::{LexRule, Lexer, Token};
use crate::lists::{self, Precedences};
use crate::minimal::{self, Shortest};
use crate::outline::{self, Step};
use crate::spelling::{self, Spelling};

/// A grammar as a reader makes it.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) rules: Vec<Rule>,
    /// How tightly the alternatives of each rule bind.
    pub(crate) precedences: Vec<Precedences>,
    /// The names of the terminals; the first is the end of the text.
    pub(crate) terminals: Vec<String>,
    pub(crate) lexer: Vec<LexRule>,
    /// The names and the places of the rules of the lexer.
    pub(crate) lexer_rules: Vec<(String, Position)>,
    pub(crate) modes: usize,
    pub(crate) start: u32,
    /// The texts that stand in for terminals, where the grammar says so, and where it does.
    pub(crate) minimal: HashMap<Terminal, (Vec<u8>, Position)>,
    pub(crate) warnings: Vec<Complaint>,
}

/// A grammar that is ready to parse with.
#[derive(Debug)]
pub struct Grammar {
    rules: Vec<Rule>,
    start: u32,
    lexer: Lexer,
    bnf: Bnf,
    /// The kind of each rule.
    kinds: Vec<u32>,
    kind_names: Vec<String>,
    terminals: Vec<String>,
    terminal_kinds: u32,
    minimal: Vec<Option<Minimal>>,
    warnings: Vec<Complaint>,
    otherwise: Option<Box<Self>>,
}

/// The shortest text of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimal {
    /// What it reads.
    pub text: Vec<u8>,
    /// Its tokens.
    pub tokens: Vec<Terminal>,
}

impl Grammar {
    pub(crate) fn new(draft: Draft) -> Result<Self, Error> {
        let Draft {
            mut rules,
            precedences,
            terminals,
            lexer,
            lexer_rules,
            modes,
            start,
            minimal: own,
            mut warnings,
        } = draft;
        lists::find(&mut rules, &precedences);
        check(&rules, start)?;
        let lexer = Lexer::new(lexer, modes).map_err(|(rule, why)| {
            let (name, at) = &lexer_rules[rule];
            Complaint::new(at.clone(), Some(name), format!("no automaton can be made of it: {why}"))
        })?;
        let mut spellings = spelling::spellings(&lexer, terminals.len());
        for (terminal, (text, at)) in own {
            let spelling = spelling::as_written(&lexer, text, terminal).map_err(|text| {
                let (name, text) =
                    (&terminals[terminal as usize], String::from_utf8_lossy(&text).into_owned());
                Complaint::new(
                    at,
                    Some(name),
                    format!("the text {text:?} cannot stand in for it: it is read as something else"),
                )
            })?;
            spellings[terminal as usize] = Some(spelling);
        }
        let writable: Vec<bool> = spellings.iter().map(Option::is_some).collect();
        let strings = minimal::strings(&rules, &writable);
        warnings.extend(too_long(&rules, &strings));
        let mut scanner = lexer.scanner();
        // Rules that are nothing but another rule have the same.
        let mut texts: HashMap<Vec<Terminal>, Option<Vec<u8>>> = HashMap::new();
        let minimal = strings.into_iter().map(|shortest| {
            let tokens = shortest?.string?;
            let text = texts.entry(tokens.clone()).or_insert_with_key(|tokens| {
                write(tokens, &spellings, modes, &mut |text, mode| scanner.tokens(text, mode))
            });
            Some(Minimal { text: text.clone()?, tokens })
        });
        let minimal = minimal.collect();
        let mut kind_names: Vec<String> = Vec::new();
        let mut kind_of: HashMap<&str, u32> = HashMap::new();
        let mut kinds = Vec::new();
        for rule in &rules {
            kinds.push(*kind_of.entry(&rule.name).or_insert_with(|| {
                kind_names.push(rule.name.clone());
                kind_names.len() as u32 - 1
            }));
        }
        let terminal_kinds = kind_names.len() as u32;
        kind_names.extend(terminals.iter().cloned());
        let bnf = Bnf::new(&rules, terminals.len());
        Ok(Self {
            rules,
            start,
            lexer,
            bnf,
            kinds,
            kind_names,
            terminals,
            terminal_kinds,
            minimal,
            warnings,
            otherwise: None,
        })
    }

    /// The same, and `other` for texts that it cannot read.
    pub(crate) fn or(self, other: Self) -> Self {
        Self { otherwise: Some(Box::new(other)), ..self }
    }

    /// What may read a text that this cannot read, or not as well: the same grammar, with predicates of its lexer
    /// that do not hold.
    pub fn otherwise(&self) -> Option<&Self> {
        self.otherwise.as_deref()
    }

    /// What could not be taken as it is written, and what was done instead.
    pub fn warnings(&self) -> &[Complaint] {
        &self.warnings
    }

    /// The names of the kinds of nodes: of rules, then of terminals.
    pub fn kinds(&self) -> &[String] {
        &self.kind_names
    }

    /// The rules, each of which is a slot.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// How many productions the parser works with.
    pub fn productions(&self) -> usize {
        self.bnf.productions.iter().map(Vec::len).sum()
    }

    /// The shortest text of a rule, where there is one that the lexer reads so.
    pub fn minimal(&self, rule: u32) -> Option<&Minimal> {
        self.minimal[rule as usize].as_ref()
    }

    /// The kinds of nodes that may stand where a rule is wanted, in ascending order.
    pub fn fitting(&self, rule: u32) -> Vec<u32> {
        let mut seen = vec![false; self.rules.len()];
        let mut open = vec![rule];
        let mut kinds = Vec::new();
        while let Some(rule) = open.pop() {
            if !std::mem::replace(&mut seen[rule as usize], true) {
                kinds.push(self.kinds[rule as usize]);
                self.units(&self.rules[rule as usize].body, &mut open, &mut kinds);
            }
        }
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// The rules and kinds that alone can be all of `expr`.
    fn units(&self, expr: &Expr, rules: &mut Vec<u32>, kinds: &mut Vec<u32>) {
        match expr {
            Expr::Terminals(set) => kinds.extend(set.iter().map(|terminal| self.terminal_kinds + terminal)),
            Expr::Rule(rule) => rules.push(*rule),
            Expr::Seq(parts) => {
                let mut needed = parts.iter().filter(|part| !self.is_nullable(part));
                match (needed.next(), needed.next()) {
                    (None, _) => parts.iter().for_each(|part| self.units(part, rules, kinds)),
                    (Some(part), None) => self.units(part, rules, kinds),
                    (Some(_), Some(_)) => {}
                }
            }
            Expr::Choice(all) => all.iter().for_each(|one| self.units(one, rules, kinds)),
            Expr::Optional(inner) => self.units(inner, rules, kinds),
            Expr::List(list) => self.units(&list.item, rules, kinds),
        }
    }

    fn is_nullable(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Terminals(_) => false,
            Expr::Rule(rule) => self.bnf.nullable[*rule as usize],
            Expr::Seq(parts) => parts.iter().all(|part| self.is_nullable(part)),
            Expr::Choice(all) => all.iter().any(|one| self.is_nullable(one)),
            Expr::Optional(_) => true,
            Expr::List(list) => !list.some || self.is_nullable(&list.item),
        }
    }

    /// The tokens of a text.
    pub fn tokens(&self, text: &[u8]) -> Result<Vec<Token>, Refusal> {
        if u32::try_from(text.len()).is_err() {
            return Err(Refusal::TooLarge);
        }
        self.lexer.scanner().tokens(text, 0).map_err(|at| {
            let (line, column) = line_and_column(text, at);
            let found = text[at..].utf8_chunks().next().map(|chunk| match chunk.valid().chars().next() {
                Some(char) => char.to_string(),
                None => chunk.invalid().escape_ascii().to_string(),
            });
            Refusal::NoToken { line, column, found: found.unwrap_or_default() }
        })
    }

    /// Whether this text is a gap between tokens, where a text begins.
    pub fn is_gap(&self, text: &[u8]) -> bool {
        self.tokens(text).is_ok_and(|tokens| tokens.is_empty())
    }

    /// Whether a rule derives these tokens.
    pub fn derives(&self, rule: u32, tokens: &[Terminal]) -> bool {
        tokens.is_empty() && self.bnf.nullable[rule as usize]
            || !tokens.is_empty() && earley::parse(&self.bnf, tokens, rule, &|| ()).is_ok()
    }

    /// The nodes of a text, in the order of the text.
    pub fn parse(&self, text: &[u8]) -> Result<Vec<Step>, Refusal> {
        self.parse_while(text, &|| ())
    }

    /// The same, but `check` is called all the time: it unwinds where nobody waits any more.
    pub fn parse_while(&self, text: &[u8], check: &dyn Fn()) -> Result<Vec<Step>, Refusal> {
        let tokens = self.tokens(text)?;
        if tokens.is_empty() && self.bnf.nullable[self.start as usize] {
            return Ok(outline::nothing(self.kinds[self.start as usize]));
        }
        let terminals: Vec<Terminal> = tokens.iter().map(|token| token.terminal).collect();
        match earley::parse(&self.bnf, &terminals, self.start, check) {
            Ok(mut derivation) => {
                Ok(outline::steps(&self.bnf, &mut derivation, &tokens, &self.kinds, self.terminal_kinds))
            }
            Err(Failure::TooManySteps) => Err(Refusal::TooManySteps),
            Err(Failure::At(position, expected)) => Err(self.syntax(text, tokens.get(position), &expected)),
        }
    }

    fn syntax(&self, text: &[u8], found: Option<&Token>, expected: &[Terminal]) -> Refusal {
        const SHOWN: usize = 8;
        let at = found.map_or(text.len(), |token| token.start as usize);
        let (line, column) = line_and_column(text, at);
        let found = found.map_or("the end of the text".to_owned(), |token| {
            let bytes = String::from_utf8_lossy(&text[token.start as usize..token.end as usize]);
            let name = &self.terminals[token.terminal as usize];
            let short: String = bytes.chars().take(40).collect();
            if name.trim_matches('\'') == bytes { name.clone() } else { format!("{name} {short:?}") }
        });
        let names = expected.iter().take(SHOWN).map(|&terminal| self.terminals[terminal as usize].as_str());
        let more = expected.len().saturating_sub(SHOWN);
        let more = (more > 0).then(|| format!("{more} more"));
        let mut names: Vec<&str> = names.chain(more.as_deref()).collect();
        let last = names.pop().unwrap_or("nothing");
        let expected =
            if names.is_empty() { last.to_owned() } else { format!("{} or {last}", names.join(", ")) };
        Refusal::Syntax { line, column, found, expected }
    }
}

/// What is said of rules whose shortest text is too long to be of use: one for all of them.
fn too_long(rules: &[Rule], strings: &[Option<Shortest>]) -> Option<Complaint> {
    let is_long = |shortest: &Option<Shortest>| shortest.as_ref().is_some_and(|it| it.string.is_none());
    let mut long = rules.iter().zip(strings).filter(|(_, shortest)| is_long(shortest)).map(|(rule, _)| rule);
    let Rule { name, at, .. } = long.next()?;
    let more = long.count();
    let others = if more > 0 { format!("; the same holds for {more} other rules") } else { String::new() };
    let what = format!(
        "its shortest text has more than {} tokens, so none stands in for what it derives{others}",
        minimal::LONGEST
    );
    Some(Complaint::new(at.clone(), Some(name), what))
}

/// Refuses rules that derive no finite text.
fn check(rules: &[Rule], start: u32) -> Result<(), Complaint> {
    let terminals = rules.iter().map(|rule| highest(&rule.body)).max().unwrap_or(0) as usize + 1;
    let strings = minimal::strings(rules, &vec![true; terminals]);
    let mut seen = vec![false; rules.len()];
    let mut open = vec![start];
    while let Some(rule) = open.pop() {
        if std::mem::replace(&mut seen[rule as usize], true) {
            continue;
        }
        let Rule { name, at, body } = &rules[rule as usize];
        if strings[rule as usize].is_none() {
            return Err(Complaint::new(at.clone(), Some(name), "it derives no finite text"));
        }
        let mut parts = vec![body];
        while let Some(part) = parts.pop() {
            if let Expr::Rule(rule) = part {
                open.push(*rule);
            }
            parts.extend(part.children());
        }
    }
    Ok(())
}

fn highest(expr: &Expr) -> Terminal {
    let own = if let Expr::Terminals(set) = expr { set.last().copied().unwrap_or(0) } else { 0 };
    expr.children().into_iter().map(highest).max().unwrap_or(0).max(own)
}

/// The longest text that is made as the shortest of a rule, in bytes: each token more means to scan all of it
/// again.
const LONGEST: usize = 4096;

type Scan<'a> = dyn FnMut(&[u8], usize) -> Result<Vec<Token>, usize> + 'a;

/// A text that the lexer reads as these terminals, in some mode: each as short as can be, with nothing
/// between two of them, or a blank or a line end where they would be something else. None where there is
/// none, or none of at most [`LONGEST`] bytes.
fn write(
    tokens: &[Terminal],
    spellings: &[Option<Spelling>],
    modes: usize,
    scan: &mut Scan<'_>,
) -> Option<Vec<u8>> {
    let Some(&first) = tokens.first() else { return Some(Vec::new()) };
    let mut first = spellings[first as usize].as_ref()?.mode;
    for attempt in 0..=modes {
        let mut text = Vec::new();
        let mut done = 0;
        for &token in tokens {
            let next = &spellings[token as usize].as_ref()?.text;
            let longer = [&b""[..], b" ", b"\n"].into_iter().find_map(|gap| {
                let gap = if done == 0 { &b""[..] } else { gap };
                if text.len() + next.len() >= LONGEST {
                    return None;
                }
                let longer = [&text[..], gap, next].concat();
                let read = scan(&longer, first).ok()?;
                let same = read.iter().map(|token| token.terminal).eq(tokens[..=done].iter().copied());
                same.then_some(longer)
            });
            let Some(longer) = longer else { break };
            text = longer;
            done += 1;
        }
        if done == tokens.len() {
            return Some(text);
        }
        first = attempt;
        if first == modes {
            break;
        }
    }
    None
}
