//! What others wrote, as people are shown it: names, and what programs print.
//!
//! A terminal obeys what it is sent: a name or an output could set its title, wipe what stands above, or put a line
//! of its own below. So control characters, whatever changes the direction of text, what cannot be seen and what is no
//! UTF-8 are spelled out, as `\x1b`, `\u{202e}` and `\xff`, wherever messages go.

use std::ffi::OsStr;
use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;

/// A name or a path, on one line.
pub fn shown(name: impl AsRef<OsStr>) -> String {
    escaped(name.as_ref().as_bytes(), |_| false)
}

/// A text of several lines.
pub fn shown_text(text: &[u8]) -> String {
    escaped(text, |char| matches!(char, '\n' | '\t'))
}

/// The lines of an output.
pub fn shown_lines(output: &[u8]) -> impl Iterator<Item = String> {
    let lines = output.split_inclusive(|&byte| byte == b'\n');
    lines.map(|line| {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        escaped(line.strip_suffix(b"\r").unwrap_or(line), |char| char == '\t')
    })
}

fn escaped(bytes: &[u8], stays: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for char in chunk.valid().chars() {
            if stays(char) || can_be_seen(char) {
                out.push(char);
            } else if let '\t' | '\n' | '\r' = char {
                out.extend(char.escape_default());
            } else if char.is_ascii() {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\x{:02x}", u32::from(char));
            } else {
                out.extend(char.escape_unicode());
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out
}

/// Whether people can see a character as what it is: it is no control and no invisible character.
pub fn can_be_seen(char: char) -> bool {
    if char.is_ascii() {
        return char == ' ' || char.is_ascii_graphic();
    }
    if char.is_whitespace() {
        return !char.is_control() && !matches!(char, '\u{2028}' | '\u{2029}');
    }
    // Debugging escapes exactly what has no picture, and marks in front of everything else.
    let mut behind_a_letter = String::from("a");
    behind_a_letter.push(char);
    behind_a_letter.escape_debug().nth(2).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_or_nobody_sees_is_spelled_out() {
        for (name, expect) in [
            (&b"plain name's \"a\\b\".c"[..], "plain name's \"a\\b\".c"),
            (
                "ümläut u\u{308} \u{65e5}\u{3000}\u{1f600}\u{a0}.".as_bytes(),
                "ümläut u\u{308} \u{65e5}\u{3000}\u{1f600}\u{a0}.",
            ),
            (b"\x1b]0;t\x07\x1b[2J", "\\x1b]0;t\\x07\\x1b[2J"),
            (b"a\nb\tc\rd\0\x7f", "a\\nb\\tc\\rd\\x00\\x7f"),
            ("\u{9b}\u{85}".as_bytes(), "\\u{9b}\\u{85}"),
            (
                "\u{202e}\u{2066}\u{200b}\u{200d}\u{feff}\u{2028}".as_bytes(),
                "\\u{202e}\\u{2066}\\u{200b}\\u{200d}\\u{feff}\\u{2028}",
            ),
            (b"\xff\xc3(", "\\xff\\xc3("),
        ] {
            assert_eq!(shown(OsStr::from_bytes(name)), expect);
        }
    }

    #[test]
    fn lines_and_tabs_stay_where_there_are_several_lines() {
        assert_eq!(shown_text(b"a\n\tb\r\x1b\n"), "a\n\tb\\r\\x1b\n");
        let lines: Vec<String> = shown_lines(b"a\r\n\tb\xff\n\nc\rd").collect();
        assert_eq!(lines, ["a", "\tb\\xff", "", "c\\rd"]);
        assert_eq!(shown_lines(b"").count(), 0);
    }
}
