//! What reduction by names asks and guarantees, on lists of letters in brackets: a capital introduces a
//! name, its small letter uses it.

mod brackets;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::Arc;

use brackets::{arbitrary, letters, tree};
use dwindle_core::linked::{ClosureDepth, Links};
use dwindle_core::{
    Answer, Ask, Evidence, How, Lexicon, LinkedSearch, List, MinimizerConfig, MinimizerKind, Outcome, Quotes,
    Role, Search, Shape, Syntax, TreeBuilder, Vocabulary,
};
use proptest::prelude::*;

struct Run {
    result: String,
    asked: Vec<String>,
}

/// The minimiser, and the most questions about one base.
type Config = (MinimizerConfig, NonZeroUsize);

/// Runs a reduction; `complain` is what the test prints of a text that it refuses.
fn reduce(
    input: &str,
    named: bool,
    (minimizer, batch_width): Config,
    interesting: impl Fn(&[u8]) -> bool,
    complain: impl Fn(&[u8]) -> Vec<u8>,
) -> Run {
    let vocabulary = Arc::new(Vocabulary::of(b"a b c d e f g h"));
    let mut search = LinkedSearch::new(tree(input.as_bytes(), named), minimizer, batch_width);
    let mut accepted = BTreeSet::from([letters(input.as_bytes())]);
    let mut asked = Vec::new();
    loop {
        let base = search.best().clone();
        assert!(accepted.contains(&letters(&base.render())), "the base was not accepted");
        match search.ask() {
            Ask::Done => {
                let result = String::from_utf8(letters(&base.render())).expect("it was letters");
                return Run { result, asked };
            }
            Ask::Parse(variant, shape) => {
                assert_eq!(shape, Shape::Tree);
                search.tell(Answer::Tree(tree(&letters(&variant.render()), named)));
            }
            Ask::Test(variant) => {
                let Ask::Test(again) = search.ask() else { panic!("another answer the second time") };
                assert_eq!(variant, again);
                let text = letters(&variant.render());
                let key = |variant: &dwindle_core::Variant| (variant.tokens(), variant.render().len());
                let yes = key(&variant) < key(&base) && interesting(&text);
                asked.push(String::from_utf8(text.clone()).expect("it was letters"));
                let evidence = Evidence::in_output(&vocabulary, &complain(&text));
                search.tell(match yes {
                    true => Answer::Outcome(Outcome::Interesting),
                    false if search.learns_from(&evidence) => Answer::Refused(evidence),
                    false => Answer::Outcome(Outcome::Uninteresting),
                });
                accepted.extend(yes.then_some(text));
            }
        }
    }
}

fn config(kind: MinimizerKind, batch_width: usize) -> Config {
    (MinimizerConfig::new(kind), NonZeroUsize::new(batch_width).expect("one question is the least"))
}

fn silent(_: &[u8]) -> Vec<u8> {
    Vec::new()
}

/// The small letters that stand in `text` but whose capital does not, and the other way round.
fn dangling(text: &[u8]) -> Vec<u8> {
    let has = |letter: u8| text.contains(&letter);
    let other = |letter: u8| letter ^ 0x20;
    text.iter().copied().filter(|&letter| letter.is_ascii_alphabetic() && !has(other(letter))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn no_node_can_go_from_a_result(
        shape in "[a-dA-D()]{1,16}", seed in any::<u64>(), rarity in 2u64..8, width in 1usize..9,
    ) {
        let interesting = arbitrary(seed, rarity);
        for kind in MinimizerKind::ALL {
            let Run { result, .. } = reduce(&shape, true, config(kind, width), &interesting, silent);
            prop_assert!(result == shape || interesting(result.as_bytes()));
            let tree = tree(result.as_bytes(), false);
            for node in tree.nodes().iter().filter(|node| node.role == Role::Deletable) {
                let (start, end) = (node.tokens().start, node.tokens().end);
                let less = [&result[..start], &result[end..]].concat();
                prop_assert!(!interesting(less.as_bytes()), "{}: {less:?} of {result:?}", kind.name());
            }
        }
    }

    #[test]
    fn whatever_a_test_prints_the_result_is_minimal(
        shape in "[a-dA-D()]{1,16}", seed in any::<u64>(), rarity in 2u64..8,
    ) {
        let interesting = arbitrary(seed, rarity);
        let complain = |text: &[u8]| text.iter().flat_map(|byte| [byte.to_ascii_lowercase(), b' ']).collect();
        let Run { result, .. } =
            reduce(&shape, true, config(MinimizerKind::Dfs, 4), &interesting, complain);
        let tree = tree(result.as_bytes(), false);
        for node in tree.nodes().iter().filter(|node| node.role == Role::Deletable) {
            let less = [&result[..node.tokens().start], &result[node.tokens().end..]].concat();
            prop_assert!(!interesting(less.as_bytes()), "{less:?} of {result:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(30) })]

    #[test]
    fn no_node_can_go_from_what_is_left_of_a_large_text(
        groups in prop::collection::vec("\\([a-dA-D1]{1,3}(\\([a-d1]{2}\\))?\\)", 40..70),
        seed in any::<u64>(),
        rarity in 2u64..4,
    ) {
        let interesting = arbitrary(seed, rarity);
        let input = groups.concat();
        let Run { result, .. } =
            reduce(&input, true, config(MinimizerKind::Dfs, 4), &interesting, silent);
        prop_assert!(result == input || interesting(result.as_bytes()));
        let tree = tree(result.as_bytes(), false);
        for node in tree.nodes().iter().filter(|node| node.role == Role::Deletable) {
            let less = [&result[..node.tokens().start], &result[node.tokens().end..]].concat();
            prop_assert!(!interesting(less.as_bytes()), "{less:?} of {result:?}");
        }
    }
}

#[test]
fn in_a_large_text_what_matters_last_is_found_first_and_kept_with_what_it_needs() {
    let fill = |count: usize| "(11)".repeat(count);
    let input = format!("{}(A){}(Ba)(Cb(11)){}(zc){}", fill(50), fill(10), fill(60), fill(20));
    let has = |text: &[u8], letter: u8| text.contains(&letter);
    let declared = |text: &[u8]| b"abc".iter().all(|&letter| !has(text, letter) || has(text, letter - 0x20));
    let interesting = |text: &[u8]| has(text, b'z') && has(text, b'c') && declared(text);
    let run = reduce(&input, true, config(MinimizerKind::Dfs, 1), interesting, silent);
    let enough = run.asked.iter().position(|text| text == "(A)(Ba)(Cb)(zc)");
    assert!(enough.is_some_and(|asked| asked <= 10), "{enough:?} of {:?}", run.asked);
}

#[test]
fn a_large_statement_goes_first_with_what_uses_it() {
    let fill = |count: usize| "(11)".repeat(count);
    let input = format!("(L{}){}(l1){}(zz){}", "1".repeat(99), fill(40), fill(20), fill(20));
    let interesting = |text: &[u8]| text.contains(&b'z') && text.contains(&b'L') == text.contains(&b'l');
    let run = reduce(&input, true, config(MinimizerKind::Dfs, 1), interesting, silent);
    assert_eq!(run.asked[0], format!("{}(zz){}", fill(60), fill(20)));
}

#[test]
fn members_are_kept_where_what_they_are_in_is_needed() {
    // No scope tells which `m` is meant: the one of what is needed, though it is not the first.
    let fill = |count: usize| "(11)".repeat(count);
    let input = format!("{}(P(M1)){}(Q(N1)(M1)){}(zqm){}", fill(30), fill(30), fill(30), fill(9));
    let interesting = |text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        text.contains("(Q(M1))") && text.contains("zqm")
            || text.contains("(Q(N1)(M1))") && text.contains("zqm")
    };
    let run = reduce(&input, true, config(MinimizerKind::Dfs, 1), interesting, silent);
    let enough = run.asked.iter().position(|text| text == "(Q(M1))(zqm)");
    assert!(enough.is_some_and(|asked| asked <= 10), "{enough:?} of {:?}", run.asked);
}

#[test]
fn what_uses_a_name_goes_with_what_introduces_it() {
    // As in a strict language: no name without its introduction, and none that is not used.
    let interesting = |text: &[u8]| text.contains(&b'd') && dangling(text).is_empty();
    let run =
        |named| reduce("(ABCDEFGH)(abcdefgh)", named, config(MinimizerKind::Dfs, 1), interesting, silent);
    assert_eq!(run(true).result, "Dd");
    assert_eq!(run(false).result.len(), 16, "no letter can go without another");
}

#[test]
fn a_use_belongs_to_the_innermost_scope_that_introduces_its_name() {
    let tree = tree(b"A(Aab)(aB)b", true);
    let node_of = |token: usize| {
        let leaf = |&node: &usize| tree.tokens(node) == (token..token + 1);
        (0..tree.nodes().len()).rev().find(leaf).expect("every token has a leaf")
    };
    let taken = |token, reach| -> Vec<usize> {
        let nodes = Links::of(&tree).taken_by(&tree, node_of(token), reach);
        nodes.into_iter().map(|node| tree.tokens(node as usize).start).collect()
    };
    assert_eq!(taken(0, ClosureDepth::Narrow), [0, 7], "the outer A and the use that sees it");
    assert_eq!(taken(2, ClosureDepth::Narrow), [2, 3], "the inner A and its use");
    assert_eq!(
        taken(0, ClosureDepth::Full),
        [0, 6, 10],
        "the group that uses it, and what uses what is in there"
    );
    assert_eq!(taken(0, ClosureDepth::Alone), [0]);
    // The last use takes along what introduces the name.
    assert_eq!(taken(3, ClosureDepth::Full), [2, 3]);
    assert_eq!(taken(3, ClosureDepth::Narrow), [2, 3]);
    // What comes before all that introduces a name is not about that name.
    assert_eq!(taken(8, ClosureDepth::Narrow), [8, 10]);
}

#[test]
fn the_argument_goes_with_the_parameter() {
    let text = b"F(X,Y) f(p,q)";
    let mut lexicon = Lexicon::from(vec!["root", "item", "list", "token"]);
    lexicon.signs.calls = &["("];
    let mut builder = TreeBuilder::new(text.to_vec(), lexicon);
    let element = |id, role| Syntax { list: Some(List { id, some: false }), ..Syntax::from(role) };
    builder.open(0, Role::Fixed);
    for (id, start) in [(1, 0), (2, 7)] {
        builder.open(1, element(0, Role::Deletable));
        let byte = |at: usize| text[start as usize + at];
        let name = |builder: &mut TreeBuilder, at: usize| {
            let how = if byte(at).is_ascii_uppercase() { How::Introduces } else { How::Uses };
            builder.name(&[byte(at).to_ascii_lowercase()], how);
        };
        builder.token(start..start + 1, 1, 3, Role::Fixed);
        name(&mut builder, 0);
        builder.open(2, Role::Fixed);
        let roles = [
            Role::Fixed.into(),
            element(id, Role::Deletable),
            element(id, Role::Separator),
            element(id, Role::Deletable),
            Role::Fixed.into(),
        ];
        for (at, syntax) in (1..).zip(roles) {
            builder.token(start + at..start + at + 1, 1, 3, syntax);
            if byte(at as usize).is_ascii_alphabetic() {
                name(&mut builder, at as usize);
            }
        }
        builder.close();
        builder.close();
    }
    builder.close();
    let tree = builder.finish(Quotes::Known, &[]);
    let parameter = (0..tree.nodes().len()).rev().find(|&node| tree.tokens(node) == (4..5));
    let taken = Links::of(&tree).taken_by(&tree, parameter.expect("Y is there"), ClosureDepth::Narrow);
    let texts: Vec<&[u8]> =
        taken.iter().map(|&node| tree.text().piece(tree.tokens(node as usize).start)).collect();
    assert_eq!(texts, [b"Y", b"q"]);
}

#[test]
fn a_test_that_names_what_it_misses_saves_questions() {
    // No scope tells that `a` needs the `A` of another group.
    let interesting = |text: &[u8]| text.contains(&b'h') && dangling(text).is_empty();
    let input = "(h)(H)(abcdefg)(Ba)(Cb)(Dc)(Ed)(Fe)(Gf)(Ag)";
    let minimizer = config(MinimizerKind::Dfs, 1);
    let complain = |text: &[u8]| {
        let lower = dangling(text).into_iter().map(|letter| letter.to_ascii_lowercase());
        lower.flat_map(|letter| [letter, b' ']).collect()
    };
    let (talking, mute) = (
        reduce(input, true, minimizer, interesting, complain),
        reduce(input, true, minimizer, interesting, silent),
    );
    assert!(talking.result.len() <= mute.result.len());
    assert!(talking.asked.len() < mute.asked.len(), "{} {}", talking.asked.len(), mute.asked.len());
}

#[test]
fn dangling_references_that_fail_are_left_to_the_check() {
    // All letters have to stay; the digits go bit by bit.
    let interesting =
        |text: &[u8]| (b'a'..=b'h').all(|letter| text.contains(&letter) && text.contains(&(letter ^ 0x20)));
    let input = "ABCD(1(2(3(4E(5F(6GH((a)b)((c)d)7)((e(8f))((g)h9))))))))";
    let run = reduce(input, true, config(MinimizerKind::Dfs, 1), interesting, silent);
    let loses = |text: &&String| dangling(text.as_bytes()).iter().any(|letter| letter.is_ascii_lowercase());
    let in_vain = run.asked.iter().filter(loses).count();
    assert!(in_vain <= 4 + 8, "{in_vain} of {} questions", run.asked.len());
}

#[test]
fn a_list_of_which_all_has_to_stay_is_asked_about_one_by_one() {
    let input = "ijklmnopqrstuvwx";
    let run = reduce(input, true, config(MinimizerKind::Dfs, 1), |text| text == input.as_bytes(), silent);
    assert_eq!(run.result, input);
    assert!(run.asked.len() <= input.len() + 1, "{} questions", run.asked.len());
}

#[test]
fn what_was_refused_is_not_asked_again_when_some_of_it_has_gone() {
    // The groups are refused first, then `a` and `b` go, and the groups without them are what they were.
    let interesting = |text: &[u8]| b"xy".iter().all(|letter| text.contains(letter));
    let run = reduce("((ax)(by))", true, config(MinimizerKind::Dfs, 1), interesting, silent);
    assert_eq!(run.result, "xy");
    let asked: BTreeSet<&String> = run.asked.iter().collect();
    assert_eq!(asked.len(), run.asked.len(), "{:?}", run.asked);
}

#[test]
fn a_width_changes_when_things_go_but_not_what_is_needed() {
    let interesting = |text: &[u8]| b"xyz".iter().all(|letter| text.contains(letter));
    for width in [1, 2, 8, 64] {
        let input = "(ab(x)(cd))(e(f(y)g))(((z)))";
        let run = reduce(input, true, config(MinimizerKind::Dfs, width), interesting, silent);
        assert_eq!(run.result, "xyz", "width {width}");
    }
}
