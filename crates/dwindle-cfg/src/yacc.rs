//! YACC grammars with a lexical specification, as grmtools reads them.
//!
//! Only the reading is theirs. Precedences order operators; actions and conflicts mean nothing here.
//! A token without a rule in the lexical specification is an error, since no text could have it.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use cfgrammar::Spanned;
use cfgrammar::yacc::ast::{ASTWithValidityInfo, GrammarAST, Symbol};
use cfgrammar::yacc::{YaccKind, YaccOriginalActionKind};
use lrlex::{DefaultLexerTypes, LRNonStreamingLexerDef, LexerDef, StartStateOperation};
use regex_syntax::ParserBuilder;

use crate::chains::TreeForm;
use crate::ebnf::{Expr, Lines, Position, Rule, Terminal};
use crate::error::{Complaint, Error};
use crate::grammar::{Draft, Grammar};
use crate::lexer::{Becomes, LexRule, ModeChange};
use crate::stack;

/// Reads a grammar and its lexical specification; a text is a `start` rule, or what the grammar says.
pub fn read(grammar: &Path, lexer: &Path, start: Option<&str>, form: TreeForm) -> Result<Grammar, Error> {
    let (yacc, lex) = (text(grammar)?, text(lexer)?);
    let read = stack::large(|| Grammar::new(draft(grammar, &yacc, lexer, &lex, start)?, form));
    read.map_err(|error| Error::Read { path: grammar.to_owned(), error })?
}

fn text(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|error| Error::Read { path: path.to_owned(), error })
}

fn draft(
    grammar: &Path,
    yacc: &str,
    lexer: &Path,
    lex: &str,
    start: Option<&str>,
) -> Result<Draft, Complaint> {
    let read = ASTWithValidityInfo::new(YaccKind::Original(YaccOriginalActionKind::NoAction), yacc);
    if let Some(error) = read.errors().first() {
        return Err(complaint(grammar, yacc, error, enclosing(read.ast(), error)));
    }
    let ast = read.ast();
    let rule_of: HashMap<&str, u32> = ast.rules.keys().map(String::as_str).zip(0..).collect();
    let terminals: Vec<String> =
        [END_NAME].into_iter().chain(ast.tokens.iter().map(String::as_str)).map(str::to_owned).collect();
    let terminal_of: HashMap<&str, Terminal> = terminals.iter().map(String::as_str).zip(0..).collect();
    let binding = |token: &String| ast.precs.get(token).map(|(precedence, _)| precedence.level as u32);
    let lines = Lines::of(grammar, yacc);
    let mut rules = Vec::new();
    let mut precedences = Vec::new();
    for rule in ast.rules.values() {
        let mut alternatives = Vec::new();
        let mut binds = Vec::new();
        for &production in &rule.pidxs {
            let production = &ast.prods[production];
            let symbol = |symbol: &Symbol| match symbol {
                Symbol::Rule(name, _) => Expr::Rule(rule_of[name.as_str()]),
                Symbol::Token(name, _) => Expr::terminal(terminal_of[name.as_str()]),
            };
            alternatives.push(Expr::seq(production.symbols.iter().map(symbol)));
            let last = production.symbols.iter().rev().find_map(|symbol| match symbol {
                Symbol::Token(name, _) => Some(name),
                Symbol::Rule(..) => None,
            });
            // What has no precedence binds tightest, as indexing and calls do.
            binds.push(production.precedence.as_ref().or(last).and_then(binding).unwrap_or(u32::MAX));
        }
        let (name, span) = &rule.name;
        let at = lines.position(span.start());
        rules.push(Rule { name: name.clone(), at, body: Expr::choice(alternatives) });
        precedences.push(binds);
    }
    let start = match (start, &ast.start) {
        (Some(start), _) => *rule_of.get(start).ok_or_else(|| {
            let at = Position::of(grammar, yacc, 0);
            Complaint::new(at, None, format!("there is no rule {start} to start with"))
        })?,
        (None, Some((start, _))) => rule_of[start.as_str()],
        (None, None) => 0,
    };
    let (lex_rules, lexer_rules, modes, warnings) = lexical(lexer, lex, &terminal_of)?;
    let made: HashSet<Terminal> = lex_rules
        .iter()
        .filter_map(|rule| match rule.becomes {
            Becomes::Token(terminal) => Some(terminal),
            Becomes::Gap | Becomes::More => None,
        })
        .collect();
    // Others stand for nothing but a precedence.
    for (rule, production) in
        ast.rules.values().flat_map(|rule| rule.pidxs.iter().map(move |one| (rule, one)))
    {
        for symbol in &ast.prods[*production].symbols {
            let Symbol::Token(name, span) = symbol else { continue };
            if !made.contains(&terminal_of[name.as_str()]) {
                let at = lines.position(span.start());
                let what = format!("the token {name} has no rule in {}", lexer.display());
                return Err(Complaint::new(at, Some(&rule.name.0), what));
            }
        }
    }
    Ok(Draft { rules, precedences, terminals, lexer: lex_rules, lexer_rules, modes, start, warnings })
}

const END_NAME: &str = "the end of the text";

type Lexical = (Vec<LexRule>, Vec<(String, Position)>, usize, Vec<Complaint>);

fn lexical(path: &Path, lex: &str, terminals: &HashMap<&str, Terminal>) -> Result<Lexical, Complaint> {
    let definition = LRNonStreamingLexerDef::<DefaultLexerTypes<u32>>::from_str(lex).map_err(|errors| {
        let error = errors.into_iter().next();
        error.map_or_else(
            || Complaint::new(Position::of(path, lex, 0), None, "no lexical specification"),
            |error| {
                let mut complaint = complaint(path, lex, &error, None);
                complaint.what += form(&complaint.what);
                complaint
            },
        )
    })?;
    let modes = definition.iter_start_states().count();
    let exclusive = exclusive(lex, modes);
    let lines = Lines::of(path, lex);
    let (mut rules, mut names, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
    for rule in definition.iter_rules() {
        let at = lines.position(rule.name_span().start());
        let name = rule.name().unwrap_or(";");
        // As grmtools compiles them.
        let mut parser = ParserBuilder::new();
        parser.octal(true).multi_line(true).dot_matches_new_line(true);
        let hir = parser.build().parse(rule.re_str());
        let hir = hir.map_err(|error| Complaint::new(at.clone(), Some(name), error.to_string()))?;
        let becomes = match rule.name().map(|name| terminals.get(name)) {
            None => Becomes::Gap,
            Some(Some(&terminal)) => Becomes::Token(terminal),
            Some(None) => {
                warnings.push(Complaint::new(at, Some(name), "the grammar has no such token"));
                continue;
            }
        };
        let modes = match rule.start_states() {
            [] => (0..modes).filter(|&mode| !exclusive[mode]).collect(),
            states => states.to_vec(),
        };
        let then = rule.target_state().map(|(state, operation)| match operation {
            StartStateOperation::ReplaceStack => ModeChange::Reset(state),
            StartStateOperation::Push => ModeChange::Push(state),
            StartStateOperation::Pop => ModeChange::Pop,
        });
        rules.push(LexRule {
            may_be_empty: false,
            patterns: vec![hir],
            modes,
            becomes,
            then: then.into_iter().collect(),
        });
        names.push((name.to_owned(), at));
    }
    Ok((rules, names, modes, warnings))
}

/// What a specification has instead of what was complained of. Those for flex have code in these places.
fn form(what: &str) -> &'static str {
    match what {
        "invalid rule name" | "rule is missing a space" | "verbatim code not supported" => {
            "; behind a pattern stands the name of a token in quotes, as in `[a-z]+ \"ID\"`, or `;` for what is \
             left out: write that instead of an action such as `return ID;` or `{ ... }`"
        }
        "unknown declaration" => {
            "; in front of %% stand start states only (`%s NAME`, `%x NAME`): leave options, definitions and code \
             out, and write what a definition stands for into the patterns"
        }
        _ => "",
    }
}

/// Which start states are exclusive, in the order in which they are declared behind the initial one;
/// grmtools does not tell.
fn exclusive(lex: &str, modes: usize) -> Vec<bool> {
    let declarations = lex.lines().take_while(|line| !line.starts_with("%%"));
    let declared = declarations.flat_map(|line| {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default();
        let kind = first.as_bytes().get(..2).unwrap_or_default();
        let of_states = matches!(kind, b"%x" | b"%X" | b"%s" | b"%S");
        let is_exclusive = matches!(kind, b"%x" | b"%X");
        words.filter(move |_| of_states).map(move |_| is_exclusive)
    });
    let mut exclusive: Vec<bool> = [false].into_iter().chain(declared).collect();
    exclusive.resize(modes, false);
    exclusive
}

fn complaint(path: &Path, text: &str, error: &impl Spanned, rule: Option<&str>) -> Complaint {
    let at = error.spans().first().map_or(0, |span| span.start());
    let mut what = error.to_string();
    // A pattern that does not fit a line does not help; what is wrong with it stands behind it.
    if what.lines().any(|line| line.len() > 120)
        && let (Some(first), Some((_, last))) = (what.split_once(':'), what.rsplit_once("error: "))
    {
        what = format!("{}: {last}", first.0);
    }
    Complaint::new(Position::of(path, text, at), rule, what[..1].to_lowercase() + &what[1..])
}

/// The rule in which an error is: the last that begins before it.
fn enclosing<'a>(ast: &'a GrammarAST, error: &impl Spanned) -> Option<&'a str> {
    let at = error.spans().first()?.start();
    let before = ast.rules.values().filter(|rule| rule.name.1.start() <= at);
    before.max_by_key(|rule| rule.name.1.start()).map(|rule| rule.name.0.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exclusive_states_are_those_declared_so() {
        assert_eq!(exclusive("%x A B\n%s C\n%%\n. ;\n%x D", 4), [false, true, true, false]);
    }
}
