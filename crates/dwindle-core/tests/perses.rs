//! What syntax-guided reduction asks and guarantees, on lists of letters in brackets.

mod brackets;

use brackets::{arbitrary, letters, tree};
use dwindle_core::{
    Answer, Ask, MinimizerConfig, MinimizerKind, Outcome, PersesReducer, PersesSearch, Role, Search, Shape,
    Variant,
};
use proptest::prelude::*;

fn balanced(text: &[u8]) -> bool {
    let mut depth = 0i32;
    text.iter().all(|byte| {
        depth += i32::from(*byte == b'(') - i32::from(*byte == b')');
        depth >= 0
    }) && depth == 0
}

/// The text without brackets that close nothing, and with those that are missing at its end.
fn closed(text: &str) -> Vec<u8> {
    let mut depth = 0;
    let mut closed = Vec::new();
    for byte in text.bytes() {
        match byte {
            b')' if depth == 0 => continue,
            b')' => depth -= 1,
            b'(' => depth += 1,
            _ => {}
        }
        closed.push(byte);
    }
    closed.resize(closed.len() + depth, b')');
    closed
}

/// The result and what was asked about; checks what holds for every question.
fn reduce(
    input: &[u8],
    reducer: PersesReducer,
    kind: MinimizerKind,
    interesting: impl Fn(&[u8]) -> bool,
) -> (Variant, Vec<Vec<u8>>) {
    let mut search = PersesSearch::new(tree(input, false), reducer, MinimizerConfig::new(kind));
    let mut accepted = vec![letters(input)];
    let mut asked = Vec::new();
    loop {
        let base = search.best().clone();
        match search.ask() {
            Ask::Done => return (base, asked),
            Ask::Parse(variant, shape) => {
                assert_eq!(shape, Shape::Tree);
                search.tell(Answer::Tree(tree(&letters(&variant.render()), false)));
                assert_eq!(letters(&search.best().render()), letters(&base.render()));
            }
            Ask::Test(variant) => {
                let Ask::Test(again) = search.ask() else { panic!("another answer the second time") };
                assert_eq!(variant, again);
                let text = letters(&variant.render());
                let key = |variant: &Variant| (variant.tokens(), variant.render().len());
                // As a driver does: what is no smaller is no progress.
                let smaller = key(&variant) < key(&base);
                let yes = smaller && interesting(&text);
                search.tell(Answer::Outcome(if yes { Outcome::Interesting } else { Outcome::Uninteresting }));
                accepted.extend(yes.then(|| text.clone()));
                asked.push(text);
                assert!(accepted.contains(&letters(&search.best().render())), "the best was not accepted");
            }
        }
    }
}

/// All texts that differ from `text` by one thing that the grammar lets go: a letter or a group.
fn without_a_node(text: &[u8]) -> Vec<Vec<u8>> {
    let tree = tree(text, false);
    let nodes = tree.nodes().iter().filter(|node| node.role == Role::Deletable);
    nodes.map(|node| [&text[..node.tokens().start], &text[node.tokens().end..]].concat()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(80) })]

    #[test]
    fn no_node_can_go_from_a_result(
        shape in "[a-d()]{1,16}", seed in any::<u64>(), rarity in 2u64..8,
    ) {
        let input = shape.as_bytes();
        let interesting = arbitrary(seed, rarity);
        for reducer in PersesReducer::ALL {
            for kind in MinimizerKind::ALL {
                let (best, _) = reduce(input, reducer, kind, &interesting);
                let best = letters(&best.render());
                prop_assert!(best == input || interesting(&best));
                for less in without_a_node(&best) {
                    prop_assert!(
                        !interesting(&less), "{} {}: {:?} of {:?}", reducer.name(), kind.name(),
                        String::from_utf8_lossy(&less), String::from_utf8_lossy(&best),
                    );
                }
            }
        }
    }

    #[test]
    fn no_question_of_perses_has_a_syntax_error(shape in "[a-d()]{1,24}", seed in any::<u64>()) {
        let input = closed(&shape);
        for reducer in [PersesReducer::Perses, PersesReducer::PersesPlus] {
            let (_, asked) = reduce(&input, reducer, MinimizerKind::Dfs, arbitrary(seed, 3));
            prop_assert!(asked.iter().all(|text| balanced(text)), "{:?}", asked);
        }
    }
}

fn count(input: &str, reducer: PersesReducer, interesting: impl Fn(&[u8]) -> bool) -> (String, usize) {
    let (best, asked) = reduce(input.as_bytes(), reducer, MinimizerKind::Dfs, interesting);
    (String::from_utf8(letters(&best.render())).expect("it was letters"), asked.len())
}

fn has(text: &[u8], needed: &str) -> bool {
    needed.bytes().all(|byte| text.contains(&byte))
}

#[test]
fn elements_of_a_list_take_the_place_of_the_group_around_them() {
    let interesting = |text: &[u8]| has(text, "xy");
    assert_eq!(count("a(b(x)(cy))", PersesReducer::Perses, interesting).0, "xy");
}

#[test]
fn every_question_of_perses_is_the_next_smallest_thing() {
    let (best, asked) = reduce(b"a((x))b", PersesReducer::Perses, MinimizerKind::Dfs, |text| has(text, "x"));
    let asked: Vec<_> = asked.iter().map(|text| String::from_utf8_lossy(text)).collect();
    // The empty list first; then halves of it, the last first; then what is in the group.
    assert_eq!(asked[..6], ["", "a((x))", "a", "((x))", "", "x"]);
    assert_eq!(letters(&best.render()), b"x");
}

#[test]
fn a_minimal_string_stands_in_for_what_cannot_go() {
    let interesting = |text: &[u8]| text.contains(&b'(') && balanced(text) && text.len() > 2;
    let (best, _) = count("(abc)", PersesReducer::PersesPlus, interesting);
    assert_eq!(best.len(), 3);
}

#[test]
fn deep_nesting_takes_few_questions() {
    let depth = 20_000;
    let nest = |inner: &str| format!("{}{inner}{}", "(".repeat(depth), ")".repeat(depth));
    let (best, questions) = count(&nest("x"), PersesReducer::PersesPlus, |text| has(text, "x"));
    assert_eq!(best, "x");
    assert!(questions < 100, "{questions} questions");
    // What is needed lies in the middle.
    let (best, questions) =
        count(&nest(&format!("x{}", nest("y"))), PersesReducer::PersesPlus, |text| has(text, "x"));
    assert_eq!(best, "x");
    assert!(questions < 200, "{questions} questions");
}
