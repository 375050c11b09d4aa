//! Reduction by what hangs together: our own reducer.
//!
//! It looks at the places of the tree as [`perses+`](crate::perses) does, with the same lists, nests and
//! replacements, and differs in eight things.
//!
//! - **From the end.** A large text is first searched as one sequence of statements: the last that matters is
//!   found and kept with what it needs, and the rest goes if that is enough (`sweep.rs`).
//! - **Links.** A deletion takes along what cannot stand without what goes: its attributes, the statements that
//!   use a name which only that introduced, and so on, the function that ended with one of these, and the
//!   argument of a parameter in every call; and what nobody needs any more, such as an import whose last
//!   use went ([`Reach`]). Names are resolved by the nesting of scopes, without a compiler (`graph.rs`); a
//!   wrong guess costs a question. Of a deletion that is refused the weaker ones are tried, down to the set
//!   alone, as long as that ever works for nodes of that kind.
//! - **Learning.** Names in the output of a refused test that stand in what was deleted are links from
//!   then on to mentions that no scope explains, and the same deletion is tried again with them, as long as
//!   that ever works.
//! - **Rounds.** Up to `batch_width` places are looked at side by side: one question of each is asked about
//!   the same base, and what succeeded is merged; where that fails, half of it. So many tests can run at
//!   once. Places much lighter than the heaviest wait, for they may go with it.
//! - **Odds.** As many elements of a list are asked about together as are likely to go together, by what came
//!   of those before (`habits.rs`).
//! - **Parts last.** What may stand in a node's place, parts of it or a string, is asked when nothing else can
//!   go, smallest change first, and only where what is known to stay leaves it open (`parts.rs`).
//! - **Losses.** What uses a name that nothing introduces any more is left to the proof where that was in vain
//!   before: in small texts and from the end.
//! - **Memory.** What was refused is asked again when a name in it has since lost a mention elsewhere
//!   (`memory.rs`), also after the text was read anew and where some of it has gone meanwhile; an element that
//!   is known to stay is in no set that is asked about.
//!
//! At the end each node that can go is deleted alone, unless that was refused since the last change: the
//! result is 1-tree-minimal.

mod brought;
mod closure;
mod graph;
mod habits;
mod lane;
mod memory;
mod parts;
mod search;
mod sweep;

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use self::brought::Brought;
use crate::{Tree, Variant};
pub use closure::Reach;
pub(crate) use habits::{Habit, PATIENCE_WITH_LOSSES};
pub use search::LinkedSearch;

/// The links between the nodes of a tree, which the methods want again.
#[derive(Debug)]
pub struct Links {
    graph: graph::Graph,
    census: closure::Census,
    whole: Variant,
}

impl Links {
    /// The links of `tree`.
    pub fn of(tree: &Tree) -> Self {
        let graph = graph::Graph::new(tree);
        let whole = Variant::whole(tree.text().clone());
        Self { census: closure::Census::of(&graph, tree, &whole), graph, whole }
    }

    /// The nodes that go when `node` goes, itself included, in the order of the text.
    pub fn taken_by(&self, tree: &Tree, node: usize, reach: Reach) -> Vec<u32> {
        self.tied(tree).closure(&[node as u32], reach)
    }

    /// Whether something in `variant` uses a name that something introduces in the tree, but nothing there, or
    /// nothing that is known where it is used.
    pub fn loses_names(&self, tree: &Tree, variant: &Variant) -> bool {
        let brought = Brought::of(&self.graph, tree, variant);
        self.tied(tree).loses_names(brought.variant()) || brought.has_strangers()
    }

    fn tied<'a>(&'a self, tree: &'a Tree) -> closure::Tied<'a> {
        let Self { graph, census, whole: variant } = self;
        closure::Tied { tree, variant, graph, census, learned: &NOTHING }
    }
}

static NOTHING: BTreeSet<u32> = BTreeSet::new();
