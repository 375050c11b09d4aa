//! The lexical specifications of the thesis on HDD: `NAME : regex [|text|];`, a rule a line, where the text is what
//! stands in for the token.
//!
//! The regular expressions are those of the crate `regex`, which are nearly those of Perl and Python. A name that the
//! grammar does not have is layout, and so is white space that no rule matches. `#` and `//` begin comments.

use std::path::Path;

use regex_syntax::ParserBuilder;

use super::{Lexical, Names};
use crate::ebnf::Lines;
use crate::error::Complaint;
use crate::lexer::{Becomes, Keeps, LexRule};

/// Whether a text is such a specification: its first line that says something is `NAME : ...`, and nothing is
/// declared with `%`.
pub(super) fn is_plain(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !is_comment(line));
    lines.next().is_some_and(|line| named(line).is_some()) && !text.lines().any(|line| line.starts_with("%%"))
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with('#') || line.starts_with("//")
}

/// The name of a rule and what stands behind its colon, with where that begins.
fn named(line: &str) -> Option<(&str, &str, usize)> {
    let (name, rest) = line.split_once(':')?;
    let name = name.trim();
    let is_name = name.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && name.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '.' | '-'));
    is_name.then_some((name, rest, line.len() - rest.len()))
}

/// Reads a specification.
pub(super) fn read(path: &Path, text: &str, names: &Names<'_>) -> Result<Lexical, Complaint> {
    let mut lexical = Lexical { modes: 1, common: vec![0], ..Lexical::default() };
    let lines = Lines::of(path, text);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let at = start;
        start += line.len();
        if is_comment(line) {
            continue;
        }
        let refuse = |offset: usize, name: Option<&str>, what: String| {
            Err(Complaint::new(lines.position(at + offset), name, what))
        };
        let Some((name, rest, offset)) = named(line) else {
            return refuse(
                0,
                None,
                "a rule is a line of `NAME : regex;` or `NAME : regex [|text|];`".to_owned(),
            );
        };
        let Some(rule) = rest.trim_end().strip_suffix(';') else {
            return refuse(
                line.trim_end().len(),
                Some(name),
                "a rule ends with a `;` at the end of its line".to_owned(),
            );
        };
        let (regex, minimal) =
            match rule.trim_end().strip_suffix("|]").and_then(|rule| rule.rsplit_once(" [|")) {
                Some((regex, minimal)) => (regex.trim(), Some(minimal)),
                None => (rule.trim(), None),
            };
        let offset = offset + (rest.len() - rest.trim_start().len());
        let mut parser = ParserBuilder::new().multi_line(true).octal(true).build();
        let hir = match parser.parse(regex) {
            Ok(hir) => hir,
            Err(error) => {
                let what = error.to_string();
                let what = what.rsplit("error: ").next().unwrap_or_default().to_owned();
                return refuse(offset, Some(name), format!("no regular expression: {what}"));
            }
        };
        let token = names.of(name);
        if let (Some(token), Some(minimal)) = (token, minimal) {
            lexical.minimal.insert(token, (minimal.as_bytes().to_vec(), lines.position(at + offset)));
        }
        lexical.rules.push(LexRule {
            may_be_empty: false,
            patterns: vec![hir],
            modes: vec![0],
            becomes: token.map_or(Becomes::Gap, Becomes::Token),
            keeps: Keeps::All,
            then: Vec::new(),
        });
        lexical.names.push((name.to_owned(), lines.position(at)));
    }
    let blank = regex_syntax::parse("\\s").expect("it is a regular expression");
    lexical.rules.push(LexRule {
        may_be_empty: false,
        patterns: vec![blank],
        modes: vec![0],
        becomes: Becomes::Gap,
        keeps: Keeps::All,
        then: Vec::new(),
    });
    lexical.names.push(("white space".to_owned(), lines.position(0)));
    Ok(lexical)
}
