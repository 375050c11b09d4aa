//! Lists: from bytes to the [`Text`] that a list search works on.

use std::sync::Arc;

use dwindle_core::{Format, Pieces, Quotes, Text, Tokens};

use crate::cancellation;
use crate::lexer;

/// Cuts `bytes` into pieces. Lines weigh their tokens, all other pieces 1. Any bytes will do;
/// offsets are kept in 32 bits, so there may be 4 GiB of them.
pub fn cut(bytes: Vec<u8>, format: Format) -> Arc<Text> {
    let text = match format {
        Format::Bytes => Text::new(bytes, Pieces::Bytes),
        Format::Chars => {
            let starts = char_starts(&bytes);
            Text::new(bytes, Pieces::Starts(starts))
        }
        Format::Lines => {
            let weights: Vec<u32> = lines(&bytes).map(|line| lexer::count(line) as u32).collect();
            in_lines(bytes, &weights)
        }
        Format::Tokens => {
            let tokens = Tokens::new(&bytes, lexer::tokens(&bytes).collect(), Quotes::MayJoin);
            Text::new(bytes, Pieces::Tokens(tokens))
        }
    };
    Arc::new(text.cancelled_by(cancellation::current()))
}

/// Cuts `bytes` into its lines, one weight for each. The weights may add up to 4 billion.
pub fn cut_lines(bytes: Vec<u8>, weights: &[u32]) -> Arc<Text> {
    Arc::new(in_lines(bytes, weights).cancelled_by(cancellation::current()))
}

fn in_lines(bytes: Vec<u8>, weights: &[u32]) -> Text {
    let starts = lines(&bytes).scan(0, |at, line| Some(std::mem::replace(at, *at + line.len() as u32)));
    let starts = starts.collect();
    Text::new(bytes, Pieces::Starts(starts)).with_weights(weights)
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n')
}

/// Where characters start; a byte that is part of no UTF-8 character is one by itself.
fn char_starts(bytes: &[u8]) -> Vec<u32> {
    let mut starts = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        starts.extend(chunk.valid().char_indices().map(|(offset, _)| at + offset as u32));
        at += chunk.valid().len() as u32;
        starts.extend((0..chunk.invalid().len() as u32).map(|offset| at + offset));
        at += chunk.invalid().len() as u32;
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;
    use dwindle_core::{Subset, Variant};
    use proptest::prelude::*;

    fn check(input: &str, kept: &[usize], expect: &str) {
        let text = cut(input.into(), Format::Tokens);
        let mut subset = Subset::empty(text.len());
        kept.iter().for_each(|&token| subset.insert(token));
        let rendered = Variant { kept: subset, ..Variant::whole(text) }.render();
        assert_eq!(String::from_utf8_lossy(&rendered), expect, "{input:?} {kept:?}");
    }

    #[test]
    fn the_gaps_of_tokens_that_went_go_with_them() {
        check("a  b c;\n", &[0, 2, 3], "a c;\n");
        check("a,b,c", &[0, 3, 4], "a,c");
        check("a b", &[], "");
        check(" \n ", &[], " \n ");
    }

    #[test]
    fn one_newline_stays_with_the_indentation_of_its_line() {
        check("if x:\n\n    y; z\nw\n", &[0, 5], "if\n    z\n");
        check("a\r\n\r\n b c\r\nd", &[0, 2], "a\r\n c\r\n".trim_end());
        check("a\n  b c\n", &[2], "  c\n");
        check("\n\n  a b", &[1], "  b");
        check("\n\n  a b", &[0], "\n\n  a");
    }

    #[test]
    fn tokens_that_could_join_get_a_blank() {
        check("a+b", &[0, 2], "a b");
        check("x+(+y)", &[1, 3], "+ +");
        check("L,\"s\"", &[0, 2], "L \"s\"");
        check("(a)", &[0, 2], "()");
    }

    #[test]
    fn a_lone_quote_finds_no_partner() {
        check("\"\\\"x", &[0, 2], "\" \n\"");
        check("a' b\n'c", &[1, 3, 4], "'\n'c");
    }

    fn source() -> impl Strategy<Value = Vec<u8>> {
        let byte = prop::sample::select(b"ab1._ \t\n\r\"'\\+/(;\xe9\xff".to_vec());
        prop::collection::vec(byte, 0..60)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn all_pieces_make_the_input_again(bytes in prop::collection::vec(any::<u8>(), 0..60), source in source()) {
            for input in [bytes, source] {
                for format in [Format::Bytes, Format::Chars, Format::Lines, Format::Tokens] {
                    prop_assert_eq!(&Variant::whole(cut(input.clone(), format)).render(), &input, "{:?}", format);
                }
            }
        }

        #[test]
        fn the_lexer_sees_exactly_the_kept_tokens(source in source(), kept in prop::collection::vec(any::<bool>(), 60)) {
            let spans: Vec<_> = lexer::tokens(&source).map(|span| span.start as usize..span.end as usize).collect();
            let text = cut(source.clone(), Format::Tokens);
            let mut subset = Subset::empty(text.len());
            (0..text.len()).filter(|&i| kept[i]).for_each(|i| subset.insert(i));
            let expected: Vec<&[u8]> = subset.iter().map(|i| &source[spans[i].clone()]).collect();
            let rendered = Variant { kept: subset, ..Variant::whole(text) }.render();
            let seen: Vec<&[u8]> =
                lexer::tokens(&rendered).map(|span| &rendered[span.start as usize..span.end as usize]).collect();
            prop_assert_eq!(seen, expected, "{:?}", rendered.escape_ascii().to_string());
        }

        #[test]
        fn lines_weigh_their_tokens(source in source()) {
            let text = cut(source.clone(), Format::Lines);
            prop_assert_eq!(text.tokens(&Subset::full(text.len())).unwrap_or(0), lexer::count(&source) as u64);
        }
    }
}
