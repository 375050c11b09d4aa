//! What must hold of every grammar that is brought, on small random ones: what is asked is derived by it.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use dwindle_core::{MinimizerConfig, MinimizerKind, PersesReducer, Transform, Transforms, TreeReducer};
use proptest::prelude::*;

use dwindle::core::passes::Schedule;
use dwindle::plan::{Options, plan};
use dwindle::read::brought::{Brought, Files, TreeForm, load};
use dwindle::simulation::{Latency, simulate};
use dwindle::{Document, Method};

/// What a rule derives.
#[derive(Clone, Debug)]
enum Expr {
    Token(&'static str),
    Rule(usize),
    Seq(Vec<Expr>),
    Choice(Vec<Expr>),
    /// So often at least, and perhaps more often; with commas between.
    Repeat(Box<Expr>, bool, bool),
    Optional(Box<Expr>),
}

const RULES: usize = 3;

/// Some are others, one behind the other.
const TOKENS: [&str; 6] = ["a", "ab", "b", "<", "<<", "("];
/// None is the beginning of another.
const LETTERS: [&str; 4] = ["a", "b", "<", "\\n"];

fn expr(tokens: &'static [&'static str]) -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        3 => prop::sample::select(tokens.to_vec()).prop_map(Expr::Token),
        4 => (0..RULES).prop_map(Expr::Rule),
    ];
    leaf.prop_recursive(3, 10, 3, |inner| {
        prop_oneof![
            4 => prop::collection::vec(inner.clone(), 1..4).prop_map(Expr::Seq),
            3 => prop::collection::vec(inner.clone(), 2..4).prop_map(Expr::Choice),
            3 => (inner.clone(), any::<bool>(), any::<bool>())
                .prop_map(|(item, some, commas)| Expr::Repeat(item.into(), some, commas)),
            1 => inner.prop_map(|inner| Expr::Optional(inner.into())),
        ]
    })
}

impl Expr {
    fn written(&self) -> String {
        let all = |all: &[Self], between| all.iter().map(Self::written).collect::<Vec<_>>().join(between);
        match self {
            Self::Token(token) => format!("'{token}'"),
            Self::Rule(rule) => format!("r{rule}"),
            Self::Seq(parts) => format!("({})", all(parts, " ")),
            Self::Choice(parts) => format!("({})", all(parts, " | ")),
            Self::Repeat(item, true, false) => format!("({})+", item.written()),
            Self::Repeat(item, false, false) => format!("({})*", item.written()),
            Self::Repeat(item, true, true) => format!("({0} (',' {0})*)", item.written()),
            Self::Repeat(item, false, true) => format!("({0} (',' {0})*)?", item.written()),
            Self::Optional(inner) => format!("({})?", inner.written()),
        }
    }

    /// A text that it derives by these choices; none once they are used up.
    fn derive(
        &self,
        rules: &[Self],
        gap: &str,
        choices: &mut impl Iterator<Item = u8>,
        out: &mut String,
    ) -> Option<()> {
        match self {
            Self::Token(token) => {
                out.push_str(if *token == "\\n" { "\n" } else { token });
                out.push_str(gap);
            }
            Self::Rule(rule) => {
                choices.next()?;
                rules[*rule].derive(rules, gap, choices, out)?;
            }
            Self::Seq(parts) => parts.iter().try_for_each(|part| part.derive(rules, gap, choices, out))?,
            Self::Choice(parts) => {
                let choice = choices.next()? as usize % parts.len();
                parts[choice].derive(rules, gap, choices, out)?;
            }
            Self::Repeat(item, some, commas) => {
                let count = (choices.next()? % 4).max(u8::from(*some));
                for index in 0..count {
                    if *commas && index > 0 {
                        out.push(',');
                        out.push_str(gap);
                    }
                    item.derive(rules, gap, choices, out)?;
                }
            }
            Self::Optional(inner) => {
                if choices.next()? % 2 == 1 {
                    inner.derive(rules, gap, choices, out)?;
                }
            }
        }
        Some(())
    }
}

/// The grammar of these rules, unless one of them derives no finite text.
fn grammar(rules: &[Expr], gap: &str, tree: TreeForm) -> Option<Brought> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join(format!("Random{}.g4", NUMBER.fetch_add(1, Ordering::Relaxed)));
    let rules: Vec<String> =
        (0..).zip(rules).map(|(i, rule)| format!("r{i}: {};\n", rule.written())).collect();
    let gap = if gap.is_empty() { "" } else { "WS: ' ' -> skip;\n" };
    fs::write(&path, format!("grammar G;\n{}{gap}", rules.concat())).expect("it can be written");
    load(&Files { grammar: path, tree, ..Files::default() }).ok()
}

fn methods(tree: TreeForm) -> Vec<Method> {
    let transforms = [Transforms::default(), Transform::ALL.into_iter().collect()];
    let trees = TreeReducer::ALL
        .into_iter()
        .flat_map(|reducer| transforms.map(|which| Method::Tree(reducer, which.into())));
    let others = PersesReducer::ALL.map(Method::Perses).into_iter().filter(|_| tree == TreeForm::Lists);
    trees.chain(others).collect()
}

/// Checks every candidate for a text of these rules, with `gap` between its tokens.
fn check(
    rules: &[Expr],
    gap: &str,
    choices: Vec<u8>,
    accepted: u8,
    kind: MinimizerKind,
) -> Result<(), TestCaseError> {
    let mut text = String::new();
    let derived = rules[0].derive(rules, gap, &mut choices.into_iter(), &mut text);
    if derived.is_none() {
        return Ok(());
    }
    prop_assume!(!text.is_empty() && text.len() < 120);
    TreeForm::ALL.into_iter().try_for_each(|tree| check_trees(rules, gap, &text, accepted, kind, tree))
}

fn check_trees(
    rules: &[Expr],
    gap: &str,
    text: &str,
    accepted: u8,
    kind: MinimizerKind,
    tree: TreeForm,
) -> Result<(), TestCaseError> {
    let Some(brought) = grammar(rules, gap, tree) else { return Ok(()) };
    prop_assert!(brought.parse(text.into()).is_ok(), "{}", text);
    for method in methods(tree) {
        let mut invalid = None;
        let mut options = Options::new(method);
        (options.minimizer, options.schedule) = (MinimizerConfig::new(kind), Schedule::only(&[]));
        options.front_end = Some(brought.into());
        let search = plan(&Document::of(text.as_bytes()), &options).search;
        let oracle = |candidate: &[u8]| {
            if brought.parse(candidate.to_vec()).is_err() {
                invalid.get_or_insert(candidate.to_vec());
            }
            blake3::hash(candidate).as_bytes()[0] < accepted
        };
        simulate(search, brought.into(), text.as_bytes(), 1, 300, oracle, Latency::Fixed(1));
        let invalid = invalid.map(|invalid| invalid.escape_ascii().to_string());
        let rules: Vec<String> = rules.iter().map(Expr::written).collect();
        prop_assert_eq!(invalid, None, "{:?} of {} by {:?}, {:?}", method, text, rules, tree);
    }
    Ok(())
}

fn kinds() -> impl Strategy<Value = MinimizerKind> {
    prop::sample::select(vec![MinimizerKind::Dfs, MinimizerKind::Ddmin])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn every_candidate_is_derived_by_the_grammar(
        rules in prop::collection::vec(expr(&TOKENS), RULES),
        choices in prop::collection::vec(any::<u8>(), 40),
        accepted in any::<u8>(),
        kind in kinds(),
    ) {
        check(&rules, " ", choices, accepted, kind)?;
    }

    #[test]
    fn every_candidate_is_derived_by_a_grammar_without_gaps(
        rules in prop::collection::vec(expr(&LETTERS), RULES),
        choices in prop::collection::vec(any::<u8>(), 40),
        accepted in any::<u8>(),
        kind in kinds(),
    ) {
        check(&rules, "", choices, accepted, kind)?;
    }

    #[test]
    fn every_candidate_is_derived_by_a_grammar_in_which_lines_end(
        rules in prop::collection::vec(expr(&LETTERS), RULES),
        choices in prop::collection::vec(any::<u8>(), 40),
        accepted in any::<u8>(),
        kind in kinds(),
    ) {
        check(&rules, " ", choices, accepted, kind)?;
    }
}
