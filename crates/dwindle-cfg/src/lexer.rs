//! From bytes to tokens: modes of rules, the longest match wins, of equally long ones the first rule.
//!
//! That is what lex and ANTLR do. A pattern with a lazy repetition (`.*?`) takes the first end that
//! it finds instead of the longest; it has an automaton of its own, all others of a mode share one.
//! Automata are built as they are needed, within a fixed amount of memory.

use std::ops::Range;

use regex_automata::hybrid::dfa::{Cache, Config, DFA};
use regex_automata::nfa::thompson::{self, Compiler};
use regex_automata::{Anchored, Input, MatchKind};
use regex_syntax::hir::{Hir, HirKind};

use crate::ebnf::Terminal;

/// A rule of the lexer.
#[derive(Clone, Debug)]
pub(crate) struct LexRule {
    /// What it matches: each of these, as if it were a rule of its own.
    pub(crate) patterns: Vec<Hir>,
    /// The modes in which it is looked for.
    pub(crate) modes: Vec<usize>,
    /// What a match becomes.
    pub(crate) becomes: Becomes,
    /// Whether it matches nothing at all where no rule matches more, as in ANTLR; then it changes the mode.
    pub(crate) may_be_empty: bool,
    /// How much of a match is taken.
    pub(crate) keeps: Keeps,
    /// What happens to the mode after a match.
    pub(crate) then: Vec<ModeChange>,
}

/// How much of a match is taken; the rest is looked at only, and matched again.
#[derive(Clone, Debug)]
pub(crate) enum Keeps {
    /// All of it.
    All,
    /// So many bytes.
    First(usize),
    /// All but so many bytes.
    AllBut(usize),
    /// As much as this matches at most.
    Head(Hir),
}

/// What a match becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Becomes {
    /// A token.
    Token(Terminal),
    /// Part of the gap between tokens.
    Gap,
    /// The beginning of what the next match becomes.
    More,
}

/// A change of mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModeChange {
    /// To this mode; what was pushed stays.
    Set(usize),
    /// To this mode; what was pushed is forgotten.
    Reset(usize),
    /// To this mode until it is popped.
    Push(usize),
    /// Back to the mode before the last push.
    Pop,
}

/// A token in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub terminal: Terminal,
    /// Where it starts, in bytes.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

/// The automata of all modes.
#[derive(Debug)]
pub(crate) struct Lexer {
    pub(crate) rules: Vec<LexRule>,
    pub(crate) modes: Vec<Vec<Automaton>>,
    /// What is taken of the matches of the rules that keep a head, by rule.
    heads: Vec<Option<Automaton>>,
}

/// Patterns that are matched together.
#[derive(Debug)]
pub(crate) struct Automaton {
    pub(crate) dfa: DFA,
    /// The rule of each pattern.
    pub(crate) rules: Vec<usize>,
}

impl Lexer {
    /// The lexer of these rules, the first mode being the one in which a text starts. On a pattern
    /// that is too large, its rule and why.
    pub(crate) fn new(rules: Vec<LexRule>, modes: usize) -> Result<Self, (usize, String)> {
        let mut automata = Vec::new();
        for mode in 0..modes {
            let inside: Vec<(usize, &Hir)> = (0..)
                .zip(&rules)
                .filter(|(_, rule)| rule.modes.contains(&mode))
                .flat_map(|(index, rule)| rule.patterns.iter().map(move |hir| (index, hir)))
                .collect();
            let (lazy, longest): (Vec<_>, Vec<_>) = inside.into_iter().partition(|(_, hir)| is_lazy(hir));
            let mut all = Vec::new();
            if !longest.is_empty() {
                all.push(Automaton::new(&longest, MatchKind::All)?);
            }
            for one in lazy {
                all.push(Automaton::new(&[one], MatchKind::LeftmostFirst)?);
            }
            automata.push(all);
        }
        let heads = rules.iter().enumerate().map(|(index, rule)| match &rule.keeps {
            Keeps::Head(hir) => Automaton::new(&[(index, hir)], MatchKind::All).map(Some),
            _ => Ok(None),
        });
        let heads = heads.collect::<Result<_, _>>()?;
        Ok(Self { rules, modes: automata, heads })
    }

    /// Ready to scan texts.
    pub(crate) fn scanner(&self) -> Scanner<'_> {
        let caches = |mode: &Vec<Automaton>| mode.iter().map(|one| one.dfa.create_cache()).collect();
        Scanner { lexer: self, caches: self.modes.iter().map(caches).collect() }
    }
}

/// The most memory that the automaton of a mode may take, in bytes; those of published grammars take less than a
/// tenth of it.
const LARGEST: usize = 1 << 30;

impl Automaton {
    fn new(patterns: &[(usize, &Hir)], kind: MatchKind) -> Result<Self, (usize, String)> {
        let hirs: Vec<&Hir> = patterns.iter().map(|(_, hir)| *hir).collect();
        let first = patterns[0].0;
        let why = |error: &dyn std::error::Error| (first, error.to_string());
        let nfa = thompson::Config::new().nfa_size_limit(Some(LARGEST));
        let nfa = Compiler::new().configure(nfa).build_many_from_hir(&hirs).map_err(|error| why(&error))?;
        let config = Config::new().match_kind(kind).skip_cache_capacity_check(true);
        let dfa = DFA::builder().configure(config).build_from_nfa(nfa).map_err(|error| why(&error))?;
        Ok(Self { dfa, rules: patterns.iter().map(|(rule, _)| *rule).collect() })
    }
}

fn is_lazy(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Repetition(repetition) => !repetition.greedy || is_lazy(&repetition.sub),
        HirKind::Capture(capture) => is_lazy(&capture.sub),
        HirKind::Concat(all) | HirKind::Alternation(all) => all.iter().any(is_lazy),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => false,
    }
}

/// A lexer at work; what it has built of its automata serves the next text, too.
#[derive(Debug)]
pub(crate) struct Scanner<'a> {
    lexer: &'a Lexer,
    caches: Vec<Vec<Cache>>,
}

impl Scanner<'_> {
    /// The tokens of a text that starts in `mode`, or where no rule matches.
    pub(crate) fn tokens(&mut self, bytes: &[u8], mode: usize) -> Result<Vec<Token>, usize> {
        let (mut mode, mut pushed) = (mode, Vec::new());
        let mut tokens = Vec::new();
        let (mut start, mut at) = (0, 0);
        let mut empty = 0;
        while at < bytes.len() {
            let (end, rule) = self.longest(bytes, at, mode).ok_or(at)?;
            let end = self.kept(bytes, at..end, rule);
            let rule = &self.lexer.rules[rule];
            empty = if end > at { 0 } else { empty + 1 };
            // Back and forth between modes, nothing is ever taken.
            if empty > self.lexer.modes.len() {
                return Err(at);
            }
            match rule.becomes {
                Becomes::Token(terminal) => {
                    tokens.push(Token { terminal, start: start as u32, end: end as u32 });
                    start = end;
                }
                Becomes::Gap => start = end,
                Becomes::More => {}
            }
            at = end;
            for change in &rule.then {
                match *change {
                    ModeChange::Set(to) => mode = to,
                    ModeChange::Reset(to) => {
                        pushed.clear();
                        mode = to;
                    }
                    ModeChange::Push(to) => pushed.push(std::mem::replace(&mut mode, to)),
                    ModeChange::Pop => mode = pushed.pop().unwrap_or(0),
                }
            }
        }
        if start < at { Err(start) } else { Ok(tokens) }
    }

    /// The end of what is taken of a match.
    fn kept(&self, bytes: &[u8], found: Range<usize>, rule: usize) -> usize {
        let LexRule { keeps, then, .. } = &self.lexer.rules[rule];
        let end = match keeps {
            Keeps::All => found.end,
            Keeps::First(count) => found.end.min(found.start + count),
            Keeps::AllBut(count) => found.end.saturating_sub(*count).max(found.start),
            Keeps::Head(_) => {
                let input = Input::new(bytes).range(found.clone()).anchored(Anchored::Yes);
                let head = self.lexer.heads[rule].as_ref().map(|head| &head.dfa);
                let taken =
                    head.and_then(|dfa| dfa.try_search_fwd(&mut dfa.create_cache(), &input).ok().flatten());
                taken.map_or(found.end, |taken| taken.offset())
            }
        };
        // Nothing would be found again and again.
        if end == found.start && then.is_empty() { found.end } else { end }
    }

    /// The end of the longest match, and its rule.
    fn longest(&mut self, bytes: &[u8], at: usize, mode: usize) -> Option<(usize, usize)> {
        let input = Input::new(bytes).range(at..).anchored(Anchored::Yes);
        let mut best: Option<(usize, usize)> = None;
        for (automaton, cache) in self.lexer.modes[mode].iter().zip(&mut self.caches[mode]) {
            // A search can only fail for reasons that the configuration rules out.
            let Ok(Some(found)) = automaton.dfa.try_search_fwd(cache, &input) else { continue };
            let (end, rule) = (found.offset(), automaton.rules[found.pattern().as_usize()]);
            let better = best.is_none_or(|(longest, first)| end > longest || end == longest && rule < first);
            if better && (end > at || self.lexer.rules[rule].may_be_empty) {
                best = Some((end, rule));
            }
        }
        best
    }
}
