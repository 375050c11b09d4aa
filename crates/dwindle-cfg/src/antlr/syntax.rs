//! What is written in a `.g4` file. The only place that knows the crate which parses them.

use std::path::{Path, PathBuf};

use antlr_rust_g4_parser::generated::antlr_v4_parser as g4;
use antlr_rust_g4_parser::{FrontendError, SourceFile, SourceId, SyntaxId, SyntaxNodeKind, parse_source};

use crate::ebnf::Position;
use crate::error::Complaint;

/// A file.
#[derive(Debug, Default)]
pub(super) struct File {
    pub(super) path: PathBuf,
    pub(super) text: String,
    pub(super) kind: Kind,
    /// The grammar that has the tokens.
    pub(super) vocabulary: Option<String>,
    pub(super) imports: Vec<String>,
    pub(super) case_insensitive: bool,
    /// Tokens that need no rule.
    pub(super) tokens: Vec<String>,
    pub(super) rules: Vec<ParserRule>,
    pub(super) lexer: Vec<LexerRule>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    Combined,
    Lexer,
    Parser,
}

#[derive(Clone, Debug)]
pub(super) struct ParserRule {
    pub(super) name: String,
    pub(super) at: Position,
    pub(super) alternatives: Vec<Element>,
}

#[derive(Clone, Debug)]
pub(super) struct LexerRule {
    pub(super) name: String,
    pub(super) at: Position,
    pub(super) mode: String,
    pub(super) is_fragment: bool,
    pub(super) case_insensitive: bool,
    /// Each with the commands behind it.
    pub(super) alternatives: Vec<(Element, Vec<Command>)>,
}

/// A command by its name, with its argument.
pub(super) type Command = (String, Option<String>);

/// What rules are made of, in parsers and lexers alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Element {
    /// A rule or a token by name.
    Reference(String, Position),
    /// Text, in quotes.
    Literal(String, Position),
    /// From one quoted character to another.
    Range(String, String),
    /// Characters in brackets.
    Set(String),
    /// Any token or character.
    Any,
    /// None of these tokens or characters.
    Not(Vec<Element>),
    /// One behind the other.
    Seq(Vec<Element>),
    /// One of them.
    Choice(Vec<Element>),
    /// It, so many times.
    Repeat {
        /// What.
        element: Box<Element>,
        /// Whether it can be missing.
        optional: bool,
        /// Whether there can be more than one.
        several: bool,
        /// Whether as few as possible are taken.
        lazy: bool,
    },
    /// A condition in the language of the parser.
    Predicate(Position),
}

/// Reads the text of a file.
pub(super) fn parse(path: &Path, text: String) -> Result<File, Complaint> {
    let source = parse_source(SourceId::new(0), path, text.as_str());
    let source = source.map_err(|error| malformed(path, &text, &error))?;
    let reader = Reader { source: &source, path };
    let mut file = File { path: path.to_owned(), ..File::default() };
    let root = source.cst().root_id();
    for kind in reader.all(root, g4::RULE_GRAMMAR_TYPE) {
        file.kind = match reader.terminal(kind, &[g4::LEXER, g4::PARSER]) {
            Some(token) if reader.kind(token) == Some(g4::LEXER) => Kind::Lexer,
            Some(_) => Kind::Parser,
            None => Kind::Combined,
        };
    }
    for prequel in reader.children(root, g4::RULE_PREQUEL_CONSTRUCT) {
        for (name, value) in reader.options(prequel) {
            match name.as_str() {
                "tokenVocab" => file.vocabulary = Some(value),
                "caseInsensitive" => file.case_insensitive = value == "true",
                _ => {}
            }
        }
        for import in reader.all(prequel, g4::RULE_DELEGATE_GRAMMAR) {
            // `import a = B` names B.
            file.imports
                .extend(reader.all(import, g4::RULE_IDENTIFIER).last().map(|&name| reader.text(name)));
        }
        for tokens in reader.all(prequel, g4::RULE_TOKENS_SPEC) {
            file.tokens.extend(reader.all(tokens, g4::RULE_IDENTIFIER).iter().map(|&name| reader.text(name)));
        }
    }
    for rule in reader.all(root, g4::RULE_PARSER_RULE_SPEC) {
        file.rules.extend(reader.parser_rule(rule));
    }
    for rules in reader.children(root, g4::RULE_RULES) {
        for rule in reader.all(rules, g4::RULE_LEXER_RULE_SPEC) {
            file.lexer.extend(reader.lexer_rule(rule, DEFAULT_MODE, file.case_insensitive));
        }
    }
    for mode in reader.children(root, g4::RULE_MODE_SPEC) {
        let name = reader.children(mode, g4::RULE_IDENTIFIER).first().map(|&name| reader.text(name));
        for rule in reader.all(mode, g4::RULE_LEXER_RULE_SPEC) {
            let name = name.as_deref().unwrap_or(DEFAULT_MODE);
            file.lexer.extend(reader.lexer_rule(rule, name, file.case_insensitive));
        }
    }
    file.text = text;
    Ok(file)
}

pub(super) const DEFAULT_MODE: &str = "DEFAULT_MODE";

fn malformed(path: &Path, text: &str, error: &FrontendError) -> Complaint {
    match error.diagnostics().first() {
        Some(first) => {
            let at = first.span.bytes.start as usize;
            Complaint::new(Position::of(path, text, at), enclosing(text, at), first.message.clone())
        }
        None => Complaint::new(Position::of(path, text, 0), None, error.to_string()),
    }
}

/// The name in front of the last `:` before an error that stands at the beginning of a rule.
pub(super) fn enclosing(text: &str, at: usize) -> Option<&str> {
    let before = text.get(..at)?;
    let rule = before.rsplit(";\n").next()?;
    let name = rule.split(':').next()?.split_whitespace().last()?;
    let is_name =
        name.starts_with(char::is_alphabetic) && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_name && rule.contains(':')).then_some(name)
}

struct Reader<'a> {
    source: &'a SourceFile,
    path: &'a Path,
}

impl Reader<'_> {
    fn kids(&self, node: SyntaxId) -> Vec<SyntaxId> {
        self.source.cst().children(node).collect()
    }

    fn rule(&self, node: SyntaxId) -> Option<usize> {
        match self.source.cst().node(node)?.kind {
            SyntaxNodeKind::Rule { rule_index } => Some(rule_index),
            SyntaxNodeKind::Terminal { .. } | SyntaxNodeKind::Error { .. } => None,
        }
    }

    /// The kind of a token.
    fn kind(&self, node: SyntaxId) -> Option<i32> {
        match self.source.cst().node(node)?.kind {
            SyntaxNodeKind::Rule { .. } => None,
            SyntaxNodeKind::Terminal { token_index } | SyntaxNodeKind::Error { token_index } => {
                Some(self.source.tokens()[token_index].token_type)
            }
        }
    }

    fn children(&self, node: SyntaxId, rule: usize) -> Vec<SyntaxId> {
        self.kids(node).into_iter().filter(|&child| self.rule(child) == Some(rule)).collect()
    }

    /// All nodes of a rule below a node, in order.
    fn all(&self, node: SyntaxId, rule: usize) -> Vec<SyntaxId> {
        self.source.cst().descendants(node).filter(|&node| self.rule(node) == Some(rule)).collect()
    }

    /// The first direct child that is one of these tokens.
    fn terminal(&self, node: SyntaxId, kinds: &[i32]) -> Option<SyntaxId> {
        self.kids(node).into_iter().find(|&child| self.kind(child).is_some_and(|kind| kinds.contains(&kind)))
    }

    fn has(&self, node: SyntaxId, kind: i32) -> bool {
        self.terminal(node, &[kind]).is_some()
    }

    fn start(&self, node: SyntaxId) -> u32 {
        self.source.cst().node(node).map_or(0, |node| node.span.bytes.start)
    }

    /// The text of a node of one token.
    fn text(&self, node: SyntaxId) -> String {
        let leaf =
            self.source.cst().descendants(node).find_map(|node| match self.source.cst().node(node)?.kind {
                SyntaxNodeKind::Rule { .. } => None,
                SyntaxNodeKind::Terminal { token_index } | SyntaxNodeKind::Error { token_index } => {
                    Some(self.source.token_text(&self.source.tokens()[token_index]).to_owned())
                }
            });
        leaf.unwrap_or_default()
    }

    fn at(&self, node: SyntaxId) -> Position {
        let (line, column) = self.source.line_column(self.start(node)).unwrap_or_default();
        Position { file: self.path.to_owned(), line, column: column + 1 }
    }

    fn options(&self, node: SyntaxId) -> Vec<(String, String)> {
        let option = |option: SyntaxId| {
            let name = *self.children(option, g4::RULE_IDENTIFIER).first()?;
            let value = *self.children(option, g4::RULE_OPTION_VALUE).first()?;
            Some((self.text(name), self.text(value)))
        };
        self.all(node, g4::RULE_OPTION).into_iter().filter_map(option).collect()
    }

    fn parser_rule(&self, rule: SyntaxId) -> Option<ParserRule> {
        let name = self.terminal(rule, &[g4::RULE_REF])?;
        let block = *self.children(rule, g4::RULE_RULE_BLOCK).first()?;
        let alternatives = self.all(block, g4::RULE_LABELED_ALT);
        let alternatives = alternatives
            .into_iter()
            .filter_map(|labeled| self.children(labeled, g4::RULE_ALTERNATIVE).first().copied())
            .map(|alternative| self.alternative(alternative))
            .collect();
        Some(ParserRule { name: self.text(name), at: self.at(name), alternatives })
    }

    fn lexer_rule(&self, rule: SyntaxId, mode: &str, case_insensitive: bool) -> Option<LexerRule> {
        let name = self.terminal(rule, &[g4::TOKEN_REF])?;
        let block = *self.children(rule, g4::RULE_LEXER_RULE_BLOCK).first()?;
        let list = *self.children(block, g4::RULE_LEXER_ALT_LIST).first()?;
        let own = self.options(rule).into_iter().find(|(name, _)| name == "caseInsensitive");
        let alternatives = self.children(list, g4::RULE_LEXER_ALT).into_iter().map(|alternative| {
            let commands = self.all(alternative, g4::RULE_LEXER_COMMAND).into_iter().map(|command| {
                let name = self.children(command, g4::RULE_LEXER_COMMAND_NAME);
                let argument = self.children(command, g4::RULE_LEXER_COMMAND_EXPR);
                let name = name.first().map(|&name| self.text(name)).unwrap_or_default();
                (name, argument.first().map(|&argument| self.text(argument)))
            });
            (self.lexer_alternative(alternative), commands.collect())
        });
        Some(LexerRule {
            name: self.text(name),
            at: self.at(name),
            mode: mode.to_owned(),
            is_fragment: self.has(rule, g4::FRAGMENT),
            case_insensitive: own.map_or(case_insensitive, |(_, value)| value == "true"),
            alternatives: alternatives.collect(),
        })
    }

    fn alternative(&self, alternative: SyntaxId) -> Element {
        let elements = self.children(alternative, g4::RULE_ELEMENT);
        Element::Seq(elements.into_iter().filter_map(|element| self.element(element)).collect())
    }

    fn lexer_alternative(&self, alternative: SyntaxId) -> Element {
        let elements = self.children(alternative, g4::RULE_LEXER_ELEMENTS);
        let elements =
            elements.into_iter().flat_map(|elements| self.children(elements, g4::RULE_LEXER_ELEMENT));
        Element::Seq(elements.filter_map(|element| self.element(element)).collect())
    }

    fn choice(&self, list: SyntaxId) -> Element {
        let parser = self.children(list, g4::RULE_ALTERNATIVE);
        let lexer = self.children(list, g4::RULE_LEXER_ALT);
        let mut all: Vec<Element> = parser.into_iter().map(|one| self.alternative(one)).collect();
        all.extend(lexer.into_iter().map(|one| self.lexer_alternative(one)));
        if all.len() == 1 { all.remove(0) } else { Element::Choice(all) }
    }

    /// An element with what stands behind it; nothing for actions.
    fn element(&self, element: SyntaxId) -> Option<Element> {
        let mut result = None;
        for child in self.kids(element) {
            match self.rule(child) {
                Some(g4::RULE_EBNF_SUFFIX | g4::RULE_BLOCK_SUFFIX) => {
                    let suffix = match self.children(child, g4::RULE_EBNF_SUFFIX).first() {
                        Some(&inner) => inner,
                        None => child,
                    };
                    let (star, plus) = (self.has(suffix, g4::STAR), self.has(suffix, g4::PLUS));
                    let questions =
                        self.kids(suffix).into_iter().filter(|&kid| self.kind(kid) == Some(g4::QUESTION));
                    result = result.map(|element| Element::Repeat {
                        element: Box::new(element),
                        optional: !plus,
                        several: star || plus,
                        lazy: questions.count() > usize::from(!star && !plus),
                    });
                }
                // A predicate that always holds says nothing.
                Some(g4::RULE_ACTION_BLOCK)
                    if self.has(element, g4::QUESTION)
                        && self.text(child).trim_matches(['{', '}', ' ']) != "true" =>
                {
                    result = Some(Element::Predicate(self.at(child)));
                }
                Some(g4::RULE_LABELED_ELEMENT | g4::RULE_EBNF) => result = self.element(child),
                Some(g4::RULE_ATOM | g4::RULE_LEXER_ATOM) => {
                    result = self.kids(child).first().and_then(|&atom| self.atom(atom));
                }
                Some(g4::RULE_BLOCK | g4::RULE_LEXER_BLOCK) => {
                    let lists = self.kids(child);
                    let list = lists.into_iter().find(|&list| {
                        matches!(self.rule(list), Some(g4::RULE_ALT_LIST | g4::RULE_LEXER_ALT_LIST))
                    });
                    result = list.map(|list| self.choice(list));
                }
                _ => {}
            }
        }
        result
    }

    fn atom(&self, atom: SyntaxId) -> Option<Element> {
        match self.rule(atom) {
            None => Some(Element::Set(self.text(atom))),
            Some(g4::RULE_WILDCARD) => Some(Element::Any),
            Some(g4::RULE_NOT_SET) => {
                let elements = self.all(atom, g4::RULE_SET_ELEMENT);
                Some(Element::Not(elements.into_iter().filter_map(|one| self.name_or_range(one)).collect()))
            }
            Some(_) => self.name_or_range(atom),
        }
    }

    fn name_or_range(&self, node: SyntaxId) -> Option<Element> {
        if self.rule(node) == Some(g4::RULE_CHARACTER_RANGE) {
            let ends: Vec<String> = self
                .kids(node)
                .into_iter()
                .filter(|&end| self.kind(end) == Some(g4::STRING_LITERAL))
                .map(|end| self.text(end))
                .collect();
            let [from, to] = ends.try_into().ok()?;
            return Some(Element::Range(from, to));
        }
        if let Some(&range) = self.children(node, g4::RULE_CHARACTER_RANGE).first() {
            return self.name_or_range(range);
        }
        let leaf = *self.kids(node).first()?;
        let (text, at) = (self.text(leaf), self.at(leaf));
        match self.kind(leaf)? {
            g4::STRING_LITERAL => Some(Element::Literal(text, at)),
            g4::LEXER_CHAR_SET => Some(Element::Set(text)),
            _ => Some(Element::Reference(text, at)),
        }
    }
}
