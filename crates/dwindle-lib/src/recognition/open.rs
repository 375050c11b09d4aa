//! What of a message is left open, since it may change while the bug stays: addresses, numbers, paths, and what stands
//! in the input itself.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;

use memchr::memmem;
use regex::bytes::Regex;

use super::line::Piece;

/// How much of a message is kept: what comes later is details of details.
const LONGEST: usize = 160;

/// The words of an input, and its name.
#[derive(Debug)]
pub struct Own<'a> {
    input: &'a [u8],
    name: &'a [u8],
    words: OnceCell<HashSet<&'a [u8]>>,
    places: OnceCell<Regex>,
}

impl<'a> Own<'a> {
    /// Of an input and its base name.
    pub fn new(input: &'a [u8], name: &'a [u8]) -> Self {
        Self { input, name, words: OnceCell::new(), places: OnceCell::new() }
    }

    fn has_word(&self, word: &[u8]) -> bool {
        self.words.get_or_init(|| words(self.input).map(|word| &self.input[word]).collect()).contains(word)
    }

    /// Its name without the extension, after which some languages call what is in it.
    fn stem(&self) -> &'a [u8] {
        self.name.split(|&byte| byte == b'.').next().unwrap_or(self.name)
    }

    /// Whether a line of a backtrace says that it is about a line of the input.
    pub(super) fn has_place(&self, line: &[u8]) -> bool {
        let places = self.places.get_or_init(|| {
            let name: String = self.name.iter().map(|byte| format!("\\x{byte:02x}")).collect();
            let place = format!(
                r#"(?-u)(?:^|[^\w.:-]){name}(?:/[^\s:("]*)?(?::(?:line )?[0-9]|\([0-9]|", line [0-9])"#
            );
            Regex::new(&place).expect("each byte of the name is escaped")
        });
        !self.name.is_empty() && places.is_match(line)
    }

    /// Whether a quoted text is from the input, or names it.
    fn has_text(&self, text: &[u8]) -> bool {
        text == self.name
            || memmem::find_iter(self.input, text).any(|at| is_whole(self.input, &(at..at + text.len())))
    }
}

/// What a part of an output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Words for people, with names in them.
    Message,
    /// Names, as of functions.
    Code,
}

/// The pieces of a part of an output; `volatile` is what is left open in any.
pub(super) fn opened(message: &[u8], kind: Kind, volatile: &Regex, own: &Own<'_>) -> Vec<Piece> {
    let mut open = vec![false; message.len()];
    let mut leave = |range: Range<usize>| open[range].fill(true);
    let names = memmem::find_iter(message, own.name).map(|at| at..at + own.name.len());
    names.filter(|range| is_whole(message, range)).for_each(&mut leave);
    volatile.find_iter(message).for_each(|found| leave(found.range()));
    let quoted = quoted(message);
    quoted
        .iter()
        .filter(|range| own.has_text(&message[(*range).clone()]))
        .for_each(|range| leave(range.clone()));
    let is_own = |word: &[u8]| own.has_word(word) || kind == Kind::Code && word == own.stem();
    for word in words(message).filter(|word| is_own(&message[word.clone()])) {
        let is_quoted = quoted.iter().any(|range| range.start <= word.start && word.end <= range.end);
        if kind == Kind::Code || is_quoted || is_code(message, &word) {
            leave(word);
        }
    }
    for group in groups(message) {
        if open[group.clone()].contains(&true) {
            open[group].fill(true);
        }
    }
    pieces(message, &open)
}

fn pieces(message: &[u8], open: &[bool]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (chunk, is_open) in runs(&message[..message.len().min(LONGEST)], open) {
        for part in chunk.utf8_chunks().filter(|_| !is_open) {
            pieces.push(Piece::Text(part.valid().to_owned()));
            pieces.extend((!part.invalid().is_empty()).then_some(Piece::Gap));
        }
        pieces.extend(is_open.then_some(Piece::Gap));
    }
    pieces.extend((message.len() > LONGEST).then_some(Piece::Gap));
    pieces
}

/// The message cut where it becomes open and ends to be.
fn runs<'m>(message: &'m [u8], open: &[bool]) -> Vec<(&'m [u8], bool)> {
    let mut runs = Vec::new();
    let mut start = 0;
    for end in 1..=message.len() {
        if end == message.len() || open[end] != open[start] {
            runs.push((&message[start..end], open[start]));
            start = end;
        }
    }
    runs
}

fn is_in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// The words of a text: names, as most languages have them.
fn words(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].iter().position(|&byte| is_in_word(byte))?;
        at = text[start..]
            .iter()
            .position(|&byte| !is_in_word(byte))
            .map_or(text.len(), |length| start + length);
        Some(start..at)
    })
    .filter(|word| !text[word.start].is_ascii_digit())
}

/// Whether no word goes on at its ends.
fn is_whole(text: &[u8], range: &Range<usize>) -> bool {
    let inside = &text[range.clone()];
    let joins = |inner: Option<&u8>, outer: Option<&u8>| {
        inner.copied().is_some_and(is_in_word) && outer.copied().is_some_and(is_in_word)
    };
    !inside.is_empty()
        && !joins(inside.first(), text[..range.start].last())
        && !joins(inside.last(), text.get(range.end))
}

/// Whether a word is a name and not prose, in which `label` and `type` are no names of the input.
fn is_code(message: &[u8], word: &Range<usize>) -> bool {
    let (before, behind) = (&message[..word.start], &message[word.end..]);
    let is_letter = |word: &[u8]| word.len() == 1 && word != b"a" && word != b"A" && word != b"I";
    let is_plain =
        message[word.clone()].iter().all(u8::is_ascii_lowercase) && !is_letter(&message[word.clone()]);
    let is_sentence =
        message[word.clone()][1..].iter().all(u8::is_ascii_lowercase) && behind.first() != Some(&b':');
    let is_joined = before.last().is_some_and(|byte| b":.#@$%&<".contains(byte))
        || behind.starts_with(b"::")
        || behind.first().is_some_and(|byte| b"([<".contains(byte))
        || matches!(behind, [b'.', next, ..] if is_in_word(*next));
    is_joined || !(is_plain || word.start == 0 && is_sentence)
}

/// What stands between quotes.
fn quoted(message: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < message.len() {
        let quotes: [(&str, &[&str]); 4] =
            [("\u{2018}", &["\u{2019}"]), ("'", &["'"]), ("\"", &["\""]), ("`", &["`", "'"])];
        let begins = |open: &str| message[at..].starts_with(open.as_bytes()) && !joins_word(message, at);
        let Some((open, closes)) = quotes.into_iter().find(|(open, _)| begins(open)) else {
            at += 1;
            continue;
        };
        let start = at + open.len();
        let end = closes.iter().filter_map(|close| memmem::find(&message[start..], close.as_bytes())).min();
        if let Some(length) = end {
            found.push(start..start + length);
            at = start + length;
        }
        at += 1;
    }
    found
}

/// Whether a quote is an apostrophe.
fn joins_word(message: &[u8], at: usize) -> bool {
    message[at] == b'\'' && message[..at].last().is_some_and(u8::is_ascii_alphanumeric)
}

/// What stands between brackets that belong together, innermost first.
fn groups(message: &[u8]) -> Vec<Range<usize>> {
    let (mut found, mut begun) = (Vec::new(), Vec::new());
    for (at, byte) in message.iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => begun.push((byte, at + 1)),
            b')' | b']' | b'}' => {
                let open = match byte {
                    b')' => b'(',
                    b']' => b'[',
                    _ => b'{',
                };
                if let Some(&(last, start)) = begun.last()
                    && *last == open
                {
                    begun.pop();
                    found.push(start..at);
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::table::TABLE;
    use super::*;

    /// A message with `_` for what is left open.
    fn shown(kind: Kind, message: &str, input: &str) -> String {
        let own = Own::new(input.as_bytes(), b"in.c");
        let pieces = opened(message.as_bytes(), kind, TABLE.volatile(), &own);
        let texts = pieces.into_iter().map(|piece| match piece {
            Piece::Text(text) => text,
            Piece::Gap => "_".to_owned(),
        });
        texts.collect()
    }

    #[test]
    fn what_changes_and_what_is_of_the_input_is_left_open_and_prose_stays() {
        let input = "int label; struct my_type { int x; } BigThing; \"some text\"";
        for (message, expect) in [
            ("label missing tag", "label missing tag"),
            ("cannot lower 'label' of my_type", "cannot lower '_' of _"),
            ("no BigThing, no SmallThing", "no _, no SmallThing"),
            ("BigThing", "_"),
            ("it can't be label's fault", "it can't be label's fault"),
            ("key \"some text\" and \"other things\"", "key \"_\" and \"other things\""),
            ("block bb12 at 0x7f3a of 0c1d2e", "block _ at _ of _"),
            ("in /usr/lib/x86/gimple.cc and in.c", "in _gimple.cc and _"),
            ("DefId(0:8 ~ c[63d2]) is (a, b)", "DefId(_) is (a, b)"),
            ("call of x::y in z", "call of _::y in z"),
            ("in `id2ast' and `label'", "in `id2ast' and `_'"),
        ] {
            assert_eq!(shown(Kind::Message, message, input), expect);
        }
        assert_eq!(shown(Kind::Code, "ns::label<int>", input), "ns::_<_>");
    }

    #[test]
    fn of_a_long_message_the_beginning_is_kept_and_what_is_no_text_is_left_open() {
        let long = "word ".repeat(100);
        assert_eq!(shown(Kind::Message, &long, ""), long[..LONGEST].to_owned() + "_");
        let pieces = opened(b"a\xffb", Kind::Message, TABLE.volatile(), &Own::new(b"", b""));
        assert_eq!(pieces, [Piece::Text("a".to_owned()), Piece::Gap, Piece::Text("b".to_owned())]);
    }
}
