//! Hierarchical delta debugging (Misherghi & Su, ICSE 2006) and its relatives.
//!
//! A tree is searched list by list: each list is some of its nodes, searched by any list minimiser.
//! A node that is deletable goes; one that the syntax wants has the minimal string of its place put
//! in its stead. Nodes that would not change the text are not asked about, unless that is wanted. Of the
//! elements of a list of the grammar that needs one, the first stays where all would go.
//!
//! | reducer | lists | rounds |
//! |---|---|---|
//! | HDD | the levels, root first | one |
//! | HDD* | the same | until one changes nothing |
//! | HDD+ | the levels once, then every node alone, breadth first | sweeps until one changes nothing |
//! | HDDr (Kiss et al. 2018) | the children of one node, breadth first or in another [order](HddrOrder) | until one changes nothing |
//! | coarse HDD (2017) | the levels, deletable nodes only | until one changes nothing |
//!
//! HDDr and coarse HDD go on as picireny does by default; with [`TreeOptions::once`] they end after one round.
//!
//! Before and between, the tree may be [transformed](Transform), as picireny does. With hoisting, the
//! nodes of a level are hoisted when the level has been searched, and those of other lists when they
//! are come to.
//!
//! HDD*, HDD+ and HDDr end in a round in which every node was refused alone: the result is
//! 1-tree-minimal. HDD guarantees nothing, since it never looks back at a level.
//!
//! An example of how it is run is at [`Search`].

mod hoist;

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use self::hoist::{Ground, Hoist};
use crate::comments::{TreeMachine, WithComments};
use crate::edit::{Change, Edit};
use crate::memory::Memory;
use crate::named::named;
use crate::open_list::OpenList;
use crate::residual::ResidualTree;
use crate::tree::transform::{Transform, Transforms};
use crate::tree::{Node, Role, Tree};
use crate::{
    Answer, Ask, EmptyPolicy, Gaps, ListQuestion, Minimizer, MinimizerConfig, Search, Subset, Variant,
};

named! {
    /// Which of the family.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[expect(missing_docs, reason = "the table of the module documents them")]
    #[non_exhaustive]
    pub enum TreeReducer {
        Hdd = "hdd",
        HddPlus = "hdd+",
        HddStar = "hdd*",
        Hddr = "hddr",
        Coarse = "coarse",
    }
}

named! {
    /// Which node HDDr takes next from its queue, and in which order the children of a node come into it.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum HddrOrder {
        /// Breadth first.
        #[default]
        PopFirstForward = "pop-first-forward",
        /// Breadth first, each level from its end.
        PopFirstReversed = "pop-first-reversed",
        /// Depth first, from the end.
        PopLastForward = "pop-last-forward",
        /// Depth first.
        PopLastReversed = "pop-last-reversed",
    }
}

/// How a tree is searched by one of the family.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeOptions {
    /// What is done to the tree.
    pub transforms: Transforms,
    /// The order of HDDr.
    pub order: HddrOrder,
    /// Whether a reducer that goes on until a round changes nothing ends after one.
    pub once: bool,
}

impl From<Transforms> for TreeOptions {
    fn from(transforms: Transforms) -> Self {
        Self { transforms, ..Self::default() }
    }
}

/// The search; see the [module](self).
pub type TreeSearch = WithComments<Machine>;

/// The search of a tree without comments.
#[derive(Clone, Debug)]
pub struct Machine {
    reducer: TreeReducer,
    minimizer: MinimizerConfig,
    options: TreeOptions,
    tree: Arc<Tree>,
    best: Variant,
    /// The nodes that are not below a removed one.
    alive: Subset,
    order: Order,
    /// The nodes in the order of the walk of HDDr.
    hddr: Arc<[u32]>,
    /// Where in the walk the next list is looked for, and whether anything went in this round.
    cursor: usize,
    changed: bool,
    /// The places where hoisting is tried before the next list, in breadth-first order.
    places: Range<usize>,
    /// How many lists were begun.
    lists: u32,
    phase: Phase,
}

/// What is being asked.
#[derive(Clone, Debug)]
enum Phase {
    /// Nodes that are searched as a list.
    List(OpenList<u32>),
    /// A node in the place of one above it.
    Hoist(Hoist),
    Done,
}

/// How lists are taken out of the tree; the cursor counts levels, or nodes in breadth-first order (for children, in that
/// of HDDr, and the root alone comes before them).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Levels,
    Children,
    Single,
}

impl TreeSearch {
    /// A search of `tree`, transformed as is usual.
    pub fn new(tree: Arc<Tree>, reducer: TreeReducer, minimizer: MinimizerConfig) -> Self {
        Self::with(tree, reducer, minimizer, Transforms::default())
    }

    /// A search of `tree` with these options; transformations alone are options.
    pub fn with(
        tree: Arc<Tree>,
        reducer: TreeReducer,
        minimizer: MinimizerConfig,
        options: impl Into<TreeOptions>,
    ) -> Self {
        Self::before(Machine::new(tree, reducer, minimizer, options.into()))
    }
}

impl Machine {
    fn new(
        mut tree: Arc<Tree>,
        reducer: TreeReducer,
        minimizer: MinimizerConfig,
        options: TreeOptions,
    ) -> Self {
        let TreeOptions { transforms, .. } = options;
        if transforms.has(Transform::Squeeze) {
            tree = tree.squeezed().into();
        }
        if transforms.has(Transform::Flatten) {
            tree = tree.flattened().into();
        }
        let order = match reducer {
            TreeReducer::Hddr => Order::Children,
            _ => Order::Levels,
        };
        let mut machine = Self {
            reducer,
            minimizer,
            options,
            best: Variant::whole(tree.text().clone()),
            alive: Subset::full(tree.nodes().len()),
            tree,
            order,
            hddr: Arc::new([]),
            cursor: 0,
            changed: false,
            places: 0..0,
            lists: 0,
            phase: Phase::Done,
        };
        machine.find_order();
        machine
    }

    /// Finds the order of HDDr's walk. The queue of its pseudocode comes to the same.
    fn find_order(&mut self) {
        let tree = &self.tree;
        self.hddr = match self.options.order {
            _ if self.order != Order::Children => return,
            HddrOrder::PopFirstForward => tree.breadth_first().into(),
            HddrOrder::PopFirstReversed => {
                (0..tree.depth()).flat_map(|depth| tree.level(depth).iter().rev().copied()).collect()
            }
            HddrOrder::PopLastReversed => (0..tree.nodes().len() as u32).collect(),
            HddrOrder::PopLastForward => {
                let mut open = alloc::vec![0];
                let next = || {
                    let node = open.pop()?;
                    open.extend(tree.children(node));
                    Some(node as u32)
                };
                core::iter::from_fn(next).collect()
            }
        };
    }

    /// The node at a position of the walk.
    fn node_at(&self, position: usize) -> usize {
        let order = if self.order == Order::Children { &self.hddr } else { self.tree.breadth_first() };
        order[position] as usize
    }

    /// The weight of `node` as an element of a list, if it is one.
    fn weight(&self, node: usize) -> Option<u32> {
        let tokens = self.tree.tokens(node);
        let dead_weight = !self.options.transforms.has(Transform::Skip) && self.best.has(tokens.clone());
        let is_element = self.alive.contains(node) && (dead_weight || self.is_removable(node));
        is_element.then(|| self.best.kept.count(tokens).max(1) as u32)
    }

    /// Whether removing `node` would make the variant smaller.
    fn is_removable(&self, node: usize) -> bool {
        let Node { role, .. } = self.tree.nodes()[node];
        let tokens = self.tree.tokens(node);
        match role {
            Role::Deletable => {
                let needed = self.tree.nodes()[node].needed_element().is_some();
                self.best.has(tokens) && !(needed && self.elements_beside(node as u32).nth(1).is_none())
            }
            Role::StandIn(_) if self.reducer == TreeReducer::Coarse => false,
            Role::StandIn(string) => {
                let size = ResidualTree { tree: &self.tree, variant: &self.best }.size(tokens.clone());
                let string = self.tree.stand_in(string);
                let shortlex = |bytes: &[u8]| (string.bytes.len(), &string.bytes[..]) < (bytes.len(), bytes);
                let token = self.best.kept.next_from(tokens.start).filter(|token| tokens.contains(token));
                let piece = token.map(|token| self.tree.text().piece(token));
                size > string.tokens || (size == 1 && string.tokens == 1 && piece.is_some_and(shortlex))
            }
            Role::Fixed | Role::Separator => false,
        }
    }

    /// Looks for the next place where something can be hoisted, or the next list with something in it.
    fn next(&mut self) {
        loop {
            while let Some(position) = self.places.next() {
                let place = self.node_at(position);
                if let Some(hoist) = Hoist::at(place, self.ground()) {
                    self.phase = Phase::Hoist(hoist);
                    return;
                }
            }
            let nodes = self.tree.nodes().len();
            let steps = match self.order {
                Order::Levels => self.tree.depth(),
                Order::Children => nodes + 1,
                Order::Single => nodes,
            };
            if self.cursor == steps {
                if !self.next_round() {
                    self.phase = Phase::Done;
                    return;
                }
                continue;
            }
            let elements = self.elements(self.cursor);
            if self.options.transforms.has(Transform::Hoist) {
                self.places = match self.order {
                    Order::Levels => self.tree.positions(self.cursor),
                    Order::Children | Order::Single => self.cursor..nodes.min(self.cursor + 1),
                };
            }
            self.cursor += 1;
            if !elements.is_empty() {
                self.lists += 1;
                let list = OpenList::new(self.lists, elements, self.minimizer, EmptyPolicy::TestLast);
                self.phase = Phase::List(list);
                return;
            }
        }
    }

    /// The elements of the list at a step of the walk, with their weights.
    fn elements(&self, step: usize) -> Vec<(u32, u32)> {
        let tree = &self.tree;
        let nodes: Vec<u32> = match self.order {
            Order::Levels => tree.level(step).to_vec(),
            Order::Children => match step.checked_sub(1).map(|position| self.node_at(position)) {
                None => alloc::vec![0],
                Some(node) if self.alive.contains(node) => {
                    tree.children(node).map(|child| child as u32).collect()
                }
                Some(_) => Vec::new(),
            },
            Order::Single => alloc::vec![self.node_at(step) as u32],
        };
        nodes.into_iter().filter_map(|node| Some((node, self.weight(node as usize)?))).collect()
    }

    fn ground(&self) -> Ground<'_> {
        Ground { tree: &self.tree, alive: &self.alive, best: &self.best }
    }

    /// The best variant with `inner` alone of all that is at `place`.
    fn hoisted(&self, place: usize, inner: usize) -> Variant {
        Change::keep(self.tree.tokens(place), self.tree.tokens(inner)).apply(&self.tree, &self.best)
    }

    /// Makes that the best variant, and the tree one of it.
    fn hoist(&mut self, place: usize, inner: usize) {
        self.best = self.hoisted(place, inner);
        let tree = &self.tree;
        let below = tree.subtree(inner).skip(1);
        let behind = tree.subtree(place).end..tree.nodes().len();
        let mut alive = Subset::empty(place + 1 + below.len() + behind.len());
        let stay = (0..place + 1).chain(below).chain(behind);
        alive.insert_all((0..).zip(stay).filter(|&(_, node)| self.alive.contains(node)).map(|(at, _)| at));
        self.alive = alive;
        self.tree = tree.hoisted(place, inner).into();
        self.find_order();
        self.changed = true;
    }

    /// Begins another round, if the reducer wants one.
    fn next_round(&mut self) -> bool {
        let again = match (self.reducer, self.order, self.changed) {
            (TreeReducer::Hdd, ..) => false,
            (TreeReducer::HddPlus, Order::Levels, _) => {
                self.order = Order::Single;
                true
            }
            (_, _, changed) => changed && !self.options.once,
        };
        (self.cursor, self.changed) = (0, false);
        again
    }

    /// Of each list that needs an element, leaves the first where all that stand would go.
    fn leave_elements(&self, gone: &mut Vec<u32>) {
        let list = |node: &u32| self.tree.nodes()[*node as usize].needed_element();
        let needed: Vec<u32> = gone.iter().copied().filter(|node| list(node).is_some()).collect();
        let lists = needed.chunk_by(|one, other| list(one) == list(other));
        let emptied = lists.filter(|elements| self.elements_beside(elements[0]).count() == elements.len());
        let left: Vec<u32> = emptied.map(|elements| elements[0]).collect();
        gone.retain(|node| left.binary_search(node).is_err());
    }

    /// The elements that stand in the list of `node`, which needs one.
    fn elements_beside(&self, node: u32) -> impl Iterator<Item = usize> {
        let nodes = self.tree.nodes();
        let list = nodes[node as usize].needed_element();
        let siblings =
            nodes[node as usize].parent().into_iter().flat_map(|parent| self.tree.children(parent));
        siblings.filter(move |&other| {
            nodes[other].needed_element() == list && self.best.has(nodes[other].tokens())
        })
    }

    /// The best variant with only those elements of the list that are `kept`, and the nodes that go.
    fn without(&self, list: &OpenList<u32>, kept: &Subset) -> (Variant, Vec<u32>) {
        let mut gone = list.missing(kept);
        gone.retain(|&node| self.is_removable(node as usize));
        self.leave_elements(&mut gone);
        let removals = gone.iter().map(|&node| Edit::removal(&self.tree, node));
        (Change::new(removals).apply(&self.tree, &self.best), gone)
    }
}

impl TreeMachine for Machine {
    fn begin(&mut self, gaps: Gaps) {
        self.best.gaps = gaps;
        self.next();
    }

    fn again(&self, tree: Arc<Tree>, _: Option<Memory>) -> Self {
        Self { lists: self.lists, ..Self::new(tree, self.reducer, self.minimizer, self.options) }
    }
}

impl Search for Machine {
    fn ask(&self) -> Ask {
        match &self.phase {
            Phase::List(list) => {
                list.search.ask().map_or(Ask::Done, |kept| Ask::Test(self.without(list, &kept).0))
            }
            Phase::Hoist(hoist) => Ask::Test(self.hoisted(hoist.place, hoist.inner())),
            Phase::Done => Ask::Done,
        }
    }

    fn tell(&mut self, answer: Answer) {
        let Answer::Outcome(outcome) = answer else { panic!("{answer:?} does not answer a test") };
        match mem::replace(&mut self.phase, Phase::Done) {
            Phase::List(mut list) => {
                if let Some(kept) = list.search.ask().filter(|_| outcome.is_interesting()) {
                    let (best, gone) = self.without(&list, &kept);
                    self.best = best;
                    for node in gone {
                        self.alive.remove_range(self.tree.subtree(node as usize));
                    }
                    self.changed = true;
                }
                list.search.tell(outcome);
                if list.search.ask().is_none() {
                    self.next();
                } else {
                    self.phase = Phase::List(list);
                }
            }
            Phase::Hoist(hoist) => {
                if outcome.is_interesting() {
                    self.hoist(hoist.place, hoist.inner());
                }
                match hoist.next(outcome.is_interesting(), self.ground()) {
                    Some(hoist) => self.phase = Phase::Hoist(hoist),
                    None => self.next(),
                }
            }
            Phase::Done => {}
        }
    }

    fn best(&self) -> &Variant {
        &self.best
    }

    fn list(&self) -> Option<ListQuestion> {
        if let Phase::List(list) = &self.phase { list.question(|&node| node) } else { None }
    }

    fn with_elements(&self, kept: &Subset) -> Option<Variant> {
        let Phase::List(list) = &self.phase else { return None };
        Some(self.without(list, kept).0)
    }

    fn label(&self) -> &'static str {
        match self.order {
            _ if matches!(self.phase, Phase::Hoist(_)) => "hoists",
            Order::Levels => "levels",
            Order::Children => "children",
            Order::Single => "nodes",
        }
    }
}
