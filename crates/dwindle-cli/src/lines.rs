//! Lines of a text.

use dwindle::core::Tree;

/// Where lines start.
pub(crate) struct Lines(Vec<usize>);

impl Lines {
    pub(crate) fn of(tree: &Tree) -> Self {
        let ends = tree.text().bytes().iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        Self(ends.map(|(at, _)| at + 1).collect())
    }

    /// The line of a byte, from 1.
    pub(crate) fn at(&self, byte: usize) -> u64 {
        self.0.partition_point(|&start| start <= byte) as u64 + 1
    }
}
