//! The oracle: what the test says of a candidate, and what its output gives away.

use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use dwindle_core::{Evidence, Offers, Request, Variant, Vocabulary};
use dwindle_run::{Cancel, Run, RunError, Station, Stations};
use memchr::memmem;

use crate::external::Helpers;
use crate::report::{External, Warning};

/// How much of an output is read for evidence: less than is kept of its beginning, because paths, which
/// differ in length, are taken out of it first.
const OUTPUT_READ: usize = 32 << 10;

/// The words of the input. They are gathered when one is needed: that takes over a second for 11 MB, in
/// vain where tests print nothing.
pub(crate) type Words = LazyLock<Arc<Vocabulary>, Box<dyn FnOnce() -> Arc<Vocabulary> + Send>>;

/// A test for variants of one input.
#[derive(Debug)]
pub(crate) struct Oracle(Arc<Setup>);

#[derive(Debug)]
struct Setup {
    stations: Stations,
    vocabulary: Arc<Words>,
    helpers: Helpers,
    warnings: Mutex<Vec<Warning>>,
}

/// Where one runner asks it.
#[derive(Debug)]
pub(crate) struct Seat {
    station: Station,
    setup: Arc<Setup>,
}

impl Oracle {
    pub(crate) fn new(stations: Stations, vocabulary: Arc<Words>, helpers: Helpers) -> Self {
        Self(Arc::new(Setup { stations, vocabulary, helpers, warnings: Mutex::default() }))
    }

    /// A place for one runner, who can run one test at a time there.
    pub(crate) fn seat(&self) -> Result<Seat, RunError> {
        Ok(Seat { station: self.0.stations.station()?, setup: self.0.clone() })
    }

    /// No more places are made.
    pub(crate) fn close(&self) {
        self.0.stations.close();
    }

    /// What helpers have done.
    pub(crate) fn helped(&self) -> External {
        self.0.helpers.done()
    }

    /// What has to be said and was not yet.
    pub(crate) fn take_warnings(&self) -> Vec<Warning> {
        let moved = self.0.stations.take_moves().into_iter().map(Warning::Moved);
        let stays = self.0.stations.take_stays().into_iter().map(|at| Warning::Mounted { at });
        let mut warnings = self.0.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        moved.chain(stays).chain(warnings.drain(..)).collect()
    }
}

impl Seat {
    /// Runs the test on `candidate`, for `limit` at most, unless it is cancelled. Nothing of it is
    /// left afterwards.
    pub(crate) fn run(
        &mut self,
        candidate: &[u8],
        limit: Duration,
        cancel: &Cancel,
    ) -> Result<Run, RunError> {
        self.station.run(candidate, limit, cancel)
    }

    /// What a helper offers in place of `variant`.
    pub(crate) fn offers(
        &mut self,
        variant: &Variant,
        request: Request,
        limit: Duration,
        cancel: &Cancel,
    ) -> Offers {
        let Self { station, setup } = self;
        let mut warn = |warning| setup.warnings.lock().unwrap_or_else(PoisonError::into_inner).push(warning);
        setup.helpers.offers(station, variant, request, limit, cancel, &mut warn)
    }

    /// What the output of the last run gives away.
    pub(crate) fn evidence(&self, output: &[u8]) -> Evidence {
        let mut output = without_places(output, self.station.folder(), self.station.name());
        output.truncate(OUTPUT_READ);
        if output.trim_ascii().is_empty() {
            return Evidence::default();
        }
        Evidence::in_output(&self.setup.vocabulary, &output)
    }
}

/// `output` without the name of the candidate, which is no news, and without paths in `folder`, which
/// are others at every station and in every run.
fn without_places(output: &[u8], folder: &Path, name: &Path) -> Vec<u8> {
    let bytes = |path: &Path| path.as_os_str().as_encoded_bytes().to_vec();
    let (folder, name) = (&bytes(folder)[..], &bytes(name)[..]);
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let is_in_path = |byte: &&u8| is_word(byte) || b"/.-+~".contains(byte);
    let plain = without(output, name, |before, behind| {
        let is_part = before.last().is_some_and(is_word) || behind.first().is_some_and(is_word);
        (!is_part).then_some(0)
    });
    without(&plain, folder, |_, behind| Some(behind.iter().take_while(is_in_path).count()))
}

/// `text` without `pattern` and as much behind it as `more` says for what is before and behind.
fn without(text: &[u8], pattern: &[u8], more: impl Fn(&[u8], &[u8]) -> Option<usize>) -> Vec<u8> {
    let (mut plain, mut rest) = (Vec::with_capacity(text.len()), 0);
    for start in memmem::find_iter(text, pattern).filter(|_| !pattern.is_empty()) {
        let end = start + pattern.len();
        if start >= rest
            && let Some(more) = more(&text[..start], &text[end..])
        {
            plain.extend_from_slice(&text[rest..start]);
            plain.push(b' ');
            rest = end + more;
        }
    }
    plain.extend_from_slice(&text[rest..]);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_places_is_no_part_of_the_output() {
        let check = |output: &str, expected: &str| {
            let plain = without_places(output.as_bytes(), "/tmp/dw-Xy_1/3".as_ref(), "a.c".as_ref());
            assert_eq!(String::from_utf8_lossy(&plain), expected);
        };
        check("/tmp/dw-Xy_1/3/12/run/a.c:1:2: error: run 'a'", "  :1:2: error: run 'a'");
        check("/tmp/dw-Xy_1/3/12/tmp/cc3Gh.o(.text): undefined 'f'", " (.text): undefined 'f'");
        check("a.c: a.cc ba.c _a.c \"a.c\" a.ca.c", " : a.cc ba.c _a.c \" \" a.ca.c");
        check("In /tmp/dw-Xy_1/2/tmp/x and /tmp/dw-Xy_1/3", "In /tmp/dw-Xy_1/2/tmp/x and  ");
    }
}
