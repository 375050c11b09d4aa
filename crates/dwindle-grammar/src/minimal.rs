//! Minimal strings: the shortest text that each rule of a grammar derives (Misherghi, *Hierarchical
//! Delta Debugging*, chapter 5).
//!
//! They are the least fixed point of the productions, in rounds: no rule knows a string at first, and
//! each round takes for every rule the shortest of what its production makes of the strings of the
//! round before. A shortest derivation repeats no rule on the way down, so there are at most as many
//! rounds as rules, and one in which nothing changes. Shorter is fewer tokens, then fewer bytes, then
//! fewer signs among them (a name is less likely than a sign to mean something else where it stands),
//! then what was found first. What a token reads that is given by a pattern is the pattern's shortest
//! match. A token that is found by code has no string, nor has what needs one.
//!
//! A round looks only at rules that mention one whose string has changed, and what is too long to be of use is
//! known by its length alone: a few rules that mention the next one twice have a shortest text that fills
//! any memory.

use std::collections::{BTreeMap, BTreeSet};

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};

use crate::rule::{Grammar, Rule};

/// A text as a sequence of tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence {
    words: Vec<Word>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Word {
    text: String,
    /// Whether no white space may stand before it.
    immediate: bool,
}

impl Sentence {
    fn word(text: String) -> Self {
        let words = if text.is_empty() { Vec::new() } else { vec![Word { text, immediate: false }] };
        Self { words }
    }

    /// The number of tokens; white space is none.
    pub fn tokens(&self) -> u32 {
        self.words.iter().filter(|word| !word.text.trim().is_empty()).count() as u32
    }

    /// What is compared: tokens, then bytes, then how many of these are neither letters nor digits.
    pub(crate) fn length(&self) -> (u32, usize, usize) {
        let bytes = || self.words.iter().flat_map(|word| word.text.bytes());
        (self.tokens(), bytes().count(), bytes().filter(|byte| !byte.is_ascii_alphanumeric()).count())
    }

    /// The text, with a blank where two tokens would read as another one.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for Word { text: word, immediate } in &self.words {
            let joins = |(last, first): (char, char)| {
                let word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
                let operator = |c: char| c.is_ascii_punctuation() && !"()[]{};,\"'`".contains(c);
                word(last) && (word(first) || first == '#') || operator(last) && operator(first)
            };
            if !immediate && text.chars().last().zip(word.chars().next()).is_some_and(joins) {
                text.push(' ');
            }
            text.push_str(word);
        }
        text
    }
}

/// What is compared: tokens, bytes, signs.
type Length = (u64, u64, u64);

/// The longest string that is written down, in tokens and in bytes. What a reduction puts in the place of a
/// node should be smaller than the node; the shortest texts of rules of real grammars have some ten tokens.
const LONGEST: (u64, u64) = (256, 4096);

/// The shortest string of a rule.
#[derive(Clone, Debug)]
struct Shortest {
    length: Length,
    /// None where it is longer than [`LONGEST`].
    sentence: Option<Sentence>,
}

impl Shortest {
    fn of(sentence: Sentence) -> Self {
        let (tokens, bytes, signs) = sentence.length();
        Self { length: (tokens.into(), bytes as u64, signs as u64), sentence: Some(sentence) }.bounded()
    }

    fn bounded(self) -> Self {
        let is_short = self.length.0 <= LONGEST.0 && self.length.1 <= LONGEST.1;
        Self { sentence: self.sentence.filter(|_| is_short), ..self }
    }

    fn then(self, next: Self) -> Self {
        let (one, two) = (self.length, next.length);
        let length = (one.0.saturating_add(two.0), one.1.saturating_add(two.1), one.2.saturating_add(two.2));
        let sentence = self.sentence.zip(next.sentence).map(|(mut one, two)| {
            one.words.extend(two.words);
            one
        });
        Self { length, sentence }.bounded()
    }

    /// All of it as one token.
    fn joined(self, immediate: bool) -> Self {
        let (tokens, bytes, signs) = self.length;
        let sentence = self.sentence.map(|sentence| {
            let mut word = Sentence::word(sentence.words.into_iter().map(|word| word.text).collect());
            word.words.iter_mut().for_each(|word| word.immediate = immediate);
            word
        });
        Self { length: (tokens.min(1), bytes, signs), sentence }
    }
}

/// The minimal strings of a grammar's rules, by their names; those without one are missing.
#[derive(Clone, Debug, Default)]
pub struct Minimal<'a> {
    of: BTreeMap<&'a str, Shortest>,
}

impl<'a> Minimal<'a> {
    /// Computes them.
    pub fn new(grammar: &'a Grammar) -> Self {
        let mut mentioned_by: BTreeMap<&str, BTreeSet<&'a str>> = BTreeMap::new();
        for (name, rule) in &grammar.rules {
            rule.for_each_symbol(&mut |symbol| _ = mentioned_by.entry(symbol).or_default().insert(name));
        }
        let mut minimal = Self::default();
        let mut round: BTreeSet<&'a str> = grammar.rules.keys().map(String::as_str).collect();
        while !round.is_empty() {
            let found = round.iter().filter_map(|&name| {
                let found = minimal.shortest(&grammar.rules[name])?;
                let known = minimal.of.get(name);
                known.is_none_or(|known| found.length < known.length).then_some((name, found))
            });
            let found: Vec<(&str, Shortest)> = found.collect();
            round.clear();
            for (name, shortest) in found {
                minimal.of.insert(name, shortest);
                round.extend(mentioned_by.get(name).into_iter().flatten());
            }
        }
        minimal
    }

    /// The string of the rule of that name.
    pub fn of(&self, name: &str) -> Option<&Sentence> {
        self.of.get(name)?.sentence.as_ref()
    }

    /// The shortest text of a rule, as far as those that it mentions have one.
    pub fn sentence(&self, rule: &Rule) -> Option<Sentence> {
        self.shortest(rule)?.sentence
    }

    fn shortest(&self, rule: &Rule) -> Option<Shortest> {
        let empty = || Shortest::of(Sentence::default());
        Some(match rule {
            Rule::Blank | Rule::Repeat(_) => empty(),
            Rule::String(text) => Shortest::of(Sentence::word(text.clone())),
            Rule::Pattern(pattern, flags) => Shortest::of(Sentence::word(shortest_match(pattern, flags)?)),
            Rule::Symbol(name) => self.of.get(&**name)?.clone(),
            Rule::Seq(parts) => {
                parts.iter().try_fold(empty(), |before, part| Some(before.then(self.shortest(part)?)))?
            }
            Rule::Choice(ways) => {
                ways.iter().filter_map(|way| self.shortest(way)).min_by_key(|shortest| shortest.length)?
            }
            Rule::Repeat1(item) => self.shortest(item)?,
            Rule::Token { content, immediate } => self.shortest(content)?.joined(*immediate),
            Rule::Alias { content, .. } => self.shortest(content)?,
        })
    }
}

/// The shortest text that a pattern matches; none if it cannot be read, or is longer than [`LONGEST`].
fn shortest_match(pattern: &str, flags: &str) -> Option<String> {
    // The patterns are JavaScript's, where a slash may be escaped.
    let pattern = pattern.replace("\\/", "/");
    let mut parser = ParserBuilder::new().case_insensitive(flags.contains('i')).utf8(true).build();
    let mut text = String::new();
    shortest(&parser.parse(&pattern).ok()?, &mut text)?;
    Some(text)
}

/// Appends the shortest match; none if nothing matches.
fn shortest(hir: &Hir, out: &mut String) -> Option<()> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(class) => out.push(member(class)?),
        HirKind::Repetition(repetition) => {
            let mut one = String::new();
            if repetition.min > 0 {
                shortest(&repetition.sub, &mut one)?;
            }
            let length = u64::from(repetition.min).saturating_mul(one.len() as u64);
            if length.saturating_add(out.len() as u64) > LONGEST.1 {
                return None;
            }
            // An empty text is one however often it is repeated.
            (!one.is_empty()).then(|| out.push_str(&one.repeat(repetition.min as usize)));
        }
        HirKind::Capture(capture) => shortest(&capture.sub, out)?,
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| shortest(part, out))?,
        HirKind::Alternation(ways) => {
            let matches = ways.iter().filter_map(|way| {
                let mut text = String::new();
                shortest(way, &mut text).map(|()| text)
            });
            out.push_str(&matches.min_by_key(String::len)?);
        }
    }
    Some(())
}

/// A member of a class of characters, as plain as there is.
fn member(class: &Class) -> Option<char> {
    let Class::Unicode(class) = class else { return None };
    let has = |c: char| class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&c));
    let plain = ('a'..='z').chain('A'..='Z').chain('0'..='9').chain('!'..='~').chain([' ', '\n']);
    plain.into_iter().find(|&c| has(c)).or_else(|| class.ranges().first().map(|range| range.start()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn check(pattern: &str, expect: Option<&str>) {
        assert_eq!(shortest_match(pattern, "").as_deref(), expect, "{pattern}");
    }

    #[test]
    fn the_shortest_match_of_a_pattern_is_plain() {
        check("[a-zA-Z_]\\w*", Some("a"));
        check("0[xX][0-9a-f]+|\\d+", Some("0"));
        check("\\/\\/[^\\n]*", Some("//"));
        check("(ab|c){2,}d?", Some("cc"));
        check("[^\\s\"]", Some("a"));
        check("\\p{XID_Start}", Some("a"));
        check("(", None);
        check("(a{1000}){1000}", None);
        check("((a{1000}){1000}){1000}|b", Some("b"));
        check("(){4000000000}a", Some("a"));
        check("[^\\s\\S]", None);
    }

    fn grammar(rules: &[(&str, Rule)]) -> Grammar {
        Grammar {
            name: "test".into(),
            start: rules[0].0.into(),
            rules: rules.iter().map(|(name, rule)| (name.to_string(), rule.clone())).collect(),
            spliced: Vec::new(),
            inline: Vec::new(),
            externals: Vec::new(),
        }
    }

    fn text(text: &str) -> Rule {
        Rule::String(text.into())
    }

    fn symbol(name: &str) -> Rule {
        Rule::Symbol(name.into())
    }

    #[test]
    fn the_toy_grammar_has_the_strings_of_the_thesis() {
        let seq = |parts: &[&str]| {
            let rule = |part: &&str| if part.starts_with('<') { symbol(part) } else { text(part) };
            Rule::Seq(parts.iter().map(rule).collect())
        };
        let grammar = grammar(&[
            ("<prog>", Rule::Choice(vec![seq(&["<func>", "<prog>"]), symbol("<func>")])),
            ("<func>", seq(&["<type>", "x", "(", ")", "<block>"])),
            ("<block>", seq(&["{", "<stmts>", "}"])),
            ("<stmts>", Rule::Repeat(Box::new(symbol("<stmt>")))),
            (
                "<stmt>",
                Rule::Choice(vec![
                    seq(&["<expr>", ";"]),
                    seq(&["if", "(", "<expr>", ")", "<stmt>"]),
                    symbol("<block>"),
                ]),
            ),
            (
                "<expr>",
                Rule::Choice(vec![text("x"), seq(&["(", "<expr>", ")"]), seq(&["<expr>", "+", "<expr>"])]),
            ),
            ("<type>", Rule::Choice(vec![text("int"), seq(&["<type>", "*"])])),
            ("<dead>", seq(&["<dead>", "x"])),
        ]);
        let minimal = Minimal::new(&grammar);
        let text = |name: &str| minimal.of(name).map(Sentence::text);
        for (name, expect) in [
            ("<prog>", "int x(){}"),
            ("<func>", "int x(){}"),
            ("<block>", "{}"),
            ("<stmts>", ""),
            ("<stmt>", "x;"),
            ("<expr>", "x"),
            ("<type>", "int"),
        ] {
            assert_eq!(text(name).as_deref(), Some(expect), "{name}");
        }
        assert_eq!(text("<dead>"), None);
    }

    #[test]
    fn strings_that_fill_any_memory_are_known_by_their_lengths() {
        let names: Vec<String> = (0..80).map(|index| format!("r{index:02}")).collect();
        let twice = names.windows(2).map(|pair| {
            let inner = || symbol(&pair[1]);
            (
                &*pair[0],
                Rule::Choice(vec![Rule::Seq(vec![inner(), inner()]), Rule::Seq(vec![inner(), inner()])]),
            )
        });
        let rules: Vec<(&str, Rule)> = twice.chain([("r79", text("a"))]).collect();
        let grammar = grammar(&rules);
        let minimal = Minimal::new(&grammar);
        assert_eq!(minimal.of("r70"), None);
        assert_eq!(minimal.of("r71").map(Sentence::tokens), Some(256));
        assert_eq!(minimal.of["r00"].length.0, u64::MAX);
    }

    #[test]
    fn a_chain_of_thousands_of_rules_takes_a_round_for_each_that_looks_at_one() {
        let names: Vec<String> = (0..20_000).map(|index| format!("r{index:05}")).collect();
        let chain = names.windows(2).map(|pair| (&*pair[0], symbol(&pair[1])));
        let rules: Vec<(&str, Rule)> = chain.chain([("r19999", text("a"))]).collect();
        let grammar = grammar(&rules);
        assert_eq!(Minimal::new(&grammar).of("r00000").map(Sentence::text).as_deref(), Some("a"));
    }

    /// All texts of at most `longest` letters that each rule derives: every way to put together what
    /// is known already, until that brings nothing new.
    fn brute_force(grammar: &Grammar, longest: usize) -> BTreeMap<String, BTreeSet<String>> {
        let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        loop {
            let mut next = known.clone();
            for (name, rule) in &grammar.rules {
                next.entry(name.clone()).or_default().extend(texts(rule, &known, longest));
            }
            if next == known {
                return known;
            }
            known = next;
        }
    }

    fn texts(rule: &Rule, known: &BTreeMap<String, BTreeSet<String>>, longest: usize) -> BTreeSet<String> {
        let joined = |a: &BTreeSet<String>, b: &BTreeSet<String>| -> BTreeSet<String> {
            let all = a.iter().flat_map(|a| b.iter().map(move |b| format!("{a}{b}")));
            all.filter(|text| text.len() <= longest).collect()
        };
        let empty = || BTreeSet::from([String::new()]);
        match rule {
            Rule::Blank => empty(),
            Rule::String(text) => BTreeSet::from([text.clone()]),
            Rule::Symbol(name) => known.get(name).cloned().unwrap_or_default(),
            Rule::Seq(parts) => {
                parts.iter().fold(empty(), |all, part| joined(&all, &texts(part, known, longest)))
            }
            Rule::Choice(ways) => ways.iter().flat_map(|way| texts(way, known, longest)).collect(),
            Rule::Repeat(item) | Rule::Repeat1(item) => {
                let item = texts(item, known, longest);
                let mut all = if matches!(rule, Rule::Repeat(_)) { empty() } else { item.clone() };
                for _ in 0..longest {
                    all.extend(joined(&all, &item));
                }
                all
            }
            Rule::Pattern(..) | Rule::Token { .. } | Rule::Alias { .. } => BTreeSet::new(),
        }
    }

    fn rule() -> impl Strategy<Value = Rule> {
        let leaf = prop_oneof![
            Just(Rule::Blank),
            prop::sample::select(vec!["a", "b"]).prop_map(text),
            prop::sample::select(vec!["A", "B", "C", "D"]).prop_map(symbol),
        ];
        leaf.prop_recursive(3, 10, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 2..4).prop_map(Rule::Seq),
                prop::collection::vec(inner.clone(), 2..4).prop_map(Rule::Choice),
                inner.clone().prop_map(|item| Rule::Repeat(Box::new(item))),
                inner.prop_map(|item| Rule::Repeat1(Box::new(item))),
            ]
        })
    }

    proptest! {
        #[test]
        fn minimal_strings_are_derived_and_nothing_shorter_is(rules in prop::collection::vec(rule(), 4)) {
            let names = ["A", "B", "C", "D"];
            let rules: Vec<(&str, Rule)> = names.into_iter().zip(rules).collect();
            let grammar = grammar(&rules);
            let minimal = Minimal::new(&grammar);
            let all = brute_force(&grammar, 4);
            for name in names {
                let shortest = all[name].iter().map(String::len).min();
                let found = minimal.of(name).map(|sentence| sentence.tokens() as usize);
                prop_assert_eq!(found.filter(|&tokens| tokens <= 4), shortest, "{:?}", grammar);
                if let (Some(sentence), Some(_)) = (minimal.of(name), shortest) {
                    prop_assert!(all[name].contains(&sentence.text().replace(' ', "")));
                }
            }
        }
    }
}
