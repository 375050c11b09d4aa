//! YACC grammars as they are written for yacc, bison and byacc, with a lexical specification (`lex/`).
//!
//! Actions, wherever they stand, derive nothing; conflicts mean nothing; precedences order operators. Alternatives
//! with `error` are left out, as no text has that token. A token that no rule of the specification makes is its own
//! text, where the grammar has one (`'+'`, `"<="`, an alias).

mod syntax;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::Path;

use regex_syntax::hir::Hir;

use crate::chains::TreeForm;
use crate::ebnf::{END, Expr, Position, Rule, Terminal};
use crate::error::{Complaint, Error};
use crate::grammar::{Draft, Grammar};
use crate::lex::{self, Lexical, Names};
use crate::lexer::{Becomes, Keeps, LexRule};
use crate::minimal;
use crate::stack;
use syntax::{Alternative, File, Name};

/// Reads a grammar and its lexical specification; a text is a `start` rule, or what the grammar says.
pub fn read(grammar: &Path, lexer: &Path, start: Option<&str>, form: TreeForm) -> Result<Grammar, Error> {
    let (yacc, lex) = (text(grammar)?, text(lexer)?);
    let read = stack::large(|| Grammar::new(draft(grammar, &yacc, lexer, &lex, start)?, form));
    read.map_err(|error| Error::Read { path: grammar.to_owned(), error })?
}

/// The text of a file, whatever its comments are encoded in.
fn text(path: &Path) -> Result<String, Error> {
    let bytes = fs::read(path).map_err(|error| Error::Read { path: path.to_owned(), error })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

const END_NAME: &str = "the end of the text";

fn draft(
    grammar: &Path,
    yacc: &str,
    lexer: &Path,
    lex: &str,
    start: Option<&str>,
) -> Result<Draft, Complaint> {
    let File { tokens, levels, rules: written, start: own_start, prefix, code } =
        syntax::parse(grammar, yacc)?;
    let mut symbols = Symbols::new(&written);
    tokens.iter().for_each(|token| symbols.declare(token));
    let levels: HashMap<Terminal, u32> = levels
        .iter()
        .filter_map(|(name, level)| match symbols.known(name)? {
            Expr::Terminals(set) => Some((set[0], *level)),
            _ => None,
        })
        .collect();
    let start = match (start, &own_start) {
        (Some(start), _) => (start.to_owned(), Position::of(grammar, yacc, 0)),
        (None, Some(start)) => start.clone(),
        (None, None) => (written[0].name.clone(), written[0].at.clone()),
    };
    let (start, start_at) = start;
    let start = *symbols
        .rules
        .get(&start)
        .ok_or_else(|| Complaint::new(start_at, None, format!("there is no rule {start} to start with")))?;
    let mut warnings = Vec::new();
    let dead = without_texts(&written, &symbols.rules, &mut warnings);
    let mut rules: Vec<Rule> = Vec::new();
    let mut precedences: Vec<Vec<u32>> = Vec::new();
    let mut bodies: Vec<Vec<Expr>> = Vec::new();
    for rule in &written {
        let index = symbols.rules[&rule.name] as usize;
        if index == rules.len() {
            rules.push(Rule { name: rule.name.clone(), at: rule.at.clone(), body: Expr::Seq(Vec::new()) });
            precedences.push(Vec::new());
            bodies.push(Vec::new());
        }
        for alternative in &rule.alternatives {
            if wants_error(alternative, &symbols.rules, &dead) {
                continue;
            }
            let parts: Vec<Expr> =
                alternative.symbols.iter().map(|(name, at)| symbols.of(name, at, &rule.name)).collect();
            let last = parts.iter().rev().find_map(|part| match part {
                Expr::Terminals(set) => Some(set[0]),
                _ => None,
            });
            let own = alternative.precedence.as_ref().map(|name| match symbols.known(name) {
                Some(Expr::Terminals(set)) => Some(set[0]),
                _ => None,
            });
            let level = own.unwrap_or(last).and_then(|token| levels.get(&token));
            // What has no precedence binds tightest, as indexing and calls do.
            precedences[index].push(level.copied().unwrap_or(u32::MAX));
            bodies[index].push(Expr::seq(parts));
        }
    }
    if dead.contains(&rules[start as usize].name) {
        let Rule { name, at, .. } = &rules[start as usize];
        return Err(Complaint::new(
            at.clone(),
            Some(name),
            "no text is one, as all of its alternatives want the token error",
        ));
    }
    for (rule, alternatives) in rules.iter_mut().zip(bodies) {
        rule.body = Expr::choice(alternatives);
    }
    let Symbols { mut terminals, words, texts, aliases, used, .. } = symbols;
    let names = Names {
        of_word: words,
        of_text: texts,
        prefix,
        code: code.into_iter().map(|range| (yacc, range)).collect(),
        next: terminals.len() as Terminal,
    };
    let mut lexical = lex::read(lexer, lex, &names)?;
    let mut own_texts: HashMap<Terminal, &[u8]> =
        names.of_text.iter().map(|(text, &token)| (token, text.as_slice())).collect();
    // An alias with a blank describes a token.
    let spelled = aliases.iter().filter(|(text, _)| !text.iter().any(u8::is_ascii_whitespace));
    own_texts.extend(spelled.map(|(text, &token)| (token, text.as_slice())));
    complete(&mut lexical, lexer, &mut terminals, &used, &own_texts, &mut warnings)?;
    let may_be = may_be(&lexical, names.next);
    for rule in &mut rules {
        let body = std::mem::replace(&mut rule.body, Expr::Seq(Vec::new()));
        rule.body = body.map(&mut |expr| match expr {
            Expr::Terminals(set) => Expr::Terminals(match may_be.get(&set[0]) {
                Some(all) => all.clone(),
                None => set,
            }),
            other => other,
        });
    }
    let writable: Vec<bool> = {
        let made = made(&lexical);
        (0..terminals.len() as Terminal).map(|terminal| terminal == END || made.contains(&terminal)).collect()
    };
    let Rule { name, at, .. } = &rules[start as usize];
    if minimal::strings(&rules, &writable)[start as usize].is_none()
        && minimal::strings(&rules, &vec![true; terminals.len()])[start as usize].is_some()
    {
        let missing = warnings.last().map(|warning| format!(": {}", warning.what)).unwrap_or_default();
        let what = format!("no text is one by the tokens that {} makes{missing}", lexer.display());
        return Err(Complaint::new(at.clone(), Some(name), what));
    }
    warnings.extend(std::mem::take(&mut lexical.warnings));
    let Lexical { rules: lexer, names: lexer_rules, modes, minimal, .. } = lexical;
    Ok(Draft { rules, precedences, terminals, lexer, lexer_rules, modes, start, minimal, warnings })
}

/// The rules and tokens of a grammar by their names.
struct Symbols {
    rules: HashMap<String, u32>,
    terminals: Vec<String>,
    words: HashMap<String, Terminal>,
    texts: HashMap<Vec<u8>, Terminal>,
    /// The texts that stand for declared tokens.
    aliases: BTreeMap<Vec<u8>, Terminal>,
    /// Where each token is first used, in which rule, and whether it is declared or a literal.
    used: BTreeMap<Terminal, Use>,
}

/// The first use of a token.
struct Use {
    at: Position,
    rule: String,
    is_declared: bool,
}

impl Symbols {
    fn new(written: &[syntax::Rule]) -> Self {
        let mut rules = HashMap::new();
        for rule in written {
            let next = rules.len() as u32;
            rules.entry(rule.name.clone()).or_insert(next);
        }
        let words = HashMap::from([("YYEOF".to_owned(), END)]);
        let terminals = vec![END_NAME.to_owned()];
        Self {
            rules,
            terminals,
            words,
            texts: HashMap::new(),
            aliases: BTreeMap::new(),
            used: BTreeMap::new(),
        }
    }

    fn declare(&mut self, token: &syntax::Token) {
        if let Name::Word(name) = &token.name
            && (name == "error" || self.rules.contains_key(name))
        {
            return;
        }
        let terminal = match &token.name {
            Name::Word(name) if token.is_end => *self.words.entry(name.clone()).or_insert(END),
            name => self.token(name),
        };
        if let Some(alias) = &token.alias {
            self.aliases.insert(alias.clone(), terminal);
        }
    }

    /// What a name means, if that is known.
    fn known(&self, name: &Name) -> Option<Expr> {
        match name {
            Name::Word(word) => match self.rules.get(word) {
                Some(&rule) => Some(Expr::Rule(rule)),
                None => self.words.get(word).copied().map(Expr::terminal),
            },
            Name::Quoted(text, is_single) => {
                // In grmtools' grammars, quotes say that it is a token.
                let word = || std::str::from_utf8(text).ok().and_then(|word| self.words.get(word));
                let word = (!is_single || text.len() > 1).then(word).flatten();
                self.aliases.get(text).or(word).or_else(|| self.texts.get(text)).copied().map(Expr::terminal)
            }
        }
    }

    /// The token of a name that is no rule.
    fn token(&mut self, name: &Name) -> Terminal {
        if let Some(Expr::Terminals(set)) = self.known(name) {
            return set[0];
        }
        let terminal = self.terminals.len() as Terminal;
        match name {
            Name::Word(word) => {
                self.words.insert(word.clone(), terminal);
                self.terminals.push(word.clone());
            }
            Name::Quoted(text, is_single) => {
                let shown = String::from_utf8_lossy(text).escape_debug().to_string();
                self.texts.insert(text.clone(), terminal);
                let is_name = *is_single && text.len() > 1;
                self.terminals.push(if is_name { shown } else { format!("'{shown}'") });
            }
        }
        terminal
    }

    /// What a symbol of a rule means.
    fn of(&mut self, name: &Name, at: &Position, rule: &str) -> Expr {
        let is_declared = matches!(name, Name::Quoted(..)) || self.known(name).is_some();
        if let Some(rule @ Expr::Rule(_)) = self.known(name) {
            return rule;
        }
        let terminal = self.token(name);
        self.used.entry(terminal).or_insert_with(|| Use {
            at: at.clone(),
            rule: rule.to_owned(),
            is_declared,
        });
        Expr::terminal(terminal)
    }
}

/// Whether an alternative wants `error`, or a rule all of whose alternatives do.
fn wants_error(alternative: &Alternative, rules: &HashMap<String, u32>, dead: &HashSet<String>) -> bool {
    alternative.symbols.iter().any(|(name, _)| match name {
        Name::Word(word) => word == "error" && !rules.contains_key(word) || dead.contains(word),
        Name::Quoted(..) => false,
    })
}

/// The rules all of whose alternatives want `error`, directly or by each other.
fn without_texts(
    written: &[syntax::Rule],
    rules: &HashMap<String, u32>,
    warnings: &mut Vec<Complaint>,
) -> HashSet<String> {
    let mut dead: HashSet<String> = HashSet::new();
    loop {
        let mut living: HashSet<&str> = HashSet::new();
        for rule in written {
            if rule.alternatives.iter().any(|one| !wants_error(one, rules, &dead)) {
                living.insert(&rule.name);
            }
        }
        let before = dead.len();
        for rule in written.iter().filter(|rule| !living.contains(rule.name.as_str())) {
            if dead.insert(rule.name.clone()) {
                let what = "all of its alternatives want the token error, which no text has; it is left out, with what mentions it";
                warnings.push(Complaint::new(rule.at.clone(), Some(&rule.name), what));
            }
        }
        if dead.len() == before {
            return dead;
        }
    }
}

/// The terminals that the rules of a specification make.
fn made(lexical: &Lexical) -> HashSet<Terminal> {
    lexical
        .rules
        .iter()
        .filter_map(|rule| match rule.becomes {
            Becomes::Token(terminal) => Some(terminal),
            Becomes::Gap | Becomes::More => None,
        })
        .collect()
}

/// The terminals of the lexer that each token of the grammar may be, in ascending order, where that is not itself alone.
fn may_be(lexical: &Lexical, next: Terminal) -> HashMap<Terminal, Vec<Terminal>> {
    let made = made(lexical);
    let mut all: HashMap<Terminal, Vec<Terminal>> = HashMap::new();
    for (index, tokens) in lexical.any_of.iter().enumerate() {
        for &token in tokens {
            let own = || if made.contains(&token) { vec![token] } else { Vec::new() };
            all.entry(token).or_insert_with(own).push(next + index as Terminal);
        }
    }
    all
}

/// Adds what is not in a specification: names of terminals that may be several, and rules for tokens that are their
/// own text. Says which are made by nothing.
fn complete(
    lexical: &mut Lexical,
    lexer: &Path,
    terminals: &mut Vec<String>,
    used: &BTreeMap<Terminal, Use>,
    own_texts: &HashMap<Terminal, &[u8]>,
    warnings: &mut Vec<Complaint>,
) -> Result<(), Complaint> {
    const SHOWN: usize = 8;
    let mut made = made(lexical);
    made.insert(END);
    made.extend(lexical.any_of.iter().flatten());
    let own: Vec<String> = lexical
        .any_of
        .iter()
        .map(|tokens| {
            let shown = tokens.iter().take(3).map(|&token| terminals[token as usize].as_str());
            let more = if tokens.len() > 3 { Some("another") } else { None };
            let names: Vec<&str> = shown.chain(more).collect();
            if names.is_empty() { "a character that is no token".to_owned() } else { names.join(" or ") }
        })
        .collect();
    let mut missing: Vec<Terminal> = Vec::new();
    let mut guessed: Vec<Terminal> = Vec::new();
    let mut added: Vec<(LexRule, (String, Position))> = Vec::new();
    for (&token, Use { at, rule, is_declared }) in used {
        if made.contains(&token) {
            continue;
        }
        let name = &terminals[token as usize];
        if !is_declared {
            let what = format!(
                "there is no rule and no token {name}: write a rule of that name, or declare it with %token"
            );
            return Err(Complaint::new(at.clone(), Some(rule), what));
        }
        let mut modes = lexical.common.clone();
        let pattern = match own_texts.get(&token).filter(|text| !text.is_empty()) {
            Some(text) => Hir::literal(*text),
            None => match keyword(name).filter(|_| lexical.looks_up) {
                Some(keyword) => {
                    guessed.push(token);
                    modes = vec![0];
                    regex_syntax::parse(&format!("(?i){keyword}")).expect("letters are a regular expression")
                }
                None => {
                    missing.push(token);
                    continue;
                }
            },
        };
        let rule = LexRule {
            patterns: vec![pattern],
            modes,
            becomes: Becomes::Token(token),
            may_be_empty: false,
            keeps: Keeps::All,
            then: Vec::new(),
        };
        added.push((rule, (name.clone(), at.clone())));
    }
    let (rules, names): (Vec<_>, Vec<_>) = added.into_iter().unzip();
    lexical.rules.splice(0..0, rules);
    lexical.names.splice(0..0, names);
    let mut warn = |tokens: &[Terminal], what: &dyn Fn(String) -> String| {
        let Some(first) = tokens.first() else { return };
        let Use { at, rule, .. } = &used[first];
        let shown: Vec<&str> =
            tokens.iter().take(SHOWN).map(|&token| terminals[token as usize].as_str()).collect();
        let more = tokens.len() - shown.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        warnings.push(Complaint::new(at.clone(), Some(rule), what(format!("{}{more}", shown.join(", ")))));
    };
    warn(&guessed, &|names| {
        format!(
            "a function that is not in {} tells what {names} are; each is taken to be the word that it is named after, \
             in small or in capital letters",
            lexer.display()
        )
    });
    warn(&missing, &|names| {
        format!("no rule of {} makes {names}, so what needs that is never read", lexer.display())
    });
    terminals.extend(own);
    Ok(())
}

/// The word that a token is named after, if it may be one: `K_always`, `ABORT_P` and `T_INT` have such names.
fn keyword(name: &str) -> Option<String> {
    const BEFORE: &[&str] = &["K_", "KW_", "T_", "TOK_", "TK_", "SQL_", "R_"];
    const BEHIND: &[&str] = &["_P", "_SYM", "_KW", "_KEYWORD", "_T", "_TOK", "_TOKEN"];
    let inner = BEFORE.iter().find_map(|before| name.strip_prefix(before)).unwrap_or(name);
    let inner = BEHIND.iter().find_map(|behind| inner.strip_suffix(behind)).unwrap_or(inner);
    let is_word = inner.len() > 1 && inner.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_word.then(|| inner.to_ascii_lowercase())
}
