//! A regular expression of the crate `regex` as one of `grep -E`.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};

/// The extended regular expression that finds the same in a line, with the words of the locale `C`; or what it cannot say.
pub(crate) fn extended(pattern: &str) -> Result<String, String> {
    let hir = ParserBuilder::new().multi_line(true).utf8(false).build().parse(pattern);
    let hir = hir.map_err(|error| error.to_string())?;
    let mut out = String::new();
    write(&hir, &mut out)?;
    Ok(out)
}

/// The text for an extended regular expression, in which these signs mean something else.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for char in text.chars() {
        if r"\.^$*+?()[]{}|".contains(char) {
            out.push('\\');
        }
        out.push(char);
    }
    out
}

fn write(hir: &Hir, out: &mut String) -> Result<(), String> {
    match hir.kind() {
        HirKind::Empty => Ok(()),
        HirKind::Literal(literal) => {
            let text = str::from_utf8(&literal.0).map_err(|_| "bytes that are no text")?;
            if text.contains('\n') {
                return Err("a line end".to_owned());
            }
            out.push_str(&escaped(text));
            Ok(())
        }
        HirKind::Class(class) => {
            out.push_str(&bracketed(class)?);
            Ok(())
        }
        HirKind::Look(look) => {
            out.push_str(match look {
                Look::StartLF | Look::StartCRLF => "^",
                Look::EndLF | Look::EndCRLF => "$",
                _ => return Err("anything but ^ and $ about places (\\A, \\z, \\b)".to_owned()),
            });
            Ok(())
        }
        HirKind::Repetition(Repetition { min, max, sub, .. }) => {
            grouped([&**sub], out)?;
            match (min, max) {
                (0, None) => out.push('*'),
                (1, None) => out.push('+'),
                (0, Some(1)) => out.push('?'),
                (min, Some(max)) => out.push_str(&format!("{{{min},{max}}}")),
                (min, None) => out.push_str(&format!("{{{min},}}")),
            }
            Ok(())
        }
        HirKind::Capture(capture) => grouped([&*capture.sub], out),
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| match part.kind() {
            HirKind::Alternation(_) => grouped([part], out),
            _ => write(part, out),
        }),
        HirKind::Alternation(parts) => grouped(parts, out),
    }
}

/// The parts in parentheses, any of which may stand there.
fn grouped<'h>(parts: impl IntoIterator<Item = &'h Hir>, out: &mut String) -> Result<(), String> {
    out.push('(');
    for (number, part) in parts.into_iter().enumerate() {
        if number > 0 {
            out.push('|');
        }
        write(part, out)?;
    }
    out.push(')');
    Ok(())
}

/// A set of characters: by those of ASCII that are in it, or that are not.
fn bracketed(class: &Class) -> Result<String, String> {
    let has = |char: char| match class {
        Class::Unicode(class) => {
            class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&char))
        }
        Class::Bytes(class) => {
            class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&(char as u8)))
        }
    };
    // `.` and sets of what is not to be there hold it; `\w` and the like hold other letters, but not this.
    let is_negative = match class {
        Class::Unicode(_) => has('\u{fffd}'),
        Class::Bytes(class) => class.ranges().iter().any(|range| range.end() == 0xff),
    };
    let chars = (' '..='~').chain(['\t']).filter(|&char| has(char) != is_negative);
    let mut chars: Vec<char> = chars.collect();
    if chars.is_empty() {
        return if is_negative {
            Ok(".".to_owned())
        } else {
            Err("characters beyond ASCII alone".to_owned())
        };
    }
    // Where they mean nothing else.
    let mut special = |sign: char| -> bool {
        let before = chars.len();
        chars.retain(|&char| char != sign);
        chars.len() < before
    };
    let (close, caret, dash) = (special(']'), special('^'), special('-'));
    let chars: String = chars.into_iter().collect();
    let sign = |is_there: bool, sign: &'static str| if is_there { sign } else { "" };
    let (not, close, caret, dash) =
        (sign(is_negative, "^"), sign(close, "]"), sign(caret, "^"), sign(dash, "-"));
    if chars.is_empty() && !is_negative && close.is_empty() && !caret.is_empty() {
        return Ok(if dash.is_empty() { "\\^".to_owned() } else { "[-^]".to_owned() });
    }
    Ok(format!("[{not}{close}{chars}{caret}{dash}]"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use regex::bytes::RegexBuilder;

    #[test]
    fn both_expressions_find_the_same() {
        let lines = [
            "",
            "a",
            "ab12",
            "x-y",
            "x]y",
            "x^y",
            "[a]",
            "foo.bar(1)",
            "foo bar",
            "tab\there",
            "AB",
            "a|b",
            "aaaa",
        ];
        for pattern in [
            "a",
            "^a$",
            "a.*1",
            r"\d+",
            r"\w+\(",
            "[^a-z]",
            "[]x-]",
            "x[-^]y",
            r"x\^y",
            "(a|b)+1",
            "a{2,3}$",
            "foo.bar",
            r"\.",
            "(?i)ab",
            r"\s",
            r"\S+\s\S",
            r"a\|b",
            "^$",
            "x[]]y",
            "(?:foo|tab).",
        ] {
            let both = [pattern.to_owned(), extended(pattern).unwrap()];
            let built =
                |text: &String| RegexBuilder::new(text).multi_line(true).unicode(false).build().unwrap();
            let one = RegexBuilder::new(pattern).multi_line(true).build().unwrap();
            for line in lines {
                assert_eq!(
                    one.is_match(line.as_bytes()),
                    built(&both[1]).is_match(line.as_bytes()),
                    "{both:?} in {line:?}"
                );
            }
        }
        for pattern in [r"\Aa", r"a\nb", r"\bb"] {
            assert!(extended(pattern).is_err(), "{pattern}");
        }
    }
}
