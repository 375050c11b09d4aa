//! How much of a text its grammar can make no sense of.

use tree_sitter::TreeCursor;

use super::FrontEnd;
use super::tree_sitter::syntax_tree;

/// The number of `ERROR` and `MISSING` nodes that the grammar of a language sees in `bytes`; nothing
/// where it refuses them, or where the front end is no grammar of tree-sitter.
pub fn syntax_errors(bytes: &[u8], front_end: FrontEnd) -> Option<usize> {
    let FrontEnd::Grammar(language) = front_end else { return None };
    let tree = syntax_tree(bytes, language.grammar()).ok()?;
    Some(if tree.root_node().has_error() { count(&mut tree.walk()) } else { 0 })
}

fn count(cursor: &mut TreeCursor<'_>) -> usize {
    let mut errors = 0;
    loop {
        let node = cursor.node();
        errors += usize::from(node.is_error() || node.is_missing());
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return errors;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front_end::Language;
    use crate::front_end::samples::all;

    #[test]
    fn missing_nodes_count_as_errors_do() {
        let Some(c) = Language::named("c") else { return };
        for (text, errors) in [
            ("int f(void) { return 1; }", 0),
            ("int f(void) { return 1 }", 1),
            ("int f(void) { @; return 1 }", 2),
            ("int f(void { return 1; }", 1),
        ] {
            assert_eq!(syntax_errors(text.as_bytes(), FrontEnd::Grammar(c)), Some(errors), "{text}");
        }
        assert_eq!(syntax_errors(b"int", FrontEnd::Brackets), None);
    }

    #[test]
    fn there_are_none_in_the_samples() {
        for (language, text) in all() {
            assert_eq!(syntax_errors(text.as_bytes(), FrontEnd::Grammar(language)), Some(0), "{language}");
        }
    }
}
