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

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::comments::{TreeMachine, WithComments};
use crate::edit::{Change, Edit};
use crate::linked::Links;
use crate::memory::Memory;
use crate::open_list::OpenList;
use crate::residual::ResidualTree;
use crate::tree::{Role, Tree};
use crate::{
    Answer, Ask, EmptyPolicy, Gaps, ListQuestion, Minimizer, MinimizerConfig, Outcome, Search, Subset,
    Variant,
};

/// The search; see the [module](self).
pub type ChiselSearch = WithComments<Machine>;

/// The search of a tree without comments.
#[derive(Clone, Debug)]
pub struct Machine {
    tree: Arc<Tree>,
    links: Arc<Links>,
    minimizer: MinimizerConfig,
    /// The list before all others, where there is one; then it is the only one.
    suspects: Option<Arc<[u32]>>,
    best: Variant,
    /// Where in the walk the next list is looked for, and whether anything went in this round.
    cursor: usize,
    changed: bool,
    /// The list that is being searched, and how many lists were begun.
    list: Option<OpenList<u32>>,
    lists: u32,
    /// What is asked about.
    candidate: Option<Variant>,
}

impl ChiselSearch {
    /// A search of the lists of `tree`.
    pub fn new(tree: Arc<Tree>, minimizer: MinimizerConfig) -> Self {
        let links = Links::of(&tree);
        Self::before(Machine::new(tree, links, minimizer, None))
    }

    /// A search of these nodes of `tree`, which has these links, alone, all of them first.
    pub(crate) fn of_list(
        tree: Arc<Tree>,
        links: Links,
        minimizer: MinimizerConfig,
        nodes: Vec<u32>,
    ) -> Self {
        Self::before(Machine::new(tree, links, minimizer, Some(nodes.into())))
    }
}

impl Machine {
    fn new(tree: Arc<Tree>, links: Links, minimizer: MinimizerConfig, suspects: Option<Arc<[u32]>>) -> Self {
        Self {
            links: links.into(),
            best: Variant::whole(tree.text().clone()),
            tree,
            minimizer,
            suspects,
            cursor: 0,
            changed: false,
            list: None,
            lists: 0,
            candidate: None,
        }
    }

    /// Looks for the next list with something in it.
    fn next(&mut self) {
        loop {
            let list: Vec<u32> = match &self.suspects {
                Some(suspects) if self.cursor == 0 => suspects.to_vec(),
                None if self.cursor < self.tree.nodes().len() => {
                    let node = self.tree.breadth_first()[self.cursor] as usize;
                    self.tree.children(node).map(|child| child as u32).collect()
                }
                None if self.changed => {
                    (self.cursor, self.changed) = (0, false);
                    continue;
                }
                _ => return,
            };
            self.cursor += 1;
            let weight = |node: u32| self.residual().size_of(node as usize).max(1);
            let removable = list.into_iter().filter(|&node| self.is_removable(node));
            let elements: Vec<(u32, u32)> = removable.map(|node| (node, weight(node))).collect();
            if elements.is_empty() {
                continue;
            }
            self.lists += 1;
            let policy = if self.suspects.is_some() { EmptyPolicy::TestFirst } else { EmptyPolicy::TestLast };
            self.list = Some(OpenList::new(self.lists, elements, self.minimizer, policy));
            if self.find_candidate() {
                return;
            }
        }
    }

    fn residual(&self) -> ResidualTree<'_> {
        ResidualTree { tree: &self.tree, variant: &self.best }
    }

    fn is_removable(&self, node: u32) -> bool {
        let node = node as usize;
        match self.tree.role(node) {
            Role::Deletable => self.residual().stands(node) && self.residual().can_go(node),
            Role::StandIn(string) => self.residual().size_of(node) > self.tree.stand_in(string).tokens,
            Role::Fixed | Role::Separator => false,
        }
    }

    /// The best variant with only those elements of the list that are `kept`, and without what nothing uses any more
    /// then.
    fn without(&self, list: &OpenList<u32>, kept: &Subset) -> Variant {
        let mut gone = list.missing(kept);
        gone.retain(|&node| self.is_removable(node));
        let beside = |&node: &u32| self.links.declared_beside(&self.tree, node);
        let beside: Vec<u32> = gone.iter().flat_map(beside).collect();
        gone.extend(beside);
        let gone = self.tree.outermost(gone);
        let variant = Change::new(gone.iter().map(|&node| Edit::removal(&self.tree, node)))
            .apply(&self.tree, &self.best);
        let unused = self.links.unused(&self.tree, Some(&self.best), &variant);
        Change::deletion(unused).apply(&self.tree, &variant)
    }

    /// Finds the next candidate of the list, and answers those that need not be asked about. Whether there is one; the
    /// list is over otherwise.
    fn find_candidate(&mut self) -> bool {
        while let Some(list) = &self.list
            && let Some(kept) = list.search.ask()
        {
            let candidate = self.without(list, &kept);
            let known = match () {
                () if candidate == self.best => Outcome::Interesting,
                () if self.links.leaves_dangling(&self.tree, &candidate) => Outcome::Uninteresting,
                () => {
                    self.candidate = Some(candidate);
                    return true;
                }
            };
            self.list.iter_mut().for_each(|list| list.search.tell(known));
        }
        (self.list, self.candidate) = (None, None);
        false
    }
}

impl TreeMachine for Machine {
    fn begin(&mut self, gaps: Gaps) {
        self.best.gaps = gaps;
        self.next();
    }

    fn again(&self, tree: Arc<Tree>, _: Option<Memory>) -> Self {
        let links = Links::of(&tree);
        Self { lists: self.lists, ..Self::new(tree, links, self.minimizer, None) }
    }
}

impl Search for Machine {
    fn ask(&self) -> Ask {
        self.candidate.clone().map_or(Ask::Done, Ask::Test)
    }

    fn tell(&mut self, answer: Answer) {
        let Answer::Outcome(outcome) = answer else { panic!("{answer:?} does not answer a test") };
        let Some(candidate) = self.candidate.take() else { return };
        self.list.iter_mut().for_each(|list| list.search.tell(outcome));
        if outcome.is_interesting() {
            self.best = candidate;
            self.changed = true;
        }
        if !self.find_candidate() {
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
        self.list.as_ref()?.question(|&node| node)
    }

    fn with_elements(&self, kept: &Subset) -> Option<Variant> {
        Some(self.without(self.list.as_ref()?, kept))
    }
}
