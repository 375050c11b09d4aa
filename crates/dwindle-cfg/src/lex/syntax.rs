//! What is written in a file for lex or flex: definitions, start states, rules with their actions, code.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use crate::code;
use crate::ebnf::Position;
use crate::error::Complaint;

/// A file as it is written.
#[derive(Default)]
pub(super) struct File<'a> {
    pub(super) definitions: HashMap<&'a str, &'a str>,
    pub(super) case_insensitive: bool,
    /// Whether what no rule matches is an error.
    pub(super) no_default: bool,
    /// The start states, with whether they are exclusive; the first is the one in which a text begins.
    pub(super) states: Vec<(&'a str, bool)>,
    pub(super) rules: Vec<Rule<'a>>,
    pub(super) code: Vec<Range<usize>>,
}

pub(super) struct Rule<'a> {
    pub(super) pattern: &'a str,
    pub(super) at: usize,
    /// The states in which it is looked for; none if it does not say.
    pub(super) states: Vec<usize>,
    pub(super) action: Action<'a>,
}

pub(super) enum Action<'a> {
    /// That of the next rule.
    Next,
    Code(&'a str),
}

/// The declarations of table sizes, which say nothing any more.
const SIZES: &[&str] = &["p", "n", "a", "e", "k", "o", "P", "N", "A", "E", "K", "O"];

/// Reads a file.
pub(super) fn parse<'a>(path: &'a Path, text: &'a str) -> Result<File<'a>, Complaint> {
    let mut reader = Reader { path, text, at: 0, file: File::default() };
    reader.definitions()?;
    reader.rules()?;
    Ok(reader.file)
}

struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
    at: usize,
    file: File<'a>,
}

impl<'a> Reader<'a> {
    fn complaint(&self, at: usize, what: impl Into<String>) -> Complaint {
        Complaint::new(Position::of(self.path, self.text, at), None, what)
    }

    /// The rest of the line from `at` on.
    fn line(&self, at: usize) -> &'a str {
        &self.text[at..code::line_end(self.text, at)]
    }

    fn next_line(&mut self) {
        self.at = (code::line_end(self.text, self.at) + 1).min(self.text.len());
    }

    /// Steps over `%{ ... %}`.
    fn verbatim(&mut self) -> Result<(), Complaint> {
        let start = self.at + 2;
        let end = code::find(self.text, self.at, "\n%}").map(|end| end + 1);
        let end = end.or_else(|| code::find(self.text, start, "%}"));
        let end =
            end.ok_or_else(|| self.complaint(self.at, "the code that begins here has no end: a line of %}"))?;
        self.file.code.push(start..end);
        self.at = end;
        self.next_line();
        Ok(())
    }

    /// All in front of the first `%%`.
    fn definitions(&mut self) -> Result<(), Complaint> {
        self.file.states.push(("INITIAL", false));
        loop {
            if self.at >= self.text.len() {
                return Err(
                    self.complaint(self.at, "there are no rules: a line of %% stands in front of them")
                );
            }
            let line = self.line(self.at);
            if line.starts_with("%%") {
                self.next_line();
                return Ok(());
            }
            if let Some(end) = code::comment(self.text, self.at) {
                self.at = end;
                self.next_line();
            } else if line.starts_with("%{") {
                self.verbatim()?;
            } else if let Some(directive) = line.strip_prefix('%') {
                self.directive(directive)?;
            } else if line.trim().is_empty() {
                self.next_line();
            } else if line.starts_with([' ', '\t']) {
                let start = self.at;
                self.skip_code_line();
                self.file.code.push(start..self.at);
            } else {
                let (name, definition) = line.split_at(line.find([' ', '\t']).unwrap_or(line.len()));
                let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
                if !name.trim_end().bytes().all(is_name) {
                    let what = format!(
                        "{name} is no name for a definition; in front of %% stand names with their patterns, \
                         start states and code in %{{ %}}"
                    );
                    return Err(self.complaint(self.at, what));
                }
                self.file.definitions.insert(name.trim_end(), definition.trim());
                self.next_line();
            }
        }
    }

    /// A line of code, with all of the comment that may begin in it.
    fn skip_code_line(&mut self) {
        let start = code::skip_gap(self.text, self.at);
        let line = code::line_end(self.text, self.at);
        self.at = if start > line { start } else { line };
        // Back to where the line begins that is none of it.
        while self.at > line && self.text.as_bytes()[self.at - 1] != b'\n' && self.at != self.text.len() {
            self.at -= 1;
        }
        if self.at == line {
            self.next_line();
        }
    }

    fn directive(&mut self, directive: &'a str) -> Result<(), Complaint> {
        let mut words = directive.split([' ', '\t', '\r', ',']).filter(|word| !word.is_empty());
        let first = words.next().unwrap_or_default();
        match first {
            "s" | "S" | "start" | "Start" | "x" | "X" => {
                let is_exclusive = matches!(first, "x" | "X");
                self.file.states.extend(
                    words.take_while(|word| !word.starts_with("/*")).map(|name| (name, is_exclusive)),
                );
            }
            "option" => {
                for word in words {
                    match word {
                        "case-insensitive" | "caseless" => self.file.case_insensitive = true,
                        "nodefault" => self.file.no_default = true,
                        _ => {}
                    }
                }
            }
            _ if first.starts_with("top") => {
                let brace = code::find(self.text, self.at, "{");
                let end = brace.and_then(|brace| code::braces_end(self.text, brace));
                let end = end.ok_or_else(|| self.complaint(self.at, "the code of %top has no end"))?;
                self.file.code.push(self.at..end);
                self.at = end;
            }
            "array" | "pointer" => {}
            _ if SIZES.contains(&first) => {}
            // A table of characters, up to a line like its first.
            "t" | "T" => {
                let end = code::find(self.text, self.at + 1, "\n%").map(|end| end + 1);
                self.at = end.ok_or_else(|| self.complaint(self.at, "the table of characters has no end"))?;
            }
            _ => {
                let what =
                    format!("there is no %{first} in lex or flex; delete it if it does not say what matches");
                return Err(self.complaint(self.at, what));
            }
        }
        self.next_line();
        Ok(())
    }

    /// The rules, and what stands behind the second `%%`.
    fn rules(&mut self) -> Result<(), Complaint> {
        // The states of the braces that are open.
        let mut scopes: Vec<Vec<usize>> = Vec::new();
        while self.at < self.text.len() {
            let line = self.line(self.at);
            let inner = line.trim_start_matches([' ', '\t', '\r']);
            let indent = line.len() - inner.len();
            if line.starts_with("%%") {
                self.next_line();
                self.file.code.push(self.at..self.text.len());
                break;
            } else if inner.is_empty() {
                self.next_line();
            } else if let Some(end) = code::comment(self.text, self.at + indent) {
                self.at = end;
                // What follows a comment in its line is code.
                self.next_line();
            } else if inner.starts_with("%{") {
                self.at += indent;
                self.verbatim()?;
            } else if inner.starts_with('}') && !scopes.is_empty() {
                scopes.pop();
                self.at += indent + 1;
                self.next_line();
            } else if indent > 0 && scopes.is_empty() {
                let start = self.at;
                self.skip_code_line();
                self.file.code.push(start..self.at);
            } else {
                self.at += indent;
                self.rule(&mut scopes)?;
            }
        }
        Ok(())
    }

    fn rule(&mut self, scopes: &mut Vec<Vec<usize>>) -> Result<(), Complaint> {
        let start = self.at;
        let mut states: Vec<usize> = scopes.iter().flatten().copied().collect();
        if self.line(start).starts_with('<') && !self.line(start).starts_with("<<") {
            let line = self.line(start);
            let end = line
                .find('>')
                .ok_or_else(|| self.complaint(start, "the start state that begins here has no end: >"))?;
            for name in line[1..end].split(',').map(str::trim) {
                if name == "*" {
                    states.extend(0..self.file.states.len());
                    continue;
                }
                let known = self
                    .file
                    .states
                    .iter()
                    .position(|(state, _)| *state == name || name == "0" && *state == "INITIAL");
                states.push(known.ok_or_else(|| {
                    self.complaint(
                        start,
                        format!("there is no start state {name}: declare it with %x or %s in front of %%"),
                    )
                })?);
            }
            self.at = start + end + 1;
        }
        // The brace of a scope may stand in the next line.
        if !states.is_empty() && self.line(self.at).trim().is_empty() {
            self.at = code::skip_gap(self.text, self.at);
        }
        let line = self.line(self.at);
        let rest = line.strip_prefix('{').map(str::trim);
        if !states.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("/*")) {
            scopes.push(states);
            self.next_line();
            return Ok(());
        }
        let (at, length) = (self.at, pattern_length(line));
        self.at += length;
        let action = self.action()?;
        self.file.rules.push(Rule { pattern: &line[..length], at, states, action });
        Ok(())
    }

    /// What stands behind a pattern.
    fn action(&mut self) -> Result<Action<'a>, Complaint> {
        let start = self.at;
        let rest = self.line(start).trim();
        let is_next =
            rest.strip_prefix('|').is_some_and(|rest| rest.is_empty() || rest.trim_start().starts_with("/*"));
        if is_next {
            self.next_line();
            return Ok(Action::Next);
        }
        if rest.starts_with("%{") {
            let begin = code::find(self.text, start, "%{").unwrap_or(start) + 2;
            let end = code::find(self.text, begin, "%}");
            let end =
                end.ok_or_else(|| self.complaint(start, "the action that begins here has no end: %}"))?;
            self.at = end;
            self.next_line();
            return Ok(Action::Code(&self.text[begin..end]));
        }
        let bytes = self.text.as_bytes();
        let (mut at, mut depth) = (start, 0_usize);
        while at < bytes.len() {
            match bytes[at] {
                b'\n' if depth == 0 => break,
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                b'"' | b'\'' => {
                    at = code::quoted_end(self.text, at);
                    continue;
                }
                b'\\' => at += 1,
                b'/' => {
                    if let Some(end) = code::comment(self.text, at) {
                        at = end;
                        continue;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        let end = at.min(self.text.len());
        if depth > 0 {
            return Err(self.complaint(start, "the action that begins here has no end: }"));
        }
        self.at = end;
        self.next_line();
        Ok(Action::Code(&self.text[start..end]))
    }
}

/// The length of the pattern at the beginning of a line: up to the first blank that is not quoted.
fn pattern_length(line: &str) -> usize {
    let bytes = line.as_bytes();
    let (mut at, mut quoted, mut extended) = (0, false, 0_usize);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'"' => quoted = !quoted,
            b'[' if !quoted => {
                // A bracket at the beginning of a class is a member.
                at += 1 + usize::from(bytes.get(at + 1) == Some(&b'^'));
                at += usize::from(bytes.get(at) == Some(&b']'));
                while at < bytes.len() && bytes[at] != b']' {
                    if bytes[at..].starts_with(b"[:") {
                        at += code::find(line, at, ":]").map_or(0, |end| end + 1 - at);
                    }
                    at += 1 + usize::from(bytes[at] == b'\\');
                }
            }
            b'(' if !quoted && (extended > 0 || bytes[at..].starts_with(b"(?x:")) => extended += 1,
            b')' if !quoted => extended = extended.saturating_sub(1),
            b' ' | b'\t' | b'\r' if !quoted && extended == 0 => return at,
            _ => {}
        }
        at += 1;
    }
    // An escape may be the last byte, and not be of one.
    (at.min(line.len())..=line.len()).find(|&at| line.is_char_boundary(at)).unwrap_or(line.len())
}
