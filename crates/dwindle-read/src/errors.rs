//! How much of a text its grammar can make no sense of.

use std::path::PathBuf;

use crate::front_end::FrontEnd;
use crate::{folder, grammar};

/// The number of syntax errors that a front end sees in `bytes`, which are `ERROR` and `MISSING` nodes where it
/// is a grammar of tree-sitter. What a grammar refuses has more than any other text. Nothing where the front
/// end does not count: it reads any text.
pub fn syntax_errors(bytes: &[u8], front_end: FrontEnd) -> Option<u64> {
    let errors = match front_end {
        FrontEnd::Grammar(language) => grammar::errors(bytes, language).ok(),
        FrontEnd::Brought(brought) => brought.errors(bytes),
        FrontEnd::Folder => {
            let of_file =
                |(path, text): (PathBuf, &[u8])| syntax_errors(text, FrontEnd::recognise(&path, text));
            // A file that its grammar refuses is read by its brackets.
            let known = folder::texts(bytes)?.filter_map(of_file).filter(|&errors| errors != u64::MAX);
            return known.reduce(u64::saturating_add);
        }
        FrontEnd::Xml | FrontEnd::Sexp(_) | FrontEnd::Brackets => return None,
    };
    Some(errors.unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{all, language};

    #[test]
    fn missing_nodes_count_as_errors_do() {
        let Some(c) = language("c") else { return };
        for (text, errors) in [
            ("int f(void) { return 1; }", 0),
            ("int f(void) { return 1 }", 1),
            ("int f(void) { @; return 1 }", 2),
            ("int f(void { return 1; }", 1),
        ] {
            assert_eq!(syntax_errors(text.as_bytes(), FrontEnd::Grammar(c)), Some(errors), "{text}");
        }
        assert_eq!(syntax_errors(b"int", FrontEnd::Brackets), None);
    }

    #[test]
    fn there_are_none_in_the_samples() {
        for (language, text) in all() {
            assert_eq!(syntax_errors(text.as_bytes(), FrontEnd::Grammar(language)), Some(0), "{language}");
        }
    }
}
