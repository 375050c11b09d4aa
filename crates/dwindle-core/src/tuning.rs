//! The constants that the search of a tree can be tuned by.
//!
//! A value whose field gives no reason was chosen on the panel (`docs/decisions/default-search.md` and
//! `docs/experiments`). An ablation is a [`Tuning`] with another value in one field. Constants that bound the time of
//! a computation, and those that papers fix, are beside the code that uses them.

/// How many questions of one sort may fail before they are not asked any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Questions that may fail before the first success.
    pub failures: u32,
    /// Questions that each success allows on top.
    pub per_success: u32,
}

impl Patience {
    /// This many failures before the first success. A success allows eight more questions: what succeeds once in
    /// nine times is worth asking.
    pub const fn of(failures: u32) -> Self {
        Self { failures, per_success: 8 }
    }
}

/// The constants of [`LinkedSearch`](crate::LinkedSearch) and [`PassSearch`](crate::PassSearch).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tuning {
    /// How the tree is walked.
    pub walk: WalkTuning,
    /// How a large text is searched from its end at first.
    pub sweep: SweepTuning,
    /// How two readings take turns.
    pub turns: TurnTuning,
    /// How many elements of a list are tried together.
    pub batch: BatchTuning,
    /// How far a deletion spreads.
    pub closure: ClosureTuning,
    /// What passes propose, and how long they are tried.
    pub passes: PassTuning,
    /// Questions of a pass after which the text may be read anew before the pass is over. Then the largest nodes are looked
    /// at again first: they may have been needed only by something that was deleted since.
    pub long_pass: usize,
    /// That happens only when the text has shrunk by this factor since the pass began.
    pub shrunk: usize,
    /// How many times lighter than the heaviest item of a batch another item may be. Lighter ones wait, because they may be
    /// deleted with it.
    pub spread: u32,
    /// Tokens from which on a text is large: there, a success of a weaker closure saves more.
    pub large: usize,
    /// How long weaker closures of one kind of node are tried in large texts.
    pub weaker_in_large: Patience,
    /// The same in others.
    pub weaker: Patience,
    /// How long stand-ins are tried in the place of uses.
    pub stand_ins: Patience,
    /// How long a deletion is asked again with the names that a refused test complained of.
    pub repairs: Patience,
    /// How long variants with dangling references are asked about in small texts, and parts that leave some.
    pub dangling: Patience,
    /// The same in the sweep, where the text is large: the graph of names is wrong more often, and much can go.
    pub dangling_in_sweep: Patience,
    /// The same in large texts, for names that one kind of node introduces: the graph of names is wrong more often there,
    /// and much can go.
    pub dangling_in_large: Patience,
    /// How long functions are tried that have lost their body but stay declared and used: a compiler accepts them, a linker
    /// does not.
    pub bodiless: Patience,
    /// How long wide deletions are tried, which take much along.
    pub wide: Patience,
    /// A deletion is wide if it takes along more than one token in this many of the text.
    pub much: usize,
    /// Tokens below which a text is small: there, `dangling` holds for lists, too, and `bodiless` does not count.
    pub small: usize,
    /// How long it is tried to replace nodes by their parts, for each slot.
    pub parts: Patience,
    /// How long it is tried to replace tokens by strings.
    pub strings: Patience,
    /// Tokens of a refused part above which it is forgotten. Large ones rarely lie in a later question.
    pub remembered: usize,
}

/// The walk over a tree, and chains of nodes of one kind, each inside of the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WalkTuning {
    /// Nodes below a node in which its replacement is looked for, as in Perses 2.0: deeper ones are reached by
    /// replacing several times.
    pub depth: usize,
    /// The same for a list whose elements replace an element of a list around it, as in Perses 2.0.
    pub list_depth: usize,
    /// The most levels from one node of a chain to the next: between two calls or two operations there are few.
    pub levels: usize,
    /// A chain of this many nodes is searched after the replacements of its outermost node.
    pub short_chain: usize,
    /// A chain of this many nodes is searched before them: they reach only a few levels deep.
    pub long_chain: usize,
    /// Parts of one node from which on those that can be deleted are searched as a list, though the syntax has none
    /// there. An error may have as many parts as the text has tokens; one by one each would take a question. Errors of
    /// some hundred parts are better left to their turn: most parts go along with something heavier. From 256 on,
    /// `verilog-iverilog-nexus` took 1,820 questions instead of 872.
    pub crowd: usize,
}

/// The sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SweepTuning {
    /// Statements below which there is no sweep: lists find as much with as few questions.
    pub fewest: usize,
    /// Functions from which on their bodies are searched before the sweep.
    pub bodies: usize,
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

/// Turns of two readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TurnTuning {
    /// Tokens for each syntax error above which there is one reading only: in `go-ice-label-tag`, with one error in 16,678
    /// tokens, another cost 82 questions and won nothing. Texts with one in 1,300 and more got smaller by it.
    pub tokens_per_error: u64,
    /// Questions of a stretch: enough to tell whether a reading wins anything.
    pub stretch: u32,
    /// The share of the tokens, in percent, that a stretch by the grammar takes if another follows it at once.
    pub goes_on: u64,
    /// The same by brackets.
    pub brackets_go_on: u64,
    /// Tokens below which the grammar does not give way.
    pub fewest: u64,
    /// When a large text has shrunk by this factor, everything is forgotten that was learned: what was refused in a large
    /// text often goes from a small one (`docs/experiments/order.md`).
    pub forgets: usize,
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
    /// Tokens of a text from which on parameters that nothing uses any more stay: without them a function may no longer
    /// fit what overloads or overrides it, and there is more to lose than a few tokens.
    pub parameters_stay: usize,
}

/// Passes. Where a pass proposes the smallest or the largest of many things, the others are worth less, and each costs
/// a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PassTuning {
    /// When passes have deleted more than one token in this many, deletion runs again on the whole tree. After less,
    /// the pass `delete` finds what can be deleted near the changes.
    pub deletion_again: u64,
    /// Refusals in a row after which a pass is given up, until the others of its stage find nothing either: they may
    /// make room for it.
    pub patience: u32,
    /// The factor by which this number grows each time that happens, so that at the end nothing is given up.
    pub more_patience: u32,
    /// Tokens below which variants are parsed before they are tested: a parse takes at most 2 ms then, about what it
    /// takes to start a process.
    pub screened_text: usize,
    /// Nodes that names tie together which are deleted at once, at most: more of them make a search of their own,
    /// which deletion is.
    pub along: usize,
    /// Nodes from the end of a body among which the statement that returns is looked for. It bounds the time.
    pub return_search: usize,
    /// Arguments that a call becomes, at most the first ones.
    pub call_arguments: usize,
    /// Calls that become the body of what they call, at most: each is a copy of it.
    pub calls: usize,
    /// Values of a name, parts of a body or declaration, and places of a node that are tried, at most: the nearest, the
    /// largest, the first. Of words of the text those that stand most often.
    pub few: usize,
    /// Ways in which two neighbours become one, at most those that keep most of the second.
    pub halves: usize,
    /// The most nodes around or inside of another that the passes `halves` and `values` look at. It bounds their time in
    /// deeply nested text.
    pub levels: usize,
    /// How many of its insides may replace something with a name: the largest.
    pub flatten_insides: usize,
    /// How many of its insides may replace an element of a list: the largest.
    pub splice_insides: usize,
    /// How many of the nodes below a node may replace it: the smallest.
    pub hoists: usize,
    /// How many texts from elsewhere may replace a node: the smallest.
    pub replacements: usize,
    /// How many of these may be single tokens: one is much like another.
    pub single_replacements: usize,
    /// How many of these may be of one kind.
    pub single_of_kind: usize,
    /// Tokens of such a text, at most: larger ones are seldom smaller than what they replace.
    pub replacement_tokens: usize,
    /// Tokens of such a text up to which it need not begin like what it replaces.
    pub unlike_replacement: u32,
    /// How many texts of several tokens and one kind are looked at for each node.
    pub looked_at: usize,
    /// Mentions up to which a name becomes something else, or loses a sign or brackets, wherever it stands.
    pub most_mentions: usize,
    /// Mentions up to which all ways to inline a name are tried, also those that make the text longer at first.
    pub inline_few_mentions: usize,
    /// Parts of its declaration that a name with more mentions becomes, at most the largest.
    pub inline_parts_of_many: usize,
    /// Tokens of a node that is moved to a mention of a name in it, at most: it is an expression, not a block.
    pub relocated_tokens: usize,
    /// Names up to which they are merged with each other: the number of pairs is the square of it.
    pub merged_names: usize,
    /// Mentions up to which a parameter is looked at: each is an edit of the one change.
    pub parameter_mentions: usize,
    /// Tokens of a statement in which lists are looked for that do not stand right behind the name, at most. In a
    /// longer one too many lists have the right length.
    pub parameter_statement: usize,
    /// Tokens that are deleted together whatever the syntax says, at most: larger sets have been tried as nodes.
    pub tokens_together: usize,
    /// Tokens of a text up to which pairs are tried: their number is the square of it.
    pub pairs_text: usize,
    /// Tokens of a window, at most.
    pub window: usize,
    /// Bytes from which on a gap, a name or a token of no known sort is long: what is in it is a choice of its own. Those
    /// that people write are shorter.
    pub long: usize,
    /// Pieces that a token, or a piece of one, is cut into, at most. A choice takes a few hundred bytes, and a list
    /// minimiser finds what can be deleted among so many by few questions.
    pub pieces: usize,
}

impl Tuning {
    /// What [`LinkedSearch::new`](crate::LinkedSearch::new) takes.
    pub const DEFAULT: Self = Self {
        walk: WalkTuning { depth: 5, list_depth: 3, levels: 4, short_chain: 3, long_chain: 8, crowd: 2048 },
        sweep: SweepTuning {
            fewest: 32,
            bodies: 8,
            stretch: 3,
            goes_on: 90,
            large: 8,
            first_step: 64,
            next_step: 16,
            growth: 8,
            small: 3,
        },
        turns: TurnTuning {
            tokens_per_error: 4000,
            stretch: 32,
            goes_on: 20,
            brackets_go_on: 50,
            fewest: 100,
            forgets: 8,
        },
        batch: BatchTuning { memory: 8, least_share: 16 },
        closure: ClosureTuning { small: 16, parameter_depth: 4, parameters_stay: 1000 },
        passes: PassTuning {
            deletion_again: 2,
            patience: 64,
            more_patience: 8,
            screened_text: 5000,
            along: 64,
            return_search: 1024,
            call_arguments: 4,
            calls: 8,
            few: 3,
            halves: 2,
            levels: 8,
            flatten_insides: 4,
            splice_insides: 8,
            hoists: 16,
            replacements: 12,
            single_replacements: 4,
            single_of_kind: 2,
            replacement_tokens: 16,
            unlike_replacement: 4,
            looked_at: 1000,
            most_mentions: 32,
            inline_few_mentions: 2,
            inline_parts_of_many: 2,
            relocated_tokens: 8,
            merged_names: 40,
            parameter_mentions: 64,
            parameter_statement: 256,
            tokens_together: 4,
            pairs_text: 100,
            window: 16,
            long: 100,
            pieces: 256,
        },
        long_pass: 100,
        shrunk: 2,
        spread: 4,
        large: 1000,
        weaker_in_large: Patience::of(5),
        weaker: Patience::of(2),
        stand_ins: Patience::of(3),
        repairs: Patience::of(2),
        dangling: Patience::of(2),
        dangling_in_sweep: Patience::of(12),
        dangling_in_large: Patience::of(4),
        bodiless: Patience::of(4),
        wide: Patience::of(8),
        much: 32,
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
