//! What the test has run of a program.

use std::ops::Range;

use dwindle_core::{Coverage, Subset, Text, Tree};
use serde::Serialize;

/// The statements of a program, by their bytes, each with whether it has run.
#[derive(Clone, Debug, Default)]
pub(crate) struct StatementsRun(pub(crate) Vec<(Range<usize>, bool)>);

/// How much of a program a test runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Covered {
    pub statements: usize,
    pub statements_run: usize,
    /// Declarations at the top of the file with statements in them.
    pub functions: usize,
    pub functions_run: usize,
}

impl StatementsRun {
    /// The same by the tokens of the program.
    pub(crate) fn in_tokens(&self, text: &Text) -> Coverage {
        let mut coverage = Coverage { ran: Subset::empty(text.len()), idle: Subset::empty(text.len()) };
        let mut token = 0;
        for (statement, ran) in &self.0 {
            while token < text.len() && text.span(token).end <= statement.start {
                token += 1;
            }
            if token < text.len() && text.span(token).start < statement.end {
                if *ran { coverage.ran.insert(token) } else { coverage.idle.insert(token) }
            }
        }
        coverage
    }

    /// How much of the program that is.
    pub(crate) fn covered(&self, tree: &Tree) -> Option<Covered> {
        if self.0.is_empty() {
            return None;
        }
        let Coverage { ran, idle } = self.in_tokens(tree.text());
        let top = tree.children(0).map(|node| tree.tokens(node));
        let counts = top.map(|tokens| (ran.count(tokens.clone()), idle.count(tokens)));
        let functions: Vec<_> = counts.filter(|(ran, idle)| ran + idle > 0).collect();
        Some(Covered {
            statements: self.0.len(),
            statements_run: self.0.iter().filter(|(_, ran)| *ran).count(),
            functions: functions.len(),
            functions_run: functions.iter().filter(|(ran, _)| *ran > 0).count(),
        })
    }
}
