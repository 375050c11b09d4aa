//! The input and the result beside each other.

use std::fmt::Write;
use std::ops::Range;

use dwindle::shown::shown_text;

use crate::written::grouped;

/// How many lines are shown around what is left.
const AROUND: usize = 2;
/// How much of what was deleted can be unfolded, in bytes; all of it in inputs that are not longer.
const FOLDED: usize = 400_000;
/// How much of the result, and of the kept lines of the input, is shown, in bytes.
const SHOWN: usize = 400_000;
/// What is longer than this without a survivor is cut inside a line.
const LONG: usize = 160;

/// The text for HTML; what cannot be seen is spelled out.
pub(super) fn escaped(text: &[u8]) -> String {
    let text = shown_text(text);
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

/// The input, with what is `left` of it marked and the rest folded away.
pub(super) fn original(text: &[u8], left: &[Range<usize>]) -> String {
    let lines = lines(text);
    let touched = |line: &Range<usize>| {
        let first = left.partition_point(|range| range.end <= line.start);
        left.get(first).is_some_and(|range| range.start < line.end)
    };
    let is_touched: Vec<bool> = lines.iter().map(touched).collect();
    let is_near =
        |at: usize| is_touched[at.saturating_sub(AROUND)..(at + AROUND + 1).min(lines.len())].contains(&true);
    let mut html = String::new();
    let mut folded = 0;
    let mut at = 0;
    while at < lines.len() {
        let near = is_near(at);
        let end = (at + 1..lines.len()).find(|&next| is_near(next) != near).unwrap_or(lines.len());
        if near && html.len() < 3 * SHOWN {
            // As far as there is room.
            let end = end.min(at + 500);
            for (number, line) in (at..end).zip(&lines[at..end]) {
                row(&mut html, number, &marked(text, line.clone(), left));
            }
            at = end;
            continue;
        }
        folded += lines[end - 1].end - lines[at].start;
        let what = match (near, end - at) {
            (true, _) => "more lines with survivors",
            (false, 1) => "deleted line",
            (false, _) => "deleted lines",
        };
        let said = format!("{} {what}", grouped((end - at) as u64));
        if folded > FOLDED {
            let _ = write!(html, "<div class='fold'>{said}</div>");
        } else {
            let _ = write!(html, "<details class='fold'><summary>{said}</summary>");
            for (number, line) in (at..end).zip(&lines[at..end]) {
                row(&mut html, number, &marked(text, line.clone(), left));
            }
            html.push_str("</details>");
        }
        at = end;
    }
    html
}

/// The result.
pub(super) fn result(text: &[u8]) -> String {
    let mut html = String::new();
    for (number, line) in lines(text).into_iter().enumerate() {
        if html.len() > SHOWN {
            let _ = write!(
                html,
                "<div class='fold'>{} more bytes</div>",
                grouped((text.len() - line.start) as u64)
            );
            break;
        }
        row(&mut html, number, &marked(text, line.clone(), std::slice::from_ref(&line)));
    }
    html
}

fn row(html: &mut String, line: usize, text: &str) {
    let _ = write!(html, "<div class='line'><i>{}</i><code>{text}</code></div>", line + 1);
}

/// A line; what is left in it stands out.
fn marked(text: &[u8], line: Range<usize>, left: &[Range<usize>]) -> String {
    let mut html = String::new();
    let mut at = line.start;
    let first = left.partition_point(|range| range.end <= line.start);
    for range in left[first..].iter().take_while(|range| range.start < line.end) {
        let range = range.start.max(line.start)..range.end.min(line.end);
        let indentation = text[range.clone()].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let range = range.start + indentation..range.end;
        if range.is_empty() {
            continue;
        }
        gone(&mut html, &text[at..range.start]);
        let _ = write!(html, "<b>{}</b>", cut(&text[range.clone()], 40 * LONG));
        at = range.end;
    }
    gone(&mut html, &text[at..line.end]);
    html
}

fn gone(html: &mut String, text: &[u8]) {
    html.push_str(&cut(text, LONG));
}

/// A text without its middle, where it is long.
fn cut(text: &[u8], long: usize) -> String {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    if text.len() <= long {
        return escaped(text);
    }
    let ends = long / 3;
    let hidden = grouped((text.len() - 2 * ends) as u64);
    format!("{}<s>… {hidden} bytes …</s>{}", escaped(&text[..ends]), escaped(&text[text.len() - ends..]))
}

/// The lines of a text, each with its end.
fn lines(text: &[u8]) -> Vec<Range<usize>> {
    let mut start = 0;
    let ranges = text.split_inclusive(|&byte| byte == b'\n').map(|line| {
        start += line.len();
        start - line.len()..start
    });
    ranges.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(escaped(b"<a href='x'>&\"\xff\x1b"), "&lt;a href=&#39;x&#39;&gt;&amp;&quot;\\xff\\x1b");
        let html = result(b"</code><script>alert(1)</script>\n");
        assert!(!html.contains("<script"), "{html}");
    }

    #[test]
    fn what_is_left_is_marked_and_what_is_far_from_it_folded() {
        let text: String = (0..100).map(|line| format!("line {line}\n")).collect();
        let at = text.find("line 50").unwrap();
        let html = original(text.as_bytes(), std::slice::from_ref(&(at..at + 4)));
        assert!(html.contains("<b>line</b> 50"), "{html}");
        assert_eq!(html.matches("<summary>").count(), 2);
        assert!(html.contains("48 deleted lines") && html.contains("47 deleted lines"), "{html}");
    }

    #[test]
    fn pages_of_huge_lines_and_files_are_small() {
        let long = [vec![b'x'; 5_000_000], b" needle ".to_vec(), vec![b'<'; 5_000_000]].concat();
        let html = original(&long, std::slice::from_ref(&(5_000_001..5_000_007)));
        assert!(html.len() < 2000 && html.contains("<b>needle</b>"), "{}", html.len());
        let many: Vec<u8> = b"int x;\n".repeat(500_000);
        assert!(original(&many, &[]).len() < 200 && result(&many).len() < 2 * SHOWN);
        let all = 0..many.len();
        assert!(original(&many, std::slice::from_ref(&all)).len() < 4 * SHOWN);
    }
}
