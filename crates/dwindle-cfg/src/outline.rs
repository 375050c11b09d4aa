//! What a derivation says of a text: its nodes, and what may become of each.
//!
//! A node with one child is the child: of `expression: term`, `term: factor` and so on only the last
//! is shown, and the first tells what may stand in its place.

use crate::bnf::{Bnf, Origin};
use crate::earley::{Derivation, Node, Part};
use crate::lexer::Token;

/// One step of a walk over the nodes of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A node of this kind begins.
    Open(u32, Syntax),
    /// Siblings that go together begin.
    Group(Syntax),
    /// A token; its kind tells which.
    Token {
        /// Its kind.
        kind: u32,
        /// Where it starts, in bytes.
        start: u32,
        /// Where it ends.
        end: u32,
        /// What the grammar says of it.
        syntax: Syntax,
    },
    /// The innermost node or group ends.
    Close,
}

/// What the grammar says of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Syntax {
    /// What may become of it.
    pub place: Place,
    /// The rule whose place it is in.
    pub slot: Option<u32>,
    /// The list that it is an element or a separator of.
    pub list: Option<InList>,
}

/// What may become of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It has to stay, or something else that fits its slot.
    Required,
    /// It can go.
    Deletable,
    /// It goes with an element of its list.
    Separator,
}

/// A list in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InList {
    /// Which of them.
    pub id: u32,
    /// Whether one element has to stay.
    pub some: bool,
}

impl Syntax {
    const REQUIRED: Self = Self { place: Place::Required, slot: None, list: None };

    /// Of a node that is all there is of the one around it.
    fn within(self, outer: Self) -> Self {
        let slot = outer.slot.or(self.slot);
        if outer.place == Place::Required {
            Self { slot, list: self.list.or(outer.list), ..self }
        } else {
            Self { slot, ..outer }
        }
    }
}

/// What is below a node before it is known how it is shown.
enum Entry {
    Part(Part, Syntax),
    Group(Syntax),
    End,
}

/// The steps of a walk over a derivation; `kinds` are those of the rules, `terminal_kinds` where those
/// of the terminals begin.
pub(crate) fn steps(
    bnf: &Bnf,
    derivation: &mut Derivation<'_>,
    tokens: &[Token],
    kinds: &[u32],
    terminal_kinds: u32,
) -> Vec<Step> {
    let mut walk = Walk { bnf, derivation, lists: 0 };
    let mut steps = Vec::new();
    let root = walk.derivation.root();
    let entries = walk.below(root);
    steps.push(Step::Open(kinds[root.nonterminal as usize], Syntax::REQUIRED));
    let mut open = vec![Entry::End];
    open.extend(entries.into_iter().rev());
    while let Some(entry) = open.pop() {
        match entry {
            Entry::Part(Part::Token(position), syntax) => {
                let Token { terminal, start, end } = tokens[position as usize];
                steps.push(Step::Token { kind: terminal_kinds + terminal, start, end, syntax });
            }
            Entry::Part(Part::Node(node), syntax) => {
                let syntax = Syntax { slot: syntax.slot.or(Some(node.nonterminal)), ..syntax };
                let mut entries = walk.below(node);
                match only(&mut entries) {
                    Only::Part(part, inner) => open.push(Entry::Part(part, inner.within(syntax))),
                    Only::Group(inner) => {
                        steps.push(Step::Open(kinds[node.nonterminal as usize], inner.within(syntax)));
                        open.extend(entries.into_iter().rev());
                    }
                    Only::No if entries.is_empty() => {}
                    Only::No => {
                        steps.push(Step::Open(kinds[node.nonterminal as usize], syntax));
                        open.push(Entry::End);
                        open.extend(entries.into_iter().rev());
                    }
                }
            }
            Entry::Group(syntax) => steps.push(Step::Group(syntax)),
            Entry::End => steps.push(Step::Close),
        }
    }
    steps
}

/// The steps of a walk over a derivation of plain rules: a node for each of them, also where it is all there is of the
/// one around it.
pub(crate) fn parse_tree(
    derivation: &mut Derivation<'_>,
    tokens: &[Token],
    kinds: &[u32],
    terminal_kinds: u32,
) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut open = vec![Some(Part::Node(derivation.root()))];
    while let Some(part) = open.pop() {
        match part {
            None => steps.push(Step::Close),
            Some(Part::Token(position)) => {
                let Token { terminal, start, end } = tokens[position as usize];
                let kind = terminal_kinds + terminal;
                steps.push(Step::Token { kind, start, end, syntax: Syntax::REQUIRED });
            }
            Some(Part::Node(node)) => {
                let slot = Some(node.nonterminal);
                let kind = kinds[node.nonterminal as usize];
                steps.push(Step::Open(kind, Syntax { slot, ..Syntax::REQUIRED }));
                open.push(None);
                open.extend(derivation.parts(node).into_iter().rev().map(|(_, part)| Some(part)));
            }
        }
    }
    steps
}

/// The steps where there is no token.
pub(crate) fn nothing(kind: u32) -> Vec<Step> {
    vec![Step::Open(kind, Syntax::REQUIRED), Step::Close]
}

enum Only {
    /// There is one part.
    Part(Part, Syntax),
    /// There is one group; its beginning was taken away, its end is left.
    Group(Syntax),
    /// There are more, or none.
    No,
}

fn only(entries: &mut Vec<Entry>) -> Only {
    match *entries.as_slice() {
        [Entry::Part(part, syntax)] => Only::Part(part, syntax),
        [Entry::Group(syntax), ..] => {
            let mut depth = 0;
            let end = entries.iter().position(|entry| {
                depth += match entry {
                    Entry::Group(_) => 1,
                    Entry::End => -1,
                    Entry::Part(..) => 0,
                };
                depth == 0
            });
            if end != Some(entries.len() - 1) {
                return Only::No;
            }
            entries.remove(0);
            Only::Group(syntax)
        }
        _ => Only::No,
    }
}

struct Walk<'a, 'b> {
    bnf: &'a Bnf,
    derivation: &'a mut Derivation<'b>,
    /// How many lists there were.
    lists: u32,
}

impl Walk<'_, '_> {
    /// What is below a node, down to the next rules and tokens.
    fn below(&mut self, node: Node) -> Vec<Entry> {
        let mut entries = Vec::new();
        for (_, part) in self.derivation.parts(node) {
            self.expand(part, Syntax::REQUIRED, &mut entries);
        }
        entries
    }

    /// Recurses as deep as the grammar's expressions are nested.
    fn expand(&mut self, part: Part, syntax: Syntax, out: &mut Vec<Entry>) {
        let Part::Node(node) = part else {
            out.push(Entry::Part(part, syntax));
            return;
        };
        match self.bnf.origins[node.nonterminal as usize] {
            Origin::Rule(_) => out.push(Entry::Part(part, syntax)),
            Origin::Part | Origin::MaybeList => {
                let entries = self.below(node);
                group(entries, syntax, out);
            }
            Origin::Optional => {
                let entries = self.below(node);
                let optional = Syntax { place: Place::Deletable, ..Syntax::REQUIRED };
                group(entries, optional.within(syntax), out);
            }
            Origin::List { some, separated } => {
                let entries = self.list(node, some, separated);
                group(entries, syntax, out);
            }
        }
    }

    fn list(&mut self, list: Node, some: bool, separated: bool) -> Vec<Entry> {
        // From the last item to the first: what is before an item is the same list again.
        let mut members = Vec::new();
        let mut at = Some(list);
        while let Some(node) = at.take() {
            let parts = self.derivation.parts(node);
            let whole = parts.len() == 1 && parts[0].0 == 0;
            for (position, part) in parts.into_iter().rev() {
                match part {
                    Part::Node(before) if position == 0 && before.nonterminal == list.nonterminal => {
                        at = Some(before);
                    }
                    part => members.push((separated && position == 1 && !whole, part)),
                }
            }
        }
        members.reverse();
        let in_list = Some(InList { id: self.lists, some });
        self.lists += 1;
        let single = members.iter().filter(|(is_separator, _)| !is_separator).count() == 1;
        let mut entries = Vec::new();
        for (is_separator, part) in members {
            let place = match is_separator {
                true => Place::Separator,
                false if some && single => Place::Required,
                false => Place::Deletable,
            };
            self.expand(part, Syntax { place, slot: None, list: in_list }, &mut entries);
        }
        entries
    }
}

/// Adds entries that have `syntax` together.
fn group(mut entries: Vec<Entry>, syntax: Syntax, out: &mut Vec<Entry>) {
    match only(&mut entries) {
        Only::Part(part, inner) => out.push(Entry::Part(part, inner.within(syntax))),
        Only::Group(inner) => {
            out.push(Entry::Group(inner.within(syntax)));
            out.extend(entries);
        }
        Only::No if syntax.place == Place::Required => out.extend(entries),
        Only::No => {
            out.push(Entry::Group(syntax));
            out.extend(entries);
            out.push(Entry::End);
        }
    }
}
