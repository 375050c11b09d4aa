//! The lexemes of C and its relatives, as far as one must see them to step over code and to find what it returns.

use std::ops::Range;

/// What a lexeme is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or a number.
    Word,
    /// A text in double quotes.
    Text,
    /// A text in single quotes.
    Character,
    /// Anything else, a byte each.
    Sign,
}

/// A piece of code that is neither white space nor a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lexeme<'a> {
    pub(crate) kind: Kind,
    pub(crate) text: &'a str,
    /// Where it starts, in bytes.
    pub(crate) start: usize,
}

impl Lexeme<'_> {
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(crate) fn is(&self, text: &str) -> bool {
        self.kind != Kind::Text && self.kind != Kind::Character && self.text == text
    }

    /// The bytes between the quotes.
    pub(crate) fn unquoted(&self) -> Vec<u8> {
        unquoted(self.text)
    }
}

/// Where white space and comments end that begin at `at`.
pub(crate) fn skip_gap(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            byte if byte.is_ascii_whitespace() => at += 1,
            0xb => at += 1,
            b'/' => match comment(text, at) {
                Some(end) => at = end,
                None => break,
            },
            _ => break,
        }
    }
    at
}

/// The end of the comment that begins at `at`, if one does.
pub(crate) fn comment(text: &str, at: usize) -> Option<usize> {
    let rest = &text.as_bytes()[at..];
    if rest.starts_with(b"/*") {
        Some(find(text, at + 2, "*/").map_or(text.len(), |found| found + 2))
    } else if rest.starts_with(b"//") {
        Some(find(text, at, "\n").unwrap_or(text.len()))
    } else {
        None
    }
}

/// Where `what` is next, from `at` on.
pub(crate) fn find(text: &str, at: usize, what: &str) -> Option<usize> {
    let rest = &text.as_bytes()[at.min(text.len())..];
    rest.windows(what.len()).position(|window| window == what.as_bytes()).map(|found| at + found)
}

/// The end of the line that `at` is in.
pub(crate) fn line_end(text: &str, at: usize) -> usize {
    find(text, at, "\n").unwrap_or(text.len())
}

/// The end of the quoted text that begins at `at`; one that does not end in its line ends with it.
pub(crate) fn quoted_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = at + 1;
    while end < bytes.len() {
        match bytes[end] {
            b'\\' if end + 1 < bytes.len() => end += 1,
            b'\n' => return end,
            byte if byte == bytes[at] => return end + 1,
            _ => {}
        }
        end += 1;
    }
    text.len()
}

/// The first lexeme from `at` on.
pub(crate) fn next(text: &str, at: usize) -> Option<Lexeme<'_>> {
    let start = skip_gap(text, at);
    let first = *text.as_bytes().get(start)?;
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..);
    let (kind, end) = match first {
        b'"' => (Kind::Text, quoted_end(text, start)),
        b'\'' => (Kind::Character, quoted_end(text, start)),
        _ if is_word(&first) => {
            let length = text.as_bytes()[start..].iter().take_while(|byte| is_word(byte)).count();
            (Kind::Word, start + length)
        }
        _ => (Kind::Sign, start + 1),
    };
    Some(Lexeme { kind, text: &text[start..end], start })
}

/// All lexemes of a part of a text.
pub(crate) fn lexemes(text: &str, range: Range<usize>) -> Vec<Lexeme<'_>> {
    let text = &text[..range.end];
    std::iter::successors(next(text, range.start), |before| next(text, before.end())).collect()
}

/// The end of what begins with a brace at `at`, if something does and it has one.
pub(crate) fn braces_end(text: &str, at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = at;
    while let Some(lexeme) = next(text, at) {
        at = lexeme.end();
        match lexeme.text {
            "{" => depth += 1,
            "}" if depth == 1 => return Some(at),
            "}" => depth = depth.checked_sub(1)?,
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The bytes that a quoted text stands for, with C's escapes.
pub(crate) fn unquoted(quoted: &str) -> Vec<u8> {
    let bytes = quoted.as_bytes();
    let quote = bytes.first().copied().unwrap_or(b'"');
    let inner = bytes.get(1..).unwrap_or_default();
    let inner = if inner.ends_with(&[quote]) { &inner[..inner.len() - 1] } else { inner };
    let mut out = Vec::new();
    let mut at = 0;
    while at < inner.len() {
        if inner[at] == b'\\' && at + 1 < inner.len() {
            let (byte, length) = escape(&inner[at + 1..]);
            out.push(byte);
            at += 1 + length;
        } else {
            out.push(inner[at]);
            at += 1;
        }
    }
    out
}

/// The byte that an escape stands for, and its length behind the backslash.
pub(crate) fn escape(rest: &[u8]) -> (u8, usize) {
    let digits = |from: usize, most: usize, radix: u32| {
        let is_digit = |byte: &&u8| (**byte as char).is_digit(radix);
        let count = rest[from..].iter().take(most).take_while(is_digit).count();
        let digit = |byte: &u8| (*byte as char).to_digit(radix).unwrap_or_default();
        let value = rest[from..from + count].iter().fold(0, |value, byte| value * radix + digit(byte));
        // What is too large for a byte keeps its low ones, as in C.
        (value as u8, from + count)
    };
    match rest[0] {
        b'0'..=b'7' => digits(0, 3, 8),
        b'x' if rest.get(1).is_some_and(u8::is_ascii_hexdigit) => digits(1, 2, 16),
        b'n' => (b'\n', 1),
        b't' => (b'\t', 1),
        b'r' => (b'\r', 1),
        b'f' => (0xc, 1),
        b'v' => (0xb, 1),
        b'a' => (7, 1),
        b'b' => (8, 1),
        other => (other, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_quotes_or_comments_is_no_brace() {
        for (text, end) in [
            ("{ a; } b", Some(6)),
            ("{ \"}\" '}' /* } */ // }\n { } }x", Some(29)),
            ("{ '\\'' \"\\\"}\" }x", Some(14)),
            ("{ it's\n } x", Some(9)),
            ("{ {", None),
            ("{ /* }", None),
        ] {
            assert_eq!(braces_end(text, 0), end, "{text}");
        }
    }

    #[test]
    fn escapes_are_those_of_c() {
        assert_eq!(unquoted("'\\n'"), b"\n");
        assert_eq!(unquoted("\"a\\\"\\101\\x41\\0\\\\b\""), b"a\"AA\0\\b");
        assert_eq!(unquoted("'"), b"");
        assert_eq!(unquoted("'\\"), b"\\");
    }
}
