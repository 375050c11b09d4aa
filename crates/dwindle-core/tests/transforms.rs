//! What the transformations of a tree keep, and what they are worth.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use dwindle_core::{
    Answer, Ask, MinimizerConfig, MinimizerKind, Outcome, Quotes, Role, Search, Slot, StandIn, Syntax,
    Transform, Transforms, Tree, TreeBuilder, TreeReducer, TreeSearch, Variant,
};
use proptest::prelude::*;

/// `E := E+E | -E | (E) | 0..9`.
#[derive(Clone, Debug)]
enum Expression {
    Number(u8),
    Sum(Box<Expression>, Box<Expression>),
    Negation(Box<Expression>),
    Brackets(Box<Expression>),
}

use Expression::{Brackets, Negation, Number, Sum};

fn expressions() -> impl Strategy<Value = Expression> {
    (b'0'..=b'9').prop_map(Number).prop_recursive(6, 9, 2, |inner| {
        prop_oneof![
            3 => (inner.clone(), inner.clone()).prop_map(|(left, right)| Sum(left.into(), right.into())),
            1 => inner.clone().prop_map(|inner| Negation(inner.into())),
            1 => inner.prop_map(|inner| Brackets(inner.into())),
        ]
    })
}

/// The tree of an expression; any may stand where one does.
fn tree(expression: &Expression) -> Tree {
    fn text(expression: &Expression, out: &mut Vec<u8>) {
        match expression {
            Number(digit) => out.push(*digit),
            Sum(left, right) => {
                text(left, out);
                out.push(b'+');
                text(right, out);
            }
            Negation(inner) => {
                out.push(b'-');
                text(inner, out);
            }
            Brackets(inner) => {
                out.push(b'(');
                text(inner, out);
                out.push(b')');
            }
        }
    }
    fn build(expression: &Expression, builder: &mut TreeBuilder, at: &mut u32) {
        let place = Syntax { slot: Some(0), ..Role::StandIn(0).into() };
        let token = |builder: &mut TreeBuilder, at: &mut u32| {
            builder.token(*at..*at + 1, 1, 5, Role::Fixed);
            *at += 1;
        };
        match expression {
            Number(_) => {
                builder.token(*at..*at + 1, 1, 4, place);
                *at += 1;
            }
            Sum(left, right) => {
                builder.open(1, place);
                build(left, builder, at);
                token(builder, at);
                build(right, builder, at);
                builder.close();
            }
            Negation(inner) => {
                builder.open(2, place);
                token(builder, at);
                build(inner, builder, at);
                builder.close();
            }
            Brackets(inner) => {
                builder.open(3, place);
                token(builder, at);
                build(inner, builder, at);
                token(builder, at);
                builder.close();
            }
        }
    }
    let mut bytes = Vec::new();
    text(expression, &mut bytes);
    let mut builder = TreeBuilder::new(bytes, vec!["root", "sum", "negation", "brackets", "number", "token"]);
    builder.open(0, Role::Fixed);
    build(expression, &mut builder, &mut 0);
    builder.close();
    let minimal = Some(StandIn { bytes: b"1".to_vec(), tokens: 1 });
    builder.finish(Quotes::Known, &[Slot { kinds: vec![1, 2, 3, 4], minimal }])
}

fn is_expression(text: &str) -> bool {
    fn operand(text: &[u8]) -> Option<&[u8]> {
        match text.split_first()? {
            (b'-', rest) => operand(rest),
            (b'(', rest) => sum(rest)?.strip_prefix(b")"),
            (digit, rest) => digit.is_ascii_digit().then_some(rest),
        }
    }
    fn sum(text: &[u8]) -> Option<&[u8]> {
        let mut rest = operand(text)?;
        while let Some(behind) = rest.strip_prefix(b"+") {
            rest = operand(behind)?;
        }
        Some(rest)
    }
    sum(text.as_bytes()) == Some(b"")
}

/// A node of random roles: what may become of it, and what is below it.
#[derive(Clone, Debug)]
struct Random(Role, Vec<Random>);

fn random() -> impl Strategy<Value = Random> {
    let role = || prop_oneof![Just(Role::Fixed), Just(Role::Deletable), (0..2u32).prop_map(Role::StandIn)];
    let leaf = role().prop_map(|role| Random(role, Vec::new()));
    leaf.prop_recursive(6, 12, 3, move |inner| {
        // Mostly one child, so that there are chains.
        let children = prop_oneof![
            2 => prop::collection::vec(inner.clone(), 1),
            1 => prop::collection::vec(inner, 1..4),
        ];
        (role(), children).prop_map(|(role, children)| Random(role, children))
    })
}

fn random_tree(root: &Random) -> Tree {
    fn build(Random(role, children): &Random, builder: &mut TreeBuilder, at: &mut u32) {
        if children.is_empty() {
            builder.token(*at..*at + 1, 1, 1, *role);
            *at += 1;
        } else {
            builder.open(0, *role);
            children.iter().for_each(|child| build(child, builder, at));
            builder.close();
        }
    }
    let mut builder = TreeBuilder::new(b"abcdefghijklmnopqrstuvwxyz".to_vec(), vec!["inner", "leaf"]);
    builder.open(0, Role::Fixed);
    build(root, &mut builder, &mut 0);
    builder.close();
    let string = |bytes: &[u8]| StandIn { bytes: bytes.to_vec(), tokens: 1 };
    builder.finish_with(Quotes::Known, vec![string(b"1"), string(b"2")])
}

/// All texts that removing nodes can leave.
fn reachable(tree: &Tree) -> BTreeSet<String> {
    fn below(tree: &Tree, node: usize) -> BTreeSet<String> {
        let is = &tree.nodes()[node];
        let mut texts = BTreeSet::from([String::new()]);
        if tree.children(node).next().is_none() {
            let pieces: Vec<u8> = is.tokens().flat_map(|token| tree.text().piece(token)).copied().collect();
            texts = BTreeSet::from([letters(&pieces)]);
        }
        for child in tree.children(node) {
            let child = below(tree, child);
            texts =
                texts.iter().flat_map(|text| child.iter().map(move |more| format!("{text}{more}"))).collect();
        }
        match is.role {
            Role::Deletable => drop(texts.insert(String::new())),
            Role::StandIn(string) => {
                texts.insert(letters(&tree.stand_in(string).bytes));
            }
            Role::Fixed | Role::Separator => {}
        }
        texts
    }
    below(tree, 0)
}

/// The result of a search and the number of different questions.
fn reduce(
    tree: impl Into<Arc<Tree>>,
    reducer: TreeReducer,
    kind: MinimizerKind,
    transforms: Transforms,
    mut interesting: impl FnMut(&str) -> bool,
) -> (String, usize) {
    let mut search = TreeSearch::with(tree.into(), reducer, MinimizerConfig::new(kind), transforms);
    let mut asked = HashSet::new();
    while let Ask::Test(variant) = search.ask() {
        let (text, base) = (text(&variant), text(search.best()));
        let is = (text.len(), &text) < (base.len(), &base) && interesting(&text);
        asked.insert(text);
        search.tell(Answer::Outcome(if is { Outcome::Interesting } else { Outcome::Uninteresting }));
    }
    (text(search.best()), asked.len())
}

/// The tokens of a variant.
fn text(variant: &Variant) -> String {
    letters(&variant.render())
}

fn letters(text: &[u8]) -> String {
    text.iter().filter(|byte| !byte.is_ascii_whitespace()).copied().map(char::from).collect()
}

/// Every set of transformations.
fn sets() -> impl Iterator<Item = Transforms> {
    let bit = |set: usize, transform: Transform| set >> transform as usize & 1 == 1;
    (0..1usize << Transform::ALL.len())
        .map(move |set| Transform::ALL.into_iter().filter(|&transform| bit(set, transform)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn squeezing_leaves_the_reachable_texts_as_they_are(root in random(), expression in expressions()) {
        for tree in [random_tree(&root), tree(&expression)] {
            let squeezed = tree.squeezed();
            prop_assert_eq!(reachable(&squeezed), reachable(&tree));
            prop_assert!(squeezed.nodes().len() <= tree.nodes().len());
            let again = squeezed.squeezed();
            prop_assert_eq!(again.nodes(), squeezed.nodes(), "nothing is left to squeeze");
        }
    }

    #[test]
    fn flattening_adds_valid_texts_only(expression in expressions()) {
        let tree = tree(&expression);
        let flat = tree.flattened();
        let texts = reachable(&flat);
        for text in &texts {
            prop_assert!(is_expression(text), "{} of {:?}", text, expression);
        }
        prop_assert!(reachable(&tree).is_subset(&texts));
    }

    #[test]
    fn every_candidate_is_valid_whatever_is_done_to_the_tree(
        expression in expressions(),
        needed in prop::collection::vec(prop::sample::select(b"0123456789+-(".to_vec()), 0..3),
        kind in prop::sample::select(MinimizerKind::ALL.to_vec()),
    ) {
        let input = tree(&expression);
        let whole = letters(input.text().bytes());
        let needed: Vec<char> = needed.into_iter().map(char::from).filter(|&byte| whole.contains(byte)).collect();
        let input = Arc::new(input);
        for transforms in sets() {
            for reducer in [TreeReducer::Hdd, TreeReducer::HddPlus, TreeReducer::HddStar, TreeReducer::Hddr, TreeReducer::Coarse] {
                let (result, _) = reduce(input.clone(), reducer, kind, transforms, |text| {
                    assert!(is_expression(text), "{text} of {whole}: {reducer:?} {kind:?} {transforms:?}");
                    needed.iter().all(|&byte| text.contains(byte))
                });
                prop_assert!(needed.iter().all(|&byte| result.contains(byte)));
            }
        }
    }
}

#[test]
fn a_chain_that_recurs_at_an_end_becomes_flat() {
    let number = || Box::new(Number(b'2'));
    let left = (0..1000).fold(Number(b'1'), |sum, _| Sum(sum.into(), number()));
    let right = (0..1000).fold(Number(b'1'), |sum, _| Sum(number(), sum.into()));
    for (sum, parts) in [(left, 1001), (right, 1001)] {
        let tree = tree(&sum);
        let flat = tree.flattened();
        assert_eq!((tree.depth(), flat.depth()), (1002, 4));
        // The innermost sum, and what was added to it at each of the other 999 steps.
        assert_eq!(flat.children(1).count(), parts - 1);
        assert_eq!(flat.text().len(), tree.text().len());
    }
}

#[test]
fn a_node_is_skipped_that_stays_and_is_dead_weight_otherwise() {
    let sum = (0..20).fold(Number(b'2'), |sum, _| Sum(sum.into(), Box::new(Number(b'2'))));
    let questions = |transforms: &[Transform]| {
        let transforms = transforms.iter().copied().collect();
        reduce(tree(&sum).flattened(), TreeReducer::HddStar, MinimizerKind::Dfs, transforms, |text| {
            text.matches('+').count() >= 10
        })
    };
    let (skipped, without) = (questions(&[Transform::Skip]), questions(&[]));
    assert_eq!(skipped.0.matches('+').count(), 10);
    assert!(skipped.1 < without.1, "{skipped:?} {without:?}");
}

#[test]
fn hoisting_out_of_deep_nesting_asks_its_logarithm() {
    const DEPTH: u32 = 100_000;
    // Brackets around brackets around `x`; `y` stands where it is halfway down.
    let nested = |halfway: bool| {
        let depth = DEPTH as usize;
        let (open, close) = ("(".repeat(depth / 2), ")".repeat(depth / 2));
        let middle = if halfway { "y" } else { "" };
        let input = [&open, middle, &open, "x", &close, &close].concat();
        let mut builder = TreeBuilder::new(input.clone().into(), vec!["root", "brackets", "letter", "token"]);
        let place = Syntax { slot: Some(0), ..Role::Fixed.into() };
        builder.open(0, Role::Fixed);
        for (at, byte) in (0..).zip(input.bytes()) {
            match byte {
                b'(' => {
                    builder.open(1, place);
                    builder.token(at..at + 1, 1, 3, Role::Fixed);
                }
                b')' => {
                    builder.token(at..at + 1, 1, 3, Role::Fixed);
                    builder.close();
                }
                _ => builder.token(at..at + 1, 1, 2, if byte == b'x' { place } else { Role::Fixed.into() }),
            }
        }
        builder.close();
        builder.finish(Quotes::Known, &[Slot { kinds: vec![1, 2], minimal: None }])
    };
    for reducer in TreeReducer::ALL {
        let hoist = [Transform::Skip, Transform::Hoist].into_iter().collect();
        let contains_x = |text: &str| text.contains('x');
        let (result, questions) = reduce(nested(false), reducer, MinimizerKind::Dfs, hoist, contains_x);
        assert_eq!(result, "x", "{}", reducer.name());
        assert!(questions <= 40, "{}: {questions}", reducer.name());
    }
    // What is around `y` goes, and then all between it and `x`.
    let hoist = [Transform::Skip, Transform::Hoist].into_iter().collect();
    let (result, questions) = reduce(nested(true), TreeReducer::HddStar, MinimizerKind::Dfs, hoist, |text| {
        text.contains('y') && text.contains('x')
    });
    assert_eq!(result, "(yx)");
    assert!(questions <= 100, "{questions}");
}
