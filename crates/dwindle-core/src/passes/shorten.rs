//! Shorten: characters go out of strings and numbers, in which nothing shorter is a token of its own (T-Rec,
//! section 3), and out of names: there the same ones wherever the name is mentioned. Numbers and names keep
//! their first character; an escape is one character. Each is a choice: which go together is up to the list
//! minimiser.

use alloc::vec::Vec;
use core::ops::Range;

use super::choice::{Change, Choice, Edit};
use super::lexical::{Lexical, quote_of};

/// Characters of strings and numbers.
pub(super) fn literals(lexical: &Lexical<'_>) -> Vec<Choice> {
    let of_token = |token: usize| {
        let piece = lexical.text.piece(token);
        let bytes = if lexical.is_number(token) {
            1..piece.len()
        } else {
            let quote = quote_of(piece, lexical.is_string(token)).unwrap_or(piece.len());
            quote..piece.len().saturating_sub(quote)
        };
        cuts(lexical, &[token], bytes)
    };
    (0..lexical.text.len()).filter(|&token| !lexical.is_name(token)).flat_map(of_token).collect()
}

/// Characters of names.
pub(super) fn names(lexical: &Lexical<'_>) -> Vec<Choice> {
    let of_name = |mentions: &[usize]| cuts(lexical, mentions, 1..lexical.text.piece(mentions[0]).len());
    lexical.names().iter().flat_map(|name| of_name(&name.mentions)).collect()
}

/// Each character of a range of bytes goes, at each of these tokens.
fn cuts(lexical: &Lexical<'_>, tokens: &[usize], bytes: Range<usize>) -> Vec<Choice> {
    let characters = characters(lexical.text.piece(tokens[0]), bytes);
    let cut = |cut: Range<usize>| {
        let edits = tokens.iter().map(|&token| Edit::cut(lexical.text, token, cut.clone()));
        Choice::one(Change::new(edits.collect()))
    };
    characters.into_iter().map(cut).collect()
}

/// The characters of a range of bytes, by UTF-8 as far as it is, with what a backslash escapes.
fn characters(piece: &[u8], bytes: Range<usize>) -> Vec<Range<usize>> {
    let mut characters: Vec<Range<usize>> = Vec::new();
    let mut at = bytes.start;
    while at < bytes.end {
        let mut end = at + if piece[at] == b'\\' { 2 } else { 1 };
        if end - at == 2 && matches!(piece.get(at + 1), Some(b'x' | b'u' | b'U' | b'0'..=b'7')) {
            end += piece[end..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        }
        end += piece[end.min(bytes.end)..bytes.end].iter().take_while(|&&byte| byte & 0xc0 == 0x80).count();
        characters.push(at..end.min(bytes.end));
        at = end;
    }
    characters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_escape_is_one_character() {
        let check = |piece: &str, expect: &[&str]| {
            let characters = characters(piece.as_bytes(), 0..piece.len());
            let strings: Vec<&str> = characters.into_iter().map(|range| &piece[range]).collect();
            assert_eq!(strings, expect, "{piece}");
        };
        check("abc", &["a", "b", "c"]);
        check("a\\n\\x1Fz", &["a", "\\n", "\\x1F", "z"]);
        check("\\u00e4é\\", &["\\u00e4", "é", "\\"]);
    }
}
