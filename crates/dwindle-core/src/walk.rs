//! The places of a tree in Perses' order: what is looked at next, and what follows when that is over.
//!
//! [`perses`](crate::perses) and [`linked`](crate::linked) walk alike; what they do differently are
//! [`Rules`].

use alloc::collections::BinaryHeap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::edit::{Change, Edit};
use crate::open_list::OpenList;
use crate::residual::{Alternative, Element, Item, Recursion, ResidualTree};
use crate::tree::{List, Role};
use crate::tuning::WalkTuning;
use crate::{EmptyPolicy, ListQuestion, Minimizer, MinimizerConfig, Outcome, Subset};

/// What differs between reducers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) minimizer: MinimizerConfig,
    pub(crate) tuning: WalkTuning,
    /// What makes a chain.
    pub(crate) recursion: Recursion,
    /// What is tried in the place of a node when it is looked at.
    pub(crate) replacements: Replacements,
    /// Whether the only element of a list that needs one waits in the queue. If not, it is looked at at once.
    pub(crate) only_element_waits: bool,
    /// Whether very many parts of one node that can be deleted are searched as a list, though the syntax has none
    /// there.
    pub(crate) crowds: bool,
}

/// What is tried in the place of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Replacements {
    /// Nothing: it is deleted or stays.
    None,
    /// Parts of it.
    Parts,
    /// Parts of it, and the minimal string of the place.
    PartsAndStrings,
}

/// What is still to be looked at.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    rules: Rules,
    /// The last in order comes first.
    queue: BinaryHeap<Item>,
    /// The nodes of chains that have been searched.
    chained: Subset,
    /// How many lists were begun.
    lists: u32,
}

/// A place that is being looked at.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    /// The alternatives at a node, one after the other.
    Node { node: u32, alternatives: Arc<[Alternative]>, next: Next },
    /// A list.
    List { what: Elements, list: OpenList<Element> },
}

/// Where the alternatives at a node are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// This one is tried.
    Try(usize),
    /// One was taken.
    Taken,
    /// All were refused.
    Exhausted,
}

/// What the elements of a list are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Elements {
    Nodes,
    /// The wrappers of the chain at this node.
    Wrappers(u32),
}

impl Work {
    /// The one that tries `alternatives` at `node`.
    pub(crate) fn at(node: usize, alternatives: Vec<Alternative>) -> Self {
        let next = if alternatives.is_empty() { Next::Exhausted } else { Next::Try(0) };
        Self::Node { node: node as u32, alternatives: alternatives.into(), next }
    }

    pub(crate) fn is_over(&self) -> bool {
        match self {
            Self::Node { next, .. } => !matches!(next, Next::Try(_)),
            Self::List { list, .. } => list.search.ask().is_none(),
        }
    }

    /// The node and the alternative that is tried there.
    pub(crate) fn alternative(&self) -> Option<(usize, &Alternative)> {
        match self {
            Self::Node { node, alternatives, next: Next::Try(next) } => {
                Some((*node as usize, &alternatives[*next]))
            }
            _ => None,
        }
    }

    /// The elements of a list that the question leaves out.
    pub(crate) fn gone(&self) -> Vec<Element> {
        let Self::List { list, .. } = self else { return Vec::new() };
        list.search.ask().map(|kept| list.missing(&kept)).unwrap_or_default()
    }

    /// What the question changes.
    pub(crate) fn change(&self, residual: ResidualTree<'_>) -> Change {
        match self {
            Self::Node { .. } => {
                let change = |(node, alternative)| residual.change(node, alternative);
                self.alternative().map(change).unwrap_or_default()
            }
            Self::List { what, .. } => what.deletion(self.gone()),
        }
    }

    /// What leaves only these elements of a list.
    pub(crate) fn change_to(&self, kept: &Subset) -> Option<Change> {
        let Self::List { what, list } = self else { return None };
        Some(what.deletion(list.missing(kept)))
    }

    /// What the question asks about a list.
    pub(crate) fn list(&self) -> Option<ListQuestion> {
        if let Self::List { list, .. } = self { list.question(|element| element.node) } else { None }
    }
}

impl Elements {
    /// What takes these elements out.
    fn deletion(self, gone: Vec<Element>) -> Change {
        match self {
            Self::Nodes => Change::deletion(gone.iter().map(|element| element.node)),
            Self::Wrappers(_) => {
                Change::new(gone.into_iter().flat_map(|element| element.tokens).map(Edit::Cut))
            }
        }
    }
}

impl Walk {
    /// Nothing yet, over a tree of so many nodes.
    pub(crate) fn new(rules: Rules, nodes: usize) -> Self {
        Self { rules, queue: BinaryHeap::new(), chained: Subset::empty(nodes), lists: 0 }
    }

    /// The same, behind a walk over the text as it was read before.
    pub(crate) fn behind(self, before: &Self) -> Self {
        Self { lists: before.lists, ..self }
    }

    pub(crate) fn push(&mut self, residual: ResidualTree<'_>, node: usize) {
        self.queue.push(residual.item(node, false));
    }

    pub(crate) fn peek(&self) -> Option<Item> {
        self.queue.peek().copied()
    }

    pub(crate) fn pop(&mut self) -> Option<Item> {
        self.queue.pop()
    }

    /// Looks at `item`; `stays` tells the nodes that need not be tried in a list.
    pub(crate) fn look_at(
        &mut self,
        residual: ResidualTree<'_>,
        item: Item,
        stays: impl Fn(usize) -> bool,
    ) -> Option<Work> {
        let node = item.node as usize;
        if !item.is_list {
            return residual.stands(node).then(|| self.look_at_node(residual, node)).flatten();
        }
        let list = residual.tree.list(node)?;
        // The first element may have gone with something else.
        let nodes = residual.list_of(node, list);
        match nodes[..] {
            [] => None,
            [first, _, ..] if list.some => Some(Work::at(first, alloc::vec![Alternative::Alone])),
            _ => self.search_nodes(residual, &nodes, list, stays),
        }
    }

    fn search_nodes(
        &mut self,
        residual: ResidualTree<'_>,
        nodes: &[usize],
        list: List,
        stays: impl Fn(usize) -> bool,
    ) -> Option<Work> {
        let empty = residual.can_be_empty(list, nodes);
        if let [only] = *nodes
            && !empty
        {
            if self.rules.only_element_waits {
                self.push(residual, only);
                return None;
            }
            return self.look_at_node(residual, only);
        }
        let (needed, open): (Vec<usize>, Vec<usize>) = nodes.iter().partition(|&&node| stays(node));
        let policy = if empty || !needed.is_empty() { EmptyPolicy::TestFirst } else { EmptyPolicy::Never };
        needed.into_iter().for_each(|node| self.push(residual, node));
        Some(self.search_list(residual, Elements::Nodes, residual.elements(&open), policy))
    }

    pub(crate) fn search_list(
        &mut self,
        residual: ResidualTree<'_>,
        what: Elements,
        elements: Vec<Element>,
        policy: EmptyPolicy,
    ) -> Work {
        self.lists += 1;
        let weighed = elements.into_iter().map(|element| {
            let weight = residual.size_of_element(&element).max(1);
            (element, weight)
        });
        Work::List { what, list: OpenList::new(self.lists, weighed, self.rules.minimizer, policy) }
    }

    fn look_at_node(&mut self, residual: ResidualTree<'_>, node: usize) -> Option<Work> {
        if let Some(chain) = self.look_at_chain(residual, node, self.rules.tuning.long_chain) {
            return Some(chain);
        }
        let mut alternatives = Vec::from_iter(residual.can_go(node).then_some(Alternative::Delete));
        alternatives.extend(match self.rules.replacements {
            Replacements::None => Vec::new(),
            Replacements::Parts => residual.replacements(node, false, self.rules.tuning),
            Replacements::PartsAndStrings => residual.replacements(node, true, self.rules.tuning),
        });
        if alternatives.is_empty() {
            return self.look_inside(residual, node);
        }
        Some(Work::at(node, alternatives))
    }

    /// Goes on with the chain at `node`, or with what is below it.
    fn look_inside(&mut self, residual: ResidualTree<'_>, node: usize) -> Option<Work> {
        let chain = self.look_at_chain(residual, node, self.rules.tuning.short_chain);
        if chain.is_some() {
            return chain;
        }
        let tree = residual.tree;
        let mut items = residual.items_below(node);
        let can_go = |item: &Item| {
            let node = item.node as usize;
            !item.is_list && tree.role(node) == Role::Deletable && !tree.is_trailing(node)
        };
        let is_crowd =
            self.rules.crowds && items.iter().filter(|item| can_go(item)).count() >= self.rules.tuning.crowd;
        let crowd: Vec<usize> = match is_crowd {
            true => items.extract_if(.., |item| can_go(item)).map(|item| item.node as usize).collect(),
            false => Vec::new(),
        };
        self.queue.extend(items);
        is_crowd.then(|| {
            self.search_list(residual, Elements::Nodes, residual.elements(&crowd), EmptyPolicy::TestFirst)
        })
    }

    /// The search of the chain at `node` if it is that long.
    fn look_at_chain(&mut self, residual: ResidualTree<'_>, node: usize, length: usize) -> Option<Work> {
        let chain = residual.chain_at(node, self.rules.recursion, self.rules.tuning.levels, &self.chained);
        if chain.len() < length {
            return None;
        }
        self.chained.insert_all(chain.iter().copied());
        let wrappers = residual.wrappers(&chain);
        Some(self.search_list(residual, Elements::Wrappers(node as u32), wrappers, EmptyPolicy::TestFirst))
    }

    /// Takes the outcome of a question; `residual` is what is left now.
    pub(crate) fn tell(&mut self, residual: ResidualTree<'_>, work: &mut Work, outcome: Outcome) {
        let interesting = outcome.is_interesting();
        match work {
            Work::Node { node, alternatives, next } => {
                let Next::Try(now) = *next else { return };
                if interesting && matches!(alternatives[now], Alternative::Keep(_) | Alternative::Alone) {
                    self.push(residual, *node as usize);
                }
                *next = match now + 1 {
                    _ if interesting => Next::Taken,
                    next if next == alternatives.len() => Next::Exhausted,
                    next => Next::Try(next),
                };
            }
            Work::List { list, .. } => list.search.tell(outcome),
        }
    }

    /// Goes on behind what is over.
    pub(crate) fn finish(
        &mut self,
        residual: ResidualTree<'_>,
        work: Work,
        stays: impl Fn(usize) -> bool,
    ) -> Option<Work> {
        match work {
            Work::Node { node, alternatives, next: Next::Exhausted } => {
                let node = node as usize;
                let alone = alternatives.first() == Some(&Alternative::Alone);
                return match residual.tree.list(node).filter(|_| alone) {
                    Some(list) => self.search_nodes(residual, &residual.list_of(node, list), list, stays),
                    None => self.look_inside(residual, node),
                };
            }
            Work::Node { .. } => {}
            Work::List { what: Elements::Nodes, list } => {
                let left = list.search.best().iter().map(|position| list.elements[position].node as usize);
                left.filter(|&node| residual.stands(node)).for_each(|node| self.push(residual, node));
            }
            Work::List { what: Elements::Wrappers(node), .. } => self.push(residual, node as usize),
        }
        None
    }
}
