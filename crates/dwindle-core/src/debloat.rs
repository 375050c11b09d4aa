//! Debloating: one list in front of any search of a tree. It has the *suspects*, nodes that are likely not needed: those in
//! which nothing has run, and those that nothing uses from the beginning.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::ops::Range;

use crate::chisel::ChiselSearch;
use crate::linked::Links;
use crate::memory::Memory;
use crate::{
    Answer, AnySearch, Ask, Evidence, ListQuestion, MinimizerConfig, Origin, Search, Subset, Tree, Variant,
};

/// What a test has run of a program, by the first tokens of statements.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// Those that it ran.
    pub ran: Subset,
    /// Those that it did not.
    pub idle: Subset,
}

/// A search of what is left of a tree without those of the suspects that can go.
#[derive(Clone, Debug)]
pub struct DebloatSearch {
    /// The search of the suspects, until it is over.
    suspects: Option<AnySearch>,
    search: AnySearch,
}

impl DebloatSearch {
    /// Deletes what it can of the statements and declarations of `tree` in which nothing has run, together with what
    /// nothing uses in the file from the beginning; then runs `search` on what is left.
    ///
    /// A declaration in which nothing has run may be used all the same. Then what is in it is deleted instead.
    pub fn new(tree: Arc<Tree>, minimizer: MinimizerConfig, coverage: &Coverage, search: AnySearch) -> Self {
        let links = Links::of(&tree);
        let among = |set: &Subset, node: u32| {
            let Range { start, end } = tree.tokens(node as usize);
            set.next_from(start).is_some_and(|token| token < end)
        };
        let mut suspects = links.unused(&tree, None, &Variant::whole(tree.text().clone()));
        suspects.retain(|&node| !among(&coverage.ran, node));
        let statements = (0..tree.nodes().len()).filter(|&node| links.is_statement(node));
        let statements = statements.map(|node| node as u32);
        suspects
            .extend(statements.filter(|&node| among(&coverage.idle, node) && !among(&coverage.ran, node)));
        let suspects = links.deletable_together(&tree, suspects);
        let suspects = ChiselSearch::of_list(tree, links, minimizer, suspects);
        let mut search = Self { suspects: Some(AnySearch::Chisel(Box::new(suspects))), search };
        search.settle();
        search
    }

    /// The search whose questions are asked.
    fn current(&self) -> &AnySearch {
        self.suspects.as_ref().unwrap_or(&self.search)
    }

    /// Goes on with the search when the suspects are through.
    fn settle(&mut self) {
        if let Some(suspects) = &self.suspects
            && matches!(suspects.ask(), Ask::Done)
        {
            let best = suspects.best().clone();
            self.restart(best, None);
        }
    }

    /// How many candidates [its search](AnySearch::held_back) held back.
    pub(crate) fn held_back(&self) -> u64 {
        self.search.held_back()
    }

    /// Begins again with `best`; there are no suspects any more.
    pub(crate) fn restart(&mut self, best: Variant, memory: Option<Memory>) {
        self.suspects = None;
        self.search.restart(best, memory);
    }
}

impl Search for DebloatSearch {
    fn ask(&self) -> Ask {
        self.current().ask()
    }

    fn tell(&mut self, answer: Answer) {
        self.suspects.as_mut().unwrap_or(&mut self.search).tell(answer);
        self.settle();
    }

    fn skip(&mut self) -> bool {
        match &self.suspects {
            Some(suspects) => {
                let best = suspects.best().clone();
                self.restart(best, None);
                true
            }
            None => self.search.skip(),
        }
    }

    fn best(&self) -> &Variant {
        self.current().best()
    }

    fn label(&self) -> &'static str {
        self.current().label()
    }

    fn origin(&self) -> Origin {
        self.current().origin()
    }

    fn learns_from(&self, evidence: &Evidence) -> bool {
        self.current().learns_from(evidence)
    }

    fn list(&self) -> Option<ListQuestion> {
        self.current().list()
    }

    fn with_elements(&self, kept: &Subset) -> Option<Variant> {
        self.current().with_elements(kept)
    }
}
