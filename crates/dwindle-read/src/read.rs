//! What searches ask front ends for.

use std::path::Path;
use std::sync::Arc;

use dwindle_core::{Answer, Shape, Tree};

use crate::errors::syntax_errors;
use crate::front_end::{FrontEnd, file, parse};
use crate::lists::cut;
use crate::{brackets, folder};

/// Reads `bytes` as a search asks for it, whose input `front_end` has read.
pub fn read(bytes: Vec<u8>, shape: Shape, front_end: FrontEnd) -> Answer {
    match shape {
        Shape::Pieces(format) => Answer::Text(cut(bytes, format)),
        Shape::Tree => match parse(bytes, front_end) {
            Ok(tree) => Answer::Tree(tree.into()),
            Err(refusal) => Answer::Unreadable(refusal.into()),
        },
        Shape::Brackets if matches!(front_end, FrontEnd::Folder) => match folder::parse(bytes, by_brackets) {
            Ok(tree) => Answer::Tree(tree.into()),
            Err(refusal) => Answer::Unreadable(refusal.into()),
        },
        Shape::Brackets => Answer::Tree(match parse(bytes.clone(), front_end) {
            Ok(tree) => brackets::parse_again(tree.text()).into(),
            Err(_) => brackets::parse(bytes).into(),
        }),
        Shape::Errors => Answer::Errors(syntax_errors(&bytes, front_end)),
        // Helpers are no front ends.
        Shape::Offers(_) => Answer::Offers(Arc::default()),
    }
}

/// Reads a file of a folder by its brackets, with the tokens of its own language.
fn by_brackets(path: &Path, text: &[u8]) -> Tree {
    brackets::parse_again(file(path, text).text())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{all, language};
    use dwindle_core::Variant;

    #[test]
    fn two_readings_of_a_text_have_its_tokens_and_comments() {
        let c = language("c").map(|c| (c, "int a; @ /* b c */ \"d e\" # `x y` int f( { $$ '".to_owned()));
        for (language, text) in all().into_iter().map(|(language, text)| (language, text.to_owned())).chain(c)
        {
            let by = |shape| match read(text.clone().into(), shape, FrontEnd::Grammar(language)) {
                Answer::Tree(tree) => tree,
                answer => panic!("{language}: {answer:?}"),
            };
            let (one, other) = (by(Shape::Tree), by(Shape::Brackets));
            let tokens = |tree: &dwindle_core::Tree| Variant::whole(tree.text().clone()).tokens();
            assert_eq!(tokens(&one), tokens(&other), "{language}");
            assert_eq!(one.text().has_comments(), other.text().has_comments(), "{language}");
        }
    }
}
