//! Which questions need not be asked, since what they are about parses worse than its base.
//!
//! A text with more syntax errors than its base is rarely interesting, and a parse costs less than a test, so
//! the front end is asked first (`docs/decisions/syntax-errors.md`).

use crate::{Ask, Shape, Variant};

/// What is known of the syntax errors of a candidate and its base.
#[derive(Clone, Debug)]
pub(crate) struct Screen {
    /// Whether a base with errors says nothing of its candidates.
    trusts_clean_only: bool,
    /// Whether everything passes.
    is_open: bool,
    base: Option<(Variant, u64)>,
    candidate: Option<u64>,
    held_back: u64,
}

impl Screen {
    /// A screen that is closed.
    pub(crate) fn new() -> Self {
        Self { trusts_clean_only: false, is_open: false, base: None, candidate: None, held_back: 0 }
    }

    /// The same, but once a base has errors itself, everything passes.
    pub(crate) fn of_clean_bases(self) -> Self {
        Self { trusts_clean_only: true, ..self }
    }

    /// Whether a candidate that was held back for one base is held back for the next as well.
    pub(crate) fn knows_before(&self) -> bool {
        !self.trusts_clean_only
    }

    /// What has to be known before the test is asked about `candidate`; nothing if that may pass.
    pub(crate) fn ask(&self, base: &Variant, candidate: &Variant) -> Option<Ask> {
        let unknown = match (self.errors_of(base), self.candidate) {
            _ if self.is_open => return None,
            (None, _) => base,
            (Some(_), None) => candidate,
            (Some(_), Some(_)) => return None,
        };
        Some(Ask::Parse(unknown.clone(), Shape::Errors))
    }

    /// Takes the answer; whether the candidate is held back, since it has more errors than `base`.
    pub(crate) fn tell(&mut self, errors: Option<u64>, base: &Variant) -> bool {
        match (errors, self.errors_of(base)) {
            (None, _) => self.is_open = true,
            (Some(errors), None) => {
                self.is_open = self.trusts_clean_only && errors > 0;
                self.base = Some((base.clone(), errors));
            }
            (Some(errors), Some(of_base)) => {
                self.candidate = Some(errors);
                self.held_back += u64::from(errors > of_base);
                return errors > of_base;
            }
        }
        false
    }

    /// Goes on with the next candidate.
    pub(crate) fn advance(&mut self) {
        self.candidate = None;
    }

    pub(crate) fn held_back(&self) -> u64 {
        self.held_back
    }

    fn errors_of(&self, base: &Variant) -> Option<u64> {
        self.base.as_ref().filter(|(known, _)| known == base).map(|&(_, errors)| errors)
    }
}

#[cfg(test)]
mod tests {
    use alloc::sync::Arc;

    use super::*;
    use crate::{Gaps, Pieces, Text};

    fn variants() -> [Variant; 2] {
        let base = Variant::whole(Arc::new(Text::new(b"ab".to_vec(), Pieces::Bytes)));
        let candidate = Variant { gaps: Gaps::Bare, ..base.clone() };
        [base, candidate]
    }

    /// What `screen` wants to be read.
    fn unknown(screen: &Screen, base: &Variant, candidate: &Variant) -> Option<Variant> {
        screen.ask(base, candidate).map(|ask| match ask {
            Ask::Parse(variant, Shape::Errors) => variant,
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn what_has_more_errors_than_its_base_is_held_back() {
        let [base, candidate] = variants();
        let mut screen = Screen::new();
        assert_eq!(unknown(&screen, &base, &candidate), Some(base.clone()));
        assert!(!screen.tell(Some(2), &base));
        assert_eq!(unknown(&screen, &base, &candidate), Some(candidate.clone()));
        assert!(screen.tell(Some(3), &base));
        screen.advance();
        assert!(!screen.tell(Some(2), &base));
        assert_eq!(unknown(&screen, &base, &candidate), None, "the test is asked");
        screen.advance();
        assert_eq!(unknown(&screen, &candidate, &base), Some(candidate), "there is another base");
        assert_eq!(screen.held_back(), 1);
    }

    #[test]
    fn where_nobody_counts_or_the_base_has_errors_itself_all_may_pass() {
        let [base, candidate] = variants();
        let passes = |mut screen: Screen, errors| {
            screen.tell(errors, &base);
            unknown(&screen, &base, &candidate).is_none()
        };
        assert!(passes(Screen::new(), None));
        assert!(!passes(Screen::new(), Some(1)));
        assert!(passes(Screen::new().of_clean_bases(), Some(1)));
        assert!(!passes(Screen::new().of_clean_bases(), Some(0)));
    }
}
