//! Grammars as they are written: the `grammar.json` of tree-sitter.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

use crate::pattern;

/// A grammar before anything is done to it.
#[derive(Clone, Debug)]
pub struct Grammar {
    /// Its name.
    pub name: String,
    /// The rules by name; [`Grammar::start`] names the first.
    pub rules: BTreeMap<String, Rule>,
    /// The rule that derives whole texts.
    pub start: String,
    /// Rules whose nodes are spliced into their parents, though their names do not say so.
    pub spliced: Vec<String>,
    /// Rules that are put in the place of their names before anything else happens.
    pub inline: Vec<String>,
    /// Tokens that are found by code.
    pub externals: Vec<Rule>,
}

/// The right-hand side of a rule. Precedences, fields and reserved words are left out: they choose
/// between derivations of the same text, or name parts of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Nothing.
    Blank,
    /// This text.
    String(String),
    /// Text by a regular expression and its flags.
    Pattern(String, String),
    /// What the rule of that name derives.
    Symbol(String),
    /// One behind the other.
    Seq(Vec<Rule>),
    /// One of them.
    Choice(Vec<Rule>),
    /// Any number.
    Repeat(Box<Rule>),
    /// Any number, at least one.
    Repeat1(Box<Rule>),
    /// All of it is one token; `immediate` ones have no white space before them.
    Token {
        /// What the token reads.
        content: Box<Rule>,
        /// Whether it follows without a gap.
        immediate: bool,
    },
    /// The nodes of `content` under another name.
    Alias {
        /// What is renamed.
        content: Box<Rule>,
        /// The name.
        value: String,
        /// Whether it is the name of a kind, or the text of a token without a name.
        named: bool,
    },
}

impl Rule {
    /// Visits all names in it.
    pub(crate) fn for_each_symbol<'a>(&'a self, visit: &mut impl FnMut(&'a str)) {
        self.for_each_leaf(&mut |leaf| {
            if let Self::Symbol(name) = leaf {
                visit(name);
            }
        });
    }

    fn for_each_pattern<'a>(&'a self, visit: &mut impl FnMut(&'a str)) {
        self.for_each_leaf(&mut |leaf| {
            if let Self::Pattern(pattern, _) = leaf {
                visit(pattern);
            }
        });
    }

    fn for_each_leaf<'a>(&'a self, visit: &mut impl FnMut(&'a Self)) {
        match self {
            Self::Blank | Self::String(_) | Self::Pattern(..) | Self::Symbol(_) => visit(self),
            Self::Seq(all) | Self::Choice(all) => all.iter().for_each(|one| one.for_each_leaf(visit)),
            Self::Repeat(content)
            | Self::Repeat1(content)
            | Self::Token { content, .. }
            | Self::Alias { content, .. } => content.for_each_leaf(visit),
        }
    }
}

/// Why a `grammar.json` cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Malformed {
    /// It is not JSON of that form.
    #[error("not a grammar of tree-sitter: {0}")]
    Json(#[from] serde_json::Error),
    /// A kind of rule that is not known.
    #[error("rule {rule:?} has a part of the unknown type {part:?}")]
    Part {
        /// Where.
        rule: String,
        /// What.
        part: String,
    },
    /// It is nested deeper than JSON is read.
    #[error(
        "line {line}, column {column}: the parts of a rule are nested too deep; give what is inside a rule of its own"
    )]
    TooDeep {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// A pattern whose automaton fills any memory.
    #[error("rule {rule:?}: the pattern {pattern:?} repeats more than {LARGEST} characters; repeat fewer")]
    TooLarge {
        /// Where.
        rule: String,
        /// What.
        pattern: String,
    },
    /// No rules.
    #[error("the grammar has no rules")]
    Empty,
}

/// How many characters a pattern may have, repeated as often as it says. tree-sitter makes states of each.
const LARGEST: u64 = 100_000;

impl Grammar {
    /// Reads a `grammar.json`.
    pub fn from_json(json: &str) -> Result<Self, Malformed> {
        let file: File = serde_json::from_str(json).map_err(|error| {
            // The one error that has no name of its own.
            if error.to_string().starts_with("recursion limit exceeded") {
                Malformed::TooDeep { line: error.line(), column: error.column() }
            } else {
                Malformed::Json(error)
            }
        })?;
        let start = file.rules.0.first().ok_or(Malformed::Empty)?.0.clone();
        let mut rules = BTreeMap::new();
        for (name, part) in file.rules.0 {
            let rule = part.rule().map_err(|part| Malformed::Part { rule: name.clone(), part })?;
            let mut large = None;
            rule.for_each_pattern(&mut |pattern| {
                if pattern::size(pattern) > LARGEST {
                    large.get_or_insert_with(|| pattern.to_owned());
                }
            });
            if let Some(pattern) = large {
                return Err(Malformed::TooLarge { rule: name, pattern });
            }
            rules.insert(name, rule);
        }
        let externals = file.externals.into_iter().map(Part::rule).collect::<Result<_, _>>();
        let externals = externals.map_err(|part| Malformed::Part { rule: "externals".into(), part })?;
        Ok(Self { name: file.name, rules, start, spliced: file.supertypes, inline: file.inline, externals })
    }
}

#[derive(Deserialize)]
struct File {
    name: String,
    rules: InOrder,
    #[serde(default)]
    supertypes: Vec<String>,
    #[serde(default)]
    inline: Vec<String>,
    #[serde(default)]
    externals: Vec<Part>,
}

/// The rules in the order of the file: the first is where all texts start.
struct InOrder(Vec<(String, Part)>);

impl<'de> Deserialize<'de> for InOrder {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;

        impl<'de> Visitor<'de> for Entries {
            type Value = InOrder;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("rules by name")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<InOrder, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(InOrder(entries))
            }
        }

        deserializer.deserialize_map(Entries)
    }
}

#[derive(Deserialize)]
struct Part {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    value: serde_json::Value,
    #[serde(default)]
    flags: String,
    #[serde(default)]
    named: bool,
    content: Option<Box<Part>>,
    #[serde(default)]
    members: Vec<Part>,
}

impl Part {
    /// The rule, or the type that is not known.
    fn rule(self) -> Result<Rule, String> {
        let value = self.value.as_str().unwrap_or_default().to_owned();
        let members = |members: Vec<Self>| members.into_iter().map(Self::rule).collect::<Result<Vec<_>, _>>();
        let kind = self.kind;
        let content = |content: Option<Box<Self>>| content.ok_or(kind.clone()).and_then(|part| part.rule());
        Ok(match &*kind {
            "BLANK" => Rule::Blank,
            "STRING" => Rule::String(value),
            "PATTERN" => Rule::Pattern(value, self.flags),
            "SYMBOL" => Rule::Symbol(self.name),
            "SEQ" => Rule::Seq(members(self.members)?),
            "CHOICE" => Rule::Choice(members(self.members)?),
            "REPEAT" => Rule::Repeat(Box::new(content(self.content)?)),
            "REPEAT1" => Rule::Repeat1(Box::new(content(self.content)?)),
            "TOKEN" | "IMMEDIATE_TOKEN" => Rule::Token {
                content: Box::new(content(self.content)?),
                immediate: kind == "IMMEDIATE_TOKEN",
            },
            "ALIAS" => Rule::Alias { content: Box::new(content(self.content)?), value, named: self.named },
            "FIELD" | "PREC" | "PREC_LEFT" | "PREC_RIGHT" | "PREC_DYNAMIC" | "RESERVED" => {
                content(self.content)?
            }
            _ => return Err(kind),
        })
    }
}
