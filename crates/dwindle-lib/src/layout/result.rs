//! The result, laid out for people at the end: one more question, and never another token.
//!
//! A formatter of the language is taken where one is installed, then the layout of the input ([`Conventions`]), then a
//! plain one by brackets (`ours.rs`). What each makes is read again: where that gives another tree, or other tokens,
//! the next one is tried, and at last the white space stays as it is. So it does where the test does not find the new
//! layout interesting. Of a folder, each file is laid out by itself (`files.rs`).

use dwindle_core::{Request, Tree, Variant};
use dwindle_read::{FrontEnd, Size};

use super::conventions::Conventions;
use super::ours::{own_layout, reads_the_same};
use super::{files, foreign};
use crate::document::Document;
use crate::driver::{Candidate, World};
use crate::error::Error;
use crate::reduction::Reduction;
use crate::report::{Formatted, Formatting};

/// The name by which our own layout is spoken of.
const OURS: &str = "dwindle";

/// How a result is laid out.
#[derive(Debug)]
pub(crate) struct Manner<'a> {
    /// What reads it.
    pub(crate) front_end: FrontEnd,
    /// The input.
    pub(crate) input: &'a Document,
    /// How a single file is laid out.
    pub(crate) conventions: Conventions,
    /// The number of the helper that is a formatter of the language, and its name.
    pub(crate) formatter: Option<(u32, &'static str)>,
}

/// A text with another layout, and whose that is.
struct Laid {
    by: &'static str,
    text: Vec<u8>,
}

impl Reduction<'_> {
    /// Lays the result out, if the test allows it.
    pub(crate) fn lay_out(&mut self, manner: &Manner<'_>) -> Result<Formatting, Error> {
        self.asking.progress.label = "format";
        let laid = match manner.front_end {
            FrontEnd::Folder => {
                let text = files::lay_out(&self.kept.bytes, manner.input, |text| self.filter.admits(text));
                text.map(|text| Laid { by: OURS, text })
            }
            front_end => {
                let tree = dwindle_read::tree(self.kept.bytes.clone(), front_end).0;
                self.laid_out(&tree, manner)?
            }
        };
        let Some(Laid { by, text }) = laid else {
            return Ok(Formatting { by: None, outcome: Formatted::Impossible });
        };
        let outcome = if text == self.kept.bytes { Formatted::Already } else { self.ask_last(text)? };
        Ok(Formatting { by: Some(by), outcome })
    }

    /// Makes this text, which has the tokens of the result, the result if it is interesting.
    fn ask_last(&mut self, text: Vec<u8>) -> Result<Formatted, Error> {
        let size = Size::with_tokens(&text, self.kept.size.tokens);
        let candidate = Candidate::of(text, size);
        let is_spent = self.runs_left() < self.asking.terms.rule.until_accepted();
        let outcome = match self.recall(&candidate) {
            Some((verdict, _)) => verdict.outcome,
            None if is_spent || self.asking.stop().is_over() => {
                self.stopped();
                return Ok(Formatted::NoTime);
            }
            None => {
                let tested = self.test_alone(candidate.clone())?;
                let Some((outcome, tested)) = tested.and_then(|tested| Some((tested.outcome?, tested)))
                else {
                    self.stopped();
                    return Ok(Formatted::NoTime);
                };
                if !self.is_timed() && !tested.run.end.is_kill() {
                    self.write_down(candidate.key, &tested)?;
                }
                outcome
            }
        };
        if !outcome.is_interesting() {
            return Ok(Formatted::Refused);
        }
        self.keep(candidate)?;
        Ok(Formatted::Kept)
    }

    /// The text of `tree` laid out by the first that leaves its tokens, and what is to be kept, as they are.
    fn laid_out(&mut self, tree: &Tree, manner: &Manner<'_>) -> Result<Option<Laid>, Error> {
        let Manner { front_end, conventions, .. } = manner;
        if let Some((helper, by)) = manner.formatter
            && let Some(text) = self.formatted(tree, helper, *front_end)?
        {
            let text = conventions.with_ends(text);
            if self.filter.admits(&text) && reads_the_same(tree, &text, *front_end) {
                return Ok(Some(Laid { by, text }));
            }
        }
        let ours = own_layout(tree, *front_end, conventions, |text| self.filter.admits(text));
        Ok(ours.map(|text| Laid { by: OURS, text }))
    }

    /// What a formatter makes of a text; nothing if it does not end well.
    fn formatted(&mut self, tree: &Tree, helper: u32, front_end: FrontEnd) -> Result<Option<Vec<u8>>, Error> {
        let request = Request { helper, from: 0 };
        let whole = Variant::whole(tree.text().clone());
        let offered = self.asking.offers_alone(whole, request).map_err(|fault| self.fault(fault))?;
        self.stopped();
        let formatted = offered.filter(|text| !text.is_empty());
        let read = |text| dwindle_read::tree(text, front_end).0;
        Ok(formatted.and_then(|text| foreign::with_gaps_of(tree.text(), read(text).text())))
    }
}
