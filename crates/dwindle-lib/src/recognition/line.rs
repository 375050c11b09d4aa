//! A line of a signature: text with gaps, in which anything may stand.

use std::fmt::{self, Display, Formatter};

use dwindle_read::shown::shown;

use crate::expression::escaped;

/// What a line must say: texts in this order with anything between them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    texts: Vec<String>,
    /// Whether a word may go on before the first text and behind the last one.
    starts_open: bool,
    ends_open: bool,
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    /// Whatever stands there.
    Gap,
}

impl Line {
    /// Of these pieces; nothing if they say too little to be recognised.
    pub(super) fn of(pieces: impl IntoIterator<Item = Piece>) -> Option<Self> {
        let (mut texts, mut starts_open, mut ends_open) = (Vec::<String>::new(), false, false);
        for piece in pieces {
            match piece {
                Piece::Gap => {
                    starts_open |= texts.is_empty();
                    ends_open = true;
                }
                Piece::Text(text) if text.is_empty() => {}
                Piece::Text(text) => {
                    match texts.last_mut().filter(|_| !ends_open) {
                        Some(last) => last.push_str(&text),
                        None => texts.push(text),
                    }
                    ends_open = false;
                }
            }
        }
        trim(&mut texts);
        /// What has fewer letters and digits is in too many outputs.
        const LEAST: usize = 3;
        let letters = texts.iter().flat_map(|text| text.chars()).filter(|char| char.is_alphanumeric());
        (letters.count() >= LEAST).then_some(Self { texts, starts_open, ends_open })
    }

    /// The extended regular expression (as of `grep -E`) that finds it in a line of an output.
    pub fn expression(&self) -> String {
        let word = |char: Option<char>| char.is_some_and(|char| char.is_ascii_alphanumeric() || char == '_');
        let texts: Vec<String> = self.texts.iter().map(|text| escaped(text)).collect();
        let first = self.texts.first().and_then(|text| text.chars().next());
        let last = self.texts.last().and_then(|text| text.chars().next_back());
        let before = if word(first) && !self.starts_open { "(^|[^[:alnum:]_])" } else { "" };
        let behind = if word(last) && !self.ends_open { "([^[:alnum:]_]|$)" } else { "" };
        format!("{before}{}{behind}", texts.join(".*"))
    }
}

/// Takes the blanks at both ends away.
fn trim(texts: &mut Vec<String>) {
    if let Some(first) = texts.first_mut() {
        *first = first.trim_start().to_owned();
    }
    if let Some(last) = texts.last_mut() {
        *last = last.trim_end().to_owned();
    }
    texts.retain(|text| !text.is_empty());
}

impl Display for Line {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(self.texts.join("\u{2026}")))
    }
}

#[cfg(test)]
mod tests {
    use super::Piece::{Gap, Text};
    use super::*;
    use regex::bytes::RegexBuilder;

    fn finds(pieces: &[Piece], output: &str) -> bool {
        let line = Line::of(pieces.to_vec()).unwrap();
        let regex = RegexBuilder::new(&line.expression()).multi_line(true).unicode(false).build().unwrap();
        regex.is_match(output.as_bytes())
    }

    #[test]
    fn texts_are_found_in_one_line_in_their_order_and_as_whole_words() {
        let pieces = ["in fold".to_owned(), ", at f.c".to_owned()].map(Text);
        let pieces = [pieces[0].clone(), Gap, pieces[1].clone()];
        for (output, expect) in [
            ("error: in fold_convert, at f.c:12", true),
            ("x\nin fold, at f.c", true),
            ("win fold, at f.c", false),
            ("in fold, at f.cc", false),
            ("in fold, at fac", false),
            ("in fold\n, at f.c", false),
        ] {
            assert_eq!(finds(&pieces, output), expect, "{output}");
        }
        assert!(finds(&[Gap, Text("name(*) [x]".to_owned()), Gap], "rename(*) [x]"));
    }

    #[test]
    fn what_says_next_to_nothing_is_no_line() {
        assert_eq!(Line::of([Gap, Text(" in: ".to_owned()), Gap]), None);
        assert_eq!(Line::of([]), None);
    }
}
