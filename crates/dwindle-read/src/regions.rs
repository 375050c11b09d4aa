//! Regions of a text that stay as they are: what stands between the marks `dwindle: keep` and `dwindle: end`, each in a
//! comment, with both marks.
//!
//! Comments are in the gaps between tokens and go with the token behind them. Those in a region are tokens of no weight
//! instead, so a region is a run of tokens with white space between them, and what follows it can go without its last mark.
//! Where a text is read without a grammar, nobody knows what a comment is: a mark may then stand anywhere in a line, and its
//! line belongs to the region.

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

/// The regions of a text, in order; `front_end` is asked what reads it only where there are marks.
///
/// # Errors
///
/// Where marks are nested, or one has no partner.
pub fn regions(bytes: &[u8], front_end: impl FnOnce() -> FrontEnd) -> Result<Vec<Range<usize>>, WrongMark> {
    if marks(bytes).next().is_none() {
        return Ok(Vec::new());
    }
    let line_of = |at: usize| memchr::memchr_iter(b'\n', &bytes[..at]).count() + 1;
    let (mut regions, mut open): (Vec<Range<usize>>, Option<usize>) = (Vec::new(), None);
    for (at, mark, place) in places(bytes, front_end()) {
        match (mark, open) {
            (Mark::Keep, None) => open = Some(place.start),
            (Mark::Keep, Some(within)) => {
                return Err(WrongMark::Nested { line: line_of(at), within: line_of(within) });
            }
            (Mark::End, Some(start)) => {
                regions.push(start..place.end);
                open = None;
            }
            (Mark::End, None) => return Err(WrongMark::Alone { line: line_of(at) }),
        }
    }
    match open {
        Some(start) => Err(WrongMark::Open { line: line_of(start) }),
        None => Ok(regions),
    }
}

/// The marks that count, and what of the text each is: its comment, or its line.
fn places(bytes: &[u8], front_end: FrontEnd) -> Vec<(usize, Mark, Range<usize>)> {
    let (tree, reading) = tree(bytes.to_vec(), front_end);
    let knows_comments = reading.language != Some(FrontEnd::Brackets.name());
    let text = tree.text();
    let counts = |at: usize| {
        // The first token that ends behind the mark.
        let (mut first, mut end) = (0, text.len());
        while first < end {
            let middle = first.midpoint(end);
            if text.span(middle).end <= at { first = middle + 1 } else { end = middle }
        }
        let token = (first < text.len()).then(|| text.span(first)).filter(|span| span.contains(&at));
        match token {
            _ if !knows_comments => Some(line(bytes, at)),
            Some(span) if text.weight(first) == 0 && is_comment(&tree, first) => Some(span),
            // As `<!-- dwindle: keep -->` in Markdown, which is no comment for its grammar. In prose there are words before.
            Some(_) if text.weight(first) == 0 => {
                let line = line(bytes, at);
                let begins = bytes[line.start..at].iter().all(|byte| !byte.is_ascii_alphanumeric());
                (begins && line.start < at).then_some(line)
            }
            Some(_) => None,
            // In a gap, which has comments of a grammar that says no more of them.
            None => Some(line(bytes, at)),
        }
    };
    marks(bytes).filter_map(|(at, mark)| Some((at, mark, counts(at)?))).collect()
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
        let found = regions(text.as_bytes(), || front_end).unwrap();
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
        check("markdown", "Prose about dwindle: keep this in mind.\n", &[]);
    }

    #[test]
    fn a_mark_in_a_string_is_none() {
        check("c", "char *a = \"dwindle: keep\";\nint b;", &[]);
        check("python", "a = 'dwindle: keep'\n", &[]);
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
