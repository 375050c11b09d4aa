//! What the test runs of a C program: the program is tested once with marks that say which statements have run.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::fd::AsRawFd;

use dwindle_core::Outcome;
use dwindle_read::{FrontEnd, Marked, Size, marked};

use crate::coverage::StatementsRun;
use crate::driver::Candidate;
use crate::error::Error;
use crate::reduction::Reduction;
use crate::report::Warning;

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
fn numbers(file: &mut File) -> io::Result<Vec<usize>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    let numbers = bytes
        .chunks_exact(4)
        .map(|number| number.iter().rev().fold(0, |n, byte| n << 8 | usize::from(*byte)));
    Ok(numbers.collect())
}
