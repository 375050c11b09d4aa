//! Earley's parser, for any grammar: left recursion, ambiguity, empty productions and cycles.
//!
//! With what makes it fast in practice: productions start only where the next token allows them;
//! nullable nonterminals are stepped over where they are predicted (Aycock and Horspool, *Practical
//! Earley Parsing*); right recursion is completed in one step (Leo, *A general context-free parsing
//! algorithm running in linear time on every LR(k) grammar without using lookahead*).
//!
//! Each item remembers how it was found first, so an ambiguous text gets one tree, the same every
//! time: the derivation whose parts are complete first, and of those the one by the production that
//! was written first. Such trees have no cycles: what an item was found by was found before it.
//!
//! Where the same items wait for a nonterminal in two sets, completing one that began at one or at the
//! other leads to the same. Of items that differ in such origins only, the first is kept: without this,
//! lists of lists with nothing between, as `file: batch*` and `batch: statement+`, would have an item
//! for every statement in every set. That is looked for where there are many items only.
//!
//! The parser keeps all items, 24 bytes each, and nothing recurses over the text.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::bnf::{Bnf, Symbol};
use crate::ebnf::{END, Terminal};

/// An item: a dot in a production that started at `origin`, in tokens.
#[derive(Clone, Copy, Debug)]
struct Item {
    dot: u32,
    origin: u32,
    /// What its completion leads to: the first set where it leads to the same as where it began.
    context: u32,
    /// The item with the dot one symbol before.
    before: u32,
    /// What the symbol between is.
    by: By,
}

/// What an item's last symbol is.
#[derive(Clone, Copy, Debug)]
enum By {
    /// There is none: the dot is in front.
    Start,
    /// A token.
    Token,
    /// A nonterminal that derives nothing here.
    Nothing,
    /// A nonterminal, by its complete item.
    Item(u32),
    /// A nonterminal at the end of a chain of completions, the first of which is this item.
    Chain(u32),
}

/// A part of a derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A token, by its position; the end of the text is no part.
    Token(u32),
    /// A nonterminal that derives at least one token.
    Node(Node),
}

/// A nonterminal over some tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) nonterminal: u32,
    /// The complete item; in a chain, the item before the last symbol.
    item: u32,
    /// Which chain it is in, and at which step from below.
    chain: Option<(u32, u32)>,
}

/// All that was found in a text.
#[derive(Debug)]
pub(crate) struct Derivation<'a> {
    bnf: &'a Bnf,
    items: Vec<Item>,
    /// The first item after each token.
    sets: Vec<u32>,
    /// The items before a nonterminal, sorted by it, set by set.
    waiting: Vec<(u32, u32)>,
    waiting_sets: Vec<u32>,
    /// How many tokens there are.
    tokens: usize,
    root: Node,
    /// The chains that were taken apart: the complete item at the bottom, and the items before the
    /// last symbol from there upwards.
    chains: Vec<(u32, Vec<u32>)>,
}

/// Why there is no derivation.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The token at this position cannot stand there, but one of these terminals could.
    At(usize, Vec<Terminal>),
    /// There were too many items, or too many attempts to add one.
    TooManySteps,
}

/// How many items a token may have on average.
const ITEMS: usize = 1_000;
/// So many items there may be in any text: 96 MB.
const FEW: usize = 4_000_000;
/// There may be no more in any text: 1.2 GB.
const MOST: usize = 50_000_000;

/// How many attempts to add an item there may be for each that there may be: 16 million take 2 s. A Java
/// class takes 0.3 for each item that there is. A text that is ambiguous without bounds, as by `x: x x | x x x`,
/// adds the same items again and again: hundreds of attempts for each.
const ATTEMPTS: usize = 4;

/// In how large a set origins are told apart no more than it matters. Sets of the grammars of SQL
/// dialects that were measured have 60 items where nothing is ambiguous. Tests have it everywhere.
const MANY: usize = if cfg!(test) { 0 } else { 128 };

/// How often a grammar may want the end of the text, as `eos: ';' | EOF` before another `EOF` does.
const ENDS: usize = 8;

/// Parses the terminals of a text as a `start` rule.
pub(crate) fn parse<'a>(
    bnf: &'a Bnf,
    tokens: &[Terminal],
    start: u32,
    check: &dyn Fn(),
) -> Result<Derivation<'a>, Failure> {
    let mut parser = Parser::new(bnf, tokens.len(), start);
    parser.predict(start, 0, None);
    let limit = tokens.len().saturating_mul(ITEMS).clamp(FEW, MOST);
    for at in 0..=tokens.len() + ENDS {
        let ahead = tokens.get(at).copied().unwrap_or(END);
        let scanned = parser.complete_set(at, Some(ahead), limit, check)?;
        if at >= tokens.len()
            && let Some(item) = parser.whole(start, at)
        {
            let root = Node { nonterminal: start, item, chain: None };
            let Parser { items, sets, waiting, waiting_sets, .. } = parser;
            let (tokens, chains) = (tokens.len(), Vec::new());
            return Ok(Derivation { bnf, items, sets, waiting, waiting_sets, tokens, root, chains });
        }
        if scanned.is_empty() {
            return Err(Failure::At(at.min(tokens.len()), parser.expected(at)));
        }
        parser.next_set();
        for item in scanned {
            parser.advance(item, By::Token);
        }
    }
    Err(Failure::At(tokens.len(), Vec::new()))
}

struct Parser<'a> {
    bnf: &'a Bnf,
    start: u32,
    items: Vec<Item>,
    /// How often an item was to be added that follows from others.
    attempts: usize,
    sets: Vec<u32>,
    waiting: Vec<(u32, u32)>,
    waiting_sets: Vec<u32>,
    /// The first set in which a nonterminal leads to these dots and contexts.
    contexts: FxHashMap<(u32, Vec<(u32, u32)>), u32>,
    /// The items and the completed nonterminals of this set, by what distinguishes them.
    known: FxHashSet<(u32, u32)>,
    /// The set in which each nonterminal was predicted last.
    predicted: Vec<u32>,
    /// The last item of the chain that completing a nonterminal of a set sets off.
    chains: FxHashMap<(u32, u32), Option<u32>>,
}

const NEVER: u32 = u32::MAX;

impl<'a> Parser<'a> {
    fn new(bnf: &'a Bnf, tokens: usize, start: u32) -> Self {
        Self {
            bnf,
            start,
            items: Vec::with_capacity(tokens * 16),
            attempts: 0,
            sets: vec![0],
            waiting: Vec::new(),
            waiting_sets: vec![0],
            contexts: FxHashMap::default(),
            known: FxHashSet::default(),
            predicted: vec![NEVER; bnf.productions.len()],
            chains: FxHashMap::default(),
        }
    }

    /// Adds the item behind the symbol before which the dot of `before` is.
    fn advance(&mut self, before: u32, by: By) {
        let Item { dot, origin, context, .. } = self.items[before as usize];
        if self.known.insert((dot + 1, context)) {
            self.items.push(Item { dot: dot + 1, origin, context, before, by });
        }
    }

    fn next_set(&mut self) {
        self.sets.push(self.items.len() as u32);
        // Clearing costs as much as there is room for, so a large map does not stay.
        if self.known.capacity() > 1024 && self.known.capacity() / 16 > self.known.len() {
            self.known = FxHashSet::default();
        } else {
            self.known.clear();
        }
    }

    /// Adds the productions of a nonterminal that the token ahead allows; without one, all.
    fn predict(&mut self, nonterminal: u32, at: usize, ahead: Option<Terminal>) {
        if std::mem::replace(&mut self.predicted[nonterminal as usize], at as u32) == at as u32 {
            return;
        }
        let bnf = self.bnf;
        for &first in &bnf.productions[nonterminal as usize] {
            if ahead.is_none_or(|ahead| bnf.next.has(first as usize, ahead)) {
                self.items.push(Item {
                    dot: first,
                    origin: at as u32,
                    context: at as u32,
                    before: NEVER,
                    by: By::Start,
                });
                self.known.insert((first, at as u32));
            }
        }
    }

    /// Adds all that follows from the items of a set, and returns those before the token ahead.
    /// Without one, nothing is left out.
    fn complete_set(
        &mut self,
        at: usize,
        ahead: Option<Terminal>,
        limit: usize,
        check: &dyn Fn(),
    ) -> Result<Vec<u32>, Failure> {
        let bnf = self.bnf;
        let allows = |dot: u32| ahead.is_none_or(|ahead| bnf.next.has(dot as usize, ahead));
        let mut scanned = Vec::new();
        let mut next = self.sets[at] as usize;
        while next < self.items.len() {
            check();
            let index = next as u32;
            let item = self.items[next];
            next += 1;
            match bnf.dots[item.dot as usize] {
                Symbol::Set(set) => {
                    if ahead.is_none_or(|ahead| bnf.in_set.has(set as usize, ahead)) {
                        scanned.push(index);
                    }
                }
                Symbol::Nonterminal(nonterminal) => {
                    self.waiting.push((nonterminal, index));
                    self.predict(nonterminal, at, ahead);
                    if bnf.nullable[nonterminal as usize] && allows(item.dot + 1) {
                        self.advance(index, By::Nothing);
                    }
                }
                // What derives nothing was stepped over.
                Symbol::End(_) if item.origin as usize == at => {}
                Symbol::End(nonterminal) => {
                    if !self.known.insert((!nonterminal, item.context)) {
                        continue;
                    }
                    if let Some(last) = self.chain(item.origin, nonterminal) {
                        if allows(self.items[last as usize].dot + 1) {
                            let direct = self.only(item.origin, nonterminal) == Some(last);
                            let by = if direct { By::Item(index) } else { By::Chain(index) };
                            self.advance(last, by);
                        }
                        continue;
                    }
                    let waiting = self.waiting_for(item.origin, nonterminal);
                    self.attempts += waiting.len();
                    for waiting in waiting {
                        let (_, before) = self.waiting[waiting];
                        if allows(self.items[before as usize].dot + 1) {
                            self.advance(before, By::Item(index));
                        }
                    }
                }
            }
            if self.items.len() > limit || self.attempts / ATTEMPTS > limit {
                return Err(Failure::TooManySteps);
            }
        }
        let from = *self.waiting_sets.last().expect("there is one more than there are sets") as usize;
        self.waiting[from..].sort_by_key(|(nonterminal, _)| *nonterminal);
        self.waiting_sets.push(self.waiting.len() as u32);
        if self.items.len() - self.sets[at] as usize > MANY && at > 0 {
            self.find_contexts(at, from);
        }
        Ok(scanned)
    }

    /// Gives the items that began here the context of the first set where completing them leads to the
    /// same. Nonterminals that predict each other in a circle keep their own.
    fn find_contexts(&mut self, at: usize, waiting: usize) {
        let waiting = &self.waiting[waiting..];
        let mut contexts: FxHashMap<u32, u32> = FxHashMap::default();
        let mut groups: Vec<&[(u32, u32)]> = waiting.chunk_by(|a, b| a.0 == b.0).collect();
        let mut progress = true;
        while std::mem::take(&mut progress) {
            self.attempts += groups.len();
            groups.retain(|group| {
                let nonterminal = group[0].0;
                let known = group.iter().map(|&(_, item)| {
                    let Item { dot, origin, context, .. } = self.items[item as usize];
                    let above = self.bnf.above[dot as usize];
                    match origin as usize == at {
                        false => Some((dot, context)),
                        true if above == nonterminal => Some((dot, NEVER)),
                        true => contexts.get(&above).map(|&context| (dot, context)),
                    }
                });
                let Some(mut leads_to) = known.collect::<Option<Vec<_>>>() else { return true };
                leads_to.sort_unstable();
                leads_to.dedup();
                let first = *self.contexts.entry((nonterminal, leads_to)).or_insert(at as u32);
                contexts.insert(nonterminal, first);
                progress = true;
                false
            });
        }
        for item in &mut self.items[self.sets[at] as usize..] {
            if item.origin as usize == at
                && let Some(&context) = contexts.get(&self.bnf.above[item.dot as usize])
            {
                item.context = context;
            }
        }
    }

    fn waiting_for(&self, set: u32, nonterminal: u32) -> std::ops::Range<usize> {
        waiting_for(&self.waiting, &self.waiting_sets, set, nonterminal)
    }

    /// The one item of a set that waits for a nonterminal, if it is at the end of its production.
    fn only(&self, set: u32, nonterminal: u32) -> Option<u32> {
        let [(_, item)] = self.waiting[self.waiting_for(set, nonterminal)] else { return None };
        let dot = self.items[item as usize].dot as usize;
        matches!(self.bnf.dots[dot + 1], Symbol::End(_)).then_some(item)
    }

    /// The last item of the chain of completions that must follow when a nonterminal that started in
    /// `set` is complete.
    fn chain(&mut self, set: u32, nonterminal: u32) -> Option<u32> {
        let mut path = Vec::new();
        let (mut set, mut nonterminal) = (set, nonterminal);
        let mut last = None;
        loop {
            if let Some(&known) = self.chains.get(&(set, nonterminal)) {
                last = known.or(last);
                break;
            }
            let Some(only) = self.only(set, nonterminal) else { break };
            // A cycle meets itself as unknown.
            self.chains.insert((set, nonterminal), None);
            path.push((set, nonterminal));
            last = Some(only);
            let Item { dot, origin, .. } = self.items[only as usize];
            let Symbol::End(above) = self.bnf.dots[dot as usize + 1] else { break };
            if (origin, above) == (0, self.start) {
                // Nobody would see that the text may end here.
                break;
            }
            (set, nonterminal) = (origin, above);
        }
        for step in path {
            self.chains.insert(step, last);
        }
        last
    }

    /// The complete item of the whole text.
    fn whole(&self, start: u32, at: usize) -> Option<u32> {
        let found = self.items[self.sets[at] as usize..].iter().position(|item| {
            item.origin == 0 && self.bnf.dots[item.dot as usize] == Symbol::End(start) && at > 0
        });
        found.map(|found| self.sets[at] + found as u32)
    }

    /// The terminals that could have been next.
    fn expected(mut self, at: usize) -> Vec<Terminal> {
        // Once more, with nothing left out for the sake of the token that is there.
        let kernel: Vec<Item> = self.items[self.sets[at] as usize..]
            .iter()
            .copied()
            .filter(|item| matches!(item.by, By::Token) || at == 0 && matches!(item.by, By::Start))
            .collect();
        self.items.truncate(self.sets[at] as usize);
        self.items.extend(kernel);
        self.known.clear();
        self.predicted.fill(NEVER);
        self.waiting_sets.pop();
        self.waiting.truncate(*self.waiting_sets.last().expect("the first stays") as usize);
        let scanned = self.complete_set(at, None, usize::MAX, &|| ()).unwrap_or_default();
        let sets =
            scanned.iter().filter_map(|&item| match self.bnf.dots[self.items[item as usize].dot as usize] {
                Symbol::Set(set) => Some(&self.bnf.sets[set as usize]),
                _ => None,
            });
        let mut terminals: Vec<Terminal> = sets.flatten().copied().collect();
        terminals.sort_unstable();
        terminals.dedup();
        terminals
    }
}

impl Derivation<'_> {
    /// The whole text.
    pub(crate) fn root(&self) -> Node {
        self.root
    }

    /// What a node is made of, first to last, each part with the position of its symbol in the
    /// production.
    pub(crate) fn parts(&mut self, node: Node) -> Vec<(u32, Part)> {
        let mut parts = Vec::new();
        if let Some((chain, step)) = node.chain {
            let (bottom, above) = &self.chains[chain as usize];
            let dot = self.items[node.item as usize].dot;
            parts.push((
                dot,
                match step.checked_sub(1) {
                    None => self.complete(*bottom),
                    Some(below) => {
                        let item = above[below as usize];
                        Part::Node(self.in_chain(item, chain, below))
                    }
                },
            ));
        }
        let mut at = node.item;
        loop {
            let Item { dot, before, by, .. } = self.items[at as usize];
            let part = match by {
                By::Start => {
                    parts.reverse();
                    parts.iter_mut().for_each(|(position, _)| *position -= dot);
                    return parts;
                }
                By::Nothing => None,
                By::Token => {
                    let position = self.sets.partition_point(|&first| first <= at) - 2;
                    (position < self.tokens).then_some(Part::Token(position as u32))
                }
                By::Item(item) => Some(self.complete(item)),
                By::Chain(bottom) => Some(self.top(bottom, before)),
            };
            parts.extend(part.map(|part| (dot - 1, part)));
            at = before;
        }
    }

    fn complete(&self, item: u32) -> Part {
        match self.bnf.dots[self.items[item as usize].dot as usize] {
            Symbol::End(nonterminal) => Part::Node(Node { nonterminal, item, chain: None }),
            _ => unreachable!("only complete items complete others"),
        }
    }

    fn in_chain(&self, item: u32, chain: u32, step: u32) -> Node {
        match self.bnf.dots[self.items[item as usize].dot as usize + 1] {
            Symbol::End(nonterminal) => Node { nonterminal, item, chain: Some((chain, step)) },
            _ => unreachable!("items in chains are at the end of their production"),
        }
    }

    /// The top of the chain that leads from the complete item `bottom` to below `last`.
    fn top(&mut self, bottom: u32, last: u32) -> Part {
        let mut above: Vec<u32> = Vec::new();
        let mut below = bottom;
        loop {
            let Item { dot, origin, .. } = self.items[below as usize];
            let dot = dot as usize + usize::from(!above.is_empty());
            let Symbol::End(nonterminal) = self.bnf.dots[dot] else {
                unreachable!("items in chains are at the end of their production")
            };
            let waiting = waiting_for(&self.waiting, &self.waiting_sets, origin, nonterminal);
            let (_, item) = self.waiting[waiting.start];
            if item == last {
                break;
            }
            above.push(item);
            below = item;
        }
        let step = above.len() as u32 - 1;
        let (chain, item) = (self.chains.len() as u32, above[step as usize]);
        self.chains.push((bottom, above));
        Part::Node(self.in_chain(item, chain, step))
    }
}

fn waiting_for(waiting: &[(u32, u32)], sets: &[u32], set: u32, nonterminal: u32) -> std::ops::Range<usize> {
    let (from, to) = (sets[set as usize] as usize, sets[set as usize + 1] as usize);
    let start = from + waiting[from..to].partition_point(|(other, _)| *other < nonterminal);
    let end = start + waiting[start..to].partition_point(|(other, _)| *other == nonterminal);
    start..end
}
