//! ANTLR 4 grammars (`.g4`).
//!
//! Combined grammars, and parser grammars with a lexer grammar: the one named by `tokenVocab` beside
//! the file, or another. Imported grammars are looked for beside the file that imports them.
//!
//! What needs the language of the generated parser cannot be done: actions are left out, and a
//! predicate is taken to hold, with a warning that names its rule. In a parser that only adds texts. In a
//! lexer, a rule whose predicate holds takes what is another's where it does not, so a text that cannot be
//! read so, or in which fewer tokens are seen so, is read as if none of them held. Tokens that only actions make are
//! never seen. A lexer rule inside itself is a match up to a fixed depth. Brackets may be
//! nested 250 deep, rules of a lexer in each other some hundred times, and where those that are mentioned are
//! put in their places, a lexer may have half a million parts; more is refused. Everything else means what
//! it means in ANTLR, but that associativity is forgotten: it makes no difference to what is valid.

mod lexical;
mod nesting;
mod syntax;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::ebnf::{END, Expr, Position, Rule, Terminal};
use crate::error::{Complaint, Error};
use crate::grammar::{Draft, Grammar};
use crate::lexer::{Becomes, Keeps, LexRule, ModeChange};
use crate::stack;
use lexical::Patterns;
use syntax::{Command, DEFAULT_MODE, Element, File, Kind, LexerRule, ParserRule};

const PREDICATE: &str = "its predicate cannot be evaluated and is taken to hold";

/// Adds a warning, one of a kind for each rule.
fn warn_once(warnings: &mut Vec<Complaint>, warning: Complaint) {
    if !warnings.iter().any(|other| other.rule == warning.rule && other.what == warning.what) {
        warnings.push(warning);
    }
}

/// Reads a grammar, and the lexer of a parser grammar if it is not the one that the grammar names. A
/// text is a `start` rule, else the first rule that wants the end of the text, else the first rule.
pub fn read(grammar: &Path, lexer: Option<&Path>, start: Option<&str>) -> Result<Grammar, Error> {
    let read = stack::large(|| read_here(grammar, lexer, start));
    read.map_err(|error| Error::Read { path: grammar.to_owned(), error })?
}

fn read_here(grammar: &Path, lexer: Option<&Path>, start: Option<&str>) -> Result<Grammar, Error> {
    let mut main = load(grammar)?;
    let at = Position { file: grammar.to_owned(), line: 1, column: 1 };
    let refuse = |what: &str| Error::from(Complaint::new(at.clone(), None, what));
    if main.kind == Kind::Lexer {
        return Err(refuse("this is a lexer: give the parser as the grammar"));
    }
    let beside = |name: &str| grammar.with_file_name(format!("{name}.g4"));
    let lexer = lexer.map(Path::to_owned).or(main.vocabulary.as_deref().map(beside));
    match (lexer, main.kind) {
        (Some(lexer), _) => {
            let lexer = load(&lexer)?;
            main.tokens.extend(lexer.tokens);
            main.lexer.extend(lexer.lexer);
        }
        (None, Kind::Parser) => return Err(refuse("this is a parser without a lexer: give one")),
        (None, _) => {}
    }
    if main.rules.is_empty() {
        return Err(refuse("there is no rule of a parser in it"));
    }
    let grammar = Grammar::new(draft(&main, start, true)?)?;
    let conditional = |rule: &LexerRule| rule.alternatives.iter().any(|(one, _)| has_predicate(one));
    if !main.lexer.iter().any(conditional) {
        return Ok(grammar);
    }
    Ok(match draft(&main, start, false).map_err(Error::from).and_then(Grammar::new) {
        Ok(other) => grammar.or(other),
        // There are rules that such a lexer has no tokens for.
        Err(_) => grammar,
    })
}

/// A file with all that it imports.
fn load(path: &Path) -> Result<File, Error> {
    let mut main = parse(path)?;
    let mut known: HashSet<PathBuf> = HashSet::from([path.to_owned()]);
    let mut open = std::mem::take(&mut main.imports);
    while !open.is_empty() {
        let name = open.remove(0);
        let path = path.with_file_name(format!("{name}.g4"));
        if !known.insert(path.clone()) {
            continue;
        }
        let other = parse(&path)?;
        open.extend(other.imports);
        main.tokens.extend(other.tokens);
        main.vocabulary = main.vocabulary.or(other.vocabulary);
        // What the importing grammar has itself wins.
        let rules: HashSet<String> = main.rules.iter().map(|rule| rule.name.clone()).collect();
        main.rules.extend(other.rules.into_iter().filter(|rule| !rules.contains(&rule.name)));
        let lexer: HashSet<String> = main.lexer.iter().map(|rule| rule.name.clone()).collect();
        main.lexer.extend(other.lexer.into_iter().filter(|rule| !lexer.contains(&rule.name)));
    }
    Ok(main)
}

fn parse(path: &Path) -> Result<File, Error> {
    let text = fs::read_to_string(path).map_err(|error| Error::Read { path: path.to_owned(), error })?;
    if let Some(at) = nesting::too_deep(&text) {
        let what = format!(
            "brackets or braces are nested more than {} deep here; give what is inside a rule of its own",
            nesting::DEEPEST
        );
        return Err(Complaint::new(Position::of(path, &text, at), syntax::enclosing(&text, at), what).into());
    }
    Ok(syntax::parse(path, text)?)
}

/// With `holds`, predicates of the lexer hold.
fn draft(file: &File, start: Option<&str>, holds: bool) -> Result<Draft, Complaint> {
    let mut terminals = Terminals::default();
    terminals.names.push("the end of the text".to_owned());
    terminals.of_name.insert("EOF".to_owned(), END);
    let mut lexer = Lexical::default();
    lexer.read(file, &mut terminals, holds)?;
    file.tokens.iter().for_each(|name| _ = terminals.named(name));
    let mut warnings = lexer.warnings;
    let mut rules_of_name = HashMap::new();
    for (rule, index) in file.rules.iter().zip(0..) {
        if rules_of_name.insert(rule.name.as_str(), index).is_some() {
            return Err(Complaint::new(
                rule.at.clone(),
                Some(&rule.name),
                "there is another rule of that name",
            ));
        }
        rule.alternatives.iter().for_each(|one| terminals.declare(rule, one, &mut warnings));
    }
    let mut parser = Parser { rules: rules_of_name, terminals: &terminals, warnings };
    let (mut rules, mut precedences) = (Vec::new(), Vec::new());
    for rule in &file.rules {
        let all = rule.alternatives.iter().map(|one| parser.expr(rule, one));
        let all = all.collect::<Result<Vec<_>, _>>()?;
        // The first alternative binds tightest.
        precedences.push((0..all.len() as u32).rev().collect());
        rules.push(Rule { name: rule.name.clone(), at: rule.at.clone(), body: Expr::choice(all) });
    }
    let wants_end = |rule: &ParserRule| rule.alternatives.iter().any(|one| mentions(one, "EOF"));
    let start = match start {
        Some(start) => *parser.rules.get(start).ok_or_else(|| {
            let at = Position { file: file.path.clone(), line: 1, column: 1 };
            Complaint::new(at, None, format!("there is no rule {start} to start with"))
        })?,
        None => file.rules.iter().position(wants_end).unwrap_or(0) as u32,
    };
    let warnings = parser.warnings;
    let (lexer, lexer_rules, modes) = (lexer.rules, lexer.names, lexer.modes.len());
    Ok(Draft {
        rules,
        precedences,
        terminals: terminals.names,
        lexer,
        lexer_rules,
        modes,
        start,
        minimal: HashMap::new(),
        warnings,
    })
}

fn mentions(element: &Element, name: &str) -> bool {
    match element {
        Element::Reference(other, _) => other == name,
        Element::Seq(all) | Element::Choice(all) => all.iter().any(|one| mentions(one, name)),
        Element::Repeat { element, .. } => mentions(element, name),
        _ => false,
    }
}

fn has_predicate(element: &Element) -> bool {
    match element {
        Element::Predicate(_) => true,
        Element::Seq(all) | Element::Choice(all) => all.iter().any(has_predicate),
        Element::Repeat { element, .. } => has_predicate(element),
        _ => false,
    }
}

/// All literals in an element.
fn literals<'a>(element: &'a Element, out: &mut Vec<&'a str>) {
    match element {
        Element::Literal(literal, _) => out.push(literal),
        Element::Not(all) | Element::Seq(all) | Element::Choice(all) => {
            all.iter().for_each(|one| literals(one, out));
        }
        Element::Repeat { element, .. } => literals(element, out),
        _ => {}
    }
}

/// The terminals in the making.
#[derive(Default)]
struct Terminals {
    names: Vec<String>,
    of_name: HashMap<String, Terminal>,
    of_literal: HashMap<Vec<char>, Terminal>,
}

impl Terminals {
    fn named(&mut self, name: &str) -> Terminal {
        let new = self.names.len() as Terminal;
        let terminal = *self.of_name.entry(name.to_owned()).or_insert(new);
        if terminal == new {
            self.names.push(name.to_owned());
        }
        terminal
    }

    /// Makes sure of all tokens that a parser mentions.
    fn declare(&mut self, rule: &ParserRule, element: &Element, warnings: &mut Vec<Complaint>) {
        match element {
            Element::Reference(name, at) if is_token(name) && !self.of_name.contains_key(name) => {
                self.named(name);
                let what = format!("no rule of the lexer makes the token {name}");
                warnings.push(Complaint::new(at.clone(), Some(&rule.name), what));
            }
            Element::Not(all) | Element::Seq(all) | Element::Choice(all) => {
                all.iter().for_each(|one| self.declare(rule, one, warnings));
            }
            Element::Repeat { element, .. } => self.declare(rule, element, warnings),
            _ => {}
        }
    }
}

fn is_token(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// The lexer in the making.
#[derive(Default)]
struct Lexical {
    rules: Vec<LexRule>,
    names: Vec<(String, Position)>,
    modes: Vec<String>,
    warnings: Vec<Complaint>,
}

impl Lexical {
    fn mode(&mut self, name: &str) -> usize {
        let known = self.modes.iter().position(|mode| mode == name);
        known.unwrap_or_else(|| {
            self.modes.push(name.to_owned());
            self.modes.len() - 1
        })
    }

    fn read(&mut self, file: &File, terminals: &mut Terminals, holds: bool) -> Result<(), Complaint> {
        self.mode(DEFAULT_MODE);
        // A literal of the parser is the token whose rule says just that, or else one of its own, in
        // front of all rules.
        let mut by_literal: BTreeMap<Vec<char>, Vec<&LexerRule>> = BTreeMap::new();
        for rule in file.lexer.iter().filter(|rule| !rule.is_fragment) {
            if let [(Element::Seq(elements), _)] = &rule.alternatives[..]
                && let [Element::Literal(literal, _)] = &elements[..]
            {
                by_literal.entry(lexical::unquoted(literal)).or_default().push(rule);
            }
        }
        for (literal, rules) in by_literal {
            if let [rule] = rules[..] {
                let terminal = terminals.named(&rule.name);
                terminals.of_literal.insert(literal, terminal);
            }
        }
        for rule in &file.rules {
            let mut own = Vec::new();
            rule.alternatives.iter().for_each(|one| literals(one, &mut own));
            for literal in own {
                let characters = lexical::unquoted(literal);
                if characters.is_empty() || terminals.of_literal.contains_key(&characters) {
                    continue;
                }
                let terminal = terminals.named(literal);
                terminals.of_literal.insert(characters, terminal);
                self.rules.push(LexRule {
                    may_be_empty: false,
                    patterns: vec![lexical::text(literal, file.case_insensitive)],
                    modes: vec![0],
                    becomes: Becomes::Token(terminal),
                    keeps: Keeps::All,
                    then: Vec::new(),
                });
                self.names.push((literal.to_owned(), rule.at.clone()));
            }
        }
        let mut patterns = Patterns::new(&file.lexer, holds);
        for rule in file.lexer.iter().filter(|rule| !rule.is_fragment) {
            for (element, commands) in &rule.alternatives {
                let (becomes, then) = self.commands(rule, commands, terminals)?;
                let patterns = vec![patterns.alternative(rule, element)?];
                let modes = vec![self.mode(&rule.mode)];
                // An empty token would be found again and again.
                let may_be_empty = becomes == Becomes::Gap && !then.is_empty();
                self.rules.push(LexRule { patterns, modes, becomes, then, may_be_empty, keeps: Keeps::All });
                self.names.push((rule.name.clone(), rule.at.clone()));
            }
        }
        self.warnings.extend(patterns.warnings);
        Ok(())
    }

    fn commands(
        &mut self,
        rule: &LexerRule,
        commands: &[Command],
        terminals: &mut Terminals,
    ) -> Result<(Becomes, Vec<ModeChange>), Complaint> {
        let mut name = rule.name.as_str();
        let (mut gap, mut more) = (false, false);
        let mut then = Vec::new();
        for (command, argument) in commands {
            match (command.as_str(), argument.as_deref()) {
                ("skip", None) => gap = true,
                ("more", None) => more = true,
                ("channel", Some("DEFAULT_TOKEN_CHANNEL" | "0")) => {}
                ("channel", Some(_)) => gap = true,
                ("type", Some(other)) => name = other,
                ("mode", Some(mode)) => then.push(ModeChange::Set(self.mode(mode))),
                ("pushMode", Some(mode)) => then.push(ModeChange::Push(self.mode(mode))),
                ("popMode", None) => then.push(ModeChange::Pop),
                _ => {
                    let what = format!("there is no command {command} of this form");
                    return Err(Complaint::new(rule.at.clone(), Some(&rule.name), what));
                }
            }
        }
        let becomes = match (more, gap) {
            (true, _) => Becomes::More,
            (_, true) => Becomes::Gap,
            _ => Becomes::Token(terminals.named(name)),
        };
        Ok((becomes, then))
    }
}

/// The rules of the parser in the making.
struct Parser<'a> {
    rules: HashMap<&'a str, u32>,
    terminals: &'a Terminals,
    warnings: Vec<Complaint>,
}

impl Parser<'_> {
    fn expr(&mut self, rule: &ParserRule, element: &Element) -> Result<Expr, Complaint> {
        let refuse = |at: &Position, what: String| Err(Complaint::new(at.clone(), Some(&rule.name), what));
        Ok(match element {
            Element::Reference(name, at) => match self.rules.get(name.as_str()) {
                Some(&rule) => Expr::Rule(rule),
                None if is_token(name) => Expr::terminal(self.terminals.of_name[name]),
                None => return refuse(at, format!("there is no rule {name}")),
            },
            Element::Literal(literal, at) => match self.terminals.of_literal.get(&lexical::unquoted(literal))
            {
                Some(&terminal) => Expr::terminal(terminal),
                None => return refuse(at, format!("{literal} is no token")),
            },
            Element::Any => self.all_but(&[]),
            Element::Not(all) => {
                let all = all.iter().map(|one| self.expr(rule, one)).collect::<Result<Vec<_>, _>>()?;
                let terminals = all.into_iter().filter_map(|one| match one {
                    Expr::Terminals(set) => Some(set),
                    _ => None,
                });
                self.all_but(&terminals.flatten().collect::<Vec<_>>())
            }
            Element::Seq(all) => {
                Expr::seq(all.iter().map(|one| self.expr(rule, one)).collect::<Result<Vec<_>, _>>()?)
            }
            Element::Choice(all) => {
                Expr::choice(all.iter().map(|one| self.expr(rule, one)).collect::<Result<_, _>>()?)
            }
            Element::Repeat { element, optional, several, .. } => {
                let inner = self.expr(rule, element)?;
                if *several { Expr::list(inner, None, !optional) } else { inner.optional() }
            }
            Element::Predicate(at) => {
                warn_once(&mut self.warnings, Complaint::new(at.clone(), Some(&rule.name), PREDICATE));
                Expr::Seq(Vec::new())
            }
            Element::Range(..) | Element::Set(_) => {
                return refuse(&rule.at, "a parser has tokens, not characters".to_owned());
            }
        })
    }

    fn all_but(&self, excluded: &[Terminal]) -> Expr {
        let all = END + 1..self.terminals.names.len() as Terminal;
        Expr::Terminals(all.filter(|terminal| !excluded.contains(terminal)).collect())
    }
}
