//! The queries that grammar crates bring for editors: `locals.scm` marks scopes and definitions,
//! `tags.scm` the names of what an index lists.
//!
//! Not all crates bring them, and those that do leave much out (parameters, fields, local variables), so
//! what they mark is added to what [`super::naming`] sees.

use std::collections::HashSet;
use std::ops::ControlFlow;

use tree_sitter::{Node, Query, QueryCursor, QueryCursorOptions, StreamingIterator};

use crate::cancellation;

/// The most states that a query may be in at once; those of the grammars need a handful.
const STATES: u32 = 256;

/// A bound on the work of a query over a text, which calls back every hundred steps: 20 times what it takes.
fn callbacks(bytes: &[u8]) -> usize {
    10_000 + bytes.len() / 4
}

/// Children of an error from which on no query looks at a tree: a query looks for the next child with a name behind each
/// one, which takes the square of their number where there is none.
const RUBBLE: u32 = 10_000;

/// The queries of a grammar.
#[derive(Default)]
pub(super) struct Queries(Vec<Compiled>);

struct Compiled {
    query: Query,
    /// By the number of the capture.
    roles: Vec<Role>,
}

/// What a capture says of its node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Scope,
    /// It is a name that is introduced, if it is a leaf.
    Definition,
    /// It is a name; whether it is introduced is said by another capture.
    Name,
    Other,
}

/// What queries have marked in a tree, by the ids of the nodes.
#[derive(Default)]
pub(super) struct Marks {
    /// Names of what is defined, as an index of the text has them.
    pub(super) tags: HashSet<usize>,
    /// Names that are defined, or assigned to.
    pub(super) locals: HashSet<usize>,
    pub(super) scopes: HashSet<usize>,
}

impl Queries {
    /// Those of these sources that the grammar understands.
    pub(super) fn new(language: &tree_sitter::Language, sources: &[&str]) -> Self {
        let compiled = sources.iter().filter_map(|source| Compiled::new(language, source));
        Self(compiled.collect())
    }

    /// How many there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// What they mark below `root`.
    pub(super) fn marks(&self, root: Node<'_>, bytes: &[u8]) -> Marks {
        let mut marks = Marks::default();
        let cancellation = cancellation::current();
        if has_rubble(root) {
            return marks;
        }
        for compiled in &self.0 {
            let mut cursor = QueryCursor::new();
            cursor.set_match_limit(STATES);
            let mut left = callbacks(bytes);
            let mut progress = |_: &tree_sitter::QueryCursorState| {
                left = left.saturating_sub(1);
                let ends = left == 0 || cancellation.is_cancelled();
                if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let options = QueryCursorOptions::new().progress_callback(&mut progress);
            let mut matches = cursor.matches_with_options(&compiled.query, root, bytes, options);
            while let Some(found) = matches.next() {
                compiled.mark(found.captures(), &mut marks);
            }
            cancellation.check();
        }
        marks
    }
}

impl Compiled {
    fn new(language: &tree_sitter::Language, source: &str) -> Option<Self> {
        let mut query = Query::new(language, source).ok()?;
        let roles: Vec<Role> = query.capture_names().iter().map(|name| Role::new(name)).collect();
        // Most nodes are references, which say nothing here.
        for pattern in 0..query.pattern_count() {
            let text = query.start_byte_for_pattern(pattern)..query.end_byte_for_pattern(pattern);
            let text = &source[text];
            if !text.contains("@definition") && !text.contains("@local.") && !text.contains("@scope")
                || text.contains("reference") && !text.contains("definition")
            {
                query.disable_pattern(pattern);
            }
        }
        Some(Self { query, roles })
    }

    fn mark(&self, captures: &[tree_sitter::QueryCapture<'_>], marks: &mut Marks) {
        let role = |capture: &tree_sitter::QueryCapture<'_>| self.roles[capture.index as usize];
        let defines = captures.iter().any(|capture| role(capture) == Role::Definition);
        let named = captures.iter().any(|capture| role(capture) == Role::Name);
        for capture in captures {
            match role(capture) {
                Role::Scope => marks.scopes.extend([capture.node.id()]),
                Role::Name if defines => marks.tags.extend(leaf(capture.node)),
                Role::Definition if !named => marks.locals.extend(leaf(capture.node)),
                _ => {}
            }
        }
    }
}

impl Role {
    fn new(capture: &str) -> Self {
        let capture = capture.strip_prefix("local.").unwrap_or(capture);
        match capture.split('.').next().unwrap_or(capture) {
            "scope" => Self::Scope,
            "definition" => Self::Definition,
            "name" => Self::Name,
            _ => Self::Other,
        }
    }
}

/// Whether there is an error with so many children that queries take too long.
fn has_rubble(root: Node<'_>) -> bool {
    let mut cursor = root.walk();
    let cancellation = cancellation::current();
    loop {
        cancellation.check();
        let node = cursor.node();
        if node.is_error() && node.child_count() > RUBBLE {
            return true;
        }
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
}

/// The leaf that `node` is all of.
fn leaf(mut node: Node<'_>) -> Option<usize> {
    while node.child_count() == 1 {
        node = node.child(0)?;
    }
    (node.child_count() == 0).then(|| node.id())
}
