//! Lexical specifications as grmtools has them: behind a pattern stands the name of its token in quotes, or `;`.
//!
//! The reading is theirs. The patterns are regular expressions of the crate `regex`.

use std::path::Path;

use cfgrammar::Spanned;
use lrlex::{DefaultLexerTypes, LRNonStreamingLexerDef, LexerDef, StartStateOperation};
use regex_syntax::ParserBuilder;

use super::{Lexical, Names};
use crate::ebnf::{Lines, Position};
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
    let definition = LRNonStreamingLexerDef::<DefaultLexerTypes<u32>>::from_str(lex).map_err(|errors| {
        let error = errors.into_iter().next();
        error.map_or_else(
            || Complaint::new(Position::of(path, lex, 0), None, "no lexical specification"),
            |error| {
                let mut complaint = complaint(path, lex, &error);
                complaint.what += form(&complaint.what);
                complaint
            },
        )
    })?;
    let modes = definition.iter_start_states().count();
    let exclusive = exclusive(lex, modes);
    let lines = Lines::of(path, lex);
    let (mut rules, mut names, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
    for rule in definition.iter_rules() {
        let at = lines.position(rule.name_span().start());
        let name = rule.name().unwrap_or(";");
        // As grmtools compiles them.
        let mut parser = ParserBuilder::new();
        parser.octal(true).multi_line(true).dot_matches_new_line(true);
        let hir = parser.build().parse(rule.re_str());
        let hir = hir.map_err(|error| Complaint::new(at.clone(), Some(name), error.to_string()))?;
        let becomes = match rule.name().map(|name| tokens.of(name)) {
            None => Becomes::Gap,
            Some(Some(terminal)) => Becomes::Token(terminal),
            Some(None) => {
                warnings.push(Complaint::new(at, Some(name), "the grammar has no such token"));
                continue;
            }
        };
        let modes = match rule.start_states() {
            [] => (0..modes).filter(|&mode| !exclusive[mode]).collect(),
            states => states.to_vec(),
        };
        let then = rule.target_state().map(|(state, operation)| match operation {
            StartStateOperation::ReplaceStack => ModeChange::Reset(state),
            StartStateOperation::Push => ModeChange::Push(state),
            StartStateOperation::Pop => ModeChange::Pop,
        });
        rules.push(LexRule {
            may_be_empty: false,
            patterns: vec![hir],
            modes,
            becomes,
            keeps: Keeps::All,
            then: then.into_iter().collect(),
        });
        names.push((name.to_owned(), at));
    }
    let common = (0..modes).filter(|&mode| !exclusive[mode]).collect();
    Ok(Lexical { rules, names, modes, common, warnings, ..Lexical::default() })
}

/// What a specification has instead of what was complained of. Those for flex have code in these places.
fn form(what: &str) -> &'static str {
    match what {
        "invalid rule name" | "rule is missing a space" | "verbatim code not supported" => {
            "; behind a pattern stands the name of a token in quotes, as in `[a-z]+ \"ID\"`, or `;` for what is \
             left out: write that instead of an action such as `return ID;` or `{ ... }`"
        }
        "unknown declaration" => {
            "; in front of %% stand start states only (`%s NAME`, `%x NAME`): leave options, definitions and code \
             out, and write what a definition stands for into the patterns"
        }
        _ => "",
    }
}

/// Which start states are exclusive, in the order in which they are declared behind the initial one;
/// grmtools does not tell.
fn exclusive(lex: &str, modes: usize) -> Vec<bool> {
    let declarations = lex.lines().take_while(|line| !line.starts_with("%%"));
    let declared = declarations.flat_map(|line| {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default();
        let kind = first.as_bytes().get(..2).unwrap_or_default();
        let of_states = matches!(kind, b"%x" | b"%X" | b"%s" | b"%S");
        let is_exclusive = matches!(kind, b"%x" | b"%X");
        words.filter(move |_| of_states).map(move |_| is_exclusive)
    });
    let mut exclusive: Vec<bool> = [false].into_iter().chain(declared).collect();
    exclusive.resize(modes, false);
    exclusive
}

fn complaint(path: &Path, text: &str, error: &impl Spanned) -> Complaint {
    let at = error.spans().first().map_or(0, |span| span.start());
    let mut what = error.to_string();
    // A pattern that does not fit a line does not help; what is wrong with it stands behind it.
    if what.lines().any(|line| line.len() > 120)
        && let (Some(first), Some((_, last))) = (what.split_once(':'), what.rsplit_once("error: "))
    {
        what = format!("{}: {last}", first.0);
    }
    Complaint::new(Position::of(path, text, at), None, what[..1].to_lowercase() + &what[1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exclusive_states_are_those_declared_so() {
        assert_eq!(exclusive("%x A B\n%s C\n%%\n. ;\n%x D", 4), [false, true, true, false]);
    }
}
