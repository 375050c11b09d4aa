//! Regions of a text that stay as they are: what stands between the marks `dwindle: keep` and `dwindle: end`, each in a
//! comment, with both marks.
//!
//! Comments are in the gaps between tokens and go with the token behind them. Those in a region are tokens of no weight
//! instead, so a region is a run of tokens with white space between them, and what follows it can go without its last mark.
//! Where a text is read without a grammar, nobody knows what a comment is: a mark may then stand anywhere in a line, and its
//! line belongs to the region. What is a single token for a grammar may have comments in it, such as a script in HTML: a mark counts
//! there if nothing but signs stands before it in its line.

use std::ops::Range;

use dwindle_core::Tree;

use crate::front_end::{FrontEnd, tree};
use crate::keep_marks::{Mark, marks};

/// What is wrong with the marks of a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongMark {
    /// A region begins in a region.
    #[error(
        "`dwindle: keep` in line {line} stands in the region that begins in line {within}, and regions do not nest; \
         end that one before with `dwindle: end`, or remove this mark"
    )]
    Nested {
        /// Where it begins.
        line: usize,
        /// Where the other one does.
        within: usize,
    },
    /// A region has no end.
    #[error(
        "the region that begins with `dwindle: keep` in line {line} has no end; put `dwindle: end` behind what is to stay, in \
         a comment of its own"
    )]
    Open {
        /// Where it begins.
        line: usize,
    },
    /// There is no region to be ended.
    #[error(
        "`dwindle: end` in line {line} ends no region; put `dwindle: keep` before what is to stay, in a comment of its own, or \
         remove this mark"
    )]
    Alone {
        /// Where it stands.
        line: usize,
    },
}

/// What the marks of a text say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Regions {
    /// The regions, in order.
    pub kept: Vec<Range<usize>>,
    /// The lines with words that would be a mark, but stand in a string or the like.
    pub others: Vec<usize>,
}

/// Whether there are marks in these bytes, wherever they stand.
pub fn has_marks(bytes: &[u8]) -> bool {
    marks(bytes).next().is_some()
}

/// What the marks of a text say; `front_end` is asked what reads it only where there are any.
///
/// # Errors
///
/// Where marks are nested, or one has no partner.
pub fn regions(bytes: &[u8], front_end: impl FnOnce() -> FrontEnd) -> Result<Regions, WrongMark> {
    let mut marked = Regions::default();
    if !has_marks(bytes) {
        return Ok(marked);
    }
    let line_of = |at: usize| memchr::memchr_iter(b'\n', &bytes[..at]).count() + 1;
    let mut open: Option<usize> = None;
    for (at, mark, place) in places(bytes, front_end()) {
        let Some(place) = place else {
            marked.others.push(line_of(at));
            continue;
        };
        match (mark, open) {
            (Mark::Keep, None) => open = Some(place.start),
            (Mark::Keep, Some(within)) => {
                return Err(WrongMark::Nested { line: line_of(at), within: line_of(within) });
            }
            (Mark::End, Some(start)) => {
                marked.kept.push(start..place.end);
                open = None;
            }
            (Mark::End, None) => return Err(WrongMark::Alone { line: line_of(at) }),
        }
    }
    match open {
        Some(start) => Err(WrongMark::Open { line: line_of(start) }),
        None => Ok(marked),
    }
}

/// The marks, and what of the text each is, its comment or its line; nothing where it does not count.
fn places(bytes: &[u8], front_end: FrontEnd) -> Vec<(usize, Mark, Option<Range<usize>>)> {
    let (tree, reading) = tree(bytes.to_vec(), front_end);
    let knows_comments = reading.language != Some(FrontEnd::Brackets.name());
    let text = tree.text();
    let place = |at: usize| {
        // The first token that ends behind the mark.
        let (mut first, mut end) = (0, text.len());
        while first < end {
            let middle = first.midpoint(end);
            if text.span(middle).end <= at { first = middle + 1 } else { end = middle }
        }
        let token = (first < text.len()).then(|| text.span(first)).filter(|span| span.contains(&at));
        let line = line(bytes, at);
        match token {
            _ if !knows_comments => Some(line),
            // In a gap, which has comments of a grammar that says no more of them.
            None => Some(line),
            Some(span) if text.weight(first) == 0 && is_comment(&tree, first) => Some(span),
            // As `<!-- dwindle: keep -->` in Markdown, which is no comment for its grammar. In prose there are words before.
            Some(_) if text.weight(first) == 0 => Some(line).filter(|line| begins(bytes, line, at)),
            // As in a script in HTML. A line of a list of strings begins with a quote.
            Some(span) => Some(line).filter(|line| {
                span.start <= line.start
                    && line.end <= span.end
                    && !b"\"'`".contains(&bytes[line.start])
                    && begins(bytes, line, at)
            }),
        }
    };
    marks(bytes).map(|(at, mark)| (at, mark, place(at))).collect()
}

/// Whether signs stand before a mark in its line, and nothing else.
fn begins(bytes: &[u8], line: &Range<usize>, mark: usize) -> bool {
    line.start < mark && bytes[line.start..mark].iter().all(|byte| !byte.is_ascii_alphanumeric())
}

/// Whether a token is a comment for its grammar.
fn is_comment(tree: &Tree, token: usize) -> bool {
    let leaf = tree.nodes().partition_point(|node| node.tokens().start <= token).saturating_sub(1);
    tree.kind_name(leaf).to_ascii_lowercase().contains("comment")
}

/// The line of a byte, without the white space around it.
fn line(bytes: &[u8], at: usize) -> Range<usize> {
    let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |newline| newline + 1);
    let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |newline| at + newline);
    let blank = |bytes: &[u8], trimmed: &[u8]| bytes.len() - trimmed.len();
    let whole = &bytes[start..end];
    start + blank(whole, whole.trim_ascii_start())..end - blank(whole, whole.trim_ascii_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(language: &str, text: &str, expected: &[&str]) {
        let Ok(front_end) = FrontEnd::of_language(language) else { return };
        let found = regions(text.as_bytes(), || front_end).unwrap().kept;
        let found: Vec<&str> = found.into_iter().map(|region| &text[region]).collect();
        assert_eq!(found, expected, "{language}");
    }

    #[test]
    fn a_region_is_what_stands_between_two_marks_in_comments() {
        let c = "int a; // dwindle: keep\nint b; /* c */\n/* dwindle: end */ int d;\nint e; /*dwindle:keep*/int f;/* the\n dwindle: end */";
        check(
            "c",
            c,
            &[
                "// dwindle: keep\nint b; /* c */\n/* dwindle: end */",
                "/*dwindle:keep*/int f;/* the\n dwindle: end */",
            ],
        );
        check(
            "python",
            "def f():\n    # dwindle: keep\n    a = 1\n    # dwindle: end\n",
            &["# dwindle: keep\n    a = 1\n    # dwindle: end"],
        );
        check(
            "smt2",
            "(a)\n; dwindle: keep\n(b) ; c\n; dwindle: end\n(d)",
            &["; dwindle: keep\n(b) ; c\n; dwindle: end"],
        );
        check(
            "xml",
            "<a><!-- dwindle: keep --><b/><!-- dwindle: end --></a>",
            &["<!-- dwindle: keep --><b/><!-- dwindle: end -->"],
        );
    }

    #[test]
    fn a_comment_that_is_none_for_the_grammar_counts_by_its_line() {
        let markdown = "a\n\n<!-- dwindle: keep -->\nkept\n<!-- dwindle: end -->\n\nb\n";
        check("markdown", markdown, &["<!-- dwindle: keep -->\nkept\n<!-- dwindle: end -->"]);
    }

    #[test]
    fn a_mark_in_a_string_is_none() {
        let check = |language: &str, text: &str, lines: &[usize]| {
            let Ok(front_end) = FrontEnd::of_language(language) else { return };
            let expected = Regions { kept: Vec::new(), others: lines.to_vec() };
            assert_eq!(regions(text.as_bytes(), || front_end), Ok(expected), "{language} {text}");
        };
        check("c", "char *a = \"dwindle: keep\";\nint b;", &[1]);
        check("c", "char *a[] = {\n  \"# dwindle: keep\",\n  \"# dwindle: end\"\n};", &[2, 3]);
        check("python", "a = 'dwindle: keep'\n", &[1]);
        check("markdown", "Prose about dwindle: keep this in mind.\n", &[1]);
    }

    #[test]
    fn a_mark_on_a_line_of_its_own_counts_in_what_is_one_token() {
        let html = "<p>a</p>\n<script>\nf();\n// dwindle: keep\ng( 1 );\n// dwindle: end\nh();\n</script>\n";
        check("html", html, &["// dwindle: keep\ng( 1 );\n// dwindle: end"]);
        let make = "all: a\n\t# dwindle: keep\n\techo  b\n\t# dwindle: end\n\techo c\n";
        check("make", make, &["# dwindle: keep\n\techo  b\n\t# dwindle: end"]);
        let bash = "cat <<E\n# dwindle: keep\na  b\n# dwindle: end\nc\nE\n";
        check("bash", bash, &["# dwindle: keep\na  b\n# dwindle: end"]);
        let c = "#define A \\\n  /* dwindle: keep */ \\\n  b  c \\\n  /* dwindle: end */ \\\n  d\n";
        check("c", c, &["/* dwindle: keep */ \\\n  b  c \\\n  /* dwindle: end */"]);
    }

    #[test]
    fn what_is_no_mark_is_none() {
        check(
            "c",
            "// dwindle: keeper\n// dwindle: keep_it\n// undwindle: keep\n// dwindle: ending\n/* dwindle:\n end */ int a;",
            &[],
        );
    }

    #[test]
    fn a_text_without_a_grammar_has_marks_in_lines() {
        let text = "a\n  -- dwindle: keep --\nb c\n--dwindle: end  \nd\n";
        check("brackets", text, &["-- dwindle: keep --\nb c\n--dwindle: end"]);
    }

    #[test]
    fn marks_that_do_not_fit_are_errors_with_their_lines() {
        let wrong = |text: &str| regions(text.as_bytes(), || FrontEnd::Brackets).unwrap_err();
        let nested = "a\n# dwindle: keep\nb\n# dwindle: keep\nc\n# dwindle: end\n";
        assert_eq!(wrong(nested), WrongMark::Nested { line: 4, within: 2 });
        assert_eq!(wrong("a\n# dwindle: keep\n"), WrongMark::Open { line: 2 });
        assert_eq!(wrong("# dwindle: keep\n# dwindle: end\n# dwindle: end"), WrongMark::Alone { line: 3 });
    }

    #[test]
    fn comments_in_a_region_are_tokens_of_no_weight() {
        for (language, text) in [
            ("c", "/* a */ int b; // dwindle: keep\nint c; /* d */ // dwindle: end\n/* e */ int f;"),
            ("smt2", "; a\n(b) ; dwindle: keep\n(c) ; d\n; dwindle: end\n; e\n(f)"),
        ] {
            let Ok(front_end) = FrontEnd::of_language(language) else { continue };
            let (tree, _) = tree(text.into(), front_end);
            let text = tree.text();
            let comments = (0..text.len()).filter(|&token| text.weight(token) == 0);
            let comments =
                comments.map(|token| String::from_utf8_lossy(text.piece(token))).collect::<Vec<_>>();
            assert_eq!(comments.len(), 3, "{language}: {comments:?}");
            assert!(comments[0].ends_with("dwindle: keep") && comments[2].ends_with("dwindle: end"));
            assert!(text.has_comments(), "those outside are in the gaps");
        }
    }
}
