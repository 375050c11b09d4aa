//! The constants that the search of a tree can be tuned by.
//!
//! A field that has no other reason was chosen on the panel (`docs/decisions/defaults.md` and
//! `docs/decisions/names.md`). An ablation is a [`Tuning`] with another value in one field. What bounds the time of
//! a computation, and what the papers fix, stays beside the code that it is about.

/// How many failures of one sort of question are put up with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Questions that may fail before the first success.
    pub failures: u32,
    /// Questions that each success allows on top.
    pub per_success: u32,
}

impl Patience {
    /// So many failures before the first success. A success allows eight more questions: what succeeds once in
    /// nine times is worth asking.
    pub const fn of(failures: u32) -> Self {
        Self { failures, per_success: 8 }
    }
}

/// All that [`LinkedSearch`](crate::LinkedSearch) can be tuned by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tuning {
    /// How the tree is walked.
    pub walk: WalkTuning,
    /// How a large text is first searched from its end.
    pub sweep: SweepTuning,
    /// How many elements of a list are tried together.
    pub batch: BatchTuning,
    /// How far a deletion spreads.
    pub closure: ClosureTuning,
    /// Questions of a pass after which the text may be read anew before the pass is over, so that all is looked at
    /// from the largest on again: what was needed by something that has gone can go.
    pub long_pass: usize,
    /// That happens only when the text has shrunk by this factor since the pass began.
    pub shrunk: usize,
    /// How many times lighter than the heaviest item of a batch another may be. Lighter ones wait: they may go
    /// with it.
    pub spread: u32,
    /// Tokens from which on a text is large: there, a success of a weaker closure saves more.
    pub large: usize,
    /// How long weaker closures of one kind of node are tried in large texts.
    pub weaker_in_large: Patience,
    /// The same in others.
    pub weaker: Patience,
    /// How long a deletion is asked again with the names that a refused test complained of.
    pub repairs: Patience,
    /// How long variants with dangling references are asked about.
    pub dangling: Patience,
    /// The same in the sweep, where the text is large: the graph of names is wrong more often, and much can go.
    pub dangling_in_sweep: Patience,
    /// Tokens below which lists give up variants with dangling references, as parts of nodes always do.
    pub small: usize,
    /// How long parts of nodes in their place are tried, for each slot.
    pub parts: Patience,
    /// How long strings are tried in the place of tokens.
    pub strings: Patience,
    /// Tokens of a refused part above which it is forgotten. Large ones rarely lie in a later question.
    pub remembered: usize,
}

/// Nests: chains of nodes of one kind inside of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WalkTuning {
    /// Nodes from which on a nest is searched after the replacements at its outermost node.
    pub short_nest: usize,
    /// Nodes from which on it is searched before: a replacement gets no deeper than it is looked for.
    pub long_nest: usize,
    /// Parts of one node from which on those that can be deleted are searched as a list, though the syntax has none
    /// there. An error may have as many parts as the text has tokens; one by one each would take a question.
    pub crowd: usize,
}

/// The sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SweepTuning {
    /// Statements below which there is no sweep: lists find as much with as few questions.
    pub fewest: usize,
    /// Questions of a stretch for each halving of the number of statements: to find a statement takes about one
    /// for each.
    pub stretch: usize,
    /// The share of the tokens, in percent, that a stretch may leave if the sweep is to go on.
    pub goes_on: usize,
    /// A statement of at least one token in this many is tried by itself before the sweep.
    pub large: usize,
    /// The first step back from a statement that was found takes at most one token in this many of those that may
    /// go.
    pub first_step: u32,
    /// The same after a set of statements turned out to be enough.
    pub next_step: u32,
    /// The factor by which steps grow while they succeed.
    pub growth: u32,
    /// Tokens up to which a statement without names, such as `public:`, belongs to what is around it.
    pub small: usize,
}

/// Batch sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BatchTuning {
    /// Outcomes that the estimate remembers, more or less.
    pub memory: u32,
    /// One element in this many of a list is tried together whatever the estimate: long lists have stretches that
    /// nothing needs.
    pub least_share: usize,
}

/// Closures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClosureTuning {
    /// Tokens up to which something that nothing uses any more goes along.
    pub small: u32,
    /// Nodes between a name and the parameter that it names, at most.
    pub parameter_depth: usize,
}

impl Tuning {
    /// What [`LinkedSearch::new`](crate::LinkedSearch::new) takes.
    pub const DEFAULT: Self = Self {
        walk: WalkTuning { short_nest: 3, long_nest: 8, crowd: 256 },
        sweep: SweepTuning {
            fewest: 32,
            stretch: 3,
            goes_on: 90,
            large: 8,
            first_step: 64,
            next_step: 16,
            growth: 8,
            small: 3,
        },
        batch: BatchTuning { memory: 8, least_share: 16 },
        closure: ClosureTuning { small: 16, parameter_depth: 4 },
        long_pass: 100,
        shrunk: 2,
        spread: 4,
        large: 1000,
        weaker_in_large: Patience::of(5),
        weaker: Patience::of(2),
        repairs: Patience::of(2),
        dangling: Patience::of(2),
        dangling_in_sweep: Patience::of(12),
        small: 300,
        parts: Patience::of(12),
        strings: Patience::of(4),
        remembered: 64,
    };
}

impl Default for Tuning {
    fn default() -> Self {
        Self::DEFAULT
    }
}
