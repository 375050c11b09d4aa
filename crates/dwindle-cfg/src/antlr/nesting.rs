//! How deep brackets and braces are nested in the text of a grammar, before anybody recurses over them.

/// How deep brackets may be nested in a rule, and braces in an action. Published grammars have some ten; the
/// stack on which grammars are read ([`crate::stack`]) holds many times as much.
pub(super) const DEEPEST: usize = 250;

/// Where brackets or braces are nested deeper than [`DEEPEST`] for the first time, in bytes.
///
/// Literals, sets and comments are left out as the lexer of ANTLR sees them. It looks for the end of an action
/// in quotes, too, so there every brace counts.
pub(super) fn too_deep(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut brackets, mut braces, mut all_braces) = (0_usize, 0_usize, 0_usize);
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let length = match rest[0] {
            b'/' if rest.starts_with(b"//") => until(rest, b"\n"),
            b'/' if rest.starts_with(b"/*") => 2 + until(&rest[2..], b"*/"),
            quote @ (b'\'' | b'"') => quoted(rest, quote, true),
            b'[' if braces == 0 => quoted(rest, b']', false),
            b'\\' => 2,
            _ => 1,
        };
        let inside = &rest[..length.min(rest.len())];
        if braces > 0 || rest[0] == b'{' {
            for (offset, byte) in inside.iter().enumerate() {
                match byte {
                    b'{' => all_braces += 1,
                    b'}' => all_braces = all_braces.saturating_sub(1),
                    _ => {}
                }
                if all_braces > DEEPEST {
                    return Some(at + offset);
                }
            }
        }
        match rest[0] {
            b'(' if braces == 0 => brackets += 1,
            b')' if braces == 0 => brackets = brackets.saturating_sub(1),
            b'{' => braces += 1,
            b'}' => braces = braces.saturating_sub(1),
            _ => {}
        }
        if braces == 0 {
            all_braces = 0;
        }
        if brackets > DEEPEST {
            return Some(at);
        }
        at += inside.len();
    }
    None
}

/// The length of what ends with `end`.
fn until(text: &[u8], end: &[u8]) -> usize {
    let found = text.windows(end.len()).position(|window| window == end);
    found.map_or(text.len(), |found| found + end.len())
}

/// The length of what is in quotes that end with `end`, or with the line.
fn quoted(text: &[u8], end: u8, in_line: bool) -> usize {
    let mut at = 1;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 1,
            b'\n' if in_line => return at,
            byte if byte == end => return at + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_of_rules_and_braces_of_actions_are_counted_and_nothing_else() {
        let times = |text: &str, count: usize| text.repeat(count);
        for (text, deep) in [
            (times("(", DEEPEST), false),
            (times("(", DEEPEST + 1), true),
            (times("s: (((((a)))))* | '(';\n", DEEPEST), false),
            (times("A: '(' ~'(' [(] \"(\" '\\'(' [\\](]; // (\n", DEEPEST), false),
            (times("s: a /* ( */ {f(\"(\");};\n", DEEPEST), false),
            (times("{", DEEPEST) + &times("}", DEEPEST), false),
            (times("{", DEEPEST + 1), true),
            // The lexer of ANTLR tries to end an action behind any of these.
            (format!("s: a {{ \"{}", times("{", DEEPEST)), true),
            (times("s: a { \"{\" };\n", DEEPEST + 1), false),
        ] {
            assert_eq!(too_deep(&text).is_some(), deep, "{}", &text[..text.len().min(60)]);
        }
        assert_eq!(too_deep(&format!("s: {}", times("(", DEEPEST + 9))), Some(3 + DEEPEST));
    }
}
