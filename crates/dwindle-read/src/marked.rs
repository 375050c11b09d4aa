//! A C program that says which of its statements have run, so that a test shows what it needs.

use std::ops::{ControlFlow, Range};

use tree_sitter::{Node, Query, QueryCursor, QueryCursorOptions, StreamingIterator};

use crate::cancellation;
use crate::front_end::FrontEnd;
use crate::hidden::readable;

/// The statements of C, and a few other things in their places: those in a row, and those that are the body of another by
/// themselves.
const STATEMENTS: &str = "
(compound_statement (_) @listed)
(case_statement (_) @listed)
(labeled_statement (_) @listed)
(if_statement consequence: (_) @body)
(else_clause (_) @body)
(while_statement body: (_) @body)
(for_statement body: (_) @body)
(do_statement body: (_) @body)
";

/// Called before each statement, behind all declarations of the program: it knows them, and what it uses is declared as
/// they do. The first time, it appends the statement's number to a file, four bytes, the lowest first. The flags mean:
/// to be written to, at the end.
const MARKER: &str = r#"
void DWINDLE_RAN(int statement) {
    static unsigned char seen[DWINDLE_COUNT];
    extern int open(const char *, int, ...);
    extern __PTRDIFF_TYPE__ write(int, const void *, __SIZE_TYPE__);
    extern int close(int);
    unsigned char number[4];
    int file;
    if (seen[statement]) return;
    seen[statement] = 1;
    number[0] = statement & 255;
    number[1] = statement >> 8 & 255;
    number[2] = statement >> 16 & 255;
    number[3] = 0;
    file = open("DWINDLE_FILE", 1025);
    if (file < 0) return;
    if (write(file, number, 4) != 4) seen[statement] = 0;
    close(file);
}
"#;

/// A program that says which of its statements have run.
#[derive(Clone, Debug)]
pub struct Marked {
    /// The program.
    pub bytes: Vec<u8>,
    /// Where its statements are in the program without marks, by their number.
    pub statements: Vec<Range<usize>>,
}

/// The C program in `bytes` with marks: before a statement runs the first time in a process, its number is appended to
/// `file`. Nothing where the front end is not that of C, where the program has no statements, or more than 2^24.
pub fn marked(bytes: &[u8], front_end: FrontEnd, file: &str) -> Option<Marked> {
    let FrontEnd::Grammar(language) = front_end else { return None };
    if language.name() != "c" || file.contains(['"', '\\', '\n']) {
        return None;
    }
    let parser = language.parser();
    let tree = readable(bytes, &parser).ok()?.tree;
    let query = Query::new(&parser, STATEMENTS).expect("a test runs it");
    let mut cursor = QueryCursor::new();
    let cancellation = cancellation::current();
    let mut progress = |_: &tree_sitter::QueryCursorState| {
        if cancellation.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = QueryCursorOptions::new().progress_callback(&mut progress);
    let mut captures = cursor.captures_with_options(&query, tree.root_node(), bytes, options);
    // Each with whether it is in a row.
    let mut statements: Vec<(Range<usize>, bool)> = Vec::new();
    while let Some((found, index)) = captures.next() {
        let capture = found.captures()[*index];
        let is_listed = query.capture_names()[capture.index as usize] == "listed";
        // What stands before a `case` cannot be reached; a body in braces has its statements marked.
        let kind = capture.node.kind();
        let is_one = kind.ends_with("_statement") && kind != "case_statement";
        if is_one
            && (is_listed || kind != "compound_statement")
            && stands_alone(capture.node, is_listed, bytes)
        {
            statements.push((capture.node.byte_range(), is_listed));
        }
    }
    cancellation.check();
    statements.sort_by_key(|(range, _)| (range.start, range.end));
    statements.dedup_by(|one, other| one.0 == other.0);
    if statements.is_empty() || statements.len() >= 1 << 24 {
        return None;
    }
    // What is put in, by place: what closes a body comes before what opens the next statement.
    let mut added: Vec<(usize, u8, String)> = Vec::new();
    for (number, (range, is_listed)) in statements.iter().enumerate() {
        let brace = if *is_listed { "" } else { "{" };
        added.push((range.start, 1, format!("{brace}DWINDLE_RAN({number});")));
        if !is_listed {
            added.push((range.end, 0, "}".to_owned()));
        }
    }
    added.sort_by_key(|(at, order, _)| (*at, *order));
    let mut text = b"void DWINDLE_RAN(int);\n".to_vec();
    let mut done = 0;
    for (at, _, what) in added {
        text.extend_from_slice(&bytes[done..at]);
        text.extend_from_slice(what.as_bytes());
        done = at;
    }
    text.extend_from_slice(&bytes[done..]);
    let marker = MARKER.replace("DWINDLE_COUNT", &statements.len().to_string()).replace("DWINDLE_FILE", file);
    text.extend_from_slice(marker.as_bytes());
    Some(Marked { bytes: text, statements: statements.into_iter().map(|(range, _)| range).collect() })
}

/// Whether the grammar is right to take `node` for a statement: something ends before it, and it is no part of an error.
/// Attributes in casts, for one, are often taken for the beginning of a statement.
fn stands_alone(node: Node<'_>, is_listed: bool, bytes: &[u8]) -> bool {
    if std::iter::successors(Some(node), |node| node.parent()).any(|node| node.is_error()) {
        return false;
    }
    let before = std::iter::successors(node.prev_sibling(), |node| node.prev_sibling());
    let passed = |node: &Node<'_>| node.kind() == "comment" || node.kind().starts_with("preproc");
    before.into_iter().find(|node| !passed(node)).is_some_and(|before| {
        let text = &bytes[before.byte_range()];
        let ends = if is_listed { text.last().is_some_and(|last| b";{}:".contains(last)) } else { true };
        !before.is_error() && ends
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::language;
    use std::process::Command;

    #[test]
    fn a_program_says_which_of_its_statements_have_run() {
        let Some(c) = language("c").map(FrontEnd::Grammar) else { return };
        let program = "#include <stdio.h>\n#include <fcntl.h>\n#include <unistd.h>\n\
            int c(char x) { /* ; */ return ((int __attribute__((__pure__)))x - 1); }\n\
            int f(int x) { if (x) return 1; else if (x > 2) puts(\"no\"); while (x) x--; return 2; }\n\
            int main(int argc, char **argv) {\n  int i;\n  for (i = 0; i < 2; i++) f(0);\n\
            switch (argc) { case 1: puts(\"one\"); break; case 2: puts(\"two\"); default: f(1); }\n\
            do f(0); while (i-- > 5);\n  goto end; puts(\"over\"); end: return 0; }\n";
        let folder = tempfile::tempdir().unwrap();
        let (file, source, built) =
            (folder.path().join("ran"), folder.path().join("a.c"), folder.path().join("a"));
        std::fs::write(&file, "").unwrap();
        let Marked { bytes, statements } = marked(program.as_bytes(), c, file.to_str().unwrap()).unwrap();
        std::fs::write(&source, bytes).unwrap();
        assert!(Command::new("gcc").arg("-o").args([&built, &source]).status().unwrap().success());
        assert!(Command::new(&built).stdout(std::process::Stdio::null()).status().unwrap().success());
        let ran = std::fs::read(&file).unwrap();
        let ran: Vec<usize> =
            ran.chunks(4).map(|number| u32::from_le_bytes(number.try_into().unwrap()) as usize).collect();
        let text = |number: &usize| &program[statements[*number].clone()];
        let has = |what: &str| ran.iter().any(|number| text(number).starts_with(what));
        for what in
            ["for (i", "f(0);", "switch", "puts(\"one\")", "break", "do f", "goto", "return 0", "return 2"]
        {
            assert!(has(what), "{what} has run");
        }
        for what in ["return 1", "puts(\"no\")", "x--", "puts(\"two\")", "f(1)", "puts(\"over\")"] {
            assert!(
                statements.iter().any(|range| program[range.clone()].starts_with(what)),
                "{what} is marked"
            );
            assert!(!has(what), "{what} has not run");
        }
    }

    #[test]
    fn other_languages_have_no_marks() {
        assert!(marked(b"int f(void) { ; }", FrontEnd::Brackets, "ran").is_none());
        let c = FrontEnd::named("c");
        assert!(c.is_none_or(|c| marked(b"int x;", c, "ran").is_none()));
    }
}
