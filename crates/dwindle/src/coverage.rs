//! What the test runs of a C program: the program is tested once with marks that say which statements have run.

use std::io::{self, Read, Seek};
use std::ops::Range;
use std::os::fd::AsRawFd;

use dwindle_core::{Coverage, Outcome, Subset, Text, Tree};
use dwindle_read::{FrontEnd, Marked, Size, marked};

use crate::driver::Candidate;
use crate::error::Error;
use crate::plan::Covered;
use crate::reduction::Reduction;
use crate::report::Warning;

/// The statements of a program, by their bytes, each with whether it has run.
#[derive(Clone, Debug, Default)]
pub(crate) struct StatementsRun(Vec<(Range<usize>, bool)>);

impl Reduction<'_> {
    /// What the test runs of the input, which `front_end` reads. That takes one more question. Nothing where nothing is
    /// known of the language, or where the test refuses the program with marks.
    pub(crate) fn measure_coverage(&mut self, front_end: FrontEnd) -> Result<Option<StatementsRun>, Error> {
        // A file without a name: nothing is left of it, whatever becomes of this process.
        let mut file = tempfile::tempfile().map_err(Error::Workspace)?;
        let path = format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd());
        let Some(Marked { bytes, statements }) = marked(self.document.bytes(), front_end, &path) else {
            return Ok(None);
        };
        self.asking.progress.label = "coverage";
        let size = Size::of(&bytes);
        let Some(tested) = self.test_alone(Candidate::of(bytes, size))? else { return Ok(None) };
        let mut ran = vec![false; statements.len()];
        for number in numbers(&mut file).map_err(Error::Workspace)? {
            if let Some(ran) = ran.get_mut(number) {
                *ran = true;
            }
        }
        if tested.outcome != Some(Outcome::Interesting) || !ran.contains(&true) {
            self.asking.warn(&Warning::NoCoverage);
            return Ok(None);
        }
        Ok(Some(StatementsRun(statements.into_iter().zip(ran).collect())))
    }
}

/// The numbers in a file of marks.
fn numbers(file: &mut std::fs::File) -> io::Result<Vec<usize>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    let numbers = bytes
        .chunks_exact(4)
        .map(|number| number.iter().rev().fold(0, |n, byte| n << 8 | usize::from(*byte)));
    Ok(numbers.collect())
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
        let top = tree.children(0).map(|node| tree.nodes()[node].tokens());
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
