//! What a parser saw of a text, as a flat list of steps: cheap to correct when later siblings tell
//! what an earlier token was, and to send from process to process.

use std::collections::HashMap;
use std::num::NonZeroU32;

use dwindle_core::{List, Quotes, Role, Syntax, Tree, TreeBuilder};

use super::mentions::{Gathering, Mentions};
use super::naming::Naming;
use super::node_types::Grammar;
use crate::cancellation;

/// A step of the walk over a syntax tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// A node begins. Its stand-in, if any, is a slot of the grammar.
    Open { kind: u32, syntax: Packed, scope: bool },
    /// A token, which lies behind all before it.
    Token { start: u32, end: u32, weight: u32, kind: u32, syntax: Packed, naming: Naming },
    /// The innermost node ends.
    Close,
}

/// What a parser saw of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Outline {
    /// The steps of the walk over its syntax tree.
    pub(super) steps: Vec<Step>,
    /// The number of syntax errors.
    pub(super) errors: u64,
}

/// A [`Syntax`] in half of the memory: of a large text there are more steps than anything else. A slot is known by one
/// number, whether it is that of a stand-in or of what may stand in a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Packed {
    number: u32,
    /// One more than twice the number of the list, and another one where that needs an element.
    list: Option<NonZeroU32>,
    role: PackedRole,
    has_slot: bool,
    trailing: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PackedRole {
    Fixed,
    Deletable,
    StandIn,
    Separator,
}

impl Step {
    /// What the syntax says of what begins here.
    pub(super) fn syntax(&self) -> Option<Syntax> {
        match self {
            Self::Open { syntax, .. } | Self::Token { syntax, .. } => Some((*syntax).into()),
            Self::Close => None,
        }
    }

    /// What begins here cannot be deleted by itself: it stays, or it is a separator.
    pub(super) fn bind(&mut self, is_separator: bool) {
        if let Self::Open { syntax, .. } | Self::Token { syntax, .. } = self {
            syntax.role = if is_separator { PackedRole::Separator } else { PackedRole::Fixed };
        }
    }
}

impl From<Role> for PackedRole {
    fn from(role: Role) -> Self {
        match role {
            Role::Fixed => Self::Fixed,
            Role::Deletable => Self::Deletable,
            Role::StandIn(_) => Self::StandIn,
            Role::Separator => Self::Separator,
        }
    }
}

impl From<Syntax> for Packed {
    fn from(Syntax { role, slot, list, trailing }: Syntax) -> Self {
        let number = match role {
            Role::StandIn(number) => Some(number),
            _ => slot,
        };
        debug_assert!(slot.is_none_or(|slot| Some(slot) == number), "a stand-in fits its place");
        let list = list.and_then(|list| NonZeroU32::new(((list.id << 1) | u32::from(list.some)) + 1));
        Self { number: number.unwrap_or(0), list, role: role.into(), has_slot: slot.is_some(), trailing }
    }
}

impl From<Packed> for Syntax {
    fn from(Packed { number, list, role, has_slot, trailing }: Packed) -> Self {
        let role = match role {
            PackedRole::Fixed => Role::Fixed,
            PackedRole::Deletable => Role::Deletable,
            PackedRole::StandIn => Role::StandIn(number),
            PackedRole::Separator => Role::Separator,
        };
        let list = list.map(|list| list.get() - 1).map(|list| List { id: list >> 1, some: list & 1 != 0 });
        Self { role, slot: Some(number).filter(|_| has_slot), list, trailing }
    }
}

/// The tree that an outline describes.
pub(super) fn build(bytes: Vec<u8>, outline: Outline, grammar: &'static Grammar) -> Tree {
    // Only the slots that occur, so that no strings are made for the others.
    let mut slots = Vec::new();
    let mut numbers: HashMap<u32, u32> = HashMap::new();
    let mut number = |slot: u32| {
        *numbers.entry(slot).or_insert_with(|| {
            slots.push(grammar.slots[slot as usize].clone());
            slots.len() as u32 - 1
        })
    };
    let mut with_slots = |syntax: Packed| {
        let syntax = Syntax::from(syntax);
        let role = match syntax.role {
            Role::StandIn(slot) => Role::StandIn(number(slot)),
            role => role,
        };
        Syntax { role, slot: syntax.slot.map(&mut number), ..syntax }
    };
    let mentions = mentions(&bytes, &outline.steps, grammar);
    let mut builder = TreeBuilder::cancelled_by(cancellation::current(), bytes, grammar.lexicon());
    for step in outline.steps {
        match step {
            Step::Open { kind, syntax, .. } if kind == grammar.group() => {
                builder.open_group(with_slots(syntax));
            }
            Step::Open { kind, syntax, scope } => {
                builder.open(kind, with_slots(syntax));
                if scope {
                    builder.scope();
                }
            }
            Step::Token { start, end, weight, kind, syntax, .. } => {
                builder.token(start..end, weight, kind, with_slots(syntax));
            }
            Step::Close => builder.close(),
        }
    }
    mentions.tell(&mut builder);
    builder.finish(Quotes::Known, &slots).with_errors(outline.errors)
}

/// Whether it is one of several that can go.
fn is_element(syntax: Packed) -> bool {
    syntax.role == PackedRole::Deletable && syntax.list.is_some() && !syntax.trailing
}

/// The names that the steps have to do with.
fn mentions(bytes: &[u8], steps: &[Step], grammar: &Grammar) -> Mentions {
    let mut gathering = Gathering::new(bytes, grammar.traits);
    let cancellation = cancellation::current();
    for step in steps {
        cancellation.check();
        match *step {
            Step::Open { kind, syntax, scope } => {
                let facts = grammar.kind(kind).facts;
                gathering.open(facts.import, is_element(syntax), facts.path);
                if scope {
                    gathering.scope();
                }
            }
            Step::Token { start, end, syntax, naming, .. } => {
                gathering.token(start..end, naming, is_element(syntax));
            }
            Step::Close => gathering.close(),
        }
    }
    gathering.settle(true)
}

/// Appends an outline in bytes: the number of errors, then of each step a tag and numbers of 7 bits a byte. Offsets
/// count from the end of the token before.
pub(super) fn encode(outline: &Outline, out: &mut Vec<u8>) {
    out.extend(outline.errors.to_le_bytes());
    let mut last = 0;
    for step in &outline.steps {
        match *step {
            Step::Close => out.push(CLOSE),
            Step::Open { kind, syntax, scope } => {
                out.push(if scope { SCOPE } else { OPEN });
                put(out, kind);
                put_syntax(out, syntax.into());
            }
            Step::Token { start, end, weight, kind, syntax, naming } => {
                out.push(TOKEN + naming as u8);
                [start - last, end - start, weight, kind].into_iter().for_each(|number| put(out, number));
                put_syntax(out, syntax.into());
                last = end;
            }
        }
    }
    out.push(END);
}

const END: u8 = 0;
const CLOSE: u8 = 1;
const OPEN: u8 = 2;
const SCOPE: u8 = 3;
/// And above: with what the token has to do with names.
const TOKEN: u8 = 4;

/// The outline that [`encode`] wrote of a text of `len` bytes; none where its steps do not make a tree.
pub(super) fn decode(bytes: &[u8], len: usize, grammar: &Grammar) -> Option<Outline> {
    let (errors, bytes) = bytes.split_first_chunk()?;
    let errors = u64::from_le_bytes(*errors);
    let mut reader = Reader { bytes, grammar };
    let mut steps = Vec::new();
    let (mut last, mut depth) = (0u32, 0usize);
    loop {
        let step = match reader.byte()? {
            END if depth == 0 && !steps.is_empty() && reader.bytes.is_empty() => {
                return Some(Outline { steps, errors });
            }
            CLOSE => {
                depth = depth.checked_sub(1)?;
                Step::Close
            }
            tag @ (OPEN | SCOPE) if depth > 0 || steps.is_empty() => {
                depth += 1;
                Step::Open { kind: reader.kind()?, syntax: reader.syntax()?.into(), scope: tag == SCOPE }
            }
            tag if depth > 0 => {
                let naming = *Naming::ALL.get(usize::from(tag.checked_sub(TOKEN)?))?;
                let start = last.checked_add(reader.number()?)?;
                last = start.checked_add(reader.number()?)?;
                if last as usize > len || start == last {
                    return None;
                }
                let (weight, kind, syntax) = (reader.number()?, reader.kind()?, reader.syntax()?.into());
                Step::Token { start, end: last, weight, kind, syntax, naming }
            }
            _ => return None,
        };
        steps.push(step);
    }
}

fn put(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn put_syntax(out: &mut Vec<u8>, Syntax { role, slot, list, trailing }: Syntax) {
    put(
        out,
        match role {
            Role::Fixed => 0,
            Role::Deletable => 1,
            Role::Separator => 2,
            Role::StandIn(slot) => 3 + slot,
        },
    );
    put(out, slot.map_or(0, |slot| slot + 1));
    put(out, list.map_or(0, |list| list.id + 1));
    put(out, u32::from(trailing) << 1 | u32::from(list.is_some_and(|list| list.some)));
}

struct Reader<'a> {
    bytes: &'a [u8],
    grammar: &'a Grammar,
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(byte)
    }

    fn number(&mut self) -> Option<u32> {
        let mut number = 0u64;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return u32::try_from(number).ok();
            }
        }
        None
    }

    fn kind(&mut self) -> Option<u32> {
        self.number().filter(|&kind| kind <= self.grammar.group())
    }

    fn syntax(&mut self) -> Option<Syntax> {
        let role = match self.number()? {
            0 => Role::Fixed,
            1 => Role::Deletable,
            2 => Role::Separator,
            slot => Role::StandIn(self.slot(slot - 3)?),
        };
        let slot = match self.number()? {
            0 => None,
            slot => Some(self.slot(slot - 1)?),
        };
        let (list, flags) = (self.number()?, self.number()?);
        let list = list.checked_sub(1).map(|id| List { id, some: flags & 1 != 0 });
        Some(Syntax { role, slot, list, trailing: flags & 2 != 0 })
    }

    fn slot(&self, slot: u32) -> Option<u32> {
        Some(slot).filter(|&slot| (slot as usize) < self.grammar.slots.len())
    }
}
