//! What is deleted, and in which order.

use std::num::NonZeroUsize;

use dwindle_core::passes::{Level, Schedule};
use dwindle_core::{
    AnySearch, Format, LinkedSearch, ListSearch, MinimizerConfig, PassSearch, PersesReducer, PersesSearch,
    Plan, Transforms, TreeReducer, TreeSearch,
};

use dwindle_read::{FrontEnd, Reading};

/// What is deleted, and in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Lines, then tokens, until neither can go.
    LinesThenTokens,
    /// Pieces of one format.
    List(Format),
    /// Nodes of the syntax tree, which may be transformed.
    Tree(TreeReducer, Transforms),
    /// The same, and replacements that the syntax allows.
    Perses(PersesReducer),
    /// The same, with what hangs together by its names.
    Linked {
        /// The most questions that are asked about one base.
        batch_width: NonZeroUsize,
    },
}

/// The formats by which people choose; `auto` and `tree` leave the rest to the reducer.
pub const FORMATS: [&str; 6] = ["auto", "bytes", "chars", "lines", "tokens", "tree"];

/// The reducers by which people choose.
pub const REDUCERS: [&str; 9] =
    ["list", "hdd", "hdd+", "hdd*", "hddr", "coarse", "perses", "perses+", "linked"];

impl Method {
    /// The method of the smallest results for the fewest questions on real inputs.
    pub const DEFAULT: Self = Self::Linked { batch_width: LinkedSearch::DEFAULT_BATCH_WIDTH };

    /// The method that is called so, each part being chosen by whoever does not name it.
    pub fn named(format: &str, reducer: Option<&str>) -> Result<Self, String> {
        let perses = |name| PersesReducer::ALL.into_iter().find(|reducer| reducer.name() == name);
        let tree = |name| {
            let tree = TreeReducer::ALL.into_iter().find(|reducer| reducer.name() == name);
            let linked = || (name == "linked").then_some(Self::DEFAULT);
            tree.map(|reducer| Self::Tree(reducer, Transforms::default()))
                .or_else(|| perses(name).map(Self::Perses))
                .or_else(linked)
        };
        let list = match format {
            "bytes" => Some(Format::Bytes),
            "chars" => Some(Format::Chars),
            "lines" => Some(Format::Lines),
            "tokens" => Some(Format::Tokens),
            _ => None,
        };
        match (list, reducer.map(|name| (name, tree(name)))) {
            (None, None) => Ok(Self::DEFAULT),
            (None, Some((_, Some(method)))) => Ok(method),
            (None, Some(_)) if format == "auto" => Ok(Self::LinesThenTokens),
            (Some(format), None | Some((_, None))) => Ok(Self::List(format)),
            (None, Some((name, _))) => Err(format!(
                "--reducer {name} does not go with --format {format}: a tree wants a tree reducer"
            )),
            (Some(_), Some((name, _))) => Err(format!(
                "--reducer {name} reduces trees: it goes with --format tree or auto, not with {format}"
            )),
        }
    }

    /// The same with these transformations of the tree, where it has any.
    pub fn transformed(self, transforms: Transforms) -> Result<Self, String> {
        match self {
            Self::Tree(reducer, _) => Ok(Self::Tree(reducer, transforms)),
            _ => Err(format!(
                "--transform goes with the reducers hdd, hdd+, hdd*, hddr and coarse, not with {}",
                self.reducer()
            )),
        }
    }

    /// The transformations of the tree.
    pub(crate) fn transforms(self) -> Option<Transforms> {
        match self {
            Self::Tree(_, transforms) => Some(transforms),
            _ => None,
        }
    }

    /// The same with at most so many questions about one base, where it asks several.
    pub fn batched(self, batch_width: NonZeroUsize) -> Result<Self, String> {
        match self {
            Self::Linked { .. } => Ok(Self::Linked { batch_width }),
            _ => Err(format!("--batch-width goes with the reducer linked, not with {}", self.reducer())),
        }
    }

    /// The most questions that are asked about one base, where several are.
    pub(crate) fn batch_width(self) -> Option<NonZeroUsize> {
        match self {
            Self::Linked { batch_width } => Some(batch_width),
            _ => None,
        }
    }

    /// The name of the format.
    pub(crate) fn format(self) -> &'static str {
        match self {
            Self::LinesThenTokens => "auto",
            Self::List(Format::Bytes) => "bytes",
            Self::List(Format::Chars) => "chars",
            Self::List(Format::Lines) => "lines",
            Self::List(Format::Tokens) => "tokens",
            Self::Tree(..) | Self::Perses(_) | Self::Linked { .. } => "tree",
        }
    }

    /// The name of the reducer.
    pub(crate) fn reducer(self) -> &'static str {
        match self {
            Self::LinesThenTokens | Self::List(_) => "list",
            Self::Tree(reducer, _) => reducer.name(),
            Self::Perses(reducer) => reducer.name(),
            Self::Linked { .. } => "linked",
        }
    }

    /// Whether it searches a tree.
    pub fn has_tree(self) -> bool {
        matches!(self, Self::Tree(..) | Self::Perses(_) | Self::Linked { .. })
    }

    /// The passes of a level; without one, those of the default level where the method is not one that a
    /// paper describes.
    pub fn schedule(self, level: Option<Level>) -> Schedule {
        Schedule::of(level.unwrap_or(match self {
            Self::Linked { .. } => Level::Default,
            _ => Level::Fast,
        }))
    }

    /// The search of `input`, and how it was read: what the method deletes, then the passes of
    /// `schedule` where there is a tree.
    pub fn search_with(
        self,
        input: Vec<u8>,
        front_end: FrontEnd,
        minimizer: MinimizerConfig,
        schedule: &Schedule,
    ) -> (AnySearch, Reading) {
        let (search, reading) = self.search(input, front_end, minimizer);
        if schedule.is_empty() || matches!(search, AnySearch::List(_)) {
            return (search, reading);
        }
        let reader = reading.language.unwrap_or("brackets");
        let search = PassSearch::new(search, reader, schedule.clone(), minimizer);
        (AnySearch::Passes(Box::new(search)), reading)
    }

    /// The search of `input`, and how it was read.
    pub fn search(
        self,
        input: Vec<u8>,
        front_end: FrontEnd,
        minimizer: MinimizerConfig,
    ) -> (AnySearch, Reading) {
        let (formats, reading) = match self {
            Self::LinesThenTokens => (vec![Format::Lines, Format::Tokens], Reading::default()),
            Self::List(format) => (vec![format], Reading::default()),
            Self::Tree(..) | Self::Perses(_) | Self::Linked { .. } => {
                let (tree, reading) = dwindle_read::tree(input.clone(), front_end);
                if !tree.text().is_empty() {
                    let reader = reading.language.unwrap_or("brackets");
                    let search = match self {
                        Self::Perses(reducer) => {
                            AnySearch::Perses(PersesSearch::new(tree.into(), reader, reducer, minimizer))
                        }
                        Self::Tree(reducer, transforms) => AnySearch::Tree(TreeSearch::with(
                            tree.into(),
                            reader,
                            reducer,
                            minimizer,
                            transforms,
                        )),
                        Self::Linked { batch_width } => {
                            let search = LinkedSearch::new(tree.into(), reader, minimizer, batch_width);
                            AnySearch::Linked(Box::new(search))
                        }
                        Self::LinesThenTokens | Self::List(_) => unreachable!("lists have no tree"),
                    };
                    return (search, reading);
                }
                let why = "there is nothing but white space, so its lines are taken".to_owned();
                (vec![Format::Lines, Format::Tokens], Reading { fallback: Some(why), ..reading })
            }
        };
        let text = dwindle_read::cut(input, formats[0]);
        (AnySearch::List(ListSearch::new(text, Plan { formats, minimizer })), reading)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::{Latency, Structural, simulate};
    use dwindle_core::MinimizerKind;
    use dwindle_read::cancellation::tests::{asks, within};

    #[test]
    fn formats_and_reducers_go_together_or_say_why_not() {
        let tree = |reducer| Some(Method::Tree(reducer, Transforms::default()));
        let check = |format, reducer, expect: Option<Method>| {
            assert_eq!(Method::named(format, reducer).ok(), expect, "{format} {reducer:?}");
        };
        check("auto", None, Some(Method::DEFAULT));
        check("auto", Some("list"), Some(Method::LinesThenTokens));
        check("auto", Some("hdd*"), tree(TreeReducer::HddStar));
        check("tree", None, Some(Method::DEFAULT));
        check("tree", Some("coarse"), tree(TreeReducer::Coarse));
        check("tree", Some("list"), None);
        check("lines", None, Some(Method::List(Format::Lines)));
        check("lines", Some("list"), Some(Method::List(Format::Lines)));
        check("lines", Some("hdd"), None);
    }

    #[test]
    fn a_search_that_nobody_waits_for_is_left() {
        let input: String =
            (0..12).map(|i| format!("int f{i}(int a) {{ return g(a, {i} + b); }}\n")).collect();
        let needed = Structural { needed: vec![b"f7".into(), b"b".into()], dependencies: Vec::new() };
        let tree = |reducer| Method::Tree(reducer, Transforms::default());
        for method in [Method::DEFAULT, tree(TreeReducer::HddStar), Method::Perses(PersesReducer::Perses)] {
            let run = || {
                let front_end = FrontEnd::named("c").unwrap_or(FrontEnd::Brackets);
                let minimizer = MinimizerConfig::new(MinimizerKind::default());
                let schedule = method.schedule(None);
                let (search, _) = method.search_with(input.clone().into(), front_end, minimizer, &schedule);
                simulate(search, input.as_bytes(), 2, 1000, needed.clone(), Latency::Fixed(1)).result
            };
            let asks = asks(run);
            for within_asks in (0..asks).step_by(asks as usize / 50) {
                assert_eq!(within(within_asks, run), None, "{method:?} after {within_asks} of {asks}");
            }
            assert_eq!(within(asks, run), Some(run()), "{method:?}");
        }
    }
}
