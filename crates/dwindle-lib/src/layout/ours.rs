//! Our own layouts of a text, of which one is taken that changes nothing but white space.

use dwindle_core::Tree;
use dwindle_read::FrontEnd;

use super::brackets::{self, Style};
use super::conventions::{Conventions, Freedom};

/// Whether what this reads has a layout. In a text of no known language any white space may mean something.
pub(crate) fn has_layout(front_end: FrontEnd) -> bool {
    !matches!(front_end, FrontEnd::Brackets)
}

/// The text of `tree` by the first of our own layouts, from the one that changes most to the one that changes least, that leaves its
/// tokens as they are and that `admits` allows.
pub(super) fn own_layout(
    tree: &Tree,
    front_end: FrontEnd,
    conventions: &Conventions,
    admits: impl Fn(&[u8]) -> bool,
) -> Option<Vec<u8>> {
    let like_input = || Freedom::ALL.into_iter().map(|freedom| conventions.lay_out(tree, freedom));
    let by_brackets = Style::of(front_end.name()).map(|style| brackets::lay_out(tree.text(), style));
    // Where nothing could be learned from the input, its own layout is the lesser one.
    let (before, behind) = if conventions.is_empty() { (0, 3) } else { (3, 0) };
    let all = like_input().take(before).chain(by_brackets).chain(like_input().take(behind));
    let mut all = all.map(|text| conventions.with_ends(text));
    all.find(|text| admits(text) && reads_the_same(tree, text, front_end))
}

/// Whether a text has the nodes of a tree, over the same tokens.
pub(super) fn reads_the_same(tree: &Tree, text: &[u8], front_end: FrontEnd) -> bool {
    let other = dwindle_read::tree(text.to_vec(), front_end).0;
    let (tokens, other_tokens) = (tree.text(), other.text());
    tokens.len() == other_tokens.len()
        && (0..tokens.len()).all(|token| tokens.piece(token) == other_tokens.piece(token))
        && tree.nodes().len() == other.nodes().len()
        && (0..tree.nodes().len()).all(|node| {
            tree.kind_name(node) == other.kind_name(node) && tree.tokens(node) == other.nodes()[node].tokens()
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
        let same = reads_the_same(&tree, &text, front_end);
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
    fn carriage_returns_keep_no_language_from_being_laid_out() {
        let lost: Vec<_> = dwindle_read::samples()
            .into_iter()
            .filter(|(one, sample)| {
                let front_end = FrontEnd::named(one.name()).unwrap();
                let has_layout = |text: String| {
                    let tree = dwindle_read::tree(text.into(), front_end).0;
                    own_layout(&tree, front_end, &Conventions::of(&tree), |_| true).is_some()
                };
                has_layout(sample.to_string()) && !has_layout(sample.replace('\n', "\r\n"))
            })
            .map(|(one, _)| one.name())
            .collect();
        assert_eq!(lost, [""; 0]);
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
        let python = FrontEnd::named("python").unwrap();
        let check = |one: &str, other: &str, same| {
            let tree = dwindle_read::tree(one.into(), python).0;
            assert_eq!(reads_the_same(&tree, other.as_bytes(), python), same, "{other:?}");
        };
        check("if a:\n  b\n  c\n", "if a:\n    b\n\n    c\n", true);
        check("if a:\n  b\n  c\n", "if a:\n  b\nc\n", false);
        check("a = b\n", "a = c\n", false);
    }
}
