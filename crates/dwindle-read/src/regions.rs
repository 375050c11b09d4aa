//! Regions of a text that stay as they are: what stands between the marks `dwindle: keep` and `dwindle: end`, each in a
//! comment, with both marks.
//!
//! Comments are in the gaps between tokens and go with the token behind them. Those in a region are tokens of no weight
//! instead, so a region is a run of tokens with white space between them, and what follows it can go without its last mark.
//! Where a text is read without a grammar, nobody knows what a comment is: a mark may then stand anywhere in a line, and its
//! line belongs to the region. What is a single token for a grammar may have comments in it, such as a script in HTML: a mark
//! there counts if nothing but signs stands before it in its line, and if it has a partner. Text may look like that, so what has
//! none is no error. In a string no mark counts.

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
        "the region that begins with `dwindle: keep` in line {line} has no end; put `dwindle: end` behind what is to stay, or \
         remove this mark"
    )]
    Open {
        /// Where it begins.
        line: usize,
    },
    /// There is no region to be ended.
    #[error(
        "`dwindle: end` in line {line} ends no region; put `dwindle: keep` before what is to stay, or remove \
         this mark"
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
    /// The lines of marks that keep nothing: those in strings and in prose, and single ones in what is one token.
    pub stray: Vec<usize>,
}

/// Whether there are marks in these bytes, wherever they stand.
pub fn has_marks(bytes: &[u8]) -> bool {
    marks(bytes).next().is_some()
}

/// What the marks of a text say; `front_end` is asked what reads it only where there are any.
///
/// # Errors
///
/// Where marks in comments are nested, or one has no partner.
pub fn regions(bytes: &[u8], front_end: impl FnOnce() -> FrontEnd) -> Result<Regions, WrongMark> {
    let (mut kept, mut stray) = (Vec::new(), Vec::new());
    if !has_marks(bytes) {
        return Ok(Regions { kept, stray });
    }
    let line_of = |at: usize| memchr::memchr_iter(b'\n', &bytes[..at]).count() + 1;
    let (counting, nowhere): (Vec<Found>, Vec<Found>) =
        find(bytes, front_end()).into_iter().partition(|found| found.place.is_some());
    stray.extend(nowhere.iter().map(|found| line_of(found.at)));
    let ends_follow = ends_in_comments_follow(&counting);
    let mut open: Option<(Range<usize>, bool)> = None;
    for (index, Found { at, mark, place, is_sure }) in counting.iter().enumerate() {
        // Comments are each other's partners first.
        let has_partner = || match (mark, &open) {
            (Mark::Keep, None) => counting.get(index + 1).is_some_and(|next| next.mark == Mark::End),
            (Mark::End, Some((_, is_sure))) => !is_sure || !ends_follow[index],
            _ => false,
        };
        let Some(place) = place.clone().filter(|_| *is_sure || has_partner()) else {
            stray.push(line_of(*at));
            continue;
        };
        match (mark, open.take()) {
            (Mark::Keep, None) => open = Some((place, *is_sure)),
            (Mark::Keep, Some((within, _))) => {
                return Err(WrongMark::Nested { line: line_of(*at), within: line_of(within.start) });
            }
            (Mark::End, Some((first, _))) => kept.push(first.start..place.end),
            (Mark::End, None) => return Err(WrongMark::Alone { line: line_of(*at) }),
        }
    }
    if let Some((first, _)) = open {
        return Err(WrongMark::Open { line: line_of(first.start) });
    }
    stray.sort_unstable();
    Ok(Regions { kept, stray })
}

/// Of each mark, whether the next one in a comment ends a region.
fn ends_in_comments_follow(all: &[Found]) -> Vec<bool> {
    let mut ends_next = false;
    let mut follow = vec![false; all.len()];
    for (found, follows) in all.iter().zip(&mut follow).rev() {
        *follows = ends_next;
        if found.is_sure {
            ends_next = found.mark == Mark::End;
        }
    }
    follow
}

/// A mark.
struct Found {
    at: usize,
    mark: Mark,
    /// What of the text it is, its comment or its line; nothing where it does not count.
    place: Option<Range<usize>>,
    /// Whether it counts in any case, and not only with a partner.
    is_sure: bool,
}

/// All marks of a text.
fn find(bytes: &[u8], front_end: FrontEnd) -> Vec<Found> {
    let (tree, reading) = tree(bytes.to_vec(), front_end);
    let knows_comments = reading.language != Some(FrontEnd::Brackets.name());
    let text = tree.text();
    let found = |(at, mark)| {
        // The first token that ends behind the mark.
        let (mut first, mut end) = (0, text.len());
        while first < end {
            let middle = first.midpoint(end);
            if text.span(middle).end <= at { first = middle + 1 } else { end = middle }
        }
        let token = (first < text.len()).then(|| text.span(first)).filter(|span| span.contains(&at));
        let line = line(bytes, at);
        let (place, is_sure) = match token {
            _ if !knows_comments => (Some(line), true),
            // In a gap, which has comments of a grammar that says no more of them.
            None => (Some(line), true),
            Some(span) if text.weight(first) == 0 && is_comment(&tree, first) => (Some(span), true),
            Some(_) if is_string(&tree, first) => (None, false),
            // As `<!-- dwindle: keep -->` in Markdown, which is no comment for its grammar. In prose there are words before.
            Some(_) if text.weight(first) == 0 => (Some(line).filter(|line| begins(bytes, line, at)), false),
            // As in a script in HTML. A line of a list of strings begins with a quote.
            Some(span) => {
                let is_own = |line: &Range<usize>| {
                    span.start <= line.start
                        && line.end <= span.end
                        && !b"\"'`".contains(&bytes[line.start])
                        && begins(bytes, line, at)
                };
                (Some(line).filter(is_own), false)
            }
        };
        Found { at, mark, place, is_sure }
    };
    marks(bytes).map(found).collect()
}

/// Whether signs stand before a mark in its line, and nothing else.
fn begins(bytes: &[u8], line: &Range<usize>, mark: usize) -> bool {
    line.start < mark && bytes[line.start..mark].iter().all(|byte| !byte.is_ascii_alphanumeric())
}

/// Whether a token is a comment for its grammar.
fn is_comment(tree: &Tree, token: usize) -> bool {
    kinds(tree, token).next().is_some_and(|kind| kind.contains("comment"))
}

/// Whether a token is in a string for its grammar, and not in a heredoc, which is often a script.
fn is_string(tree: &Tree, token: usize) -> bool {
    let has = |names: [&str; 2], depth| {
        kinds(tree, token).take(depth).any(|kind| names.iter().any(|name| kind.contains(name)))
    };
    has(["string", "template"], 2) && !has(["heredoc", "nowdoc"], 3)
}

/// The names of the kinds of a token and of the nodes around it, in lower case.
fn kinds(tree: &Tree, token: usize) -> impl Iterator<Item = String> {
    let leaf = tree.nodes().partition_point(|node| node.tokens().start <= token).saturating_sub(1);
    tree.around(leaf).map(|node| tree.kind_name(node).to_ascii_lowercase())
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
            let expected = Regions { kept: Vec::new(), stray: lines.to_vec() };
            assert_eq!(regions(text.as_bytes(), || front_end), Ok(expected), "{language} {text}");
        };
        check("c", "char *a = \"dwindle: keep\";\nint b;", &[1]);
        check("c", "char *a[] = {\n  \"# dwindle: keep\",\n  \"# dwindle: end\"\n};", &[2, 3]);
        check("python", "a = 'dwindle: keep'\n", &[1]);
        check("markdown", "Prose about dwindle: keep this in mind.\n", &[1]);
        let lines = "\n  # dwindle: keep\n  a  b\n  # dwindle: end\n";
        for (language, before, behind) in [
            ("python", "def f():\n  \"\"\"", "\"\"\"\n"),
            ("python", "a = f'''{b}", "{c}'''\n"),
            ("javascript", "let a = `${b}", "${c}`;\n"),
            ("typescript", "let a = `", "`;\n"),
            ("rust", "const A: &str = \"", "\";\n"),
            ("rust", "const A: &str = r#\"", "\"#;\n"),
            ("go", "package a\nvar b = `", "`\n"),
            ("ruby", "a = \"", "\"\n"),
            ("ruby", "a = %q(", ")\n"),
            ("toml", "a = \"\"\"", "\"\"\"\n"),
            ("toml", "a = '''", "'''\n"),
            ("java", "class A { String a = \"\"\"", "\"\"\"; }\n"),
            ("cpp", "char *a = R\"(", ")\";\n"),
            ("bash", "a=\"", "\"\n"),
            ("bash", "a='", "'\n"),
            ("php", "<?php $a = '", "';\n"),
        ] {
            let first = before.lines().count();
            check(language, &format!("{before}{lines}{behind}"), &[first + 1, first + 3]);
        }
    }

    #[test]
    fn a_mark_without_a_partner_in_what_is_one_token_is_none() {
        let heredoc = |lines: &[&str]| format!("cat <<E\n{}\nE\n", lines.join("\n"));
        let [keep, end] = ["# dwindle: keep", "# dwindle: end"];
        let check = |text: &str, kept: &[&str], stray: &[usize]| {
            let Ok(front_end) = FrontEnd::of_language("bash") else { return };
            let found = regions(text.as_bytes(), || front_end).unwrap();
            let found_kept: Vec<&str> = found.kept.into_iter().map(|region| &text[region]).collect();
            assert_eq!((&*found_kept, &*found.stray), (kept, stray), "{text}");
        };
        let region = format!("{keep}\na\n{end}");
        check(&heredoc(&[keep, "a"]), &[], &[2]);
        check(&heredoc(&["a", end]), &[], &[3]);
        check(&heredoc(&[end, keep]), &[], &[2, 3]);
        check(&heredoc(&[keep, "a", keep, "a", end, "a", end]), &[&region], &[2, 8]);
        for single in [keep, end] {
            let single = heredoc(&[single]);
            check(&format!("{single}{region}\n"), &[&region], &[2]);
            check(&format!("{region}\n{single}"), &[&region], &[5]);
            check(&format!("{keep}\n{single}{end}\n"), &[&format!("{keep}\n{single}{end}")], &[3]);
        }
        let both = heredoc(&[keep, end]);
        check(&format!("{keep}\n{both}{end}\n"), &[&format!("{keep}\n{both}{end}")], &[3, 4]);
        // A region may begin in a comment and end in a token, as in a recipe of make.
        check(
            &format!("{keep}\n{}", heredoc(&["a", end, "b"])),
            &[&format!("{keep}\ncat <<E\na\n{end}")],
            &[],
        );
        check(&format!("{}{end}\n", heredoc(&["a", keep])), &[&format!("{keep}\nE\n{end}")], &[]);
    }

    #[test]
    fn a_heredoc_is_no_string() {
        let body = "# dwindle: keep\na  b\n# dwindle: end";
        for (language, before, behind) in [
            ("bash", "cat <<E", ""),
            ("bash", "cat <<'E'", ""),
            ("ruby", "a = <<E", ""),
            ("php", "<?php\n$a = <<<E", ";"),
            ("php", "<?php\n$a = <<<'E'", ";"),
        ] {
            check(language, &format!("{before}\nc\n{body}\nd\nE{behind}\n"), &[body]);
        }
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
