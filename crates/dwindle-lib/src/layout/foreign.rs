//! The white space of a formatter, around tokens that stay as they are.
//!
//! Formatters add trailing commas, take semicolons away and change quotes. That is no reason to do without their
//! layout: where both texts have the same tokens they have the same gaps afterwards.

use dwindle_core::Text;
use similar::{Algorithm, DiffTag, capture_diff_slices};

/// The tokens of `text` with the gaps of `formatted`, unless that is another text. Comments are gaps: those of the
/// formatter are as good.
pub(crate) fn with_gaps_of(text: &Text, formatted: &Text) -> Option<Vec<u8>> {
    let [ours, theirs] =
        [text, formatted].map(|text| (0..text.len()).map(|i| text.piece(i)).collect::<Vec<_>>());
    let mut out = Vec::with_capacity(formatted.bytes().len());
    // Behind the last token of the formatter that is one of ours, and how many are.
    let (mut done, mut same) = (0, 0);
    for operation in capture_diff_slices(Algorithm::Myers, &ours, &theirs) {
        let (tag, ours, theirs) = operation.as_tag_tuple();
        match tag {
            DiffTag::Equal => {
                for (token, other) in ours.zip(theirs) {
                    let gaps = (done..=other).map(|other| formatted.gap(other));
                    // Around what the formatter has put in there are several: a line ends where it has ended one.
                    let widest = gaps.max_by_key(|gap| (gap.contains(&b'\n'), gap.len()));
                    out.extend_from_slice(widest.unwrap_or_default());
                    out.extend_from_slice(text.piece(token));
                    (done, same) = (other + 1, same + 1);
                }
            }
            DiffTag::Delete | DiffTag::Replace => {
                for token in ours {
                    out.extend_from_slice(text.gap(token));
                    out.extend_from_slice(text.piece(token));
                }
                done = theirs.end;
            }
            DiffTag::Insert => {}
        }
    }
    out.extend_from_slice(formatted.gap(formatted.len()));
    (2 * same > text.len()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dwindle_read::FrontEnd;

    #[track_caller]
    fn check(ours: &str, formatted: &str, expected: Option<&str>) {
        let read = |text: &str| dwindle_read::tree(text.into(), FrontEnd::named("rust").unwrap()).0;
        let text = with_gaps_of(read(ours).text(), read(formatted).text());
        assert_eq!(text.as_deref().map(String::from_utf8_lossy).as_deref(), expected);
    }

    #[test]
    fn what_a_formatter_adds_changes_or_takes_leaves_its_layout() {
        check("f( a,b )", "f(a, b)\n", Some("f(a, b)\n"));
        check("f(a,b);", "f(\n    a,\n    b,\n);\n", Some("f(\n    a,\n    b\n);\n"));
        check("use b;use a;", "use b;\nuse a;\n", Some("use b;\nuse a;\n"));
        check("return x;", "return (x);\n", Some("return x;\n"));
        check("g('a',c)", "g(\"a\",\n  c)\n", Some("g('a',\n  c)\n"));
        check("g(a,c)", "h()", None);
        check("g(a,,c)", "g(a,\n  c)\n", Some("g(a,,\n  c)\n"));
    }
}
