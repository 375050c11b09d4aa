//! The examples of the thesis on HDD (Misherghi, *Hierarchical Delta Debugging*) from their texts to the results that it
//! prints. What it prints of questions is of other tests than ours, so that of the figures only sizes are compared.

use std::path::Path;

use dwindle_core::{
    Answer, Ask, MinimizerConfig, MinimizerKind, Outcome, Role, Search, Transform, Transforms, Tree,
    TreeReducer, TreeSearch,
};

use super::{Brought, Files, TreeForm, load};

fn file(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/grammars").join(name)
}

fn grammar(name: &str, tree: TreeForm) -> Brought {
    let of = |ending: &str| file(&format!("{name}.{ending}"));
    load(&Files { grammar: of("y"), lexer: Some(of("l")), start: None, tree }).unwrap()
}

/// The questions with their outcomes, repeats left out, and the result, of ddmin; all of them are of the grammar.
fn run(
    grammar: Brought,
    input: &str,
    reducer: TreeReducer,
    transforms: Transforms,
    interesting: impl Fn(&str) -> bool,
) -> (Vec<String>, String) {
    let tree = grammar.parse(input.into()).unwrap();
    let minimizer = MinimizerConfig::new(MinimizerKind::Ddmin);
    let mut search = TreeSearch::with(tree.into(), reducer, minimizer, transforms);
    let mut questions: Vec<String> = Vec::new();
    while let Ask::Test(variant) = search.ask() {
        let text = String::from_utf8(variant.render()).unwrap();
        let yes = interesting(&text);
        let question = format!("{} {}", text.trim_end(), if yes { 'T' } else { 'F' });
        if !questions.contains(&question) {
            if let Err(refusal) = grammar.parse(text.clone().into()) {
                panic!("{refusal}: {text}");
            }
            questions.push(question);
        }
        search.tell(Answer::Outcome(if yes { Outcome::Interesting } else { Outcome::Uninteresting }));
    }
    (questions, String::from_utf8(search.best().render()).unwrap())
}

const DIVISION: &str = "((1+(2*3))/(2-2))+(3*5)";

fn divides_by_zero(expression: &str) -> bool {
    super::tests::value(expression.as_bytes()).is_none()
}

#[test]
fn the_arithmetic_of_section_5_3_has_the_printed_result() {
    let arithmetic = grammar("arithmetic", TreeForm::Thesis);
    for reducer in [TreeReducer::Hdd, TreeReducer::HddStar, TreeReducer::HddPlus, TreeReducer::Hddr] {
        let (questions, result) = run(arithmetic, DIVISION, reducer, Transforms::default(), divides_by_zero);
        assert_eq!(result, "(1/(2-2))+1", "{reducer:?}");
        // The number is that of a model of the pseudocode.
        assert_eq!(questions.len(), 10, "{questions:#?}");
    }
    // Nothing can be deleted without a string in its place.
    let (questions, _) =
        run(arithmetic, DIVISION, TreeReducer::Coarse, Transforms::default(), divides_by_zero);
    assert!(questions.is_empty(), "{questions:?}");
}

#[test]
fn hoisting_goes_beyond_the_result_of_section_5_3() {
    let arithmetic = grammar("arithmetic", TreeForm::Thesis);
    let transforms = [Transform::Skip, Transform::Hoist].into_iter().collect();
    let (_, result) = run(arithmetic, DIVISION, TreeReducer::HddStar, transforms, divides_by_zero);
    assert_eq!(result, "1/(2-2)");
}

#[test]
fn lists_go_beyond_the_result_of_section_5_3() {
    let arithmetic = grammar("arithmetic", TreeForm::Lists);
    let (_, result) = run(arithmetic, DIVISION, TreeReducer::Hdd, Transforms::default(), divides_by_zero);
    assert_eq!(result, "(1/(2-2))");
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Stands for GCC 2.95.2, which is not at hand: what it crashed on is what the printed result still has.
fn crashes_gcc(program: &str) -> bool {
    let program: String = program.split_whitespace().collect();
    let mult = program.find("mult(doublez[],intn){inti,j;").map(|at| &program[at..]);
    let body = mult.and_then(|mult| mult.split_once("for(")).map(|(_, body)| body);
    body.is_some_and(|body| body.contains("){i=i+j+1;z[i]=z[i]*(z[0]+"))
}

fn tokens(tree: &Tree) -> usize {
    tree.text().len()
}

#[test]
fn the_program_of_figure_4_1_has_the_printed_number_of_tokens() {
    let input = std::fs::read(file("mult.c")).unwrap();
    for form in TreeForm::ALL {
        assert_eq!(tokens(&grammar("c", form).parse(input.clone()).unwrap()), 277, "{form:?}");
    }
}

/// The thesis prints declarations in another way, of as many tokens (`double *z`, `int i; int j;`), and `0` for the last
/// number.
#[test]
fn the_program_of_figure_4_1_is_reduced_to_what_table_4_1_counts() {
    let input = std::fs::read_to_string(file("mult.c")).unwrap();
    let c = grammar("c", TreeForm::Lists);
    for reducer in [TreeReducer::Hdd, TreeReducer::HddStar] {
        let (questions, result) = run(c, &input, reducer, Transforms::default(), crashes_gcc);
        let expected =
            "mult(double z[], int n) { int i, j; for (;;) { i = i + j + 1; z[i] = z[i] * (z[0] + 1.0); } }";
        assert_eq!(words(&result), expected, "{reducer:?}");
        assert_eq!(tokens(&c.parse(result.into()).unwrap()), 51);
        // Table 4.1 has 86 of HDD and 164 of HDD*.
        assert!(questions.len() <= 86, "{reducer:?} asks {}", questions.len());
    }
}

#[test]
fn in_a_tree_of_the_thesis_statements_become_the_shortest_ones() {
    let c = grammar("c", TreeForm::Thesis);
    let input = "int f(void) { a = 1; b(2, 3); c; return 4; }";
    let interesting = |text: &str| text.contains("c;");
    let (_, result) = run(c, input, TreeReducer::HddStar, Transforms::default(), interesting);
    assert_eq!(words(&result), "a { c; ; }");
}

#[test]
fn a_tree_of_the_thesis_has_a_node_for_each_rule_and_no_lists() {
    let arithmetic = grammar("arithmetic", TreeForm::Thesis).parse(b"1+22*3".to_vec()).unwrap();
    let shown = |tree: &Tree| {
        let strings = (0..tree.nodes().len()).map(|node| {
            assert_eq!((tree.list(node), tree.slot(node)), (None, None));
            match tree.role(node) {
                Role::StandIn(string) => {
                    format!(
                        "{}>{}",
                        tree.kind_name(node),
                        String::from_utf8_lossy(&tree.stand_in(string).bytes)
                    )
                }
                Role::Deletable => format!("{}-", tree.kind_name(node)),
                Role::Fixed | Role::Separator => panic!("{} has no string", tree.kind_name(node)),
            }
        });
        strings.collect::<Vec<_>>().join(" ")
    };
    // Without precedences, the first two operands belong together.
    let expected = "E>1 E>1 E>1 E>1 number>1 plus>+ E>1 number>1 times>* E>1 number>1";
    assert_eq!(shown(&arithmetic), expected);
}

#[test]
fn what_an_antlr_grammar_repeats_or_leaves_out_are_rules_in_a_tree_of_the_thesis() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Lists.g4");
    let text = "grammar Lists; text: list* EOF; list: '(' (item (',' item)*)? ')'; item: list | WORD; \
                WORD: [a-z]+; BLANK: [ ]+ -> skip;";
    std::fs::write(&path, text).unwrap();
    let lists = load(&Files { grammar: path, tree: TreeForm::Thesis, ..Files::default() }).unwrap();
    let interesting = |text: &str| text.contains("needle");
    let input = "(x, (b, c), needle, d) (e)";
    let (_, result) = run(lists, input, TreeReducer::HddStar, Transforms::default(), interesting);
    // A chain goes as far as to what is needed; what is behind that is replaced.
    assert_eq!(result, "(a, needle, a) ()");
}
