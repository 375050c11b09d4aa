//! What searches ask front ends for.

use std::sync::Arc;

use dwindle_core::{Answer, Shape};

use crate::errors::syntax_errors;
use crate::front_end::{FrontEnd, parse};
use crate::lists::cut;

/// Reads `bytes` as a search asks for it.
pub fn read(bytes: Vec<u8>, shape: Shape) -> Answer {
    let named = |name| FrontEnd::named(name).unwrap_or(FrontEnd::Brackets);
    match shape {
        Shape::Pieces(format) => Answer::Text(cut(bytes, format)),
        Shape::Tree(name) => match parse(bytes, named(name)) {
            Ok(tree) => Answer::Tree(tree.into()),
            Err(refusal) => Answer::Unreadable(refusal.into()),
        },
        Shape::Errors(name) => Answer::Errors(syntax_errors(&bytes, named(name))),
        // Helpers are no front ends.
        Shape::Offers(_) => Answer::Offers(Arc::default()),
    }
}
