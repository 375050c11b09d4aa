//! What is written in a file for yacc, bison or byacc: tokens, rules, and which of the rest is code.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use crate::code::{self, Kind};
use crate::ebnf::{Lines, Position};
use crate::error::Complaint;

/// A symbol as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Name {
    /// A name.
    Word(String),
    /// The text in quotes, with whether these are single ones.
    Quoted(Vec<u8>, bool),
}

/// A file.
#[derive(Debug, Default)]
pub(super) struct File {
    pub(super) tokens: Vec<Token>,
    /// How tightly each symbol binds that has a precedence; the higher, the tighter.
    pub(super) levels: HashMap<Name, u32>,
    pub(super) rules: Vec<Rule>,
    pub(super) start: Option<(String, Position)>,
    /// What the C names of tokens begin with.
    pub(super) prefix: String,
    /// The parts that are code but no action.
    pub(super) code: Vec<Range<usize>>,
}

/// A declared token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) name: Name,
    /// The text that stands for it in rules.
    pub(super) alias: Option<Vec<u8>>,
    /// Whether it is the end of the text.
    pub(super) is_end: bool,
}

/// One rule; there may be more of the same name.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) name: String,
    pub(super) at: Position,
    pub(super) alternatives: Vec<Alternative>,
}

/// One way to write a rule, without its actions.
#[derive(Debug, Default)]
pub(super) struct Alternative {
    pub(super) symbols: Vec<(Name, Position)>,
    /// The symbol whose precedence it has.
    pub(super) precedence: Option<Name>,
}

/// Declarations that say nothing about what a text may be, with any arguments.
const SKIPPED: &[&str] = &[
    "union",
    "code",
    "type",
    "nterm",
    "define",
    "param",
    "parse-param",
    "lex-param",
    "initial-action",
    "destructor",
    "printer",
    "expect",
    "expect-rr",
    "expect_rr",
    "skeleton",
    "language",
    "output",
    "require",
    "name-prefix",
    "name_prefix",
    "file-prefix",
    "file_prefix",
    "pure-parser",
    "pure_parser",
    "glr-parser",
    "glr_parser",
    "nondeterministic-parser",
    "locations",
    "debug",
    "defines",
    "header",
    "error-verbose",
    "error_verbose",
    "no-lines",
    "no_lines",
    "token-table",
    "token_table",
    "yacc",
    "fixed-output-files",
    "fixed_output_files",
    "fixed-output_files",
    "verbose",
    "default-prec",
    "default_prec",
    "no-default-prec",
    "no_default_prec",
    "ident",
    "semantic-parser",
    "semantic_parser",
    "raw",
    "strict",
    "no-parser",
    "no_parser",
    "include",
    "thong",
    "empty-action",
    // Those of grmtools.
    "grmtools",
    "expect-unused",
    "avoid_insert",
    "epp",
    "actiontype",
    "parse-generics",
    "implicit_tokens",
];

/// Reads a file.
pub(super) fn parse(path: &Path, text: &str) -> Result<File, Complaint> {
    let mut reader =
        Reader { text, at: 0, lines: Lines::of(path, text), level: 0, rule: None, file: File::default() };
    reader.declarations()?;
    reader.rules()?;
    Ok(reader.file)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    lines: Lines<'a>,
    /// The precedence of the last declaration of one.
    level: u32,
    /// The rule that is being read.
    rule: Option<String>,
    file: File,
}

/// A lexeme of a grammar file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    Symbol(Name),
    /// The name behind a `%`.
    Directive(String),
    /// `%%`.
    Section,
    /// `{ ... }`, with what stands before it.
    Braces,
    /// `%{ ... %}`.
    Prologue(Range<usize>),
    /// `<tag>`.
    Tag,
    /// `[ ... ]`.
    Brackets,
    Sign(u8),
    End,
}

impl Reader<'_> {
    fn complaint(&self, at: usize, what: impl Into<String>) -> Complaint {
        Complaint::new(self.lines.position(at), self.rule.as_deref(), what)
    }

    /// The next item and where it starts, without taking it.
    fn peek(&self) -> Result<(Item, usize, usize), Complaint> {
        let start = code::skip_gap(self.text, self.at);
        let rest = &self.text.as_bytes()[start..];
        let Some(&first) = rest.first() else { return Ok((Item::End, start, start)) };
        let word = |from: usize| {
            let bytes = &self.text.as_bytes()[from..];
            let is_word = |byte: &&u8| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'$' | 0x80..)
            };
            from + bytes.iter().take_while(is_word).count()
        };
        let unended = |what: &str| self.complaint(start, format!("{what} that begins here has no end"));
        let (item, end) = match first {
            b'%' | b'\\' => match rest.get(1) {
                Some(b'%' | b'\\') => (Item::Section, start + 2),
                Some(b'{') => {
                    let end = self.prologue_end(start + 2).ok_or_else(|| unended("the code"))?;
                    (Item::Prologue(start + 2..end), end + 2)
                }
                Some(b'?') => match code::braces_end(self.text, code::skip_gap(self.text, start + 2)) {
                    Some(end) => (Item::Braces, end),
                    None => return Err(unended("the predicate")),
                },
                // The short names of the first yacc.
                Some(b'<') => (Item::Directive("left".to_owned()), start + 2),
                Some(b'>') => (Item::Directive("right".to_owned()), start + 2),
                Some(b'2') => (Item::Directive("binary".to_owned()), start + 2),
                Some(b'0') => (Item::Directive("token".to_owned()), start + 2),
                Some(b'=') => (Item::Directive("prec".to_owned()), start + 2),
                _ => {
                    let end = word(start + 1);
                    (Item::Directive(self.text[start + 1..end].to_owned()), end)
                }
            },
            b'{' => (Item::Braces, code::braces_end(self.text, start).ok_or_else(|| unended("the action"))?),
            b'<' => match code::find(self.text, start, ">") {
                Some(end) if end < code::line_end(self.text, start) => {
                    // Types of C++ have tags inside.
                    let inner = self.text[start..end].matches('<').count();
                    let closing = self.text[start..].match_indices('>').nth(inner.saturating_sub(1));
                    (Item::Tag, closing.map_or(end, |(found, _)| start + found) + 1)
                }
                _ => return Err(unended("the tag")),
            },
            b'[' => {
                let end = code::find(self.text, start, "]").ok_or_else(|| unended("the name in brackets"))?;
                (Item::Brackets, end + 1)
            }
            b'"' | b'\'' => {
                let end = code::quoted_end(self.text, start);
                if end < start + 2 || self.text.as_bytes()[end - 1] != first {
                    return Err(unended("the literal"));
                }
                let name = Name::Quoted(code::unquoted(&self.text[start..end]), first == b'\'');
                (Item::Symbol(name), end)
            }
            _ if word(start) > start => {
                (Item::Symbol(Name::Word(self.text[start..word(start)].to_owned())), word(start))
            }
            sign => (Item::Sign(sign), start + 1),
        };
        Ok((item, start, end))
    }

    fn next(&mut self) -> Result<(Item, usize), Complaint> {
        let (item, start, end) = self.peek()?;
        self.at = end;
        Ok((item, start))
    }

    /// The `%}` behind `at`, outside of comments and quotes if it can be found so.
    fn prologue_end(&self, at: usize) -> Option<usize> {
        let mut from = at;
        while let Some(lexeme) = code::next(self.text, from) {
            if lexeme.is("%") && self.text[lexeme.end()..].starts_with('}') {
                return Some(lexeme.start);
            }
            from = lexeme.end();
        }
        code::find(self.text, at, "%}")
    }

    /// All up to the first `%%`.
    fn declarations(&mut self) -> Result<(), Complaint> {
        loop {
            match self.next()? {
                (Item::Section, _) => return Ok(()),
                (Item::Prologue(code), _) => self.file.code.push(code),
                (Item::Directive(name), at) => self.directive(&name, at)?,
                (Item::Sign(b';'), _) => {}
                (Item::End, at) => {
                    return Err(
                        self.complaint(at, "there are no rules: a line of %% stands in front of them")
                    );
                }
                (_, at) => {
                    let what = format!(
                        "{} is no declaration; in front of %% stand declarations such as %token, and code in %{{ %}}",
                        self.shown(at)
                    );
                    return Err(self.complaint(at, what));
                }
            }
        }
    }

    /// What stands at `at`, for a message.
    fn shown(&self, at: usize) -> String {
        const SHOWN: usize = 20;
        let rest = &self.text[at..];
        let word: String = rest.chars().take_while(|char| !char.is_whitespace()).take(SHOWN).collect();
        if word.is_empty() { "the end of the file".to_owned() } else { word }
    }

    fn directive(&mut self, name: &str, at: usize) -> Result<(), Complaint> {
        match name {
            "token" | "term" => self.tokens(None),
            "left" | "right" | "nonassoc" | "binary" | "precedence" => {
                self.level += 1;
                self.tokens(Some(self.level))
            }
            "start" => match self.next()? {
                (Item::Symbol(Name::Word(start)), at) => {
                    self.file.start.get_or_insert((start, self.lines.position(at)));
                    self.skip_arguments(|_, _| ())
                }
                (_, at) => Err(self.complaint(at, "behind %start stands the name of a rule")),
            },
            "define" => {
                let mut words = Vec::new();
                self.skip_arguments(|item, text| match item {
                    Item::Symbol(Name::Word(word)) => words.push(word.clone()),
                    Item::Symbol(Name::Quoted(bytes, _)) => {
                        words.push(String::from_utf8_lossy(bytes).into_owned());
                    }
                    Item::Braces => words.push(text.trim_matches(['{', '}', ' ']).to_owned()),
                    _ => {}
                })?;
                if let [variable, prefix] = &words[..]
                    && variable == "api.token.prefix"
                {
                    self.file.prefix.clone_from(prefix);
                }
                Ok(())
            }
            "top" => self.skip_arguments(|_, _| ()),
            _ if SKIPPED.contains(&name) => self.skip_arguments(|_, _| ()),
            _ => {
                let what = format!(
                    "there is no directive %{name} in yacc, bison or byacc; if it says nothing about what a text may \
                     be, delete it with its arguments"
                );
                Err(self.complaint(at, what))
            }
        }
    }

    /// Takes all up to the next directive, and tells `each` what it is.
    fn skip_arguments(&mut self, mut each: impl FnMut(&Item, &str)) -> Result<(), Complaint> {
        loop {
            let (item, start, end) = self.peek()?;
            match &item {
                Item::Directive(_) | Item::Section | Item::Prologue(_) | Item::End => return Ok(()),
                Item::Sign(b';') => {
                    self.at = end;
                    return Ok(());
                }
                Item::Braces => self.file.code.push(start..end),
                _ => {}
            }
            each(&item, &self.text[start..end]);
            self.at = end;
        }
    }

    /// Declared tokens, with tags, numbers and aliases, and the precedence of all of them.
    fn tokens(&mut self, level: Option<u32>) -> Result<(), Complaint> {
        let mut own: Vec<Token> = Vec::new();
        loop {
            let (item, start, end) = self.peek()?;
            match item {
                Item::Directive(_) | Item::Section | Item::Prologue(_) | Item::End => break,
                Item::Sign(b';') => {
                    self.at = end;
                    break;
                }
                Item::Tag | Item::Sign(b',') => {}
                Item::Symbol(Name::Word(word)) if word.starts_with(|first: char| first.is_ascii_digit()) => {
                    let Some(last) = own.last_mut() else {
                        return Err(self.complaint(start, "a number stands behind the name of a token"));
                    };
                    last.is_end = word.trim_start_matches(['0', 'x', 'X']).is_empty();
                }
                // `_("alias")` is one to be translated.
                Item::Symbol(Name::Word(word)) if word == "_" => {}
                Item::Sign(b'(' | b')') => {}
                Item::Symbol(Name::Quoted(text, false))
                    if own
                        .last()
                        .is_some_and(|last| matches!(last.name, Name::Word(_)) && last.alias.is_none()) =>
                {
                    own.last_mut().expect("there is one").alias = Some(text);
                }
                Item::Symbol(name) => own.push(Token { name, alias: None, is_end: false }),
                _ => {
                    let what = format!(
                        "{} is no token; here stand names, tags, numbers and texts",
                        self.shown(start)
                    );
                    return Err(self.complaint(start, what));
                }
            }
            self.at = end;
        }
        if let Some(level) = level {
            self.file.levels.extend(own.iter().map(|token| (token.name.clone(), level)));
        }
        self.file.tokens.extend(own);
        Ok(())
    }

    /// The rules, and what stands behind the second `%%`.
    fn rules(&mut self) -> Result<(), Complaint> {
        loop {
            match self.next()? {
                (Item::Section, _) => {
                    self.file.code.push(self.at..self.text.len());
                    break;
                }
                (Item::End, _) => break,
                (Item::Sign(b';'), _) => {}
                (Item::Prologue(code), _) => self.file.code.push(code),
                (Item::Directive(name), at) => self.directive(&name, at)?,
                (Item::Symbol(Name::Word(name)), at) => {
                    self.rule = Some(name.clone());
                    if self.peek()?.0 == Item::Brackets {
                        self.next()?;
                    }
                    let (colon, behind) = self.next()?;
                    if colon != Item::Sign(b':') {
                        let what =
                            format!("a `:` stands behind the name of a rule, here is {}", self.shown(behind));
                        return Err(self.complaint(behind, what));
                    }
                    let alternatives = self.alternatives()?;
                    self.file.rules.push(Rule { name, at: self.lines.position(at), alternatives });
                }
                (_, at) => {
                    let what = format!("a rule begins with its name and a `:`, here is {}", self.shown(at));
                    return Err(self.complaint(at, what));
                }
            }
        }
        if self.file.rules.is_empty() {
            return Err(self.complaint(self.at, "there are no rules behind %%"));
        }
        Ok(())
    }

    /// The alternatives of a rule, up to its `;` or to where the next rule begins.
    fn alternatives(&mut self) -> Result<Vec<Alternative>, Complaint> {
        let mut all = vec![Alternative::default()];
        loop {
            let (item, start, end) = self.peek()?;
            match item {
                Item::Section | Item::End => break,
                Item::Symbol(Name::Word(_)) if self.begins_rule(end)? => break,
                _ => self.at = end,
            }
            let last = all.last_mut().expect("there is one");
            match item {
                Item::Sign(b';') => break,
                Item::Sign(b'|') => all.push(Alternative::default()),
                Item::Symbol(name) => last.symbols.push((name, self.lines.position(start))),
                // Actions derive nothing, named references say nothing.
                Item::Braces | Item::Tag | Item::Brackets => {}
                Item::Sign(b'=') => self.old_action()?,
                Item::Directive(name) => match name.as_str() {
                    "prec" => match self.next()? {
                        (Item::Symbol(name), _) => last.precedence = Some(name),
                        (_, at) => return Err(self.complaint(at, "behind %prec stands a token")),
                    },
                    "empty" => {}
                    "dprec" | "merge" | "expect" | "expect-rr" => _ = self.next()?,
                    _ => {
                        let what = format!("there is no directive %{name} inside of a rule; delete it");
                        return Err(self.complaint(start, what));
                    }
                },
                _ => {
                    let what = format!(
                        "{} is nothing that a rule may have; here stand symbols, actions, `|` and `;`",
                        self.shown(start)
                    );
                    return Err(self.complaint(start, what));
                }
            }
        }
        Ok(all)
    }

    /// Whether a name is that of the next rule, by what stands behind it.
    fn begins_rule(&mut self, end: usize) -> Result<bool, Complaint> {
        let here = std::mem::replace(&mut self.at, end);
        let mut behind = self.peek();
        if let Ok((Item::Brackets, _, end)) = behind {
            self.at = end;
            behind = self.peek();
        }
        self.at = here;
        Ok(matches!(behind?.0, Item::Sign(b':')))
    }

    /// What stands behind `=`: an action in braces, or one statement.
    fn old_action(&mut self) -> Result<(), Complaint> {
        if self.peek()?.0 == Item::Braces {
            return self.next().map(|_| ());
        }
        while let Some(lexeme) = code::next(self.text, self.at) {
            self.at = lexeme.end();
            if lexeme.kind == Kind::Sign && lexeme.is(";") {
                break;
            }
        }
        Ok(())
    }
}
