//! All searches behind one type, so that a driver needs not know which one it runs.

use alloc::boxed::Box;
use alloc::sync::Arc;

use crate::memory::Memory;
use crate::{
    AlternatingSearch, Answer, Ask, ChiselSearch, DebloatSearch, Evidence, LinkedSearch, ListQuestion,
    ListSearch, Origin, PassSearch, PersesSearch, Search, Subset, Tree, TreeSearch, Variant,
};

macro_rules! any_search {
    ($($variant:ident($search:ty)),*) => {
        /// Any of the searches.
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        #[expect(missing_docs, reason = "each variant is the search of its name")]
        pub enum AnySearch {
            $($variant($search),)*
        }

        impl AnySearch {
            /// Begins again with `best`, which it reads first where it has to, with what is known to be refused in it.
            pub(crate) fn restart(&mut self, best: Variant, memory: Option<Memory>) {
                match self { $(Self::$variant(search) => search.restart(best, memory),)* }
            }
        }

        impl Search for AnySearch {
            fn ask(&self) -> Ask {
                match self { $(Self::$variant(search) => search.ask(),)* }
            }

            fn tell(&mut self, answer: Answer) {
                match self { $(Self::$variant(search) => search.tell(answer),)* }
            }

            fn skip(&mut self) -> bool {
                match self { $(Self::$variant(search) => search.skip(),)* }
            }

            fn best(&self) -> &Variant {
                match self { $(Self::$variant(search) => search.best(),)* }
            }

            fn label(&self) -> &'static str {
                match self { $(Self::$variant(search) => search.label(),)* }
            }

            fn origin(&self) -> Origin {
                match self { $(Self::$variant(search) => search.origin(),)* }
            }

            fn learns_from(&self, evidence: &Evidence) -> bool {
                match self { $(Self::$variant(search) => search.learns_from(evidence),)* }
            }

            fn list(&self) -> Option<ListQuestion> {
                match self { $(Self::$variant(search) => search.list(),)* }
            }

            fn with_elements(&self, kept: &Subset) -> Option<Variant> {
                match self { $(Self::$variant(search) => search.with_elements(kept),)* }
            }
        }
    };
}

any_search!(
    List(ListSearch),
    Tree(Box<TreeSearch>),
    Chisel(Box<ChiselSearch>),
    Debloat(Box<DebloatSearch>),
    Perses(Box<PersesSearch>),
    Linked(Box<LinkedSearch>),
    Alternating(Box<AlternatingSearch>),
    Passes(Box<PassSearch>)
);

impl AnySearch {
    /// The tree that it searches, where it deletes declarations with their uses.
    pub(crate) fn tree(&self) -> Option<&Arc<Tree>> {
        match self {
            Self::Linked(search) => Some(search.tree()),
            Self::Alternating(search) => Some(search.tree()),
            _ => None,
        }
    }

    pub(crate) fn memory(&self) -> Option<&Memory> {
        match self {
            Self::Linked(search) => Some(search.memory()),
            Self::Alternating(search) => Some(search.memory()),
            _ => None,
        }
    }

    /// How many candidates were not asked about, because they have more syntax errors than their base.
    pub fn held_back(&self) -> u64 {
        match self {
            Self::Passes(search) => search.held_back(),
            Self::Debloat(search) => search.held_back(),
            _ => 0,
        }
    }
}
