//! A small program in each language, for tests.

use super::Language;

#[cfg(test)]
#[path = "../../skip.rs"]
mod skip;

/// The language of that name, which tests need.
#[cfg(test)]
pub(super) fn language(name: &str) -> Option<Language> {
    let found = Language::named(name);
    if found.is_none() {
        skip::skip(&format!("the language {name} is not built in"));
    }
    found
}

/// Those that are compiled in and have their tokens counted by another program.
#[cfg(test)]
pub(super) fn counted() -> impl Iterator<Item = (Language, &'static str, u64)> {
    let counted = |language: Language| {
        let (text, tokens) = language.sample();
        Some((language, text, tokens?))
    };
    Language::all().filter_map(counted)
}

/// All that are compiled in.
pub fn all() -> Vec<(Language, &'static str)> {
    Language::all().map(|language| (language, language.sample().0)).collect()
}
