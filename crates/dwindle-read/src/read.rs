//! What searches ask front ends for.

use std::sync::Arc;

use dwindle_core::{Answer, Shape};

use crate::errors::syntax_errors;
use crate::front_end::{FrontEnd, parse};
use crate::lists::cut;

/// Reads `bytes` as a search asks for it, whose input `front_end` has read.
pub fn read(bytes: Vec<u8>, shape: Shape, front_end: FrontEnd) -> Answer {
    match shape {
        Shape::Pieces(format) => Answer::Text(cut(bytes, format)),
        Shape::Tree => match parse(bytes, front_end) {
            Ok(tree) => Answer::Tree(tree.into()),
            Err(refusal) => Answer::Unreadable(refusal.into()),
        },
        Shape::Errors => Answer::Errors(syntax_errors(&bytes, front_end)),
        // Helpers are no front ends.
        Shape::Offers(_) => Answer::Offers(Arc::default()),
    }
}
