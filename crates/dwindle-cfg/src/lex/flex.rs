//! Files for lex and flex.
//!
//! A rule becomes the tokens that its action may return ([`super::action`]). Without any, what it matches is layout,
//! or the beginning of a token where its action begins a start state that ends with one, as strings are often read.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, ClassBytes, ClassBytesRange, Hir, HirKind};

use super::action::{Change, Code, Eats, Effect, Keeps as Kept, Tokens};
use super::pattern::{Pattern, Patterns, single_bytes};
use super::syntax::{self, Action, File, Rule};
use super::{Lexical, Names};
use crate::ebnf::{Lines, Position};
use crate::error::Complaint;
use crate::lexer::{Becomes, Keeps, LexRule, ModeChange};

/// Reads a file.
pub(super) fn read<'a>(path: &'a Path, text: &'a str, names: &Names<'a>) -> Result<Lexical, Complaint> {
    let File { definitions, case_insensitive, no_default, states, rules, code: ranges } =
        syntax::parse(path, text)?;
    let mut code = Code::default();
    ranges.into_iter().for_each(|range| code.read(text, range));
    names.code.iter().for_each(|(text, range)| code.read(text, range.clone()));
    let lines = Lines::of(path, text);
    let is_state = |name: &str| states.iter().any(|(state, _)| *state == name);
    let mut effects: Vec<Effect> = Vec::new();
    for index in 0..rules.len() {
        let action = rules[index..].iter().find_map(|rule| match rule.action {
            Action::Next => None,
            Action::Code(code) => Some(code),
        });
        effects.push(code.effect(action.unwrap_or_default(), names, &is_state));
    }
    let mut reader = Patterns::new(definitions, case_insensitive);
    let mut patterns: Vec<Option<Pattern>> = Vec::new();
    for (index, (rule, effect)) in rules.iter().zip(&effects).enumerate() {
        // Of rules for the same, the one that is there for what the others reject.
        let is_repeated = || rules[index + 1..].iter().any(|other| other.pattern == rule.pattern);
        let is_rejected = effect.rejects && (!returns(effect) || is_repeated());
        if rule.pattern.starts_with("<<EOF>>") || rule.pattern.is_empty() || is_rejected {
            patterns.push(None);
            continue;
        }
        let wrong = |(at, what): (usize, String)| {
            Complaint::new(
                lines.position(rule.at + at),
                None,
                format!("in the pattern {}: {what}", shown(rule.pattern)),
            )
        };
        patterns.push(Some(reader.pattern(rule.pattern).map_err(wrong)?));
    }
    let common = (0..states.len()).filter(|&state| !states[state].1).collect();
    let mut build = Build {
        names,
        states: &states,
        lexical: Lexical { modes: states.len(), common, ..Lexical::default() },
        joined: HashSet::new(),
    };
    build.lexical.looks_up = effects.iter().any(|effect| effect.looks_up);
    build.joined = build.joined_states(&rules, &effects, &patterns);
    build.tables(&code, &effects, case_insensitive);
    build.unknown(&mut effects);
    for ((rule, effect), pattern) in rules.iter().zip(&effects).zip(patterns) {
        let Some(pattern) = pattern else { continue };
        build.rule(rule, effect, pattern, &lines.position(rule.at));
    }
    if !no_default {
        build.default_rules(path);
    }
    Ok(build.lexical)
}

/// A pattern for a message.
fn shown(pattern: &str) -> String {
    const SHOWN: usize = 60;
    let short: String = pattern.chars().take(SHOWN).collect();
    if short.len() < pattern.len() { format!("{short}...") } else { short }
}

struct Build<'a, 'b> {
    names: &'b Names<'a>,
    states: &'b [(&'a str, bool)],
    lexical: Lexical,
    /// The states all of whose matches are parts of one token.
    joined: HashSet<usize>,
}

fn returns(effect: &Effect) -> bool {
    !effect.tokens.is_empty() || effect.first_character || effect.unknown
}

/// Whether an inclusive state is as good as an exclusive one: its own rules match all that those without a state could match, and
/// stand in front of them.
fn hides_the_common_rules(state: usize, rules: &[Rule<'_>], patterns: &[Option<Pattern>]) -> bool {
    let mut own = ClassBytes::empty();
    rules.iter().zip(patterns).all(|(rule, pattern)| {
        let Some(pattern) = pattern else { return true };
        let single = single_bytes(&pattern.hir);
        if rule.states.contains(&state) {
            if let Some(single) = single.filter(|_| pattern.head.is_none()) {
                own.union(&single);
            }
            return true;
        }
        !rule.states.is_empty()
            || single.is_some_and(|mut left| {
                left.difference(&own);
                left.ranges().is_empty()
            })
    })
}

impl Build<'_, '_> {
    fn state(&self, name: &str) -> usize {
        self.states.iter().position(|(state, _)| *state == name).unwrap_or(0)
    }

    /// The state that an action goes to.
    fn target(&self, effect: &Effect) -> Option<usize> {
        match effect.then.as_ref()? {
            Change::To(name) | Change::Push(name) => Some(self.state(name)),
            Change::Back => None,
        }
    }

    /// The states in which a token is put together: nothing that enters them returns one, and whatever does in
    /// them leaves them.
    fn joined_states(
        &self,
        rules: &[Rule<'_>],
        effects: &[Effect],
        patterns: &[Option<Pattern>],
    ) -> HashSet<usize> {
        let mut joined = HashSet::new();
        loop {
            let more: HashSet<usize> = (1..self.states.len())
                .filter(|&state| self.states[state].1 || hides_the_common_rules(state, rules, patterns))
                .filter(|&state| {
                    let mut inside = rules
                        .iter()
                        .zip(effects)
                        .filter(|(rule, _)| rule.states.contains(&state))
                        .map(|(_, one)| one);
                    let entering = effects.iter().filter(|effect| self.target(effect) == Some(state));
                    let only_silent = entering.clone().all(|effect| !returns(effect)) && entering.count() > 0;
                    let leaves =
                        |effect: &Effect| effect.then.is_some() && self.target(effect) != Some(state);
                    only_silent
                        && inside.clone().all(|effect| !returns(effect) || leaves(effect))
                        && inside.any(|effect| {
                            returns(effect)
                                || self.target(effect).is_some_and(|to| to != state && joined.contains(&to))
                        })
                })
                .collect();
            if more == joined {
                return joined;
            }
            joined = more;
        }
    }

    /// Tokens whose text stands beside them in a table of the code, and that no action names: rules in front of all.
    fn tables(&mut self, code: &Code<'_>, effects: &[Effect], case_insensitive: bool) {
        let made: BTreeSet<u32> = effects.iter().flat_map(|effect| &effect.tokens).copied().collect();
        let mut seen = HashSet::new();
        for (text, name) in code.texts() {
            let Some(token) = self.names.named(name).filter(|token| !made.contains(token)) else { continue };
            if text.is_empty() || !seen.insert(text.to_vec()) {
                continue;
            }
            let bytes = text.iter().map(|&byte| {
                let mut class = ClassBytes::new([ClassBytesRange::new(byte, byte)]);
                if case_insensitive {
                    class.case_fold_simple();
                }
                Hir::class(Class::Bytes(class))
            });
            let pattern = Hir::concat(bytes.collect());
            self.push(
                pattern,
                self.lexical.common.clone(),
                Becomes::Token(token),
                name,
                &Position::default(),
            );
        }
    }

    /// What returns something that cannot be told may return any token that nothing else makes.
    fn unknown(&mut self, effects: &mut [Effect]) {
        let mut made: BTreeSet<u32> = effects.iter().flat_map(|effect| &effect.tokens).copied().collect();
        made.extend(self.lexical.rules.iter().filter_map(|rule| match rule.becomes {
            Becomes::Token(token) => Some(token),
            Becomes::Gap | Becomes::More => None,
        }));
        let others: BTreeSet<u32> = self.names.words().filter(|token| !made.contains(token)).collect();
        for effect in effects.iter_mut().filter(|effect| effect.unknown && effect.tokens.is_empty()) {
            effect.tokens.clone_from(&others);
        }
    }

    fn push(&mut self, pattern: Hir, modes: Vec<usize>, becomes: Becomes, name: &str, at: &Position) {
        self.lexical.rules.push(LexRule {
            patterns: vec![pattern],
            modes,
            becomes,
            may_be_empty: false,
            keeps: Keeps::All,
            then: Vec::new(),
        });
        self.lexical.names.push((name.to_owned(), at.clone()));
    }

    fn rule(&mut self, rule: &Rule<'_>, effect: &Effect, pattern: Pattern, at: &Position) {
        let name = shown(rule.pattern);
        let modes: Vec<usize> = match rule.states[..] {
            [] => self.lexical.common.clone(),
            _ => rule.states.iter().copied().collect::<BTreeSet<_>>().into_iter().collect(),
        };
        let then: Vec<ModeChange> = match &effect.then {
            None => Vec::new(),
            Some(Change::To(state)) => vec![ModeChange::Set(self.state(state))],
            Some(Change::Push(state)) => vec![ModeChange::Push(self.state(state))],
            Some(Change::Back) => vec![ModeChange::Pop],
        };
        let (hir, eaten) = eaten(pattern.hir, effect);
        if !eaten {
            let what = format!(
                "the action of {name} reads on by itself, and where it ends is not understood: only the pattern is taken; \
                 write all of what is read into the pattern"
            );
            self.lexical.warnings.push(Complaint::new(at.clone(), None, what));
        }
        let keeps = match (effect.keeps, pattern.head) {
            (Some(Kept::First(count)), _) => Keeps::First(count),
            (Some(Kept::AllBut(count)), _) => Keeps::AllBut(count),
            (None, Some(head)) => head.tail.map_or_else(|| Keeps::Head(head.hir), Keeps::AllBut),
            (None, None) => Keeps::All,
        };
        let begins_joined = self.target(effect).is_some_and(|state| self.joined.contains(&state));
        let is_joined = modes.iter().all(|mode| self.joined.contains(mode));
        let leaves_joined = effect.then.is_some() && !begins_joined;
        let mut tokens = effect.tokens.clone();
        let add = |this: &mut Self, hir: Hir, becomes: Becomes| {
            this.lexical.rules.push(LexRule {
                may_be_empty: false,
                patterns: vec![hir],
                modes: modes.clone(),
                becomes,
                keeps: keeps.clone(),
                then: then.clone(),
            });
            this.lexical.names.push((name.clone(), at.clone()));
        };
        if effect.first_character {
            let single = single_bytes(&hir);
            let first = single.clone().unwrap_or_else(|| first_bytes(&hir));
            let own = self.names.bytes().filter(|(byte, _)| {
                first.ranges().iter().any(|range| (range.start()..=range.end()).contains(byte))
            });
            let own: Vec<(u8, u32)> = own.collect();
            if tokens.is_empty() && single.is_some() {
                for (byte, token) in own {
                    add(self, Hir::literal([byte]), Becomes::Token(token));
                }
                let invalid = self.lexical.any_of(self.names.next, Vec::new());
                add(self, hir, Becomes::Token(invalid));
                return;
            }
            tokens.extend(own.into_iter().map(|(_, token)| token));
        }
        // What may return something or not at white space is taken to be layout.
        let blank = |class: &ClassBytes| {
            class
                .ranges()
                .iter()
                .all(|range| b" \t\n\r\x0c\x0b".contains(&range.start()) && range.end() <= b' ')
        };
        let is_blank =
            effect.unknown && effect.keeps.is_none() && single_bytes(&hir).is_some_and(|class| blank(&class));
        let becomes = if returns(effect) && !is_blank {
            let tokens: Vec<u32> = tokens.into_iter().collect();
            match tokens[..] {
                [token] => Becomes::Token(token),
                _ => Becomes::Token(self.lexical.any_of(self.names.next, tokens)),
            }
        } else if effect.more || begins_joined || is_joined && !leaves_joined {
            Becomes::More
        } else {
            Becomes::Gap
        };
        add(self, hir, becomes);
    }

    /// What no rule matches is left out, as lex only copies it.
    fn default_rules(&mut self, path: &Path) {
        let at = Position { file: path.to_owned(), line: 1, column: 1 };
        let any = || Hir::class(Class::Bytes(ClassBytes::new([ClassBytesRange::new(0, 255)])));
        let (joined, others): (Vec<usize>, Vec<usize>) =
            (0..self.states.len()).partition(|state| self.joined.contains(state));
        self.push(any(), others, Becomes::Gap, "what no rule matches", &at);
        self.push(any(), joined, Becomes::More, "what no rule matches", &at);
    }
}

/// A pattern with what its action reads by itself; whether that is understood.
fn eaten(pattern: Hir, effect: &Effect) -> (Hir, bool) {
    let literal = match pattern.kind() {
        HirKind::Literal(literal) => literal.0.to_vec(),
        _ => Vec::new(),
    };
    let is_silent = !returns(effect) && effect.then.is_none();
    let eats = match (effect.eats, &literal[..]) {
        (None | Some(Eats::Unknown), b"/*") if is_silent && (effect.calls || effect.eats.is_some()) => {
            Some(Eats::Comment)
        }
        (None | Some(Eats::Unknown), b"//") if is_silent && (effect.calls || effect.eats.is_some()) => {
            Some(Eats::To(b'\n', false))
        }
        (eats, _) => eats,
    };
    // A quote, if nothing else can be told, is looked for again.
    let quotes: Vec<u8> = match (eats, literal.last(), single_bytes(&pattern)) {
        (Some(Eats::Unknown), Some(&quote), _) if is_quote(quote) => vec![quote],
        (Some(Eats::Unknown), None, Some(class)) => {
            let bytes: Vec<u8> =
                class.ranges().iter().flat_map(|range| range.start()..=range.end()).collect();
            if bytes.iter().all(|&byte| is_quote(byte)) { bytes } else { Vec::new() }
        }
        _ => Vec::new(),
    };
    let parse = |rest: &str| {
        let mut parser = ParserBuilder::new().unicode(false).utf8(false).dot_matches_new_line(true).build();
        parser.parse(rest).expect("it is a regular expression")
    };
    let to = |byte: u8| format!("([^\\x{byte:02x}\\\\]|\\\\.)*\\x{byte:02x}");
    let rest = match eats {
        None => return (pattern, true),
        Some(Eats::Unknown) if quotes.is_empty() => return (pattern, false),
        Some(Eats::Unknown) => {
            let all = quotes.iter().map(|&quote| {
                let begin = if literal.is_empty() { Hir::literal([quote]) } else { pattern.clone() };
                Hir::concat(vec![begin, parse(&to(quote))])
            });
            return (Hir::alternation(all.collect()), true);
        }
        Some(Eats::Comment) => "[^*]*\\*+([^*/][^*]*\\*+)*/".to_owned(),
        Some(Eats::To(b'\n', _)) => "[^\\n]*\\n?".to_owned(),
        Some(Eats::To(byte, false)) => format!("[^\\x{byte:02x}]*\\x{byte:02x}"),
        Some(Eats::To(byte, true)) => to(byte),
    };
    (Hir::concat(vec![pattern, parse(&rest)]), true)
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

/// The bytes that a pattern can begin with.
fn first_bytes(hir: &Hir) -> ClassBytes {
    let all = || ClassBytes::new([ClassBytesRange::new(0, 255)]);
    match hir.kind() {
        HirKind::Literal(literal) => ClassBytes::new([ClassBytesRange::new(literal.0[0], literal.0[0])]),
        HirKind::Class(Class::Bytes(class)) => class.clone(),
        HirKind::Capture(capture) => first_bytes(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => first_bytes(&repetition.sub),
        HirKind::Concat(parts) if !matches!(parts[0].kind(), HirKind::Look(_)) => first_bytes(&parts[0]),
        HirKind::Alternation(parts) => {
            let mut class = ClassBytes::empty();
            parts.iter().for_each(|one| class.union(&first_bytes(one)));
            class
        }
        _ => all(),
    }
}
