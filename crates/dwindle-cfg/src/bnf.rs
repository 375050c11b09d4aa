//! The same grammar in plain productions, with what a parser wants to know of them.
//!
//! Every part of an expression that is no symbol becomes a nonterminal of its own; equal parts share
//! one. Productions of nothing are left out: a nonterminal is known to be nullable, and the parser
//! steps over it.

use std::collections::HashMap;

use crate::ebnf::{END, Expr, List, Rule, Terminal};

/// What a nonterminal is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The rule of that number.
    Rule(u32),
    /// Alternatives inside a rule, or a sequence that is one item of something.
    Part,
    /// Something that may be missing.
    Optional,
    /// Items, all but the last of which are its first symbol; the separator comes between.
    List {
        /// Whether there is at least one.
        some: bool,
        /// Whether something stands between them.
        separated: bool,
    },
    /// A separated list that may be empty.
    MaybeList,
}

/// A symbol behind a dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Symbol {
    /// One terminal of the set of that number.
    Set(u32),
    /// A nonterminal.
    Nonterminal(u32),
    /// The production of this nonterminal is over.
    End(u32),
}

/// Productions, dot by dot.
#[derive(Debug)]
pub(crate) struct Bnf {
    /// What stands behind each dot; the dots of a production are one behind the other.
    pub(crate) dots: Vec<Symbol>,
    /// The nonterminal of the production that each dot is in.
    pub(crate) above: Vec<u32>,
    /// The first dots of the productions of each nonterminal.
    pub(crate) productions: Vec<Vec<u32>>,
    pub(crate) origins: Vec<Origin>,
    pub(crate) nullable: Vec<bool>,
    /// The terminals of each set.
    pub(crate) sets: Vec<Vec<Terminal>>,
    pub(crate) in_set: Bits,
    /// The terminals that may come next at each dot.
    pub(crate) next: Bits,
}

/// Sets of small numbers, a row each.
#[derive(Debug)]
pub(crate) struct Bits {
    words: usize,
    bits: Vec<u64>,
}

impl Bits {
    fn new(rows: usize, columns: usize) -> Self {
        let words = columns.div_ceil(64);
        Self { words, bits: vec![0; rows * words] }
    }

    pub(crate) fn has(&self, row: usize, column: u32) -> bool {
        self.bits[row * self.words + column as usize / 64] >> (column % 64) & 1 != 0
    }

    fn insert(&mut self, row: usize, column: u32) {
        self.bits[row * self.words + column as usize / 64] |= 1 << (column % 64);
    }

    /// Adds all of a row of another.
    fn add(&mut self, row: usize, other: &Bits, from: usize) {
        let from = &other.bits[from * self.words..(from + 1) * self.words];
        for (word, &more) in self.bits[row * self.words..].iter_mut().zip(from) {
            *word |= more;
        }
    }

    fn add_own(&mut self, row: usize, from: usize) {
        for word in 0..self.words {
            self.bits[row * self.words + word] |= self.bits[from * self.words + word];
        }
    }

    /// Adds to each row those that it `contains`, and what these contain: once along every such edge,
    /// however long the ways and whatever contains itself (DeRemer and Pennello, *Efficient Computation of
    /// LALR(1) Look-Ahead Sets*, the algorithm `Digraph`).
    fn close(&mut self, contains: &[Vec<u32>]) {
        const DONE: usize = usize::MAX;
        // How deep the way was at each row, later the least of those that it leads back to; 0 is not seen yet.
        let mut depths = vec![0; contains.len()];
        let mut unfinished: Vec<usize> = Vec::new();
        // The way from the first row, and how many edges of each row were followed.
        let mut way: Vec<(usize, usize)> = Vec::new();
        for start in 0..contains.len() {
            if depths[start] == 0 {
                unfinished.push(start);
                depths[start] = unfinished.len();
                way.push((start, 0));
            }
            while let Some((row, followed)) = way.last_mut() {
                let row = *row;
                if let Some(&inner) = contains[row].get(*followed) {
                    let inner = inner as usize;
                    if depths[inner] == 0 {
                        unfinished.push(inner);
                        depths[inner] = unfinished.len();
                        way.push((inner, 0));
                        continue;
                    }
                    *followed += 1;
                    depths[row] = depths[row].min(depths[inner]);
                    self.add_own(row, inner);
                    continue;
                }
                way.pop();
                // Rows that contain each other are equal; the first that was seen has all.
                if unfinished[depths[row] - 1] == row {
                    for other in unfinished.split_off(depths[row] - 1) {
                        self.add_own(other, row);
                        depths[other] = DONE;
                    }
                }
            }
        }
    }
}

impl Bnf {
    /// The productions of `rules`; any of them can be where a text starts.
    pub(crate) fn new(rules: &[Rule], terminals: usize) -> Self {
        let mut build = Build::default();
        for index in 0..rules.len() {
            build.nonterminal(Origin::Rule(index as u32));
        }
        for (index, rule) in rules.iter().enumerate() {
            build.alternatives(index as u32, &rule.body);
        }
        let mut in_set = Bits::new(build.sets.len(), terminals);
        for (row, set) in build.sets.iter().enumerate() {
            set.iter().for_each(|&terminal| in_set.insert(row, terminal));
        }
        let mut bnf = Self {
            above: build.above,
            dots: build.dots,
            productions: build.productions,
            origins: build.origins,
            nullable: build.empty,
            sets: build.sets,
            in_set,
            next: Bits::new(0, 0),
        };
        bnf.find_nullable();
        bnf.find_next(terminals);
        bnf
    }

    fn production(&self, first: u32) -> impl Iterator<Item = Symbol> + '_ {
        self.dots[first as usize..].iter().copied().take_while(|symbol| !matches!(symbol, Symbol::End(_)))
    }

    fn is_nullable(&self, symbol: Symbol) -> bool {
        matches!(symbol, Symbol::Nonterminal(nonterminal) if self.nullable[nonterminal as usize])
    }

    /// From what is nullable to what consists of nothing else, each production counting what is left of it.
    fn find_nullable(&mut self) {
        let mut left: Vec<(u32, usize)> = Vec::new();
        let mut mentioned_by: Vec<Vec<usize>> = vec![Vec::new(); self.productions.len()];
        for nonterminal in 0..self.productions.len() {
            for &first in &self.productions[nonterminal] {
                let mut count = 0;
                for symbol in self.production(first) {
                    count += 1;
                    if let Symbol::Nonterminal(other) = symbol {
                        mentioned_by[other as usize].push(left.len());
                    }
                }
                left.push((nonterminal as u32, count));
            }
        }
        let mut open: Vec<usize> = (0..self.nullable.len()).filter(|&one| self.nullable[one]).collect();
        while let Some(nonterminal) = open.pop() {
            for &production in &mentioned_by[nonterminal] {
                let (above, count) = &mut left[production];
                *count -= 1;
                if *count == 0 && !std::mem::replace(&mut self.nullable[*above as usize], true) {
                    open.push(*above as usize);
                }
            }
        }
    }

    /// The terminals at each dot: what the rest of the production can start with and, if that can be
    /// nothing, what can follow its nonterminal anywhere.
    fn find_next(&mut self, terminals: usize) {
        let count = self.productions.len();
        let mut first = Bits::new(count, terminals);
        let mut contains: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (nonterminal, (starts, inner)) in self.productions.iter().zip(&mut contains).enumerate() {
            for &start in starts {
                for symbol in self.production(start) {
                    match symbol {
                        Symbol::Set(set) => first.add(nonterminal, &self.in_set, set as usize),
                        Symbol::Nonterminal(other) => inner.push(other),
                        Symbol::End(_) => {}
                    }
                    if !self.is_nullable(symbol) {
                        break;
                    }
                }
            }
        }
        first.close(&contains);
        // What the rest of each production can start with, and whether it can be nothing.
        let mut next = Bits::new(self.dots.len(), terminals);
        let mut through = vec![false; self.dots.len()];
        for dot in (0..self.dots.len()).rev() {
            let symbol = self.dots[dot];
            match symbol {
                Symbol::End(_) => through[dot] = true,
                Symbol::Set(set) => next.add(dot, &self.in_set, set as usize),
                Symbol::Nonterminal(other) => next.add(dot, &first, other as usize),
            }
            if self.is_nullable(symbol) {
                next.add_own(dot, dot + 1);
                through[dot] = through[dot + 1];
            }
        }
        let mut follow = Bits::new(count, terminals);
        for nonterminal in 0..count {
            if matches!(self.origins[nonterminal], Origin::Rule(_)) {
                follow.insert(nonterminal, END);
            }
        }
        let mut contains: Vec<Vec<u32>> = vec![Vec::new(); count];
        for dot in 0..self.dots.len() {
            if let Symbol::Nonterminal(inner) = self.dots[dot] {
                follow.add(inner as usize, &next, dot + 1);
                if through[dot + 1] {
                    contains[inner as usize].push(self.above[dot]);
                }
            }
        }
        follow.close(&contains);
        for nonterminal in 0..count {
            for &start in &self.productions[nonterminal] {
                let mut dot = start as usize;
                loop {
                    if through[dot] {
                        next.add(dot, &follow, nonterminal);
                    }
                    if matches!(self.dots[dot], Symbol::End(_)) {
                        break;
                    }
                    dot += 1;
                }
            }
        }
        self.next = next;
    }
}

/// Productions in the making.
#[derive(Default)]
struct Build {
    dots: Vec<Symbol>,
    above: Vec<u32>,
    productions: Vec<Vec<u32>>,
    origins: Vec<Origin>,
    empty: Vec<bool>,
    sets: Vec<Vec<Terminal>>,
    set_of: HashMap<Vec<Terminal>, u32>,
    part_of: HashMap<Expr, u32>,
}

impl Build {
    fn nonterminal(&mut self, origin: Origin) -> u32 {
        self.origins.push(origin);
        self.productions.push(Vec::new());
        self.empty.push(false);
        self.origins.len() as u32 - 1
    }

    fn alternatives(&mut self, nonterminal: u32, expr: &Expr) {
        for alternative in expr.alternatives() {
            let symbols = alternative.parts().iter().map(|part| self.symbol(part)).collect();
            self.production(nonterminal, symbols);
        }
    }

    fn production(&mut self, nonterminal: u32, symbols: Vec<Symbol>) {
        if symbols.is_empty() {
            self.empty[nonterminal as usize] = true;
        } else {
            self.productions[nonterminal as usize].push(self.dots.len() as u32);
            self.dots.extend(symbols);
            self.dots.push(Symbol::End(nonterminal));
            self.above.resize(self.dots.len(), nonterminal);
        }
    }

    fn symbol(&mut self, expr: &Expr) -> Symbol {
        match expr {
            Expr::Terminals(set) => {
                let new = self.sets.len() as u32;
                let index = *self.set_of.entry(set.clone()).or_insert(new);
                if index == new {
                    self.sets.push(set.clone());
                }
                return Symbol::Set(index);
            }
            Expr::Rule(rule) => return Symbol::Nonterminal(*rule),
            _ => {}
        }
        if let Some(&known) = self.part_of.get(expr) {
            return Symbol::Nonterminal(known);
        }
        let nonterminal = match expr {
            Expr::Optional(inner) => {
                let nonterminal = self.nonterminal(Origin::Optional);
                self.empty[nonterminal as usize] = true;
                self.alternatives(nonterminal, inner);
                nonterminal
            }
            Expr::List(list) => self.list(list),
            _ => {
                let nonterminal = self.nonterminal(Origin::Part);
                self.alternatives(nonterminal, expr);
                nonterminal
            }
        };
        self.part_of.insert(expr.clone(), nonterminal);
        Symbol::Nonterminal(nonterminal)
    }

    fn list(&mut self, list: &List) -> u32 {
        let List { item, separator, some } = list;
        let item = self.symbol(item);
        let separator = separator.as_ref().map(|separator| self.symbol(separator));
        // An empty separated list is a list that is missing: nothing else tells its first item.
        let begins = *some || separator.is_some();
        let all = self.nonterminal(Origin::List { some: *some, separated: separator.is_some() });
        if begins {
            self.production(all, vec![item]);
        } else {
            self.empty[all as usize] = true;
        }
        self.production(all, [Symbol::Nonterminal(all)].into_iter().chain(separator).chain([item]).collect());
        if begins == *some {
            return all;
        }
        let maybe = self.nonterminal(Origin::MaybeList);
        self.empty[maybe as usize] = true;
        self.production(maybe, vec![Symbol::Nonterminal(all)]);
        maybe
    }
}
