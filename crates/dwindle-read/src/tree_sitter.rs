//! Trees from tree-sitter's grammars.
//!
//! Tokens are the leaves of the syntax tree that have text, comments and white space apart, also
//! where the text has errors; a literal whose leaves touch is one token that weighs as many as it
//! has leaves. Text that no leaf covers, such as what is between two escapes, becomes tokens that
//! weigh nothing, so that only white space and comments are between tokens.
//!
//! The children of each node are matched against the grammar's productions, which tell what is
//! optional, what goes together, what is an element of a list and what may stand in a place. Nodes
//! that no production derives, because something in them is an error or the grammar's code had a
//! hand in them, fall back on the grammar's node types.
//!
//! One walk with a cursor, so nesting costs memory but no stack.

use std::ops::Range;

use dwindle_core::{Role, Syntax};
use tree_sitter::{self as ts, Node, TreeCursor};

use super::forms;
use super::hidden::{Readable, readable};
use super::keep_marks::Comments;
use super::languages::{INTRODUCES, Trait};
use super::lexer;
use super::naming::{Frame, Naming, is_one_of};
use super::node_types::{Grammar, Place};
use super::outline::{Outline, Step};
use super::productions::Matchers;
use super::queries::Marks;
use super::refusal::Refusal;
use super::seats::{Child, Seat, seats};
use crate::cancellation;

/// The number of `ERROR` and `MISSING` nodes in the syntax tree of `bytes`.
pub(super) fn errors_of(bytes: &[u8], language: &ts::Language) -> Result<u64, Refusal> {
    Ok(readable(bytes, language)?.errors)
}

/// What is seen of the syntax tree of `bytes`.
pub(super) fn outline(bytes: &[u8], grammar: &Grammar) -> Result<Outline, Refusal> {
    let Readable { tree, errors, hidden, leaves } = readable(bytes, &grammar.language)?;
    let mut steps = walked(bytes, &tree, (&hidden, &leaves), grammar);
    if grammar.has(Trait::Lisp) {
        read_forms(bytes, &mut steps);
    }
    Ok(Outline { steps, errors })
}

/// In a Lisp all is lists: the atoms in these tell what is introduced.
fn read_forms(bytes: &[u8], steps: &mut [Step]) {
    let text = |step: &Step| match *step {
        Step::Token { start, end, .. } => Some(&bytes[start as usize..end as usize]),
        Step::Open { .. } | Step::Close => None,
    };
    let tokens: Vec<&[u8]> = steps.iter().filter_map(text).collect();
    let mut atoms = forms::atoms(&tokens, false).into_iter();
    let mut list = None;
    for at in 0..steps.len() {
        match &mut steps[at] {
            Step::Open { .. } => list = Some(at),
            Step::Close => {}
            Step::Token { naming, .. } => {
                let atom = atoms.next().unwrap_or_default();
                if matches!(naming, Naming::Introduces | Naming::Heads | Naming::Assigns | Naming::Uses) {
                    *naming = atom.naming;
                }
                if atom.scope
                    && let Some(Step::Open { scope, .. }) = list.map(|list| &mut steps[list])
                {
                    *scope = true;
                }
            }
        }
    }
}

/// The steps of the walk over a syntax tree.
fn walked(
    bytes: &[u8],
    tree: &ts::Tree,
    (hidden, leaves): (&[Range<usize>], &[usize]),
    grammar: &Grammar,
) -> Vec<Step> {
    let root = tree.root_node();
    let mut cursor = tree.walk();
    let marks = grammar.queries.marks(root, bytes);
    let mut walk = Walk { hidden, leaves, ..Walk::new(bytes, grammar, tree.walk(), marks) };
    let kind = grammar.number(root.kind_id());
    walk.open(kind, Role::Fixed.into(), root.byte_range(), false, false);
    walk.frames.push(Frame::root(grammar.kind(kind).facts));
    walk.sit(&root);
    if !cursor.goto_first_child() {
        walk.uncovered(root.start_byte());
        walk.leaf(&root, 0, &None);
        walk.close_root();
        return walk.steps;
    }
    let cancellation = cancellation::current();
    loop {
        cancellation.check();
        let (node, field) = (cursor.node(), cursor.field_id().map_or(0, |field| field.get()));
        if walk.is_comment(&node) {
            walk.comment(&node, field);
        } else {
            let seat = walk.enter(&node);
            if cursor.goto_first_child() {
                walk.inner(&node, field, seat);
                continue;
            }
            walk.leaf(&node, field, &seat);
            walk.leave(seat.map_or(0, |seat| seat.ends));
        }
        while !cursor.goto_next_sibling() {
            cursor.goto_parent();
            if walk.open.len() == 1 {
                walk.close_root();
                return walk.steps;
            }
            let groups = walk.top().groups_end;
            walk.close();
            walk.leave(groups);
        }
    }
}

/// The walk: what it has written, and the nodes it is in.
struct Walk<'a> {
    bytes: &'a [u8],
    /// What the parser has not seen and the walk has not come to.
    hidden: &'a [Range<usize>],
    /// Where the leaves of the whole text begin, if something is hidden: these are the tokens that count.
    leaves: &'a [usize],
    grammar: &'a Grammar,
    steps: Vec<Step>,
    open: Vec<Open>,
    /// All before this byte is in a token or in a gap.
    seen: usize,
    /// The number of tokens so far.
    tokens: usize,
    matchers: Matchers<'a>,
    /// For a look at the children of a node that opens.
    ahead: TreeCursor<'a>,
    /// The number of lists so far.
    lists: u32,
    /// The nodes that it is in, as far as names are concerned.
    frames: Vec<Frame>,
    /// What the grammar's queries say.
    marks: Marks,
    comments: Comments,
    /// The field of a body.
    body: Option<u16>,
}

/// An open node.
struct Open {
    kind: u32,
    span: Range<usize>,
    /// Where its step is, and how many tokens were before it.
    step: usize,
    tokens: usize,
    /// Below something that is called a comment but stands where the grammar wants it.
    weightless: bool,
    /// One of several in its parent.
    is_element: bool,
    /// The number of children that have tokens, and the step of the last of them.
    children: usize,
    last: usize,
    /// Whether all children so far are tokens that a literal may consist of.
    literal: bool,
    /// Whether the last child is one of several; else what stands behind such a one.
    after_element: bool,
    after: Option<usize>,
    /// The kind of token that was seen between two of several.
    separator: Option<u32>,
    /// Where its children sit that are still to come, the next one last; nothing where that is not
    /// known.
    seats: Vec<Seat>,
    /// How many groups around it end with it.
    groups_end: u32,
}

impl<'a> Walk<'a> {
    fn new(bytes: &'a [u8], grammar: &'a Grammar, ahead: TreeCursor<'a>, marks: Marks) -> Self {
        Self {
            bytes,
            hidden: &[],
            leaves: &[],
            grammar,
            steps: Vec::new(),
            open: Vec::new(),
            seen: 0,
            tokens: 0,
            matchers: Matchers::new(&grammar.knowledge),
            ahead,
            lists: 0,
            frames: Vec::new(),
            marks,
            comments: Comments::default(),
            body: grammar.body(),
        }
    }

    /// Matches the children of the node that has been opened last.
    fn sit(&mut self, node: &Node<'a>) {
        let (grammar, kind, is_root) = (self.grammar, self.top().kind, self.open.len() == 1);
        let mut kinds = Vec::new();
        let mut children = Vec::new();
        self.ahead.reset(*node);
        let mut more = self.ahead.goto_first_child();
        while more {
            let child = self.ahead.node();
            let number = grammar.number(child.kind_id());
            if !child.is_extra() && number != grammar.error() {
                kinds.push(number);
                let known = grammar.kind(number);
                let has_text = if child.child_count() == 0 {
                    !is_blank(&self.bytes[child.byte_range()])
                } else {
                    !child.byte_range().is_empty()
                };
                children.push(Child { replaceable: known.named && !known.facts.delimiter, has_text });
            }
            more = self.ahead.goto_next_sibling();
        }
        if kind == grammar.error() || kinds.is_empty() {
            return;
        }
        let Some(derived) = self.matchers.derive(kind, &kinds) else {
            return;
        };
        let required = |child: Child, slot, in_unit: bool| match child.replaceable {
            true if is_root && !in_unit => Role::Deletable,
            true => Role::StandIn(slot),
            false => Role::Fixed,
        };
        let mut seats = seats(&derived, &children, &mut self.lists, required);
        if grammar.kind(kind).facts.literal {
            // A literal is one token, or a list of its parts.
            seats.iter_mut().for_each(|seat| (seat.begins, seat.ends) = (Vec::new(), 0));
        }
        seats.reverse();
        self.top().seats = seats;
    }

    /// Before a child: begins the groups that begin with it.
    fn enter(&mut self, node: &Node<'_>) -> Option<Seat> {
        self.uncovered(node.start_byte());
        let kind = self.grammar.number(node.kind_id());
        if node.is_extra() || kind == self.grammar.error() {
            return None;
        }
        let group = self.grammar.group();
        let parent = self.open.iter_mut().rev().find(|open| open.kind != group)?;
        let mut seat = parent.seats.pop()?;
        for syntax in seat.begins.drain(..) {
            self.open(group, syntax, 0..0, false, false);
        }
        Some(seat)
    }

    /// Behind a child: ends the groups that end with it.
    fn leave(&mut self, groups: u32) {
        (0..groups).for_each(|_| self.close());
    }

    fn top(&mut self) -> &mut Open {
        self.open.last_mut().expect("the root is open until the end")
    }

    /// Whether `node` is a comment that may stand anywhere.
    fn is_comment(&self, node: &Node<'_>) -> bool {
        self.grammar.kind(self.grammar.number(node.kind_id())).facts.comment && node.is_extra()
    }

    /// A comment stays in the gap, unless it is in a region.
    fn comment(&mut self, node: &Node<'_>, field: u16) {
        self.uncovered(node.start_byte());
        if self.comments.stays(&self.bytes[node.byte_range()]) {
            self.leaf(node, field, &None);
        }
        self.seen = self.seen.max(node.end_byte());
    }

    fn inner(&mut self, node: &Node<'a>, field: u16, seat: Option<Seat>) {
        let kind = self.grammar.number(node.kind_id());
        let (syntax, is_element) = self.syntax(kind, node.is_extra(), field, &seat);
        let (facts, field) = (self.grammar.kind(kind).facts, self.grammar.field(field));
        let body = self.body;
        let has_body = || body.is_some_and(|body| node.child_by_field_id(body).is_some());
        let (frame, scope) = self.frame().below(facts, field, has_body);
        self.frames.push(frame);
        let scope = scope || self.marks.scopes.contains(&node.id());
        self.open(kind, syntax, node.byte_range(), is_element, scope);
        self.top().groups_end = seat.map_or(0, |seat| seat.ends);
        self.sit(node);
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the root is open until the end")
    }

    fn open(&mut self, kind: u32, syntax: Syntax, span: Range<usize>, is_element: bool, scope: bool) {
        let above = self.open.last().is_some_and(|open| open.weightless);
        self.open.push(Open {
            kind,
            span,
            step: self.steps.len(),
            tokens: self.tokens,
            weightless: above || self.grammar.kind(kind).facts.comment,
            is_element,
            children: 0,
            last: 0,
            literal: self.grammar.kind(kind).facts.literal,
            after_element: false,
            after: None,
            separator: None,
            seats: Vec::new(),
            groups_end: 0,
        });
        self.steps.push(Step::Open { kind, syntax: syntax.into(), scope });
    }

    fn leaf(&mut self, node: &Node<'_>, field: u16, seat: &Option<Seat>) {
        let kind = self.grammar.number(node.kind_id());
        let span = node.start_byte().max(self.seen)..node.end_byte();
        if span.is_empty() {
            return;
        }
        self.seen = span.end;
        if is_blank(&self.bytes[span.clone()]) {
            return;
        }
        let (syntax, is_element) = self.syntax(kind, node.is_extra(), field, seat);
        let weight = u32::from(!self.top().weightless && !self.grammar.kind(kind).facts.comment);
        let (known, field) = (self.grammar.kind(kind), self.grammar.field(field));
        let word = &self.bytes[span.clone()];
        let mut naming = self.frame().leaf(known.facts, field, &known.name, word);
        let assigns = if self.grammar.assigns { Naming::Assigns } else { Naming::Uses };
        if naming == Naming::Assigns {
            naming = assigns;
        }
        if naming == Naming::Uses {
            if self.marks.tags.contains(&node.id()) {
                naming = Frame::marked(&self.frames, Naming::Assigns);
            } else if self.marks.locals.contains(&node.id()) {
                naming = Frame::marked(&self.frames, assigns);
            }
        }
        if self.grammar.assigns && is_one_of(word, INTRODUCES) && self.frame().begins_with_name() {
            self.assigned();
        }
        self.token(span, weight, kind, syntax, naming);
        self.child(kind, self.steps.len() - 1, is_element, true);
    }

    /// The token before an assignment's sign is all that is before it in its node.
    fn assigned(&mut self) {
        if let Some(Step::Token { naming: naming @ Naming::Uses, .. }) = self.steps.last_mut() {
            *naming = Naming::Assigns;
        }
    }

    /// The text up to `end` is in no leaf.
    fn uncovered(&mut self, end: usize) {
        while let Some((hidden, behind)) = self.hidden.split_first()
            && hidden.end <= end
        {
            self.hidden = behind;
            // A token of the grammar may reach over it.
            if hidden.start >= self.seen {
                self.uncovered_token(hidden.start);
                self.hidden_tokens(hidden.clone());
            }
        }
        self.uncovered_token(end);
    }

    /// What the parser has not seen is a word and what is in its brackets.
    fn hidden_tokens(&mut self, hidden: Range<usize>) {
        self.open_hidden();
        for token in lexer::tokens(&self.bytes[hidden.clone()]) {
            let span = hidden.start + token.start as usize..hidden.start + token.end as usize;
            let (opens, closes) = (self.bytes[span.start] == b'(', self.bytes[span.start] == b')');
            if opens {
                self.open_hidden();
            }
            let naming = match self.bytes[span.start] {
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => Naming::Uses,
                b'"' => Naming::Words,
                _ => Naming::Nothing,
            };
            let role =
                if opens || closes || span.start == hidden.start { Role::Fixed } else { Role::Deletable };
            self.seen = span.end;
            self.token(span, 1, self.grammar.uncovered(), role.into(), naming);
            if closes {
                self.close();
            }
        }
        self.close();
    }

    fn open_hidden(&mut self) {
        self.open(self.grammar.group(), Role::Deletable.into(), 0..0, false, false);
    }

    /// What of it is not white space becomes a token.
    fn uncovered_token(&mut self, end: usize) {
        let text = self.bytes.get(self.seen..end).unwrap_or(&[]);
        let Some(first) = text.iter().position(|&byte| !is_white(byte)) else { return };
        let behind = text.iter().rposition(|&byte| !is_white(byte)).unwrap_or(first) + 1;
        let span = self.seen + first..self.seen + behind;
        self.seen = span.end;
        let kind = self.grammar.uncovered();
        self.token(span, 0, kind, Role::Deletable.into(), Naming::Words);
        let step = self.steps.len() - 1;
        let top = self.top();
        (top.children, top.last) = (top.children + 1, step);
    }

    fn token(&mut self, span: Range<usize>, weight: u32, kind: u32, syntax: Syntax, naming: Naming) {
        self.tokens += 1;
        let before = |at: usize| self.leaves.partition_point(|&leaf| leaf < at);
        let counts = weight > 0 && !self.leaves.is_empty();
        let weight = if counts { (before(span.end) - before(span.start)) as u32 } else { weight };
        let (start, end) = (span.start as u32, span.end as u32);
        self.steps.push(Step::Token { start, end, weight, kind, syntax: syntax.into(), naming });
    }

    fn close_root(&mut self) {
        self.uncovered(self.bytes.len());
        self.steps.push(Step::Close);
    }

    fn close(&mut self) {
        let end = self.top().span.end;
        self.uncovered(end);
        let open = self.open.pop().expect("a node is open");
        if open.kind != self.grammar.group() {
            self.frames.pop();
        }
        if self.tokens == open.tokens {
            self.steps.truncate(open.step);
            return;
        }
        if open.literal {
            self.unite(&open);
        } else {
            if open.children == 1 {
                self.ask_once(open.step, open.last);
            }
            self.steps.push(Step::Close);
        }
        self.child(open.kind, open.step, open.is_element, open.literal);
    }

    /// Makes one token of the tokens of a literal.
    fn unite(&mut self, open: &Open) {
        let weight = |step: &Step| match step {
            Step::Token { weight, .. } => *weight,
            Step::Open { .. } | Step::Close => 0,
        };
        let weight = self.steps[open.step..].iter().map(weight).sum();
        let Step::Open { kind, syntax, .. } = self.steps[open.step] else { return };
        self.steps.truncate(open.step);
        self.tokens = open.tokens;
        self.seen = self.seen.max(open.span.end);
        self.token(open.span.start..self.seen, weight, kind, syntax.into(), Naming::Words);
    }

    /// A node and its only child have the same text: one of them is asked about.
    fn ask_once(&mut self, node: usize, child: usize) {
        let goes = |step: &Step| step.syntax().is_some_and(|syntax| syntax.role == Role::Deletable);
        if goes(&self.steps[node]) && goes(&self.steps[child]) {
            self.steps[child].bind(false);
        }
    }

    /// What the syntax says of a child, and whether it is one of several.
    fn syntax(&mut self, kind: u32, is_extra: bool, field: u16, seat: &Option<Seat>) -> (Syntax, bool) {
        match seat {
            Some(seat) => (seat.syntax, false),
            None => {
                let (role, is_element) = self.role(kind, is_extra, field);
                (role.into(), is_element)
            }
        }
    }

    /// What the node types say of a child of the innermost node, and whether it is one of several.
    fn role(&mut self, kind: u32, is_extra: bool, field: u16) -> (Role, bool) {
        let grammar = self.grammar;
        let (is_root, parent) = (self.open.len() == 1, self.top().kind);
        if parent == grammar.error() || kind == grammar.error() || is_extra {
            return (Role::Deletable, false);
        }
        let named = grammar.kind(kind).named;
        if is_root {
            return (Role::Deletable, named);
        }
        if grammar.kind(kind).facts.delimiter {
            return (Role::Fixed, false);
        }
        let place = grammar.place(parent, field);
        match place.or_else(|| grammar.place(parent, 0)) {
            Some(place) if named => (place.role(), place.is_list()),
            None if named => (Role::Deletable, false),
            _ => match place {
                Some(Place::Optional | Place::Any) if field != 0 => (Role::Deletable, false),
                _ => (Role::Fixed, false),
            },
        }
    }

    /// Notes a child of the innermost node, so that what is between two of several is known for a
    /// separator.
    fn child(&mut self, kind: u32, step: usize, is_element: bool, is_token: bool) {
        let grammar = self.grammar;
        let kind_is = grammar.kind(kind);
        let top = self.top();
        (top.children, top.last) = (top.children + 1, step);
        top.literal &= is_token && kind_is.facts.literal_part;
        let separator;
        if is_element {
            separator = top.after.take();
            top.after_element = true;
        } else {
            let behind = top.after_element && is_token && kind_is.punctuation && top.kind != grammar.error();
            // One without an element behind it is a separator if others of its kind are.
            separator = Some(step).filter(|_| behind && (kind_is.comma || top.separator == Some(kind)));
            top.after = Some(step).filter(|_| behind);
            top.after_element = false;
        }
        if let Some(step) = separator {
            if let Step::Token { kind, .. } = self.steps[step] {
                self.top().separator = Some(kind);
            }
            self.steps[step].bind(true);
        }
    }
}

/// White space as `bytes.strip` of Python has it: with the vertical tabulator.
fn is_white(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'\x0b'
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| is_white(byte))
}

#[cfg(test)]
mod tests;
