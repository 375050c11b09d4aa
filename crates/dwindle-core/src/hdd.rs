//! Hierarchical delta debugging (Misherghi & Su, ICSE 2006) and its relatives.
//!
//! A tree is searched list by list: each list is some of its nodes, searched by any list minimiser.
//! A node that is deletable goes; one that the syntax wants has the minimal string of its place put
//! in its stead. Nodes that would not change the text are never asked about.
//!
//! | reducer | lists | rounds |
//! |---|---|---|
//! | HDD | the levels, root first | one |
//! | HDD* | the same | until one changes nothing |
//! | HDD+ | the levels once, then every node alone, breadth first | sweeps until one changes nothing |
//! | HDDr (Kiss et al. 2018) | the children of one node, breadth first | until one changes nothing |
//! | coarse HDD (2017) | the levels, deletable nodes only | until one changes nothing |
//! | nodes+tokens (ours) | HDDr's until they change nothing, then all tokens, whatever the syntax says | until neither changes anything |
//!
//! HDD*, HDD+, HDDr and nodes+tokens end in a round in which every node was refused alone: the result is
//! 1-tree-minimal. HDD guarantees nothing, since it never looks back at a level.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;

use crate::tree::{Node, Role, Tree};
use crate::{
    Answer, AnyMinimizer, Ask, EmptyPolicy, Gaps, Minimizer, MinimizerConfig, Place, Search, Subset, Variant,
    WithEmpty,
};

/// After so many refusals in a row nodes+tokens tries the tokens before it goes on with the nodes: a
/// thousand nested arrays around one value are a thousand refusals, but few questions about tokens.
const PATIENCE: u32 = 1000;

/// Which of the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the table of the module documents them")]
pub enum TreeReducer {
    Hdd,
    HddPlus,
    HddStar,
    Hddr,
    Coarse,
    NodesTokens,
}

impl TreeReducer {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Hdd, Self::HddPlus, Self::HddStar, Self::Hddr, Self::Coarse, Self::NodesTokens];

    /// The name by which people choose it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hdd => "hdd",
            Self::HddPlus => "hdd+",
            Self::HddStar => "hdd*",
            Self::Hddr => "hddr",
            Self::Coarse => "coarse",
            Self::NodesTokens => "nodes+tokens",
        }
    }
}

/// The search; see the [module](self).
#[derive(Clone, Debug)]
pub struct TreeSearch {
    reducer: TreeReducer,
    minimizer: MinimizerConfig,
    tree: Arc<Tree>,
    best: Variant,
    /// The nodes that are not below a removed one.
    alive: Subset,
    walk: Walk,
    /// Where in the walk the next list is looked for, and whether anything went in this round.
    cursor: usize,
    changed: bool,
    /// Refusals in a row, and whether they have led to the tokens in the middle of a walk.
    refused: u32,
    detour: Detour,
    /// The list that is being searched.
    list: Arc<[u32]>,
    phase: Phase,
}

/// What is being asked.
#[derive(Clone, Debug)]
enum Phase {
    /// The best variant without its comments.
    Comments,
    /// The list, by its search.
    List(Box<WithEmpty<AnyMinimizer>>),
    Done,
}

/// A look at the tokens in the middle of a walk over the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detour {
    /// After [`PATIENCE`] refusals.
    Ahead,
    /// Now; the walk was left here, and something had gone in its round.
    Under { cursor: usize, changed: bool },
    /// Done without success, and nothing has changed since.
    Done,
}

/// How lists are taken out of the tree; the cursor counts levels, or nodes in breadth-first order
/// (for children, the root alone comes before them).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Walk {
    Levels,
    Children,
    Single,
    Tokens,
}

impl TreeSearch {
    /// A search of `tree`.
    pub fn new(tree: Arc<Tree>, reducer: TreeReducer, minimizer: MinimizerConfig) -> Self {
        let walk = match reducer {
            TreeReducer::Hddr | TreeReducer::NodesTokens => Walk::Children,
            _ => Walk::Levels,
        };
        let mut search = Self {
            reducer,
            minimizer,
            best: Variant::whole(tree.text().clone()),
            alive: Subset::full(tree.nodes().len()),
            tree,
            walk,
            cursor: 0,
            changed: false,
            refused: 0,
            detour: Detour::Ahead,
            list: Arc::new([]),
            phase: Phase::Comments,
        };
        if !search.best.text.has_comments() {
            search.next_list();
        }
        search
    }

    /// The same search of another tree.
    pub(crate) fn again(&self, tree: Arc<Tree>) -> Self {
        Self::new(tree, self.reducer, self.minimizer)
    }

    /// How many tokens are below `node`, if removing it would make the variant smaller.
    fn worth(&self, node: usize) -> Option<u32> {
        let Node { role, .. } = self.tree.nodes()[node];
        if !self.alive.contains(node) {
            return None;
        }
        let tokens = self.tree.nodes()[node].tokens();
        let kept = self.best.kept.count(tokens.clone());
        let smaller = match role {
            Role::Deletable => self.best.has(tokens),
            Role::StandIn(_) if self.reducer == TreeReducer::Coarse => false,
            Role::StandIn(string) => {
                let string = &self.tree.text().stand_ins()[string as usize];
                let piece =
                    || self.tree.text().piece(self.best.kept.next_from(tokens.start).unwrap_or(tokens.start));
                let shortlex = |bytes: &[u8]| (string.bytes.len(), &string.bytes[..]) < (bytes.len(), bytes);
                kept > string.tokens as usize || (kept == 1 && string.tokens == 1 && shortlex(piece()))
            }
            Role::Fixed | Role::Separator => false,
        };
        smaller.then_some(kept.max(1) as u32)
    }

    /// Looks for the next list with something in it.
    fn next_list(&mut self) {
        if self.reducer == TreeReducer::NodesTokens
            && self.walk == Walk::Children
            && self.refused >= PATIENCE
            && self.detour == Detour::Ahead
        {
            self.detour = Detour::Under { cursor: self.cursor, changed: self.changed };
            (self.walk, self.cursor, self.changed) = (Walk::Tokens, 0, false);
        }
        let mut list = Vec::new();
        let mut weights = Vec::new();
        while list.is_empty() {
            let tree = self.tree.clone();
            let steps = match self.walk {
                Walk::Levels => tree.depth(),
                Walk::Children => tree.nodes().len() + 1,
                Walk::Single => tree.nodes().len(),
                Walk::Tokens => 1,
            };
            if self.cursor == steps {
                if !self.next_round() {
                    self.phase = Phase::Done;
                    return;
                }
                continue;
            }
            let mut take = |node: usize| {
                if let Some(weight) = self.worth(node) {
                    list.push(node as u32);
                    weights.push(weight);
                }
            };
            match self.walk {
                Walk::Levels => tree.level(self.cursor).iter().for_each(|&node| take(node as usize)),
                Walk::Children => {
                    match self.cursor.checked_sub(1).map(|i| tree.breadth_first()[i] as usize) {
                        None => take(0),
                        Some(node) if self.alive.contains(node) => tree.children(node).for_each(take),
                        Some(_) => {}
                    }
                }
                Walk::Single => take(tree.breadth_first()[self.cursor] as usize),
                Walk::Tokens => {
                    // A leaf that is gone may have a stand-in, which can go too.
                    let leaf = |&(index, node): &(u32, &Node)| {
                        node.is_leaf(index as usize) && self.best.has(node.tokens())
                    };
                    list.extend((0..).zip(tree.nodes()).filter(leaf).map(|(index, _)| index));
                    weights.resize(list.len(), 1);
                }
            }
            self.cursor += 1;
        }
        self.list = list.into();
        let machine = self.minimizer.start(&weights);
        self.phase = Phase::List(Box::new(WithEmpty::new(machine, EmptyPolicy::TestLast)));
    }

    /// Begins another round, if the reducer wants one.
    fn next_round(&mut self) -> bool {
        if let (Walk::Tokens, false, Detour::Under { cursor, changed }) =
            (self.walk, self.changed, self.detour)
        {
            // The tokens were no help: the walk over the nodes goes on where it was left.
            (self.walk, self.cursor, self.changed, self.detour) =
                (Walk::Children, cursor, changed, Detour::Done);
            return true;
        }
        let again = match (self.reducer, self.walk, self.changed) {
            (TreeReducer::Hdd, ..) => false,
            (TreeReducer::HddPlus, Walk::Levels, _) => {
                self.walk = Walk::Single;
                true
            }
            (TreeReducer::NodesTokens, Walk::Children, false) => {
                self.walk = Walk::Tokens;
                true
            }
            (TreeReducer::NodesTokens, Walk::Tokens, true) => {
                self.walk = Walk::Children;
                true
            }
            (_, _, changed) => changed,
        };
        (self.cursor, self.changed) = (0, false);
        again
    }

    /// The best variant without the nodes of the list that are in `before` but not in `after`.
    fn without(&self, before: &Subset, after: &Subset) -> (Variant, Vec<u32>) {
        let gone = before.iter().filter(|&i| !after.contains(i)).map(|i| self.list[i]);
        let gone: Vec<u32> = gone.collect();
        let mut variant = self.best.clone();
        let mut places = Vec::new();
        for &node in &gone {
            let node = &self.tree.nodes()[node as usize];
            variant.kept.remove_range(node.tokens());
            if let Role::StandIn(stand_in) = node.role
                && self.walk != Walk::Tokens
            {
                places.push(Place { at: node.tokens().start as u32, stand_in });
            }
        }
        // The nodes of a list are in the order of the text and apart.
        let covers = |place: &Place| {
            let next = gone
                .partition_point(|&node| self.tree.nodes()[node as usize].tokens().end <= place.at as usize);
            gone.get(next)
                .is_some_and(|&node| self.tree.nodes()[node as usize].tokens().start <= place.at as usize)
        };
        variant.places.retain(|place| !covers(place));
        variant.places.extend(places);
        variant.places.sort_unstable_by_key(|place| place.at);
        if self.walk != Walk::Tokens {
            self.tree.settle_separators(&gone, &mut variant);
        }
        (variant, gone)
    }
}

impl Search for TreeSearch {
    fn ask(&self) -> Ask {
        match &self.phase {
            Phase::Comments => Ask::Test(Variant { gaps: Gaps::Bare, ..self.best.clone() }),
            Phase::List(search) => search
                .ask()
                .map_or(Ask::Done, |candidate| Ask::Test(self.without(search.best(), &candidate).0)),
            Phase::Done => Ask::Done,
        }
    }

    fn tell(&mut self, answer: Answer) {
        let Answer::Outcome(outcome) = answer else { panic!("{answer:?} does not answer a test") };
        match mem::replace(&mut self.phase, Phase::Done) {
            Phase::Comments => {
                if outcome.is_interesting() {
                    self.best.gaps = Gaps::Bare;
                }
                self.next_list();
            }
            Phase::List(mut search) => {
                let before = search.best().clone();
                search.tell(outcome);
                self.refused = if outcome.is_interesting() { 0 } else { self.refused + 1 };
                if search.best().len() < before.len() {
                    (self.refused, self.detour) = (0, Detour::Ahead);
                    let (best, gone) = self.without(&before, search.best());
                    self.best = best;
                    for node in gone {
                        self.alive.remove_range(self.tree.subtree(node as usize));
                    }
                    self.changed = true;
                }
                if search.ask().is_none() {
                    self.next_list();
                } else {
                    self.phase = Phase::List(search);
                }
            }
            Phase::Done => {}
        }
    }

    fn best(&self) -> &Variant {
        &self.best
    }

    fn label(&self) -> &'static str {
        match self.walk {
            _ if matches!(self.phase, Phase::Comments) => "comments",
            Walk::Levels => "levels",
            Walk::Children => "children",
            Walk::Single => "nodes",
            Walk::Tokens => "tokens",
        }
    }
}
