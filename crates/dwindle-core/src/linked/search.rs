//! The machine. It is one file although it is long: each step reads or changes the base, the queue and the
//! lanes together, and what has a state of its own (names, closures, lanes, memory) has a file of its own.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, BinaryHeap};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use super::closure::{Census, Reach, Tied};
use super::graph::Graph;
use super::habits::{Habit, Odds, PATIENCE_WITH_LOSSES};
use super::lane::{Change, Elements, Lane, tokens};
use super::memory::{Key, Memory};
use super::parts::{Parts, Sort};
use super::sweep::Sweep;
use crate::standing::{Edit, Element, Item, LONG_NEST, Recursion, SHORT_NEST, Standing};
use crate::tree::{List, Role, Tree};
use crate::{
    Answer, Ask, EmptyPolicy, Evidence, Gaps, Minimizer, MinimizerConfig, MinimizerKind, Outcome, Place,
    Search, Shape, Subset, Variant,
};

/// The search; see the [module](super).
#[derive(Clone, Debug)]
pub struct LinkedSearch {
    minimizer: MinimizerConfig,
    /// The front end that reads results anew.
    reader: &'static str,
    first_reach: Reach,
    tree: Arc<Tree>,
    graph: Arc<Graph>,
    census: Arc<Census>,
    /// What the questions of a round are about.
    base: Variant,
    /// What is to be looked at: the last in order first.
    queue: BinaryHeap<Item>,
    /// The nodes of nests that have been searched.
    nested: Subset,
    lanes: Vec<Asking>,
    /// What is known of the questions of the lanes in this round.
    outcomes: Vec<Outcome>,
    memory: Memory,
    /// Names that refused tests have complained of, when they stood in what had been deleted.
    learned: Arc<BTreeSet<u32>>,
    /// The same in this round, with the lane that was refused.
    heard: Vec<(usize, u32)>,
    /// What came of asking again with what was learned.
    repairs: Habit,
    /// What came of weaker closures, for each kind of node.
    habits: BTreeMap<u32, Habit>,
    odds: Odds,
    parts: Parts,
    /// What came of questions without what alone introduces a name in use.
    losses: Habit,
    /// Whether anything went since the text was read.
    changed: bool,
    /// How many pieces there were then, and how many questions have been asked since.
    began: usize,
    asked: usize,
    /// Whether nobody has searched the text yet.
    sweeps: bool,
    pass: Pass,
    phase: Phase,
}

/// A lane and its question, which stands as long as the round lasts.
#[derive(Clone, Debug)]
struct Asking {
    lane: Lane,
    change: Arc<Change>,
    key: Option<Key>,
    /// Whether it is asked since something was learned.
    repaired: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// All that there is a reason to ask.
    Search,
    /// Parts of nodes in their place, and strings in their stead.
    Parts,
    /// All that can go, alone.
    Proof,
}

#[derive(Clone, Debug)]
enum Phase {
    /// The base without its comments.
    Comments,
    /// A large text from its end, and what the question changes.
    Sweep(Box<Sweep>, Arc<Change>),
    /// The questions of the lanes, one after the other.
    Round,
    /// Several lanes succeeded: the first `count` of them together, those that take most first.
    Merge {
        order: Vec<usize>,
        count: usize,
    },
    /// The base is read anew.
    Reading,
    Done,
}

impl LinkedSearch {
    /// A search of `tree`, which the front end `reader` has read.
    pub fn new(tree: Arc<Tree>, reader: &'static str, minimizer: MinimizerConfig) -> Self {
        Self::begun(tree, reader, minimizer, true)
    }

    fn begun(tree: Arc<Tree>, reader: &'static str, minimizer: MinimizerConfig, sweeps: bool) -> Self {
        let base = Variant::whole(tree.text().clone());
        let graph = Arc::new(Graph::new(&tree));
        let mut search = Self {
            minimizer,
            reader,
            first_reach: Reach::first(reader),
            census: Arc::new(Census::of(&graph, &tree, &base)),
            graph,
            queue: BinaryHeap::new(),
            nested: Subset::empty(0),
            lanes: Vec::new(),
            outcomes: Vec::new(),
            memory: Memory::new(&tree),
            learned: Arc::default(),
            heard: Vec::new(),
            repairs: Habit::default(),
            habits: BTreeMap::new(),
            odds: Odds::EVEN,
            parts: Parts::default(),
            losses: Habit::default(),
            changed: false,
            began: 0,
            asked: 0,
            sweeps,
            pass: Pass::Search,
            phase: Phase::Comments,
            base,
            tree,
        };
        search.begin_pass(Pass::Search);
        if !search.base.text.has_comments() {
            search.begin();
        }
        search
    }

    /// The same search of another tree, of what it has found before.
    pub(crate) fn again(&self, tree: Arc<Tree>) -> Self {
        Self::begun(tree, self.reader, self.minimizer, false)
    }

    fn begin(&mut self) {
        if !self.sweeps {
            self.begin_round();
            return;
        }
        let sweep = Sweep::new(self.tree.clone(), self.graph.clone(), &self.base);
        self.go_on_sweeping(Box::new(sweep));
    }

    /// Passes over questions that would change nothing, and goes on with the lists after the last one.
    fn go_on_sweeping(&mut self, mut sweep: Box<Sweep>) {
        while !sweep.is_done() {
            let change = sweep.change(self.tied());
            if !change.nodes.is_empty() {
                if self.loses_in_vain(&self.variant(&[&change]), MORE_PATIENCE_WITH_LOSSES) {
                    sweep.tell(Outcome::Uninteresting, &self.base);
                    continue;
                }
                self.phase = Phase::Sweep(sweep, Arc::new(change));
                return;
            }
            sweep.tell(Outcome::Interesting, &self.base);
        }
        if self.changed {
            self.phase = Phase::Reading;
        } else {
            self.begin_round();
        }
    }

    fn standing(&self) -> Standing<'_> {
        Standing { tree: &self.tree, variant: &self.base }
    }

    fn begin_pass(&mut self, pass: Pass) {
        self.pass = pass;
        self.changed = false;
        self.began = self.base.kept.len();
        self.asked = 0;
        self.queue.clear();
        self.lanes.clear();
        self.nested = Subset::empty(self.tree.nodes().len());
        match pass {
            Pass::Search => self.push(0, false),
            Pass::Parts => {
                let nodes: Vec<usize> =
                    (1..self.tree.nodes().len()).filter(|&node| self.standing().stands(node)).collect();
                let statements = nodes.iter().filter(|&&node| self.tree.is_statement(node));
                let needed = statements.filter(|&&node| self.is_known_to_stay(node));
                self.parts.begin(needed.map(|&node| tokens(&self.tree, node as u32)).collect());
                nodes.into_iter().for_each(|node| self.push(node, false));
            }
            Pass::Proof => {
                let goes = |&node: &usize| self.standing().stands(node) && self.standing().can_go(node);
                let nodes: Vec<usize> = (1..self.tree.nodes().len()).filter(goes).collect();
                nodes.into_iter().for_each(|node| self.push(node, false));
            }
        }
    }

    fn push(&mut self, node: usize, is_list: bool) {
        let item = self.standing().item(node, is_list);
        self.queue.push(item);
    }

    /// Fills the lanes and begins to ask what they ask; reads anew or ends where there is nothing.
    fn begin_round(&mut self) {
        self.phase = Phase::Round;
        self.outcomes.clear();
        let shrunk = self.base.kept.len() * SHRUNK <= self.began;
        if self.pass == Pass::Search && shrunk && self.asked >= LONG_PASS {
            self.phase = Phase::Reading;
            return;
        }
        let width = self.minimizer.batch_width.max(1);
        while !self.queue.is_empty() {
            if self.lanes.len() < width {
                self.fill_lanes(width);
            }
            if !self.lanes.is_empty() {
                break;
            }
        }
        if !self.lanes.is_empty() {
            return;
        }
        match (self.changed, self.pass) {
            (true, _) => self.phase = Phase::Reading,
            (false, Pass::Search) => self.go_on_with(Pass::Parts),
            (false, Pass::Parts) => self.go_on_with(Pass::Proof),
            (false, Pass::Proof) => self.phase = Phase::Done,
        }
    }

    fn go_on_with(&mut self, pass: Pass) {
        self.begin_pass(pass);
        self.begin_round();
    }

    /// Begins to look at what is not much lighter than what is being looked at.
    fn fill_lanes(&mut self, width: usize) {
        let mut heaviest = self.lanes.iter().map(|asking| self.weight(&asking.lane)).max().unwrap_or(0);
        while self.lanes.len() < width
            && let Some(&item) = self.queue.peek()
            && item.tokens.saturating_mul(SPREAD) >= heaviest
        {
            heaviest = heaviest.max(item.tokens);
            self.queue.pop();
            self.look_at(item);
        }
    }

    fn weight(&self, lane: &Lane) -> u32 {
        let standing = self.standing();
        match lane {
            Lane::Edits { node, .. } => standing.size_of(*node as usize),
            Lane::List { elements, search, .. } => {
                search.best().iter().map(|i| standing.size_of_element(&elements[i])).sum()
            }
        }
    }

    fn look_at(&mut self, Item { node, is_list, .. }: Item) {
        let node = node as usize;
        if is_list {
            // The first element may have gone with something else.
            let Some(list) = self.tree.list(node) else { return };
            let elements = self.standing().list_of(node, list);
            if let Some(&first) = elements.first() {
                self.look_at_list(first, list);
            }
        } else if self.standing().stands(node) {
            match self.pass {
                Pass::Search => self.look_at_node(node),
                Pass::Parts => self.look_at_parts(node),
                Pass::Proof if self.standing().can_go(node) => {
                    self.start(Lane::deleting(node, Reach::Alone));
                }
                Pass::Proof => {}
            }
        }
    }

    fn look_at_list(&mut self, first: usize, list: List) {
        let nodes = self.standing().list_of(first, list);
        if list.some && nodes.len() > 1 {
            self.start_edits(first, alloc::vec![Edit::Alone]);
        } else {
            self.search_nodes(&nodes, list);
        }
    }

    fn search_nodes(&mut self, nodes: &[usize], list: List) {
        let empty = self.standing().can_be_empty(list, nodes);
        if nodes.len() == 1 && !empty {
            self.look_at_node(nodes[0]);
            return;
        }
        let (needed, open): (Vec<usize>, Vec<usize>) =
            nodes.iter().partition(|&&node| self.is_known_to_stay(node));
        let elements = self.standing().elements(&open);
        let empty = empty || !needed.is_empty();
        needed.into_iter().for_each(|node| self.push(node, false));
        let policy = if empty { EmptyPolicy::TestFirst } else { EmptyPolicy::Never };
        self.search_list(Elements::Nodes, elements, policy);
    }

    /// Whether it was refused to delete `node`, and there is no reason to ask again.
    fn is_known_to_stay(&self, node: usize) -> bool {
        let lane = Lane::deleting(node, self.first_reach);
        let change = self.change(&lane);
        self.memory.key(&self.tree, &change).is_some_and(|key| self.is_pointless(&lane, key))
    }

    fn search_list(&mut self, what: Elements, elements: Vec<Element>, policy: EmptyPolicy) {
        let search = self.standing().search_of(&elements, self.minimizer, policy);
        self.start(Lane::List { what, elements: elements.into(), search, reach: self.first_reach });
    }

    fn start_edits(&mut self, node: usize, edits: Vec<Edit>) {
        self.start(Lane::Edits { node: node as u32, edits: edits.into(), next: 0, reach: self.first_reach });
    }

    fn look_at_node(&mut self, node: usize) {
        if self.look_at_nest(node, LONG_NEST) {
            return;
        }
        let mut edits = self.standing().edits(node, true);
        edits.retain(|edit| !is_part(edit));
        if edits.is_empty() {
            self.look_inside(node);
        } else {
            self.start_edits(node, edits);
        }
    }

    /// Asks for parts of `node` in its place, what takes least out first, and for strings.
    fn look_at_parts(&mut self, node: usize) {
        let mut edits = self.standing().edits(node, true);
        edits.retain(is_part);
        edits.reverse();
        if self.standing().size_of(node) == 1 && !self.is_last_use(node) {
            edits.retain(|edit| !matches!(edit, Edit::StandIn(_)));
        }
        if !edits.is_empty() {
            self.start_edits(node, edits);
        }
    }

    /// Whether the only token that stands of `node` is the last that uses a name which something introduces.
    fn is_last_use(&self, node: usize) -> bool {
        let Some(token) = self.base.kept.next_from(self.tree.nodes()[node].tokens().start) else {
            return false;
        };
        let mut symbols =
            self.graph.mentions_in(token..token + 1).filter_map(|mention| self.graph.symbol_of(mention));
        symbols.any(|symbol| self.census.is_used_once(symbol))
    }

    /// Goes on with the nest at `node`, or with what is below it.
    fn look_inside(&mut self, node: usize) {
        if !self.look_at_nest(node, SHORT_NEST) {
            self.push_below(node);
        }
    }

    /// Searches the nest at `node` if it is that long.
    fn look_at_nest(&mut self, node: usize, length: usize) -> bool {
        let standing = self.standing();
        let nest = standing.nest(node, Recursion::Anywhere, &self.nested);
        if nest.len() < length {
            return false;
        }
        let shells = standing.shells(&nest);
        nest.iter().for_each(|&node| self.nested.insert(node));
        self.search_list(Elements::Shells(node as u32), shells, EmptyPolicy::TestFirst);
        true
    }

    fn push_below(&mut self, node: usize) {
        let mut items = self.standing().items_below(node);
        let goes = |item: &Item| {
            let node = item.node as usize;
            !item.is_list && self.tree.nodes()[node].role == Role::Deletable && !self.tree.is_trailing(node)
        };
        if items.iter().filter(|item| goes(item)).count() >= CROWD {
            let crowd: Vec<usize> =
                items.extract_if(.., |item| goes(item)).map(|item| item.node as usize).collect();
            let elements = self.standing().elements(&crowd);
            self.search_list(Elements::Nodes, elements, EmptyPolicy::TestFirst);
        }
        self.queue.extend(items);
    }

    /// Adds a lane, unless it is over or all it would ask is known; then what comes after it.
    fn start(&mut self, mut lane: Lane) {
        while !is_over(&lane) {
            let change = Arc::new(self.change(&lane));
            let key = self.memory.key(&self.tree, &change);
            let Some(outcome) = self.known(&lane, &change, key) else {
                self.lanes.push(Asking { lane, change, key, repaired: false });
                return;
            };
            self.advance(&mut lane, outcome);
        }
        self.finish(lane);
    }

    /// What the lane's question would come to, where that need not be asked.
    fn known(&self, lane: &Lane, change: &Change, key: Option<Key>) -> Option<Outcome> {
        let variant = self.variant(&[change]);
        if variant == self.base {
            return Some(Outcome::Interesting);
        }
        let refused = match self.pass {
            Pass::Search => {
                let is_small = self.base.kept.len() < SMALL;
                self.is_too_much(lane) || is_small && self.loses_in_vain(&variant, PATIENCE_WITH_LOSSES)
            }
            Pass::Parts => self.part(lane).is_some_and(|sort| {
                let takes_part = matches!(sort, Sort::Part(_));
                !self.parts.is_worth(sort)
                    || self.loses_in_vain(&variant, PATIENCE_WITH_LOSSES)
                    || takes_part && self.parts.is_in_vain(&change.ranges, &self.base.kept, &variant.kept)
            }),
            Pass::Proof => false,
        };
        let refused = refused
            || key.is_some_and(|key| match self.pass {
                Pass::Search | Pass::Parts => self.is_pointless(lane, key),
                Pass::Proof => self.memory.is_proved(key),
            });
        refused.then_some(Outcome::Uninteresting)
    }

    /// Whether something uses a name in `variant` that nothing introduces any more, and that is known to be
    /// in vain. The proof asks all the same.
    fn loses_in_vain(&self, variant: &Variant, patience: u32) -> bool {
        !self.losses.is_worth(patience) && self.tied().loses_names(variant)
    }

    /// Whether the lane asks about more elements together than are likely to go.
    fn is_too_much(&self, lane: &Lane) -> bool {
        let Lane::List { what: Elements::Nodes, elements, search, .. } = lane else { return false };
        matches!(self.minimizer.kind, MinimizerKind::Dfs | MinimizerKind::Splitting)
            && Lane::gone(elements, search).len() > self.odds.together(elements.len())
    }

    /// What the lane asks in the pass over parts.
    fn part(&self, lane: &Lane) -> Option<Sort> {
        let Lane::Edits { node, edits, next, .. } = lane else { return None };
        match edits[*next] {
            Edit::Keep(_) => Some(Sort::Part(self.tree.slot(*node as usize)?)),
            Edit::StandIn(_) if self.standing().size_of(*node as usize) == 1 => Some(Sort::Token),
            Edit::StandIn(_) => Some(Sort::String),
            Edit::Delete | Edit::Alone => None,
        }
    }

    /// Whether what the lane asks was refused, and there is no reason to ask again.
    fn is_pointless(&self, lane: &Lane, key: Key) -> bool {
        let mentions = self.tree.names().mentions();
        let regions = self.regions(lane);
        let names = regions.iter().flat_map(|tokens| {
            self.graph
                .mentions_in(tokens.clone())
                .filter(|&index| self.base.kept.contains(mentions[index].token as usize))
                .map(|index| mentions[index].name)
        });
        self.memory.is_pointless(key, &regions, names)
    }

    /// The tokens that the lane's question is about, without what goes along.
    fn regions(&self, lane: &Lane) -> Vec<Range<usize>> {
        match lane {
            Lane::Edits { node, .. } => alloc::vec![self.tree.nodes()[*node as usize].tokens()],
            Lane::List { elements, search, .. } => Lane::gone(elements, search)
                .iter()
                .flat_map(|element| element.tokens.clone())
                .map(|range| range.start as usize..range.end as usize)
                .collect(),
        }
    }

    fn closure(&self, nodes: &[u32], reach: Reach) -> Vec<u32> {
        let nodes: Vec<u32> =
            nodes.iter().copied().filter(|&node| self.standing().stands(node as usize)).collect();
        self.tied().closure(&nodes, reach)
    }

    fn tied(&self) -> Tied<'_> {
        let Self { tree, base: variant, graph, census, learned, .. } = self;
        Tied { tree, variant, graph, census, learned }
    }

    /// What the lane asks.
    fn change(&self, lane: &Lane) -> Change {
        match lane {
            Lane::Edits { node, edits, next, reach } => {
                let range = self.tree.nodes()[*node as usize].tokens();
                let (start, end) = (range.start as u32, range.end as u32);
                match &edits[*next] {
                    Edit::Delete => Change { nodes: self.closure(&[*node], *reach), ..Change::default() },
                    Edit::Alone => {
                        let list = self.tree.list(*node as usize);
                        let mut others: Vec<u32> = list
                            .map(|list| self.standing().list_of(*node as usize, list))
                            .unwrap_or_default()
                            .into_iter()
                            .map(|node| node as u32)
                            .collect();
                        others.retain(|other| other != node);
                        Change { nodes: self.closure(&others, Reach::Alone), ..Change::default() }
                    }
                    Edit::Keep(keep) => {
                        Change { ranges: alloc::vec![start..keep.start, keep.end..end], ..Change::default() }
                    }
                    Edit::StandIn(stand_in) => Change {
                        ranges: alloc::vec![start..end],
                        place: Some(Place { at: start, stand_in: *stand_in }),
                        ..Change::default()
                    },
                }
            }
            Lane::List { what, elements, search, reach } => {
                let gone = Lane::gone(elements, search);
                match what {
                    Elements::Nodes => {
                        let nodes: Vec<u32> = gone.iter().map(|element| element.node).collect();
                        Change { nodes: self.closure(&nodes, *reach), ..Change::default() }
                    }
                    Elements::Shells(_) => Change {
                        ranges: gone.into_iter().flat_map(|element| element.tokens).collect(),
                        ..Change::default()
                    },
                }
            }
        }
    }

    fn variant(&self, changes: &[&Change]) -> Variant {
        Change::apply(changes.iter().copied(), &self.tree, &self.base)
    }

    /// The next weaker closure that would be another question.
    fn weaker(&self, lane: &Lane) -> Option<Reach> {
        let (nodes, reach) = self.deleted(lane)?;
        let kind = self.habit_of(&nodes);
        let patience = if self.base.kept.len() >= LARGE { 5 } else { 2 };
        if self.pass == Pass::Proof || !self.habits.get(&kind).copied().unwrap_or_default().is_worth(patience)
        {
            return None;
        }
        let now = self.closure(&nodes, reach);
        let weaker: &[Reach] = if nodes.len() > 1 { &[Reach::Alone] } else { &[Reach::Narrow, Reach::Alone] };
        weaker.iter().copied().find(|&weaker| weaker > reach && self.closure(&nodes, weaker) != now)
    }

    /// The nodes that the lane would delete, and what goes along.
    fn deleted(&self, lane: &Lane) -> Option<(Vec<u32>, Reach)> {
        match lane {
            Lane::Edits { node, edits, next, reach } if edits.get(*next) == Some(&Edit::Delete) => {
                Some((alloc::vec![*node], *reach))
            }
            Lane::List { what: Elements::Nodes, elements, search, reach } => {
                let gone = Lane::gone(elements, search);
                Some((gone.iter().map(|element| element.node).collect(), *reach))
            }
            _ => None,
        }
    }

    /// The habit of single nodes of a kind, or of sets of them.
    fn habit_of(&self, nodes: &[u32]) -> u32 {
        let kind = nodes.first().map_or(0, |&node| self.tree.nodes()[node as usize].kind);
        kind << 1 | u32::from(nodes.len() > 1)
    }

    /// Takes the outcome of a lane's question.
    fn advance(&mut self, lane: &mut Lane, outcome: Outcome) {
        let interesting = outcome.is_interesting();
        if let Some((nodes, reach)) = self.deleted(lane)
            && reach > self.first_reach
            && self.pass == Pass::Search
        {
            self.habits.entry(self.habit_of(&nodes)).or_default().note(interesting);
        }
        let weaker = if interesting { None } else { self.weaker(lane) };
        match lane {
            Lane::Edits { reach, .. } | Lane::List { reach, .. } if weaker.is_some() => {
                *reach = weaker.unwrap_or(Reach::Alone);
            }
            Lane::Edits { node, edits, next, reach } => {
                *reach = self.first_reach;
                if interesting {
                    if matches!(edits[*next], Edit::Keep(_) | Edit::Alone) {
                        let node = *node as usize;
                        self.push(node, false);
                    }
                    *next = usize::MAX;
                } else {
                    *next += 1;
                }
            }
            Lane::List { search, reach, .. } => {
                *reach = self.first_reach;
                search.tell(outcome);
            }
        }
    }

    /// Goes on behind a lane that is over.
    fn finish(&mut self, lane: Lane) {
        match lane {
            Lane::Edits { node, edits, next, .. } if next == edits.len() && self.pass == Pass::Search => {
                let (node, alone) = (node as usize, edits[0] == Edit::Alone);
                match self.tree.list(node).filter(|_| alone) {
                    Some(list) => {
                        let nodes = self.standing().list_of(node, list);
                        self.search_nodes(&nodes, list);
                    }
                    None => self.look_inside(node),
                }
            }
            Lane::Edits { .. } => {}
            Lane::List { what: Elements::Nodes, elements, search, .. } => {
                let nodes = search.best().iter().map(|element| elements[element].node as usize);
                let left: Vec<usize> = nodes.filter(|&node| self.standing().stands(node)).collect();
                left.into_iter().for_each(|node| self.push(node, false));
            }
            Lane::List { what: Elements::Shells(node), .. } => self.push(node as usize, false),
        }
    }

    /// All lanes have their outcomes: what can be done with those that succeeded?
    fn end_round(&mut self) {
        let mut order: Vec<usize> =
            (0..self.lanes.len()).filter(|&i| self.outcomes[i].is_interesting()).collect();
        let count = order.len();
        if count < 2 {
            self.accept(&order);
            return;
        }
        let size = |&lane: &usize| {
            let variant = self.variant(&[&self.lanes[lane].change]);
            (variant.kept.len() + variant.places.len(), lane)
        };
        order.sort_by_key(size);
        self.phase = Phase::Merge { order, count };
    }

    /// The changes of these lanes become part of the base; the others that succeeded ask again.
    fn accept(&mut self, accepted: &[usize]) {
        let lanes = mem::take(&mut self.lanes);
        let outcomes = mem::take(&mut self.outcomes);
        for (asking, outcome) in lanes.iter().zip(&outcomes) {
            self.note(asking, outcome.is_interesting());
        }
        if !accepted.is_empty() {
            let changes: Vec<&Change> = accepted.iter().map(|&lane| &*lanes[lane].change).collect();
            let variant = self.variant(&changes);
            self.take(variant);
        }
        let repaired = self.learn(&lanes);
        for (index, Asking { mut lane, .. }) in lanes.into_iter().enumerate() {
            let postponed = outcomes[index].is_interesting() && !accepted.contains(&index);
            let repaired = repaired.contains(&index);
            if !postponed && !repaired {
                self.advance(&mut lane, outcomes[index]);
            }
            let place = self.lanes.len();
            self.start(lane);
            if let Some(asking) = self.lanes.get_mut(place) {
                asking.repaired = repaired;
            }
        }
        self.begin_round();
    }

    /// Remembers what came of a question.
    fn note(&mut self, Asking { lane, change, key, repaired }: &Asking, worked: bool) {
        if *repaired {
            self.repairs.note(worked);
        }
        if let Some(key) = key.filter(|_| !worked) {
            self.memory.refuse(key, &self.tree, change);
        }
        if self.pass == Pass::Proof && !worked {
            return;
        }
        let variant = self.variant(&[change]);
        if self.tied().loses_names(&variant) {
            self.losses.note(worked);
        }
        match self.pass {
            Pass::Search => {
                let Some((nodes, _)) = self.deleted(lane) else { return };
                if worked {
                    self.odds.went(nodes.len());
                } else if nodes.len() == 1 && self.weaker(lane).is_none() {
                    self.odds.stayed();
                }
            }
            Pass::Parts => {
                let Some(sort) = self.part(lane) else { return };
                self.parts.note(sort, worked);
                if !worked && matches!(sort, Sort::Part(_)) {
                    self.parts.refuse(&self.base.kept, &variant.kept);
                }
            }
            Pass::Proof => {}
        }
    }

    /// Learns what was heard. The lanes that ask something else with that.
    fn learn(&mut self, lanes: &[Asking]) -> BTreeSet<usize> {
        let heard = mem::take(&mut self.heard);
        if !self.learns() {
            self.learned = Arc::default();
            return BTreeSet::new();
        }
        if heard.is_empty() {
            return BTreeSet::new();
        }
        let now = |search: &Self| -> Vec<Vec<u32>> {
            heard.iter().map(|&(lane, _)| search.change(&lanes[lane].lane).nodes).collect()
        };
        let before = now(self);
        Arc::make_mut(&mut self.learned).extend(heard.iter().map(|&(_, name)| name));
        let after = now(self);
        let pairs = heard.iter().zip(before.iter().zip(&after));
        pairs.filter(|(_, (before, after))| before != after).map(|(&(lane, _), _)| lane).collect()
    }

    /// Whether to believe what tests print: where repairs fail, what they complain of ties nothing.
    fn learns(&self) -> bool {
        self.repairs.is_worth(PATIENCE_WITH_REPAIRS)
    }

    /// The names of `evidence` that were not known to matter and stand in what the question deletes.
    fn news(&self, evidence: &Evidence) -> Vec<u32> {
        let Phase::Round = self.phase else { return Vec::new() };
        let Asking { lane, change, .. } = &self.lanes[self.outcomes.len()];
        if self.pass == Pass::Proof || !self.learns() || self.deleted(lane).is_none() {
            return Vec::new();
        }
        let variant = self.variant(&[change]);
        let mentions = self.tree.names().mentions();
        let went = |&name: &u32| {
            let mut tokens = self
                .graph
                .mentions_by_name(name)
                .iter()
                .map(|&index| mentions[index as usize].token as usize);
            !self.learned.contains(&name)
                && tokens.any(|token| self.base.kept.contains(token) && !variant.kept.contains(token))
        };
        evidence.names(self.tree.names()).filter(went).collect()
    }

    fn take(&mut self, variant: Variant) {
        let gone = self.graph.gone(&self.base, &variant);
        self.memory.accept(self.tree.names(), &gone, &variant.kept);
        Arc::make_mut(&mut self.census).take(&self.graph, &self.tree, &gone);
        self.base = variant;
        self.changed = true;
    }

    fn merged(&self, lanes: &[usize]) -> Variant {
        let changes: Vec<&Change> = lanes.iter().map(|&lane| &*self.lanes[lane].change).collect();
        self.variant(&changes)
    }
}

/// From how many parts on that can go those of one node are searched as a list, though the syntax has none there.
/// An error may have as many as the text has tokens; one by one they would take a question each.
const CROWD: usize = 256;

/// After so many questions, when so small a share of the text is left, all is looked at anew from the
/// largest on: what was needed by what has gone can go.
const LONG_PASS: usize = 100;
const SHRUNK: usize = 2;

/// So many repairs may fail before one succeeds.
const PATIENCE_WITH_REPAIRS: u32 = 2;

/// So many questions of the sweep that lose names may fail, and of how many tokens a text has less where lists
/// give up as parts do. In a large text the graph is wrong more often, and then much goes.
const MORE_PATIENCE_WITH_LOSSES: u32 = 12;
const SMALL: usize = 300;

/// How much lighter than the heaviest what is asked beside it may be.
const SPREAD: u32 = 4;

/// From how many tokens on a text is large: there it is worth while to try weaker closures more often.
const LARGE: usize = 1000;

fn is_part(edit: &Edit) -> bool {
    matches!(edit, Edit::Keep(_) | Edit::StandIn(_))
}

fn is_over(lane: &Lane) -> bool {
    match lane {
        Lane::Edits { edits, next, .. } => *next >= edits.len(),
        Lane::List { search, .. } => search.ask().is_none(),
    }
}

impl Search for LinkedSearch {
    fn ask(&self) -> Ask {
        match &self.phase {
            Phase::Comments => Ask::Test(Variant { gaps: Gaps::Bare, ..self.base.clone() }),
            Phase::Sweep(_, change) => Ask::Test(self.variant(&[change])),
            Phase::Round => Ask::Test(self.variant(&[&self.lanes[self.outcomes.len()].change])),
            Phase::Merge { order, count } => Ask::Test(self.merged(&order[..*count])),
            Phase::Reading => Ask::Parse(self.base.clone(), Shape::Tree(self.reader)),
            Phase::Done => Ask::Done,
        }
    }

    fn tell(&mut self, answer: Answer) {
        let phase = mem::replace(&mut self.phase, Phase::Round);
        match (phase, answer) {
            (Phase::Comments, Answer::Outcome(outcome)) => {
                if outcome.is_interesting() {
                    self.base.gaps = Gaps::Bare;
                }
                self.begin();
            }
            (Phase::Sweep(mut sweep, change), Answer::Outcome(outcome)) => {
                let variant = self.variant(&[&change]);
                if self.tied().loses_names(&variant) {
                    self.losses.note(outcome.is_interesting());
                }
                if outcome.is_interesting() {
                    self.take(variant);
                } else if let Some(key) = self.memory.key(&self.tree, &change) {
                    self.memory.refuse(key, &self.tree, &change);
                }
                sweep.tell(outcome, &self.base);
                self.go_on_sweeping(sweep);
            }
            (Phase::Round, Answer::Outcome(outcome)) => {
                self.outcomes.push(outcome);
                self.asked += 1;
                if self.outcomes.len() == self.lanes.len() {
                    self.end_round();
                }
            }
            (Phase::Round, Answer::Refused(evidence)) => {
                let lane = self.outcomes.len();
                let news = self.news(&evidence);
                self.heard.extend(news.into_iter().map(|name| (lane, name)));
                self.tell(Answer::Outcome(Outcome::Uninteresting));
            }
            (Phase::Merge { order, count }, Answer::Outcome(outcome)) => {
                if outcome.is_interesting() {
                    self.accept(&order[..count]);
                } else if count <= 3 {
                    self.accept(&order[..1]);
                } else {
                    self.phase = Phase::Merge { order, count: count / 2 };
                }
            }
            (Phase::Reading, Answer::Tree(tree)) => {
                self.memory.read(self.tree.names(), &self.base, &tree);
                let names = self.tree.names();
                let again = |&name: &u32| tree.names().find(names.spelling(name));
                self.learned = Arc::new(self.learned.iter().filter_map(again).collect());
                self.base = Variant::whole(tree.text().clone());
                self.graph = Arc::new(Graph::new(&tree));
                self.census = Arc::new(Census::of(&self.graph, &tree, &self.base));
                self.tree = tree;
                self.begin_pass(Pass::Search);
                self.begin_round();
            }
            (phase, answer) => panic!("{answer:?} does not answer {phase:?}"),
        }
    }

    fn best(&self) -> &Variant {
        &self.base
    }

    fn learns_from(&self, evidence: &Evidence) -> bool {
        !self.news(evidence).is_empty()
    }

    fn label(&self) -> &'static str {
        match (&self.phase, self.pass) {
            (Phase::Comments, _) => "comments",
            (Phase::Sweep(..), _) => "from the end",
            (Phase::Round | Phase::Merge { .. }, Pass::Parts) => "parts",
            (Phase::Round | Phase::Merge { .. }, Pass::Search) => "what hangs together",
            (Phase::Round | Phase::Merge { .. }, Pass::Proof) => "proof",
            (Phase::Reading | Phase::Done, _) => "reading",
        }
    }
}
