//! What every tree reducer guarantees, on random trees and arbitrary oracles.

use std::sync::Arc;

use dwindle_core::{
    Answer, Ask, MinimizerConfig, MinimizerKind, Outcome, Quotes, Role, Search, Tree, TreeBuilder,
    TreeReducer, TreeSearch, Variant,
};
use proptest::prelude::*;

/// A tree of groups; `(` opens one, `)` closes one, any other letter is a leaf. All can go.
fn tree(shape: &str) -> Arc<Tree> {
    let letters: Vec<u8> = shape.bytes().filter(|byte| byte.is_ascii_lowercase()).collect();
    let mut builder = TreeBuilder::new(letters, vec!["root", "group", "leaf"]);
    builder.open(0, Role::Fixed);
    let (mut depth, mut at) = (0, 0);
    for byte in shape.bytes() {
        match byte {
            b'(' => {
                builder.open(1, Role::Deletable);
                depth += 1;
            }
            b')' if depth > 0 => {
                builder.close();
                depth -= 1;
            }
            b')' => {}
            _ => {
                builder.token(at..at + 1, 1, 2, Role::Deletable);
                at += 1;
            }
        }
    }
    (0..depth).for_each(|_| builder.close());
    builder.close();
    Arc::new(builder.finish(Quotes::Known, &[]))
}

/// An arbitrary but fixed answer for every text; about one in `rarity` is interesting, and the input
/// is.
fn oracle(seed: u64, rarity: u64, input: Vec<u8>) -> impl Fn(&[u8]) -> bool {
    move |text| {
        let hash =
            text.iter().fold(seed | 1, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        text == input || (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33 < (1 << 31) / rarity
    }
}

fn reduce(
    tree: &Arc<Tree>,
    reducer: TreeReducer,
    kind: MinimizerKind,
    interesting: impl Fn(&[u8]) -> bool,
) -> Variant {
    let mut search = TreeSearch::new(tree.clone(), reducer, MinimizerConfig::new(kind));
    let mut size = search.best().tokens();
    let mut accepted = vec![search.best().render()];
    while let Ask::Test(variant) = search.ask() {
        // Asking is pure, and every question is about something smaller.
        let Ask::Test(again) = search.ask() else { panic!("another answer the second time") };
        assert_eq!(variant.render(), again.render());
        assert!(variant.tokens() < size, "no smaller than the best");
        let interesting = interesting(&variant.render());
        search.tell(Answer::Outcome(if interesting { Outcome::Interesting } else { Outcome::Uninteresting }));
        accepted.extend(interesting.then(|| variant.render()));
        if search.best().tokens() != size {
            assert!(search.best().tokens() < size, "larger than before");
            assert!(accepted.contains(&search.best().render()), "the best was not told to be interesting");
            size = search.best().tokens();
        }
    }
    search.best().clone()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn reducers_that_go_on_until_nothing_goes_are_one_tree_minimal(
        shape in "[a-z()]{1,14}", seed in any::<u64>(), rarity in 2u64..8,
    ) {
        let tree = tree(&shape);
        let input = Variant::whole(tree.text().clone()).render();
        let interesting = oracle(seed, rarity, input.clone());
        for reducer in TreeReducer::ALL {
            for kind in MinimizerKind::ALL {
                let best = reduce(&tree, reducer, kind, &interesting);
                prop_assert!(interesting(&best.render()), "{} {}", reducer.name(), kind.name());
                if reducer == TreeReducer::Hdd {
                    continue;
                }
                for node in tree.nodes().iter().filter(|node| node.role == Role::Deletable) {
                    let mut without = best.clone();
                    without.kept.remove_range(node.tokens());
                    prop_assert!(
                        without.kept.len() == best.kept.len() || !interesting(&without.render()),
                        "{} {}: {:?} can go from {:?}",
                        reducer.name(), kind.name(), node.tokens(), String::from_utf8_lossy(&best.render()),
                    );
                }
            }
        }
    }
}
