//! Deletion of declarations together with their uses: our own reducer.
//!
//! It walks the tree as [`perses+`](crate::perses) does (`walk.rs`), with the same lists, chains and
//! replacements, and differs in twelve ways. Their constants are in [`Tuning`].
//!
//! - **Bodies first.** Where functions must end with their result, the bodies of all functions are searched as one list before
//!   all else, and imports that only they used go along.
//! - **Ends of functions.** There, a statement that never ends takes the place of the last one of a body (`endings.rs`).
//! - **Backwards sweep.** A large text is first searched as one sequence of statements: the last statement that
//!   matters is found and kept with what it needs. If that is enough, all the rest is deleted (`sweep.rs`).
//! - **Closures.** A deletion takes along what cannot stand without it: attributes, the statements that use a
//!   name which only this introduced, the function that ended with one of these, the argument of a parameter in
//!   every call; and what has become unused, such as an import ([`ClosureDepth`]). Names are resolved by the nesting of
//!   scopes, without a compiler (`graph.rs`): a wrong guess costs a question, never the result. When a deletion is
//!   refused, weaker closures are tried, down to the set alone, as long as that ever works for such nodes. Where the
//!   language has a value of any type, the first of them deletes no uses but puts stand-ins in their place (`orphan.rs`).
//! - **Learning.** A refused test may print names that stood in what was deleted. From then on they link mentions
//!   that no scope explains, and the same deletion is tried again, as long as that ever works.
//! - **Batches.** Up to `batch_width` places are looked at side by side: one question of each is asked about
//!   the same base, and those that succeeded are merged; if that fails, half of them. That many tests can run at
//!   once. Places much lighter than the heaviest wait, for they may go with it.
//! - **Batch sizes.** Of a list, as many elements are tried together as are likely to go together, estimated
//!   from the outcomes so far (`budget.rs`).
//! - **Parts last.** Parts of a node in its place, and strings, are tried when nothing else can be deleted: the
//!   smallest change first, and only where the outcome is not known (`parts.rs`).
//! - **Dangling references.** Variants that use a name which nothing introduces any more are not asked about
//!   after they have failed a few times; in large texts this is counted for each kind of node that introduces names. Where
//!   what has lost its body cannot stay declared, because a linker misses it, its declarations and uses are deleted along.
//!   The 1-minimality check asks all the same.
//! - **Wide deletions.** In a large text, what takes much along waits after a few failures until nothing else can be
//!   deleted.
//! - **Memory.** A refused deletion is asked again only when a name in it has since lost a mention elsewhere
//!   (`memory.rs`), even if the text was read anew or some of it has gone meanwhile. An element that is known to
//!   stay is in no set that is asked about.
//! - **Forgetting.** In turns with another reading (`alternate.rs`), all of this is forgotten when a large text has shrunk
//!   to an eighth, and the sweep begins anew. What was refused in a large text often goes from a small one, and not only
//!   where a name of it went.
//!
//! At the end comes a check for 1-minimality: each node that can go is deleted alone, unless that was refused
//! since the last change. So the result is 1-tree-minimal.
//!
//! An example of how it is run is at [`Search`](crate::Search).

mod arguments;
mod batch;
mod budget;
mod census;
mod closure;
mod dangling;
mod endings;
mod graph;
mod inserted;
mod item;
mod knowledge;
mod needs;
mod orphan;
mod parts;
mod search;
mod statements;
mod sweep;
mod unused;

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use self::inserted::Inserted;
use crate::edit::Change;
use crate::memory::{Context, Key, Memory};
use crate::range::widen;
use crate::{Tree, Tuning, Variant};
pub(crate) use budget::SuccessBudget;
pub use closure::ClosureDepth;
pub use search::LinkedSearch;

/// The links between the nodes of a tree, which the methods want again.
#[derive(Debug)]
pub struct Links {
    graph: graph::Graph,
    census: census::Census,
    whole: Variant,
}

impl Links {
    /// The links of `tree`.
    pub fn of(tree: &Tree) -> Self {
        let graph = graph::Graph::new(tree);
        let whole = Variant::whole(tree.text().clone());
        Self { census: census::Census::of(&graph, tree, &whole), graph, whole }
    }

    /// Whether it is known that `change` fails: it was refused, in this context if that matters, and no name in it has lost
    /// a mention elsewhere since then.
    pub(crate) fn is_pointless(
        &self,
        tree: &Tree,
        memory: &Memory,
        key: Key,
        context: Option<Context>,
        change: &Change,
    ) -> bool {
        let regions: Vec<_> = change.tokens(tree).map(|tokens| widen(&tokens)).collect();
        let mentions = tree.names().mentions();
        let inside = regions.iter().flat_map(|tokens| self.graph.mentions_in(tokens.clone()));
        memory.is_pointless(key, context, &regions, inside.map(|index| mentions[index].name))
    }

    pub(crate) fn leaf(&self, token: usize) -> usize {
        self.graph.leaf(token)
    }

    /// `memory` learns that all of the tree has become `variant`.
    pub(crate) fn accept(&self, memory: &mut Memory, variant: &Variant) {
        memory.accept(&self.graph.gone(&self.whole, variant), variant);
    }

    /// Which of the things of its name a mention is about, if scopes tell them apart.
    pub(crate) fn symbol_of(&self, tree: &Tree, mention: usize) -> Option<usize> {
        let name = tree.names().mentions()[mention].name;
        self.graph.symbol_of(mention).filter(|_| self.graph.any(name).is_none())
    }

    /// The nodes that go when `node` goes, itself included, in the order of the text.
    pub fn taken_by(&self, tree: &Tree, node: usize, depth: ClosureDepth) -> Vec<u32> {
        self.tied(tree).closure(&[node as u32], depth)
    }

    /// Whether something in `variant` uses a name that something introduces in the tree, but nothing there, or
    /// nothing that is known where it is used.
    pub fn leaves_dangling(&self, tree: &Tree, variant: &Variant) -> bool {
        let inserted = Inserted::of(&self.graph, tree, variant);
        self.tied(tree).leaves_dangling(inserted.variant()) || inserted.has_strangers()
    }

    fn tied<'a>(&'a self, tree: &'a Tree) -> closure::Tied<'a> {
        let Self { graph, census, whole: variant } = self;
        let (wants_bodies, tuning) = (false, Tuning::DEFAULT.closure);
        closure::Tied { tree, variant, graph, census, learned: &NOTHING, wants_bodies, tuning }
    }
}

static NOTHING: BTreeSet<u32> = BTreeSet::new();
