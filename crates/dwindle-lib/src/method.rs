//! What is deleted, and in which order.

use std::num::NonZeroUsize;

use dwindle_core::passes::{Level, Schedule};
use dwindle_core::{Format, HddrOrder, LinkedSearch, PersesReducer, Transforms, TreeOptions, TreeReducer};

/// What is deleted, and in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Lines, then tokens, until neither can go.
    LinesThenTokens,
    /// Pieces of one format.
    List(Format),
    /// Lines that are items of a list.
    Items,
    /// Nodes of the syntax tree, which may be transformed.
    Tree(TreeReducer, TreeOptions),
    /// Declarations, then the statements of each body, together with declarations that nothing uses any more.
    Chisel,
    /// Nodes of the syntax tree, and replacements that the syntax allows.
    Perses(PersesReducer),
    /// The same, with declarations and their uses deleted together.
    Linked {
        /// The most questions that are asked about one base.
        batch_width: NonZeroUsize,
    },
}

/// The formats by which people choose; `auto` and `tree` leave the rest to the reducer.
pub const FORMATS: [&str; 6] = ["auto", "bytes", "chars", "lines", "tokens", "tree"];

/// The reducers by which people choose.
pub const REDUCERS: [&str; 10] =
    ["list", "hdd", "hdd+", "hdd*", "hddr", "coarse", "chisel", "perses", "perses+", "linked"];

impl Method {
    /// The method of the smallest results for the fewest questions on real inputs.
    pub const DEFAULT: Self = Self::Linked { batch_width: LinkedSearch::DEFAULT_BATCH_WIDTH };

    /// The method of this format and this reducer. Without a reducer, the format chooses it.
    pub fn named(format: &str, reducer: Option<&str>) -> Result<Self, String> {
        let perses = |name| PersesReducer::ALL.into_iter().find(|reducer| reducer.name() == name);
        let tree = |name| {
            let tree = TreeReducer::ALL.into_iter().find(|reducer| reducer.name() == name);
            let own = || match name {
                "chisel" => Some(Self::Chisel),
                "linked" => Some(Self::DEFAULT),
                _ => None,
            };
            tree.map(|reducer| Self::Tree(reducer, TreeOptions::default()))
                .or_else(|| perses(name).map(Self::Perses))
                .or_else(own)
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
            Self::Tree(reducer, options) => Ok(Self::Tree(reducer, TreeOptions { transforms, ..options })),
            _ => Err(format!(
                "--transform goes with the reducers hdd, hdd+, hdd*, hddr and coarse, not with {}",
                self.reducer()
            )),
        }
    }

    /// The same with another order of HDDr, where it is that.
    pub fn ordered(self, order: HddrOrder) -> Result<Self, String> {
        match self {
            Self::Tree(TreeReducer::Hddr, options) => {
                Ok(Self::Tree(TreeReducer::Hddr, TreeOptions { order, ..options }))
            }
            _ => Err(format!("--hddr-order goes with the reducer hddr, not with {}", self.reducer())),
        }
    }

    /// The same with one round, where a single run has no name of its own.
    pub fn once(self) -> Result<Self, String> {
        match self {
            Self::Tree(reducer @ (TreeReducer::Hddr | TreeReducer::Coarse), options) => {
                Ok(Self::Tree(reducer, TreeOptions { once: true, ..options }))
            }
            Self::Tree(TreeReducer::HddStar, _) => {
                Err("--once goes with the reducers hddr and coarse; one round of hdd* is hdd".to_owned())
            }
            _ => Err(format!("--once goes with the reducers hddr and coarse, not with {}", self.reducer())),
        }
    }

    /// How the tree is searched, where one of the HDD family does that.
    pub(crate) fn tree_options(self) -> Option<TreeOptions> {
        match self {
            Self::Tree(_, options) => Some(options),
            _ => None,
        }
    }

    /// The same with this batch width, if it has one.
    pub fn batched(self, batch_width: NonZeroUsize) -> Result<Self, String> {
        match self {
            Self::Linked { .. } => Ok(Self::Linked { batch_width }),
            _ => Err(format!("--batch-width goes with the reducer linked, not with {}", self.reducer())),
        }
    }

    /// The most questions that are asked about one base, if several are.
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
            Self::Items => "items",
            _ => "tree",
        }
    }

    /// The name of the reducer.
    pub(crate) fn reducer(self) -> &'static str {
        match self {
            Self::LinesThenTokens | Self::List(_) | Self::Items => "list",
            Self::Tree(reducer, _) => reducer.name(),
            Self::Chisel => "chisel",
            Self::Perses(reducer) => reducer.name(),
            Self::Linked { .. } => "linked",
        }
    }

    /// Whether it searches a tree.
    pub fn has_tree(self) -> bool {
        self.format() == "tree"
    }

    /// The passes of a level; without one, those of the default level where the method is not one that a
    /// paper describes.
    pub fn schedule(self, level: Option<Level>) -> Schedule {
        Schedule::of(level.unwrap_or(match self {
            Self::Linked { .. } => Level::Default,
            _ => Level::Fast,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_and_reducers_go_together_or_say_why_not() {
        let tree = |reducer| Some(Method::Tree(reducer, TreeOptions::default()));
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
}
