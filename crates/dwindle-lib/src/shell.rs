//! Names in commands that people copy into a shell.

use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::shown::can_be_seen;

/// The path for a shell, in quotes where it would see more than a name. What cannot be shown as it is is spelled
/// out byte by byte in `$'...'`.
pub fn quoted(path: &Path) -> String {
    let bytes = path.as_os_str().as_bytes();
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+,:@%".contains(byte);
    match str::from_utf8(bytes) {
        Ok(text) if bytes.iter().all(is_plain) && !text.is_empty() => text.to_owned(),
        Ok(text) if text.chars().all(can_be_seen) => format!("'{}'", text.replace('\'', "'\\''")),
        _ => format!("$'{}'", spelled_out(bytes)),
    }
}

fn spelled_out(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.utf8_chunks() {
        for char in chunk.valid().chars() {
            match char {
                '\'' | '\\' => out.extend(['\\', char]),
                '\n' => out.push_str("\\n"),
                char if can_be_seen(char) => out.push(char),
                char => octal(char.encode_utf8(&mut [0; 4]).as_bytes(), &mut out),
            }
        }
        octal(chunk.invalid(), &mut out);
    }
    out
}

/// Three digits, so that it does not matter what follows.
fn octal(bytes: &[u8], out: &mut String) {
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(out, "\\{byte:03o}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    #[test]
    fn a_shell_sees_the_name_and_a_terminal_nothing_else() {
        for (name, expect) in [
            (&b"a/b-c.d"[..], "a/b-c.d"),
            (b"two words", "'two words'"),
            (b"it's", "'it'\\''s'"),
            (b"", "''"),
            (b"a\x1b[1mb'\\\n", "$'a\\033[1mb\\'\\\\\\n'"),
            (b"\xff1", "$'\\3771'"),
            ("\u{fc}\u{202e}".as_bytes(), "$'\u{fc}\\342\\200\\256'"),
        ] {
            assert_eq!(quoted(Path::new(OsStr::from_bytes(name))), expect);
        }
    }
}
