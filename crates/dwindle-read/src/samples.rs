//! A small program in each language, for tests.

use super::Language;

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
