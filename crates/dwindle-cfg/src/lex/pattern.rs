//! Patterns of lex and flex as regular expressions over bytes, as those match.

use std::collections::HashMap;

use regex_syntax::hir::{Class, ClassBytes, ClassBytesRange, Hir, HirKind, Look, Repetition};

use crate::code;

/// How deep brackets may be nested in a pattern, with those of the definitions that it mentions.
const DEEPEST: usize = 250;

/// How many parts all patterns of a file may have together with the definitions that they mention in their places.
const LARGEST: usize = 500_000;

/// How often a part may be repeated by number.
const MOST: u32 = 1000;

/// A pattern.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) hir: Hir,
    /// What of the match is the token, where `/` stands behind that; the rest is looked at only.
    pub(super) head: Option<Head>,
}

/// The part of a match in front of a `/`.
#[derive(Clone, Debug)]
pub(super) struct Head {
    pub(super) hir: Hir,
    /// The length of what is looked at, if it is always the same.
    pub(super) tail: Option<usize>,
}

/// Where in a pattern something is wrong, in bytes, and what.
pub(super) type Wrong = (usize, String);

/// The definitions of a file, and how much was made of them.
pub(super) struct Patterns<'a> {
    /// The patterns behind names.
    pub(super) definitions: HashMap<&'a str, &'a str>,
    pub(super) case_insensitive: bool,
    parts: usize,
    depth: usize,
}

/// A pattern that is being read.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    case_insensitive: bool,
    /// Whether `.` is a line end, too.
    all: bool,
    /// Whether blanks and comments say nothing.
    extended: bool,
}

impl<'a> Patterns<'a> {
    pub(super) fn new(definitions: HashMap<&'a str, &'a str>, case_insensitive: bool) -> Self {
        Self { definitions, case_insensitive, parts: 0, depth: 0 }
    }

    /// Reads a whole pattern.
    pub(super) fn pattern(&mut self, text: &str) -> Result<Pattern, Wrong> {
        let mut reader = self.reader(text);
        let begins_line = reader.take(b'^');
        let head = self.alternatives(&mut reader)?;
        let mut pattern = Pattern { hir: head.clone(), head: None };
        if reader.take(b'/') {
            let tail = self.alternatives(&mut reader)?;
            let length = tail.properties().minimum_len();
            let tail_length = length.filter(|_| tail.properties().maximum_len() == length);
            pattern.hir = Hir::concat(vec![head.clone(), tail]);
            pattern.head = Some(Head { hir: head, tail: tail_length });
        }
        if reader.at + 1 == reader.text.len() && reader.take(b'$') {
            pattern.hir = Hir::concat(vec![pattern.hir, Hir::look(Look::EndLF)]);
        }
        if begins_line {
            pattern.hir = Hir::concat(vec![Hir::look(Look::StartLF), pattern.hir]);
        }
        match reader.text.get(reader.at) {
            None => Ok(pattern),
            Some(&byte) => Err((reader.at, format!("{:?} cannot stand here in a pattern", byte as char))),
        }
    }

    fn reader<'t>(&self, text: &'t str) -> Reader<'t> {
        Reader {
            text: text.as_bytes(),
            at: 0,
            case_insensitive: self.case_insensitive,
            all: false,
            extended: false,
        }
    }

    fn count(&mut self, parts: usize, at: usize) -> Result<(), Wrong> {
        self.parts = self.parts.saturating_add(parts);
        if self.parts > LARGEST {
            let what = format!(
                "with the definitions that they mention in their places, the patterns have more than {LARGEST} parts; \
                 mention them less often"
            );
            return Err((at, what));
        }
        Ok(())
    }

    fn enter(&mut self, at: usize) -> Result<(), Wrong> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let what = format!(
                "brackets are nested more than {DEEPEST} deep here, with the definitions that are mentioned"
            );
            return Err((at, what));
        }
        Ok(())
    }

    fn alternatives(&mut self, reader: &mut Reader<'_>) -> Result<Hir, Wrong> {
        self.enter(reader.at)?;
        let mut all = vec![self.sequence(reader)?];
        while reader.take(b'|') {
            all.push(self.sequence(reader)?);
        }
        self.depth -= 1;
        Ok(if all.len() == 1 { all.remove(0) } else { Hir::alternation(all) })
    }

    fn sequence(&mut self, reader: &mut Reader<'_>) -> Result<Hir, Wrong> {
        let mut all = Vec::new();
        loop {
            reader.skip_blanks();
            match reader.peek() {
                None | Some(b'|' | b')' | b'/') => break,
                Some(b'$') if reader.at + 1 == reader.text.len() => break,
                Some(_) => {}
            }
            let mut one = self.single(reader)?;
            while let Some((min, max, length)) = reader.repetition()? {
                let times = max.unwrap_or(min).max(1);
                self.count(times as usize * reader.parts(&one), reader.at)?;
                one = Hir::repetition(Repetition { min, max, greedy: true, sub: Box::new(one) });
                reader.at += length;
                reader.skip_blanks();
            }
            all.push(one);
        }
        Ok(Hir::concat(all))
    }

    /// One part without what repeats it.
    fn single(&mut self, reader: &mut Reader<'_>) -> Result<Hir, Wrong> {
        let start = reader.at;
        self.count(1, start)?;
        let first = reader.text[start];
        reader.at += 1;
        Ok(match first {
            b'"' => {
                let mut all = Vec::new();
                loop {
                    match reader.peek() {
                        None => return Err((start, "the quotes that begin here have no end".to_owned())),
                        Some(b'"') => break,
                        Some(_) => all.push(reader.literal()),
                    }
                }
                reader.at += 1;
                self.count(all.len(), start)?;
                Hir::concat(all.into_iter().map(|byte| reader.byte(byte)).collect())
            }
            b'.' => Hir::class(Class::Bytes(any(reader.all))),
            b'[' => {
                let mut class = reader.class(start)?;
                // What flex has to take a class from another, or to add it.
                while reader.text[reader.at..].starts_with(b"{-}[")
                    || reader.text[reader.at..].starts_with(b"{+}[")
                {
                    let is_without = reader.text[reader.at + 1] == b'-';
                    reader.at += 4;
                    let other = reader.class(start)?;
                    if is_without { class.difference(&other) } else { class.union(&other) }
                }
                Hir::class(Class::Bytes(class))
            }
            b'(' => self.group(reader, start)?,
            b'{' => {
                let end =
                    reader.text[start..].iter().position(|&byte| byte == b'}').map(|length| start + length);
                let end = end.ok_or_else(|| (start, "the brace that begins here has no end".to_owned()))?;
                let name = String::from_utf8_lossy(&reader.text[start + 1..end]);
                let definition = self.definitions.get(name.trim()).copied();
                let definition =
                    definition.ok_or_else(|| (start, format!("there is no definition of {name}")))?;
                reader.at = end + 1;
                self.enter(start)?;
                let mut inner = self.reader(definition);
                inner.case_insensitive = reader.case_insensitive;
                // What begins or ends a line is only that at the ends of a pattern.
                inner.take(b'^');
                let hir = self.alternatives(&mut inner);
                let hir = hir.map_err(|(_, what)| (start, format!("in the definition of {name}: {what}")))?;
                inner.take(b'$');
                if inner.at < inner.text.len() {
                    let what = format!(
                        "in the definition of {name}: {:?} cannot stand there",
                        inner.text[inner.at] as char
                    );
                    return Err((start, what));
                }
                self.depth -= 1;
                hir
            }
            b'*' | b'+' | b'?' => {
                return Err((start, format!("{:?} stands behind what it repeats", first as char)));
            }
            _ => {
                reader.at = start;
                let byte = reader.literal();
                reader.byte(byte)
            }
        })
    }

    /// What is in round brackets, with flex's options in front.
    fn group(&mut self, reader: &mut Reader<'_>, start: usize) -> Result<Hir, Wrong> {
        let before = (reader.case_insensitive, reader.all, reader.extended);
        if reader.take(b'?') {
            if reader.take(b'#') {
                while reader.peek().is_some_and(|byte| byte != b')') {
                    reader.at += 1;
                }
            }
            let mut on = true;
            while let Some(byte) = reader.peek().filter(|&byte| byte != b')') {
                reader.at += 1;
                match byte {
                    b'-' => on = false,
                    b'i' => reader.case_insensitive = on,
                    b's' => reader.all = on,
                    b'x' => reader.extended = on,
                    b':' => break,
                    _ => return Err((start, "behind (? stand i, s, x or - and then a `:`".to_owned())),
                }
            }
        }
        let inner = self.alternatives(reader)?;
        if !reader.take(b')') {
            return Err((start, "the bracket that begins here has no end".to_owned()));
        }
        (reader.case_insensitive, reader.all, reader.extended) = before;
        Ok(inner)
    }
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_it = self.peek() == Some(byte);
        self.at += usize::from(is_it);
        is_it
    }

    fn skip_blanks(&mut self) {
        while self.extended && self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// The byte that is next, or that the escape stands for.
    fn literal(&mut self) -> u8 {
        let first = self.text[self.at];
        self.at += 1;
        match self.text.get(self.at..) {
            Some(rest) if first == b'\\' && !rest.is_empty() => {
                let (byte, length) = code::escape(rest);
                self.at += length;
                byte
            }
            _ => first,
        }
    }

    fn byte(&self, byte: u8) -> Hir {
        if self.case_insensitive && byte.is_ascii_alphabetic() {
            let (lower, upper) = (byte.to_ascii_lowercase(), byte.to_ascii_uppercase());
            Hir::class(Class::Bytes(ClassBytes::new(
                [lower, upper].map(|byte| ClassBytesRange::new(byte, byte)),
            )))
        } else {
            Hir::literal([byte])
        }
    }

    /// How often what is in front may be repeated, and the length of what says so.
    fn repetition(&self) -> Result<Option<(u32, Option<u32>, usize)>, Wrong> {
        let rest = &self.text[self.at..];
        let (min, max, length) = match rest.first() {
            Some(b'*') => (0, None, 1),
            Some(b'+') => (1, None, 1),
            Some(b'?') => (0, Some(1), 1),
            Some(b'{') if rest.get(1).is_some_and(|byte| byte.is_ascii_digit() || *byte == b',') => {
                let end = rest.iter().position(|&byte| byte == b'}');
                let end = end.ok_or_else(|| (self.at, "the brace that begins here has no end".to_owned()))?;
                let inner = String::from_utf8_lossy(&rest[1..end]).into_owned();
                let number = |text: &str| match text.trim().parse::<u32>() {
                    Ok(number) if number <= MOST => Ok(number),
                    _ => Err((self.at, format!("{text:?} is no number up to {MOST}"))),
                };
                let (min, max) = match inner.split_once(',') {
                    None => (number(&inner)?, Some(number(&inner)?)),
                    Some((min, max)) => {
                        let min = if min.trim().is_empty() { 0 } else { number(min)? };
                        (min, if max.trim().is_empty() { None } else { Some(number(max)?) })
                    }
                };
                if max.is_some_and(|max| max < min) {
                    return Err((self.at, format!("{{{inner}}} is the wrong way round")));
                }
                (min, max, end + 1)
            }
            _ => return Ok(None),
        };
        Ok(Some((min, max, length)))
    }

    /// About how many parts an expression has.
    fn parts(&self, hir: &Hir) -> usize {
        match hir.kind() {
            HirKind::Literal(literal) => literal.0.len(),
            HirKind::Repetition(repetition) => {
                let times = repetition.max.unwrap_or(repetition.min).max(1) as usize;
                times.saturating_mul(self.parts(&repetition.sub))
            }
            HirKind::Capture(capture) => self.parts(&capture.sub),
            HirKind::Concat(all) | HirKind::Alternation(all) => all.iter().map(|one| self.parts(one)).sum(),
            HirKind::Empty | HirKind::Class(_) | HirKind::Look(_) => 1,
        }
    }

    /// The name in a `[:name:]` that begins here. As in flex, a `[:` without a name and its `:]` is
    /// two characters of the class around it.
    fn name_of_a_class(&self) -> Option<String> {
        let inner = self.text[self.at..].strip_prefix(b"[:")?;
        let caret = usize::from(inner.starts_with(b"^"));
        let letters = inner[caret..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let (name, rest) = inner.split_at(caret + letters);
        (letters > 0 && rest.starts_with(b":]")).then(|| String::from_utf8_lossy(name).into_owned())
    }

    /// The bytes of a class; its `[` is behind us.
    fn class(&mut self, start: usize) -> Result<ClassBytes, Wrong> {
        let unended = || (start, "the class that begins here has no end".to_owned());
        let is_negated = self.take(b'^');
        let mut class = ClassBytes::empty();
        let mut is_first = true;
        loop {
            let byte = self.peek().ok_or_else(unended)?;
            if byte == b']' && !is_first {
                self.at += 1;
                break;
            }
            is_first = false;
            if let Some(name) = self.name_of_a_class() {
                let (plain, is_negated) = match name.strip_prefix('^') {
                    Some(plain) => (plain, true),
                    None => (&*name, false),
                };
                let mut named = named(plain, self.case_insensitive)
                    .ok_or_else(|| (self.at, format!("[:{name}:] is no class of characters")))?;
                if is_negated {
                    named.negate();
                }
                class.union(&named);
                self.at += "[::]".len() + name.len();
                continue;
            }
            let from = self.literal();
            let is_range =
                self.peek() == Some(b'-') && self.text.get(self.at + 1).is_some_and(|&next| next != b']');
            let to = if is_range {
                self.at += 1;
                self.literal()
            } else {
                from
            };
            if from > to {
                let what = format!("{:?}-{:?} is the wrong way round", from as char, to as char);
                return Err((start, what));
            }
            class.push(ClassBytesRange::new(from, to));
        }
        if self.case_insensitive {
            class.case_fold_simple();
        }
        if is_negated {
            class.negate();
        }
        Ok(class)
    }
}

/// Any byte but, unless `all`, the line end.
fn any(all: bool) -> ClassBytes {
    let mut class = ClassBytes::empty();
    if !all {
        class.push(ClassBytesRange::new(b'\n', b'\n'));
    }
    class.negate();
    class
}

/// A class of POSIX in the locale of C.
fn named(name: &str, case_insensitive: bool) -> Option<ClassBytes> {
    let has: fn(&u8) -> bool = match name {
        "alpha" => u8::is_ascii_alphabetic,
        "digit" => u8::is_ascii_digit,
        "alnum" => u8::is_ascii_alphanumeric,
        "upper" | "lower" if case_insensitive => u8::is_ascii_alphabetic,
        "upper" => u8::is_ascii_uppercase,
        "lower" => u8::is_ascii_lowercase,
        "space" => |byte| byte.is_ascii_whitespace() || *byte == 0xb,
        "blank" => |byte| matches!(byte, b' ' | b'\t'),
        "punct" => u8::is_ascii_punctuation,
        "print" => |byte| matches!(byte, b' '..=b'~'),
        "graph" => u8::is_ascii_graphic,
        "cntrl" => u8::is_ascii_control,
        "xdigit" => u8::is_ascii_hexdigit,
        _ => return None,
    };
    Some(ClassBytes::new((0..=127).filter(has).map(|byte| ClassBytesRange::new(byte, byte))))
}

/// The bytes that a pattern is, if it always is a single one.
pub(super) fn single_bytes(hir: &Hir) -> Option<ClassBytes> {
    match hir.kind() {
        HirKind::Literal(literal) => match *literal.0 {
            [byte] => Some(ClassBytes::new([ClassBytesRange::new(byte, byte)])),
            _ => None,
        },
        HirKind::Class(Class::Bytes(class)) => Some(class.clone()),
        HirKind::Class(Class::Unicode(class)) => class.to_byte_class(),
        HirKind::Capture(capture) => single_bytes(&capture.sub),
        HirKind::Alternation(all) => {
            let mut class = ClassBytes::empty();
            for one in all {
                class.union(&single_bytes(one)?);
            }
            Some(class)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use regex_automata::meta::Regex;

    /// The length of the longest match at the beginning of a text.
    fn matched(definitions: &[(&'static str, &'static str)], pattern: &str, text: &[u8]) -> Option<usize> {
        let mut patterns = Patterns::new(definitions.iter().copied().collect(), false);
        let hir = patterns.pattern(pattern).unwrap_or_else(|(_, what)| panic!("{pattern}: {what}")).hir;
        let regex = Regex::builder()
            .configure(Regex::config().match_kind(regex_automata::MatchKind::All).utf8_empty(false))
            .build_from_hir(&hir)
            .unwrap();
        let input = regex_automata::Input::new(text).anchored(regex_automata::Anchored::Yes);
        regex.search(&input).map(|found| found.end())
    }

    #[test]
    fn patterns_match_what_flex_matches() {
        let definitions = [("D", "[0-9]"), ("E", "[eE][+-]?{D}+"), ("W", "a|b")];
        for (pattern, text, length) in [
            ("{D}+\".\"{D}*", "12.5x", Some(4)),
            ("{D}+({E})?", "1e-3", Some(4)),
            ("{W}c", "bc", Some(2)),
            ("{W}c", "a", None),
            ("\"/*\"", "/*", Some(2)),
            ("\\\"(\\\\.|[^\\\\\"\\n])*\\\"", "\"a\\\"b\" \"", Some(6)),
            ("[^\\]a-c]+", "xyz]", Some(3)),
            ("[]a]+", "]a[", Some(2)),
            ("[a-]+", "a-b", Some(2)),
            ("[[:alpha:]_][[:alnum:]_]*", "ab_1-", Some(4)),
            ("[[:^alpha:]]+", "12a", Some(2)),
            ("[[:]+", "[:a", Some(2)),
            ("[[:a]]", "a]", Some(2)),
            ("[a-z]{-}[aeiou]+", "xya", Some(2)),
            ("[a-c]{+}[0-9]+", "a1d", Some(2)),
            ("a{2}", "aaa", Some(2)),
            ("a{2,}", "aaa", Some(3)),
            ("a{1,2}b", "aab", Some(3)),
            ("(?i:select)", "SeLeCt", Some(6)),
            ("(?s:a.b)", "a\nb", Some(3)),
            ("a.b", "a\nb", None),
            ("(?x: a b )", "ab", Some(2)),
            ("ab$", "ab\n", Some(2)),
            ("ab$", "abc", None),
            ("^a", "a", Some(1)),
            ("\\141\\x62\\n", "ab\n", Some(3)),
            ("[^\"]", "\u{e9}", Some(1)),
            ("a$b", "a$b", Some(3)),
        ] {
            assert_eq!(matched(&definitions, pattern, text.as_bytes()), length, "{pattern} on {text}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_pattern_is_said() {
        for (pattern, expect) in [
            ("(a", "the bracket that begins here has no end"),
            ("[a", "the class that begins here has no end"),
            ("\"a", "the quotes that begin here have no end"),
            ("{N}", "there is no definition of N"),
            ("*a", "'*' stands behind what it repeats"),
            ("a)", "')' cannot stand here in a pattern"),
            ("[b-a]", "'b'-'a' is the wrong way round"),
            ("[[:any:]]", "[:any:] is no class of characters"),
            ("a{3,2}", "{3,2} is the wrong way round"),
            ("a{9999}", "\"9999\" is no number up to 1000"),
            ("((a{900}){900}){900}", "with the definitions that they mention in their places"),
        ] {
            let (_, what) = Patterns::new(HashMap::new(), false).pattern(pattern).unwrap_err();
            assert!(what.starts_with(expect), "{pattern}: {what}");
        }
        let looped = HashMap::from([("A", "x{A}")]);
        let (_, what) = Patterns::new(looped, false).pattern("{A}").unwrap_err();
        assert!(what.contains("nested more than 250 deep"), "{what}");
        let deep = "(".repeat(10_000);
        assert!(Patterns::new(HashMap::new(), false).pattern(&deep).is_err());
    }
}
