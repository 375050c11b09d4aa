//! What experiments are run on where no cases are named: small inputs with tests in this process, the same every
//! time. A test wants a text that its grammar reads without an error, in which some things still stand, and with each
//! use its declaration: that is what makes a real test refuse.

use dwindle::FrontEnd;
use dwindle::core::{Answer, Shape};
use dwindle::read::read;
use regex::bytes::Regex;

use crate::random::Random;

/// The kind of input, as the papers group theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Suite {
    /// Programs in C.
    C,
    /// Documents.
    Xml,
}

/// An input with its test.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    /// Its name, which is also that of the file.
    pub(crate) name: String,
    pub(crate) suite: Suite,
    pub(crate) bytes: Vec<u8>,
    needs: Vec<Regex>,
    /// Names that must be declared where they are used, each with what declares it and what uses it.
    links: Vec<(Regex, Regex)>,
}

impl Subject {
    /// Whether a candidate is a text of its language, as the front end sees it.
    pub(crate) fn is_valid(&self, candidate: &[u8]) -> bool {
        let language = if self.suite == Suite::C { "c" } else { "xml" };
        let front_end = FrontEnd::named(language).unwrap_or(FrontEnd::Brackets);
        matches!(read(candidate.to_vec(), Shape::Errors, front_end), Answer::Errors(None | Some(0)))
            && (self.suite == Suite::C || is_well_formed(candidate))
    }

    /// Whether a candidate has what matters, and what that needs.
    pub(crate) fn has_needs(&self, candidate: &[u8]) -> bool {
        let is_bound =
            |(declared, used): &(Regex, Regex)| !used.is_match(candidate) || declared.is_match(candidate);
        self.needs.iter().all(|need| need.is_match(candidate)) && self.links.iter().all(is_bound)
    }

    /// The same, with a test that wants no declarations.
    pub(crate) fn without_links(self) -> Self {
        Self { name: format!("unlinked-{}", self.name), links: Vec::new(), ..self }
    }

    /// Whether a candidate is interesting.
    pub(crate) fn is_interesting(&self, candidate: &[u8]) -> bool {
        self.has_needs(candidate) && self.is_valid(candidate)
    }
}

/// Whether each end tag ends what was begun last, and nothing stays open.
fn is_well_formed(text: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(text) else { return false };
    let mut open = Vec::new();
    for tag in text.split('<').skip(1) {
        let Some((tag, _)) = tag.split_once('>') else { return false };
        let name = |tag: &str| tag.split_whitespace().next().unwrap_or("").to_owned();
        match tag.strip_prefix('/') {
            Some(end) if open.pop() != Some(name(end)) => return false,
            None if !tag.ends_with('/') => open.push(name(tag)),
            _ => {}
        }
    }
    open.is_empty()
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the patterns of this file are right")
}

/// The program that crashed GCC 2.95.2 (Zeller and Hildebrandt 2002, table 4.1 of the thesis): GCC crashed on the product
/// in the loop.
const MULT: &str = include_str!("../../subjects/mult.c");

/// The program of the thesis.
pub(crate) fn mult() -> Subject {
    let needs = [
        r"for\s*\([^;]*;[^;]*;[^)]*\)\s*\{",
        r"i\s*=\s*i\s*\+\s*j\s*\+\s*1\s*;",
        r"z\s*\[\s*i\s*\]\s*=\s*z\s*\[\s*i\s*\]\s*\*\s*\(\s*z\s*\[\s*0\s*\]\s*\+",
    ];
    let declares = |name: &str| pattern(&format!(r"(?s)(int|double)[^;(]*\b{name}\b"));
    let uses = |name: &str| pattern(&format!(r"(?s)[=(+*\[]\s*{name}\b"));
    let links = ["i", "j", "z"].map(|name| (declares(name), uses(name))).to_vec();
    Subject {
        name: "mult.c".to_owned(),
        suite: Suite::C,
        bytes: MULT.into(),
        needs: needs.map(pattern).to_vec(),
        links,
    }
}

/// What comes first in the text of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextOrder {
    /// What is called comes before what calls it.
    Callees,
    /// The same declarations the other way round.
    Callers,
    /// The same declarations in any order.
    Shuffled,
}

/// A program of so many functions, each of which calls some of those before it; the statements that matter are in a few.
pub(crate) fn program(seed: u64, functions: usize) -> Subject {
    ordered_program(seed, functions, TextOrder::Callees)
}

/// The same in this order; the test does not look at the order.
pub(crate) fn ordered_program(seed: u64, functions: usize, order: TextOrder) -> Subject {
    let mut random = Random::new(seed);
    let mut parts = Vec::new();
    let mut links = Vec::new();
    let needed: Vec<usize> = (0..2).map(|_| functions / 2 + random.below(functions.div_ceil(2))).collect();
    for number in 0..functions {
        parts.push(format!("static int g{number} = {};\n", random.below(100)));
        let mut text = format!("int f{number}(int a, int b) {{\n  int c = a + g{number};\n");
        for _ in 0..1 + random.below(4) {
            let value = random.below(50);
            text += &match (random.below(4), number) {
                (0, 1..) => format!("  c += f{}(b, {value});\n", random.below(number)),
                (1, _) => format!("  if (a > {value}) {{ c = c * {value} - b; b++; }}\n"),
                (2, _) => format!("  while (b < {value}) {{ b += c; }}\n"),
                _ => format!("  c ^= (a << {}) | (b & {value});\n", value % 8),
            };
        }
        if needed.contains(&number) {
            text += &format!("  c = f{}(c, g{number}) / (a - a);\n", random.below(number.max(1)));
        }
        text += "  return c;\n}\n";
        parts.push(text);
        let declared = format!(r"int\s*f{number}\s*\([^)]*\)\s*\{{");
        links.push((pattern(&declared), pattern(&format!(r"[^t]\s+f{number}\(|[=(+]\s*f{number}\("))));
        links.push((pattern(&format!(r"int\s+g{number}\s*[=;]")), pattern(&format!(r"[^t]\s\bg{number}\b"))));
    }
    parts.push("int main(void) { return f0(1, 2); }\n".to_owned());
    let name = match order {
        TextOrder::Callees => format!("program{seed}.c"),
        TextOrder::Callers => {
            parts.reverse();
            format!("program{seed}-callers-first.c")
        }
        TextOrder::Shuffled => {
            (1..parts.len()).rev().for_each(|at| parts.swap(at, random.below(at + 1)));
            format!("program{seed}-shuffled.c")
        }
    };
    let needs = needed.iter().map(|number| {
        pattern(&format!(r"(?s)f{number}\s*\(.*?=\s*f\d+\s*\(\s*c\s*,\s*g{number}\s*\)\s*/\s*\("))
    });
    Subject { name, suite: Suite::C, needs: needs.collect(), bytes: parts.concat().into(), links }
}

/// A document of so many elements, two of which matter, with what is around them, and one attribute.
pub(crate) fn document(seed: u64, elements: usize) -> Subject {
    let mut random = Random::new(seed);
    let mut text = String::from("<stylesheet version=\"1.0\">\n");
    let needed: Vec<usize> = (0..2).map(|_| random.below(elements)).collect();
    let mut open: Vec<usize> = Vec::new();
    for number in 0..elements {
        while open.len() > 5 || (!open.is_empty() && random.below(3) == 0) {
            text += &format!("</e{}>\n", open.pop().unwrap_or_default());
        }
        let value = random.below(1000);
        let mark = if needed.contains(&number) { " match=\"boom\"" } else { "" };
        text += &format!("<e{number} select=\"v{value}\" order=\"{}\"{mark}>", value % 7);
        if random.below(2) == 0 {
            text += &format!("text {value}");
        }
        open.push(number);
    }
    open.iter().rev().for_each(|number| text += &format!("</e{number}>"));
    text += "\n</stylesheet>\n";
    let needs = needed.iter().map(|number| pattern(&format!(r#"<e{number}[^>]*match="boom""#)));
    Subject {
        name: format!("document{seed}.xml"),
        suite: Suite::Xml,
        needs: needs.collect(),
        bytes: text.into(),
        links: Vec::new(),
    }
}

/// All of them: the program of the thesis, and as many of either sort as a test of significance needs.
pub(crate) fn all(of_each: u64) -> Vec<Subject> {
    let programs = (1..=of_each).map(|seed| program(seed, 4 + 2 * seed as usize));
    let documents = (1..=of_each).map(|seed| document(seed, 16 + 8 * seed as usize));
    [mult()].into_iter().chain(programs).chain(documents).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_interesting_and_nothing_is_not() {
        let orders = [TextOrder::Callers, TextOrder::Shuffled];
        let ordered = orders.map(|order| ordered_program(1, 16, order));
        let unlinked = program(1, 16).without_links();
        for subject in all(8).into_iter().chain(ordered).chain([unlinked]) {
            let text = String::from_utf8_lossy(&subject.bytes).into_owned();
            assert!(subject.is_valid(&subject.bytes), "{text}");
            assert!(subject.is_interesting(&subject.bytes), "{}: {text}", subject.name);
            assert!(!subject.is_interesting(b""), "{}", subject.name);
            assert!(!subject.is_interesting(&subject.bytes[..subject.bytes.len() / 2]), "{}", subject.name);
        }
    }

    #[test]
    fn what_is_used_without_its_declaration_is_refused() {
        let subject = mult();
        let text = MULT.replace("int i, j;", "int i;");
        assert_ne!(text, MULT);
        assert!(subject.is_valid(text.as_bytes()) && !subject.is_interesting(text.as_bytes()));
        assert!(!is_well_formed(b"<a><b></a></b>") && is_well_formed(b"<a><b/><c>x</c></a>"));
    }
}
