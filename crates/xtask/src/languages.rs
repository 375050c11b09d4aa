//! From the tables of languages and of the grammars' words to what Rust and Cargo need of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anyhow::{Context, Result};
use serde::Deserialize;

/// The tables, from the root of the workspace.
const LANGUAGES: &str = "crates/dwindle-read/languages.toml";
const VOCABULARY: &str = "crates/dwindle-read/vocabulary.toml";

/// What is written from them.
const RUST: &str = "crates/dwindle-read/src/languages/table.rs";
const CARGO: &str = "crates/dwindle-read/Cargo.toml";

/// The lines around a generated part of a file; of `Cargo.toml` the first is the features, the second the dependencies.
const BEGIN: &str = "# >>> languages: written by `cargo run -p xtask -- languages`\n";
const END: &str = "# <<< languages\n";

/// A language; `languages.toml` says what the fields mean.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Language {
    #[serde(default)]
    extensions: Vec<String>,
    #[serde(default)]
    files: Vec<String>,
    #[serde(default)]
    interpreters: Vec<String>,
    #[serde(default)]
    beginnings: Vec<String>,
    #[serde(rename = "crate")]
    pub(crate) package: String,
    version: String,
    feature: Option<String>,
    #[serde(default = "grammar")]
    pub(crate) grammar: String,
    #[serde(default = "language")]
    language: String,
    #[serde(default = "node_types")]
    node_types: String,
    #[serde(default)]
    queries: Vec<String>,
    #[serde(default)]
    default: bool,
    #[serde(default)]
    traits: Vec<String>,
    #[serde(default)]
    is: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    is_not: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    qualifies: Vec<String>,
    any_value: Option<String>,
    nothing: Option<String>,
    #[serde(default)]
    diverges: Vec<String>,
    #[serde(default)]
    phrases: Vec<[String; 2]>,
    sample: String,
    tokens: Option<u64>,
}

fn grammar() -> String {
    "src/grammar.json".to_owned()
}

fn language() -> String {
    "LANGUAGE".to_owned()
}

fn node_types() -> String {
    "NODE_TYPES".to_owned()
}

/// The grammars' words; `vocabulary.toml` says what the fields mean.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vocabulary {
    kinds: BTreeMap<String, Words>,
    fields: BTreeMap<String, Vec<String>>,
    forms: BTreeMap<String, Vec<String>>,
    signs: BTreeMap<String, Sign>,
    operations: BTreeMap<String, Vec<String>>,
    phrases: Vec<[String; 2]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    words: Vec<String>,
    #[serde(default)]
    unless: Vec<String>,
}

/// The only sign of its sort, or all of them.
#[derive(Deserialize)]
#[serde(untagged)]
enum Sign {
    One(String),
    All(Vec<String>),
}

/// The signs of `vocabulary.toml` that the search does not see.
const OF_FRONT_ENDS: [&str; 4] = ["all-names", "ends-names", "introduces", "variables"];

/// All languages, by name.
pub(crate) fn read() -> Result<BTreeMap<String, Language>> {
    table(LANGUAGES)
}

fn table<T: for<'a> Deserialize<'a>>(path: &str) -> Result<T> {
    let text = text(path)?;
    toml::from_str(&text).with_context(|| format!("cannot read {path}"))
}

fn text(path: &str) -> Result<String> {
    let path = crate::workspace().join(path);
    std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
}

/// Writes all that is generated.
pub(crate) fn write() -> Result<()> {
    for (path, text) in generated()? {
        std::fs::write(crate::workspace().join(path), text)
            .with_context(|| format!("cannot write {path}"))?;
        println!("{path}");
    }
    Ok(())
}

/// The files and what they should be.
fn generated() -> Result<[(&'static str, String); 2]> {
    let (languages, vocabulary) = (read()?, table(VOCABULARY)?);
    let cargo = with_parts(&text(CARGO)?, &[features(&languages), dependencies(&languages)?])?;
    Ok([(RUST, rust(&languages, &vocabulary)), (CARGO, cargo)])
}

/// A file with its generated parts replaced.
fn with_parts(text: &str, parts: &[String]) -> Result<String> {
    let (mut with, mut rest) = (String::new(), text);
    for part in parts {
        let (before, inside) = rest.split_once(BEGIN).context("a part has no begin")?;
        let (_, behind) = inside.split_once(END).context("a part has no end")?;
        with.extend([before, BEGIN, part, END]);
        rest = behind;
    }
    Ok(with + rest)
}

impl Language {
    fn feature(&self, name: &str) -> String {
        format!("lang-{}", self.feature.as_deref().unwrap_or(name))
    }
}

fn features(languages: &BTreeMap<String, Language>) -> String {
    let names = |wanted: &dyn Fn(&Language) -> bool| -> BTreeSet<String> {
        let wanted = languages.iter().filter(|(_, language)| wanted(language));
        wanted.map(|(name, language)| language.feature(name)).collect()
    };
    let list =
        |names: BTreeSet<String>| names.iter().map(|name| format!("    \"{name}\",\n")).collect::<String>();
    let mut out = format!("default = [\n{}]\n", list(names(&|language| language.default)));
    out += "# Every language that there is a grammar for.\n";
    out += &format!("all-grammars = [\n{}]\n", list(names(&|_| true)));
    let dependencies = languages.iter().map(|(name, language)| (language.feature(name), &language.package));
    for (feature, package) in dependencies.collect::<BTreeSet<_>>() {
        out += &format!("{feature} = [\"dep:{package}\"]\n");
    }
    out
}

fn dependencies(languages: &BTreeMap<String, Language>) -> Result<String> {
    let mut versions = BTreeMap::new();
    for (name, language) in languages {
        let known = versions.insert(&language.package, &language.version);
        anyhow::ensure!(
            known.is_none_or(|known| *known == language.version),
            "{name}: two versions of a crate"
        );
    }
    let line = |(package, version)| format!("{package} = {{ version = \"{version}\", optional = true }}\n");
    Ok(versions.into_iter().map(line).collect())
}

fn rust(languages: &BTreeMap<String, Language>, vocabulary: &Vocabulary) -> String {
    let mut out =
        "//! Written by `cargo run -p xtask -- languages` from `languages.toml` and `vocabulary.toml`.\n\n\
                   use std::sync::OnceLock;\n\n\
                   use dwindle_core::{Operation, Phrase, Signs};\n\n\
                   use super::{Definition, Trait, parser};\n\
                   use crate::node_types::Grammar;\n\
                   use crate::vocabulary::{Field, Meaning, Vocabulary, Words};\n\n\
                   pub(crate) const KINDS: &[Words] = &[\n"
            .to_owned();
    // Writing to a string does not fail.
    for (meaning, Words { words, unless }) in &vocabulary.kinds {
        let _ = writeln!(
            out,
            "    Words {{ meaning: Meaning::{}, words: &{words:?}, unless: &{unless:?} }},",
            camel(meaning)
        );
    }
    out += "];\n\npub(crate) const FIELDS: &[(Field, &[&str])] = &[\n";
    for (field, names) in &vocabulary.fields {
        let _ = writeln!(out, "    (Field::{}, &{names:?}),", camel(field));
    }
    out += "];\n\npub(crate) const SIGNS: Signs = Signs {\n";
    let (own, of_searches): (Vec<_>, Vec<_>) =
        vocabulary.signs.iter().partition(|(name, _)| OF_FRONT_ENDS.contains(&name.as_str()));
    for (name, sign) in of_searches {
        let _ = writeln!(out, "    {}: {},", name.replace('-', "_"), sign.rust());
    }
    // Few languages have such values and statements, so they are theirs.
    let _ = writeln!(out, "    any_value: None,\n    nothing: None,\n    diverges: &[],\n    operations: &[");
    for (name, signs) in &vocabulary.operations {
        for sign in signs {
            let _ = writeln!(out, "        ({sign:?}, Operation::{}),", camel(name));
        }
    }
    let _ = writeln!(out, "    ],\n    phrases: &[{}],\n}};", phrases(&vocabulary.phrases));
    let own = own.into_iter().map(|(name, sign)| (name, sign.rust()));
    for (name, words) in own.chain(vocabulary.forms.iter().map(|(name, words)| (name, format!("&{words:?}"))))
    {
        let name = name.replace('-', "_").to_ascii_uppercase();
        let _ = writeln!(out, "pub(crate) const {name}: &[&str] = {words};");
    }
    out += "\npub(super) static ALL: &[Definition] = &[\n";
    for (name, language) in languages {
        out += &language.rust(name, vocabulary);
    }
    out + "];\n"
}

/// Phrases as Rust has them.
fn phrases(phrases: &[[String; 2]]) -> String {
    let phrase = |phrase: &[String; 2]| {
        let [long, short] = phrase.each_ref().map(|words| words.split_whitespace().collect::<Vec<_>>());
        let stays = |part: &&&str| part.len() > 1 && part.starts_with('$');
        let mut behind = long.iter();
        let is_in_order = short.iter().filter(stays).all(|part| behind.any(|other| other == part));
        assert!(short.len() < long.len() && is_in_order, "{short:?} does not come of {long:?}");
        format!("Phrase {{ long: &{long:?}, short: &{short:?} }}")
    };
    phrases.iter().map(phrase).collect::<Vec<_>>().join(", ")
}

impl Sign {
    fn rust(&self) -> String {
        match self {
            Self::One(sign) => format!("Some({sign:?})"),
            Self::All(signs) => format!("&{signs:?}"),
        }
    }
}

impl Language {
    fn rust(&self, name: &str, vocabulary: &Vocabulary) -> String {
        let package = self.package.replace('-', "_");
        let node_types = match self.node_types.as_str() {
            "" => "\"[]\"".to_owned(),
            node_types => format!("{package}::{node_types}"),
        };
        let queries: Vec<String> = self.queries.iter().map(|query| format!("{package}::{query}")).collect();
        let traits: Vec<String> = self.traits.iter().map(|own| format!("Trait::{}", camel(own))).collect();
        let means = |meanings: &BTreeMap<String, Vec<String>>| {
            let means = |(meaning, words): (&String, &Vec<String>)| {
                format!("(Meaning::{}, &{words:?})", camel(meaning))
            };
            meanings.iter().map(means).collect::<Vec<_>>().join(", ")
        };
        let mut own = String::new();
        if let Some(Sign::All(signs)) =
            vocabulary.signs.get("qualifies").filter(|_| !self.qualifies.is_empty())
        {
            own += &format!("qualifies: &{:?}, ", [&signs[..], &self.qualifies].concat());
        }
        if let Some(value) = &self.any_value {
            own += &format!("any_value: Some({value:?}), ");
        }
        if let Some(value) = &self.nothing {
            own += &format!("nothing: Some({value:?}), ");
        }
        if !self.diverges.is_empty() {
            own += &format!("diverges: &{:?}, ", self.diverges);
        }
        if !self.phrases.is_empty() {
            let all = [&self.phrases[..], &vocabulary.phrases].concat();
            own += &format!("phrases: &[{}], ", phrases(&all));
        }
        let signs = if own.is_empty() { "SIGNS".to_owned() } else { format!("Signs {{ {own}..SIGNS }}") };
        format!(
            "    #[cfg(feature = \"{feature}\")]\n    \
             Definition {{\n        \
             name: {name:?},\n        \
             aliases: &{extensions:?},\n        \
             files: &{files:?},\n        \
             interpreters: &{interpreters:?},\n        \
             beginnings: &{beginnings:?},\n        \
             traits: &[{traits}],\n        \
             parser: || parser({package}::{language}),\n        \
             node_types: {node_types},\n        \
             queries: &[{queries}],\n        \
             vocabulary: Vocabulary {{ is: &[{is}], is_not: &[{is_not}], signs: {signs} }},\n        \
             grammar: || {{ static GRAMMAR: OnceLock<Grammar> = OnceLock::new(); &GRAMMAR }},\n        \
             #[cfg(any(test, feature = \"samples\"))]\n        \
             sample: ({sample:?}, {tokens:?}),\n    \
             }},\n",
            feature = self.feature(name),
            extensions = self.extensions,
            files = self.files,
            interpreters = self.interpreters,
            beginnings = self.beginnings,
            traits = traits.join(", "),
            language = self.language,
            queries = queries.join(", "),
            is = means(&self.is),
            is_not = means(&self.is_not),
            sample = self.sample,
            tokens = self.tokens,
        )
    }
}

/// `no-scope` as Rust writes it: `NoScope`.
fn camel(name: &str) -> String {
    let word = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    name.split('-').map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_generated_is_what_the_tables_say() {
        for (path, expect) in generated().unwrap() {
            assert!(text(path).unwrap() == expect, "{path}: run `cargo run -p xtask -- languages`");
        }
    }

    #[test]
    fn the_readme_counts_the_languages() {
        let languages = read().unwrap();
        let built_in = languages.values().filter(|language| language.default).count();
        let readme = text("README.md").unwrap();
        for count in [
            format!("grammars of {built_in} languages"),
            format!("all {}.", languages.len()),
            format!("parses {built_in} languages"),
        ] {
            assert!(readme.contains(&count), "README.md does not say {count:?}");
        }
    }
}
