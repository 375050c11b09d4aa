//! How an input is read and searched: the one place that puts a search together.

use std::sync::Arc;
use std::time::Duration;

use dwindle_core::passes::{Level, Pass, Schedule};
use dwindle_core::{
    AlternatingSearch, AnySearch, ChiselSearch, DebloatSearch, Format, LinkedSearch, ListSearch,
    MinimizerConfig, MinimizerKind, PassSearch, PersesSearch, Search, Transform, Tree, TreeSearch, Tuning,
};
use dwindle_read::{FrontEnd, Reading, Size};
use serde::Serialize;

pub use crate::coverage::Covered;
use crate::coverage::StatementsRun;
use crate::document::Document;
use crate::keep::Pattern;
use crate::method::Method;
use crate::repeats::Repeats;

/// How an input is searched, and what is asked of its test.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// What is deleted, and in which order.
    pub method: Method,
    /// Which passes transform what deletion leaves.
    pub schedule: Schedule,
    /// The constants of the default search and of the passes.
    pub tuning: Tuning,
    /// Which minimiser decides what to try.
    pub minimizer: MinimizerConfig,
    /// What the items of a list weigh; without them, 1 each.
    pub weights: Option<Vec<u32>>,
    /// Whether only whole statements and declarations go, those first that the test does not run.
    pub debloats: bool,
    /// What reads the input, where its language is not to be recognised.
    pub front_end: Option<FrontEnd>,
    /// What of the input stays in every candidate.
    pub keep: Vec<Pattern>,
    /// Whether the result is laid out at the end.
    pub format_result: bool,
    /// The time limit of a test; without one, 10 times the slower of the first two runs, at least
    /// 1 s and at most 300 s.
    pub timeout: Option<Duration>,
    /// How often the test is run on one candidate.
    pub repeats: Repeats,
    /// How many runs of the test to spend, the two on the input included.
    pub max_questions: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Self::new(Method::DEFAULT)
    }
}

impl Options {
    /// The options of a method where nothing else is said.
    pub fn new(method: Method) -> Self {
        Self {
            method,
            schedule: method.schedule(None),
            tuning: Tuning::DEFAULT,
            minimizer: MinimizerConfig::new(MinimizerKind::default()),
            weights: None,
            debloats: false,
            front_end: None,
            keep: Vec::new(),
            format_result: false,
            timeout: None,
            repeats: Repeats::default(),
            max_questions: None,
        }
    }

    /// The size of an input, as far as it is known before it is read: the tokens of a list are what its items weigh.
    pub(crate) fn size_of(&self, input: &[u8]) -> Size {
        let size = Size::of(input);
        let weight = || match &self.weights {
            Some(weights) => weights.iter().map(|&weight| u64::from(weight)).sum(),
            None => size.lines,
        };
        if self.method == Method::Items { Size { tokens: weight(), ..size } } else { size }
    }
}

/// A search of a document.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The search.
    pub search: AnySearch,
    /// The document as a tree, where it is one that is searched.
    pub tree: Option<Arc<Tree>>,
    /// What has read it so, and reads what the search asks for; nothing has for lists.
    pub front_end: Option<FrontEnd>,
    /// Whether only the statements of its trees are searched.
    pub of_statements: bool,
    /// What was decided.
    pub effective: Effective,
}

/// What was decided for a document: what is reported and journalled.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields say what they are")]
pub struct Effective {
    pub format: &'static str,
    pub reducer: &'static str,
    #[serde(flatten)]
    pub reading: Reading,
    /// How many errors the grammar sees, where they are so many that brackets read in turns with it.
    pub syntax_errors: Option<u64>,
    pub transforms: Option<Vec<&'static str>>,
    pub hddr_order: Option<&'static str>,
    pub once: bool,
    pub level: Option<&'static str>,
    pub names: &'static str,
    pub minimizer: &'static str,
    pub sigma: f64,
    pub p0: f64,
    pub theta: f64,
    pub alpha: f64,
    pub split: &'static str,
    pub split_factor: u32,
    pub start_size: Option<u32>,
    pub order: &'static str,
    pub after_success: &'static str,
    pub complements_first: bool,
    pub again: bool,
    pub split_tie: &'static str,
    pub random: bool,
    pub seed: u64,
    pub batch_width: Option<usize>,
    /// How much of the program the test runs, where that was measured.
    pub coverage: Option<Covered>,
}

impl Effective {
    /// What the options ask for, of an input that was read so.
    pub fn of(options: &Options, reading: Reading) -> Self {
        let Options { method, schedule, minimizer, .. } = options;
        let tree = method.tree_options();
        let ddmin = minimizer.ddmin;
        Self {
            format: method.format(),
            reducer: method.reducer(),
            reading,
            syntax_errors: None,
            transforms: tree.map(|tree| tree.transforms.iter().map(Transform::name).collect()),
            hddr_order: tree.filter(|_| method.reducer() == "hddr").map(|tree| tree.order.name()),
            once: tree.is_some_and(|tree| tree.once),
            level: schedule.level().map(Level::name),
            names: if schedule.has(Pass::Rename) { "short" } else { "original" },
            minimizer: minimizer.kind.name(),
            sigma: minimizer.sigma,
            p0: minimizer.p0,
            theta: minimizer.theta,
            alpha: minimizer.alpha,
            split: ddmin.split.name(),
            split_factor: ddmin.factor,
            start_size: ddmin.start_size,
            order: ddmin.order.name(),
            after_success: ddmin.after_success.name(),
            complements_first: ddmin.complements_first,
            again: ddmin.again,
            split_tie: minimizer.split_tie.name(),
            random: minimizer.random,
            seed: minimizer.seed,
            batch_width: method.batch_width().map(usize::from),
            coverage: None,
        }
    }
}

/// Reads a document and puts a search of it together. The language is recognised unless the options have a front end;
/// what its grammar refuses is read by its brackets.
pub fn plan(document: &Document, options: &Options) -> Plan {
    plan_by(document, options, recognise(document, options.front_end), None, None)
}

/// Reads a document as a tree, as [`plan`] does.
pub fn read_tree(document: &Document, front_end: Option<FrontEnd>) -> (Tree, Reading) {
    tree(document, recognise(document, front_end), None)
}

/// The front end of a document, by its name and bytes unless there is one already.
pub fn recognise(document: &Document, front_end: Option<FrontEnd>) -> FrontEnd {
    if document.others().is_some() {
        return FrontEnd::Folder;
    }
    front_end.unwrap_or_else(|| FrontEnd::recognise(document.path(), document.bytes()))
}

fn tree(document: &Document, front_end: FrontEnd, why: Option<String>) -> (Tree, Reading) {
    let (tree, reading) = dwindle_read::tree(document.bytes().to_vec(), front_end);
    (tree, Reading { fallback: reading.fallback.or(why), ..reading })
}

/// How many errors the grammar sees, if they are so many in so many tokens that another reading is worth its questions.
fn misread(tree: &Tree, tokens: Option<u64>, tuning: Tuning) -> Option<u64> {
    tree.errors().filter(|errors| errors.saturating_mul(tuning.turns.tokens_per_error) > tokens.unwrap_or(0))
}

/// The constants of the search. What a program does not run goes before it when it is debloated, so nothing is to be won
/// by going through it from its end.
fn tuning(options: &Options) -> Tuning {
    let mut tuning = options.tuning;
    if options.debloats {
        tuning.sweep.fewest = usize::MAX;
    }
    tuning
}

/// The plan of a document that `front_end` reads; `why` it is not read by the grammar of its language, if it was so before.
/// It may be known what the test runs of the document: what it does not run goes first.
pub(crate) fn plan_by(
    document: &Document,
    options: &Options,
    front_end: FrontEnd,
    why: Option<String>,
    ran: Option<&StatementsRun>,
) -> Plan {
    let Options { method, schedule, minimizer, .. } = options;
    if !method.has_tree() {
        return plan_of_list(document, options, *method, Reading::default());
    }
    let (tree, reading) = tree(document, front_end, why);
    if tree.text().is_empty() {
        let why = "there is nothing but white space, so its lines are taken".to_owned();
        let reading = Reading { fallback: Some(why), ..reading };
        return plan_of_list(document, options, Method::LinesThenTokens, reading);
    }
    // It may have refused the document.
    let front_end = if reading.language == Some(front_end.name()) { front_end } else { FrontEnd::Brackets };
    let of_statements = options.debloats || *method == Method::Chisel;
    let tree = Arc::new(if of_statements { tree.of_statements() } else { tree });
    let (mut search, syntax_errors) = deletion(&tree, options, of_statements);
    if !schedule.is_empty() {
        search = AnySearch::Passes(Box::new(PassSearch::tuned(
            search,
            schedule.clone(),
            *minimizer,
            options.tuning,
        )));
    }
    let ran = ran.cloned().unwrap_or_default();
    if options.debloats {
        let coverage = ran.in_tokens(tree.text());
        let debloating = DebloatSearch::new(tree.clone(), *minimizer, &coverage, search);
        search = AnySearch::Debloat(Box::new(debloating));
    }
    let coverage = ran.covered(&tree);
    let effective = Effective { coverage, syntax_errors, ..Effective::of(options, reading) };
    Plan { search, tree: Some(tree), front_end: Some(front_end), of_statements, effective }
}

/// The plan of a document that is searched as a list.
fn plan_of_list(document: &Document, options: &Options, method: Method, reading: Reading) -> Plan {
    let bytes = || document.bytes().to_vec();
    let minimizer = options.minimizer;
    let by_formats = |formats: Vec<Format>| {
        let text = dwindle_read::cut(bytes(), formats[0]);
        ListSearch::new(text, dwindle_core::Plan { formats, minimizer })
    };
    let search = match method {
        Method::Items => {
            let lines = document.bytes().split_inclusive(|&byte| byte == b'\n').count();
            let weights = options.weights.clone().unwrap_or_else(|| vec![1; lines]);
            ListSearch::of_pieces(dwindle_read::cut_lines(bytes(), &weights), minimizer)
        }
        Method::List(format) => by_formats(vec![format]),
        _ => by_formats(vec![Format::Lines, Format::Tokens]),
    };
    let options = Options { method, schedule: Schedule::of(Level::Fast), ..options.clone() };
    let (search, effective) = (AnySearch::List(search), Effective::of(&options, reading));
    Plan { search, tree: None, front_end: None, of_statements: false, effective }
}

/// The search that deletes nodes of a tree, and the syntax errors, where it alternates because of them.
fn deletion(tree: &Arc<Tree>, options: &Options, of_statements: bool) -> (AnySearch, Option<u64>) {
    let (tree, minimizer) = (tree.clone(), options.minimizer);
    let search = match options.method {
        Method::Perses(reducer) => AnySearch::Perses(Box::new(PersesSearch::new(tree, reducer, minimizer))),
        Method::Tree(reducer, options) => {
            AnySearch::Tree(Box::new(TreeSearch::with(tree, reducer, minimizer, options)))
        }
        Method::Chisel => AnySearch::Chisel(Box::new(ChiselSearch::new(tree, minimizer))),
        Method::Linked { batch_width } => {
            let tuning = tuning(options);
            let search = LinkedSearch::tuned(tree.clone(), minimizer, batch_width, tuning);
            let errors = misread(&tree, search.best().tokens(), tuning).filter(|_| !of_statements);
            return match errors {
                Some(_) => (AnySearch::Alternating(Box::new(AlternatingSearch::new(search))), errors),
                None => (AnySearch::Linked(Box::new(search)), None),
            };
        }
        Method::LinesThenTokens | Method::List(_) | Method::Items => unreachable!("lists have no tree"),
    };
    (search, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::{Latency, Structural, simulate};
    use dwindle_core::{PersesReducer, TreeOptions, TreeReducer};
    use dwindle_read::cancellation::tests::{asks, within};

    #[test]
    fn a_search_that_nobody_waits_for_is_left() {
        let input: String =
            (0..12).map(|i| format!("int f{i}(int a) {{ return g(a, {i} + b); }}\n")).collect();
        let needed = Structural { needed: vec![b"f7".into(), b"b".into()], dependencies: Vec::new() };
        let tree = |reducer| Method::Tree(reducer, TreeOptions::default());
        for method in [Method::DEFAULT, tree(TreeReducer::HddStar), Method::Perses(PersesReducer::Perses)] {
            let run = || {
                let document = Document::file("a.c", 0, input.clone().into());
                let Plan { search, front_end, .. } = plan(&document, &Options::new(method));
                simulate(
                    search,
                    front_end.unwrap(),
                    input.as_bytes(),
                    2,
                    1000,
                    needed.clone(),
                    Latency::Fixed(1),
                )
                .result
            };
            let asks = asks(run);
            for within_asks in (0..asks).step_by(asks as usize / 50) {
                assert_eq!(within(within_asks, run), None, "{method:?} after {within_asks} of {asks}");
            }
            assert_eq!(within(asks, run), Some(run()), "{method:?}");
        }
    }
}
