//! The rules of ANTLR lexers as patterns.

use std::collections::HashMap;

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look, Repetition};

use super::syntax::{Element, LexerRule};
use crate::error::Complaint;

/// How often a rule may be inside itself, as nested comments are; deeper ones are no match.
pub(super) const NESTED: usize = 4;

/// How deep the parts of a rule may be nested, with those of the rules that it mentions: brackets as deep as they
/// may be, or a chain of some hundred rules. Patterns are made and compiled by recursion over them.
const DEEPEST: usize = 1000;

/// How many parts all rules of a lexer may have together where those that they mention are put in their
/// places; a part takes about 1 us. Rules that mention the next one twice, and so on, have any number.
const LARGEST: usize = 500_000;

/// Makes patterns of the rules of a lexer.
pub(super) struct Patterns<'a> {
    rules: HashMap<&'a str, &'a LexerRule>,
    /// The rules that a pattern is being made of, outermost first.
    inside: Vec<&'a str>,
    /// How deep the part is that a pattern is being made of, and how many there were before.
    depth: usize,
    parts: usize,
    case_insensitive: bool,
    /// Whether predicates hold.
    holds: bool,
    pub(super) warnings: Vec<Complaint>,
}

impl<'a> Patterns<'a> {
    pub(super) fn new(rules: &'a [LexerRule], holds: bool) -> Self {
        let mut by_name = HashMap::new();
        for rule in rules {
            by_name.entry(rule.name.as_str()).or_insert(rule);
        }
        Self {
            rules: by_name,
            inside: Vec::new(),
            depth: 0,
            parts: 0,
            case_insensitive: false,
            holds,
            warnings: Vec::new(),
        }
    }

    /// The pattern of an alternative of a rule.
    pub(super) fn alternative(
        &mut self,
        rule: &'a LexerRule,
        element: &'a Element,
    ) -> Result<Hir, Complaint> {
        self.case_insensitive = rule.case_insensitive;
        self.inside = vec![&rule.name];
        self.depth = 0;
        self.pattern(rule, element)
    }

    fn pattern(&mut self, rule: &'a LexerRule, element: &'a Element) -> Result<Hir, Complaint> {
        self.enter(rule, element)?;
        let pattern = self.pattern_within(rule, element);
        self.depth -= 1;
        pattern
    }

    /// Counts a part of a rule.
    fn enter(&mut self, rule: &LexerRule, element: &Element) -> Result<(), Complaint> {
        self.depth += 1;
        self.parts += if let Element::Literal(literal, _) = element { literal.len() } else { 1 };
        let what = if self.depth > DEEPEST {
            format!("it is nested more than {DEEPEST} deep with the rules that it mentions; make one of some")
        } else if self.parts > LARGEST {
            format!(
                "with the rules that it mentions in their places, the lexer has more than {LARGEST} parts; \
                 mention them less often"
            )
        } else {
            return Ok(());
        };
        // The rule of the token, not the one in which it became too much.
        let name = self.inside.first().copied().unwrap_or(&rule.name);
        let at = self.rules.get(name).map_or(&rule.at, |rule| &rule.at);
        Err(Complaint::new(at.clone(), Some(name), what))
    }

    fn pattern_within(&mut self, rule: &'a LexerRule, element: &'a Element) -> Result<Hir, Complaint> {
        Ok(match element {
            Element::Literal(literal, _) => text(literal, self.case_insensitive),
            Element::Range(..) | Element::Set(_) | Element::Any | Element::Not(_) => {
                Hir::class(Class::Unicode(self.class(rule, element)?))
            }
            Element::Reference(name, _) if name == "EOF" => Hir::look(Look::End),
            Element::Reference(name, at) => {
                let Some(&other) = self.rules.get(name.as_str()) else {
                    let what = format!("there is no rule {name}");
                    return Err(Complaint::new(at.clone(), Some(&rule.name), what));
                };
                let depth = self.inside.iter().filter(|inside| **inside == other.name).count();
                if depth >= NESTED {
                    let what = format!("it is inside itself; more than {NESTED} deep it is no match");
                    let warning = Complaint::new(other.at.clone(), Some(&other.name), what);
                    super::warn_once(&mut self.warnings, warning);
                    return Ok(Hir::fail());
                }
                self.inside.push(&other.name);
                let all = other.alternatives.iter().map(|(one, _)| self.pattern(other, one));
                let all = all.collect::<Result<Vec<_>, _>>();
                self.inside.pop();
                Hir::alternation(all?)
            }
            Element::Seq(all) => {
                Hir::concat(all.iter().map(|one| self.pattern(rule, one)).collect::<Result<_, _>>()?)
            }
            Element::Choice(all) => {
                Hir::alternation(all.iter().map(|one| self.pattern(rule, one)).collect::<Result<_, _>>()?)
            }
            Element::Repeat { element, optional, several, lazy } => {
                let sub = Box::new(self.pattern(rule, element)?);
                let (min, max) = (u32::from(!optional), (!several).then_some(1));
                Hir::repetition(Repetition { min, max, greedy: !lazy, sub })
            }
            Element::Predicate(at) => {
                let warning = Complaint::new(at.clone(), Some(&rule.name), super::PREDICATE);
                super::warn_once(&mut self.warnings, warning);
                if self.holds { Hir::empty() } else { Hir::fail() }
            }
        })
    }

    /// The characters that an element stands for.
    fn class(&mut self, rule: &'a LexerRule, element: &'a Element) -> Result<ClassUnicode, Complaint> {
        self.enter(rule, element)?;
        let class = self.class_within(rule, element);
        self.depth -= 1;
        class
    }

    fn class_within(&mut self, rule: &'a LexerRule, element: &'a Element) -> Result<ClassUnicode, Complaint> {
        let refuse = |what: String| Complaint::new(rule.at.clone(), Some(&rule.name), what);
        let mut class = match element {
            Element::Any => ClassUnicode::new([ClassUnicodeRange::new('\0', char::MAX)]),
            Element::Range(from, to) => match (&unquoted(from)[..], &unquoted(to)[..]) {
                (&[from], &[to]) => ClassUnicode::new([ClassUnicodeRange::new(from, to)]),
                _ => return Err(refuse(format!("{from}..{to} is not from one character to another"))),
            },
            Element::Set(set) => class_of(set).map_err(refuse)?,
            Element::Not(all) => {
                let mut class = ClassUnicode::empty();
                for one in all {
                    class.union(&self.class(rule, one)?);
                }
                class.negate();
                // What is not meant is neither a nor A.
                return Ok(class);
            }
            Element::Literal(literal, _) => match &unquoted(literal)[..] {
                &[one] => ClassUnicode::new([ClassUnicodeRange::new(one, one)]),
                _ => return Err(refuse(format!("{literal} is not one character"))),
            },
            Element::Reference(name, _) if self.rules.contains_key(name.as_str()) => {
                let mut class = ClassUnicode::empty();
                let other: &'a LexerRule = self.rules[name.as_str()];
                for (one, _) in &other.alternatives {
                    class.union(&self.class(rule, one)?);
                }
                class
            }
            Element::Seq(all) | Element::Choice(all) if all.len() == 1 => self.class(rule, &all[0])?,
            Element::Choice(all) => {
                let mut class = ClassUnicode::empty();
                for one in all {
                    class.union(&self.class(rule, one)?);
                }
                class
            }
            _ => return Err(refuse("only single characters can be negated".to_owned())),
        };
        if self.case_insensitive {
            class.case_fold_simple();
        }
        Ok(class)
    }
}

/// The pattern of a quoted text.
pub(super) fn text(literal: &str, case_insensitive: bool) -> Hir {
    let characters = unquoted(literal);
    if !case_insensitive {
        return Hir::literal(characters.iter().collect::<String>().into_bytes());
    }
    Hir::concat(
        characters
            .into_iter()
            .map(|one| {
                let mut class = ClassUnicode::new([ClassUnicodeRange::new(one, one)]);
                class.case_fold_simple();
                Hir::class(Class::Unicode(class))
            })
            .collect(),
    )
}

/// The characters between quotes.
pub(super) fn unquoted(literal: &str) -> Vec<char> {
    let inner = literal.strip_prefix('\'').unwrap_or(literal);
    let inner = inner.strip_suffix('\'').unwrap_or(inner);
    let mut characters = Vec::new();
    let mut rest = inner;
    while let Some(first) = rest.chars().next() {
        rest = &rest[first.len_utf8()..];
        characters.push(if first == '\\' { escape(&mut rest) } else { first });
    }
    characters
}

/// The character that an escape stands for; `rest` is what is behind the backslash.
fn escape(rest: &mut &str) -> char {
    let Some(first) = rest.chars().next() else { return '\\' };
    *rest = &rest[first.len_utf8()..];
    match first {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'u' => {
            let (digits, behind) = match rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
                Some(parts) => parts,
                None => rest.split_at_checked(4).unwrap_or((rest, "")),
            };
            let character = u32::from_str_radix(digits, 16).ok();
            // A lone surrogate is in no UTF-8 text.
            *rest = behind;
            character.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        other => other,
    }
}

/// The characters of a set in brackets.
fn class_of(set: &str) -> Result<ClassUnicode, String> {
    let inner = set.strip_prefix('[').and_then(|set| set.strip_suffix(']')).unwrap_or(set);
    let mut class = ClassUnicode::empty();
    let mut rest = inner;
    let mut from: Option<char> = None;
    while let Some(first) = rest.chars().next() {
        if first == '-' && rest.len() > 1 && from.is_some() {
            rest = &rest[1..];
            let (start, end) = (from.take().unwrap_or_default(), next(&mut rest));
            if start > end {
                return Err(format!("{start:?}-{end:?} is the wrong way round"));
            }
            class.push(ClassUnicodeRange::new(start, end));
            continue;
        }
        from = None;
        if let Some(property) = rest.strip_prefix("\\p{").or(rest.strip_prefix("\\P{")) {
            let (_, behind) = property.split_once('}').ok_or("a property without its end")?;
            let property = &rest[..rest.len() - behind.len()];
            let hir = regex_syntax::parse(property);
            match hir.as_ref().map(Hir::kind) {
                Ok(HirKind::Class(Class::Unicode(characters))) => class.union(characters),
                _ => return Err(format!("{property} is no property of characters that is known")),
            }
            rest = behind;
            continue;
        }
        let one = next(&mut rest);
        class.push(ClassUnicodeRange::new(one, one));
        from = Some(one);
    }
    Ok(class)
}

fn next(rest: &mut &str) -> char {
    let first = rest.chars().next().unwrap_or_default();
    *rest = &rest[first.len_utf8()..];
    if first == '\\' { escape(rest) } else { first }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_ranges_escapes_and_properties() {
        let has = |set: &str, one: char| {
            let class = class_of(set).unwrap();
            class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&one))
        };
        for (set, yes, no) in [
            ("[a-c_]", "abc_", "d-"),
            ("[a\\-c]", "a-c", "b"),
            ("[\\]\\\\-]", "]\\-", "^"),
            ("[-a]", "-a", "b"),
            ("[\\u0041-\\u{43}\\n]", "ABC\n", "Dn"),
            ("[\\p{Lu}0]", "AZ0\u{c4}", "a1"),
        ] {
            assert!(yes.chars().all(|one| has(set, one)), "{set}");
            assert!(!no.chars().any(|one| has(set, one)), "{set}");
        }
        assert!(class_of("[z-a]").is_err() && class_of("[\\p{Nonsense}]").is_err());
    }

    #[test]
    fn escapes_in_text_are_what_they_stand_for() {
        assert_eq!(unquoted("'a\\'\\n\\u0041\\u{1F600}\\\\'"), ['a', '\'', '\n', 'A', '\u{1f600}', '\\']);
    }
}
