//! What is said to people.

use std::io::{self, Write};

use dwindle::shown::shown_text;

/// Writes to standard error, nothing that a terminal would act on. A reduction does not end because nobody
/// listens any more.
pub(crate) fn say(text: &str) {
    let _ = io::stderr().write_all(shown_text(text.as_bytes()).as_bytes());
}
