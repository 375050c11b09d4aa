//! How much of a text its grammar can make no sense of.

use dwindle_core::Variant;

use crate::front_end::{FrontEnd, tree};
use crate::grammar;

/// The number of syntax errors that a front end sees in `bytes`, which are `ERROR` and `MISSING` nodes where it
/// is a grammar of tree-sitter. What a grammar refuses has more than any other text. Nothing where the front
/// end does not count: it reads any text.
pub fn syntax_errors(bytes: &[u8], front_end: FrontEnd) -> Option<u64> {
    let errors = match front_end {
        FrontEnd::Grammar(language) => grammar::errors(bytes, language).ok(),
        FrontEnd::Brought(brought) => brought.errors(bytes),
        FrontEnd::Xml | FrontEnd::Sexp(_) | FrontEnd::Brackets => return None,
    };
    Some(errors.unwrap_or(u64::MAX))
}

impl FrontEnd {
    /// What reads an input of which nobody has said the language, and why it is not this: where a grammar sees an
    /// error every few of its tokens, what else it sees is mostly not there either.
    pub fn for_input(self, bytes: &[u8]) -> (Self, Option<String>) {
        let errors = syntax_errors(bytes, self).filter(|errors| (MANY..u64::MAX).contains(errors));
        let Some(errors) = errors else { return (self, None) };
        let tokens = Variant::whole(tree(bytes.to_vec(), self).0.text().clone()).tokens().unwrap_or(0);
        if errors * FEW <= tokens {
            return (self, None);
        }
        let name = self.name();
        let sees = format!("the grammar of {name} sees {errors} errors in {tokens} tokens");
        (Self::Brackets, Some(format!("{sees}; --fresh --language {name} insists on it")))
    }
}

/// An input with at least this many errors may be read by its brackets. Fewer say little: in a short input, one
/// construct that the grammar does not know would decide.
const MANY: u64 = 100;

/// It is, if it has more than one error in so many tokens: the middle, by ratio, between the only input of our corpus that
/// is better read by its brackets, with an error in 8 tokens, and the next, with one in 24, which is better read by its
/// grammar. No measure without a fitted number tells these two apart: not what share of the tokens or of the brackets
/// the errors hold, nor of the lines (`docs/experiments/parsers.md`).
const FEW: u64 = 12;

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

    #[test]
    fn a_grammar_that_sees_errors_everywhere_is_not_the_one() {
        let Some(json) = language("json").map(FrontEnd::Grammar) else { return };
        let list = |element: &str, times| format!("[{}1]", element.repeat(times));
        let reads = |text: String| {
            let (front_end, why) = json.for_input(text.as_bytes());
            (front_end.name(), why.is_some())
        };
        assert_eq!(reads(list("{\"a\": ,},", 200)), ("brackets", true));
        assert_eq!(reads(list("{\"a\": ,},", 20)), ("json", false), "too short to tell");
        assert_eq!(reads(list("{\"a\": [1, 2, 3, 4, 5, 6, 7, 8, 9]},", 200)), ("json", false));
    }
}
