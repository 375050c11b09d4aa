//! Lexical specifications as grmtools has them: behind a pattern stands the name of its token in quotes, or `;`.
//!
//! Only their form is read here: a rule is a line. The patterns are regular expressions of the crate `regex`.

use std::path::Path;

use regex_syntax::ParserBuilder;

use super::{Lexical, Names};
use crate::ebnf::Lines;
use crate::error::Complaint;
use crate::lexer::{Becomes, Keeps, LexRule, ModeChange};

/// Whether a text is such a specification, by the first of its rules that only one of both forms can have: in one for
/// lex, an action stands behind the pattern.
pub(super) fn is_named(text: &str) -> bool {
    let rules = text.lines().skip_while(|line| !line.starts_with("%%")).skip(1);
    for line in rules.take_while(|line| !line.starts_with("%%")).map(str::trim_end) {
        let quoted = ['"', '\''].into_iter().any(|quote| {
            let inner = line.strip_suffix(quote).and_then(|line| line.rfind(quote).map(|at| &line[..at]));
            inner.is_some_and(|before| before.ends_with([' ', '\t', '>']) && !before.trim().is_empty())
        });
        if quoted && !line.starts_with([' ', '\t']) {
            return true;
        }
        if line.ends_with(['}', '{', '|']) || line.contains("return") {
            return false;
        }
    }
    false
}

/// Reads a specification.
pub(super) fn read(path: &Path, lex: &str, tokens: &Names<'_>) -> Result<Lexical, Complaint> {
    let lines = Lines::of(path, lex);
    let mut reader = Reader { lines, states: vec![("INITIAL", false)], lexical: Lexical::default() };
    let mut at = 0;
    let mut in_rules = false;
    for line in lex.split_inclusive('\n') {
        let (start, text) = (at, line.trim_end());
        at += line.len();
        match in_rules {
            _ if text.is_empty() => {}
            false if text == "%%" => in_rules = true,
            false => reader.declaration(start, text)?,
            true if text == "%%" => break,
            true => reader.rule(start, text, tokens)?,
        }
    }
    let Reader { states, mut lexical, .. } = reader;
    lexical.modes = states.len();
    lexical.common = common(&states);
    Ok(lexical)
}

/// The start states of rules that name none.
fn common(states: &[(&str, bool)]) -> Vec<usize> {
    (0..states.len()).filter(|&state| !states[state].1).collect()
}

struct Reader<'a> {
    lines: Lines<'a>,
    /// The start states, with whether they are exclusive.
    states: Vec<(&'a str, bool)>,
    lexical: Lexical,
}

impl<'a> Reader<'a> {
    fn complaint(&self, at: usize, what: impl Into<String>) -> Complaint {
        Complaint::new(self.lines.position(at), None, what)
    }

    /// Start states: `%x` or `%s`, and their names.
    fn declaration(&mut self, at: usize, text: &'a str) -> Result<(), Complaint> {
        let mut words = text.split_whitespace();
        let is_exclusive = match words.next().map(|word| word.as_bytes().get(..2).unwrap_or_default()) {
            Some(b"%x" | b"%X") => true,
            Some(b"%s" | b"%S") => false,
            _ => {
                return Err(self.complaint(
                    at,
                    "unknown declaration; in front of %% stand start states only (`%s NAME`, `%x NAME`): leave options, \
                     definitions and code out, and write what a definition stands for into the patterns",
                ));
            }
        };
        for name in words {
            if self.states.iter().any(|(other, _)| *other == name) {
                return Err(self.complaint(at, format!("the start state {name} is declared twice")));
            }
            self.states.push((name, is_exclusive));
        }
        Ok(())
    }

    fn state(&self, at: usize, name: &str) -> Result<usize, Complaint> {
        let state = self.states.iter().position(|(other, _)| *other == name);
        state.ok_or_else(|| {
            self.complaint(
                at,
                format!("there is no start state {name}: declare it with %x or %s in front of %%"),
            )
        })
    }

    /// A pattern, behind the start states in which it is looked for; then the state that comes next, and a name.
    fn rule(&mut self, at: usize, text: &str, tokens: &Names<'_>) -> Result<(), Complaint> {
        if text.starts_with([' ', '\t']) {
            return Err(self.complaint(at, format!("verbatim code not supported{FORM}")));
        }
        let Some((pattern, name)) = text.rsplit_once([' ', '\t']) else {
            return Err(
                self.complaint(at, format!("a rule has no blank in front of the name of its token{FORM}"))
            );
        };
        let named_at = at + text.len() - name.len();
        let (then, name) = match name.strip_prefix('<').and_then(|name| name.split_once('>')) {
            Some((state, name)) => (Some(self.change(named_at, state)?), name),
            None => (None, name),
        };
        let quoted = |quote: char| name.strip_prefix(quote).and_then(|name| name.strip_suffix(quote));
        let name = match quoted('"').or_else(|| quoted('\'')) {
            _ if name == ";" => None,
            Some(name) => Some(name).filter(|name| !name.is_empty()),
            None => return Err(self.complaint(named_at, format!("{name} is no name of a token{FORM}"))),
        };
        let (modes, pattern) = match pattern.strip_prefix('<').and_then(|pattern| pattern.split_once('>')) {
            Some((states, pattern)) => {
                let states = states.split(',').map(|name| self.state(at, name.trim()));
                (states.collect::<Result<Vec<usize>, Complaint>>()?, pattern)
            }
            None => (common(&self.states), pattern),
        };
        let shown = name.unwrap_or(";");
        let becomes = match name.map(|name| tokens.of(name)) {
            None => Becomes::Gap,
            Some(Some(terminal)) => Becomes::Token(terminal),
            Some(None) => {
                let at = self.lines.position(named_at);
                self.lexical.warnings.push(Complaint::new(at, name, "the grammar has no such token"));
                return Ok(());
            }
        };
        let mut parser = ParserBuilder::new();
        // As grmtools compiles them.
        parser.octal(true).multi_line(true).dot_matches_new_line(true);
        let hir = parser.build().parse(&unescaped(pattern.trim_end()));
        let hir = hir.map_err(|error| {
            let what = error.to_string();
            // What is wrong stands behind a drawing of the pattern.
            let what = what.rsplit_once("error: ").map_or(&what[..], |(_, what)| what);
            Complaint::new(self.lines.position(at), Some(shown), what)
        })?;
        let then = then.into_iter().collect();
        let rule =
            LexRule { may_be_empty: false, patterns: vec![hir], modes, becomes, keeps: Keeps::All, then };
        self.lexical.rules.push(rule);
        self.lexical.names.push((shown.to_owned(), self.lines.position(named_at)));
        Ok(())
    }

    /// `NAME` is begun, `+NAME` too, until `-NAME` ends it.
    fn change(&self, at: usize, state: &str) -> Result<ModeChange, Complaint> {
        let (begun, ended) = (state.strip_prefix('+'), state.strip_prefix('-'));
        let number = self.state(at, begun.or(ended).unwrap_or(state))?;
        Ok(match (begun, ended) {
            (Some(_), _) => ModeChange::Push(number),
            (None, Some(_)) => ModeChange::Pop,
            (None, None) => ModeChange::Reset(number),
        })
    }
}

/// What to write instead. Specifications for flex have code there.
const FORM: &str = "; behind a pattern stands the name of a token in quotes, as in `[a-z]+ \"ID\"`, or `;` for what is \
                    left out: write that instead of an action such as `return ID;` or `{ ... }`";

/// A pattern in which `\\c` is `c` where that means nothing else, as in lex.
fn unescaped(pattern: &str) -> String {
    let mut text = String::with_capacity(pattern.len());
    let mut rest = pattern.chars();
    while let Some(char) = rest.next() {
        match rest.as_str().chars().next() {
            Some(next) if char == '\\' => {
                if regex_syntax::is_meta_character(next) || next.is_alphanumeric() {
                    text.push('\\');
                }
                text.push(next);
                rest.next();
            }
            _ => text.push(char),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_states_are_begun_and_ended() {
        let (path, mut tokens) = (Path::new("a.l"), Names::default());
        tokens.of_word.insert("A".to_owned(), 0);
        let text =
            "%x B C\n%s D\n%%\na \"A\"\n<B, D>\\< <+C>;\n<C>. <-C>''\nb <D>'A'\nc \"NONE\"\n%%\nnothing";
        let Lexical { rules, modes, common, warnings, .. } = read(path, text, &tokens).unwrap();
        assert_eq!((modes, common), (4, vec![0, 3]));
        let of: Vec<_> = rules.iter().map(|rule| (rule.modes.clone(), rule.then.clone())).collect();
        use ModeChange::{Pop, Push, Reset};
        assert_eq!(
            of,
            [
                (vec![0, 3], vec![]),
                (vec![1, 3], vec![Push(2)]),
                (vec![2], vec![Pop]),
                (vec![0, 3], vec![Reset(3)]),
            ]
        );
        assert_eq!(
            rules.iter().map(|rule| rule.becomes == Becomes::Gap).collect::<Vec<_>>(),
            [false, true, true, false]
        );
        assert_eq!(warnings.len(), 1);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (text, expected) in [
            ("%%\n[a-z]+ ID\n", "a.l:2:8: ID is no name of a token; behind a pattern"),
            ("%%\n(\"A\"\n", "a.l:2:1: a rule has no blank"),
            ("%%\n( \"A\"\n", "a.l:2:1: rule A: unclosed group"),
            ("%%\n<X>a \"A\"\n", "a.l:2:1: there is no start state X"),
            ("%x B B\n%%\n", "a.l:1:1: the start state B is declared twice"),
        ] {
            let mut tokens = Names::default();
            tokens.of_word.insert("A".to_owned(), 0);
            let error = read(Path::new("a.l"), text, &tokens).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn a_backslash_before_what_means_nothing_else_goes() {
        assert_eq!(
            unescaped(
                r#"\<"\.
\\(a\-"#
            ),
            r#"<"\.
\\(a\-"#
        );
    }
}
