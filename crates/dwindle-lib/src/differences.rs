//! What two texts differ in: lines, tokens, or nodes of their trees.
//!
//! A difference is a range of the one text that a range of the other replaces. Differences are in order and disjoint,
//! and what lies between them is the same in both texts. They are found in groups: a hunk has lines, a node has
//! children. So a search need not look into most of them.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::mem;
use std::ops::Range;

use dwindle_core::Tree;
use dwindle_core::isolate::{Delta, Differences, Level};
use dwindle_read::{FrontEnd, lexer, syntax_errors, tree};
use similar::{Algorithm, DiffTag, capture_diff_slices};

/// What differences are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Units {
    /// Nodes, where a grammar reads both texts without an error; else lines and then tokens.
    #[default]
    Auto,
    /// Lines.
    Lines,
    /// Tokens.
    Tokens,
    /// Nodes of the syntax trees.
    Tree,
}

impl Units {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Lines, Self::Tokens, Self::Tree];

    /// The name by which people choose it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Lines => "lines",
            Self::Tokens => "tokens",
            Self::Tree => "tree",
        }
    }
}

/// The differences of two texts, and how they were found.
#[derive(Clone, Debug)]
pub(crate) struct Compared {
    pub(crate) differences: Differences,
    /// The units, in words for people.
    pub(crate) units: &'static str,
    /// What has read the texts as trees.
    pub(crate) language: Option<&'static str>,
}

/// The differences from `old` to `new`. Trees are what `front_end` reads; where it refuses one of the texts, both are
/// read by their brackets.
pub(crate) fn compare(old: &[u8], new: &[u8], units: Units, front_end: FrontEnd) -> Compared {
    let texts = Texts { old, new };
    let whole = Delta { old: 0..old.len(), new: 0..new.len() };
    let reads = |text| matches!(syntax_errors(text, front_end), None | Some(0));
    let one = |delta| Difference::One(delta);
    let by_tokens = |delta| Difference::Several(texts.parts(&delta, tokens, &one));
    let (units, names, found): (_, &[_], _) = match units {
        Units::Lines => ("lines", &["hunks", "lines"], texts.parts(&whole, lines, &one)),
        Units::Tokens => {
            let hunks = texts.runs(&whole, lines).into_iter().map(|run| by_tokens(run.delta));
            ("tokens", &["hunks", "tokens"], hunks.collect())
        }
        Units::Auto if matches!(front_end, FrontEnd::Brackets) || !reads(old) || !reads(new) => {
            ("lines, then tokens", &["hunks", "lines", "tokens"], texts.parts(&whole, lines, &by_tokens))
        }
        Units::Auto | Units::Tree => {
            let read = |front_end| [old, new].map(|text| tree(text.to_vec(), front_end));
            let trees = read(front_end);
            let refused = trees.iter().any(|(_, reading)| reading.fallback.is_some());
            let front_end = if refused { FrontEnd::Brackets } else { front_end };
            let [(old_tree, _), (new_tree, _)] = if refused { read(front_end) } else { trees };
            let found = Trees { old: &old_tree, new: &new_tree, texts }.differences();
            let differences = levels(old, new, &found, &["nodes"]);
            return Compared { differences, units: "tree", language: Some(front_end.name()) };
        }
    };
    Compared { differences: levels(old, new, &found, names), units, language: None }
}

/// A difference, or several that are looked at together first.
enum Difference {
    One(Delta),
    Several(Vec<Difference>),
}

/// The differences one by one, with the groups that they are in, from the coarsest to the finest. The last of the
/// `names` is that of all finer levels, too.
fn levels(old: &[u8], new: &[u8], found: &[Difference], names: &[&'static str]) -> Differences {
    let (mut deltas, mut ends) = (Vec::new(), vec![Vec::new(); depth(found)]);
    found.iter().for_each(|difference| flatten(difference, &mut ends, &mut deltas));
    let mut levels: Vec<Level> = Vec::new();
    for (at, ends) in ends.into_iter().enumerate() {
        if levels.last().is_none_or(|level| level.ends != ends) {
            levels.push(Level { name: names[at.min(names.len() - 1)], ends });
        }
    }
    Differences::new(old, new, &deltas, levels)
}

fn depth(differences: &[Difference]) -> usize {
    let depth = |difference: &Difference| match difference {
        Difference::One(_) => 1,
        Difference::Several(parts) => 1 + depth(parts),
    };
    differences.iter().map(depth).max().unwrap_or(0)
}

/// Notes the deltas of a difference, and where it and its parts end in the first of the levels and those behind it.
fn flatten(difference: &Difference, levels: &mut [Vec<u32>], deltas: &mut Vec<Delta>) {
    match difference {
        Difference::One(delta) => {
            deltas.push(delta.clone());
            levels.iter_mut().for_each(|ends| ends.push(deltas.len() as u32));
        }
        Difference::Several(parts) => {
            let (ends, finer) = levels.split_first_mut().expect("there are as many levels as it is deep");
            parts.iter().for_each(|part| flatten(part, finer, deltas));
            ends.push(deltas.len() as u32);
        }
    }
}

/// Cuts a text into pieces that leave nothing out; where each of them ends.
type Cut = fn(&[u8]) -> Vec<usize>;

fn lines(text: &[u8]) -> Vec<usize> {
    let lines = text.split_inclusive(|&byte| byte == b'\n');
    let ends = lines.scan(0, |end, line| {
        *end += line.len();
        Some(*end)
    });
    ends.collect()
}

/// Tokens with the gap before them, and what is behind the last one.
fn tokens(text: &[u8]) -> Vec<usize> {
    let mut ends: Vec<usize> = lexer::tokens(text).map(|token| token.end as usize).collect();
    if ends.last().copied().unwrap_or(0) < text.len() {
        ends.push(text.len());
    }
    ends
}

#[derive(Clone, Copy)]
struct Texts<'a> {
    old: &'a [u8],
    new: &'a [u8],
}

/// Pieces of both texts, one behind the other, that are not the same.
struct Run {
    /// Where they are.
    delta: Delta,
    old: Vec<Range<usize>>,
    new: Vec<Range<usize>>,
}

impl Texts<'_> {
    /// The pieces of a delta that differ.
    fn runs(self, delta: &Delta, cut: Cut) -> Vec<Run> {
        let pieces = |text: &[u8], range: &Range<usize>| {
            let mut start = range.start;
            let ends = cut(&text[range.clone()]).into_iter().map(|end| range.start + end);
            ends.map(|end| mem::replace(&mut start, end)..end).collect::<Vec<_>>()
        };
        self.differing(&pieces(self.old, &delta.old), &pieces(self.new, &delta.new), delta)
    }

    /// Those of the pieces of a delta, which they are without a gap, that differ.
    fn differing(self, old: &[Range<usize>], new: &[Range<usize>], delta: &Delta) -> Vec<Run> {
        let (mut old_end, mut new_end) = (delta.old.start, delta.new.start);
        let old_texts: Vec<&[u8]> = old.iter().map(|piece| &self.old[piece.clone()]).collect();
        let new_texts: Vec<&[u8]> = new.iter().map(|piece| &self.new[piece.clone()]).collect();
        let mut runs = Vec::new();
        for step in capture_diff_slices(Algorithm::Myers, &old_texts, &new_texts) {
            let (old, new) = (old[step.old_range()].to_vec(), new[step.new_range()].to_vec());
            let (old_start, new_start) = (old_end, new_end);
            old_end = old.last().map_or(old_start, |piece| piece.end);
            new_end = new.last().map_or(new_start, |piece| piece.end);
            let delta = Delta { old: old_start..old_end, new: new_start..new_end };
            // Nodes can be others in the same text.
            if step.tag() != DiffTag::Equal && self.differ(&delta) {
                runs.push(Run { delta, old, new });
            }
        }
        runs
    }

    /// Whether what it replaces is something else.
    fn differ(self, delta: &Delta) -> bool {
        self.old[delta.old.clone()] != self.new[delta.new.clone()]
    }

    /// The pieces of a delta that differ, each with the one that belongs to it: a group for each run of them.
    fn parts(self, delta: &Delta, cut: Cut, finer: &dyn Fn(Delta) -> Difference) -> Vec<Difference> {
        let kin = |text: &[u8], piece: &Range<usize>| Kin::of(&text[piece.clone()]);
        let group = |run: Run| {
            let old: Vec<Kin> = run.old.iter().map(|piece| kin(self.old, piece)).collect();
            let new: Vec<Kin> = run.new.iter().map(|piece| kin(self.new, piece)).collect();
            let pairs = pairs(&run, &alike(&old, &new)).into_iter().map(|(delta, _)| delta);
            Difference::Several(pairs.filter(|delta| self.differ(delta)).map(finer).collect())
        };
        self.runs(delta, cut).into_iter().map(group).collect()
    }
}

/// What shows that two pieces belong together.
struct Kin {
    /// What kind of piece it is.
    kind: &'static str,
    /// Its tokens, in an order of their own.
    tokens: Vec<u64>,
}

impl Kin {
    fn new<'a>(kind: &'static str, tokens: impl Iterator<Item = &'a [u8]>) -> Self {
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        let mut tokens: Vec<u64> = tokens.map(|token| hasher.hash_one(token)).collect();
        tokens.sort_unstable();
        Self { kind, tokens }
    }

    /// That of a line or a token.
    fn of(text: &[u8]) -> Self {
        Self::new("", lexer::tokens(text).map(|token| &text[token.start as usize..token.end as usize]))
    }

    /// The share of their tokens that two have in common.
    fn in_common(&self, other: &Self) -> f64 {
        let (mut at, mut common) = (0, 0);
        for token in &self.tokens {
            at += other.tokens[at..].iter().take_while(|&found| found < token).count();
            if other.tokens.get(at) == Some(token) {
                (at, common) = (at + 1, common + 1);
            }
        }
        2.0 * f64::from(common) / (self.tokens.len() + other.tokens.len()).max(1) as f64
    }
}

/// The most pairs of pieces that are compared to find out which belong together. Of more, those in the same place do.
const PAIRS: usize = 100_000;

/// The least share of its tokens that a piece has in common with the one that it belongs to. Half of that finds pairs
/// in which nothing is alike but brackets.
const ALIKE: f64 = 0.5;

/// Which pieces belong together, in order: the pairs of one kind that have most tokens in common.
fn alike(old: &[Kin], new: &[Kin]) -> Vec<(usize, usize)> {
    if old.len() == 1 && new.len() == 1 || old.len() * new.len() > PAIRS {
        let same_kind = |&at: &usize| old[at].kind == new[at].kind;
        return (0..old.len().min(new.len())).filter(same_kind).map(|at| (at, at)).collect();
    }
    // The best of all that lies behind a pair, from the end.
    let width = new.len() + 1;
    let mut best = vec![0.0; (old.len() + 1) * width];
    let mut paired = vec![false; best.len()];
    for one in (0..old.len()).rev() {
        for other in (0..new.len()).rev() {
            let at = one * width + other;
            best[at] = f64::max(best[at + 1], best[at + width]);
            if old[one].kind == new[other].kind {
                let share = old[one].in_common(&new[other]);
                if share >= ALIKE && best[at + width + 1] + share > best[at] {
                    (best[at], paired[at]) = (best[at + width + 1] + share, true);
                }
            }
        }
    }
    let (mut one, mut other, mut pairs) = (0, 0, Vec::new());
    while one < old.len() && other < new.len() {
        let at = one * width + other;
        if paired[at] {
            pairs.push((one, other));
            (one, other) = (one + 1, other + 1);
        } else if best[at + width] >= best[at + 1] {
            one += 1;
        } else {
            other += 1;
        }
    }
    pairs
}

/// All pieces of a run in pairs: those that belong together, whose numbers come along, and between them each with
/// the one in its place, or with nothing.
fn pairs(run: &Run, alike: &[(usize, usize)]) -> Vec<(Delta, Option<(usize, usize)>)> {
    let (mut old, mut new) = (run.old.iter().peekable(), run.new.iter().peekable());
    let mut end = (run.delta.old.start, run.delta.new.start);
    let mut pairs = Vec::new();
    let mut pair = |one: Option<&Range<usize>>, other: Option<&Range<usize>>, alike| {
        let start = end;
        end = (one.map_or(start.0, |piece| piece.end), other.map_or(start.1, |piece| piece.end));
        pairs.push((Delta { old: start.0..end.0, new: start.1..end.1 }, alike));
    };
    let (mut one, mut other) = (0, 0);
    for next in alike.iter().map(|&pair| Some(pair)).chain([None]) {
        let (one_end, other_end) = next.unwrap_or((run.old.len(), run.new.len()));
        while one < one_end || other < other_end {
            let (is_old, is_new) = (one < one_end, other < other_end);
            pair(old.next_if(|_| is_old), new.next_if(|_| is_new), None);
            (one, other) = (one + usize::from(is_old), other + usize::from(is_new));
        }
        if next.is_some() {
            pair(old.next(), new.next(), next);
            (one, other) = (one + 1, other + 1);
        }
    }
    pairs
}

/// How deep nodes are compared with those in the same place of the other tree. Below that, what differs is one
/// difference: nests are that deep in no text that people have written.
const DEEPEST: usize = 100;

/// The trees of both texts.
#[derive(Clone, Copy)]
struct Trees<'a> {
    old: &'a Tree,
    new: &'a Tree,
    texts: Texts<'a>,
}

/// A child of a node, or a token of its own, with the gap before it.
#[derive(Clone, Copy)]
struct Item {
    /// Nothing for a token.
    node: Option<usize>,
    start: usize,
    end: usize,
    tokens: (usize, usize),
}

impl Trees<'_> {
    fn differences(self) -> Vec<Difference> {
        let root = |tree: &Tree| Item {
            node: Some(0),
            start: 0,
            end: end_of(tree, tree.text().len()),
            tokens: (0, tree.text().len()),
        };
        let (old, new) = (root(self.old), root(self.new));
        let mut found = self.inside(old, new, 0);
        let rest = Delta { old: old.end..self.texts.old.len(), new: new.end..self.texts.new.len() };
        if self.texts.differ(&rest) {
            found.push(Difference::One(rest));
        }
        found
    }

    /// What differs in two nodes of one kind: a group for each run of their children.
    fn inside(self, old: Item, new: Item, depth: usize) -> Vec<Difference> {
        let whole = Delta { old: old.start..old.end, new: new.start..new.end };
        let (old_items, new_items) = (items(self.old, old), items(self.new, new));
        if depth == DEEPEST || old_items.is_empty() || new_items.is_empty() {
            return vec![Difference::One(whole)];
        }
        let ranges = |items: &[Item]| items.iter().map(|item| item.start..item.end).collect::<Vec<_>>();
        let runs = self.texts.differing(&ranges(&old_items), &ranges(&new_items), &whole);
        let group = |run: Run| {
            let (old, new) = (inside(&old_items, &run.delta.old), inside(&new_items, &run.delta.new));
            let kin = |tree, items: &[Item]| items.iter().map(|item| kin(tree, item)).collect::<Vec<_>>();
            let finer = |(delta, alike): (Delta, Option<(usize, usize)>)| match alike {
                _ if !self.texts.differ(&delta) => None,
                Some((one, other)) => Some(Difference::Several(self.inside(old[one], new[other], depth + 1))),
                None => Some(Difference::One(delta)),
            };
            let pairs = pairs(&run, &alike(&kin(self.old, old), &kin(self.new, new)));
            Difference::Several(pairs.into_iter().filter_map(finer).collect())
        };
        runs.into_iter().map(group).collect()
    }
}

/// Where the token before that of this number ends.
fn end_of(tree: &Tree, token: usize) -> usize {
    token.checked_sub(1).map_or(0, |before| tree.text().span(before).end)
}

/// The children of an item, and its tokens that are in none; nothing for a leaf.
fn items(tree: &Tree, item: Item) -> Vec<Item> {
    let Some(node) = item.node else { return Vec::new() };
    let part = |node, tokens: Range<usize>| Item {
        node,
        start: end_of(tree, tokens.start),
        end: end_of(tree, tokens.end),
        tokens: (tokens.start, tokens.end),
    };
    let (mut items, mut next) = (Vec::new(), item.tokens.0);
    for child in tree.children(node) {
        let tokens = tree.tokens(child);
        items.extend((next..tokens.start).map(|token| part(None, token..token + 1)));
        next = tokens.end.max(next);
        if !tokens.is_empty() {
            items.push(part(Some(child), tokens));
        }
    }
    if !items.is_empty() {
        items.extend((next..item.tokens.1).map(|token| part(None, token..token + 1)));
    }
    items
}

/// Those of the items that lie in a range.
fn inside<'a>(items: &'a [Item], range: &Range<usize>) -> &'a [Item] {
    let before = items.partition_point(|item| item.start < range.start);
    let end = items.partition_point(|item| item.end <= range.end);
    &items[before..end.max(before)]
}

fn kin(tree: &Tree, item: &Item) -> Kin {
    let tokens = (item.tokens.0..item.tokens.1).map(|token| tree.text().piece(token));
    Kin::new(item.node.map_or("", |node| tree.kind_name(node)), tokens)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dwindle_core::Subset;
    use proptest::prelude::*;

    fn c() -> FrontEnd {
        FrontEnd::of_language("c").unwrap_or(FrontEnd::Brackets)
    }

    /// The texts with each of the differences alone, and what the first level has for groups.
    fn alone(old: &str, new: &str, units: Units) -> (Vec<String>, usize) {
        let Compared { differences, .. } = compare(old.as_bytes(), new.as_bytes(), units, c());
        let apply = |at| {
            let mut one = Subset::empty(differences.len());
            one.insert(at);
            String::from_utf8_lossy(&differences.apply(&one).render()).into_owned()
        };
        ((0..differences.len()).map(apply).collect(), differences.levels()[0].ends.len())
    }

    #[test]
    fn lines_are_compared_in_hunks() {
        let (texts, hunks) = alone("a\nb\nc\nd\n", "a\nB\nC\nx\nd\ne\n", Units::Lines);
        let expected = ["a\nB\nc\nd\n", "a\nb\nC\nd\n", "a\nb\nc\nx\nd\n", "a\nb\nc\nd\ne\n"];
        assert_eq!((texts, hunks), (expected.map(str::to_owned).to_vec(), 2));
    }

    #[test]
    fn tokens_are_compared_in_the_lines_that_differ() {
        let (texts, hunks) = alone("f(a, b);\ng();\n", "f(a, c, d);\ng();\n", Units::Tokens);
        assert_eq!(texts, ["f(a, c);\ng();\n", "f(a, b,);\ng();\n", "f(a, b d);\ng();\n"]);
        assert_eq!(hunks, 1);
    }

    #[test]
    fn nodes_are_compared_with_those_that_are_like_them() {
        let old = "int f(int a) { return a + 1; }\nint g(void) { return 2; }\n";
        let new = "int h(void) { x(); }\nint f(int a) { y(); return a + 3; }\nint g(void) { return 2; }\n";
        let (texts, _) = alone(old, new, Units::Tree);
        let expected = [
            "int h(void) { x(); }int f(int a) { return a + 1; }\nint g(void) { return 2; }\n",
            "\nint f(int a) { return a + 1; }\nint g(void) { return 2; }\n",
            "int f(int a) { y(); return a + 1; }\nint g(void) { return 2; }\n",
            "int f(int a) { return a + 3; }\nint g(void) { return 2; }\n",
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn trees_are_for_texts_without_errors() {
        let units = |old: &str, new: &str| compare(old.as_bytes(), new.as_bytes(), Units::Auto, c()).units;
        assert_eq!(units("int a;\n", "int b;\n"), "tree");
        assert_eq!(units("int a;\n", "int b\n"), "lines, then tokens");
    }

    /// Texts with a few lines of code, and with what is no code at all.
    fn texts() -> impl Strategy<Value = (String, String)> {
        let line = prop::sample::select(vec![
            "int f(int a) {",
            "}",
            "  if (a) { g(a, 1); }",
            "  g(a, b);",
            "\n",
            "/* no */ int c;",
            "  g(b)",
            ";",
            "\"",
        ]);
        let text = || {
            let lines = prop::collection::vec((line.clone(), prop::sample::select(vec!["", "\n"])), 0..12);
            lines.prop_map(|lines| {
                lines.into_iter().map(|(line, end)| format!("{line}{end}")).collect::<String>()
            })
        };
        (text(), text())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

        #[test]
        fn no_difference_gives_the_one_text_and_all_give_the_other((old, new) in texts()) {
            prop_assume!(old != new);
            for units in Units::ALL {
                for front_end in [c(), FrontEnd::Brackets] {
                    let Compared { differences, .. } = compare(old.as_bytes(), new.as_bytes(), units, front_end);
                    let n = differences.len();
                    let render = |applied: &Subset| String::from_utf8_lossy(&differences.apply(applied).render()).into_owned();
                    prop_assert!(n > 0);
                    prop_assert_eq!(&render(&Subset::empty(n)), &old, "{:?}", units);
                    prop_assert_eq!(&render(&Subset::full(n)), &new, "{:?}", units);
                    let levels = differences.levels();
                    prop_assert_eq!(levels.last().map(|level| level.ends.len()), Some(n));
                    for (coarse, fine) in levels.iter().zip(&levels[1..]) {
                        prop_assert!(coarse.ends.iter().all(|end| fine.ends.contains(end)));
                    }
                }
            }
        }
    }
}
