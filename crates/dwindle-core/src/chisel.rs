//! Debloating in the setting of Chisel (Heo et al., CCS 2018): first the declarations of the file, then the statements
//! of each body, list by list, by any list minimiser.
//!
//! Two things come from the graph of names, without a compiler, as Chisel has them from Clang:
//!
//! - **Dead declarations.** What nothing uses any more goes along with its last use, in the same question.
//! - **Dependencies.** A candidate that uses a name which nothing introduces any more is refused unasked.
//!
//! Chisel picks its questions by a decision tree; here that is the minimiser's part. Papers on ProbDD and CDD measure
//! their minimisers in this host. Rounds go on until one changes nothing.
//!
//! [`DebloatSearch`] puts one list before any search of a tree: the *suspects*, nodes that are likely not needed, such
//! as those that no test has run.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use crate::comments::{TreeMachine, WithComments};
use crate::edit::{Change, Edit};
use crate::linked::Links;
use crate::memory::Memory;
use crate::residual::ResidualTree;
use crate::tree::{Role, Tree};
use crate::{
    Answer, AnyMinimizer, AnySearch, Ask, EmptyPolicy, Evidence, Gaps, ListQuestion, Minimizer,
    MinimizerConfig, Origin, Outcome, Search, Subset, Variant, WithEmpty,
};

/// The search; see the [module](self).
pub type ChiselSearch = WithComments<Machine>;

/// The search of a tree without comments.
#[derive(Clone, Debug)]
pub struct Machine {
    tree: Arc<Tree>,
    links: Arc<Links>,
    statements: Arc<Subset>,
    minimizer: MinimizerConfig,
    /// The list before all others, where there is one; then it is the only one.
    suspects: Option<Arc<[u32]>>,
    best: Variant,
    /// Where in the walk the next list is looked for, and whether anything went in this round.
    cursor: usize,
    changed: bool,
    /// The list that is being searched, what its elements weigh, and how many lists there were before.
    list: Arc<[u32]>,
    weights: Arc<[u32]>,
    lists: u32,
    search: Option<Box<WithEmpty<AnyMinimizer>>>,
}

impl ChiselSearch {
    /// A search of the lists of `tree`.
    pub fn new(tree: Arc<Tree>, minimizer: MinimizerConfig) -> Self {
        Self::before(Machine::new(tree, minimizer, None))
    }
}

impl Machine {
    fn new(tree: Arc<Tree>, minimizer: MinimizerConfig, suspects: Option<Arc<[u32]>>) -> Self {
        Self {
            links: Arc::new(Links::of(&tree)),
            statements: Arc::new(tree.statements()),
            best: Variant::whole(tree.text().clone()),
            tree,
            minimizer,
            suspects,
            cursor: 0,
            changed: false,
            list: Arc::new([]),
            weights: Arc::new([]),
            lists: 0,
            search: None,
        }
    }

    /// Looks for the next list with something in it.
    fn next(&mut self) {
        loop {
            let list: Vec<u32> = match &self.suspects {
                Some(suspects) if self.cursor == 0 => suspects.to_vec(),
                Some(_) => return,
                None if self.cursor < self.tree.nodes().len() => {
                    let node = self.tree.breadth_first()[self.cursor] as usize;
                    self.tree.children(node).map(|child| child as u32).collect()
                }
                None if self.changed => {
                    (self.cursor, self.changed) = (0, false);
                    continue;
                }
                None => return,
            };
            self.cursor += 1;
            let list: Vec<u32> = list.into_iter().filter(|&node| self.is_removable(node)).collect();
            if list.is_empty() {
                continue;
            }
            let weight = |&node: &u32| self.residual().size_of(node as usize).max(1);
            let weights: Vec<u32> = list.iter().map(weight).collect();
            self.lists += 1;
            let policy = if self.suspects.is_some() { EmptyPolicy::TestFirst } else { EmptyPolicy::TestLast };
            self.list = list.into();
            self.search = Some(Box::new(WithEmpty::new(self.minimizer.start(&weights), policy)));
            self.weights = weights.into();
            if self.skip() {
                return;
            }
        }
    }

    fn residual(&self) -> ResidualTree<'_> {
        ResidualTree { tree: &self.tree, variant: &self.best }
    }

    fn is_removable(&self, node: u32) -> bool {
        let node = node as usize;
        match self.tree.nodes()[node].role {
            Role::Deletable => self.residual().stands(node) && self.residual().can_go(node),
            Role::StandIn(string) => self.residual().size_of(node) > self.tree.stand_in(string).tokens,
            Role::Fixed | Role::Separator => false,
        }
    }

    /// The best variant without the nodes of the list that are in `before` but not in `after`, and without what
    /// nothing uses any more then.
    fn without(&self, before: &Subset, after: &Subset) -> Variant {
        let gone = before.iter().filter(|&i| !after.contains(i)).map(|i| self.list[i]);
        let mut gone: Vec<u32> = gone.filter(|&node| self.is_removable(node)).collect();
        let beside = |&node: &u32| self.links.declared_beside(&self.tree, &self.statements, node);
        let beside: Vec<u32> = gone.iter().flat_map(beside).collect();
        gone.extend(beside);
        let gone = self.tree.outermost(gone);
        let edit = |&node: &u32| match self.tree.nodes()[node as usize].role {
            Role::StandIn(string) => {
                let tokens = self.tree.nodes()[node as usize].tokens();
                Edit::replacement(tokens, self.tree.stand_in(string).clone())
            }
            _ => Edit::Delete(node),
        };
        let variant = Change::new(gone.iter().map(edit)).apply(&self.tree, &self.best);
        let unused = self.links.unused(&self.tree, Some(&self.best), &variant);
        Change::deletion(unused).apply(&self.tree, &variant)
    }

    /// The variant that the list's search asks about.
    fn candidate(&self) -> Option<Variant> {
        let search = self.search.as_ref()?;
        Some(self.without(search.best(), &search.ask()?))
    }

    /// Answers what need not be asked. Whether something is left to ask; the list is over otherwise.
    fn skip(&mut self) -> bool {
        loop {
            let Some(candidate) = self.candidate() else {
                self.search = None;
                return false;
            };
            let known = match () {
                () if candidate == self.best => Outcome::Interesting,
                () if self.links.leaves_dangling(&self.tree, &candidate) => Outcome::Uninteresting,
                () => return true,
            };
            self.search.iter_mut().for_each(|search| search.tell(known));
        }
    }
}

impl TreeMachine for Machine {
    fn begin(&mut self, gaps: Gaps) {
        self.best.gaps = gaps;
        self.next();
    }

    fn again(&self, tree: Arc<Tree>, _: Option<Memory>) -> Self {
        Self { lists: self.lists, ..Self::new(tree, self.minimizer, None) }
    }
}

impl Search for Machine {
    fn ask(&self) -> Ask {
        self.candidate().map_or(Ask::Done, Ask::Test)
    }

    fn tell(&mut self, answer: Answer) {
        let Answer::Outcome(outcome) = answer else { panic!("{answer:?} does not answer a test") };
        let Some(candidate) = self.candidate() else { return };
        self.search.iter_mut().for_each(|search| search.tell(outcome));
        if outcome.is_interesting() {
            self.best = candidate;
            self.changed = true;
        }
        if !self.skip() {
            self.next();
        }
    }

    fn best(&self) -> &Variant {
        &self.best
    }

    fn label(&self) -> &'static str {
        if self.suspects.is_some() { "suspects" } else { "bodies" }
    }

    fn list(&self) -> Option<ListQuestion> {
        ListQuestion::of(self.lists, self.list.clone(), &self.weights, &**self.search.as_ref()?)
    }

    fn with_elements(&self, kept: &Subset) -> Option<Variant> {
        Some(self.without(self.search.as_ref()?.best(), kept))
    }
}

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
    suspects: Option<Box<ChiselSearch>>,
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
            let Range { start, end } = tree.nodes()[node as usize].tokens();
            set.next_from(start).is_some_and(|token| token < end)
        };
        let mut suspects = links.unused(&tree, None, &Variant::whole(tree.text().clone()));
        suspects.retain(|&node| !among(&coverage.ran, node));
        let statements = tree.statements();
        let statements = statements.iter().map(|node| node as u32);
        suspects
            .extend(statements.filter(|&node| among(&coverage.idle, node) && !among(&coverage.ran, node)));
        let suspects = links.deletable_together(&tree, suspects);
        let machine = Machine::new(tree, minimizer, Some(suspects.into()));
        let mut search = Self { suspects: Some(Box::new(ChiselSearch::before(machine))), search };
        search.settle();
        search
    }

    /// Goes on with the search when the suspects are through.
    fn settle(&mut self) {
        if let Some(suspects) = &self.suspects
            && matches!(suspects.ask(), Ask::Done)
        {
            let best = suspects.best().clone();
            self.suspects = None;
            self.search.restart(best, None);
        }
    }

    /// Begins again with `best`; there are no suspects any more.
    pub(crate) fn restart(&mut self, best: Variant, memory: Option<Memory>) {
        self.suspects = None;
        self.search.restart(best, memory);
    }
}

impl Search for DebloatSearch {
    fn ask(&self) -> Ask {
        self.suspects.as_ref().map_or_else(|| self.search.ask(), |suspects| suspects.ask())
    }

    fn tell(&mut self, answer: Answer) {
        match &mut self.suspects {
            Some(suspects) => suspects.tell(answer),
            None => self.search.tell(answer),
        }
        self.settle();
    }

    fn best(&self) -> &Variant {
        self.suspects.as_ref().map_or_else(|| self.search.best(), |suspects| suspects.best())
    }

    fn label(&self) -> &'static str {
        self.suspects.as_ref().map_or_else(|| self.search.label(), |suspects| suspects.label())
    }

    fn origin(&self) -> Origin {
        self.suspects.as_ref().map_or_else(|| self.search.origin(), |suspects| suspects.origin())
    }

    fn learns_from(&self, evidence: &Evidence) -> bool {
        self.suspects.is_none() && self.search.learns_from(evidence)
    }

    fn list(&self) -> Option<ListQuestion> {
        self.suspects.as_ref().map_or_else(|| self.search.list(), |suspects| suspects.list())
    }

    fn with_elements(&self, kept: &Subset) -> Option<Variant> {
        let of_suspects = |suspects: &ChiselSearch| suspects.with_elements(kept);
        self.suspects.as_deref().map_or_else(|| self.search.with_elements(kept), of_suspects)
    }
}
