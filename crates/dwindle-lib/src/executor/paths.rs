//! Paths in what a test prints, as far as they differ from place to place.

use std::path::Path;

use memchr::memmem;

/// `output` without the name of the candidate, which is no news, and without paths in `folder`, which
/// are others at every station and in every run.
pub(super) fn without_places(output: &[u8], folder: &Path, name: &Path) -> Vec<u8> {
    let plain = without_name(output, name);
    let folder = folder.as_os_str().as_encoded_bytes();
    without(&plain, folder, |_, behind| Some(behind.iter().take_while(is_in_path).count()))
}

/// `output` without the name of the candidate.
pub(super) fn without_name(output: &[u8], name: &Path) -> Vec<u8> {
    without(output, name.as_os_str().as_encoded_bytes(), |before, behind| {
        let is_part = before.last().is_some_and(is_word) || behind.first().is_some_and(is_word);
        (!is_part).then_some(0)
    })
}

/// `text` with something else for each path that holds `mark`: `with` gets what is behind the mark, and says how much of that
/// belongs to it, and what takes its place.
pub(super) fn replaced(
    text: &[u8],
    mark: &[u8],
    with: impl Fn(&[u8]) -> Option<(usize, Vec<u8>)>,
) -> Vec<u8> {
    let (mut plain, mut rest) = (Vec::with_capacity(text.len()), 0);
    for at in memmem::find_iter(text, mark) {
        let end = at + mark.len();
        if at >= rest
            && let Some((length, other)) = with(&text[end..])
        {
            let before = &text[rest..at];
            // It begins where a path can, with a slash.
            let run = before.len() - before.iter().rev().take_while(is_in_path).count();
            let start = memchr::memchr(b'/', &before[run..]).map_or(at, |slash| rest + run + slash);
            plain.extend_from_slice(&text[rest..start]);
            plain.extend(other);
            rest = end + length;
        }
    }
    plain.extend_from_slice(&text[rest..]);
    plain
}

fn is_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

pub(super) fn is_in_path(byte: &&u8) -> bool {
    is_word(byte) || b"/.-+~".contains(byte)
}

/// `text` without `pattern` and as much behind it as `more` says for what is before and behind.
fn without(text: &[u8], pattern: &[u8], more: impl Fn(&[u8], &[u8]) -> Option<usize>) -> Vec<u8> {
    let (mut plain, mut rest) = (Vec::with_capacity(text.len()), 0);
    for start in memmem::find_iter(text, pattern).filter(|_| !pattern.is_empty()) {
        let end = start + pattern.len();
        if start >= rest
            && let Some(more) = more(&text[..start], &text[end..])
        {
            plain.extend_from_slice(&text[rest..start]);
            plain.push(b' ');
            rest = end + more;
        }
    }
    plain.extend_from_slice(&text[rest..]);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_a_mark_is_replaced_from_its_first_slash() {
        let with = |behind: &[u8]| Some((behind.iter().take_while(is_in_path).count(), b"@".to_vec()));
        let check = |text: &str, expected: &str| {
            assert_eq!(String::from_utf8_lossy(&replaced(text.as_bytes(), b"/.d/", with)), expected);
        };
        check("/.d/run/a.c:1: in /.d/run/a.h", "@:1: in @");
        check("-I/worker/7/.d/run x:/w/.d/tmp/y.o(z)", "-I@ x:@(z)");
        check("/usr/include/.delta and .d/run", "/usr/include/.delta and .d/run");
    }

    #[test]
    fn what_is_said_of_places_is_no_part_of_the_output() {
        let check = |output: &str, expected: &str| {
            let plain = without_places(output.as_bytes(), "/tmp/dw-Xy_1/3".as_ref(), "a.c".as_ref());
            assert_eq!(String::from_utf8_lossy(&plain), expected);
        };
        check("/tmp/dw-Xy_1/3/12/run/a.c:1:2: error: run 'a'", "  :1:2: error: run 'a'");
        check("/tmp/dw-Xy_1/3/12/tmp/cc3Gh.o(.text): undefined 'f'", " (.text): undefined 'f'");
        check("a.c: a.cc ba.c _a.c \"a.c\" a.ca.c", " : a.cc ba.c _a.c \" \" a.ca.c");
        check("In /tmp/dw-Xy_1/2/tmp/x and /tmp/dw-Xy_1/3", "In /tmp/dw-Xy_1/2/tmp/x and  ");
    }
}
