//! A lexer for any language: words, numbers, quoted strings, and every other character alone.
//!
//! A word starts with a letter, `_` or a byte from 0x80 on and goes on with these and digits; a
//! number starts with a digit and goes on with letters, digits, `_` and `.`; a string stands between
//! two equal quotes on one line, `\` escaping the next character; a quote without its partner is a
//! token of its own. White space is what separates tokens.

use std::ops::Range;

/// The tokens of `bytes` as byte ranges, in order. Linear in the length.
pub fn tokens(bytes: &[u8]) -> impl Iterator<Item = Range<u32>> + '_ {
    let mut at = 0;
    // The end of the line on which a quote is known to have no partner: every later quote of that
    // kind on the line was escaped when the search came past it, and has none either.
    let mut lone_until = [0; 2];
    std::iter::from_fn(move || {
        at += bytes[at..].iter().position(|&byte| !is_space(byte))?;
        let start = at;
        let rest = &bytes[start..];
        at += match rest[0] {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => length(rest, |byte| is_word(byte) || byte >= 0x80),
            b'0'..=b'9' => length(rest, |byte| is_word(byte) || byte == b'.'),
            quote @ (b'"' | b'\'') => {
                let lone_until = &mut lone_until[usize::from(quote == b'"')];
                if start < *lone_until {
                    1
                } else {
                    string(rest).unwrap_or_else(|line_end| {
                        *lone_until = start + line_end;
                        1
                    })
                }
            }
            _ => 1,
        };
        Some(start as u32..at as u32)
    })
}

/// The number of tokens.
pub fn count(bytes: &[u8]) -> usize {
    tokens(bytes).count()
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn length(bytes: &[u8], belongs: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|&byte| !belongs(byte)).unwrap_or(bytes.len())
}

/// The length of the string that starts `bytes`, or how far its line was searched for an end.
fn string(bytes: &[u8]) -> Result<usize, usize> {
    let quote = bytes[0];
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' => break,
            b'\\' if matches!(bytes.get(at + 1), None | Some(b'\n')) => break,
            b'\\' => at += 2,
            _ if byte == quote => return Ok(at + 1),
            _ => at += 1,
        }
    }
    Err(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &[u8], expect: &[&[u8]]) {
        let found: Vec<&[u8]> =
            tokens(input).map(|span| &input[span.start as usize..span.end as usize]).collect();
        assert_eq!(found, expect, "{}", input.escape_ascii());
    }

    #[test]
    fn words_numbers_strings_and_single_characters_are_tokens() {
        check(b"int x1=0xFFul+3.5e;", &[b"int", b"x1", b"=", b"0xFFul", b"+", b"3.5e", b";"]);
        check(b"f(\"a\\\"b\", 'c')", &[b"f", b"(", b"\"a\\\"b\"", b",", b"'c'", b")"]);
        check(b"caf\xe9 \xff\x001", &[b"caf\xe9", b"\xff", b"\0", b"1"]);
        check(b"a\x0bb\x0cc\r\nd", &[b"a", b"b", b"c", b"d"]);
    }

    #[test]
    fn a_quote_without_its_partner_on_the_line_stands_alone() {
        check(b"don't\nwon't", &[b"don", b"'", b"t", b"won", b"'", b"t"]);
        check(b"\"a\\\nb\"", &[b"\"", b"a", b"\\", b"b", b"\""]);
        check(b"\"\\\"x' \"'\"", &[b"\"\\\"x' \"", b"'", b"\""]);
        check(b"\"\\", &[b"\"", b"\\"]);
    }

    #[test]
    fn many_lone_quotes_on_a_line_take_linear_time() {
        let line = b"\\\"".repeat(500_000);
        assert_eq!(count(&[b"\"", &line[..]].concat()), 1_000_001);
    }
}
