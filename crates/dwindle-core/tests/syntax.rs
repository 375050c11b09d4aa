//! What a tree tells of its nodes beyond their roles: lists, groups, slots and minimal strings.

use std::sync::Arc;

use dwindle_core::{
    Answer, Ask, List, MinimizerConfig, MinimizerKind, Outcome, PersesReducer, PersesSearch, Quotes, Role,
    Search, Slot, StandIn, Syntax, Tree, TreeBuilder, TreeReducer, TreeSearch,
};

const KINDS: [&str; 5] = ["call", "name", "sum", "punctuation", "comma"];

fn element(list: List, role: Role, slot: Option<u32>) -> Syntax {
    Syntax { role, slot, list: Some(list), trailing: false }
}

/// `f(a,b+c,)`: a name, a list of arguments with a separator behind the last, one argument a sum of
/// which `+c` goes as a group. Names and sums fit where arguments are, names alone in sums.
fn call() -> Tree {
    let arguments = List { id: 0, some: false };
    let argument = |role| element(arguments, role, Some(0));
    let mut builder = TreeBuilder::new(b"f(a,b+c,)".to_vec(), KINDS.to_vec());
    builder.open(0, Role::Fixed);
    builder.token(0..1, 1, 1, Role::StandIn(1));
    builder.token(1..2, 1, 3, Role::Fixed);
    builder.token(2..3, 1, 1, argument(Role::Deletable));
    builder.token(3..4, 1, 4, element(arguments, Role::Separator, None));
    builder.open(2, argument(Role::Deletable));
    builder.token(4..5, 1, 1, Syntax { slot: Some(1), ..Role::StandIn(1).into() });
    builder.open_group(Role::Deletable);
    builder.token(5..6, 1, 3, Role::Fixed);
    builder.token(6..7, 1, 1, Syntax { slot: Some(1), ..Role::StandIn(1).into() });
    builder.close();
    builder.close();
    builder.token(7..8, 1, 4, Syntax { trailing: true, ..element(arguments, Role::Deletable, None) });
    builder.token(8..9, 1, 3, Role::Fixed);
    builder.close();
    let string = StandIn { bytes: b"x".into(), tokens: 1 };
    let slots = [Slot { kinds: vec![1, 2], minimal: None }, Slot { kinds: vec![1], minimal: Some(string) }];
    builder.finish(Quotes::Known, &slots)
}

/// All texts that an HDD search asks about, nothing being interesting but what `interesting` says.
fn asked(tree: &Arc<Tree>, reducer: TreeReducer, interesting: impl Fn(&str) -> bool) -> Vec<String> {
    asked_by(TreeSearch::new(tree.clone(), reducer, MinimizerConfig::new(MinimizerKind::Dfs)), interesting)
}

fn asked_by(mut search: impl Search, interesting: impl Fn(&str) -> bool) -> Vec<String> {
    let mut asked = Vec::new();
    while let Ask::Test(variant) = search.ask() {
        let text = String::from_utf8(variant.render()).expect("the input is ASCII");
        let outcome = if interesting(&text) { Outcome::Interesting } else { Outcome::Uninteresting };
        asked.push(text);
        search.tell(Answer::Outcome(outcome));
    }
    asked
}

#[test]
fn a_tree_tells_lists_groups_and_slots() {
    let tree = call();
    let names: Vec<&str> = (0..tree.nodes().len()).map(|node| tree.kind_name(node)).collect();
    let expect = [
        "call",
        "name",
        "punctuation",
        "name",
        "comma",
        "sum",
        "name",
        "group",
        "punctuation",
        "name",
        "comma",
    ];
    assert_eq!(names[..11], expect);
    assert_eq!(tree.lists(0), [(List { id: 0, some: false }, vec![3, 5])]);
    assert!(tree.lists(5).is_empty());
    assert!(tree.is_group(7) && !tree.is_group(5));
    assert!(tree.is_trailing(10) && !tree.is_trailing(4));
    assert_eq!((tree.slot(3), tree.slot(6), tree.slot(7)), (Some(0), Some(1), None));
    let sum = tree.nodes()[5].kind;
    assert!(tree.fits(0, sum) && !tree.fits(1, sum));
    assert_eq!(tree.slot_kinds(0), [1, 2]);
}

#[test]
fn a_string_of_the_input_is_better_than_one_of_the_grammar_that_is_as_short() {
    let tree = call();
    let string = |slot| &tree.stand_in(tree.minimal(slot).unwrap()).bytes;
    // `f` is a name too and comes first, but it stands elsewhere.
    assert_eq!((string(0).as_slice(), string(1).as_slice()), (b"a".as_slice(), b"b".as_slice()));
}

#[test]
fn a_token_stands_in_for_another_only_where_it_is_shorter() {
    for (names, expect) in [("ab c", vec!["c c"]), ("ab *", vec!["* *"]), ("b a", vec![])] {
        let (at, end) = (names.find(' ').expect("there are two") as u32, names.len() as u32);
        let name = Syntax { slot: Some(0), ..Role::StandIn(0).into() };
        let mut builder = TreeBuilder::new(names.into(), KINDS.to_vec());
        builder.open(0, Role::Fixed);
        builder.token(0..at, 1, 1, name);
        builder.token(at + 1..end, 1, 1, name);
        builder.close();
        let tree = builder.finish(Quotes::Known, &[Slot { kinds: vec![1], minimal: None }]);
        let config = MinimizerConfig::new(MinimizerKind::Dfs);
        let search = PersesSearch::new(tree.into(), PersesReducer::PersesPlus, config);
        assert_eq!(asked_by(search, |_| false), expect, "{names}");
    }
}

#[test]
fn a_last_separator_goes_with_the_last_element_or_alone() {
    let tree = Arc::new(call());
    let first = asked(&tree, TreeReducer::Hddr, |_| false);
    assert!(first.contains(&"f(a,b+c)".to_owned()), "{first:?}");
    assert!(first.contains(&"f(b+c,)".to_owned()), "{first:?}");
    assert!(first.contains(&"f(a,)".to_owned()), "{first:?}");
    for reducer in [TreeReducer::Hddr, TreeReducer::HddStar] {
        let all = asked(&tree, reducer, |text| text.starts_with("f(") && text.ends_with(')'));
        assert!(all.contains(&"f()".to_owned()), "{all:?}");
        assert!(all.iter().all(|text| !text.contains("(,") && !text.contains(",,")), "{all:?}");
    }
}

#[test]
fn a_group_goes_as_one() {
    let tree = Arc::new(call());
    let asked = asked(&tree, TreeReducer::Hddr, |_| false);
    assert!(asked.contains(&"f(a,b,)".to_owned()), "{asked:?}");
    assert!(asked.iter().all(|text| !text.contains("b+,")), "{asked:?}");
}

#[test]
fn the_smallest_text_of_a_kind_keeps_an_element_of_a_list_that_needs_one() {
    let list = List { id: 0, some: true };
    let mut builder = TreeBuilder::new(b"x a+b y; z c d e;".to_vec(), KINDS.to_vec());
    builder.open(0, Role::Fixed);
    for (from, to, elements) in [(0, 8, [2..5, 6..7]), (9, 17, [11..14, 15..16])] {
        builder.open(2, Syntax { slot: Some(0), ..Role::StandIn(0).into() });
        builder.token(from..from + 1, 1, 1, Role::Fixed);
        for (element, weight) in elements.into_iter().zip([3, 1]) {
            builder.token(element, weight, 1, Syntax { list: Some(list), ..Role::Deletable.into() });
        }
        builder.token(to - 1..to, 1, 3, Role::Fixed);
        builder.close();
    }
    builder.close();
    let tree = builder.finish(Quotes::Known, &[Slot { kinds: vec![2], minimal: None }]);
    assert_eq!(tree.stand_in(0).bytes, b"x y;");
    assert_eq!(tree.stand_in(0).tokens, 3);
}
