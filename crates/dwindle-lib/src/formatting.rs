//! The result, laid out for people at the end: one more question, and never another token.
//!
//! A formatter of the language is taken where one is installed, else our own [`layout`](crate::layout). What
//! it makes is read again: where that gives another tree, or other tokens, the next one is tried, and at last
//! the result stays as it is. So it does where the test does not find the formatted text interesting.

use dwindle_core::{Request, Tree, Variant};
use dwindle_read::{FrontEnd, Size};

use crate::driver::Candidate;
use crate::error::Error;
use crate::layout::{Style, lay_out};
use crate::reduction::Reduction;
use crate::report::{Formatted, Formatting};

/// The name by which our own layout is spoken of.
const OURS: &str = "dwindle";

impl Reduction<'_> {
    /// Lays the result out, which this front end has read, by the formatter that is the helper of
    /// this number, if there is one.
    pub(crate) fn format_result(
        &mut self,
        front_end: Option<FrontEnd>,
        formatter: Option<(u32, &'static str)>,
    ) -> Result<Formatting, Error> {
        let said = |by, outcome| Formatting { by, outcome };
        if self.is_stopped() {
            return Ok(said(None, Formatted::NoTime));
        }
        let Some(front_end) = front_end else { return Ok(said(None, Formatted::Unknown)) };
        self.asking.progress.label = "format";
        let (tree, _) = dwindle_read::tree(self.kept.bytes.clone(), front_end);
        let style = Style::of(front_end.name());
        if formatter.is_none() && style.is_none() {
            return Ok(said(None, Formatted::Unknown));
        }
        let mut found = None;
        if let Some((helper, name)) = formatter {
            let request = Request { helper, from: 0 };
            let whole = Variant::whole(tree.text().clone());
            let text = self.asking.offers_alone(whole, request).map_err(|fault| self.fault(fault))?;
            let Some(text) = text else {
                self.stopped();
                return Ok(said(None, Formatted::NoTime));
            };
            found = self.is_same(&tree, &text, front_end).then_some((name, text));
        }
        if let (None, Some(style)) = (&found, style) {
            let text = lay_out(tree.text(), style);
            found = self.is_same(&tree, &text, front_end).then_some((OURS, text));
        }
        let Some((by, text)) = found else { return Ok(said(None, Formatted::Impossible)) };
        if text == self.kept.bytes {
            return Ok(said(Some(by), Formatted::Already));
        }
        let size = Size::with_tokens(&text, self.kept.size.tokens);
        let candidate = Candidate::of(text, size);
        let tested = self.test_alone(candidate.clone())?;
        match tested.map(|tested| tested.outcome) {
            Some(Some(outcome)) if outcome.is_interesting() => {
                self.keep(candidate)?;
                Ok(said(Some(by), Formatted::Kept))
            }
            Some(Some(_)) => Ok(said(Some(by), Formatted::Refused)),
            Some(None) | None => {
                self.stopped();
                Ok(said(Some(by), Formatted::NoTime))
            }
        }
    }

    /// Whether `text` reads as `tree` does, and holds what is to stay.
    fn is_same(&self, tree: &Tree, text: &[u8], front_end: FrontEnd) -> bool {
        self.filter.admits(text) && reads_the_same(tree, &dwindle_read::tree(text.to_vec(), front_end).0)
    }
}

/// Whether two trees have the same nodes over the same tokens.
fn reads_the_same(one: &Tree, other: &Tree) -> bool {
    let (tokens, other_tokens) = (one.text(), other.text());
    tokens.len() == other_tokens.len()
        && (0..tokens.len()).all(|token| tokens.piece(token) == other_tokens.piece(token))
        && one.nodes().len() == other.nodes().len()
        && (0..one.nodes().len()).all(|node| {
            one.kind_name(node) == other.kind_name(node)
                && one.nodes()[node].tokens() == other.nodes()[node].tokens()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What our own layout makes of a text, if it reads the same.
    fn laid_out(language: &str, input: &str) -> Option<String> {
        let front_end = FrontEnd::named(language).unwrap();
        let (tree, reading) = dwindle_read::tree(input.into(), front_end);
        assert_eq!(reading.fallback, None, "{language}");
        let text = lay_out(tree.text(), Style::of(language)?);
        let same = reads_the_same(&tree, &dwindle_read::tree(text.clone(), front_end).0);
        same.then(|| String::from_utf8(text).unwrap())
    }

    #[track_caller]
    fn check(language: &str, input: &str, expected: &str) {
        let text = laid_out(language, input).expect("the same tokens");
        assert_eq!(text, expected);
        assert_eq!(laid_out(language, &text).as_deref(), Some(expected), "it stays as it is");
    }

    #[test]
    fn statements_stand_in_lines_of_their_own() {
        check(
            "c",
            "int a\n=\n1;struct s{int x;};f(int b){for(;;){if(b)return 1;else{g( b ,(2));}}int c[]={1,2};}",
            "int a = 1;\nstruct s {\n  int x;\n};\nf(int b) {\n  for(;;) {\n    if(b)return 1;\n    else {\n      \
             g(b, (2));\n    }\n  }\n  int c[]={1, 2};\n}\n",
        );
    }

    #[test]
    fn lines_of_the_preprocessor_and_comments_stay() {
        check(
            "c",
            "#define A(x)  x;x\n  #if  A\nint b;int c; // why\nint d;\n#endif\n",
            "#define A(x)  x;x\n#if  A\nint b;\nint c; // why\nint d;\n#endif\n",
        );
    }

    #[test]
    fn lines_that_may_mean_something_stay() {
        check("javascript", "a()\nb();c()", "a()\nb();\nc()\n");
        check("javascript", "function f(){return\n1}", "function f(){return\n  1}\n");
    }

    #[test]
    fn long_values_are_broken_at_their_commas() {
        check(
            "json",
            "{\"a\":[1,2],\"b\":{\"c\":\"a string that is long enough for a line of its own, so that it is broken\"}}",
            "{\n  \"a\":[1, 2],\n  \"b\": {\n    \"c\":\"a string that is long enough for a line of its own, so that it \
             is broken\"\n  }\n}\n",
        );
        check("json", "[1,2]", "[1, 2]\n");
    }

    #[test]
    fn no_language_that_has_a_style_is_laid_out_to_read_otherwise() {
        let with_style =
            dwindle_read::samples().into_iter().filter(|(one, _)| Style::of(one.name()).is_some());
        let (kept, otherwise): (Vec<_>, Vec<_>) = with_style
            .map(|(one, sample)| (one.name(), sample))
            .partition(|(name, sample)| laid_out(name, sample).is_some());
        assert_eq!(otherwise, [], "{kept:?}");
        assert!(kept.len() >= 12, "{kept:?}");
    }

    #[test]
    fn trees_that_differ_do_not_read_the_same() {
        let read = |text: &str| dwindle_read::tree(text.into(), FrontEnd::named("python").unwrap()).0;
        let check =
            |one, other, same| assert_eq!(reads_the_same(&read(one), &read(other)), same, "{other:?}");
        check("if a:\n  b\n  c\n", "if a:\n    b\n\n    c\n", true);
        check("if a:\n  b\n  c\n", "if a:\n  b\nc\n", false);
        check("a = b\n", "a = c\n", false);
    }
}
