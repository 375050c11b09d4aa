//! What the action of a rule of lex does, as far as a text is cut into tokens by it: which tokens it may return,
//! which start state it begins, and whether it reads on by itself.
//!
//! Actions are C and cannot be run. What is seen are their words: those of a `return`, or of the macro or the
//! function that is called there, if it stands in the same files.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use crate::code::{self, Kind, Lexeme};
use crate::ebnf::Terminal;

/// The tokens of a grammar by the names that code has for them.
pub(super) trait Tokens {
    /// The token of a name.
    fn named(&self, name: &str) -> Option<Terminal>;
    /// The token of a text in quotes.
    fn literal(&self, text: &[u8]) -> Option<Terminal>;
}

/// What an action does.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Effect {
    /// The tokens that it may return.
    pub(super) tokens: BTreeSet<Terminal>,
    /// Whether it may return the first character of what was matched.
    pub(super) first_character: bool,
    /// Whether it returns something that cannot be told.
    pub(super) unknown: bool,
    /// The start state that it begins.
    pub(super) then: Option<Change>,
    /// Whether what was matched is the beginning of the next match.
    pub(super) more: bool,
    /// How much of what was matched is given back.
    pub(super) keeps: Option<Keeps>,
    /// Where it reads to by itself.
    pub(super) eats: Option<Eats>,
    /// Whether it looks for another rule.
    pub(super) rejects: bool,
    /// Whether it calls a function that is in none of the files.
    pub(super) calls: bool,
    /// Whether such a function says what it returns.
    pub(super) looks_up: bool,
}

/// A change of the start state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// To the state of that name.
    To(String),
    /// To the state of that name until it is popped.
    Push(String),
    /// To the one before.
    Back,
}

/// What of a match stays one, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keeps {
    /// That many.
    First(usize),
    /// All but that many.
    AllBut(usize),
}

/// Where a function that reads characters ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Eats {
    /// Behind the end of a comment of C.
    Comment,
    /// Behind this byte; with whether a backslash takes the one behind it along.
    To(u8, bool),
    /// Where cannot be told.
    Unknown,
}

/// The code around the rules: its functions and its macros.
#[derive(Default)]
pub(super) struct Code<'a> {
    /// The bodies of functions.
    functions: HashMap<&'a str, Vec<Lexeme<'a>>>,
    /// What macros stand for.
    macros: HashMap<&'a str, Vec<Lexeme<'a>>>,
    /// The texts that stand beside the name of a token in a table.
    tables: Vec<(Vec<u8>, &'a str)>,
}

/// Names in front of brackets that are no functions.
const KEYWORDS: &[&str] = &["if", "while", "for", "switch", "return", "sizeof", "defined"];

impl<'a> Code<'a> {
    /// Adds a part of a file.
    pub(super) fn read(&mut self, text: &'a str, range: Range<usize>) {
        let mut at = range.start;
        for line in text[range.clone()].split_inclusive('\n') {
            let start = at;
            at += line.len();
            let Some(rest) = line.trim_start().strip_prefix('#') else { continue };
            let Some(rest) = rest.trim_start().strip_prefix("define") else { continue };
            let mut end = at;
            while text[..end].trim_end_matches(['\n', '\r']).ends_with('\\') && end < range.end {
                end = (code::line_end(text, end) + 1).min(range.end);
            }
            let body = start + line.len() - rest.len();
            if let [name, rest @ ..] = &code::lexemes(text, body..end)[..] {
                self.macros.insert(name.text, rest.iter().copied().filter(|one| !one.is("\\")).collect());
            }
        }
        let lexemes = code::lexemes(text, range);
        self.functions(&lexemes);
        self.tables(&lexemes);
    }

    /// Functions: a name, brackets, and braces behind these.
    fn functions(&mut self, lexemes: &[Lexeme<'a>]) {
        let mut at = 0;
        while at + 1 < lexemes.len() {
            let name = lexemes[at];
            at += 1;
            if name.kind != Kind::Word || !lexemes[at].is("(") || KEYWORDS.contains(&name.text) {
                continue;
            }
            let Some(mut brace) = closing(lexemes, at) else { continue };
            // Declarations of parameters, as they were once written.
            let old = lexemes[brace + 1..]
                .iter()
                .take(40)
                .position(|one| one.is("{") || one.is("=") || one.is("("));
            brace += 1 + old.unwrap_or(0);
            let between = lexemes.get(brace.saturating_sub(1));
            let is_body = lexemes.get(brace).is_some_and(|one| one.is("{"))
                && between.is_some_and(|one| one.is(")") || one.is(";") || one.kind == Kind::Word);
            if let Some(end) = closing(lexemes, brace).filter(|_| is_body) {
                self.functions.entry(name.text).or_insert_with(|| lexemes[brace + 1..end].to_vec());
                at = end;
            }
        }
    }

    /// Tables: `{ "text", TOKEN, ... }` or `{ TOKEN, "text" }`.
    fn tables(&mut self, lexemes: &[Lexeme<'a>]) {
        for at in 0..lexemes.len().saturating_sub(2) {
            if !lexemes[at].is("{") {
                continue;
            }
            let entry: Vec<Lexeme<'a>> = lexemes[at + 1..]
                .iter()
                .take(8)
                .take_while(|one| !one.is("}") && !one.is("{"))
                .copied()
                .collect();
            let Some(text) = entry.iter().find(|one| one.kind == Kind::Text) else { continue };
            let text = text.unquoted();
            self.tables.extend(
                entry.iter().filter(|one| one.kind == Kind::Word).map(|word| (text.clone(), word.text)),
            );
        }
    }

    /// The texts of tables with the names beside them.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&[u8], &'a str)> {
        self.tables.iter().map(|(text, name)| (text.as_slice(), *name))
    }

    /// What an action does.
    pub(super) fn effect(
        &self,
        action: &str,
        tokens: &dyn Tokens,
        is_state: &dyn Fn(&str) -> bool,
    ) -> Effect {
        let own = code::lexemes(action, 0..action.len());
        let mut effect = Effect::default();
        let mut reader = Reader { code: self, tokens, effect: &mut effect, inside: HashSet::new() };
        reader.returns(&own);
        reader.states(&own, is_state, &[], &mut HashSet::new());
        reader.input(&own);
        effect
    }
}

/// Where the bracket or brace at `at` is closed.
fn closing(lexemes: &[Lexeme<'_>], at: usize) -> Option<usize> {
    let (open, close) = match lexemes.get(at)?.text {
        "(" => ("(", ")"),
        "{" => ("{", "}"),
        _ => return None,
    };
    let mut depth = 0_usize;
    for (index, one) in lexemes.iter().enumerate().skip(at) {
        if one.is(open) {
            depth += 1;
        } else if one.is(close) {
            depth -= 1;
            if depth == 0 {
                return Some(index);
            }
        }
    }
    None
}

/// Functions and macros of lex that return nothing.
const OF_LEX: &[&str] = &[
    "BEGIN",
    "ECHO",
    "REJECT",
    "yymore",
    "yyless",
    "unput",
    "input",
    "yyinput",
    "yy_push_state",
    "yy_pop_state",
    "yy_top_state",
    "yyterminate",
    "LexerInput",
];

struct Reader<'r, 'a> {
    code: &'r Code<'a>,
    tokens: &'r dyn Tokens,
    effect: &'r mut Effect,
    /// The functions and macros that are being looked into.
    inside: HashSet<&'a str>,
}

impl<'r, 'a> Reader<'r, 'a> {
    /// What an action returns.
    fn returns(&mut self, action: &[Lexeme<'_>]) {
        if self.statements(action) {
            return;
        }
        // No return that can be seen: macros may have it, known or not.
        let mut found = false;
        for (index, word) in action.iter().enumerate().filter(|(_, one)| one.kind == Kind::Word) {
            if OF_LEX.contains(&word.text) {
                continue;
            }
            if let Some((&name, body)) = self.code.macros.get_key_value(word.text)
                && body.iter().any(|one| one.is("return"))
            {
                if self.inside.insert(name) {
                    if let Some(end) = closing(action, index + 1).filter(|_| action[index + 1].is("(")) {
                        self.expression(&action[index + 2..end]);
                    }
                    self.inside.remove(name);
                    if !self.has_result() {
                        self.statements(body);
                    }
                }
                found = true;
            }
        }
        if found {
            return;
        }
        for (index, word) in action.iter().enumerate() {
            let of_lex = action[..index].iter().rev().find(|one| one.kind == Kind::Word);
            if word.kind == Kind::Word && of_lex.is_none_or(|before| !OF_LEX.contains(&before.text)) {
                self.effect.tokens.extend(self.tokens.named(word.text));
            }
        }
    }

    /// Adds what the `return` statements return, if there are any.
    fn statements(&mut self, code: &[Lexeme<'_>]) -> bool {
        let mut found = false;
        let mut wants = false;
        let mut at = 0;
        while at < code.len() {
            if !code[at].is("return") {
                at += 1;
                continue;
            }
            found = true;
            let length = code[at + 1..].iter().position(|one| one.is(";")).unwrap_or(code.len() - at - 1);
            let expression = &code[at + 1..at + 1 + length];
            let is_known = self.expression(expression) || ends(expression);
            wants |= !is_known && !self.variable(code, expression);
            at += 1 + length;
        }
        if wants {
            let is_known = self.expression(code) || self.has_result();
            self.effect.unknown |= !is_known;
            self.effect.looks_up |= code.windows(2).any(|two| self.is_unknown_call(two));
        }
        found
    }

    /// Adds what is put into a variable that is returned. Whether there is something, and all of it is known.
    fn variable(&mut self, code: &[Lexeme<'_>], expression: &[Lexeme<'_>]) -> bool {
        let mut words = expression.iter().filter(|one| one.kind == Kind::Word);
        let (Some(variable), None) = (words.next(), words.next()) else { return false };
        let (mut some, mut all) = (false, true);
        for at in 0..code.len().saturating_sub(2) {
            if code[at].is(variable.text) && code[at + 1].is("=") && !code[at + 2].is("=") {
                let length = code[at + 2..].iter().position(|one| one.is(";")).unwrap_or(code.len() - at - 2);
                some = true;
                all &= self.expression(&code[at + 2..at + 2 + length]);
            }
        }
        some && all
    }

    /// Whether a name and a bracket are a call of a function that is in none of the files.
    fn is_unknown_call(&self, two: &[Lexeme<'_>]) -> bool {
        two[0].kind == Kind::Word
            && two[1].is("(")
            && !OF_LEX.contains(&two[0].text)
            && !KEYWORDS.contains(&two[0].text)
            && self.body(two[0].text).is_none()
    }

    fn has_result(&self) -> bool {
        !self.effect.tokens.is_empty() || self.effect.first_character
    }

    /// Adds the tokens that an expression may be. Whether there is one.
    fn expression(&mut self, code: &[Lexeme<'_>]) -> bool {
        let mut found = false;
        for (index, one) in code.iter().enumerate() {
            let behind = |offset: usize| code.get(index + offset);
            let before = index.checked_sub(1).and_then(|index| code.get(index));
            match one.kind {
                Kind::Word if one.text == "yytext" => {
                    let is_first = before.is_some_and(|one| one.is("*"))
                        || behind(1).is_some_and(|one| one.is("["))
                            && behind(2).is_some_and(|one| one.is("0"));
                    let length = if behind(1).is_some_and(|one| one.is("[")) { 4 } else { 1 };
                    let is_returned = is_first && !is_comparison(code, index + length);
                    found |= is_returned;
                    self.effect.first_character |= is_returned;
                }
                // What is compared with something is not returned.
                Kind::Word if is_compared(code, index) => {}
                Kind::Word => {
                    if let Some(token) = self.tokens.named(one.text) {
                        found |= self.effect.tokens.insert(token) || self.effect.tokens.contains(&token);
                    } else if let Some((name, body)) = self.body(one.text)
                        && self.inside.insert(name)
                    {
                        found |= match self.code.functions.contains_key(name) {
                            true => self.statements(body) && self.has_result(),
                            false => self.expression(body),
                        };
                    }
                }
                Kind::Character | Kind::Text => {
                    let token = self.tokens.literal(&one.unquoted());
                    if let Some(token) = token.filter(|_| !is_compared(code, index)) {
                        self.effect.tokens.insert(token);
                        found = true;
                    }
                }
                Kind::Sign => {}
            }
        }
        found
    }

    /// The body of a function or a macro.
    fn body(&self, name: &str) -> Option<(&'a str, &'r [Lexeme<'a>])> {
        let Code { functions, macros, .. } = self.code;
        let known = functions.get_key_value(name).or_else(|| macros.get_key_value(name));
        known.map(|(name, body)| (*name, body.as_slice()))
    }

    /// What happens to the start state and to the match, in an action and in what it calls with `arguments`.
    fn states(
        &mut self,
        code: &[Lexeme<'_>],
        is_state: &dyn Fn(&str) -> bool,
        arguments: &[Lexeme<'_>],
        seen: &mut HashSet<String>,
    ) {
        for (index, word) in code.iter().enumerate().filter(|(_, one)| one.kind == Kind::Word) {
            let inner: &[Lexeme<'_>] = match code.get(index + 1) {
                Some(one) if one.is("(") => match closing(code, index + 1) {
                    Some(end) => &code[index + 2..end],
                    None => &[],
                },
                Some(_) => &code[index + 1..index + 2],
                None => &[],
            };
            match word.text {
                "BEGIN" | "yy_push_state" => {
                    // A variable may be any of the states that are named around it.
                    let is_variable = !inner.iter().any(|one| one.text == "0" || is_state(one.text));
                    let around = if is_variable { code } else { &[] };
                    let mut words = inner.iter().chain(arguments).chain(around).map(|one| one.text);
                    let state = words.find(|name| *name == "0" && !is_variable || is_state(name));
                    let change = match state {
                        Some(name) if word.text == "BEGIN" => Change::To(name.to_owned()),
                        Some(name) => Change::Push(name.to_owned()),
                        None if word.text == "yy_push_state" => continue,
                        None => Change::Back,
                    };
                    // What is done in one case only is an exception.
                    let mut behind = code[index..].iter().skip_while(|one| !one.is(";")).skip(1);
                    if behind.next().is_none_or(|one| !one.is("break")) {
                        self.effect.then.get_or_insert(change);
                    }
                }
                "yy_pop_state" => _ = self.effect.then.get_or_insert(Change::Back),
                "yymore" => self.effect.more = true,
                "REJECT" => self.effect.rejects = true,
                // Under a condition, it is an exception.
                "yyless" if arguments.is_empty() && !code[..index].iter().any(|one| one.is("if")) => {
                    let number =
                        |one: Option<&Lexeme<'_>>| one.and_then(|one| one.text.parse::<usize>().ok());
                    let keeps = match inner {
                        [one] => number(Some(one)).map(Keeps::First),
                        [length, minus, one] if length.is("yyleng") && minus.is("-") => {
                            number(Some(one)).map(Keeps::AllBut)
                        }
                        _ => None,
                    };
                    self.effect.keeps = self.effect.keeps.or(keeps);
                }
                "unput" if arguments.is_empty() => {
                    let is_last = inner.iter().any(|one| one.is("yyleng"))
                        || matches!(inner, [one] if one.kind == Kind::Character);
                    if is_last && !code.iter().any(|one| one.is("input") || one.is("yyinput")) {
                        self.effect.keeps.get_or_insert(Keeps::AllBut(1));
                    }
                }
                name => {
                    if let Some((_, body)) = self.body(name)
                        && seen.insert(name.to_owned())
                    {
                        // Something to look for a state in, even where nothing is handed over.
                        let arguments = if inner.is_empty() { &code[index..=index] } else { inner };
                        self.states(body, is_state, arguments, seen);
                    }
                }
            }
        }
    }

    /// Whether and how far an action reads characters by itself, or a function that it calls.
    fn input(&mut self, action: &[Lexeme<'_>]) {
        let reads = |code: &[Lexeme<'_>]| {
            code.windows(2).any(|two| {
                ["input", "yyinput", "getc", "getchar", "getch", "nextchar"].contains(&two[0].text)
                    && two[1].is("(")
            })
        };
        let mut bodies: Vec<Vec<Lexeme<'_>>> = vec![action.to_vec()];
        for two in action.windows(2) {
            self.effect.calls |= self.is_unknown_call(two);
            if let Some((_, body)) = self.body(two[0].text).filter(|_| two[1].is("(")) {
                bodies.push(body.to_vec());
            }
        }
        let Some(body) = bodies.iter().find(|body| reads(body)) else { return };
        let mut characters: BTreeSet<u8> = BTreeSet::new();
        for one in body.iter().filter(|one| one.kind == Kind::Character) {
            if let [byte] = one.unquoted()[..] {
                characters.insert(byte);
            }
        }
        let escapes = characters.remove(&b'\\');
        characters.remove(&0);
        let others: Vec<u8> = characters.iter().copied().filter(|&byte| byte != b'\n').collect();
        self.effect.eats = Some(match others[..] {
            _ if characters.contains(&b'*') && characters.contains(&b'/') => Eats::Comment,
            [] if characters.contains(&b'\n') => Eats::To(b'\n', escapes),
            [one] => Eats::To(one, escapes),
            _ => Eats::Unknown,
        });
    }
}

/// Whether something is compared with what stands at `at`.
fn is_comparison(code: &[Lexeme<'_>], at: usize) -> bool {
    let is = |offset: usize, sign: &str| code.get(at + offset).is_some_and(|one| one.is(sign));
    (is(0, "=") || is(0, "!")) && is(1, "=")
}

/// Whether the lexeme at `at` is compared with what stands beside it.
fn is_compared(code: &[Lexeme<'_>], at: usize) -> bool {
    is_comparison(code, at + 1)
        || at >= 2 && is_comparison(code, at - 2)
        || at >= 1 && code[at - 1].is("case") && code[at].kind == Kind::Character
}

/// Whether an expression is no token, but the end of the text or nothing.
fn ends(expression: &[Lexeme<'_>]) -> bool {
    expression.iter().all(|one| {
        one.is("(")
            || one.is(")")
            || one.is("0")
            || one.is("-")
            || one.is("1")
            || one.is("EOF")
            || one.is("YY_NULL")
    })
}
