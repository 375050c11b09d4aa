//! S-expressions: SMT-LIB, WebAssembly's text format, Lisp and its like.
//!
//! A list is its brackets with all that is between them; all else are atoms, strings and quoted
//! symbols being one. The items of a list can go but for an atom at its head, which says what the
//! list is, and any item may stand in the place of another. Forms at the top can go; only in Lisp may
//! an item stand there. Comments are in the gaps. An atom weighs the tokens that the lexer for any
//! language sees in it.
//!
//! Nothing is refused: a bracket without its partner is a token that can go, or a list that ends with
//! the text.

use std::ops::Range;
use std::path::Path;

use dwindle_core::{Quotes, Role, Slot, Tree, TreeBuilder};

use super::forms::{self, Atom};
use super::languages::Trait;
use super::mentions::{Gathering, Mentions};
use crate::cancellation;
use crate::keep_marks::Comments;
use crate::lexer;
use crate::vocabulary::lexicon;

/// Which S-expressions; they differ in their comments and strings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// SMT-LIB.
    Smt,
    /// WebAssembly.
    Wat,
    /// Lisp, Scheme, Clojure and others.
    Lisp,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Lisp, Self::Smt, Self::Wat];

    /// The name by which people choose it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Smt => "smt2",
            Self::Wat => "wat",
            Self::Lisp => "lisp",
        }
    }

    /// Other names, which are also extensions of files, as the name is.
    pub fn aliases(self) -> &'static [&'static str] {
        match self {
            Self::Smt => &["smt", "smtlib", "sl"],
            Self::Wat => &["wast"],
            Self::Lisp => &["el", "fnl", "hy", "cl", "scm", "ss", "rkt", "clj", "cljs", "edn"],
        }
    }

    /// The dialect of that name, in any case.
    pub fn named(name: &str) -> Option<Self> {
        let is = |other: &&str| other.eq_ignore_ascii_case(name);
        Self::ALL.into_iter().find(|dialect| is(&dialect.name()) || dialect.aliases().iter().any(is))
    }

    /// The dialect of a file, by the extension of its name.
    pub fn recognise(path: &Path) -> Option<Self> {
        Self::named(path.extension()?.to_str()?)
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Text,
    Form,
    List,
    Atom,
    Quoted,
    Bracket,
}

const KINDS: [&str; 6] = ["text", "form", "list", "atom", "quoted", "bracket"];

/// The tree of `bytes`, in time linear in their number.
pub fn parse(bytes: Vec<u8>, dialect: Dialect) -> Tree {
    let cancellation = cancellation::current();
    let lexer = Lexer::new(&bytes, dialect);
    let tokens = lexer.inspect(|_| cancellation.check()).collect::<Vec<_>>();
    let weights: Vec<u32> =
        tokens.iter().map(|token| lexer::count(&bytes[token.span.clone()]) as u32).collect();
    let texts: Vec<&[u8]> = tokens.iter().map(|token| &bytes[token.span.clone()]).collect();
    let atoms = forms::atoms(&texts, dialect == Dialect::Wat);
    let mentions = mentions(&bytes, &tokens, &atoms, dialect);
    let mut builder = TreeBuilder::cancelled_by(cancellation, bytes, lexicon(KINDS.iter().copied()));
    builder.open(Kind::Text as u32, Role::Fixed);
    // What is open: how many nodes end with each list, and whether it has an item yet.
    let mut open: Vec<Open> = Vec::new();
    // Quotes that wait for what they quote.
    let mut quotes = 0;
    for ((token, weight), atom) in tokens.iter().zip(weights).zip(atoms) {
        let span = token.span.start as u32..token.span.end as u32;
        if token.what == What::Comment {
            builder.token(span, 0, Kind::Atom as u32, Role::Fixed);
            continue;
        }
        let is_head = open.last_mut().is_some_and(|list| !std::mem::replace(&mut list.has_items, true));
        let role =
            if quotes > 0 || is_head && token.what == What::Atom { Role::Fixed } else { Role::Deletable };
        match token.what {
            What::Open => {
                let kind = if open.is_empty() && quotes == 0 { Kind::Form } else { Kind::List };
                builder.open(kind as u32, if quotes > 0 { Role::Fixed } else { Role::Deletable });
                if atom.scope {
                    builder.scope();
                }
                builder.token(span, weight, Kind::Bracket as u32, Role::Fixed);
                open.push(Open { quotes: std::mem::take(&mut quotes), has_items: false });
            }
            What::Close => match open.pop() {
                Some(list) => {
                    // A quote before it quotes nothing.
                    (0..quotes).for_each(|_| builder.close());
                    quotes = 0;
                    builder.token(span, weight, Kind::Bracket as u32, Role::Fixed);
                    (0..list.quotes + 1).for_each(|_| builder.close());
                }
                None => builder.token(span, weight, Kind::Bracket as u32, Role::Deletable),
            },
            What::Quote => {
                builder.open(Kind::Quoted as u32, role);
                builder.token(span, weight, Kind::Bracket as u32, Role::Deletable);
                quotes += 1;
            }
            What::Atom | What::Comment => {
                builder.token(span, weight, Kind::Atom as u32, role);
                (0..std::mem::take(&mut quotes)).for_each(|_| builder.close());
            }
        }
    }
    mentions.tell(&mut builder);
    let still_open = open.iter().map(|list| list.quotes + 1).sum::<usize>() + quotes;
    (0..still_open + 1).for_each(|_| builder.close());
    let mut kinds = vec![Kind::List as u32, Kind::Atom as u32, Kind::Quoted as u32];
    if dialect == Dialect::Lisp {
        kinds.insert(0, Kind::Form as u32);
    }
    builder.guess(|kind| kinds.contains(&kind).then_some(0));
    builder.finish(Quotes::InNames, &[Slot { kinds, minimal: None }])
}

/// The names that the tokens have to do with.
fn mentions(bytes: &[u8], tokens: &[Token], atoms: &[Atom], dialect: Dialect) -> Mentions {
    // In WebAssembly a `$` marks names and belongs to none.
    let mut gathering = Gathering::new(bytes, if dialect == Dialect::Wat { &[] } else { &[Trait::Lisp] });
    for (token, atom) in tokens.iter().zip(atoms) {
        if token.what == What::Open {
            gathering.open(false, false, false);
            if atom.scope {
                gathering.scope();
            }
        }
        gathering.token(token.span.start as u32..token.span.end as u32, atom.naming, false);
        if token.what == What::Close {
            gathering.close();
        }
    }
    gathering.settle(false)
}

struct Open {
    quotes: usize,
    has_items: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    Open,
    Close,
    /// A sign that belongs to what is behind it.
    Quote,
    Atom,
    /// A comment in a region.
    Comment,
}

struct Token {
    span: Range<usize>,
    what: What,
}

/// The tokens of a text; comments are left out, unless they are in a region.
struct Lexer<'a> {
    bytes: &'a [u8],
    dialect: Dialect,
    at: usize,
    comments: Comments,
}

impl<'a> Lexer<'a> {
    fn new(bytes: &'a [u8], dialect: Dialect) -> Self {
        Self { bytes, dialect, at: 0, comments: Comments::default() }
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        if let Some(span) = self.skip() {
            return Some(Token { span, what: What::Comment });
        }
        let start = self.at;
        let rest = &self.bytes[start..];
        let (length, what) = match (*rest.first()?, rest.get(1)) {
            (b'(' | b'[' | b'{', _) => (1, What::Open),
            (b')' | b']' | b'}', _) => (1, What::Close),
            (b'"', _) => (self.string(rest), What::Atom),
            (b'|', _) if self.dialect != Dialect::Wat => (until(rest, b"|", 1), What::Atom),
            (b',', Some(b'@')) if self.dialect == Dialect::Lisp => (2, What::Quote),
            (b'\'' | b'`' | b',', _) if self.dialect == Dialect::Lisp => (1, What::Quote),
            (b'#', Some(b'(' | b'\'' | b'{' | b'[')) if self.dialect == Dialect::Lisp => (1, What::Quote),
            (b'#', Some(b'\\')) => (3 + atom(rest.get(3..).unwrap_or(&[])), What::Atom),
            _ => (atom(rest).max(1), What::Atom),
        };
        self.at = self.bytes.len().min(start + length);
        Some(Token { span: start..self.at, what })
    }
}

impl Lexer<'_> {
    /// Skips white space and comments, up to one that is in a region.
    fn skip(&mut self) -> Option<Range<usize>> {
        loop {
            let rest = &self.bytes[self.at..];
            let nested = match self.dialect {
                Dialect::Smt => None,
                Dialect::Wat => Some((b"(;", b";)")),
                Dialect::Lisp => Some((b"#|", b"|#")),
            };
            let start = self.at;
            self.at += match (rest.first(), nested) {
                (Some(byte), _) if is_space(*byte) => 1,
                (Some(b';'), _) => until(rest, b"\n", 0),
                (Some(_), Some((open, close))) if rest.starts_with(open) => comment(rest, open, close),
                _ => return None,
            };
            let skipped = self.bytes[start..self.at].trim_ascii_end();
            if !skipped.is_empty() && self.comments.stays(skipped) {
                return Some(start..start + skipped.len());
            }
        }
    }

    fn string(&self, rest: &[u8]) -> usize {
        let mut at = 1;
        while let Some(&byte) = rest.get(at) {
            match byte {
                // In SMT-LIB a quote in a string is written twice, which makes two strings that touch.
                b'"' => return at + 1,
                b'\\' if self.dialect != Dialect::Smt => at += 2,
                _ => at += 1,
            }
        }
        rest.len()
    }
}

/// The length up to the end of the next `end`, which lies at `from` or behind.
fn until(rest: &[u8], end: &[u8], from: usize) -> usize {
    let found = rest[from..].windows(end.len()).position(|window| window == end);
    found.map_or(rest.len(), |at| from + at + end.len())
}

/// The length of a comment, in which others may be; one that never ends is to the end of the text.
fn comment(rest: &[u8], open: &[u8; 2], close: &[u8; 2]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while let Some(two) = rest.get(at..at + 2) {
        match two {
            two if two == open => (depth, at) = (depth + 1, at + 2),
            two if two == close => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

fn atom(rest: &[u8]) -> usize {
    rest.iter().position(|&byte| is_space(byte) || b"()[]{}\";".contains(&byte)).unwrap_or(rest.len())
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dwindle_core::{Gaps, Subset, Variant};
    use proptest::prelude::*;

    /// The tree on one line: nodes in `< .. >`, `?` before what can go.
    fn check(dialect: Dialect, input: &str, expect: &str) {
        let tree = parse(input.into(), dialect);
        let mut words: Vec<String> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for (index, node) in tree.nodes().iter().enumerate().skip(1) {
            while open.last().is_some_and(|&end| end <= index) {
                open.pop();
                words.push(">".into());
            }
            let leaf = tree.subtree(index).len() == 1;
            let sign = if node.role == Role::Deletable { "?" } else { "" };
            if leaf {
                words.push(format!(
                    "{sign}{}",
                    String::from_utf8_lossy(tree.text().piece(node.tokens().start))
                ));
            } else {
                words.push(format!("{sign}<"));
                open.push(tree.subtree(index).end);
            }
        }
        words.extend(open.iter().map(|_| ">".into()));
        assert_eq!(words.join(" "), expect, "{input}");
    }

    #[test]
    fn items_can_go_but_for_the_head() {
        check(
            Dialect::Smt,
            "(assert (= x |a b|)) ; (\n(check-sat)",
            "?< ( assert ?< ( = ?x ?|a b| ) > ) > ?< ( check-sat ) >",
        );
    }

    #[test]
    fn quotes_belong_to_what_they_quote() {
        check(
            Dialect::Lisp,
            "(f 'a `(b ,@c) #\\( #|(|#)",
            "?< ( f ?< ?' a > ?< ?` < ( b ?< ?,@ c > ) > > ?#\\( ) >",
        );
    }

    #[test]
    fn comments_and_strings_may_hold_brackets() {
        check(
            Dialect::Wat,
            "(module (; ( (; ;) ;) (data \"\\\")\"))",
            "?< ( module ?< ( data ?\"\\\")\" ) > ) >",
        );
        check(Dialect::Smt, "(echo \"a\"\"(\")", "?< ( echo ?\"a\" ?\"(\" ) >");
    }

    #[test]
    fn brackets_without_partners_are_no_error() {
        check(Dialect::Smt, ") (a (b", "?) ?< ( a ?< ( b > >");
    }

    #[test]
    fn an_item_may_stand_where_another_does() {
        let tree = parse(b"(assert (not (or a b)))".to_vec(), Dialect::Smt);
        let kind = |name: &str| {
            let node = (0..tree.nodes().len()).find(|&node| tree.kind_name(node) == name).unwrap();
            (tree.slot(node), tree.nodes()[node].kind)
        };
        let (form, (list, kind_of_list)) = (kind("form").0, kind("list"));
        assert_eq!(form, None);
        assert!(tree.fits(list.unwrap(), kind_of_list));
    }

    #[test]
    fn tokens_weigh_what_the_lexer_for_any_language_sees() {
        let input = b"(set-option :a true) (assert (>= x 1.5 #b01 \"s t\"))";
        let tree = parse(input.to_vec(), Dialect::Smt);
        assert_eq!(tree.text().tokens(&Subset::full(tree.text().len())), Some(lexer::count(input) as u64));
    }

    proptest! {
        #[test]
        fn all_tokens_make_the_input_again(
            input in "[ab1 \\n\"'|#;:,@`\\\\(){}\\[\\]]{0,60}",
            dialect in prop::sample::select(Dialect::ALL.to_vec()),
        ) {
            let tree = parse(input.clone().into(), dialect);
            prop_assert_eq!(Variant::whole(tree.text().clone()).render(), input.into_bytes());
        }

        #[test]
        fn kept_atoms_do_not_run_together(
            input in "([ab1:#]{1,3}|[()]|\"a b\"|[ \\n]){0,40}",
            kept in prop::collection::vec(any::<bool>(), 1..40),
        ) {
            let tree = parse(input.into(), Dialect::Smt);
            let text = tree.text().clone();
            let mut variant = Variant { gaps: Gaps::Bare, ..Variant::whole(text.clone()) };
            (0..text.len()).filter(|i| !kept[i % kept.len()]).for_each(|i| variant.kept.remove(i));
            let rendered = variant.render();
            let again = Lexer::new(&rendered, Dialect::Smt);
            let again: Vec<&[u8]> = again.map(|token| &rendered[token.span]).collect();
            let expect: Vec<&[u8]> = variant.kept.iter().map(|i| text.piece(i)).collect();
            prop_assert_eq!(again, expect);
        }
    }
}
