//! From what a grammar sees in a text to a tree.

use std::cmp::Reverse;
use std::collections::HashMap;

use dwindle_cfg::{Grammar, Place, Refusal, Step, TreeForm};
use dwindle_core::{List, Quotes, Role, Slot, StandIn, Syntax, Tree, TreeBuilder};

use crate::cancellation;
use crate::lexer;
use crate::mentions;
use crate::vocabulary::lexicon;

/// The tree of a text.
pub(super) fn parse(bytes: Vec<u8>, grammar: &'static Grammar) -> Result<Tree, Refusal> {
    let cancellation = cancellation::current();
    let check = || cancellation.check();
    let mut refused = None;
    let read = readings(&bytes, grammar).into_iter().find_map(|grammar| {
        grammar
            .parse_while(&bytes, &check)
            .map_err(|refusal| refused.get_or_insert(refusal).clone())
            .ok()
            .map(|steps| (grammar, steps))
    });
    let (grammar, steps) = match (read, refused) {
        (Some(read), _) => read,
        (None, refused) => return Err(refused.expect("there is a reading")),
    };
    let blank: Vec<bool> = steps
        .iter()
        .map(|step| match *step {
            Step::Token { start, end, .. } => bytes[start as usize..end as usize].trim_ascii().is_empty(),
            _ => false,
        })
        .collect();
    let spans = steps.iter().zip(&blank).filter_map(|(step, &blank)| match *step {
        Step::Token { start, end, .. } => Some(if blank { start..start } else { start..end }),
        _ => None,
    });
    let mentions = mentions::of_words(&bytes, spans);
    let kinds = grammar.kinds().iter().map(String::as_str);
    let mut builder = TreeBuilder::cancelled_by(cancellation, bytes, lexicon(kinds));
    let quotes = match (grammar.is_gap(b" "), grammar.is_gap(b"\n")) {
        (true, true) => Quotes::Known,
        (true, false) => Quotes::KnownInLines,
        (false, _) => Quotes::KnownInGaps,
    };
    if grammar.form() == TreeForm::Thesis {
        let mut strings = Strings { grammar, numbers: HashMap::new(), strings: Vec::new() };
        for (step, blank) in steps.into_iter().zip(blank) {
            match step {
                Step::Open(kind, syntax) => builder.open(kind, strings.of_rule(syntax)),
                Step::Group(_) => unreachable!("a parse tree has no groups"),
                Step::Token { kind, start, end, .. } => {
                    builder.token(start..end, u32::from(!blank), kind, strings.of_terminal(kind));
                }
                Step::Close => builder.close(),
            }
        }
        mentions.tell(&mut builder);
        return Ok(builder.finish_with(quotes, strings.strings));
    }
    let mut slots = Slots { grammar, numbers: HashMap::new(), slots: Vec::new() };
    for (index, (step, blank)) in steps.into_iter().zip(blank).enumerate() {
        match step {
            Step::Open(kind, _) if index == 0 => builder.open(kind, Role::Fixed),
            Step::Open(kind, syntax) => builder.open(kind, slots.syntax(syntax)),
            Step::Group(syntax) => builder.open_group(slots.syntax(syntax)),
            Step::Token { kind, start, end, syntax } => {
                builder.token(start..end, u32::from(!blank), kind, slots.syntax(syntax));
            }
            Step::Close => builder.close(),
        }
    }
    mentions.tell(&mut builder);
    Ok(builder.finish(quotes, &slots.slots))
}

/// A grammar and, where its lexer has predicates, the same without what they guard: the one that sees more tokens in a
/// text first. Where a predicate is taken to hold that does not, a rule may take all of a text for one token.
fn readings<'a>(bytes: &[u8], grammar: &'a Grammar) -> Vec<&'a Grammar> {
    let mut all: Vec<&Grammar> = [grammar].into_iter().chain(grammar.otherwise()).collect();
    if all.len() > 1 {
        all.sort_by_key(|grammar| Reverse(grammar.tokens(bytes).map_or(0, |tokens| tokens.len())));
    }
    all
}

/// Whether a text can be read.
pub(super) fn reads(bytes: &[u8], grammar: &Grammar) -> bool {
    let cancellation = cancellation::current();
    readings(bytes, grammar)
        .into_iter()
        .any(|grammar| grammar.parse_while(bytes, &|| cancellation.check()).is_ok())
}

/// The words and signs in a token, on average, from which on a grammar is taken to see none of the structure of a
/// text: in published grammars a token has 1 to 3, and text between tags some ten.
const COARSE: usize = 32;

/// Why a grammar, which reads a text, sees too little in it to be of use, if so.
pub(super) fn too_coarse(bytes: &[u8], grammar: &Grammar) -> Option<String> {
    let cancellation = cancellation::current();
    let all = readings(bytes, grammar);
    let is_only = all.len() == 1;
    let grammar = all
        .into_iter()
        .find(|grammar| is_only || grammar.parse_while(bytes, &|| cancellation.check()).is_ok())?;
    // What lies between tokens, such as comments, is nothing that a grammar has to see.
    let tokens = grammar.tokens(bytes).ok()?;
    let words = tokens.iter().map(|token| lexer::count(&bytes[token.start as usize..token.end as usize]));
    let words: usize = words.sum();
    (words >= COARSE * tokens.len().max(1)).then(|| {
        format!(
            "it sees {words} words and signs as {} token{}, as predicates that cannot be evaluated may have it",
            tokens.len(),
            if tokens.len() == 1 { "" } else { "s" }
        )
    })
}

/// The strings that stand in for what a text has, in a tree as the thesis has it.
struct Strings {
    grammar: &'static Grammar,
    /// By rule, or by the kind of a terminal.
    numbers: HashMap<(bool, u32), u32>,
    strings: Vec<StandIn>,
}

impl Strings {
    /// What may become of a node: the shortest text of its rule comes in its place.
    fn of_rule(&mut self, syntax: dwindle_cfg::Syntax) -> Role {
        match syntax.slot.and_then(|rule| Some((rule, self.grammar.minimal(rule)?))) {
            None => Role::Fixed,
            Some((_, minimal)) if minimal.tokens.is_empty() => Role::Deletable,
            Some((rule, minimal)) => self.stand_in((true, rule), &minimal.text, minimal.tokens.len()),
        }
    }

    fn of_terminal(&mut self, kind: u32) -> Role {
        self.grammar.spelling(kind).map_or(Role::Fixed, |text| self.stand_in((false, kind), text, 1))
    }

    fn stand_in(&mut self, what: (bool, u32), text: &[u8], tokens: usize) -> Role {
        let next = self.strings.len() as u32;
        let number = *self.numbers.entry(what).or_insert(next);
        if number == next {
            self.strings.push(StandIn { bytes: text.to_vec(), tokens: tokens as u32 });
        }
        Role::StandIn(number)
    }
}

/// The slots that a text has.
struct Slots {
    grammar: &'static Grammar,
    numbers: HashMap<u32, u32>,
    slots: Vec<Slot>,
}

impl Slots {
    fn number(&mut self, rule: u32) -> u32 {
        let next = self.slots.len() as u32;
        let number = *self.numbers.entry(rule).or_insert(next);
        if number == next {
            let minimal = self
                .grammar
                .minimal(rule)
                .map(|minimal| StandIn { bytes: minimal.text.clone(), tokens: minimal.tokens.len() as u32 });
            self.slots.push(Slot { kinds: self.grammar.fitting(rule), minimal });
        }
        number
    }

    fn syntax(&mut self, syntax: dwindle_cfg::Syntax) -> Syntax {
        let slot = syntax.slot.map(|rule| self.number(rule));
        let minimal = slot.and_then(|slot| self.slots[slot as usize].minimal.as_ref());
        let role = match (syntax.place, slot) {
            (Place::Deletable, _) => Role::Deletable,
            (Place::Separator, _) => Role::Separator,
            // What can be nothing can go.
            (Place::Required, Some(_)) if minimal.is_some_and(|minimal| minimal.tokens == 0) => {
                Role::Deletable
            }
            (Place::Required, Some(slot)) => Role::StandIn(slot),
            (Place::Required, None) => Role::Fixed,
        };
        let list = syntax.list.map(|list| List { id: list.id, some: list.some });
        Syntax { role, slot, list, trailing: false }
    }
}
