//! What grammars call things, as far as names are concerned.
//!
//! `vocabulary.toml` has the words that mean the same in all grammars; what only one of them needs is in its entry
//! in `languages.toml`. Nothing else knows a word of a grammar.

use dwindle_core::{Kind, Lexicon, Signs};

use crate::languages::{FIELDS, KINDS, SIGNS};

/// What the name and the fields of a kind say.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    /// A leaf of this kind is a name if its text is a word.
    pub(super) name: bool,
    /// A leaf of this kind is a word of the language, which a text may introduce nevertheless.
    pub(super) builtin: bool,
    /// A leaf of this kind is a property of a style, unless it is marked as a variable.
    pub(super) property: bool,
    /// A leaf of this kind may have names in it, which are used.
    pub(super) code: bool,
    pub(super) named: bool,
    /// A node of this kind introduces something.
    pub(super) declares: bool,
    /// A node of this kind is a list of things that are introduced.
    pub(super) introduces_all: bool,
    /// What is below stands in the same place as the node.
    pub(super) passes: bool,
    pub(super) pattern: bool,
    pub(super) is_reference: bool,
    /// What is below is declared elsewhere.
    pub(super) refers: bool,
    /// What is below is one name with what leads to it.
    pub(super) path: bool,
    /// What is below is the name of the package that the text belongs to.
    pub(super) package: bool,
    pub(super) jumps: bool,
    pub(super) matches: bool,
    pub(super) assigns: bool,
    /// A loop, which introduces what is to the left.
    pub(super) loops: bool,
    pub(super) needs_body: bool,
    pub(super) is_type: bool,
    pub(super) label: bool,
    pub(super) field_name: bool,
    pub(super) scope: bool,
    pub(super) import: bool,
    /// By its fields: something introduces itself in one of them.
    pub(super) names_by_field: bool,
    pub(super) has_body: bool,
    pub(super) has_alias: bool,
    /// Where there is such a kind, variables have declarations.
    pub(super) declares_variables: bool,
    pub(super) comment: bool,
    /// A string or character literal, or part of one, that makes one token of its leaves.
    pub(super) literal: bool,
    /// May be part of a literal that makes one token.
    pub(super) literal_part: bool,
    /// Begins or ends what its parent is, though it has a name.
    pub(super) delimiter: bool,
    /// What searches may know; see [`Kind`].
    nameless: bool,
    attribute: bool,
    string: bool,
    returns: bool,
    nothing: bool,
    pub(super) error: bool,
}

/// What the name of a field says of what stands in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Field {
    /// No field.
    None,
    /// The name of what the node declares.
    Name,
    /// What a pattern or an assignment introduces.
    Left,
    /// A name of something else, valid here.
    Alias,
    /// The name or pattern, whatever the node is called.
    Declarator,
    Value,
    Body,
    Parameters,
    Other,
}

/// What the name of a kind may mean; `vocabulary.toml` says what each is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    Assigns,
    Attribute,
    Builtin,
    Code,
    Comment,
    Declares,
    DeclaresVariables,
    Delimiter,
    Enum,
    Expression,
    FieldName,
    Import,
    Jumps,
    Label,
    List,
    Literal,
    LiteralPart,
    Loops,
    Matches,
    Nameless,
    NoName,
    NoScope,
    Nothing,
    Package,
    Parameters,
    Passes,
    Pattern,
    Property,
    Reference,
    Refers,
    Returns,
    Scope,
    Specifier,
    String,
    Type,
}

/// The words that mean something in all grammars.
pub(super) struct Words {
    pub(super) meaning: Meaning,
    pub(super) words: &'static [&'static str],
    pub(super) unless: &'static [&'static str],
}

/// The words of one grammar beside those that mean the same in all.
pub(super) struct Vocabulary {
    pub(super) is: &'static [(Meaning, &'static [&'static str])],
    pub(super) is_not: &'static [(Meaning, &'static [&'static str])],
    pub(super) signs: Signs,
}

impl Vocabulary {
    /// That of a grammar of which nothing more is known.
    pub(super) const COMMON: Self = Self { is: &[], is_not: &[], signs: SIGNS };

    /// What the name of a kind means; tokens without a name mean nothing.
    pub(super) fn meanings(&self, kind: &str, named: bool) -> Meanings {
        if !named {
            return Meanings { named, all: Vec::new() };
        }
        let kind = format!("^{}$", kind.to_ascii_lowercase());
        let any = |words: &[&str]| words.iter().any(|word| stands_in(word, &kind));
        let own = |own: &[(Meaning, &[&str])], meaning| {
            own.iter().any(|(other, words)| *other == meaning && any(words))
        };
        let means = |words: &&Words| {
            (any(words.words) && !any(words.unless) || own(self.is, words.meaning))
                && !own(self.is_not, words.meaning)
        };
        Meanings { named, all: KINDS.iter().filter(means).map(|words| words.meaning).collect() }
    }
}

/// Whether the parts of a word stand in the name of a kind, one behind the other.
fn stands_in(word: &str, kind: &str) -> bool {
    let behind = |rest: &'_ str, part: &str| rest.find(part).map(|at| at + part.len());
    let mut rest = kind;
    word.split('*').all(|part| {
        behind(rest, part).is_some_and(|at| {
            rest = &rest[at..];
            true
        })
    })
}

/// All that the name of a kind means.
pub(super) struct Meanings {
    named: bool,
    all: Vec<Meaning>,
}

/// What searches may know of a front end's own kinds.
pub(super) fn lexicon(kinds: impl IntoIterator<Item = &'static str>) -> Lexicon {
    let kind = |name| Facts::new(&Vocabulary::COMMON.meanings(name, true), &[]).kind(name);
    Lexicon { kinds: kinds.into_iter().map(kind).collect(), signs: SIGNS, guesses_names: false }
}

impl Facts {
    /// What a kind is, by what its name means and by its fields.
    pub(super) fn new(meanings: &Meanings, fields: &[Field]) -> Self {
        if !meanings.named {
            return Self { literal_part: true, ..Self::default() };
        }
        let is = |meaning| meanings.all.contains(&meaning);
        let has = |field| fields.contains(&field);
        let (specifier, import) = (is(Meaning::Specifier), is(Meaning::Import));
        let refers = is(Meaning::Refers) || is(Meaning::Jumps);
        let by_fields =
            has(Field::Name) && (has(Field::Body) || has(Field::Parameters)) && !is(Meaning::Expression);
        Self {
            name: !is(Meaning::NoName),
            builtin: is(Meaning::Builtin),
            property: is(Meaning::Property),
            code: is(Meaning::Code),
            named: true,
            declares: (is(Meaning::Declares) || specifier || by_fields) && !refers,
            declares_variables: is(Meaning::DeclaresVariables),
            introduces_all: is(Meaning::Parameters),
            passes: is(Meaning::Passes) && !refers,
            is_reference: is(Meaning::Reference),
            pattern: is(Meaning::Pattern),
            refers,
            path: refers && !is(Meaning::List),
            package: is(Meaning::Package),
            jumps: is(Meaning::Jumps),
            matches: is(Meaning::Matches),
            assigns: is(Meaning::Assigns),
            loops: is(Meaning::Loops),
            needs_body: specifier && !import,
            is_type: is(Meaning::Type),
            label: is(Meaning::Label),
            field_name: is(Meaning::FieldName),
            scope: (has(Field::Body) || is(Meaning::Scope)) && !is(Meaning::NoScope)
                || has(Field::Body) && specifier && !is(Meaning::Enum),
            import,
            names_by_field: has(Field::Name) || has(Field::Left) || has(Field::Declarator),
            has_body: has(Field::Body),
            has_alias: has(Field::Alias),
            comment: is(Meaning::Comment),
            literal: is(Meaning::Literal),
            literal_part: is(Meaning::Literal) || is(Meaning::LiteralPart),
            delimiter: is(Meaning::Delimiter),
            nameless: is(Meaning::Nameless),
            attribute: is(Meaning::Attribute),
            string: is(Meaning::String),
            returns: is(Meaning::Returns),
            nothing: is(Meaning::Nothing),
            error: false,
        }
    }

    /// What searches may know of a kind of that name.
    pub(super) fn kind(self, name: &'static str) -> Kind {
        let Self { nameless, attribute, string, returns, nothing, error, .. } = self;
        Kind { name, nameless, attribute, string, returns, nothing, error }
    }
}

impl Field {
    pub(super) fn new(name: &str) -> Self {
        let known = FIELDS.iter().find(|(_, names)| names.contains(&name));
        known.map_or(if name.is_empty() { Self::None } else { Self::Other }, |(field, _)| *field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::productions::named_kinds;
    use crate::samples::language;

    #[test]
    fn what_the_common_words_mean_they_mean_in_two_grammars_at_least() {
        let bounded = |kind: String| format!("^{}$", kind.to_ascii_lowercase());
        let grammars: Vec<Vec<String>> =
            named_kinds().into_iter().map(|kinds| kinds.into_iter().map(bounded).collect()).collect();
        assert!(grammars.len() >= 64);
        let any = |words: &[&str], kind: &str| words.iter().any(|word| stands_in(word, kind));
        let holds = |words: &[&str], unless: &[&str], kind: &str| any(words, kind) && !any(unless, kind);
        let without = |words: &[&'static str], left: &str| -> Vec<&'static str> {
            words.iter().copied().filter(|word| *word != left).collect()
        };
        for Words { meaning, words, unless } in KINDS {
            for &word in words.iter().chain(*unless) {
                let (others, other_unless) = (without(words, word), without(unless, word));
                let differs = |kind: &String| {
                    stands_in(word, kind) && holds(words, unless, kind) != holds(&others, &other_unless, kind)
                };
                let count = grammars.iter().filter(|kinds| kinds.iter().any(differs)).count();
                assert!(count > 1, "{meaning:?} {word}: {count}");
            }
        }
    }

    #[test]
    fn parts_of_a_word_stand_one_behind_the_other() {
        for (word, kind, stands) in [
            ("for", "formal", true),
            ("^for_", "for_loop", true),
            ("^for_", "a_for_loop", false),
            ("uses$", "uses", true),
            ("uses$", "uses_of", false),
            ("enum*list", "enum_list", true),
            ("enum*list", "list_enum", false),
        ] {
            assert_eq!(stands_in(word, &format!("^{kind}$")), stands, "{word} {kind}");
        }
    }

    #[test]
    fn a_formal_subprogram_is_no_loop() {
        let means = |kind| Vocabulary::COMMON.meanings(kind, true).all;
        assert!(means("for_statement").contains(&Meaning::Nameless));
        let formal = means("formal_subprogram_declaration");
        assert!(formal.contains(&Meaning::Scope) && !formal.contains(&Meaning::Nameless));
        assert!(!means("form").contains(&Meaning::Nameless), "of an S-expression");
    }

    #[test]
    fn the_keyword_string_is_no_string() {
        let is_string = |named| Vocabulary::COMMON.meanings("string", named).all.contains(&Meaning::String);
        assert!(is_string(true) && !is_string(false));
    }

    #[test]
    fn a_backslash_qualifies_names_in_php_and_begins_a_lambda_in_haskell() {
        for (name, qualifies) in [("php", true), ("haskell", false)] {
            let Some(language) = language(name) else { continue };
            assert_eq!(language.vocabulary().signs.qualifies.contains(&"\\"), qualifies, "{name}");
        }
    }
}
