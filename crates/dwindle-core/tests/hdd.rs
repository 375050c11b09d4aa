//! The HDD family on the examples of the literature. Results are those that are printed; where a number of questions is
//! that of a model of the pseudocode, the test says so.

use dwindle_core::{
    Answer, Ask, List, MinimizerConfig, MinimizerKind, Outcome, Quotes, Role, Search, StandIn, Syntax,
    Transform, Transforms, Tree, TreeBuilder, TreeReducer, TreeSearch,
};

/// The minimal string of expressions and numbers.
const EXPRESSION: u32 = 0;

/// The arithmetic of the thesis (section 5.3): `E := E op E | (E) | N`; operators and parentheses
/// are fixed, `1` is the minimal string of `E` and `N`.
fn arithmetic(input: &str) -> Tree {
    fn atom(builder: &mut TreeBuilder, input: &[u8], at: &mut usize) {
        builder.open(0, Role::StandIn(EXPRESSION));
        if input[*at] == b'(' {
            token(builder, at, 2, Role::Fixed);
            expression(builder, input, at);
            token(builder, at, 2, Role::Fixed);
        } else {
            let role = Role::StandIn(EXPRESSION);
            token(builder, at, 1, role);
        }
        builder.close();
    }
    fn token(builder: &mut TreeBuilder, at: &mut usize, kind: u32, role: Role) {
        builder.token(*at as u32..*at as u32 + 1, 1, kind, role);
        *at += 1;
    }
    fn expression(builder: &mut TreeBuilder, input: &[u8], at: &mut usize) {
        builder.open(0, Role::StandIn(EXPRESSION));
        atom(builder, input, at);
        if input.get(*at).is_some_and(|byte| b"+-*/".contains(byte)) {
            token(builder, at, 2, Role::Fixed);
            atom(builder, input, at);
        }
        builder.close();
    }
    let mut builder = TreeBuilder::new(input.into(), vec!["E", "N", "operator"]);
    expression(&mut builder, input.as_bytes(), &mut 0);
    builder.finish_with(Quotes::Known, vec![StandIn { bytes: b"1".into(), tokens: 1 }])
}

/// Whether evaluating the expression divides by zero.
fn divides_by_zero(input: &str) -> bool {
    fn atom(input: &[u8], at: &mut usize) -> Option<f64> {
        *at += 1;
        if input[*at - 1] == b'(' {
            let value = expression(input, at);
            *at += 1;
            value
        } else {
            Some(f64::from(input[*at - 1] - b'0'))
        }
    }
    fn expression(input: &[u8], at: &mut usize) -> Option<f64> {
        let left = atom(input, at);
        let Some(&operator) = input.get(*at).filter(|byte| b"+-*/".contains(byte)) else { return left };
        *at += 1;
        let (left, right) = (left?, atom(input, at)?);
        match operator {
            b'+' => Some(left + right),
            b'-' => Some(left - right),
            b'*' => Some(left * right),
            _ => (right != 0.0).then(|| left / right),
        }
    }
    expression(input.as_bytes(), &mut 0).is_none()
}

/// The questions with their outcomes, repeats left out, and the result.
fn run(
    tree: Tree,
    reducer: TreeReducer,
    kind: MinimizerKind,
    interesting: impl Fn(&str) -> bool,
) -> (Vec<String>, String) {
    run_with(tree, reducer, kind, Transforms::default(), interesting)
}

fn run_with(
    tree: Tree,
    reducer: TreeReducer,
    kind: MinimizerKind,
    transforms: Transforms,
    interesting: impl Fn(&str) -> bool,
) -> (Vec<String>, String) {
    let mut search = TreeSearch::with(tree.into(), reducer, MinimizerConfig::new(kind), transforms);
    let mut questions: Vec<String> = Vec::new();
    while let Ask::Test(variant) = search.ask() {
        let candidate = String::from_utf8_lossy(&variant.render()).into_owned();
        let (outcome, mark) =
            if interesting(&candidate) { (Outcome::Interesting, 'T') } else { (Outcome::Uninteresting, 'F') };
        let question = format!("{candidate} {mark}");
        if !questions.contains(&question) {
            questions.push(question);
        }
        search.tell(Answer::Outcome(outcome));
    }
    (questions, String::from_utf8_lossy(&search.best().render()).into_owned())
}

/// The thesis prints the result. The questions are those of a model of its pseudocode.
#[test]
fn hdd_finds_the_printed_division_by_zero_with_the_questions_of_a_model() {
    let tree = || arithmetic("((1+(2*3))/(2-2))+(3*5)");
    let expected = [
        "1 F",
        "((1+(2*3))/(2-2))+1 T",
        "1+1 F",
        "(1)+1 F",
        "((1+(2*3))/1)+1 F",
        "(1/(2-2))+1 T",
        "(1/1)+1 F",
        "(1/(1))+1 F",
        "(1/(2-1))+1 F",
        "(1/(1-2))+1 F",
    ];
    let (questions, result) = run(tree(), TreeReducer::Hdd, MinimizerKind::Ddmin, divides_by_zero);
    assert_eq!(questions, expected);
    assert_eq!(result, "(1/(2-2))+1");
    for reducer in [TreeReducer::HddStar, TreeReducer::HddPlus, TreeReducer::Hddr] {
        let (questions, result) = run(tree(), reducer, MinimizerKind::Ddmin, divides_by_zero);
        assert_eq!((questions.len(), &result[..]), (10, "(1/(2-2))+1"), "{}", reducer.name());
    }
    let (questions, _) = run(tree(), TreeReducer::Coarse, MinimizerKind::Ddmin, divides_by_zero);
    assert!(questions.is_empty(), "nothing can be deleted without a trace: {questions:?}");
}

/// The number is that of a model with picireny's hoisting.
#[test]
fn hoisting_finds_the_smallest_division_by_zero_with_as_many_questions_as_a_model() {
    let tree = arithmetic("((1+(2*3))/(2-2))+(3*5)");
    let transforms = [Transform::Skip, Transform::Hoist].into_iter().collect();
    let (questions, result) =
        run_with(tree, TreeReducer::HddStar, MinimizerKind::Ddmin, transforms, divides_by_zero);
    assert_eq!((questions.len(), &result[..]), (13, "1/(2-2)"), "{questions:#?}");
}

#[test]
fn a_node_is_hoisted_over_five_others_at_most() {
    // Brackets of one kind each around `x`, which is of the kind of the outermost.
    let nested = |brackets: usize| {
        let input = format!("{}x{}", "(".repeat(brackets), ")".repeat(brackets));
        let kinds = vec!["e", "a", "b", "c", "d", "f", "token"];
        let token = kinds.len() as u32 - 1;
        let mut builder = TreeBuilder::new(input.clone().into(), kinds);
        for at in 0..brackets as u32 {
            builder.open(at, Role::Fixed);
            builder.token(at..at + 1, 1, token, Role::Fixed);
        }
        let x = brackets as u32;
        builder.open(0, Role::Fixed);
        builder.token(x..x + 1, 1, token, Role::Fixed);
        builder.close();
        for at in x + 1..2 * x + 1 {
            builder.token(at..at + 1, 1, token, Role::Fixed);
            builder.close();
        }
        (builder.finish(Quotes::Known, &[]), input)
    };
    let transforms = || [Transform::Skip, Transform::Hoist].into_iter().collect();
    let hoisted = |tree| {
        run_with(tree, TreeReducer::HddStar, MinimizerKind::Ddmin, transforms(), |text| text.contains('x'))
    };
    assert_eq!(hoisted(nested(5).0), (vec!["x T".to_owned()], "x".to_owned()));
    let (tree, input) = nested(6);
    assert_eq!(hoisted(tree), (Vec::new(), input));
}

/// A root with lines of words and single characters, each line a node of this role; a line can be
/// made of `|`-separated parts, which are nodes too.
fn lines(input: &str, role: Role) -> Tree {
    let mut builder = TreeBuilder::new(input.into(), vec!["root", "line", "part", "token"]);
    builder.open(0, Role::Fixed);
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut at = 0;
    for line in input.split_inclusive('\n') {
        builder.open(1, role);
        let end = at + line.len();
        while at < end {
            let rest = &input.as_bytes()[at..end];
            let length = rest.iter().take_while(|byte| word(byte)).count().max(1);
            if !rest[0].is_ascii_whitespace() {
                let role = if rest[0] == b'x' { Role::Deletable } else { Role::Fixed };
                builder.token(at as u32..(at + length) as u32, 1, 3, role);
            }
            at += length;
        }
        builder.close();
    }
    builder.close();
    builder.finish(Quotes::Known, &[])
}

#[test]
fn hdd_keeps_a_declaration_whose_use_goes_later_and_hdd_plus_and_star_do_not() {
    let tree = || lines("declare x\nuse x\n", Role::Deletable);
    let interesting =
        |text: &str| text.contains("use") && (!text.contains("use x") || text.contains("declare"));
    for (reducer, expected) in [
        (TreeReducer::Hdd, "declare\nuse\n"),
        (TreeReducer::HddPlus, "use\n"),
        (TreeReducer::HddStar, "use\n"),
        (TreeReducer::Hddr, "use\n"),
    ] {
        for kind in MinimizerKind::ALL {
            let (_, result) = run(tree(), reducer, kind, interesting);
            assert_eq!(result, expected, "{} {}", reducer.name(), kind.name());
        }
    }
}

/// The listing of the motivating example of WDD; its lines weigh 5, 8, 7, 7, 8, 16, 25 and 6 tokens.
const LISTING: &str = "typedef long long llong;
test2char64(char *p) {}
test1char8(char c) {}
test1short32(short c) {}
test2short32(short *p) {}
typedef llong vllong1 __attribute__((__vector_size__(sizeof(llong))));
vllong1 test2llong1(llong *p) { llong c = *test1char8; vllong1 v = {c}; return v; }
int main() {}
";

/// The 30 of ddmin are printed; the others belong to a reconstruction of a figure whose digits are lost in part.
#[test]
fn hdd_asks_as_many_questions_of_the_wdd_example_as_its_figure() {
    let needed: Vec<&str> =
        LISTING.lines().enumerate().filter(|(i, _)| [0, 2, 5, 6, 7].contains(i)).map(|(_, l)| l).collect();
    let interesting = |text: &str| needed.iter().all(|line| text.lines().any(|found| found == *line));
    for (kind, expected) in
        [(MinimizerKind::Ddmin, 30), (MinimizerKind::Wddmin, 26), (MinimizerKind::WProbDd, 11)]
    {
        let tree = lines(LISTING, Role::Deletable);
        let mut search = TreeSearch::new(
            tree.into(),
            TreeReducer::Hdd,
            MinimizerConfig { sigma: 0.2, ..MinimizerConfig::new(kind) },
        );
        let mut asked = std::collections::HashSet::new();
        while let Ask::Test(variant) = search.ask() {
            let candidate = String::from_utf8_lossy(&variant.render()).into_owned();
            let outcome = if interesting(&candidate) { Outcome::Interesting } else { Outcome::Uninteresting };
            asked.insert(candidate);
            search.tell(Answer::Outcome(outcome));
        }
        assert_eq!(asked.len(), expected, "{}", kind.name());
    }
}

#[test]
fn a_separator_goes_with_its_element_or_with_the_last_one() {
    let input = "f(a,b,c)";
    let list = || {
        let mut builder = TreeBuilder::new(input.into(), vec!["call", "token", "element"]);
        builder.open(0, Role::Fixed);
        for (at, byte) in (0..).zip(input.bytes()) {
            let role = match byte {
                b'a'..=b'c' => Role::Deletable,
                b',' => Role::Separator,
                _ => Role::Fixed,
            };
            builder.token(at..at + 1, 1, 1, role);
        }
        builder.close();
        builder.finish(Quotes::Known, &[])
    };
    for (needed, expected) in [
        ("a", "f(a)"),
        ("b", "f(b)"),
        ("c", "f(c)"),
        ("ac", "f(a,c)"),
        ("bc", "f(b,c)"),
        ("ab", "f(a,b)"),
        ("", "f()"),
    ] {
        for kind in MinimizerKind::ALL {
            let well_formed =
                |text: &str| !text.contains(",,") && !text.contains("(,") && !text.contains(",)");
            let interesting = |text: &str| {
                assert!(well_formed(text), "{text}");
                needed.chars().all(|element| text[1..].contains(element))
            };
            let (_, result) = run(list(), TreeReducer::HddStar, kind, interesting);
            assert_eq!(result, expected, "{}", kind.name());
        }
    }
}

#[test]
fn a_list_that_needs_an_element_keeps_one() {
    // A call of words between commas, one at least; what is not a word may stand anywhere and go.
    let input = "f(a,!b,c)";
    let call = |some| {
        let mut builder = TreeBuilder::new(input.into(), vec!["call", "token"]);
        builder.open(0, Role::Fixed);
        for (at, byte) in (0..).zip(input.bytes()) {
            let syntax = match byte {
                b'a'..=b'c' | b',' => {
                    let role = if byte == b',' { Role::Separator } else { Role::Deletable };
                    Syntax { list: Some(List { id: 0, some }), ..role.into() }
                }
                b'!' => Role::Deletable.into(),
                _ => Role::Fixed.into(),
            };
            builder.token(at..at + 1, 1, 1, syntax);
        }
        builder.close();
        builder.finish(Quotes::Known, &[])
    };
    for reducer in TreeReducer::ALL {
        for kind in MinimizerKind::ALL {
            for (needed, length) in [("", 4), ("b", 4), ("!", 5), ("bc", 6)] {
                let interesting = |text: &str| {
                    let list = text.replace('!', "");
                    let well_formed = ["(,", ",,", ",)", "()"].iter().all(|odd| !list.contains(odd));
                    assert!(well_formed, "{text}");
                    needed.chars().all(|token| text.contains(token))
                };
                let (_, result) = run(call(true), reducer, kind, interesting);
                assert_eq!(result.len(), length, "{result}: {} {}", reducer.name(), kind.name());
            }
            let (_, result) = run(call(false), reducer, kind, |_| true);
            assert_eq!(result, "f()", "{} {}", reducer.name(), kind.name());
        }
    }
}
