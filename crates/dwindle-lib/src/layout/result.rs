//! The result, laid out for people at the end: one more question, and never another token.
//!
//! A formatter of the language is taken where one is installed, then the layout of the input ([`Conventions`]), then a
//! plain one by brackets ([`Style`]). What each makes is read again: where that gives another tree, or other tokens,
//! the next one is tried, and at last the white space stays as it is. So it does where the test does not find the new
//! layout interesting.

use dwindle_core::{Request, Tree, Variant};
use dwindle_read::{FrontEnd, Size};

use super::brackets::{self, Style};
use super::conventions::{Conventions, Freedom};
use super::foreign;
use crate::driver::{Candidate, World};
use crate::error::Error;
use crate::reduction::Reduction;
use crate::report::{Formatted, Formatting};

/// The name by which our own layout is spoken of.
const OURS: &str = "dwindle";

/// How a result is laid out.
#[derive(Debug)]
pub(crate) struct Manner {
    /// What reads it.
    pub(crate) front_end: FrontEnd,
    /// How its input is laid out.
    pub(crate) conventions: Conventions,
    /// The number of the helper that is a formatter of the language, and its name.
    pub(crate) formatter: Option<(u32, &'static str)>,
}

/// Whether what this reads has a layout. In a text of no known language any white space may mean something.
pub(crate) fn has_layout(front_end: FrontEnd) -> bool {
    !matches!(front_end, FrontEnd::Brackets)
}

/// A text with another layout, and whose that is.
struct Laid {
    by: &'static str,
    text: Vec<u8>,
}

impl Reduction<'_> {
    /// Lays the result out, if the test allows it.
    pub(crate) fn lay_out(&mut self, manner: &Manner) -> Result<Formatting, Error> {
        self.asking.progress.label = "format";
        let tree = dwindle_read::tree(self.kept.bytes.clone(), manner.front_end).0;
        let Some(Laid { by, text }) = self.laid_out(&tree, manner)? else {
            return Ok(Formatting { by: None, outcome: Formatted::Impossible });
        };
        let outcome = if text == self.kept.bytes { Formatted::Already } else { self.ask_last(text)? };
        Ok(Formatting { by: Some(by), outcome })
    }

    /// Makes this text, which has the tokens of the result, the result if it is interesting.
    fn ask_last(&mut self, text: Vec<u8>) -> Result<Formatted, Error> {
        let size = Size::with_tokens(&text, self.kept.size.tokens);
        let candidate = Candidate::of(text, size);
        let is_spent = self.runs_left() < self.asking.terms.rule.until_accepted();
        let outcome = match self.recall(&candidate) {
            Some((verdict, _)) => verdict.outcome,
            None if is_spent || self.asking.stop().is_over() => {
                self.stopped();
                return Ok(Formatted::NoTime);
            }
            None => {
                let tested = self.test_alone(candidate.clone())?;
                let Some((outcome, tested)) = tested.and_then(|tested| Some((tested.outcome?, tested)))
                else {
                    self.stopped();
                    return Ok(Formatted::NoTime);
                };
                if !self.is_timed() && !tested.run.end.is_kill() {
                    self.write_down(candidate.key, &tested)?;
                }
                outcome
            }
        };
        if !outcome.is_interesting() {
            return Ok(Formatted::Refused);
        }
        self.keep(candidate)?;
        Ok(Formatted::Kept)
    }

    /// The text of `tree` laid out by the first that leaves its tokens, and what is to be kept, as they are.
    fn laid_out(&mut self, tree: &Tree, manner: &Manner) -> Result<Option<Laid>, Error> {
        let formatted = match manner.formatter {
            Some((helper, name)) => self.formatted(tree, helper, manner.front_end)?.map(|text| (name, text)),
            None => None,
        };
        let ours = layouts(tree, manner).map(|text| (OURS, text));
        for (by, text) in formatted.into_iter().chain(ours) {
            let text = manner.conventions.with_end(text);
            if self.filter.admits(&text)
                && reads_the_same(tree, &dwindle_read::tree(text.clone(), manner.front_end).0)
            {
                return Ok(Some(Laid { by, text }));
            }
        }
        Ok(None)
    }

    /// What a formatter makes of a text; nothing if it does not end well.
    fn formatted(&mut self, tree: &Tree, helper: u32, front_end: FrontEnd) -> Result<Option<Vec<u8>>, Error> {
        let request = Request { helper, from: 0 };
        let whole = Variant::whole(tree.text().clone());
        let offered = self.asking.offers_alone(whole, request).map_err(|fault| self.fault(fault))?;
        self.stopped();
        let formatted = offered.filter(|text| !text.is_empty());
        let read = |text| dwindle_read::tree(text, front_end).0;
        Ok(formatted.and_then(|text| foreign::with_gaps_of(tree.text(), read(text).text())))
    }
}

/// Our own layouts, from the one that changes most to the one that changes least.
fn layouts<'t>(tree: &'t Tree, manner: &'t Manner) -> impl Iterator<Item = Vec<u8>> + 't {
    let conventions = &manner.conventions;
    let like_input = || Freedom::ALL.into_iter().map(|freedom| conventions.lay_out(tree, freedom));
    let by_brackets = Style::of(manner.front_end.name()).map(|style| brackets::lay_out(tree.text(), style));
    // Where nothing could be learned from the input, its own layout is the lesser one.
    let (before, behind) = if conventions.is_empty() { (0, 3) } else { (3, 0) };
    like_input().take(before).chain(by_brackets).chain(like_input().take(behind))
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
        let text = brackets::lay_out(tree.text(), Style::of(language)?);
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
    fn deep_nests_do_not_become_wide_texts() {
        let front_end = FrontEnd::named("json").unwrap();
        let read = |text: &str| dwindle_read::tree(text.into(), front_end).0;
        let text = ["[".repeat(3000), "]".repeat(3000)].concat();
        let tree = read(&text);
        let by_brackets = brackets::lay_out(tree.text(), Style::of("json").unwrap());
        let conventions = Conventions::of(&read("[\n    [\n        [\n            1\n        ]\n    ]\n]\n"));
        for laid_out in [by_brackets, conventions.lay_out(&tree, Freedom::All)] {
            let times = laid_out.len() / text.len();
            assert!((2..300).contains(&times), "{times}");
        }
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
