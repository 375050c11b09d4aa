//! The front ends: from bytes to the texts and trees that a search works on.

pub mod brackets;
#[cfg(feature = "brought")]
pub mod brought;
#[cfg(not(feature = "brought"))]
#[path = "no_brought.rs"]
mod brought;
pub mod bundle;
pub mod cancellation;
pub mod child;
mod errors;
mod folder;
mod forms;
mod front_end;
mod grammar;
mod hidden;
mod keep_marks;
pub mod languages;
pub mod lexer;
mod lists;
mod marked;
mod markup;
mod mentions;
mod naming;
mod node_types;
mod outline;
mod parser;
mod productions;
mod queries;
mod read;
mod refusal;
mod regions;
#[cfg(any(test, feature = "samples"))]
mod samples;
mod seats;
pub mod serve;
pub mod sexp;
pub mod shown;
mod size;
pub mod tree_sitter;
mod vocabulary;
pub mod xml;

pub use brought::Brought;
pub use errors::syntax_errors;
pub use folder::too_many_files;
pub use front_end::{FrontEnd, Reading, Unknown, tree};
pub use languages::Language;
pub use lists::{cut, cut_lines};
pub use marked::{Marked, marked};
pub use read::read;
pub use regions::{Regions, WrongMark, has_marks, regions};
#[cfg(any(test, feature = "samples"))]
pub use samples::all as samples;
pub use size::Size;

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::cancellation::tests::{asks, within};
    use brought::{Files, load};

    /// Every front end with a text that it reads.
    fn texts() -> Vec<(FrontEnd, Vec<u8>)> {
        let grammar = |ending: &str| {
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../testdata/grammars/arithmetic.{ending}"))
        };
        let files = Files { grammar: grammar("y"), lexer: Some(grammar("l")), ..Files::default() };
        let brought = load(&files).expect("it is read elsewhere, too");
        let sexp = || "(a (b c) d) ".repeat(20).into_bytes();
        let own = sexp::Dialect::ALL.map(|dialect| (FrontEnd::Sexp(dialect), sexp())).into_iter().chain([
            (FrontEnd::Xml, format!("<a>{}</a>", "<b c='d'>e</b>".repeat(20)).into_bytes()),
            (FrontEnd::Brackets, "f(a, b) { c; }\n".repeat(20).into_bytes()),
            (brought.into(), [b"1+".repeat(50), b"1".to_vec()].concat()),
        ]);
        let grammars = samples()
            .into_iter()
            .map(|(language, text)| (FrontEnd::Grammar(language), text.as_bytes().to_vec()));
        grammars.chain(own).collect()
    }

    #[test]
    fn what_nobody_waits_for_is_not_read_on() {
        for (front_end, text) in texts() {
            let read = || tree(text.clone(), front_end);
            let name = front_end.name();
            let (tree, reading) = read();
            assert_eq!(reading.fallback, None, "{name}");
            let asks = asks(read);
            assert!(asks as usize >= tree.nodes().len(), "{name} asks {asks} times");
            for within_asks in [0, 1, asks / 2, asks - 1] {
                assert!(within(within_asks, read).is_none(), "{name} after {within_asks} of {asks}");
            }
            assert!(within(asks, read).is_some(), "{name}");
            let errors = || syntax_errors(&text, front_end);
            assert!(errors().is_none() || within(0, errors).is_none(), "{name}");
        }
    }
}
