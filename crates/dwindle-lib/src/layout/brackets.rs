//! A plain layout for people: a statement a line, indented by its brackets.
//!
//! Only the white space between tokens changes. Whether that changes nothing else is for the caller to find
//! out, by reading the text again: there is no knowledge of languages here but what [`Style`] says.

use dwindle_core::Text;

/// How a language is laid out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// The token behind which a line ends, within the brackets of a block.
    end: u8,
    /// The brackets that a block may have, and whether each of them is one.
    brackets: &'static [u8],
    all_blocks: bool,
    /// Whether lines end where they ended before, because that may mean something.
    lines_stay: bool,
    /// Whether a line that begins with `#` stays as it is.
    directives: bool,
}

const BRACES: Style =
    Style { end: b';', brackets: b"{", all_blocks: false, lines_stay: false, directives: false };

impl Style {
    /// The style of a language, if it is laid out by brackets.
    pub(crate) fn of(language: &str) -> Option<Self> {
        Some(match language {
            "c" | "cpp" | "objc" | "glsl" | "hlsl" | "csharp" => Self { directives: true, ..BRACES },
            "java" | "rust" | "solidity" | "zig" | "wgsl" | "dart" | "proto" => BRACES,
            "javascript" | "typescript" | "tsx" | "go" | "kotlin" | "swift" | "scala" => {
                Self { lines_stay: true, ..BRACES }
            }
            "css" | "scss" => Self { all_blocks: true, ..BRACES },
            "json" => Self { end: b',', brackets: b"{[", ..BRACES },
            _ => return None,
        })
    }
}

/// The longest group of brackets that stays in one line although it could be a block.
const SHORT: usize = 60;
/// Blanks for each level, as most styles of small programs have it.
const INDENT: usize = 2;
/// Lines are indented by no more, or a text that is nested deeply would take more memory than there is.
const WIDEST: usize = 200;

/// The tokens of `text` with other white space between them.
pub(crate) fn lay_out(text: &Text, style: Style) -> Vec<u8> {
    let blocks = blocks(text, style);
    let mut out: Vec<u8> = Vec::with_capacity(text.bytes().len() * 2);
    // The brackets that are open, and whether each is a block; and the blocks among them.
    let mut open: Vec<bool> = Vec::new();
    let mut depth = 0;
    let mut in_directive = false;
    for i in 0..text.len() {
        let token = text.piece(i);
        let gap = text.gap(i);
        let had_newline = gap.contains(&b'\n');
        let in_block = open.last().copied().unwrap_or(true);
        let closes = is_close(token) && open.pop().unwrap_or(false);
        depth -= usize::from(closes);
        let before = i.checked_sub(1).map(|last| (last, text.piece(last)));
        let ends = before.is_some_and(|(last, before)| {
            let behind_block = before.len() == 1 && is_close(before) && blocks[last];
            blocks[last] && is_open(before)
                || before == [style.end] && in_block
                || behind_block && in_block && !goes_on(token)
        });
        let is_directive = style.directives && token.first() == Some(&b'#') && (i == 0 || had_newline);
        let was_directive = in_directive;
        in_directive = is_directive || in_directive && !had_newline;
        if !gap.trim_ascii().is_empty() || in_directive && !is_directive {
            // Comments, and what stands in a line of the preprocessor.
            out.extend_from_slice(gap);
        } else if before.is_some() {
            let line_ends = ends || closes || is_directive || was_directive && had_newline;
            match line_ends || style.lines_stay && had_newline {
                true => {
                    let depth = if is_directive { 0 } else { depth + usize::from(!in_block) };
                    out.push(b'\n');
                    out.resize(out.len() + (depth * INDENT).min(WIDEST), b' ');
                }
                false => {
                    let last = before.map_or(&b""[..], |(_, token)| token);
                    let wide = last == b"," || last == b";" || blocks[i] && is_open(token);
                    let narrow = matches!(token, b";" | b"," | b")") || last == b"(";
                    if !narrow && (wide || !gap.is_empty()) {
                        out.push(b' ');
                    }
                }
            }
        }
        out.extend_from_slice(token);
        if is_open(token) {
            open.push(blocks[i]);
            depth += usize::from(blocks[i]);
        }
    }
    out.extend_from_slice(text.gap(text.len()).trim_ascii_end());
    out.push(b'\n');
    out
}

/// Which tokens are the brackets of a block.
fn blocks(text: &Text, style: Style) -> Vec<bool> {
    let mut blocks = vec![false; text.len()];
    // The brackets that are open, whether something in each makes it a block, and whether it holds one.
    let mut open: Vec<(usize, bool, bool)> = Vec::new();
    for i in 0..text.len() {
        let token = text.piece(i);
        if is_open(token) {
            let can_be = style.brackets.contains(&token[0]);
            open.push((i, can_be && style.all_blocks, false));
        } else if is_close(token)
            && let Some((start, ends_lines, mut holds)) = open.pop()
        {
            let can_be = style.brackets.contains(&text.piece(start)[0]);
            let is_long = text.span(i).end - text.span(start).start > SHORT;
            if can_be && (ends_lines || holds || style.end == b',' && is_long) {
                (blocks[start], blocks[i], holds) = (true, true, true);
            }
            if let Some((_, _, around)) = open.last_mut() {
                *around |= holds;
            }
        } else if token == b";"
            && let Some((_, ends_lines, _)) = open.last_mut()
        {
            *ends_lines = true;
        }
    }
    blocks
}

fn is_open(token: &[u8]) -> bool {
    matches!(token, b"{" | b"[" | b"(")
}

fn is_close(token: &[u8]) -> bool {
    matches!(token, b"}" | b"]" | b")")
}

/// Whether a token goes on with what a block before it is a part of.
fn goes_on(token: &[u8]) -> bool {
    matches!(token, b";" | b"," | b")" | b"]" | b"." | b"(" | b"=" | b"else" | b"catch" | b"finally")
}
