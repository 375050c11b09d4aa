//! The shortest spelling of each terminal: a text that the lexer reads as this token alone.

use std::collections::{HashMap, HashSet, VecDeque};

use regex_automata::hybrid::LazyStateID;
use regex_automata::{Anchored, Input};
use regex_syntax::hir::{Class, Hir, HirKind};

use crate::ebnf::Terminal;
use crate::lexer::{Becomes, LexRule, Lexer, ModeChange, Scanner};

/// A way to write a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spelling {
    pub(crate) text: Vec<u8>,
    /// The mode in which it reads so.
    pub(crate) mode: usize,
}

/// The shortest spelling of each of `terminals` terminals that we find; none for those that no rule
/// of the lexer makes by itself.
pub(crate) fn spellings(lexer: &Lexer, terminals: usize) -> Vec<Option<Spelling>> {
    let mut found: Vec<Option<Spelling>> = vec![None; terminals];
    let mut scanner = lexer.scanner();
    let mut open = Vec::new();
    let begins = begins(lexer);
    for (index, rule) in lexer.rules.iter().enumerate() {
        let Becomes::Token(terminal) = rule.becomes else { continue };
        for &mode in &rule.modes {
            let mut texts: Vec<(usize, Vec<u8>)> = Vec::new();
            if begins[mode] {
                texts.extend(rule.patterns.iter().map(|hir| (mode, shortest(hir))));
            }
            // What is begun by a rule that leads here.
            for other in
                lexer.rules.iter().filter(|other| other.becomes == Becomes::More && leads(other, mode))
            {
                for &before in other.modes.iter().filter(|&&before| begins[before]) {
                    let begun = other.patterns.iter().map(shortest);
                    texts.extend(begun.flat_map(|begin| {
                        rule.patterns.iter().map(move |hir| (before, [begin.clone(), shortest(hir)].concat()))
                    }));
                }
            }
            texts.sort_by_key(|(_, text)| text.len());
            match texts.into_iter().find(|(mode, text)| reads(&mut scanner, text, *mode, terminal)) {
                Some((mode, text)) => better(&mut found[terminal as usize], Spelling { text, mode }),
                None if begins[mode] => open.push((index, mode)),
                None => {}
            }
        }
    }
    // Those whose shortest text is another token, such as a name that is a keyword.
    open.retain(|&(rule, _)| match lexer.rules[rule].becomes {
        Becomes::Token(terminal) => found[terminal as usize].is_none(),
        _ => false,
    });
    for mode in 0..lexer.modes.len() {
        let wanted: Vec<usize> = open.iter().filter(|(_, of)| *of == mode).map(|(rule, _)| *rule).collect();
        for (rule, text) in search(lexer, mode, &wanted) {
            let Becomes::Token(terminal) = lexer.rules[rule].becomes else { continue };
            if reads(&mut scanner, &text, mode, terminal) {
                better(&mut found[terminal as usize], Spelling { text, mode });
            }
        }
    }
    found
}

/// Whether a rule changes to a mode.
fn leads(rule: &LexRule, mode: usize) -> bool {
    rule.then.iter().any(|change| match *change {
        ModeChange::Set(to) | ModeChange::Reset(to) | ModeChange::Push(to) => to == mode,
        ModeChange::Pop => false,
    })
}

/// The modes in which tokens begin: the others are those in which a token that was begun is read on.
fn begins(lexer: &Lexer) -> Vec<bool> {
    let ended = || lexer.rules.iter().filter(|rule| rule.becomes != Becomes::More);
    (0..lexer.modes.len()).map(|mode| mode == 0 || ended().any(|rule| leads(rule, mode))).collect()
}

/// The spelling of a terminal by this text, or the text where the lexer reads something else in it.
pub(crate) fn as_written(lexer: &Lexer, text: Vec<u8>, terminal: Terminal) -> Result<Spelling, Vec<u8>> {
    let mut scanner = lexer.scanner();
    match (0..lexer.modes.len()).find(|&mode| reads(&mut scanner, &text, mode, terminal)) {
        Some(mode) => Ok(Spelling { text, mode }),
        None => Err(text),
    }
}

fn better(best: &mut Option<Spelling>, other: Spelling) {
    if best.as_ref().is_none_or(|best| other.text.len() < best.text.len()) {
        *best = Some(other);
    }
}

fn reads(scanner: &mut Scanner<'_>, text: &[u8], mode: usize, terminal: Terminal) -> bool {
    let tokens = scanner.tokens(text, mode);
    matches!(tokens.as_deref(), Ok([token])
        if token.terminal == terminal && token.start == 0 && token.end as usize == text.len())
}

/// The order in which characters are preferred. No division by zero where it can be avoided.
fn preference(byte: u8) -> (u8, u8) {
    let class = match byte {
        b'a'..=b'z' => 0,
        b'1'..=b'9' => 1,
        b'0' => 2,
        b'A'..=b'Z' => 3,
        b'!'..=b'~' => 4,
        b' ' => 5,
        0x80.. => 6,
        _ => 7,
    };
    (class, byte)
}

/// A shortest text of a pattern.
fn shortest(hir: &Hir) -> Vec<u8> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Vec::new(),
        HirKind::Literal(literal) => literal.0.to_vec(),
        HirKind::Class(Class::Unicode(class)) => {
            let ascii = (0..=0x7f).filter(|&byte: &u8| {
                class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&(byte as char)))
            });
            match ascii.min_by_key(|&byte| preference(byte)) {
                Some(byte) => vec![byte],
                None => {
                    class.ranges().first().map_or_else(Vec::new, |range| range.start().to_string().into())
                }
            }
        }
        HirKind::Class(Class::Bytes(class)) => {
            let bytes = class.ranges().iter().flat_map(|range| range.start()..=range.end());
            bytes.min_by_key(|&byte| preference(byte)).into_iter().collect()
        }
        HirKind::Repetition(repetition) => shortest(&repetition.sub).repeat(repetition.min as usize),
        HirKind::Capture(capture) => shortest(&capture.sub),
        HirKind::Concat(all) => all.iter().flat_map(shortest).collect(),
        HirKind::Alternation(all) => all.iter().map(shortest).min_by_key(Vec::len).unwrap_or_default(),
    }
}

/// How many transitions a search may follow.
const TRANSITIONS: usize = 1_000_000;

/// The shortest texts that end as a match of the `wanted` rules: breadth first through the automata
/// of a mode.
fn search(lexer: &Lexer, mode: usize, wanted: &[usize]) -> Vec<(usize, Vec<u8>)> {
    let mut found = Vec::new();
    for automaton in &lexer.modes[mode] {
        let mut missing: Vec<usize> =
            wanted.iter().copied().filter(|rule| automaton.rules.contains(rule)).collect();
        let dfa = &automaton.dfa;
        let mut cache = dfa.create_cache();
        let input = Input::new(b"").anchored(Anchored::Yes);
        let Ok(start) = dfa.start_state_forward(&mut cache, &input) else { continue };
        let classes = dfa.byte_classes();
        let mut best: HashMap<u8, u8> = HashMap::new();
        for byte in 0..=255u8 {
            let member = best.entry(classes.get(byte)).or_insert(byte);
            if preference(byte) < preference(*member) {
                *member = byte;
            }
        }
        let mut bytes: Vec<u8> = best.into_values().collect();
        bytes.sort_by_key(|&byte| preference(byte));
        // Each state with the one before it and the byte between them.
        let mut paths: Vec<(usize, u8, LazyStateID)> = vec![(0, 0, start)];
        let mut seen = HashSet::from([start]);
        let mut queue = VecDeque::from([0]);
        let mut left = TRANSITIONS;
        while let Some(from) = queue.pop_front() {
            for &byte in &bytes {
                left = left.saturating_sub(1);
                // A cleared cache gives states new numbers.
                if missing.is_empty() || left == 0 || cache.clear_count() > 0 {
                    queue.clear();
                    break;
                }
                let Ok(to) = dfa.next_state(&mut cache, paths[from].2, byte) else { continue };
                if to.is_dead() || to.is_quit() || !seen.insert(to) {
                    continue;
                }
                paths.push((from, byte, to));
                queue.push_back(paths.len() - 1);
                let Ok(end) = dfa.next_eoi_state(&mut cache, to) else { continue };
                if end.is_match() {
                    let rule = automaton.rules[dfa.match_pattern(&cache, end, 0).as_usize()];
                    if let Some(index) = missing.iter().position(|&wanted| wanted == rule) {
                        missing.swap_remove(index);
                        found.push((rule, path(&paths, paths.len() - 1)));
                    }
                }
            }
        }
    }
    found
}

fn path(paths: &[(usize, u8, LazyStateID)], mut at: usize) -> Vec<u8> {
    let mut text = Vec::new();
    while at > 0 {
        text.push(paths[at].1);
        at = paths[at].0;
    }
    text.reverse();
    text
}
