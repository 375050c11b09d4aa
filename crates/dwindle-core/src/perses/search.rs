//! The machine.

use alloc::boxed::Box;
use alloc::collections::BinaryHeap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;

use crate::standing::{Edit, Element, Item, LONG_NEST, Recursion, SHORT_NEST, Standing};
use crate::tree::{List, Tree};
use crate::{
    Answer, AnyMinimizer, Ask, EmptyPolicy, Gaps, Minimizer, MinimizerConfig, Search, Shape, Subset, Variant,
    WithEmpty,
};

/// Which of the family; see the [module](super).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the table of the module documents them")]
pub enum PersesReducer {
    Perses,
    PersesPlus,
}

impl PersesReducer {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Perses, Self::PersesPlus];

    /// The name by which people choose it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Perses => "perses",
            Self::PersesPlus => "perses+",
        }
    }
}

/// The search; see the [module](super).
#[derive(Clone, Debug)]
pub struct PersesSearch {
    reducer: PersesReducer,
    minimizer: MinimizerConfig,
    /// The front end that reads results anew.
    reader: &'static str,
    tree: Arc<Tree>,
    best: Variant,
    /// What is to be looked at: the last in order first.
    queue: BinaryHeap<Item>,
    /// The nodes of nests that have been searched.
    nested: Subset,
    /// Whether anything went in this round.
    changed: bool,
    phase: Phase,
}

#[derive(Clone, Debug)]
enum Phase {
    /// The best variant without its comments.
    Comments,
    /// One of the edits at a node, the next of which is tried.
    Edits {
        node: u32,
        edits: Arc<[Edit]>,
        next: usize,
    },
    /// A list.
    List {
        what: Elements,
        elements: Arc<[Element]>,
        search: Box<WithEmpty<AnyMinimizer>>,
    },
    /// The next item of the queue is looked at.
    Next,
    /// The best variant is read anew.
    Reading,
    Done,
}

/// What the elements of a list are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Elements {
    Nodes,
    /// Of the nest at this node.
    Shells(u32),
}

impl PersesSearch {
    /// A search of `tree`, which the front end `reader` has read.
    pub fn new(
        tree: Arc<Tree>,
        reader: &'static str,
        reducer: PersesReducer,
        minimizer: MinimizerConfig,
    ) -> Self {
        let mut search = Self {
            reducer,
            minimizer,
            reader,
            best: Variant::whole(tree.text().clone()),
            queue: BinaryHeap::new(),
            nested: Subset::empty(0),
            changed: false,
            phase: Phase::Comments,
            tree,
        };
        search.begin_round();
        if !search.best.text.has_comments() {
            search.phase = Phase::Next;
            search.next();
        }
        search
    }

    /// The same search of another tree.
    pub(crate) fn again(&self, tree: Arc<Tree>) -> Self {
        Self::new(tree, self.reader, self.reducer, self.minimizer)
    }

    fn standing(&self) -> Standing<'_> {
        Standing { tree: &self.tree, variant: &self.best }
    }

    fn begin_round(&mut self) {
        self.changed = false;
        self.nested = Subset::empty(self.tree.nodes().len());
        self.push(0, false);
    }

    fn push(&mut self, node: usize, is_list: bool) {
        let item = self.standing().item(node, is_list);
        self.queue.push(item);
    }

    /// Looks for the next question.
    fn next(&mut self) {
        while matches!(self.phase, Phase::Next) {
            let Some(Item { node, is_list, .. }) = self.queue.pop() else {
                self.end_round();
                return;
            };
            let node = node as usize;
            if self.standing().stands(node) {
                match self.tree.list(node).filter(|_| is_list) {
                    Some(list) => self.look_at_list(node, list),
                    None => self.look_at_node(node),
                }
            }
        }
    }

    fn end_round(&mut self) {
        self.phase = if self.changed { Phase::Reading } else { Phase::Done };
    }

    fn look_at_list(&mut self, first: usize, list: List) {
        let standing = self.standing();
        let nodes = standing.list_of(first, list);
        if list.some && nodes.len() > 1 {
            self.phase = Phase::Edits { node: first as u32, edits: Arc::new([Edit::Alone]), next: 0 };
            return;
        }
        self.search_nodes(&nodes, list);
    }

    fn search_nodes(&mut self, nodes: &[usize], list: List) {
        let standing = self.standing();
        let empty = standing.can_be_empty(list, nodes);
        if nodes.len() == 1 && !empty {
            self.push(nodes[0], false);
            return;
        }
        let elements = standing.elements(nodes);
        let policy = if empty { EmptyPolicy::TestFirst } else { EmptyPolicy::Never };
        self.search_list(Elements::Nodes, elements, policy);
    }

    fn search_list(&mut self, what: Elements, elements: Vec<Element>, policy: EmptyPolicy) {
        let search = self.standing().search_of(&elements, self.minimizer, policy);
        self.phase = Phase::List { what, elements: elements.into(), search };
        self.settle();
    }

    fn look_at_node(&mut self, node: usize) {
        if self.look_at_nest(node, LONG_NEST) {
            return;
        }
        let edits = self.standing().edits(node, self.reducer != PersesReducer::Perses);
        if edits.is_empty() {
            self.look_inside(node);
        } else {
            self.phase = Phase::Edits { node: node as u32, edits: edits.into(), next: 0 };
        }
    }

    /// Goes on with the nest at `node`, or with what is below it.
    fn look_inside(&mut self, node: usize) {
        if !self.look_at_nest(node, SHORT_NEST) {
            self.push_below(node);
        }
    }

    /// Searches the nest at `node` if it is that long.
    fn look_at_nest(&mut self, node: usize, length: usize) -> bool {
        let recursion = match self.reducer {
            PersesReducer::Perses => Recursion::AtEnds,
            PersesReducer::PersesPlus => Recursion::Anywhere,
        };
        let standing = self.standing();
        let nest = standing.nest(node, recursion, &self.nested);
        if nest.len() < length {
            return false;
        }
        let shells = standing.shells(&nest);
        nest.iter().for_each(|&node| self.nested.insert(node));
        self.search_list(Elements::Shells(node as u32), shells, EmptyPolicy::TestFirst);
        true
    }

    fn push_below(&mut self, node: usize) {
        let items = self.standing().items_below(node);
        self.queue.extend(items);
    }

    /// Goes on when a list is done, or the edits of a node are.
    fn settle(&mut self) {
        match &self.phase {
            Phase::List { what, elements, search } if search.ask().is_none() => {
                let (what, elements) = (*what, elements.clone());
                let left: Vec<usize> = match what {
                    Elements::Nodes => {
                        search.best().iter().map(|element| elements[element].node as usize).collect()
                    }
                    Elements::Shells(node) => alloc::vec![node as usize],
                };
                left.into_iter().for_each(|node| self.push(node, false));
                self.phase = Phase::Next;
            }
            Phase::Edits { node, edits, next } if *next == edits.len() => {
                let (node, alone) = (*node as usize, edits[0] == Edit::Alone);
                self.phase = Phase::Next;
                match self.tree.list(node).filter(|_| alone) {
                    Some(list) => {
                        let nodes = self.standing().list_of(node, list);
                        self.search_nodes(&nodes, list);
                    }
                    None => self.look_inside(node),
                }
            }
            _ => {}
        }
    }

    /// The best variant without the elements that are in `before` but not in `after`.
    fn without(&self, what: Elements, elements: &[Element], before: &Subset, after: &Subset) -> Variant {
        let gone = before.iter().filter(|&i| !after.contains(i)).map(|i| &elements[i]);
        self.standing().without(&gone.collect::<Vec<_>>(), what == Elements::Nodes)
    }
}

impl Search for PersesSearch {
    fn ask(&self) -> Ask {
        match &self.phase {
            Phase::Comments => Ask::Test(Variant { gaps: Gaps::Bare, ..self.best.clone() }),
            Phase::Edits { node, edits, next } => {
                Ask::Test(self.standing().edited(*node as usize, &edits[*next]))
            }
            Phase::List { what, elements, search } => search.ask().map_or(Ask::Done, |candidate| {
                Ask::Test(self.without(*what, elements, search.best(), &candidate))
            }),
            Phase::Reading => Ask::Parse(self.best.clone(), Shape::Tree(self.reader)),
            Phase::Next | Phase::Done => Ask::Done,
        }
    }

    fn tell(&mut self, answer: Answer) {
        let phase = mem::replace(&mut self.phase, Phase::Next);
        match (phase, answer) {
            (Phase::Comments, Answer::Outcome(outcome)) => {
                if outcome.is_interesting() {
                    self.best.gaps = Gaps::Bare;
                }
            }
            (Phase::Edits { node, edits, next }, Answer::Outcome(outcome)) => {
                if outcome.is_interesting() {
                    let edit = &edits[next];
                    self.best = self.standing().edited(node as usize, edit);
                    self.changed = true;
                    if matches!(edit, Edit::Keep(_) | Edit::Alone) {
                        self.push(node as usize, false);
                    }
                } else {
                    self.phase = Phase::Edits { node, edits, next: next + 1 };
                }
            }
            (Phase::List { what, elements, mut search }, Answer::Outcome(outcome)) => {
                let before = search.best().clone();
                search.tell(outcome);
                if search.best().len() < before.len() {
                    self.best = self.without(what, &elements, &before, search.best());
                    self.changed = true;
                }
                self.phase = Phase::List { what, elements, search };
            }
            (Phase::Reading, Answer::Tree(tree)) => {
                self.best = Variant::whole(tree.text().clone());
                self.tree = tree;
                self.begin_round();
            }
            (phase, answer) => panic!("{answer:?} does not answer {phase:?}"),
        }
        self.settle();
        self.next();
    }

    fn best(&self) -> &Variant {
        &self.best
    }

    fn label(&self) -> &'static str {
        match self.phase {
            Phase::Comments => "comments",
            Phase::Edits { .. } => "nodes",
            Phase::List { what: Elements::Nodes, .. } => "lists",
            Phase::List { what: Elements::Shells(_), .. } => "nests",
            Phase::Next | Phase::Reading | Phase::Done => "reading",
        }
    }
}
