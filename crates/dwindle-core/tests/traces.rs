//! What the tree searches ask, question by question: a change of the code that is not meant to change what is
//! asked must leave these numbers as they are. The texts are of a toy language with blocks, statements,
//! separated lists and names.

use std::num::NonZeroUsize;
use std::sync::Arc;

use dwindle_core::passes::{Level, Schedule};
use dwindle_core::{
    Answer, AnySearch, Ask, Evidence, How, Lexicon, LinkedSearch, List, MinimizerConfig, MinimizerKind,
    Outcome, PassSearch, PersesReducer, PersesSearch, Quotes, Role, Search, Shape, Signs, Slot, StandIn,
    Syntax, Transform, Transforms, Tree, TreeBuilder, TreeReducer, TreeSearch, Tuning, Vocabulary,
};

const KINDS: [&str; 7] = ["root", "block", "statement", "letter", "list", "sign", "parameters"];

/// What is known of the toy language.
fn lexicon() -> Lexicon {
    let mut lexicon = Lexicon::from(KINDS.to_vec());
    lexicon.kinds[1].nameless = true;
    lexicon.signs = Signs {
        calls: &["("],
        separator: Some(","),
        terminator: Some(";"),
        least: Some("0"),
        ..Signs::default()
    };
    lexicon
}

/// `{ ... }` is a block of statements, `a [b, c];` a statement, a list in `[]` needs an element and one in
/// `()` does not. A capital letter introduces a name, its small letter uses it.
struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    lists: u32,
    errors: u64,
    builder: TreeBuilder,
}

fn parse(text: &[u8]) -> (Arc<Tree>, u64) {
    let slots = [
        Slot { kinds: vec![1, 2], minimal: None },
        Slot { kinds: vec![3, 4, 6], minimal: Some(StandIn { bytes: b"m".to_vec(), tokens: 1 }) },
    ];
    let builder = TreeBuilder::new(text.to_vec(), lexicon());
    let mut parser = Parser { text, at: 0, lists: 0, errors: 0, builder };
    parser.builder.open(0, Role::Fixed);
    parser.statements(0);
    parser.builder.close();
    let errors = parser.errors;
    (Arc::new(parser.builder.finish(Quotes::Known, &slots)), errors)
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn token(&mut self, kind: u32, syntax: impl Into<Syntax>) {
        let at = self.at as u32;
        self.builder.token(at..at + 1, 1, kind, syntax);
        let byte = self.text[self.at];
        if byte.is_ascii_alphabetic() {
            let how = if byte.is_ascii_uppercase() { How::Introduces } else { How::Uses };
            self.builder.name(&[byte.to_ascii_lowercase()], how);
        }
        self.at += 1;
    }

    fn list(&mut self, some: bool) -> List {
        self.lists += 1;
        List { id: self.lists, some }
    }

    fn statements(&mut self, depth: usize) {
        let list = self.list(false);
        let element = Syntax { slot: Some(0), list: Some(list), ..Role::Deletable.into() };
        while let Some(byte) = self.peek() {
            match byte {
                b'}' if depth > 0 => return,
                b'{' => {
                    self.builder.open(1, element);
                    self.builder.scope();
                    self.token(5, Role::Fixed);
                    self.statements(depth + 1);
                    if self.peek() == Some(b'}') {
                        self.token(5, Role::Fixed);
                    } else {
                        self.errors += 1;
                    }
                    self.builder.close();
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'[' | b'(' => {
                    self.builder.open(2, element);
                    let mut first = true;
                    while let Some(b'a'..=b'z' | b'A'..=b'Z' | b'[' | b'(') = self.peek() {
                        let role = if first { Role::StandIn(1) } else { Role::Deletable };
                        self.atom(Syntax { slot: Some(1), ..role.into() });
                        first = false;
                    }
                    if self.peek() == Some(b';') {
                        self.token(5, Role::Fixed);
                    } else {
                        self.errors += 1;
                    }
                    self.builder.close();
                }
                _ => {
                    self.errors += 1;
                    self.token(5, element);
                }
            }
        }
    }

    fn atom(&mut self, syntax: Syntax) {
        let (close, kind) = match self.peek() {
            Some(b'[') => (b']', 4),
            Some(b'(') => (b')', 6),
            _ => return self.token(3, syntax),
        };
        self.builder.open(kind, syntax);
        self.token(5, Role::Fixed);
        let list = self.list(kind == 4);
        let mut some = false;
        loop {
            match self.peek() {
                Some(b'a'..=b'z' | b'A'..=b'Z' | b'[' | b'(') => {
                    self.atom(Syntax { slot: Some(1), list: Some(list), ..Role::Deletable.into() });
                    some = true;
                }
                Some(b',') if some => {
                    self.token(5, Syntax { list: Some(list), ..Role::Separator.into() });
                }
                Some(byte) if byte == close => {
                    self.token(5, Role::Fixed);
                    break;
                }
                _ => {
                    self.errors += 1;
                    break;
                }
            }
        }
        self.builder.close();
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn letter(&mut self) -> char {
        char::from(if self.below(4) == 0 { b'A' } else { b'a' } + self.below(20) as u8)
    }

    fn atom(&mut self, depth: u64, out: &mut String) {
        if self.below(3 + depth) > 0 {
            return out.push(self.letter());
        }
        let (open, close) = if self.below(2) == 0 { ('[', ']') } else { ('(', ')') };
        out.push(open);
        for index in 0..1 + self.below(4) {
            if index > 0 {
                out.push(',');
            }
            self.atom(depth + 1, out);
        }
        out.push(close);
    }

    fn statements(&mut self, depth: u64, size: u64, out: &mut String) {
        for _ in 0..size {
            if self.below(4) == 0 && depth < 4 {
                out.push_str("{\n");
                let inner = 1 + self.below(size);
                self.statements(depth + 1, inner, out);
                out.push_str("}\n");
            } else {
                (0..1 + self.below(3)).for_each(|_| self.atom(0, out));
                out.push_str(";\n");
            }
        }
    }
}

fn hash(seed: u64, bytes: &[u8]) -> u64 {
    let all =
        bytes.iter().fold(seed | 1, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    (all ^ (all >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// What the texts must hold, one behind the other; and now and then an arbitrary answer.
fn interesting(needed: &[u8], seed: u64, text: &[u8]) -> bool {
    let mut rest = text.iter();
    needed.iter().all(|wanted| rest.any(|byte| byte == wanted)) && !hash(seed, text).is_multiple_of(5)
}

/// How many questions there were, and their hash.
fn trace(start: impl Fn(Arc<Tree>) -> AnySearch) -> (u32, u64) {
    let (mut asked, mut sum) = (0, 0);
    let vocabulary = Arc::new(Vocabulary::of(b"a b c d e f g h"));
    for seed in 0..14 {
        let mut random = Random(seed);
        let mut input = String::new();
        random.statements(0, [5, 9, 9, 14, 60][seed as usize % 5], &mut input);
        let input = input.into_bytes();
        let mut at = 0;
        let mut needed = Vec::new();
        while at < input.len() {
            if !input[at].is_ascii_whitespace() {
                needed.push(input[at]);
            }
            at += 1 + random.below(input.len() as u64 / 6 + 1) as usize;
        }
        let mut search = start(parse(&input).0);
        loop {
            match search.ask() {
                Ask::Done => break,
                Ask::Parse(variant, Shape::Tree) => {
                    search.tell(Answer::Tree(parse(&variant.render()).0));
                }
                Ask::Parse(variant, Shape::Errors) => {
                    search.tell(Answer::Errors(Some(parse(&variant.render()).1)));
                }
                Ask::Parse(..) => panic!("nobody helps"),
                Ask::Test(variant) => {
                    let text = variant.render();
                    let smaller = variant.is_smaller_than(search.best());
                    let yes = smaller && interesting(&needed, seed, &text);
                    asked += 1;
                    sum = hash(sum, &[&text[..], &[u8::from(yes)]].concat());
                    let complaint = [b'a' + (hash(seed, &text) % 8) as u8, b' '];
                    let evidence = Evidence::in_output(&vocabulary, &complaint);
                    search.tell(match yes {
                        true => Answer::Outcome(Outcome::Interesting),
                        false if search.learns_from(&evidence) => Answer::Refused(evidence),
                        false => Answer::Outcome(Outcome::Uninteresting),
                    });
                }
            }
        }
        sum = hash(sum, &search.best().render());
    }
    (asked, sum)
}

/// Compares the trace of a search with the recorded one of that name.
fn check(name: &str, start: impl Fn(Arc<Tree>) -> AnySearch) {
    let (asked, sum) = trace(start);
    let now = format!("{name} {asked} {sum:016x}");
    let mut recorded = include_str!("traces.txt").lines();
    assert!(recorded.any(|line| line == now), "other questions are asked: {now}");
}

fn linked(tree: Arc<Tree>, kind: MinimizerKind, width: usize) -> AnySearch {
    let width = NonZeroUsize::new(width).expect("one question is the least");
    AnySearch::Linked(Box::new(LinkedSearch::new(tree, MinimizerConfig::new(kind), width)))
}

fn perses(tree: Arc<Tree>, reducer: PersesReducer, kind: MinimizerKind) -> AnySearch {
    AnySearch::Perses(Box::new(PersesSearch::new(tree, reducer, MinimizerConfig::new(kind))))
}

fn hdd(reducer: TreeReducer, kind: MinimizerKind, transforms: Transforms) {
    let transformed = if transforms == Transforms::default() { "" } else { ", transformed" };
    let start = |tree| {
        AnySearch::Tree(Box::new(TreeSearch::with(tree, reducer, MinimizerConfig::new(kind), transforms)))
    };
    check(&format!("{}{transformed} {}", reducer.name(), kind.name()), start);
}

fn passes(deletion: AnySearch, level: Level) -> AnySearch {
    let minimizer = MinimizerConfig::new(MinimizerKind::Dfs);
    AnySearch::Passes(Box::new(PassSearch::new(deletion, Schedule::of(level), minimizer)))
}

#[test]
fn hierarchical_reducers_ask_what_was_recorded() {
    for reducer in TreeReducer::ALL {
        hdd(reducer, MinimizerKind::Dfs, Transforms::default());
        hdd(reducer, MinimizerKind::Dfs, Transform::ALL.into_iter().collect());
    }
    hdd(TreeReducer::Hdd, MinimizerKind::Ddmin, Transforms::default());
    hdd(TreeReducer::HddStar, MinimizerKind::ProbDd, Transforms::default());
    hdd(TreeReducer::Hddr, MinimizerKind::ProbDd, Transforms::default());
}

#[test]
fn perses_asks_what_was_recorded() {
    for reducer in PersesReducer::ALL {
        for kind in [MinimizerKind::Dfs, MinimizerKind::Ddmin] {
            check(&format!("{} {}", reducer.name(), kind.name()), |tree| perses(tree, reducer, kind));
        }
    }
}

#[test]
fn linked_asks_what_was_recorded() {
    let configurations = [
        (MinimizerKind::Dfs, 1),
        (MinimizerKind::Dfs, 8),
        (MinimizerKind::Dfs, 64),
        (MinimizerKind::Ddmin, 8),
        (MinimizerKind::ProbDd, 64),
        (MinimizerKind::Splitting, 1),
        (MinimizerKind::Splitting, 64),
    ];
    for (kind, width) in configurations {
        check(&format!("linked {} {width}", kind.name()), |tree| linked(tree, kind, width));
    }
}

#[test]
fn passes_ask_what_was_recorded() {
    let kind = MinimizerKind::Dfs;
    check("linked, passes Default", |tree| passes(linked(tree, kind, 64), Level::Default));
    check("perses, passes Thorough", |tree| {
        passes(perses(tree, PersesReducer::Perses, kind), Level::Thorough)
    });
}

#[test]
fn an_experiment_can_change_a_constant() {
    let mut input = String::new();
    Random(4).statements(0, 60, &mut input);
    let label = |tuning: Tuning| {
        let minimizer = MinimizerConfig::new(MinimizerKind::Dfs);
        let width = LinkedSearch::DEFAULT_BATCH_WIDTH;
        LinkedSearch::tuned(parse(input.as_bytes()).0, minimizer, width, tuning).label()
    };
    assert_eq!(label(Tuning::DEFAULT), "backwards sweep");
    let mut without_sweep = Tuning::DEFAULT;
    without_sweep.sweep.fewest = usize::MAX;
    assert_eq!(label(without_sweep), "declarations and uses");
}
